"""The engine's benchmark measures what it says; no speed is asserted."""

from __future__ import annotations

from random import Random

from assistant_api.services.bench_engine import bench_engine, bench_lines
from engine.bench import gold_hands, measure
from engine.bench_play import long_logs
from engine.deals import complete_hand
from engine.decompose import is_complete


def test_measures_and_peer() -> None:
    """Every question with its rate, and a line for each; the peer stands beside them where it is installed."""
    result = bench_engine(count=40, hands_played=3)
    assert len(result["measures"]) == 8
    assert all(row["microseconds"] > 0 for row in result["measures"])
    names = [row["name"] for row in result["measures"]]
    assert "audit of a log of 150 events" in names
    assert "distance to ready, 16 tiles" in names
    assert result["simulation"]["scaled_from"] == 3
    lines = bench_lines(result)
    assert lines[0].startswith("median of 5 runs over 40 hands")
    assert any(line.startswith("5,000 simulated hands: ") for line in lines)
    assert len(bench_lines({**result, "peer": None, "fans": result["fans"][:1]})) == 11
    assert result["fans"][0]["name"].startswith("Chinese Official")


def test_median_is_taken_over_runs() -> None:
    """The clock is passed in: five runs of 1, 2, 9, 3, 2 seconds for 2 operations have a median of one second each."""
    ticks = iter([0.0, 1.0, 10.0, 12.0, 20.0, 29.0, 30.0, 33.0, 40.0, 42.0])
    result = measure("x", lambda: next(ticks), lambda: None, 2)
    assert (result.microseconds, result.per_second) == (1_000_000.0, 1.0)


def test_hands_are_half_complete() -> None:
    """Every second hand wins, all have two golds and seventeen tiles."""
    hands = gold_hands(Random(1), 200)
    assert all(len(tiles) == 17 and tiles.count(gold) == 2 for tiles, gold in hands)
    assert sum(is_complete(tiles, gold) for tiles, gold in hands) >= 100
    assert is_complete(complete_hand(Random(2)))


def test_long_logs_are_of_one_length() -> None:
    """The beginnings of hands that last longer."""
    (log,) = long_logs(Random(1), 1, events=90)
    assert len(log) == 90
