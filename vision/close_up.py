"""A picture that is one face cut out to its edges: nothing around it tells a detector that it is a tile.

So the whole picture is named as well, and taken for the tile where that fits better than what was found inside it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.tiles import Tile
from vision.detections import TileDetections
from vision.reading import TileReading

_FEW = 4  # with more named tiles than this in a picture, the picture is not itself one
_VERY_SURE = 0.99  # so sure is no picture of several tiles that it is one; measured on rows, walls and tables
_PIECES = frozenset(
    {Tile.P1, Tile.WHITE}
)  # what a dot and a blank part of a face look like; a stroke looks like a back
_NARROWEST = 0.55  # width of a face by its height, seen obliquely


def whole_picture(width: int, height: int) -> TileDetections:
    """A picture of that many pixels as a detection of one face."""
    corners = np.array([[[0, 0], [width, 0], [width, height], [0, height]]], np.float32)
    return TileDetections(corners, np.ones(1, np.float32), np.zeros(1, np.bool_))


def is_close_up(whole: TileReading | None, inside: Sequence[TileReading], least: float) -> bool:
    """True where the picture is one face.

    Args:
        whole: the reading of the whole picture; None where it shows no face.
        inside: readings of what was found in it.
        least: how sure the whole must be.

    It has to be surer than all that was named inside, and of another kind: a tile of the same kind inside is that tile.
    A face seen very large may be found in pieces, its dots and strokes; they are no tiles, however many and sure.
    """
    if whole is None or whole.tile is None or whole.confidence < least:
        return False
    if whole.confidence >= _VERY_SURE and _has_shape_of_face(whole):
        inside = [reading for reading in inside if not _may_be_piece(reading)]
    named = [reading for reading in inside if reading.tile is not None or reading.face_down]
    return len(named) <= _FEW and all(
        reading.tile != whole.tile and reading.confidence <= whole.confidence for reading in named
    )


def _may_be_piece(reading: TileReading) -> bool:
    return reading.face_down or reading.tile in _PIECES


def _has_shape_of_face(whole: TileReading) -> bool:
    left, top, right, bottom = whole.box
    narrow, wide = sorted((right - left, bottom - top))
    return narrow >= _NARROWEST * wide
