"""Oriented boxes: centre x, centre y, longer side, shorter side (px), angle (radians). Corners, overlap, doubles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Candidates:
    """Boxes [N, 5], scores [N] and classes [N] as a detector proposes them, best first."""

    boxes: Array
    scores: Array
    classes: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.scores)

    def __getitem__(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Candidates:
        return Candidates(self.boxes[rows], self.scores[rows], self.classes[rows])


def join(parts: Sequence[Candidates], weights: Sequence[float]) -> Candidates:
    """All candidates of several looks, ordered by score times the weight of the look, best first."""
    scores = np.concatenate([part.scores for part in parts])
    rank = np.concatenate([part.scores * weight for part, weight in zip(parts, weights, strict=True)])
    order = np.argsort(-rank, kind="stable")
    boxes = np.concatenate([part.boxes for part in parts])
    classes = np.concatenate([part.classes for part in parts])
    return Candidates(boxes[order], scores[order], classes[order])


def corners(boxes: Array) -> Array:
    """Corners [N, 4, 2] of oriented boxes [N, 5], clockwise as seen in the picture."""
    cos, sin = np.cos(boxes[:, 4]), np.sin(boxes[:, 4])
    u = np.stack([cos, sin], axis=1) * boxes[:, 2:3] / 2
    v = np.stack([-sin, cos], axis=1) * boxes[:, 3:4] / 2
    quads = boxes[:, None, :2] + np.stack([-u - v, u - v, u + v, v - u], axis=1)
    return quads.astype(np.float32)


def covariances(boxes: Array) -> Array:
    """The boxes as Gaussians: variances along x and y, covariance, [N, 3]; ProbIoU (Murrugarra-Llerena 2022)."""
    a, b = boxes[:, 2] ** 2 / 12, boxes[:, 3] ** 2 / 12
    cos, sin = np.cos(boxes[:, 4]), np.sin(boxes[:, 4])
    return np.stack([a * cos**2 + b * sin**2, a * sin**2 + b * cos**2, (a - b) * cos * sin], axis=1)


def probiou(box: Array, shape: Array, boxes: Array, shapes: Array) -> Array:
    """Overlap in 0..1 of one box [5] with many [N, 5]: 1 - Hellinger distance of their Gaussians (``covariances``)."""
    eps = 1e-7
    x, y = boxes[:, 0] - box[0], boxes[:, 1] - box[1]
    a, b, c = (shapes + shape).T
    det = a * b - c * c + eps
    near = (a * y**2 + b * x**2 - 2 * c * x * y) / det / 4
    own = np.maximum(shapes[:, 0] * shapes[:, 1] - shapes[:, 2] ** 2, 0)
    other = max(float(shape[0] * shape[1] - shape[2] ** 2), 0.0)
    spread = 0.5 * np.log(det / (4 * np.sqrt(own * other) + eps) + eps)
    distance = np.clip(near + spread, eps, 100.0)
    overlap: Array = 1 - np.sqrt(1 - np.exp(-distance) + eps)
    return overlap


def suppress(candidates: Candidates, overlap_max: float) -> NDArray[np.intp]:
    """Rows left when each box, best first, removes all that overlap it by more than ``overlap_max``, of any class."""
    shapes = covariances(candidates.boxes)
    left = np.arange(len(candidates))
    kept = []
    while len(left):
        top = left[0]
        kept.append(top)
        left = left[1:]
        overlap = probiou(candidates.boxes[top], shapes[top], candidates.boxes[left], shapes[left])
        left = left[overlap <= overlap_max]
    return np.array(kept, np.intp)


def drop_covered(candidates: Candidates, cover_max: float) -> NDArray[np.intp]:
    """Rows left when a box goes that shares more than ``cover_max`` of the smaller area with a better one.

    Removes what overlap alone leaves: half tiles, and boxes around two tiles.
    """
    quads, boxes = corners(candidates.boxes), candidates.boxes
    areas = boxes[:, 2] * boxes[:, 3]
    reach = np.hypot(boxes[:, 2], boxes[:, 3]) / 2
    apart = np.linalg.norm(boxes[:, None, :2] - boxes[None, :, :2], axis=2)
    near = apart < reach[:, None] + reach[None]
    kept = np.zeros(len(candidates), np.bool_)
    for row in range(len(candidates)):
        better = np.flatnonzero(near[row] & kept).tolist()
        kept[row] = not any(
            cv2.intersectConvexConvex(quads[row], quads[i])[0] > cover_max * min(areas[row], areas[i]) for i in better
        )
    return np.flatnonzero(kept)
