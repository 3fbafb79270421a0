"""Which tile is which over time. Tiles lie still and look alike, so a place on the table is what tells them apart.

One verb: `TileTracker.update`, with the time as an argument. A tile is believed after it was read at rest several
times over more than half a second; one that is not read is covered or missed until its place was seen empty for a
while; one that turns up elsewhere soon after keeps its number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.tiles import Tile
from vision.live.consensus import BACK, Consensus, chances
from vision.reading import Point, Quad, TileReading

Floats = NDArray[np.float64]


class Sight(IntEnum):
    """What is known of a place where no tile was read."""

    UNSEEN = 0
    """Nobody looked, or it is outside the picture."""
    COVERED = 1
    """Something moves there or lies over it."""
    MISSED = 2
    """It was looked at and no tile was read; nothing is known of what was there instead."""
    EMPTY = 3
    """It was looked at, and the table can be seen."""
    SAME = 4
    """It looks as it did when it was read last: reading it again would say the same."""
    STRANGE = 5
    """It was read, and shows something that is neither a tile nor the table."""


Look: TypeAlias = Callable[[Floats], NDArray[np.int64]]
"""From places [N, 2] in table coordinates to their `Sight` [N]."""


@dataclass(frozen=True, slots=True)
class PlacedReading:
    """A reading and where it lies: centre in table coordinates, which way its upper edge points (degrees
    counterclockwise from +y), width and height as they appear on the table ((0, 0) where that is not known)."""

    reading: TileReading
    place: Point
    turn_deg: float = 0.0
    size: Point = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class TrackingRule:
    """How slowly is believed. Lengths in widths of a tile, times in seconds.

    Attributes:
        gate: a reading this near to where a tile lies is that tile.
        still: a tile that moved less than this is at rest.
        apart: two tiles never lie nearer to each other.
        believe_s, believe_looks: how long and how often a tile must have been read at rest.
        believe_votes: how often it was really read among these looks; the others only saw that nothing changed.
        another_looks: how often one must have been read as another after it was out of sight, or as lying on its other
            side, to be another.
        another_unsure_looks: how often, where it is read as nothing that is sure.
        doubtful_looks: how often, where it shows nothing that is known.
        hit_share: and in which share of the looks at its place.
        empty_s, empty_looks: how long and how often a place must have been seen empty before its tile is gone.
        missed_s, missed_looks: the same for a place of which only the reading is missing.
        look_counts_s: the most that one look counts towards these times, however long ago the look before was.
        crowd, crowd_reach: so many tiles missing at once within this distance are covered, not gone.
        forget_s: a reading that does not come back is forgotten after so long.
        forget_covered_s: the same while something moves or lies over its place.
        adopt_s: a tile that turns up so long after its like was last seen elsewhere is that tile.
        wait_s: how long a new tile waits for a like one that may be it: the place of the other is not seen.
        condition_s: viewing conditions are taken for the same no longer than this.
    """

    gate: float = 0.5
    still: float = 0.25
    apart: float = 0.72
    believe_s: float = 0.6
    believe_looks: int = 3
    believe_votes: int = 2
    another_looks: int = 4
    another_unsure_looks: int = 12
    doubtful_looks: int = 5
    hit_share: float = 0.5
    empty_s: float = 0.7
    empty_looks: int = 3
    missed_s: float = 1.2
    missed_looks: int = 4
    look_counts_s: float = 0.5
    crowd: int = 4
    crowd_reach: float = 3.5
    forget_s: float = 1.2
    forget_covered_s: float = 5.0
    adopt_s: float = 6.0
    wait_s: float = 2.0
    condition_s: float = 8.0


RULE = TrackingRule()
_SURE = 0.8
_MOVED = 0.4  # a tile that is read badly may seem to lie so far from where it lies, in widths
_ASKEW_DEG = 8.0  # rows and lanes run along the table, and tiles in them lie less aslant
_MAYBE = 0.02  # a reading that gives a label more than this does not speak against it


@dataclass(slots=True, eq=False)
class Track:
    """One tile. ``number`` is None until it is believed.

    Attributes:
        place, turn_deg, quad: where it lies; the quad in pixels of ``frame_seen``.
        consensus: what it shows.
        born_s: first read at rest here. since_s: believed since. seen_s: last read.
        frame_seen, frame_s: number and time of the frame it was read in last. best_frame: and most surely.
        size: width and height as they appear on the table.
        sight: what its place was like when it was looked at last and not read; None where it was read.
    """

    place: Floats
    turn_deg: float
    quad: Quad
    born_s: float
    seen_s: float
    frame_seen: int
    frame_s: float = 0.0
    consensus: Consensus = field(default_factory=Consensus)
    number: int | None = None
    since_s: float = 0.0
    hits: int = 1
    looks: int = 1
    looked_s: float = 0.0
    sight: Sight | None = None
    missing_since_s: float | None = None
    absent_s: float = 0.0
    absent_looks: int = 0
    best_frame: int = 0
    best_confidence: float = 0.0
    moving: bool = False
    unread: bool = False
    """The last time its place was read, it was not read there."""
    afresh: Consensus | None = None
    afresh_s: float = 0.0
    size: Floats = field(default_factory=lambda: np.zeros(2))
    origin: Floats | None = None
    """Where it lay before it was moved; None for one that was not."""

    @property
    def label(self) -> int | None:
        """Index of what it shows in `vision.live.consensus`."""
        return self.consensus.label

    @property
    def is_missing(self) -> bool:
        """True where its place was looked at and it was not read."""
        return self.missing_since_s is not None


class TileTracker:
    """Keeps the tiles of one table. Memory is bounded by the tiles on the table.

    Args:
        rule: how slowly is believed.
    """

    def __init__(self, rule: TrackingRule = RULE) -> None:
        self.rule = rule
        self._tracks: list[Track] = []
        self._lost: list[tuple[float, Track]] = []
        self._next = 1
        self._time_s: float | None = None
        self._condition = 0
        self._condition_s = 0.0

    @property
    def tiles(self) -> tuple[Track, ...]:
        """The tiles believed in, in the order of their numbers."""
        believed = [track for track in self._tracks if track.number is not None]
        return tuple(sorted(believed, key=lambda track: track.number or 0))

    @property
    def moving(self) -> tuple[Point, ...]:
        """Where tiles were read that are not believed yet."""
        return tuple(_point(track.place) for track in self._tracks if track.number is None)

    @property
    def candidates(self) -> tuple[Track, ...]:
        """What was read and is not believed yet."""
        return tuple(track for track in self._tracks if track.number is None)

    @property
    def places(self) -> Floats:
        """Where the tiles believed in lie, [N, 2], in the order of ``tiles``."""
        return _places(self.tiles)

    def new_condition(self, time_s: float) -> None:
        """Says that light or camera changed: what is read from now on is new evidence."""
        self._condition += 1
        self._condition_s = time_s

    def move(self, places: Callable[[Floats], Floats]) -> None:
        """Moves every place, where the table coordinates themselves were found anew."""
        if self._tracks:
            moved = places(_places(self._tracks))
            for track, place in zip(self._tracks, moved, strict=True):
                track.place = place
        for _, track in self._lost:
            track.place = places(track.place[None])[0]

    def update(
        self, readings: Iterable[PlacedReading], time_s: float, *, look: Look | None = None, frame: int = 0
    ) -> None:
        """Counts what was read at one time.

        Args:
            readings: what was read, wherever it was looked.
            time_s: when; ValueError where it runs backwards.
            look: what is known of the places where nothing was read; all were looked at where it is left out.
            frame: number of the frame.
        """
        if self._time_s is not None and time_s < self._time_s:
            raise ValueError(f"time runs backwards: {time_s} s after {self._time_s} s")
        if time_s - self._condition_s >= self.rule.condition_s:
            self.new_condition(time_s)
        given = list(readings)
        pairs, alone = self._match(given)
        for track, index in pairs:
            self._see(track, given[index], time_s, frame)
        read = {id(track) for track, _ in pairs}
        unread = [track for track in self._tracks if id(track) not in read]
        believed = [given[index] for track, index in pairs if track.number is not None]
        self._miss(unread, believed, [given[index] for index in alone], time_s, look)
        taken = _places([track for track, _ in pairs])
        for index in alone:
            if not _near(np.array(given[index].place), taken, self.rule.apart).any():
                self._begin(given[index], time_s, frame)
        self._forget(time_s)
        self._believe(time_s)
        self._time_s = time_s

    # --- reading by reading

    def _match(self, given: Sequence[PlacedReading]) -> tuple[list[tuple[Track, int]], list[int]]:
        """Pairs of tracks and readings, nearest first, and the readings left over.

        Greedy on purpose: tiles are at least a width apart and lie still, so the nearest is right, while a sum over
        all pairs would shift a whole row by one to win a little.
        """
        if not given or not self._tracks:
            return [], list(range(len(given)))
        places = np.array([item.place for item in given], np.float64).reshape(-1, 2)
        apart = np.linalg.norm(_places(self._tracks)[:, None] - places[None], axis=2)
        rows, columns = np.nonzero(apart < self.rule.gate)
        cost = apart[rows, columns]
        labels = [_label_of(item.reading) for item in given]
        for k, (row, column) in enumerate(zip(rows.tolist(), columns.tolist(), strict=True)):
            if labels[column] is not None and labels[column] != self._tracks[row].label:
                cost[k] += 0.2
            if self._tracks[row].number is None:
                cost[k] += 0.1
        pairs, used_tracks, used = [], set(), set()
        for k in np.argsort(cost, kind="stable").tolist():
            row, column = int(rows[k]), int(columns[k])
            if row not in used_tracks and column not in used:
                used_tracks.add(row)
                used.add(column)
                pairs.append((self._tracks[row], column))
        return pairs, [index for index in range(len(given)) if index not in used]

    def _begin(self, item: PlacedReading, time_s: float, frame: int) -> None:
        track = Track(
            np.array(item.place, np.float64),
            item.turn_deg,
            item.reading.quad,
            time_s,
            time_s,
            frame,
            time_s,
            looked_s=time_s,
        )
        track.size = np.array(item.size, np.float64)
        track.best_frame, track.best_confidence = frame, item.reading.confidence
        track.consensus.vote(item.reading, self._condition)
        self._tracks.append(track)

    def _see(self, track: Track, item: PlacedReading, time_s: float, frame: int) -> None:
        """A reading of a track."""
        place = np.array(item.place, np.float64)
        off = float(np.linalg.norm(place - track.place))
        as_before = off < _MOVED and _is_askew_alike(track.turn_deg, item.turn_deg)
        if track.number is None and off > self.rule.still:  # it still moves
            track.place, track.born_s, track.hits, track.looks = place, time_s, 1, 1
            track.consensus = Consensus()
            track.moving = True
        else:
            share = max(0.15, 1.0 / (track.hits + 1)) if track.number is None else 0.15
            track.place = track.place + share * (place - track.place)
            track.hits += 1
            track.looks += 1
            track.moving = False
        away = track.missing_since_s is not None and time_s - track.missing_since_s >= 0.3
        if away and track.number is not None and not as_before:
            # it was away from sight: whatever lies there now is looked at with fresh eyes
            track.afresh, track.afresh_s = Consensus(), time_s
        track.turn_deg = _turned(track.turn_deg, item.turn_deg, 0.3)
        track.size = track.size + 0.3 * (np.array(item.size, np.float64) - track.size)
        track.quad, track.frame_seen, track.frame_s = item.reading.quad, frame, time_s
        track.seen_s = track.looked_s = time_s
        track.sight, track.missing_since_s, track.absent_s, track.absent_looks = None, None, 0.0, 0
        track.unread = False
        if item.reading.confidence > track.best_confidence:
            track.best_frame, track.best_confidence = frame, item.reading.confidence
        if track.number is not None and track.afresh is None and _is_turned_over(track, item.reading):
            track.afresh, track.afresh_s = Consensus(), time_s
        if track.afresh is None or not self._is_another(track, track.afresh, item.reading, time_s):
            track.consensus.vote(item.reading, self._condition)

    def _see_again(self, track: Track, time_s: float) -> None:
        """The picture shows what was read before: nothing to vote on, but the tile is there."""
        track.sight, track.missing_since_s, track.absent_s, track.absent_looks = None, None, 0.0, 0
        track.hits += 1
        track.looks += 1
        track.seen_s = track.looked_s = time_s

    def _is_another(self, track: Track, fresh: Consensus, reading: TileReading, time_s: float) -> bool:
        """True while another tile seems to lie where one lay before it was covered.

        Every reading since has to say so; then the number goes, and a new tile begins.
        """
        if chances(reading)[track.label or 0] > _MAYBE:
            track.afresh = None
            return False
        fresh.vote(reading, self._condition)
        sure = reading.face_down or reading.confidence >= _SURE
        looks = self.rule.another_looks if sure else self.rule.another_unsure_looks
        if fresh.votes >= looks and time_s - track.afresh_s >= self.rule.believe_s:
            track.afresh = None
            self._lose(replace(track, seen_s=track.afresh_s), time_s)
            track.number, track.consensus, track.since_s, track.origin = None, fresh, 0.0, None
            track.born_s, track.hits, track.looks = track.afresh_s, fresh.votes, fresh.votes
        return True

    def _miss(
        self,
        unread: list[Track],
        believed: list[PlacedReading],
        others: list[PlacedReading],
        time_s: float,
        look: Look | None,
    ) -> None:
        """Tracks that were not read now: unseen, covered, missed, or not there any more."""
        if not unread:
            return
        places = _places(unread)
        sights = np.full(len(unread), Sight.MISSED, np.int64) if look is None else look(places)
        for items, told in ((others, Sight.MISSED), (believed, Sight.EMPTY)):  # another tile lies across the place
            foreign = np.array([item.place for item in items], np.float64).reshape(-1, 2)
            across = [bool(_near(track.place, foreign, self.rule.apart).any()) for track in unread]
            open_to_it = (sights < Sight.MISSED) | (told is Sight.EMPTY)
            sights = np.where(np.array(across) & open_to_it, told, sights)
        looked = (sights == Sight.MISSED) | (sights == Sight.EMPTY)
        for row in np.flatnonzero(looked).tolist():
            if unread[row].missing_since_s is None:
                unread[row].missing_since_s = time_s
        crowd = self._crowds(unread, sights, time_s)
        for row, track in enumerate(unread):
            sight = Sight(int(sights[row]))
            if sight is Sight.UNSEEN:
                continue
            if sight is Sight.SAME and not track.unread:
                self._see_again(track, time_s)
                continue
            if sight is Sight.SAME:  # what was seen there then is there still
                sight = Sight.EMPTY if track.sight is Sight.EMPTY else Sight.STRANGE
            if sight is not Sight.COVERED:
                track.unread = True
            if sight is Sight.STRANGE:
                sight = Sight.COVERED
            if sight is Sight.COVERED or (sight is Sight.MISSED and crowd[row]):
                track.sight = Sight.COVERED
                track.absent_s, track.absent_looks = 0.0, 0
                if track.missing_since_s is None:
                    track.missing_since_s = time_s
                track.looked_s = time_s
                continue
            track.sight = sight
            track.looks += 1
            track.absent_s += min(time_s - track.looked_s, self.rule.look_counts_s)
            track.absent_looks += 1
            track.looked_s = time_s

    def _crowds(self, unread: list[Track], sights: NDArray[np.int64], time_s: float) -> NDArray[np.bool_]:
        """Which of the missed tiles are missed together with many around them, as under an arm or in a flash."""
        believed = np.array([track.number is not None for track in unread], np.bool_)
        gone = believed & (sights == Sight.MISSED)
        if int(gone.sum()) < self.rule.crowd:
            return np.zeros(len(unread), np.bool_)
        places = _places(unread)
        near = np.linalg.norm(places[:, None] - places[None], axis=2) <= self.rule.crowd_reach
        with_it = (near & gone[None]).sum(axis=1)
        seen = [track for track in self._tracks if track.number is not None and track.seen_s >= time_s]
        if not seen:
            return np.asarray(with_it >= self.rule.crowd, np.bool_)
        around = (np.linalg.norm(places[:, None] - _places(seen)[None], axis=2) <= self.rule.crowd_reach).sum(axis=1)
        return np.asarray((with_it >= self.rule.crowd) & (with_it * 2 >= around), np.bool_)

    def _forget(self, time_s: float) -> None:
        """Lets go of tiles whose place was seen empty for long enough, and of readings that did not come back."""
        kept = []
        for track in self._tracks:
            if track.number is None:
                covered = track.sight is Sight.COVERED and not track.unread
                stale = time_s - track.seen_s > (self.rule.forget_covered_s if covered else self.rule.forget_s)
                if not stale and not (track.absent_looks >= 2 and track.hits < self.rule.believe_looks):
                    kept.append(track)
            elif self._is_gone(track):
                self._lose(track, time_s)
            else:
                kept.append(track)
        self._tracks = kept
        self._lost = [(when, track) for when, track in self._lost if time_s - when <= self.rule.adopt_s]

    def _is_gone(self, track: Track) -> bool:
        rule = self.rule
        if track.sight is Sight.EMPTY:
            return track.absent_s >= rule.empty_s and track.absent_looks >= rule.empty_looks
        if track.sight is Sight.MISSED:
            return track.absent_s >= rule.missed_s and track.absent_looks >= rule.missed_looks
        return False

    def _lose(self, track: Track, time_s: float) -> None:
        self._lost.append((time_s, track))

    # --- belief

    def _believe(self, time_s: float) -> None:
        """Gives numbers to what was read at rest long enough: that of a tile moved from elsewhere, or a new one."""
        for track in sorted(self._tracks, key=lambda track: track.born_s):
            if track.number is not None or not self._is_at_rest(track, time_s):
                continue
            before = self._moved_from(track)
            if before is not None:
                self._lost = [(when, lost) for when, lost in self._lost if lost is not before]
                track.number, track.since_s, track.origin = before.number, time_s, before.place
                track.best_frame, track.best_confidence = track.frame_seen, 0.0
            elif not self._may_be_another(track, time_s):
                track.number, track.since_s = self._next, time_s
                self._next += 1

    def _is_at_rest(self, track: Track, time_s: float) -> bool:
        rule = self.rule
        label = track.label
        least = rule.believe_looks if label == BACK or track.consensus.tile is not None else rule.doubtful_looks
        return (
            track.seen_s >= time_s
            and track.hits >= least
            and track.consensus.votes >= min(least, rule.believe_votes)
            and time_s - track.born_s >= rule.believe_s
            and track.hits >= rule.hit_share * track.looks
        )

    def _moved_from(self, track: Track) -> Track | None:
        """The nearest lost tile that showed the same and was last seen not long before this one came."""
        alike = [
            lost
            for _, lost in self._lost
            if _alike(lost.consensus, track.consensus)
            and lost.seen_s <= track.born_s + 0.25
            and track.born_s - lost.seen_s <= self.rule.adopt_s
        ]
        if not alike:
            return None
        return min(alike, key=lambda lost: float(np.linalg.norm(lost.place - track.place)))

    def _may_be_another(self, track: Track, time_s: float) -> bool:
        """True while a like tile is out of sight that may be this one, moved."""
        if track.label == BACK or time_s - track.born_s > self.rule.believe_s + self.rule.wait_s:
            return False
        return any(
            other.number is not None
            and other.missing_since_s is not None
            and other.seen_s <= track.born_s + 0.25
            and track.born_s - other.seen_s <= self.rule.adopt_s
            and _alike(other.consensus, track.consensus)
            for other in self._tracks
        )


def _label_of(reading: TileReading) -> int | None:
    return BACK if reading.face_down else reading.tile


def _is_askew_alike(before: float, now: float) -> bool:
    """Whether a tile lies aslant by the same angle as before: nobody puts another one down like that."""
    off_axis = abs((now + 45.0) % 90.0 - 45.0)
    return off_axis > _ASKEW_DEG and abs((now - before + 45.0) % 90.0 - 45.0) < _ASKEW_DEG


def _is_turned_over(track: Track, reading: TileReading) -> bool:
    """Whether the other side of a tile is surely seen: hands are laid open, the gold lies on a stack of the wall."""
    return (track.label == BACK) is not reading.face_down and reading.confidence >= _SURE


def _alike(one: Consensus, other: Consensus) -> bool:
    """True where both surely show the same face; backs tell nothing."""
    tile: Tile | None = one.tile
    return tile is not None and tile is other.tile


def _places(tracks: Sequence[Track]) -> Floats:
    return np.array([track.place for track in tracks], np.float64).reshape(-1, 2)


def _near(place: Floats, places: Floats, reach: float) -> NDArray[np.bool_]:
    return np.asarray(np.linalg.norm(places - place, axis=1) < reach, np.bool_)


def _point(place: Floats) -> Point:
    return float(place[0]), float(place[1])


def _turned(before: float, now: float, share: float) -> float:
    """A mean of two directions in degrees, -180..180; halves that cannot be told apart stay as they were."""
    step = (now - before + 180.0) % 360.0 - 180.0
    if abs(step) > 120.0:
        return before
    return (before + share * step + 180.0) % 360.0 - 180.0


def turn_of(top_middle: Point, middle: Point) -> float:
    """Direction from a tile's centre to its upper edge, degrees counterclockwise from +y, -180..180.

    >>> turn_of((0.0, 1.0), (0.0, 0.0)), turn_of((-1.0, 0.0), (0.0, 0.0))
    (0.0, 90.0)
    """
    return math.degrees(math.atan2(middle[0] - top_middle[0], top_middle[1] - middle[1]))
