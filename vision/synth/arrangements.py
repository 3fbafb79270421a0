"""How tiles lie and stand on tables: rows, melds, grids, heaps, walls. Geometry only."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.tiles import ALL_TILES, Tile
from vision.synth.designs import Body

Floats = NDArray[np.float64]
UP, DOWN, STANDING = "up", "down", "standing"


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A tile in the world: its centre (3,), its axes as columns (3x3: face right, face up, face normal)."""

    tile: Tile
    pose: str
    group: str
    centre: Floats
    axes: Floats


def _turn(angle: float) -> Floats:
    cos, sin = math.cos(angle), math.sin(angle)
    return np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]])


def place(
    tile: Tile,
    body: Body,
    x: float,
    y: float,
    turn_deg: float = 0.0,
    pose: str = UP,
    group: str = "",
    base: float = 0.0,
    lean_deg: float = 0.0,
) -> Placed:
    """A tile over table point (x, y), turned counterclockwise, its lowest point at height ``base``.

    A standing tile shows its face towards -y before turning; ``lean_deg`` leans it back.
    """
    turn = _turn(math.radians(turn_deg))
    if pose == STANDING:
        lean = math.radians(lean_deg)
        cos, sin = math.cos(lean), math.sin(lean)
        axes = turn @ np.array([[1, 0, 0], [0, sin, -cos], [0, cos, sin]], np.float64)
        height = base + (body.height * cos + body.thickness * sin) / 2
        return Placed(tile, pose, group, np.array([x, y, height]), axes)
    axes = turn if pose == UP else turn @ np.diag([-1.0, 1.0, -1.0])
    return Placed(tile, pose, group, np.array([x, y, base + body.thickness / 2]), axes)


def deck(rng: np.random.Generator) -> Iterator[Tile]:
    """The 144 tiles in random order, again and again; half the time with every kind alike often."""
    while True:
        pool = [tile for tile in ALL_TILES for _ in range(tile.copies if rng.random() < 0.7 else 3)]
        for index in rng.permutation(len(pool)):
            yield pool[int(index)]


Layout = Callable[[np.random.Generator, Body], list[Placed]]


def _row(
    rng: np.random.Generator,
    body: Body,
    tiles: Iterator[Tile],
    count: int,
    x: float,
    y: float,
    pose: str = UP,
    group: str = "row",
    gap: float = 0.0,
    jitter: float = 0.02,
    upside: float = 0.0,
    lean_deg: float = 0.0,
) -> list[Placed]:
    """``count`` tiles side by side, the first one centred on (x, y)."""
    placed = []
    at = x
    sorted_tiles = [next(tiles) for _ in range(count)]
    if rng.random() < 0.5:
        sorted_tiles.sort()
    for tile in sorted_tiles:
        turn = float(rng.normal(0, 1.2)) * (jitter > 0) + (180.0 if rng.random() < upside else 0.0)
        dy = float(rng.normal(0, jitter))
        placed.append(place(tile, body, at, y + dy, turn, pose, group, 0.0, lean_deg))
        at += 1.0 + abs(float(rng.normal(0, 0.012))) + gap
    return placed


def lying_row(rng: np.random.Generator, body: Body) -> list[Placed]:
    """One or two open rows, as a hand laid open."""
    tiles, placed = deck(rng), []
    upside = float(rng.choice([0.0, 0.0, 0.3]))
    for index in range(int(rng.integers(1, 4))):
        count = int(rng.integers(3, 18))
        gap = float(rng.choice([0.0, 0.0, 0.0, 0.05, 0.3]))
        start = -count / 2 + float(rng.normal(0, 1))
        y = index * (body.height + float(rng.uniform(0.02, 1.2)))
        placed += _row(rng, body, tiles, count, start, y, UP, f"row{index}", gap, float(rng.uniform(0, 0.06)), upside)
    return placed


def standing_row(rng: np.random.Generator, body: Body) -> list[Placed]:
    """Rows of standing tiles seen from their front; sometimes with gaps, turned a little, or a second row behind."""
    tiles, placed = deck(rng), []
    for index in range(1 if rng.random() < 0.65 else 2):
        count = int(rng.integers(3, 18))
        lean = float(rng.choice([0.0, 0.0, rng.uniform(2, 22)]))
        gap = float(rng.choice([0.0, 0.0, 0.0, 0.15]))
        start = -count / 2 + float(rng.normal(0, 0.8))
        y = index * float(rng.uniform(2.0, 5.0))
        row = _row(
            rng, body, tiles, count, start, y, STANDING, f"standing{index}", gap, float(rng.uniform(0, 0.05)), 0, lean
        )
        angle = float(rng.normal(0, 14))
        placed += [_swing(item, angle) for item in row]
    if rng.random() < 0.35:
        placed += _row(rng, body, tiles, int(rng.integers(2, 9)), -4, -2.6, UP, "row", 0.0, 0.03)
    return placed


def _swing(item: Placed, angle_deg: float) -> Placed:
    turn = _turn(math.radians(angle_deg))
    return Placed(item.tile, item.pose, item.group, turn @ item.centre, turn @ item.axes)


