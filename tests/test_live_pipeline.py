"""The live table on small drawn pictures with a scripted reader: what is read when, and what is believed."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.seats import Seat
from engine.tiles import Tile
from vision.frames import Frame
from vision.live.backs import BackLook
from vision.live.pipeline import LiveTable, ScriptedReader
from vision.live.plane import Plane
from vision.live.view import TableView, Zone
from vision.reading import TileReading, as_quad

SIZE = 720
PX = 24.0
"""Pixels of a tile's width."""
CLOTH = (60, 110, 40)
PLANE = Plane(np.array([[1 / PX, 0, -SIZE / 2 / PX], [0, -1 / PX, SIZE / 2 / PX], [0, 0, 1.0]]))


class DrawnTable:
    """Tiles by name with place and label, drawn as light boxes with a mark; arms as dark stripes."""

    def __init__(self) -> None:
        self.tiles: dict[str, tuple[str, float, float]] = {}
        self.overlooked: set[str] = set()
        self.arm: tuple[float, float, float, float] | None = None
        self.shaded: tuple[float, float, float, float] | None = None
        self.light = 1.0
        self.shift = (0.0, 0.0)
        self.time_s = 0.0
        self.reader = ScriptedReader([])
        self.live = LiveTable(self.reader, near=Seat.EAST, plane=PLANE)
        self.rng = np.random.default_rng(1)
        self.texture = cv2.GaussianBlur(self.rng.normal(0, 60, (SIZE, SIZE)).astype(np.float32), (0, 0), 4)

    def quad(self, x: float, y: float) -> np.ndarray:
        corners = np.array([(-0.5, 0.68), (0.5, 0.68), (0.5, -0.68), (-0.5, -0.68)]) + np.array([x, y])
        return PLANE.pixels(corners) + self.shift

    def picture(self) -> np.ndarray:
        image = np.clip(np.array(CLOTH) + self.texture[..., None], 0, 255).astype(np.uint8)
        if self.shaded is not None:
            x0, y0, x1, y1 = self.shaded
            (left, top), (right, bottom) = np.rint(PLANE.pixels(np.array([(x0, y1), (x1, y0)]))).astype(int)
            image[top:bottom, left:right] //= 3
        for code, x, y in self.tiles.values():
            quad = self.quad(x, y) - self.shift
            cv2.fillConvexPoly(image, np.rint(quad).astype(np.int32), (225, 235, 235))
            at = quad.mean(axis=0)
            cv2.putText(image, code, (round(at[0]) - 9, round(at[1]) + 5), 0, 0.5, (30, 30, 160), 2)
        if self.arm is not None:
            x0, y0, x1, y1 = self.arm
            ends = PLANE.pixels(np.array([(x0, y0), (x1, y1)]))
            cv2.line(image, tuple(map(round, ends[0])), tuple(map(round, ends[1])), (90, 120, 190), round(3 * PX))
        move = np.array([[1, 0, self.shift[0]], [0, 1, self.shift[1]]], np.float64)
        image = cv2.warpAffine(image, move, (SIZE, SIZE), borderMode=cv2.BORDER_REPLICATE)
        noisy = image.astype(np.float32) * self.light + self.rng.normal(0, 2, image.shape)
        return np.clip(noisy, 0, 255).astype(np.uint8)

    def hidden(self, x: float, y: float) -> bool:
        if self.arm is None:
            return False
        (x0, y0), (x1, y1) = np.array(self.arm).reshape(2, 2)
        along = np.array([x1 - x0, y1 - y0])
        share = np.clip(((x - x0) * along[0] + (y - y0) * along[1]) / (along @ along), 0, 1)
        return bool(np.hypot(x - x0 - share * along[0], y - y0 - share * along[1]) < 2.0)

    def wait(self, seconds: float) -> TableView:
        view = None
        for _ in range(round(seconds * 5)):
            self.time_s += 0.2
            readings = [
                TileReading(Tile.parse(code), 0.95, as_quad(self.quad(x, y)))
                for name, (code, x, y) in self.tiles.items()
                if name not in self.overlooked and not self.hidden(x, y)
            ]
            self.reader._script = [(0.0, readings)]
            view = self.live.push(Frame(self.picture()), self.time_s)
        assert view is not None
        return view


@pytest.fixture
def table() -> DrawnTable:
    """Six discards before the near seat, believed already."""
    drawn = DrawnTable()
    for index, code in enumerate(("3m", "7p", "E", "1s", "9m", "C")):
        drawn.tiles[f"a{index}"] = (code, -2.6 + 1.03 * index, -4.0)
    drawn.wait(3.0)
    return drawn


def shown(view: TableView) -> dict[int, str]:
    return {tile.track: tile.tile.code if tile.tile is not None else "?" for tile in view.tiles}


def test_a_quiet_table_is_read_rarely_and_in_part(table: DrawnTable) -> None:
    """Once all is known a frame costs no reading, but for one part in turn."""
    reads, area = table.live.reads, table.live.read_px
    view = table.wait(6.0)
    assert sorted(shown(view).values()) == ["1s", "3m", "7p", "9m", "C", "E"]
    assert table.live.reads - reads <= 5
    assert (table.live.read_px - area) / 30 < 0.1 * SIZE * SIZE


def test_a_discard_is_found_where_it_was_laid(table: DrawnTable) -> None:
    """And only around it is read."""
    table.tiles["n"] = ("6p", 4.0, 2.0)
    assert sorted(shown(table.wait(1.6)).values()) == ["1s", "3m", "6p", "7p", "9m", "C", "E"]


