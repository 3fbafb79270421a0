"""How tiles and arms move over time: every tile rests, is carried to another place, and rests again.

Times in seconds from the start of the clip, lengths in widths of a tile, table coordinates as in `table_plan`.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.seats import Seat
from vision.synth.placing import Placed

Floats = NDArray[np.float64]
FOREARM, WRIST, PALM, FINGERS = 3.0, 2.2, 2.9, 1.7
"""Widths of an arm at the elbow, the wrist, the palm and the finger tips; a tile is about 28 mm wide."""
REACH = 0.45
"""How far finger tips reach past the middle of the tile they hold."""


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """A tile on its way to ``to``: it leaves at ``start_s`` and rests from ``end_s`` on; ``lift`` is how high it goes.

    ``seat`` is whose hand moves it.
    """

    start_s: float
    end_s: float
    to: Placed
    lift: float = 0.0
    seat: Seat | None = None


@dataclass(frozen=True, slots=True, eq=False)
class TileTrack:
    """One tile of the set through the whole clip."""

    number: int
    first: Placed
    moves: tuple[Move, ...] = ()

    def at(self, time_s: float) -> tuple[Placed, Move | None]:
        """Where it is, and the move it is on; a tile at rest is the same value at all times of its rest."""
        index = bisect_right(self.moves, time_s, key=lambda move: move.start_s) - 1
        if index < 0:
            return self.first, None
        move = self.moves[index]
        if time_s >= move.end_s:
            return move.to, None
        before = self.moves[index - 1].to if index else self.first
        return _between(before, move, ease((time_s - move.start_s) / (move.end_s - move.start_s))), move


def ease(share: float) -> float:
    """Slow, fast, slow: 0..1 to 0..1."""
    share = min(max(share, 0.0), 1.0)
    return share * share * (3 - 2 * share)


def _between(before: Placed, move: Move, share: float) -> Placed:
    turn = before.axes.T @ move.to.axes
    vector = cv2.Rodrigues(turn)[0]
    axes = before.axes @ cv2.Rodrigues(vector * share)[0]
    centre = before.centre + share * (move.to.centre - before.centre)
    centre = centre + np.array([0.0, 0.0, move.lift * math.sin(math.pi * share)])
    return replace(move.to, centre=centre, axes=axes, group=before.group, seat=before.seat)


@dataclass(frozen=True, slots=True)
class Arm:
    """A forearm with its hand over the table at one moment: elbow (x, y) and finger tips (x, y, z)."""

    seat: Seat
    elbow: tuple[float, float]
    tip: tuple[float, float, float]

    def parts(self) -> list[Floats]:
        """Convex pieces (n, 3) that cover it: forearm, palm, fingers, from the elbow on."""
        tip = np.array(self.tip[:2])
        along = tip - np.array(self.elbow)
        length = float(np.hypot(*along))
        along = along / max(length, 1e-9)
        side = np.array([-along[1], along[0]])
        height = self.tip[2] + 0.5

        def across(back: float, width: float, z: float) -> list[list[float]]:
            middle = tip - along * back
            return [[*(middle + side * width / 2), z], [*(middle - side * width / 2), z]]

        elbow = across(length, FOREARM, height + 2.0)
        wrist, wide = across(4.1, WRIST, height + 0.8), across(2.6, PALM, height + 0.6)
        knuckles = across(1.3, PALM * 0.92, height + 0.5)
        ends = across(0.0, FINGERS, height)
        return [
            np.array([*elbow, *wrist[::-1]]),
            np.array([*wrist, *wide[::-1]]),
            np.array([*wide, *knuckles[::-1]]),
            np.array([*knuckles, *ends[::-1]]),
        ]

    def covers(self, x: float, y: float) -> bool:
        """Whether it is over the table point, seen from straight above."""
        return any(
            cv2.pointPolygonTest(part[:, :2].astype(np.float32).reshape(-1, 1, 2), (x, y), False) >= 0
            for part in self.parts()
        )


@dataclass(frozen=True, slots=True)
class ArmTrack:
    """One reach over the table and back: where the finger tips are at which time, from rest to rest outside."""

    seat: Seat
    elbow: tuple[float, float]
    keys: tuple[tuple[float, float, float, float], ...]
    """(time, x, y, z), in order of time."""

    def at(self, time_s: float) -> Arm | None:
        """The arm, None while it is not over the table."""
        if not self.keys[0][0] <= time_s <= self.keys[-1][0]:
            return None
        index = max(1, min(bisect_right(self.keys, (time_s, math.inf, 0.0, 0.0)), len(self.keys) - 1))
        (start, *one), (end, *two) = self.keys[index - 1], self.keys[index]
        share = ease((time_s - start) / max(end - start, 1e-9))
        x, y, z = (a + share * (b - a) for a, b in zip(one, two, strict=True))
        return Arm(self.seat, self.elbow, (x, y, z))

    @property
    def start_s(self) -> float:
        """When it starts to reach in."""
        return self.keys[0][0]

    @property
    def end_s(self) -> float:
        """When it is gone."""
        return self.keys[-1][0]


def grip(points: Sequence[Floats], elbow: tuple[float, float]) -> tuple[float, float, float]:
    """Where finger tips are that hold tiles with these centres (3,): over them, a little past their middle."""
    middle = np.mean(points, axis=0)
    along = middle[:2] - np.array(elbow)
    along = along / max(float(np.hypot(*along)), 1e-9)
    x, y = middle[:2] + along * REACH
    return float(x), float(y), float(middle[2])
