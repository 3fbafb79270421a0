"""A picture that is one face cut out to its edges: nothing around it tells a detector that it is a tile.

Where few tiles are found the whole picture is named as well, and is taken for the tile if that fits better.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.detections import TileDetections

FEW = 2
"""With more tiles than this in a picture, the picture is not itself one."""

_LARGE = 0.2  # share of the picture a rival must fill: a small tile in a large picture is no close-up


def with_whole(found: TileDetections, width: int, height: int) -> TileDetections:
    """The detections, and if they are few one more at the end: the picture of ``width`` x ``height`` pixels itself."""
    if len(found) > FEW:
        return found
    corners = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float32)
    return TileDetections.merge([found, TileDetections(corners, np.ones(1, np.float32), np.zeros(1, np.bool_))])


def whole_is_face(found: TileDetections, faces: NDArray[np.float32], least: float) -> bool:
    """True where the last of ``found`` (from `with_whole`) is one face.

    Args:
        found: N detections, the whole picture last.
        faces: [N] chance of the best tile of each.
        least: chance the whole picture must have.
    """
    sizes = np.prod(found.boxes[:, 2:] - found.boxes[:, :2], axis=1)
    rivals = faces[:-1][sizes[:-1] >= _LARGE * sizes[-1]]
    if len(found) > 1 and not len(rivals):
        return False
    return bool(faces[-1] >= least and (faces[-1] >= rivals).all())
