"""Tiles in the picture that are no part of the hand: heaps of discards, and rows that lie for somebody else.

A hand lies in rows, so the tiles around each other point the same way; in a heap they do not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.reading import TileReading
from vision.rows import Arrangement, tells_up

_TOUCH = 1.9  # tile widths between the centres of tiles of one heap
_HEAP = 5  # fewer tiles are no heap; a kong with tiles across, seen askew, looks messy
_MESSY_DEG = 10.0  # three tenths of a heap are turned further than this from the others; rows stay below
_IN_ROW = 0.5  # share of a group in one row that shows it is no heap, though the row may run in a bow
_ROW = 5  # a row this long shows that the picture has a hand beside its heaps
_TURNED = 0.7  # share of faces turned away from a hand's owner in a row that lies for somebody else


def clutter(readings: Sequence[TileReading], arrangement: Arrangement) -> frozenset[int]:
    """Indices of tiles in messy heaps and in rows turned away from the hand; none where no row could be the hand."""
    angles = np.array([_angle(reading) for reading in readings])
    away = frozenset(index for index, reading in enumerate(readings) if _is_away(reading, arrangement.up_deg))
    out: set[int] = set()
    for group in _groups(arrangement.centres):
        if len(group) < _HEAP:
            continue
        tiles = {int(index) for index in group}
        longest = max(len(tiles.intersection(row.tiles)) for row in arrangement.rows)
        telling = [index for index in tiles if tells_up(readings[index])]
        turned = len(away & tiles) > _TURNED * len(telling) > 0
        if turned or (longest <= _IN_ROW * len(group) and _mess(angles[group]) > _MESSY_DEG):
            out |= tiles
    hand = max((len(set(row.tiles) - out) for row in arrangement.rows), default=0)
    return frozenset(out) if hand >= _ROW else frozenset()


def _is_away(reading: TileReading, up_deg: float) -> bool:
    """True for a face that tells which way is up and is turned more than an eighth from the hand's."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = reading.quad
    own = np.rad2deg(np.arctan2(x0 + x1 - x2 - x3, y2 + y3 - y0 - y1))
    return tells_up(reading) and bool(abs((own - up_deg + 180) % 360 - 180) > 45)


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
    """Turn in degrees from the common direction that three tenths of the tiles exceed."""
    common = np.rad2deg(np.angle(np.exp(4j * np.deg2rad(angles)).sum())) / 4
    return float(np.percentile(np.abs((angles - common + 45) % 90 - 45), 70))
