"""天胡 (heavenly hand): the dealer's first 17 tiles are complete, before any discard or kong.

The declaration has no say in it: a dealer who lays three golds at the opening has 天胡 too when his hand is complete.
"""

from engine.candidate import Candidate
from engine.win_types import WinType

TYPE = WinType.HEAVENLY


def is_heavenly(hand: Candidate) -> bool:
    """The shape and the moment of 天胡, whatever the table calls it."""
    source = hand.context.source
    return source is not None and source.is_opening and hand.is_dealer and hand.complete


def holds(hand: Candidate) -> bool:
    """The hand is 天胡 and the table gives it a type of its own."""
    return hand.rules.heavenly == "own_type" and is_heavenly(hand)
