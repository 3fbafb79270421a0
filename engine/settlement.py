"""算分: from a win to points. Integers only. Deltas sum to zero; only the penalty of an escape goes to nobody.

One formula covers both source texts. With ``F`` flowers and kongs, ``G`` golds where they count, ``L`` the streak,
``c`` fixed points, ``X`` the special, ``u`` the unit, and ``m`` = 2 where fan are doubled (always, or by self-draw and
with a special), else 1:

    ordinary part   P = u * (m * (F + G + c) + X)     each payer, or three times from one of them
    streak part     S = u * m * L                     inside P when all payers pay it, else the dealer's alone
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.context import WinSource
from engine.errors import HandError
from engine.explanation import explain_escape, explain_refusal, explain_win
from engine.fan_settlement import settle_fan_draw, settle_fan_win, settle_penalty
from engine.fan_win import FanWin
from engine.payments import ScoreLine, Settlement, Transfer, deltas_of
from engine.reasons import Reason
from engine.rulesets import Ruleset
from engine.rulesets.fan_ruleset import FanRuleset
from engine.rulesets.fuzhou import Fuzhou
from engine.seats import SEATS, Seat
from engine.verdicts import Win

__all__ = [
    "LeftSeat",
    "ScoreLine",
    "Settlement",
    "Transfer",
    "settle",
    "settle_draw",
    "settle_escape",
    "settle_penalty",
    "settle_refusal",
]


@dataclass(frozen=True, slots=True)
class LeftSeat:
    """A seat that stays at the table when another leaves: its flowers and kongs F, and its golds G."""

    seat: Seat
    flower_count: int
    golds: int


def settle(win: Win, ruleset: Ruleset) -> Settlement:
    """What each seat pays or gets, and who deals next."""
    if isinstance(ruleset, FanRuleset) and isinstance(win, FanWin):
        return settle_fan_win(win, ruleset)
    rules = _fuzhou(ruleset)
    context = win.context
    seat, dealer, streak, source = context.seat, context.dealer, context.streak, context.source
    if seat is None or dealer is None or streak is None or source is None:
        raise HandError("the win lacks its seat, dealer, streak or source; expected a win that judge_win let stand")
    special = win.special * (1 + streak) if rules.streak_scales_base else win.special
    self_drawn = not source.is_from_other
    factor = 2 if rules.doubling == "always" or self_drawn or win.special > 0 else 1
    golds = win.golds if rules.gold_counts_as_flower else 0
    shared_streak = streak if rules.streak_payers == "all_payers" else 0
    fan = win.flower_count + golds + shared_streak + rules.fixed_points
    per_payer = rules.base_unit * (factor * fan + special)
    dealer_part = 0 if rules.streak_payers == "all_payers" else rules.base_unit * factor * streak
    transfers = _transfers(win, rules, per_payer, dealer_part)
    deltas = deltas_of(transfers)
    return Settlement(
        lines=explain_win(win, rules, factor, special, per_payer, dealer_part, transfers),
        transfers=transfers,
        deltas=deltas,
        per_payer=per_payer,
        next_dealer=dealer if seat is dealer else dealer.next,
        next_streak=streak + 1 if seat is dealer else 0,
        fan={
            "flowers": win.flower_tiles,
            "flower_sets": win.flower_sets,
            "kong_points": win.kong_points,
            "gold": golds,
            "fixed": rules.fixed_points,
            "special": win.special,
        },
    )


def settle_draw(dealer: Seat, streak: int, ruleset: Ruleset) -> Settlement:
    """和局: no points move, the dealer stays; whether the streak grows is an option."""
    if isinstance(ruleset, FanRuleset):
        return settle_fan_draw(dealer, ruleset)
    rules = _fuzhou(ruleset)
    next_streak = {"keep": streak, "increment": streak + 1, "reset": 0}[rules.streak_on_draw]
    line = ScoreLine("draw", "和局：不付分，庄家不变", "drawn hand: no points move, the dealer stays", 0)
    return Settlement(lines=(line,), transfers=(), deltas=(0, 0, 0, 0), next_dealer=dealer, next_streak=next_streak)


def settle_refusal(seat: Seat, reason: Reason, ruleset: Ruleset) -> Settlement:
    """诈胡: what a declared win that does not stand costs; the hand goes on, so nobody deals next.

    Only a false win or a wrong count has a price, ``false_win_points`` to each other seat; no source sets one.
    """
    rules = ruleset if isinstance(ruleset, FanRuleset) else _fuzhou(ruleset)
    points = rules.false_win_points if reason in _FALSE_WINS else 0
    others = (seat.next, seat.across, seat.previous) if points else ()
    transfers = tuple(Transfer(seat, other, points) for other in others)
    lines = explain_refusal(seat, points)
    return Settlement(lines=lines, transfers=transfers, deltas=deltas_of(transfers))


_FALSE_WINS = frozenset({Reason.NOT_COMPLETE, Reason.BELOW_MINIMUM, Reason.TOO_MANY_TILES, Reason.TOO_FEW_TILES})


def settle_escape(leaver: Seat, remaining: tuple[LeftSeat, ...], streak: int, ruleset: Ruleset) -> Settlement:
    """逃跑: the seat that leaves loses by what the other three hold; nobody receives it. A new game begins."""
    if isinstance(ruleset, FanRuleset):
        return settle_penalty(leaver, 0, ("逃跑", "left the table"))
    rules = _fuzhou(ruleset)
    if any(other.seat is leaver for other in remaining):
        raise HandError(f"{leaver.en} left and cannot remain; expected the other three seats")
    points = 0
    if rules.escape_penalty == "formula_a":
        held = sum(
            other.flower_count + rules.fixed_points + (other.golds if rules.gold_counts_as_flower else 0)
            for other in remaining
        )
        points = rules.escape_multiplier * rules.base_unit * (held + streak)
    transfers = (Transfer(leaver, None, points),) if points else ()
    lines = explain_escape(leaver, points, rules)
    return Settlement(lines=lines, transfers=transfers, deltas=deltas_of(transfers), next_streak=0)


def _fuzhou(ruleset: Ruleset) -> Fuzhou:
    if not isinstance(ruleset, Fuzhou):
        raise HandError(f"{ruleset.name!r} cannot settle this; expected the ruleset the win was judged by")
    return ruleset


def _transfers(win: Win, rules: Fuzhou, per_payer: int, dealer_part: int) -> tuple[Transfer, ...]:
    """Who pays how much, in turn order after the winner."""
    context = win.context
    winner, giver, dealer = context.seat, context.from_seat, context.dealer
    shares = dict.fromkeys(SEATS, 0)
    payers, times = _payers(win, rules)
    for payer in payers:
        shares[payer] = per_payer * times
    if dealer_part:
        if winner is dealer:
            for payer in payers:
                shares[payer] += dealer_part
        elif dealer is not None and (dealer in payers or rules.streak_dealer_pays_on_other_discard or giver is dealer):
            shares[dealer] += dealer_part
    return (
        tuple(
            Transfer(payer, winner, shares[payer])
            for payer in (winner.next, winner.across, winner.previous)
            if shares[payer]
        )
        if winner is not None
        else ()
    )


def _payers(win: Win, rules: Fuzhou) -> tuple[tuple[Seat, ...], int]:
    """The seats that pay the ordinary part, and how many times each."""
    source, winner, giver = win.context.source, win.context.seat, win.context.from_seat
    others = tuple(seat for seat in SEATS if seat is not winner)
    if source is None or not source.is_from_other or giver is None:
        return others, 1
    if source is WinSource.ROB_KONG and rules.rob_kong_payment == "konger_pays_three":
        return (giver,), 3
    if rules.discard_payers == "all_three":
        return others, 1
    return (giver,), 3 if rules.discard_payers == "discarder_triple" else 1
