"""How the classifier is trained: no mirror, right turns, balanced draws, thresholds; a tiny run where torch is."""

from __future__ import annotations

import csv
import tomllib
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from engine.tiles import CODES
from vision.classifier import ScriptedClassifier
from vision.crops import rectify
from vision.label_errors import LABEL_ERRORS
from vision.training.classifier_augment import Augmentation, face_corners, quarter_turned, warp
from vision.training.classifier_batches import CropSampler, item_chances, turn_period
from vision.training.classifier_data import BACK, NOT_A_FACE, WIDE_SIZE, WideCrops, cut_photo_set, data_hash
from vision.training.classifier_publish import LOOSE_DRAWS, rightly_labelled, strictest, temperature, threshold
from vision.training.classifier_rendered import render_crops
from vision.training.evaluate_classifier import (
    SetCrops,
    calibration_error,
    compare_looks,
    cut_set,
    loosened,
    turned,
)

RECIPE = Path(__file__).resolve().parent.parent / "datasets" / "recipes" / "classifier.toml"
STILL = Augmentation(tilt_deg=1e-6, free_turn=0, tight=0, edge_jitter=0)


def wide(count: int = 12, name: str = "a") -> WideCrops:
    """Crops whose face is dark at its top left, of classes 0, 1, 2 ..."""
    images = np.full((count, WIDE_SIZE, WIDE_SIZE, 3), 200, dtype=np.uint8)
    edge = round(WIDE_SIZE * 0.6 / 2.2)
    images[:, edge : WIDE_SIZE // 2, edge : WIDE_SIZE // 2] = 20
    return WideCrops(
        images,
        np.arange(count) % 42,
        np.zeros(count, dtype=np.int64),
        np.tile(np.array([0, 0, 1, 1], dtype=np.float32), (count, 1)),
        np.array([name] * count),
        np.array([f"{name}{row}" for row in range(count)]),
    )


def darkest_corner(crop: npt.NDArray[np.uint8]) -> int:
    """0 top left, then clockwise."""
    half = crop.shape[0] // 2
    parts = (crop[:half, :half], crop[:half, half:], crop[half:, half:], crop[half:, :half])
    return int(np.argmin([part.mean() for part in parts]))


def test_recipe_never_mirrors() -> None:
    """Field report 7: mirrored characters must not be taught as right."""
    table = tomllib.loads(RECIPE.read_text(encoding="utf-8"))["augment"]
    assert table["flip"] is False
    with pytest.raises(ValueError, match="mirrored"):
        Augmentation(flip=True)


def test_recipe_trains_on_no_test_set() -> None:
    recipe = tomllib.loads(RECIPE.read_text(encoding="utf-8"))
    assert not {"leomiura_riichi_standing", "crops_cyfef"} & set(recipe["sets"])


@pytest.mark.parametrize("turn", range(4))
def test_quarter_turns_are_clockwise(turn: int) -> None:
    crops = wide(1)
    corners = quarter_turned(face_corners(np.random.default_rng(0), STILL), turn)
    crop = warp(crops.images[0], crops.valid[0], corners, np.zeros((64, 64, 3), dtype=np.uint8))
    assert darkest_corner(crop) == turn


def test_corners_never_mirror() -> None:
    rng = np.random.default_rng(3)
    for _ in range(300):
        quad = quarter_turned(face_corners(rng, Augmentation()), int(rng.integers(4))).astype(np.float32)
        assert cv2.contourArea(quad, oriented=True) > 0.2


def test_only_what_lies_in_the_photo_is_shown() -> None:
    crops = wide(1)
    behind = np.zeros((64, 64, 3), dtype=np.uint8)
    inside = np.array([0.25, 0.25, 0.75, 0.75], dtype=np.float32)
    corners = face_corners(np.random.default_rng(0), STILL)
    assert (warp(crops.images[0], inside, corners * 1.7, behind)[:4] == 0).all()


def test_sampler_repeats_with_its_seed_and_tells_turns() -> None:
    sampler = CropSampler(wide(42), {}, Augmentation(), negatives=0.3)
    first, again = (sampler.draw(np.random.default_rng(5), 64) for _ in range(2))
    assert np.array_equal(first.images, again.images)
    assert first.target.sum(axis=1) == pytest.approx(np.ones(64))
    negative = first.target[:, :42].max(axis=1) < 1
    assert 0.1 < negative.mean() < 0.5
    assert (first.turn_period[negative] == 0).all()
    assert (first.target[negative, NOT_A_FACE] > 0).all() or (first.target[negative, 42] > 0).any()


def test_sets_and_classes_are_balanced() -> None:
    both = WideCrops.concatenate([wide(84, "many"), wide(42, "few")])
    chances = item_chances(both, {"many": 1.0, "few": 3.0})
    assert chances.sum() == pytest.approx(1)
    assert chances[84:].sum() == pytest.approx(0.75)
    assert chances[0] == pytest.approx(chances[42])


def test_turn_is_learned_only_where_it_shows() -> None:
    assert turn_period(CODES.index("3m")) == 4
    assert turn_period(CODES.index("8s")) == 2
    assert turn_period(CODES.index("1p")) == 0


def test_temperature_and_threshold() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 44, 4000)
    logits = rng.normal(0, 1, (4000, 44))
    logits[np.arange(4000), truth] += 3
    honest = temperature(logits, truth, np.ones(4000))
    assert temperature(logits * 2, truth, np.ones(4000)) == pytest.approx(2 * honest, rel=0.05)
    confidence = np.array([0.99, 0.9, 0.8, 0.7, 0.6])
    right = np.array([True, True, False, True, False])
    limit = threshold(confidence, right, np.ones(5), 0.1)
    assert 0.8 < limit < 0.9
    assert threshold(confidence, np.ones(5, dtype=bool), np.ones(5), 0.1) == 0


