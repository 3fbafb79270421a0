"""Tiles found in parts: boxes that together have the size of a tile, as the tiles around them show.

Detectors take the columns of a 4 or 6 of circles for two narrow tiles, or its rows for two flat ones, and a lone 9 for
three. Such parts are proposed as one tile, the classifier looks at it as well, and it replaces them if it shows a face.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detections import Quads, TileDetections

_THIRDS = 0.55  # share of the area of a tile that the largest of three parts has at most
_HALVES = 0.75, 0.88  # shares of the area of a tile that the smaller and the larger half have at most
_WHOLE = 0.7, 1.4  # both together have this much of it
_ASPECT = 1.0, 1.75  # long by short side of a face, seen from wherever
_LONGER = 1.15  # how much longer than most tiles of a photo one may be, where a squeezed photo makes all of them longer
_FILLED = 0.8  # share of the joint rectangle that the halves cover
_SHARED = 0.5  # share of the smaller half that the other may cover
_REACH = 7.0  # sides of a half within which tiles show the size to expect
_WITNESSES = 6


@dataclass(frozen=True, eq=False)
class Joint:
    """Detections as one tile: their rows, and the corners [4, 2] of the rectangle around them in pixels."""

    rows: tuple[int, ...]
    quad: Quads


def joints(found: TileDetections, tile_px: float | None = None) -> tuple[Joint, ...]:
    """Pairs of detections that may be halves of one tile; where its size is known, three that may be its thirds.

    Args:
        found: detections of one picture.
        tile_px: side of a tile (root of its area) where it is known; the tiles around show it otherwise.
    """
    if len(found) < 2 + (tile_px is None):  # nobody to show the size of a tile
        return ()
    areas = found.areas
    reach = np.sqrt(areas)
    apart = np.linalg.norm(found.centres[:, None] - found.centres[None], axis=2)
    nearest = np.argsort(apart, axis=1)[:, : _WITNESSES + 2]
    longest = max(_ASPECT[1], _LONGER * float(np.median(_aspects(found.quads)))) if tile_px is None else _ASPECT[1]
    proposed = []
    for i, j in np.argwhere(np.triu(apart < 1.1 * (reach[:, None] + reach[None]), 1)).tolist():
        near = [k for k in nearest[i].tolist() if k not in (i, j)][:_WITNESSES]
        witnesses = [float(areas[k]) for k in near if apart[i, k] < _REACH * max(reach[i], reach[j])]
        usual = tile_px**2 if tile_px is not None else median(witnesses) if witnesses else 0.0
        small, large = sorted((areas[i], areas[j]))
        if small > _HALVES[0] * usual or large > _HALVES[1] * usual:
            continue
        quad = _around(found.quads[i if areas[i] >= areas[j] else j], found.quads[[i, j]].reshape(-1, 2))
        if _is_whole(quad, found.quads[[i, j]], usual, longest):
            proposed.append(Joint((i, j), quad))
    if tile_px is not None:
        proposed += _thirds(found, areas <= _THIRDS * tile_px**2, apart < 1.1 * (reach[:, None] + reach[None]), tile_px)
    return tuple(proposed)


def _thirds(
    found: TileDetections, small: NDArray[np.bool_], near: NDArray[np.bool_], tile_px: float
) -> Iterator[Joint]:
    """Three ``small`` [N] detections side by side, ``near`` [N, N] each other, that fill a tile of that side."""
    for i in np.flatnonzero(small).tolist():
        for j, k in combinations(np.flatnonzero(small & near[i]).tolist(), 2):
            if not (i < j and near[j, k]):
                continue
            rows = (i, j, k)
            quad = _around(found.quads[i], found.quads[list(rows)].reshape(-1, 2))
            if _is_whole(quad, found.quads[list(rows)], tile_px**2):
                yield Joint(rows, quad)


def as_detections(found: TileDetections, proposed: Sequence[Joint]) -> TileDetections:
    """The proposals as detections, each as sure as the surer of its halves."""
    if not proposed:
        return TileDetections.empty()
    scores = np.array([found.scores[list(joint.rows)].max() for joint in proposed], np.float32)
    quads = np.stack([joint.quad for joint in proposed])
    return TileDetections(quads, scores, np.zeros(len(proposed), np.bool_))


def accepted(proposed: Sequence[Joint], chances: NDArray[np.float32], least: float, known: float) -> tuple[int, ...]:
    """Places of the proposals that are tiles: surest first, each detection in one of them.

    Two neighbours that lie closely look like a tile as well: so a joint face has to be known, or surer than the less
    sure of its halves.

    Args:
        proposed: K proposals for N detections.
        chances: [N + K] chance of the best face of each detection, then of each proposal.
        least: chance a proposal must have.
        known: chance from which a face is named.
    """
    own, joined = chances[: len(chances) - len(proposed)], chances[len(chances) - len(proposed) :]
    enough = [max(least, min(known, float(own[list(joint.rows)].min()))) for joint in proposed]
    places: list[int] = []
    taken: set[int] = set()
    for place in np.argsort(-joined, kind="stable").tolist():
        if joined[place] >= enough[place] and not taken & set(proposed[place].rows):
            places.append(place)
            taken |= set(proposed[place].rows)
    return tuple(places)


def _around(like: Quads, points: NDArray[np.float32]) -> Quads:
    """Rectangle [4, 2] around points [N, 2] with the directions of a quad."""
    right = (like[1] - like[0] + like[2] - like[3]).astype(np.float64)
    right /= max(float(np.linalg.norm(right)), 1e-6)
    axes = np.stack([right, [-right[1], right[0]]])
    local = points @ axes.T
    (left, top), (end, foot) = local.min(axis=0), local.max(axis=0)
    return np.asarray(np.array([[left, top], [end, top], [end, foot], [left, foot]]) @ axes, np.float32)


def _aspects(quads: Quads) -> NDArray[np.float32]:
    """Long by short side [N] of quads [N, 4, 2]."""
    one, other = (np.linalg.norm(quads[:, k + 1] - quads[:, k], axis=1) for k in (0, 1))
    return np.asarray(np.maximum(one, other) / np.maximum(np.minimum(one, other), 1e-6), np.float32)


def _is_whole(quad: Quads, parts: Quads, usual: float, longest: float = _ASPECT[1]) -> bool:
    """True where the rectangle has the size and shape of a face and the parts [K, 4, 2] fill it side by side."""
    wide, high = float(np.linalg.norm(quad[1] - quad[0])), float(np.linalg.norm(quad[2] - quad[1]))
    area, aspect = wide * high, max(wide, high) / max(min(wide, high), 1e-6)
    if not (_WHOLE[0] * usual <= area <= _WHOLE[1] * usual and _ASPECT[0] <= aspect <= longest):
        return False
    own = [float(cv2.contourArea(part)) for part in parts]
    shared = [float(cv2.intersectConvexConvex(one, other)[0]) for one, other in combinations(parts, 2)]
    return max(shared) <= _SHARED * min(own) and sum(own) - sum(shared) >= _FILLED * area
