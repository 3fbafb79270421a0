"""Photos of one set of tiles: all faces laid out in rows, and tiles as they lie in play, for tests of own sets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.tiles import ALL_TILES, Tile
from vision.synth.designs import Body, Design
from vision.synth.placing import UP, Placed, place, spread
from vision.synth.scene import Scene, View, fit_camera, photograph

SIZE_PX = (1200, 1600)


def laid_out(rng: np.random.Generator, body: Body, rows: Sequence[Sequence[Tile | None]]) -> list[Placed]:
    """Rows of open tiles, the first one farthest away, as careful people lay them: nearly straight, small gaps."""
    placed = []
    gap, between = float(rng.uniform(0.02, 0.25)), float(rng.uniform(0.1, 0.5))
    for number, row in enumerate(rows):
        start = float(rng.normal(0, 0.05))
        for column, tile in enumerate(row):
            if tile is None:
                continue
            x = start + column * (1 + gap) + float(rng.normal(0, 0.015))
            y = -number * (body.height + between) + float(rng.normal(0, 0.015))
            placed.append(place(tile, body, x, y, float(rng.normal(0, 1.0)), UP, f"row{number}"))
    return placed


def photo_of_rows(
    rng: np.random.Generator, design: Design, rows: Sequence[Sequence[Tile | None]], size_px: tuple[int, int] = SIZE_PX
) -> Scene:
    """A photo of tiles laid out in rows, taken from above by somebody who stands before them."""
    placed = laid_out(rng, design.body, rows)
    view = View(
        tilt_deg=float(rng.uniform(0, 30)),
        roll_deg=float(rng.normal(0, 3)),
        focal=float(rng.uniform(1.0, 1.6)),
        fill=float(rng.uniform(0.8, 0.93)),
    )
    camera = fit_camera(placed, design.body, size_px, view)
    return photograph(rng, design, placed, camera, size_px, strength=float(rng.uniform(0.3, 0.8)))


def photo_of_play(rng: np.random.Generator, design: Design, count: int, size_px: tuple[int, int] = SIZE_PX) -> Scene:
    """A photo of ``count`` tiles of one set of 144, in rows or loosely spread, under any light, from any side."""
    body = design.body
    deck = [tile for tile in ALL_TILES for _ in range(tile.copies)]
    tiles = [deck[int(index)] for index in rng.permutation(len(deck))[:count]]
    if rng.random() < 0.6:
        columns = int(rng.integers(7, 15))
        placed = laid_out(rng, body, [tiles[start : start + columns] for start in range(0, count, columns)])
    else:
        apart = 1.25 * body.height
        spots = spread(rng, count, apart, apart * float(np.sqrt(count)) * 0.75)
        placed = [
            place(tile, body, x, y, float(rng.uniform(0, 360)), UP, "heap")
            for tile, (x, y) in zip(tiles, spots, strict=False)
        ]
    view = View(
        tilt_deg=min(52.0, abs(float(rng.normal(0, 28)))),
        roll_deg=float(rng.normal(0, 10)) + float(rng.choice([0, 0, 90, 180])),
        focal=float(rng.uniform(0.9, 1.7)),
        fill=float(rng.uniform(0.7, 0.93)),
    )
    camera = fit_camera(placed, body, size_px, view)
    return photograph(rng, design, placed, camera, size_px, strength=float(rng.uniform(0.3, 1.1)))
