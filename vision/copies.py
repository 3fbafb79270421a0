"""One set of tiles lies on the table: four of a kind and one of each flower. The tiles of a photo are read accordingly.

Where more of a kind are read than a set holds, the weakest readings yield: they become unknown and are told as a
problem. Where a doubtful tile can only be one thing since the others are elsewhere in the photo, it takes that name,
and is marked and told as well. Chances are those of `vision.exclusion`; nothing takes another name silently.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.tiles import Tile
from vision.exclusion import BACK, TILES, marginals
from vision.naming import Thresholds
from vision.problems import Problem, ProblemCode
from vision.reading import TileReading

_FAINTEST = 1e-9

Floats = NDArray[np.float64]


def one_set(
    readings: Sequence[TileReading], limits: Thresholds | None = None
) -> tuple[tuple[TileReading, ...], tuple[Problem, ...]]:
    """The readings of one photo as tiles of one set, with a problem for each kind of which there are too many and one
    for the tiles that others have named.

    Tiles that show the gold or belong to nobody count like all others; backs do not count. White dragons that look like
    nothing else stay, since boxes hold spare blank tiles, but are named by the problem.

    Args:
        readings: tiles of one picture, in any order.
        limits: from which chance a tile is known, and what is listed; the usual ones for None.
    """
    limits = limits or Thresholds()
    chances = marginals(np.log(own_chances(readings)))
    settled, problems = list(readings), []
    yielding: set[int] = set()
    for tile, indices in _too_many(readings):
        weakest = sorted(indices, key=lambda index: readings[index].confidence)[: len(indices) - tile.copies]
        problems.append(_surplus(tile, indices, weakest))
        yielding |= {index for index in weakest if tile is not Tile.WHITE or readings[index].alternatives}
    for index in yielding:
        listed = _listed(chances[index], limits)
        settled[index] = replace(readings[index], tile=None, confidence=listed[0][1], alternatives=listed)
    told = [index for index, reading in enumerate(readings) if reading.is_unknown and index not in yielding]
    told = [index for index in told if _place(readings[index]) * chances[index, :TILES].max() >= limits.known]
    for index in told:
        (tile, chance), *others = _listed(chances[index], limits)
        settled[index] = replace(
            readings[index],
            tile=tile,
            confidence=chance * _place(readings[index]),
            alternatives=tuple(others),
            by_context=True,
        )
    return tuple(settled), (*problems, *_named_by_others(settled))


def own_chances(readings: Sequence[TileReading]) -> Floats:
    """What each reading by itself says, as chances [N, 43] of the 42 tiles and the back; none of them is nothing."""
    rows = np.full((len(readings), TILES + 1), _FAINTEST)
    for row, reading in zip(rows, readings, strict=True):
        for tile, chance in reading.alternatives:
            row[tile] = max(_FAINTEST, chance)
        if reading.tile is not None:
            row[reading.tile] = max(_FAINTEST, reading.confidence)
        row[BACK] = max(_FAINTEST, 1.0 - row[:TILES].sum())
    return rows


def _too_many(readings: Sequence[TileReading]) -> list[tuple[Tile, list[int]]]:
    """Kinds that were read more often than a set holds them, with the indices of the readings."""
    of_kind: defaultdict[Tile, list[int]] = defaultdict(list)
    for index, reading in enumerate(readings):
        if reading.tile is not None:
            of_kind[reading.tile].append(index)
    return [(tile, indices) for tile, indices in sorted(of_kind.items()) if len(indices) > tile.copies]


def _place(reading: TileReading) -> float:
    """How much of the confidence in an unknown tile its place leaves."""
    return min(1.0, reading.confidence / reading.alternatives[0][1]) if reading.alternatives else 0.0


def _listed(chances: Floats, limits: Thresholds) -> tuple[tuple[Tile, float], ...]:
    """The likeliest tiles with their chances, best first; at least one."""
    order = np.argsort(-chances[:TILES], kind="stable")[: limits.alternatives]
    listed = [(Tile(int(index)), min(1.0, float(chances[index]))) for index in order]
    return tuple(item for place, item in enumerate(listed) if not place or item[1] >= limits.listed)


def _surplus(tile: Tile, indices: Sequence[int], weakest: Sequence[int]) -> Problem:
    holds = "one" if tile.copies == 1 else "four"
    message = f"{len(indices)} tiles read as {tile.code}, a set holds {holds}; look at the least sure"
    return Problem(ProblemCode.TOO_MANY_COPIES, message, tuple(sorted(weakest)), len(indices), tile.copies)


def _named_by_others(readings: Sequence[TileReading]) -> tuple[Problem, ...]:
    """What to say of tiles that others have named."""
    told = tuple(index for index, reading in enumerate(readings) if reading.by_context)
    if not told:
        return ()
    codes = ", ".join(readings[index].code for index in told)
    what = f"{codes} is" if len(told) == 1 else f"{codes} are"
    message = f"{what} named by what else lies in the photo, not by sight alone; have a look"
    return (Problem(ProblemCode.BY_CONTEXT, message, told),)
