"""Tiles in the picture that are no part of the hand: heaps of discards, and rows that lie for somebody else.

A hand lies in rows, so the tiles around each other point the same way; in a heap they do not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.reading import TileReading
from vision.rows import Arrangement

_TOUCH = 1.9  # tile widths between the centres of tiles of one heap
_HEAP = 5  # fewer tiles are no heap; a kong with tiles across, seen askew, looks messy
_MESSY_DEG = 9.0  # median turn from the others of its heap
_ROW = 5  # a row this long shows that the picture has a hand beside its heaps


def heaps(readings: Sequence[TileReading], arrangement: Arrangement) -> frozenset[int]:
    """Indices of the tiles in messy heaps; none where no tidy row is there that could be the hand."""
    groups = _groups(arrangement.centres)
    angles = np.array([_angle(reading) for reading in readings])
    messy = [group for group in groups if len(group) >= _HEAP and _mess(angles[group]) > _MESSY_DEG]
    tidy = {int(index) for group in groups if not any(group is other for other in messy) for index in group}
    if not any(len(tidy.intersection(row.tiles)) >= _ROW for row in arrangement.rows):
        return frozenset()
    return frozenset(int(index) for group in messy for index in group)


def _groups(centres: NDArray[np.float64]) -> list[NDArray[np.int64]]:
    """Indices of tiles that lie near each other, one array a group."""
    near = np.linalg.norm(centres[:, None] - centres[None], axis=2) < _TOUCH
    label = np.arange(len(centres))
    while True:  # each tile takes the smallest label near it until none changes
        spread = np.where(near, label[None], len(centres)).min(axis=1)
        if (spread == label).all():
            return [np.flatnonzero(label == value) for value in np.unique(label)]
        label = spread


def _angle(reading: TileReading) -> float:
    """Direction of a tile's sides in degrees, 0..90: a quarter turn makes no difference."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = reading.quad
    return float(np.rad2deg(np.arctan2(y1 - y0 + y2 - y3, x1 - x0 + x2 - x3)) % 90)


def _mess(angles: NDArray[np.float64]) -> float:
    """Median turn in degrees between each tile and the common direction of all."""
    common = np.rad2deg(np.angle(np.exp(4j * np.deg2rad(angles)).sum())) / 4
    return float(np.median(np.abs((angles - common + 45) % 90 - 45)))
