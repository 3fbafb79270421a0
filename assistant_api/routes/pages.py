"""The pages: a shell each, filled by the scripts; all words come from the string tables."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from assistant_api.deps import LanguageDep, SettingsDep, TemplatesDep
from assistant_api.languages import Language, match_language, translate
from assistant_api.services.page_data import boot_data
from assistant_api.tile_art import sprite

router = APIRouter(include_in_schema=False)

_LANGUAGES = (
    (Language.ZH_HANS, "简体中文", "简"),
    (Language.ZH_HANT, "繁體中文", "繁"),
    (Language.EN, "English", "EN"),
)
_YEAR_S = 365 * 24 * 3600


def _page(
    request: Request, templates: TemplatesDep, language: Language, name: str, boot: dict[str, Any]
) -> HTMLResponse:
    context = {
        "page": name,
        "path": request.url.path,
        "lang": str(language),
        "languages": _LANGUAGES,
        "boot": boot,
        "t": lambda key, **values: translate(language, key, **values),
    }
    answer = templates.TemplateResponse(request, f"{name}.html", context)
    answer.headers["Content-Language"] = str(language)
    answer.headers["Cache-Control"] = "no-cache"
    chosen = match_language(request.query_params.get("lang", ""))
    if chosen is not None:
        answer.set_cookie("lang", chosen, max_age=_YEAR_S, samesite="lax", httponly=True)
    return answer


@router.get("/")
def scan(request: Request, templates: TemplatesDep, language: LanguageDep, settings: SettingsDep) -> HTMLResponse:
    """From a photo to a saved hand."""
    return _page(request, templates, language, "scan", boot_data(language, settings.ruleset))


@router.get("/hands")
def hands(request: Request, templates: TemplatesDep, language: LanguageDep, settings: SettingsDep) -> HTMLResponse:
    """The saved hands with running totals."""
    return _page(request, templates, language, "hands", boot_data(language, settings.ruleset))


@router.get("/tiles.svg")
def tiles() -> Response:
    """The drawn faces of all tiles."""
    return Response(sprite(), media_type="image/svg+xml", headers={"Cache-Control": "public, max-age=3600"})
