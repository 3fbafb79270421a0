"""Zones of rendered tables, whose plan says what belongs to whom."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.fold import fold
from engine.notation import parse_tiles
from engine.seats import SEATS, Seat
from engine.tiles import Tile
from vision.live.view import Zone
from vision.live.zones import HEAP, ROWS, Area, Lying, Zones
from vision.synth.designs import Body
from vision.synth.placing import DOWN, STANDING, Placed
from vision.synth.table_plan import Customs, plan_table, seen_from
from vision.synth.table_scenes import moment
from vision.synth.table_state import lay_table

BODY = Body((250, 250, 250), (60, 140, 60), 0.4, 1.36, 0.7, 0.08, 0.5)


def lying(item: Placed) -> Lying:
    """A tile as seen from above."""
    across = item.axes[:2, 0] if item.pose != DOWN else -item.axes[:2, 0]
    turn = math.degrees(math.atan2(across[1], across[0]))
    size = (1.0, 0.7) if item.pose == STANDING else (1.0, BODY.height)
    place = (float(item.centre[0]), float(item.centre[1]))
    face_down = item.pose == DOWN
    return Lying(place, turn, None if face_down else item.tile, face_down, size)


@pytest.mark.parametrize("seed", range(24))
def test_zones_and_seats_of_whole_tables(seed: int) -> None:
    """Every tile of a table at some moment of a hand, whatever its customs and whoever sits near the camera."""
    rng = np.random.default_rng([77, seed])
    customs = Customs.random(rng)
    table = lay_table(rng, fold(moment(seed, float(rng.uniform(0.2, 0.95)))), open_hands=False)
    near = SEATS[int(rng.integers(4))]
    placed = seen_from(plan_table(rng, table, BODY, customs), near)
    tiles = [lying(item) for item in placed]
    zones = Zones.usual(near, height=BODY.height).learn(tiles)

    wrong = []
    for item, (zone, seat) in zip(placed, zones.assign(tiles), strict=True):
        group = Zone(item.group)
        owner = None if group in (Zone.WALL, Zone.GOLD) or (group is Zone.RIVER and zones.river == HEAP) else item.seat
        if (zone, seat) != (group, owner):
            wrong.append((item.tile.code, item.pose, item.group, item.seat, zone, seat))
    assert not wrong


def test_a_heap_is_told_from_rows() -> None:
    """One tile in the middle is enough for a heap; rows are believed after some."""
    zones = Zones.usual()
    row = [Lying((-3 + 1.03 * index, -4.2), 0.0, Tile.M1) for index in range(6)]
    side = [Lying((4.2, -3 + 1.03 * index), 90.0, Tile.M2) for index in range(3)]
    assert zones.learn(row).river is None
    assert zones.learn([*row, *side]).river == ROWS
    assert zones.learn([Lying((0.3, 1.0), 20.0, Tile.M1)]).river == HEAP


def test_sides_and_seats_go_round_counterclockwise() -> None:
    """South, who plays after East, sits at the right of East."""
    zones = Zones.usual(Seat.EAST)
    assert [zones.zone_at(place) for place in ((0, -13.3), (13.3, 0), (0, 13.3), (-13.3, 0))] == [
        (Zone.HAND, seat) for seat in SEATS
    ]
    assert Zones.usual(Seat.SOUTH).zone_at((0, -13.3)) == (Zone.HAND, Seat.SOUTH)
    assert zones.zone_at((13.3, -13.3)) == (Zone.HAND, Seat.EAST)


def test_what_a_person_says_goes_before_all_else() -> None:
    """An area named on the page decides."""
    area = Area(((-3, -3), (3, -3), (3, 3), (-3, 3)), Zone.FLOWERS, Seat.WEST)
    zones = Zones(Seat.EAST, 9.9, 11.6, 13.4, 1.36, 14.1, areas=(area,))
    assert zones.assign([Lying((1.0, 1.0), 0.0, Tile.M1), Lying((0.0, -4.2), 0.0, Tile.M1)]) == [
        (Zone.FLOWERS, Seat.WEST),
        (Zone.RIVER, Seat.EAST),
    ]


def test_melds_before_the_camera_are_no_hand() -> None:
    """A detector's boxes may be a little small: lying tiles stay melds, whichever way they are turned."""
    zones = Zones.usual()
    meld = [(13.6, -4.0, (0.93, 1.1)), (12.6, -2.0, (0.95, 1.14)), (11.4, 92.0, (1.12, 0.9))]
    tiles = [Lying((x, -13.4), turn, Tile.M1, size=size) for x, turn, size in meld]
    standing = [Lying((3.0 + k, -13.4), 0.0, Tile.M2, size=(1.0, 0.6)) for k in range(3)]
    found = [zone for zone, _ in zones.assign([*tiles, *standing])]
    assert found == [Zone.MELD] * 3 + [Zone.HAND] * 3


def test_a_guess_beside_two_sure_tiles_does_not_break_their_meld() -> None:
    """A tile cut off by the edge of the picture is guessed; two unsure ones are taken at their word."""
    zones = Zones.usual()

    def melds(faces: str, sure: tuple[bool, bool, bool]) -> int:
        row = zip((13.6, 12.6, 11.6), parse_tiles(faces), sure, strict=True)
        tiles = [Lying((x, -13.4), 0.0, tile, size=(0.95, 1.2), sure=known) for x, tile, known in row]
        return sum(zone is Zone.MELD for zone, _ in zones.assign(tiles))

    assert melds("171m", (True, True, True)) == 0
    assert melds("171m", (True, False, True)) == 3
    assert melds("111m", (False, False, False)) == 3
    assert melds("171m", (False, False, False)) == 0


def test_only_one_tile_is_the_gold() -> None:
    """The one that lies there longest; a discard that slid up to the wall is a discard."""
    zones = Zones.usual()
    tiles = [
        Lying((3.0, 8.6), 0.0, Tile.M1, since_s=9.0),
        Lying((0.0, 9.9), 0.0, Tile.M2, since_s=1.0),
    ]
    assert [zone for zone, _ in zones.assign(tiles)] == [Zone.RIVER, Zone.GOLD]


def test_a_back_that_shines_is_not_the_gold() -> None:
    """It looks like a white dragon, and lay there before the gold was turned up."""
    tiles = [Lying((-4.0, 9.9), 0.0, Tile.WHITE, since_s=1.0), Lying((3.0, 9.9), 0.0, Tile.M7, since_s=40.0)]
    assert [zone for zone, _ in Zones.usual().assign(tiles)] == [Zone.WALL, Zone.GOLD]


def test_flowers_where_two_lanes_meet_belong_to_whom_they_are_turned() -> None:
    """The end of a long row of flowers comes to lie before the next seat's lane, as far out as its own."""
    zones = Zones.usual()
    corner = (-zones.edge - 0.3, -zones.edge - 1.6)
    owners = {turn: zones.assign([Lying(corner, turn, Tile.SPRING)])[0][1] for turn in (0.0, -90.0)}
    assert owners[0.0] is zones.seat_of_side(0)
    assert owners[-90.0] is zones.seat_of_side(3)
