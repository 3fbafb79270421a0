"""The tracker beside a general one, ByteTrack of `supervision`, on the same planned clips and readings.

ByteTrack (Zhang et al. 2022) matches boxes of neighbouring frames by overlap. It is given what helps it: every reading
as a box, the label as class, a memory of half a minute, and its tiles count as believed for two seconds after they were
seen last.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import asdict
from random import Random
from typing import Any

import numpy as np

from engine.events import Deal
from engine.seats import Seat
from engine.simulate import play_hand
from engine.tiles import Tile
from vision.live.consensus import BACK
from vision.live.plane_search import find_plane
from vision.live.replay import ReadingsTable
from vision.live.track_scores import Belief, TrackScore, beliefs_of, score
from vision.synth.designs import Body
from vision.synth.live_faults import FaultKind, random_faults
from vision.synth.live_plan import LivePlan, pace_for, plan_live
from vision.synth.live_readings import ScriptedFrame, scripted_readings
from vision.synth.live_sight import stand_camera

SIZE = (1920, 1080)
FAULTS: tuple[tuple[FaultKind, ...], ...] = ((), (FaultKind.COVER,), (FaultKind.NUDGE,), (FaultKind.SORT,))
_HELD_S = 2.0
_UNKNOWN = BACK + 1


def planned_clip(seed: int, seconds: float = 60.0) -> tuple[LivePlan, list[ScriptedFrame]]:
    """A whole hand as a clip of about so many seconds, with a fault in three of four, as a usual reader reads it."""
    rng = np.random.default_rng([2026, seed])
    log = play_hand(Random(seed), Deal(Seat(seed % 4))).log
    height, thickness = float(rng.uniform(1.28, 1.42)), float(rng.uniform(0.6, 0.8))
    body = Body((250, 250, 250), (60, 140, 60), 0.4, height, thickness, 0.08, 0.5)
    faults = random_faults(rng, range(8, len(log) - 4), FAULTS[seed % len(FAULTS)])
    plan = plan_live(rng, log, body, near=Seat(int(rng.integers(4))), pace=pace_for(log, seconds), faults=faults)
    size = (SIZE[1], SIZE[0])
    camera = stand_camera(rng, plan, size)
    return plan, list(scripted_readings(plan, rng, camera=camera, size_px=size))


def own_tracker(plan: LivePlan) -> Callable[[ScriptedFrame], Sequence[Belief]]:
    """The tracker of this package, from the first frame on."""
    table = ReadingsTable(SIZE, near=plan.near)
    return lambda frame: beliefs_of(table.push(frame.readings, frame.time_s, frame.frame))


def byte_track(plan: LivePlan, frames: Sequence[ScriptedFrame]) -> Callable[[ScriptedFrame], Sequence[Belief]]:
    """ByteTrack on the boxes in the picture; where they lie is told by the plane found in the first frame.

    Raises:
        ImportError: `supervision` is not installed.
    """
    import supervision

    found = find_plane(frames[0].readings, SIZE)
    if found is None:
        raise ValueError("the first frame shows no table")
    plane = found.plane
    tracker = supervision.ByteTrack(
        lost_track_buffer=round(30 * plan.fps), frame_rate=round(plan.fps), minimum_consecutive_frames=3
    )
    held: dict[int, tuple[float, Belief]] = {}

    def track(frame: ScriptedFrame) -> Sequence[Belief]:
        labels = [BACK if one.face_down else _UNKNOWN if one.tile is None else int(one.tile) for one in frame.readings]
        given = supervision.Detections(
            xyxy=np.array([one.box for one in frame.readings], np.float32).reshape(-1, 4),
            confidence=np.array([one.confidence for one in frame.readings], np.float32),
            class_id=np.array(labels, np.int64),
        )
        seen = tracker.update_with_detections(given)
        for box, label, number in zip(seen.xyxy, seen.class_id, seen.tracker_id, strict=True):
            middle = np.array([[(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]], np.float64)
            x, y = plane.places(middle)[0]
            tile = Tile(int(label)) if label < BACK else None
            if label != BACK:
                held[int(number)] = frame.time_s, Belief(int(number), (float(x), float(y)), tile)
        for number in [number for number, (when, _) in held.items() if frame.time_s - when > _HELD_S]:
            del held[number]
        return [belief for _, belief in held.values()]

    return track


def bench_trackers(seeds: Sequence[int], seconds: float = 60.0) -> dict[str, Any]:
    """Counts of both trackers over clips; ByteTrack is left out where `supervision` is not installed."""
    has_peer = importlib.util.find_spec("supervision") is not None
    own, peer = TrackScore(), TrackScore()
    for seed in seeds:
        plan, frames = planned_clip(seed, seconds)
        own += score(plan, frames, own_tracker(plan))
        if has_peer:
            peer += score(plan, frames, byte_track(plan, frames))
    figures: dict[str, Any] = {"clips": len(seeds), "trackers": {"jinque": asdict(own)}}
    if has_peer:
        figures["trackers"]["ByteTrack"] = asdict(peer)
    return figures


def tracker_lines(figures: dict[str, Any]) -> list[str]:
    """The counts as a table of text."""
    columns = ("tiles", "found", "switches", "false_adds", "false_removes", "ghosts", "wrong_labels")
    lines = [f"{figures['clips']} planned clips", f"{'tracker':10}" + "".join(f"{name:>15}" for name in columns)]
    for name, counts in figures["trackers"].items():
        lines.append(f"{name:10}" + "".join(f"{counts[column]:>15}" for column in columns))
    return lines
