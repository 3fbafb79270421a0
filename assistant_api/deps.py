"""What handlers are given: settings, database, reader, language. All come from the app, none from module globals."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import Depends, Request
from fastapi.templating import Jinja2Templates
from sqlalchemy import Engine

from assistant_api.assets import Assets
from assistant_api.languages import Language
from assistant_api.problems import language_of
from assistant_api.services.photos import PhotoDesk
from assistant_api.settings import Settings


def _settings(request: Request) -> Settings:
    return cast("Settings", request.app.state.settings)


def _database(request: Request) -> Engine:
    return cast("Engine", request.app.state.database)


def _desk(request: Request) -> PhotoDesk:
    return cast("PhotoDesk", request.app.state.desk)


def _templates(request: Request) -> Jinja2Templates:
    return cast("Jinja2Templates", request.app.state.templates)


def _assets(request: Request) -> Assets:
    return cast("Assets", request.app.state.assets)


SettingsDep = Annotated[Settings, Depends(_settings)]
DatabaseDep = Annotated[Engine, Depends(_database)]
DeskDep = Annotated[PhotoDesk, Depends(_desk)]
TemplatesDep = Annotated[Jinja2Templates, Depends(_templates)]
AssetsDep = Annotated[Assets, Depends(_assets)]
LanguageDep = Annotated[Language, Depends(language_of)]
