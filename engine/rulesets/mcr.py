"""国标麻将: Chinese Official mahjong, 81 fan. Rows, values, exclusions, options and sources stand in mcr.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from engine.rulesets.fan_ruleset import FanRuleset, others
from engine.rulesets.option import Option
from engine.rulesets.reading import load_profile, read_options, read_table
from engine.seats import Seat
from engine.shapes import Shape

NAMES = ("mcr",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mcr(FanRuleset):
    """One field for each option; `options` tells what each means."""

    shapes: tuple[Shape, ...] = tuple(Shape)
    minimum: int
    base_points: int
    false_win_points: int
    dead_hand: bool
    mixed_kongs: bool
    special_fully_concealed: bool
    green_counts_half_flush: bool
    all_terminals_triple_pung: bool
    all_terminals_double_pung: bool
    strict_98_void: bool
    no_honours_beside: bool
    seat_swap_third_round: bool

    @property
    def options(self) -> tuple[Option, ...]:
        """All options, in the order of the table."""
        return _options(self.base)

    @property
    def has_rounds(self) -> bool:
        """Sixteen hands, four rounds."""
        return True

    def rows(self) -> Mapping[str, Mapping[str, Any]]:
        """The fan table."""
        rows: Mapping[str, Mapping[str, Any]] = read_table("mcr.toml")["fans"]
        return rows

    def owed(self, points: int, winner: Seat, giver: Seat | None) -> Mapping[Seat, int]:
        """底分 from each of the three; the points from whoever gave the tile, or from all three.

        >>> {seat.code: owed for seat, owed in load("mcr").owed(14, Seat.NORTH, Seat.WEST).items()}
        {'E': 8, 'S': 8, 'W': 22}
        """
        return {seat: self.base_points + (points if giver in (None, seat) else 0) for seat in others(winner)}


@cache
def load(name: str) -> Mcr:
    """The ruleset with the values of its table."""
    return load_profile(Mcr, read_table("mcr.toml"), name)


@cache
def _options(name: str) -> tuple[Option, ...]:
    return read_options(Mcr, read_table("mcr.toml"), name)
