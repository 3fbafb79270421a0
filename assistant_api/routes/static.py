"""Static files, the manifest of the installable page, its service worker, and the version that is being served."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict

from assistant_api import __version__
from assistant_api.deps import AssetsDep, LanguageDep
from assistant_api.errors import NotFoundError
from assistant_api.languages import translate

router = APIRouter()

_FOREVER = "public, max-age=31536000, immutable"
_CHECK_FIRST = "no-cache"
_GROUND, _GREEN = "#f3f5f1", "#0f6b43"


class Version(BaseModel):
    """What is being served."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"program": "0.1.0", "page": "e567125b6533"}]})

    program: str
    page: str


@router.get("/api/version", tags=["service"])
def version(assets: AssetsDep) -> Version:
    """The version of the program, and that of its pages: a page that has another one is out of date."""
    return Version(program=__version__, page=assets.version)


@router.api_route("/static/{path:path}", methods=["GET", "HEAD"], include_in_schema=False)
def static_file(path: str, request: Request, assets: AssetsDep) -> Response:
    """A static file; with the version in its address it may be kept for ever."""
    found = assets.find(path)
    if found is None:
        raise NotFoundError(f"there is no file {path!r} in this version")
    asset, versioned = found
    headers = {"Cache-Control": _FOREVER if versioned else _CHECK_FIRST, "Vary": "Accept-Encoding"}
    body = asset.body
    if asset.gzipped is not None and "gzip" in request.headers.get("accept-encoding", ""):
        body = asset.gzipped
        headers["Content-Encoding"] = "gzip"
    return Response(body, media_type=asset.media_type, headers=headers)


@router.get("/worker.js", include_in_schema=False)
def service_worker(assets: AssetsDep) -> Response:
    """The service worker; the browser asks for it anew each time."""
    headers = {"Cache-Control": _CHECK_FIRST}
    return Response(assets.service_worker, media_type="text/javascript; charset=utf-8", headers=headers)


@router.get("/manifest.webmanifest", include_in_schema=False)
def manifest(assets: AssetsDep, language: LanguageDep) -> JSONResponse:
    """How the page is put on the home screen."""

    def icon(name: str, size: int, purpose: str) -> dict[str, Any]:
        return {"src": assets.url(name), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}

    body = {
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "name": translate(language, "app.name"),
        "short_name": translate(language, "app.brand"),
        "description": translate(language, "app.description"),
        "lang": str(language),
        "display": "standalone",
        "orientation": "any",
        "background_color": _GROUND,
        "theme_color": _GREEN,
        "icons": [
            icon("icons/192.png", 192, "any"),
            icon("icons/512.png", 512, "any"),
            icon("icons/maskable.png", 512, "maskable"),
        ],
    }
    headers = {"Cache-Control": _CHECK_FIRST}
    return JSONResponse(body, media_type="application/manifest+json", headers=headers)
