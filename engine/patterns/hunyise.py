"""混一色 (half flush, 半清一色; house rule): the natural tiles are of one suit and the golds of another."""

from engine.candidate import Candidate
from engine.win_types import WinType

TYPE = WinType.HALF_SUIT


def holds(hand: Candidate) -> bool:
    """Complete, one suit, and at least one gold that is not of it."""
    gold = hand.context.gold
    if not hand.rules.half_suit or not hand.complete or not hand.golds or gold is None:
        return False
    suits = hand.suits
    return len(suits) == 1 and gold.suit not in suits
