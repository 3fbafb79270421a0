"""The worked cases of the rules specification: every field they expect."""

from __future__ import annotations

import json
from typing import Any

import pytest
from conftest import shared_folder

from assistant_api.errors import UsageError
from assistant_api.services.cases import judge_lines
from engine.cases import judge_case
from engine.errors import HandError, NotationError, RulesetError
from engine.rulesets import get_ruleset

FOLDER = shared_folder()
CASES: list[dict[str, Any]] = (
    [json.loads(line) for line in (FOLDER / "rules" / "fuzhou-cases.jsonl").read_text(encoding="utf-8").splitlines()]
    if FOLDER
    else []
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
@pytest.mark.usefixtures("shared")
def test_worked_case(case: dict[str, Any]) -> None:
    """Each field of ``expected`` is in the answer and equal."""
    answer = judge_case(case)
    assert {name: answer[name] for name in case["expected"]} == case["expected"], case.get("why")


WIN: dict[str, Any] = {
    "id": "X",
    "kind": "win",
    "dealer": 0,
    "streak": 0,
    "seat": 1,
    "gold": "9m",
    "concealed": ["1m", "2m", "3m", "4m", "5m", "6m", "7p", "8p", "9p", "2s", "3s", "4s", "5s", "5s", "6p", "7p"],
    "win": {"how": "self_draw", "tile": "8p"},
}


def test_answer_explains_itself() -> None:
    """Beside the expected fields: what golds stand for, and a line for each term."""
    answer = judge_case({**WIN, "win": {"how": "self_draw", "tile": "9m"}})
    assert answer["gold_roles"] in (["5p"], ["8p"])
    assert {"code", "zh", "en", "points"} == set(answer["explanation"][0])
    refused = judge_case({**WIN, "win": {"how": "self_draw", "tile": "1p"}})
    assert (refused["legal"], refused["reason"], refused["deltas"]) == (False, "NOT_COMPLETE", [0, 0, 0, 0])
    assert refused["zh"]
    assert refused["en"]


def test_missing_facts() -> None:
    """A case that does not say which tile is the gold cannot be judged yet."""
    answer = judge_case({key: value for key, value in WIN.items() if key != "gold"})
    assert (answer["legal"], answer["missing"]) == (None, ["gold"])


def test_ruleset_may_be_given() -> None:
    """A ruleset from outside stands in for the one the case names; the options of the case still count."""
    baida = judge_case(WIN, get_ruleset("fuzhou-baida"))
    assert baida["per_payer"] == 30
    assert judge_case({**WIN, "options": {"base_unit": 2}}, get_ruleset("fuzhou-baida"))["per_payer"] == 60


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"kind": "puzzle"}, HandError, "not a kind of case"),
        ({"kind": ["win"]}, HandError, "not a kind of case"),
        ({"options": ["base_unit"]}, RulesetError, "are no options"),
        ({"ruleset": "fuzou"}, RulesetError, "not a ruleset"),
        ({"options": {"x": 1}}, RulesetError, "no option"),
        ({"win": {"how": "luck"}}, HandError, "not a way to win"),
        ({"win": {}}, HandError, "has no 'how'"),
        ({"melds": [{"type": "quad", "tiles": []}]}, HandError, "not a kind of meld"),
        ({"seat": 4}, NotationError, "not a seat"),
        ({"gold": "10m"}, NotationError, "not a tile"),
        ({"streak": "two"}, HandError, "not a count"),
        ({"streak": -1}, HandError, "not a count"),
        ({"concealed": "123m"}, HandError, "not a list of tiles"),
        ({"concealed": None}, HandError, "not a list of tiles"),
        ({"win": "self_draw"}, HandError, "wrong type"),
        ({"history": [{"e": "cheat", "seat": 1}]}, HandError, "not a step of a history"),
    ],
)
def test_bad_cases_are_named(change: dict[str, Any], error: type[Exception], message: str) -> None:
    """One clear sentence for each fault of a case."""
    with pytest.raises(error, match=message):
        judge_case({**WIN, **change})


def test_a_case_is_an_object() -> None:
    """A line that holds something else is named."""
    with pytest.raises(HandError, match="not a case"):
        judge_case([1, 2])  # type: ignore[arg-type]


def test_a_line_nested_too_deeply_is_named() -> None:
    """One sentence, as for any line that is no case."""
    with pytest.raises(UsageError, match="line 1 is nested too deeply"):
        list(judge_lines(["[" * 100_000], None))
