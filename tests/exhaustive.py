"""Slow and plain answers found by trying everything: what so many golds finish, win check, distance to ready.

One suit is a tuple of nine counts. Nothing here is shared with `engine.decompose` or `engine.shanten`.
"""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from engine.tiles import Tile

Counts = tuple[int, ...]

NO_TILES: Counts = (0,) * 9
RUNS = tuple(tuple(1 if first <= rank < first + 3 else 0 for rank in range(9)) for first in range(7))
TRIPLETS = tuple(tuple(3 if rank == place else 0 for rank in range(9)) for place in range(9))
PAIRS = tuple(tuple(2 if rank == place else 0 for rank in range(9)) for place in range(9))


def plus(one: Counts, two: Counts) -> Counts:
    return tuple(a + b for a, b in zip(one, two, strict=True))


@cache
def whole(sets: int, pairs: int) -> frozenset[Counts]:
    """Every collection of tiles of one suit that is so many sets and pairs, however many copies that takes."""
    if sets:
        return frozenset(plus(rest, block) for rest in whole(sets - 1, pairs) for block in RUNS + TRIPLETS)
    if pairs:
        return frozenset(PAIRS)
    return frozenset({NO_TILES})


def short_of(collections: frozenset[Counts], golds: int) -> frozenset[Counts]:
    """The collections with so many tiles taken away, each way: what golds make whole again."""
    for _ in range(golds):
        collections = frozenset(
            (*counts[:rank], counts[rank] - 1, *counts[rank + 1 :])
            for counts in collections
            for rank in range(9)
            if counts[rank]
        )
    return collections


def finished_by_golds(sets: int, pairs: int, golds: int) -> frozenset[Counts]:
    """Hands of one suit, four of a kind at most, that so many golds finish into so many sets and pairs."""
    reachable = frozenset(counts for counts in whole(sets, pairs) if sum(n - 4 for n in counts if n > 4) <= golds)
    return frozenset(counts for counts in short_of(reachable, golds) if max(counts) <= 4)


def is_complete(tiles: list[Tile] | tuple[Tile, ...], gold: Tile | None) -> bool:
    """Whether the tiles, all of them, are sets and one pair. Tries everything the lowest tile can be part of."""
    naturals = sorted(tile for tile in tiles if tile is not gold)
    return _finishes(naturals, len(tiles) - len(naturals), pair=True)


def _finishes(naturals: list[Tile], golds: int, *, pair: bool) -> bool:
    if golds < 0:
        return False
    if not naturals:
        return golds % 3 == (2 if pair else 0)
    lowest, rest = naturals[0], naturals[1:]
    if pair and (_take(rest, [lowest], golds, pair=False) or _finishes(rest, golds - 1, pair=False)):
        return True
    companions = [[lowest, lowest]]
    if lowest.is_suited:
        suit = lowest // 9 * 9
        for first in range(lowest - 2, lowest + 1):
            if suit <= first and first + 2 < suit + 9:
                companions.append([Tile(kind) for kind in range(first, first + 3) if kind != lowest])
    return any(
        _take(rest, [tile for tile, held in zip(others, natural, strict=True) if held], golds - natural.count(0), pair)
        for others in companions
        for natural in product((1, 0), repeat=2)
    )


def _take(tiles: list[Tile], wanted: list[Tile], golds: int, pair: bool) -> bool:
    rest = list(tiles)
    for tile in wanted:
        if tile not in rest:
            return False
        rest.remove(tile)
    return _finishes(rest, golds, pair=pair)


@cache
def _targets(sets: int, pairs: int, most: int) -> NDArray[np.int8]:
    return np.array([counts for counts in whole(sets, pairs) if max(counts) <= most], dtype=np.int8)


def distance(tiles: list[Tile] | tuple[Tile, ...], gold: Tile | None) -> int:
    """Fewest tiles to draw, less one: compares each suit with every collection it could become."""
    naturals = [tile for tile in tiles if tile is not gold]
    sets = len(tiles) // 3
    kept: list[dict[tuple[int, int], int]] = []
    for suit in range(3):
        held = np.array([naturals.count(Tile(9 * suit + rank)) for rank in range(9)], dtype=np.int8)
        kept.append(
            {
                (some, pairs): int(np.minimum(_targets(some, pairs, 99 if gold else 4), held).sum(axis=1).max())
                for some in range(sets + 1)
                for pairs in (0, 1)
            }
        )
    best = max(
        kept[0][first, pair == 0] + kept[1][second, pair == 1] + kept[2][sets - first - second, pair == 2]
        for first in range(sets + 1)
        for second in range(sets + 1 - first)
        for pair in range(3)
    )
    return 3 * sets + 1 - best - (len(tiles) - len(naturals))
