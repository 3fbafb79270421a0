"""What a reader of a given quality would read in each frame of a plan: so trackers can be tested without pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.tiles import ALL_TILES, Tile
from vision.reading import TileReading, as_quad
from vision.synth.camera import Camera
from vision.synth.live_plan import LivePlan, LiveTile
from vision.synth.live_sight import Sight, Surface, nudge, stand_camera, warp


@dataclass(frozen=True, slots=True)
class ReaderQuality:
    """How well somebody reads. Chances a tile and frame, unless said otherwise.

    A ``stubborn`` tile is one that this reader gets wrong again and again where it lies: chance a place of rest.
    """

    miss: float = 0.02
    wrong_sure: float = 0.002
    wrong_unsure: float = 0.01
    unknown: float = 0.03
    stubborn: float = 0.004
    spurious: float = 0.05
    """Readings a frame where nothing lies."""
    jitter_px: float = 0.6
    """Spread of each corner."""
    visible: float = 0.6
    """Share of a surface that has to be seen."""
    smallest_px: float = 10.0
    """Root of the area of a surface below which nothing is read."""
    flattest: float = 0.3
    """Height by width of a quad in the picture below which a surface is seldom read."""


PERFECT = ReaderQuality(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 4.0, 0.2)


@dataclass(frozen=True, slots=True)
class ScriptedFrame:
    """The readings of one frame, and of each the number of the tile of the plan, None for a spurious one.

    ``nudge`` is the 3x3 map of `live_sight.nudge`: what table points go through after the camera's own projection.
    """

    frame: int
    time_s: float
    readings: tuple[TileReading, ...]
    numbers: tuple[int | None, ...]
    nudge: tuple[tuple[float, ...], ...]


def scripted_readings(
    plan: LivePlan,
    rng: np.random.Generator,
    quality: ReaderQuality | None = None,
    *,
    camera: Camera | None = None,
    size_px: tuple[int, int] = (1080, 1920),
) -> Iterator[ScriptedFrame]:
    """The frames of the plan as such a reader reads them; ``size_px`` is (height, width).

    The same generator state gives the same readings. Lost frames are left out.
    """
    quality = quality or ReaderQuality()
    camera = camera or stand_camera(rng, plan, size_px)
    sight = Sight(camera, plan.body, size_px)
    stubborn: dict[int, tuple[LiveTile, Tile | None]] = {}
    for frame, time_s in plan.frame_times():
        matrix = nudge(camera, plan.disturbances, time_s)
        readings: list[TileReading] = []
        numbers: list[int | None] = []
        for surface in sight.surfaces(plan.tiles_at(time_s), plan.arms_at(time_s)):
            kept = stubborn.get(id(surface.tile.placed))
            if kept is None or kept[0].placed is not surface.tile.placed:
                wrong = another_tile(rng, surface.tile.placed.tile) if rng.random() < quality.stubborn else None
                kept = stubborn[id(surface.tile.placed)] = surface.tile, wrong
            if rng.random() >= _chance_to_read(surface, quality):
                continue
            corners = warp(surface.quad, matrix) + rng.normal(0, 1, (4, 2)) * quality.jitter_px
            readings.append(_read(rng, surface, corners, quality, kept[1]))
            numbers.append(surface.tile.number)
        for _ in range(int(rng.poisson(quality.spurious))):
            readings.append(_spurious(rng, size_px))
            numbers.append(None)
        yield ScriptedFrame(
            frame, time_s, tuple(readings), tuple(numbers), tuple(tuple(map(float, row)) for row in matrix)
        )


def _chance_to_read(surface: Surface, quality: ReaderQuality) -> float:
    """Small, flat, hidden and fast surfaces are missed."""
    if surface.size_px < quality.smallest_px or surface.visible < quality.visible:
        return 0.0
    if surface.flat < quality.flattest:
        return 0.15 if surface.flat > quality.flattest / 2 else 0.0
    return (1 - quality.miss) * (0.4 if surface.tile.is_moving and quality.miss else 1.0)


def _read(
    rng: np.random.Generator, surface: Surface, corners: np.ndarray, quality: ReaderQuality, stubborn: Tile | None
) -> TileReading:
    quad = as_quad(corners)
    sure = round(float(rng.uniform(0.86, 0.999)), 3)
    chance = rng.random()
    if surface.face_down:
        if chance < quality.wrong_sure / 2:
            return TileReading(another_tile(rng, Tile.WHITE), 0.6, quad)
        return TileReading(None, sure, quad, face_down=True)
    tile = surface.tile.placed.tile
    if stubborn is not None and rng.random() < 0.6:
        return TileReading(stubborn, round(float(rng.uniform(0.5, 0.9)), 3), quad, alternatives=((tile, 0.2),))
    if chance < quality.wrong_sure:
        return TileReading(another_tile(rng, tile), sure, quad)
    chance -= quality.wrong_sure
    if chance < quality.wrong_unsure:
        doubt = round(float(rng.uniform(0.35, 0.7)), 3)
        return TileReading(another_tile(rng, tile), doubt, quad, alternatives=((tile, round(0.9 - doubt, 3)),))
    chance -= quality.wrong_unsure
    if chance < quality.unknown:
        best = round(float(rng.uniform(0.3, 0.55)), 3)
        first, second = (tile, another_tile(rng, tile)) if rng.random() < 0.7 else (another_tile(rng, tile), tile)
        return TileReading(None, best, quad, alternatives=((first, best), (second, round(0.9 * (1 - best), 3))))
    return TileReading(tile, sure, quad)


def another_tile(rng: np.random.Generator, tile: Tile) -> Tile:
    """A tile one may take for this one: mostly of the same suit, near in rank."""
    if tile.is_suited and rng.random() < 0.8:
        rank = (tile % 9 + int(rng.choice([-2, -1, 1, 2]))) % 9
        return Tile(9 * (tile // 9) + rank)
    others = [other for other in ALL_TILES if other is not tile]
    return others[int(rng.integers(len(others)))]


def _spurious(rng: np.random.Generator, size_px: tuple[int, int]) -> TileReading:
    at = rng.uniform(0, 1, 2) * [size_px[1], size_px[0]]
    size, angle = float(rng.uniform(0.015, 0.03)) * size_px[0], float(rng.uniform(0, 2 * np.pi))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = at + (np.array([[-1, -1.3], [1, -1.3], [1, 1.3], [-1, 1.3]]) * size) @ turn.T
    if rng.random() < 0.3:
        return TileReading(None, 0.6, as_quad(corners), face_down=True)
    tile = ALL_TILES[int(rng.integers(len(ALL_TILES)))]
    return TileReading(tile, round(float(rng.uniform(0.3, 0.8)), 3), as_quad(corners))
