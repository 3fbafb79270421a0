"""The named wins of Fuzhou mahjong. Their values are options of the ruleset, their conditions stand in patterns."""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol


class NamedWin(Protocol):
    """What a win can be called: a win type of Fuzhou, or a row of a fan table. ``str`` of it is its code."""

    @property
    def value(self) -> str:
        """Code."""

    @property
    def zh(self) -> str:
        """Chinese name."""

    @property
    def en(self) -> str:
        """English name."""


class WinType(StrEnum):
    """A kind of win that has a value of its own; a win without any is 平常胡."""

    PLAIN_ONE = "PLAIN_ONE"
    PLAIN_ZERO = "PLAIN_ZERO"
    PLAIN_BONUS = "PLAIN_BONUS"
    HEAVENLY = "HEAVENLY"
    ROB_GOLD = "ROB_GOLD"
    THREE_GOLDS = "THREE_GOLDS"
    GOLD_SPARROW = "GOLD_SPARROW"
    GOLD_DRAGON = "GOLD_DRAGON"
    HALF_SUIT = "HALF_SUIT"
    ONE_SUIT = "ONE_SUIT"

    @property
    def zh(self) -> str:
        """Chinese name, such as 金雀."""
        return _NAMES[self][0]

    @property
    def en(self) -> str:
        """English name, such as ``gold sparrow``."""
        return _NAMES[self][1]


_NAMES = {
    WinType.PLAIN_ONE: ("平胡（一张花）", "plain hand with one flower"),
    WinType.PLAIN_ZERO: ("平胡（无花无杠）", "plain hand without flower or kong"),
    WinType.PLAIN_BONUS: ("平胡加番", "plain hand bonus"),
    WinType.HEAVENLY: ("天胡", "heavenly hand"),
    WinType.ROB_GOLD: ("抢金", "robbing the gold"),
    WinType.THREE_GOLDS: ("三金倒", "three golds"),
    WinType.GOLD_SPARROW: ("金雀", "gold sparrow"),
    WinType.GOLD_DRAGON: ("金龙", "gold dragon"),
    WinType.HALF_SUIT: ("混一色", "half flush"),
    WinType.ONE_SUIT: ("清一色", "full flush"),
}
