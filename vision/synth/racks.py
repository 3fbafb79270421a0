"""Rows of standing tiles as a webcam in front of a rack sees them: they touch, they show their upper sides, a second
row stands behind the first."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from vision.synth.designs import Body
from vision.synth.placing import DOWN, STANDING, UP, Placed, deck, place, row_of, swing
from vision.synth.table_plan import line_up


def rack_rows(rng: np.random.Generator, body: Body) -> list[Placed]:
    """One to three rows of standing tiles that touch, all facing the camera, the whole seen from the front or
    obliquely; some lie before them, some stand with their backs to the camera."""
    tiles, placed = deck(rng), []
    rows = int(rng.choice([1, 1, 1, 2, 2, 3]))
    lean = float(rng.choice([0.0, 0.0, rng.uniform(2, 15)]))
    tidy = float(rng.uniform(0.4, 1.0))
    step = body.thickness + math.sin(math.radians(lean)) * body.height + float(rng.uniform(0.02, 2.6))
    for index in range(rows):
        count = int(rng.integers(4, 18))
        start = -count / 2 + float(rng.normal(0, 1.2))
        row, _ = line_up(rng, [next(tiles) for _ in range(count)], body, start, index * step, STANDING, "rack", tidy)
        if lean:
            row = [place(t.tile, body, float(t.centre[0]), index * step, 0.0, STANDING, "rack", 0.0, lean) for t in row]
        if index and rng.random() < 0.25:  # another player's, seen from behind
            row = [swing(item, 180.0) for item in row]
            row = [replace(item, centre=item.centre + np.array([0, 2 * index * step, 0])) for item in row]
        placed += row
    if rng.random() < 0.3:  # a set just drawn, or a meld, before the rack
        count = int(rng.integers(1, 8))
        y = -body.thickness / 2 - body.height / 2 - float(rng.uniform(0.05, 1.5))
        row, _ = line_up(rng, [next(tiles) for _ in range(count)], body, float(rng.uniform(-7, 2)), y, UP, "row", tidy)
        placed += row
    angle = float(rng.normal(0, 10)) if rng.random() < 0.6 else float(rng.uniform(-50, 50))
    return [swing(item, angle) for item in placed]


def rows_of_backs(rng: np.random.Generator, body: Body) -> list[Placed]:
    """Rows of backs beside and within rows of faces, touching: kongs laid face down, hands turned over, short walls."""
    tiles, placed = deck(rng), []
    y = 0.0
    close = bool(rng.random() < 0.5)
    for index in range(int(rng.integers(2, 6))):
        kind = rng.random()
        count = int(rng.integers(3, 15))
        x = -count / 2 + float(rng.normal(0, 1.0))
        if kind < 0.3:
            poses = [DOWN] * count
        elif kind < 0.5:
            poses = [UP] * count
        elif kind < 0.75:  # runs of two to four backs in a row of faces
            poses = [UP] * count
            first = int(rng.integers(0, count - 1))
            for at in range(first, min(count, first + int(rng.integers(1, 5)))):
                poses[at] = DOWN
        else:
            poses = [DOWN if rng.random() < 0.5 else UP for _ in range(count)]
        row = row_of(rng, body, tiles, count, x, y, UP, f"row{index}", 0.0, 0.01)
        stacked = rng.random() < 0.3
        for item, pose in zip(row, poses, strict=True):
            turn = math.degrees(math.atan2(item.axes[1, 0], item.axes[0, 0]))
            spot = (float(item.centre[0]), float(item.centre[1]))
            placed.append(place(item.tile, body, *spot, turn, pose, item.group))
            if stacked and pose == DOWN:
                upper = DOWN if rng.random() < 0.9 else UP
                placed.append(place(next(tiles), body, *spot, turn, upper, item.group, body.thickness))
        y += body.height + (0.015 if close else float(rng.uniform(0.1, 1.5)))
    return placed
