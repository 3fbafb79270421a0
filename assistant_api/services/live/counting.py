"""How many tiles a closed hand has, where they lie and can be counted; and how far that is to be trusted.

Nobody sees a draw, but after it a hand has one tile more. Hands that lie face down are counted right while they rest;
of those that stand hardly a tile is found, so a hand is believed only when its number was right often enough before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.seats import SEATS, Seat
from engine.table import Phase, TableState
from vision.live.view import TableView, Zone

STEADY_S = 1.5
"""A number that stays for so long is the number of tiles."""
BESIDE_EACH_OTHER, IN_A_ROW = 0.75, 2.2
"""Tiles of a hand lie no nearer and no further apart, in widths. Two that are nearer are one that was moved."""
OFTEN, MOSTLY = 2, 3
"""A hand whose number was right so often, and so many times as often as wrong, can be counted."""
AGAIN_S = 4.0
"""So long later it is compared again."""
WRONG_S = 5.0
"""A number that is wrong for so long is no tile that is not written down yet."""


@dataclass(frozen=True, slots=True)
class Count:
    """The number of tiles of a hand since ``since_s``; how often such numbers were right and wrong before."""

    number: int
    since_s: float
    right: int = 0
    wrong: int = 0
    judged_s: float = -10.0
    """When it was last compared with the log."""
    changes: int = 0
    """How often the number changed. One that never does is no hand that plays."""

    @property
    def is_trusted(self) -> bool:
        """The hand lies so that it can be counted."""
        return self.right >= OFTEN and self.right >= MOSTLY * self.wrong and self.changes >= OFTEN

    def steady_s(self, now_s: float) -> float:
        """For how long it has been the same."""
        return now_s - self.since_s


Counts = Mapping[Seat, Count]


def counted(counts: Counts, view: TableView, state: TableState) -> Counts:
    """The numbers after a view; ``state`` is the table by the log."""
    after: dict[Seat, Count] = {}
    covered = set(view.covered)
    for seat in SEATS:
        known = counts.get(seat)
        if (Zone.HAND, seat) in covered and known is not None:
            after[seat] = replace(known, since_s=view.time_s)
            continue
        number = tiles_in_hand(view, seat)
        if known is None:
            known = Count(number, view.time_s)
        elif known.number != number:
            known = replace(known, number=number, since_s=view.time_s, changes=known.changes + 1)
        after[seat] = _judged(known, state, seat, view.time_s)
    return after


def _judged(known: Count, state: TableState, seat: Seat, now_s: float) -> Count:
    """The count with what the log says of its number, once in a while."""
    steady = known.steady_s(now_s)
    if steady < STEADY_S or now_s - known.judged_s < AGAIN_S:
        return known
    if known.number in expected_numbers(state, seat):
        return replace(known, right=known.right + 1, judged_s=now_s)
    if steady < WRONG_S or state.phase is Phase.OPENING_FLOWERS:
        return known
    return replace(known, wrong=known.wrong + 1, judged_s=now_s)


def expected_numbers(state: TableState, seat: Seat) -> tuple[int, ...]:
    """What a hand may have by the log: draws are written down only when something is done with them, discards late."""
    number = state.seats[seat].concealed_count
    owed = state.seats[seat].owed
    draws = state.phase in (Phase.CLAIMS, Phase.ROB_WINDOW) and state.next_to_draw is seat
    discards = state.phase in (Phase.ACTION, Phase.FIRST_DISCARD, Phase.OPENING) and state.turn is seat
    return tuple(range(number - discards, number + owed + draws + 1))


def tiles_in_hand(view: TableView, seat: Seat) -> int:
    """How many tiles lie in the row of a hand."""
    places = [tile.place for tile in view.in_zone(Zone.HAND, seat)]
    if not places:
        return 0
    spread = [max(place[axis] for place in places) - min(place[axis] for place in places) for axis in (0, 1)]
    axis = 0 if spread[0] >= spread[1] else 1
    longest = row = 0
    last = float("-inf")
    for along in sorted(place[axis] for place in places):
        if along - last < BESIDE_EACH_OTHER:
            continue
        row = row + 1 if along - last <= IN_A_ROW else 1
        longest, last = max(longest, row), along
    return longest
