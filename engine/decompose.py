"""Splits a hand with golds into sets and a pair.

Counts of tiles are packed into one integer, three bits a kind, so that each suit is a 27-bit key. For each suit key a
table holds a polynomial: the term ``P^p G^g`` is there when the tiles of the suit and ``g`` golds make whole sets and
``p`` pairs. Multiplying the polynomials of the suits gives the polynomial of the hand, and a hand with ``g`` golds is
complete when its product has the term ``P G^g``. The polynomials are packed into integers too, six bits a coefficient.

The table fills itself: an entry is computed from smaller ones when it is asked for the first time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from engine.tiles import Tile
from engine.verdicts import Block, BlockKind, Split

MAX_GOLDS = 4

_FIELD = 6
_GOLD = _FIELD
_PAIR = _FIELD * (4 * MAX_GOLDS + 1)
_COEFFICIENT = (1 << _FIELD) - 1
_VALID = sum(1 << (_GOLD * golds + _PAIR * pairs) for golds in range(MAX_GOLDS + 1) for pairs in (0, 1))
_EMPTY = 1 | 1 << 3 * _GOLD | 1 << (_PAIR + 2 * _GOLD)
"""No tiles: nothing, or a triplet of golds, or a pair of golds."""

_SUIT_BITS = 27
_SUIT = (1 << _SUIT_BITS) - 1
_HONOURS_AT = 3 * _SUIT_BITS
_UNITS: tuple[int, ...] = tuple(1 << 3 * kind for kind in range(34))
_unit = _UNITS.__getitem__


class _SuitTable(dict[int, int]):
    """Polynomial of each suit key seen so far."""

    def __init__(self, *, runs: bool) -> None:
        super().__init__({0: _EMPTY})
        self._runs = runs

    def __missing__(self, key: int) -> int:
        shift = ((key & -key).bit_length() - 1) // 3 * 3
        unit = 1 << shift
        count = key >> shift & 7
        rest = key - unit
        one = self[rest]
        found = one << 2 * _GOLD | one << (_PAIR + _GOLD)
        if count > 1:
            two = self[rest - unit]
            found |= two << _GOLD | two << _PAIR
            if count > 2:
                found |= self[rest - 2 * unit]
        if self._runs:
            second = unit << 3 if key >> shift + 3 & 7 else 0
            third = unit << 6 if key >> shift + 6 & 7 else 0
            if second:
                found |= self[rest - second] << _GOLD
            if third:
                found |= self[rest - third] << _GOLD
            if second and third:
                found |= self[rest - second - third]
        found &= _VALID
        self[key] = found
        return found


_SUITED_TABLE = _SuitTable(runs=True)
_HONOUR_TABLE = _SuitTable(runs=False)


def tile_key(tiles: Iterable[Tile]) -> int:
    """Packed counts of suited tiles and honours; IndexError for a flower.

    >>> oct(tile_key([Tile.M1, Tile.M1, Tile.M3]))
    '0o102'
    """
    return sum(map(_unit, tiles))


def count_in(key: int, tile: Tile) -> int:
    """How many of a kind the key holds."""
    return key >> 3 * tile & 7


def take_golds(key: int, gold: Tile | None) -> tuple[int, int]:
    """The key without its golds, and how many they were."""
    if gold is None:
        return key, 0
    golds = key >> 3 * gold & 7
    return key - (golds << 3 * gold), golds


def completions(key: int) -> int:
    """The polynomial of all tiles of a key that holds no golds."""
    one, two, three, honours = suit_polynomials(key)
    return one * two * three * honours


def suit_polynomials(key: int) -> tuple[int, int, int, int]:
    """The polynomials of the three suits and of the honours."""
    honours = _HONOUR_TABLE[key >> _HONOURS_AT] if key >> _HONOURS_AT else 1
    table = _SUITED_TABLE
    return table[key & _SUIT], table[key >> _SUIT_BITS & _SUIT], table[key >> 2 * _SUIT_BITS & _SUIT], honours


def with_one_more(key: int, tile: Tile) -> int:
    """The polynomial of the tile's own suit when the key gets one more of it."""
    suit = tile // 9
    table = _HONOUR_TABLE if suit == 3 else _SUITED_TABLE
    return table[(key >> _SUIT_BITS * suit & _SUIT) + (1 << 3 * (tile - 9 * suit))]


