"""Filmed hands with their truth, for trying out the live table: ``jinque simulate --render``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from assistant_api.services.live.state import state_document
from assistant_api.services.simulate import deal_of
from engine.fold import fold
from engine.illegal import illegal_hand
from engine.rulesets import Ruleset
from engine.seats import Seat
from vision.synth.live_clips import Shot, hand_for, make_clip, write_clip


@dataclass(frozen=True, slots=True)
class Filmed:
    """One clip on disk."""

    folder: Path
    seed: int
    pictures: int
    events: int
    seconds: float
    faults: tuple[str, ...]
    illegal: str | None

    def document(self) -> dict[str, Any]:
        """The clip as ``jinque simulate --render --json`` prints it."""
        return {
            "folder": str(self.folder),
            "seed": self.seed,
            "pictures": self.pictures,
            "events": self.events,
            "seconds": round(self.seconds, 1),
            "faults": list(self.faults),
            "illegal": self.illegal,
        }


def render(
    folder: Path,
    ruleset: Ruleset,
    seed: int,
    clips: int,
    shot: Shot,
    *,
    illegal: tuple[str, ...] = (),
    as_frames: bool = False,
    progress: Callable[[str, int, int], None] | None = None,
) -> Iterator[Filmed]:
    """Films ``clips`` hands into ``folder/SEED``; clip of a seed is the same whatever their number.

    With ``illegal`` each ends with one of these acts of `engine.illegal`, in turn.

    Raises:
        HandError: the act has no place under these rules.
        ValueError: no set of tiles can be drawn, or the hand cannot be played.
        OSError: the folder cannot be written.
    """
    for number in range(seed, seed + clips):
        deal = deal_of(ruleset, Seat(number % 4))
        act, more = None, {}
        if illegal:
            act = illegal[number % len(illegal)]
            found = illegal_hand(Random(number), deal, act, longest=70)
            log = found.log
            more["illegal"] = {
                "act": act,
                "kind": found.kind.value,
                "seat": None if found.seat is None else found.seat.code,
                "n": found.number,
            }
        else:
            log = hand_for(number, deal, shot.seconds)
        clip = make_clip(number, log, shot)
        target = folder / f"{number:06d}"
        name = target.name

        def tell(done: int, total: int, name: str = name) -> None:
            if progress is not None:
                progress(name, done, total)

        pictures = write_clip(target, clip, as_frames=as_frames, progress=tell, **more)
        text = json.dumps(state_document(fold(clip.plan.log)), ensure_ascii=False, indent=1) + "\n"
        (target / "final.json").write_text(text, encoding="utf-8", newline="\n")
        faults = tuple(found.kind.value for found in clip.plan.disturbances)
        yield Filmed(target, number, pictures, len(clip.plan.events), clip.plan.duration_s, faults, act)
