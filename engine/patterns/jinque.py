"""金雀 (gold sparrow, also 金将): two golds are the pair; a third gold may be wild elsewhere. By draw or discard."""

from engine.candidate import Candidate, mark_golds, split_with
from engine.context import WinSource
from engine.decompose import completions, first_split, has_term
from engine.verdicts import Block, BlockKind, Split
from engine.win_types import WinType

TYPE = WinType.GOLD_SPARROW


def holds(hand: Candidate) -> bool:
    """Some split has two golds as its pair."""
    rules, golds = hand.rules, hand.golds
    if not rules.gold_sparrow or golds < 2 or not hand.complete:
        return False
    if hand.context.source is WinSource.ROB_GOLD and not rules.rob_gold_structures:
        return False
    if not rules.sparrow_third_gold_wild:
        return has_term(completions(_with_golds_in_place(hand)), 0, 0)
    return has_term(hand.polynomial, 0, golds - 2) and (
        rules.gold_fifth_copy or split_with(hand, BlockKind.PAIR) is not None
    )


def split(hand: Candidate) -> Split | None:
    """A split that is 金雀."""
    gold = hand.context.gold
    if hand.rules.sparrow_third_gold_wild or gold is None:
        return split_with(hand, BlockKind.PAIR)
    found = first_split(_with_golds_in_place(hand), 2, gold, BlockKind.PAIR)
    if found is None:
        return None
    pair = Block(BlockKind.PAIR, (gold, gold), (0, 1))
    return (*mark_golds(found[:-1], gold, hand.golds - 2), pair)


def _with_golds_in_place(hand: Candidate) -> int:
    """The key with every gold beyond the pair as a natural tile of its kind."""
    return hand.key + (hand.golds - 2 << 3 * hand.context.gold) if hand.context.gold is not None else hand.key
