"""Tiles that a detector passes over, and dice that it takes for tiles."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from engine.tiles import Tile
from vision.dice import without_dice
from vision.holes import holes
from vision.reading import TileReading, as_quad

CLOTH, PAPER = (60, 120, 40), (236, 240, 238)


def tile(code: str, x: float, y: float, wide: float = 30, high: float = 40) -> TileReading:
    """A reading by its top left corner."""
    quad = as_quad(np.array([[x, y], [x + wide, y], [x + wide, y + high], [x, y + high]], np.float32))
    kind = None if code in ("?", "back") else Tile.parse(code)
    return TileReading(kind, 0.99, quad, face_down=code == "back")


def row(codes: Sequence[str | None], papers: Sequence[bool]) -> tuple[list[TileReading], np.ndarray]:
    """Tiles side by side, None for one that is passed over, and a picture with paper where it says so."""
    image = np.full((200, 600, 3), CLOTH, np.uint8)
    for place, paper in enumerate(papers):
        if paper:
            cv2.rectangle(image, (100 + 31 * place, 80), (129 + 31 * place, 119), PAPER, -1)
    return [tile(code, 100 + 31 * place, 80) for place, code in enumerate(codes) if code is not None], image


@pytest.mark.parametrize(
    ("codes", "papers", "places"),
    [
        (["C", None, "4f", "8p"], [True] * 4, [1]),
        (["C", None, None, "?"], [True] * 4, [1, 2]),
        (["C", None, "4f"], [True, False, True], []),  # the cloth between two groups
        (["C", None, None, None, "4f"], [True] * 5, []),  # who knows what lies there
        (["back", None, "back"], [True] * 3, []),
        (["C", None], [True] * 2, []),
    ],
)
def test_holes_between_faces(codes: list[str | None], papers: list[bool], places: list[int]) -> None:
    """One or two tiles' width between faces, in the colour of their paper, each place once."""
    found = holes(*row(codes, papers))
    assert sorted(found[:, :, 0].mean(axis=1).tolist()) == pytest.approx([115 + 31 * place for place in places], abs=1)


def test_a_row_that_lies_askew_has_holes_too() -> None:
    """Boxes that point elsewhere than their row, as of rows seen from the side."""
    readings, image = row(["C", None, "4f"], [True] * 3)
    image = cv2.warpAffine(image, np.array([[1, 0, 0], [0.3, 1, -30]], np.float64), (600, 200), borderValue=CLOTH)
    moved = [tile(reading.code, reading.box[0], reading.box[1] + 0.3 * reading.centre[0] - 30) for reading in readings]
    (found,) = holes(moved, image)
    assert found.mean(axis=0) == pytest.approx([146, 114], abs=3)


def test_nothing_has_no_holes() -> None:
    """No tiles, and one tile."""
    image = np.full((200, 600, 3), CLOTH, np.uint8)
    assert holes([], image).shape == (0, 4, 2)
    assert len(holes([tile("C", 100, 80)], image)) == 0


def test_dice_are_no_tiles() -> None:
    """A small square 4p that lies alone is a die; a tile of that size in a row, or another kind, is none."""
    table = [tile("8m", 100 + 31 * place, 80) for place in range(8)]
    assert without_dice([*table, tile("4p", 300, 150, 18, 19)]) == list(range(8))
    assert without_dice([*table, tile("8p", 300, 150, 18, 19)]) == list(range(9))
    assert without_dice([*table, tile("4p", 300, 150, 30, 40)]) == list(range(9))
    assert without_dice([*table, tile("4p", 100 + 31 * 8, 90, 18, 19)]) == list(range(9))
    assert without_dice([*table, tile("4p", 300, 150, 18, 19), tile("2p", 319, 152, 18, 19)]) == list(range(8))
    assert without_dice([*table, tile("4p", 100 + 31 * 8, 90, 15, 16)]) == list(range(8)), "too small for a hidden one"
    standing = [tile("back", 260 + 20 * place, 160, 18, 12) for place in range(9)]
    among = without_dice([*table, *standing, tile("4p", 300, 140, 18, 19)])
    assert among == list(range(17)), "backs of a hand that stands look small"
    assert without_dice([*table[:3], tile("4p", 300, 150, 18, 19)]) == list(range(4))
    assert without_dice([]) == []
