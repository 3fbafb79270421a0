"""The bundled film before the camera of a phone in Chromium, a server with our networks, and a game to follow it in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import httpx2

from assistant_api.app import create_app
from assistant_api.settings import Settings
from tests.scripted import SAMPLES
from tests.support.browser import OpenPage, chromium, served, until
from tests.support.camera import CAMERA_FLAGS, write_film
from tests.support.evening import Evening, begin
from tests.support.live_pages import live_pages

if TYPE_CHECKING:
    from playwright.sync_api import Page, Playwright

FILM = SAMPLES / "live" / "clip.mp4"
HOLD_S = 60.0
WARNED = '[data-alert="guoshui_win"][data-seat="W"][data-certain="true"]'


@contextmanager
def filmed_table(driver: Playwright, folder: Path, speed: float) -> Iterator[tuple[OpenPage, Evening]]:
    """Pages on phones whose camera sees the film at a speed, in a game where West deals; files go into a folder."""
    clip = write_film(FILM, folder / "table.y4m", speed=speed, hold_s=HOLD_S / speed)
    app = create_app(Settings(database_path=folder / "jinque.sqlite3"))
    with (
        served(app) as address,
        chromium(driver, *CAMERA_FLAGS, f"--use-file-for-fake-video-capture={clip}") as browser,
        httpx2.Client(base_url=address, headers={"Accept-Language": "en"}) as client,
    ):
        evening = begin(client, title="Friday", first_dealer="W", options={"dead_hand": False})  # type: ignore[arg-type]
        with live_pages(browser, address, evening) as open_page:
            yield open_page, evening
    clip.unlink()


def begin_hand(open_page: OpenPage, evening: Evening) -> Page:
    """The table's page, after somebody said there that the hand begins and who sits next to the camera."""
    table = open_page(f"/g/{evening.id}/live")
    table.click("#begin-open")
    table.click('#sheet [data-key="near-W"]')
    table.click("#begin-hand:enabled")
    table.wait_for_selector("#sides:visible")
    return table


def start_camera(page: Page) -> None:
    """The film begins."""
    page.click("#start")
    until(page, "document.body.dataset.camera === 'live'")
