"""Where tiles come to lie in the course of a hand: rows that close up, melds from the corner on, rivers that fill.

Unlike `table_plan.plan_table`, which lays a whole table at once, a tile gets its place when it arrives and keeps it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from engine.seats import SEATS, Seat
from engine.tiles import Tile
from vision.synth.designs import Body
from vision.synth.placing import DOWN, STANDING, UP, Placed, footprint, overlaps, place, swing
from vision.synth.table_plan import FLOWER, HAND, MELD, RIVER, Customs, Lanes, WallLine

Floats = NDArray[np.float64]
APART = 0.5
"""Gap before a tile that has just been drawn, or won with."""
WIDEST = 1.05
"""A tile of a row that lies askew takes no more than this."""


@dataclass(slots=True)
class Room:
    """What a seat will need in this clip, known beforehand."""

    hand_and_melds: list[tuple[int, float]] = field(default_factory=list)
    """Tiles of the hand, and width of the melds, after each event."""
    flowers: int = 0
    river: int = 0


class TableLayout:
    """Places for tiles as they come; ``rng`` decides how neatly each lies."""

    def __init__(
        self, rng: np.random.Generator, body: Body, customs: Customs, near: Seat, rooms: Sequence[Room]
    ) -> None:
        self.rng, self.body, self.customs, self.near = rng, body, customs, near
        self.lanes = lanes = Lanes.of(body)
        self._wall = WallLine(rng, body, lanes, customs)
        self._askew: dict[int, tuple[float, float]] = {}
        span = lanes.right - lanes.left
        self.outside, self.hand_x, self.flower_x = [True] * 4, [0.0] * 4, [0.0] * 4
        self.meld_end = [lanes.right] * 4
        self.flower_end = [0.0] * 4
        for seat, room in zip(SEATS, rooms, strict=True):
            wide = max((melds for _, melds in room.hand_and_melds), default=0.0)
            beside = max((count * WIDEST + APART + melds for count, melds in room.hand_and_melds), default=0.0) + 0.5
            flowers = room.flowers * WIDEST
            outside = customs.melds_outside and beside <= span
            self.outside[seat] = outside or flowers + wide + 0.5 > span
            hand = max((count for count, _ in room.hand_and_melds), default=0) * WIDEST + APART
            free = span - (beside if self.outside[seat] else hand)
            self.hand_x[seat] = lanes.left + float(rng.uniform(0.1, 0.9)) * max(free, 0.0)
            free = span - flowers - (0.0 if self.outside[seat] else wide + 0.5)
            self.flower_x[seat] = lanes.left + float(rng.uniform(0, 1)) ** 2 * max(free, 0.0)
            self.flower_end[seat] = self.flower_x[seat]
        self._rows = _rows_fit(customs, body, lanes, [room.river for room in rooms])
        self._reach = max(2.2, 1.05 * math.sqrt(sum(room.river for room in rooms) * body.height))

    def _turned(self, item: Placed, seat: Seat) -> Placed:
        return replace(swing(item, 90.0 * (seat - self.near)), seat=seat)

    def askew(self, number: int) -> tuple[float, float]:
        """How far a tile is turned in a row, degrees, and off its line; it keeps that."""
        if number not in self._askew:
            turn = float(np.clip(self.rng.normal(0, 0.9), -2, 2)) * (1 - self.customs.tidy)
            off = float(np.clip(self.rng.normal(0, 0.03), -0.08, 0.08)) * (1 - self.customs.tidy)
            self._askew[number] = turn, off
        return self._askew[number]

    def _line(
        self, tiles: Sequence[tuple[int, Tile]], x: float, y: float, pose: str, group: str
    ) -> tuple[list[Placed], float]:
        depth = self.body.thickness if pose == STANDING else self.body.height
        placed = []
        for number, tile in tiles:
            turn, off = self.askew(number)
            radians = math.radians(abs(turn))
            width = math.cos(radians) + depth * math.sin(radians) + 0.004
            placed.append(place(tile, self.body, x + width / 2, y + off, turn, pose, group))
            x += width
        return placed, x

    def hand(
        self, seat: Seat, tiles: Sequence[tuple[int, Tile]], apart: tuple[int, Tile] | None, *, is_open: bool = False
    ) -> dict[int, Placed]:
        """The row of a hand, and the tile that lies apart from it at its right."""
        pose = UP if is_open else self.customs.closed
        y = -self.lanes.hand
        row, end = self._line(tiles, self.hand_x[seat], y, pose, HAND)
        if apart is not None:
            row += self._line([apart], end + APART, y, pose, HAND)[0]
        numbers = [number for number, _ in tiles] + ([apart[0]] if apart is not None else [])
        return {number: self._turned(item, seat) for number, item in zip(numbers, row, strict=True)}

    def flower(self, seat: Seat, number: int, tile: Tile) -> Placed:
        """The next place among the flowers."""
        line, self.flower_end[seat] = self._line(
            [(number, tile)], self.flower_end[seat], -self.lanes.flowers, UP, FLOWER
        )
        return self._turned(line[0], seat)

    def meld(
        self, seat: Seat, tiles: Sequence[Tile], across: int | None, face_down: bool, spare: bool
    ) -> tuple[list[Placed], Placed]:
        """A meld at the left of those that lie there, the first one in the corner; and where a fourth tile would go.

        ``spare`` keeps that place free.
        """
        widths = [self.body.height if index == across else 1.0 for index in range(len(tiles))]
        total = sum(widths) + 0.012 * (len(tiles) - 1)
        y = -(self.lanes.hand if self.outside[seat] else self.lanes.flowers)
        left = self.meld_end[seat] - total
        fourth = place(tiles[0], self.body, left - 0.512, y, 0.0, UP, MELD)
        placed, at = [], left
        for index, (tile, width) in enumerate(zip(tiles, widths, strict=True)):
            turn = 90.0 if index == across else 0.0
            low = y - self.body.height / 2 + (0.5 if index == across else self.body.height / 2)
            placed.append(place(tile, self.body, at + width / 2, low, turn, DOWN if face_down else UP, MELD))
            at += width + 0.012
        self.meld_end[seat] = left - (1.02 if spare else 0.0) - meld_gap(self.rng)
        return [self._turned(item, seat) for item in placed], self._turned(fourth, seat)

    def river(self, seat: Seat, tile: Tile, slot: int, lying: Sequence[Placed]) -> Placed:
        """A place for a discard: the next one in the row of the seat, or somewhere in the heap where nothing lies."""
        if self._rows is not None:
            columns, start = self._rows
            row, column = divmod(slot, columns)
            tidy = 0.5 + self.customs.tidy / 2
            turn = float(np.clip(self.rng.normal(0, 0.7), -1, 1)) * 2 * (1 - tidy)
            off = float(np.clip(self.rng.normal(0, 0.02), -0.03, 0.03))
            x, y = (column - (columns - 1) / 2) * 1.03, -start - (row + 0.5) * (self.body.height + 0.12) + off
            return self._turned(place(tile, self.body, x, y, turn, UP, RIVER), seat)
        return self._thrown(seat, tile, lying)

    def _thrown(self, seat: Seat, tile: Tile, lying: Sequence[Placed]) -> Placed:
        taken = np.array([footprint(item, self.body) for item in lying]).reshape(-1, 4, 2)
        room = self.lanes.inside - self.body.height - 0.6
        reach = min(room - 0.9, self._reach)
        middle = swing(place(tile, self.body, 0.0, -0.25 * reach), 90.0 * (seat - self.near)).centre[:2]
        for _ in range(4000):
            x, y = middle + self.rng.uniform(-reach, reach, 2)
            turn = float(self.rng.uniform(0, 360))
            item = place(tile, self.body, float(x), float(y), turn, UP, RIVER)
            corners = footprint(item, self.body)
            if abs(corners).max() <= room and not overlaps(corners, taken).any():
                return replace(item, seat=seat)
            reach = min(reach * 1.02, room)
        raise ValueError("the discards do not fit between the walls; expected fewer of them")

    def wall(self, tile: Tile, stack: int, level: int) -> Placed:
        """A tile of the wall."""
        return swing(self._wall.place(tile, stack, level), -90.0 * self.near)

    def indicator(self, tile: Tile, stack: int, height: int) -> Placed:
        """The gold on a stack of ``height`` tiles, or before it."""
        if height and self.customs.gold == "on":
            item = self._wall.place(tile, stack, height, UP, "gold")
        else:
            item = self._wall.beside(tile, stack)
        return swing(item, -90.0 * self.near)

    def outside_point(self, seat: Seat, x: float, y: float) -> tuple[float, float]:
        """A point (x to the right of the seat, y away from it, 0 at the middle line of its hand) in the table's."""
        item = place(Tile.M1, self.body, x, y - self.lanes.hand)
        at = swing(item, 90.0 * (seat - self.near)).centre
        return float(at[0]), float(at[1])


def meld_gap(rng: np.random.Generator) -> float:
    """Between two melds."""
    return 0.1 + float(rng.uniform(0.0, 0.25))


def meld_width(body: Body, count: int, across: bool, spare: bool) -> float:
    """What a meld takes of its lane, with the widest gap beside it."""
    return count + 0.012 * count + (body.height - 1 if across else 0.0) + (1.02 if spare else 0.0) + 0.35


def _rows_fit(customs: Customs, body: Body, lanes: Lanes, rivers: Sequence[int]) -> tuple[int, float] | None:
    """Columns of the rows before each seat and how far they are from the middle; None for a heap."""
    if customs.river != "rows":
        return None
    room = lanes.inside - body.height - 0.6
    for columns in range(customs.river_columns, 10):
        start = columns * 1.03 / 2 + 0.1
        if all(start + math.ceil(count / columns) * (body.height + 0.12) <= room for count in rivers):
            return columns, start
    return None
