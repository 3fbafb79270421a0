"""Simulated hands for tests."""

from __future__ import annotations

from random import Random

from engine.events import Deal, Log
from engine.policy import Habits
from engine.seats import Seat
from engine.simulate import as_seen, play_hand


def play(seed: int, deal: Deal | None = None, *, hidden: bool = False, careless: bool = False) -> Log:
    """A legal hand from a seed. ``hidden``: as a camera sees it; ``careless``: golds are thrown often."""
    deal = deal or Deal(Seat(seed % 4))
    habits = Habits(throw_gold=1.0, second_best=0.9) if careless else Habits()
    log = play_hand(Random(seed), deal, arranged=seed % 5 == 4, habits=habits).log
    return as_seen(log) if hidden else log
