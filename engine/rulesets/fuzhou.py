"""福州麻将: the options of Fuzhou mahjong. Values, meanings and sources stand in fuzhou.toml.

Two source texts give two profiles: ``fuzhou`` (the teaching text: everything doubled, fixed five points, 金龙) and
``fuzhou-baida`` (百搭麻将: doubled by self-draw or a special hand, streak paid by the dealer, no 金龙).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from engine.rulesets.base import TableRules
from engine.rulesets.option import Option, Points
from engine.rulesets.reading import load_profile, read_options, read_table
from engine.win_types import WinType

NAMES = ("fuzhou", "fuzhou-baida")
RobSource = Literal["DEALER_SWAP", "NON_DEALER_TAKE", "FIRST_DISCARD"]
OpeningWin = Literal["THREE_GOLDS", "HEAVENLY", "ROB_NON_DEALER", "ROB_DEALER"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fuzhou(TableRules):
    """One field for each option; `options` tells what each means."""

    hand_size: int
    tile_set: Literal["full_144", "short_128"]
    honours_are_flowers: bool
    gold_from_indicator: Literal["same", "next"]
    gold_flower_dealer_draws: bool
    gold_discardable: bool
    gold_discard_lock: bool
    gold_in_claims: Literal["none", "as_self", "any"]
    gold_fifth_copy: bool
    free_gold_rule: Literal["none", "self_draw_only", "self_draw_only_unless_sparrow", "self_draw_only_unless_special"]
    gold_counts_as_flower: bool
    heavenly: Literal["own_type", "as_rob_gold"]
    rob_gold_sources: frozenset[RobSource]
    rob_window: Literal["after_first_discard", "instead_of_first_draw", "first_draw_is_gold"]
    rob_gold_counts: bool
    rob_gold_structures: bool
    rob_gold_three_golds: bool
    opening_three_golds: bool
    opening_priority: tuple[OpeningWin, ...]
    three_golds: bool
    three_golds_timing: Literal["any_own_draw", "on_third_gold_draw"]
    three_golds_on_discard: Literal["none", "complete_only", "any"]
    gold_sparrow: bool
    sparrow_third_gold_wild: bool
    gold_dragon: bool
    plain_zero: bool
    plain_one: bool
    plain_one_forbids_kong: bool
    plain_one_kong_equiv: bool
    plain_bonus: int
    one_suit: bool
    half_suit: bool
    special_values: Points
    special_combine: Literal["max", "sum"]
    win_priority: Literal["sparrow_then_seat", "seat", "value_then_seat"]
    rob_kong: Literal["none", "added_only"]
    rob_kong_payment: Literal["discarder", "konger_pays_three"]
    swap_discard: bool
    kong_after_claim: bool
    added_kong_later: bool
    pass_lock_scope: Literal["off", "same_tile", "all_tiles"]
    pass_lock_reset: Literal["own_discard", "own_draw", "end_of_hand"]
    pass_lock_rob_kong: bool
    pass_lock_higher_value_ok: bool
    pass_pung_lock: Literal["off", "same_tile"]
    reserve_base: int
    reserve_per_open_kong: int
    reserve_per_concealed_kong: int
    reserve_per_flower_set: int
    reserve_includes_gold: bool
    last_group_size: int
    last_group_auto_win: bool
    streak_on_draw: Literal["keep", "increment", "reset"]
    streak_scales_base: bool
    streak_payers: Literal["all_payers", "dealer_only"]
    streak_dealer_pays_on_other_discard: bool
    flower_set_bonus: int
    fixed_points: int
    doubling: Literal["always", "self_draw_or_special"]
    base_unit: int
    discard_payers: Literal["discarder", "all_three", "discarder_triple"]
    escape_penalty: Literal["none", "formula_a"]
    escape_multiplier: int
    false_win_points: int
    dead_hand: bool

    @property
    def options(self) -> tuple[Option, ...]:
        """All options with the defaults of the profile this ruleset started from."""
        return _options(self.base)

    @property
    def has_gold(self) -> bool:
        """金."""
        return True

    @property
    def win_values(self) -> dict[WinType, int]:
        """Points of each kind of win, played or not."""
        return {WinType(code): points for code, points in self.special_values}


@cache
def load(name: str) -> Fuzhou:
    """The profile with this name, values as in the table."""
    return load_profile(Fuzhou, read_table("fuzhou.toml"), name, _CODES)


@cache
def _options(name: str) -> tuple[Option, ...]:
    return read_options(Fuzhou, read_table("fuzhou.toml"), name, _CODES)


_CODES = tuple(kind.value for kind in WinType if kind is not WinType.PLAIN_BONUS)
