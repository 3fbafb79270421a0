"""Learns what the backs of the set on this table look like.

A patterned back may be read as a face. But a set has four of a kind: a face that is read more often than that, together
with what is read as a back anyway, shows the colour of the backs. From then on whatever has that colour, and not that
of the other faces, lies face down, and what was taken for a back but has the colour of faces is a blank white dragon.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.tiles import Tile
from vision.reading import TileReading

Floats = NDArray[np.float64]

_TOO_MANY = 4  # more than the copies of a kind by so many: these are no faces
_ALIKE = 14.0  # distance in CIELAB within which two tiles have the same colour
_APART = 20.0  # distance of the colours of backs and faces by which they can be told
_LEAST_FACES = 4
_LEAST_BACKS = 10
_INNER = 0.7
_FOLLOWS = 0.2


class BackLook:
    """The colour of the backs, once it was learnt."""

    def __init__(self) -> None:
        self._back: Floats | None = None
        self._face: Floats | None = None
        self._taken_for: set[int] = set()

    @property
    def known(self) -> bool:
        """True once the colour of the backs is known and is another than that of the faces."""
        return self._back is not None

    def mended(self, readings: Sequence[TileReading], image_bgr: NDArray[np.uint8]) -> list[TileReading]:
        """The readings with backs that were taken for faces turned down; the picture is the one they are of."""
        given = list(readings)
        if not given:
            return given
        colours = np.array([_colour(reading, image_bgr) for reading in given])
        self._learn(given, colours)
        if self._back is None:
            return given
        back = np.linalg.norm(colours - self._back, axis=1)
        face = np.full(len(given), np.inf) if self._face is None else np.linalg.norm(colours - self._face, axis=1)
        down = (back < _ALIKE) & (back < face)
        blank = (back > 2 * _ALIKE) & (face < 1.5 * _ALIKE)
        return [
            _turned_down(reading)
            if is_down and not reading.face_down
            else _blank(reading)
            if is_blank and reading.face_down
            else reading
            for reading, is_down, is_blank in zip(given, down.tolist(), blank.tolist(), strict=True)
        ]

    def _learn(self, readings: Sequence[TileReading], colours: Floats) -> None:
        often = Counter(reading.best for reading in readings if reading.best is not None)
        many = {int(tile) for tile, count in often.items() if count >= tile.copies + _TOO_MANY}
        self._taken_for |= many
        suspect = np.array(
            [
                reading.face_down or (reading.best is not None and reading.best in self._taken_for)
                for reading in readings
            ]
        )
        if not self._taken_for:
            return
        if self._back is None:
            if int(suspect.sum()) < _LEAST_BACKS:
                return
            back = np.median(colours[suspect], axis=0)
        else:  # the light may change slowly: follow it
            near = suspect & (np.linalg.norm(colours - self._back, axis=1) < 2 * _ALIKE)
            if int(near.sum()) < 3:
                return
            back = (1 - _FOLLOWS) * self._back + _FOLLOWS * np.median(colours[near], axis=0)
        others = ~suspect
        if int(others.sum()) >= _LEAST_FACES:
            face = np.median(colours[others], axis=0)
            self._face = face if self._face is None else (1 - _FOLLOWS) * self._face + _FOLLOWS * face
        if self._face is not None and float(np.linalg.norm(back - self._face)) < _APART:
            return  # white backs: colour does not tell them
        self._back = back


def _turned_down(reading: TileReading) -> TileReading:
    return replace(reading, tile=None, face_down=True, confidence=0.9, alternatives=())


def _blank(reading: TileReading) -> TileReading:
    """A blank white dragon, which a reader that does not know this set takes for a back."""
    return replace(reading, tile=Tile.WHITE, face_down=False, confidence=0.85, alternatives=())


def _colour(reading: TileReading, image_bgr: NDArray[np.uint8]) -> Floats:
    """Mean colour (CIELAB) of the inner part of a tile."""
    quad = np.array(reading.quad, np.float32)
    inner = np.rint(quad.mean(axis=0) + (quad - quad.mean(axis=0)) * _INNER).astype(np.int32)
    low = np.maximum(inner.min(axis=0), 0)
    high = np.minimum(inner.max(axis=0) + 1, [image_bgr.shape[1], image_bgr.shape[0]])
    if (high <= low).any():
        return np.zeros(3)
    part = image_bgr[low[1] : high[1], low[0] : high[0]]
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, inner - low, 255)
    mean = np.array(cv2.mean(part, mask)[:3]).reshape(1, 1, 3) / 255.0
    lab = cv2.cvtColor(mean.astype(np.float32), cv2.COLOR_BGR2LAB)
    return np.asarray(lab.ravel(), np.float64)
