"""Whole tables from game logs: the tiles of the state lie there, labels fit the camera, the truth is whole."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest

from engine.events import Deal
from engine.fold import fold
from engine.seats import SEATS, Seat
from engine.simulate import as_seen, play_hand
from engine.table import TableState
from engine.tiles import ALL_TILES
from tests.test_table_plan import BODIES, WHOLE_SET, collisions
from vision.dataset import load_dataset
from vision.errors import DatasetError
from vision.reading import TileReading, as_quad
from vision.synth.__main__ import main
from vision.synth.designs import Design, procedural_design
from vision.synth.fonts import hanzi_fonts
from vision.synth.placing import DOWN, STANDING, UP
from vision.synth.raster import SceneTile
from vision.synth.scene import View, fit_camera
from vision.synth.solids import surface_corners
from vision.synth.table_plan import Customs, plan_table, seen_from
from vision.synth.table_scenes import is_readable, moment, render_table
from vision.synth.table_state import lay_table
from vision.table_evaluation import Surface, evaluate_tables, judge, load_truth, match, summary

needs_fonts = pytest.mark.skipif(not hanzi_fonts(), reason="no font with traditional Chinese characters on this system")
SMALL = (600, 800)


def states(seed: int) -> list[TableState]:
    """The table after the deal, at some moments, and at the end of a simulated hand."""
    log = play_hand(Random(seed), Deal(Seat(seed % 4))).log
    return [fold(log[:number]) for number in (1, 6, len(log) // 3, 2 * len(log) // 3, len(log) - 1, len(log))]


@pytest.mark.parametrize("seed", range(8))
def test_all_144_tiles_of_the_state_lie_on_the_table(seed: int) -> None:
    for state in states(seed):
        rng = np.random.default_rng(seed)
        table = lay_table(rng, state)
        assert Counter(table.tiles()) == WHOLE_SET
        assert len(table.wall) + (state.indicator is not None) == state.wall
        assert table.indicator is state.indicator
        winning = [own.winning for own in table.seats if own.winning is not None]
        for seat in SEATS:
            own, placed = state.seats[seat], table.seats[seat]
            assert placed.flowers == own.flowers
            assert [meld.tiles for meld in placed.melds] == [meld.tiles for meld in own.melds]
            if own.is_known and not winning:
                assert placed.hand == own.known
        on_table = plan_table(rng, table, BODIES[seed % 2])
        assert not collisions(on_table, BODIES[seed % 2])


def test_a_closed_log_leaves_hands_to_chance_but_the_set_whole() -> None:
    played = play_hand(Random(3), Deal(Seat.EAST))
    closed = fold(as_seen(played.log, Seat.EAST)[: len(played.log) // 2])
    first, second = (lay_table(np.random.default_rng(seed), closed) for seed in (1, 2))
    assert Counter(first.tiles()) == Counter(second.tiles()) == WHOLE_SET
    assert first.seats[0] == second.seats[0]
    assert first.seats[1].hand != second.seats[1].hand


def test_hands_stand_for_their_owners_until_they_are_laid_open() -> None:
    log = next(played.log for seed in range(20) if (played := play_hand(Random(seed), Deal(Seat.EAST))).win is not None)
    body, customs = BODIES[0], Customs(closed=STANDING)
    before = plan_table(np.random.default_rng(1), lay_table(np.random.default_rng(1), fold(log[:10])), body, customs)
    assert {item.pose for item in before if item.group == "hand"} == {STANDING}
    over = lay_table(np.random.default_rng(1), fold(log))
    winners = [seat for seat in SEATS if over.seats[seat].winning is not None]
    assert len(winners) == 1
    after = plan_table(np.random.default_rng(1), over, body, customs)
    assert {item.pose for item in after if item.group == "hand" and item.seat is winners[0]} == {UP}
    for item in after:
        if item.group == "wall":
            assert item.pose == DOWN
        elif item.group == "river":
            assert item.pose == UP


@pytest.fixture(scope="module")
def design() -> Design:
    return procedural_design(np.random.default_rng(4), width_px=72)


@needs_fonts
def test_labels_are_where_the_camera_sees_the_tiles(design: Design) -> None:
    log = moment(5, 0.7)
    view = View(tilt_deg=30, fill=0.95, whole=True)
    shot = render_table(np.random.default_rng(7), log, design, size=SMALL, view=view, near=Seat.SOUTH)
    rng = np.random.default_rng(7)  # the same draws as in render_table
    table = lay_table(rng, fold(log), int(rng.integers(18)), bool(rng.random() < 0.5))
    assert table == shot.table
    placed = seen_from(plan_table(rng, table, design.body), Seat.SOUTH)
    camera = fit_camera(placed, design.body, SMALL, view)
    for tile in shot.scene.tiles:
        fits = [
            np.abs(camera.project(surface_corners(item, design.body, tile.code == "back")) - tile.quad).max()
            for item in placed
            if item.group == tile.group and item.seat is tile.seat
            if tile.code in (item.tile.code, "back")
        ]
        assert min(fits) < 1e-6, tile
    river = Counter(tile.code for tile in shot.scene.tiles if tile.group == "river" and tile.seat is Seat.SOUTH)
    assert river <= Counter(tile.code for tile in table.seats[Seat.SOUTH].river)
    assert all(((tile.quad >= 0) & (tile.quad <= [SMALL[1], SMALL[0]])).all() for tile in shot.scene.tiles)
    own = [tile.quad.mean(0)[1] for tile in shot.scene.tiles if tile.group == "hand" and tile.seat is Seat.SOUTH]
    assert own
    assert min(own) > SMALL[0] / 2, "the near seat's hand lies in the lower half of the photo"


@needs_fonts
def test_a_folder_of_tables_is_a_data_set_with_its_truth(tmp_path: Path) -> None:
    given = ["tables", "--out", str(tmp_path), "--count", "2", "--seed", "3", "--designs", "2", "--size", "800", "600"]
    assert main(given) == 0
    photos = load_dataset(tmp_path)
    for photo in photos:
        truth = json.loads((tmp_path / "truth" / f"{photo.path.stem}.json").read_text(encoding="utf-8"))
        assert (truth["width"], truth["height"]) == (800, 600)
        readable = [tile["tile"] for tile in truth["tiles"] if tile["readable"]]
        assert Counter(photo.codes) == Counter(readable)
        total = truth["wall"] + (truth["gold_indicator"] is not None)
        for own in truth["seats"].values():
            total += len(own["hand"]) + len(own["flowers"]) + len(own["river"]) + (own["winning"] is not None)
            total += sum(len(meld) for meld in own["melds"])
        assert total == sum(tile.copies for tile in ALL_TILES)
        assert truth["log"][0].startswith("deal")
        assert all(tile["seat"] in {"E", "S", "W", "N", None} for tile in truth["tiles"])


def test_readable_surfaces_are_large_flat_and_free() -> None:
    square = np.array([[0, 0], [40, 0], [40, 50], [0, 50]], np.float64)
    assert is_readable(SceneTile("3m", square, 0.0, "river", UP))
    assert not is_readable(SceneTile("3m", square, 0.4, "river", UP))
    assert not is_readable(SceneTile("3m", square * 0.5, 0.0, "river", UP))
    assert not is_readable(SceneTile("3m", square * [4, 0.5], 0.0, "river", UP))


def _square(x: float, y: float, side: float = 40.0) -> np.ndarray:
    return np.array([[x, y], [x + side, y], [x + side, y + side], [x, y + side]], np.float32)


def _reading(code: str, quad: np.ndarray) -> TileReading:
    tile = None if code in {"back", "?"} else next(tile for tile in ALL_TILES if tile.code == code)
    return TileReading(tile, 0.9, as_quad(quad), face_down=code == "back")


def test_readings_are_matched_by_place_and_counted() -> None:
    surfaces = [
        Surface("3m", _square(0, 0), True, "river", "E"),
        Surface("back", _square(100, 0), True, "wall", ""),
        Surface("back", _square(200, 0), True, "wall", ""),
        Surface("5p", _square(300, 0), False, "hand", "S"),
    ]
    readings = [
        _reading("3m", _square(4, 2)),
        _reading("P", _square(101, 0)),
        _reading("back", _square(202, 1)),
        _reading("6p", _square(305, 5, 20)),  # on a surface that need not be read
        _reading("E", _square(500, 0)),
        _reading("back", _square(700, 0)),
    ]
    assert match(surfaces, readings) == ([0, 1, 2, 3], [4, 5])
    result = judge("a.jpg", "art", surfaces, readings, 0.5)
    assert [code for _, code in result.surfaces] == ["3m", "P", "back", "6p"]
    assert result.extra == ("E", "back")
    assert sorted(result.extra_faces) == ["E", "P"]
    assert not result.is_exact
    row = result.row()
    assert (row["faces_right"], row["backs"], row["backs_found"], row["backs_white"]) == (1, 2, 1, 1)
    whole = summary([result])
    assert whole["backs_named_white"] == 1
    assert whole["by_group"] == {"river faces": "1/1", "wall backs": "1/2"}


def test_a_folder_without_truth_is_told(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="no truth"):
        list(evaluate_tables(None, tmp_path))  # type: ignore[arg-type]
    (tmp_path / "bad.json").write_text("{}")
    with pytest.raises(DatasetError, match=r"truth/bad\.json"):
        load_truth(tmp_path / "bad.json")
