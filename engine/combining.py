"""组合: which rows of a fan table count together, by the five principles of the Chinese Official rules.

==================  ================================================================================================
不重复 no repeat     what a pattern always brings with it does not count beside it: `Fan.excludes`
不拆移 no splitting  sets that a pattern has put together are not put together anew among themselves
不得相同 no identical  sets of one pattern are not put together with others to the same pattern again
就高不就低 highest   of several ways the dearest is taken
套算一次 once        a set not yet used is put together with used ones once only
==================  ================================================================================================

For chows, and for pungs, this means: think of every pattern as a knot that ties its sets together; no knot may tie two
sets that are tied already, directly or by way of others. The dearest choice of such knots counts.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from engine.fans import Fan, FanTable
from engine.patterns.library import WHOLE, Sort
from engine.tiles import Tile

Found = tuple[Fan, int]
"""A row that is met, and the places of its sets as a mask (`WHOLE` for the whole hand)."""


@lru_cache(maxsize=1 << 14)
def together(tiles: tuple[Tile, ...], sort: Sort, table: FanTable) -> tuple[Found, ...]:
    """The dearest choice of patterns that these chows, or pungs, make together; masks count places in ``tiles``."""
    places = sorted(range(len(tiles)), key=tiles.__getitem__)
    knots: list[Found] = []
    for fan, pattern in table.of_sort(sort):
        for chosen in combinations(places, pattern.size):
            if pattern.function(*(tiles[place] for place in chosen)):
                knots.append((fan, sum(1 << place for place in chosen)))
    best: tuple[int, tuple[Found, ...]] = (0, ())
    stack: list[tuple[int, tuple[int, ...], int, tuple[Found, ...]]] = [
        (0, tuple(1 << place for place in range(len(tiles))), 0, ())
    ]
    while stack:
        start, groups, points, chosen_knots = stack.pop()
        if points > best[0]:
            best = (points, chosen_knots)
        for index in range(len(knots) - 1, start - 1, -1):
            fan, sets = knots[index]
            if any((group & sets).bit_count() > 1 for group in groups):
                continue
            if any(other is fan and mask & sets for other, mask in chosen_knots):
                continue
            tied = sum(group for group in groups if group & sets)
            left = (*(group for group in groups if not group & sets), tied)
            stack.append((index + 1, left, points + fan.points, (*chosen_knots, knots[index])))
    return best[1]


def without_excluded(found: list[Found]) -> list[Found]:
    """What counts of the rows that are met: each row strikes out the cheaper ones it excludes.

    A row about single sets is struck out by a row about sets only where it lies inside them: 三风刻 takes the 幺九刻 of
    its own pungs, not that of a fourth.
    """
    found.sort(key=_order)
    kept: list[Found] = []
    for fan, mask in found:
        for other, others_mask in kept:
            if fan.key in other.excludes and (mask == WHOLE or others_mask == WHOLE or not mask & ~others_mask):
                break
        else:
            kept.append((fan, mask))
    for fan, _ in tuple(kept):
        for key in fan.excludes_once:
            once = next((one for one in kept if one[0].key == key), None)
            if once is not None:
                kept.remove(once)
    return kept


def _order(found: Found) -> int:
    return found[0].order
