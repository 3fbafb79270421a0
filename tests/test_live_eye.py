"""The eye that ships, told by a person where the table is and whose a pile is: our networks on the bundled film."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import cv2
import pytest

from assistant_api.services.reading import SharedReader, shipped_reader
from assistant_api.services.tables.eyes import shipped_eye
from assistant_api.services.tileset_files import TilesetFolder
from assistant_api.settings import Settings
from engine.seats import Seat
from engine.tiles import Tile
from tests.scripted import SAMPLES
from vision.frames import Frame, decode_frame
from vision.live.view import Zone
from vision.live.zones import Area

pytestmark = pytest.mark.slow

CORNERS = ((377.0, 592.0), (890.0, 599.0), (876.0, 116.0), (405.0, 109.0))
"""Of the walls in the film, as a person taps them: near left, near right, far right, far left."""
FIRST_S = 26.0
"""Two rivers lie there."""


def frames(first_s: float, count: int) -> list[Frame]:
    """Frames of the film as a phone sends them."""
    video = cv2.VideoCapture(str(SAMPLES / "live" / "clip.mp4"))
    video.set(cv2.CAP_PROP_POS_FRAMES, round(first_s * video.get(cv2.CAP_PROP_FPS)))
    found = []
    for _ in range(count):
        whole, image = video.read()
        assert whole
        found.append(decode_frame(bytes(cv2.imencode(".jpg", image)[1])))
    return found


def test_corners_and_piles_that_a_person_names(settings: Settings, tmp_path: Path) -> None:
    """Four taps place every tile at once; a named pile is what was said, until that is forgotten."""
    reader = SharedReader(lambda: shipped_reader(settings), TilesetFolder(tmp_path))
    eye = shipped_eye(reader)(Seat.WEST)
    eye.set_corners(CORNERS)
    film = frames(FIRST_S, 3)
    for number in range(12):
        view = eye.look(film[number // 5], 0.2 * number)
    assert view.plane_found
    thrown = {seat: {tile.tile for tile in view.in_zone(Zone.RIVER, seat)} for seat in (Seat.WEST, Seat.NORTH)}
    assert thrown == {Seat.WEST: {Tile.P9, Tile.M1, Tile.P1}, Seat.NORTH: {Tile.M2, Tile.P5}}
    assert [tile.tile for tile in view.in_zone(Zone.GOLD)] == [Tile.S6]
    xs, ys = zip(*(point for tile in view.in_zone(Zone.RIVER, Seat.NORTH) for point in tile.quad), strict=True)
    low, high = (min(xs) - 4, min(ys) - 4), (max(xs) + 4, max(ys) + 4)
    pile = Area((low, (high[0], low[1]), high, (low[0], high[1])), Zone.FLOWERS, Seat.EAST)
    eye.set_areas([pile])
    for number in range(12, 18):
        view = eye.look(film[2], 0.2 * number)
    assert Counter(tile.tile for tile in view.in_zone(Zone.FLOWERS, Seat.EAST)) == {Tile.M2: 1, Tile.P5: 1}
    eye.set_areas([])
    for number in range(18, 24):
        view = eye.look(film[2], 0.2 * number)
    assert not view.in_zone(Zone.FLOWERS, Seat.EAST)