def standing_scatter(rng: np.random.Generator, body: Body) -> list[Placed]:
    """Single standing tiles here and there, most of them facing the viewer."""
    tiles = deck(rng)
    spots = _spread(rng, int(rng.integers(3, 13)), 1.25, 7.0)
    placed = []
    for x, y in spots:
        pose = STANDING if rng.random() < 0.85 else (UP if rng.random() < 0.7 else DOWN)
        turn = float(rng.normal(0, 16)) if pose == STANDING else float(rng.uniform(0, 360))
        placed.append(place(next(tiles), body, x, y, turn, pose, "scatter"))
    return placed


def _spread(rng: np.random.Generator, count: int, apart: float, reach: float) -> list[tuple[float, float]]:
    spots: list[tuple[float, float]] = []
    for _ in range(count * 30):
        x, y = float(rng.uniform(-reach, reach)), float(rng.uniform(-reach, reach)) * 0.7
        if all((x - a) ** 2 + (y - b) ** 2 > apart**2 for a, b in spots):
            spots.append((x, y))
        if len(spots) == count:
            break
    return spots


def heap(rng: np.random.Generator, body: Body) -> list[Placed]:
    """Loose tiles at any rotation, some face down, a few on their side."""
    tiles = deck(rng)
    count = int(rng.integers(4, 48))
    apart = float(rng.uniform(1.08, 1.7)) * math.hypot(1, body.height) * 0.78
    reach = apart * math.sqrt(count) * float(rng.uniform(0.55, 0.9))
    down = float(rng.choice([0.0, 0.1, 0.4]))
    aligned = float(rng.choice([0.0, 0.0, 1.0]))
    placed = []
    for x, y in _spread(rng, count, apart, reach):
        angle = float(rng.uniform(0, 360)) if not aligned else float(rng.normal(0, 12))
        roll = rng.random()
        pose = DOWN if roll < down else STANDING if roll < down + 0.03 else UP
        placed.append(place(next(tiles), body, x, y, angle, pose, "heap"))
    return placed


def grid(rng: np.random.Generator, body: Body) -> list[Placed]:
    """Rows and columns, touching or nearly: a set laid out, a box of tiles."""
    tiles, placed = deck(rng), []
    columns, rows = int(rng.integers(2, 13)), int(rng.integers(2, 7))
    gap = float(rng.choice([0.0, 0.01, 0.03, 0.2]))
    mixed = rng.random() < 0.25
    down = float(rng.choice([0.0, 0.0, 0.15]))
    for row in range(rows):
        for column in range(columns):
            turn = float(rng.normal(0, 0.6)) + (180.0 if mixed and rng.random() < 0.5 else 0.0)
            x = column * (1 + gap) + float(rng.normal(0, 0.008))
            y = row * (body.height + gap) + float(rng.normal(0, 0.008))
            pose = DOWN if rng.random() < down else UP
            placed.append(place(next(tiles), body, x, y, turn, pose, "grid"))
    return placed


def meld(
    tiles: list[Tile], body: Body, x: float, y: float, sideways: int | None, hidden: tuple[int, ...] = ()
) -> tuple[list[Placed], float]:
    """Tiles of one meld from left edge ``x``, standing on the line ``y`` (their lower edge); and where it ends.

    ``sideways`` is the tile laid across (the claimed one); ``hidden`` tiles lie face down.
    """
    placed, at = [], x
    for index, tile in enumerate(tiles):
        across = index == sideways
        width, height = (body.height, 1.0) if across else (1.0, body.height)
        pose = DOWN if index in hidden else UP
        placed.append(place(tile, body, at + width / 2, y + height / 2, 90.0 if across else 0.0, pose, "meld"))
        at += width + 0.015
    return placed, at


def random_melds(rng: np.random.Generator, body: Body, count: int, x: float, y: float) -> list[Placed]:
    """``count`` chows, pungs and kongs beside each other."""
    placed: list[Placed] = []
    for _ in range(count):
        kind = rng.random()
        if kind < 0.4:
            first = int(rng.integers(0, 3)) * 9 + int(rng.integers(0, 7))
            group = [Tile(first), Tile(first + 1), Tile(first + 2)]
        else:
            group = [Tile(int(rng.integers(0, 34)))] * (3 if kind < 0.8 else 4)
        hidden: tuple[int, ...] = ()
        if len(group) == 4 and rng.random() < 0.5:
            hidden = [(0, 3), (1, 2), (0, 1, 2, 3), (0, 1, 2)][int(rng.integers(4))]
        sideways = int(rng.integers(0, 3)) if rng.random() < 0.4 and not hidden else None
        part, x = meld(group, body, x, y, sideways, hidden)
        placed += part
        x += float(rng.uniform(0.05, 0.5))
    return placed


