"""Whole hands, played legally from seeds: nothing is reported, and no tile is ever lost."""

from __future__ import annotations

import pytest
from support.players import play

from engine.audit import audit
from engine.eventlog import format_log, parse_log
from engine.events import Deal
from engine.fold import start, step
from engine.referee import Referee
from engine.seats import Seat
from engine.table import Problem
from engine.wall import set_size

RULESETS = (
    Deal(Seat.EAST),
    Deal(Seat.SOUTH, "fuzhou-baida", 1),
    Deal(Seat.WEST, "fuzhou", 0, (("pass_pung_lock", "same_tile"), ("kong_after_claim", "true"))),
    Deal(Seat.NORTH, "fuzhou", 0, (("pass_lock_reset", "own_draw"), ("pass_lock_scope", "all_tiles"))),
    Deal(Seat.EAST, "fuzhou", 3, (("pass_lock_reset", "end_of_hand"), ("pass_lock_higher_value_ok", "true"))),
    Deal(Seat.EAST, "fuzhou", 0, (("rob_window", "instead_of_first_draw"), ("gold_in_claims", "any"))),
    Deal(Seat.EAST, "fuzhou", 0, (("three_golds_on_discard", "any"), ("gold_from_indicator", "next"))),
)


@pytest.mark.parametrize(
    "deal", RULESETS, ids=lambda deal: " ".join(f"{n}={v}" for n, v in deal.options) or deal.ruleset
)
def test_legal_hands_are_clean(deal: Deal) -> None:
    """Known hands and hidden ones."""
    for seed in range(15):
        log = play(seed, deal, hidden=seed % 2 == 1)
        assert audit(log) == (), format_log(log, numbered=True)


def test_every_event_keeps_the_tiles_together() -> None:
    """144 tiles at each step, no problem in any state, and the text form loses nothing."""
    for seed in range(12):
        log = play(seed, hidden=seed % 2 == 1)
        assert parse_log(format_log(log)) == log
        state = start(log[0])  # type: ignore[arg-type]
        for event in log[1:]:
            state, fault = step(state, event)
            assert fault is None
            assert state.total() == set_size(state.rules)
            assert state.problems() in (Problem.NONE, Problem.FLOWER_IN_HAND)


def test_settlements_of_whole_hands_sum_to_zero() -> None:
    """Every hand that ends is settled."""
    for seed in range(30):
        referee = Referee(play(seed))
        assert sum(referee.settle().deltas) == 0
