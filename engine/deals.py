"""Walls to deal from: shuffled ones, and ones arranged so that something rare comes about soon.

A wall is a tuple of all tiles in the order in which they leave it from the head: 17 for the dealer, 16 for each seat
after him, then the draws. The last tile is the first one at the tail.

Shuffled walls show 天胡, 起手三金 or 金龙 once in many thousand hands. An arranged wall gives one seat a few chosen
tiles and everybody else suited tiles at random, so that no flower moves the tile that becomes gold. It decides nothing:
the players go on as they like.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from engine.checks import indicator_of, is_flower, is_in_set
from engine.rulesets.fuzhou import Fuzhou
from engine.tiles import ALL_TILES, SUITED, Tile

WallTiles: TypeAlias = tuple[Tile, ...]


def shuffled_wall(random: Random, rules: Fuzhou) -> WallTiles:
    """All tiles in random order."""
    tiles = _tile_set(rules)
    random.shuffle(tiles)
    return tuple(tiles)


def arranged_wall(random: Random, rules: Fuzhou) -> WallTiles:
    """A wall with one of the scenes below, a random one."""
    while True:
        gold = random.choice(SUITED)
        wish = random.choice(_SCENES)(random, gold)
        rest = Counter(_tile_set(rules))
        rest.subtract([*wish.tiles, *wish.draws, indicator_of(gold, rules)])
        if min(rest.values()) >= 0:
            return _built(random, rules, wish, rest)


def complete_hand(random: Random, sets: int = 5, kinds: Sequence[Tile] = SUITED) -> list[Tile]:
    """A complete hand without golds, in random order, at most four of a kind. ``kinds`` are whole suits."""
    return _blocks(random, sets, 1, kinds)


def _blocks(random: Random, sets: int, pairs: int, kinds: Sequence[Tile] = SUITED) -> list[Tile]:
    """So many sets and pairs in random order, runs more often than triplets."""
    while True:
        tiles = [tile for _ in range(pairs) for tile in [random.choice(kinds)] * 2]
        for _ in range(sets):
            place = random.randrange(len(kinds))
            run = place % 9 <= 6 and random.random() < 0.7
            tiles += kinds[place : place + 3] if run else [kinds[place]] * 3
        if all(tiles.count(tile) <= 4 for tile in set(tiles)):
            random.shuffle(tiles)
            return tiles


@dataclass(frozen=True, slots=True)
class _Wish:
    """What an arranged wall gives: some tiles to a seat, counted from the dealer, and the first draws of play."""

    place: int
    tiles: list[Tile]
    gold: Tile
    draws: tuple[Tile, ...] = ()


def _heavenly(random: Random, gold: Tile) -> _Wish:
    """天胡: the dealer has a complete hand."""
    return _Wish(0, complete_hand(random), gold)


def _three_golds(random: Random, gold: Tile) -> _Wish:
    """起手三金: a seat has three golds."""
    return _Wish(random.randrange(4), [gold] * 3, gold)


def _ready(random: Random, gold: Tile) -> _Wish:
    """抢金, or a win on the dealer's first discard: a seat is ready."""
    return _Wish(random.randrange(4), complete_hand(random)[1:], gold)


def _sparrow(random: Random, gold: Tile) -> _Wish:
    """金雀: a seat has two golds, and sets that miss a tile."""
    return _Wish(random.randrange(4), [gold, gold, *_blocks(random, 5, 0)[1:]], gold)


def _dragon(random: Random, gold: Tile) -> _Wish:
    """金龙: the seat after the dealer has three golds and draws the last natural tile, if nobody claims before."""
    first, *others = complete_hand(random, sets=4)
    return _Wish(1, [gold, gold, gold, *others], gold, (first,))


def _one_suit(random: Random, gold: Tile) -> _Wish:
    """清一色 or 混一色: a seat is ready in one suit, often with a gold."""
    suit = 9 * random.randrange(3)
    hand = complete_hand(random, kinds=SUITED[suit : suit + 9])
    return _Wish(random.randrange(4), [gold, *hand[2:]] if random.random() < 0.7 else hand[1:], gold)


_SCENES: tuple[Callable[[Random, Tile], _Wish], ...] = (
    _heavenly,
    _three_golds,
    _ready,
    _sparrow,
    _dragon,
    _one_suit,
)


def _built(random: Random, rules: Fuzhou, wish: _Wish, rest: Counter[Tile]) -> WallTiles:
    """The wall with the wish in its places; ``rest`` are the tiles it leaves."""
    left = list(rest.elements())
    random.shuffle(left)
    plain = [tile for tile in left if not is_flower(tile, rules)]
    wall: list[Tile] = []
    for place in range(4):
        hand = list(wish.tiles) if place == wish.place else []
        size = rules.hand_size + (place == 0)
        wall += hand
        for _ in range(size - len(hand)):
            wall.append(plain.pop())
    flowers = [tile for tile in left if is_flower(tile, rules)]
    others = [*plain, *flowers]
    random.shuffle(others)
    return (*wall, *wish.draws, *others, indicator_of(wish.gold, rules))


def _tile_set(rules: Fuzhou) -> list[Tile]:
    return [tile for tile in ALL_TILES if is_in_set(tile, rules) for _ in range(tile.copies)]
