"""Worked cases of our own for the options of Fuzhou mahjong: arithmetic in ``why``, format as in the specification."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import shared_folder

from engine.cases import judge_case
from engine.rulesets.fuzhou import load

FILE = Path(__file__).parent / "cases" / "fuzhou-options.jsonl"
CASES: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
WITHOUT_A_CASE = (
    *("hand_size", "tile_set", "honours_are_flowers", "gold_from_indicator", "gold_flower_dealer_draws"),
    *("gold_discardable", "swap_discard", "added_kong_later", "last_group_auto_win", "false_win_points", "dead_hand"),
    *("gold_in_claims", "rob_window"),
)
"""Options, or values of them, for which the specification has no case."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']} {case['title']}")
def test_worked_case(case: dict[str, Any]) -> None:
    """Each field of ``expected`` is in the answer and equal."""
    answer = judge_case(case)
    assert {name: answer[name] for name in case["expected"]} == case["expected"], case["why"]


def _matters(option: str, case: dict[str, Any]) -> bool:
    """Without this option the case is answered otherwise."""
    rest = {name: value for name, value in case["options"].items() if name != option}
    return option in case["options"] and judge_case(case) != judge_case({**case, "options": rest})


@pytest.mark.parametrize("option", WITHOUT_A_CASE)
def test_the_option_changes_an_answer(option: str) -> None:
    """At least one case depends on it."""
    assert any(_matters(option, case) for case in CASES)


@pytest.mark.usefixtures("shared")
def test_every_option_has_a_case() -> None:
    """Here or in the specification, with a value that is not the default of its ruleset."""
    folder = shared_folder()
    assert folder is not None
    lines = (folder / "rules" / "fuzhou-cases.jsonl").read_text(encoding="utf-8").splitlines()
    seen = {name for case in (*CASES, *map(json.loads, lines)) for name in case["options"]}
    assert {option.name for option in load("fuzhou").options} <= seen
