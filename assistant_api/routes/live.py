"""The live table of a game. Frames go up and the state comes down over one WebSocket; what people say goes either way.

    WS     /api/live/{game}          see below
    GET    /api/live/{game}          the table as it stands: log, state, warnings
    POST   /api/live/{game}/acts     what a person says: begin, confirm, edit, delete, undo, insert, pass, claim, …
    GET    /api/live/{game}/claim    the declared win as the table shows it, for a photo of the opened hand
    POST   /api/live/{game}/proof    what the log says of the opened hand (过水 and the other locks); nothing is kept
    GET    /api/live/crops/{crop}    the picture of an event

``{game}`` and the tokens are those of `assistant_api.routes.games`; the share code looks and changes nothing.

**The socket.** The first message says who it is: ``{"token": …, "role": "camera" | "table", "lang": "en"}``, a token
or null with a share code. Up come binary messages, one JPEG each, from a camera that may write; ``{"do": act, "key":
…}``, an act of `assistant_api.live_schemas` with an idempotency key; and ``{"ping": number}``. Down go JSON objects by
their ``type``:

============  ==========================================================================================================
``welcome``   role, whether it may write, and for a camera how large and how often frames should be
``snapshot``  version, hand (null between hands): state, log, alerts. First, and whenever a delta would not do
``delta``     from_version, version, state, alerts, the events that are new or changed, and the order of all by key
``sight``     at least once a second: the number of the frame that is shown and its age in ms, frames received and
              dropped, whether a camera is there and the table in its picture, what is covered; boxes for the camera
``got``       the number of a frame that came in
``done``      key and version of what was said; ``refused``: key and problem details
``pong``      the number of the ping
``gone``      the game was deleted, or the link does not open it any more
============  ==========================================================================================================

An alert has its sentence as ``message``, and as ``named`` with the tiles by their names and ``{seat}`` for the name of
its seat. Frames never queue: each table keeps the newest one only. A second camera takes the place of the first.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Path, Response, WebSocket

from assistant_api.deps import KeepingDep, LiveDep, ReadingDep
from assistant_api.live_schemas import ACTS, Act, ClaimDraft, Done, LiveState, Proof, ProofRequest
from assistant_api.routes.answers import give, problems
from assistant_api.routes.games import READ, WRITE, Code
from assistant_api.services.tables import socket as live_socket

router = APIRouter(prefix="/api/live", tags=["live"])
_EXAMPLES = {model.__name__: {"value": model.model_config["json_schema_extra"]["examples"][0]} for model in ACTS}  # type: ignore[index]
Said = Annotated[Act, Body(openapi_examples=_EXAMPLES)]
CropId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$", examples=["p8Qz1vK4nT7wYb2mXc5LdA"])]


@router.websocket("/{game}")
async def follow(socket: WebSocket, game: str) -> None:
    """One phone at a table, for as long as it stays."""
    await live_socket.serve(socket, socket.app.state.live, game)


@router.get("/{game}", responses=problems(*READ, 429))
def show(game: Code, desk: LiveDep, call: ReadingDep) -> LiveState:
    """The table as it stands."""
    return desk.state(game, call)


@router.post("/{game}/acts", responses=problems(*WRITE))
def act(game: Code, body: Said, desk: LiveDep, call: KeepingDep, answer: Response) -> Done:
    """Say something at the table."""
    return give(answer, desk.do(game, call, body))


@router.get("/{game}/claim", responses=problems(*READ, 429))
def claim(game: Code, desk: LiveDep, call: ReadingDep) -> ClaimDraft:
    """The declared win as far as the table shows it."""
    return desk.claim(game, call)


@router.post("/{game}/proof", responses=problems(400, 401, 404, 413, 422, 429, 503))
def proof(game: Code, body: ProofRequest, desk: LiveDep, call: ReadingDep) -> Proof:
    """Prove or clear what the log speaks against an opened hand."""
    return desk.prove(game, call, body.tiles, body.facts)


@router.get(
    "/crops/{crop}",
    response_class=Response,
    responses={200: {"content": {"image/jpeg": {}}}, **problems(404, 422, 503)},
)
def crop(crop: CropId, desk: LiveDep) -> Response:
    """The picture of an event."""
    headers = {"Cache-Control": "private, max-age=3600"}
    return Response(desk.crop(crop), media_type="image/jpeg", headers=headers)
