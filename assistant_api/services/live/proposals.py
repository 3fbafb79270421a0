"""What happened, out of all that may have: the line of events that fits the rules, the labels and the times best.

Everything seen since the log was last sure is explained together. A line of events is built act by act on the engine's
own table, with the draws it needs, and the best few are kept. What speaks against a line is counted in natural
logarithms: an unlikely label, an act before one that was seen earlier, an illegal act, an act nobody noticed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assistant_api.services.live.changes import Act, Sight
from assistant_api.services.live.inferred import ways
from assistant_api.services.live.readings import Gone, Reading, readings
from engine.events import Chow, Discard, Event, FlowersLaid, GoldOpened, KongOpen, Pung, WinClaim
from engine.fold import step
from engine.seats import Seat
from engine.table import Phase, TableState
from engine.violations import Violation, ViolationKind

KEPT = 12
"""So many unfinished lines are followed."""
ILLEGAL, POSSIBLY_ILLEGAL, ILLEGAL_WIN = 6.0, 0.5, 1.5
UNNOTICED, TAKEN_UNNOTICED, UNNOTICED_IN_A_GAP = 7.0, 4.0, 1.5
"""Against a discard nobody saw; one that was claimed at once, where no such tile left the river; one in a gap."""
OUT_OF_ORDER = 1.2
"""Against each second by which a later act is put first."""
FOURTH_S = 2.5
"""The fourth tile of an open kong lies beside the others no later than this."""
LATE_FLOWER = 2.5
ROUND_MISSED = 2.5
TOO_FAST = 1.5
TURNED_S = 1.4
"""A flower of the dealer that lies there no longer than this before the gold was turned up in its place."""
SUSPICIOUS = 2.0
"""A line against which more than this speaks, labels aside, is waited with."""


@dataclass(frozen=True, slots=True)
class Happened:
    """One event of a line. ``reading`` is None for what was not seen."""

    event: Event
    reading: Reading | None
    sight: Sight | None
    unnoticed: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A whole explanation: its events, and what speaks against it besides the labels, and with them."""

    events: tuple[Happened, ...]
    doubt: float
    cost: float
    violations: tuple[Violation, ...] = ()

    @property
    def is_suspicious(self) -> bool:
        """Better to wait whether something else turns up that explains it."""
        return self.doubt > SUSPICIOUS


@dataclass(frozen=True, slots=True)
class Proposal:
    """The best line, its chance among all that were found, and the next best that says something else."""

    line: Line
    chance: float
    second: Line | None = None


@dataclass(frozen=True, slots=True)
class _Node:
    state: TableState
    left: tuple[int, ...]
    line: Line


def explain(
    state: TableState, sights: Sequence[Sight], gone: Sequence[Gone] = (), *, in_gap: bool = False
) -> Proposal | None:
    """The best explanation of these sights at this table; None when there is none."""
    sights = sorted(sights, key=lambda sight: sight.time_s)
    nodes = [_Node(state, tuple(range(len(sights))), Line((), 0.0, 0.0))]
    done: dict[tuple[Event, ...], Line] = {}
    while nodes:
        grown: dict[tuple[Event, ...], _Node] = {}
        for node in nodes:
            for after in _grow(node, sights, gone, in_gap):
                said = tuple(one.event for one in after.line.events)
                if not after.left:
                    if said not in done or done[said].cost > after.line.cost:
                        done[said] = after.line
                elif said not in grown or grown[said].line.cost > after.line.cost:
                    grown[said] = after
        nodes = sorted(grown.values(), key=lambda node: node.line.cost)[:KEPT]
    if not done:
        return None
    lines = sorted(done.values(), key=lambda line: line.cost)
    weights = [math.exp(lines[0].cost - line.cost) for line in lines]
    return Proposal(lines[0], weights[0] / sum(weights), lines[1] if len(lines) > 1 else None)


def _grow(node: _Node, sights: Sequence[Sight], gone: Sequence[Gone], in_gap: bool) -> Iterator[_Node]:
    for index in node.left[:3]:
        sight = sights[index]
        left = tuple(other for other in node.left if other != index)
        early = sum(max(0.0, sight.time_s - sights[other].time_s) for other in left if other < index)
        late = 0.0 if in_gap else OUT_OF_ORDER * min(early, 5.0)
        merged = [
            *_with_turned_flowers(sight, index, sights, node.left, node.state),
            *_with_fourth(sight, index, sights, node.left),
        ]
        for taken, whole in ((left, sight), *merged):
            for reading in readings(whole, node.state, gone):
                yield from _apply(node, taken, whole, reading, late, gone, in_gap)


