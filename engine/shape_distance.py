"""向听 where other shapes than sets and a pair win: the distance is that of the nearest shape.

Seven pairs, orphans and knitted tiles need a hand without melds; a knitted straight at most one meld. Points play no
part: a hand may be ready and still be worth too little.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.decompose import count_in, tile_key
from engine.errors import HandError
from engine.shanten import missing_for_sets
from engine.shapes import HONOURS_KEY, KNITTED_KEYS, ORPHANS_KEY, Shape, present_kinds
from engine.tiles import ALL_TILES, Tile

_KINDS = ALL_TILES[:34]


def shape_distance(concealed: Iterable[Tile], shapes: Iterable[Shape]) -> int:
    """-1 for a complete hand, 0 for a ready one, as `engine.shanten.distance`; the number of tiles tells the melds.

    HandError when the number of tiles is none a hand can have.

    >>> from engine.notation import parse_tiles
    >>> hands = ("1133m5577p99s EE S", "147m258p369s ESWNC", "19m19p19s ESWNCF1p")
    >>> [shape_distance(parse_tiles(hand), Shape) for hand in hands]
    [0, -1, 0]
    """
    tiles = tuple(concealed)
    if len(tiles) % 3 == 0 or len(tiles) > 14:
        raise HandError(f"{len(tiles)} concealed tiles do not fit; expected 1, 2, 4, 5, 7, 8, 10, 11, 13 or 14")
    return _of_key(tile_key(tiles), len(tiles) // 3, tuple(shapes))


def shape_discards(concealed: Iterable[Tile], shapes: Iterable[Shape]) -> dict[Tile, int]:
    """For each kind in a hand that has just drawn: the distance when one of it is thrown, in tile order."""
    tiles, played = tuple(concealed), tuple(shapes)
    if len(tiles) % 3 != 2:
        raise HandError(f"{len(tiles)} concealed tiles leave none to throw; expected 2, 5, 8, 11 or 14")
    key = tile_key(tiles)
    return {tile: _of_key(key - (1 << 3 * tile), len(tiles) // 3, played) for tile in sorted(set(tiles))}


def shape_useful(concealed: Iterable[Tile], shapes: Iterable[Shape]) -> tuple[Tile, ...]:
    """进张: the kinds that bring a hand nearer when drawn; kinds of which it holds all four are left out."""
    tiles, played = tuple(concealed), tuple(shapes)
    key, sets = tile_key(tiles), len(tiles) // 3
    now = _of_key(key, sets, played)
    return tuple(
        tile for tile in _KINDS if count_in(key, tile) < 4 and _of_key(key + (1 << 3 * tile), sets, played) < now
    )


def _of_key(key: int, sets: int, shapes: tuple[Shape, ...]) -> int:
    return min(_MISSING[shape](key, sets) for shape in shapes if sets >= _SETS[shape]) - 1


_SETS = {
    Shape.STANDARD: 0,
    Shape.SEVEN_PAIRS: 4,
    Shape.ORPHANS: 4,
    Shape.KNITTED: 4,
    Shape.KNITTED_STRAIGHT: 3,
}


def _seven_pairs(key: int, sets: int) -> int:
    return 7 - sum(count_in(key, tile) // 2 for tile in _KINDS)


def _orphans(key: int, sets: int) -> int:
    counts = [count_in(key, tile) for tile in _KINDS if ORPHANS_KEY >> 3 * tile & 1]
    return 14 - sum(count > 0 for count in counts) - (max(counts) > 1)


def _knitted(key: int, sets: int) -> int:
    present = present_kinds(key)
    return 14 - min(14, max((present & (way | HONOURS_KEY)).bit_count() for way in KNITTED_KEYS))


def _knitted_straight(key: int, sets: int) -> int:
    present = present_kinds(key)
    ways = ((way & present, way & ~present) for way in KNITTED_KEYS)
    return min(missing.bit_count() + missing_for_sets(key - held, sets - 3) for held, missing in ways)


_MISSING = {
    Shape.STANDARD: missing_for_sets,
    Shape.SEVEN_PAIRS: _seven_pairs,
    Shape.ORPHANS: _orphans,
    Shape.KNITTED: _knitted,
    Shape.KNITTED_STRAIGHT: _knitted_straight,
}
