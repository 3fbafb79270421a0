"""Judges worked cases: one JSON object in, the fields its ``expected`` may name out.

Kinds: ``win``, ``draw``, ``escape``. The format is that of the worked cases of the rules specification (section 15).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.context import TableFacts, WinContext, WinSource
from engine.errors import HandError, NotationError
from engine.melds import Meld, MeldKind
from engine.rulesets import Ruleset, get_ruleset
from engine.seats import Seat
from engine.settlement import LeftSeat, Settlement, settle, settle_draw, settle_escape, settle_refusal
from engine.tiles import Face, Tile, Unseen
from engine.verdicts import CannotKnow, Refusal
from engine.win import judge_win


def judge_case(case: Mapping[str, Any], ruleset: Ruleset | None = None) -> dict[str, Any]:
    """The answer to one case: ``id`` and every field ``expected`` has for its kind.

    ``ruleset`` overrides the one the case names; the options of the case are applied to either. HandError names a field
    that is missing or cannot be read; NotationError and RulesetError likewise.
    """
    kind = case.get("kind", "win")
    if kind not in _JUDGES:
        raise HandError(f"{kind!r} is not a kind of case; expected one of {', '.join(_JUDGES)}")
    base = ruleset or get_ruleset(str(case.get("ruleset", "fuzhou")))
    try:
        return {"id": case.get("id"), **_JUDGES[kind](case, base.with_options(case.get("options") or {}))}
    except KeyError as missing:
        raise HandError(f"case {case.get('id')!r} has no {missing.args[0]!r}; a case of kind {kind} needs it") from None


def win_context(case: Mapping[str, Any], table: Mapping[str, Any]) -> WinContext:
    """The declared win of a case or of one claim in it; ``table`` holds gold, dealer and streak."""
    win, flags = case["win"], case.get("flags") or {}
    tile = win.get("tile")
    return WinContext(
        concealed=faces(case["concealed"]),
        winning_tile=None if tile is None else face(tile),
        melds=melds(case.get("melds") or ()),
        flowers=faces(case.get("flowers") or ()),
        gold=_tile_or_none(table.get("gold")),
        source=_source(win["how"]),
        seat=seat(case["seat"]),
        from_seat=None if win.get("from") is None else seat(win["from"]),
        dealer=seat(table["dealer"]),
        streak=int(table.get("streak", 0)),
        swap=_tile_or_none(win.get("swap")),
        facts=_facts(flags),
    )


def _facts(flags: Mapping[str, Any]) -> TableFacts:
    """The facts the flags of a case give; what no flag tells did not happen."""
    robbed = flags.get("kong_type")
    return TableFacts(
        gold_discarded=bool(flags.get("discarded_gold")),
        passed_kinds=frozenset(),
        dearer_than_passed=bool(flags.get("higher_value_than_passed")),
        dealer_discarded=bool(flags.get("dealer_has_discarded")),
        dealers_first_discard=bool(flags.get("dealers_first_discard")),
        rob_window_open=not flags.get("rob_window_closed"),
        robbed_kong=None if robbed is None else meld_kind(robbed),
        dead_hand=bool(flags.get("dead_hand")),
    )


def settlement_fields(settlement: Settlement) -> dict[str, Any]:
    """Deltas and who deals next."""
    return {
        "deltas": list(settlement.deltas),
        "next_dealer": None if settlement.next_dealer is None else int(settlement.next_dealer),
        "next_streak": settlement.next_streak,
    }


def _judge_win(case: Mapping[str, Any], rules: Ruleset) -> dict[str, Any]:
    verdict = judge_win(win_context(case, case), rules)
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
        **settlement_fields(settlement),
        "gold_roles": [tile.code for tile in verdict.gold_roles],
        "explanation": [
            {"code": line.code, "zh": line.zh, "en": line.en, "points": line.points} for line in settlement.lines
        ],
    }


def _judge_draw(case: Mapping[str, Any], rules: Ruleset) -> dict[str, Any]:
    return settlement_fields(settle_draw(seat(case["dealer"]), int(case["streak"]), rules))


def _judge_escape(case: Mapping[str, Any], rules: Ruleset) -> dict[str, Any]:
    remaining = tuple(
        LeftSeat(seat(left["seat"]), int(left["flower_fan"]), int(left["gold"])) for left in case.get("remaining") or ()
    )
    return settlement_fields(settle_escape(seat(case["seat"]), remaining, int(case["streak"]), rules))


_JUDGES = {"win": _judge_win, "draw": _judge_draw, "escape": _judge_escape}


def face(code: object) -> Face:
    """The tile of a code; a code that names none is an unreadable tile."""
    if code == Unseen.BACK.value:
        return Unseen.BACK
    try:
        return Tile.parse(str(code))
    except NotationError:
        return Unseen.UNREADABLE


def faces(codes: Sequence[object]) -> tuple[Face, ...]:
    """The tiles of a list of codes."""
    return tuple(face(code) for code in codes)


def melds(items: Sequence[Mapping[str, Any]]) -> tuple[Meld, ...]:
    """Melds from objects with ``type``, ``tiles`` and ``from``."""
    return tuple(
        Meld(meld_kind(item["type"]), faces(item["tiles"]), None if item.get("from") is None else seat(item["from"]))
        for item in items
    )


def meld_kind(word: object) -> MeldKind:
    """The kind with this name; HandError lists the kinds."""
    try:
        return MeldKind(str(word))
    except ValueError:
        raise HandError(f"{word!r} is not a kind of meld; expected one of {', '.join(MeldKind)}") from None


def seat(number: object) -> Seat:
    """The seat with this number or letter."""
    return Seat.parse(str(number))


def _tile_or_none(code: object) -> Tile | None:
    return None if code is None else Tile.parse(str(code))


def _source(word: object) -> WinSource:
    try:
        return WinSource(str(word))
    except ValueError:
        raise HandError(f"{word!r} is not a way to win; expected one of {', '.join(WinSource)}") from None
