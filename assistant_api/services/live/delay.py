"""How long after the hand has left an event is told: from the truth of a clip and the logs told one after the other."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant_api.services.live.comparison import common, in_sight, numbered_in_sight
from engine.events import Event, Log

TimedLog = tuple[float, Log]
"""The log from a time on, in seconds of the clip."""


@dataclass(frozen=True, slots=True)
class TrueMoment:
    """When an event of a clip happened, in its seconds: the hand set out at ``start_s`` and was gone at ``clear_s``."""

    start_s: float
    clear_s: float


@dataclass(frozen=True, slots=True)
class Delay:
    """One right event: it was told, and stayed, from ``told_s`` on; the hand was gone at ``clear_s``."""

    event: Event
    clear_s: float
    told_s: float

    @property
    def seconds(self) -> float:
        """Below zero where it was told before the hand was gone."""
        return self.told_s - self.clear_s


def moments_of(folder: Path) -> dict[int, TrueMoment]:
    """When each event of a clip happened, by its number in the log; empty for a clip that does not say it.

    ValueError, KeyError or TypeError where ``events.jsonl`` is not what `vision.synth.live_truth` writes.
    """
    path = folder / "events.jsonl"
    if not path.exists():
        return {}
    found = {}
    for line in filter(str.strip, path.read_text(encoding="utf-8").splitlines()):
        record = json.loads(line)
        found[int(record["n"])] = TrueMoment(float(record["start_s"]), float(record["clear_s"]))
    return found


def delays(truth: Log, moments: Mapping[int, TrueMoment], told: Sequence[TimedLog], given: int = 0) -> list[Delay]:
    """The delays of the events that are right at the end, in order.

    An event counts as told from when it stands in the log for good: one that was taken back meanwhile, or read
    differently, is told when it is right again. Before its hand set out it is a lucky guess, and not told.

    Args:
        truth: what happened, with the numbers that ``moments`` has.
        moments: see `moments_of`; events without one have no delay.
        told: the logs in order of their times.
        given: so many events in sight were told before.
    """
    true = numbered_in_sight(truth)[given:]
    since = [math.inf] * len(true)
    for time_s, log in told:
        right = {place for place, _ in common([event for event, _ in true], in_sight(log)[given:])}
        for place, (_, number) in enumerate(true):
            if place not in right:
                since[place] = math.inf
            elif since[place] == math.inf and number in moments and time_s >= moments[number].start_s:
                since[place] = time_s
    return [
        Delay(event, moments[number].clear_s, told_s)
        for (event, number), told_s in zip(true, since, strict=True)
        if told_s < math.inf
    ]


def percentile_95(values: Iterable[float]) -> float:
    """The nearest rank: the smallest of the values that 95 of 100 do not exceed. ValueError where there is none."""
    ordered = sorted(values)
    if not ordered:
        raise ValueError("no values; expected one at least")
    return ordered[math.ceil(0.95 * len(ordered)) - 1]