def _with_turned_flowers(
    sight: Sight, index: int, sights: Sequence[Sight], left: tuple[int, ...], state: TableState
) -> Iterator[tuple[tuple[int, ...], Sight]]:
    """Flowers that came to the dealer together with the gold were turned up in its place."""
    if sight.act is not Act.GOLD:
        return
    flowers: list[int] = []
    at = sight.time_s
    for other in sorted(left, key=lambda other: -sights[other].time_s):
        one = sights[other]
        if one.act is not Act.FLOWERS or one.seat is not state.dealer:
            continue
        if abs(one.time_s - at) <= TURNED_S or _missed_a_round(state, state.dealer):
            flowers.insert(0, other)
            at = one.time_s
    if flowers:
        tiles = tuple(tile for other in flowers for tile in sights[other].tiles)
        whole = Sight(Act.GOLD, None, (*tiles, *sight.tiles), sight.time_s)
        yield tuple(other for other in left if other != index and other not in flowers), whole


def _with_fourth(
    sight: Sight, index: int, sights: Sequence[Sight], left: tuple[int, ...]
) -> Iterator[tuple[tuple[int, ...], Sight]]:
    """Three tiles of a meld and the fourth, which came to it a little later."""
    if sight.act is not Act.MELD or len(sight.tiles) != 3:
        return
    for other in left:
        fourth = sights[other]
        if fourth.act is not Act.MELD or fourth.seat is not sight.seat or len(fourth.tiles) != 1:
            continue
        if abs(fourth.time_s - sight.time_s) <= FOURTH_S:
            whole = Sight(Act.MELD, sight.seat, (*sight.tiles, *fourth.tiles), fourth.time_s)
            yield tuple(one for one in left if one not in (index, other)), whole


def _apply(
    node: _Node,
    left: tuple[int, ...],
    sight: Sight,
    reading: Reading,
    late: float,
    gone: Sequence[Gone],
    in_gap: bool,
) -> Iterator[_Node]:
    for before, unnoticed in ways(node.state, reading.event):
        state, line = node.state, node.line
        doubt = reading.cost + late + _against_unnoticed(reading.event, unnoticed, gone, in_gap)
        doubt += TOO_FAST if _gold_right_after_flowers(line, sight, state) else 0.0
        events = list(line.events)
        broken = list(line.violations)
        for event in (*before, reading.event):
            doubt += _odd(state, event)
            state, violation = step(state, event)
            if violation is not None:
                broken.append(violation)
                doubt += _weight(violation, event)
            seen = event is reading.event
            hidden = not seen and isinstance(event, Discard | GoldOpened)
            events.append(Happened(event, reading if seen else None, sight if seen else None, hidden))
        cost = line.cost + doubt - math.log(max(reading.chance, 1e-6))
        yield _Node(state, left, Line(tuple(events), line.doubt + doubt, cost, tuple(broken)))


def _against_unnoticed(event: Event, count: int, gone: Sequence[Gone], in_gap: bool) -> float:
    """What speaks against so many acts that nobody saw before this one."""
    if count == 0:
        return 0.0
    if in_gap:
        return UNNOTICED_IN_A_GAP * count
    if not isinstance(event, Chow | Pung | KongOpen):
        return UNNOTICED * count
    left = any(one.face == event.tile and one.seat is not event.seat for one in gone)
    return UNNOTICED * (count - 1) + (UNNOTICED if left else TAKEN_UNNOTICED)


def _odd(state: TableState, event: Event) -> float:
    """What the engine allows and players rarely do: a flower laid out of turn."""
    if not isinstance(event, FlowersLaid):
        return 0.0
    if state.phase is Phase.OPENING_FLOWERS:
        return ROUND_MISSED if event.seat is state.dealer and _missed_a_round(state, event.seat) else 0.0
    return LATE_FLOWER if event.seat is not state.turn else 0.0


def _gold_right_after_flowers(line: Line, sight: Sight, state: TableState) -> bool:
    """The gold was opened sooner after flowers of the dealer than he could have drawn for them."""
    seen = [one.sight for one in line.events if one.sight is not None]
    if sight.act is not Act.GOLD or not seen or seen[-1].act is not Act.FLOWERS:
        return False
    return seen[-1].seat is state.dealer and sight.time_s - seen[-1].time_s <= TURNED_S


def _missed_a_round(state: TableState, seat: Seat) -> bool:
    """Whether others have laid flowers in more rounds than this seat, so that it cannot have drawn one since."""
    laid = Counter(event.seat for event in state.log if isinstance(event, FlowersLaid))
    return any(count > laid[seat] for count in laid.values())


def _weight(violation: Violation, event: Event) -> float:
    if not violation.certain:
        return POSSIBLY_ILLEGAL
    if violation.kind is ViolationKind.IMPOSSIBLE_TILES:
        return ILLEGAL
    return ILLEGAL_WIN if isinstance(event, WinClaim) else ILLEGAL
