"""Asks the engine about a hand: a settled win, a refusal, or the facts that are missing. Commands and API share it."""

from __future__ import annotations

from dataclasses import dataclass

from assistant_api.languages import Language, strings
from assistant_api.schemas import Question, RefusalOut
from assistant_api.services.records import SettlementRecord, record
from assistant_api.texts import said
from engine.context import TableFacts, WinContext
from engine.notation import HandLine
from engine.rulesets import Ruleset
from engine.settlement import settle, settle_refusal
from engine.verdicts import CannotKnow, Fact, Refusal, Verdict, Win
from engine.win import judge_win

FACT_NAMES = {Fact.SEAT: "winner"}
"""Facts that people know by another name than the engine."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the engine says about a hand: with the settlement of a win, or with what a refused one costs."""

    verdict: Verdict
    settlement: SettlementRecord | None = None
    refused_deltas: tuple[int, int, int, int] = (0, 0, 0, 0)

    @property
    def legal(self) -> bool | None:
        """Yes, no, or None for cannot know yet."""
        return None if isinstance(self.verdict, CannotKnow) else isinstance(self.verdict, Win)


def answer(line: HandLine, facts: TableFacts, ruleset: Ruleset) -> Answer:
    """Judge and settle a hand."""
    return answer_context(line.context(facts), ruleset)


def answer_context(context: WinContext, ruleset: Ruleset) -> Answer:
    """Judge and settle a declared win."""
    verdict = judge_win(context, ruleset)
    if isinstance(verdict, Win):
        return Answer(verdict, record(verdict, settle(verdict, ruleset), ruleset))
    if isinstance(verdict, Refusal) and context.seat is not None:
        return Answer(verdict, refused_deltas=settle_refusal(context.seat, verdict.reason, ruleset).deltas)
    return Answer(verdict)


def questions(verdict: CannotKnow, language: Language) -> list[Question]:
    """The missing facts as questions."""
    return [Question(fact=FACT_NAMES.get(fact, str(fact)), text=said(fact, language)) for fact in verdict.missing]


def refusal(verdict: Refusal, language: Language) -> RefusalOut:
    """The reason in one sentence and what would make the win legal."""
    remedy = strings(language).get(f"remedy.{verdict.reason}", "")
    return RefusalOut(code=str(verdict.reason), text=said(verdict, language), remedy=remedy)
