"""A live hand against the truth: which events were told, in which order, and whether the table ended right.

Flowers that a seat lays one after the other are one act here, in any order: what lies there and what is owed is the
same. Of a concealed kong the kind counts where it could be seen. Draws, passes and dealt hands no camera sees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.eventlog import format_event
from engine.events import (
    Chow,
    Deal,
    Discard,
    Draw,
    Escape,
    Event,
    Exhausted,
    FlowersLaid,
    GoldOpened,
    KongConcealed,
    KongShown,
    LaidOpen,
    Log,
    Pass,
    WinClaim,
    WinGranted,
)
from engine.referee import Referee
from engine.seats import SEATS, Seat
from engine.simulate import as_seen
from engine.table import TableState
from engine.tiles import Face, Tile, Unseen
from engine.violations import Violation

_UNSEEN = (Deal, Draw, LaidOpen, Pass, WinGranted, Exhausted, Escape, KongShown)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was told against what happened.

    Attributes:
        happened, told: events in sight, of the truth and of the hand.
        right: how many of them agree in one order.
        missed, invented: the others.
        discards_in_order: every seat's discards were told in their order.
        parts: whether melds, flowers, gold and discards of the four seats are right at the end.
        warned, false_warnings, unwarned: illegal acts told that happened, that did not, and those that a camera can see
            and that were not told.
    """

    happened: int
    told: int
    right: int
    missed: tuple[str, ...]
    invented: tuple[str, ...]
    discards_in_order: bool
    parts: dict[str, bool]
    warned: int
    false_warnings: tuple[str, ...]
    unwarned: tuple[str, ...]

    @property
    def state_exact(self) -> bool:
        """Melds, flowers, gold and discards are all right at the end."""
        return all(self.parts.values())

    @property
    def recall(self) -> float:
        """Share of what happened that was told."""
        return self.right / self.happened if self.happened else 1.0

    @property
    def precision(self) -> float:
        """Share of what was told that happened."""
        return self.right / self.told if self.told else 1.0

    def as_json(self) -> dict[str, Any]:
        """All of it as JSON values."""
        return {
            "state_exact": self.state_exact,
            **{f"{part}_exact": right for part, right in self.parts.items()},
            "events_happened": self.happened,
            "events_told": self.told,
            "events_right": self.right,
            "recall": round(self.recall, 4),
            "precision": round(self.precision, 4),
            "discards_in_order": self.discards_in_order,
            "missed": list(self.missed),
            "invented": list(self.invented),
            "warned": self.warned,
            "false_warnings": list(self.false_warnings),
            "unwarned": list(self.unwarned),
        }


def compare(told: Referee, truth: Log, given: int = 0, alerts: Iterable[Violation] | None = None) -> Comparison:
    """Compares a live hand with the log of what happened.

    ``given`` events in sight it was told before it started. ``alerts`` are the illegal acts that people were told of;
    without them those that the log shows at its end.
    """
    happened, visible = Referee(truth, told.ruleset), Referee(as_seen(truth), told.ruleset)
    true, mine = in_sight(truth)[given:], in_sight(told.log)[given:]
    pairs = common(true, mine)
    hit, found = {one for one, _ in pairs}, {other for _, other in pairs}
    said = Counter(_key(one) for one in (told.violations() if alerts is None else alerts))
    real = Counter(_key(one) for one in visible.violations())
    wrong = list((said - (real | Counter(_key(one) for one in happened.violations()))).elements())
    unsaid = list((real - said).elements())
    return Comparison(
        happened=len(true),
        told=len(mine),
        right=len(pairs),
        missed=tuple(format_event(event) for place, event in enumerate(true) if place not in hit),
        invented=tuple(format_event(event) for place, event in enumerate(mine) if place not in found),
        discards_in_order=all(thrown(truth, seat) == thrown(told.log, seat) for seat in SEATS),
        parts=same_parts(happened.state, told.state),
        warned=said.total() - len(wrong),
        false_warnings=tuple(map(" ".join, wrong)),
        unwarned=tuple(map(" ".join, unsaid)),
    )


def _key(violation: Any) -> tuple[str, str, str]:
    seat = "" if violation.seat is None else violation.seat.code
    return violation.kind.value, seat, str(violation.data.get("tile", ""))


def thrown(log: Log, seat: Seat) -> list[Face]:
    """What a seat discarded, in order."""
    return [event.tile for event in log if isinstance(event, Discard) and event.seat is seat]


def in_sight(log: Iterable[Event]) -> list[Event]:
    """What a camera can see of a log, in one form."""
    return [event for event, _ in numbered_in_sight(log)]


def numbered_in_sight(log: Iterable[Event]) -> list[tuple[Event, int]]:
    """The same, each with its number in the log; of flowers that are one act, the last number."""
    found: list[tuple[Event, int]] = []
    for number, event in enumerate(log, start=1):
        if isinstance(event, _UNSEEN):
            continue
        before = found[-1][0] if found else None
        if isinstance(event, FlowersLaid):
            tiles = event.tiles
            if isinstance(before, FlowersLaid) and before.seat is event.seat:
                tiles = (*before.tiles, *tiles)
                found.pop()
            event = replace(event, tiles=_in_order(tiles))
        elif isinstance(event, GoldOpened):
            event = replace(event, tiles=(*_in_order(event.tiles[:-1]), event.tiles[-1]))
        elif isinstance(event, Chow):
            event = replace(event, held=_in_order(event.held))
        elif isinstance(event, WinClaim):
            event = WinClaim(event.seat, event.source, event.tile if event.source.is_from_other else None)
        elif isinstance(event, KongConcealed):
            event = KongConcealed(event.seat)
        found.append((event, number))
    return found


def _in_order(faces: Iterable[Face]) -> tuple[Face, ...]:
    return tuple(sorted(faces, key=lambda face: (not isinstance(face, Tile), face.code, face)))


def common(one: Sequence[Event], other: Sequence[Event]) -> list[tuple[int, int]]:
    """Places of the longest line of events that is in both, in order (Wagner and Fischer 1974)."""
    best = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i in range(len(one) - 1, -1, -1):
        for j in range(len(other) - 1, -1, -1):
            same = 1 + best[i + 1][j + 1] if one[i] == other[j] else 0
            best[i][j] = max(same, best[i + 1][j], best[i][j + 1])
    pairs, i, j = [], 0, 0
    while i < len(one) and j < len(other):
        if one[i] == other[j] and best[i][j] == 1 + best[i + 1][j + 1]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def same_parts(true: TableState, mine: TableState) -> dict[str, bool]:
    """Which parts of two tables agree: melds in order, flowers and discards of each seat in any, the gold."""
    return {
        "melds": all(
            len(true.seats[seat].melds) == len(mine.seats[seat].melds)
            and all(map(_same_meld, true.seats[seat].melds, mine.seats[seat].melds))
            for seat in SEATS
        ),
        "flowers": all(Counter(true.seats[seat].flowers) == Counter(mine.seats[seat].flowers) for seat in SEATS),
        "gold": true.indicator == mine.indicator,
        "discards": all(_lying(true, seat) == _lying(mine, seat) for seat in SEATS),
    }


def _same_meld(one: Any, other: Any) -> bool:
    hidden = Unseen.BACK in other.tiles
    return one.kind is other.kind and one.from_seat is other.from_seat and (hidden or one.tiles == other.tiles)


def _lying(state: TableState, seat: Seat) -> Counter[Face]:
    return Counter(thrown.tile for thrown in state.river if thrown.taken_by is None and thrown.seat is seat)
