"""Games (evenings): begin, look, change, join, share, finish, delete. For entries see `assistant_api.routes.entries`.

    GET    /api/games?code=…                games behind share codes, and the caller's own, newest first (pages)
    POST   /api/games                       begin a game: 201 with the game and the token for writing
    GET    /api/games/{game}                the game as it stands: players, totals, dealer, streak, rules, version
    PATCH  /api/games/{game}                title, players, stake, photos; before the first hand also the rules
    DELETE /api/games/{game}                delete it with its photos
    POST   /api/games/{game}/join           a role for a phone: 201 with its own token
    POST   /api/games/{game}/share          a new share code; the old one opens nothing any more
    POST   /api/games/{game}/finish         close it for writing
    POST   /api/games/{game}/reopen         open it again
    GET    /api/games/{game}/rules          its ruleset with the value, choices and meaning of every option
    GET    /api/games/{game}/events         server-sent events: snapshot, then deltas
    GET    /api/games/{game}/report         the whole evening, for printing and as JSON
    GET    /api/games/{game}/export.json    the same, to save
    GET    /api/games/{game}/export.csv     a row for each entry

``{game}`` is the id, together with ``Authorization: Bearer TOKEN``; or the share code, for looking, without a token.
Roles: ``host`` begins; ``E S W N camera`` write; ``viewer`` looks. ``earlier-hands`` holds the hands saved without a
game and is open to everybody.

Writes take ``Idempotency-Key`` (done once, the answer repeated with ``Idempotency-Replayed: true``) and ``If-Match``
(the version the caller saw, else 412). Those on a game answer with what changed: `assistant_api.game_schemas.Changed`.

Events: ``snapshot`` (version, game, entries), then ``delta`` (`Changed`) after each commit, each with the version as
its id; ``gone`` when the game was deleted or its share code changed. A comment comes every two
seconds when nothing else does. A reconnecting
``EventSource`` sends ``Last-Event-ID`` and gets one delta with all it missed, or a snapshot when it is unknown.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Path, Query, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from assistant_api.deps import BookDep, KeepingDep, ReadingDep, WritingDep
from assistant_api.game_schemas import BegunGame, Changed, GameChange, GameOut, GamePage, Join, NewGame, Report
from assistant_api.routes.answers import done, give, problems
from assistant_api.schemas import RulesetOut
from assistant_api.services.ledger import export, following, games

router = APIRouter(prefix="/api/games", tags=["games"])
CODE = r"^[A-Za-z0-9_-]{1,64}$"
Code = Annotated[str, Path(pattern=CODE, description="id or share code", examples=["earlier-hands"])]
READ = (401, 404, 422, 503)
WRITE = (400, 401, 403, 404, 409, 412, 413, 422, 429, 503)


@router.get("", responses=problems(404, 422, 503))
def list_games(
    book: BookDep,
    call: ReadingDep,
    code: Annotated[
        list[Annotated[str, Query(pattern=CODE)]], Query(max_length=100, description="share codes, repeated")
    ] = [],  # noqa: B006 the framework copies it
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    before: Annotated[str | None, Query(pattern=CODE, description="`next_before` of the page before")] = None,
) -> GamePage:
    """The games behind the share codes sent and the one the token opens, newest first."""
    return games.listed(book, call, code, limit=limit, before=before)


@router.post("", status_code=201, responses=problems(400, 404, 409, 413, 422, 429, 503))
def begin(body: NewGame, book: BookDep, call: WritingDep, answer: Response) -> BegunGame:
    """Begin a game. Keep the token: the server has only its hash."""
    return give(answer, games.begin(book, call, body))


@router.get("/{game}", responses=problems(*READ))
def show(game: Code, book: BookDep, call: ReadingDep) -> GameOut:
    """The game as it stands."""
    return games.detail(book, call, game)


@router.patch("/{game}", responses=problems(*WRITE))
def change(game: Code, body: GameChange, book: BookDep, call: WritingDep, answer: Response) -> Changed:
    """Change settings; fields left out stay."""
    return give(answer, games.change(book, call, game, body))


@router.delete("/{game}", status_code=204, responses=problems(401, 403, 404, 409, 422, 429, 503))
def delete(game: Code, book: BookDep, call: KeepingDep, answer: Response) -> None:
    """Delete the game with its photos, history and tokens."""
    done(answer, games.delete(book, call, game))


@router.post("/{game}/join", status_code=201, responses=problems(400, 401, 403, 404, 409, 413, 422, 429, 503))
def join(game: Code, body: Join, book: BookDep, call: WritingDep, answer: Response) -> BegunGame:
    """Take a role. The share code makes viewers; other roles need a token for writing, as the host can pass on."""
    return give(answer, games.join(book, call, game, body))


@router.post("/{game}/share", responses=problems(*WRITE))
def share(game: Code, book: BookDep, call: WritingDep, answer: Response) -> Changed:
    """Make a new share code."""
    return give(answer, games.share(book, call, game))


@router.post("/{game}/finish", responses=problems(*WRITE))
def finish(game: Code, book: BookDep, call: WritingDep, answer: Response) -> Changed:
    """Close the game for writing; photos kept until then are deleted."""
    return give(answer, games.finish(book, call, game))


@router.post("/{game}/reopen", responses=problems(*WRITE))
def reopen(game: Code, book: BookDep, call: WritingDep, answer: Response) -> Changed:
    """Open a finished game for writing again."""
    return give(answer, games.reopen(book, call, game))


@router.get("/{game}/rules", responses=problems(*READ))
def rules(game: Code, book: BookDep, call: ReadingDep) -> RulesetOut:
    """The rules of the game with every option."""
    return games.rulebook(book, call, game)


def _may_follow(game: Code, book: BookDep, call: ReadingDep) -> None:
    following.check(book, call, game)


@router.get(
    "/{game}/events",
    response_class=EventSourceResponse,
    dependencies=[Depends(_may_follow)],
    responses=problems(*READ),
)
async def events(
    game: Code,
    book: BookDep,
    call: ReadingDep,
    last_event_id: Annotated[
        str | None, Header(max_length=32, description="the version of the last event the follower had")
    ] = None,
) -> AsyncIterator[ServerSentEvent]:
    """Follow the game: `snapshot`, then a `delta` after each commit."""
    seen = int(last_event_id) if last_event_id and last_event_id.isascii() and last_event_id.isdigit() else None
    async for message in following.follow(book, call, game, seen):
        if message.event == "still":
            yield ServerSentEvent(comment="still")
            continue
        body = message.body.model_dump_json(by_alias=True) if message.body else "{}"
        yield ServerSentEvent(raw_data=body, event=message.event, id=str(message.version), retry=1000)


@router.get("/{game}/report", responses=problems(*READ))
def report(game: Code, book: BookDep, call: ReadingDep) -> Report:
    """The whole evening: entries with their formulas, history, and who pays whom at the end."""
    return export.report(book, call, game)


@router.get("/{game}/export.json", responses=problems(*READ))
def export_json(game: Code, book: BookDep, call: ReadingDep, answer: Response) -> Report:
    """The report, to save."""
    evening = export.report(book, call, game)
    answer.headers["Content-Disposition"] = export.attachment(export.file_name(evening.game, "json"))
    return evening


@router.get(
    "/{game}/export.csv",
    response_class=Response,
    responses={200: {"content": {"text/csv": {"schema": {"type": "string"}}}}, **problems(*READ)},
)
def export_csv(game: Code, book: BookDep, call: ReadingDep) -> Response:
    """A row for each entry with points, running totals and money, times of the server's zone; UTF-8."""
    evening = export.report(book, call, game)
    name = export.attachment(export.file_name(evening.game, "csv"))
    headers = {"Content-Disposition": name, "Cache-Control": "no-store"}
    return Response(export.table(evening, call.language), media_type="text/csv", headers=headers)
