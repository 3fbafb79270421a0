"""The application: `create_app(settings)` builds the API and the pages; importing this module makes nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from fastapi.templating import Jinja2Templates
from starlette.types import ASGIApp

from assistant_api import __version__, problems
from assistant_api.assets import WEB, Assets
from assistant_api.headers import PageHeaders
from assistant_api.limits import BodyLimit
from assistant_api.routes import hands, pages, photos, static
from assistant_api.services.photos import PhotoDesk
from assistant_api.services.reading import Reader, shipped_reader
from assistant_api.settings import Settings
from assistant_api.storage import open_database


class _App(FastAPI):
    """Puts the page headers around everything, also around the answer to a fault."""

    def build_middleware_stack(self) -> ASGIApp:
        """The framework's own stack inside the headers."""
        return PageHeaders(super().build_middleware_stack())


def create_app(
    settings: Settings, *, reader: Callable[[Settings], Reader] = shipped_reader, web: Path = WEB
) -> FastAPI:
    """The API and the pages.

    Args:
        settings: database, limits, ruleset.
        reader: makes the reader of photos when the first photo comes; tests give a scripted one.
        web: the folder of templates and static files.
    """
    database = open_database(settings.database_path)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        database.dispose()

    app = _App(
        title="Jinque 金雀",
        version=__version__,
        summary="Reads the tiles of a finished hand from a photo and settles it.",
        lifespan=lifespan,
        docs_url=None,  # both pages of the framework load scripts from elsewhere; /openapi.json is the description
        redoc_url=None,
    )
    app.state.settings = settings
    app.state.database = database
    app.state.desk = PhotoDesk(settings, database, reader)
    app.state.assets = Assets(web)
    app.state.templates = Jinja2Templates(web / "templates")
    problems.install(app)
    app.add_middleware(BodyLimit, photo_path="/api/photos", photo_bytes=settings.max_photo_bytes)
    for router in (pages.router, static.router, photos.router, hands.router):
        app.include_router(router)
    return app
