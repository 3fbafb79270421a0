"""抢金 (robbing the gold): after the dealer's first discard the indicator completes the hand.

A non-dealer adds it to 16 tiles, the dealer takes it for the tile he threw. 百搭麻将 also counts 天胡 and any win on
the dealer's first discard.
"""

from engine.candidate import Candidate
from engine.context import WinSource
from engine.patterns.tianhu import is_heavenly
from engine.win_types import WinType

TYPE = WinType.ROB_GOLD


def holds(hand: Candidate) -> bool:
    """The gold was robbed, or the table counts this win as robbing."""
    if hand.context.source is WinSource.ROB_GOLD:
        return hand.complete
    if hand.rules.heavenly == "as_rob_gold" and is_heavenly(hand):
        return True
    return "FIRST_DISCARD" in hand.rules.rob_gold_sources and hand.is_first_discard_win
