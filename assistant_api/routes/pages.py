"""The pages: a shell each, filled by the scripts; all words come from the string tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from fastapi.templating import Jinja2Templates

from assistant_api.assets import Assets
from assistant_api.deps import LanguageDep, SettingsDep
from assistant_api.languages import Language, match_language, translate
from assistant_api.services import lan
from assistant_api.services.joining import SecureOffer
from assistant_api.services.page_data import boot_data
from assistant_api.services.tilesets import printed_order

router = APIRouter(include_in_schema=False)

_LANGUAGES = (
    (Language.ZH_HANS, "简体中文", "简"),
    (Language.ZH_HANT, "繁體中文", "繁"),
    (Language.EN, "English", "EN"),
)
_YEAR_S = 365 * 24 * 3600


def render(
    request: Request,
    language: Language,
    name: str,
    boot: dict[str, Any] | None = None,
    words: dict[str, Any] | None = None,
) -> HTMLResponse:
    """The shell of a page: the template of this name with its words, kept by phones for the time without a connection.

    Args:
        request: whose app has the templates and static files.
        language: of all words.
        name: of the template, the script and the entry of the navigation.
        boot: what the scripts start with; the same for everybody who may open this address.
        words: what the template of this page needs besides.
    """
    assets: Assets = request.app.state.assets
    templates: Jinja2Templates = request.app.state.templates
    offer: SecureOffer | None = request.app.state.secure
    plain = offer is not None and request.url.scheme == "http"
    context = {
        "secure_address": offer and plain and lan.url("https", offer.host_for(request.url.hostname), offer.port),
        **(words or {}),
        "page": name,
        "path": request.url.path,
        "lang": str(language),
        "languages": _LANGUAGES,
        "boot": boot or {},
        "asset": assets.url,
        "version": assets.version,
        "t": lambda key, **values: translate(language, key, **values),
    }
    answer = templates.TemplateResponse(request, f"{name}.html", context)
    answer.headers["Content-Language"] = str(language)
    answer.headers["Cache-Control"] = "no-cache"
    answer.headers["Jinque-Shell"] = assets.version
    answer.headers["Vary"] = "Accept-Language, Cookie"
    chosen = match_language(request.query_params.get("lang", ""))
    if chosen is not None:
        answer.set_cookie("lang", chosen, max_age=_YEAR_S, samesite="lax", httponly=True)
    return answer


_SHELLS = {
    "/": "scan",  # from a photo to a saved hand
    "/hands": "hands",  # the hands saved without a game, with running totals
    "/games": "games",  # the evenings this phone knows: go on, look at one, open one by its code, begin one
    "/games/new": "setup",  # players, stakes and rules of an evening, before it begins or later
    "/g/{code}/settings": "setup",
    "/g/{code}": "game",  # the table, what to enter, the entries; for looking by the share code
    "/g/{code}/history": "history",  # what was done in a game, when and by whom
    "/g/{code}/print": "report",  # the whole evening on paper
    "/g/{code}/live": "referee",  # the live table: four sides, what the camera proposes, warnings, what people say
    "/g/{code}/camera": "stand",  # the phone on a stand that looks at the table
    "/t/{code}": "join",  # a phone takes a role; the token stands behind the # and never comes here
}
"""Addresses of the pages that differ in their template and script alone."""


def _shell(name: str) -> Callable[..., HTMLResponse]:
    def show(request: Request, language: LanguageDep, settings: SettingsDep) -> HTMLResponse:
        return render(request, language, name, boot_data(language, settings.ruleset))

    return show


for _path, _name in _SHELLS.items():
    router.add_api_route(_path, _shell(_name))


@router.get("/tilesets")
def tilesets(request: Request, language: LanguageDep, settings: SettingsDep) -> HTMLResponse:
    """People's own sets of tiles: add one by a photo, delete one."""
    boot = {**boot_data(language, settings.ruleset), "order": printed_order()}
    return render(request, language, "tilesets", boot)


@router.get("/offline")
def offline(request: Request, language: LanguageDep) -> HTMLResponse:
    """What a phone shows instead of a page it has never seen, while the server cannot be reached."""
    return render(request, language, "offline")