def test_a_set_of_few_faces_sets_no_threshold_by_itself() -> None:
    """One wrong face of five is more than one in ten, but of five and thirty it is not."""
    few, many = 5 * LOOSE_DRAWS, 30 * LOOSE_DRAWS
    of_set = np.repeat([0, 1], [few, many])
    confidence = np.full(few + many, 0.5)
    right = np.ones(few + many, dtype=bool)
    confidence[:LOOSE_DRAWS], right[:LOOSE_DRAWS] = 0.9, False
    assert strictest(confidence, right, of_set, 0.1) == 0
    confidence[few : few + 2 * few], right[few : few + 2 * few] = 0.7, False
    assert strictest(confidence, right, of_set, 0.1) == pytest.approx(0.7)
    large = np.repeat([0, 1], [many, few])
    assert strictest(confidence, np.arange(few + many) >= many // 2, large, 0.1) > 0


def test_calibration_error_of_an_honest_and_a_boastful_guesser() -> None:
    right = np.array([True, True, True, False])
    assert calibration_error(np.full(4, 0.75), right) == pytest.approx(0)
    assert calibration_error(np.full(4, 0.999), right) == pytest.approx(0.249, abs=1e-3)


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_evaluation_turns_clockwise(degrees: int) -> None:
    image = np.full((200, 200, 3), 200, dtype=np.uint8)
    image[50:100, 50:100] = 20
    quad = np.array([[[50, 50], [150, 50], [150, 150], [50, 150]]], dtype=np.float32)
    assert darkest_corner(rectify(*turned(image, quad, degrees))[0]) == degrees // 90


def test_evaluation_at_45_degrees_turns_photo_and_quads_together() -> None:
    rng = np.random.default_rng(4)
    image = cv2.GaussianBlur(rng.integers(0, 256, (300, 240, 3), dtype=np.uint8), (0, 0), 4)
    quad = np.array([[[100, 100], [200, 100], [200, 220], [100, 220]]], dtype=np.float32)
    straight = rectify(image, quad)[0].astype(int)
    slanting = rectify(*turned(image, quad, 45))[0].astype(int)
    assert np.abs(straight - slanting).mean() < 1


def test_loose_quads_stay_near() -> None:
    quad = np.tile(np.array([[[100, 100], [200, 100], [200, 200], [100, 200]]], dtype=np.float32), (500, 1, 1))
    off = loosened(quad, np.random.default_rng(0)) - quad
    assert abs(float(off.mean())) < 1
    assert 3 < float(off.std()) < 9


def test_cut_of_a_photo_set(shared: Path) -> None:
    crops = cut_photo_set(shared / "data" / "tiles" / "crops_web", ("val",))
    assert len(crops) == 76
    assert (crops.turns == 0).all()
    assert len(data_hash(crops)) == 16
    faces = cut_set(shared / "data" / "tiles" / "crops_cyfef", "test", degrees=(0,))
    assert faces.crops[0].shape == (84, 64, 64, 3)


@pytest.mark.train
@pytest.mark.filterwarnings("default")
def test_a_tiny_run_trains_exports_and_goes_on(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("onnx")
    from vision.training import train

    faces = tmp_path / "data" / "tiny"
    for folder in ("images", "labels"):
        (faces / folder).mkdir(parents=True)
    rows = ["file,split,scene"]
    rng = np.random.default_rng(0)
    for index in range(8):
        cv2.imwrite(str(faces / "images" / f"{index}.png"), rng.integers(0, 256, (80, 60, 3), dtype=np.uint8))
        (faces / "labels" / f"{index}.txt").write_text(f"{index} 0.5 0.5 0.8 0.8\n", encoding="utf-8")
        rows.append(f"{index}.png,{'val' if index % 4 == 3 else 'train'},x")
    (faces / "split.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    recipe = tmp_path / "tiny.toml"
    recipe.write_text(
        f'kind = "classifier"\nseed = 1\nminutes = 0.2\ndata = "data"\nout = "{tmp_path / "run"}"\n'
        "[network]\nwidths = [8, 8, 16]\nblocks = [1, 1, 1]\n[schedule]\nbatch = 8\n"
        "[sets]\ntiny = 1.0\n[sampling]\nnegatives = 0.1\n[augment]\nflip = false\n",
        encoding="utf-8",
    )
    first = train(recipe, minutes=0.05)
    assert first.steps > 0
    assert (tmp_path / "run" / "classifier.onnx").is_file()
    second = train(recipe, resume=True, minutes=0.05)
    assert second.steps > first.steps
    assert (tmp_path / "run" / "runs.csv").read_text(encoding="utf-8").count("\n") >= 3


@pytest.mark.train
@pytest.mark.filterwarnings("default")
def test_training_goes_on_from_a_published_network(tmp_path: Path) -> None:
    """What was folded on export is laid out again: the same answers at rest, and much the same while it learns."""
    torch = pytest.importorskip("torch")
    pytest.importorskip("onnx")
    from vision.training.classifier_export import export
    from vision.training.classifier_network import FaceNetwork
    from vision.training.published import load_published

    torch.manual_seed(0)
    crops = [torch.rand(64, 3, 64, 64) * torch.rand(64, 3, 1, 1) for _ in range(6)]
    learned = FaceNetwork((8, 16, 24), (1, 2, 2))
    for _ in range(10):
        for batch in crops:
            learned(batch)  # only the normalisations learn
    export(learned, tmp_path / "published.onnx")
    network = FaceNetwork((8, 16, 24), (1, 2, 2))
    load_published(network, tmp_path / "published.onnx", crops)
    with torch.no_grad():
        before, after = learned.eval()(crops[0]), network.eval()(crops[0])
        for old, new in zip(before, after, strict=True):
            assert torch.allclose(old, new, atol=0.02)
        learned.dropout.p = network.dropout.p = 0.0
        learning = network.train()(crops[0])
    assert (learning[0] - before[0]).abs().mean() < 0.2 * before[0].std()


@pytest.mark.train
@pytest.mark.filterwarnings("default")
def test_no_start_from_another_network(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("onnx")
    from vision.errors import RecipeError
    from vision.training.classifier_export import export
    from vision.training.classifier_network import FaceNetwork
    from vision.training.published import load_published

    export(FaceNetwork((8, 8, 16), (1, 1, 1)), tmp_path / "small.onnx")
    (tmp_path / "text.onnx").write_text("no network", encoding="utf-8")
    for name, reason in (("small", "another shape"), ("text", "no ONNX file"), ("absent", "no ONNX file")):
        with pytest.raises(RecipeError, match=reason):
            load_published(FaceNetwork((8, 16, 24), (1, 2, 2)), tmp_path / f"{name}.onnx", [])


def test_looks_are_compared_crop_by_crop() -> None:
    """Another label, and a name on one side alone, over all angles."""
    crops = np.zeros((2, 64, 64, 3), np.uint8)
    faces = SetCrops("two", {0: crops, 90: crops}, np.zeros(2, np.int64), np.array(["a", "a"]))
    quick = ScriptedClassifier([{"1m": 0.9}, {"2m": 0.9}, {"1m": 0.9}, {"2m": 0.6}])
    thorough = ScriptedClassifier([{"1m": 0.9}, {"3m": 0.9}, {"1m": 0.6}, {"2m": 0.6}])
    found = compare_looks(quick, thorough, [faces], known=0.8)
    assert (found.crops, found.looks, found.changed, found.crossed) == (2, 4, 1, 1)
    assert found.times_as_fast > 0


def test_wrong_labels_of_validation_photos_do_not_count() -> None:
    """One of them would set the threshold; every row of the list names a label that is there."""
    with LABEL_ERRORS.open(encoding="utf-8") as rows:
        first = next(csv.DictReader(rows))
    photos = np.array([first["file"]] * (int(first["line"]) + 1) + ["another.jpg"])
    right = rightly_labelled(photos, first["set"])
    assert np.flatnonzero(~right).tolist() == [int(first["line"]) - 1]
    assert rightly_labelled(photos, "crops_web").all()


def test_the_list_of_wrong_labels_fits_the_photos(shared: Path) -> None:
    with LABEL_ERRORS.open(encoding="utf-8") as rows:
        for row in csv.DictReader(rows):
            folder = shared / "data" / "tiles" / row["set"]
            lines = (folder / "labels" / row["file"]).with_suffix(".txt").read_text(encoding="utf-8").splitlines()
            assert CODES[int(lines[int(row["line"]) - 1].split()[0])] == row["label"]


def test_more_flowers_are_rendered_where_they_are_asked_for() -> None:
    crops = render_crops(5, 2, 60, flowers=0.8)
    assert np.mean(crops.labels[crops.labels < BACK] >= CODES.index("1f")) > 0.6
