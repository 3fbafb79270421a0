"""The application: `create_app(settings)` builds the API and the pages; importing this module makes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from fastapi.concurrency import run_in_threadpool
from fastapi.templating import Jinja2Templates
from starlette.types import ASGIApp

from assistant_api import __version__, problems
from assistant_api.assets import WEB, Assets
from assistant_api.headers import PageHeaders
from assistant_api.limits import BodyLimit, RateLimit
from assistant_api.routes import (
    entries,
    games,
    hands,
    install,
    pages,
    photos,
    sharing,
    static,
    tilesets,
)
from assistant_api.routes import (
    live as live_routes,
)
from assistant_api.services.joining import SecureOffer
from assistant_api.services.ledger.book import Book
from assistant_api.services.photos import PhotoDesk
from assistant_api.services.reading import Reader, shipped_reader
from assistant_api.services.tables.desk import LiveDesk
from assistant_api.services.tables.eyes import MakeEye, shipped_eye
from assistant_api.services.tileset_desk import TilesetDesk
from assistant_api.services.tileset_files import TilesetFolder
from assistant_api.settings import Settings
from assistant_api.storage import open_database

PHOTO_PATH = "/api/photos"
SWEEP_S = 3600


class _App(FastAPI):
    """Puts the page headers around everything, also around the answer to a fault."""

    def build_middleware_stack(self) -> ASGIApp:
        """The framework's own stack inside the headers."""
        return PageHeaders(super().build_middleware_stack())


def create_app(
    settings: Settings,
    *,
    reader: Callable[[Settings], Reader] = shipped_reader,
    web: Path = WEB,
    secure: SecureOffer | None = None,
    eye: MakeEye | None = None,
) -> FastAPI:
    """The API and the pages.

    Args:
        settings: database, limits, ruleset.
        reader: makes the reader of photos when the first photo comes; tests give a scripted one.
        web: the folder of templates and static files.
        secure: the secure addresses that are served beside the plain ones.
        eye: makes what looks at the frames of a live table; tests give a scripted one.
    """
    database = open_database(settings.database)
    book = Book(database, settings.ruleset)
    desk = PhotoDesk(settings, book, reader)

    live = LiveDesk(settings, book, eye or shipped_eye(desk.reader))

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        sweeping = asyncio.create_task(_sweep(desk))
        yield
        book.bell.close()
        live.close()
        sweeping.cancel()
        database.dispose()

    app = _App(
        title="Jinque 金雀",
        version=__version__,
        summary="Reads the tiles of a finished hand from a photo, settles it and keeps the ledger of the evening.",
        lifespan=lifespan,
        docs_url=None,  # both pages of the framework load scripts from elsewhere; /openapi.json is the description
        redoc_url=None,
    )
    app.state.settings = settings
    app.state.database = database
    app.state.book = book
    app.state.desk = desk
    app.state.live = live
    app.state.secure = secure
    app.state.tilesets = TilesetDesk(TilesetFolder(settings.tilesets_path), database, desk.reader)
    app.state.assets = Assets(web)
    app.state.templates = Jinja2Templates(web / "templates")
    problems.install(app)
    app.add_middleware(BodyLimit, photo_path=PHOTO_PATH, photo_bytes=settings.max_photo_bytes)
    app.add_middleware(
        RateLimit,
        photo_path=PHOTO_PATH,
        photos=settings.photos_per_minute,
        writes=settings.writes_per_minute,
        free=("/settlements/preview", "/entries/preview", "/api/qr", "/proof"),
    )
    for part in (pages, install, static, photos, tilesets, games, entries, hands, sharing, live_routes):
        app.include_router(part.router)
    return app


async def _sweep(desk: PhotoDesk) -> None:
    """Once an hour, delete the photos that were kept long enough."""
    while True:
        await run_in_threadpool(desk.sweep)
        await asyncio.sleep(SWEEP_S)
