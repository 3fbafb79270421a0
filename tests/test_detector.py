"""The detector's decoding, its suppression of doubles, and the network on rendered scenes it was not trained on."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.tiles import ALL_TILES
from vision.detections import TileDetections
from vision.detector import DEFAULTS, LABELS, OpenVinoDetector, ScriptedDetector, decode, squeezed, third_scale
from vision.detector_evaluation import match
from vision.errors import ModelMismatchError, ModelMissingError
from vision.oriented import Candidates, corners, covariances, drop_covered, probiou, suppress
from vision.presence import ALIKE, ROW, company
from vision.synth import design_pool, render_scene
from vision.synth.placing import place
from vision.synth.scene import View, fit_camera, photograph
from vision.weights import find_weights

SHAPE = (64, 96)
CELLS = 8 * 12 + 4 * 6 + 2 * 3


def candidates(*rows: tuple[float, ...]) -> Candidates:
    boxes = np.array(rows, np.float32).reshape(-1, 5)
    scores = np.linspace(0.9, 0.5, len(boxes), dtype=np.float32)
    return Candidates(boxes, scores, np.zeros(len(boxes), np.int8))


def head(cell: int, sides: tuple[int, int, int, int], angle: float, kind: int) -> tuple[NDArray[np.float32], ...]:
    """Outputs of a head that sees one tile: all weight of each side's distribution on one bin."""
    boxes = np.full((4, 16, CELLS), -20, np.float32)
    for side, steps in enumerate(sides):
        boxes[side, steps, cell] = 20
    logits = np.full((2, CELLS), -9, np.float32)
    logits[kind, cell] = 2.0
    return boxes.reshape(64, CELLS), logits, np.full((1, CELLS), angle, np.float32)


@pytest.mark.parametrize("angle", [0.0, 0.5, math.pi / 2, -0.7])
def test_a_cell_decodes_to_its_box(angle: float) -> None:
    cell = 3 * 12 + 5  # stride 8, row 3, column 5: centre (44, 28)
    found = decode(*head(cell, (3, 2, 1, 2), angle, 1), SHAPE, 0.3)
    assert len(found) == 1
    assert found.classes.tolist() == [1]
    assert found.scores[0] == pytest.approx(1 / (1 + math.exp(-2)), abs=1e-5)
    x, y, along, across, turn = found.boxes[0].tolist()
    # the cell lies one stride right of the middle along the longer side
    assert (x, y) == pytest.approx((44 - 8 * math.cos(angle), 28 - 8 * math.sin(angle)), abs=1e-3)
    assert (along, across, turn) == pytest.approx((32, 32, angle), abs=1e-3)


def test_cells_of_coarser_grids_are_placed_by_their_stride() -> None:
    found = decode(*head(96 + 24 + 4, (1, 1, 1, 1), 0.0, 0), SHAPE, 0.3)  # stride 32, row 1, column 1
    assert found.boxes[0, :4].tolist() == pytest.approx([48, 48, 64, 64], abs=1e-3)


def test_weak_cells_are_left_out() -> None:
    assert len(decode(*head(0, (1, 1, 1, 1), 0.0, 0), SHAPE, 0.95)) == 0


def test_weak_backs_are_left_in_where_that_is_wanted() -> None:
    face, back = (head(0, (1, 1, 1, 1), 0.0, label) for label in (0, 1))
    assert len(decode(*face, SHAPE, 0.95, 0.3)) == 0
    assert len(decode(*back, SHAPE, 0.95, 0.3)) == 1


def test_a_row_of_backs_is_company_for_each_of_them() -> None:
    quads = np.array([[[x, 0], [x + 30, 0], [x + 30, 40], [x, 40]] for x in (0, 30, 60, 300, 330)], np.float32)
    scores = np.full(5, 0.3, np.float32)

    def companies(face_down: list[bool], back_is_sure: bool = True) -> list[int]:
        far = np.array([[[900, 900]], [[1900, 900]]], np.float32) + quads[:2]
        sure = TileDetections(far, np.ones(2, np.float32), np.array([back_is_sure, False]))
        return company(TileDetections.merge([TileDetections(quads, scores, np.array(face_down)), sure])).tolist()[:5]

    assert companies([True] * 5)[:3] == [ALIKE] * 3  # more than four weak ones for each sure one: squares of a cloth
    assert companies([True, True, True, False, False]) == [ROW] * 3 + [ALIKE] * 2
    assert companies([True, True, True, False, False], back_is_sure=False) == [ALIKE] * 5
    assert companies([True, False, True, True, True]) == [ALIKE] * 5  # two backs are no row


