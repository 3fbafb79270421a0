"""Simulated hands as event logs, for people and for scripts: the command `simulate`."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from engine.eventlog import format_event, format_log
from engine.events import Deal, Log
from engine.rulesets import Ruleset
from engine.rulesets.option import PlainValue
from engine.seats import Seat
from engine.simulate import ARRANGED, Played, as_seen, evening


def simulate(
    ruleset: Ruleset, seed: int, hands: int, *, arranged: float = ARRANGED, dealer: Seat = Seat.EAST
) -> Iterator[Played]:
    """An evening of so many hands; a seed gives the same hands again. ``arranged`` is a share, see `engine.deals`."""
    return evening(Random(seed), deal_of(ruleset, dealer), hands, arranged=arranged)


def deal_of(ruleset: Ruleset, dealer: Seat) -> Deal:
    """A first deal by this ruleset, its changed options as text."""
    return Deal(dealer, ruleset.base, 0, tuple((name, _text(value)) for name, value in ruleset.changed().items()))


def seen_log(played: Played, closed: bool, owner: Seat | None = None) -> Log:
    """The log with all tiles, or as a camera sees it."""
    return as_seen(played.log, owner) if closed else played.log


def log_text(number: int, played: Played, log: Log) -> str:
    """The log with a heading in a comment, ready for ``jinque audit``."""
    return f"# hand {number}: {_outcome(played)}\n{format_log(log)}\n"


def log_document(number: int, played: Played, log: Log) -> dict[str, Any]:
    """One hand as ``jinque simulate --json`` prints it."""
    table, win = played.table, played.win
    return {
        "hand": number,
        "ruleset": table.rules.base,
        "options": dict(table.rules.changed()),
        "dealer": table.dealer.code,
        "streak": table.streak,
        "arranged": played.arranged,
        "outcome": "win" if win is not None else str(table.outcome),
        "winner": None if win is None or win.context.seat is None else win.context.seat.code,
        "source": None if win is None else str(win.context.source),
        "win_types": [] if win is None else [str(kind) for kind in win.win_types],
        "deltas": list(played.settlement.deltas),
        "next_dealer": None if played.settlement.next_dealer is None else played.settlement.next_dealer.code,
        "next_streak": played.settlement.next_streak,
        "events": [format_event(event) for event in log],
    }


def _outcome(played: Played) -> str:
    win = played.win
    points = " ".join(f"{points:+d}" for points in played.settlement.deltas)
    if win is None or win.context.seat is None or win.context.source is None:
        return f"{played.table.outcome}, {points}"
    kinds = " ".join(kind.zh for kind in win.win_types)
    seat, source = win.context.seat, win.context.source
    return f"{seat.en} wins by {source.en} {source.zh}{' ' if kinds else ''}{kinds}, {points}"


def _text(value: PlainValue) -> str:
    """An option as the text of a log holds it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return ",".join(f"{name}={number}" for name, number in value.items())
    return ",".join(value) if isinstance(value, list) else str(value)
