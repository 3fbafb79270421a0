"""Pure measuring of the engine: seeded hands and medians. The clock is passed in, such as ``time.perf_counter``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import TypeAlias

from engine.context import TableFacts, WinContext, WinSource
from engine.deals import complete_hand
from engine.decompose import is_complete
from engine.rulesets import get_ruleset
from engine.seats import Seat
from engine.settlement import settle
from engine.shanten import discard_distances, distance, useful_kinds
from engine.tiles import FLOWERS_AND_HONOURS, SUITED, Tile
from engine.verdicts import Win
from engine.waits import winning_tiles
from engine.win import judge_win

Clock: TypeAlias = Callable[[], float]
GoldHand: TypeAlias = tuple[tuple[Tile, ...], Tile]
"""The tiles of a hand, golds among them, and the gold kind."""

RUNS = 5


@dataclass(frozen=True, slots=True)
class Measure:
    """Median time of one operation over several runs."""

    name: str
    microseconds: float
    operations: int
    runs: int

    @property
    def per_second(self) -> float:
        """Operations in a second."""
        return 1e6 / self.microseconds


def measure(name: str, clock: Clock, work: Callable[[], object], operations: int, runs: int = RUNS) -> Measure:
    """Runs the work several times and takes the median; one run before that fills the tables."""
    work()
    seconds = []
    for _ in range(runs):
        start = clock()
        work()
        seconds.append(clock() - start)
    return Measure(name, median(seconds) / operations * 1e6, operations, runs)


def gold_hands(random: Random, count: int, golds: int = 2) -> list[GoldHand]:
    """Hands of 17 tiles with so many golds: every second one complete, the others dealt at random."""
    hands: list[GoldHand] = []
    while len(hands) < count:
        gold = SUITED[random.randrange(27)]
        if len(hands) % 2:
            tiles = complete_hand(random)[golds:] + [gold] * golds
        else:
            wall = [tile for tile in SUITED for _ in range(4) if tile is not gold]
            tiles = [*random.sample(wall, 17 - golds), *[gold] * golds]
        if tiles.count(gold) == golds:
            hands.append((tuple(tiles), gold))
    return hands


def bench_win_check(clock: Clock, hands: Sequence[GoldHand]) -> Measure:
    """Is a hand complete? From a tuple of tiles, packing the counts included."""

    def work() -> int:
        return sum(is_complete(tiles, gold) for tiles, gold in hands)

    return measure("win check, 17 tiles with 2 golds", clock, work, len(hands))


def bench_waits(clock: Clock, hands: Sequence[GoldHand]) -> Measure:
    """All winning tiles of 16 tiles with golds among them."""

    def work() -> int:
        return sum(len(winning_tiles(tiles, gold)) for tiles, gold in held)

    held = [(tiles[1:], gold) for tiles, gold in hands]
    return measure("all waits, 16 tiles", clock, work, len(held))


def bench_distance(clock: Clock, hands: Sequence[GoldHand]) -> Measure:
    """Distance to ready of 16 tiles with golds among them."""

    def work() -> int:
        return sum(distance(tiles, gold) for tiles, gold in held)

    held = [(tiles[1:], gold) for tiles, gold in hands]
    return measure("distance to ready, 16 tiles", clock, work, len(held))


def bench_useful(clock: Clock, hands: Sequence[GoldHand]) -> Measure:
    """Every useful kind of 16 tiles with golds among them."""

    def work() -> int:
        return sum(len(useful_kinds(tiles, gold)) for tiles, gold in held)

    held = [(tiles[1:], gold) for tiles, gold in hands]
    return measure("all useful tiles, 16 tiles", clock, work, len(held))


def bench_discards(clock: Clock, hands: Sequence[GoldHand]) -> Measure:
    """The distance after each discard of 17 tiles."""

    def work() -> int:
        return sum(len(discard_distances(tiles, gold)) for tiles, gold in hands)

    return measure("distance after each discard, 17 tiles", clock, work, len(hands))


def bench_evaluation(clock: Clock, hands: Sequence[GoldHand], random: Random) -> Measure:
    """A declared self-draw from tiles to deltas: every check, types, split, explanation and payments."""

    def work() -> int:
        settled = 0
        for context in contexts:
            verdict = judge_win(context, rules)
            if isinstance(verdict, Win):
                settle(verdict, rules)
                settled += 1
        return settled

    rules = get_ruleset("fuzhou")
    contexts = [_self_draw(tiles, gold, random) for tiles, gold in hands if is_complete(tiles, gold)]
    return measure("full evaluation of a win", clock, work, len(contexts))


def _self_draw(tiles: tuple[Tile, ...], gold: Tile, random: Random) -> WinContext:
    return WinContext(
        concealed=tiles[1:],
        winning_tile=tiles[0],
        flowers=tuple(random.sample(FLOWERS_AND_HONOURS, 3)),
        gold=gold,
        source=WinSource.SELF_DRAW,
        seat=Seat.SOUTH,
        dealer=Seat.EAST,
        streak=1,
        facts=TableFacts(),
    )
