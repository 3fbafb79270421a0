"""Tiles that the detector found in parts."""

from __future__ import annotations

import numpy as np

from vision.detections import TileDetections
from vision.mending import as_detections, joints


def columns(*spans: tuple[float, float]) -> TileDetections:
    """Boxes 36 px high between two x."""
    quads = np.array([[(a, 0), (b, 0), (b, 36), (a, 36)] for a, b in spans], np.float32)
    return TileDetections(quads, np.full(len(spans), 0.7, np.float32), np.zeros(len(spans), np.bool_))


def test_the_columns_of_a_lone_nine_are_one_tile_where_its_size_is_known() -> None:
    found = columns((0, 16), (15, 31), (31, 47))
    (joint,) = joints(found, 41.0)
    assert joint.rows == (0, 1, 2)
    (whole,) = as_detections(found, [joint]).quads
    assert (whole.min(axis=0).tolist(), whole.max(axis=0).tolist()) == ([0, 0], [47, 36])
    assert not joints(found)  # nothing shows how large a tile is


def test_three_tiles_side_by_side_are_three() -> None:
    assert not joints(columns((0, 28), (28, 56), (56, 84)), 32.0)


def stacked(width: float, *spans: tuple[float, float]) -> TileDetections:
    """Boxes of one width between two y, and six whole tiles beside them, twice as high as wide."""
    boxes = [(0.0, a, width, b) for a, b in spans]
    boxes += [((k + 1) * 1.4 * width, 0.0, (k + 1) * 1.4 * width + width, 2 * width) for k in range(6)]
    quads = np.array([[(x, y), (u, y), (u, v), (x, v)] for x, y, u, v in boxes], np.float32)
    return TileDetections(quads, np.full(len(boxes), 0.7, np.float32), np.zeros(len(boxes), np.bool_))


def test_halves_in_a_squeezed_photo_make_a_tile_as_slender_as_the_others() -> None:
    (joint,) = joints(stacked(36, (0, 35), (36, 71)))
    assert joint.rows == (0, 1)
    assert not joints(stacked(36, (0, 45), (46, 92))), "far more slender than the others"
