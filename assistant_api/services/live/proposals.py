"""What happened, out of all that may have: the line of events that fits the rules, the labels and the times best.

Everything seen since the log was last sure is explained together. A line of events is built act by act on the engine's
own table, with the draws it needs, and the best few are kept. What speaks against a line is counted in natural
logarithms: an unlikely label, an act before one that was seen earlier, an illegal act, an act nobody noticed, a sight
that it leaves out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from assistant_api.services.live.changes import Act, Sight
from assistant_api.services.live.gaps import TAKEN, Gap
from assistant_api.services.live.inferred import ways
from assistant_api.services.live.joining import merged
from assistant_api.services.live.opening import before_any_draw, gold_too_soon, out_of_round
from assistant_api.services.live.readings import Gone, Reading, readings
from assistant_api.services.live.sameness import Acts, acts_of, with_act
from assistant_api.services.live.stepping import stepped
from engine.events import Chow, Discard, Event, FlowersLaid, GoldOpened, KongOpen, Log, Pung, WinClaim
from engine.seats import Seat
from engine.table import Phase, PutUp, TableState
from engine.violations import Violation, ViolationKind

NEXT, NEXT_IN_A_GAP = 3, 6
"""So many of the sights that are left may come next."""
NARROW, WIDE = (4, 4.0), (8, 9.0)
"""So many unfinished lines are followed, and none that is so much worse than the best."""
LEAST, MOST, IN_ALL = 6, 16, 120
"""In a gap so many, and fewer the more there is to explain."""
ILLEGAL, POSSIBLY_ILLEGAL, ILLEGAL_WIN, FALSE_WIN = 6.0, 0.5, 1.5, 4.0
UNNOTICED, TAKEN_UNNOTICED = 6.0, 4.0
"""Against a discard nobody saw; one that was claimed at once, where no such tile left the river."""
NOT_FOUND_PER_S, NOT_FOUND = 0.4, 2.0
"""Against a discard nobody saw for each second in which it was not found after all, and at most."""
OUT_OF_ORDER = 1.2
"""Against each second by which a later act is put first."""
GOLD_LATE = 0.2
"""The same for the gold, which is hard to see on its stack."""
AT_ONCE_S = 0.5
"""Two discards seen within this time may have come in either order."""
LATE_FLOWER = 2.5
ALONE = 3.0
"""Against a flower that fills a hole of its row having been laid after those around it."""
LEFT_OUT, LEFT_OUT_PER_S, LEFT_OUT_AT_MOST = 1.5, 1.2, 12.0
"""Against a sight being none: the longer it lay there, the more."""
SECOND_GOLD = 0.5
"""Against a face on the wall being no gold when the gold is known."""
TAKEN_BACK = 3.0
"""Against the last discard having been taken back, when it is gone."""
VANISHED = 6.0
"""Against a discard that left the river and was not claimed."""
STILL_LIES_S, STILL_LIES_PER_S, STILL_LIES, THROWN_LATER = 1.0, 1.5, 5.0, 3.0
"""Against a tile having been claimed that lies there still, for each second after the first; against one that was seen
only after the meld."""
KEPT = 0.7
"""What was said before stays where nothing else is better by more than this."""
SUSPICIOUS = 2.0
"""A line against which more than this speaks, labels aside, is waited with."""


_NONE: Mapping[int, float] = MappingProxyType({})
_NOBODY: Mapping[Seat, tuple[float, float]] = MappingProxyType({})


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
    acts: Acts = ()
    """What it says, whatever way it is said."""

    @property
    def taken_unnoticed(self) -> int:
        """How many discards of it were claimed before anybody saw them."""
        claims = zip(self.events, self.events[1:], strict=False)
        return sum(one.unnoticed and isinstance(claim.event, Chow | Pung | KongOpen) for one, claim in claims)

    @property
    def is_lawful(self) -> bool:
        """Nobody did anything in it that is certainly illegal."""
        return not any(violation.certain for violation in self.violations)

    def goes_on_from(self, acts: Acts) -> bool:
        """Whether it begins with these acts, where there are any."""
        return bool(acts) and self.acts[: len(acts)] == acts

    @property
    def said(self) -> tuple[Event, ...]:
        """Its events."""
        return tuple(one.event for one in self.events)


@dataclass(frozen=True, slots=True)
class Proposal:
    """The best line, its chance among all that were found, and the next best that says something else."""

    line: Line
    chance: float
    second: Line | None = None
    costs: dict[Acts, float] = field(default_factory=dict)
    """What speaks against each line that was found."""
    lawful: float = 0.0
    """The chance of all lines in which nobody did anything that is certainly illegal."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What is explained: the sights in the order of time, the tiles that left the river, and the moment.

    Attributes:
        lying: since when discards lie there of which the log tells already, by the numbers of their events.
        gap: the time of which nothing was seen, where some of it may have come then.
        after_s: when the last discard before was seen, of which the log tells already.
        sides: where seats sit, as far as their tiles show it: unit steps from the middle of the table.
    """

    sights: tuple[Sight, ...]
    gone: tuple[Gone, ...]
    lying: Mapping[int, float]
    now_s: float
    gap: Gap | None
    after_s: float
    sides: Mapping[Seat, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class _Node:
    state: TableState
    left: tuple[int, ...]
    line: Line


@dataclass(frozen=True, slots=True)
class _Step:
    """A way to go on from a node, before it is worked out; no way through it costs less than ``least``."""

    node: _Node
    left: tuple[int, ...]
    sight: Sight
    reading: Reading | None
    doubt: float
    least: float


def explain(
    state: TableState,
    sights: Sequence[Sight],
    gone: Sequence[Gone] = (),
    *,
    lying: Mapping[int, float] = _NONE,
    now_s: float = 0.0,
    gap: Gap | None = None,
    after_s: float = 0.0,
    sides: Mapping[Seat, tuple[float, float]] = _NOBODY,
    said: Log = (),
    wide: bool = False,
) -> Proposal | None:
    """The best explanation of these sights at this table; None when there is none.

    One that goes on from what was ``said`` before is kept unless another is clearly better.
    """
    ordered = tuple(sorted(sights, key=lambda sight: sight.time_s))
    scene = Scene(ordered, tuple(gone), lying, now_s, gap, after_s, sides)
    kept, margin = WIDE if wide or gap is not None else NARROW
    if gap is not None:
        kept = max(LEAST, min(MOST, IN_ALL // max(len(ordered), 1)))
    ahead = [_at_least(sight, scene, state) for sight in scene.sights]
    nodes = [_Node(state, tuple(range(len(scene.sights))), Line((), 0.0, 0.0))]
    done: dict[Acts, Line] = {}

    def whole(cost: float, left: tuple[int, ...]) -> float:
        """What a line will cost with all that is left: those that leave the hard part for later are no better."""
        return cost + sum(ahead[index] for index in left)

    while nodes:
        grown: dict[tuple[object, ...], _Node] = {}
        best = math.inf
        steps = ((whole(one.least, one.left), one) for node in nodes for one in _steps(node, scene))
        for least, one in sorted(steps, key=lambda step: step[0]):
            if least > best + margin:
                break
            for after in _apply(one, scene, best + margin - least + one.least):
                best = min(best, whole(after.line.cost, after.left))
                key = (after.left, *after.line.acts)
                if key not in grown or grown[key].line.cost > after.line.cost:
                    grown[key] = after
        open_nodes = []
        for node in sorted(grown.values(), key=lambda node: whole(node.line.cost, node.left)):
            if node.left:
                open_nodes.append(node)
                continue
            line = _closed(node, scene)
            if line.acts not in done or done[line.acts].cost > line.cost:
                done[line.acts] = line
        nodes = [node for node in open_nodes[:kept] if whole(node.line.cost, node.left) <= best + margin]
    if not done:
        return None
    before = acts_of(said)
    lines = sorted(done.values(), key=lambda line: line.cost - (KEPT if line.goes_on_from(before) else 0.0))
    weights = [math.exp(min(max(lines[0].cost - line.cost, -50.0), KEPT)) for line in lines]
    costs = {line.acts: line.cost for line in lines}
    total = sum(weights)
    lawful = sum(weight for line, weight in zip(lines, weights, strict=True) if line.is_lawful) / total
    return Proposal(lines[0], weights[0] / total, lines[1] if len(lines) > 1 else None, costs, lawful)


def _at_least(sight: Sight, scene: Scene, state: TableState) -> float:
    """About what has to be said against a sight whenever it comes."""
    found = ((one.cost, one.cost - math.log(max(one.chance, 1e-6))) for one in readings(sight, state, scene.gone))
    cost, least = min(found, key=lambda one: one[1], default=(0.0, LEFT_OUT))
    if sight.act is Act.MELD and cost > 0 and scene.gap is not None and scene.gap.hides(sight.time_s):
        least += TAKEN
    return min(least, _against_leaving_out(sight, scene, state))


def _steps(node: _Node, scene: Scene) -> Iterator[_Step]:
    """The sights that may come next, alone or with others that belong to them, or are none."""
    for index in node.left[: NEXT if scene.gap is None else NEXT_IN_A_GAP]:
        sight = scene.sights[index]
        left = tuple(other for other in node.left if other != index)
        hidden = scene.gap is not None and scene.gap.hides(sight.time_s)
        joined = merged(sight, index, scene.sights, node.left, node.state, hidden=hidden)
        for rest, whole, cost in ((left, sight, 0.0), *joined):
            late = _out_of_order(whole, index, rest, scene)
            if scene.gap is not None:
                late += scene.gap.against_row(whole, (scene.sights[other] for other in rest))
            for reading in readings(whole, node.state, scene.gone):
                doubt = reading.cost + late + cost
                if scene.gap is not None and isinstance(reading.event, Discard):
                    doubt += scene.gap.against_thrower(reading.event.seat, whole, scene.sides)
                doubt += ALONE if whole is sight and sight.fills else 0.0
                least = node.line.cost + doubt - math.log(max(reading.chance, 1e-6))
                yield _Step(node, rest, whole, reading, doubt, least)
        if index == node.left[0]:
            doubt = _against_leaving_out(sight, scene, node.state)
            yield _Step(node, left, sight, None, doubt, node.line.cost + doubt)


def _out_of_order(sight: Sight, index: int, left: Sequence[int], scene: Scene) -> float:
    """Against putting a sight before those that were seen earlier. A meld is as old as its tile is gone."""
    since = sight.time_s
    told = 0.0
    if sight.act is Act.DISCARD:
        told = min(5.0, max(0.0, scene.after_s - sight.time_s - AT_ONCE_S))
    if sight.act is Act.MELD:
        kinds = {tile.tile for tile in sight.tiles if tile.tile is not None}
        since = min([since, *(one.since_s for one in scene.gone if one.face in kinds)])
    earlier = [scene.sights[other].time_s for other in left if other < index]
    if scene.gap is not None:
        since, earlier = scene.gap.moment(since), [scene.gap.moment(other) for other in earlier]
    early = sum(max(0.0, since - other) for other in earlier)
    if sight.act is Act.GOLD:
        return GOLD_LATE * min(early, 5.0)
    return OUT_OF_ORDER * max(min(early, 5.0), told)


def _against_leaving_out(sight: Sight, scene: Scene, state: TableState) -> float:
    """Against a sight being none: a mistake of the eye, or a discard that was taken back before anything followed."""
    if sight.act is Act.GOLD and state.indicator is not None:
        return SECOND_GOLD
    sure = min(tile.confidence for tile in sight.tiles)
    cost = LEFT_OUT + LEFT_OUT_PER_S * max(0.0, sight.lay_s(scene.now_s)) * (1.0 if sure > 0.6 else 0.7)
    if sight.gone_s is not None and sight is scene.sights[-1]:
        return min(cost, TAKEN_BACK)
    return min(cost, LEFT_OUT_AT_MOST) + (0.0 if sight.act is Act.DISCARD else 2.0)


def _apply(one: _Step, scene: Scene, limit: float) -> Iterator[_Node]:
    node, reading, sight = one.node, one.reading, one.sight
    if reading is None:
        line = node.line
        without = replace(line, doubt=line.doubt + one.doubt, cost=line.cost + one.doubt)
        yield _Node(node.state, one.left, without)
        return
    for before, unnoticed in ways(node.state, reading.event):
        state, line = node.state, node.line
        doubt = one.doubt + _against_unnoticed(reading.event, unnoticed, sight, scene)
        if line.cost + doubt - math.log(max(reading.chance, 1e-6)) > limit:
            break
        seen = [past.sight for past in line.events if past.sight is not None]
        doubt += gold_too_soon(seen[-1] if seen else None, sight, state)
        events = list(line.events)
        broken, acts = list(line.violations), line.acts
        for event in (*before, reading.event):
            doubt += _odd(state, event)
            if isinstance(event, Discard) and _let_lie(events) is not None:
                doubt += VANISHED
            if event is reading.event and isinstance(event, Chow | Pung | KongOpen):
                doubt += _lies_still(node, state.put_up, sight, scene) if not unnoticed else 0.0
                doubt += scene.gap.against_giver(state.put_up, event.seat, sight) if scene.gap is not None else 0.0
            state, violation = stepped(state, event)
            if violation is not None:
                broken.append(violation)
                doubt += _weight(violation, event)
            is_seen = event is reading.event
            hidden = not is_seen and isinstance(event, Discard | GoldOpened)
            acts = with_act(acts, event)
            events.append(Happened(event, reading if is_seen else None, sight if is_seen else None, hidden))
        cost = line.cost + doubt - math.log(max(reading.chance, 1e-6))
        yield _Node(state, one.left, Line(tuple(events), line.doubt + doubt, cost, tuple(broken), acts))


def _lies_still(node: _Node, offered: PutUp | None, meld: Sight, scene: Scene) -> float:
    """Against the tile on offer having been claimed for a meld: it lies in the river as it did."""
    if offered is None:
        return 0.0
    place = offered.number - (node.state.number - len(node.line.events) + 1)
    since = scene.lying.get(offered.number)
    if place >= 0:
        sight = node.line.events[place].sight if place < len(node.line.events) else None
        since = None if sight is None or sight.gone_s is not None else sight.time_s
    if since is None:
        return 0.0
    cost = STILL_LIES_PER_S * max(0.0, scene.now_s - meld.time_s - STILL_LIES_S)
    return min(cost, STILL_LIES) + (THROWN_LATER if since > meld.time_s + 0.3 else 0.0)


def _let_lie(events: Sequence[Happened]) -> Sight | None:
    """The last discard of a line where it left the river again and nobody has claimed it."""
    for one in reversed(events):
        if isinstance(one.event, Discard):
            return one.sight if one.sight is not None and one.sight.gone_s is not None else None
        if isinstance(one.event, Chow | Pung | KongOpen | WinClaim):
            return None
    return None


def _closed(node: _Node, scene: Scene) -> Line:
    """The line of a node that has nothing left, with what speaks against its last discard having vanished."""
    line, sight = node.line, _let_lie(node.line.events)
    if sight is None or sight.gone_s is None:
        return line
    offered = node.state.put_up is not None
    against = min(VANISHED, 2.0 * (scene.now_s - sight.gone_s)) if offered else VANISHED
    return replace(line, doubt=line.doubt + against, cost=line.cost + against)


def _against_unnoticed(event: Event, count: int, sight: Sight, scene: Scene) -> float:
    """What speaks against so many acts that nobody saw before this one."""
    if count == 0:
        return 0.0
    if scene.gap is not None:
        return scene.gap.against_unnoticed(event, count, sight.time_s)
    if not isinstance(event, Chow | Pung | KongOpen | WinClaim):
        return UNNOTICED * count + min(NOT_FOUND, NOT_FOUND_PER_S * (scene.now_s - sight.time_s))
    left = any(one.face == event.tile and one.seat is not event.seat for one in scene.gone)
    return UNNOTICED * (count - 1) + (UNNOTICED if left else TAKEN_UNNOTICED)


def _odd(state: TableState, event: Event) -> float:
    """What the engine allows and players rarely do: a flower laid out of turn."""
    if not isinstance(event, FlowersLaid):
        return 0.0
    if state.phase is Phase.OPENING_FLOWERS:
        return out_of_round(state, event)
    return LATE_FLOWER if event.seat is not state.turn else before_any_draw(state)


def _weight(violation: Violation, event: Event) -> float:
    if not violation.certain:
        return POSSIBLY_ILLEGAL
    if violation.kind is ViolationKind.IMPOSSIBLE_TILES:
        return ILLEGAL
    if not isinstance(event, WinClaim) or violation.kind in _ANOTHER_WAY:
        return ILLEGAL
    return FALSE_WIN if violation.kind is ViolationKind.FALSE_WIN else ILLEGAL_WIN


_ANOTHER_WAY = (ViolationKind.UNTIMELY_WIN, ViolationKind.NOTHING_TO_CLAIM, ViolationKind.TOO_MANY_TILES)
"""Faults of a win that rather mean that it was won otherwise."""
