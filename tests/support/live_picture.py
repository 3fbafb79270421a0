"""The moving picture of the README: what the camera sees beside a phone at the table, from the gold to the settlement.

``python -m tests.support.live_picture .github/pictures/7-live.webp`` sends the bundled film to a server with the
networks that ship, each frame when the one before was looked at, takes pictures of a player's page whenever it says
something new, and puts beside each the frame that the server had looked at, with the boxes of what it saw. Then the
win is scanned, refused with its proof, and a lawful one settled, as in `tests/test_live_pixels_browser.py`.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
from PIL import Image, ImageDraw, ImageFont

from tests.support.browser import playwright_driver, until
from tests.support.live_desk import Phone, Wire
from tests.support.live_film import FILM, WARNED, FilmedTable, begin_hand, followed_table
from tests.support.live_load import jpegs
from tests.support.live_pages import LOG, declare
from tests.support.scan import upload

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGE = {"width": 390, "height": 700}
TABLE = (280, 0, 1000, 720)
"""The part of the film that is shown: left, top, right, bottom in pixels."""
FILM_PX = 480
HEAD_PX, GAP_PX = 34, 14
PAPER, INK, SOFT = "#f3f5f1", "#1c2420", "#5d6862"
PACE_S = 0.2
"""The film's own pace, where the machine keeps up."""
OFTEN = 12
"""A picture is taken after so many frames where nothing new is said."""
FIRST = 3
"""The first picture is not taken before this frame was looked at: the networks have just been loaded."""
CALM_S = 2.0
"""The table lies still for so long, once it is found, before the film begins."""
PATIENCE_S = 180.0
SHOWN_MS, READ_MS, LAST_MS = 650, 3500, 5000
"""How long a picture is shown; one with something to read; the last one."""
BOXED = {"gold": "#ffe066", "river": "#ffb547", "meld": "#79b4ff", "flowers": "#f585bb", "hand": "#3ecf8e"}
"""The colours of the camera's page."""
MEANS = {
    "gold": "the gold, turned up: wild in this hand",
    "river": "discards",
    "meld": "claimed melds",
    "flowers": "flowers",
    "hand": "a hand laid open to win",
}

Picture = tuple[Image.Image, int]
"""And how long it is shown, in ms."""


class Stand:
    """The phone on the stand: sends the film frame by frame, then its last frame again and again."""

    def __init__(self, phone: Phone, frames: Sequence[bytes]) -> None:
        self._phone = phone
        self._frames = frames
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._play, daemon=True)
        self.at = 0
        self.boxes: Sequence[dict[str, Any]] = ()

    def start(self) -> None:
        """The film begins."""
        self._thread.start()

    def stop(self) -> None:
        """Nothing is sent any more."""
        self._stopped.set()
        self._thread.join(10)

    @property
    def over(self) -> bool:
        """The film has come to its end."""
        return self.at >= len(self._frames) - 1

    def _play(self) -> None:
        number, found_s = 0, None
        while not self._stopped.is_set():
            begun = time.monotonic()
            sent = self._phone.frame(self._frames[number])["frame"]
            if sent is not None:
                self._phone.until(lambda one, sent=sent: one.sight.get("frame", 0) >= sent)
                self.at, self.boxes = number, self._phone.sight.get("boxes", ())
                if found_s is None and self._phone.sight["plane"]:
                    found_s = begun
                if found_s is not None and begun - found_s >= CALM_S:
                    number = min(number + 1, len(self._frames) - 1)
            time.sleep(max(0.0, begun + PACE_S - time.monotonic()))

    def picture(self) -> Image.Image:
        """What it sees now, with boxes on the tiles the server knows."""
        data, boxes = self._frames[self.at], self.boxes
        image = Image.open(io.BytesIO(data)).convert("RGB")
        draw = ImageDraw.Draw(image)
        for one in boxes:
            if one["tile"] not in ("back", "?") and one["zone"] in BOXED:
                draw.polygon([tuple(point) for point in one["quad"]], outline=BOXED[one["zone"]], width=3)
        return image.crop(TABLE)


@contextmanager
def stand(filmed: FilmedTable) -> Iterator[Stand]:
    """A phone on the stand of a table."""
    phone = Phone(Wire(filmed.address, filmed.evening.id), filmed.evening.token, "camera")
    found = Stand(phone, jpegs(FILM))
    yield found
    found.stop()
    phone.close()


