"""Shapes of a winning hand: sets and a pair, seven pairs, thirteen orphans, knitted tiles.

A shape gives every way to see the concealed tiles as it wants them (`Division`), and the kinds that complete them.
Tiles are packed counts as in `engine.decompose`, sets of kinds are one bit a kind; there are no golds here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import permutations

from engine.decompose import completions, has_term, natural_splits, suit_polynomials, tile_key, with_one_more
from engine.melds import Meld, MeldKind
from engine.tiles import ALL_TILES, Tile
from engine.verdicts import BlockKind


class SetKind(StrEnum):
    """顺子 刻子 杠: what three or four tiles are together."""

    CHOW = "chow"
    PUNG = "pung"
    KONG = "kong"


@dataclass(frozen=True, slots=True, eq=False)
class HandSet:
    """One set of a finished hand."""

    kind: SetKind
    tile: Tile
    """The lowest tile of a chow, the only kind of the others."""
    melded: bool
    """Laid on the table by a claim; a concealed kong is not."""
    kinds: int
    """One bit for each kind in it."""


@lru_cache(maxsize=1 << 10)
def hand_set(kind: SetKind, tile: Tile, melded: bool) -> HandSet:
    """The set of this kind, one object for all hands."""
    return HandSet(kind, tile, melded, (7 if kind is SetKind.CHOW else 1) << tile)


@lru_cache(maxsize=1 << 12)
def set_of_meld(meld: Meld) -> HandSet:
    """A meld whose tiles are named and fit, as a set."""
    tile = min(face for face in meld.tiles if isinstance(face, Tile))
    kind = SetKind.CHOW if meld.kind is MeldKind.CHOW else SetKind.KONG if meld.is_kong else SetKind.PUNG
    return hand_set(kind, tile, meld.kind is not MeldKind.KONG_CONCEALED)


class Shape(StrEnum):
    """The shapes of which a ruleset plays some."""

    STANDARD = "standard"
    SEVEN_PAIRS = "seven_pairs"
    ORPHANS = "orphans"
    KNITTED = "knitted"
    KNITTED_STRAIGHT = "knitted_straight"


@dataclass(frozen=True, slots=True)
class Division:
    """One way to see the concealed tiles: sets, the pair, and kinds that no set takes (orphans, knitted tiles)."""

    shape: Shape
    sets: tuple[HandSet, ...] = ()
    pair: Tile | None = None
    loose: int = 0


_KINDS = ALL_TILES[:34]
_ONES = sum(1 << 3 * kind for kind in range(34))
"""One of each kind; also the lowest bit of every count."""
HONOURS_KEY = 0o1111111 << 81
ORPHANS_KEY = tile_key(Tile(kind) for kind in (0, 8, 9, 17, 18, 26, *range(27, 34)))
_COLUMNS = (0o001001001, 0o010010010, 0o100100100)
"""147, 258 and 369 of one suit."""
KNITTED_KEYS = tuple(m | p << 27 | s << 54 for m, p, s in permutations(_COLUMNS))
"""The six ways to share the columns out among the suits, nine tiles each."""


def present_kinds(key: int) -> int:
    """The key of one tile of each kind that is there."""
    return (key | key >> 1 | key >> 2) & _ONES


def kinds_in(key: int) -> int:
    """The kinds of which there is a tile, one bit each.

    >>> bin(kinds_in(tile_key([Tile.M1, Tile.M1, Tile.M3])))
    '0b101'
    """
    present = present_kinds(key)
    kinds = 0
    while present:
        low = present & -present
        kinds |= 1 << (low.bit_length() - 1) // 3
        present ^= low
    return kinds


def divisions(key: int, sets: int, shapes: Iterable[Shape] = (Shape.STANDARD,)) -> list[Division]:
    """Every way in which the tiles of a key are complete, ``sets`` of the hand's sets being concealed.

    >>> from engine.notation import parse_tiles
    >>> [one.shape.value for one in divisions(tile_key(parse_tiles("112233445566m77m")), 4, Shape)]
    ['standard', 'standard', 'standard', 'seven_pairs']
    """
    found: list[Division] = []
    for shape in shapes:
        found += _DIVIDE[shape](key, sets)
    return found


def _standard(key: int, sets: int) -> list[Division]:
    return [Division(Shape.STANDARD, *divided) for divided in _sets_and_pair(key)]


@lru_cache(maxsize=1 << 12)
def _sets_and_pair(key: int) -> tuple[tuple[tuple[HandSet, ...], Tile], ...]:
    found = []
    for split in natural_splits(key):
        sets = tuple(hand_set(_KIND[block.kind], block.tiles[0], False) for block in split if block.kind in _KIND)
        pair = next(block.tiles[0] for block in split if block.kind is BlockKind.PAIR)
        found.append((sets, pair))
    return tuple(found)


_KIND = {BlockKind.RUN: SetKind.CHOW, BlockKind.TRIPLET: SetKind.PUNG}


def _seven_pairs(key: int, sets: int) -> list[Division]:
    return [Division(Shape.SEVEN_PAIRS)] if sets == 4 and not key & _ONES else []


def _orphans(key: int, sets: int) -> list[Division]:
    if sets != 4 or key & ORPHANS_KEY == 0 or kinds_in(key) != kinds_in(ORPHANS_KEY):
        return []
    extra = key - ORPHANS_KEY
    return [Division(Shape.ORPHANS, pair=Tile(extra.bit_length() // 3), loose=kinds_in(ORPHANS_KEY))]


def _knitted(key: int, sets: int) -> list[Division]:
    if sets != 4 or key & _ONES != key or not any(key | way | HONOURS_KEY == way | HONOURS_KEY for way in KNITTED_KEYS):
        return []
    return [Division(Shape.KNITTED, loose=kinds_in(key))]


def _knitted_straight(key: int, sets: int) -> list[Division]:
    if sets < 3:
        return []
    present = present_kinds(key)
    return [
        Division(Shape.KNITTED_STRAIGHT, *divided, loose=kinds_in(way))
        for way in KNITTED_KEYS
        if present & way == way
        for divided in _sets_and_pair(key - way)
    ]


_DIVIDE: dict[Shape, Callable[[int, int], list[Division]]] = {
    Shape.STANDARD: _standard,
    Shape.SEVEN_PAIRS: _seven_pairs,
    Shape.ORPHANS: _orphans,
    Shape.KNITTED: _knitted,
    Shape.KNITTED_STRAIGHT: _knitted_straight,
}


def completing_kinds(key: int, sets: int, shapes: Iterable[Shape] = (Shape.STANDARD,)) -> int:
    """听: the kinds that complete a hand of one tile less, one bit each; also kinds of which all four are held.

    >>> from engine.notation import parse_tiles
    >>> held = tile_key(parse_tiles("1133m5577p99s EE S"))
    >>> [tile.code for tile in Tile if completing_kinds(held, 4, Shape) >> tile & 1]
    ['S']
    """
    found = 0
    for shape in shapes:
        found |= _COMPLETE[shape](key, sets)
    return found


@lru_cache(maxsize=1 << 12)
def _complete_standard(key: int, sets: int) -> int:
    m, p, s, z = suit_polynomials(key)
    others = (p * s * z, m * s * z, m * p * z, m * p * s)
    found = 0
    for tile in _KINDS:
        if others[tile // 9] and has_term(with_one_more(key, tile) * others[tile // 9], 1, 0):
            found |= 1 << tile
    return found


def _complete_seven_pairs(key: int, sets: int) -> int:
    odd = key & _ONES
    return kinds_in(odd) if sets == 4 and odd and not odd & odd - 1 else 0


def _complete_orphans(key: int, sets: int) -> int:
    kinds, wanted = kinds_in(key), kinds_in(ORPHANS_KEY)
    if sets != 4 or kinds & ~wanted:
        return 0
    missing = wanted & ~kinds
    return wanted if not missing else 0 if missing & missing - 1 else missing


def _complete_knitted(key: int, sets: int) -> int:
    if sets != 4 or key & _ONES != key:
        return 0
    found = 0
    for way in KNITTED_KEYS:
        if not key & ~(way | HONOURS_KEY):
            found |= kinds_in(way | HONOURS_KEY) & ~kinds_in(key)
    return found


def _complete_knitted_straight(key: int, sets: int) -> int:
    if sets < 3:
        return 0
    present = present_kinds(key)
    found = 0
    for way in KNITTED_KEYS:
        missing = way & ~present
        if not missing:
            found |= _complete_standard(key - way, sets - 3)
        elif not missing & missing - 1 and has_term(completions(key - (way - missing)), 1, 0):
            found |= kinds_in(missing)
    return found


_COMPLETE: dict[Shape, Callable[[int, int], int]] = {
    Shape.STANDARD: _complete_standard,
    Shape.SEVEN_PAIRS: _complete_seven_pairs,
    Shape.ORPHANS: _complete_orphans,
    Shape.KNITTED: _complete_knitted,
    Shape.KNITTED_STRAIGHT: _complete_knitted_straight,
}
