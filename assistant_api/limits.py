"""Stops a request body that is larger than its path may take, before it is read into memory."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

JSON_BYTES = 256 * 1024
MULTIPART_OVERHEAD_BYTES = 64 * 1024


class BodyLimit:
    """ASGI middleware: 413 for bodies above the limit, counted as they come in, whatever Content-Length says.

    Args:
        app: the application behind it.
        photo_path: the one path that takes photos.
        photo_bytes: largest body on that path; every other path takes ``JSON_BYTES``.
    """

    def __init__(self, app: ASGIApp, *, photo_path: str, photo_bytes: int) -> None:
        self._app = app
        self._photo_path = photo_path
        self._photo_limit = photo_bytes + MULTIPART_OVERHEAD_BYTES

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, counting its body."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit = self._photo_limit if scope["path"] == self._photo_path else JSON_BYTES
        taken = 0

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > limit or _declared(scope) > limit:
                raise HTTPException(413, f"the body is larger than {limit} bytes")
            return message

        await self._app(scope, counted, send)


def _declared(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0
