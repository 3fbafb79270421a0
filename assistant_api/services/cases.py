"""Judges a file of worked cases, one JSON object a line: the command `jinque judge`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from assistant_api.errors import UsageError
from assistant_api.problems import problem_code
from engine.cases import expectation, judge_case
from engine.errors import JinqueError
from engine.rulesets import get_ruleset


def judge_lines(lines: Iterable[str], ruleset: str | None) -> Iterator[dict[str, Any]]:
    """One answer for each case, in order; a case that cannot be judged is answered with an ``error``.

    An answer has ``as_expected`` beside its own fields: whether every field of the case's ``expected`` came out so,
    None where the case expects nothing.

    Args:
        lines: cases, one JSON object a line; empty lines are skipped.
        ruleset: judged by this one instead of the one each case names.

    Raises:
        UsageError: a line is not a JSON object.
        RulesetError: there is no such ruleset.
    """
    rules = None if ruleset is None else get_ruleset(ruleset)
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        case = _parse(line, number)
        name = {"id": case.get("id", number)}
        try:
            found = judge_case(case, rules)
            expected = expectation(case, rules)
        except JinqueError as error:
            yield {**name, "error": {"code": problem_code(error), "message": str(error)}}
        else:
            yield {**name, **found, "as_expected": _agrees(found, expected)}


def _parse(line: str, number: int) -> dict[str, Any]:
    try:
        case = json.loads(line)
    except RecursionError:
        raise UsageError(f"line {number} is nested too deeply; expected one case a line") from None
    except ValueError as error:
        raise UsageError(f"line {number} is not JSON: {error}; expected one case a line") from None
    if not isinstance(case, dict):
        raise UsageError(f"line {number} is not a case; expected a JSON object with id, kind and ruleset")
    return case


def _agrees(found: Mapping[str, Any], expected: object) -> bool | None:
    if not isinstance(expected, dict):
        return None
    return all(key in found and found[key] == value for key, value in expected.items())
