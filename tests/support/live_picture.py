"""The moving picture of the README: the phone on the stand and a phone at the table, from the gold to a caught 过水.

``python -m tests.support.live_picture .github/pictures/7-live.webp`` holds the bundled film before the camera's page,
picture after picture as our networks have looked at them, and puts both pages side by side.
"""

from __future__ import annotations

import argparse
import base64
import io
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import cv2
from PIL import Image

from tests.support.browser import PATIENCE_MS, playwright_driver
from tests.support.live_film import FILM, WARNED, FilmedTable, begin_hand, filmed_table, start_camera

HEIGHT = 470
EVERY, SHOWN_MS, LAST_MS = 5, 450, 5000
"""Both pages are taken with every fifth picture of the film; how long each is shown, and how long the last one."""
LOOKS = 2
"""So often each picture of the film is looked at."""
STILL = 25
"""So often the last one is shown again, until the open hand is believed."""
CAMERA = {"width": 800, "height": 640}
TABLE = {"width": 390, "height": 620}
CANVAS = """
const canvas = Object.assign(document.createElement("canvas"), { width: 1280, height: 720 });
const context = canvas.getContext("2d");
let shown = canvas;
setInterval(() => context.drawImage(shown, 0, 0), 50); // a stream has a frame only when something is drawn
window.hold = async (jpeg) => {
  const bytes = Uint8Array.from(atob(jpeg), (letter) => letter.charCodeAt(0));
  shown = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
  context.drawImage(shown, 0, 0);
};
navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(30);
"""


def side_by_side(camera: bytes, table: bytes) -> Image.Image:
    """Both pages at one height."""
    pages = [Image.open(io.BytesIO(one)).convert("RGB") for one in (camera, table)]
    pages = [one.resize((round(one.width * HEIGHT / one.height), HEIGHT), Image.Resampling.LANCZOS) for one in pages]
    joined = Image.new("RGB", (pages[0].width + 8 + pages[1].width, HEIGHT), "white")
    joined.paste(pages[0], (0, 0))
    joined.paste(pages[1], (pages[0].width + 8, 0))
    return joined


def take(filmed: FilmedTable) -> list[Image.Image]:
    """Pictures of both pages while the film is held before the camera."""
    found: list[Image.Image] = []
    table = begin_hand(filmed)
    filmed.at(0.0)
    table.set_viewport_size(TABLE)
    camera = filmed.open_page(f"/g/{filmed.evening.id}/camera", viewport=CAMERA, first=CANVAS)
    start_camera(camera)
    video = cv2.VideoCapture(str(FILM))
    fps = video.get(cv2.CAP_PROP_FPS)
    pictures = []
    while (read := video.read())[0]:
        pictures.append(base64.b64encode(cv2.imencode(".jpg", read[1])[1]).decode())
    for number, picture in enumerate([*pictures, *[pictures[-1]] * STILL]):
        seen = filmed.room.seen.number
        filmed.at(number / fps)
        camera.evaluate("picture => hold(picture)", picture)
        for _ in range(PATIENCE_MS // 20):
            if filmed.room.seen.number > seen + LOOKS:
                break
            camera.wait_for_timeout(20)
        warned = table.locator(WARNED).count() > 0
        if warned or number % EVERY == 0:
            found.append(side_by_side(camera.screenshot(), table.screenshot()))
        if warned:
            break
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Take the picture."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.live_picture", description=__doc__)
    parser.add_argument("out", type=Path, help="the animated WebP to write")
    parser.add_argument("--quality", type=int, default=55)
    options = parser.parse_args(arguments)
    with (
        tempfile.TemporaryDirectory() as folder,
        playwright_driver() as driver,
        filmed_table(driver, Path(folder), None) as filmed,
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