def side_by_side(camera: Image.Image, page: Page) -> Image.Image:
    """What the camera sees, with what its boxes mean, and what the page shows."""
    film = camera.resize((FILM_PX, FILM_PX), Image.Resampling.LANCZOS)
    shown = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    shown = shown.resize((PAGE["width"], PAGE["height"]), Image.Resampling.LANCZOS)
    width = FILM_PX + PAGE["width"] + 3 * GAP_PX
    joined = Image.new("RGB", (width, HEAD_PX + PAGE["height"] + GAP_PX), PAPER)
    draw = ImageDraw.Draw(joined)
    left, right = GAP_PX, FILM_PX + 2 * GAP_PX
    heading, text = ImageFont.load_default(18), ImageFont.load_default(16)
    draw.text((left, HEAD_PX / 2), "A camera looks at the table", INK, heading, anchor="lm")
    draw.text((right, HEAD_PX / 2), "A phone beside it", INK, heading, anchor="lm")
    joined.paste(film, (left, HEAD_PX))
    joined.paste(shown, (right, HEAD_PX))
    draw.rectangle((right - 1, HEAD_PX - 1, right + PAGE["width"], HEAD_PX + PAGE["height"]), outline=SOFT)
    below = HEAD_PX + FILM_PX + 2 * GAP_PX
    for zone, colour in BOXED.items():
        draw.rectangle((left + 2, below - 7, left + 16, below + 7), outline=colour, width=4)
        draw.text((left + 26, below), MEANS[zone], SOFT, text, anchor="lm")
        below += 28
    return joined


def follow(page: Page, camera: Stand) -> Iterator[Picture]:
    """Pictures while the film runs, until the warning is shown; RuntimeError without one."""
    said: Any = None
    last = -OFTEN
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        warned = page.locator(WARNED).count() > 0
        now = page.evaluate(LOG)
        if warned or now != said or camera.at - last >= OFTEN:
            said, last = now, camera.at
            yield side_by_side(camera.picture(), page), READ_MS if warned else SHOWN_MS
        if warned:
            return
        page.wait_for_timeout(100)
    raise RuntimeError("no warning was shown: what the networks saw of the film was not enough")


def settle(page: Page, camera: Stand) -> Iterator[Picture]:
    """The win is scanned and refused; a lawful one is scanned and settled."""
    page.click("#scan-claim")
    scan(page)
    page.wait_for_selector("#proof:visible")
    page.wait_for_selector(".refusal")
    yield at(page, camera, "#proof"), READ_MS
    page.click("#refuse")
    page.wait_for_url("**/live")
    page.wait_for_selector(WARNED)
    page.click("#add-event")
    page.click('#sheet [data-key="seat-S"]')
    page.click('#sheet [data-kind="9s"]')
    page.click("#save-event:enabled")
    until(page, f"{LOG}[0].startsWith('Fang throws')")
    declare(page, "W", "self_draw")
    yield at(page, camera, "#claim"), READ_MS
    page.click("#scan-claim")
    scan(page)
    page.wait_for_selector("#save:enabled")
    yield at(page, camera, "#result"), READ_MS
    page.click("#save")
    page.wait_for_url("**/live*")
    page.wait_for_selector("#begin:visible")
    page.goto(page.url.split("/live")[0])
    page.wait_for_selector("#entries > li")
    yield at(page, camera, "#table"), LAST_MS


def scan(page: Page) -> None:
    """The sample photo shows West's hand; one flower is asked about."""
    page.wait_for_selector("#rack .tile-button")
    upload(page)
    page.click('[data-doubt="1f"]')


def at(page: Page, camera: Stand, selector: str) -> Image.Image:
    """A picture with this part of the page at its top."""
    page.wait_for_timeout(600)
    page.evaluate("(selector) => document.querySelector(selector)?.scrollIntoView({ block: 'start' })", selector)
    page.evaluate("scrollBy(0, -60)")
    page.wait_for_timeout(300)
    return side_by_side(camera.picture(), page)


def take(filmed: FilmedTable) -> list[Picture]:
    """All pictures."""
    page = begin_hand(filmed)
    page.set_viewport_size(PAGE)  # type: ignore[arg-type]
    with stand(filmed) as camera:
        camera.start()
        while camera.at < FIRST:
            page.wait_for_timeout(100)
        return [*follow(page, camera), *settle(page, camera)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Take the picture."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.live_picture", description=__doc__)
    parser.add_argument("out", type=Path, help="the animated WebP to write")
    parser.add_argument("--quality", type=int, default=55)
    parser.add_argument("--frames", type=Path, metavar="DIR", help="write each picture there too, to be looked at")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    with (
        tempfile.TemporaryDirectory() as folder,
        playwright_driver() as driver,
        followed_table(driver, Path(folder)) as filmed,
    ):
        found = take(filmed)
    if options.frames is not None:
        options.frames.mkdir(parents=True, exist_ok=True)
        for number, (picture, _) in enumerate(found):
            picture.save(options.frames / f"{number:02d}.png")
    pictures = [picture for picture, _ in found]
    pictures[0].save(
        options.out,
        save_all=True,
        append_images=pictures[1:],
        duration=[shown for _, shown in found],
        loop=0,
        quality=options.quality,
        method=6,
    )
    sys.stdout.write(f"{len(found)} pictures, {options.out.stat().st_size} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