def has_term(polynomial: int, pairs: int, golds: int) -> bool:
    """Whether exactly that many golds finish the tiles into sets and that many pairs."""
    return polynomial >> (_PAIR * pairs + _GOLD * golds) & _COEFFICIENT != 0


_WIN_TERM = tuple(_PAIR + _GOLD * golds for golds in range(8))


def is_complete(tiles: Iterable[Tile], gold: Tile | None = None) -> bool:
    """Whether tiles and golds among them make whole sets and one pair; how many sets there should be is not asked.

    >>> from engine.notation import parse_tiles
    >>> is_complete(parse_tiles("123456m789p23455s69m8p"), Tile.M9), is_complete(parse_tiles("111m"))
    (False, False)
    >>> is_complete(parse_tiles("123456m789p23455s9m68p"), Tile.M9)
    True
    """
    key = sum(map(_unit, tiles))
    golds = 0
    if gold is not None:
        shift = 3 * gold
        golds = key >> shift & 7
        key ^= golds << shift
    if key >> _HONOURS_AT:
        return completions(key) >> _WIN_TERM[golds] & _COEFFICIENT != 0
    table = _SUITED_TABLE
    product = table[key & _SUIT] * table[key >> _SUIT_BITS & _SUIT] * table[key >> 2 * _SUIT_BITS]
    return product >> _WIN_TERM[golds] & _COEFFICIENT != 0


def splits(key: int, golds: int, gold: Tile | None = None, gold_block: BlockKind | None = None) -> Iterator[Split]:
    """All different splits of a key without golds, and golds, into sets and, last, one pair.

    Golds take every role they can; a pair or triplet of golds alone stands for the gold kind. ``gold_block`` keeps only
    splits with such a block: `BlockKind.PAIR` for 金雀, `BlockKind.TRIPLET` for 金龙.
    """
    for alone, blocks in _gold_blocks(golds, gold):
        if gold_block is None or any(block.kind is gold_block for block in blocks):
            pairs = 0 if any(block.kind is BlockKind.PAIR for block in blocks) else 1
            for split in _splits(key, 0, pairs, golds - alone):
                yield tuple(sorted((*split, *blocks), key=_pair_last))


def first_split(key: int, golds: int, gold: Tile | None = None, gold_block: BlockKind | None = None) -> Split | None:
    """One split as `splits` gives them, quickly, or None."""
    for alone, blocks in _gold_blocks(golds, gold):
        if gold_block is None or any(block.kind is gold_block for block in blocks):
            pairs = 0 if any(block.kind is BlockKind.PAIR for block in blocks) else 1
            split = _first(key, 0, pairs, golds - alone)
            if split is not None:
                return tuple(sorted((*split, *blocks), key=_pair_last))
    return None


def natural_splits(key: int) -> tuple[Split, ...]:
    """All different splits of tiles without golds into sets and, last, one pair; suits are remembered.

    >>> from engine.notation import parse_tiles
    >>> len(natural_splits(tile_key(parse_tiles("111222333m55p"))))
    2
    """
    suits = [key >> _SUIT_BITS * suit & _SUIT for suit in range(4)]
    table = (_SUITED_TABLE, _SUITED_TABLE, _SUITED_TABLE, _HONOUR_TABLE)
    with_pair = [suit for suit in range(4) if not has_term(table[suit][suits[suit]], 0, 0)]
    if len(with_pair) > 1:
        return ()
    found: list[Split] = []
    for place in with_pair or range(4):
        parts: list[Split] = [()]
        for suit in range(4):
            if suit != place and suits[suit]:
                parts = [(*head, *tail) for tail in _natural_of_suit(suits[suit], suit, 0) for head in parts]
        found += [(*head, *tail) for tail in _natural_of_suit(suits[place], place, 1) for head in parts]
    return tuple(tuple(sorted(split, key=_pair_last)) for split in found)


@lru_cache(maxsize=1 << 14)
def _natural_of_suit(key: int, suit: int, pairs: int) -> tuple[Split, ...]:
    return tuple(_suit_splits(key, suit, pairs, 0, -1, 0))


def _pair_last(block: Block) -> bool:
    return block.kind is BlockKind.PAIR


