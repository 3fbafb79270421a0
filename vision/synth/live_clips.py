"""Whole clips by seed: a hand, a set of tiles, a table, a camera and what goes wrong; and their folders on disk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from engine.events import Deal, Discard, Log
from engine.seats import Seat
from engine.simulate import play_hand
from vision.synth.camera import Camera
from vision.synth.designs import Design, art_design, procedural_design, with_back
from vision.synth.live_faults import FaultKind, Faults, random_faults
from vision.synth.live_plan import LivePlan, first_act, pace_for, plan_live
from vision.synth.live_sight import stand_camera
from vision.synth.live_truth import write_truth
from vision.synth.live_video import Film, film
from vision.synth.table_plan import Customs
from vision.synth.table_scenes import held_out_design

HASTY = 0.7
"""A pace below which another hand is looked for, or the hand is cut short."""
TRIES = 30


@dataclass(frozen=True, slots=True)
class Shot:
    """How clips are made. ``size_px`` is (height, width)."""

    size_px: tuple[int, int] = (1080, 1920)
    fps: float = 5.0
    seconds: float = 60.0
    """About how long the play takes; a fault that stops the play makes the clip longer."""
    faults: tuple[FaultKind, ...] = ()
    mixed: bool = False
    """Half of the clips have one to three faults by chance instead."""
    held_out: bool = False
    """Sets of tiles that no network was trained on."""
    art: Path | None = None
    """Free tile faces; without them all sets are drawn from fonts."""
    building_s: float = 0.0
    """How long the walls are built and dealt before the hand."""


@dataclass(frozen=True, slots=True, eq=False)
class Clip:
    """A clip that can be filmed."""

    seed: int
    plan: LivePlan
    design: Design
    camera: Camera
    shot: Shot
    rng: np.random.Generator
    """Chooses lamp and cloth."""


def hand_for(seed: int, deal: Deal, seconds: float) -> Log:
    """A hand of this seed that can be played in so many seconds without haste; if need be, its first part."""
    log: Log = ()
    for attempt in range(TRIES):
        log = play_hand(Random(seed * 1009 + attempt), deal).log
        if pace_for(log, seconds) >= HASTY:
            return log
    last = len(log)
    while last > first_act(log) and pace_for(log[:last], seconds) < HASTY:
        last -= 1
    return log[:last]


def design_for(seed: int, shot: Shot) -> Design:
    """The set of tiles of a clip. ValueError where no font has the characters, or the art is missing."""
    if shot.held_out:
        return held_out_design(seed, shot.art)
    rng = np.random.default_rng([seed, 4021])
    if shot.art is not None and rng.random() < 0.4:
        return with_back(rng, art_design(rng, shot.art))
    return with_back(rng, procedural_design(rng))


def make_clip(seed: int, log: Log, shot: Shot) -> Clip:
    """The clip of a seed; ``log`` shows all tiles. ValueError where it cannot be played or no set can be drawn."""
    rng = np.random.default_rng([seed, 7351])
    design = design_for(seed, shot)
    kinds = shot.faults
    if shot.mixed:
        names = list(FaultKind)
        count = int(rng.integers(1, 4)) if rng.random() < 0.5 else 0
        kinds = tuple(names[int(index)] for index in rng.permutation(len(names))[:count])
    plan = plan_live(
        rng,
        log,
        design.body,
        Customs.random(rng),
        near=Seat(int(rng.integers(4))),
        fps=shot.fps,
        pace=pace_for(log, shot.seconds),
        faults=_faults(rng, log, kinds),
        building_s=shot.building_s,
    )
    return Clip(seed, plan, design, stand_camera(rng, plan, shot.size_px), shot, rng)


def _faults(rng: np.random.Generator, log: Log, kinds: tuple[FaultKind, ...]) -> Faults:
    """Spread over the play; a take-back needs a discard after it."""
    first = first_act(log)
    numbers = range(first, max(len(log) - 3, first + 1))
    if not any(isinstance(event, Discard) for event in log):
        kinds = tuple(kind for kind in kinds if kind is not FaultKind.TAKE_BACK)
    return random_faults(rng, numbers, kinds)


def write_clip(
    folder: Path,
    clip: Clip,
    *,
    as_frames: bool = False,
    progress: Callable[[int, int], None] | None = None,
    **more: Any,
) -> int:
    """Films a clip into a folder, made if need be, with its truth; how many pictures. OSError when it cannot.

    ``more`` goes into ``clip.json`` as it is.
    """
    folder.mkdir(parents=True, exist_ok=True)
    movie = Film(clip.rng, clip.plan, clip.design, clip.camera, clip.shot.size_px)
    count = film(folder, movie, progress, as_frames)
    write_truth(
        folder,
        clip.plan,
        clip.camera,
        clip.shot.size_px,
        seed=clip.seed,
        design=clip.design.name,
        art=clip.design.credit,
        held_out=clip.shot.held_out,
        **more,
    )
    return count
