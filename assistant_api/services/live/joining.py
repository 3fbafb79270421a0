"""Sights that belong together although they were seen apart: the fourth tile of a kong, a flower found late."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import dist
from typing import TypeAlias

from assistant_api.services.live.changes import TOGETHER_S, Act, Sight
from assistant_api.services.live.opening import TURNED_S, missed_a_round
from assistant_api.services.live.rows import BESIDE
from engine.table import TableState
from vision.live.view import SeenTile

TURNED_UP = 1.0
"""Against a flower having been turned up before the gold where nothing but its place says so: one in four is."""
TURNED_LATE_S = 5.0
"""A flower turned up before the gold is found no later than this after it."""
FOURTH_S = 2.5
"""The fourth tile of an open kong lies beside the others no later than this; in a gap it may be found late."""
FOUND_LATE, FOUND_LATE_PER_S, FOUND_LATE_S = 1.5, 0.12, 15.0
"""Against a tile having been laid with others that were seen earlier; less for a flower that lies between them."""

Joined: TypeAlias = tuple[tuple[int, ...], Sight, float]
"""The sights that are left, the whole sight, and what speaks against it."""


def merged(
    sight: Sight, index: int, sights: Sequence[Sight], left: Sequence[int], state: TableState, *, hidden: bool = False
) -> Iterator[Joined]:
    """This sight together with others of ``left`` that may be part of the same act.

    ``hidden`` is True for one that may have come while nothing was seen.
    """
    yield from _turned_flowers(sight, index, sights, left, state, TURNED_UP if hidden else 0.0)
    yield from _fourth(sight, index, sights, left, FOUND_LATE_S if hidden else FOURTH_S)
    yield from _late_flowers(sight, index, sights, left)


def _turned_flowers(
    sight: Sight, index: int, sights: Sequence[Sight], left: Sequence[int], state: TableState, by_chance: float
) -> Iterator[Joined]:
    """Flowers that came to the dealer together with the gold were turned up in its place."""
    if sight.act is not Act.GOLD:
        return
    flowers: list[int] = []
    at, cost = sight.time_s, 0.0
    missed = missed_a_round(state, state.dealer)
    for other in sorted(left, key=lambda other: -sights[other].time_s):
        one = sights[other]
        if one.act is not Act.FLOWERS or one.seat is not state.dealer:
            continue
        if abs(one.time_s - at) <= TURNED_S or (missed and one.time_s - sight.time_s <= TURNED_LATE_S):
            flowers.insert(0, other)
            at = one.time_s
            cost += 0.0 if missed else by_chance * len(one.tiles)
    if flowers:
        tiles = tuple(tile for other in flowers for tile in sights[other].tiles)
        whole = Sight(Act.GOLD, None, (*tiles, *sight.tiles), sight.time_s)
        yield tuple(other for other in left if other != index and other not in flowers), whole, cost


def _fourth(
    sight: Sight, index: int, sights: Sequence[Sight], left: Sequence[int], within_s: float
) -> Iterator[Joined]:
    """Three tiles of a meld and the fourth, which came to it a little later or was found late."""
    if sight.act is not Act.MELD or len(sight.tiles) != 3:
        return
    for other in left:
        fourth = sights[other]
        if fourth.act is not Act.MELD or fourth.seat is not sight.seat or len(fourth.tiles) != 1:
            continue
        wait = abs(fourth.time_s - sight.time_s)
        if wait <= within_s and len({tile.tile for tile in (*sight.tiles, *fourth.tiles)}) == 1:
            cost = 0.0 if wait <= FOURTH_S else FOUND_LATE + FOUND_LATE_PER_S * wait
            at = fourth.time_s if wait <= FOURTH_S else sight.time_s
            whole = Sight(Act.MELD, sight.seat, (*sight.tiles, *fourth.tiles), at)
            yield tuple(one for one in left if one not in (index, other)), whole, cost


def _late_flowers(sight: Sight, index: int, sights: Sequence[Sight], left: Sequence[int]) -> Iterator[Joined]:
    """Flowers and those of the same row that were found later: the next ones in the row first, more and more."""
    if sight.act is not Act.FLOWERS:
        return
    others = [
        other
        for other in left
        if other != index and sights[other].act is Act.FLOWERS and sights[other].seat is sight.seat
        if 0 <= sights[other].time_s - sight.time_s <= FOUND_LATE_S
    ]
    tiles, taken, cost = sight.tiles, [index], 0.0
    while others:
        other = min(others, key=lambda other: _apart(sights[other].tiles, tiles))
        late = sights[other]
        if _apart(late.tiles, tiles) > BESIDE:
            return
        others.remove(other)
        cost += _against_found_late(late, sight.time_s, tiles)
        tiles, taken = (*tiles, *late.tiles), [*taken, other]
        yield tuple(one for one in left if one not in taken), Sight(Act.FLOWERS, sight.seat, tiles, sight.time_s), cost


def _against_found_late(late: Sight, since_s: float, tiles: Sequence[SeenTile]) -> float:
    wait = late.time_s - since_s
    if wait <= TOGETHER_S:
        return 0.0
    if late.fills or all(_is_between(tile, tiles) for tile in late.tiles):
        return 0.1 + 0.2 * FOUND_LATE_PER_S * wait
    return FOUND_LATE + FOUND_LATE_PER_S * wait


def _apart(some: Sequence[SeenTile], others: Sequence[SeenTile]) -> float:
    return min(dist(one.place, other.place) for one in some for other in others)


def _is_between(one: SeenTile, tiles: Sequence[SeenTile]) -> bool:
    """Whether a tile lies between two others of its row."""
    return any(
        dist(one.place, a.place) + dist(one.place, b.place) <= dist(a.place, b.place) + 0.3
        for place, a in enumerate(tiles)
        for b in tiles[:place]
    )
