"""What handlers are given: settings, ledger, reader, language, caller. All come from the app, not from globals."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import Depends, Header, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from fastapi.templating import Jinja2Templates

from assistant_api.assets import Assets
from assistant_api.languages import Language
from assistant_api.problems import language_of
from assistant_api.services.ledger.book import Book, Call
from assistant_api.services.photos import PhotoDesk
from assistant_api.services.tables.desk import LiveDesk
from assistant_api.services.tileset_desk import TilesetDesk
from assistant_api.settings import Settings

_bearer = HTTPBearer(auto_error=False, description="The token a game gave out when it was begun or joined.")


def _settings(request: Request) -> Settings:
    return cast("Settings", request.app.state.settings)


def _book(request: Request) -> Book:
    return cast("Book", request.app.state.book)


def _desk(request: Request) -> PhotoDesk:
    return cast("PhotoDesk", request.app.state.desk)


def _live(request: Request) -> LiveDesk:
    return cast("LiveDesk", request.app.state.live)


def _tilesets(request: Request) -> TilesetDesk:
    return cast("TilesetDesk", request.app.state.tilesets)


def _templates(request: Request) -> Jinja2Templates:
    return cast("Jinja2Templates", request.app.state.templates)


def _assets(request: Request) -> Assets:
    return cast("Assets", request.app.state.assets)


LanguageDep = Annotated[Language, Depends(language_of)]
_Token = Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)]


def _reading(language: LanguageDep, token: _Token) -> Call:
    return Call(language, token.credentials if token else None)


_Key = Annotated[
    str | None,
    Header(
        min_length=8,
        max_length=64,
        pattern=r"^[\x21-\x7e]*$",
        description="repeat a request with its key and it is done once; the answer is the first one",
    ),
]


def _keeping(language: LanguageDep, token: _Token, idempotency_key: _Key = None) -> Call:
    return Call(language, token.credentials if token else None, idempotency_key)


def _writing(
    language: LanguageDep,
    token: _Token,
    idempotency_key: _Key = None,
    if_match: Annotated[
        str | None,
        Header(
            pattern=r'^"?[0-9]{1,9}"?$',
            description="the version of the game the caller saw; 412 when it moved on meanwhile",
        ),
    ] = None,
) -> Call:
    seen = None if if_match is None else int(if_match.strip('"'))
    return Call(language, token.credentials if token else None, idempotency_key, seen)


SettingsDep = Annotated[Settings, Depends(_settings)]
BookDep = Annotated[Book, Depends(_book)]
DeskDep = Annotated[PhotoDesk, Depends(_desk)]
LiveDep = Annotated[LiveDesk, Depends(_live)]
TilesetsDep = Annotated[TilesetDesk, Depends(_tilesets)]
TemplatesDep = Annotated[Jinja2Templates, Depends(_templates)]
AssetsDep = Annotated[Assets, Depends(_assets)]
ReadingDep = Annotated[Call, Depends(_reading)]
KeepingDep = Annotated[Call, Depends(_keeping)]
"""For writes that do not change a game: they take a key, and no version."""
WritingDep = Annotated[Call, Depends(_writing)]
