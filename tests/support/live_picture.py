"""The moving picture of the README: the phone on the stand and a phone at the table, from the gold to a caught 过水.

``python -m tests.support.live_picture .github/pictures/7-live.webp`` plays the bundled film before the camera,
and puts its page and the table's side by side.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from tests.support.browser import playwright_driver
from tests.support.live_film import WARNED, FilmedTable, begin_hand, filmed_table, start_camera

HEIGHT = 470
SPEED = 0.5
"""Slow motion, so that a busy machine can follow."""
EVERY_MS, MOST = 1200, 120
"""Both pages are taken so often, and so many times at most."""
SHOWN_MS, LAST_MS = 400, 5000
"""How long each is shown, and how long the last one."""
CAMERA = {"width": 800, "height": 640}
TABLE = {"width": 390, "height": 620}


def side_by_side(camera: bytes, table: bytes) -> Image.Image:
    """Both pages at one height."""
    pages = [Image.open(io.BytesIO(one)).convert("RGB") for one in (camera, table)]
    pages = [one.resize((round(one.width * HEIGHT / one.height), HEIGHT), Image.Resampling.LANCZOS) for one in pages]
    joined = Image.new("RGB", (pages[0].width + 8 + pages[1].width, HEIGHT), "white")
    joined.paste(pages[0], (0, 0))
    joined.paste(pages[1], (pages[0].width + 8, 0))
    return joined


def take(filmed: FilmedTable) -> list[Image.Image]:
    """Pictures of both pages while the film runs before the camera, up to the warning; RuntimeError without one."""
    found: list[Image.Image] = []
    table = begin_hand(filmed)
    table.set_viewport_size(TABLE)
    camera = filmed.open_page(f"/g/{filmed.evening.id}/camera", viewport=CAMERA)
    start_camera(camera)
    for _ in range(MOST):
        warned = table.locator(WARNED).count() > 0
        found.append(side_by_side(camera.screenshot(), table.screenshot()))
        if warned:
            return found
        camera.wait_for_timeout(EVERY_MS)
    raise RuntimeError("no warning was shown: this machine was too busy to follow the film")


def main(arguments: Sequence[str] | None = None) -> int:
    """Take the picture."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.live_picture", description=__doc__)
    parser.add_argument("out", type=Path, help="the animated WebP to write")
    parser.add_argument("--quality", type=int, default=55)
    options = parser.parse_args(arguments)
    with (
        tempfile.TemporaryDirectory() as folder,
        playwright_driver() as driver,
        filmed_table(driver, Path(folder), SPEED) as filmed,
    ):
        first, *rest = take(filmed)
    shown = [*[SHOWN_MS] * len(rest), LAST_MS]
    first.save(
        options.out, save_all=True, append_images=rest, duration=shown, loop=0, quality=options.quality, method=6
    )
    sys.stdout.write(f"{len(shown)} pictures, {options.out.stat().st_size} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
