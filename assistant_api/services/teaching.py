"""Teaching from a line of notation: what a hand waits on, what each discard leaves (commands `waits` and `advise`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from engine.advice import (
    DiscardAdvice,
    JudgedWait,
    Position,
    advise,
    judged_waits,
    kongs,
    position,
    steps_to_ready,
    useful_tiles,
    win_now,
)
from engine.context import TableFacts
from engine.notation import format_tiles, parse_hand
from engine.rulesets import Ruleset
from engine.settlement import settle
from engine.tiles import Tile
from engine.verdicts import CannotKnow, Verdict, Win
from engine.waits import Wait


def read_hand(
    text: str,
    ruleset: Ruleset,
    *,
    gold: Tile | None = None,
    table: Iterable[Tile] = (),
    gold_discarded: bool = False,
    passed: Iterable[Tile] = (),
) -> Position:
    """The hand of a line of notation; NotationError or HandError for a bad one. ``table`` are tiles others show."""
    line = parse_hand(text)
    if gold is not None:
        line = replace(line, gold=gold)
    facts = TableFacts(gold_discarded=gold_discarded, passed_kinds=frozenset(passed), dead_hand=False)
    return position(line, ruleset, table=table, facts=facts)


def waits_document(hand: Position) -> dict[str, Any]:
    """What ``jinque waits --json`` prints. A hand that has drawn says whether it wins, then what discards leave."""
    document = {**_about(hand), "waits": [], "kinds": 0, "left": 0, "useful": [], "discards": []}
    if not hand.has_drawn:
        found = judged_waits(hand)
        document["waits"] = [_wait(wait, hand) for wait in found]
        document["kinds"] = len(found)
        document["left"] = sum(wait.left for wait in found)
        document["useful"] = _tiles(useful_tiles(hand))
        return document
    for one in advise(hand):
        if one.distance == 0:
            document["discards"].append({"discard": one.tile.code, "waits": _tiles(one.useful), "left": one.left})
    return document


def advise_document(hand: Position) -> dict[str, Any]:
    """What ``jinque advise --json`` prints. HandError for a hand that has yet to draw."""
    return {
        **_about(hand),
        "discards": [_discard(number, one) for number, one in enumerate(advise(hand), start=1)],
        "kongs": [{"kong": str(one.kind), "tile": one.tile.code, "distance": one.distance} for one in kongs(hand)],
    }


def _about(hand: Position) -> dict[str, Any]:
    win = win_now(hand)
    return {
        "hand": format_tiles(hand.concealed),
        "gold": None if hand.gold is None else hand.gold.code,
        "has_gold": hand.rules.has_gold,
        "golds": hand.golds,
        "melds": len(hand.melds),
        "ruleset": hand.rules.name,
        "facts": _facts(hand),
        "win": None if win is None else _verdict(win, hand),
        "distance": steps_to_ready(hand),
    }


def _facts(hand: Position) -> dict[str, Any]:
    """What the verdicts count with; facts nobody gave have their usual values."""
    context = hand.context
    return {
        "seat": None if context.seat is None else context.seat.code,
        "dealer": None if context.dealer is None else context.dealer.code,
        "streak": context.streak,
        "flowers": format_tiles(context.flowers),
        "gold_discarded": context.facts.gold_discarded,
        "passed": [tile.code for tile in sorted(context.facts.passed_kinds or ())],
    }


def _verdict(verdict: Verdict, hand: Position) -> dict[str, Any]:
    """A win with its types and the ordinary payment, a refusal with its reason, or what is missing."""
    document: dict[str, Any] = {"legal": None, "reason": None, "win_types": [], "special": 0, "per_payer": None}
    document["names"] = []
    if isinstance(verdict, Win):
        return document | {
            "legal": True,
            "win_types": [str(kind) for kind in verdict.win_types],
            "names": [kind.zh for kind in verdict.win_types],
            "special": verdict.special,
            "per_payer": settle(verdict, hand.rules).per_payer,
        }
    if isinstance(verdict, CannotKnow):
        return document | {"missing": [str(fact) for fact in verdict.missing]}
    return document | {"legal": False, "reason": str(verdict.reason), "zh": verdict.zh, "en": verdict.en}


def _wait(wait: JudgedWait, hand: Position) -> dict[str, Any]:
    return {
        "tile": wait.tile.code,
        "left": wait.left,
        "completes": wait.completes,
        "self_draw_only": wait.self_draw_only,
        "self_draw": _verdict(wait.drawn, hand),
        "discard": _verdict(wait.thrown, hand),
    }


def _tiles(waits: Iterable[Wait]) -> list[dict[str, Any]]:
    return [{"tile": wait.tile.code, "left": wait.left} for wait in waits]


def _discard(rank: int, one: DiscardAdvice) -> dict[str, Any]:
    return {
        "rank": rank,
        "discard": one.tile.code,
        "distance": one.distance,
        "left": one.left,
        "useful": _tiles(one.useful),
        "reasons": [
            {"code": str(note.kind), "tiles": [tile.code for tile in note.tiles], "zh": note.zh, "en": note.en}
            for note in one.notes
        ],
    }
