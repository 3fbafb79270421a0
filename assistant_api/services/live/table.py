"""The live hand: its log with what speaks for each event, and the tiles in sight that belong to it. A value.

Views come in by `LiveHand.advance`, people's words by the edits; each gives another hand and says what changed. The
camera changes what it said itself when it learns better, and never what a person said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from assistant_api.services.live.beginning import Beginning
from assistant_api.services.live.book import Book
from assistant_api.services.live.counting import Counts
from assistant_api.services.live.memory import Memory
from assistant_api.services.live.records import Alert, By, Change, LiveEvent, Noted
from assistant_api.services.live.slots import Slot, SlotKey
from engine.errors import HandError
from engine.events import Deal, Event, Log
from engine.referee import Referee
from engine.rulesets import Ruleset
from engine.table import TableState
from vision.live.view import SeenTile, TableView


class Advanced(NamedTuple):
    """The hand after a view or a person's word, the changes of its log, and the illegal acts not told before."""

    hand: LiveHand
    events: tuple[LiveEvent, ...] = ()
    alerts: tuple[Alert, ...] = ()


@dataclass(frozen=True)
class LiveHand:
    """One hand at a live table.

    Attributes:
        book: the log with the records of its events.
        known: the tile last seen in each slot.
        gone_s: since when a slot whose tile was seen has none.
        next_key: key of the next record.
        told: keys of the alerts that were given.
        beginning: whether the table has come to rest for play.
        gap_end_s: end of the last time of which nothing was seen, negative before any.
        time_s, frame: of the last view.
        memory: discards that were seen and not told yet, those that are gone again too.
        waiting: what was seen and is waited with, so that it is not explained again and again.
        counts: how many tiles each closed hand has, as far as they can be counted.
        closed: the tracks that are or were backs of a hand.
        over: the tiles are being cleared away; the camera says nothing more about this hand.
    """

    book: Book
    known: Mapping[SlotKey, SeenTile] = field(default_factory=dict)
    gone_s: Mapping[SlotKey, float] = field(default_factory=dict)
    next_key: int = 1
    told: frozenset[tuple[str, str, tuple[int, ...]]] = frozenset()
    beginning: Beginning = field(default_factory=Beginning)
    gap_end_s: float = -1.0
    gap_start_s: float = -1.0
    time_s: float = 0.0
    frame: int = 0
    memory: Memory = field(default_factory=dict)
    waiting: tuple[object, ...] = ()
    counts: Counts = field(default_factory=dict)
    closed: frozenset[int] = frozenset()
    over: bool = False

    @classmethod
    def start(cls, deal: Deal, ruleset: Ruleset | None = None) -> LiveHand:
        """A hand that has been dealt. RulesetError where the deal names a ruleset or option that does not exist."""
        return cls(Book.of((Noted(0, deal, By.PERSON),), ruleset))

    @classmethod
    def of_log(cls, log: Log, ruleset: Ruleset | None = None) -> LiveHand:
        """A hand somebody has written down, to go on from."""
        notes = tuple(Noted(key, event, By.PERSON) for key, event in enumerate(log))
        return cls(Book.of(notes, ruleset), next_key=len(notes))

    @property
    def notes(self) -> tuple[Noted, ...]:
        """The records of the log, in its order; the first is the deal."""
        return self.book.notes

    @property
    def referee(self) -> Referee:
        """The referee of the log."""
        return self.book.referee

    @property
    def log(self) -> Log:
        """The events in order."""
        return self.book.referee.log

    @property
    def state(self) -> TableState:
        """The table by the log."""
        return self.book.referee.state

    @property
    def slots(self) -> tuple[Slot, ...]:
        """Every tile that should be in sight."""
        return self.book.slots

    def advance(self, view: TableView) -> Advanced:
        """What a view adds. The time of views must not run backwards; a view without the table changes nothing."""
        from assistant_api.services.live.watching import advance

        return advance(self, view)

    def confirm(self, number: int) -> Advanced:
        """A person says that an event is right as it stands."""
        noted = self._at(number)
        return self._changed(number, replace(noted, by=By.PERSON, confidence=1.0, asked=False), Change.CONFIRMED)

    def edit(self, number: int, event: Event) -> Advanced:
        """A person says what it was instead; everything after it is worked out again."""
        noted = self._at(number)
        if isinstance(event, Deal) is not (number == 1):
            raise HandError("only the first event is a deal; expected what a seat did")
        said = replace(noted, event=event, by=By.PERSON, confidence=1.0, asked=False, alternatives=())
        return self._changed(number, said, Change.EDITED)

    def delete(self, number: int) -> Advanced:
        """A person says that it did not happen."""
        noted = self._at(number)
        if number == 1:
            raise HandError("the deal cannot be deleted; change its dealer or ruleset instead")
        notes = (*self.notes[: number - 1], *self.notes[number:])
        return self.with_notes(notes).told_of([self.change(Change.UNDONE, number, noted)])

    def insert(self, number: int, event: Event) -> Advanced:
        """A person says that something happened; it takes this number, 2 to one more than there are."""
        if not 2 <= number <= len(self.notes) + 1:
            raise HandError(f"{number} is no place in the log; expected 2 to {len(self.notes) + 1}")
        if isinstance(event, Deal):
            raise HandError("a hand has one deal; expected what a seat did")
        noted = Noted(self.next_key, event, By.PERSON, time_s=self.time_s, frame=self.frame)
        notes = (*self.notes[: number - 1], noted, *self.notes[number - 1 :])
        hand = replace(self.with_notes(notes), next_key=self.next_key + 1)
        return hand.told_of([self.change(Change.ADDED, number, noted)])

    def undo(self) -> Advanced:
        """A person takes back the last event; HandError when there is only the deal."""
        return self.delete(len(self.notes))

    def with_notes(self, notes: Sequence[Noted]) -> LiveHand:
        """The hand with another log; tiles of records that are gone are forgotten, and looked at afresh."""
        keys = {noted.key for noted in notes}
        known = {slot: tile for slot, tile in self.known.items() if slot[0] in keys}
        gone = {slot: since for slot, since in self.gone_s.items() if slot[0] in keys}
        return replace(self, book=self.book.with_notes(tuple(notes)), known=known, gone_s=gone)

    def change(self, change: Change, number: int, noted: Noted) -> LiveEvent:
        """A change of the log, now."""
        return LiveEvent(change, number, noted, self.time_s, self.frame)

    def told_of(self, changes: Iterable[LiveEvent]) -> Advanced:
        """This hand with these changes, and the illegal acts it shows that were not told before."""
        from assistant_api.services.live.warnings import new_alerts

        alerts = new_alerts(self)
        hand = replace(self, told=self.told | {alert.key for alert in alerts}) if alerts else self
        return Advanced(hand, tuple(changes), alerts)

    def _at(self, number: int) -> Noted:
        if not 1 <= number <= len(self.notes):
            raise HandError(f"there is no event {number}; expected 1 to {len(self.notes)}")
        return self.notes[number - 1]

    def _changed(self, number: int, noted: Noted, change: Change) -> Advanced:
        notes = (*self.notes[: number - 1], noted, *self.notes[number:])
        return self.with_notes(notes).told_of([self.change(change, number, noted)])
