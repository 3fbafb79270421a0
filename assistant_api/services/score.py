"""Settles one hand from a photo or a line of notation, with the facts a person adds: the command `jinque score`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from assistant_api.languages import Language
from assistant_api.services import photo_hand, rules, verdicts
from assistant_api.services.reading import Reader
from engine.context import TableFacts, WinSource
from engine.melds import MeldKind
from engine.notation import HandLine, format_hand, parse_hand
from engine.rulesets import Ruleset
from engine.rulesets.fan_ruleset import FanRuleset
from engine.seats import SEATS, Seat
from engine.tiles import Face, Tile
from engine.verdicts import CannotKnow, Fact, Refusal, Win
from vision.frames import Frame
from vision.photo import PhotoReading

ANSWERING_OPTIONS = {
    Fact.SOURCE: "--self-draw, or --from SEAT for a discard, or --how",
    Fact.FROM_SEAT: "--from SEAT",
    Fact.SEAT: "--winner SEAT",
    Fact.DEALER: "--dealer SEAT",
    Fact.STREAK: "--streak N",
    Fact.GOLD: "--gold TILE",
    Fact.WINNING_TILE: "--tile TILE",
    Fact.DEALERS_FIRST_DISCARD: "--first-discard or --no-first-discard",
    Fact.GOLD_DISCARDED: "--gold-discarded or --no-gold-discarded",
    Fact.PASSED_KINDS: "--passed TILES",
    Fact.ROUND_WIND: "--round SEAT",
    Fact.LAST_TILE: "--last-tile or --no-last-tile",
    Fact.LAST_OF_KIND: "--last-of-kind or --no-last-of-kind",
}
"""The option that answers a missing fact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What a person said beside the photo or the line; None where nothing was said."""

    gold: Tile | None = None
    source: WinSource | None = None
    from_seat: Seat | None = None
    winner: Seat | None = None
    dealer: Seat | None = None
    streak: int | None = None
    round_wind: Seat | None = None
    tile: Tile | None = None
    swap: Tile | None = None
    flowers: tuple[Face, ...] | None = None
    kongs: MeldKind | None = None
    guess: bool = False
    facts: TableFacts = field(default_factory=TableFacts)


@dataclass(frozen=True, slots=True)
class Assumed:
    """A fact nobody gave, taken at its usual value and said so."""

    fact: str
    value: str | int
    option: str


@dataclass(frozen=True, slots=True)
class Scored:
    """A hand with the answer to it, and how it came about."""

    line: HandLine
    answer: verdicts.Answer
    ruleset: Ruleset
    assumed: tuple[Assumed, ...]
    reading: PhotoReading | None = None
    check_texts: tuple[str, ...] = ()
    open_kongs: bool = False

    def as_json(self) -> dict[str, Any]:
        """The document of `jinque score --json`."""
        verdict, kept = self.answer.verdict, self.answer.settlement
        refused = isinstance(verdict, Refusal)
        return {
            "legal": self.answer.legal,
            "reason": str(verdict.reason) if isinstance(verdict, Refusal) else None,
            "message": {"zh": verdict.zh, "en": verdict.en} if isinstance(verdict, Refusal) else None,
            "remedy": verdicts.refusal(verdict, Language.EN).remedy if isinstance(verdict, Refusal) else None,
            "win_types": [kind.code for kind in kept.kinds] if kept else [],
            "fans": [fan.model_dump() for fan in kept.fans] if kept else [],
            "special": kept.special if kept else 0,
            "flower_count": kept.flower_count if kept else None,
            "gold_count": len(kept.gold_roles) if kept else None,
            "fan": kept.fan if kept else {},
            "per_payer": kept.per_payer if kept else (0 if refused else None),
            "deltas": kept.deltas if kept else (list(self.answer.refused_deltas) if refused else None),
            "transfers": [move.model_dump() for move in kept.moves] if kept else [],
            "next_dealer": kept.next_dealer if kept else None,
            "next_streak": kept.next_streak if kept else None,
            "explanation": [line.model_dump() for line in kept.lines] if kept else [],
            "golds": [{"gold": kept.gold, "stands_for": role} for role in kept.gold_roles] if kept else [],
            "unverified": [str(fact) for fact in verdict.unverified] if isinstance(verdict, Win) else [],
            "questions": self.questions(),
            "assumed": [{"fact": one.fact, "value": one.value, "option": one.option} for one in self.assumed],
            "hand": format_hand(self.line),
            "ruleset": self.ruleset.name,
            "options": dict(self.ruleset.changed()),
            "reading": None if self.reading is None else self.reading.as_json(),
        }

    def questions(self) -> list[dict[str, str]]:
        """What is missing, and the option that answers it."""
        verdict = self.answer.verdict
        if not isinstance(verdict, CannotKnow):
            return []
        return [
            {
                "fact": verdicts.FACT_NAMES.get(fact, str(fact)),
                "zh": fact.zh,
                "en": fact.en,
                "option": ANSWERING_OPTIONS.get(fact, ""),
            }
            for fact in verdict.missing
        ]


def score_line(text: str, given: Given, ruleset: Ruleset) -> Scored:
    """Settle a hand given in notation; NotationError for anything else."""
    return _score(parse_hand(text), given, ruleset)


def score_photo(frame: Frame, reader: Reader, given: Given, ruleset: Ruleset) -> Scored:
    """Read a photo, lay it out and settle it; a tile that could not be told makes the answer a refusal that says so."""
    seen = photo_hand.see_finished(frame, reader, ruleset, guess=given.guess, kongs=given.kongs)
    texts = tuple(problem.text for problem in seen.check.problems)
    scored = _score(seen.line, given, ruleset)
    return replace(scored, reading=seen.reading, check_texts=texts, open_kongs=seen.open_kongs)


def _score(line: HandLine, given: Given, ruleset: Ruleset) -> Scored:
    line, assumed = _complete(_with_given(line, given), ruleset)
    return Scored(line, verdicts.answer(line, given.facts, ruleset), ruleset, tuple(assumed))


def _with_given(line: HandLine, given: Given) -> HandLine:
    """The line with what was said on top; a winning tile that lies among the hand is taken out of it."""
    said = {
        "gold": given.gold,
        "source": given.source,
        "from_seat": given.from_seat,
        "seat": given.winner,
        "dealer": given.dealer,
        "streak": given.streak,
        "round_wind": given.round_wind,
        "swap": given.swap,
        "flowers": given.flowers,
    }
    line = replace(line, **{name: value for name, value in said.items() if value is not None})  # type: ignore[arg-type]
    if given.tile is None or given.tile is line.winning_tile:
        return line
    concealed = list(line.concealed)
    if line.winning_tile is not None:
        concealed.append(line.winning_tile)
    if given.tile in concealed and len(concealed) % 3 == 2:
        concealed.remove(given.tile)
    return replace(line, concealed=tuple(concealed), winning_tile=given.tile)


def _complete(line: HandLine, ruleset: Ruleset) -> tuple[HandLine, Sequence[Assumed]]:
    """The line with the usual values of the facts that only move the answer around the table."""
    assumed = []
    if line.dealer is None:
        line = replace(line, dealer=Seat.EAST)
        assumed.append(Assumed("dealer", "E", "--dealer"))
    if line.seat is None:
        seat = next(seat for seat in SEATS if seat is not line.from_seat)
        line = replace(line, seat=seat)
        assumed.append(Assumed("winner", seat.code, "--winner"))
    if line.round_wind is None and isinstance(ruleset, FanRuleset):
        line = replace(line, round_wind=Seat.EAST)
        assumed.append(Assumed("round", "E", "--round"))
    if line.streak is None:
        line = replace(line, streak=0)
        if not isinstance(ruleset, FanRuleset):
            assumed.append(Assumed("streak", 0, "--streak"))
    return line, assumed


def settings_of(name: str, file_options: dict[str, object], pairs: Sequence[str]) -> Ruleset:
    """The ruleset with the options of a file, then those given one by one."""
    return rules.resolve(name, {**file_options, **dict(rules.split_setting(pair) for pair in pairs)})
