"""Random winning hands of 14 tiles for tests and measures: every shape, melds, kongs, and ways of winning.

Hands that a plain deal would hardly ever give are frequent: few kinds of tile make flushes, shifted sets and the like.
Nothing contradicts itself: a tile robbed from a kong is nowhere else, a replacement needs a kong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from engine.counting import Count, count_hand
from engine.decompose import tile_key
from engine.fans import FanTable
from engine.melds import Meld, MeldKind
from engine.patterns.view import FinishedHand
from engine.seats import Seat
from engine.shapes import Shape, set_of_meld
from engine.tiles import ALL_TILES, HONOURS, Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleWin:
    """A hand that is complete, with the way it was won."""

    concealed: tuple[Tile, ...]
    """Without the winning tile."""
    tile: Tile
    melds: tuple[Meld, ...]
    self_drawn: bool
    after_kong: bool
    last_tile: bool
    last_of_kind: bool
    seat_wind: Seat
    round_wind: Seat


ALL_SHAPES = tuple(Shape)
_COLUMNS = ((0, 3, 6), (1, 4, 7), (2, 5, 8))
_ENDS = (0, 8, 9, 17, 18, 26, *HONOURS)


def sample_win(random: Random) -> SampleWin:
    """One hand. Who gave the tiles of its melds is not said."""
    while True:
        concealed, melds = _shape(random)
        counts = [0] * 34
        for tile in concealed:
            counts[tile] += 1
        for meld in melds:
            for face in meld.tiles:
                if isinstance(face, Tile):
                    counts[face] += 1
        if max(counts) <= 4:
            return _won(random, concealed, melds, counts)


def count_sample(win: SampleWin, table: FanTable) -> Count:
    """The worth of the hand by a fan table, all shapes played."""
    hand = FinishedHand(
        key=tile_key((*win.concealed, win.tile)),
        melds=tuple(set_of_meld(meld) for meld in win.melds),
        tile=win.tile,
        shapes=ALL_SHAPES,
        self_drawn=win.self_drawn,
        after_kong=win.after_kong,
        last_tile=win.last_tile,
        last_of_kind=win.last_of_kind,
        seat_wind=win.seat_wind,
        round_wind=win.round_wind,
    )
    count = count_hand(hand, table)
    assert count is not None, win
    return count


def _won(random: Random, concealed: list[Tile], melds: tuple[Meld, ...], counts: Sequence[int]) -> SampleWin:
    random.shuffle(concealed)
    tile, rest = concealed[0], tuple(concealed[1:])
    self_drawn = random.random() < 0.5
    alone = counts[tile] == 1
    kong = any(meld.is_kong for meld in melds) if self_drawn else alone
    three_melded = counts[tile] == 4 and tile not in rest
    return SampleWin(
        concealed=rest,
        tile=tile,
        melds=melds,
        self_drawn=self_drawn,
        after_kong=kong and random.random() < 0.1,
        last_tile=random.random() < 0.05,
        last_of_kind=three_melded or (alone and random.random() < 0.1),
        seat_wind=Seat(random.randrange(4)),
        round_wind=Seat(random.randrange(4)),
    )


def _shape(random: Random) -> tuple[list[Tile], tuple[Meld, ...]]:
    kind = random.random()
    if kind < 0.03:
        orphans = [ALL_TILES[tile] for tile in _ENDS]
        return [*orphans, random.choice(orphans)], ()
    if kind < 0.08:
        return random.sample([*_knitted(random), *HONOURS], 14), ()
    if kind < 0.14:
        pool = _pool(random)
        return [tile for _ in range(7) for tile in (random.choice(pool),) * 2], ()
    if kind < 0.15:
        suit = 9 * random.randrange(3)
        ranks = (0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, random.randrange(9))
        return [ALL_TILES[suit + rank] for rank in ranks], ()
    if kind < 0.16:
        return _two_dragons(random)
    pool = _pool(random)
    if kind < 0.22:
        concealed, sets = _knitted(random), 1
    else:
        concealed, sets = [], 4
    concealed += [random.choice(pool)] * 2
    melds: list[Meld] = []
    claims = random.choice((0.0, 0.3, 0.7, 1.0))
    kongs = random.choice((0.0, 0.1, 0.6))
    runs = random.choice((0.0, 0.5, 0.7, 1.0))
    for _ in range(sets):
        meld = _set(random, pool, runs, kongs)
        if meld.is_kong or random.random() < claims:
            melds.append(meld)
        else:
            concealed += [tile for tile in meld.tiles if isinstance(tile, Tile)]
    return concealed, tuple(melds)


def _two_dragons(random: Random) -> tuple[list[Tile], tuple[Meld, ...]]:
    """双龙会: 123 and 789 twice, and a pair of fives."""
    suits = random.choice((random.sample(range(3), 3), [random.randrange(3)] * 3))
    lows = [9 * suit + rank for suit in suits[:2] for rank in (0, 6)]
    chows = [tuple(ALL_TILES[low : low + 3]) for low in lows]
    melded = random.randrange(3)
    concealed = [ALL_TILES[9 * suits[2] + 4]] * 2 + [tile for chow in chows[melded:] for tile in chow]
    return concealed, tuple(Meld(MeldKind.CHOW, chow) for chow in chows[:melded])


def _pool(random: Random) -> list[Tile]:
    """The kinds a hand may be made of: all, or few."""
    suits = random.choice(((0, 1, 2), (0, 1, 2), (0, 1), (1, 2), (0,), (1,), (2,)))
    low = random.choice((0, 0, 0, 0, 1, 3, 5, 6))
    high = random.choice((9, 9, 9, 9, 8, 6, 4, 3))
    if high - low < 3:
        low, high = 0, 9
    pool = [ALL_TILES[9 * suit + rank] for suit in suits for rank in range(low, high)]
    if random.random() < 0.4:
        pool += HONOURS
    if random.random() < 0.05:
        pool = [ALL_TILES[tile] for tile in _ENDS]
    return pool


def _knitted(random: Random) -> list[Tile]:
    columns = random.sample(_COLUMNS, 3)
    return [ALL_TILES[9 * suit + rank] for suit in range(3) for rank in columns[suit]]


def _set(random: Random, pool: Sequence[Tile], runs: float, kongs: float) -> Meld:
    tile = random.choice(pool)
    if tile < 27 and tile % 9 < 7 and random.random() < runs and ALL_TILES[tile + 2] in pool:
        return Meld(MeldKind.CHOW, (tile, ALL_TILES[tile + 1], ALL_TILES[tile + 2]))
    if random.random() < kongs:
        return Meld(random.choice((MeldKind.KONG_CONCEALED, MeldKind.KONG_OPEN)), (tile,) * 4)
    return Meld(MeldKind.PUNG, (tile,) * 3)
