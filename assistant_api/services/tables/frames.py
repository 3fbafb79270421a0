"""Frames on their way to the worker of a table: only the newest waits, the others are dropped and counted."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from assistant_api.services.live.records import Noted
from vision.frames import BGR, Frame
from vision.live.view import SeenTile

_ROOM = 0.6
_TALL_PX = 240
_JPEG_QUALITY = 80


@dataclass(frozen=True, slots=True)
class Taken:
    """A frame as it came in: JPEG bytes, its number, and when (monotonic clock)."""

    jpeg: bytes
    number: int
    at_s: float


class FrameSlot:
    """Room for one frame."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: Taken | None = None
        self._closed = False
        self.received = 0
        self.dropped = 0

    def put(self, jpeg: bytes) -> Taken:
        """A frame comes in; the one that waited is dropped."""
        with self._changed:
            self.received += 1
            self.dropped += self._waiting is not None
            self._waiting = Taken(jpeg, self.received, time.monotonic())
            self._changed.notify()
            return self._waiting

    def take(self, timeout_s: float) -> Taken | None:
        """The newest frame, waited for; None when none came or the slot was closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting is not None or self._closed, timeout_s)
            found, self._waiting = self._waiting, None
            return None if self._closed else found

    def turn_away(self) -> None:
        """A frame came in that is not wanted: too soon, or from a camera whose place another one took."""
        with self._changed:
            self.received += 1
            self.dropped += 1

    @property
    def waits(self) -> bool:
        """A frame waits."""
        return self._waiting is not None

    def close(self) -> None:
        """Nobody waits any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


def crops(frame: Frame, notes: Mapping[int, Noted]) -> dict[int, bytes]:
    """The parts of a frame that show the tiles of events, as JPEG by the key of the event; no tiles, no picture."""
    found = {}
    for key, noted in notes.items():
        jpeg = _crop(frame.image, noted.tiles) if noted.tiles else None
        if jpeg is not None:
            found[key] = jpeg
    return found


def _crop(image: BGR, tiles: tuple[SeenTile, ...]) -> bytes | None:
    points = np.array([point for tile in tiles for point in tile.quad], dtype=np.float64)
    low, high = points.min(axis=0), points.max(axis=0)
    room = _ROOM * float(min(np.linalg.norm(np.subtract(tile.quad[1], tile.quad[0])) for tile in tiles)) + 4.0
    (x0, y0), (x1, y1) = np.floor(low - room).astype(int), np.ceil(high + room).astype(int)
    part = image[max(0, y0) : max(0, y1), max(0, x0) : max(0, x1)]
    if min(part.shape[:2]) < 4:
        return None
    scale = min(1.0, _TALL_PX / part.shape[0], 3 * _TALL_PX / part.shape[1])
    if scale < 1.0:
        part = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    _, jpeg = cv2.imencode(".jpg", part, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
    return bytes(jpeg)
