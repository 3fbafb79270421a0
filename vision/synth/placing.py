"""Tiles in the world: how one lies or stands, and rows, melds and scatters of them. Geometry only."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.seats import Seat
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
    seat: Seat | None = None
    """Whose tile it is, where the scene knows seats."""


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
    """The 144 tiles in random order, again and again; sometimes with flowers as often as the others."""
    while True:
        even = rng.random() < 0.4
        pool = [tile for tile in ALL_TILES for _ in range(3 if even else tile.copies)]
        for index in rng.permutation(len(pool)):
            yield pool[int(index)]


def row_of(
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


def swing(item: Placed, angle_deg: float) -> Placed:
    """The tile turned about the middle of the table."""
    turn = _turn(math.radians(angle_deg))
    return replace(item, centre=turn @ item.centre, axes=turn @ item.axes)


def footprint(item: Placed, body: Body) -> Floats:
    """The four corners (4, 2) of what a tile covers of the table, in order around it; upright and lying tiles only."""
    half = np.array([0.5, body.height / 2, body.thickness / 2])
    flat = [axis for axis in range(3) if abs(item.axes[2, axis]) < 0.5]  # the two axes that lie in the table
    first, second = (item.axes[:2, axis] * half[axis] for axis in flat)
    return np.asarray(item.centre[:2] + np.array([first + second, first - second, -first - second, second - first]))


def overlaps(corners: Floats, others: Floats) -> NDArray[np.bool_]:
    """Which of the rectangles (n, 4, 2) a rectangle (4, 2) overlaps, by separating axes."""
    apart = np.zeros(len(others), bool)
    for rectangles in (np.broadcast_to(corners, others.shape), others):
        for side in (0, 1):
            axis = rectangles[:, side + 1] - rectangles[:, side]
            own = axis @ corners.T
            theirs = np.einsum("ni,nki->nk", axis, others)
            apart |= (own.max(1) <= theirs.min(1)) | (theirs.max(1) <= own.min(1))
    return ~apart


def spread(rng: np.random.Generator, count: int, apart: float, reach: float) -> list[tuple[float, float]]:
    """Up to ``count`` points at least ``apart`` from each other."""
    spots: list[tuple[float, float]] = []
    for _ in range(count * 30):
        x, y = float(rng.uniform(-reach, reach)), float(rng.uniform(-reach, reach)) * 0.7
        if all((x - a) ** 2 + (y - b) ** 2 > apart**2 for a, b in spots):
            spots.append((x, y))
        if len(spots) == count:
            break
    return spots


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
