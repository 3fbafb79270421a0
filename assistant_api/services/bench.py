"""Speed of the engine, with a peer measured in the same run: the command `jinque bench engine`.

Method: seeded random winning hands; each figure is the median of five rounds over all hands, one thread, garbage
collection off. Keys and tables of a hand are built inside the measure; the tables per suit are warm, as they are in any
running program.
"""

from __future__ import annotations

import gc
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from assistant_api.services.reading import Reader
from engine.context import TableFacts, WinContext, WinSource
from engine.decompose import is_complete
from engine.rulesets import get_ruleset
from engine.seats import Seat
from engine.settlement import settle
from engine.tiles import SUITED, Tile
from engine.verdicts import Win
from engine.waits import winning_tiles
from engine.win import judge_win
from vision.frames import Frame

ROUNDS = 5
HANDS = 2000


@dataclass(frozen=True, slots=True)
class Timing:
    """Microseconds a call, median of the rounds; ``aim`` is what the project asks of itself."""

    name: str
    hands: int
    median_us: float
    rounds_us: tuple[float, ...]
    aim_us: float | None = None

    def as_json(self) -> dict[str, Any]:
        """Wire form."""
        return {
            "name": self.name,
            "hands": self.hands,
            "median_us": round(self.median_us, 3),
            "rounds_us": [round(value, 3) for value in self.rounds_us],
            "aim_us": self.aim_us,
        }


def random_win(source: random.Random, golds: int) -> tuple[tuple[Tile, ...], Tile]:
    """A complete hand of 17 tiles with so many golds in it, and the kind that is gold; at most four of a kind."""
    while True:
        gold = source.choice(SUITED)
        tiles: list[Tile] = []
        for _ in range(5):
            tiles += _random_set(source)
        tiles += [source.choice(SUITED)] * 2
        if gold in tiles or any(tiles.count(tile) > tile.copies for tile in set(tiles)):
            continue
        for place in source.sample(range(len(tiles)), golds):
            tiles[place] = gold
        source.shuffle(tiles)
        return tuple(tiles), gold


def _random_set(source: random.Random) -> list[Tile]:
    suit = source.randrange(3) * 9
    if source.random() < 0.3:
        return [Tile(suit + source.randrange(9))] * 3
    low = suit + source.randrange(7)
    return [Tile(low), Tile(low + 1), Tile(low + 2)]


def bench_engine(seed: int = 1, hands: int = HANDS) -> dict[str, Any]:
    """Medians of the win check, all waits and a full evaluation, beside the peer where it is installed."""
    source = random.Random(seed)
    golden = [random_win(source, 2) for _ in range(hands)]
    plain = [random_win(source, 0) for _ in range(hands)]
    ruleset = get_ruleset("fuzhou")
    contexts = [_context(tiles, gold) for tiles, gold in golden]

    def evaluate(context: WinContext) -> None:
        verdict = judge_win(context, ruleset)
        if isinstance(verdict, Win):
            settle(verdict, ruleset)

    timings = [
        measure("win check, 17 tiles, 2 golds", golden, lambda hand: is_complete(*hand), aim_us=5),
        measure("win check, 17 tiles, no gold", plain, lambda hand: is_complete(hand[0]), aim_us=5),
        measure("all waits, 16 tiles, 2 golds", golden, lambda hand: winning_tiles(hand[0][1:], hand[1]), aim_us=60),
        measure("full evaluation, 2 golds", contexts, evaluate, aim_us=200),
    ]
    peer = _peer(plain)
    ratio = None if peer is None else round(peer.median_us / timings[1].median_us, 2)
    return {
        "rounds": ROUNDS,
        "seed": seed,
        "timings": [timing.as_json() for timing in timings],
        "peer": None if peer is None else {**peer.as_json(), "times_slower": ratio},
    }


def _context(tiles: tuple[Tile, ...], gold: Tile) -> WinContext:
    return WinContext(
        concealed=tiles[:-1],
        winning_tile=tiles[-1],
        gold=gold,
        source=WinSource.SELF_DRAW,
        seat=Seat.EAST,
        dealer=Seat.EAST,
        streak=0,
        facts=TableFacts(gold_discarded=False, passed_kinds=frozenset()),
    )


def measure(name: str, inputs: Sequence[Any], call: Callable[[Any], object], aim_us: float | None = None) -> Timing:
    """Median time of a call over all inputs, in microseconds."""
    for one in inputs[:50]:
        call(one)
    rounds = []
    was_on = gc.isenabled()
    gc.disable()
    try:
        for _ in range(ROUNDS):
            start = time.perf_counter()
            for one in inputs:
                call(one)
            rounds.append((time.perf_counter() - start) / len(inputs) * 1e6)
    finally:
        if was_on:
            gc.enable()
    return Timing(name, len(inputs), statistics.median(rounds), tuple(rounds), aim_us)


def _peer(plain: Sequence[tuple[tuple[Tile, ...], Tile]]) -> Timing | None:
    """The win check of the package `mahjong` on the same gold-free hands, its 34-array built inside the measure too."""
    try:
        from mahjong.agari import Agari
    except ImportError:
        return None

    def call(hand: tuple[tuple[Tile, ...], Tile]) -> object:
        counts = [0] * 34
        for tile in hand[0]:
            counts[tile] += 1
        return Agari.is_agari(counts)

    return measure("peer: mahjong's win check, no gold", plain, call)


def bench_vision(reader: Reader, frame: Frame) -> dict[str, Any]:
    """Median wall time of reading one photo after loading, decoding left out; the first read warms up."""
    reader.read(frame)
    rounds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        reader.read(frame)
        rounds.append((time.perf_counter() - start) * 1e6)
    name = f"read a photo of {frame.width} x {frame.height}"
    return {"rounds": ROUNDS, "timings": [Timing(name, 1, statistics.median(rounds), tuple(rounds), 1.5e6).as_json()]}
