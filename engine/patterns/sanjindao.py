"""三金倒 (three golds): three golds held at an own draw win without any shape.

Options let it count at the opening, only when the third gold is drawn, with a robbed gold, or off another's tile.
"""

from engine.candidate import Candidate
from engine.context import WinSource
from engine.win_types import WinType

TYPE = WinType.THREE_GOLDS


def holds(hand: Candidate) -> bool:
    """Three golds at a moment at which the table lets them win."""
    rules, source = hand.rules, hand.context.source
    if not rules.three_golds or hand.golds < 3 or source is None:
        return False
    if source.is_own_draw:
        return rules.three_golds_timing == "any_own_draw" or hand.context.winning_tile is hand.context.gold
    if source.is_opening:
        return rules.opening_three_golds
    if source is WinSource.ROB_GOLD:
        return rules.rob_gold_three_golds
    return rules.three_golds_on_discard == "any" or (rules.three_golds_on_discard == "complete_only" and hand.complete)
