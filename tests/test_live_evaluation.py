"""How well a table is seen: views made from the truth of a planned clip, right ones and ones with a known mistake."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from engine.seats import Seat
from engine.tiles import Tile
from tests.test_live_plan import hand
from tests.test_table_plan import BODIES
from vision.live.__main__ import main
from vision.live.evaluation import Scorer, ViewScore, score_lines
from vision.live.truth import TrueFrame, TrueTile, true_frames
from vision.live.view import SeenTile, TableView, Zone
from vision.reading import as_quad
from vision.synth.live_plan import plan_live
from vision.synth.live_sight import stand_camera
from vision.synth.live_truth import track_lines

NEAR = Seat.SOUTH
QUAD = as_quad(np.zeros((4, 2)))


@cache
def frames() -> tuple[TrueFrame, ...]:
    """The truth of some events."""
    rng = np.random.default_rng(5)
    plan = plan_live(rng, hand(3), BODIES[0], near=NEAR, pace=0.8, first=60, last=66, fps=2.5)
    return tuple(true_frames(track_lines(plan, stand_camera(rng, plan, (720, 1280)), (720, 1280))))


def seen(tile: TrueTile) -> SeenTile:
    face = tile.tile if tile.face_up else None
    zone = tile.zone
    return SeenTile(tile.number, face, face is None, 0.9, tile.place, 0.0, zone, tile.seat, QUAD, 0.0, 0.0)


def scored(change: Callable[[SeenTile], SeenTile | None] = lambda tile: tile, **more: bool) -> ViewScore:
    """The score of views in which every tile is changed so; None leaves it out."""
    scorer = Scorer(NEAR)
    for true in frames():
        told = (change(seen(tile)) for tile in true.tiles if not tile.moving)
        tiles = tuple(tile for tile in told if tile is not None)
        scorer.frame(true, TableView(true.time_s, true.number, tiles, **more), last=true is frames()[-1])
    return scorer.score


def test_views_that_say_the_truth_are_right() -> None:
    """Every face, at once, and nothing else; the table of text says so."""
    figures = scored().as_json()
    assert figures["told"]["all"]["right"] == figures["last"]["all"]["right"] == 1.0
    assert {part.split()[0] for part in figures["told"]} >= {"river", "flowers", "gold"}
    assert figures["told"]["all"]["misplaced"] == figures["ghosts"] == figures["never"] == figures["switches"] == 0
    assert figures["came_s"]["p90"] == 0.0
    assert figures["plane_off"]["p90"] == figures["lost"] == 0.0
    assert all(true == found for true, found in figures["backs"].values())
    assert "100.0%" in next(line for line in score_lines(figures) if line.startswith("all"))


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda tile: replace(tile, tile=None), "unknown"),
        (lambda tile: replace(tile, tile=None, face_down=True), "back"),
        (lambda tile: replace(tile, tile=Tile((tile.tile + 1) % len(Tile))), "wrong"),
        (lambda tile: None, "missing"),
    ],
)
def test_what_is_wrong_is_named(change: Callable[[SeenTile], SeenTile | None], kind: str) -> None:
    """Of a reader that does the same to all faces."""
    told = scored(lambda tile: tile if tile.face_down else change(tile)).as_json()
    assert told["told"]["all"][kind] == 1.0
    assert not told["came_s"]


def test_zones_numbers_ghosts_and_lost_planes_are_counted() -> None:
    """Flowers said to be melds, new numbers in every view, a tile beside the table, no plane."""
    moved = scored(lambda tile: replace(tile, zone=Zone.MELD) if tile.zone is Zone.FLOWERS else tile).as_json()["told"]
    assert all(
        row["misplaced"] == (1.0 if part.startswith("flowers") else 0.0) for part, row in moved.items() if part != "all"
    )
    fresh = iter(range(1000, 10**9))
    assert scored(lambda tile: replace(tile, track=next(fresh))).switches > 100
    far = scored(lambda tile: replace(tile, place=(tile.place[0] + 40.0, 0.0)) if tile.zone is Zone.GOLD else tile)
    assert far.ghosts["tracks"] == 1
    assert far.ghosts["seen"] == far.views
    assert scored(plane_found=False).as_json()["lost"] == 1.0


def test_a_folder_without_truth_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In one sentence."""
    assert main([str(tmp_path)]) == 2
    assert "is no clip with truth: clip.json is missing" in capsys.readouterr().err
