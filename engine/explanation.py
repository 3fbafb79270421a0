"""The formula of a settlement in sentences, Chinese and English, with the numbers filled in."""

from __future__ import annotations

from engine.payments import ScoreLine, Transfer, payment_line
from engine.rulesets.fuzhou import Fuzhou
from engine.seats import Seat
from engine.verdicts import Win
from engine.win_types import WinType


def explain_win(
    win: Win,
    rules: Fuzhou,
    factor: int,
    special: int,
    per_payer: int,
    dealer_part: int,
    transfers: tuple[Transfer, ...],
) -> tuple[ScoreLine, ...]:
    """One line for each term, then the sum, the special, what a payer owes, and the payments."""
    streak = win.context.streak or 0
    terms = _terms(win, rules, streak)
    lines = list(terms)
    fan = sum(term.points for term in terms)
    total = f"({'+'.join(str(term.points) for term in terms)})" if len(terms) > 1 else str(fan)
    formula = f"{total}×{factor}" if factor > 1 else total
    if factor > 1:
        lines.append(
            ScoreLine(
                "doubled",
                f"番数加倍：{formula} = {factor * fan}",
                f"fan doubled: {formula} = {factor * fan}",
                factor * fan,
            )
        )
    lines += _special_lines(win, rules, special, streak)
    if special:
        formula += f"+{special}"
    if rules.base_unit != 1:
        formula = f"({formula})×{rules.base_unit}"
    lines.append(
        ScoreLine("per_payer", f"每家应付：{formula} = {per_payer}", f"each payer: {formula} = {per_payer}", per_payer)
    )
    if dealer_part:
        part = f"{rules.base_unit}×{factor}×{streak} = {dealer_part}"
        who = (
            ("每个付家加付", "every payer adds")
            if win.context.seat is win.context.dealer
            else ("庄家加付", "the dealer adds")
        )
        lines.append(
            ScoreLine(
                "streak_part",
                f"连庄 {streak} 次，{who[0]}：{part}",
                f"streak of {streak}, {who[1]}: {part}",
                dealer_part,
            )
        )
    return (*lines, *(payment_line(transfer) for transfer in transfers))


def explain_refusal(seat: Seat, points: int) -> tuple[ScoreLine, ...]:
    """What a win that does not stand costs."""
    if not points:
        return (ScoreLine("refused", "不胡：不付分", "no win: no points move", 0),)
    zh, en = f"{seat.zh}家诈胡：赔每家 {points}", f"{seat.en} declared a false win: {points} to each other seat"
    return (ScoreLine("refused", zh, en, -3 * points),)


def explain_escape(leaver: Seat, points: int, rules: Fuzhou) -> tuple[ScoreLine, ...]:
    """What leaving costs, and that nobody receives it."""
    if not points:
        return (ScoreLine("escape", f"{leaver.zh}家逃跑：不罚分", f"{leaver.en} left: no penalty", 0),)
    times = rules.escape_multiplier
    return (
        ScoreLine(
            "escape",
            f"{leaver.zh}家逃跑：其余三家番数与连庄之和的{times}倍，共 {points}，无人收取",
            f"{leaver.en} left: {times} times the fan of the other three and the streak, {points}; nobody receives it",
            -points,
        ),
    )


def _terms(win: Win, rules: Fuzhou, streak: int) -> list[ScoreLine]:
    terms = [ScoreLine("flowers", f"花 {win.flower_tiles} 张", f"flowers: {win.flower_tiles}", win.flower_tiles)]
    if win.flower_sets:
        bonus = win.flower_set_bonus
        terms.append(
            ScoreLine(
                "flower_sets",
                f"花杠 {win.flower_sets} 组，加 {bonus}",
                f"flower sets: {win.flower_sets}, {bonus} more",
                bonus,
            )
        )
    if win.kong_points:
        terms.append(
            ScoreLine(
                "kongs",
                f"杠 {win.kong_points} 番（明杠1，暗杠2）",
                f"kongs: {win.kong_points} (exposed 1, concealed 2)",
                win.kong_points,
            )
        )
    if rules.gold_counts_as_flower:
        terms.append(ScoreLine("golds", f"金 {win.golds} 张", f"golds: {win.golds}", win.golds))
    if rules.streak_payers == "all_payers":
        terms.append(ScoreLine("streak", f"连庄 {streak} 次", f"streak: {streak}", streak))
    if rules.fixed_points:
        terms.append(
            ScoreLine("fixed", f"底番 {rules.fixed_points}", f"fixed: {rules.fixed_points}", rules.fixed_points)
        )
    return terms


def _special_lines(win: Win, rules: Fuzhou, special: int, streak: int) -> list[ScoreLine]:
    values = {**rules.win_values, WinType.PLAIN_BONUS: rules.plain_bonus}
    left_out = [
        kind for kind in win.win_types if isinstance(kind, WinType) and kind not in win.counted and values[kind]
    ]
    lines = [
        ScoreLine(kind.value, f"{kind.zh}：{values[kind]}", f"{kind.en}: {values[kind]}", values[kind])
        for kind in win.counted
    ]
    if left_out and lines:
        first = lines[0]
        lines[0] = ScoreLine(
            first.code,
            f"{first.zh}（{'、'.join(kind.zh for kind in left_out)}不另计）",
            f"{first.en} ({', '.join(kind.en for kind in left_out)} not counted beside it)",
            first.points,
        )
    if special != win.special:
        formula = f"{win.special}×(1+{streak}) = {special}"
        lines.append(
            ScoreLine("scaled", f"连庄放大牌型分：{formula}", f"special raised by the streak: {formula}", special)
        )
    return lines
