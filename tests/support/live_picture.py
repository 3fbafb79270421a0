"""The moving picture of the README: the phone on the stand and a phone at the table, from the gold to a caught 过水.

``python -m tests.support.live_picture .github/pictures/7-live.webp`` plays the bundled film to a camera in Chromium,
lets our networks follow it, and puts both pages side by side.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from tests.support.browser import playwright_driver
from tests.support.live_film import WARNED, begin_hand, filmed_table, start_camera

HEIGHT = 470
STEP_S, SHOWN_MS, LAST_MS = 1.2, 480, 5000
"""A picture of both pages so often in the time of the film, how long each is shown, and how long the last one."""
CAMERA = {"width": 800, "height": 640}
TABLE = {"width": 390, "height": 620}


def side_by_side(camera: bytes, table: bytes) -> Image.Image:
    """Both pages at one height."""
    pictures = [Image.open(io.BytesIO(one)).convert("RGB") for one in (camera, table)]
    pictures = [
        one.resize((round(one.width * HEIGHT / one.height), HEIGHT), Image.Resampling.LANCZOS) for one in pictures
    ]
    joined = Image.new("RGB", (sum(one.width for one in pictures) + 8, HEIGHT), "white")
    joined.paste(pictures[0], (0, 0))
    joined.paste(pictures[1], (pictures[0].width + 8, 0))
    return joined


def take(speed: float) -> list[Image.Image]:
    """Pictures of both pages while the film is played."""
    found: list[Image.Image] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        playwright_driver() as driver,
        filmed_table(driver, Path(folder), speed) as filmed,
    ):
        table = begin_hand(filmed)
        table.set_viewport_size(TABLE)
        camera = filmed.open_page(f"/g/{filmed.evening.id}/camera", viewport=CAMERA)
        start_camera(camera)
        begun, left = time.monotonic(), 2
        while left and time.monotonic() - begun < 60 / speed:
            due = begun + len(found) * STEP_S / speed
            table.wait_for_timeout(max(0.0, 1000 * (due - time.monotonic())))
            found.append(side_by_side(camera.screenshot(), table.screenshot()))
            left -= table.locator(WARNED).count()
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Take the picture."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.live_picture", description=__doc__)
    parser.add_argument("out", type=Path, help="the animated WebP to write")
    parser.add_argument("--speed", type=float, default=0.5, help="of the film; slower where the machine is busy")
    parser.add_argument("--quality", type=int, default=55)
    options = parser.parse_args(arguments)
    first, *rest = take(options.speed)
    shown = [*[SHOWN_MS] * len(rest), LAST_MS]
    first.save(
        options.out, save_all=True, append_images=rest, duration=shown, loop=0, quality=options.quality, method=6
    )
    sys.stdout.write(f"{len(shown)} pictures, {options.out.stat().st_size} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
