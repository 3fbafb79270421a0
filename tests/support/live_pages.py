"""The steps of people at the pages of a live table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tests.support.browser import OpenPage, listening, opened_pages
from tests.support.evening import Evening

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LOG = "[...document.querySelectorAll('#log li .text')].map((one) => one.textContent)"
"""The log as the page shows it, the newest event first."""


@contextmanager
def live_pages(browser: Browser, address: str, evening: Evening) -> Iterator[OpenPage]:
    """Opens pages of a server on phones that play in a game, or only look on."""
    known = {"code": evening.id, "id": evening.id, "token": evening.token, "players": [], "at": 0}
    script = f"localStorage.setItem('games', {json.dumps(json.dumps({evening.id: known}))});"

    with opened_pages(browser) as make:

        def open_path(path: str, *, plays: bool = True, first: str = "", **options: Any) -> Page:
            page = make("about:blank", **{"service_workers": "block", **options})
            if plays:
                page.add_init_script(script)
            if first:
                page.add_init_script(first)
            page.goto(address + path)
            listening(page)
            return page

        yield open_path


def declare(page: Page, seat: str, way: str) -> None:
    """Somebody says 胡."""
    page.click("#win:enabled")
    page.click(f'#sheet [data-key="winner-{seat}"]')
    if page.locator(f'#sheet [data-key="way-{way}"]').count():
        page.click(f'#sheet [data-key="way-{way}"]')
    page.click("#declare:enabled")
    page.wait_for_selector("#claim:visible")
