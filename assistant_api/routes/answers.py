"""What the handlers share: documented problems, examples, and answers that may have been given before."""

from __future__ import annotations

from typing import Any, TypeVar

from fastapi import Response
from fastapi.openapi.models import Example
from pydantic import BaseModel

from assistant_api.problems import MEDIA_TYPE, ProblemDetails
from assistant_api.services.ledger.writing import Answer

Given = TypeVar("Given", bound=BaseModel)
_MEANINGS = {
    400: "the body cannot be read at all",
    401: "the game opens with its token",
    403: "this link or role may look, not write",
    404: "nothing is kept under that id",
    409: "it contradicts what is kept, or the hand is no settled win",
    412: "the game moved on since the version the caller saw",
    413: "the photo or body is too large",
    415: "not a photo of a known kind",
    422: "the body makes no sense as it stands",
    429: "too many requests; Retry-After says when to come back",
    503: "the database is busy (Retry-After says when to come back), or the networks that read tiles cannot be used",
}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The ``responses`` of a handler that may answer with these problems."""
    return {
        status: {
            "model": ProblemDetails,
            "description": _MEANINGS[status],
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDetails"}}},
        }
        for status in statuses
    }


def give(response: Response, answer: Answer[Given]) -> Given:
    """The body of an answer, with its status; one that was given before says so."""
    response.status_code = answer.status
    if answer.replayed:
        response.headers["Idempotency-Replayed"] = "true"
    return answer.body


def done(response: Response, replayed: bool) -> None:
    """A deletion has no body; one that was done before says so."""
    if replayed:
        response.headers["Idempotency-Replayed"] = "true"


def examples_of(*models: type[BaseModel]) -> dict[str, Example]:
    """The examples of some bodies, by kind."""
    found: dict[str, Example] = {}
    for model in models:
        extra = model.model_config.get("json_schema_extra")
        assert isinstance(extra, dict)
        for example in extra["examples"]:  # type: ignore[union-attr]
            found[str(example["kind"])] = {"value": example}  # type: ignore[index, call-overload]
    return found
