"""From a finished hand to its settlement: judged for a preview, or kept in the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant_api.errors import NotSettledError
from assistant_api.languages import Language, translate
from assistant_api.schemas import Facts, PlacedTile, Preview, Question, SettlementRequest
from assistant_api.services import hand_draft, rules, verdicts
from assistant_api.services.facts import table_facts
from assistant_api.services.records import SettlementRecord, settlement_out
from engine.rulesets import Ruleset
from engine.verdicts import CannotKnow, Refusal


@dataclass(frozen=True, slots=True)
class Judged:
    """A hand with its ruleset and the answer to it."""

    ruleset: Ruleset
    preview: Preview
    settlement: SettlementRecord | None


def judge(request: SettlementRequest, *, default_ruleset: str, language: Language) -> Judged:
    """Check the tiles, judge the win and settle it; nothing is stored."""
    ruleset = rules.resolve(request.ruleset or default_ruleset, request.options)
    return judge_hand(request.tiles, request.facts, ruleset, language)


def judge_hand(tiles: Sequence[PlacedTile], facts: Facts, ruleset: Ruleset, language: Language) -> Judged:
    """Check the tiles, judge the win by these rules and settle it."""
    placed = hand_draft.place(tiles, facts)
    check = hand_draft.check(placed, ruleset, language)
    line = hand_draft.hand_line(placed, facts)
    found = verdicts.answer(line, table_facts(facts, line.winning_tile), ruleset)
    asked = verdicts.questions(found.verdict, language) if isinstance(found.verdict, CannotKnow) else []
    if found.legal is not False:
        asked += [
            Question(fact="meld_kind", text=translate(language, "facts.meld_kind_ask"))
            for meld in check.melds
            if not meld.certain
        ]
    settled = found.settlement if not asked and check.complete else None
    preview = Preview(
        check=check,
        legal=None if found.legal and settled is None else found.legal,
        refusal=verdicts.refusal(found.verdict, language) if isinstance(found.verdict, Refusal) else None,
        questions=asked,
        settlement=settlement_out(settled, language) if settled else None,
    )
    return Judged(ruleset, preview, settled)


def must_settle(tiles: Sequence[PlacedTile], facts: Facts, ruleset: Ruleset, language: Language) -> None:
    """NotSettledError, with the preview that says why, for a hand that is no settled win."""
    judged = judge_hand(tiles, facts, ruleset, language)
    if judged.settlement is None:
        answer = judged.preview
        reason = answer.refusal.text if answer.refusal else "; ".join(asked.text for asked in answer.questions)
        raise NotSettledError(reason or answer.check.count_text, answer.model_dump(mode="json", by_alias=True))
