"""A table in one line of text, and a ruling in one: what transcripts, logs and bug reports show.

>>> from engine.eventlog import parse_log
>>> from engine.fold import fold
>>> print(format_table(fold(parse_log("deal E\\ngold E 9m\\nE discard 3p\\nS pung 3p"))))
S action | wall 78, 60 to draw | gold 9m | E 16 flowers E | S 14 melds 333p@E | W 16 | N 16
"""

from __future__ import annotations

from engine.judging import ClaimRuling, Ruling
from engine.notation import format_meld, format_tiles
from engine.seats import SEATS, Seat
from engine.settlement import Settlement
from engine.table import Phase, TableState
from engine.verdicts import CannotKnow, Refusal, Win
from engine.violations import Violation


def format_table(table: TableState, *, hands: bool = False) -> str:
    """Who acts and how, wall, gold, and each seat's count, melds and flowers; ``hands`` shows known tiles too."""
    parts = [_moment(table), f"wall {table.wall}, {table.drawable} to draw"]
    if table.gold is not None:
        parts.append(f"gold {table.gold.code}")
    parts.extend(_seat(table, seat, hands) for seat in SEATS)
    return " | ".join(parts)


def _moment(table: TableState) -> str:
    if table.phase is Phase.WIN_CLAIMED:
        return " ".join((*(claim.seat.code for _, claim in table.win_claims), table.phase.value))
    if table.phase is Phase.END:
        who = [] if table.actor is None else [table.actor.code]
        return " ".join((*who, table.phase.value, *([] if table.outcome is None else [table.outcome.value])))
    lies = [] if table.put_up is None else [table.put_up.tile.code]
    return " ".join((table.turn.code, table.phase.value, *lies))


def _seat(table: TableState, seat: Seat, hands: bool) -> str:
    state = table.seats[seat]
    words = [seat.code, str(state.concealed_count)]
    if hands and state.known:
        words.append(format_tiles(state.known) + (f" and {state.unknown} more" if state.unknown else ""))
    if state.melds:
        words.append("melds " + " ".join(format_meld(meld) for meld in state.melds))
    if state.flowers:
        words.append("flowers " + format_tiles(state.flowers))
    if state.gold_thrown:
        words.append("threw gold")
    if state.dead:
        words.append("dead")
    return " ".join(words)


def format_violation(violation: Violation) -> str:
    """Kind, seat, certainty, events and the sentence in both languages."""
    seat = "-" if violation.seat is None else violation.seat.code
    sure = "certain" if violation.certain else "possible"
    numbers = ",".join(str(number) for number in violation.events)
    return f"{violation.kind.value} {seat} {sure} {numbers} | {violation.zh} | {violation.en}"


def format_ruling(ruling: Ruling | ClaimRuling) -> str:
    """Yes with the types of the win, no with the reason, or the missing facts; and the events that prove it."""
    proof = f" by {','.join(str(number) for number in ruling.evidence)}" if ruling.evidence else ""
    if isinstance(ruling, ClaimRuling):
        return "yes" if ruling.refusal is None else f"no {ruling.refusal.reason.value}{proof}"
    verdict = ruling.verdict
    if isinstance(verdict, Win):
        return " ".join(("yes", *(kind.value for kind in verdict.win_types), f"special {verdict.special}"))
    if isinstance(verdict, Refusal):
        return f"{'no' if ruling.certain else 'probably no'} {verdict.reason.value}{proof}"
    assert isinstance(verdict, CannotKnow)
    possible = f", possibly {ruling.possible.value}{proof}" if ruling.possible is not None else ""
    return f"cannot know: {' '.join(verdict.missing)}{possible}"


def format_settlement(settlement: Settlement) -> str:
    """The four deltas from East on, and who deals next."""
    points = zip(SEATS, settlement.deltas, strict=True)
    deltas = " ".join(f"{seat.code} {delta:+d}" if delta else f"{seat.code} 0" for seat, delta in points)
    dealer = "drawn afresh" if settlement.next_dealer is None else settlement.next_dealer.code
    return f"{deltas} | next dealer {dealer}, streak {settlement.next_streak}"
