"""An event loop of one's own: the driver of the browser tests keeps one running in the main thread."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def run(waited: Awaitable[T]) -> T:
    """What the awaitable gives, waited for in another thread."""

    async def wait() -> T:
        return await waited

    with ThreadPoolExecutor(1) as own_loop:
        return own_loop.submit(asyncio.run, wait()).result()
