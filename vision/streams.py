"""Frames with their times: from a video file, a folder of frames, a camera, or a network camera (RTSP).

Times are seconds from the first frame. Of a file they are its own; of a folder they come from the names of its files:
``000012.jpg`` is frame 12 of so many a second, ``12.480s.jpg`` was taken at 12.48 s; a camera's are those of the clock.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from vision.errors import SourceError
from vision.frames import DEFAULT_LIMITS, Frame, Limits, frame_from_array, read_frame
from vision.sources import PHOTO_SUFFIXES, list_photos

VIDEO_SUFFIXES = frozenset({".mp4", ".mov", ".mkv", ".avi", ".webm", ".m4v"})
FPS = 5.0
"""Frames a second of a folder that says nothing else."""
_TIMED = re.compile(r"^(\d+(?:\.\d+)?)s$")
_NUMBERED = re.compile(r"(\d+)$")


@dataclass(frozen=True, slots=True, eq=False)
class StreamFrame:
    """One frame of a stream: its number from 0, and the picture with its time in seconds."""

    number: int
    picture: Frame


def open_stream(
    source: str, *, fps: float | None = None, every: int = 1, limits: Limits = DEFAULT_LIMITS
) -> Iterator[StreamFrame]:
    """The frames of a source, as they are asked for; of a camera always the newest.

    Args:
        source: a video file, a folder of frames or of a clip (``frames`` or ``clip.mp4`` in it), the number of a
            camera, or the address of a network camera (``rtsp://``, ``http://``).
        fps: frames a second of a folder, where neither its names nor its ``clip.json`` say it.
        every: takes only every so manieth frame of a file or folder.
        limits: what a picture may weigh.

    Raises:
        SourceError: there is no such source, or it cannot be opened; at once, before the first frame is asked for.
    """
    if re.fullmatch(r"\d{1,3}", source):
        return _live(int(source), f"camera {source}", limits)
    if re.match(r"(rtsp|rtsps|http|https|udp|tcp)://", source):
        return _live(source, "the network camera", limits)
    path = Path(source)
    if path.is_dir():
        inside = next((path / name for name in ("frames", "clip.mp4") if (path / name).exists()), path)
        rate = fps if fps is not None else _rate_of(path)
        return _folder(inside, rate, every, limits) if inside.is_dir() else _file(inside, every, limits)
    if not path.exists():
        raise SourceError(
            f"{source!r} does not exist; expected a video, a folder of frames, a camera number or an rtsp:// address"
        )
    if path.suffix.lower() in PHOTO_SUFFIXES:
        raise SourceError(f"{path.name!r} is one photo; expected a video, or a folder of frames")
    return _file(path, every, limits)


def _rate_of(folder: Path) -> float:
    """Frames a second by the folder's ``clip.json``, else `FPS`."""
    try:
        rate = float(json.loads((folder / "clip.json").read_text(encoding="utf-8"))["fps"])
    except (OSError, ValueError, KeyError, TypeError):
        return FPS
    return rate if rate > 0 else FPS


def _folder(folder: Path, fps: float, every: int, limits: Limits) -> Iterator[StreamFrame]:
    photos = list_photos([folder])
    times = [_time_of(path, place, fps) for place, path in enumerate(photos)]
    order = sorted(range(len(photos)), key=lambda place: (times[place][1], photos[place].name))
    first = times[order[0]][1] if _TIMED.match(photos[order[0]].stem) else 0.0

    def frames() -> Iterator[StreamFrame]:
        for place in order[::every]:
            number, at = times[place]
            yield StreamFrame(number, read_frame(photos[place], limits=limits, time_s=at - first))

    return frames()


def _time_of(path: Path, place: int, fps: float) -> tuple[int, float]:
    timed = _TIMED.match(path.stem)
    if timed:
        return place, float(timed[1])
    numbered = _NUMBERED.search(path.stem)
    number = int(numbered[1]) if numbered else place
    return number, number / fps


def _opened(source: int | str, name: str) -> cv2.VideoCapture:
    level = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        capture = cv2.VideoCapture(source)
    finally:
        cv2.utils.logging.setLogLevel(level)
    if not capture.isOpened():
        capture.release()
        raise SourceError(f"{name} cannot be opened; expected a video, a camera that is not in use, or its address")
    return capture


def _file(path: Path, every: int, limits: Limits) -> Iterator[StreamFrame]:
    capture = _opened(str(path), repr(path.name))
    rate = capture.get(cv2.CAP_PROP_FPS)
    fps = rate if 0.5 < rate < 240 else 25.0

    def frames() -> Iterator[StreamFrame]:
        number, last = -1, -1.0
        try:
            while True:
                fine, pixels = capture.read()
                if not fine:
                    break
                number += 1
                if number % every:
                    continue
                at = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
                if at <= last:
                    at = max(number / fps, last + 1e-3)
                last = at
                yield StreamFrame(number, _frame(pixels, at, path.name, limits))
        finally:
            capture.release()
        if number < 0:
            raise SourceError(f"{path.name!r} holds no frame that can be read; expected a video")

    return frames()


def _live(source: int | str, name: str, limits: Limits) -> Iterator[StreamFrame]:
    """The newest frame each time; what came while nobody asked is let go by."""
    capture = _opened(source, name)
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def frames() -> Iterator[StreamFrame]:
        start, number, asked = time.monotonic(), 0, time.monotonic()
        try:
            while True:
                behind = time.monotonic() - asked
                for _ in range(min(30, int(behind * 30))):
                    if not capture.grab():
                        break
                    number += 1
                fine, pixels = capture.read()
                if not fine:
                    return
                number += 1
                asked = time.monotonic()
                yield StreamFrame(number - 1, _frame(pixels, asked - start, name, limits))
        finally:
            capture.release()

    return frames()


def _frame(pixels: np.ndarray, at: float, name: str, limits: Limits) -> Frame:
    return replace(frame_from_array(pixels, limits=limits, source=name), time_s=at)