def finished_hand(rng: np.random.Generator, body: Body) -> list[Placed]:
    """An opened hand: concealed row, winning tile apart, melds, flowers, the gold indicator."""
    tiles = deck(rng)
    melds = int(rng.integers(0, 5))
    count = 16 - 3 * melds
    placed = _row(rng, body, tiles, count, -8.0, 0.0, UP, "hand", 0.0, float(rng.uniform(0, 0.04)))
    end = float(placed[-1].centre[0])
    placed += _row(rng, body, tiles, 1, end + float(rng.uniform(1.2, 2.0)), float(rng.normal(0, 0.1)), UP, "winning")
    if rng.random() < 0.6:
        melds_at = (end + float(rng.uniform(2.6, 4.0)), -body.height / 2 + float(rng.uniform(-0.4, 0.6)))
    else:
        melds_at = (-8.0 + float(rng.uniform(0, 4)), body.height * float(rng.uniform(0.7, 1.5)))
    placed += random_melds(rng, body, melds, *melds_at)
    row_y = (1 if rng.random() < 0.8 else -1) * body.height * float(rng.uniform(2.0, 3.0))
    flowers = int(rng.integers(0, 9))
    placed += _row(rng, body, tiles, flowers, -7 + float(rng.uniform(0, 5)), row_y, UP, "flowers", 0.0, 0.04)
    if rng.random() < 0.8:
        placed.append(place(next(tiles), body, -7.5 + float(rng.uniform(0, 12)), row_y * 1.7, 0.0, UP, "gold"))
    return placed


def wall(rng: np.random.Generator, body: Body, x: float, y: float, stacks: int, turn_deg: float) -> list[Placed]:
    """A two-high wall of face-down tiles, the upper row perhaps begun."""
    tiles, placed = deck(rng), []
    top_from = int(rng.integers(0, 3))
    for index in range(stacks):
        for level in range(2):
            if level and index < top_from:
                continue
            item = place(
                next(tiles),
                body,
                index * 1.01 - stacks / 2,
                float(rng.normal(0, 0.02)),
                float(rng.normal(0, 0.8)),
                DOWN,
                "wall",
                level * body.thickness,
            )
            item = _swing(item, turn_deg)
            placed.append(Placed(item.tile, item.pose, item.group, item.centre + np.array([x, y, 0.0]), item.axes))
    return placed


def table(rng: np.random.Generator, body: Body) -> list[Placed]:
    """A game under way: walls, discards in the middle, an own row, melds, other players' rows from behind."""
    tiles = deck(rng)
    placed: list[Placed] = []
    half = float(rng.uniform(8.5, 11.0))
    for angle in (0.0, 90.0, 180.0, 270.0):
        if rng.random() < 0.75:
            radians = math.radians(angle)
            x, y = half * 0.72 * math.sin(radians), -half * 0.72 * math.cos(radians)
            placed += wall(rng, body, x, y, int(rng.integers(3, 12)), angle + float(rng.normal(0, 4)))
    apart = float(rng.uniform(1.15, 1.5)) * body.height * 0.85
    neat = rng.random() < 0.5
    if neat:
        for angle in (0.0, 90.0, 180.0, 270.0):
            row = []
            for index in range(int(rng.integers(0, 14))):
                x = (index % 6 - 2.5) * 1.02
                y = -2.6 - (index // 6) * (body.height + 0.03)
                row.append(place(next(tiles), body, x, y, float(rng.normal(0, 2)), UP, "discards"))
            placed += [_swing(item, angle) for item in row]
    else:
        for x, y in _spread(rng, int(rng.integers(6, 40)), apart, half * 0.55):
            placed.append(place(next(tiles), body, x, y, float(rng.uniform(0, 360)), UP, "discards"))
    own = int(rng.choice([4, 7, 10, 13, 13, 16, 16]))
    pose = STANDING if rng.random() < 0.5 else UP
    placed += _row(rng, body, tiles, own, -own / 2, -half - body.height, pose, "hand", 0.0, 0.02)
    for angle in (90.0, 180.0, 270.0):
        if rng.random() < 0.6:
            other = _row(rng, body, tiles, int(rng.integers(4, 14)), -6.0, -half - 0.6, STANDING, "others", 0.0, 0.02)
            if rng.random() < 0.5:  # laid open
                other = _row(rng, body, tiles, int(rng.integers(4, 14)), -6.0, -half - 0.6, UP, "others", 0.0, 0.02)
            placed += [_swing(item, angle) for item in other]
    return placed


def backs(rng: np.random.Generator, body: Body) -> list[Placed]:
    """A wall or a row of backs with a few open tiles beside it."""
    placed = wall(rng, body, 0.0, 1.5, int(rng.integers(4, 16)), float(rng.normal(0, 8)))
    tiles = deck(rng)
    count = int(rng.integers(2, 12))
    placed += _row(rng, body, tiles, count, -count / 2, -2.2, UP if rng.random() < 0.7 else DOWN, "row", 0.0, 0.03)
    placed += random_melds(rng, body, int(rng.integers(0, 3)), -5.0, -5.0)
    return placed


LAYOUTS: dict[str, tuple[Layout, float]] = {
    "row": (lying_row, 0.2),
    "standing": (standing_row, 0.2),
    "standing_scatter": (standing_scatter, 0.08),
    "heap": (heap, 0.16),
    "grid": (grid, 0.1),
    "hand": (finished_hand, 0.12),
    "table": (table, 0.08),
    "backs": (backs, 0.06),
}
"""Kinds of scene with how often each comes."""
