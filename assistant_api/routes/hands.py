"""Settlements and the saved hands."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Path, Query, Response

from assistant_api.deps import DatabaseDep, LanguageDep, SettingsDep
from assistant_api.routes.answers import problems
from assistant_api.schemas import Facts, HandOut, HandPage, Preview, RulesetOut, SettlementRequest
from assistant_api.services import photo_settlement, rules

router = APIRouter(prefix="/api", tags=["hands"])
HandId = Annotated[int, Path(ge=1, le=2**53)]


@router.post("/settlements/preview", responses=problems(400, 413, 422))
def preview(body: SettlementRequest, settings: SettingsDep, language: LanguageDep) -> Preview:
    """Judge a hand and settle it without keeping anything: yes, no with the reason, or what is missing."""
    return photo_settlement.judge(body, default_ruleset=settings.ruleset, language=language).preview


@router.post("/hands", status_code=201, responses={200: {"model": HandOut}, **problems(400, 404, 409, 413, 422)})
def save(
    body: SettlementRequest,
    answer: Response,
    database: DatabaseDep,
    settings: SettingsDep,
    language: LanguageDep,
    idempotency_key: Annotated[
        str | None, Header(min_length=8, max_length=64, description="the same key never saves a second hand")
    ] = None,
) -> HandOut:
    """Settle a hand and keep it; 200 when this key had saved it before."""
    hand, new = photo_settlement.save(
        database, body, default_ruleset=settings.ruleset, language=language, idempotency_key=idempotency_key
    )
    answer.status_code = 201 if new else 200
    return hand


@router.get("/hands", responses=problems(422))
def list_hands(
    database: DatabaseDep,
    language: LanguageDep,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    before: Annotated[int | None, Query(ge=1, le=2**53, description="`next_before` of the page before")] = None,
) -> HandPage:
    """Saved hands, newest first, with the running totals of the four seats."""
    return photo_settlement.list_hands(database, limit=limit, before=before, language=language)


@router.get("/hands/{hand_id}", responses=problems(404, 422))
def get_hand(hand_id: HandId, database: DatabaseDep, language: LanguageDep) -> HandOut:
    """One saved hand."""
    return photo_settlement.get_hand(database, hand_id, language)


@router.delete("/hands/{hand_id}", status_code=204, responses=problems(404, 422))
def delete_hand(hand_id: HandId, database: DatabaseDep) -> None:
    """Take a hand back, with its photo."""
    photo_settlement.delete_hand(database, hand_id)


@router.get("/facts")
def known_facts(database: DatabaseDep) -> Facts:
    """What the saved hands tell about the next one: the dealer and the streak."""
    return photo_settlement.known_facts(database)


@router.get("/rulesets")
def rulesets(language: LanguageDep) -> list[RulesetOut]:
    """The rulesets with their options."""
    return rules.describe_all(language)