def test_corners_run_clockwise_in_the_picture() -> None:
    quads = corners(candidates((50, 40, 20, 10, 0.3), (0, 0, 8, 8, 2.0)).boxes)
    x, y = quads[..., 0], quads[..., 1]
    signed = 0.5 * (x * np.roll(y, -1, 1) - y * np.roll(x, -1, 1)).sum(axis=1)
    assert signed.tolist() == pytest.approx([200, 64], abs=1e-3)  # positive with y down: clockwise


def test_overlap_is_one_for_the_same_box_and_small_for_neighbours() -> None:
    found = candidates((50, 50, 30, 20, 0.2), (50, 50, 20, 30, 0.2 + math.pi / 2), (50, 71, 30, 20, 0.0))
    shapes = covariances(found.boxes)
    overlap = probiou(found.boxes[0], shapes[0], found.boxes, shapes)
    assert overlap[:2].tolist() == pytest.approx([1, 1], abs=1e-3)
    assert overlap[2] < 0.3


def test_doubles_go_and_touching_tiles_stay() -> None:
    row = candidates((20, 50, 40, 30, math.pi / 2), (50, 50, 40, 30, math.pi / 2), (22, 51, 41, 29, 1.5))
    assert suppress(row, 0.45).tolist() == [0, 1]


def test_half_a_tile_and_a_box_around_two_go() -> None:
    found = candidates(
        (20, 50, 40, 30, math.pi / 2), (50, 50, 40, 30, math.pi / 2), (20, 60, 30, 20, 0), (35, 50, 60, 40, 0)
    )
    assert drop_covered(found, 0.55).tolist() == [0, 1]


def test_nothing_found_is_an_empty_answer() -> None:
    empty = Candidates(np.zeros((0, 5), np.float32), np.zeros(0, np.float32), np.zeros(0, np.int8))
    assert len(suppress(empty, 0.5)) == 0
    assert len(drop_covered(empty, 0.5)) == 0


def test_a_missing_or_foreign_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelMissingError, match=r"none\.onnx"):
        OpenVinoDetector(tmp_path / "none.onnx")
    foreign = tmp_path / "foreign.onnx"
    foreign.write_bytes(b"no network")
    with pytest.raises(ModelMismatchError, match=r"foreign\.onnx"):
        OpenVinoDetector(foreign)


def test_a_whole_table_is_looked_at_closer_than_a_hand() -> None:
    scales, area = [0.32, 0.16], 4000.0 * 3000.0
    sides = np.full(17, 130, np.float32)
    assert third_scale(sides, scales, area, DEFAULTS) is None
    closer = third_scale(np.full(100, 130, np.float32), scales, area, DEFAULTS)
    assert closer == pytest.approx(DEFAULTS.crowd_tile_px / 130, rel=0.1)
    steps = 4 * math.log2(closer / scales[0])  # of few scales, so that the network sees the same shapes again
    assert steps == pytest.approx(round(steps))
    assert third_scale(np.full(100, 200, np.float32), scales, area, DEFAULTS) is None
    small = third_scale(np.full(100, 40, np.float32), scales, area, DEFAULTS)
    assert small is not None
    assert small**2 * area == pytest.approx(DEFAULTS.max_area_px)
    assert third_scale(np.zeros(0, np.float32), [1.0, 0.5], 640.0 * 640.0, DEFAULTS) is None


def test_tiles_taller_than_any_were_squeezed() -> None:
    """A picture is widened for tiles nobody makes, not for three that stand upright, nor for two."""

    def tall(ratio: float, count: int) -> TileDetections:
        quad = np.array([[0, 0], [10, 0], [10, 10 * ratio], [0, 10 * ratio]], np.float32)
        quads = np.stack([quad + np.array([20 * index, 0], np.float32) for index in range(count)])
        return TileDetections(quads, np.ones(count), np.zeros(count, bool))

    assert squeezed(tall(1.38, 9), DEFAULTS) is None
    assert squeezed(tall(2.0, 2), DEFAULTS) is None
    assert squeezed(tall(1.84, 9), DEFAULTS) == pytest.approx(1.84 / DEFAULTS.upright)
    assert squeezed(TileDetections.empty(), DEFAULTS) is None


