"""RFC 9457 problem details: every error answer of the API, with a stable code and text in the caller's language.

``title`` and ``detail`` come from the string tables (``problem.CODE``); ``reason`` is the error's own English sentence,
which repeats the bad value and says what was expected.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from starlette.exceptions import HTTPException

from assistant_api.errors import (
    AppError,
    ConflictError,
    LedgerError,
    NotFoundError,
    NotSettledError,
    RateError,
    ReadOnlyError,
    TokenError,
    VersionError,
)
from assistant_api.languages import Language, negotiate, translate
from engine.errors import HandError, JinqueError, NotationError, RulesetError, shortened
from vision.errors import DamagedError, EmptyFileError, FormatError, ModelError, TooLargeError, VisionError

_COME_BACK_S = 2
_MOST_FAULTS = 20
MEDIA_TYPE = "application/problem+json"
_log = logging.getLogger(__name__)

_STATUS: tuple[tuple[type[JinqueError], int], ...] = (
    (NotFoundError, 404),
    (TokenError, 401),
    (ReadOnlyError, 403),
    (ConflictError, 409),
    (VersionError, 412),
    (LedgerError, 409),
    (RateError, 429),
    (TooLargeError, 413),
    (FormatError, 415),
    (EmptyFileError, 422),
    (DamagedError, 422),
    (ModelError, 503),
    (JinqueError, 422),
)
_ENGINE_CODES: tuple[tuple[type[JinqueError], str], ...] = (
    (NotationError, "bad_notation"),
    (HandError, "bad_hand"),
    (RulesetError, "bad_ruleset"),
)
_HTTP_CODES = {404: "not_found", 405: "method_not_allowed", 413: "body_too_large", 400: "bad_request"}


class ProblemDetails(BaseModel):
    """An error answer, RFC 9457."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "type": "urn:jinque:problem:version_moved",
                    "title": "Changed meanwhile",
                    "status": 412,
                    "detail": "Another phone changed the game meanwhile; look at it again.",
                    "code": "version_moved",
                    "reason": "the game is at version 4; expected 3, as If-Match says",
                }
            ]
        }
    )

    type: str
    title: str
    status: int
    detail: str
    code: str
    reason: str | None = None


def problem_code(error: JinqueError) -> str:
    """The stable snake_case code of an error of any of the three packages."""
    if isinstance(error, (AppError, VisionError)):
        return error.code
    return next((code for kind, code in _ENGINE_CODES if isinstance(error, kind)), "bad_request")


def problem(
    language: Language, code: str, status: int, *, values: Mapping[str, object] | None = None, **extra: Any
) -> JSONResponse:
    """A problem details answer; ``values`` fill the places of its sentence."""
    body = {
        "type": f"urn:jinque:problem:{code}",
        "title": translate(language, f"problem.{code}.title"),
        "status": status,
        "detail": translate(language, f"problem.{code}.detail", **(values or {})),
        "code": code,
        **extra,
    }
    headers = {"Content-Language": str(language), "Cache-Control": "no-store"}
    return JSONResponse(body, status_code=status, media_type=MEDIA_TYPE, headers=headers)


def language_of(request: Request) -> Language:
    """The language a request asks for: ``lang`` of the query, then the cookie, then Accept-Language."""
    chosen = request.query_params.get("lang") or request.cookies.get("lang")
    return negotiate(request.headers.get("accept-language"), chosen)


def install(app: FastAPI) -> None:
    """Answer every error of the app with problem details."""
    app.add_exception_handler(JinqueError, _on_jinque_error)
    app.add_exception_handler(RequestValidationError, _on_invalid_request)
    app.add_exception_handler(HTTPException, _on_http_error)
    for busy in (OperationalError, PoolTimeoutError):
        app.add_exception_handler(busy, _on_busy)
    app.add_exception_handler(Exception, _on_fault)


def _on_jinque_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, JinqueError)
    if isinstance(error, NotSettledError):
        return problem(language_of(request), error.code, 409, reason=str(error), preview=error.preview)
    return problem_of(error, language_of(request))


def problem_of(error: JinqueError, language: Language) -> JSONResponse:
    """The answer to an error."""
    status = next(status for kind, status in _STATUS if isinstance(error, kind))
    values = error.values(language) if isinstance(error, AppError) else None
    answer = problem(language, problem_code(error), status, values=values, reason=str(error))
    if isinstance(error, TokenError):
        answer.headers["WWW-Authenticate"] = "Bearer"
    if isinstance(error, RateError):
        answer.headers["Retry-After"] = str(error.wait_s)
    return answer


def _on_invalid_request(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    faults = [
        {"at": ".".join(shortened(str(part)) for part in fault["loc"]), "message": fault["msg"]}
        for fault in error.errors()[:_MOST_FAULTS]
    ]
    reason = "; ".join(f"{fault['at']}: {fault['message']}" for fault in faults)
    return problem(language_of(request), "invalid_request", 422, reason=reason, errors=faults)


def _on_http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    code = _HTTP_CODES.get(error.status_code, "bad_request")
    return problem(language_of(request), code, error.status_code, reason=str(error.detail))


def _on_busy(request: Request, error: Exception) -> JSONResponse:
    """The database cannot be reached, is locked for too long, or full: nothing was written."""
    _log.error("the database failed at %s %s: %s", request.method, request.url.path, error)
    answer = problem(language_of(request), "database_busy", 503, reason="no answer from the database")
    answer.headers["Retry-After"] = str(_COME_BACK_S)
    return answer


def _on_fault(request: Request, error: Exception) -> JSONResponse:
    _log.error("fault while answering %s %s", request.method, request.url.path, exc_info=error)
    return problem(language_of(request), "internal_error", 500, reason="an unexpected fault; it was written to the log")
