"""How well the table is seen: views of a clip beside what truly lies there, moment by moment.

Nothing is asked of the rules: of every tile that lies still for a while and was in sight since, it is counted whether
the view has it, with which face, in which zone; and what the view has that is not there. `vision.live.__main__` is the
command.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.seats import Seat
from vision.live.track_scores import owners
from vision.live.truth import TrueFrame, TrueTile
from vision.live.view import SeenTile, TableView, Zone

Floats = NDArray[np.float64]

SETTLED_S = 2.0
"""So long after it came to rest in sight a tile has to be known, and so long after it left it has to be gone."""
READABLE = 0.6
"""Share of a face that has to be in sight for it to be read."""
_STRAY_S = 3.0
_PLACED = frozenset({Zone.MELD, Zone.FLOWERS, Zone.HAND})
_FACES = (Zone.FLOWERS, Zone.MELD, Zone.RIVER, Zone.GOLD, Zone.HAND)
_PLANE_OFF = 0.5
_RAISED = 1.4


class Told(StrEnum):
    """What a view says of a tile."""

    RIGHT = "right"
    UNKNOWN = "unknown"
    BACK = "back"
    """That it lies face down."""
    WRONG = "wrong"
    MISSING = "missing"


@dataclass
class ViewScore:
    """Counts over the frames of clips; those of tiles are one a tile and frame, by the part of the table.

    Attributes:
        told: what was said of faces at rest.
        misplaced: of these, how many were said to lie in another zone, or to be another seat's.
        last: what was said in the last frame of each clip.
        hidden: faces at rest that were out of sight ever since.
        ghosts: faces in views where none lies or lay just before, and how many different ones.
        views, lost: views altogether, and those without a plane.
        plane_off: of the others, how far off its places were, median of each in widths of a tile.
        came_s, left_s: from a face's coming to rest in sight, or its leaving, to the view that says so.
        never: faces that lay still for more than `SETTLED_S` in sight, and were never said rightly.
        switches: tiles that took another number.
        backs: by zone, true backs and how many of them were in the view, summed over views.
    """

    told: dict[str, Counter[Told]] = field(default_factory=dict)
    misplaced: Counter[str] = field(default_factory=Counter)
    last: dict[str, Counter[Told]] = field(default_factory=dict)
    hidden: Counter[str] = field(default_factory=Counter)
    ghosts: Counter[str] = field(default_factory=Counter)
    views: int = 0
    lost: int = 0
    plane_off: list[float] = field(default_factory=list)
    came_s: list[float] = field(default_factory=list)
    left_s: list[float] = field(default_factory=list)
    never: int = 0
    switches: int = 0
    backs: dict[str, list[int]] = field(default_factory=dict)

    def add(self, other: ViewScore) -> None:
        """Adds the counts of another clip."""
        for mine, theirs in ((self.told, other.told), (self.last, other.last)):
            for part, counts in theirs.items():
                mine.setdefault(part, Counter()).update(counts)
        for name in ("misplaced", "hidden", "ghosts"):
            getattr(self, name).update(getattr(other, name))
        for name in ("plane_off", "came_s", "left_s"):
            getattr(self, name).extend(getattr(other, name))
        for name in ("views", "lost", "never", "switches"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for zone, (true, seen) in other.backs.items():
            mine_true, mine_seen = self.backs.get(zone, [0, 0])
            self.backs[zone] = [mine_true + true, mine_seen + seen]

    def shares(self, last: bool = False) -> dict[str, dict[str, float]]:
        """By part of the table and altogether, the shares of what was told, and how many faces that was."""
        told = self.last if last else self.told
        every: Counter[Told] = sum(told.values(), Counter())
        rows = {**{part: told[part] for part in sorted(told)}, "all": every}
        return {
            part: {
                **{kind.value: counts[kind] / max(1, counts.total()) for kind in Told},
                "misplaced": 0.0 if last else self._misplaced(part) / max(1, counts.total()),
                "faces": counts.total(),
            }
            for part, counts in rows.items()
        }

    def _misplaced(self, part: str) -> int:
        return self.misplaced.total() if part == "all" else self.misplaced[part]

    def as_json(self) -> dict[str, Any]:
        """The figures."""
        return {
            "told": self.shares(),
            "last": self.shares(last=True),
            "hidden": dict(self.hidden),
            "ghosts_per_view": self.ghosts["seen"] / max(1, self.views),
            "ghosts": self.ghosts["tracks"],
            "views": self.views,
            "lost": self.lost / max(1, self.views),
            "plane_off": _quantiles(self.plane_off),
            "plane_wrong": float(np.mean(np.array(self.plane_off) > _PLANE_OFF)) if self.plane_off else 0.0,
            "came_s": _quantiles(self.came_s),
            "left_s": _quantiles(self.left_s),
            "never": self.never,
            "switches": self.switches,
            "backs": {zone: [true, seen] for zone, (true, seen) in sorted(self.backs.items())},
        }


def _quantiles(values: Sequence[float]) -> dict[str, float]:
    if not values:
        return {}
    return {"median": round(float(np.median(values)), 3), "p90": round(float(np.percentile(values, 90)), 3)}


@dataclass
class _Stay:
    """One tile lying face up at one place: since when, since when in sight, whether it was said rightly."""

    tile: TrueTile
    since_s: float
    sighted_s: float | None = None
    told_s: float | None = None


class Scorer:
    """Counts the views of one clip. Frames are scored in turn; of each the true frame and the view after it.

    Args:
        near: the seat next to the camera.
        rows: whether the discards of each seat lie apart; in a common heap they are nobody's.
    """

    def __init__(self, near: Seat, *, rows: bool = False) -> None:
        self.score = ViewScore()
        self._near, self._rows = near, rows
        self._stays: dict[int, _Stay] = {}
        self._left: list[tuple[_Stay, float]] = []
        self._numbers: dict[int, int] = {}
        self._begins_s: float | None = None
        self._ghosts: set[int] = set()

    def frame(self, true: TrueFrame, view: TableView, *, last: bool = False) -> list[tuple[TrueTile, Told]]:
        """Counts one view; the faces at rest with what it says of them, to look at."""
        score, now = self.score, true.time_s
        score.views += 1
        score.lost += not view.plane_found
        self._begins_s = now if self._begins_s is None else self._begins_s
        self._follow(true)
        lying = [stay for stay in self._stays.values() if stay.sighted_s is not None]
        seen = [tile for tile in view.tiles if not tile.face_down or _near_any(tile, lying)]
        owner = owners(_places([stay.tile for stay in lying]), _places(seen))
        offs, said = [], []
        for stay, index in zip(lying, owner.tolist(), strict=True):
            tile = seen[index] if index >= 0 else _upon_the_wall(stay.tile, seen)
            told = _told(stay.tile, tile)
            if tile is not None:
                offs.append(_apart(tile, stay.tile))
                self._number(stay, tile)
            if told is Told.RIGHT and stay.told_s is None:
                stay.told_s = now
                if stay.since_s > self._begins_s and stay.sighted_s is not None:
                    score.came_s.append(max(0.0, now - stay.sighted_s))
            if stay.sighted_s is not None and now - stay.sighted_s >= SETTLED_S:
                said.append((stay.tile, told))
                self._count(stay.tile, tile, told, last)
        if len(offs) >= 4 and view.plane_found:
            score.plane_off.append(float(np.median(offs)))
        for stay in self._stays.values():
            if stay.sighted_s is None and now - stay.since_s >= SETTLED_S:
                score.hidden[self._part(stay.tile)] += 1
        self._gone(true, view, now)
        self._backs(true, view)
        return said

    def _follow(self, true: TrueFrame) -> None:
        """Which faces lie where since when."""
        now = true.time_s
        stays: dict[int, _Stay] = {}
        for tile in true.tiles:
            if tile.moving or not tile.face_up or tile.zone not in _FACES:
                continue
            before = self._stays.get(tile.number)
            if before is None or np.hypot(*np.subtract(before.tile.place, tile.place)) > 0.3:
                before = _Stay(tile, now)
            before.tile = tile
            if before.sighted_s is None and tile.visible >= READABLE:
                before.sighted_s = now
            stays[tile.number] = before
        for number, stay in self._stays.items():
            if stays.get(number) is not stay:
                self._left.append((stay, now))
                if stay.told_s is None and stay.sighted_s is not None and now - stay.sighted_s > SETTLED_S:
                    self.score.never += 1
        self._stays = stays

    def _number(self, stay: _Stay, tile: SeenTile) -> None:
        number = stay.tile.number
        before = self._numbers.get(number)
        if stay.tile.zone is Zone.HAND or tile.tile is not stay.tile.tile:
            return  # hands are sorted under cover; what is taken for another tile may become another number
        self.score.switches += before is not None and before != tile.track
        self._numbers[number] = tile.track

    def _count(self, true: TrueTile, tile: SeenTile | None, told: Told, last: bool) -> None:
        part = self._part(true)
        self.score.told.setdefault(part, Counter())[told] += 1
        if last:
            self.score.last.setdefault(part, Counter())[told] += 1
        if tile is None or told is Told.BACK:
            return
        seat_counts = true.zone in _PLACED or (true.zone is Zone.RIVER and self._rows)
        if tile.zone is not true.zone or (seat_counts and tile.seat is not true.seat):
            self.score.misplaced[part] += 1

    def _gone(self, true: TrueFrame, view: TableView, now: float) -> None:
        """Faces that are not there: left behind, or never there."""
        score = self.score
        faces = [tile for tile in view.tiles if not tile.face_down and tile.tile is not None]
        at = _places(faces)
        waiting = []
        for stay, left_s in self._left:
            near = np.hypot(*(at - stay.tile.place).T) < 0.6 if len(at) else np.zeros(0, bool)
            still = any(faces[int(k)].tile is stay.tile.tile for k in np.flatnonzero(near))
            if not still:
                if stay.told_s is not None:
                    score.left_s.append(now - left_s)
            elif now - left_s < 20.0:
                waiting.append((stay, left_s))
        self._left = waiting
        there = np.concatenate([_places(true.tiles), _places([s.tile for s, t in waiting if now - t < _STRAY_S])])
        for tile, place in zip(faces, at, strict=True):
            if not len(there) or float(np.hypot(*(there - place).T).min()) > 0.75:
                score.ghosts["seen"] += 1
                score.ghosts["tracks"] += tile.track not in self._ghosts
                self._ghosts.add(tile.track)

    def _backs(self, true: TrueFrame, view: TableView) -> None:
        for zone in (Zone.HAND, Zone.WALL):
            backs = [t for t in true.tiles if t.zone is zone and not t.face_up and not t.moving and t.visible > 0.3]
            seen = [tile for tile in view.tiles if tile.face_down]
            found = int((owners(_places(backs), _places(seen), 0.9) >= 0).sum())
            counts = self.score.backs.setdefault(zone.value, [0, 0])
            counts[0] += len(backs)
            counts[1] += found

    def _part(self, tile: TrueTile) -> str:
        if tile.zone not in _PLACED or tile.seat is None:
            return tile.zone.value
        return f"{tile.zone.value} {('near', 'right', 'far', 'left')[self._near.distance_to(tile.seat)]}"


def _told(true: TrueTile, tile: SeenTile | None) -> Told:
    if tile is None:
        return Told.MISSING
    if tile.face_down:
        return Told.BACK
    if tile.tile is None:
        return Told.UNKNOWN
    return Told.RIGHT if tile.tile is true.tile else Told.WRONG


def _upon_the_wall(true: TrueTile, seen: Sequence[SeenTile]) -> SeenTile | None:
    """The gold that lies on the wall: what lies higher seems to lie further from the camera."""
    if true.zone is not Zone.GOLD:
        return None
    alike = (tile for tile in seen if tile.tile is true.tile and _apart(tile, true) < _RAISED)
    return min(alike, key=lambda tile: _apart(tile, true), default=None)


def _apart(tile: SeenTile, true: TrueTile) -> float:
    return float(np.hypot(*np.subtract(tile.place, true.place)))


def _near_any(tile: SeenTile, lying: Sequence[_Stay]) -> bool:
    """Whether a back lies about where a face does: then it is taken for one."""
    return any(_apart(tile, stay.tile) < 0.4 for stay in lying)


def _places(tiles: Sequence[SeenTile] | Sequence[TrueTile]) -> Floats:
    return np.array([tile.place for tile in tiles], np.float64).reshape(-1, 2)


def score_lines(figures: Mapping[str, Any]) -> list[str]:
    """The figures as a table of text."""
    columns = (*(kind.value for kind in Told), "misplaced")
    lines = [f"{'faces at rest':14}" + "".join(f"{name:>10}" for name in columns) + f"{'faces':>8}{'at the end':>18}"]
    for part, row in figures["told"].items():
        end = figures["last"].get(part)
        ended = "" if not end else f"{round(end['right'] * end['faces'])} of {end['faces']} right"
        shares = "".join(f"{100 * row[name]:>9.1f}%" for name in columns)
        lines.append(f"{part:14}{shares}{row['faces']:>8}{ended:>18}")
    came, left, off = figures["came_s"], figures["left_s"], figures["plane_off"]
    lines += [
        f"{figures['ghosts_per_view']:.2f} ghosts a view, {figures['ghosts']} different; "
        f"{figures['switches']} took another number; {figures['never']} never known",
        f"plane lost in {100 * figures['lost']:.1f}% of {figures['views']} views, wrong in "
        f"{100 * figures['plane_wrong']:.1f}%, off by {off.get('median', 0)} (p90 {off.get('p90', 0)}) tile widths",
        f"seconds till known {came.get('median', 0)} (p90 {came.get('p90', 0)}), "
        f"till gone {left.get('median', 0)} (p90 {left.get('p90', 0)})",
        "backs found: "
        + ", ".join(f"{zone} {100 * seen / max(1, true):.1f}%" for zone, (true, seen) in figures["backs"].items()),
    ]
    return lines
