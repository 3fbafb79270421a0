"""Photos: read one, look at it again, delete it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, File, Header, Query, Response, UploadFile

from assistant_api.deps import DeskDep, ReadingDep
from assistant_api.routes.answers import problems
from assistant_api.routes.games import CODE
from assistant_api.schemas import PhotoAnswer

router = APIRouter(prefix="/api/photos", tags=["photos"])


@router.post(
    "",
    status_code=201,
    responses={200: {"model": PhotoAnswer}, **problems(400, 401, 404, 409, 413, 415, 422, 429, 503)},
)
def read_photo(
    photo: Annotated[UploadFile, File(description="JPEG, PNG, WebP or HEIC; known by its content, not its name")],
    desk: DeskDep,
    call: ReadingDep,
    response: Response,
    game: Annotated[
        str | None, Query(pattern=CODE, description="id or share code of a game: its rules and its deal count")
    ] = None,
    idempotency_key: Annotated[
        str | None, Header(min_length=8, max_length=64, description="the same key never keeps a second photo")
    ] = None,
) -> PhotoAnswer:
    """Read the tiles of a photo and keep it for showing; without tiles: an empty draft (200), nothing kept."""
    answer = desk.take(photo.file.read(), photo.filename or "photo", call, game, idempotency_key)
    if answer.photo is None:
        response.status_code = 200
    return answer


@router.get("/{photo_id}", response_class=Response, responses={200: {"content": {"image/jpeg": {}}}, **problems(404)})
def show_photo(photo_id: str, desk: DeskDep) -> Response:
    """The kept photo: upright, without EXIF data."""
    headers = {"Cache-Control": "private, max-age=600"}
    return Response(desk.jpeg(photo_id), media_type="image/jpeg", headers=headers)


@router.delete("/{photo_id}", status_code=204, responses=problems(404, 429))
def delete_photo(photo_id: str, desk: DeskDep) -> None:
    """Delete a photo; saved hands stay, without it."""
    desk.delete(photo_id)
