"""向听: how far a hand is from being ready, and which tiles (进张) bring it nearer. Sets and a pair only, with golds.

The distance of a hand is the fewest tiles it still has to draw until it can be complete, less one: -1 complete,
0 ready (听牌), 1 one tile from ready, and so on. A gold stands for any tile, so a needed kind may always come as a gold
(of which there may be any number here); without golds a hand cannot use five of a kind. Copies that are gone do not
change the distance, they only leave fewer useful tiles. 三金倒 needs no shape and is no part of the distance.

A target of so many sets and a pair uses some tiles of the hand; the more it uses, the fewer are to be drawn. For each
suit a table holds how many tiles at most 0 to 5 sets without and with the pair can use, and suits are put together by
trying every way to share out the sets. There are only some hundred different rows, so sums of suits are remembered.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from engine.decompose import count_in, take_golds, tile_key
from engine.errors import HandError
from engine.tiles import ALL_TILES, Tile

MAX_SETS = 5

_SUIT_BITS = 27
_SUIT = (1 << _SUIT_BITS) - 1
_USED = 3 * MAX_SETS + 3
_FIELD = (1 << _USED) - 1
_PAIR = _USED * (MAX_SETS + 1)
_ROOM = tuple(
    tuple(
        sum(
            _FIELD << _USED * before + _PAIR * pair_before
            for before in range(MAX_SETS + 1 - sets)
            for pair_before in range(2 - pair)
        )
        for pair in (0, 1)
    )
    for sets in range(MAX_SETS + 1)
)
"""Which terms may still get so many sets and pairs."""


@dataclass(frozen=True, slots=True, eq=False)
class Usage:
    """Most tiles that 0..5 sets can use, without the pair and with it. Equal rows are one object, see `_usage`."""

    bare: tuple[int, ...]
    paired: tuple[int, ...]


@cache
def _usage(bare: tuple[int, ...], paired: tuple[int, ...]) -> Usage:
    return Usage(bare, paired)


@lru_cache(maxsize=1 << 17)
def _together(one: Usage, two: Usage) -> Usage:
    """Usage of two groups of suits."""
    return _usage(
        tuple(_shared(one.bare, two.bare, sets) for sets in range(MAX_SETS + 1)),
        tuple(
            max(_shared(one.bare, two.paired, sets), _shared(one.paired, two.bare, sets))
            for sets in range(MAX_SETS + 1)
        ),
    )


def _shared(one: tuple[int, ...], two: tuple[int, ...], sets: int) -> int:
    """Most tiles used when so many sets are shared out between two groups."""
    return max(one[here] + two[sets - here] for here in range(sets + 1))


class _SuitUsage(dict[int, Usage]):
    """Usage of each suit key seen so far. ``limit`` is how many tiles of one kind a target may hold."""

    def __init__(self, *, runs: bool, limit: int) -> None:
        super().__init__()
        self._runs = runs
        self._limit = limit
        self._targets: dict[tuple[int, int, int, int], int] = {}

    def __missing__(self, key: int) -> Usage:
        terms = self._terms(key, 0, 0, 0)
        bare = [(terms >> _USED * sets & _FIELD).bit_length() - 1 for sets in range(MAX_SETS + 1)]
        paired = [(terms >> _PAIR + _USED * sets & _FIELD).bit_length() - 1 for sets in range(MAX_SETS + 1)]
        for sets in range(1, MAX_SETS + 1):  # a set or pair of other kinds uses nothing and is always possible
            bare[sets] = max(bare[sets], bare[sets - 1])
        for sets in range(MAX_SETS + 1):
            paired[sets] = max(paired[sets], bare[sets], paired[sets - 1] if sets else 0)
        self[key] = found = _usage(tuple(bare), tuple(paired))
        return found

    def _terms(self, key: int, rank: int, last: int, before_last: int) -> int:
        """Which sets, pairs and used tiles the ranks from this one on can give, one bit each.

        ``key`` starts at this rank; ``last`` and ``before_last`` runs began one and two ranks lower.
        """
        running = last + before_last
        if not key:
            return 1 if running <= self._limit else 0
        state = key, rank, last, before_last
        found = self._targets.get(state)
        if found is not None:
            return found
        found = 0
        held = key & 7
        for begun in range(MAX_SETS if self._runs and rank < 7 else 1):
            rest = -1
            for triplet in (0, 1):
                for pair in (0, 1):
                    wanted = running + begun + 3 * triplet + 2 * pair
                    if wanted > self._limit or begun + triplet > MAX_SETS:
                        continue
                    if rest < 0:
                        rest = self._terms(key >> 3, rank + 1, begun, last)
                    used = min(wanted, held)
                    room = _ROOM[begun + triplet][pair]
                    found |= (rest & room) << used + _USED * (begun + triplet) + _PAIR * pair
        self._targets[state] = found
        return found


_NO_LIMIT = 7 * MAX_SETS
_WITH_GOLDS = (_SuitUsage(runs=True, limit=_NO_LIMIT), _SuitUsage(runs=False, limit=_NO_LIMIT))
_WITHOUT_GOLDS = (_SuitUsage(runs=True, limit=4), _SuitUsage(runs=False, limit=4))


@dataclass(frozen=True, slots=True)
class _Parts:
    """A hand taken apart: packed counts without golds, whole and by suit, golds, and the usage of each suit."""

    size: int
    key: int
    golds: int
    suits: tuple[int, int, int, int]
    usages: tuple[Usage, Usage, Usage, Usage]
    tables: tuple[_SuitUsage, _SuitUsage, _SuitUsage, _SuitUsage]

    def rests(self) -> tuple[Usage, Usage, Usage, Usage]:
        """For each suit the usage of the three others."""
        m, p, s, z = self.usages
        sz, mp = _together(s, z), _together(m, p)
        return _together(p, sz), _together(m, sz), _together(mp, z), _together(mp, s)

    def distance(self, usage: Usage, rest: Usage, golds: int) -> int:
        """Distance when one suit has this usage, the others have the usage ``rest`` and the hand has so many golds."""
        sets = self.size // 3
        return 3 * sets + 1 - golds - _together(usage, rest).paired[sets]

    def with_more(self, tile: Tile, number: int, rest: Usage) -> int:
        """Distance with so many more (or, negative, fewer) of a kind that is no gold."""
        suit = tile // 9
        changed = self.suits[suit] + (number << 3 * (tile - 9 * suit))
        return self.distance(self.tables[suit][changed], rest, self.golds)


def _take_apart(concealed: Iterable[Tile], gold: Tile | None, remainders: tuple[int, ...]) -> _Parts:
    """The parts of a hand; HandError when its size, divided by three, does not leave one of the remainders."""
    tiles = tuple(concealed)
    size = len(tiles)
    if size % 3 not in remainders or size > 3 * MAX_SETS + 2:
        sizes = [number for number in range(3 * MAX_SETS + 3) if number % 3 in remainders]
        raise HandError(f"{size} concealed tiles do not fit; expected {', '.join(map(str, sizes))} (melds not counted)")
    key, golds = take_golds(tile_key(tiles), gold)
    m, p, s, z = suits = (key & _SUIT, key >> _SUIT_BITS & _SUIT, key >> 2 * _SUIT_BITS & _SUIT, key >> 3 * _SUIT_BITS)
    suited, honours = _WITHOUT_GOLDS if gold is None else _WITH_GOLDS
    usages = (suited[m], suited[p], suited[s], honours[z])
    return _Parts(size, key, golds, suits, usages, (suited, suited, suited, honours))


def distance(concealed: Iterable[Tile], gold: Tile | None = None) -> int:
    """向听数: -1 for a complete hand, 0 for a ready one. Melds need no mention: the size tells how many sets are left.

    HandError when the number of tiles is none a hand can have; IndexError for a flower.

    >>> from engine.notation import parse_tiles
    >>> hands = ("123456m99m123p789s111s", "123456m789p2345599s", "147m258p369s1478m258p", "9m")
    >>> [distance(parse_tiles(hand), Tile.M9) for hand in hands]
    [-1, 0, 4, 0]
    """
    parts = _take_apart(concealed, gold, (1, 2))
    m, p, s, z = parts.usages
    return parts.distance(z, _together(_together(m, p), s), parts.golds)


def missing_for_sets(key: int, sets: int) -> int:
    """How many tiles must be drawn at least until some tiles of a key make so many sets and a pair.

    >>> missing_for_sets(tile_key([Tile.M1, Tile.M1, Tile.EAST, Tile.EAST]), 1)
    1
    """
    suited, honours = _WITHOUT_GOLDS
    m, p, s = (suited[key >> _SUIT_BITS * suit & _SUIT] for suit in range(3))
    return 3 * sets + 2 - _together(_together(_together(m, p), s), honours[key >> 3 * _SUIT_BITS]).paired[sets]


def discard_distances(concealed: Iterable[Tile], gold: Tile | None = None) -> dict[Tile, int]:
    """For each kind in a hand that has just drawn: the distance when one of it is thrown, in tile order.

    HandError when the hand is not to discard; IndexError for a flower.

    >>> from engine.notation import parse_tiles
    >>> {tile.code: left for tile, left in discard_distances(parse_tiles("12m558p"), Tile.S1).items()}
    {'1m': 1, '2m': 1, '5p': 1, '8p': 0}
    """
    parts = _take_apart(concealed, gold, (2,))
    rests = parts.rests()
    found = {tile: parts.with_more(tile, -1, rests[tile // 9]) for tile in ALL_TILES[:34] if count_in(parts.key, tile)}
    if gold is not None and parts.golds:
        found[gold] = parts.distance(parts.usages[0], rests[0], parts.golds - 1)
        return dict(sorted(found.items()))
    return found


def useful_kinds(concealed: Iterable[Tile], gold: Tile | None = None, *, honours: bool = False) -> tuple[Tile, ...]:
    """进张: the kinds that bring a hand nearer when drawn, in tile order; for a ready hand its winning tiles.

    A kind of which the hand holds all four cannot come and is left out; other copies are not asked for. ``honours``
    asks for honours too, where they are playable. HandError when the hand is not to draw; IndexError for a flower.

    >>> from engine.notation import format_tiles, parse_tiles
    >>> format_tiles(useful_kinds(parse_tiles("12m55p"), Tile.M3)), format_tiles(useful_kinds(parse_tiles("14m55p")))
    ('3m', '123456m5p')
    """
    parts = _take_apart(concealed, gold, (1,))
    rests = parts.rests()
    now = parts.distance(parts.usages[0], rests[0], parts.golds)
    return tuple(
        tile
        for tile in ALL_TILES[: 34 if honours else 27]
        if tile is gold or (count_in(parts.key, tile) < 4 and parts.with_more(tile, 1, rests[tile // 9]) < now)
    )
