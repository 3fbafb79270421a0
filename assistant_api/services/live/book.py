"""The log of a hand with the record of each event, its referee, and the tiles that should lie in sight. A value."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from assistant_api.services.live.records import Noted
from assistant_api.services.live.slots import Slot, expected_slots
from engine.referee import Referee
from engine.rulesets import Ruleset


@dataclass(frozen=True)
class Book:
    """The records in the order of the log; `of` and `with_notes` make it, so that both always agree."""

    notes: tuple[Noted, ...]
    referee: Referee

    @classmethod
    def of(cls, notes: tuple[Noted, ...], ruleset: Ruleset | None = None) -> Book:
        """A log; ``ruleset`` stands in place of the one its deal names. Errors as `Referee`."""
        return cls(notes, Referee(tuple(noted.event for noted in notes), ruleset))

    def with_notes(self, notes: tuple[Noted, ...]) -> Book:
        """Another log; what it has in common with this one from the start is not worked out again."""
        events = tuple(noted.event for noted in notes)
        same = 0
        for mine, other in zip(self.referee.log, events, strict=False):
            if mine != other:
                break
            same += 1
        if same == 0:
            return Book.of(notes, self.referee.ruleset)
        referee = self.referee if same == len(self.notes) else self.referee.back_to(same)
        for event in events[same:]:
            referee = referee.apply(event)
        return Book(notes, referee)

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """Every tile that should be in sight."""
        return expected_slots(self.notes, self.referee)
