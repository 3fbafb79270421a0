"""Planned clips: every tile is there all the time, none lies on another, and the events are those of the log."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest

from engine.eventlog import format_event, parse_log
from engine.events import Deal, Discard, KongConcealed, KongShown, Log, Pung
from engine.fold import fold
from engine.seats import SEATS, Seat
from engine.simulate import as_seen, play_hand
from tests.test_table_plan import BODIES, WHOLE_SET, collisions
from vision.synth.live_faults import Fault, FaultKind, random_faults
from vision.synth.live_plan import LivePlan, first_act, pace_for, plan_live
from vision.synth.live_readings import PERFECT, scripted_readings
from vision.synth.live_sight import Sight, nudge, stand_camera, warp
from vision.synth.live_truth import write_truth
from vision.synth.table_plan import Customs

SIZE = (720, 1280)


@cache
def hand(seed: int) -> Log:
    return play_hand(Random(seed), Deal(Seat(seed % 4))).log


@cache
def planned(seed: int, river: str = "rows") -> LivePlan:
    rng = np.random.default_rng(seed)
    customs = replace(Customs.random(rng), river=river)
    return plan_live(rng, hand(seed), BODIES[seed % 2], customs, near=Seat(seed % 3), pace=0.8)


@pytest.mark.parametrize(("seed", "river"), [(2, "rows"), (3, "heap")])
def test_no_tile_is_lost_and_none_rests_on_another(seed: int, river: str) -> None:
    plan = planned(seed, river)
    checked = None
    for _, time_s in plan.frame_times()[::8]:
        tiles = plan.tiles_at(time_s)
        assert Counter(tile.placed.tile for tile in tiles) == WHOLE_SET
        resting = [tile.placed for tile in tiles if not tile.is_moving]
        key = tuple(map(id, resting))
        if key != checked:
            assert not collisions(resting, plan.body), f"at {time_s} s"
            checked = key


def test_the_same_seed_plans_the_same_clip() -> None:
    one, two = planned.__wrapped__(5), planned.__wrapped__(5)
    assert [(event.number, event.text, event.time_s) for event in one.events] == [
        (event.number, event.text, event.time_s) for event in two.events
    ]
    for time_s in (0.0, 7.3, one.duration_s):
        first, second = (
            [(tile.number, tile.placed.centre.tolist()) for tile in plan.tiles_at(time_s)] for plan in (one, two)
        )
        assert first == second
    short = plan_live(np.random.default_rng(1), hand(5), BODIES[0], last=first_act(hand(5)) + 4, fps=2)
    readings = [list(scripted_readings(short, np.random.default_rng(3))) for _ in range(2)]
    assert readings[0] == readings[1]


@pytest.mark.parametrize("seed", range(6))
def test_every_visible_event_is_there_in_order(seed: int) -> None:
    plan = planned(seed)
    seen = [event for event in as_seen(plan.log)[1:] if type(event).__name__ not in {"Pass", "WinGranted", "Exhausted"}]
    assert [event.text for event in plan.events] == [format_event(event) for event in seen]
    starts = [event.start_s for event in plan.events]
    assert starts == sorted(starts)
    assert all(event.start_s < event.time_s <= event.clear_s + 1 for event in plan.events)
    assert plan.events[-1].clear_s < plan.duration_s
    for event, following in zip(plan.events, plan.events[1:], strict=False):
        if not isinstance(following.event, KongShown):
            assert following.start_s >= event.time_s  # one thing after the other


def test_the_table_at_the_end_is_that_of_the_log() -> None:
    for seed in range(4):
        plan = planned(seed)
        state = fold(plan.log)
        placed = [tile.placed for tile in plan.tiles_at(plan.duration_s)]
        for seat in SEATS:
            own = state.seats[seat]
            found = {
                zone: Counter(item.tile for item in placed if item.seat is seat and item.group == zone)
                for zone in ("meld", "flowers", "river")
            }
            assert found["meld"] == Counter(tile for meld in own.melds for tile in meld.tiles)
            assert found["flowers"] == Counter(own.flowers)
            left = Counter(thrown.tile for thrown in state.river if thrown.seat is seat and thrown.taken_by is None)
            assert not found["river"] - left
            assert (left - found["river"]).total() <= plan.takes_winning
        assert [item.tile for item in placed if item.group == "gold"] == [state.indicator]
        assert sum(item.group == "wall" for item in placed) == state.wall - 1


def test_claimed_tiles_go_to_the_corner_and_flowers_stay() -> None:
    plan = next(plan for plan in map(planned, range(9)) if any(isinstance(one.event, Pung) for one in plan.events))
    pung = next(event for event in plan.events if isinstance(event.event, Pung))
    before, after = (
        {tile.number: tile.placed for tile in plan.tiles_at(time_s)} for time_s in (pung.start_s, pung.clear_s)
    )
    came = [number for number, item in after.items() if item.group == "meld" and before[number].group != "meld"]
    assert sorted(before[number].group for number in came) == ["hand", "hand", "river"]
    assert {after[number].tile for number in came} == {pung.event.tile}  # type: ignore[union-attr]
    flowers = [number for number, item in before.items() if item.group == "flowers"]
    assert flowers
    assert all(after[number] is before[number] for number in flowers)


def test_a_part_of_a_hand_starts_where_it_is() -> None:
    log = hand(3)
    plan = plan_live(np.random.default_rng(1), log, BODIES[0], first=60, last=70)
    assert {event.number for event in plan.events} <= set(range(60, 71))
    assert len(plan.log) == 70
    state = fold(log[:59])
    lying = Counter(tile.placed.tile for tile in plan.tiles_at(0.0) if tile.placed.group == "river")
    assert lying == Counter(thrown.tile for thrown in state.river if thrown.taken_by is None)
    with pytest.raises(ValueError, match="no events 2 to 90"):
        plan_live(np.random.default_rng(1), log, BODIES[0], first=2)


def test_a_closed_log_cannot_be_filmed() -> None:
    with pytest.raises(ValueError, match="expected one with all tiles"):
        plan_live(np.random.default_rng(1), as_seen(hand(1)), BODIES[0])


def test_faults_take_their_time() -> None:
    log = hand(2)
    number = first_act(log) + 20
    discard = next(place for place, event in enumerate(log, start=1) if isinstance(event, Discard) and place > number)
    faults = (
        Fault(FaultKind.COVER, number, 20.0, seat=Seat.WEST),
        Fault(FaultKind.SORT, number + 4, 20.0),
        Fault(FaultKind.GAP, number + 6, 10.0),
        Fault(FaultKind.TAKE_BACK, discard - 1, 1.2),
    )
    plan = plan_live(np.random.default_rng(4), log, BODIES[0], Customs(), pace=0.8, faults=faults)
    spans = {found.kind: found for found in plan.disturbances}
    assert spans.keys() == {fault.kind for fault in faults}
    for kind in (FaultKind.COVER, FaultKind.SORT):  # nothing happens meanwhile
        span = spans[kind]
        assert not any(span.start_s < event.time_s < span.end_s for event in plan.events)
    covered = [plan.covered_at(spans[FaultKind.COVER].start_s + share) for share in (5.0, 10.0)]
    assert all(covered)
    frames = [time_s for _, time_s in plan.frame_times()]
    assert not any(spans[FaultKind.GAP].at(time_s) for time_s in frames)
    taken = plan.take_backs[0]
    assert taken.tile is not log[taken.number - 1].tile  # type: ignore[union-attr]
    down = {
        tile.placed.tile for tile in plan.tiles_at((taken.start_s + taken.end_s) / 2) if tile.placed.group != "hand"
    }
    assert taken.tile in down
    assert not any(collisions([t.placed for t in plan.tiles_at(f) if not t.is_moving], plan.body) for f in frames[::25])


def test_scripted_readings_say_what_lies_there() -> None:
    log = hand(3)
    plan = plan_live(np.random.default_rng(3), log, BODIES[1], first=50, last=58, fps=2)
    rng = np.random.default_rng(8)
    camera = stand_camera(rng, plan, SIZE)
    sight = Sight(camera, plan.body, SIZE)
    for frame in list(scripted_readings(plan, rng, PERFECT, camera=camera, size_px=SIZE)):
        tiles = {tile.number: tile for tile in plan.tiles_at(frame.time_s)}
        arms = sight.arm_polygons(plan.arms_at(frame.time_s))
        assert len(frame.readings) > 40
        for reading, number in zip(frame.readings, frame.numbers, strict=True):
            assert number is not None
            placed = tiles[number].placed
            assert reading.face_down or reading.tile is placed.tile
            at = camera.project(placed.centre)
            assert np.hypot(*(at - reading.centre)) < 30
        read = set(frame.numbers)
        lying = [number for number, tile in tiles.items() if tile.placed.group == "river" and not tile.is_moving]
        assert arms or set(lying) <= read


def test_a_poor_reader_errs_and_a_nudge_shifts_all() -> None:
    log = hand(4)
    fault = Fault(FaultKind.NUDGE, first_act(log) + 3, 4.0, strength=1.0, back=False)
    plan = plan_live(np.random.default_rng(4), log, BODIES[0], last=first_act(log) + 12, faults=(fault,))
    rng = np.random.default_rng(2)
    camera = stand_camera(rng, plan, SIZE)
    frames = list(scripted_readings(plan, rng, camera=camera, size_px=SIZE))
    codes = Counter(reading.code for frame in frames for reading in frame.readings)
    assert codes["?"]
    assert None in {number for frame in frames for number in frame.numbers}
    moved = warp(np.array([[640.0, 360.0]]), nudge(camera, plan.disturbances, plan.duration_s))
    assert 8 < float(np.hypot(*(moved[0] - [640, 360]))) < 200
    assert np.allclose(nudge(camera, plan.disturbances, 0.0), np.eye(3))


def test_truth_files(tmp_path: Path) -> None:
    log = hand(6)
    plan = plan_live(np.random.default_rng(1), log, BODIES[1], last=first_act(log) + 6, fps=2)
    camera = stand_camera(np.random.default_rng(1), plan, SIZE)
    write_truth(tmp_path, plan, camera, SIZE, seed=6, design="none")
    kept = parse_log((tmp_path / "log.txt").read_text(encoding="utf-8"))
    assert kept == plan.log
    events = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [event["event"] for event in events] == [event.text for event in plan.events]
    assert all(event["frame"] / 2 >= event["time_s"] - 1e-3 for event in events)
    tracks = [json.loads(line) for line in (tmp_path / "tracks.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["frame"] for line in tracks] == [frame for frame, _ in plan.frame_times()]
    for line in tracks[:: max(1, len(tracks) // 3)]:
        assert Counter(tile["tile"] for tile in line["tiles"]) == Counter(
            {tile.code: count for tile, count in WHOLE_SET.items()}
        )
        for tile in line["tiles"]:
            if tile["quad"] is not None and tile["visible"] > 0.9:
                quad = np.array(tile["quad"])
                assert (quad > -2).all()
                assert (quad < [SIZE[1] + 2, SIZE[0] + 2]).all()
    clip = json.loads((tmp_path / "clip.json").read_text(encoding="utf-8"))
    assert clip["seed"] == 6
    assert clip["last"] == len(plan.log)


def test_closed_kongs_are_backs_until_the_win() -> None:
    for seed in range(200):
        log = play_hand(Random(seed), Deal(Seat.EAST)).log
        if any(isinstance(event, KongConcealed) for event in log):
            break
    else:
        pytest.skip("nobody makes a concealed kong in these hands")
    plan = plan_live(np.random.default_rng(1), log, BODIES[0])
    kong = next(event for event in plan.events if isinstance(event.event, KongConcealed))
    assert kong.text.endswith("kong concealed back")
    melds = [tile.placed for tile in plan.tiles_at(kong.clear_s) if tile.placed.group == "meld"]
    assert sum(item.pose == "down" for item in melds) == 4


def test_pace_and_chance() -> None:
    log = hand(0)
    assert pace_for(log, 30) < pace_for(log, 60) <= pace_for(log, 1000) == 1.5
    plan = plan_live(np.random.default_rng(1), log, BODIES[0], pace=pace_for(log, 60))
    assert 48 < plan.duration_s < 72
    faults = random_faults(np.random.default_rng(1), range(5, 60), list(FaultKind))
    assert {fault.kind for fault in faults} == set(FaultKind)
    assert all(5 <= fault.number < 60 for fault in faults)


def test_building_walls_is_no_event() -> None:
    log = hand(1)
    plan = plan_live(np.random.default_rng(6), log, BODIES[1], last=first_act(log) + 2, building_s=20.0, pace=0.8)
    assert plan.events[0].start_s > 20
    assert len({move.end_s for track in plan.tracks for move in track.moves if move.end_s < 20}) > 100
    for time_s in np.arange(0.0, plan.duration_s, 1.7):
        tiles = plan.tiles_at(float(time_s))
        assert Counter(tile.placed.tile for tile in tiles) == WHOLE_SET
        assert not collisions([tile.placed for tile in tiles if not tile.is_moving], plan.body), f"at {time_s} s"
    assert {tile.placed.group for tile in plan.tiles_at(5.0)} == {"wall"}
    assert sum(tile.placed.group == "hand" for tile in plan.tiles_at(20.5)) == 65
    with pytest.raises(ValueError, match="walls are built before a hand"):
        plan_live(np.random.default_rng(6), log, BODIES[1], first=30, building_s=20.0)
