"""Judges worked cases, one JSON object a line: the command `jinque judge`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from assistant_api.errors import UsageError
from assistant_api.problems import problem_code
from assistant_api.services import rules, verdicts
from engine.context import TableFacts, WinContext, WinSource
from engine.errors import JinqueError
from engine.melds import Meld, MeldKind
from engine.rulesets import Ruleset
from engine.seats import Seat
from engine.settlement import LeftSeat, Settlement, settle_draw, settle_escape
from engine.tiles import CODES, Face, Tile, Unseen
from engine.verdicts import CannotKnow, Refusal

Case = Mapping[str, Any]


def judge_lines(lines: Iterable[str], ruleset: str | None) -> Iterator[dict[str, Any]]:
    """One answer for each case, in order; a case that cannot be judged is answered with an ``error``.

    Args:
        lines: cases, one JSON object a line; empty lines are skipped.
        ruleset: judged by this one instead of the one each case names.

    Raises:
        UsageError: a line is not a JSON object.
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            case = json.loads(line)
        except ValueError as error:
            raise UsageError(f"line {number} is not JSON: {error}; expected one case a line") from None
        if not isinstance(case, dict):
            raise UsageError(f"line {number} is not a case; expected a JSON object with id, kind and ruleset")
        yield _answer(case, number, ruleset)


def _answer(case: Case, number: int, ruleset: str | None) -> dict[str, Any]:
    name = {"id": case.get("id", number)}
    try:
        found = judge_case(case, ruleset)
    except JinqueError as error:
        return {**name, "error": {"code": problem_code(error), "message": str(error)}}
    except (KeyError, TypeError, ValueError) as error:
        message = f"the case lacks or misuses a field ({error!r}); expected the format of the worked cases"
        return {**name, "error": {"code": "bad_case", "message": message}}
    expected = case.get("expected")
    agreed = None if expected is None else all(found.get(key) == value for key, value in expected.items())
    return {**name, **found, "as_expected": agreed}


def judge_case(case: Case, ruleset: str | None = None) -> dict[str, Any]:
    """The answer to one case, with every field its kind is expected to have.

    Raises:
        RulesetError: an unknown ruleset or option.
        UsageError: a kind of case that is not judged.
    """
    named = ruleset or case.get("ruleset") or ("mcr" if "packs" in case else "fuzhou")
    found = rules.resolve(str(named), case.get("options") or {})
    kind = case.get("kind")
    judges = {"win": _win, "draw": _draw, "escape": _escape}
    if kind not in judges:
        raise UsageError(f"cases of kind {kind!r} are not judged; expected {', '.join(judges)}")
    return judges[kind](case, found)


def _win(case: Case, ruleset: Ruleset) -> dict[str, Any]:
    context = win_context(case)
    found = verdicts.answer_context(context, ruleset)
    verdict, kept = found.verdict, found.settlement
    if isinstance(verdict, CannotKnow):
        return {"legal": None, "reason": None, "missing": [str(fact) for fact in verdict.missing]}
    if isinstance(verdict, Refusal):
        return {"legal": False, "reason": str(verdict.reason), "deltas": list(found.refused_deltas)}
    assert kept is not None
    return {
        "legal": True,
        "reason": None,
        "win_types": [str(kind) for kind in kept.win_types],
        "special": kept.special,
        "flower_count": kept.flower_count,
        "gold_count": verdict.golds,
        "streak": kept.streak,
        "fan": kept.fan,
        "per_payer": kept.per_payer,
        "deltas": kept.deltas,
        "next_dealer": Seat.parse(kept.next_dealer).value,
        "next_streak": kept.next_streak,
    }


def win_context(case: Case) -> WinContext:
    """The declared win of a case."""
    win, flags = case["win"], case.get("flags") or {}
    source = WinSource(win["how"])
    tile = _tile(win.get("tile"))
    return WinContext(
        concealed=_faces(case["concealed"]),
        winning_tile=tile,
        melds=tuple(
            Meld(MeldKind(meld["type"]), _faces(meld["tiles"]), _seat(meld.get("from")))
            for meld in case.get("melds", ())
        ),
        flowers=_faces(case.get("flowers", ())),
        gold=_tile(case.get("gold")),
        source=source,
        seat=_seat(case.get("seat")),
        from_seat=_seat(win.get("from")),
        dealer=_seat(case.get("dealer")),
        streak=case.get("streak"),
        swap=_tile(win.get("swap")),
        facts=TableFacts(
            gold_discarded=bool(flags.get("discarded_gold", False)),
            passed_kinds=None if case.get("history") else frozenset(),
            dealer_discarded=bool(flags.get("dealer_has_discarded", False)),
            dealers_first_discard=bool(flags.get("dealers_first_discard", False)),
            rob_window_open=not flags.get("rob_window_closed", False),
            robbed_kong=MeldKind(flags["kong_type"]) if "kong_type" in flags else None,
        ),
    )


def _draw(case: Case, ruleset: Ruleset) -> dict[str, Any]:
    settled = settle_draw(Seat(case["dealer"]), int(case["streak"]), ruleset)
    return {"deltas": list(settled.deltas), **_next(settled)}


def _escape(case: Case, ruleset: Ruleset) -> dict[str, Any]:
    left = tuple(LeftSeat(Seat(one["seat"]), int(one["flower_fan"]), int(one["gold"])) for one in case["remaining"])
    settled = settle_escape(Seat(case["seat"]), left, int(case["streak"]), ruleset)
    return {"deltas": list(settled.deltas), **_next(settled)}


def _next(settled: Settlement) -> dict[str, Any]:
    dealer = settled.next_dealer
    return {"next_dealer": None if dealer is None else dealer.value, "next_streak": settled.next_streak}


def _faces(codes: Iterable[str]) -> tuple[Face, ...]:
    """Tiles by code; one that names none stands for a tile nobody can read, which the engine refuses."""
    return tuple(Tile.parse(code) if code in CODES else Unseen.UNREADABLE for code in codes)


def _tile(code: str | None) -> Tile | None:
    return None if code is None else Tile.parse(code)


def _seat(number: int | None) -> Seat | None:
    return None if number is None else Seat(number)
