"""How well clips with truth are followed: one row a clip, and the totals. The command ``evaluate --clips``.

A clip is a folder with ``log.txt`` (every event with all tiles), ``clip.json`` (near seat, disturbances, where the clip
starts in its log) and the frames, or ``readings.jsonl``, recorded readings in place of frames. Where ``events.jsonl``
says when the hand of each event had left, it is counted how long after that the event was told.
"""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, TextIO

from assistant_api.services.live.comparison import Comparison
from assistant_api.services.live.delay import TrueMoment, moments_of, percentile_95
from assistant_api.services.live.stillness import told_while_still
from assistant_api.services.live.table import LiveHand
from assistant_api.services.live.watch import Eye, Watched, views_of
from engine.eventlog import parse_log
from engine.events import Deal, Log
from engine.seats import Seat
from engine.simulate import as_seen
from vision.errors import SourceError

STILL = ("sort", "cover")
"""Disturbances in which a hand moves and nothing happens."""


@dataclass(frozen=True, slots=True)
class Clip:
    """A clip with its truth.

    Attributes:
        source: what is watched.
        log: every event up to the end of the clip.
        first: number of the first one that happens in it.
        about: what ``clip.json`` holds.
        moments: when each event happened, by its number in the log; empty where nobody knows.
    """

    name: str
    source: str
    log: Log
    first: int
    near: Seat
    about: dict[str, Any]
    moments: dict[int, TrueMoment] = field(default_factory=dict)

    @classmethod
    def load(cls, folder: Path) -> Clip:
        """SourceError where the folder is no clip."""
        try:
            about = json.loads((folder / "clip.json").read_text(encoding="utf-8"))
            log = parse_log((folder / "log.txt").read_text(encoding="utf-8"))
            near = Seat.parse(str(about["near"]))
            first = int(about.get("first", 2))
        except OSError as error:
            name = Path(str(error.filename)).name
            raise SourceError(
                f"{folder.name!r} is no clip: {name} is missing; expected clip.json and log.txt"
            ) from None
        except (ValueError, KeyError, TypeError):
            raise SourceError(f"{folder.name!r}: clip.json cannot be read; expected near, first and faults") from None
        if not log or not isinstance(log[0], Deal):
            raise SourceError(f"{folder.name!r}: log.txt starts with no deal; expected such as deal E fuzhou")
        try:
            moments = moments_of(folder)
        except (ValueError, KeyError, TypeError):
            raise SourceError(
                f"{folder.name!r}: events.jsonl cannot be read; expected n, start_s and clear_s in each line"
            ) from None
        recorded = folder / "readings.jsonl"
        return cls(folder.name, str(recorded if recorded.exists() else folder), log, first, near, about, moments)

    def hand(self) -> LiveHand:
        """The hand as it stands when the clip starts: dealt, or what was seen before."""
        deal = self.log[0]
        assert isinstance(deal, Deal)
        before = [event for event in as_seen(self.log[: self.first - 1]) if event != deal]
        return LiveHand.of_log((deal, *before)) if before else LiveHand.start(deal)

    @property
    def faults(self) -> list[str]:
        """The kinds of disturbances in it, and of acts that were put in."""
        return sorted({str(one["kind"]) for one in self.about.get("faults", ())})


@dataclass(frozen=True, slots=True)
class ClipResult:
    """How one clip was followed.

    ``while_still`` are events told of a time in which a hand only sorted or covered, as
    `assistant_api.services.live.stillness` counts them; ``delays`` are seconds, one for each right event of a clip that
    says when it happened.
    """

    clip: Clip
    comparison: Comparison
    frames: int
    seconds: float
    while_still: int
    asked: int
    delays: tuple[float, ...] = ()

    def row(self) -> dict[str, Any]:
        """One row of the table."""
        found = self.comparison
        customs = self.clip.about.get("customs", {})
        return {
            "clip": self.clip.name,
            "seed": self.clip.about.get("seed", ""),
            "river": customs.get("river", ""),
            "faults": " ".join(self.clip.faults),
            "frames": self.frames,
            "seconds": round(self.seconds, 1),
            "state_exact": int(found.state_exact),
            **{f"{part}_exact": int(right) for part, right in found.parts.items()},
            "happened": found.happened,
            "told": found.told,
            "right": found.right,
            "discards_in_order": int(found.discards_in_order),
            "while_still": self.while_still,
            "warned": found.warned,
            "unwarned": len(found.unwarned),
            "false_warnings": len(found.false_warnings),
            "asked": self.asked,
            "delay_s": round(median(self.delays), 2) if self.delays else "",
        }


