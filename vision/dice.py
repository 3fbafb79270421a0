"""Dice lie on mahjong tables, and look like one to six circles. They are smaller than tiles and lie alone."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from engine.tiles import Tile
from vision.reading import TileReading

PIPS = frozenset(Tile.parse(f"{count}p") for count in range(1, 7))

_SMALL = 0.42  # share of the area of the tiles around that a die has at most
_SQUARE = 1.75  # long by short side of a die at most, seen from wherever
_AROUND = 8  # tiles that show how large a tile is there
_LEAST = 6  # fewer tiles do not tell
_APART = 1.15  # sides of a tile within which no other tile lies; two dice may


def without_dice(readings: Sequence[TileReading]) -> list[int]:
    """Indices of the readings of one photo that are no dice.

    A die is read as circles that a die has, is not long, and far smaller than the tiles around it, none of which
    lies beside it.
    """
    areas = np.array([abs(cv2.contourArea(np.array(reading.quad, np.float32))) for reading in readings])
    centres = np.array([reading.centre for reading in readings]).reshape(-1, 2)
    return [
        index
        for index, reading in enumerate(readings)
        if not (reading.best in PIPS and _is_square(reading) and _is_small(index, areas, centres))
    ]


def _is_square(reading: TileReading) -> bool:
    quad = np.array(reading.quad)
    sides = np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1)
    first, second = sides[::2].mean(), sides[1::2].mean()
    return bool(max(first, second) < _SQUARE * min(first, second))


def _is_small(index: int, areas: np.ndarray, centres: np.ndarray) -> bool:
    apart = np.linalg.norm(centres - centres[index], axis=1)
    apart[index] = np.inf
    near = np.argsort(apart)[: min(_AROUND, len(areas) - 1)]
    if len(near) < _LEAST:
        return False
    usual = float(np.median(areas[near]))
    alone = all(apart[other] > _APART * usual**0.5 for other in near if areas[other] > _SMALL * usual)
    return bool(areas[index] < _SMALL * usual) and alone
