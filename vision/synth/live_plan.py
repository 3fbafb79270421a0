"""A clip before it is filmed: which tile lies where at every moment, where arms are, and what happened when.

`plan_live` is a pure function of a generator and a log. Nothing here knows a camera: `live_sight` does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.eventlog import format_event
from engine.events import (
    Chow,
    Deal,
    Discard,
    Draw,
    Event,
    FlowersLaid,
    GoldOpened,
    KongAdded,
    KongConcealed,
    KongOpen,
    KongShown,
    LaidOpen,
    Log,
    Pung,
    WinClaim,
    seat_of,
)
from engine.seats import Seat
from engine.tiles import Tile, Unseen
from vision.synth.designs import Body
from vision.synth.live_acts import Acts
from vision.synth.live_building import build_walls
from vision.synth.live_faults import PLAY_STOPS, Disturbance, Fault, FaultKind, Faults
from vision.synth.live_motion import Arm, ArmTrack, TileTrack
from vision.synth.live_stage import Stage
from vision.synth.placing import Placed
from vision.synth.table_plan import Customs

LEAD_S, TAIL_S = 1.5, 2.0
"""How long the table rests before the first event and after the last one."""
PACES = (0.55, 1.5)
"""Seconds a discard takes: hasty, slow."""


@dataclass(frozen=True, slots=True, eq=False)
class LiveTile:
    """One tile at one moment. ``placed`` is the same value as long as it rests."""

    number: int
    placed: Placed
    is_moving: bool = False
    carried_by: Seat | None = None


@dataclass(frozen=True, slots=True)
class TimedEvent:
    """Something a camera could see. ``event`` is what it could see of it: a drawn tile and a closed kong are backs.

    ``start_s`` is when the hand sets out, ``time_s`` when all tiles rest again, ``clear_s`` when the hands are gone.
    """

    number: int
    event: Event
    start_s: float
    time_s: float
    clear_s: float

    @property
    def text(self) -> str:
        """The line of the log."""
        return format_event(self.event)


@dataclass(frozen=True, slots=True)
class TakeBack:
    """A discard that was put down and taken back."""

    number: int
    seat: Seat
    tile: Tile
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True, eq=False)
class LivePlan:
    """Everything that happens in a clip.

    Attributes:
        log: all events up to the end of the clip; the first ``first - 1`` have happened before it starts.
        near: the seat at -y, next to the camera.
        tracks: the 144 tiles.
        arms: every reach over the table.
        events: what could be seen, in order.
        takes_winning: the winning discard was taken to the winner's hand; else it stays in the middle.
    """

    log: Log
    first: int
    near: Seat
    body: Body
    customs: Customs
    tracks: tuple[TileTrack, ...]
    arms: tuple[ArmTrack, ...]
    events: tuple[TimedEvent, ...]
    disturbances: tuple[Disturbance, ...]
    take_backs: tuple[TakeBack, ...]
    duration_s: float
    fps: float
    pace: float
    takes_winning: bool
    seed: int
    """For what happens by chance in single frames."""

    def tiles_at(self, time_s: float) -> list[LiveTile]:
        """All tiles of the set."""
        found = []
        for track in self.tracks:
            placed, move = track.at(time_s)
            found.append(LiveTile(track.number, placed, move is not None, None if move is None else move.seat))
        return found

    def arms_at(self, time_s: float) -> list[Arm]:
        """The arms over the table."""
        found = [track.at(time_s) for track in self.arms if track.start_s <= time_s <= track.end_s]
        return [arm for arm in found if arm is not None]

    def covered_at(self, time_s: float) -> set[int]:
        """Numbers of the tiles whose middle an arm hides, seen from straight above."""
        arms = self.arms_at(time_s)
        if not arms:
            return set()
        tiles = ((tile.number, tile.placed.centre) for tile in self.tiles_at(time_s))
        return {number for number, at in tiles if any(arm.covers(float(at[0]), float(at[1])) for arm in arms)}

    def frame_times(self) -> list[tuple[int, float]]:
        """Numbers and times of the frames that were taken: none in a gap, and not those that were dropped."""
        found = []
        for frame in range(math.floor(self.duration_s * self.fps) + 1):
            time_s = frame / self.fps
            if not self.is_lost(frame):
                found.append((frame, time_s))
        return found

    def is_lost(self, frame: int) -> bool:
        """Whether a frame is missing: dropped, or in a gap."""
        for disturbance in self.disturbances:
            if not disturbance.at(frame / self.fps):
                continue
            if disturbance.kind is FaultKind.GAP:
                return True
            if disturbance.kind is FaultKind.DROPPED:
                chance = np.random.default_rng([self.seed, frame]).random()
                if chance < 0.1 + 0.35 * disturbance.fault.strength:
                    return True
        return False


def plan_live(
    rng: np.random.Generator,
    log: Log,
    body: Body,
    customs: Customs | None = None,
    *,
    near: Seat = Seat.EAST,
    fps: float = 5.0,
    pace: float = 1.0,
    first: int | None = None,
    last: int | None = None,
    faults: Faults = (),
    building_s: float = 0.0,
) -> LivePlan:
    """The clip of a hand, or of its events ``first`` to ``last`` (numbers of the log, from 1).

    ``log`` shows all tiles, from the deal on, as `engine.simulate` plays it; without ``first`` the clip starts when
    the hands have been dealt. ``pace`` is about how many seconds a discard takes.
    With ``building_s`` the walls are built and dealt before, in so many seconds.

    Raises:
        ValueError: the log does not show what lies on the table, or cannot be played with 144 tiles, or has no such
            events.
    """
    log = log[: len(log) if last is None else last]
    first = first_act(log) if first is None else first
    if not first_act(log) <= first <= len(log):
        raise ValueError(f"no events {first} to {last or len(log)} to show; expected some of {first_act(log)} on")
    stage = Stage(rng, log, body, customs or Customs.random(rng), near)
    acts = Acts(stage, pace, bool(rng.random() < 0.5))
    for number in range(1, first):
        acts.play(number, log[number - 1], 0.0)
    stage.roll()
    director = _Director(stage, acts, faults)
    if building_s:
        if first != first_act(log):
            raise ValueError("walls are built before a hand; expected a clip from its first event on")
        build_walls(stage, building_s)
        director.time_s += building_s
    for number in range(first, len(log) + 1):
        director.event(number, log[number - 1])
    director.faults(len(log) + 1)
    tracks = [TileTrack(one, stage.first[one], tuple(stage.moves.get(one, ()))) for one in sorted(stage.tiles)]
    duration = max([director.time_s + TAIL_S, *(found.end_s + 1.0 for found in director.disturbances)])
    return LivePlan(
        log=log,
        first=first,
        near=near,
        body=body,
        customs=stage.customs,
        tracks=tuple(tracks),
        arms=tuple(stage.arms),
        events=tuple(director.events),
        disturbances=tuple(sorted(director.disturbances, key=lambda found: found.start_s)),
        take_backs=tuple(director.take_backs),
        duration_s=duration,
        fps=fps,
        pace=pace,
        takes_winning=acts.takes_winning,
        seed=int(rng.integers(1 << 30)),
    )


def first_act(log: Log) -> int:
    """The number of the first event after the deal and the hands that were dealt."""
    return 1 + next((place for place, event in enumerate(log) if not isinstance(event, Deal | LaidOpen)), len(log))


def pace_for(log: Log, seconds: float, first: int | None = None, pauses_s: float = 0.0) -> float:
    """The pace at which the events from ``first`` on fill so many seconds; within `PACES`, so it may be longer."""
    first = first_act(log) if first is None else first
    units = sum(_UNITS.get(type(event), 0.0) for event in log[first - 1 :])
    fixed = LEAD_S + TAIL_S + pauses_s + 0.3 * sum(isinstance(event, Discard) for event in log[first - 1 :])
    return float(np.clip((seconds - fixed) / max(units, 1.0), *PACES))


_UNITS: dict[type[Event], float] = {
    Draw: 0.85,
    Discard: 1.2,
    FlowersLaid: 0.85,
    GoldOpened: 1.4,
    Chow: 1.65,
    Pung: 1.65,
    KongOpen: 1.65,
    KongConcealed: 1.2,
    KongAdded: 1.1,
    KongShown: 1.0,
    WinClaim: 2.5,
}
"""How many paces an event takes with the wait after it, about."""


class _Director:
    """Sets events and faults one after the other."""

    def __init__(self, stage: Stage, acts: Acts, faults: Faults) -> None:
        self.stage, self.acts = stage, acts
        self.pending = sorted(faults, key=lambda fault: fault.number)
        self.time_s = LEAD_S
        self.last: Seat | None = None
        """Who acted last: nobody reaches out again before the hand is back."""
        self.events: list[TimedEvent] = []
        self.disturbances: list[Disturbance] = []
        self.take_backs: list[TakeBack] = []

    def event(self, number: int, event: Event) -> None:
        """One event, with what goes wrong before it."""
        stage, pace, rng = self.stage, self.acts.pace, self.stage.rng
        self.faults(number)
        if isinstance(event, Discard):
            self._take_back(number, event)
        seat = seat_of(event)
        start = self.time_s if seat is not self.last else max(self.time_s, stage.clear_s)
        if not self.acts.play(number, event, start):
            return
        self.last = seat
        self._note(number, seen_event(event), start)
        if isinstance(event, WinClaim):
            for meld in stage.melds[event.seat]:
                if meld and stage.now[meld[0]].pose == "up" and _was_hidden(stage, meld):
                    self._note(number, KongShown(event.seat, stage.tiles[meld[0]]), start)
        wait = float(rng.uniform(0.05, 0.3)) * pace
        if isinstance(event, Discard):
            wait = 0.25 + float(rng.uniform(0.2, 0.6)) * pace
        self.time_s = max(stage.rest_s, stage.clear_s - 0.2 * pace) + wait

    def _note(self, number: int, event: Event, start_s: float) -> None:
        self.events.append(TimedEvent(number, event, start_s, self.stage.rest_s, self.stage.clear_s))

    def _take_back(self, number: int, event: Discard) -> None:
        fault = next((one for one in self.pending if one.kind is FaultKind.TAKE_BACK and one.number <= number), None)
        if fault is None:
            return
        start = self.time_s
        tile = self.acts.take_back(number, event, start, fault.seconds)
        if tile is None:
            return
        self.pending.remove(fault)
        end = self.stage.rest_s
        self.take_backs.append(TakeBack(number, event.seat, tile, start, end))
        self.disturbances.append(Disturbance(replace(fault, number=number, seat=event.seat), start, end))
        self.time_s = max(end, self.stage.clear_s - 0.2 * self.acts.pace) + 0.2 * self.acts.pace

    def faults(self, number: int) -> None:
        """What goes wrong before the event of this number."""
        for fault in [one for one in self.pending if one.number < number and one.kind is not FaultKind.TAKE_BACK]:
            self.pending.remove(fault)
            start = self.time_s
            if fault.kind in PLAY_STOPS:
                self._stop(fault, start)
            self.disturbances.append(Disturbance(fault, start, start + fault.seconds))

    def _stop(self, fault: Fault, start_s: float) -> None:
        if fault.kind is FaultKind.SORT:
            self.acts.sort(fault.seat, start_s, fault.seconds)
        else:
            self.acts.cover(fault.seat, start_s, fault.seconds)
        self.time_s = max(self.stage.clear_s, start_s + fault.seconds) + 0.3


def _was_hidden(stage: Stage, meld: Sequence[int]) -> bool:
    moves = stage.moves.get(meld[0], [])
    before = moves[-2].to if len(moves) > 1 else stage.first[meld[0]]
    return bool(moves) and moves[-1].end_s > 0 and before.pose == "down" and before.group == "meld"


def seen_event(event: Event) -> Event:
    """What a camera sees of an event: drawn tiles and concealed kongs are backs."""
    if isinstance(event, Draw):
        return replace(event, tile=Unseen.BACK)
    if isinstance(event, KongConcealed):
        return KongConcealed(event.seat)
    return event
