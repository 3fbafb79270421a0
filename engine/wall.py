"""The wall: what is kept (留牌), what can still be drawn, and when the hand ends (section 9)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.rulesets.base import TableRules


class WallState(StrEnum):
    """Where the hand stands when the next head draw is due."""

    NORMAL = "normal"
    LAST_GROUP = "last_group"
    EXHAUSTED = "exhausted"


@dataclass(frozen=True, slots=True)
class Wall:
    """Counts over the whole table; ``remaining`` includes the indicator."""

    remaining: int
    open_kongs: int = 0
    concealed_kongs: int = 0
    flower_sets: int = 0

    def reserve(self, rules: TableRules) -> int:
        """Tiles kept at the tail.

        >>> from engine.rulesets.fuzhou import load
        >>> Wall(40, concealed_kongs=1, flower_sets=1).reserve(load("fuzhou"))
        22
        """
        return (
            rules.reserve_base
            + rules.reserve_per_open_kong * self.open_kongs
            + rules.reserve_per_concealed_kong * self.concealed_kongs
            + rules.reserve_per_flower_set * self.flower_sets
        )

    def drawable(self, rules: TableRules) -> int:
        """Head draws that are left; the indicator itself is never drawn."""
        reserve = self.reserve(rules)
        indicator = 1 if rules.has_gold else 0
        kept = max(reserve, indicator) if rules.reserve_includes_gold else reserve + indicator
        return max(0, self.remaining - kept)

    def state(self, rules: TableRules) -> WallState:
        """``exhausted`` is a drawn hand."""
        drawable = self.drawable(rules)
        if drawable == 0:
            return WallState.EXHAUSTED
        return WallState.LAST_GROUP if drawable <= rules.last_group_size else WallState.NORMAL


def set_size(rules: TableRules) -> int:
    """Tiles of the whole set."""
    return 144 if rules.tile_set == "full_144" else 128


def wall_after_deal(rules: TableRules) -> int:
    """Tiles on the wall when four hands have been dealt, the dealer's with one more.

    >>> from engine.rulesets.fuzhou import load
    >>> wall_after_deal(load("fuzhou"))
    79
    """
    return set_size(rules) - 4 * rules.hand_size - 1
