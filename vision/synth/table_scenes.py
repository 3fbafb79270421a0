"""Photos of whole tables at some moment of a simulated hand, with the truth of everything that lies there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np

from engine.eventlog import format_event
from engine.events import Deal, Log
from engine.fold import fold
from engine.seats import SEATS, Seat
from engine.simulate import play_hand
from vision.synth.art import HELD_OUT
from vision.synth.designs import Design, art_design, procedural_design, with_back
from vision.synth.export import TILE_CLASSES
from vision.synth.raster import SceneTile
from vision.synth.scene import Scene, View, fit_camera, photograph
from vision.synth.table_plan import Customs, plan_table, seen_from
from vision.synth.table_state import lay_table
from vision.synth.table_tiles import TableTiles

SIZE_PX = (3000, 4000)
OCCLUSION_MAX = 0.3
READABLE_PX = 32.0
"""Side of a surface in the photo (root of its area) from which it must be read."""
READABLE_ASPECT = 0.34
"""Shorter by longer side below which a surface is seen too much from the side to be read."""
HELD_OUT_SEED = 991_000
"""Procedural designs from this seed on are for judging only."""


@dataclass(frozen=True, eq=False)
class TableScene:
    """A photo of a table, and how it came about.

    Attributes:
        scene: picture and labels.
        table: what lies there, seen or not.
        log: the events up to the moment.
        near: the seat at the lower edge of the photo.
        design: name of the set of tiles.
        credit: sources of its faces.
    """

    scene: Scene
    table: TableTiles
    log: Log
    near: Seat
    design: str
    credit: str

    def truth(self) -> dict[str, Any]:
        """Everything as JSON values; quads in pixels."""
        height, width = self.scene.image.shape[:2]
        table = self.table
        return {
            "width": width,
            "height": height,
            "near": self.near.code,
            "design": self.design,
            "art": self.credit,
            "log": [format_event(event) for event in self.log],
            "gold_indicator": None if table.indicator is None else table.indicator.code,
            "wall": len(table.wall),
            "seats": {seat.code: _seat_json(table, seat) for seat in SEATS},
            "tiles": [_tile_json(tile) for tile in self.scene.tiles],
        }


def _seat_json(table: TableTiles, seat: Seat) -> dict[str, Any]:
    own = table.seats[seat]
    return {
        "hand": [tile.code for tile in own.hand],
        "open": own.is_open,
        "winning": None if own.winning is None else own.winning.code,
        "melds": [[tile.code for tile in meld.tiles] for meld in own.melds],
        "flowers": [tile.code for tile in own.flowers],
        "river": [tile.code for tile in own.river],
    }


def _tile_json(tile: SceneTile) -> dict[str, Any]:
    return {
        "tile": tile.code,
        "quad": [[round(float(x), 2), round(float(y), 2)] for x, y in tile.quad],
        "occlusion": tile.occlusion,
        "readable": is_readable(tile),
        "group": tile.group,
        "seat": None if tile.seat is None else tile.seat.code,
        "pose": tile.pose,
    }


def is_readable(tile: SceneTile) -> bool:
    """Large, flat and free enough in the photo that a reader has to name it."""
    area = abs(float(cv2.contourArea(tile.quad.astype(np.float32))))
    sides = np.linalg.norm(tile.quad - np.roll(tile.quad, 1, axis=0), axis=1)
    across, along = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    height = area / max(across, along, 1e-6)
    flat = height / max(across, along, 1e-6)
    return bool(tile.occlusion <= OCCLUSION_MAX and area >= READABLE_PX**2 and flat >= READABLE_ASPECT)


def held_out_design(index: int, art: Path | None, fonts_folder: str | None = None) -> Design:
    """A set of tiles no network is trained on: of the art set `art.HELD_OUT` and of procedural seeds in turn.

    One set in five has patterned backs: real ones seldom do, training sets more often.
    """
    rng = np.random.default_rng([HELD_OUT_SEED, index])
    if art is not None and index % 2 == 0:
        design = art_design(rng, art, fonts_folder, only=HELD_OUT)
    else:
        design = procedural_design(rng, fonts_folder)
    return with_back(rng, design, patterned=0.2)


def table_view(rng: np.random.Generator) -> View:
    """A phone held over the table (two in three) or on a stand at its side; the whole table is in the photo."""
    over = rng.random() < 0.67
    return View(
        tilt_deg=float(rng.uniform(0, 24)) if over else float(rng.uniform(24, 48)),
        roll_deg=float(rng.normal(0, 3)),
        focal=float(rng.uniform(0.9, 1.3)),
        fill=float(rng.uniform(0.9, 0.98)),
        whole=True,
    )


def moment(seed: int, progress: float) -> Log:
    """The log of a simulated hand up to a share of its events: at 1 the hand is over."""
    played = play_hand(Random(seed), Deal(Seat(seed % 4)))
    opening = 1 + next(index for index, event in enumerate(played.log) if type(event).__name__ == "GoldOpened")
    return played.log[: round(opening + progress * (len(played.log) - opening))]


def render_table(
    rng: np.random.Generator,
    log: Log,
    design: Design,
    *,
    size: tuple[int, int] = SIZE_PX,
    customs: Customs | None = None,
    near: Seat | None = None,
    view: View | None = None,
) -> TableScene:
    """A photo (height, width) of the table that ``log`` leads to, from behind the seat ``near``.

    What is left out is chosen by ``rng``. ValueError where the log does not show what lies on the table.
    """
    table = lay_table(rng, fold(log), int(rng.integers(18)), bool(rng.random() < 0.5))
    seat = SEATS[int(rng.integers(4))] if near is None else near
    placed = seen_from(plan_table(rng, table, design.body, customs), seat)
    camera = fit_camera(placed, design.body, size, view or table_view(rng))
    scene = photograph(rng, design, placed, camera, size, strength=float(rng.uniform(0.2, 0.8)))
    return TableScene(scene, table, log, seat, design.name, design.credit)


def table_scenes(
    seed: int, count: int, designs: Sequence[Design], size: tuple[int, int] = SIZE_PX
) -> Iterator[TableScene]:
    """``count`` tables, each of its own hand and moment; table i is the same whatever ``count`` is."""
    for index in range(count):
        rng = np.random.default_rng([seed, index])
        progress = 1.0 if rng.random() < 0.25 else float(rng.uniform(0.1, 1.0))
        log = moment(int(rng.integers(1 << 30)), progress)
        yield render_table(rng, log, designs[index % len(designs)], size=size)


def write_tables(folder: Path, tables: Iterator[TableScene]) -> int:
    """Write ``images/``, ``labels/`` with ``classes.txt`` (as `vision.dataset` reads them) and ``truth/``.

    The labels are upright boxes of the readable surfaces, faces and backs; ``truth/NAME.json`` has all of them.
    Returns how many tables.
    """
    for name in ("images", "labels", "truth"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "classes.txt").write_text("\n".join(TILE_CLASSES) + "\n", encoding="utf-8")
    count = 0
    for count, table in enumerate(tables, start=1):
        name = f"{count - 1:04d}"
        image = table.scene.image
        cv2.imwrite(str(folder / "images" / f"{name}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 90])
        size = np.array([image.shape[1], image.shape[0]])
        lines = [_upright(tile, size) for tile in table.scene.tiles if is_readable(tile)]
        (folder / "labels" / f"{name}.txt").write_text("".join(lines), encoding="utf-8")
        text = json.dumps(table.truth(), ensure_ascii=False, indent=1)
        (folder / "truth" / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    return count


def _upright(tile: SceneTile, size: Any) -> str:
    quad = np.clip(tile.quad / size, 0, 1)
    low, high = quad.min(0), quad.max(0)
    values = [*((low + high) / 2), *(high - low)]
    return " ".join([str(TILE_CLASSES.index(tile.code)), *(f"{value:.6f}" for value in values)]) + "\n"
