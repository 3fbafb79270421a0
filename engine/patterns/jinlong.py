"""金龙 (gold dragon): three golds are one triplet, and the other tiles alone give the other sets and the pair."""

from engine.candidate import Candidate, split_with
from engine.context import WinSource
from engine.decompose import has_term
from engine.verdicts import BlockKind, Split
from engine.win_types import WinType

TYPE = WinType.GOLD_DRAGON


def holds(hand: Candidate) -> bool:
    """Some split has three golds as a triplet and no other gold."""
    if not hand.rules.gold_dragon or hand.golds != 3:
        return False
    if hand.context.source is WinSource.ROB_GOLD and not hand.rules.rob_gold_structures:
        return False
    return has_term(hand.polynomial, 1, 0)


def split(hand: Candidate) -> Split | None:
    """A split that is 金龙."""
    return split_with(hand, BlockKind.TRIPLET)
