"""Before a hand: tiles lie mixed in the middle, are built into walls, and dealt. None of it is play."""

from __future__ import annotations

import numpy as np

from engine.seats import SEATS, Seat
from vision.synth.live_stage import Stage
from vision.synth.placing import DOWN, UP, Placed, place
from vision.synth.table_plan import WALL
from vision.synth.table_tiles import STACKS

COLUMNS, ROWS = 14, 11
SPREAD = 8.75
"""Half side of the square in which the mixed tiles lie."""


def build_walls(stage: Stage, seconds: float) -> None:
    """The first ``seconds`` of a clip whose stage has just begun to roll: from the mixed tiles to the dealt hands."""
    rng = stage.rng
    dealt = dict(stage.now)
    walls = _on_the_walls(stage)
    cells = rng.permutation(COLUMNS * ROWS)[: len(stage.tiles)]
    for number, cell in zip(stage.tiles, cells, strict=True):
        stage.first[number] = _mixed(stage, number, int(cell))
    low_first = sorted(walls, key=lambda number: (float(walls[number].centre[2]) > stage.body.thickness, rng.random()))
    for rank, number in enumerate(low_first):
        start = seconds * (0.08 + 0.47 * rank / len(low_first))
        stage.put(number, walls[number], start, start + 0.6, 1.0)
    hands = [(seat, number) for seat in SEATS for number in stage.hands[seat]]
    blocks = [hands[at : at + 4] for at in range(0, len(hands), 4)]
    for index, block in enumerate(blocks):
        start = seconds * (0.64 + 0.3 * index / len(blocks))
        for seat, number in block:
            stage.put(number, dealt[number], start + 0.3, start + 0.8, 2.2, seat)
        seat, numbers = block[0][0], [number for _, number in block]
        source = [walls[number].centre for number in numbers]
        target = [dealt[number].centre for number in numbers]
        stage.reach(seat, 1.0, [(start + 0.3, source, start + 0.8, target)], start, start + 1.1)
    for seat in SEATS:
        _busy(stage, seat, seconds)


def _busy(stage: Stage, seat: Seat, seconds: float) -> None:
    """Two hands of everybody move about among the tiles."""
    for side in (-1.0, 1.0):
        legs = []
        at = seconds * 0.06 + float(stage.rng.uniform(0.3, 0.8))
        while at + 0.8 < seconds * 0.56:
            x, y = stage.layout.outside_point(
                seat, side * float(stage.rng.uniform(1, 7)), float(stage.rng.uniform(3, 9))
            )
            spot = np.array([x, y, 0.8])
            legs.append((at, [spot], at + 0.3, [spot]))
            at += 0.8
        if legs:
            stage.reach(seat, side, legs, seconds * 0.03, seconds * 0.58)


def _on_the_walls(stage: Stage) -> dict[int, Placed]:
    """Every tile on a stack: those that are dealt later on the stacks that are empty after the deal."""
    taken = {(slot.stack, slot.level) for slot in stage.slots.values()}
    free = [(stack, level) for stack in range(STACKS) for level in (0, 1) if (stack, level) not in taken]
    found = {number: stage.now[number] for number in stage.wall}
    hands = [number for seat in SEATS for number in stage.hands[seat]]
    for number, (stack, level) in zip(hands, free, strict=True):
        found[number] = stage.layout.wall(stage.tiles[number], stack, level)
    return found


def _mixed(stage: Stage, number: int, cell: int) -> Placed:
    """A tile among the mixed ones, most of them face down; none on another."""
    row, column = divmod(cell, COLUMNS)
    x = (column + 0.5) * 2 * SPREAD / COLUMNS - SPREAD
    y = (row + 0.5) * 2 * SPREAD / ROWS - SPREAD
    turn = float(stage.rng.uniform(-4, 4)) + 180.0 * float(stage.rng.random() < 0.5)
    pose = DOWN if stage.rng.random() < 0.7 else UP
    return place(stage.tiles[number], stage.body, x, y, turn, pose, WALL)
