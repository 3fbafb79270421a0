"""胡牌: judges a declared win (section 8: refusals in a fixed order; section 7: the types of a win that stands)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.candidate import Candidate, measure, split_with
from engine.checks import count_fault, meld_fault, tile_fault
from engine.context import TableFacts, WinContext, WinSource
from engine.errors import RulesetError
from engine.fan_win import judge_fan_win
from engine.locks import lock_verdict
from engine.melds import MeldKind
from engine.patterns import jinlong, jinque
from engine.patterns.fuzhou import types_held
from engine.patterns.pinghu import is_plain_one, is_plain_zero
from engine.reasons import Reason
from engine.rulesets import Ruleset
from engine.rulesets.fan_ruleset import FanRuleset
from engine.rulesets.fuzhou import Fuzhou
from engine.tiles import Face
from engine.verdicts import Block, BlockKind, CannotKnow, Fact, Refusal, Split, Verdict, Win
from engine.win_types import WinType

__all__ = [
    "Block",
    "BlockKind",
    "CannotKnow",
    "Fact",
    "Reason",
    "Refusal",
    "Split",
    "TableFacts",
    "Verdict",
    "Win",
    "WinContext",
    "WinSource",
    "WinType",
    "judge_win",
]


def judge_win(context: WinContext, ruleset: Ruleset) -> Verdict:
    """Whether the declared win stands, and as what; or the first reason against it; or the facts that are missing.

    Faults that can be seen in the tiles are named even when facts are missing. RulesetError for another game.
    """
    if isinstance(ruleset, FanRuleset):
        return judge_fan_win(context, ruleset)
    if not isinstance(ruleset, Fuzhou):
        raise RulesetError(f"{ruleset.name!r} is no game the engine can judge; expected a ruleset of {_GAMES}")
    fault = _hand_fault(context, ruleset)
    if fault is not None:
        return fault
    missing = _missing(context)
    if missing:
        return CannotKnow(missing)
    fault = _moment_fault(context, ruleset)
    if fault is not None:
        return fault
    hand = measure(context, ruleset)
    types = types_held(hand)
    if not hand.complete and WinType.THREE_GOLDS not in types:
        return Refusal(Reason.NOT_COMPLETE)
    special, counted, types = _value(hand, types)
    verdict = lock_verdict(hand, types, special)
    if isinstance(verdict, Refusal | CannotKnow):
        return verdict
    missing = _missing_for_value(context, ruleset)
    if missing:
        return CannotKnow(missing)
    return Win(
        context=context,
        win_types=tuple(sorted(types)),
        special=special,
        counted=counted,
        split=_counting_split(hand, counted),
        flower_tiles=hand.flower_tiles,
        flower_sets=hand.flower_sets,
        flower_set_bonus=hand.flower_sets * ruleset.flower_set_bonus,
        kong_points=hand.exposed_kongs + 2 * hand.concealed_kongs,
        golds=hand.counted_golds,
        unverified=(*_unverified_moment(context, ruleset), *verdict),
    )


_GAMES = "Fuzhou mahjong or one with a fan table"


def _hand_fault(context: WinContext, rules: Fuzhou) -> Refusal | None:
    """Groups 1-3, as far as they can be told without the missing facts."""
    robbing = context.source is WinSource.ROB_GOLD
    tiles: Iterable[Face] = context.concealed
    if context.winning_tile is not None and not robbing:
        tiles = (*context.concealed, context.winning_tile)
    drawn_gold = 1 if robbing and rules.rob_window == "first_draw_is_gold" else 0
    return (
        tile_fault(rules, context.gold, tiles, context.melds, context.flowers, extra_golds=drawn_gold)
        or meld_fault(rules, context.gold, context.melds, context.seat)
        or _count_fault(context, rules)
        or (Refusal(Reason.DEAD_HAND) if rules.dead_hand and context.facts.dead_hand else None)
    )


def _count_fault(context: WinContext, rules: Fuzhou) -> Refusal | None:
    full = rules.hand_size + 1 - 3 * len(context.melds)
    source = context.source
    count = len(context.concealed)
    if source in (WinSource.ROB_GOLD, WinSource.OPENING_THREE):
        if context.seat is None or context.dealer is None:
            return None
        full -= context.seat is not context.dealer
    if source is not WinSource.ROB_GOLD and context.winning_tile is not None:
        count += 1
    elif (source is None or source.has_tile) and count == full - 1:
        return None
    return count_fault(count, full)


def _missing(context: WinContext) -> tuple[Fact, ...]:
    source = context.source
    missing = [
        fact
        for fact, value in (
            (Fact.GOLD, context.gold),
            (Fact.SOURCE, source),
            (Fact.SEAT, context.seat),
            (Fact.DEALER, context.dealer),
            (Fact.STREAK, context.streak),
        )
        if value is None
    ]
    if source is not None and source.is_from_other and context.from_seat is None:
        missing.append(Fact.FROM_SEAT)
    if source is not None and source.has_tile and context.winning_tile is None and len(context.concealed) % 3 == 1:
        missing.append(Fact.WINNING_TILE)
    return tuple(missing)


def _missing_for_value(context: WinContext, rules: Fuzhou) -> tuple[Fact, ...]:
    """Facts without which the win stands but cannot be counted."""
    missing = []
    if (
        context.source is WinSource.DISCARD
        and context.from_seat is context.dealer
        and context.facts.dealers_first_discard is None
        and "FIRST_DISCARD" in rules.rob_gold_sources
    ):
        missing.append(Fact.DEALERS_FIRST_DISCARD)
    if context.winning_tile is None and context.source is not None and context.source.is_own_draw:
        golds = context.concealed.count(context.gold)
        if rules.three_golds and rules.three_golds_timing == "on_third_gold_draw" and golds >= 3:
            missing.append(Fact.WINNING_TILE)
    return tuple(missing)


def _moment_fault(context: WinContext, rules: Fuzhou) -> Refusal | None:
    """Group 4: the tile cannot be taken, or the moment for this way of winning is not there."""
    source, facts = context.source, context.facts
    if source is None or source.is_own_draw:
        return None
    if source.is_from_other:
        tile = context.winning_tile.code if context.winning_tile is not None else "?"
        if context.winning_tile is context.gold:
            return Refusal(Reason.GOLD_DISCARD_UNCLAIMABLE, {"tiles": tile})
        if context.from_seat is context.seat:
            return Refusal(Reason.OWN_DISCARD, {"tiles": tile})
        robs_other_kong = facts.robbed_kong not in (None, MeldKind.KONG_ADDED)
        if source is WinSource.ROB_KONG and (rules.rob_kong == "none" or robs_other_kong):
            return Refusal(Reason.ROB_KONG_NOT_ALLOWED)
        return None
    if source.is_opening:
        stranger = source is WinSource.HEAVENLY and context.seat is not context.dealer
        return Refusal(Reason.NOT_HEAVENLY) if stranger or facts.dealer_discarded or context.melds else None
    return _rob_fault(context, rules)


def _rob_fault(context: WinContext, rules: Fuzhou) -> Refusal | None:
    dealer = context.seat is context.dealer
    if context.facts.rob_window_open is False or (context.melds and not dealer):
        return Refusal(Reason.ROB_WINDOW_CLOSED)
    way = "DEALER_SWAP" if dealer else "NON_DEALER_TAKE"
    from_wall = rules.rob_window == "first_draw_is_gold"
    if way not in rules.rob_gold_sources or rules.gold_from_indicator == "next" or (dealer and from_wall):
        return Refusal(Reason.ROB_NOT_PLAYED)
    swap = context.swap
    if (swap is not None) is not dealer or (swap is context.gold and not rules.gold_discardable):
        return Refusal(Reason.ROB_BAD_SWAP)
    if swap is not None and swap not in context.concealed:
        return Refusal(Reason.SWAP_TILE_NOT_HELD, {"tiles": swap.code})
    return None


def _unverified_moment(context: WinContext, rules: Fuzhou) -> tuple[Fact, ...]:
    """Facts nobody knows that could have forbidden this way of winning."""
    source, facts = context.source, context.facts
    unknown = []
    if source is not None and source.is_opening and facts.dealer_discarded is None:
        unknown.append(Fact.DEALER_DISCARDED)
    if source is WinSource.ROB_GOLD and facts.rob_window_open is None:
        unknown.append(Fact.ROB_WINDOW_OPEN)
    if rules.dead_hand and facts.dead_hand is None:
        unknown.append(Fact.DEAD_HAND)
    return tuple(unknown)


def _value(hand: Candidate, types: set[WinType]) -> tuple[int, tuple[WinType, ...], set[WinType]]:
    """X, the types that make it up, and all types with 平胡 among them."""
    rules = hand.rules
    types = set(types)
    if is_plain_one(hand):
        types.add(WinType.PLAIN_ONE)
    best, counted = _combine(types, rules)
    if not is_plain_zero(hand):
        return best, counted, types
    if rules.plain_bonus and types:
        full = rules.win_values[WinType.PLAIN_ZERO] if rules.plain_zero else 0
        if best + rules.plain_bonus >= full:
            return best + rules.plain_bonus, (*counted, WinType.PLAIN_BONUS), types | {WinType.PLAIN_BONUS}
        return full, (WinType.PLAIN_ZERO,), types | {WinType.PLAIN_ZERO}
    if rules.plain_zero:
        types.add(WinType.PLAIN_ZERO)
    return *_combine(types, rules), types


def _combine(types: set[WinType], rules: Fuzhou) -> tuple[int, tuple[WinType, ...]]:
    """The largest value, or the sum with at most the higher of 金雀 and 金龙, which are never one split."""
    if not types:
        return 0, ()
    values = rules.win_values
    ranked = sorted(types, key=lambda kind: (-values[kind], kind))
    if rules.special_combine == "max":
        return values[ranked[0]], (ranked[0],)
    splits = [kind for kind in ranked if kind in (WinType.GOLD_DRAGON, WinType.GOLD_SPARROW)]
    counted = tuple(kind for kind in ranked if kind not in splits[1:])
    return sum(values[kind] for kind in counted), counted


def _counting_split(hand: Candidate, counted: tuple[WinType, ...]) -> Split:
    """A split with the types that count; any split when none of them is about the split; empty without a shape."""
    found: Split | None = None
    if WinType.GOLD_DRAGON in counted:
        found = jinlong.split(hand)
    elif WinType.GOLD_SPARROW in counted:
        found = jinque.split(hand)
    elif hand.complete:
        found = split_with(hand)
    return found or ()
