"""People's own sets of tiles."""

from __future__ import annotations

from fastapi import APIRouter

from assistant_api.deps import TilesetsDep
from assistant_api.routes.answers import problems
from assistant_api.schemas import TilesetDraft, TilesetDraftRequest, TilesetOut, TilesetRequest

router = APIRouter(prefix="/api/tilesets", tags=["tilesets"])


@router.get("")
def list_tilesets(desk: TilesetsDep) -> list[TilesetOut]:
    """The sets that are kept; photos are read with one by naming it in `tileset`."""
    return desk.list()


@router.post("/draft", responses=problems(400, 404, 413, 422, 429, 503))
def draft_tileset(body: TilesetDraftRequest, desk: TilesetsDep) -> TilesetDraft:
    """The tiles of an uploaded photo row by row, for a person to check; nothing is learnt yet."""
    return desk.draft(body)


@router.post("", status_code=201, responses=problems(400, 404, 413, 422, 429, 503))
def add_tileset(body: TilesetRequest, desk: TilesetsDep) -> TilesetOut:
    """Learn a set from uploaded photos whose tiles a person has checked; a set of that name learns more."""
    return desk.add(body)


@router.delete("/{name}", status_code=204, responses=problems(404, 422, 429))
def remove_tileset(name: str, desk: TilesetsDep) -> None:
    """Delete a set with all that was kept of it."""
    desk.remove(name)
