"""Settlements, and the hands saved without a game."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from assistant_api.deps import BookDep, LanguageDep, ReadingDep, TilesetsDep, WritingDep
from assistant_api.routes.answers import give, problems
from assistant_api.routes.games import CODE, READ, WRITE
from assistant_api.schemas import Facts, HandOut, HandPage, Preview, RulesetOut, SettlementRequest
from assistant_api.services import rules
from assistant_api.services.ledger import hands
from assistant_api.services.tileset_desk import check_consent

router = APIRouter(prefix="/api", tags=["hands"])
HandId = Annotated[int, Path(ge=1, le=2**31 - 1, examples=[1])]


@router.post("/settlements/preview", responses=problems(400, 401, 404, 409, 413, 422, 503))
def preview(body: SettlementRequest, book: BookDep, call: ReadingDep) -> Preview:
    """Judge a hand and settle it without keeping anything: yes, no with the reason, or what is missing."""
    return hands.preview(book, call, body)


@router.post(
    "/hands",
    status_code=201,
    responses={200: {"model": HandOut}, **problems(*WRITE)},
)
def save(body: SettlementRequest, book: BookDep, desk: TilesetsDep, call: WritingDep, answer: Response) -> HandOut:
    """Settle a hand and keep it, in a game or without one; 200 when this key had saved it before.

    With `learn` the set of tiles it was read with learns from the tiles that were corrected.
    """
    check_consent(body)
    saved = hands.save(book, call, body)
    if not saved.replayed:
        desk.learn_hand(body)
    return give(answer, saved)


@router.get("/hands", responses=problems(422, 503))
def list_hands(
    book: BookDep,
    call: ReadingDep,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    before: Annotated[int | None, Query(ge=1, le=2**31 - 1, description="`next_before` of the page before")] = None,
) -> HandPage:
    """Hands saved without a game, newest first, with the running totals of the four seats."""
    return hands.listed(book, call, limit=limit, before=before)


@router.get("/hands/{hand_id}", responses=problems(404, 422, 503))
def get_hand(hand_id: HandId, book: BookDep, call: ReadingDep) -> HandOut:
    """One hand saved without a game."""
    return hands.detail(book, call, hand_id)


@router.delete("/hands/{hand_id}", status_code=204, responses=problems(404, 409, 412, 422, 429, 503))
def delete_hand(hand_id: HandId, book: BookDep, call: WritingDep) -> None:
    """Take back a hand saved without a game, with its photo."""
    hands.remove(book, call, hand_id)


@router.get("/facts", responses=problems(*READ))
def known_facts(
    book: BookDep,
    call: ReadingDep,
    game: Annotated[str | None, Query(pattern=CODE, description="id or share code of a game")] = None,
) -> Facts:
    """What the ledger tells about the next hand: the dealer, the streak, the round."""
    return hands.known_facts(book, call, game)


@router.get("/rulesets")
def rulesets(language: LanguageDep) -> list[RulesetOut]:
    """The rulesets with their options."""
    return rules.describe_all(language)
