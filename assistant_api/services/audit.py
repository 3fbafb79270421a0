"""Audits event logs: the command `jinque audit`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from engine.errors import HandError
from engine.eventlog import parse_log
from engine.events import Deal, Log
from engine.referee import Referee
from engine.rulesets import Ruleset
from engine.settlement import Settlement
from engine.tabletext import format_table
from engine.violations import Violation

Override = Callable[[Deal], Ruleset]
"""The ruleset a hand is audited by, from its deal."""


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand of a log: its referee, and where its events stand in the file."""

    number: int
    referee: Referee
    first: int
    """Number of its deal among all events of the file."""
    lines: tuple[int, ...]
    """Line of each of its events."""

    def numbers(self, violation: Violation) -> list[int]:
        """The events that prove a violation, counted through the whole file."""
        return [self.first + number - 1 for number in violation.events]


def audit_hands(text: str, ruleset: Override | None = None) -> Iterator[Hand]:
    """Each hand of a log; a new one starts with each deal.

    Raises:
        NotationError: a line is no event; the message names it.
        HandError: there is no event, or the first one is no deal.
        RulesetError: a deal names a ruleset or option that does not exist.
    """
    log = parse_log(text)
    lines = [number for number, line in enumerate(text.splitlines(), start=1) if line.partition("#")[0].strip()]
    deals = [place for place, event in enumerate(log) if isinstance(event, Deal)]
    if not log or deals[:1] != [0]:
        raise HandError("a log starts with a deal; expected a first line such as deal E fuzhou")
    for number, (start, end) in enumerate(zip(deals, [*deals[1:], len(log)], strict=True), start=1):
        part: Log = log[start:end]
        rules = ruleset(part[0]) if ruleset is not None and isinstance(part[0], Deal) else None
        yield Hand(number, Referee(part, rules), start + 1, tuple(lines[start:end]))


def audit_document(hands: list[Hand]) -> dict[str, Any]:
    """What ``jinque audit --json`` prints: the violations of all hands, and how each hand stands."""
    return {
        "violations": [_violation(hand, violation) for hand in hands for violation in hand.referee.violations()],
        "hands": [_hand(hand) for hand in hands],
    }


def _violation(hand: Hand, violation: Violation) -> dict[str, Any]:
    return {
        "kind": violation.kind.value,
        "seat": None if violation.seat is None else violation.seat.code,
        "certain": violation.certain,
        "events": hand.numbers(violation),
        "message": violation.en,
        "zh": violation.zh,
        "hand": hand.number,
        "lines": [hand.lines[number - 1] for number in violation.events],
    }


def _hand(hand: Hand) -> dict[str, Any]:
    state, win = hand.referee.state, hand.referee.winner
    end = settlement(hand.referee)
    return {
        "hand": hand.number,
        "ruleset": state.rules.base,
        "options": dict(state.rules.changed()),
        "events": len(hand.lines),
        "outcome": "win" if win is not None else None if state.outcome is None else state.outcome.value,
        "winner": None if win is None or win.context.seat is None else win.context.seat.code,
        "win_types": [] if win is None else [kind.value for kind in win.win_types],
        "deltas": None if end is None else list(end.deltas),
        "penalties": [list(penalty.deltas) for penalty in hand.referee.penalties()],
        "next_dealer": None if end is None or end.next_dealer is None else end.next_dealer.code,
        "next_streak": None if end is None else end.next_streak,
        "table": format_table(state),
    }


def settlement(referee: Referee) -> Settlement | None:
    """The points of a hand that is over and stands, else None."""
    try:
        return referee.settle()
    except HandError:
        return None
