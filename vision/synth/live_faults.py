"""What goes wrong while a camera watches: the phone is nudged, the lamp goes off, frames are lost, hands lie about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from engine.seats import Seat


class FaultKind(StrEnum):
    """Kinds of disturbance."""

    NUDGE = "nudge"
    """The camera is knocked: the picture shifts and turns a little, and moves back or stays so."""
    LAMP = "lamp"
    """The lamp is switched: the picture is darker and warmer, or brighter, for a while."""
    FOCUS = "focus"
    """The camera hunts for its focus."""
    DROPPED = "dropped"
    """Single frames are lost here and there."""
    GAP = "gap"
    """No frame at all for a while, the play goes on."""
    SORT = "sort"
    """Somebody sorts the hand for a while; nothing happens."""
    COVER = "cover"
    """An arm lies over the river for a while; nothing happens."""
    TAKE_BACK = "take_back"
    """A discard is put down and taken back before another one is thrown. ``number`` is that of the other one."""


PLAY_STOPS = frozenset({FaultKind.SORT, FaultKind.COVER})


@dataclass(frozen=True, slots=True)
class Fault:
    """One disturbance, which starts when the table rests after event ``number`` of the log."""

    kind: FaultKind
    number: int
    seconds: float
    strength: float = 0.5
    """0 hardly to be seen .. 1 strong."""
    back: bool = True
    """A nudged camera moves back at the end."""
    seat: Seat = Seat.EAST
    """Who sorts or reaches over the river."""


Faults = tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class Disturbance:
    """A fault with its times in the clip."""

    fault: Fault
    start_s: float
    end_s: float

    @property
    def kind(self) -> FaultKind:
        """What it is."""
        return self.fault.kind

    def at(self, time_s: float) -> bool:
        """Whether it lasts at this time."""
        return self.start_s <= time_s < self.end_s


def random_faults(rng: np.random.Generator, numbers: Iterable[int], kinds: Iterable[FaultKind]) -> Faults:
    """One fault of each kind, spread over the events so that they seldom meet.

    A take-back comes before the next discard.
    """
    places, chosen = list(numbers), list(kinds)
    found = []
    for index, which in enumerate(rng.permutation(len(chosen))):
        kind = chosen[int(which)]
        number = places[min(int((index + float(rng.uniform(0.15, 0.85))) * len(places) / len(chosen)), len(places) - 1)]
        seconds = {
            FaultKind.NUDGE: float(rng.uniform(3, 12)),
            FaultKind.LAMP: float(rng.uniform(6, 20)),
            FaultKind.FOCUS: float(rng.uniform(1.5, 4)),
            FaultKind.DROPPED: float(rng.uniform(10, 30)),
            FaultKind.GAP: 10.0,
            FaultKind.SORT: 20.0,
            FaultKind.COVER: 20.0,
            FaultKind.TAKE_BACK: float(rng.uniform(0.9, 1.6)),
        }[kind]
        strength, back = float(rng.uniform(0.2, 1)), bool(rng.random() < 0.5)
        found.append(Fault(kind, number, round(seconds, 2), round(strength, 2), back, Seat(int(rng.integers(4)))))
    return tuple(sorted(found, key=lambda fault: fault.number))
