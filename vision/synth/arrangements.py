"""Kinds of scenes: rows, grids, heaps, opened hands, walls, tables in play."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from engine.seats import SEATS
from engine.tiles import Tile
from vision.synth.designs import Body
from vision.synth.placing import DOWN, STANDING, UP, Placed, deck, meld, place, row_of, spread, swing
from vision.synth.racks import rack_rows, rows_of_backs
from vision.synth.table_plan import plan_table, seen_from
from vision.synth.table_tiles import random_table

Layout = Callable[[np.random.Generator, Body], list[Placed]]


def lying_row(rng: np.random.Generator, body: Body) -> list[Placed]:
    """One or two open rows, as a hand laid open."""
    tiles, placed = deck(rng), []
    upside = float(rng.choice([0.0, 0.0, 0.3]))
    y = 0.0
    for index in range(int(rng.integers(1, 4))):
        count = int(rng.integers(3, 18))
        gap = float(rng.choice([0.0, 0.0, 0.0, 0.05, 0.3]))
        start = -count / 2 + float(rng.normal(0, 1))
        y += body.height + float(rng.uniform(0.05, 1.2))
        placed += row_of(rng, body, tiles, count, start, y, UP, f"row{index}", gap, float(rng.uniform(0, 0.06)), upside)
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
        row = row_of(
            rng, body, tiles, count, start, y, STANDING, f"standing{index}", gap, float(rng.uniform(0, 0.05)), 0, lean
        )
        angle = float(rng.normal(0, 14)) + (180.0 if index and rng.random() < 0.4 else 0.0)  # some seen from behind
        placed += [swing(item, angle) for item in row] if angle < 90 else [_about_face(item) for item in row]
    if rng.random() < 0.35:
        placed += row_of(rng, body, tiles, int(rng.integers(2, 9)), -4, -2.6, UP, "row", 0.0, 0.03)
    return placed


def _about_face(item: Placed) -> Placed:
    """The same tile turned round on its spot."""
    return Placed(item.tile, item.pose, item.group, item.centre, item.axes @ np.diag([-1.0, 1.0, -1.0]))


def standing_scatter(rng: np.random.Generator, body: Body) -> list[Placed]:
    """Single standing tiles here and there, most of them facing the viewer."""
    tiles = deck(rng)
    spots = spread(rng, int(rng.integers(3, 13)), 1.25, 7.0)
    placed = []
    for x, y in spots:
        pose = STANDING if rng.random() < 0.85 else (UP if rng.random() < 0.7 else DOWN)
        turn = float(np.clip(rng.normal(0, 24), -60, 60)) if pose == STANDING else float(rng.uniform(0, 360))
        placed.append(place(next(tiles), body, x, y, turn, pose, "scatter"))
    return placed


def heap(rng: np.random.Generator, body: Body) -> list[Placed]:
    """Loose tiles at any rotation, some face down, a few on their side."""
    tiles = deck(rng)
    count = int(rng.integers(4, 48))
    apart = float(rng.uniform(1.08, 1.7)) * math.hypot(1, body.height) * 0.78
    reach = apart * math.sqrt(count) * float(rng.uniform(0.55, 0.9))
    down = float(rng.choice([0.0, 0.1, 0.4]))
    aligned = float(rng.choice([0.0, 0.0, 1.0]))
    placed = []
    for x, y in spread(rng, count, apart, reach):
        angle = float(rng.uniform(0, 360)) if not aligned else float(rng.normal(0, 12))
        roll = rng.random()
        pose = DOWN if roll < down else STANDING if roll < down + 0.03 else UP
        placed.append(place(next(tiles), body, x, y, angle, pose, "heap"))
    lying = [item for item in placed if item.pose != STANDING]
    if lying and rng.random() < 0.25:  # some lie on others
        for _ in range(int(rng.integers(1, 5))):
            under = lying[int(rng.integers(len(lying)))]
            x, y = under.centre[:2] + rng.normal(0, 0.25, 2)
            pose = DOWN if rng.random() < down else UP
            placed.append(place(next(tiles), body, x, y, float(rng.uniform(0, 360)), pose, "heap", body.thickness))
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
    placed = row_of(rng, body, tiles, count, -8.0, 0.0, UP, "hand", 0.0, float(rng.uniform(0, 0.04)))
    end = float(placed[-1].centre[0])
    placed += row_of(rng, body, tiles, 1, end + float(rng.uniform(1.2, 2.0)), float(rng.normal(0, 0.1)), UP, "winning")
    if rng.random() < 0.6:
        melds_at = (end + float(rng.uniform(2.6, 4.0)), -body.height / 2 + float(rng.uniform(-0.4, 0.6)))
    else:
        melds_at = (-8.0 + float(rng.uniform(0, 4)), body.height * float(rng.uniform(0.7, 1.5)))
    placed += random_melds(rng, body, melds, *melds_at)
    row_y = (1 if rng.random() < 0.8 else -1) * body.height * float(rng.uniform(2.0, 3.0))
    flowers = int(rng.integers(0, 9))
    placed += row_of(rng, body, tiles, flowers, -7 + float(rng.uniform(0, 5)), row_y, UP, "flowers", 0.0, 0.04)
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
            item = swing(item, turn_deg)
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
            placed += [swing(item, angle) for item in row]
    else:
        for x, y in spread(rng, int(rng.integers(6, 40)), apart, half * 0.55):
            placed.append(place(next(tiles), body, x, y, float(rng.uniform(0, 360)), UP, "discards"))
    own = int(rng.choice([4, 7, 10, 13, 13, 16, 16]))
    pose = STANDING if rng.random() < 0.5 else UP
    placed += row_of(rng, body, tiles, own, -own / 2, -half - body.height, pose, "hand", 0.0, 0.02)
    for angle in (90.0, 180.0, 270.0):
        if rng.random() < 0.6:
            other = row_of(rng, body, tiles, int(rng.integers(4, 14)), -6.0, -half - 0.6, STANDING, "others", 0.0, 0.02)
            if rng.random() < 0.5:  # laid open
                other = row_of(rng, body, tiles, int(rng.integers(4, 14)), -6.0, -half - 0.6, UP, "others", 0.0, 0.02)
            placed += [swing(item, angle) for item in other]
    return placed


def backs(rng: np.random.Generator, body: Body) -> list[Placed]:
    """A wall or a row of backs with a few open tiles beside it."""
    placed = wall(rng, body, 0.0, 1.5, int(rng.integers(4, 16)), float(rng.normal(0, 8)))
    tiles = deck(rng)
    count = int(rng.integers(2, 12))
    placed += row_of(rng, body, tiles, count, -count / 2, -2.2, UP if rng.random() < 0.7 else DOWN, "row", 0.0, 0.03)
    placed += random_melds(rng, body, int(rng.integers(0, 3)), -5.0, -5.0)
    return placed


def game(rng: np.random.Generator, body: Body) -> list[Placed]:
    """A whole table of four at some moment of a hand, seen from any seat."""
    return seen_from(plan_table(rng, random_table(rng), body), SEATS[int(rng.integers(4))])


LAYOUTS: dict[str, tuple[Layout, float]] = {
    "row": (lying_row, 0.2),
    "standing": (standing_row, 0.2),
    "standing_scatter": (standing_scatter, 0.08),
    "heap": (heap, 0.16),
    "grid": (grid, 0.1),
    "hand": (finished_hand, 0.12),
    "table": (table, 0.08),
    "backs": (backs, 0.06),
    "game": (game, 0.16),
    "rack": (rack_rows, 0.14),
    "back_rows": (rows_of_backs, 0.07),
}
"""Kinds of scene with how often each comes."""
