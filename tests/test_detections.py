"""Detections and readings: shapes are checked, wrong ones are refused with what was expected and what came."""

from __future__ import annotations

import numpy as np
import pytest

from engine.tiles import Tile
from vision.detections import TileDetections
from vision.reading import TileReading, as_quad

SQUARE = np.array([[0, 0], [10, 0], [10, 20], [0, 20]], np.float32)


def detections(count: int) -> TileDetections:
    """Tiles 30 px apart in a row."""
    quads = np.stack([SQUARE + np.float32([30 * index, 0]) for index in range(count)]) if count else np.zeros((0, 4, 2))
    return TileDetections(quads, np.linspace(0.5, 0.9, count), np.arange(count) % 2 == 1)


def test_empty_and_merge() -> None:
    """Nothing merges to nothing, and parts keep their order."""
    empty = TileDetections.empty()
    merged = TileDetections.merge([detections(2), empty, detections(1)])

    assert len(TileDetections.merge([])) == len(empty) == len(empty.boxes) == len(empty.centres) == 0
    assert len(merged) == 3
    assert merged.centres.tolist() == [[5, 10], [35, 10], [5, 10]]


def test_mask_list_and_slice_pick_the_same_rows() -> None:
    """Three ways to pick rows agree."""
    found = detections(4)
    by_mask = found[found.face_down]

    assert by_mask.boxes.tolist() == [[30, 0, 40, 20], [90, 0, 100, 20]]
    assert found[[1, 3]].boxes.tolist() == by_mask.boxes.tolist() == found[1::2].boxes.tolist()
    assert len(found[[]]) == 0


def test_arrays_are_read_only_copies() -> None:
    """A caller's later change does not reach the detections."""
    quads = np.stack([SQUARE])
    found = TileDetections(quads, np.ones(1), np.zeros(1))
    quads[0, 0, 0] = 99

    assert found.quads[0, 0, 0] == 0
    with pytest.raises(ValueError, match="read-only"):
        found.scores[0] = 0


@pytest.mark.parametrize(
    ("quads", "scores", "face_down", "message"),
    [
        (np.zeros((2, 4)), np.zeros(2), np.zeros(2), r"quads: expected shape \[2, 4, 2\], got \[2, 4\]"),
        (np.zeros((2, 4, 2)), np.zeros(3), np.zeros(2), r"scores: expected shape \[2\], got \[3\]"),
        (np.zeros((2, 4, 2)), np.zeros(2), np.zeros((2, 1)), r"face_down: expected shape \[2\], got \[2, 1\]"),
        (np.full((1, 4, 2), np.nan), np.zeros(1), np.zeros(1), "quads: expected finite pixels"),
        (np.zeros((1, 4, 2)), np.full(1, 1.5), np.zeros(1), r"scores: expected values in 0\.\.1, got 1\.5\.\.1\.5"),
    ],
)
def test_wrong_arrays_are_refused(quads: np.ndarray, scores: np.ndarray, face_down: np.ndarray, message: str) -> None:
    """The message says what was expected and what came."""
    with pytest.raises(ValueError, match=message):
        TileDetections(quads, scores, face_down)


def test_mask_of_another_length_is_refused() -> None:
    """A mask must have one entry a row."""
    with pytest.raises(ValueError, match=r"mask: expected shape \[3\], got \[2\]"):
        detections(3)[np.array([True, False])]


@pytest.mark.parametrize(
    ("reading", "code", "best"),
    [
        (TileReading(Tile.M3, 0.9, as_quad(SQUARE)), "3m", Tile.M3),
        (TileReading(None, 0.6, as_quad(SQUARE), alternatives=((Tile.M2, 0.6), (Tile.M3, 0.3))), "?", Tile.M2),
        (TileReading(None, 0.9, as_quad(SQUARE), face_down=True), "back", None),
        (TileReading(None, 0.1, as_quad(SQUARE)), "?", None),
    ],
)
def test_code_and_best_guess(reading: TileReading, code: str, best: Tile | None) -> None:
    """Known, unknown and face-down tiles have a code; an unknown one still has a best guess."""
    assert (reading.code, reading.best) == (code, best)


def test_json_of_a_reading() -> None:
    """The keys of the command contract."""
    reading = TileReading(None, 0.61234, as_quad(SQUARE), alternatives=((Tile.M2, 0.61234),))

    assert reading.as_json() == {
        "tile": "?",
        "confidence": 0.6123,
        "alternatives": [["2m", 0.6123]],
        "quad": [[0.0, 0.0], [10.0, 0.0], [10.0, 20.0], [0.0, 20.0]],
    }


def test_impossible_readings_are_refused() -> None:
    """A back has no name, and confidence is a chance."""
    with pytest.raises(ValueError, match="got 3m"):
        TileReading(Tile.M3, 0.9, as_quad(SQUARE), face_down=True)
    with pytest.raises(ValueError, match=r"expected 0\.\.1, got 1\.2"):
        TileReading(Tile.M3, 1.2, as_quad(SQUARE))
    with pytest.raises(ValueError, match=r"expected shape \[4, 2\], got \[3, 2\]"):
        as_quad(SQUARE[:3])
