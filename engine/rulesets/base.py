"""What every ruleset has: a name, options with their meaning, and copies with other values."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, Self

from engine.errors import RulesetError
from engine.rulesets.option import Option, PlainValue, plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """A game with all its options fixed. Stored with each hand, so that changing it later never rewrites an old hand.

    Subclasses add one field for each option. ``base`` is the registered ruleset the values started from.
    """

    name: str
    base: str
    zh: str
    en: str
    source: str
    complete: str

    @property
    @abstractmethod
    def options(self) -> tuple[Option, ...]:
        """All options, in the order of their table, each with the default of this ruleset's base."""

    def values(self) -> dict[str, PlainValue]:
        """Every option and its value, as JSON and TOML hold it; `with_options` of the base takes it back."""
        return {option.name: plain(getattr(self, option.name)) for option in self.options}

    def changed(self) -> dict[str, PlainValue]:
        """Only the options whose value differs from the base."""
        return {
            option.name: plain(getattr(self, option.name))
            for option in self.options
            if getattr(self, option.name) != option.default
        }

    def with_options(self, values: Mapping[str, object]) -> Self:
        """A copy with other values, given as values or as text; RulesetError names the valid options or values."""
        if not isinstance(values, Mapping):
            raise RulesetError(f"{values!r} are no options; expected names with their values")
        known = {option.name: option for option in self.options}
        unknown = [name for name in values if name not in known]
        if unknown:
            raise RulesetError(f"{self.name} has no option {unknown[0]!r}; expected one of {', '.join(known)}")
        parsed = {name: known[name].parse(value, getattr(self, name)) for name, value in values.items()}
        return replace(self, **parsed)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRules(Ruleset):
    """What the table asks of every game, with the values of a game without golds, pass locks and a dead wall.

    A game that has options for some of these declares the field anew.
    """

    hand_size: int = 13
    tile_set: Literal["full_144", "short_128"] = "full_144"
    honours_are_flowers: bool = False
    gold_from_indicator: Literal["same", "next"] = "same"
    gold_flower_dealer_draws: bool = False
    gold_discardable: bool = True
    gold_discard_lock: bool = False
    gold_in_claims: Literal["none", "as_self", "any"] = "as_self"
    gold_fifth_copy: bool = False
    free_gold_rule: str = "none"
    rob_window: Literal["after_first_discard", "instead_of_first_draw", "first_draw_is_gold"] = "after_first_discard"
    opening_priority: tuple[str, ...] = ("THREE_GOLDS", "HEAVENLY", "ROB_NON_DEALER", "ROB_DEALER")
    three_golds: bool = False
    three_golds_on_discard: Literal["none", "complete_only", "any"] = "none"
    win_priority: Literal["sparrow_then_seat", "seat", "value_then_seat"] = "seat"
    rob_kong: Literal["none", "added_only"] = "added_only"
    swap_discard: bool = True
    kong_after_claim: bool = False
    added_kong_later: bool = True
    pass_lock_scope: Literal["off", "same_tile", "all_tiles"] = "off"
    pass_lock_reset: Literal["own_discard", "own_draw", "end_of_hand"] = "own_discard"
    pass_lock_rob_kong: bool = False
    pass_lock_higher_value_ok: bool = True
    pass_pung_lock: Literal["off", "same_tile"] = "off"
    reserve_base: int = 0
    reserve_per_open_kong: int = 0
    reserve_per_concealed_kong: int = 0
    reserve_per_flower_set: int = 0
    reserve_includes_gold: bool = True
    last_group_size: int = 0
    last_group_auto_win: bool = False
    flower_set_bonus: int = 0
    dead_hand: bool = False
    several_winners: bool = False
    """一炮多响: several seats may win on one tile; without it one wins (截胡)."""
    seat_swap_third_round: bool = False

    @property
    def has_gold(self) -> bool:
        """A tile is turned up after the deal and is wild."""
        return False

    @property
    def has_rounds(self) -> bool:
        """圈: the deal passes after every hand, in four rounds of four hands."""
        return False
