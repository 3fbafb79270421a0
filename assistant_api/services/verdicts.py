"""Asks the engine about a hand: a settled win, a refusal, or the facts that are missing. Commands and API share it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from assistant_api.languages import Language, strings
from assistant_api.schemas import Question, RefusalOut
from assistant_api.services.records import SettlementRecord, record
from assistant_api.texts import said
from engine.context import TableFacts, WinContext
from engine.notation import HandLine
from engine.rulesets import Ruleset
from engine.settlement import settle
from engine.verdicts import CannotKnow, Fact, Refusal, Verdict, Win
from engine.win import judge_win

FACT_NAMES = {Fact.SEAT: "winner"}
"""Facts that people know by another name than the engine."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the engine says about a hand, with the settlement of a win."""

    verdict: Verdict
    settlement: SettlementRecord | None = None

    @property
    def legal(self) -> bool | None:
        """Yes, no, or None for cannot know yet."""
        return None if isinstance(self.verdict, CannotKnow) else isinstance(self.verdict, Win)


def answer(line: HandLine, facts: TableFacts, ruleset: Ruleset) -> Answer:
    """Judge and settle a hand."""
    context = line.context(facts)
    verdict = judge_win(context, ruleset)
    if isinstance(verdict, CannotKnow) and Fact.WINNING_TILE in verdict.missing:
        context = _choose_winning_tile(context, ruleset)
        verdict = judge_win(context, ruleset)
    if not isinstance(verdict, Win):
        return Answer(verdict)
    missing = tuple(
        fact
        for fact, value in ((Fact.SEAT, context.seat), (Fact.DEALER, context.dealer), (Fact.STREAK, context.streak))
        if value is None
    )
    if missing:
        return Answer(CannotKnow(missing))
    return Answer(verdict, record(verdict, settle(verdict, ruleset), ruleset))


def _choose_winning_tile(context: WinContext, ruleset: Ruleset) -> WinContext:
    """Which of the tiles won is asked only where it matters: when every choice gives one answer, any of them will do."""
    choices: dict[object, WinContext] = {}
    for face in dict.fromkeys(context.concealed):
        rest = list(context.concealed)
        rest.remove(face)
        choice = replace(context, concealed=tuple(rest), winning_tile=face)
        choices.setdefault(_outcome(judge_win(choice, ruleset)), choice)
    return next(iter(choices.values())) if len(choices) == 1 else context


def _outcome(verdict: Verdict) -> object:
    if isinstance(verdict, Win):
        return verdict.counted, verdict.win_types, verdict.special, verdict.flower_count, verdict.golds, verdict.unverified
    return verdict.reason if isinstance(verdict, Refusal) else verdict


def questions(verdict: CannotKnow, language: Language) -> list[Question]:
    """The missing facts as questions."""
    return [Question(fact=FACT_NAMES.get(fact, str(fact)), text=said(fact, language)) for fact in verdict.missing]


def refusal(verdict: Refusal, language: Language) -> RefusalOut:
    """The reason in one sentence and what would make the win legal."""
    remedy = strings(language).get(f"remedy.{verdict.reason}", "")
    return RefusalOut(code=str(verdict.reason), text=said(verdict, language), remedy=remedy)
