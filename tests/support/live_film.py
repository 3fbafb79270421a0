"""The bundled film before the camera of a phone in Chromium, a server with our networks, and a game to follow it in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import httpx2
import pytest

from assistant_api.app import create_app
from assistant_api.services.reading import SharedReader
from assistant_api.services.tables.eyes import shipped_eye
from assistant_api.services.tables.room import Room
from assistant_api.settings import Settings
from engine.seats import Seat
from tests.scripted import SAMPLES
from tests.support.browser import OpenPage, chromium, served, until
from tests.support.camera import CAMERA_FLAGS, write_film
from tests.support.evening import Evening, begin
from tests.support.live_pages import live_pages
from vision.frames import decode_frame

if TYPE_CHECKING:
    from playwright.sync_api import Page, Playwright

FILM = SAMPLES / "live" / "clip.mp4"
HOLD_S = 25.0
ENOUGH = 75
"""Half of the film's frames."""
WARNED = '[data-alert="guoshui_win"][data-seat="W"][data-certain="true"]'


@dataclass(frozen=True)
class FilmedTable:
    """A game that is followed, its pages, and how many frames were looked at so far."""

    open_page: OpenPage
    evening: Evening
    room: Room
    address: str

    @property
    def looked_at(self) -> int:
        """Frames that were not dropped."""
        return self.room.slot.received - self.room.slot.dropped

    @contextmanager
    def if_it_keeps_up(self) -> Iterator[None]:
        """Skips the test where it fails and the machine had no time to look at the film."""
        try:
            yield
        except Exception:
            if self.looked_at < ENOUGH:
                pytest.skip(f"this machine looked at {self.looked_at} frames of the film; it takes {ENOUGH} to follow")
            raise


@contextmanager
def filmed_table(driver: Playwright, folder: Path, speed: float) -> Iterator[FilmedTable]:
    """Pages on phones whose camera sees the film at a speed, in a game where West deals; files go into a folder."""
    clip = write_film(FILM, folder / "table.y4m", speed=speed, hold_s=HOLD_S / speed)
    with followed_table(driver, folder, *CAMERA_FLAGS, f"--use-file-for-fake-video-capture={clip}") as found:
        yield found
    clip.unlink(missing_ok=True)


@contextmanager
def followed_table(driver: Playwright, folder: Path, *flags: str) -> Iterator[FilmedTable]:
    """Pages on phones, in a game where West deals, of a server whose networks are loaded."""
    app = create_app(Settings(database_path=folder / "jinque.sqlite3"))
    _warm(app.state.desk.reader)
    with (
        served(app) as address,
        chromium(driver, *flags) as browser,
        httpx2.Client(base_url=address, headers={"Accept-Language": "en"}) as client,
    ):
        evening = begin(client, title="Friday", first_dealer="W", options={"dead_hand": False})  # type: ignore[arg-type]
        with live_pages(browser, address, evening) as open_page:
            yield FilmedTable(open_page, evening, app.state.live.room(evening.id), address)


def _warm(reader: SharedReader) -> None:
    """The networks have looked at a table before, so that the film is not half over when they begin."""
    eye = shipped_eye(reader)(Seat.WEST)
    video = cv2.VideoCapture(str(FILM))
    for number in range(6):
        jpeg = bytes(cv2.imencode(".jpg", video.read()[1])[1])
        eye.look(decode_frame(jpeg), float(number))


def begin_hand(filmed: FilmedTable) -> Page:
    """The table's page, after somebody said there that the hand begins and who sits next to the camera."""
    table = filmed.open_page(f"/g/{filmed.evening.id}/live")
    table.click("#begin-open")
    table.click('#sheet [data-key="near-W"]')
    table.click("#begin-hand:enabled")
    table.wait_for_selector("#sides:visible")
    return table


def start_camera(page: Page) -> None:
    """The film begins."""
    page.click("#start")
    until(page, "document.body.dataset.camera === 'live'")
