"""Chinese Official: every worked hand with its rows, totals and payments."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import shared_folder

from engine.cases import expectation, judge_case
from engine.errors import HandError, JinqueError
from engine.rulesets import get_ruleset

FOLDER = shared_folder()


def _cases(name: str) -> list[dict[str, Any]]:
    if FOLDER is None:
        return []
    lines = (FOLDER / "rules" / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


GOLDEN = [case for case in _cases("other-rulesets-golden.jsonl") if case["ruleset"] == "mcr"]


@pytest.mark.parametrize("case", [*_cases("mcr-cases.jsonl"), *GOLDEN], ids=lambda case: case["id"])
@pytest.mark.usefixtures("shared")
def test_worked_case(case: dict[str, Any]) -> None:
    """Each field the case expects is in the answer and equal, also of hands under the minimum."""
    answer, expected = judge_case(case), expectation(case)
    assert isinstance(expected, dict)
    assert {name: answer[name] for name in expected} == expected


COUNTED: dict[str, Any] = {
    "id": "X",
    "packs": [["PENG", "F1", 1], ["PENG", "F2", 2]],
    "hand": ["W5", "W5", "F3", "F3", "F3", "F4", "F4"],
    "win_tile": "F4",
    "self_drawn": False,
    "fourth_tile": False,
    "about_kong": False,
    "wall_last": False,
    "seat_wind": 0,
    "round_wind": 0,
    "flowers": 0,
}


def test_counted_hand() -> None:
    """A hand that expects nothing is answered all the same."""
    answer = judge_case(COUNTED)
    assert answer["fans"] == [
        {"name": "大四喜", "points": 88, "count": 1},
        {"name": "混一色", "points": 6, "count": 1},
    ]
    assert (answer["total"], answer["winner_gain"], answer["legal"]) == (94, 118, True)
    assert expectation(COUNTED) is None


def test_under_the_minimum() -> None:
    """The rows are listed, the win does not stand, and flowers do not help."""
    hand = ["W1", "W2", "W3", "B4", "B5", "B6", "T6", "T7", "T8", "J1", "J1", "W7", "W8"]
    answer = judge_case({**COUNTED, "packs": [], "hand": hand, "win_tile": "W9", "flowers": 8})
    assert (answer["legal"], answer["meets_8_minimum"], answer["winner_gain"]) == (False, False, None)
    assert {row["name"] for row in answer["fans"]} >= {"门前清", "花牌"}
    assert answer["total"] == answer["total_without_flowers"] + 8


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hand": ["W5"]}, "cannot be counted"),
        ({"win_tile": "W0"}, "'W0' is not a tile"),
        ({"win_tile": "J4"}, "'J4' is not a tile"),
        ({"packs": [["PUNG", "F1", 1]]}, "is not a pack"),
        ({"packs": [["CHI", "W9", 1]]}, "not the middle of a run"),
        ({"flowers": 9}, "not a number of flowers"),
        ({"seat_wind": 4}, "not a wind or a giver"),
        ({"round_wind": "E"}, "not a wind or a giver"),
        ({"packs": [["PENG", "F1", "x"]]}, "not a wind or a giver"),
        ({"self_drawn": None, "packs": None}, "wrong type"),
    ],
)
def test_bad_case(change: dict[str, Any], message: str) -> None:
    """One sentence says what is wrong."""
    with pytest.raises(JinqueError, match=message):
        judge_case({**COUNTED, **change})


@pytest.mark.parametrize("fans", [99, ["E"], [None], [{"name": "碰碰和", "points": 6}], [{}]])
def test_bad_expectation(fans: object) -> None:
    """Rows that cannot be compared are named, not tripped over."""
    with pytest.raises(HandError, match="no row of a fan table"):
        expectation({**COUNTED, "fans": fans})


def test_missing_field() -> None:
    """A case that lacks a field says which."""
    with pytest.raises(HandError, match="has no 'win_tile'"):
        judge_case({key: value for key, value in COUNTED.items() if key != "win_tile"})


def test_other_games() -> None:
    """A counted hand needs a fan table; options of the case are applied."""
    with pytest.raises(JinqueError, match="has no fan table"):
        judge_case(COUNTED, get_ruleset("fuzhou"))
    four = [["GANG", tile, 1] for tile in ("W1", "B1", "T1")]
    hand = {**COUNTED, "packs": four, "hand": ["W9", "W9", "W9", "B9"], "win_tile": "B9"}
    names = {row["name"] for row in judge_case(hand)["fans"]}
    other = {row["name"] for row in judge_case({**hand, "options": {"all_terminals_triple_pung": False}})["fans"]}
    assert names - other == {"三同刻"}


SETTLED = {
    "id": "G",
    "ruleset": "mcr",
    "input": {
        "winner": "N",
        "discarder": "W",
        "concealed": "11m 123m 456m 456s 89p",
        "melds": [],
        "win_tile": "7p",
    },
}


def test_settled_hand() -> None:
    """Payments beside the rows; a hand that is nothing costs what the table says."""
    assert judge_case(SETTLED)["deltas"] == {"E": -8, "S": -8, "W": -22, "N": 38}
    wrong = {**SETTLED, "input": {**SETTLED["input"], "win_tile": "1p"}, "options": {"false_win_points": 10}}
    answer = judge_case(wrong)
    assert (answer["legal"], answer["reason"]) == (False, "NOT_COMPLETE")
    assert answer["deltas"] == {"E": 10, "S": 10, "W": 10, "N": -30}
    winds = {**SETTLED, "input": {**SETTLED["input"], "melds": ["chow 123m"]}}
    with pytest.raises(HandError, match="is not a meld"):
        judge_case(winds)
    with pytest.raises(HandError, match="is not a row"):
        judge_case({"ruleset": "mcr", "input": {"holding": "12m", "win_tile": "3m", "predicate": "边"}})
