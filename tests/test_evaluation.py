"""The evaluation counts what it should, on a made-up data set with known mistakes."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from engine.tiles import Tile
from vision.dataset import LabelledPhoto, load_dataset
from vision.errors import DatasetError
from vision.evaluation import Match, evaluate, evaluate_photos, match_tiles
from vision.evaluation_figures import label_errors
from vision.frames import Frame
from vision.layout import Layout
from vision.photo import PhotoReading
from vision.reading import TileReading, as_quad

CLASSES = "1m 2m 3m spring back"


def tile(code: str, x: float, y: float = 20, *, size: float = 20, confidence: float = 0.95) -> TileReading:
    """A reading of a square tile; ``2m?`` is unknown with 2m as its best guess."""
    quad = as_quad(np.array([[x, y], [x + size, y], [x + size, y + size], [x, y + size]]))
    if code == "back":
        return TileReading(None, confidence, quad, face_down=True)
    if code.endswith("?"):
        return TileReading(None, confidence, quad, alternatives=((Tile.parse(code[:-1]), confidence),))
    return TileReading(Tile.parse(code), confidence, quad)


def boxes_of(*tiles: TileReading) -> np.ndarray:
    """Label boxes just around readings."""
    return np.array([reading.box for reading in tiles], dtype=np.float64).reshape(-1, 4)


@dataclass
class Reader:
    """Gives scripted readings, photo by photo."""

    answers: list[list[TileReading]]

    def read(self, frame: Frame, **_: object) -> PhotoReading:
        return PhotoReading(tuple(self.answers.pop(0)), Layout(), frame.width, frame.height, {"detect": 0.25})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Four photos of 100 x 60: two in test, a face crop in test, one in train; a broken one in test."""
    data = tmp_path / "set"
    (data / "images").mkdir(parents=True)
    (data / "labels").mkdir()
    (tmp_path / "classes.txt").write_text("\n".join(CLASSES.split()))
    labels = {
        "a": ["0 0.2 0.5 0.2 0.333", "1 0.5 0.5 0.2 0.333", "2 0.8 0.5 0.2 0.333"],
        "b": ["3 0.2 0.5 0.2 0.333"],
        "c": ["2 0.5 0.5 1 1"],
        "d": ["0 0.2 0.5 0.2 0.333"],
        "e": ["0 0.2 0.5 0.2 0.333"],
    }
    for name, lines in labels.items():
        cv2.imwrite(str(data / "images" / f"{name}.png"), np.zeros((60, 100, 3), np.uint8))
        (data / "labels" / f"{name}.txt").write_text("\n".join(lines) + "\n")
    (data / "images" / "e.png").write_bytes(b"no picture")
    (data / "split.csv").write_text("file,split\na.png,test\nb.png,test\nc.png,test\nd.png,train\ne.png,test\n")
    return data


def test_counts(folder: Path) -> None:
    """Right, wrong, unknown, missed, extra, exact, calibration and confusions of known readings."""
    answers = [
        [tile("1m", 10), tile("3m", 40, confidence=0.85), tile("2m?", 70, confidence=0.55), tile("back", 1, 40)],
        [tile("1f", 10), tile("2m", 70, confidence=0.75)],
        [tile("1m", 10, confidence=0.8), tile("3m", 0, 0, size=60)],
    ]
    steps: list[tuple[int, int]] = []
    result = evaluate_photos(load_dataset(folder), Reader(answers), progress=lambda *step: steps.append(step))
    wire = result.as_json()

    assert steps == [(1, 4), (2, 4), (3, 4), (4, 4)]
    expected = {"photos": 4, "tiles": 6, "found": 5, "right": 3, "right_share": 0.5, "extra": 1}
    expected |= {"exact_photos": 1, "exact_share": 0.25, "confident_errors": 1, "unknown": 1}
    assert {key: wire[key] for key in expected} == expected
    assert wire["seconds_per_photo"] == pytest.approx(0.1875)
    assert list(wire["per_class"]) == ["1m", "2m", "3m", "1f"]
    assert list(wire["per_class"]["3m"].values()) == [2, 2, 1, 0.5, 1, 0, 1]
    assert list(wire["per_class"]["1m"].values()) == [2, 1, 1, 0.5, 0, 0, 0]
    assert wire["flowers"] == {"tiles": 1, "found": 1, "right": 1, "right_share": 1.0}
    assert wire["confusions"] == [
        {"true": "2m", "read": "3m", "count": 1, "unknown": False},
        {"true": "3m", "read": "2m", "count": 1, "unknown": True},
    ]
    assert [(row["from"], row["tiles"], row["right_share"]) for row in wire["calibration"]] == [
        (0.5, 1, 0.0),
        (0.8, 1, 0.0),
        (0.9, 3, 1.0),
    ]
    assert list(wire["failed"]) == ["e.png"]


