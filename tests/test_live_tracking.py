"""The tracker on scripted tables: each row of the field reports that concerns keeping track."""

from __future__ import annotations

import tracemalloc
from itertools import pairwise

import numpy as np
import pytest

from engine.seats import Seat
from engine.tiles import Tile
from tests.support.script import ScriptedTable, placed, shown
from vision.live.table import TableTracker, covered_by
from vision.live.tracking import PlacedReading, Sight, TileTracker
from vision.live.view import TableView, Zone
from vision.live.zones import Zones
from vision.reading import TileReading

RIVER = ["3m", "7p", "E", "1s", "9m", "C", "4p", "4p", "8s", "2m"]


def a_river(**settings: object) -> ScriptedTable:
    """A table with ten discards before the near seat, believed already."""
    table = ScriptedTable(**settings)  # type: ignore[arg-type]
    table.row("a", RIVER[:6], -2.6, -4.0)
    table.row("b", RIVER[6:], -2.6, -5.5)
    table.wait(2.0)
    table.views.clear()
    return table


def changes(views: list[TableView]) -> list[tuple[str, int, str]]:
    """Tiles that came, went or changed from view to view."""
    found = []
    for before, after in pairwise(views):
        old, new = shown(before), shown(after)
        found += [("came", track, new[track]) for track in new.keys() - old.keys()]
        found += [("went", track, old[track]) for track in old.keys() - new.keys()]
        found += [("became", track, new[track]) for track in new.keys() & old.keys() if new[track] != old[track]]
    return found


def test_a_tile_is_believed_only_after_it_was_at_rest_for_a_while() -> None:
    """One or two readings are not believed, and one on its way is none at all."""
    table = ScriptedTable()
    table.lay("x", "5p", 0.0, -4.0)

    assert not table.wait(0.4).tiles
    assert shown(table.wait(0.6)) == {1: "5p"}


def test_a_carried_tile_is_not_believed() -> None:
    """A tile that moves on from reading to reading is only where it stops."""
    table = ScriptedTable(fps=10)
    for step in range(20):
        table.lay("x", "5p", -6.0 + 0.45 * step, -4.0)
        assert not table.wait(0.1).tiles
    assert [tile.place[0] for tile in table.wait(1.0).tiles] == pytest.approx([2.55], abs=0.1)


def test_23_sorting_and_sliding_in_the_hand_change_nothing_else() -> None:
    """A hand sorted for 20 s: nothing comes to or leaves the river."""
    table = a_river()
    hand = ["1m", "2m", "5m", "6p", "7p", "8p", "N", "N", "P", "3s", "4s", "9s", "9s"]
    table.wait(0.4)
    for _ in range(100):
        order = table.rng.permutation(len(hand))
        for slot, index in enumerate(order):
            table.lay(f"h{index}", hand[index], -6.0 + 1.02 * slot + table.rng.normal(0, 0.3), -13.2)
        table.wait(0.2)

    river = [[tile for tile in view.tiles if tile.zone is Zone.RIVER] for view in table.views]
    assert {tuple((tile.track, tile.tile) for tile in tiles) for tiles in river} == {
        tuple((tile.track, tile.tile) for tile in river[0])
    }
    assert len(river[0]) == 10


@pytest.mark.parametrize("told", [True, False])
def test_24_a_lamp_switched_off_and_on_loses_and_finds_nothing(told: bool) -> None:
    """Nothing is read for five seconds, then everything again; some labels are misread at first."""
    table = a_river(sees_cover=told)
    before = shown(table.wait(0.2))
    if told:
        table.cover = (((-20, -20), (20, -20), (20, 20), (-20, 20)),)
    else:
        table.dark = True
    table.wait(5.0)
    table.cover, table.dark = (), False
    table.misread = {"a0": "2m", "b2": "7s"}
    table.wait(0.4)
    table.misread = {}

    assert shown(table.wait(2.0)) == before
    assert not changes(table.views)


@pytest.mark.parametrize("pause", [0.6, 2.0])
def test_25_a_claimed_tile_moves_to_the_meld_and_keeps_its_number(pause: float) -> None:
    """The river loses the tile within 2 s, the meld gains it, its number is the same, and no ghost is left."""
    table = a_river()
    before = table.wait(0.2)
    (claimed,) = (tile.track for tile in before.tiles if tile.place[1] < -5 and tile.place[0] > 0.3)
    code = shown(before)[claimed]
    table.cover = (((2.0, -7.0), (12.0, -7.0), (12.0, -2.0), (-2.0, -4.0)),)
    table.take("b3")
    table.wait(pause)
    table.row("m", [code, code, code], 13.2, 11.2, 90.0)
    table.wait(0.6)
    table.cover = ()
    began = table.time_s
    after = table.wait(3.0)

    melds = after.in_zone(Zone.MELD, Seat.SOUTH)
    assert [tile.tile.code for tile in melds if tile.tile] == [code] * 3
    assert claimed in [tile.track for tile in melds]
    assert len(after.in_zone(Zone.RIVER)) == 9
    left = next(view for view in table.views if all(tile.track != claimed for tile in view.in_zone(Zone.RIVER)))
    assert left.time_s - began <= 2.0
    for view in table.views:
        assert len({tile.track for tile in view.tiles}) == len(view.tiles)


