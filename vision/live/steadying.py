"""Keeps the plane of the table while the camera is nudged: what lies still shows how the picture moved.

Tiles look alike and lie in a grid, so the nearest tile may be the wrong one: the shift on which most pairs of like
tiles agree comes first, then those pairs are fitted with outliers left out.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.live.consensus import BACK
from vision.live.plane import Plane, mapped
from vision.live.tracking import Track
from vision.reading import TileReading

Floats = NDArray[np.float64]

REACH = 3.0
"""A nudge moves a tile by no more than this many of its widths."""
_BIN = 0.3  # widths of a tile; shifts this near to each other agree
_CLOSE = 0.35  # widths of a tile between a tile and where it was expected
_STILL = 0.06  # a median shift below this is none
_LEAST = 8  # so few like tiles do not tell how the picture moved
_AGREE = 0.5  # share of the tiles that have to lie where they are expected


def steadied(plane: Plane, tracks: Sequence[Track], readings: Sequence[TileReading]) -> Plane | None:
    """The plane after the camera moved a little; None where the readings do not fit what lay there.

    Args:
        plane: where the table was.
        tracks: tiles that lie still.
        readings: what is read now, of the whole picture.
    """
    if len(tracks) < _LEAST or len(readings) < _LEAST:
        return plane
    before = plane.pixels(np.array([track.place for track in tracks]))
    now = np.array([reading.centre for reading in readings], np.float64)
    width = plane.tile_px((0.0, 0.0))
    alike = _alike(tracks, readings)
    shift = _common_shift(before, now, alike, width)
    pairs = _pairs(before + shift, now, alike, width)
    most = min(len(tracks), len(readings))
    if len(pairs) < max(_LEAST, _AGREE * 0.6 * most):
        return None
    rows, columns = pairs.T
    off = np.linalg.norm(now[columns] - before[rows], axis=1)
    if float(np.median(off)) < _STILL * width and not shift.any():
        return plane
    moved = _fitted(before[rows], now[columns], width)
    if moved is None:
        return None
    return plane.after(moved)


def _alike(tracks: Sequence[Track], readings: Sequence[TileReading]) -> NDArray[np.bool_]:
    """Which tracks [N] and readings [M] may be the same tile by what they show."""
    ours = np.array([-1 if track.label is None else track.label for track in tracks])
    theirs = np.array(
        [BACK if reading.face_down else -1 if reading.best is None else reading.best for reading in readings]
    )
    return np.asarray(ours[:, None] == theirs[None], np.bool_)


def _common_shift(before: Floats, now: Floats, alike: NDArray[np.bool_], width: float) -> Floats:
    """The shift [2] in pixels on which most pairs agree; nothing unless it beats standing still clearly."""
    steps = now[None] - before[:, None]
    near = alike & (np.abs(steps).max(axis=2) < REACH * width)
    steps = steps[near]
    if not len(steps):
        return np.zeros(2)
    cell = _BIN * width
    at = np.rint(steps / cell).astype(np.int64)
    reach = int(np.ceil(REACH / _BIN)) + 1
    votes = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    np.add.at(votes, (at[:, 0] + reach, at[:, 1] + reach), 1.0)
    around = np.asarray(cv2.blur(votes, (3, 3), borderType=cv2.BORDER_CONSTANT))
    x, y = np.unravel_index(int(around.argmax()), around.shape)
    if around[x, y] < 1.25 * around[reach, reach]:
        return np.zeros(2)
    return np.array([x - reach, y - reach]) * cell


def _pairs(before: Floats, now: Floats, alike: NDArray[np.bool_], width: float) -> NDArray[np.int64]:
    """Pairs [K, 2] of rows that are each other's nearest and near enough."""
    apart = np.linalg.norm(before[:, None] - now[None], axis=2)
    apart = np.where(alike, apart, np.inf)
    nearest, back = apart.argmin(axis=1), apart.argmin(axis=0)
    rows = np.flatnonzero((back[nearest] == np.arange(len(before))) & (apart.min(axis=1) < 2 * _CLOSE * width))
    return np.stack([rows, nearest[rows]], axis=1)


def _fitted(before: Floats, now: Floats, width: float) -> Floats | None:
    """How the picture moved (3x3): a turn of the camera about itself is a homography, near a similarity."""
    similar, kept = cv2.estimateAffinePartial2D(
        before.astype(np.float32), now.astype(np.float32), method=cv2.RANSAC, ransacReprojThreshold=_CLOSE * width
    )
    if similar is None or kept.sum() < max(_LEAST, _AGREE * len(before)):
        return None
    coarse = np.vstack([similar, [0, 0, 1]]).astype(np.float64)
    if len(before) < 24:
        return coarse
    good = kept.ravel().astype(bool)
    fine, _ = cv2.findHomography(before[good], now[good], cv2.RANSAC, 0.2 * width)
    if fine is None:
        return coarse
    off = np.abs(mapped(fine, before) - mapped(coarse, before)).max()
    return np.asarray(fine, np.float64) if off < 0.5 * width else coarse
