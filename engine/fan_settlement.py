"""算分 by a fan table: from the rows that count to points, with a line for each row and payment."""

from __future__ import annotations

from engine.errors import HandError
from engine.fan_win import FanWin
from engine.payments import ScoreLine, Settlement, Transfer, deltas_of, payment_line
from engine.rulesets.fan_ruleset import FanRuleset, others
from engine.seats import Seat


def settle_fan_win(win: FanWin, rules: FanRuleset) -> Settlement:
    """What each seat pays, and who deals next. `Settlement.per_payer` is what the one who gave the tile owes.

    The terms in `Settlement.fan` are the rows by key, each with its points.
    """
    context, total = win.context, win.count.total
    winner, dealer, source = context.seat, context.dealer, context.source
    if winner is None or dealer is None or source is None:
        raise HandError("the win lacks its seat, dealer or source; expected a win that judge_win let stand")
    giver = context.from_seat if source.is_from_other else None
    owed = rules.owed(total, winner, giver)
    transfers = tuple(
        Transfer(seat, winner, owed[seat])
        for seat in (winner.next, winner.across, winner.previous)
        if owed.get(seat, 0)
    )
    rows = tuple(
        ScoreLine(
            one.fan.key,
            f"{one.fan.zh}：{one.fan.points}" + (f"×{one.count} = {one.points}" if one.count > 1 else ""),
            f"{one.fan.en}: {one.fan.points}" + (f"×{one.count} = {one.points}" if one.count > 1 else ""),
            one.points,
        )
        for one in win.count.fans
    )
    summed = "+".join(str(one.points) for one in win.count.fans)
    summed = f"{summed} = {total}" if len(win.count.fans) > 1 else str(total)
    per_payer = max(owed.values(), default=0)
    lines = (
        *rows,
        ScoreLine("total", f"合计：{summed}", f"points: {summed}", total),
        ScoreLine("per_payer", f"应付：{per_payer}", f"owed: {per_payer}", per_payer),
        *(payment_line(transfer) for transfer in transfers),
    )
    return Settlement(
        lines=lines,
        transfers=transfers,
        deltas=deltas_of(transfers),
        per_payer=per_payer,
        next_dealer=rules.next_dealer(dealer, winner),
        next_streak=0,
        fan={one.fan.key: one.points for one in win.count.fans},
    )


def settle_fan_draw(dealer: Seat, rules: FanRuleset) -> Settlement:
    """荒牌: nobody pays."""
    line = ScoreLine("draw", "荒牌：不付分", "drawn hand: no points move", 0)
    return Settlement(
        lines=(line,), transfers=(), deltas=(0, 0, 0, 0), next_dealer=rules.next_dealer(dealer, None), next_streak=0
    )


def settle_penalty(seat: Seat, points: int, reason: tuple[str, str], *, to_others: bool = True) -> Settlement:
    """罚分: a penalty as an entry of its own; it goes to the three others, ``points`` each, or is taken off only.

    Args:
        seat: who is fined.
        points: from 0 up, to each of the others, or in all when nobody receives it.
        reason: what for, in Chinese and English.
        to_others: whether the others receive it.
    """
    if points < 0:
        raise HandError(f"{points} is no penalty; expected points from 0 up")
    receivers: tuple[Seat | None, ...] = others(seat) if to_others else (None,)
    transfers = tuple(Transfer(seat, other, points) for other in receivers) if points else ()
    total = points * len(receivers)
    zh, en = f"{seat.zh}家罚分（{reason[0]}）：{total}", f"{seat.en} fined ({reason[1]}): {total}"
    line = ScoreLine("penalty", zh, en, -total)
    return Settlement(
        lines=(line, *(payment_line(transfer) for transfer in transfers)),
        transfers=transfers,
        deltas=deltas_of(transfers),
    )
