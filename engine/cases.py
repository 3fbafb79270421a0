"""Judges worked cases: one JSON object in, the fields its ``expected`` may name out.

Cases of Fuzhou are of the kinds ``win``, ``claim``, ``priority``, ``opening``, ``wall``, ``draw``, ``escape``; their
format is that of the worked cases of the rules specification (section 15). One kind is added here: ``log`` holds
``events``, the lines of an event log, and is answered with the violations of the hand, the table after it and its
points. Games with a fan table have formats of their own, see `engine.fan_cases`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.case_reading import Case, claim_context, number, seat, win_context
from engine.claims import judge_claim
from engine.errors import HandError, RulesetError
from engine.eventlog import parse_log
from engine.fan_cases import expected_of, is_fan_case, judge_fan_case
from engine.priority import Granted, grant, grant_opening
from engine.referee import Referee
from engine.rulesets import Ruleset, get_ruleset
from engine.rulesets.fan_ruleset import FanRuleset
from engine.rulesets.fuzhou import Fuzhou
from engine.seats import SEATS
from engine.settlement import LeftSeat, Settlement, settle, settle_draw, settle_escape, settle_refusal
from engine.table import Outcome
from engine.verdicts import CannotKnow, Refusal, Win
from engine.wall import Wall
from engine.win import judge_win


def judge_case(case: Case, ruleset: Ruleset | None = None) -> dict[str, Any]:
    """The answer to one case: ``id`` and every field ``expected`` has for its kind.

    ``ruleset`` overrides the one the case names; the options of the case are applied to either. HandError names a field
    that is missing or cannot be read; NotationError and RulesetError likewise.
    """
    if not isinstance(case, Mapping):
        raise HandError(f"{case!r} is not a case; expected a JSON object")
    if is_fan_case(case):
        return _judge_fan_case(case, ruleset)
    kind = case.get("kind", "win")
    if not isinstance(kind, str) or kind not in _JUDGES:
        raise HandError(f"{kind!r} is not a kind of case; expected one of {', '.join(_JUDGES)}")
    rules = (ruleset or get_ruleset(str(case.get("ruleset", "fuzhou")))).with_options(case.get("options") or {})
    if not isinstance(rules, Fuzhou):
        raise RulesetError(f"{rules.name!r} is no ruleset of Fuzhou mahjong; expected fuzhou or fuzhou-baida")
    try:
        return {"id": case.get("id"), **_JUDGES[kind](case, rules)}
    except KeyError as missing:
        raise HandError(f"case {case.get('id')!r} has no {missing.args[0]!r}; a case of kind {kind} needs it") from None
    except (TypeError, AttributeError) as wrong:
        raise HandError(f"case {case.get('id')!r} holds a value of the wrong type; {wrong}") from wrong


def expectation(case: Case, ruleset: Ruleset | None = None) -> object:
    """What a case expects, in the form of the answer; None where it expects nothing."""
    rules = _fan_rules(case, ruleset) if is_fan_case(case) else None
    return case.get("expected") if rules is None else expected_of(case, rules)


def _fan_rules(case: Case, ruleset: Ruleset | None) -> FanRuleset:
    named = ruleset or get_ruleset(str(case.get("ruleset", "mcr" if "packs" in case else "fuzhou")))
    rules = named.with_options(case.get("options") or {})
    if not isinstance(rules, FanRuleset):
        raise RulesetError(f"{rules.name!r} has no fan table; expected a ruleset such as mcr")
    return rules


def _judge_fan_case(case: Case, ruleset: Ruleset | None) -> dict[str, Any]:
    rules = _fan_rules(case, ruleset)
    try:
        return {"id": case.get("id"), **judge_fan_case(case, rules)}
    except KeyError as missing:
        raise HandError(f"case {case.get('id')!r} has no {missing.args[0]!r}; its format needs it") from None
    except (TypeError, AttributeError) as wrong:
        raise HandError(f"case {case.get('id')!r} holds a value of the wrong type; {wrong}") from wrong


def _win(case: Case, rules: Fuzhou) -> dict[str, Any]:
    verdict = judge_win(win_context(case, case, rules), rules)
    if isinstance(verdict, Refusal):
        deltas = list(settle_refusal(seat(case["seat"]), verdict.reason, rules).deltas)
        return {"legal": False, "reason": verdict.reason.value, "deltas": deltas, "zh": verdict.zh, "en": verdict.en}
    if isinstance(verdict, CannotKnow):
        return {"legal": None, "reason": None, "missing": list(verdict.missing), "zh": verdict.zh, "en": verdict.en}
    settlement = settle(verdict, rules)
    return {
        "legal": True,
        "reason": None,
        "win_types": [kind.value for kind in verdict.win_types],
        "special": verdict.special,
        "flower_count": verdict.flower_count,
        "gold_count": verdict.golds,
        "streak": verdict.context.streak,
        "fan": dict(settlement.fan),
        "per_payer": settlement.per_payer,
        **_end(settlement),
        "gold_roles": [tile.code for tile in verdict.gold_roles],
        "explanation": [
            {"code": line.code, "zh": line.zh, "en": line.en, "points": line.points} for line in settlement.lines
        ],
    }


def _claim(case: Case, rules: Fuzhou) -> dict[str, Any]:
    verdict = judge_claim(claim_context(case, case["claim"], case, rules), rules)
    if isinstance(verdict, Refusal):
        reason = verdict.reason.value
        return {"legal": False, "reason": reason, "deltas": [0, 0, 0, 0], "zh": verdict.zh, "en": verdict.en}
    return {"legal": True, "reason": None, "deltas": [0, 0, 0, 0]}


def _priority(case: Case, rules: Fuzhou) -> dict[str, Any]:
    discard = case["discard"]
    declared = [
        win_context({**claim, "win": {"how": "discard", **discard}}, case, rules)
        if claim["type"] == "win"
        else claim_context(claim, {**claim, **discard}, case, rules)
        for claim in case["claims"]
    ]
    granted = grant(declared, seat(discard["from"]), rules)
    if granted is None:
        return {"granted_seat": None, "granted_type": None, "deltas": [0, 0, 0, 0]}
    kind = "win" if isinstance(granted.outcome, Win) else granted.outcome.meld.kind.value
    return _granted(granted, kind, rules)


def _opening(case: Case, rules: Fuzhou) -> dict[str, Any]:
    granted = grant_opening([win_context(claim, case, rules) for claim in case["claims"]], seat(case["dealer"]), rules)
    if granted is None:
        return {"granted_seat": None, "granted_type": None, "deltas": [0, 0, 0, 0]}
    return _granted(granted[0], granted[1], rules)


def _granted(granted: Granted, kind: str, rules: Fuzhou) -> dict[str, Any]:
    deltas = list(settle(granted.outcome, rules).deltas) if isinstance(granted.outcome, Win) else [0, 0, 0, 0]
    return {"granted_seat": int(granted.seat), "granted_type": kind, "deltas": deltas}


def _wall(case: Case, rules: Fuzhou) -> dict[str, Any]:
    counts = case["wall"]
    names = ("open_kongs", "concealed_kongs", "flower_sets")
    wall = Wall(number(counts["remaining"]), **{name: number(counts.get(name, 0)) for name in names})
    return {"reserve": wall.reserve(rules), "drawable": wall.drawable(rules), "state": wall.state(rules).value}


def _log(case: Case, rules: Fuzhou) -> dict[str, Any]:
    referee = Referee(parse_log("\n".join(case["events"])), rules)
    table, violations = referee.state, referee.violations()
    over = referee.winner is not None or table.outcome in (Outcome.DRAWN, Outcome.ESCAPE)
    return {
        "violations": [violation.kind.value for violation in violations],
        "seats": [None if violation.seat is None else int(violation.seat) for violation in violations],
        "proofs": [list(violation.events) for violation in violations],
        "certain": [violation.certain for violation in violations],
        "phase": table.phase.value,
        "turn": int(table.turn),
        "counts": [table.seats[place].concealed_count for place in SEATS],
        "gold": None if table.gold is None else table.gold.code,
        "wall": table.wall,
        "drawable": table.drawable,
        "deltas": list(referee.settle().deltas) if over else None,
    }


def _draw(case: Case, rules: Fuzhou) -> dict[str, Any]:
    return _end(settle_draw(seat(case["dealer"]), number(case["streak"]), rules))


def _escape(case: Case, rules: Fuzhou) -> dict[str, Any]:
    remaining = tuple(
        LeftSeat(seat(left["seat"]), number(left["flower_fan"]), number(left["gold"]))
        for left in case.get("remaining") or ()
    )
    return _end(settle_escape(seat(case["seat"]), remaining, number(case["streak"]), rules))


def _end(settlement: Settlement) -> dict[str, Any]:
    """Deltas and who deals next."""
    return {
        "deltas": list(settlement.deltas),
        "next_dealer": None if settlement.next_dealer is None else int(settlement.next_dealer),
        "next_streak": settlement.next_streak,
    }


_JUDGES = {
    "win": _win,
    "claim": _claim,
    "priority": _priority,
    "opening": _opening,
    "wall": _wall,
    "log": _log,
    "draw": _draw,
    "escape": _escape,
}
