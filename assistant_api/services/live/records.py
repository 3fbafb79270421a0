"""What is kept of a live hand: each event with where it comes from, and what changed in the log."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.events import Event
from engine.violations import Violation
from vision.live.view import SeenTile


class By(StrEnum):
    """Who says that an event happened."""

    CAMERA = "camera"
    """It was seen."""
    INFERRED = "inferred"
    """It was not seen, but must have happened: a draw, a discard behind a hand."""
    PERSON = "person"
    """Somebody at the table entered, changed or confirmed it; the camera never overrules that."""


class Change(StrEnum):
    """What happened to the log."""

    ADDED = "added"
    EDITED = "edited"
    """The same event, read differently."""
    UNDONE = "undone"
    """It was taken back, or seen not to have happened."""
    CONFIRMED = "confirmed"


@dataclass(frozen=True, slots=True)
class Noted:
    """One event of the log, and what speaks for it.

    Attributes:
        key: number of this record, given once; the number of an event in the log changes when others are put in.
        event: what happened.
        by: who says so.
        confidence: 0..1, chance of the tiles' labels times chance of this explanation among all.
        time_s, frame: when the table was first seen like that, and the frame it was noted at.
        tiles: the tiles it was seen by, in the order of the event; of a claim the claimed one first.
        alternatives: other events that may have happened instead, best first, with their chances.
        asked: True while a person should say which it was.
        lawful: 0..1, chance that all was legal after all, where it was noted as an illegal act.
    """

    key: int
    event: Event
    by: By
    confidence: float = 1.0
    time_s: float = 0.0
    frame: int = 0
    tiles: tuple[SeenTile, ...] = ()
    alternatives: tuple[tuple[Event, float], ...] = ()
    asked: bool = False
    lawful: float = 0.0


@dataclass(frozen=True, slots=True)
class LiveEvent:
    """A change of the log. ``number`` is the place of the event in the log from 1, before it when it was undone."""

    change: Change
    number: int
    noted: Noted
    time_s: float
    frame: int


@dataclass(frozen=True, slots=True)
class Alert:
    """An illegal act, said once, with its proof.

    ``evidence`` holds the events that prove it with their numbers, in order.
    """

    violation: Violation
    evidence: tuple[tuple[int, Noted], ...]
    time_s: float
    frame: int

    @property
    def key(self) -> tuple[str, str, tuple[int, ...]]:
        """What makes it the same alert again: the kind, the seat, the records of its events."""
        seat = "" if self.violation.seat is None else self.violation.seat.code
        return self.violation.kind.value, seat, tuple(noted.key for _, noted in self.evidence)