def test_a_squeezed_row_is_found_where_it_is(detector: OpenVinoDetector) -> None:
    """A 16:9 photo stretched to a square: quads in its own pixels, on its tiles."""
    design = design_pool(6, 1)[0]
    placed = [place(tile, design.body, 1.02 * index, 0) for index, tile in enumerate(ALL_TILES[:10])]
    camera = fit_camera(placed, design.body, (576, 1024), View(tilt_deg=8, fill=0.8))
    scene = photograph(np.random.default_rng(6), design, placed, camera, (576, 1024), clutter=False, strength=0.3)
    photo = np.asarray(cv2.resize(scene.image, (576, 576), interpolation=cv2.INTER_AREA), np.uint8)
    true = np.array([tile.box() for tile in scene.tiles], np.float32) * [576 / 1024, 1, 576 / 1024, 1]
    found = detector.detect(photo)
    assert squeezed(found, DEFAULTS) is not None
    assert len(match(true.astype(np.float32), found.boxes)) >= 0.8 * len(true)


def test_the_scripted_detector_answers_in_order() -> None:
    one = TileDetections(np.zeros((1, 4, 2)), np.ones(1), np.zeros(1, bool))
    scripted = ScriptedDetector([one, TileDetections.empty()])
    picture = np.zeros((8, 8, 3), np.uint8)
    assert [len(scripted.detect(picture)) for _ in range(3)] == [1, 0, 0]
    assert scripted.calls == 3


@pytest.fixture(scope="module")
def detector() -> OpenVinoDetector:
    return OpenVinoDetector(find_weights("detector", labels=LABELS).path, threads=1)


def test_rendered_tiles_are_found_face_up_and_face_down(detector: OpenVinoDetector) -> None:
    """Ten scenes of seeds and designs that were not in training; backs count as found only as backs."""
    designs = design_pool(987_001, 6, None, None, None)
    found = {False: 0, True: 0}
    there = {False: 0, True: 0}
    for index in range(10):
        scene = render_scene(np.random.default_rng([987_001, index]), designs, 640)
        detections = detector.detect(scene.image)
        for face_down in (False, True):
            tiles = [t for t in scene.tiles if (t.code == "back") == face_down and t.occlusion < 0.3]
            labels = np.array([t.box() for t in tiles], np.float32).reshape(-1, 4)
            boxes = detections[detections.face_down == face_down].boxes
            found[face_down] += len(match(labels, boxes))
            there[face_down] += len(labels)
    assert there[False] > 80
    assert found[False] >= 0.9 * there[False]
    assert found[True] >= 0.85 * there[True]


def test_one_look_finds_tiles_of_known_size(detector: OpenVinoDetector) -> None:
    """As for live frames: one look is enough where the size of the tiles is known."""
    designs = design_pool(987_002, 2, None, None, None)
    there = found = 0
    for index in range(3):
        scene = render_scene(np.random.default_rng([987_002, index]), designs, (720, 960), "row")
        labels = np.array([tile.box() for tile in scene.tiles if tile.occlusion < 0.3], np.float32)
        seen = detector.detect(scene.image, float(np.median(np.sqrt((labels[:, 2:] - labels[:, :2]).prod(axis=1)))))
        there, found = there + len(labels), found + len(match(labels, seen.boxes))
    assert there > 20
    assert found >= 0.9 * there


def test_a_picture_of_a_whole_table_is_left_to_the_network_for_those(detector: OpenVinoDetector) -> None:
    """By how many tiles are seen; parts of live frames are not."""
    scene = render_scene(np.random.default_rng([987_003, 0]), design_pool(987_003, 2, None, None, None), 640, "row")
    own = detector.detect(scene.image)
    assert len(own) > 3
    other = ScriptedDetector([TileDetections.empty()])
    both = detector.leaving_tables_to(other)
    assert len(both.detect(scene.image)) == len(own)
    assert other.calls == 0
    both.settings = replace(DEFAULTS, crowd=3)
    assert len(both.detect(scene.image)) == 0
    assert other.calls == 1
    assert len(both.detect(scene.image, 40.0)) > 0
    assert len(detector.detect(scene.image)) == len(own), "the one it was made of stays as it is"


def test_an_empty_picture_has_no_tiles(detector: OpenVinoDetector) -> None:
    for grey in (0, 128, 255):
        assert len(detector.detect(np.full((300, 400, 3), grey, np.uint8))) == 0


@pytest.mark.parametrize("size", [(1, 1), (3, 900), (900, 3), (33, 65)])
def test_pictures_of_any_shape_are_taken(detector: OpenVinoDetector, size: tuple[int, int]) -> None:
    assert isinstance(detector.detect(np.zeros((*size, 3), np.uint8)), TileDetections)
