"""The library of patterns that fan tables name. One function a pattern; its name, toneless pinyin, is its key.

Four sorts, by what they look at:

============  ========================================================================================
`whole`       the hand as a whole, or the way it was won: ``(view) -> bool``
`of_sets`     some sets of the hand: ``(view) -> iterable of places``, one entry for each time it counts
`chows`       so many chows, sorted: ``(tile, tile, ...) -> bool``; found by `engine.combining`
`pungs`       so many pungs or kongs, sorted: the same
============  ========================================================================================

The families stand in files of their own beside this one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar

from engine.patterns.view import View
from engine.tiles import Tile

Whole = Callable[[View], bool]
OfSets = Callable[[View], Iterable[int]]
Together = Callable[..., bool]
Function = TypeVar("Function", bound=Callable[..., Any])

WHOLE = -1
"""The mask of a pattern that is about the whole hand."""


class Sort(Enum):
    """What a pattern looks at."""

    WHOLE = "whole"
    OF_SETS = "of_sets"
    CHOWS = "chows"
    PUNGS = "pungs"


@dataclass(frozen=True, slots=True)
class Pattern:
    """One entry of the library. ``size`` is how many sets `CHOWS` and `PUNGS` take together."""

    key: str
    sort: Sort
    function: Callable[..., Any]
    size: int = 0
    doc: str = ""


Library = dict[str, Pattern]


class Family:
    """Collects the patterns of one file: its methods are the decorators."""

    def __init__(self) -> None:
        self.patterns: Library = {}

    def _add(self, function: Function, sort: Sort, size: int = 0) -> Function:
        key = function.__name__
        self.patterns[key] = Pattern(key, sort, function, size, (function.__doc__ or "").strip())
        return function

    def whole(self, function: Whole) -> Whole:
        """A pattern about the hand as a whole."""
        return self._add(function, Sort.WHOLE)

    def of_sets(self, function: OfSets) -> OfSets:
        """A pattern about some sets, given as masks of their places."""
        return self._add(function, Sort.OF_SETS)

    def chows(self, size: int) -> Callable[[Together], Together]:
        """A pattern that so many chows make together."""
        return lambda function: self._add(function, Sort.CHOWS, size)

    def pungs(self, size: int) -> Callable[[Together], Together]:
        """A pattern that so many pungs or kongs make together."""
        return lambda function: self._add(function, Sort.PUNGS, size)


def mask(places: Iterable[int]) -> int:
    """Places of sets as one bit each."""
    return sum(1 << place for place in places)


def kinds(*tiles: Tile) -> int:
    """Kinds as one bit each."""
    return sum(1 << tile for tile in set(tiles))


def ranks(*numbers: int) -> int:
    """The suited kinds of these ranks, one bit each."""
    return sum(1 << 9 * suit + number - 1 for suit in range(3) for number in numbers)


WINDS = 0b1111 << 27
DRAGONS = 0b111 << 31
HONOURS = WINDS | DRAGONS
TERMINALS = ranks(1, 9)
ENDS = TERMINALS | HONOURS
"""幺九: terminals and honours."""


def library() -> Library:
    """All patterns by key.

    >>> library()["qinglong"].size
    3
    """
    return dict(_library())


@cache
def _library() -> Library:
    from engine.patterns import chows, honours, kongs, numbers, pungs, special, suits, winning  # they import this file

    found: Library = {}
    for family in (special, honours, pungs, kongs, chows, suits, numbers, winning):
        found |= family.FAMILY.patterns
    return found
