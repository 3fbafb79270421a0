"""Tables of four: the whole set lies there once, nothing meets, every tile says whose it is."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from engine.seats import SEATS
from engine.tiles import ALL_TILES, Tile
from vision.synth.arrangements import Layout
from vision.synth.designs import Body
from vision.synth.placing import DOWN, STANDING, Placed, footprint, overlaps
from vision.synth.racks import rack_rows, rows_of_backs
from vision.synth.table_plan import GROUPS, HAND, Customs, plan_table, seen_from
from vision.synth.table_tiles import STACKS, random_table, wall_ring

BODIES = (
    Body((230, 230, 230), (90, 120, 40), 0.3, 1.34, 0.7, 0.08, 0.4),
    Body((230, 230, 230), (230, 230, 230), 0.0, 1.42, 0.55, 0.08, 0.4),
)
WHOLE_SET = Counter({tile: tile.copies for tile in ALL_TILES})


def collisions(placed: list[Placed], body: Body) -> list[tuple[Placed, Placed]]:
    """Pairs of bodies that meet: their footprints overlap and so do their heights."""
    feet = np.array([footprint(item, body) for item in placed])
    half = np.array([0.5, body.height / 2, body.thickness / 2])
    reach = np.array([float(np.abs(item.axes[2] * half).sum()) for item in placed]) - 1e-6
    height = np.array([item.centre[2] for item in placed])
    found = []
    for index in range(len(placed) - 1):
        rest = slice(index + 1, None)
        near = np.abs(height[rest] - height[index]) < reach[rest] + reach[index]
        for other in np.flatnonzero(near & overlaps(feet[index], feet[rest])):
            found.append((placed[index], placed[index + 1 + int(other)]))
    return found


@pytest.mark.parametrize("seed", range(12))
def test_a_table_holds_the_whole_set_and_no_two_tiles_meet(seed: int) -> None:
    body = BODIES[seed % 2]
    rng = np.random.default_rng(seed)
    table = random_table(rng)
    assert Counter(table.tiles()) == WHOLE_SET
    placed = plan_table(rng, table, body)
    assert Counter(item.tile for item in placed) == WHOLE_SET
    assert not collisions(placed, body)


def test_every_tile_says_its_group_and_seat() -> None:
    rng = np.random.default_rng(3)
    table = random_table(rng)
    placed = plan_table(rng, table, BODIES[0], Customs(closed=STANDING))
    assert {item.group for item in placed} <= set(GROUPS)
    for seat in SEATS:
        own = table.seats[seat]
        for group, tiles in (("hand", own.hand), ("flowers", own.flowers), ("river", own.river)):
            found = [item for item in placed if item.seat is seat and item.group == group]
            expected = list(tiles) + ([own.winning] if group == "hand" and own.winning is not None else [])
            assert Counter(item.tile for item in found) == Counter(expected)
        for item in seen_from(placed, seat):  # each has its own tiles before it
            if item.seat is seat and item.group == HAND:
                assert item.centre[1] < -10
                assert item.pose != STANDING or item.axes[1, 2] < -0.99
    assert all(item.seat is None for item in placed if item.group in {"wall", "gold"})
    assert all(item.pose == DOWN for item in placed if item.group == "wall")


def test_the_wall_shrinks_from_both_ends() -> None:
    tiles = [Tile.M1] * 9
    ring = wall_ring(tiles, 70, 3)
    assert len(ring) == 9
    assert [(tile.stack, tile.level) for tile in ring] == [
        ((70 + stack) % STACKS, level)
        for stack, level in [(66, 1), (66, 0), (67, 1), (67, 0), (68, 1), (68, 0), (69, 1), (69, 0), (70, 0)]
    ]
    assert [(tile.stack, tile.level) for tile in wall_ring(tiles, 0, 0)][:2] == [(67, 0), (68, 1)]


@pytest.mark.parametrize("layout", [rack_rows, rows_of_backs])
def test_rows_that_touch_hardly_meet(layout: Layout) -> None:
    for seed in range(10):
        body = Body((230, 230, 230), (90, 120, 40), 0.3, 1.34, 0.68, 0.08, 0.4)
        slim = Body(body.face, body.back, 0.3, 1.32, 0.66, 0.08, 0.4)
        placed = layout(np.random.default_rng(seed), body)
        assert len(placed) >= 4
        if layout is rack_rows and all(abs(item.axes[2, 1]) > 0.999 for item in placed):
            assert not collisions(placed, slim)
