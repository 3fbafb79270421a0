"""The renderer: determinism, exact labels, complete and distinct faces."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.tiles import ALL_TILES, CODES, Tile
from vision.synth import Design, render_face_crop, render_scene
from vision.synth.arrangements import LAYOUTS
from vision.synth.art import HELD_OUT, art_sets
from vision.synth.backs import KINDS, patterned_back
from vision.synth.designs import BACK_PICTURE, art_design, design_pool, photo_design, procedural_design, with_back
from vision.synth.export import FACE_BACK, TILE_CLASSES, scenes, write_yolo
from vision.synth.fonts import hanzi_fonts
from vision.synth.photos import read_crops
from vision.synth.placing import place
from vision.synth.scene import View, fit_camera, photograph

pytestmark = pytest.mark.skipif(not hanzi_fonts(), reason="no font with traditional Chinese characters on this system")


@pytest.fixture(scope="module")
def designs() -> list[Design]:
    return [procedural_design(np.random.default_rng(seed), width_px=72) for seed in range(3)]


def test_a_design_has_all_42_faces_and_no_two_alike(designs: list[Design]) -> None:
    for design in designs:
        assert design.faces.shape == (42, 96, 72, 4)
        for tile in ALL_TILES:
            assert tile is Tile.WHITE or design.faces[tile, :, :, 3].max() > 150, tile
        for first, second in itertools.combinations(range(42), 2):
            difference = np.abs(design.faces[first].astype(int) - design.faces[second]).mean()
            assert difference > 0.5, (design.name, CODES[first], CODES[second])


def test_the_same_seed_gives_the_same_design_scene_and_crop(designs: list[Design]) -> None:
    again = procedural_design(np.random.default_rng(0), width_px=72)
    assert np.array_equal(again.faces, designs[0].faces)
    assert again.body == designs[0].body
    first, second = (render_scene(np.random.default_rng(5), designs, 320) for _ in range(2))
    assert np.array_equal(first.image, second.image)
    assert [tile.code for tile in first.tiles] == [tile.code for tile in second.tiles]
    a, b = (render_face_crop(np.random.default_rng(5), designs[0], Tile.M5, 64) for _ in range(2))
    assert np.array_equal(a[0], b[0])
    assert np.array_equal(a[1], b[1])


@pytest.mark.parametrize("kind", LAYOUTS)
def test_labels_lie_in_the_picture_and_go_clockwise(designs: list[Design], kind: str) -> None:
    found = 0
    for seed in range(6):
        scene = render_scene(np.random.default_rng(seed), designs, (240, 320), kind)
        assert scene.image.shape == (240, 320, 3)
        for tile in scene.tiles:
            found += 1
            assert tile.code in TILE_CLASSES
            assert 0 <= tile.occlusion <= 0.95
            quad = tile.quad.astype(np.float32)
            assert cv2.isContourConvex(quad.reshape(-1, 1, 2)), tile
            assert cv2.contourArea(quad, oriented=True) > 0, "not clockwise in image coordinates"
            x0, y0, x1, y1 = tile.box()
            assert x1 > 0
            assert y1 > 0
            assert x0 < 320
            assert y0 < 240
    assert found > 10


def test_a_crop_shows_the_named_tile_upright(designs: list[Design]) -> None:
    for tile in (Tile.M1, Tile.P9, Tile.SPRING, None):
        picture, quad = render_face_crop(np.random.default_rng(3), designs[0], tile, 64)
        assert picture.shape == (64, 64, 3)
        assert cv2.contourArea(quad.astype(np.float32), oriented=True) > 64 * 64 * 0.2
        assert abs(quad[0, 0] - quad[1, 0]) > abs(quad[0, 1] - quad[1, 1])


@pytest.mark.parametrize("oriented", [True, False])
def test_yolo_folders(designs: list[Design], tmp_path: Path, oriented: bool) -> None:
    assert write_yolo(tmp_path, scenes(1, 2, designs, 320), FACE_BACK, oriented) == 2
    lines = (tmp_path / "labels" / "000001.txt").read_text().splitlines()
    assert lines
    for line in lines:
        number, *values = line.split()
        assert number in {"0", "1"}
        assert len(values) == (8 if oriented else 4)
        assert all(0 <= float(value) <= 1 for value in values)
    assert (tmp_path / "images" / "000001.jpg").is_file()
    assert "0: face" in (tmp_path / "data.yaml").read_text()


def test_designs_from_free_art_name_their_sources(shared: Path) -> None:
    art = shared / "data" / "art"
    for seed in range(4):
        design = art_design(np.random.default_rng(seed), art, width_px=48)
        assert "CC" in design.credit or "M+" in design.credit
        for first, second in itertools.combinations(range(42), 2):
            assert np.abs(design.faces[first].astype(int) - design.faces[second]).mean() > 0.3, design.name


def test_photographed_designs_take_training_pictures_only(shared: Path) -> None:
    folder = shared / "data" / "tiles" / "crops_web"
    found = read_crops(folder)
    rows = (folder / "split.csv").read_text(encoding="utf-8").splitlines()
    assert len(found) == 1
    assert len(found[0]) == 42
    assert sum(len(pictures) for pictures in found[0].values()) == sum(",train," in row for row in rows)
    design = photo_design(np.random.default_rng(0), found[0], width_px=48)
    assert (design.faces[:, 32, 24, 3] == 255).all()


def test_a_set_of_one_colour_has_no_blank_white_dragon(designs: list[Design]) -> None:
    kinds: set[tuple[bool, bool]] = set()
    for seed in range(40):
        base = designs[seed % 3]
        faces = base.faces.copy()
        faces[Tile.WHITE] = 0
        body = replace(base.body, back_share=0.0, back=base.body.face) if seed % 2 else base.body
        design = with_back(np.random.default_rng(seed), Design("blank", faces, body))
        blank = not design.faces[Tile.WHITE].any()
        patterned = bool(np.ptp(design.levels[0][BACK_PICTURE].reshape(-1, 3), axis=0).any())
        assert patterned or design.body.back_share > 0 or not blank
        kinds.add((blank, patterned))
    assert kinds == {(True, False), (True, True), (False, False)}


def test_backs_with_patterns_differ_from_plain_ones() -> None:
    for kind in KINDS:
        back = patterned_back(np.random.default_rng(1), (40, 120, 60), (96, 72), kind)
        assert back.shape == (96, 72, 3)
        assert back.std() > 3, kind


def test_no_training_design_uses_the_art_that_is_held_out(shared: Path) -> None:
    art = shared / "data" / "art"
    assert HELD_OUT in art_sets(art)
    names = {design.name for design in design_pool(0, 30, art, width_px=24)}
    assert not any(HELD_OUT in name for name in names)


def test_crops_in_folders_by_code(tmp_path: Path) -> None:
    (tmp_path / "3m").mkdir()
    cv2.imwrite(str(tmp_path / "3m" / "a.png"), np.full((40, 30, 3), 200, np.uint8))
    assert [list(faces) for faces in read_crops(tmp_path)] == [[Tile.M3]]


def test_a_folder_without_art_is_told(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no tile art found"):
        art_design(np.random.default_rng(0), tmp_path)


def test_an_empty_scene_has_no_labels(designs: list[Design]) -> None:
    body = designs[0].body
    placed = LAYOUTS["row"][0](np.random.default_rng(1), body)
    camera = fit_camera(placed, body, (120, 160), View(tilt_deg=20))
    scene = photograph(np.random.default_rng(1), designs[0], placed, camera, (120, 160), empty=True)
    assert scene.tiles == ()


def test_a_covered_tile_counts_as_hidden(designs: list[Design]) -> None:
    body = designs[0].body
    placed = [
        place(Tile.M1, body, 0, 0, group="below"),
        place(Tile.M2, body, 0.5, 0, group="above", base=body.thickness),
        place(Tile.M3, body, 3, 0, group="free"),
    ]
    camera = fit_camera(placed, body, (480, 640), View(tilt_deg=0))
    scene = photograph(np.random.default_rng(1), designs[0], placed, camera, (480, 640), clutter=False)
    hidden = {tile.group: tile.occlusion for tile in scene.tiles}
    assert hidden["free"] < 0.05
    assert hidden["above"] < 0.05
    assert 0.5 < hidden["below"] < 0.9  # half of it, and more by perspective
