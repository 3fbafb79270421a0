"""Backs told from faces and sides by each other, and rows of backs completed, on drawn tables."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from engine.tiles import Tile
from vision.backs import read_backs
from vision.naming import certain
from vision.reading import TileReading, as_quad
from vision.weights import FACE_LABELS

WIDE, HIGH = 60, 80
CLOTH, WHITE, BLUE = (60, 120, 40), (236, 240, 238), (150, 70, 30)
KNOWN = 0.92


class Drawn:
    """A photo that is drawn tile after tile, and what networks say of it."""

    def __init__(self, width: int = 900, height: int = 500) -> None:
        self.image = np.full((height, width, 3), CLOTH, np.uint8)
        noise = np.random.default_rng(1).integers(-4, 5, self.image.shape)
        self.image = np.clip(self.image + noise, 0, 255).astype(np.uint8)
        self.readings: list[TileReading] = []
        self._chances: list[np.ndarray] = []

    def draw(self, x: int, y: int, look: str) -> None:
        """A tile with its seams; ``look`` is plain, dots, coin, white, framed or ink."""
        base = WHITE if look in ("white", "framed", "ink") else BLUE
        cv2.rectangle(self.image, (x, y), (x + WIDE - 1, y + HIGH - 1), base, -1)
        cv2.rectangle(self.image, (x, y), (x + WIDE - 1, y + HIGH - 1), tuple(int(c * 0.6) for c in base), 1)
        if look == "dots":
            for at in range(0, WIDE * HIGH, 13 * WIDE + 12):
                cv2.circle(self.image, (x + 6 + at % WIDE % 50, y + 6 + at // WIDE % 70), 4, (210, 220, 220), -1)
        elif look == "coin":
            cv2.rectangle(self.image, (x + 20, y + 28), (x + 40, y + 52), (80, 190, 220), 3)
        elif look == "framed":
            cv2.rectangle(self.image, (x + 9, y + 10), (x + WIDE - 10, y + HIGH - 11), (170, 60, 30), 3)
        elif look == "ink":
            cv2.putText(self.image, "8", (x + 12, y + 62), cv2.FONT_HERSHEY_SIMPLEX, 2.2, (40, 40, 160), 6)

    def read(self, x: int, y: int, code: str, confidence: float = 0.99, chance: dict[str, float] | None = None) -> None:
        """What the networks say there: a tile, ``back`` or ``?``."""
        quad = as_quad(np.array([[x, y], [x + WIDE, y], [x + WIDE, y + HIGH], [x, y + HIGH]], np.float32))
        tile = None if code in ("back", "?") else Tile.parse(code)
        self.readings.append(TileReading(tile, confidence, quad, face_down=code == "back"))
        row = np.full((1, len(FACE_LABELS)), 1e-4, np.float32)
        for label, value in (chance or {"not_a_face" if code == "?" else code: 0.25 if code == "?" else 0.99}).items():
            row[0, FACE_LABELS.index(label)] = value
        self._chances.append(row)

    def row(self, y: int, looks: Sequence[str], codes: Sequence[str | None], x: int = 100) -> None:
        """Tiles side by side, None for one that is passed over."""
        for place, (look, code) in enumerate(zip(looks, codes, strict=True)):
            self.draw(x + place * WIDE, y, look)
            if code is not None:
                self.read(x + place * WIDE, y, code)

    def told(self) -> list[TileReading]:
        """The readings, seen together."""
        return read_backs(self.readings, np.concatenate(self._chances or [certain(0, 0)]), self.image, KNOWN)


def codes(readings: Sequence[TileReading]) -> list[str]:
    """From left to right."""
    return [reading.code for reading in sorted(readings, key=lambda reading: reading.centre[0])]


def lefts(readings: Sequence[TileReading]) -> list[int]:
    """Left edges of the backs."""
    return sorted(round(reading.box[0]) for reading in readings if reading.face_down)


@pytest.mark.parametrize("look", ["plain", "dots", "coin"])
def test_backs_that_were_passed_over_are_found_along_their_row(look: str) -> None:
    """Nine backs of which four were found: nine, each in its place, and none on the cloth at the ends."""
    table = Drawn()
    table.row(200, [look] * 9, ["back", "back", None, None, "back", None, None, "back", None])
    found = table.told()
    assert codes(found) == ["back"] * 9
    assert lefts(found) == pytest.approx([100 + WIDE * place for place in range(9)], abs=4)


def test_a_row_ends_at_faces_and_where_tiles_look_otherwise() -> None:
    """A face that was found, one that was not, and tiles with other backs are no backs of this row."""
    table = Drawn()
    table.row(100, ["dots"] * 4 + ["ink", "ink"], ["back", "back", None, None, "8p", None])
    table.row(300, ["dots"] * 3 + ["coin"] * 3, ["back", "back", None, None, None, None])
    found = table.told()
    assert lefts(found) == pytest.approx([100, 100, 160, 160, 220, 220, 280], abs=4)
    assert [reading.code for reading in found if not reading.face_down] == ["8p"]


def test_two_backs_alone_stay_two() -> None:
    """Nothing is made up on a bare table, beside one back or beside two."""
    for count in (1, 2):
        table = Drawn()
        table.row(200, ["plain"] * count, ["back"] * count)
        assert len(table.told()) == count


def test_a_box_over_two_backs_yields_to_both() -> None:
    """The detector took halves of two neighbours for one back."""
    table = Drawn()
    table.row(200, ["coin"] * 7, ["back", "back", None, None, "back", "back", "back"])
    table.read(100 + round(2.5 * WIDE), 200, "back")
    assert lefts(table.told()) == pytest.approx([100 + WIDE * place for place in range(7)], abs=4)


def test_doubtful_faces_yield_to_backs_that_look_like_their_row() -> None:
    """Dots of a back read as 9p: a back where its row shows the same, but a sure face and another picture stay."""
    table = Drawn()
    table.row(200, ["dots", "dots", "dots", "ink", "dots"], ["back", "back", None, None, None])
    table.read(100 + 2 * WIDE, 200, "9p", 0.94)
    table.read(100 + 3 * WIDE, 200, "8p", 0.94)
    assert codes(table.told()) == ["back", "back", "back", "8p"]
    table = Drawn()
    table.row(200, ["dots"] * 3, ["back", "back", None])
    table.read(100 + 2 * WIDE, 200, "9p", 0.999)
    assert codes(table.told()) == ["back", "back", "9p"]


@pytest.mark.parametrize(("count", "code"), [(4, "?"), (6, "back")])
def test_more_alike_than_there_are_of_a_kind_are_backs(count: int, code: str) -> None:
    """Four unknown faces that look the same may be of one kind, six may not."""
    table = Drawn()
    table.row(200, ["coin"] * count, ["?"] * count)
    for place in range(4):  # unknown faces that look otherwise stay
        table.draw(100 + 150 * place, 350, "ink")
        cv2.circle(table.image, (115 + 150 * place + 8 * place, 365 + 15 * place), 9, (30, 160, 30), -1)
        table.read(100 + 150 * place, 350, "?")
    found = table.told()
    assert [reading.code for reading in found if reading.centre[1] < 300] == [code] * count
    assert [reading.code for reading in found if reading.centre[1] > 300] == ["?"] * 4


def test_white_sides_are_no_backs_of_coloured_tiles() -> None:
    """White sides in a row go; one alone may be a blank white dragon and is asked about; what is blue is none."""
    table = Drawn()
    table.row(20, ["plain"] * 5, ["back"] * 5)
    table.row(120, ["white"] * 4, [None] * 4)
    for place in range(4):
        table.read(100 + place * WIDE, 120, "back", 0.8, {"P": 0.9, "back": 0.05})
    table.row(220, ["ink"] * 4, ["8p"] * 4)
    table.draw(600, 250, "white")
    table.read(600, 250, "back", 0.8, {"P": 0.9, "back": 0.05})
    table.draw(700, 400, "plain")
    table.read(700, 400, "P", 0.95)
    found = table.told()
    assert [reading.code for reading in found if 110 < reading.centre[1] < 210] == []
    (asked,) = [reading for reading in found if reading.is_unknown]
    assert asked.best is Tile.WHITE
    assert [reading.face_down for reading in found if reading.centre[0] > 700] == [True]
    assert sum(reading.code == "8p" for reading in found) == 4


def test_white_tiles_of_a_set_with_white_backs() -> None:
    """At the end of a row of backs a back, between faces a white dragon; printed and sure a white dragon anywhere."""
    table = Drawn()
    table.row(50, ["white"] * 6, [None] * 6)
    for place in range(6):
        table.read(100 + place * WIDE, 50, "back" if place < 5 else "P", 0.95, {"P": 0.95, "back": 0.03})
    table.row(200, ["ink", "white", "ink"], ["8p", None, "8p"])
    table.read(100 + WIDE, 200, "P", 0.95, {"P": 0.95, "back": 0.03})
    table.draw(400, 350, "framed")
    table.read(400, 350, "back", 0.5, {"P": 0.9999})
    found = table.told()
    assert [reading.code for reading in found if reading.centre[1] < 150] == ["back"] * 6
    assert codes([reading for reading in found if 180 < reading.centre[1] < 300]) == ["8p", "P", "8p"]
    assert codes([reading for reading in found if reading.centre[1] > 320]) == ["P"]


def test_nothing_to_see() -> None:
    """No readings, no backs."""
    assert read_backs([], certain(0, 0), np.zeros((10, 10, 3), np.uint8), KNOWN) == []


def test_backs_in_a_glare_are_no_sides() -> None:
    """Light makes the end of a row of blue backs white: backs, since the row goes on in blue."""
    table = Drawn()
    table.row(100, ["plain"] * 5 + ["white"] * 3, ["back"] * 5 + [None] * 3)
    for place in range(5, 8):
        table.read(100 + place * WIDE, 100, "back", 0.8, {"P": 0.9, "back": 0.05})
    table.row(300, ["ink"] * 4, ["8p"] * 4)
    assert [reading.code for reading in table.told() if reading.centre[1] < 200] == ["back"] * 8


def test_a_white_dragon_that_was_taken_for_a_back_of_a_coloured_set() -> None:
    """Between faces it is one, marked; what the network calls it less surely is asked about."""
    for chance, code, marked in ((0.95, "P", True), (0.7, "?", False)):
        table = Drawn()
        table.row(50, ["plain"] * 5, ["back"] * 5)
        table.row(300, ["ink", "white", "ink", "ink"], ["8p", None, "8p", "8p"])
        table.read(100 + WIDE, 300, "back", 0.8, {"P": chance, "back": 0.03})
        (white,) = [reading for reading in table.told() if not reading.face_down and reading.code != "8p"]
        assert (white.code, white.by_context, white.best) == (code, marked, Tile.WHITE)


def test_a_blank_tile_among_faces_of_its_white_is_a_white_dragon_whatever_the_network_says() -> None:
    """Networks that know no set with blank white dragons are sure of a back; alone, or coloured, it stays one."""

    def told(look: str, others: int) -> list[str]:
        table = Drawn()
        table.row(200, ["ink"] * others, ["8p"] * others)
        table.draw(100 + others * WIDE, 200, look)
        table.read(100 + others * WIDE, 200, "back", chance={"back": 0.97, "P": 0.02})
        return codes(table.told())

    assert told("white", 4) == ["8p"] * 4 + ["P"]
    assert told("plain", 4) == ["8p"] * 4 + ["back"]
    assert told("white", 0) == ["back"]
