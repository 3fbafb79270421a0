"""Speed of the rules engine, beside the win check of the package `mahjong` in the same run where it is installed."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from random import Random
from typing import Any

from assistant_api.services.bench_fans import bench_fans, sample_hands
from engine.bench import (
    Clock,
    Measure,
    bench_discards,
    bench_distance,
    bench_evaluation,
    bench_useful,
    bench_waits,
    bench_win_check,
    gold_hands,
    measure,
)
from engine.bench_play import bench_audit, bench_simulation, long_logs
from engine.deals import complete_hand
from engine.shanten import distance
from engine.tiles import SUITED, Tile

PLAYED = 5_000
"""Hands for which the time of playing is told; fewer are played."""


def bench_engine(count: int = 20_000, seed: int = 1, hands_played: int = 200) -> dict[str, Any]:
    """Medians in microseconds and rates of the engine's questions, and the peer's with the ratios.

    Half of ``count`` hands are complete. The peer gets as many hands of its own size, 14 tiles without golds, half of
    them complete, for its win check, and 13 of each for its distance to ready; it is None where the package is not
    installed. Times are processor time of this thread, so that other work on the machine does not count. The time of
    5,000 played hands is scaled from ``hands_played``.
    """
    random, clock = Random(seed), time.thread_time
    hands = gold_hands(random, count)
    part = hands[: count // 4]
    win_check = bench_win_check(clock, hands)
    simulation = bench_simulation(clock, seed, hands_played)
    measures = [
        win_check,
        bench_waits(clock, part),
        bench_evaluation(clock, part, random),
        bench_distance(clock, part),
        bench_useful(clock, part),
        bench_discards(clock, part),
        bench_audit(clock, long_logs(random, 1 + hands_played // 40)),
        simulation,
    ]
    fans = bench_fans(clock, sample_hands(random, count // 4))
    return {
        "runs": win_check.runs,
        "hands": count,
        "measures": [_row(item) for item in measures],
        "simulation": {
            "hands": PLAYED,
            "seconds": round(simulation.microseconds * PLAYED / 1e6, 1),
            "scaled_from": hands_played,
        },
        "peer": _peer(random, count, win_check, clock),
        "fans": [_row(item) for item in fans],
    }


def bench_lines(result: dict[str, Any]) -> list[str]:
    """The result of `bench_engine` as lines for a terminal."""
    rows = [*result["measures"], *(result["peer"] or {}).get("measures", []), *result["fans"]]
    lines = [f"{row['name']:<54} {row['microseconds']:10.2f} us {row['per_second']:12,.0f} /s" for row in rows]
    lines.insert(0, f"median of {result['runs']} runs over {result['hands']:,} hands, processor time")
    played = result["simulation"]
    scaled = f"scaled from {played['scaled_from']} hands"
    lines.append(f"{played['hands']:,} simulated hands: {played['seconds']} s, {scaled}")
    peer = result["peer"]
    if peer:
        lines.append(f"win check: {peer['ratio']:.2f} times as fast as {peer['name']}")
        lines.append(f"distance to ready: {peer['distance_ratio']:.2f} times as fast as {peer['name']}, same hands")
    own, *others = result["fans"]
    for other in others:
        ratio = other["microseconds"] / own["microseconds"]
        lines.append(f"all fans of a win: {ratio:.2f} times as fast as {other['name'].split(':')[0]}, same hands")
    return lines


def _row(item: Measure) -> dict[str, Any]:
    return {"name": item.name, "microseconds": round(item.microseconds, 3), "per_second": round(item.per_second)}


def _peer(random: Random, count: int, win_check: Measure, clock: Clock) -> dict[str, Any] | None:
    """The package mahjong on gold-free hands, with counts built inside the measure, and given."""
    if importlib.util.find_spec("mahjong") is None:
        return None
    from mahjong.agari import Agari
    from mahjong.shanten import Shanten
    from mahjong.tile import TilesConverter

    is_agari: Callable[[Sequence[int]], bool] = Agari.is_agari
    to_counts: Callable[[Sequence[int]], list[int]] = TilesConverter.to_34_array
    hands = [_numbered(random, index % 2 == 1) for index in range(count)]
    counts = [to_counts(hand) for hand in hands]
    name = f"mahjong {version('mahjong')}"
    whole = measure(
        f"{name}: win check, 14 tiles, counts built",
        clock,
        lambda: sum(is_agari(to_counts(hand)) for hand in hands),
        count,
    )
    bare = measure(f"{name}: win check, 14 tiles, counts given", clock, lambda: sum(map(is_agari, counts)), count)
    shorter = [hand[1:] for hand in hands[: count // 4]]
    tiles = [tuple(Tile(number // 4) for number in hand) for hand in shorter]
    steps: Callable[..., int] = Shanten.calculate_shanten
    theirs = measure(
        f"{name}: distance to ready, 13 tiles, counts built",
        clock,
        lambda: sum(steps(to_counts(hand), use_chiitoitsu=False, use_kokushi=False) for hand in shorter),
        len(shorter),
    )
    ours = measure(
        "distance to ready, the same 13 tiles without golds",
        clock,
        lambda: sum(distance(hand) for hand in tiles),
        len(tiles),
    )
    return {
        "name": name,
        "measures": [_row(whole), _row(bare), _row(theirs), _row(ours)],
        "ratio": round(whole.microseconds / win_check.microseconds, 2),
        "distance_ratio": round(theirs.microseconds / ours.microseconds, 2),
    }


def _numbered(random: Random, complete: bool) -> list[int]:
    """A hand of 14 suited tiles as numbers of single tiles, 0..107, four to a kind."""
    if not complete:
        return random.sample(range(108), 14)
    used = dict.fromkeys(SUITED, 0)
    numbers = []
    for tile in complete_hand(random, sets=4):
        numbers.append(4 * tile + used[tile])
        used[tile] += 1
    return numbers
