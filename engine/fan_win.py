"""胡牌 by a fan table: judges a declared win of a `FanRuleset`.

Faults are looked for in the order of `engine.win`: the tiles, the melds, their number, the moment, the shape, the
points. What is unknown is asked for only where it could change the answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.checks import count_fault, meld_fault, tile_fault
from engine.context import WinContext, WinSource
from engine.counting import Count, count_hand
from engine.decompose import tile_key
from engine.melds import MeldKind
from engine.patterns.library import WINDS
from engine.patterns.view import FinishedHand
from engine.reasons import Reason
from engine.rulesets.fan_ruleset import FanRuleset
from engine.seats import Seat
from engine.shapes import set_of_meld
from engine.tiles import Tile
from engine.verdicts import CannotKnow, Fact, Refusal, Verdict, Win


@dataclass(frozen=True, slots=True, kw_only=True)
class FanWin(Win):
    """A win that stands by a fan table; `special` are its points, flowers among them."""

    count: Count
    """The rows that count, in the division that is worth most."""


def judge_fan_win(context: WinContext, rules: FanRuleset) -> Verdict:
    """Whether the declared win stands, and what counts; or the first reason against it; or the facts that are missing.

    A win that does not reach the minimum is refused with its points and rows in the data of the refusal.
    """
    fault = _hand_fault(context, rules)
    if fault is not None:
        return fault
    missing = _missing(context)
    if missing:
        return CannotKnow(missing)
    fault = _moment_fault(context, rules)
    if fault is not None:
        return fault
    counts = []
    for hand in finished_hands(context, rules):
        count = count_hand(hand, rules.table)
        if count is None:
            return Refusal(Reason.NOT_COMPLETE)
        counts.append(count)
    best = max(counts, key=_total)
    unknown = _missing_for_value(context, best)
    if context.source is not WinSource.HEAVENLY and any(count.total != best.total for count in counts):
        unknown = (Fact.WINNING_TILE, *unknown)
    if unknown:
        return CannotKnow(unknown)
    if best.towards_minimum < rules.minimum:
        return Refusal(Reason.BELOW_MINIMUM, below_minimum(best, rules.minimum))
    return FanWin(
        context=context,
        count=best,
        win_types=tuple(one.fan for one in best.fans),
        special=best.total,
        counted=(),
        split=(),
        flower_tiles=len(context.flowers),
        flower_sets=0,
        flower_set_bonus=0,
        kong_points=0,
        golds=0,
        unverified=(Fact.DEAD_HAND,) if rules.dead_hand and context.facts.dead_hand is None else (),
    )


def finished_hands(context: WinContext, rules: FanRuleset) -> Iterator[FinishedHand]:
    """The hand of a context without faults; one for each tile that may have won where that is not known.

    Winds nobody knows are taken as east, other facts as not so; `judge_fan_win` asks where that matters.
    """
    tiles = tuple(tile for tile in context.concealed if isinstance(tile, Tile))
    source, facts, seat, dealer = context.source, context.facts, context.seat, context.dealer
    winning: tuple[Tile, ...]
    if isinstance(context.winning_tile, Tile):
        tiles, winning = (*tiles, context.winning_tile), (context.winning_tile,)
    else:
        winning = tuple(sorted(set(tiles)))
    for tile in winning:
        yield FinishedHand(
            key=tile_key(tiles),
            melds=tuple(set_of_meld(meld) for meld in context.melds),
            tile=tile,
            shapes=rules.shapes,
            self_drawn=source is None or not source.is_from_other,
            after_kong=source in (WinSource.REPLACEMENT, WinSource.ROB_KONG),
            last_tile=bool(facts.last_tile) or source is WinSource.LAST_GROUP,
            last_of_kind=bool(facts.last_of_kind),
            seat_wind=Seat((seat - dealer) % 4) if seat is not None and dealer is not None else Seat.EAST,
            round_wind=context.round_wind or Seat.EAST,
            flowers=len(context.flowers),
        )


def below_minimum(count: Count, minimum: int) -> dict[str, str | int]:
    """What a refusal says about a hand that is worth too little."""
    rows = [one for one in count.fans if not one.fan.after_minimum]
    return {
        "points": count.towards_minimum,
        "minimum": minimum,
        "fans": "、".join(f"{one.fan.zh}{one.points}" for one in rows),
        "fans_en": ", ".join(f"{one.fan.en} {one.points}" for one in rows),
    }


def _total(count: Count) -> int:
    return count.total


def _hand_fault(context: WinContext, rules: FanRuleset) -> Refusal | None:
    concealed = context.concealed
    if context.winning_tile is not None:
        concealed = (*concealed, context.winning_tile)
    return (
        tile_fault(rules, None, concealed, context.melds, context.flowers)
        or meld_fault(rules, None, context.melds, context.seat)
        or _count_fault(context, rules)
        or (Refusal(Reason.DEAD_HAND) if rules.dead_hand and context.facts.dead_hand else None)
    )


def _count_fault(context: WinContext, rules: FanRuleset) -> Refusal | None:
    full = rules.hand_size + 1 - 3 * len(context.melds)
    count = len(context.concealed) + (context.winning_tile is not None)
    if context.winning_tile is None and count == full - 1:
        return None
    return count_fault(count, full)


def _missing(context: WinContext) -> tuple[Fact, ...]:
    source = context.source
    missing = [fact for fact, value in ((Fact.SOURCE, source), (Fact.SEAT, context.seat)) if value is None]
    if source is not None and source.is_from_other and context.from_seat is None:
        missing.append(Fact.FROM_SEAT)
    if context.winning_tile is None and len(context.concealed) % 3 == 1:
        missing.append(Fact.WINNING_TILE)
    if context.dealer is None:
        missing.append(Fact.DEALER)
    return tuple(missing)


def _missing_for_value(context: WinContext, count: Count) -> tuple[Fact, ...]:
    """Facts nobody knows that change what the hand is worth."""
    facts = context.facts
    winds = any(one.kinds & WINDS for one in count.division.sets) or any(
        isinstance(face, Tile) and 1 << face & WINDS for meld in context.melds for face in meld.tiles[:1]
    )
    asked = (
        (Fact.ROUND_WIND, winds and context.round_wind is None),
        (Fact.LAST_TILE, facts.last_tile is None),
        (Fact.LAST_OF_KIND, facts.last_of_kind is None),
    )
    return tuple(fact for fact, unknown in asked if unknown)


def _moment_fault(context: WinContext, rules: FanRuleset) -> Refusal | None:
    source, facts = context.source, context.facts
    if source in (WinSource.ROB_GOLD, WinSource.OPENING_THREE):
        return Refusal(Reason.ROB_NOT_PLAYED)
    if source is WinSource.HEAVENLY:
        stranger = context.seat is not context.dealer or facts.dealer_discarded or context.melds
        return Refusal(Reason.NOT_HEAVENLY) if stranger else None
    if source is not None and source.is_from_other:
        if context.from_seat is context.seat:
            tile = context.winning_tile.code if context.winning_tile is not None else "?"
            return Refusal(Reason.OWN_DISCARD, {"tiles": tile})
        robs_other_kong = facts.robbed_kong not in (None, MeldKind.KONG_ADDED)
        if source is WinSource.ROB_KONG and (rules.rob_kong == "none" or robs_other_kong):
            return Refusal(Reason.ROB_KONG_NOT_ALLOWED)
    return None
