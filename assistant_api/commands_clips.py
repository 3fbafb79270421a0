"""``jinque simulate``, with ``--render`` as film."""

from __future__ import annotations

import re
import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
from rich.progress import Progress

from assistant_api import commands, terminal
from assistant_api.commands import print_json
from assistant_api.errors import UsageError
from assistant_api.settings import load_settings
from engine.illegal import ILLEGAL_ACTS

if TYPE_CHECKING:
    from vision.synth.live_faults import FaultKind

FINE = 0
SMALLEST, LARGEST = (320, 180), (3840, 2160)
_FILM_ONLY = ("clips", "size", "fps", "seconds", "faults", "illegal", "held_out", "art", "frames", "building")


def simulate(options: Namespace) -> int:
    """``jinque simulate``: logs, or clips where ``--render`` names a folder."""
    if options.render is None:
        asked = next((name for name in _FILM_ONLY if getattr(options, name) not in (None, False)), None)
        if asked is not None:
            raise UsageError(f"--{asked.replace('_', '-')} is about films; give it together with --render DIR")
        return commands.simulate(options)
    return _film(options)


def _film(options: Namespace) -> int:
    from assistant_api.services.clips import render  # slow to import, and no other command needs it
    from vision.synth.live_clips import Shot

    if options.closed or options.owner is not None:
        raise UsageError("--closed and --owner are about printed logs; leave them out together with --render")
    if options.art is not None and not options.art.is_dir():
        raise UsageError(f"no folder {str(options.art)!r}; --art takes the folder of the free tile faces")
    faults = options.faults or "none"
    shot = Shot(
        size_px=(1080, 1920) if options.size is None else options.size,
        fps=options.fps or 5.0,
        seconds=options.seconds or 60.0,
        faults=() if faults == "mixed" else faults_of(faults),
        mixed=faults == "mixed",
        held_out=options.held_out,
        art=options.art,
        building_s=options.building or 0.0,
    )
    illegal = tuple(ILLEGAL_ACTS) if options.illegal == "all" else tuple(filter(None, (options.illegal,)))
    folder: Path = options.render
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{str(folder)!r} is a file; --render takes a folder, which is made if need be")
    cv2.setNumThreads(1)  # the pictures are small: more threads only get into each other's way
    with _progress() as advance:
        found = render(
            folder,
            commands.chosen_ruleset(options, load_settings()),
            options.seed,
            options.clips or 1,
            shot,
            illegal=illegal,
            as_frames=options.frames,
            progress=advance,
        )
        try:
            for clip in found:
                if options.json:
                    print_json(clip.document(), compact=True)
                else:
                    faults_text = ", ".join(clip.faults) or "nothing goes wrong"
                    act = f", ends with {clip.illegal}" if clip.illegal else ""
                    terminal.console.print(
                        f"{clip.folder}: {clip.seconds:.0f} s, {clip.pictures} pictures, {clip.events} events, "
                        f"{faults_text}{act}",
                        markup=False,
                    )
        except OSError as error:
            raise UsageError(f"cannot write {str(folder)!r}: {(error.strerror or str(error)).lower()}") from None
        except ValueError as error:
            raise UsageError(str(error)) from None
    return FINE


def size_of(text: str) -> tuple[int, int]:
    """``1920x1080`` as (height, width)."""
    found = re.fullmatch(r"(\d{2,5})[x×](\d{2,5})", text)
    width, height = (int(found[1]), int(found[2])) if found else (0, 0)
    if not (SMALLEST[0] <= width <= LARGEST[0] and SMALLEST[1] <= height <= LARGEST[1]) or width % 2 or height % 2:
        raise ArgumentTypeError(
            f"{text!r} is no size; expected even numbers from {SMALLEST[0]}x{SMALLEST[1]} to {LARGEST[0]}x{LARGEST[1]},"
            " such as 1280x720"
        )
    return height, width


def number_of(low: float, high: float) -> Callable[[str], float]:
    """An argument type: a number in a range."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            raise ArgumentTypeError(f"{text!r} is not a number from {low:g} to {high:g}")
        return value

    return read


def faults_of(text: str) -> tuple[FaultKind, ...]:
    """``none``, ``all``, or names with commas between them."""
    from vision.synth.live_faults import FaultKind

    if text in ("none", "all"):
        return tuple(FaultKind) if text == "all" else ()
    known = {kind.value: kind for kind in FaultKind}
    names = [name.strip() for name in text.split(",")]
    wrong = next((name for name in names if name not in known), None)
    if wrong is not None:
        raise UsageError(f"{wrong!r} is no fault; expected none, mixed, all, or some of {', '.join(known)}")
    return tuple(known[name] for name in dict.fromkeys(names))


@contextmanager
def _progress() -> Iterator[Callable[[str, int, int], None]]:
    with Progress(console=terminal.errors, transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task("", total=None)
        yield lambda name, done, total: progress.update(task, description=name, completed=done, total=total)
