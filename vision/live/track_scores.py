"""How well a tracker keeps the tiles of a planned clip: numbers that switch, tiles that come or go by mistake.

Only what people look at counts: tiles at rest in rivers, in melds and among the flowers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.tiles import Tile
from vision.live.view import TableView
from vision.reading import Point
from vision.synth.live_plan import LivePlan
from vision.synth.live_readings import ScriptedFrame

COUNTED = frozenset({"river", "meld", "flowers"})
NEAR = 0.6  # widths of a tile within which a track is a tile's
_SETTLED_S = 2.0  # so long after it came to rest a tile has to be known
_GONE_S = 3.0  # and so long after it left it has to be gone: the hand that took it covers the place at first


@dataclass(frozen=True, slots=True)
class Belief:
    """One tile that a tracker believes in at one moment: its number, place, what it shows (None for back, unknown)."""

    number: int
    place: Point
    tile: Tile | None = None


@dataclass(frozen=True, slots=True)
class TrackScore:
    """Counts over clips.

    Attributes:
        tiles: how often a tile came to rest where it counts, and stayed long enough to be known.
        found: of these, how many were known `_SETTLED_S` after.
        switches: how often a tile took another number, at rest or from one place of rest to the next.
        false_adds: numbers believed where no tile lay.
        false_removes: how often a tile that was known and lay still was not known any more.
        ghosts: tiles believed where they had left, `_GONE_S` after.
        wrong_labels: tiles known at the end of their rest whose face was wrong; unknown ones are not counted.
        frames: frames looked at.
    """

    tiles: int = 0
    found: int = 0
    switches: int = 0
    false_adds: int = 0
    false_removes: int = 0
    ghosts: int = 0
    wrong_labels: int = 0
    frames: int = 0

    def __add__(self, other: TrackScore) -> TrackScore:
        return TrackScore(
            self.tiles + other.tiles,
            self.found + other.found,
            self.switches + other.switches,
            self.false_adds + other.false_adds,
            self.false_removes + other.false_removes,
            self.ghosts + other.ghosts,
            self.wrong_labels + other.wrong_labels,
            self.frames + other.frames,
        )


def score(
    plan: LivePlan, frames: Iterable[ScriptedFrame], track: Callable[[ScriptedFrame], Sequence[Belief]]
) -> TrackScore:
    """How well ``track`` keeps the tiles of a plan; it is called once a frame."""
    rests = _Rests(plan)
    known: dict[int, int] = {}
    missing: set[int] = set()
    stray: set[int] = set()
    found: set[tuple[int, float]] = set()
    due: set[tuple[int, float]] = set()
    ghosts: set[int] = set()
    wrong: dict[tuple[int, float], bool] = {}
    switches = false_removes = count = 0
    begins_s: float | None = None
    for frame in frames:
        count += 1
        begins_s = frame.time_s if begins_s is None else begins_s
        beliefs = track(frame)
        places = np.array([belief.place for belief in beliefs], np.float64).reshape(-1, 2)
        numbers, at, since, faces = rests.at(frame.time_s, begins_s)
        owner = owners(at, places)
        for row, tile in enumerate(numbers):
            stay = (tile, since[row])
            index = owner[row]
            if frame.time_s - since[row] >= _SETTLED_S:
                due.add(stay)
            if index < 0:
                if tile in known and tile not in missing and stay in found:
                    false_removes += 1
                    missing.add(tile)
                continue
            belief = beliefs[index]
            if frame.time_s - since[row] <= _SETTLED_S or stay in found:
                found.add(stay)
            if tile in known and known[tile] != belief.number:
                switches += not _is_twin(known[tile], belief, beliefs)
            known[tile] = belief.number
            missing.discard(tile)
            if belief.tile is not None and stay in found:
                wrong[stay] = belief.tile is not faces[row]
        taken = {int(index) for index in owner if index >= 0}
        free = [index for index in range(len(beliefs)) if index not in taken and _counts(beliefs[index].place, plan)]
        for index in free:
            place = places[index]
            if not rests.lay_near(place, frame.time_s, _GONE_S):
                if rests.lay_near(place, frame.time_s, 1e9):
                    ghosts.add(beliefs[index].number)
                elif not rests.passes(place, frame.time_s):
                    stray.add(beliefs[index].number)
    return TrackScore(
        len(due), len(due & found), switches, len(stray), false_removes, len(ghosts), sum(wrong.values()), count
    )


def _is_twin(number: int, belief: Belief, beliefs: Sequence[Belief]) -> bool:
    """Whether the number is that of a like tile beside this one: which of a pung was claimed nobody can see."""
    return any(
        other.number == number
        and other.tile is belief.tile
        and max(abs(a - b) for a, b in zip(other.place, belief.place, strict=True)) < 4.5
        for other in beliefs
    )


def _counts(place: Point, plan: LivePlan) -> bool:
    """Inside the walls: elsewhere hands, whose tiles move all the time, may be taken for others."""
    return max(map(abs, place)) < 8.0


def owners(tiles: NDArray[np.float64], places: NDArray[np.float64], within: float = NEAR) -> NDArray[np.int64]:
    """For each tile [N, 2] the row of the track [M, 2] that is nearest and near enough, or -1; none is used twice."""
    owner = np.full(len(tiles), -1, np.int64)
    if not len(tiles) or not len(places):
        return owner
    apart = np.linalg.norm(tiles[:, None] - places[None], axis=2)
    rows, columns = np.nonzero(apart < within)
    used: set[int] = set()
    for k in np.argsort(apart[rows, columns], kind="stable"):
        row, column = int(rows[k]), int(columns[k])
        if owner[row] < 0 and column not in used:
            owner[row] = column
            used.add(column)
    return owner


class _Rests:
    """When each tile of a plan lay where: from, to, place."""

    def __init__(self, plan: LivePlan) -> None:
        self.plan = plan
        stays: list[tuple[int, float, float, float, float, bool, Tile]] = []
        for track in plan.tracks:
            placed, start = track.first, -1e9
            for move in (*track.moves, None):
                end = plan.duration_s + 1 if move is None else move.start_s
                seen = placed.group in COUNTED and placed.pose == "up"
                x, y = float(placed.centre[0]), float(placed.centre[1])
                stays.append((track.number, start, end, x, y, seen, placed.tile))
                if move is not None:
                    placed, start = move.to, move.end_s
        self.numbers = np.array([stay[0] for stay in stays])
        self.start = np.array([stay[1] for stay in stays])
        self.end = np.array([stay[2] for stay in stays])
        self.places = np.array([stay[3:5] for stay in stays])
        self.counted = np.array([stay[5] for stay in stays])
        self.faces = [stay[6] for stay in stays]

    def at(self, time_s: float, begins_s: float) -> tuple[list[int], NDArray[np.float64], list[float], list[Tile]]:
        """Numbers, places, starts and faces of the tiles that rest where it counts."""
        rows = np.flatnonzero(self.counted & (self.start <= time_s) & (time_s < self.end))
        faces = [self.faces[int(row)] for row in rows]
        since = np.maximum(self.start[rows], begins_s)
        return self.numbers[rows].tolist(), self.places[rows], since.tolist(), faces

    def lay_near(self, place: NDArray[np.float64], time_s: float, within_s: float) -> bool:
        """Whether any tile rests near a place, or did so at most so long ago."""
        recent = (self.start <= time_s) & (self.end > time_s - within_s)
        return bool((recent & (np.linalg.norm(self.places - place, axis=1) < NEAR)).any())

    def passes(self, place: NDArray[np.float64], time_s: float) -> bool:
        """Whether a tile on its way is near a place."""
        return any(
            tile.is_moving and float(np.hypot(*(tile.placed.centre[:2] - place))) < 1.0
            for tile in self.plan.tiles_at(time_s)
        )


def beliefs_of(view: TableView) -> list[Belief]:
    """The faces that a view believes in."""
    return [Belief(tile.track, tile.place, tile.tile) for tile in view.tiles if not tile.face_down]