def test_a_discard_that_was_overlooked_is_looked_for_again(table: DrawnTable) -> None:
    """Something lies there that is not bare table: it is read until it is known, for a while."""
    table.tiles["n"], table.overlooked = ("6p", 4.0, 2.0), {"n"}
    assert "6p" not in shown(table.wait(1.4)).values()
    table.overlooked = set()
    assert "6p" in shown(table.wait(1.8)).values()


def test_what_is_no_tile_is_not_looked_at_for_ever(table: DrawnTable) -> None:
    """A cup that was put down on the table costs readings for a few seconds."""
    table.tiles["n"], table.overlooked = ("", 4.0, 2.0), {"n"}
    table.wait(4.0)
    reads = table.live.reads
    table.wait(6.0)
    assert table.live.reads - reads <= 5


def test_a_tile_taken_is_gone_within_two_seconds(table: DrawnTable) -> None:
    """The cloth is seen where it lay."""
    del table.tiles["a5"]
    assert sorted(shown(table.wait(2.0)).values()) == ["1s", "3m", "7p", "9m", "E"]


def test_a_tile_taken_is_gone_where_another_throws_its_shade(table: DrawnTable) -> None:
    """Half of the place is a third as bright as the cloth was before anything lay there."""
    table.tiles["n"] = ("5m", 2.0, 2.0)
    assert len(table.wait(3.0).tiles) == 7
    del table.tiles["n"]
    table.shaded = (2.0, 1.0, 3.2, 3.0)
    assert sorted(shown(table.wait(2.0)).values()) == ["1s", "3m", "7p", "9m", "C", "E"]


def test_an_arm_that_rests_over_the_river_takes_nothing_away(table: DrawnTable) -> None:
    """For eight seconds it lies over two tiles: they are covered, and the same afterwards."""
    before = shown(table.wait(0.2))
    table.arm = (0.0, -13.0, -2.0, -3.5)
    view = table.wait(8.0)
    assert shown(view) == before
    assert any(zone is Zone.RIVER for zone, _ in view.covered)
    table.arm = None
    view = table.wait(2.0)
    assert shown(view) == before
    assert not view.covered


def test_lamp_and_nudge_change_nothing(table: DrawnTable) -> None:
    """The light goes down by a third and the camera is pushed by most of a tile."""
    before = shown(table.wait(0.2))
    table.light = 0.66
    assert shown(table.wait(3.0)) == before
    table.shift = (17.0, -9.0)
    view = table.wait(3.0)
    assert shown(view) == before
    assert view.plane_found
    middle = np.array(view.tiles[0].quad).mean(axis=0)
    assert np.abs(middle - table.quad(*view.tiles[0].place).mean(axis=0)).max() < 6.0


def test_a_gap_is_told(table: DrawnTable) -> None:
    """Ten seconds without a frame."""
    table.time_s += 10.0
    assert table.wait(0.2).gap_s == pytest.approx(10.2)
    assert table.wait(0.2).gap_s == 0.0


def test_time_does_not_run_backwards(table: DrawnTable) -> None:
    """A frame older than the last one is refused."""
    with pytest.raises(ValueError, match="runs backwards"):
        table.live.push(Frame(table.picture()), 0.0)


def test_without_a_table_nothing_is_believed() -> None:
    """Pictures of something else: the plane is not found, and says so."""
    live = LiveTable(ScriptedReader([]))
    view = live.push(Frame(np.zeros((200, 300, 3), np.uint8)), 0.0)
    assert not view.plane_found
    assert not view.tiles


def test_backs_read_as_faces_are_told_by_their_number_and_colour() -> None:
    """Twelve tiles read as 6s are backs; a real 6s of another colour is not, and a blank face is a white dragon."""
    image = np.full((200, 800, 3), (60, 110, 40), np.uint8)
    readings = []
    for k in range(18):
        x, y = 10 + 40 * k, 20
        back = k < 12
        cv2.rectangle(image, (x, y), (x + 30, y + 40), (120, 40, 70) if back else (235, 235, 230), -1)
        quad = as_quad(np.array([(x, y), (x + 30, y), (x + 30, y + 40), (x, y + 40)], np.float32))
        if k == 17:
            readings.append(TileReading(None, 0.6, quad, face_down=True))
        else:
            tile = Tile.S6 if back or k == 12 else (Tile.M1, Tile.P9, Tile.EAST, Tile.S2)[k - 13]
            tile = Tile.P8 if k == 0 else tile  # once only, and just as surely
            readings.append(TileReading(tile, 0.97, quad))
    mended = BackLook().mended(readings, image)
    assert [one.code for one in mended] == ["back"] * 12 + ["6s", "1m", "9p", "E", "2s", "P"]


def test_white_backs_and_bold_faces_leave_a_flower_what_it_is() -> None:
    """Ink that covers most of a face is not the colour of faces."""
    image = np.full((200, 800, 3), (60, 110, 40), np.uint8)
    readings = []
    for k in range(18):
        x, y = 10 + 40 * k, 20
        cv2.rectangle(image, (x, y), (x + 30, y + 40), (235, 235, 230), -1)
        quad = as_quad(np.array([(x, y), (x + 30, y), (x + 30, y + 40), (x, y + 40)], np.float32))
        if k < 12:
            readings.append(TileReading(None, 0.97, quad, face_down=True))
            continue
        bold = k < 17
        cv2.rectangle(image, (x + 6, y + 9), (x + (21 if bold else 9), y + 33), (120, 30, 30), -1)
        tile = (Tile.EAST, Tile.SOUTH, Tile.NORTH, Tile.RED, Tile.GREEN, Tile.SUMMER)[k - 12]
        readings.append(TileReading(tile, 0.97, quad))
    mended = BackLook().mended(readings, image)
    assert [one.code for one in mended] == ["back"] * 12 + ["E", "S", "N", "C", "F", "2f"]
