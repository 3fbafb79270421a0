"""Documents the problem answers of a handler."""

from __future__ import annotations

from typing import Any

from assistant_api.problems import MEDIA_TYPE, ProblemDetails

_MEANINGS = {
    400: "the body cannot be read at all",
    404: "nothing is kept under that id",
    409: "it contradicts what is kept, or the hand is no settled win",
    413: "the photo or body is too large",
    415: "not a photo of a known kind",
    422: "the body makes no sense as it stands",
    503: "the networks that read tiles are missing or damaged",
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
