"""The ledger of a game, entry by entry. ``{game}`` and the headers are explained in `assistant_api.routes.games`.

    GET    /api/games/{game}/entries            entries, newest first (pages); running totals after each
    POST   /api/games/{game}/entries            enter a win, draw, penalty, escape or deal; ?before=ID: before that one
    POST   /api/games/{game}/entries/preview    what an entry (?entry=ID: a correction) would change; nothing is kept
    GET    /api/games/{game}/entries/{entry}    one with all that was entered, formula and payments
    PUT    /api/games/{game}/entries/{entry}    correct it; later hands are played again
    DELETE /api/games/{game}/entries/{entry}    take it out, with its photo
    POST   /api/games/{game}/undo               take back the last change, whatever it was
    POST   /api/games/{game}/redo               do again what was taken back
    GET    /api/games/{game}/history            what was done, when, by which role, with before and after (pages)

Dealer, streak and round come from the ledger. A change that makes a later hand impossible is refused
(`later_hand_impossible`) and nothing is written, so that each hand in a ledger is one that stands and every total can
be explained; correct or remove the later hand first.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Path, Query, Response

from assistant_api.deps import BookDep, ReadingDep, WritingDep
from assistant_api.game_schemas import (
    Changed,
    DealIn,
    DrawIn,
    EntryDetail,
    EntryIn,
    EntryPage,
    EscapeIn,
    HistoryPage,
    PenaltyIn,
    WinIn,
)
from assistant_api.routes.answers import examples_of, give, problems
from assistant_api.routes.games import READ, WRITE, Code
from assistant_api.services.ledger import entries

router = APIRouter(prefix="/api/games/{game}", tags=["ledger"])
_MOST = 2**31 - 1
EntryId = Annotated[int, Path(ge=1, le=_MOST, examples=[1])]
Limit = Annotated[int, Query(ge=1, le=200)]
Wanted = Annotated[EntryIn, Body(openapi_examples=examples_of(WinIn, DrawIn, PenaltyIn, EscapeIn, DealIn))]


@router.get("/entries", responses=problems(*READ))
def list_entries(
    game: Code,
    book: BookDep,
    call: ReadingDep,
    limit: Limit = 50,
    before: Annotated[int | None, Query(ge=1, le=_MOST, description="`next_before` of the page before")] = None,
) -> EntryPage:
    """Entries, newest first, with the running totals after each."""
    return entries.listed(book, call, game, limit=limit, before=before)


@router.post("/entries", status_code=201, responses=problems(*WRITE))
def add(
    game: Code,
    body: Wanted,
    book: BookDep,
    call: WritingDep,
    answer: Response,
    before: Annotated[int | None, Query(ge=1, le=_MOST, description="the entry it comes before; else the end")] = None,
) -> Changed:
    """Enter a hand, a penalty, an escape or who deals."""
    return give(answer, entries.add(book, call, game, body, before))


@router.post("/entries/preview", responses=problems(400, 401, 403, 404, 409, 413, 422, 503))
def try_out(
    game: Code,
    body: Wanted,
    book: BookDep,
    call: ReadingDep,
    entry: Annotated[int | None, Query(ge=1, le=_MOST, description="the entry this would correct")] = None,
) -> Changed:
    """The amounts and all that would follow, computed as if it were entered; nothing is kept."""
    return entries.try_out(book, call, game, body, entry)


@router.get("/entries/{entry}", responses=problems(*READ))
def show(game: Code, entry: EntryId, book: BookDep, call: ReadingDep) -> EntryDetail:
    """One entry with everything about it."""
    return entries.detail(book, call, game, entry)


@router.put("/entries/{entry}", responses=problems(*WRITE))
def edit(game: Code, entry: EntryId, body: Wanted, book: BookDep, call: WritingDep, answer: Response) -> Changed:
    """Correct an entry; it keeps its place and the rules it was entered by."""
    return give(answer, entries.edit(book, call, game, entry, body))


@router.delete("/entries/{entry}", responses=problems(*WRITE))
def remove(game: Code, entry: EntryId, book: BookDep, call: WritingDep, answer: Response) -> Changed:
    """Take an entry out, with its photo."""
    return give(answer, entries.remove(book, call, game, entry))


@router.post("/undo", responses=problems(*WRITE))
def undo(game: Code, book: BookDep, call: WritingDep, answer: Response) -> Changed:
    """Take back the last change to the entries that still stands: an entry added, corrected or removed."""
    return give(answer, entries.undo(book, call, game))


@router.post("/redo", responses=problems(*WRITE))
def redo(game: Code, book: BookDep, call: WritingDep, answer: Response) -> Changed:
    """Do again what was taken back last."""
    return give(answer, entries.redo(book, call, game))


@router.get("/history", responses=problems(*READ))
def history(
    game: Code,
    book: BookDep,
    call: ReadingDep,
    limit: Limit = 50,
    before: Annotated[int | None, Query(ge=1, le=_MOST, description="`next_before` of the page before")] = None,
    entry: Annotated[int | None, Query(ge=1, le=_MOST, description="of this entry alone")] = None,
) -> HistoryPage:
    """What was done, newest first."""
    return entries.history(book, call, game, limit=limit, before=before, entry_id=entry)
