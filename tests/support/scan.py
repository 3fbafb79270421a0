"""What the tests of the scan page share: a sample read with one mistake, and the steps a person takes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from assistant_api.app import create_app
from assistant_api.settings import Settings
from engine.tiles import SUITED, Tile
from tests.scripted import SAMPLES, ScriptedReader
from tests.support.browser import listening, served

if TYPE_CHECKING:
    from playwright.sync_api import Page

PHOTO = SAMPLES / "melds.jpg"
TRUTH = json.loads((SAMPLES / "melds.json").read_text(encoding="utf-8"))
WRONG = next(place for place, tile in enumerate(TRUTH["tiles"]) if tile["group"] == "hand")
"""A tile of the hand that is read as another one, so that it has to be corrected."""
RIGHT = TRUTH["tiles"][WRONG]["tile"]
MISREAD = next(tile for tile in SUITED if all(entry["tile"] != tile.code for entry in TRUTH["tiles"]))


@contextmanager
def scan_server(settings: Settings, wrong: Mapping[int, Tile | None] | None = None, port: int = 0) -> Iterator[str]:
    """The address of a server that reads the sample, with the one mistake unless told otherwise."""
    reader = ScriptedReader(SAMPLES / "melds.json", {WRONG: MISREAD} if wrong is None else wrong)
    with served(create_app(settings, reader=lambda _: reader), port) as found:
        yield found


class Table:
    """The table's server, which can be taken away and come back at the same address with what it kept."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._stack = ExitStack()
        self.address = ""
        self.start()

    def start(self) -> None:
        """Serve."""
        port = int(self.address.rpartition(":")[2]) if self.address else 0
        self.address = self._stack.enter_context(scan_server(self._settings, port=port))

    def stop(self) -> None:
        """Go away."""
        self._stack.close()


def shot(page: Page, name: str) -> None:
    """A picture for people to look at, where JINQUE_SCREENSHOTS names a folder."""
    folder = os.environ.get("JINQUE_SCREENSHOTS")
    if folder:
        page.wait_for_timeout(400)
        page.screenshot(path=Path(folder) / f"{name}.png")


def choose(page: Page, photo: Path = PHOTO) -> None:
    """Choose a photo on the scan page, as soon as it listens."""
    page.wait_for_selector("#library", state="attached")
    listening(page)
    page.set_input_files("#library", photo)


def upload(page: Page) -> None:
    """Choose the sample photo and wait for the server's check."""
    choose(page)
    page.wait_for_selector("#count")


def correct(page: Page) -> None:
    """Say what the tile is that was read wrong."""
    page.click(f'[data-doubt="{RIGHT}"]')
    page.wait_for_selector("#count.good")


def answer(page: Page) -> None:
    """Say what the photo cannot tell."""
    facts = TRUTH["facts"]
    keys = [f"winner-{facts['winner']}", f"source-{facts['win']}", f"dealer-{facts['dealer']}"]
    if facts["from"]:
        keys.insert(2, f"from_seat-{facts['from']}")
    for key in keys:
        page.click(f'[data-key="{key}"]')
    for _ in range(facts["streak"]):
        page.click('[data-key="streak+"]')
