"""An independent, slow win check: every gold is tried as every kind, then the naturals are split by plain search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations_with_replacement

from engine.tiles import Tile


def is_complete_naively(tiles: Iterable[Tile], gold: Tile | None = None) -> bool:
    """Whether the tiles make whole sets and one pair when each gold may stand for any suited kind."""
    held = list(tiles)
    naturals = [tile for tile in held if tile is not gold]
    golds = len(held) - len(naturals)
    if len(held) % 3 != 2:
        return False
    useful = {gold} if gold is not None else set()
    for tile in naturals:
        first = tile - tile % 9
        useful |= {Tile(kind) for kind in range(max(first, tile - 2), min(first + 8, tile + 2) + 1)}
    for roles in combinations_with_replacement(sorted(useful), golds):
        if _splits_with_pair(Counter([*naturals, *roles])):
            return True
    return False


def _splits_with_pair(counts: Counter[Tile]) -> bool:
    for tile, count in counts.items():
        if count >= 2:
            rest = counts.copy()
            rest[tile] -= 2
            if _splits_into_sets(+rest):
                return True
    return False


def _splits_into_sets(counts: Counter[Tile]) -> bool:
    if not counts:
        return True
    first = min(counts)
    if counts[first] >= 3:
        rest = counts.copy()
        rest[first] -= 3
        if _splits_into_sets(+rest):
            return True
    run = [first, first + 1, first + 2]
    if first.is_suited and first % 9 <= 6 and all(counts[Tile(kind)] for kind in run):
        rest = counts.copy()
        for kind in run:
            rest[Tile(kind)] -= 1
        return _splits_into_sets(+rest)
    return False
