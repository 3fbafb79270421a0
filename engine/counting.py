"""算番: what a finished hand is worth by a fan table: the dearest division, and what counts in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from engine.combining import Found, together, without_excluded
from engine.fans import Fan, FanTable
from engine.patterns.library import WHOLE, Pattern, Sort
from engine.patterns.view import FinishedHand, View
from engine.shapes import Division, divisions


@dataclass(frozen=True, slots=True)
class Counted:
    """A row that counts, and how often."""

    fan: Fan
    count: int

    @property
    def points(self) -> int:
        """Points of the row, each time it counts."""
        return self.fan.points * self.count


@dataclass(frozen=True, slots=True)
class Count:
    """The worth of a hand in the division that is worth most."""

    division: Division
    fans: tuple[Counted, ...]
    """Dearest first."""

    @property
    def total(self) -> int:
        """All points."""
        return sum(one.points for one in self.fans)

    @property
    def towards_minimum(self) -> int:
        """Points without the rows that count only after the minimum is reached, such as flowers."""
        return sum(one.points for one in self.fans if not one.fan.after_minimum)


def count_hand(hand: FinishedHand, table: FanTable) -> Count | None:
    """The dearest way to count a hand, None when it is complete in no shape that is played."""
    best: Count | None = None
    most: tuple[int, tuple[int, ...]] = (-1, ())
    for division in divisions(hand.key, 4 - len(hand.melds), hand.shapes):
        found = _counted(View(hand, division), table)
        worth = sum(fan.points for fan, _ in found)
        rank = (worth, tuple(-fan.order for fan, _ in found))
        if rank > most:
            most, best = rank, Count(division, _summed(found))
    return best


def _counted(view: View, table: FanTable) -> list[Found]:
    wholes, of_sets, tests = _sorts(table)
    found: list[Found] = [(fan, WHOLE) for fan, pattern in wholes if pattern.function(view)]
    for fan, pattern in of_sets:
        found += [(fan, mask) for mask in pattern.function(view)]
    for sort, places in ((Sort.CHOWS, view.chows), (Sort.PUNGS, view.pungs)):
        if len(places) > 1 and tests:
            tiles = tuple(view.sets[place].tile for place in places)
            for fan, mask in together(tiles, sort, table):
                found.append((fan, sum(1 << place for at, place in enumerate(places) if mask >> at & 1)))
    kept = without_excluded(found)
    if table.otherwise is not None and all(fan.after_minimum for fan, _ in kept):
        kept.append((table.otherwise, WHOLE))
        kept.sort(key=lambda one: one[0].order)
    return kept


Rows = tuple[tuple[Fan, Pattern], ...]


@lru_cache(maxsize=64)
def _sorts(table: FanTable) -> tuple[Rows, Rows, bool]:
    """Rows about the whole hand, rows about sets, and whether any are about sets together."""
    tests = table.of_sort(Sort.CHOWS, Sort.PUNGS)
    return table.of_sort(Sort.WHOLE), table.of_sort(Sort.OF_SETS), bool(tests)


def _summed(found: Iterable[Found]) -> tuple[Counted, ...]:
    counts: dict[str, Counted] = {}
    for fan, _ in found:
        before = counts.get(fan.key)
        counts[fan.key] = Counted(fan, 1 if before is None else before.count + 1)
    return tuple(counts.values())
