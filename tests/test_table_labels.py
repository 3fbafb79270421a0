"""Hand labels of whole tables: the bundled files are sound, and broken ones are told."""

from __future__ import annotations

import logging
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.conftest import ROOT
from vision.errors import DatasetError
from vision.reading import BACK
from vision.table_labels import load_table_labels, photos_folder, with_photos
from vision.table_overlays import main
from vision.training.real_photos import FACE, load_tables

TABLES = ROOT / "datasets" / "whole_tables"
LABEL = "0 0.1 0.1 0.3 0.1 0.3 0.4 0.1 0.4\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two labelled photos, one of them there."""
    monkeypatch.delenv("JINQUE_DATA", raising=False)
    data = tmp_path / "tables"
    (data / "labels").mkdir(parents=True)
    (data / "dataset.toml").write_text('data = "../data"\nphotos = "set/full"\n')
    (data / "classes.txt").write_text("1m\n2m\n1f\nback\nunreadable\n")
    (data / "photos.csv").write_text("file,split,complete\nb.png,test,yes\na.png,train,no\n")
    (data / "labels" / "a.txt").write_text(LABEL + "3 0.5 0.5 0.6 0.5 0.6 0.6 0.5 0.6\n")
    (data / "labels" / "b.txt").write_text(LABEL + "4 0.5 0.5 0.6 0.5 0.6 0.6 0.5 0.6\n")
    (tmp_path / "data" / "set" / "full").mkdir(parents=True)
    cv2.imwrite(str(tmp_path / "data" / "set" / "full" / "b.png"), np.zeros((60, 100, 3), np.uint8))
    return data


def test_the_bundled_labels_are_sound() -> None:
    """Every file can be read: known classes, corners in the photo, no fifth copy; each split has faces and backs."""
    labels = load_table_labels(TABLES)
    files = {path.stem for path in (TABLES / "labels").glob("*.txt")}

    assert {Path(one.file).stem for one in labels} == files
    assert len(labels) >= 40
    for split in ("train", "val", "test"):
        codes = Counter(code for one in load_table_labels(TABLES, split) for code in one.codes)
        assert codes[BACK] > 100
        assert len(codes) > 35


def test_the_bundled_labels_belong_to_photos_of_the_same_split(shared: Path) -> None:
    """A photo is in the split that its cut version has in cmd_hk, and it is there."""
    tiles = shared / "data" / "tiles" / "cmd_hk"
    splits = dict(line.split(",")[:2] for line in (tiles / "split.csv").read_text().splitlines())
    for one in load_table_labels(TABLES):
        assert (tiles / "partial_full" / one.file).is_file()
        assert splits[one.file] == one.split


def test_labels_and_photos(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Labels need no photos; those that are there are found, and skipped ones are said."""
    first, second = load_table_labels(folder)

    assert (first.file, first.codes, first.complete, len(first.unreadable)) == ("a.png", ("1m", "back"), False, 0)
    assert (second.file, second.codes, second.complete, len(second.unreadable)) == ("b.png", ("1m",), True, 1)
    assert second.boxes[0] == pytest.approx([0.1, 0.1, 0.3, 0.4])
    assert [one.file for one in load_table_labels(folder, "train")] == ["a.png"]
    with caplog.at_level(logging.WARNING):
        assert [path.name for _, path in with_photos(folder, (first, second))] == ["b.png"]
    assert "skipped 1 of 2 photos" in caplog.text
    with pytest.raises(DatasetError, match="labels only, and none of its photos"):
        with_photos(folder, (first,))


def test_the_environment_says_where_the_data_is(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for recipes."""
    monkeypatch.setenv("JINQUE_DATA", str(tmp_path / "elsewhere"))

    assert photos_folder(folder) == tmp_path / "elsewhere" / "set" / "full"


def test_training_gets_quads_in_pixels_and_no_unreadable_tiles(folder: Path, tmp_path: Path) -> None:
    """Unreadable places are blurred, labelled tiles in them stay; incomplete photos are left out."""
    rng = np.random.default_rng(3)
    picture = rng.integers(0, 256, (300, 500, 3), np.uint8)
    photos = tmp_path / "data" / "set" / "full"
    for name in ("a.png", "b.png"):
        cv2.imwrite(str(photos / name), picture)
    (folder / "labels" / "b.txt").write_text(LABEL + "4 0.2 0.2 0.9 0.2 0.9 0.9 0.2 0.9\n")
    (folder / "photos.csv").write_text("file,split,complete\nb.png,train,yes\na.png,train,no\n")

    (photo,) = load_tables(folder, "train")

    assert photo.name == "b.png"
    assert photo.quads.tolist() == [[[50, 30], [150, 30], [150, 120], [50, 120]]]
    assert photo.classes.tolist() == [FACE]
    assert (photo.image[30:120, 50:150] == picture[30:120, 50:150]).all()
    assert (photo.image[:55] == picture[:55]).all()
    assert photo.image[140:260, 180:430].std() < 5 < picture.std()


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("labels/a.txt", LABEL * 5, "5 tiles 1m, but a set has 4"),
        ("labels/a.txt", LABEL.replace("0 ", "2 ", 1) * 2, "2 tiles 1f, but a set has 1"),
        ("labels/a.txt", "9" + LABEL[1:], r"labels/a.txt, line 1: expected a class 0\.\.4"),
        ("labels/a.txt", LABEL.replace("0.4", "1.4"), "eight shares"),
        ("labels/a.txt", "0 0.1 0.1 0.1 0.4 0.3 0.4 0.3 0.1\n", "do not run clockwise"),
        ("classes.txt", "1m\n10m\n", "classes.txt names '10m'"),
        ("photos.csv", "file,split\na.png,train\n", "photos.csv, line 2"),
        ("photos.csv", "file,split,complete\nc.png,train,yes\n", r"labels/c.txt is missing"),
    ],
)
def test_what_is_wrong_is_told(folder: Path, file: str, text: str, message: str) -> None:
    """In one sentence with file and line."""
    (folder / file).write_text(text)

    with pytest.raises(DatasetError, match=message):
        load_table_labels(folder)


def test_labels_are_drawn_over_their_photos(folder: Path, tmp_path: Path) -> None:
    """A picture a photo, with the outlines where the labels are."""
    assert main([str(folder), "--out", str(tmp_path / "out"), "--split", "test", "--enlarge", "4"]) == 0

    (picture,) = (tmp_path / "out").iterdir()
    drawn = cv2.imread(str(picture))
    assert picture.name == "b.jpg"
    assert drawn.shape == (240, 400, 3)
    edge = drawn[20:29, 60:100].reshape(-1, 3).max(axis=0)  # the upper side of the face
    assert edge[2] > 120 > edge[0]
    assert drawn[200:].max() < 60
    assert load_table_labels(folder, "test")[0].lines == (1, 2)


def test_unknown_splits_are_told(folder: Path) -> None:
    """With those that exist."""
    with pytest.raises(DatasetError, match="no split 'val'; it has test, train"):
        load_table_labels(folder, "val")