def evaluate_clips(folder: Path, eye: Callable[[Clip], Eye], *, every: int = 1) -> Iterator[ClipResult]:
    """Watches every clip of a folder, or the folder itself where it is one; SourceError where there is none."""
    folders = [folder] if (folder / "clip.json").exists() else sorted(p.parent for p in folder.glob("*/clip.json"))
    if not folders:
        raise SourceError(
            f"no clips in the folder {folder.name or folder}; expected folders with clip.json and log.txt"
        )
    for one in folders:
        yield evaluate_clip(Clip.load(one), eye, every=every)


def evaluate_clip(clip: Clip, eye: Callable[[Clip], Eye], *, every: int = 1) -> ClipResult:
    """Watches one clip to its end."""
    started = time.perf_counter()
    watched = Watched(clip.hand())
    for _ in watched.follow(views_of(clip.source, lambda: eye(clip), clip.near, fps=None, every=every)):
        pass
    seconds = time.perf_counter() - started
    spans = [(one["start_s"], one["end_s"]) for one in clip.about.get("faults", ()) if one["kind"] in STILL]
    still = len(told_while_still(watched.events, spans, clip.log, clip.moments))
    found = watched.compared(clip.log)
    asked = sum(noted.asked for noted in watched.hand.notes)
    delayed = tuple(one.seconds for one in watched.delayed(clip.log, clip.moments))
    return ClipResult(clip, found, watched.frames, seconds, still, asked, delayed)


def totals(results: Sequence[ClipResult]) -> dict[str, Any]:
    """The figures of all clips together."""
    count = len(results)
    recall, precision = _shares(results)
    gapless = [one for one in results if "gap" not in one.clip.faults]
    recall_gapless, precision_gapless = _shares(gapless)
    warned = sum(one.comparison.warned for one in results)
    unwarned = sum(len(one.comparison.unwarned) for one in results)
    exact = sum(one.comparison.state_exact for one in results)
    ordered = sum(one.comparison.discards_in_order for one in results)
    delayed = [seconds for one in results for seconds in one.delays]
    return {
        "clips": count,
        "state_exact": exact,
        "state_exact_share": round(exact / count, 4) if count else None,
        "recall": recall,
        "precision": precision,
        "clips_without_gaps": len(gapless),
        "recall_without_gaps": recall_gapless,
        "precision_without_gaps": precision_gapless,
        "discards_in_order_share": round(ordered / count, 4) if count else None,
        "events_while_still": sum(one.while_still for one in results),
        "warned": warned,
        "unwarned": unwarned,
        "false_warnings": sum(len(one.comparison.false_warnings) for one in results),
        "delay_s": round(median(delayed), 2) if delayed else None,
        "delay_s_p95": round(percentile_95(delayed), 2) if delayed else None,
        "frames": sum(one.frames for one in results),
        "seconds": round(sum(one.seconds for one in results), 1),
    }


def _shares(results: Sequence[ClipResult]) -> tuple[float | None, float | None]:
    """Recall and precision of the events of all clips together, None where there are none."""
    right = sum(one.comparison.right for one in results)
    happened, told = (sum(getattr(one.comparison, name) for one in results) for name in ("happened", "told"))
    return round(right / happened, 4) if happened else None, round(right / told, 4) if told else None


def write_csv(results: Sequence[ClipResult], file: TextIO) -> None:
    """One row a clip."""
    rows = [one.row() for one in results]
    writer = csv.DictWriter(file, list(rows[0]) if rows else ["clip"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