def test_a_label_that_is_known_to_be_wrong_does_not_count_against_a_right_name() -> None:
    """What the face shows counts; what the labels would give is said besides."""
    tiles = [tile("1m", 10), tile("2m", 40)]
    found = match_tiles(["1m", "3m"], boxes_of(*tiles), tiles, shows=["1m", "2m"])
    assert [match.is_right for match in found] == [True, True]
    assert [match.as_labelled.text for match in found] == ["", "3m read as 2m"]
    assert label_errors(found) == {"labels": 1, "right_as_labelled": 1, "confident_errors_as_labelled": 1}


def test_csv_has_one_row_a_photo(folder: Path) -> None:
    """True and read tiles as text, mistakes in words, broken photos with their reason."""
    answers = [[tile("1m", 10), tile("3m", 40), tile("3m", 70)], [], [tile("3m", 0, 0)]]
    file = io.StringIO()
    evaluate(folder, Reader(answers)).write_csv(file)
    rows = list(csv.DictReader(io.StringIO(file.getvalue())))

    assert [row["file"] for row in rows] == ["a.png", "b.png", "c.png", "e.png"]
    assert (rows[0]["true"], rows[0]["read"], rows[0]["mistakes"]) == ("1m 2m 3m", "1m 3m 3m", "2m read as 3m")
    assert (rows[1]["read"], rows[1]["mistakes"], rows[1]["missed"]) == ("-", "missed 1f", "1")
    assert (rows[2]["exact"], rows[2]["error"]) == ("1", "")
    assert "send a photo as JPEG" in rows[3]["error"]


@pytest.mark.parametrize(("split", "names"), [(None, "abce"), ("test", "abce"), ("train", "d"), ("all", "abcde")])
def test_splits(folder: Path, split: str | None, names: str) -> None:
    """The test split unless another is named."""
    assert "".join(photo.path.stem for photo in load_dataset(folder, split)) == names


def test_without_split_file_everything_counts(folder: Path) -> None:
    """A folder of images and labels alone is a data set."""
    (folder / "split.csv").unlink()
    (folder.parent / "classes.txt").rename(folder / "classes.txt")

    assert len(load_dataset(folder)) == 5
    with pytest.raises(DatasetError, match=r"has no split\.csv, so it has no split 'test'"):
        load_dataset(folder, "test")


def test_each_label_and_reading_once() -> None:
    """Two readings on one tile: the better one counts, the other is extra; half overlap is needed."""
    truth = [tile("1m", 0), tile("2m", 20)]
    matches = match_tiles(["1m", "2m"], boxes_of(*truth), [tile("3m", 4), tile("1m", 1), tile("2m", 29)])

    assert matches == (
        Match("1m", "1m", "1m", 0.95),
        Match("2m", None),
        Match(None, "3m", "3m", 0.95),
        Match(None, "2m", "2m", 0.95),
    )


@pytest.mark.parametrize(
    "places",
    [
        [(0, 0), (30, 8), (60, 16), (90, 24)],  # one tilted row
        [(0, 0), (0, 30), (0, 60)],  # a column
        [(0, 0), (30, 2), (60, 0), (1, 40), (31, 41)],  # two rows
    ],
)
def test_labels_in_reading_order(places: list[tuple[float, float]]) -> None:
    """Along the line, or row by row."""
    codes = ["1m", "2m", "3m", "4m", "5m"][: len(places)]
    truth = [tile(code, *place) for code, place in zip(codes, places, strict=True)]
    shuffled = truth[::-1]

    matches = match_tiles([reading.code for reading in shuffled], boxes_of(*shuffled), truth)
    assert [match.true for match in matches] == codes
    assert all(match.is_right for match in matches)


def test_photo_without_tiles() -> None:
    """No labels and no readings are a photo read right."""
    assert match_tiles([], boxes_of(), []) == ()
    assert match_tiles(["1m"], boxes_of(tile("1m", 0)), []) == (Match("1m", None),)


