"""Cuts rectified face crops out of a photo, as the classifier was trained on them.

A crop is the quadrilateral of a tile face, enlarged by 12 % of its size on each side about its centre and warped to a
square, so portrait and landscape tiles fill it alike. Where the quad starts is arbitrary: the classifier finds out how
the tile is turned.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.halves import Halves

CROP_SIZE = 64
"""Side of a classifier crop, pixels."""
CROP_MARGIN = 0.12
"""Share of the face added on each side."""

_MAX_CROPS_A_REMAP = 256  # OpenCV's remap takes at most 32,767 rows
_MAX_SHRINK = 6  # levels of the pyramid: a face of 64 * 2**6 pixels is larger than any photo allowed


def box_quads(boxes_xyxy: npt.ArrayLike) -> npt.NDArray[np.float32]:
    """Corners [N, 4, 2], clockwise from the top left, of axis-aligned boxes [N, 4] (x1, y1, x2, y2)."""
    boxes = np.asarray(boxes_xyxy, dtype=np.float32).reshape(-1, 4)
    return boxes[:, [0, 1, 2, 1, 2, 3, 0, 3]].reshape(-1, 4, 2)


def enlarge(quads: npt.ArrayLike, margin: float = CROP_MARGIN) -> npt.NDArray[np.float64]:
    """Quads [N, 4, 2] grown about their centres by ``margin`` of their size on each side."""
    corners = np.asarray(quads, dtype=np.float64).reshape(-1, 4, 2)
    centre = corners.mean(axis=1, keepdims=True)
    return np.asarray(centre + (corners - centre) * (1.0 + 2.0 * margin))


def rectify(
    picture: npt.NDArray[np.uint8] | Halves,
    quads: npt.ArrayLike,
    size: int = CROP_SIZE,
    margin: float = CROP_MARGIN,
) -> npt.NDArray[np.uint8]:
    """Square crops [N, size, size, 3] (BGR, uint8) of the tile faces with corners ``quads`` [N, 4, 2].

    Corners are pixels of the picture (BGR) as edges, not centres: the first pixel spans 0 to 1. They run clockwise as
    seen, from any corner; corner 0 comes to the top left of its crop. Beyond the photo its edge pixels are repeated.
    Faces larger than the crop are read from a half of the picture, or from one of that, so that thin strokes of a
    12-megapixel photo do not alias.
    Raises ValueError where the image is not [H, W, 3] uint8.
    """
    halves = Halves.of(picture)
    image_bgr = halves.image
    if image_bgr.ndim != 3 or image_bgr.shape[2] != 3 or image_bgr.dtype != np.uint8:
        raise ValueError(f"the image has shape {image_bgr.shape} of {image_bgr.dtype}; expected [H, W, 3] of uint8")
    corners = enlarge(quads, margin)
    crops = np.empty((len(corners), size, size, 3), dtype=np.uint8)
    if not len(corners):
        return crops
    levels = _levels(corners, size)
    for level in np.unique(levels).tolist():
        source = halves.level(level)
        chosen = np.flatnonzero(levels == level)
        scale = np.array([source.shape[1] / image_bgr.shape[1], source.shape[0] / image_bgr.shape[0]])
        for start in range(0, len(chosen), _MAX_CROPS_A_REMAP):
            part = chosen[start : start + _MAX_CROPS_A_REMAP]
            x, y = _sample_points(corners[part] * scale, size).reshape(2, -1, size)
            flat = cv2.remap(source, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            crops[part] = np.asarray(flat, dtype=np.uint8).reshape(-1, size, size, 3)
    return crops


def _levels(corners: npt.NDArray[np.float64], size: int) -> npt.NDArray[np.int64]:
    """How often to halve the photo for each quad, so that a crop pixel covers 0.7 to 1.4 source pixels."""
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
    # the longer of the two directions aliases first; half-way between both keeps the other one sharp
    along, across = sides[:, ::2].mean(axis=1), sides[:, 1::2].mean(axis=1)
    shrink = np.sqrt(np.maximum(along * across, 1.0)) / size
    levels: npt.NDArray[np.int64] = np.clip(np.rint(np.log2(np.maximum(shrink, 1.0))), 0, _MAX_SHRINK).astype(np.int64)
    return levels


def _sample_points(corners: npt.NDArray[np.float64], size: int) -> npt.NDArray[np.float32]:
    """Source positions [2, N, size, size], x and y, of every crop pixel, by the homography of each quad."""
    step = (np.arange(size) + 0.5) / size
    u, v = step[None, None, :], step[None, :, None]
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = np.moveaxis(corners, 0, -1)
    # closed form of the unit square to quad homography (Heckbert 1989, "Fundamentals of texture mapping", 2.2.3)
    dx1, dx2, sx = x1 - x2, x3 - x2, x0 - x1 + x2 - x3
    dy1, dy2, sy = y1 - y2, y3 - y2, y0 - y1 + y2 - y3
    divisor = dx1 * dy2 - dx2 * dy1
    divisor = np.where(np.abs(divisor) < 1e-9, np.inf, divisor)  # corners in a line: an affine, empty crop
    g, h = (sx * dy2 - dx2 * sy) / divisor, (dx1 * sy - sx * dy1) / divisor

    def at(
        a: npt.NDArray[np.float64], b: npt.NDArray[np.float64], c: npt.NDArray[np.float64]
    ) -> npt.NDArray[np.float64]:
        return np.asarray((a[:, None, None] * u + c[:, None, None]) + b[:, None, None] * v)

    depth = at(g, h, np.ones_like(g))
    depth[np.abs(depth) < 1e-6] = 1e-6
    points = np.empty((2, *depth.shape), np.float32)
    x, y = at(x1 - x0 + g * x1, x3 - x0 + h * x3, x0), at(y1 - y0 + g * y1, y3 - y0 + h * y3, y0)
    for place, values in enumerate((x, y)):
        values /= depth
        values -= 0.5
        # remap wraps positions beyond its 16-bit range, so keep them inside it
        np.clip(values, -30000, 30000, out=points[place], casting="unsafe")
    return points
