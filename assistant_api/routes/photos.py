"""Photos: read one, look at it again, delete it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, File, Form, Path, Query, Response, UploadFile

from assistant_api.deps import DeskDep, KeepingDep
from assistant_api.routes.answers import done, give, problems
from assistant_api.routes.games import CODE
from assistant_api.schemas import PhotoAnswer

PhotoId = Annotated[str, Path(max_length=64, examples=["x4Jv0m2bQ6aYk8sTn1RwZg"])]
router = APIRouter(prefix="/api/photos", tags=["photos"])


@router.post(
    "",
    status_code=201,
    responses={200: {"model": PhotoAnswer}, **problems(400, 401, 404, 409, 413, 415, 422, 429, 503)},
)
def read_photo(
    photo: Annotated[UploadFile, File(description="JPEG, PNG, WebP or HEIC; known by its content, not its name")],
    desk: DeskDep,
    call: KeepingDep,
    response: Response,
    game: Annotated[
        str | None, Query(pattern=CODE, description="id or share code of a game: its rules and its deal count")
    ] = None,
    tileset: Annotated[str | None, Query(max_length=64, description="the person's own set it is read with")] = None,
    set_name: Annotated[str | None, Form(alias="tileset", max_length=64, description="the same, in the form")] = None,
) -> PhotoAnswer:
    """Read the tiles of a photo and keep it for showing; without tiles: an empty draft (200), nothing kept."""
    taken = desk.take(photo.file.read(), photo.filename or "photo", call, game, tileset or set_name)
    return give(response, taken)


@router.get(
    "/{photo_id}",
    response_class=Response,
    responses={
        200: {"content": {"image/jpeg": {"schema": {"type": "string", "contentMediaType": "image/jpeg"}}}},
        **problems(404, 422, 503),
    },
)
def show_photo(photo_id: PhotoId, desk: DeskDep) -> Response:
    """The kept photo: upright, without EXIF data."""
    headers = {"Cache-Control": "private, max-age=600"}
    return Response(desk.jpeg(photo_id), media_type="image/jpeg", headers=headers)


@router.delete("/{photo_id}", status_code=204, responses=problems(401, 403, 404, 409, 422, 429, 503))
def delete_photo(photo_id: PhotoId, desk: DeskDep, call: KeepingDep, response: Response) -> None:
    """Delete a photo; saved hands stay, without it. One that a game shows needs a token for writing there."""
    done(response, desk.delete(photo_id, call))
