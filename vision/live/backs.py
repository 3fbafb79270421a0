"""Learns what the backs of the set on this table look like.

A patterned back may be read as a face, a blank white dragon as a back. But on a whole table most tiles lie face down,
and a set has four of a kind: what is read as a back, or as a face more often than that, shows the colour of the backs.
Where it is another than that of the faces, a doubtful face of that colour lies face down, and a doubtful back with the
colour of faces is a blank white dragon. Sets with white backs are not told by colour.
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
_SAME_PRINT = 8.0
_APART = 28.0  # distance of the colours of backs and faces by which they can be told
_LEAST_FACES = 4
_LEAST_BACKS = 10
_INNER = 0.7
_LIGHTEST = 0.3  # share of a face that even the boldest print leaves free
_FOLLOWS = 0.2
_SURE = 0.9  # faces read more surely than this are faces, unless that face was read far too often
_SURE_BACK = 0.75
_SLENDER = 1.8  # longer side by shorter side beyond which a tile stands, and its upper side has two colours
_SHADE = 0.6  # what brightness counts beside colour: the light is not even


class BackLook:
    """The colours of the backs, once they were learnt."""

    def __init__(self) -> None:
        self._back: Floats | None = None
        self._face: Floats | None = None
        self._printed: Floats | None = None
        self._taken_for: set[int] = set()

    def mended(self, readings: Sequence[TileReading], image_bgr: NDArray[np.uint8]) -> list[TileReading]:
        """The readings with backs that were taken for faces turned down; the picture is the one they are of."""
        given = list(readings)
        if not given:
            return given
        colours = np.array([_colours(reading, image_bgr) for reading in given])
        body, printed, light = colours[:, 0], colours[:, 1], colours[:, 2]
        taken = self._learn(given, body, printed, light)
        down, blank = np.zeros(len(given), np.bool_), np.zeros(len(given), np.bool_)
        if self._back is not None and self._face is not None:
            back, face = np.linalg.norm(body - self._back, axis=1), np.linalg.norm(body - self._face, axis=1)
            down |= (back < _ALIKE) & (back < face) & [self._may_be_back(reading) for reading in given]
            down |= (back < _ALIKE / 2) & (face >= _APART)  # a pattern may be read as a face ever so surely
            blank |= (back > 2 * _ALIKE) & (face < _ALIKE)
        if self._printed is not None:
            down |= taken & (np.linalg.norm(printed - self._printed, axis=1) < _SAME_PRINT)
        return [
            _turned_down(reading)
            if is_down and not reading.face_down
            else _blank(reading)
            if is_blank and reading.face_down and reading.confidence < _SURE_BACK and not _is_slender(reading)
            else reading
            for reading, is_down, is_blank in zip(given, down.tolist(), blank.tolist(), strict=True)
        ]

    def _may_be_back(self, reading: TileReading) -> bool:
        return reading.tile is None or reading.confidence < _SURE or int(reading.tile) in self._taken_for

    def _learn(
        self, readings: Sequence[TileReading], body: Floats, printed: Floats, light: Floats
    ) -> NDArray[np.bool_]:
        """Learns from these readings; which of them show a face that is read too often."""
        often = Counter(reading.best for reading in readings if reading.best is not None)
        self._taken_for |= {int(tile) for tile, count in often.items() if count >= tile.copies + _TOO_MANY}
        taken = np.array([reading.best is not None and int(reading.best) in self._taken_for for reading in readings])
        if int(taken.sum()) >= _LEAST_BACKS:
            self._printed = np.median(printed[taken], axis=0)
        suspect = taken | [reading.face_down for reading in readings]
        back = self._followed(self._back, body[suspect], _LEAST_BACKS)
        sure = np.array([_shows_its_face(reading) for reading in readings])
        face = self._followed(self._face, light[sure & ~suspect], _LEAST_FACES)  # bold print may cover most of one
        self._face = face
        apart = back is not None and face is not None and float(np.linalg.norm(back - face)) >= _APART
        self._back = back if apart or face is None else None  # white backs are not told by their colour
        return np.asarray(taken)

    def _followed(self, known: Floats | None, seen: Floats, least: int) -> Floats | None:
        """A colour after more of it was seen: the light may change slowly."""
        if known is None:
            return np.asarray(np.median(seen, axis=0)) if len(seen) >= least else None
        near = seen[np.linalg.norm(seen - known, axis=1) < 2 * _ALIKE]
        if len(near) < 3:
            return known
        return np.asarray((1 - _FOLLOWS) * known + _FOLLOWS * np.median(near, axis=0))


def _shows_its_face(reading: TileReading) -> bool:
    """Surely a face: a framed white dragon may be a patterned back."""
    return reading.tile not in (None, Tile.WHITE) and reading.confidence >= _SURE


def _turned_down(reading: TileReading) -> TileReading:
    return replace(reading, tile=None, face_down=True, confidence=0.9, alternatives=())


def _blank(reading: TileReading) -> TileReading:
    """A blank white dragon, which a reader that does not know this set takes for a back."""
    return replace(reading, tile=Tile.WHITE, face_down=False, confidence=0.85, alternatives=())


def _is_slender(reading: TileReading) -> bool:
    (_, _), (a, b), _ = cv2.minAreaRect(np.array(reading.quad, np.float32))
    return max(a, b) > _SLENDER * min(a, b)


def _colours(reading: TileReading, image_bgr: NDArray[np.uint8]) -> Floats:
    """The colour (CIELAB) of most of the inner part of a tile, so of its body, the mean with what is printed on it, and
    the colour of its lightest part.

    [3, 3]; brightness counts less.
    """
    quad = np.array(reading.quad, np.float32)
    inner = np.rint(quad.mean(axis=0) + (quad - quad.mean(axis=0)) * _INNER).astype(np.int32)
    low = np.maximum(inner.min(axis=0), 0)
    high = np.minimum(inner.max(axis=0) + 1, [image_bgr.shape[1], image_bgr.shape[0]])
    if (high <= low).any():
        return np.zeros((3, 3))
    part = image_bgr[low[1] : high[1], low[0] : high[0]]
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, inner - low, 1)
    pixels = part[mask > 0]
    bright = pixels.sum(axis=1, dtype=np.int64)
    light = pixels[bright >= np.quantile(bright, 1 - _LIGHTEST)]
    colours = np.array([[np.median(pixels, axis=0), pixels.mean(axis=0), np.median(light, axis=0)]], np.float32) / 255.0
    return np.asarray(cv2.cvtColor(colours, cv2.COLOR_BGR2LAB)[0] * (_SHADE, 1.0, 1.0), np.float64)
