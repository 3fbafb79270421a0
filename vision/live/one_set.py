"""One set lies on the table, four of a kind and one of each flower: what is known elsewhere a tile can not be.

Only doubtful tiles are settled so, and the least sure of a kind of which more are seen than there are. What votes made
known stays as it is otherwise, and a tile that is known by elimination alone is never surer than `_SUREST`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.tiles import Tile
from vision.live.consensus import RULE, TILES, Consensus

Floats = NDArray[np.float64]

_COPIES = np.array([tile.copies for tile in Tile], np.float64)
_SUREST = 0.95
_SURE = 0.9  # a label surer than this takes a copy whatever else there is
_FAINTEST = 0.02  # what is left of a kind of which all copies are in sight: they may have been misread
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Face:
    """What a tile is taken for: as in `vision.live.view.SeenTile`."""

    tile: Tile | None
    confidence: float
    alternatives: tuple[tuple[Tile, float], ...] = ()


def settled(votes: Sequence[Consensus], *, known: float = RULE.known, listed: float = RULE.listed) -> list[Face]:
    """The faces of tiles that lie on one table; backs count for nothing.

    Every doubtful tile's chances of a kind go down by the copies that others take, chance by chance; the surest tiles
    come first, then all look at all others.
    """
    faces = [Face(one.tile, one.confidence, one.alternatives) for one in votes]
    doubtful = [
        row for row, one in enumerate(votes) if one.label is not None and not one.face_down and one.tile is None
    ]
    doubtful += _too_many(votes)
    if not doubtful:
        return faces
    taken = np.zeros(TILES)
    for row, one in enumerate(votes):
        if one.tile is not None and row not in doubtful:
            taken[one.tile] += one.confidence if one.confidence < _SURE else 1.0
    own = {row: _shared(votes[row].posterior[:TILES]) for row in doubtful}
    now = {row: np.zeros(TILES) for row in doubtful}
    for _ in range(_ROUNDS):
        for row in sorted(doubtful, key=lambda row: -float(own[row].max())):
            others = taken + sum((now[other] for other in doubtful if other != row), np.zeros(TILES))
            now[row] = _shared(own[row] * np.clip(_COPIES - others, _FAINTEST, 1.0))
    for row in doubtful:
        faces[row] = _face(now[row], known, listed)
    return faces


def _too_many(votes: Sequence[Consensus]) -> list[int]:
    """Rows of the least sure tiles of kinds that are seen more often than a set holds them."""
    of_kind: defaultdict[Tile, list[int]] = defaultdict(list)
    for row, one in enumerate(votes):
        if one.tile is not None:
            of_kind[one.tile].append(row)
    surest = {tile: sorted(rows, key=lambda row: -votes[row].confidence) for tile, rows in of_kind.items()}
    return [row for tile, rows in surest.items() for row in rows[tile.copies :]]


def _shared(chances: Floats) -> Floats:
    return np.asarray(chances / max(float(chances.sum()), 1e-12))


def _face(chances: Floats, known: float, listed: float) -> Face:
    order = np.argsort(-chances)[:3]
    best = Tile(int(order[0]))
    confidence = min(_SUREST, float(chances[best]))
    tile = best if confidence >= known else None
    others = ((Tile(int(index)), float(chances[index])) for index in order)
    return Face(
        tile, confidence, tuple((one, chance) for one, chance in others if one is not tile and chance >= listed)
    )
