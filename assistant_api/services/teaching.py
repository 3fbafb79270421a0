"""Teaching from one hand: what it waits on, what each discard leaves (commands `waits` and `advise`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assistant_api.languages import Language, strings
from assistant_api.services.photo_hand import SeenHand
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
from engine.errors import HandError
from engine.notation import HandLine, format_hand, format_tiles
from engine.rulesets import Ruleset
from engine.rulesets.fan_ruleset import FanRuleset
from engine.seats import Seat
from engine.settlement import settle
from engine.tiles import Tile, Unseen
from engine.verdicts import CannotKnow, Verdict, Win
from engine.waits import Wait

_ASSUMED = {
    "gold": "",
    "gold_discarded": "no",
    "passed": "none",
    "table": "none",
    "seat": "S",
    "dealer": "E",
    "streak": "0",
    "round": "E",
    "meld_kind": "open",
}
"""What is taken where a photo cannot tell and nobody said."""

_ANSWERS = {
    "gold": "--gold TILE",
    "gold_discarded": "--gold-discarded or --no-gold-discarded",
    "passed": "--passed TILES",
    "table": "--table TILES",
    "seat": "--seat SEAT",
    "dealer": "--dealer SEAT",
    "streak": "--streak N",
    "round": "--round SEAT",
    "meld_kind": "--kong open, added or concealed",
}

_UNTOLD = "some tiles could not be told; correct them in the line, or take the best guess with --guess"
_NO_TILES = "no tile was found in the photo; get closer and take it again"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a person said beside the tiles of a hand; None where nothing was said."""

    gold: Tile | None = None
    table: Sequence[Tile] | None = None
    """Discards and others' melds in sight."""
    gold_discarded: bool | None = None
    passed: Sequence[Tile] | None = None
    seat: Seat | None = None
    dealer: Seat | None = None
    streak: int | None = None
    round_wind: Seat | None = None


def read_hand(line: HandLine, ruleset: Ruleset, told: Told) -> Position:
    """A hand with what was said on top; HandError for one that cannot be."""
    said = {
        "gold": told.gold,
        "seat": told.seat,
        "dealer": told.dealer,
        "streak": told.streak,
        "round_wind": told.round_wind,
    }
    line = replace(line, **{name: value for name, value in said.items() if value is not None})  # type: ignore[arg-type]
    thrown, passed = bool(told.gold_discarded), frozenset(told.passed or ())
    facts = TableFacts(gold_discarded=thrown, passed_kinds=passed, dead_hand=False)
    return position(line, ruleset, table=told.table or (), facts=facts)


def photo_document(
    seen: SeenHand, ruleset: Ruleset, told: Told, document: Callable[[Position], dict[str, Any]]
) -> dict[str, Any]:
    """What `document` tells of a hand in a photo, with the reading and what the photo cannot tell.

    A hand that cannot be thought about, such as one with a tile that could not be told, has a ``message`` and the line
    to set right, ``line``.
    """
    try:
        found = {**document(read_hand(seen.line, ruleset, told)), "message": None}
    except HandError as error:
        unknown = Unseen.UNREADABLE in seen.line.concealed or seen.line.winning_tile is Unseen.UNREADABLE
        message = _UNTOLD if unknown else str(error) if seen.reading.tiles else _NO_TILES
        found = {"win": None, "distance": None, "waits": [], "discards": [], "message": message}
    return {
        **found,
        "line": format_hand(seen.line if told.gold is None else replace(seen.line, gold=told.gold)),
        "problems": [problem.text for problem in seen.check.problems],
        "questions": photo_questions(seen, ruleset, told),
        "reading": seen.reading.as_json(),
    }


def photo_questions(seen: SeenHand, ruleset: Ruleset, told: Told) -> list[dict[str, str]]:
    """What the photo cannot tell and nobody said: the question, what was taken instead, the option that answers."""
    has_gold, has_rounds = bool(getattr(ruleset, "has_gold", False)), isinstance(ruleset, FanRuleset)
    asked = {
        "gold": has_gold and seen.line.gold is None and told.gold is None,
        "gold_discarded": has_gold and told.gold_discarded is None,
        "passed": not has_rounds and told.passed is None,
        "table": told.table is None,
        "seat": told.seat is None,
        "dealer": told.dealer is None,
        "streak": not has_rounds and told.streak is None,
        "round": has_rounds and told.round_wind is None,
        "meld_kind": seen.open_kongs,
    }
    chinese, english = strings(Language.ZH_HANS), strings(Language.EN)
    return [
        {
            "fact": fact,
            "zh": chinese[f"teach.ask.{fact}"],
            "en": english[f"teach.ask.{fact}"],
            "assumed": _ASSUMED[fact],
            "option": _ANSWERS[fact],
        }
        for fact, open_still in asked.items()
        if open_still
    ]


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
