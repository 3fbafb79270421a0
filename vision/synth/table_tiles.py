"""What lies on a table of four: hands, melds, flowers, discards and the wall. Where it lies says `table_plan`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from engine.seats import SEATS
from engine.tiles import ALL_TILES, Tile

SET_SIZE = 144
STACKS = SET_SIZE // 2
FLOWERS = ALL_TILES[34:]


@dataclass(frozen=True, slots=True)
class LaidMeld:
    """A chow, pung or kong: its tiles from left to right, and which of them lie face down or across."""

    tiles: tuple[Tile, ...]
    hidden: tuple[int, ...] = ()
    across: int | None = None
    """The claimed tile, where players lay it across."""


@dataclass(frozen=True, slots=True)
class SeatTiles:
    """The tiles of one player."""

    hand: tuple[Tile, ...] = ()
    melds: tuple[LaidMeld, ...] = ()
    flowers: tuple[Tile, ...] = ()
    river: tuple[Tile, ...] = ()
    """Discards in order that nobody took."""
    is_open: bool = False
    """The hand has been laid open."""
    winning: Tile | None = None
    """The tile won with, apart from the hand."""


@dataclass(frozen=True, slots=True)
class WallTile:
    """A tile of the wall: its stack in the ring of 72 (from East's right end on, clockwise), its level from 0."""

    tile: Tile
    stack: int
    level: int


@dataclass(frozen=True, slots=True)
class TableTiles:
    """Everything on the table. The tiles of the four seats in turn order, the wall, the indicator on its stack."""

    seats: tuple[SeatTiles, SeatTiles, SeatTiles, SeatTiles]
    wall: tuple[WallTile, ...] = ()
    indicator: Tile | None = None
    indicator_stack: int = field(default=0)

    def tiles(self) -> Iterator[Tile]:
        """Every tile once."""
        for seat in self.seats:
            yield from seat.hand
            yield from (tile for meld in seat.melds for tile in meld.tiles)
            yield from seat.flowers
            yield from seat.river
            if seat.winning is not None:
                yield seat.winning
        yield from (tile.tile for tile in self.wall)
        if self.indicator is not None:
            yield self.indicator


def wall_ring(tiles: list[Tile], first: int, tail_drawn: int) -> tuple[WallTile, ...]:
    """The tiles still on the wall, two high, from the head on.

    ``first`` is the stack where the wall was broken, ``tail_drawn`` how many tiles are gone from the tail, so the wall
    ends that many tiles before it. The upper tile of a stack goes first, at both ends.
    """
    left = len(tiles)
    whole_end = STACKS - tail_drawn // 2  # stacks after this one are gone
    places = [(whole_end - 1 - index // 2, index % 2) for index in range(left + tail_drawn % 2)]
    if tail_drawn % 2:  # of the last stack only the lower tile is left
        places.remove((whole_end - 1, 1))
    places = places[:left]
    places.sort(key=lambda place: (place[0], -place[1]))
    return tuple(
        WallTile(tile, (first + stack) % STACKS, level) for tile, (stack, level) in zip(tiles, places, strict=True)
    )


def random_table(rng: np.random.Generator) -> TableTiles:
    """A table at some moment of a hand: no play led to it, but all 144 tiles are there."""
    pool = [ALL_TILES[int(index)] for index in rng.permutation(np.repeat(np.arange(42), [4] * 34 + [1] * 8))]
    size = int(rng.choice([13, 16]))
    progress = float(rng.uniform(0, 1))
    flowers: list[list[Tile]] = [[], [], [], []]
    for flower in FLOWERS:
        if rng.random() < 0.35 + 0.6 * progress:
            pool.remove(flower)
            flowers[int(rng.integers(4))].append(flower)
    melds = [[_random_meld(rng, pool) for _ in range(int(rng.binomial(4, 0.1 + 0.5 * progress)))] for _ in SEATS]
    plain = [tile for tile in pool if tile not in FLOWERS]
    rest = [tile for tile in pool if tile in FLOWERS]
    indicator = plain.pop() if rng.random() < 0.8 else None
    turn = int(rng.integers(4))
    is_over = rng.random() < 0.25
    seats = []
    thrown = round(progress * 18)
    for seat in SEATS:
        hand = sorted(plain.pop() for _ in range(size - 3 * len(melds[seat]) + (seat == turn)))
        river = tuple(plain.pop() for _ in range(min(max(0, thrown + int(rng.integers(-2, 3))), len(plain) // 3)))
        is_open = is_over and (seat == turn or bool(rng.random() < 0.5))
        winning = hand.pop() if is_open and seat == turn else None
        seats.append(SeatTiles(tuple(hand), tuple(melds[seat]), tuple(flowers[seat]), river, is_open, winning))
    left = plain + rest
    left = [left[int(index)] for index in rng.permutation(len(left))]
    first, tail = int(rng.integers(STACKS)), int(rng.integers(0, 16))
    wall = wall_ring(left, first, tail)
    stacks = list(dict.fromkeys(item.stack for item in wall))
    at = stacks[-min(len(stacks), int(rng.integers(1, 10)))] if stacks else 0
    four = (seats[0], seats[1], seats[2], seats[3])
    return TableTiles(four, wall, indicator, at)


def _random_meld(rng: np.random.Generator, pool: list[Tile]) -> LaidMeld:
    """A meld of tiles that are still there; they leave the pool."""
    while True:
        tile = pool[int(rng.integers(len(pool)))]
        if tile in FLOWERS:
            continue
        kind = float(rng.random())
        if kind < 0.45:
            if not tile.is_suited or tile % 9 > 6:
                continue
            tiles = [Tile(tile + step) for step in range(3)]
        else:
            tiles = [tile] * (3 if kind < 0.75 else 4)
        if all(pool.count(each) >= tiles.count(each) for each in tiles):
            break
    for each in tiles:
        pool.remove(each)
    hidden: tuple[int, ...] = ()
    if len(tiles) == 4 and rng.random() < 0.5:
        hidden = ((0, 1, 2, 3), (0, 3), (1, 2), (0, 1, 2))[int(rng.integers(4))]
    across = int(rng.integers(len(tiles))) if not hidden and rng.random() < 0.6 else None
    return LaidMeld(tuple(tiles), hidden, across)
