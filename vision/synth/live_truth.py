"""The files that say what happens in a clip: log, events, tracks, and how the clip was made.

==================  ==================================================================================================
``log.txt``         every event with all tiles, as `jinque audit` takes it
``events.jsonl``    one line an event a camera could see: ``n`` its number in the log, ``time_s`` and ``frame`` when all
                    tiles rest after it, ``start_s`` and ``clear_s`` when the hand set out and was gone, ``event``
``tracks.jsonl``    one line a frame that was taken: all tiles with place, pose, zone, seat, quad, visible share
``clip.json``       seed, design, customs, seats, ruleset, disturbances, size and rate
==================  ==================================================================================================
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from engine.eventlog import format_log
from engine.events import Deal
from vision.synth.camera import Camera
from vision.synth.live_plan import LivePlan
from vision.synth.live_sight import Sight, Surface, nudge, warp


def event_lines(plan: LivePlan) -> list[dict[str, Any]]:
    """What ``events.jsonl`` holds."""
    return [
        {
            "n": event.number,
            "time_s": round(event.time_s, 3),
            "frame": math.ceil(event.time_s * plan.fps - 1e-9),
            "start_s": round(event.start_s, 3),
            "clear_s": round(event.clear_s, 3),
            "event": event.text,
        }
        for event in plan.events
    ]


def track_lines(plan: LivePlan, camera: Camera, size_px: tuple[int, int]) -> Iterator[dict[str, Any]]:
    """What ``tracks.jsonl`` holds; of tiles that show the camera no side the quad is null."""
    sight = Sight(camera, plan.body, size_px)
    for frame, time_s in plan.frame_times():
        matrix = nudge(camera, plan.disturbances, time_s)
        tiles = plan.tiles_at(time_s)
        surfaces = {surface.tile.number: surface for surface in sight.surfaces(tiles, plan.arms_at(time_s))}
        lines = [_tile(tile.number, tile.placed, tile.is_moving, surfaces.get(tile.number), matrix) for tile in tiles]
        yield {"frame": frame, "time_s": round(time_s, 3), "tiles": lines}


def _tile(number: int, placed: Any, moving: bool, surface: Surface | None, matrix: Any) -> dict[str, Any]:
    upward = placed.axes[:2, 1] if placed.pose != "standing" else -placed.axes[:2, 2]
    quad = (
        None if surface is None else [[round(float(x), 1), round(float(y), 1)] for x, y in warp(surface.quad, matrix)]
    )
    return {
        "id": number,
        "tile": placed.tile.code,
        "face_down": placed.pose != "up" if surface is None else surface.face_down,
        "place": [round(float(value), 3) for value in placed.centre[:2]],
        "turn_deg": round(math.degrees(math.atan2(-float(upward[0]), float(upward[1]))), 1),
        "pose": placed.pose,
        "zone": placed.group,
        "seat": None if placed.seat is None else placed.seat.code,
        "moving": moving,
        "quad": quad,
        "visible": 0.0 if surface is None else round(surface.visible, 2),
    }


def clip_document(plan: LivePlan, camera: Camera, size_px: tuple[int, int], **more: Any) -> dict[str, Any]:
    """What ``clip.json`` holds; ``more`` is said by who made the clip: seed, design, credit."""
    deal = plan.log[0]
    assert isinstance(deal, Deal)
    return {
        **more,
        "width": size_px[1],
        "height": size_px[0],
        "fps": plan.fps,
        "seconds": round(plan.duration_s, 3),
        "near": plan.near.code,
        "ruleset": deal.ruleset,
        "dealer": deal.dealer.code,
        "first": plan.first,
        "last": len(plan.log),
        "pace": round(plan.pace, 3),
        "play_from_s": round(plan.events[0].start_s, 3) if plan.events else None,
        "customs": asdict(plan.customs),
        "winning_tile": "taken" if plan.takes_winning else "left",
        "plane": np.round(camera.plane_homography(), 6).tolist(),
        "faults": [
            {
                "kind": found.kind.value,
                "start_s": round(found.start_s, 3),
                "end_s": round(found.end_s, 3),
                "after": found.fault.number,
                "strength": found.fault.strength,
                "back": found.fault.back,
                "seat": found.fault.seat.code,
            }
            for found in plan.disturbances
        ],
        "taken_back": [
            {
                "before": found.number,
                "seat": found.seat.code,
                "tile": found.tile.code,
                "start_s": round(found.start_s, 3),
                "end_s": round(found.end_s, 3),
            }
            for found in plan.take_backs
        ],
    }


def write_truth(folder: Path, plan: LivePlan, camera: Camera, size_px: tuple[int, int], **more: Any) -> None:
    """Writes these files into a folder that exists."""
    _text(folder / "log.txt", format_log(plan.log) + "\n")
    _text(folder / "events.jsonl", "".join(json.dumps(line) + "\n" for line in event_lines(plan)))
    with (folder / "tracks.jsonl").open("w", encoding="utf-8", newline="\n") as file:
        for line in track_lines(plan, camera, size_px):
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
    document = clip_document(plan, camera, size_px, **more)
    _text(folder / "clip.json", json.dumps(document, ensure_ascii=False, indent=1) + "\n")


def _text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
