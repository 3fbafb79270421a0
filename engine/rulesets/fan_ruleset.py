"""Games that add up the rows of a fan table: the part of their ruleset that is alike."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.fans import FanTable, fan_table
from engine.patterns.library import Library
from engine.rulesets.base import TableRules
from engine.seats import SEATS, Seat
from engine.shapes import Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class FanRuleset(TableRules):
    """A game with a fan table. Its module says which rows there are and who pays; the rest has a usual answer.

    `engine.fan_win` judges a declared win by it, `engine.fan_settlement` settles it.
    """

    shapes: tuple[Shape, ...] = (Shape.STANDARD,)
    """The shapes that win."""
    minimum: int = 0
    """Points a win needs, rows such as flowers not counted."""
    false_win_points: int = 0
    """What a false win costs, to each other seat."""
    _table: FanTable | None = field(default=None, init=False, compare=False, repr=False)

    @abstractmethod
    def rows(self) -> Mapping[str, Mapping[str, Any]]:
        """The rows of the fan table, as `engine.fans.fan_table` reads them."""

    def patterns(self) -> Library:
        """Patterns of this game alone, by key."""
        return {}

    @abstractmethod
    def owed(self, points: int, winner: Seat, giver: Seat | None) -> Mapping[Seat, int]:
        """What each other seat pays for a win worth so many points; ``giver`` is None when it was self-drawn."""

    def next_dealer(self, dealer: Seat, winner: Seat | None) -> Seat:
        """Who deals after a win, or after a drawn hand (``winner`` None). Usually the next seat, always."""
        return dealer.next

    @property
    def table(self) -> FanTable:
        """The fan table with the options of this ruleset."""
        if self._table is None:
            flags = {name: value for name, value in self.values().items() if isinstance(value, bool)}
            object.__setattr__(self, "_table", fan_table(self.rows(), flags, self.patterns()))
        assert self._table is not None
        return self._table


def others(winner: Seat) -> tuple[Seat, ...]:
    """The three other seats, in turn order from East."""
    return tuple(seat for seat in SEATS if seat is not winner)
