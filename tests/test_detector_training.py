"""Training material of the detector, and a run of seconds from recipe to a network that loads (where torch is)."""

from __future__ import annotations

import csv
import importlib.util
import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.detector import OpenVinoDetector
from vision.errors import DatasetError, RecipeError
from vision.training.compositions import Composer, Variation, quad_areas
from vision.training.real_photos import LabelledPhoto, load_set, quads_from_boxes, row_tilt
from vision.training.rendered import SceneTable, load_scenes

HAS_TORCH = all(importlib.util.find_spec(name) for name in ("torch", "ultralytics", "onnx"))


def row_of_tiles(tilt: float, count: int = 8, sides: tuple[float, float] = (30, 40)) -> NDArray[np.float64]:
    """Axis-aligned boxes around a row of touching tiles tilted by radians."""
    steps = np.arange(count)[:, None] * sides[0] * np.array([np.cos(tilt), np.sin(tilt)]) + 200
    width = sides[0] * abs(np.cos(tilt)) + sides[1] * abs(np.sin(tilt))
    height = sides[0] * abs(np.sin(tilt)) + sides[1] * abs(np.cos(tilt))
    return np.concatenate([steps, np.tile([width, height], (count, 1))], axis=1)


@pytest.mark.parametrize("degrees", [0, 3, 15, -25, 33])
def test_boxes_of_a_tilted_row_become_its_tiles(degrees: float) -> None:
    boxes = row_of_tiles(np.radians(degrees))
    assert np.degrees(row_tilt(boxes)) == pytest.approx(degrees, abs=0.1)
    quads = quads_from_boxes(boxes)
    assert quads is not None
    if abs(degrees) > 7:
        assert quad_areas(quads) == pytest.approx(np.full(8, 1200.0), rel=1e-3)
    assert quads.mean(axis=1) == pytest.approx(boxes[:, :2], abs=1e-3)


def test_a_row_too_steep_to_tell_gives_no_quads() -> None:
    assert quads_from_boxes(row_of_tiles(np.radians(43))) is None


def test_an_absent_data_set_is_named(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="JINQUE_DATA"):
        load_set(tmp_path / "nothing", "train")


def photo(tiles: int = 3) -> LabelledPhoto:
    """White tiles on black."""
    image = np.zeros((200, 300, 3), np.uint8)
    quads = []
    for i in range(tiles):
        x = 40 + 60 * i
        image[60:130, x : x + 50] = 255
        quads.append([[x, 60], [x + 50, 60], [x + 50, 130], [x, 130]])
    return LabelledPhoto("row", image, np.array(quads, np.float32), np.zeros(tiles, np.int8))


def test_quads_stay_on_their_tiles() -> None:
    variation = Variation(layers=1, plain=1.0, fliplr=0.5, flipud=0.5)
    composer = Composer([photo()], np.ones(1), np.zeros(1, bool), 256, variation)
    rng = np.random.default_rng(3)
    seen = 0
    for _ in range(40):
        picture = composer.draw(rng)
        for quad in picture.quads:
            x, y = quad.mean(axis=0)
            assert picture.image[int(y), int(x)].min() > 200
            seen += 1
    assert seen > 40


def test_a_tile_under_another_photo_is_no_label() -> None:
    composer = Composer([photo()], np.ones(1), np.zeros(1, bool), 128, Variation())
    tile = np.array([[10, 10], [50, 10], [50, 50], [10, 50]], np.float32)
    quads = np.stack([tile, tile + np.float32([60, 0])])
    owner = np.zeros((128, 128), np.int32)
    owner[10:50, 10:50] = 1
    owner[10:50, 70:80] = 2  # a quarter of the second is left
    picture = composer._finish(
        np.random.default_rng(0),
        np.zeros((128, 128, 3), np.uint8),
        quads.astype(np.float32),
        np.zeros(2, np.int8),
        owner,
    )
    assert len(picture.quads) == 1


def test_a_scene_without_tiles_is_a_picture_without_labels() -> None:
    empty = LabelledPhoto(
        "empty", np.zeros((50, 60, 3), np.uint8), np.zeros((0, 4, 2), np.float32), np.zeros(0, np.int8)
    )
    composer = Composer([empty], np.ones(1), np.ones(1, bool), 64, Variation(distractors=1.0))
    assert composer.draw(np.random.default_rng(0)).quads.shape == (0, 4, 2)


def test_pictures_repeat_with_the_generator() -> None:
    composer = Composer([photo(), photo(2)], np.ones(2), np.array([False, True]), 128, Variation())
    first, second = (composer.draw(np.random.default_rng(11)) for _ in range(2))
    assert (first.image == second.image).all()
    assert (first.quads == second.quads).all()


def test_scenes_are_rendered_once(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="crops: the folder"):
        SceneTable.of({"seed": 1, "count": 1, "crops": "absent"}, tmp_path)
    table = SceneTable(seed=5, count=2, designs=2, art=None)
    scenes = load_scenes(tmp_path, table)
    assert [scene.image.shape for scene in scenes] == [(640, 640, 3)] * 2
    stamps = [path.stat().st_mtime_ns for path in sorted(tmp_path.rglob("*.*"))]
    again = load_scenes(tmp_path, table)
    assert [path.stat().st_mtime_ns for path in sorted(tmp_path.rglob("*.*"))] == stamps
    assert all((a.quads == b.quads).all() for a, b in zip(scenes, again, strict=True))
    (larger,) = load_scenes(tmp_path / "large", SceneTable(seed=5, count=1, designs=2, art=None, size_px=800))
    assert larger.image.shape == (800, 800, 3)


@pytest.mark.train
@pytest.mark.slow
@pytest.mark.skipif(not HAS_TORCH, reason="the training stack is not installed: pip install 'jinque[train]'")
@pytest.mark.filterwarnings("ignore")
def test_a_run_stops_resumes_and_exports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from vision.training import train
    from vision.training.export import export_detector

    data = tmp_path / "data" / "row"
    for name in ("images", "labels"):
        (data / name).mkdir(parents=True)
    cv2.imwrite(str(data / "images" / "a.jpg"), photo().image)
    (data / "labels" / "a.txt").write_text("0 0.216 0.475 0.166 0.35\n", encoding="utf-8")
    (data / "split.csv").write_text("file,split,scene\na.jpg,train,one\n", encoding="utf-8")
    monkeypatch.setenv("JINQUE_DATA", str(tmp_path / "data"))
    recipe = tmp_path / "tiny.toml"
    recipe.write_text(
        f'kind = "detector"\nminutes = 60\nout = "{tmp_path / "out"}"\n'
        '[training]\nside = 64\nbatch = 2\n[variation]\ndistractors = 0.0\n[[photos]]\nset = "row"\nweight = 1.0\n',
        encoding="utf-8",
    )
    with pytest.raises(RecipeError, match="nothing to resume"):
        train(recipe, resume=True)
    first = train(recipe, minutes=0.1)
    assert not first.finished
    assert first.steps > 0
    second = train(recipe, resume=True, minutes=0.1)
    assert second.steps > first.steps
    assert second.minutes > first.minutes
    with (tmp_path / "out" / "runs.csv").open(encoding="utf-8") as file:
        assert [int(row["steps"]) for row in csv.DictReader(file)] == [first.steps, second.steps]
    target = tmp_path / "tiny.onnx"
    digest = export_detector(second.checkpoint, target)
    assert json.loads(target.with_suffix(".json").read_text(encoding="utf-8"))["sha256"] == digest
    OpenVinoDetector(target, threads=1).detect(photo().image)
