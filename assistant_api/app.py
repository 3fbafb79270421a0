"""The application: `create_app(settings)` builds the API and the pages; importing this module makes nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.staticfiles import StaticFiles
from fastapi.templating import Jinja2Templates
from starlette.middleware.base import RequestResponseEndpoint

from assistant_api import __version__, problems
from assistant_api.limits import BodyLimit
from assistant_api.routes import hands, pages, photos
from assistant_api.services.photos import PhotoDesk
from assistant_api.services.reading import Reader, shipped_reader
from assistant_api.settings import Settings
from assistant_api.storage import open_database

WEB = Path(__file__).parent / "web"
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; script-src 'self'; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def create_app(settings: Settings, *, reader: Callable[[Settings], Reader] = shipped_reader) -> FastAPI:
    """The API and the pages.

    Args:
        settings: database, limits, ruleset.
        reader: makes the reader of photos when the first photo comes; tests give a scripted one.
    """
    database = open_database(settings.database_path)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        database.dispose()

    app = FastAPI(
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
    app.state.templates = Jinja2Templates(WEB / "templates")
    problems.install(app)
    app.add_middleware(BodyLimit, photo_path="/api/photos", photo_bytes=settings.max_photo_bytes)
    app.middleware("http")(_with_headers)
    for router in (pages.router, photos.router, hands.router):
        app.include_router(router)
    app.mount("/static", StaticFiles(directory=WEB / "static"), name="static")
    return app


async def _with_headers(request: Request, call_next: RequestResponseEndpoint) -> Response:
    answer = await call_next(request)
    answer.headers.update(_HEADERS)
    if request.url.path.startswith("/static/"):
        answer.headers["Cache-Control"] = "no-cache"
    return answer
