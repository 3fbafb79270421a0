"""A camera for Chromium that shows a photo or a film, in the one format it takes for its fake device."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np

CAMERA_FLAGS = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
"""A fake camera, and every request for it allowed."""
SLOWEST_FPS = 2.5
"""With fewer frames a second it is no camera for Chromium."""


def write_clip(photo: Path, clip: Path, *, size: tuple[int, int] = (1280, 960), brightness: float = 1.0) -> Path:
    """Write two frames of a photo as YUV4MPEG2 and return the clip's path.

    Args:
        photo: any picture.
        clip: the file to write, named ``.y4m``.
        size: width and height in pixels, both even.
        brightness: factor on every pixel, 0.1 for a dark room.
    """
    image = cv2.imread(str(photo))
    assert image is not None, photo
    shown = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    frame = cv2.cvtColor(np.asarray(shown * brightness, dtype=np.uint8), cv2.COLOR_BGR2YUV_I420).tobytes()
    header = f"YUV4MPEG2 W{size[0]} H{size[1]} F10:1 Ip A1:1 C420jpeg\n".encode()
    clip.write_bytes(header + (b"FRAME\n" + frame) * 2)
    return clip


def write_film(film: Path, clip: Path, *, speed: float = 1.0, hold_s: float = 30.0) -> Path:
    """Write a film as YUV4MPEG2 and return the clip's path; the last picture stays, since Chromium begins again.

    Args:
        film: a video.
        clip: the file to write, named ``.y4m``.
        speed: 0.5 plays it in slow motion.
        hold_s: how long the last picture is shown.
    """
    video = cv2.VideoCapture(str(film))
    times = math.ceil(SLOWEST_FPS / (video.get(cv2.CAP_PROP_FPS) * speed))
    fps = video.get(cv2.CAP_PROP_FPS) * speed * times
    frame = b""
    with clip.open("wb") as out:
        size = [round(video.get(key)) for key in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)]
        out.write(f"YUV4MPEG2 W{size[0]} H{size[1]} F{round(1000 * fps)}:1000 Ip A1:1 C420jpeg\n".encode())
        while (found := video.read())[0]:
            frame = b"FRAME\n" + cv2.cvtColor(found[1], cv2.COLOR_BGR2YUV_I420).tobytes()
            out.write(frame * times)
        for _ in range(round(hold_s * fps)):
            out.write(frame)
    assert frame, film
    return clip
