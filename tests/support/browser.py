"""Debian's Chromium for the page tests, and a server for it to look at."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import pytest
import uvicorn

from assistant_api.services import serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright
    from starlette.types import ASGIApp

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 800}
PATIENCE_MS = 60_000
"""A busy machine is slow."""


@contextmanager
def playwright_driver() -> Iterator[Playwright]:
    """What drives browsers; one for all tests, since a thread can run only one. Skips the test where it is missing."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as found:
        yield found


@contextmanager
def chromium(driver: Playwright, *flags: str) -> Iterator[Browser]:
    """A running Chromium with more flags; skips the test where there is none."""
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("chromium is not installed")
    found = driver.chromium.launch(executable_path=path, args=[*FLAGS, *flags])
    yield found
    found.close()


@contextmanager
def served(app: ASGIApp, port: int = 0) -> Iterator[str]:
    """The address of a running server, on a port of its own unless one is named."""
    listener = serving.open_socket("127.0.0.1", port)
    config = uvicorn.Config(app, log_level="error", ws="websockets-sansio", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(20)
        listener.close()


def is_fault(message: ConsoleMessage) -> bool:
    """An error of a script; that the server refused something, or is out of reach, is told on the page."""
    return message.type == "error" and not message.text.startswith(
        ("Failed to load resource", "WebSocket connection to")
    )


def until(page: Page, expression: str, patience_ms: float = PATIENCE_MS) -> Any:
    """Wait until a script expression is true, and return it; the page's own policy forbids `wait_for_function`."""
    from playwright.sync_api import Error

    end = time.monotonic() + patience_ms / 1000
    while time.monotonic() < end:
        with suppress(Error):  # the page is being left
            if found := page.evaluate(expression):
                return found
        page.wait_for_timeout(50)
    raise AssertionError(f"never true: {expression}")


def listening(page: Page) -> None:
    """Wait until the scripts of the page listen to what is tapped and chosen."""
    until(page, "document.getElementById('broken')?.hidden")


OpenPage = Callable[..., "Page"]
"""``open_page(url, blocked, **context)`` opens a page in a context of its own, phone-sized and English by default.

Addresses of the blocked patterns cannot be reached."""


@contextmanager
def opened_pages(browser: Browser) -> Iterator[OpenPage]:
    """Opens pages; at the end all are closed, and no script may have failed."""
    faults: list[str] = []
    contexts = []

    def make(url: str, blocked: Sequence[str] = (), **options: Any) -> Page:
        context = browser.new_context(**{"viewport": PHONE, "device_scale_factor": 2, "locale": "en-GB", **options})
        contexts.append(context)
        for pattern in blocked:
            context.route(pattern, lambda route: route.abort())
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text) if is_fault(message) else None)
        page.set_default_timeout(PATIENCE_MS)
        page.goto(url)
        return page

    yield make
    for context in contexts:
        context.close()
    assert faults == [], faults