def test_25_another_tile_in_the_place_of_a_claimed_one_is_another_tile() -> None:
    """The free place at the end of a river is used again while an arm covers it: the number goes, a new one comes."""
    table = a_river()
    before = shown(table.wait(0.2))
    table.cover = (((-6.0, -7.0), (6.0, -7.0), (6.0, -2.0), (-6.0, -2.0)),)
    table.wait(1.0)
    table.take("b3")
    table.lay("c", "6s", -2.6 + 3.09, -5.5)
    table.wait(0.5)
    table.cover = ()
    after = shown(table.wait(3.0))

    gone = before.keys() - after.keys()
    assert [before[track] for track in gone] == ["2m"]
    assert [after[track] for track in after.keys() - before.keys()] == ["6s"]


@pytest.mark.parametrize("told", [True, False])
def test_28_an_arm_over_the_river_for_thirty_seconds_keeps_every_number(told: bool) -> None:
    """What was covered has the same numbers when it is seen again, whether the cover was told or not."""
    table = a_river(sees_cover=told)
    before = shown(table.wait(0.2))
    table.cover = (((-8.0, -7.0), (1.0, -7.0), (1.0, -3.0), (-8.0, -3.0)),)
    assert (Zone.RIVER, Seat.EAST) in table.wait(30.0).covered
    table.cover = ()
    after = table.wait(2.0)

    assert shown(after) == before
    assert not after.covered
    assert not changes(table.views)


def test_a_tile_discarded_beside_a_covered_river_is_found() -> None:
    """While an arm lies over one part, the other goes on."""
    table = a_river()
    table.cover = (((-8.0, -7.0), (-1.0, -7.0), (-1.0, -3.0), (-8.0, -3.0)),)
    table.wait(1.0)
    table.lay("n", "6p", 4.0, 2.0, 90.0)
    assert [kind for kind, _, _ in changes([table.views[-1], table.wait(2.0)])] == ["came"]


def test_a_tile_taken_back_is_gone() -> None:
    """Row 22: a discard that is taken back leaves the river."""
    table = a_river()
    table.lay("n", "6p", 4.0, 2.0, 90.0)
    table.wait(1.5)
    table.take("n")
    table.wait(2.0)
    assert [(kind, code) for kind, _, code in changes(table.views)] == [("came", "6p"), ("went", "6p")]


def test_missed_readings_are_no_removals() -> None:
    """A reader that misses one tile in four, all the time, removes none."""
    table = a_river(seed=3)
    table.sees_cover, table.missed = False, 0.25
    table.wait(20.0)
    assert not changes(table.views)


def test_a_nudge_of_a_third_of_a_tile_keeps_every_number() -> None:
    """All places shift at once by less than the plane notices."""
    table = a_river()
    before = shown(table.wait(0.2))
    for name, (code, x, y, turn) in list(table.tiles.items()):
        table.lay(name, code, x + 0.25, y - 0.2, turn)
    assert shown(table.wait(3.0)) == before


def test_19_a_single_misreading_does_not_change_what_was_believed() -> None:
    """One reader's slip in many good ones, and a slip that lasts for a while under the same light."""
    table = a_river()
    before = shown(table.wait(6.0))
    table.misread = {"a0": "2m"}
    table.wait(0.2)
    table.misread = {}
    table.wait(0.4)
    table.misread = {"a0": "2m"}
    assert shown(table.wait(0.8)) == before
    table.misread = {}
    assert shown(table.wait(1.0)) == before
    assert not changes(table.views)


def test_a_first_misreading_is_corrected_by_what_follows() -> None:
    """The first look was wrong; half a minute later the label is right, and the number the same."""
    table = ScriptedTable(misread={"x": "2m"})
    table.lay("x", "3m", 0.0, -4.0)
    first = table.wait(1.2)
    assert shown(first) == {1: "2m"}
    table.misread = {}
    assert shown(table.wait(25.0)) == {1: "3m"}


def test_29_memory_stays_where_it_is() -> None:
    """Thousands of frames with tiles coming and going: what is kept does not grow."""
    tracker = TableTracker(Zones.usual(Seat.EAST))
    rng = np.random.default_rng(1)
    fixed = [placed("5p", x, y) for x in np.arange(-4, 5, 1.1) for y in (-4.0, -5.5)]

    def run(frames: int, start: int) -> None:
        for index in range(start, start + frames):
            stray = [placed("3m", *rng.uniform(-6, 6, 2)) for _ in range(3)]
            tracker.update([*fixed, *stray], index * 0.2, frame=index)

    run(80, 0)
    tracemalloc.start()
    run(20, 80)
    first = tracemalloc.get_traced_memory()[0]
    run(120, 100)
    grown = tracemalloc.get_traced_memory()[0] - first
    tracemalloc.stop()

    assert grown < 120 * 5_000  # 50 MB in 10,000 frames
    assert len(tracker.tracker.tiles) == len(fixed)


