"""理牌: the best way to see a hand as sets, a pair, parts of sets (搭子) and single tiles. For teaching.

"Best" means nearest to complete; among equals more whole sets, then parts that more tiles finish. Golds are left aside:
they can finish any part.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TypeAlias

from engine.tiles import Tile


class Part(StrEnum):
    """What some tiles of a hand are together; the value is the English name."""

    RUN = "run"
    TRIPLET = "triplet"
    PAIR = "pair"
    OPEN = "two-sided part"
    CLOSED = "closed part"
    EDGE = "edge part"
    SINGLE = "single tile"

    @property
    def zh(self) -> str:
        """Chinese name."""
        return _NAMES[self]

    @property
    def en(self) -> str:
        """English name."""
        return str(self.value)

    @property
    def is_set(self) -> bool:
        """A whole set."""
        return self in (Part.RUN, Part.TRIPLET)


_NAMES = {
    Part.RUN: "顺子",
    Part.TRIPLET: "刻子",
    Part.PAIR: "对子",
    Part.OPEN: "两面搭子",
    Part.CLOSED: "嵌张搭子",
    Part.EDGE: "边张搭子",
    Part.SINGLE: "孤张",
}
_QUALITY = {Part.RUN: 0, Part.TRIPLET: 0, Part.PAIR: 3, Part.OPEN: 4, Part.CLOSED: 2, Part.EDGE: 1, Part.SINGLE: 0}


@dataclass(frozen=True, slots=True)
class Group:
    """Some tiles of the hand that belong together, lowest first."""

    part: Part
    tiles: tuple[Tile, ...]


_Score: TypeAlias = tuple[int, int, int]
"""Steps towards complete, whole sets, quality of the rest."""
_Best: TypeAlias = dict[tuple[int, bool], tuple[_Score, tuple[Group, ...]]]
"""The best groups for so many sets and parts, without and with the pair of the hand."""


def arrange(naturals: Iterable[Tile], sets: int) -> tuple[Group, ...]:
    """The tiles, none of them gold, as at most so many sets and parts, a pair, and single tiles; tile order.

    >>> from engine.notation import parse_tiles
    >>> [(group.part.value, len(group.tiles)) for group in arrange(parse_tiles("123m 4466p 9s"), 2)]
    [('run', 3), ('pair', 2), ('pair', 2), ('single tile', 1)]
    """
    tiles = sorted(naturals)
    best: _Best = {(0, False): ((0, 0, 0), ())}
    for suit in range(4):
        one = _suit(tuple(tile for tile in tiles if tile // 9 == suit), sets)
        joined: _Best = {}
        for (count, pair), (score, groups) in best.items():
            for (more, other), (added, found) in one.items():
                if count + more <= sets and not (pair and other):
                    _keep(joined, (count + more, pair or other), _plus(score, added), (*groups, *found))
        best = joined
    _, groups = max(best.values(), key=lambda entry: entry[0])
    single = list(tiles)
    for group in groups:
        for tile in group.tiles:
            single.remove(tile)
    return tuple(sorted((*groups, *(Group(Part.SINGLE, (tile,)) for tile in single)), key=lambda group: group.tiles))


@lru_cache(maxsize=1 << 12)
def _suit(tiles: tuple[Tile, ...], sets: int) -> _Best:
    """The best groups of one suit; the lowest tile starts a group or stays single."""
    if not tiles:
        return {(0, False): ((0, 0, 0), ())}
    first, rest = tiles[0], tiles[1:]
    best = dict(_suit(rest, sets))
    for part, others in _groups_from(first):
        left = _without(rest, others)
        if left is None:
            continue
        group = Group(part, (first, *others))
        worth = (2, 1, 0) if part.is_set else (1, 0, _QUALITY[part])
        for (count, pair), (score, groups) in _suit(left, sets).items():
            if count < sets:
                _keep(best, (count + 1, pair), _plus(score, worth), (group, *groups))
            if part is Part.PAIR and not pair:
                _keep(best, (count, True), _plus(score, worth), (group, *groups))
    return best


def _groups_from(first: Tile) -> Iterable[tuple[Part, tuple[Tile, ...]]]:
    yield Part.TRIPLET, (first, first)
    yield Part.PAIR, (first,)
    rank = first.rank
    if rank is None:
        return
    if rank <= 7:
        yield Part.RUN, (Tile(first + 1), Tile(first + 2))
        yield Part.CLOSED, (Tile(first + 2),)
    if rank <= 8:
        yield Part.EDGE if rank in (1, 8) else Part.OPEN, (Tile(first + 1),)


def _without(tiles: tuple[Tile, ...], taken: tuple[Tile, ...]) -> tuple[Tile, ...] | None:
    left = list(tiles)
    for tile in taken:
        if tile not in left:
            return None
        left.remove(tile)
    return tuple(left)


def _plus(one: _Score, two: _Score) -> _Score:
    return one[0] + two[0], one[1] + two[1], one[2] + two[2]


def _keep(best: _Best, key: tuple[int, bool], score: _Score, groups: tuple[Group, ...]) -> None:
    if key not in best or best[key][0] < score:
        best[key] = score, groups
