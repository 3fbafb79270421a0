"""What bars a complete hand from another's tile: a thrown gold, a passed win (过水), a free gold (闲金). Group 6."""

from __future__ import annotations

from engine.candidate import Candidate, is_lawfully_complete
from engine.context import WinSource
from engine.decompose import count_in, tile_key
from engine.reasons import Reason
from engine.tiles import SUITED, Tile
from engine.verdicts import CannotKnow, Fact, Refusal
from engine.waits import winning_tiles
from engine.win_types import WinType


def lock_verdict(hand: Candidate, types: set[WinType], special: int) -> Refusal | CannotKnow | tuple[Fact, ...]:
    """The first lock that bars the win; a missing fact that decides; else the facts nobody knows that could bar it."""
    source = hand.context.source
    if source is None or not source.is_from_other:
        return ()
    unverified: list[Fact] = []
    if hand.rules.gold_discard_lock:
        if hand.context.facts.gold_discarded:
            return Refusal(Reason.GOLD_LOCK_SELF_DRAW_ONLY)
        if hand.context.facts.gold_discarded is None:
            unverified.append(Fact.GOLD_DISCARDED)
    passed = _pass_lock(hand)
    if isinstance(passed, Refusal | CannotKnow):
        return passed
    unverified.extend(passed)
    return _free_gold(hand, types, special) or tuple(unverified)


def _pass_lock(hand: Candidate) -> Refusal | CannotKnow | tuple[Fact, ...]:
    """过水: a win on this kind (or on any kind) was passed since the lock was last lifted."""
    rules, context, facts = hand.rules, hand.context, hand.context.facts
    if rules.pass_lock_scope == "off" or (context.source is WinSource.ROB_KONG and not rules.pass_lock_rob_kong):
        return ()
    if facts.passed_kinds is None:
        return (Fact.PASSED_KINDS,)
    tile = context.winning_tile
    if not facts.passed_kinds or (rules.pass_lock_scope == "same_tile" and tile not in facts.passed_kinds):
        return ()
    if rules.pass_lock_higher_value_ok and facts.dearer_than_passed is not False:
        return () if facts.dearer_than_passed else CannotKnow((Fact.DEARER_THAN_PASSED,))
    passed = (tile,) if tile in facts.passed_kinds else sorted(facts.passed_kinds)
    return Refusal(Reason.PASS_LOCK, {"tiles": " ".join(kind.code for kind in passed if kind is not None)})


def _free_gold(hand: Candidate, types: set[WinType], special: int) -> Refusal | CannotKnow | None:
    """闲金 / 跑百搭: a hand that waited on every kind wins by self-draw only."""
    rule = hand.rules.free_gold_rule
    if rule == "none" or not hand.golds:
        return None
    if rule == "self_draw_only_unless_sparrow" and WinType.GOLD_SPARROW in types:
        return None
    if rule == "self_draw_only_unless_special" and special > 0:
        return None
    if hand.context.winning_tile is None:
        return CannotKnow((Fact.WINNING_TILE,))
    return Refusal(Reason.FREE_GOLD_SELF_DRAW_ONLY) if waits_on_everything(hand) else None


def waits_on_everything(hand: Candidate) -> bool:
    """Whether the concealed tiles, without the winning one, are complete with each suited kind that is not gold.

    A kind of which the seat itself holds all four cannot come and is not required.
    """
    context, rules = hand.context, hand.rules
    tiles = [tile for tile in context.concealed if isinstance(tile, Tile)]
    held = tile_key((*tiles, *(tile for meld in context.melds for tile in meld.tiles if isinstance(tile, Tile))))
    wanted = [tile for tile in SUITED if tile is not context.gold and count_in(held, tile) < 4]
    if not set(wanted).issubset(winning_tiles(tiles, context.gold)):
        return False
    return rules.gold_fifth_copy or all(is_lawfully_complete(context, rules, (*tiles, tile)) for tile in wanted)
