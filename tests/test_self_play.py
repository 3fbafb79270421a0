"""Whole hands under many options, as a camera sees them and with all hands known: nothing is reported."""

from __future__ import annotations

import pytest
from support.hands import play

from engine.audit import audit
from engine.eventlog import format_log
from engine.events import Deal
from engine.seats import Seat

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
        found = [one for one in audit(log) if one.certain]
        assert found == [], format_log(log, numbered=True)