def test_time_does_not_run_backwards() -> None:
    """A frame older than the last one is refused."""
    tracker = TileTracker()
    tracker.update([], 5.0)
    with pytest.raises(ValueError, match="runs backwards"):
        tracker.update([], 4.9)


def test_the_white_upper_sides_of_standing_tiles_are_no_white_dragons() -> None:
    """From above they are blank, white and as long as a tile is wide; one that lies is as long as all faces."""
    tracker = TableTracker(Zones.usual(Seat.EAST))
    white = TileReading(Tile.WHITE, 0.95, ((0.0, 0.0),) * 4)
    faces = [TileReading(tile, 0.95, ((0.0, 0.0),) * 4) for tile in (Tile.EAST, Tile.RED, Tile.PLUM)]
    readings = [
        PlacedReading(white, (-3.0, -13.4), 0.0, (1.0, 0.66)),
        PlacedReading(white, (-1.0, -13.4), 0.0, (1.1, 0.8)),
        PlacedReading(white, (2.0, -11.6), 0.0, (0.97, 1.35)),
        *(PlacedReading(face, (3.0 + k, -11.6), 0.0, (1.0, 1.4)) for k, face in enumerate(faces)),
    ]
    for step in range(12):
        view = tracker.update(readings, step * 0.2)
    assert [(tile.tile, tile.face_down, tile.zone) for tile in view.tiles][:3] == [
        (None, True, Zone.HAND),
        (None, True, Zone.HAND),
        (Tile.WHITE, False, Zone.FLOWERS),
    ]


def test_a_pale_patch_of_the_table_is_no_white_dragon() -> None:
    """A blank square has not the sides of a tile; one that lies across the table has."""
    tracker = TableTracker(Zones.usual(Seat.EAST))
    faces = [TileReading(tile, 0.95, ((0.0, 0.0),) * 4) for tile in (Tile.EAST, Tile.RED, Tile.PLUM)]
    white = TileReading(Tile.WHITE, 0.95, ((0.0, 0.0),) * 4)
    readings = [
        PlacedReading(white, (-3.0, 2.0), 0.0, (1.36, 1.4)),
        PlacedReading(white, (1.0, 2.0), 0.0, (1.0, 1.9)),
        PlacedReading(white, (3.0, 2.0), 0.0, (1.42, 1.08)),
        *(PlacedReading(face, (3.0 + k, -11.6), 0.0, (1.0, 1.4)) for k, face in enumerate(faces)),
    ]
    for step in range(12):
        view = tracker.update(readings, step * 0.2)
    assert (view.tiles[0].tile, view.tiles[0].place) == (Tile.WHITE, (3.0, 2.0))
    assert len(view.tiles) == 4


def test_a_tile_that_lies_aslant_as_before_is_the_same_one_however_it_is_read() -> None:
    """Under an arm nobody lays another tile at the same angle; at a row's angle somebody may."""

    def told(turn_deg: float, confidence: float = 0.95) -> tuple[set[int], Tile | None]:
        tracker = TableTracker(Zones.usual(Seat.EAST))
        numbers: set[int] = set()
        for step in range(29):
            face, sure = (Tile.M1, 0.95) if step < 15 else (Tile.SOUTH, confidence)
            reading = TileReading(face, sure, ((0.0, 0.0),) * 4)
            hidden = 15 <= step < 20
            placed = [] if hidden else [PlacedReading(reading, (-2.0, 1.0), turn_deg, (1.0, 1.4))]
            arm = covered_by([[(-6.0, -3.0), (2.0, -3.0), (2.0, 3.0), (-6.0, 3.0)]]) if hidden else None
            view = tracker.update(placed, step * 0.2, look=arm)
            numbers |= {tile.track for tile in view.tiles}
        return numbers, view.tiles[0].tile

    assert len(told(40.0)[0]) == 1
    assert told(2.0) == ({1, 2}, Tile.SOUTH)
    assert told(2.0, 0.5) == ({1}, Tile.M1), "what is not read surely takes longer"


def test_a_tile_seen_once_between_two_arms_is_believed_when_they_are_gone() -> None:
    """Hands go to and fro over what was laid down a moment ago: it was seen once, and is looked at again."""

    def seen_at(hidden: Sight) -> float | None:
        tracker = TileTracker()
        face = PlacedReading(TileReading(Tile.EAST, 0.95, ((0.0, 0.0),) * 4), (3.0, -11.6), 0.0, (1.0, 1.4))
        for step in range(20):
            covered = 1 <= step <= 12
            tracker.update([] if covered else [face], step * 0.2, look=lambda places: np.full(len(places), hidden))
            if tracker.tiles:
                return step * 0.2
        return None

    assert seen_at(Sight.COVERED) == pytest.approx(2.8)
    assert seen_at(Sight.MISSED) == pytest.approx(3.2), "what is looked at and not there begins anew"
