"""清一色 (full flush; house rule): all tiles are of one suit, the golds too."""

from engine.candidate import Candidate
from engine.win_types import WinType

TYPE = WinType.ONE_SUIT


def holds(hand: Candidate) -> bool:
    """Complete, one suit, and no gold of another."""
    if not hand.rules.one_suit or not hand.complete:
        return False
    suits, gold = hand.suits, hand.context.gold
    return len(suits) == 1 and (not hand.golds or gold is None or gold.suit in suits)
