"""Whole hands followed without pictures: nothing goes wrong in perfect sight, and little in sight as on films."""

from __future__ import annotations

import pytest

from assistant_api.services.live.trial import describe, figures, trials, try_hand
from vision.synth.live_views import PERFECT, SightQuality


@pytest.mark.parametrize("seed", [2, 3])
def test_in_perfect_sight_a_hand_is_followed_without_fault(seed: int) -> None:
    found = try_hand(seed, PERFECT)
    assert found.is_right, describe(found)


def test_sight_as_on_films_costs_little() -> None:
    found = figures([try_hand(seed, SightQuality()) for seed in (1, 4)])
    assert found["recall"] >= 0.9
    assert found["precision"] >= 0.9
    assert found["false_warnings"] == 0


def test_an_illegal_act_is_told_and_counted() -> None:
    found = figures(list(trials([5], PERFECT, mixed=False, illegal=["bad_claim"])))
    assert found["by_act"] == {"bad_claim": "1 of 1"}
    assert found["false_warnings"] == 0
