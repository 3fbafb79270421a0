"""Pure measuring of whole hands: auditing a log, and playing. The clock is passed in."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from random import Random

from engine.audit import audit
from engine.bench import Clock, Measure, measure
from engine.events import Deal, Log
from engine.policy import Habits
from engine.seats import Seat
from engine.simulate import evening

LOG_EVENTS = 150
"""Events of a very long hand; most are half as long."""


def long_logs(random: Random, count: int, events: int = LOG_EVENTS) -> tuple[Log, ...]:
    """The first so many events of hands in which the wall is played out, because nobody cares to win."""
    never = Habits(pass_win=1.0, pass_draw=1.0, hold_golds=1.0)
    hands = evening(random, Deal(Seat.EAST, "fuzhou-baida"), 1 << 30, habits=never)
    return tuple(islice((played.log[:events] for played in hands if len(played.log) >= events), count))


def bench_audit(clock: Clock, logs: Sequence[Log]) -> Measure:
    """Going through a whole log with all hands known."""

    def work() -> int:
        return sum(len(audit(log)) for log in logs)

    return measure(f"audit of a log of {len(logs[0])} events", clock, work, len(logs))


def bench_simulation(clock: Clock, seed: int, hands: int, runs: int = 3) -> Measure:
    """Playing hands on the referee's table, settlements included; tables are warm."""

    def work() -> int:
        return sum(1 for _ in evening(Random(seed), Deal(Seat.EAST), hands))

    return measure("simulated hand", clock, work, hands, runs)