def _gold_blocks(golds: int, gold: Tile | None) -> Iterator[tuple[int, Split]]:
    """Blocks made of golds alone: none, a pair, a triplet."""
    yield 0, ()
    if gold is not None:
        if golds >= 2:
            yield 2, (Block(BlockKind.PAIR, (gold, gold), (0, 1)),)
        if golds >= 3:
            yield 3, (Block(BlockKind.TRIPLET, (gold, gold, gold), (0, 1, 2)),)


def _splits(key: int, suit: int, pairs: int, golds: int) -> Iterator[Split]:
    """Splits of the suits from this one on with exactly so many pairs and golds, no block of golds alone."""
    if suit == 4:
        if pairs == golds == 0:
            yield ()
        return
    here = key >> _SUIT_BITS * suit & _SUIT
    for pairs_here in range(pairs + 1):
        for golds_here in range(golds + 1):
            for head in _suit_splits(here, suit, pairs_here, golds_here, -1, 0):
                for tail in _splits(key, suit + 1, pairs - pairs_here, golds - golds_here):
                    yield (*head, *tail)


def _first(key: int, suit: int, pairs: int, golds: int) -> Split | None:
    if suit == 4:
        return () if pairs == golds == 0 else None
    here = key >> _SUIT_BITS * suit & _SUIT
    for pairs_here in range(pairs + 1):
        for golds_here in range(golds + 1):
            head = _first_of_suit(here, suit, pairs_here, golds_here)
            if head is not None:
                tail = _first(key, suit + 1, pairs - pairs_here, golds - golds_here)
                if tail is not None:
                    return head + tail
    return None


@lru_cache(maxsize=1 << 14)
def _first_of_suit(key: int, suit: int, pairs: int, golds: int) -> Split | None:
    return next(_suit_splits(key, suit, pairs, golds, -1, 0), None)


def _suit_splits(key: int, suit: int, pairs: int, golds: int, last_rank: int, last_shape: int) -> Iterator[Split]:
    """Splits of one suit. The block of the lowest tile is chosen first, and blocks of one rank come in the order of
    _SHAPES, so that no split is found twice."""
    if not key:
        if pairs == golds == 0:
            yield ()
        return
    table = _HONOUR_TABLE if suit == 3 else _SUITED_TABLE
    if not has_term(table[key], pairs, golds):
        return
    rank = ((key & -key).bit_length() - 1) // 3
    first = last_shape if rank == last_rank else 0
    for number in range(first, len(_ALIKE) if suit == 3 else len(_SHAPES)):
        kind, places, gold_places = _SHAPES[number]
        pair = kind is BlockKind.PAIR
        if pairs < pair or golds < len(gold_places) or rank + places[0] < 0 or rank + places[-1] > 8:
            continue
        rest = key
        for index, place in enumerate(places):
            if index not in gold_places:
                if not rest >> 3 * (rank + place) & 7:
                    break
                rest -= 1 << 3 * (rank + place)
        else:
            block = Block(kind, tuple(_tile(suit, rank + place) for place in places), gold_places)
            for tail in _suit_splits(rest, suit, pairs - pair, golds - len(gold_places), rank, number):
                yield (block, *tail)


def _tile(suit: int, rank: int) -> Tile:
    return _TILES[9 * suit + rank]


_TILES = tuple(Tile)
_ALIKE: tuple[tuple[BlockKind, tuple[int, ...], tuple[int, ...]], ...] = (
    (BlockKind.TRIPLET, (0, 0, 0), ()),
    (BlockKind.TRIPLET, (0, 0, 0), (2,)),
    (BlockKind.TRIPLET, (0, 0, 0), (1, 2)),
    (BlockKind.PAIR, (0, 0), ()),
    (BlockKind.PAIR, (0, 0), (1,)),
)
_SHAPES: tuple[tuple[BlockKind, tuple[int, ...], tuple[int, ...]], ...] = (
    *_ALIKE,
    (BlockKind.RUN, (0, 1, 2), ()),
    (BlockKind.RUN, (0, 1, 2), (2,)),
    (BlockKind.RUN, (0, 1, 2), (1,)),
    (BlockKind.RUN, (-1, 0, 1), (0,)),
    (BlockKind.RUN, (0, 1, 2), (1, 2)),
    (BlockKind.RUN, (-1, 0, 1), (0, 2)),
    (BlockKind.RUN, (-2, -1, 0), (0, 1)),
)
"""Blocks whose lowest natural tile is the lowest of the suit: kind, ranks beside it, and which places are golds."""
