"""截胡: who goes first when several seats claim one tile, or win at the opening (sections 5 and 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engine.claims import ClaimContext, LegalClaim, judge_claim
from engine.context import WinContext, WinSource
from engine.melds import MeldKind
from engine.rulesets.base import TableRules
from engine.rulesets.fuzhou import OpeningWin
from engine.seats import Seat
from engine.settlement import settle
from engine.verdicts import Win
from engine.win import judge_win
from engine.win_types import WinType

Declared: TypeAlias = WinContext | ClaimContext


@dataclass(frozen=True, slots=True)
class Granted:
    """The claim that goes first, judged."""

    seat: Seat
    outcome: Win | LegalClaim


def grant(claims: Sequence[Declared], giver: Seat, rules: TableRules) -> Granted | None:
    """The one claim on another seat's tile that stands: win, then kong or pung, then chow; None when none is legal.

    A seat whose claim is refused is skipped.
    """
    wins = [win for claim in claims if isinstance(claim, WinContext) if isinstance(win := judge_win(claim, rules), Win)]
    if wins:
        first = min(wins, key=lambda win: (*_win_rank(win, rules), _distance(giver, win.context.seat)))
        return Granted(_seat(first.context.seat), first)
    melds = [
        Granted(claim.seat, legal)
        for claim in claims
        if isinstance(claim, ClaimContext) and isinstance(legal := judge_claim(claim, rules), LegalClaim)
    ]
    return min(melds, key=lambda granted: (_is_chow(granted), _distance(giver, granted.seat)), default=None)


def grant_opening(claims: Sequence[WinContext], dealer: Seat, rules: TableRules) -> tuple[Granted, OpeningWin] | None:
    """The one opening win that stands, and its place in ``opening_priority``; nearer to the dealer goes first."""
    wins = [win for claim in claims if isinstance(win := judge_win(claim, rules), Win)]
    if not wins:
        return None
    order = rules.opening_priority
    first = min(wins, key=lambda win: (order.index(opening_place(win.context)), _distance(dealer, win.context.seat)))
    return Granted(_seat(first.context.seat), first), opening_place(first.context)


def opening_place(context: WinContext) -> OpeningWin:
    """The word of ``opening_priority`` for a declared opening win."""
    if context.source is WinSource.OPENING_THREE:
        return "THREE_GOLDS"
    if context.source is WinSource.HEAVENLY:
        return "HEAVENLY"
    return "ROB_DEALER" if context.seat is context.dealer else "ROB_NON_DEALER"


def _win_rank(win: Win, rules: TableRules) -> tuple[int, ...]:
    if rules.win_priority == "sparrow_then_seat":
        return (WinType.GOLD_SPARROW not in win.win_types,)
    return (-settle(win, rules).per_payer,) if rules.win_priority == "value_then_seat" else ()


def _is_chow(granted: Granted) -> bool:
    return isinstance(granted.outcome, LegalClaim) and granted.outcome.meld.kind is MeldKind.CHOW


def _distance(start: Seat, seat: Seat | None) -> int:
    return start.distance_to(_seat(seat))


def _seat(seat: Seat | None) -> Seat:
    """The seat of a win that stands, which is never unknown."""
    assert seat is not None
    return seat
