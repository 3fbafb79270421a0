"""The plane of the table: from taps, from readings of planned clips, and while the camera is nudged."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from engine.seats import Seat
from engine.tiles import Tile
from tests.test_live_plan import hand
from tests.test_table_plan import BODIES
from vision.live.plane import Plane, mapped
from vision.live.plane_search import find_plane
from vision.live.replay import ReadingsTable
from vision.live.steadying import steadied
from vision.live.track_scores import beliefs_of, score
from vision.live.tracking import TileTracker
from vision.live.view import Zone
from vision.live.zones import Zones
from vision.reading import TileReading, as_quad
from vision.synth.live_faults import Fault, FaultKind
from vision.synth.live_plan import LivePlan, plan_live
from vision.synth.live_readings import ScriptedFrame, scripted_readings
from vision.synth.live_sight import stand_camera

SIZE = (1280, 720)


@cache
def clip(seed: int, kind: FaultKind | None = None) -> tuple[LivePlan, np.ndarray, tuple[ScriptedFrame, ...]]:
    """A planned clip of some events, the true map from pixels to the upper sides of tiles, and its readings."""
    rng = np.random.default_rng([11, seed])
    log = hand(seed)
    faults = () if kind is None else (Fault(kind, 34, 3.0, 0.8, True, Seat.WEST),)
    plan = plan_live(rng, log, BODIES[0], near=Seat(seed % 4), pace=0.8, first=30, last=40, faults=faults)
    camera = stand_camera(rng, plan, (SIZE[1], SIZE[0]))
    focal, centre = camera.focal_px, camera.centre_px
    inner = np.array([[focal[0], 0, centre[0]], [0, focal[1], centre[1]], [0, 0, 1.0]])
    above = np.array([0, 0, plan.body.thickness]) - camera.position
    outer = np.stack([camera.rotation[:, 0], camera.rotation[:, 1], camera.rotation @ above], axis=1)
    frames = scripted_readings(plan, rng, camera=camera, size_px=(SIZE[1], SIZE[0]))
    return plan, np.linalg.inv(inner @ outer), tuple(frames)


@pytest.mark.parametrize("seed", range(4))
def test_the_plane_is_found_from_one_frame(seed: int) -> None:
    """Within a quarter of a tile everywhere inside the walls."""
    _, true, frames = clip(seed)
    found = find_plane(frames[0].readings, SIZE)
    assert found is not None
    places = np.array([(x, y) for x in (-7.0, 0.0, 7.0) for y in (-7.0, 0.0, 7.0)])
    pixels = mapped(np.linalg.inv(true), places)
    assert np.linalg.norm(found.plane.places(pixels) - places, axis=1).max() < 0.5
    assert found.support > 0.8


@pytest.mark.parametrize("seed", range(4))
def test_boxes_around_the_colour_of_backs_do_not_shrink_the_table(seed: int) -> None:
    """A detector may leave the rim of backs out: how far apart they lie shows how wide they are."""
    _, true, frames = clip(seed)
    readings = [reading for reading in frames[0].readings if reading.face_down]
    tight = [replace(reading, quad=as_quad(_about_middle(np.array(reading.quad), 0.82))) for reading in readings]
    found = find_plane(tight, SIZE)
    assert found is not None
    places = np.array([(x, y) for x in (-9.0, 9.0) for y in (-9.0, 9.0)])
    pixels = mapped(np.linalg.inv(true), places)
    assert np.linalg.norm(found.plane.places(pixels) - places, axis=1).max() < 1.0


@pytest.mark.parametrize("seed", range(2))
def test_a_wrong_plane_fits_much_worse_when_more_is_known(seed: int) -> None:
    """Walls taken for hands and the like: fitted again it stays wrong; the right one costs as much as a new one."""
    _, _, frames = clip(seed)
    readings = frames[-1].readings
    right = find_plane(readings, SIZE)
    assert right is not None
    assert right.cost_before is None
    moved = right.camera.copy()
    moved[6] += 3.3  # along the y axis of the table, from the walls to the hands
    same, better = (find_plane(readings, SIZE, before=replace(right, camera=one)) for one in (right.camera, moved))
    assert same is not None
    assert better is not None
    assert same.cost_before == pytest.approx(same.cost, rel=0.06)
    assert better.cost_before is not None
    assert better.cost_before > 1.5 * better.cost
    assert better.cost == pytest.approx(right.cost, rel=0.06)


def _about_middle(quad: np.ndarray, scale: float) -> np.ndarray:
    middle = quad.mean(axis=0)
    return np.asarray(middle + scale * (quad - middle))


def test_no_plane_is_found_in_a_few_tiles() -> None:
    """A photo of a hand is no table."""
    quads = [np.array([(0, 0), (30, 0), (30, 40), (0, 40)], np.float32) + 32 * np.array([k, 0]) for k in range(15)]
    assert find_plane([TileReading(Tile.M1, 0.9, as_quad(quad)) for quad in quads], SIZE) is None


def test_four_taps_make_a_plane() -> None:
    """The corners of the walls, near left first and then counterclockwise."""
    taps = [(200.0, 600.0), (1000.0, 620.0), (900.0, 100.0), (260.0, 120.0)]
    plane = Plane.from_taps(taps, 10.0)
    assert plane.places(np.array(taps)).round(4).tolist() == [[-10, -10], [10, -10], [10, 10], [-10, 10]]
    assert plane.pixels(np.array([[-10.0, -10.0]]))[0].round(3).tolist() == [200, 600]
    assert plane.tile_px((0.0, -9.0)) > plane.tile_px((0.0, 9.0)) > 15


@pytest.mark.parametrize("taps", [[(0, 0), (1, 0), (1, 1)], [(0, 0), (10, 0), (10, 10), (0, 10)], [(5, 5)] * 4])
def test_taps_that_are_no_square_are_refused(taps: list[tuple[float, float]]) -> None:
    """Too few, the other way round, or all in one place."""
    with pytest.raises(ValueError, match="corners"):
        Plane.from_taps(taps, 10.0)


def test_readings_are_placed_with_their_turn_and_size() -> None:
    """A tile whose upper edge points to the right of the picture is turned by -90 degrees."""
    plane = Plane(np.array([[0.1, 0, -10], [0, -0.1, 10], [0, 0, 1.0]]))
    (placed,) = plane.placed([TileReading(Tile.M1, 0.9, ((114, 95), (114, 105), (100, 105), (100, 95)))])
    assert placed.place == pytest.approx((0.7, 0.0))
    assert placed.turn_deg == pytest.approx(-90)
    assert placed.size == pytest.approx((1.0, 1.4))
    assert plane.placed([]) == []


@pytest.mark.parametrize("kind", [None, FaultKind.NUDGE, FaultKind.GAP])
def test_a_planned_clip_is_kept_without_a_mistake(kind: FaultKind | None) -> None:
    """Nothing comes, goes or takes another number that should not, also while the camera is nudged."""
    plan, _, frames = clip(1, kind)
    table = ReadingsTable(SIZE, near=plan.near)
    kept = score(plan, frames, lambda frame: beliefs_of(table.push(frame.readings, frame.time_s, frame.frame)))
    assert kept.tiles >= 6
    assert kept.found >= kept.tiles - (8 if kind is FaultKind.GAP else 0)
    assert (kept.switches, kept.false_adds, kept.false_removes, kept.ghosts, kept.wrong_labels) == (0, 0, 0, 0, 0)


def test_a_nudged_picture_takes_the_plane_with_it() -> None:
    """By up to two tiles and two degrees; a picture of something else is told apart."""
    _, _, frames = clip(2)
    found = find_plane(frames[0].readings, SIZE)
    assert found is not None
    tracker = TileTracker()
    for k in range(6):
        tracker.update(found.plane.placed(frames[k].readings), k * 0.2)
    turn = np.vstack([cv2.getRotationMatrix2D((640, 360), 1.5, 1.0), [0, 0, 1]])
    turn[:2, 2] += (31.0, -22.0)

    def moved(reading: TileReading) -> TileReading:
        quad = as_quad(mapped(turn, np.array(reading.quad)))
        return TileReading(reading.tile, reading.confidence, quad, reading.face_down, reading.alternatives)

    plane = steadied(found.plane, tracker.tiles, [moved(reading) for reading in frames[6].readings])
    assert plane is not None
    places = np.array([(x, y) for x in (-9.0, 9.0) for y in (-9.0, 9.0)])
    off = np.linalg.norm(plane.pixels(places) - mapped(turn, found.plane.pixels(places)), axis=1)
    assert off.max() < 0.25 * found.plane.tile_px((0.0, 0.0))
    rng = np.random.default_rng(3)
    strange = [
        TileReading(Tile.M1, 0.9, as_quad(np.array([(0, 0), (20, 0), (20, 27), (0, 27)]) + rng.uniform(0, 700, 2)))
        for _ in range(60)
    ]
    assert steadied(found.plane, tracker.tiles, strange) is None


def test_a_plane_that_was_lost_is_found_again() -> None:
    """The phone is put elsewhere: nothing changes while the table is not found, then it goes on as before."""
    plan, _, frames = clip(0)
    table = ReadingsTable(SIZE, near=plan.near)
    for frame in frames[:12]:
        view = table.push(frame.readings, frame.time_s)
    before = {tile.track for tile in view.tiles if tile.zone in (Zone.RIVER, Zone.MELD, Zone.FLOWERS)}
    away = np.array([[0.6, 0.05, 390.0], [-0.05, 0.6, 180.0], [0, 0, 1.0]])
    found = []
    for frame in frames[12:24]:
        readings = [
            TileReading(one.tile, one.confidence, as_quad(mapped(away, np.array(one.quad))), one.face_down)
            for one in frame.readings
        ]
        view = table.push(readings, frame.time_s)
        found.append(view.plane_found)
        assert before <= {tile.track for tile in view.tiles}
    assert not found[0]
    assert found[-1]


def test_the_usual_zones_are_those_of_the_simulator() -> None:
    """Two descriptions of one table must not drift apart."""
    from vision.synth.table_plan import Lanes

    lanes, zones = Lanes.of(BODIES[0]), Zones.usual(height=BODIES[0].height)
    assert (zones.wall, zones.flowers, zones.hand) == pytest.approx((lanes.wall, lanes.flowers, lanes.hand), abs=0.1)
    assert zones.right == pytest.approx(lanes.right, abs=0.2)
