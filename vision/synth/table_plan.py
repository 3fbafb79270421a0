"""Where the tiles of a table of four lie: walls, rivers, hands, melds, flowers, gold. Geometry only, no camera.

Table coordinates in widths of a tile, origin in the middle. East sits at -y, and the others follow counterclockwise as
in turn order; of each seat's own side y is minus its distance from the middle and x runs to its right. From the middle
outwards there are the rivers, the wall, a lane for flowers and melds, and a lane for the hand. The lanes of a seat
reach from its left end of the wall to the corner at its right, so that the four do not meet.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.seats import SEATS, Seat
from engine.tiles import Tile
from vision.synth.designs import Body
from vision.synth.placing import DOWN, STANDING, UP, Placed, footprint, overlaps, place, swing
from vision.synth.table_tiles import STACKS, LaidMeld, SeatTiles, TableTiles

Floats = NDArray[np.float64]
HAND, MELD, FLOWER, RIVER, WALL, GOLD = "hand", "meld", "flowers", "river", "wall", "gold"
GROUPS = (HAND, MELD, FLOWER, RIVER, WALL, GOLD)
SIDE_STACKS = STACKS // 4
PITCH = 1.012


@dataclass(frozen=True, slots=True)
class Customs:
    """How these four lay out what they have."""

    river: str = "rows"
    """``rows`` before each player, or one ``heap`` in the middle."""
    river_columns: int = 6
    closed: str = STANDING
    """Hands that are not open stand, or lie face down (``down``)."""
    melds_outside: bool = True
    """Melds lie in the lane of the hand; else in the lane of the flowers."""
    gold: str = "on"
    """The indicator lies ``on`` its stack or ``beside`` it, before the wall."""
    across: bool = True
    """The claimed tile of a meld lies across."""
    tidy: float = 0.5
    """0 loose .. 1 exact."""

    @classmethod
    def random(cls, rng: np.random.Generator) -> Customs:
        """Customs by chance."""
        return cls(
            river="rows" if rng.random() < 0.5 else "heap",
            river_columns=int(rng.integers(6, 9)),
            closed=STANDING if rng.random() < 0.75 else DOWN,
            melds_outside=bool(rng.random() < 0.6),
            gold=str(rng.choice(["on", "beside"])),
            across=bool(rng.random() < 0.4),
            tidy=float(rng.uniform(0, 1)),
        )


@dataclass(frozen=True, slots=True)
class Lanes:
    """Distances from the middle of the table, of the middle lines of what lies there."""

    wall: float
    flowers: float
    hand: float
    left: float
    """Where the lanes of a seat begin, at its left (x)."""
    right: float
    """Where they end, in the corner at its right."""
    inside: float
    """Half side of the square within the walls."""

    @classmethod
    def of(cls, body: Body) -> Lanes:
        """The lanes for tiles of these proportions."""
        wall = SIDE_STACKS * PITCH / 2 + body.height / 2 + 0.12
        edge = wall + body.height / 2
        flowers = edge + 0.35 + body.height / 2
        hand = flowers + body.height + 0.4
        return cls(wall, flowers, hand, -edge, hand + body.height / 2, wall - body.height / 2)


def plan_table(rng: np.random.Generator, table: TableTiles, body: Body, customs: Customs | None = None) -> list[Placed]:
    """Every tile of the table in its place; no two bodies meet.

    ``rng`` decides how neatly each lies. Groups are those of ``GROUPS``; tiles of the wall and the indicator have no
    seat, tiles of a common heap have the seat that threw them.
    """
    customs = customs or Customs.random(rng)
    lanes = Lanes.of(body)
    placed = _wall(rng, table, body, lanes, customs)
    for seat, tiles in zip(SEATS, table.seats, strict=True):
        own = _lanes_of(rng, tiles, body, lanes, customs)
        placed += [replace(swing(item, 90.0 * seat), seat=seat) for item in own]
    return placed + _rivers(rng, [seat.river for seat in table.seats], body, lanes, customs)


def seen_from(placed: Sequence[Placed], seat: Seat) -> list[Placed]:
    """The same table turned so that ``seat`` sits at -y."""
    return [swing(item, -90.0 * seat) for item in placed]


def line_up(
    rng: np.random.Generator,
    tiles: Sequence[Tile],
    body: Body,
    x: float,
    y: float,
    pose: str,
    group: str,
    tidy: float = 0.5,
) -> tuple[list[Placed], float]:
    """Tiles side by side from left edge ``x`` on, about the line ``y``; and where they end. None overlap."""
    placed, at = [], x
    depth = body.thickness if pose == STANDING else body.height
    for tile in tiles:
        turn = float(np.clip(rng.normal(0, 0.9), -2, 2)) * (1 - tidy)
        radians = math.radians(abs(turn))
        width = math.cos(radians) + depth * math.sin(radians) + 0.004
        dy = float(np.clip(rng.normal(0, 0.03), -0.08, 0.08)) * (1 - tidy)
        placed.append(place(tile, body, at + width / 2, y + dy, turn, pose, group))
        at += width
    return placed, at


def _meld(meld: LaidMeld, body: Body, x: float, y: float, across: bool) -> tuple[list[Placed], float]:
    """A meld from left edge ``x``, its lower edge half a tile below ``y``; and where it ends."""
    placed, at = [], x
    for index, tile in enumerate(meld.tiles):
        sideways = across and index == meld.across
        width, height = (body.height, 1.0) if sideways else (1.0, body.height)
        pose = DOWN if index in meld.hidden else UP
        low = y - body.height / 2
        placed.append(place(tile, body, at + width / 2, low + height / 2, 90.0 if sideways else 0.0, pose, MELD))
        at += width + 0.012
    return placed, at


def _lanes_of(rng: np.random.Generator, tiles: SeatTiles, body: Body, lanes: Lanes, customs: Customs) -> list[Placed]:
    """Hand, melds and flowers of a seat, as if it sat at -y."""
    melds: list[Placed] = []
    at = 0.0
    for meld in tiles.melds:
        part, at = _meld(meld, body, at, 0.0, customs.across)
        melds += part
        at += 0.1 + float(rng.uniform(0.0, 0.25))
    meld_width = at
    pose = UP if tiles.is_open else customs.closed
    hand, hand_end = line_up(rng, tiles.hand, body, 0.0, 0.0, pose, HAND, customs.tidy)
    if tiles.winning is not None:
        apart, hand_end = line_up(rng, [tiles.winning], body, hand_end + 0.6, 0.0, pose, HAND, customs.tidy)
        hand += apart
    flowers, flower_end = line_up(rng, tiles.flowers, body, 0.0, 0.0, UP, FLOWER, customs.tidy)
    span = lanes.right - lanes.left
    outside = customs.melds_outside and hand_end + meld_width + 0.6 <= span
    if not outside and flower_end + meld_width + 0.6 > span:
        outside = True
    outer_free = span - hand_end - (meld_width + 0.6 if outside else 0.0)
    inner_free = span - flower_end - (0.0 if outside else meld_width + 0.6)
    hand_x = lanes.left + float(rng.uniform(0.1, 0.9)) * max(outer_free, 0.0)
    flower_x = lanes.left + float(rng.uniform(0.0, 1.0)) ** 2 * max(inner_free, 0.0)
    meld_x = lanes.right - meld_width
    return [
        *_moved(hand, hand_x, -lanes.hand),
        *_moved(melds, meld_x, -lanes.hand if outside else -lanes.flowers),
        *_moved(flowers, flower_x, -lanes.flowers),
    ]


def _moved(placed: Sequence[Placed], x: float, y: float) -> list[Placed]:
    return [replace(item, centre=item.centre + np.array([x, y, 0.0])) for item in placed]


class WallLine:
    """Where the stacks of the wall lie; how askew each side is, is chosen once by ``rng``."""

    def __init__(self, rng: np.random.Generator, body: Body, lanes: Lanes, customs: Customs) -> None:
        self._rng, self._body, self._lanes, self._customs = rng, body, lanes, customs
        self._skew = [float(rng.normal(0, 0.25)) * (1 - customs.tidy) for _ in SEATS]

    def place(self, tile: Tile, stack: int, level: int, pose: str = DOWN, group: str = WALL) -> Placed:
        """A tile on a stack of the ring, not quite as neatly as the one below it."""
        rng, tidy = self._rng, self._customs.tidy
        side, index = divmod(stack, SIDE_STACKS)
        x = ((SIDE_STACKS - 1) / 2 - index) * PITCH
        turn = float(np.clip(rng.normal(0, 0.12), -0.25, 0.25)) * (1 - tidy)
        dy = float(np.clip(rng.normal(0, 0.02), -0.04, 0.04)) * (1 - tidy)
        item = place(tile, self._body, x, dy, turn, pose, group, level * self._body.thickness)
        item = swing(item, float(np.clip(self._skew[side], -0.3, 0.3)))
        moved = replace(item, centre=item.centre + np.array([0.0, -self._lanes.wall, 0.0]))
        return swing(moved, -90.0 * side)

    def beside(self, indicator: Tile, stack: int) -> Placed:
        """The indicator before a stack, towards the middle."""
        gap = float(self._rng.uniform(0.08, 0.3))
        on_table = self.place(indicator, stack, 0, UP, GOLD)
        inward = swing(_HERE, -90.0 * (stack // SIDE_STACKS)).centre
        return replace(on_table, centre=on_table.centre + inward * (self._body.height + gap))


def _wall(rng: np.random.Generator, table: TableTiles, body: Body, lanes: Lanes, customs: Customs) -> list[Placed]:
    """The stacks of the wall and the indicator."""
    height = {item.stack: 0 for item in table.wall}
    for item in table.wall:
        height[item.stack] = max(height[item.stack], item.level + 1)
    line = WallLine(rng, body, lanes, customs)
    placed = [line.place(item.tile, item.stack, item.level) for item in table.wall]
    if table.indicator is None:
        return placed
    if not placed or customs.gold == "beside":
        return [*placed, line.beside(table.indicator, table.indicator_stack)]
    level = height.get(table.indicator_stack, 0)
    return [*placed, line.place(table.indicator, table.indicator_stack, level, UP, GOLD)]


_HERE = Placed(Tile.M1, UP, "", np.array([0.0, 1.0, 0.0]), np.eye(3))
"""A step towards the middle, as the seat at -y sees it."""


def _rivers(
    rng: np.random.Generator, rivers: Sequence[Sequence[Tile]], body: Body, lanes: Lanes, customs: Customs
) -> list[Placed]:
    """The discards within the walls, in rows or in a heap."""
    room = lanes.inside - body.height - 0.6  # the indicator may lie before the wall
    if customs.river == "rows":
        for columns in range(customs.river_columns, 10):
            pitch, line = 1.03, body.height + 0.04
            start = columns * pitch / 2 + 0.1
            if all(start + math.ceil(len(river) / columns) * line <= room for river in rivers):
                return _rows(rng, rivers, body, customs, columns, start)
    return _heap(rng, rivers, body, room)


def _rows(
    rng: np.random.Generator,
    rivers: Sequence[Sequence[Tile]],
    body: Body,
    customs: Customs,
    columns: int,
    start: float,
) -> list[Placed]:
    placed = []
    for seat, river in zip(SEATS, rivers, strict=True):
        for row in range(0, len(river), columns):
            y = -start - (row // columns + 0.5) * (body.height + 0.04) - 0.05
            tiles = river[row : row + columns]
            line, _ = line_up(rng, tiles, body, -columns * 1.03 / 2, y, UP, RIVER, 0.5 + customs.tidy / 2)
            placed += [replace(swing(item, 90.0 * seat), seat=seat) for item in line]
    return placed


def _heap(rng: np.random.Generator, rivers: Sequence[Sequence[Tile]], body: Body, room: float) -> list[Placed]:
    """Discards as they were thrown, each towards the middle from its seat; none on another."""
    placed: list[Placed] = []
    taken = np.zeros((0, 4, 2))
    aligned = rng.random() < 0.4
    turns = [(seat, tile) for seat, river in zip(SEATS, rivers, strict=True) for tile in river]
    reach = min(room - 0.9, max(2.0, 0.95 * math.sqrt(len(turns) * body.height)))
    for index in rng.permutation(len(turns)):
        seat, tile = turns[int(index)]
        spread = reach
        while True:
            x, y = rng.uniform(-spread, spread, 2)
            turn = 90.0 * seat + float(rng.normal(0, 14)) if aligned else float(rng.uniform(0, 360))
            item = place(tile, body, float(x), float(y), turn, UP, RIVER)
            corners = footprint(item, body)
            if abs(corners).max() <= room and not overlaps(corners, taken).any():
                break
            spread = min(spread * 1.02, room)
        taken = np.concatenate([taken, corners[None]])
        placed.append(replace(item, seat=seat))
    return placed