@pytest.mark.parametrize(
    ("break_it", "message"),
    [
        (lambda folder: (folder / "labels" / "a.txt").unlink(), r"labels/a\.txt is missing"),
        (lambda folder: (folder / "labels" / "a.txt").write_text("9 .5 .5 .1 .1"), r"line 1: expected a class 0\.\.4"),
        (lambda folder: (folder / "labels" / "b.txt").write_text("\n1 .5 .5 .1"), r"b\.txt, line 2: .* got '1 \.5 \.5"),
        (lambda folder: (folder / "split.csv").write_text("name\na"), "expected the columns file and split"),
        (lambda folder: (folder / "split.csv").write_text("file,split\na.png,val"), "no split 'test'; it has val"),
        (lambda folder: (folder.parent / "classes.txt").unlink(), r"no classes\.txt"),
        (lambda folder: (folder.parent / "classes.txt").write_text("1m 10m"), "names '10m'"),
        (lambda folder: (folder / "labels").rename(folder / "text"), "expected the folders images and labels"),
    ],
)
def test_malformed_data_sets(folder: Path, break_it: object, message: str) -> None:
    """One sentence names the file and what was expected."""
    break_it(folder)  # type: ignore[operator]
    with pytest.raises(DatasetError, match=message):
        load_dataset(folder)


def test_whole_tables(tmp_path: Path) -> None:
    """Faces and backs are counted apart; backs called white dragons are said; unreadable places judge nothing."""
    photo = tmp_path / "table.png"
    cv2.imwrite(str(photo), np.zeros((60, 100, 3), np.uint8))
    truth = [tile("1m", 0), tile("P", 20), tile("back", 40), tile("back", 60), tile("back", 80), tile("2m", 90, 0)]
    boxes = np.clip(boxes_of(*truth), 0, [100, 60, 100, 60]) / [100, 60, 100, 60]
    heap = np.array([[[0.0, 0.75], [0.5, 0.75], [0.5, 1], [0, 1]]])
    read = [tile("1m", 0), tile("P", 20), tile("back", 40), tile("P", 60), tile("2m", 90, 0)]  # the last is cut off
    strays = [tile("9s", 10, 45, size=10), tile("back", 80, 48, size=10), tile("3m", 60, 48, size=10)]

    def figures(**changes: Any) -> dict[str, Any]:
        codes = tuple(reading.code for reading in truth)
        labelled = LabelledPhoto(photo, codes, boxes, **{"has_backs": True, "unreadable": heap, **changes})
        return evaluate_photos([labelled], Reader([read + strays])).as_json()

    found = figures()
    assert found["faces"] == {"tiles": 3, "found": 3, "right": 3, "right_share": 1.0, "extra": 1}
    expected = {"tiles": 3, "found": 2, "right": 1, "right_share": 0.3333, "unknown": 0}
    assert found["backs"] == expected | {"named": 1, "named_P": 1, "extra": 1}
    assert (found["right"], found["extra"], found["exact_photos"]) == (4, 2, 0)
    assert figures(has_backs=False)["extra"] == 1
    assert figures(unreadable=heap[:0])["extra"] == 3
    assert figures(complete=False)["extra"] == 0


def test_labels_of_tables_are_a_dataset(tmp_path: Path) -> None:
    """Photos are found where dataset.toml says; the test split counts unless another is named."""
    data, photos = tmp_path / "tables", tmp_path / "photos"
    (data / "labels").mkdir(parents=True)
    photos.mkdir()
    (data / "dataset.toml").write_text(f'data = "{tmp_path}"\nphotos = "photos"\n')
    (data / "classes.txt").write_text("1m\nback\nunreadable\n")
    (data / "photos.csv").write_text("file,split,complete\na.png,test,no\nb.png,train,yes\n")
    for name in "ab":
        cv2.imwrite(str(photos / f"{name}.png"), np.zeros((60, 100, 3), np.uint8))
        lines = (f"{label} 0.1 0.1 0.3 0.1 0.3 0.4 0.1 0.4\n" for label in (0, 1, 2))
        (data / "labels" / f"{name}.txt").write_text("".join(lines))

    (photo,) = load_dataset(data)

    assert (photo.path.name, photo.codes, photo.has_backs, photo.complete) == ("a.png", ("1m", "back"), True, False)
    assert photo.boxes[0] == pytest.approx([0.1, 0.1, 0.3, 0.4])
    assert photo.unreadable.shape == (1, 4, 2)
    assert len(load_dataset(data, "all")) == 2
