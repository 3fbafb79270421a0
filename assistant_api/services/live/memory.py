"""What was seen and is not explained yet: discards that were gone before anything was said of them stay in mind.

A discard that is claimed at once lies there for a second. Forgotten, it would shift every later one of a common heap
to another seat.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from math import dist

from vision.live.view import SeenTile, TableView, Zone

FORGOTTEN_S = 10.0
"""A tile that left the river unexplained is kept in mind for so long."""
GLIMPSED_S = 0.15
"""One that lay there for less was none."""
SAME_SPOT = 0.5
"""Another number at the same spot, in widths of a tile, is the same tile."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """A discard or a gold that the log does not know.

    ``first_s`` is when it was first seen as such, ``gone_s`` when a discard left, None while it lies there.
    """

    tile: SeenTile
    first_s: float
    gone_s: float | None = None


Memory = Mapping[int, Remembered]
"""By the number of the track."""


def remembered(memory: Memory, unexplained: Iterable[SeenTile], told: Collection[int], view: TableView) -> Memory:
    """The memory after a view.

    ``unexplained`` are the tiles in it of which the log knows nothing, ``told`` the tracks it knows.
    """
    after = {
        tile.track: Remembered(tile, _first_s(memory, tile, view))
        for tile in unexplained
        if tile.zone in (Zone.RIVER, Zone.GOLD)
    }
    there = {tile.track for tile in view.tiles if tile.zone is Zone.RIVER}
    for track, one in memory.items():
        if track in there or track in told or one.tile.zone is not Zone.RIVER:
            continue
        gone_s = view.time_s if one.gone_s is None else one.gone_s
        if view.time_s - gone_s > FORGOTTEN_S or gone_s - one.tile.since_s < GLIMPSED_S:
            continue
        if not any(_same(one.tile, tile) for tile in view.tiles):
            after[track] = Remembered(one.tile, one.first_s, gone_s)
    return after


def _first_s(memory: Memory, tile: SeenTile, view: TableView) -> float:
    known = memory.get(tile.track)
    return known.first_s if known is not None and known.tile.zone is tile.zone else view.time_s


def _same(one: SeenTile, other: SeenTile) -> bool:
    return dist(one.place, other.place) < SAME_SPOT and (one.tile is other.tile or one.tile is None)
