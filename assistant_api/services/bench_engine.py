"""Speed of the rules engine, beside the win check of the package `mahjong` in the same run where it is installed."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from random import Random
from typing import Any

from engine.bench import Measure, bench_evaluation, bench_waits, bench_win_check, complete_hand, gold_hands, measure
from engine.tiles import SUITED


def bench_engine(count: int = 20_000, seed: int = 1) -> dict[str, Any]:
    """Medians in microseconds and rates of the engine's three questions, and the peer's win check with the ratio.

    Half of ``count`` hands are complete. The peer gets as many hands of its own size, 14 tiles without golds, half of
    them complete; it is None where the package is not installed. Times are processor time of this thread, so that other
    work on the machine does not count.
    """
    random, clock = Random(seed), time.thread_time
    hands = gold_hands(random, count)
    win_check = bench_win_check(clock, hands)
    measures = [
        win_check,
        bench_waits(clock, hands[: count // 4]),
        bench_evaluation(clock, hands[: count // 4], random),
    ]
    return {
        "runs": win_check.runs,
        "hands": count,
        "measures": [_row(item) for item in measures],
        "peer": _peer(random, count, win_check),
    }


def bench_lines(result: dict[str, Any]) -> list[str]:
    """The result of `bench_engine` as lines for a terminal."""
    rows = [*result["measures"], *(result["peer"] or {}).get("measures", [])]
    lines = [f"{row['name']:<48} {row['microseconds']:8.2f} us {row['per_second']:12,.0f} /s" for row in rows]
    lines.insert(0, f"median of {result['runs']} runs over {result['hands']:,} hands, processor time")
    if result["peer"]:
        lines.append(f"win check: {result['peer']['ratio']:.2f} times as fast as {result['peer']['name']}")
    return lines


def _row(item: Measure) -> dict[str, Any]:
    return {"name": item.name, "microseconds": round(item.microseconds, 3), "per_second": round(item.per_second)}


def _peer(random: Random, count: int, own: Measure) -> dict[str, Any] | None:
    """The package mahjong on gold-free hands of 14 tiles, with counts built inside the measure, and given."""
    if importlib.util.find_spec("mahjong") is None:
        return None
    from mahjong.agari import Agari
    from mahjong.tile import TilesConverter

    is_agari: Callable[[Sequence[int]], bool] = Agari.is_agari
    to_counts: Callable[[Sequence[int]], list[int]] = TilesConverter.to_34_array
    hands = [_numbered(random, index % 2 == 1) for index in range(count)]
    counts = [to_counts(hand) for hand in hands]
    name = f"mahjong {version('mahjong')}"
    whole = measure(
        f"{name}: win check, 14 tiles, counts built",
        time.thread_time,
        lambda: sum(is_agari(to_counts(hand)) for hand in hands),
        count,
    )
    bare = measure(
        f"{name}: win check, 14 tiles, counts given", time.thread_time, lambda: sum(map(is_agari, counts)), count
    )
    return {
        "name": name,
        "measures": [_row(whole), _row(bare)],
        "ratio": round(whole.microseconds / own.microseconds, 2),
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
