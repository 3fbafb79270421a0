"""Dice lie on mahjong tables, and look like one to six circles. They are smaller than tiles and lie alone."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from engine.tiles import Tile
from vision.reading import TileReading

PIPS = frozenset(Tile.parse(f"{count}p") for count in range(1, 7))

_SMALL, _TINY = 0.48, 0.28  # shares of the area of the tiles around: of a die at most, and of what can be no tile
_SQUARE, _FLAT = 1.9, 2.2  # long by short side at most, seen from wherever: of a die, and of one that small
_AROUND = 8  # tiles that show how large a tile is there
_LEAST = 6  # fewer tiles do not tell
_APART = 1.15  # sides of a tile within which no other tile lies; two dice may


def without_dice(readings: Sequence[TileReading]) -> list[int]:
    """Indices of the readings of one photo that are no dice.

    A die is read as circles that a die has, is not long, and far smaller than the tiles around it, none of which
    lies beside it where it may be a tile of which a part is hidden.
    """
    areas = np.array([abs(cv2.contourArea(np.array(reading.quad, np.float32))) for reading in readings])
    centres = np.array([reading.centre for reading in readings]).reshape(-1, 2)
    faces = np.array([not reading.face_down for reading in readings], np.bool_)
    return [
        index
        for index, reading in enumerate(readings)
        if not (reading.best in PIPS and _is_die(index, _slenderness(reading), areas, centres, faces))
    ]


def _slenderness(reading: TileReading) -> float:
    """Longer side by shorter side."""
    quad = np.array(reading.quad)
    sides = np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1)
    first, second = sides[::2].mean(), sides[1::2].mean()
    return float(max(first, second) / max(min(first, second), 1e-6))


def _is_die(index: int, slender: float, areas: np.ndarray, centres: np.ndarray, faces: np.ndarray) -> bool:
    apart = np.linalg.norm(centres - centres[index], axis=1)
    apart[index] = np.inf
    near = np.argsort(apart)[: min(_AROUND, len(areas) - 1)]
    if len(near) < _LEAST:
        return False
    lying = np.flatnonzero(faces & np.isfinite(apart))  # a hand that stands with its back to us looks small
    shown = lying[np.argsort(apart[lying])][:_AROUND] if len(lying) >= _LEAST else near
    usual = float(np.median(areas[shown]))
    if areas[index] < _TINY * usual:
        return slender < _FLAT
    alone = all(apart[other] > _APART * usual**0.5 for other in near if areas[other] > _SMALL * usual)
    return bool(areas[index] < _SMALL * usual and slender < _SQUARE and alone)
