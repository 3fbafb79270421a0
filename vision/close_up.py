"""A picture that is one face cut out to its edges: nothing around it tells a detector that it is a tile.

So the whole picture is named as well, and taken for the tile unless a sure one was found inside it.
"""

from __future__ import annotations

import numpy as np

from engine.tiles import Tile
from vision.detections import TileDetections
from vision.naming import Named

_SURE_TILE = 0.895  # detector score of a tile inside a picture; dots and sticks of large faces (crops_web) stay below
_BLANK = 0.97  # a blank picture looks like a blank white dragon


def whole_picture(width: int, height: int) -> TileDetections:
    """A picture of that many pixels as a detection of one face."""
    corners = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float32)
    return TileDetections(corners, np.ones(1, np.float32), np.zeros(1, np.bool_))


def is_close_up(whole: Named, inside: Named, least: float) -> bool:
    """True where the picture is one face.

    Args:
        whole: the reading of the whole picture.
        inside: readings of what was found in it.
        least: how sure the whole must be.
    """
    if not whole.tiles or whole.tiles[0].tile is None:
        return False
    face = whole.tiles[0]
    if face.confidence < max(least, _BLANK if face.tile is Tile.WHITE else 0.0):
        return False
    named = zip(inside.tiles, inside.scores, strict=True)
    return not any(score >= _SURE_TILE and reading.tile is not None for reading, score in named)
