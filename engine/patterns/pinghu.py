"""平胡 (plain hand): no flower and no kong, or a single flower. Any win has it, 三金倒 too; golds do not matter.

百搭麻将 adds a bonus instead of the full value when the hand has another type as well.
"""

from engine.candidate import Candidate


def is_plain_zero(hand: Candidate) -> bool:
    """无花无杠: no flower tile and no kong of any sort."""
    return hand.flower_tiles == 0 and hand.kongs == 0


def is_plain_one(hand: Candidate) -> bool:
    """一张花: exactly one flower tile and no kong; by option with kongs, or one kong instead of the flower."""
    rules = hand.rules
    if not rules.plain_one:
        return False
    if hand.flower_tiles == 1:
        return hand.kongs == 0 or not rules.plain_one_forbids_kong
    return rules.plain_one_kong_equiv and hand.flower_tiles == 0 and hand.kongs == 1
