"""Which detections are tiles: what the detector's score alone cannot say, neighbours and the name together can.

Books, cushions and the sides of tiles look like tiles now and then, but seldom lie beside a sure tile of the same size
and seldom bear a face. So the weaker a detection is, the more it needs of both. The numbers were chosen on rendered
scenes and validation photos: shares of real tiles by score, company and name.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.detections import TileDetections

BESIDE, ALIKE, ALONE, ROW = 0, 1, 2, 3
"""Company of a detection: a sure tile of its size beside it, or somewhere in the picture, none, or a row of backs."""

_SURE = 0.8  # score of a sure tile; less where no tile of the picture reaches it
_SURE_OF_BEST = 0.9
_BESIDE = 2.0  # sides of a tile between the centres of neighbours; longer sides of backs that stand and look low
_LOW = 1.25  # longer side by side beyond which they do
_ALIKE = 0.7  # least ratio of the sides of tiles of one size
_ROW_OF_BACKS = 2  # so many other backs of its size beside it are company for a back: rows of them vouch for each other
_SURE_BACK = 0.6
_WEAK_BY_SURE = 4  # more weak backs than this for each sure one are squares of a cloth
_EDGE = 0.05  # sides of a tile from the edge of the picture within which a tile is probably cut off


@dataclass(frozen=True, slots=True)
class Presence:
    """Least detector scores for a tile, by company: where its face is named, its back seen, or neither.

    Attributes:
        named, sure_back, back, unknown: scores for `BESIDE`, `ALIKE`, `ALONE` and `ROW`; a back is sure where both
            networks see it.
        doubtful: score an unknown detection needs that touches the edge of the picture or shows no face.
        faint: least score of a face beside a tile of its size, or as large as tiles are known to be, whose name is at
            least as sure as ``surest``.
    """

    named: tuple[float, float, float, float] = (0.4, 0.6, 0.65, 0.4)
    sure_back: tuple[float, float, float, float] = (0.4, 0.6, 0.75, 0.15)
    back: tuple[float, float, float, float] = (0.4, 0.75, 0.85, 0.15)
    unknown: tuple[float, float, float, float] = (0.6, 0.75, 0.85, 0.6)
    doubtful: float = 0.85
    faint: float = 0.25
    surest: float = 0.998


def company(found: TileDetections, edges: NDArray[np.bool_] | None = None, *, whole: bool = True) -> NDArray[np.int64]:
    """`BESIDE`, `ALIKE`, `ALONE` or `ROW` for each of N detections; `ROW` only where the picture has sure backs too.

    ``edges`` [N] are those at the edge of the picture: it cuts boards and stripes into rows of backs, so that they need
    one beside them that is not at it. ``whole`` is False for a part of a live frame: too few tiles are in it for backs
    that stand, and look low, to vouch for those further along their row.
    """
    if not len(found):
        return np.zeros(0, np.int64)
    sides = np.sqrt(found.areas)
    sure = found.scores >= min(_SURE, _SURE_OF_BEST * float(found.scores.max()))
    ratio = np.minimum(sides[:, None], sides[None]) / np.maximum(sides[:, None], sides[None]).clip(1e-6)
    alike = (ratio > _ALIKE) & sure[None]
    np.fill_diagonal(alike, False)
    apart = np.linalg.norm(found.centres[:, None] - found.centres[None], axis=2)
    near = (ratio > _ALIKE) & (apart < _BESIDE * sides[:, None])
    np.fill_diagonal(near, False)
    reach = _pitches(found, sides) if whole else sides
    backs = (ratio > _ALIKE) & (apart < _BESIDE * reach[:, None]) & found.face_down[None]
    np.fill_diagonal(backs, False)
    in_row = found.face_down & (backs.sum(axis=1) >= _ROW_OF_BACKS)
    if edges is not None:
        in_row &= ~edges | (backs & ~edges[None]).any(axis=1)
    weak = found.face_down & (found.scores < _SURE_BACK)
    in_row &= weak.sum() <= _WEAK_BY_SURE * (found.face_down & ~weak).sum()
    beside = (near & sure[None]).any(axis=1)
    return np.where(in_row, ROW, np.where(beside, BESIDE, np.where(alike.any(axis=1), ALIKE, ALONE)))


def _pitches(found: TileDetections, sides: NDArray[np.floating]) -> NDArray[np.floating]:
    """How far neighbours of each detection in its row are: its longer side where it is seen very much from one end."""
    quads = found.quads
    along = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
    longer = np.maximum(along, np.linalg.norm(quads[:, 2] - quads[:, 1], axis=1))
    return np.asarray(np.where(longer > _LOW * sides, longer, sides))


def of_size(found: TileDetections, tile_px: float | None) -> NDArray[np.bool_]:
    """Which of N detections are as large as a tile, whose side is ``tile_px``; none where that is not known."""
    if tile_px is None:
        return np.zeros(len(found), np.bool_)
    sides = np.sqrt(found.areas)
    return np.asarray((sides > _ALIKE * tile_px) & (sides * _ALIKE < tile_px), np.bool_)


def at_edge(found: TileDetections, width: int, height: int) -> NDArray[np.bool_]:
    """Which of N detections touch the edge of a picture of that many pixels."""
    boxes = found.boxes
    margin = np.minimum(boxes[:, :2], np.array([width, height]) - boxes[:, 2:]).min(axis=1, initial=np.inf)
    return np.asarray(margin < _EDGE * np.sqrt(found.areas), np.bool_)
