"""Limits on requests: how large a body may be, and how many writes may come from one device in a minute."""

from __future__ import annotations

import math
import time

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assistant_api.errors import RateError
from assistant_api.problems import language_of, problem_of

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


_WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class RateLimit:
    """ASGI middleware: 429 with Retry-After for a device that writes too often; looking is free.

    Counted in memory, by network address: with several workers each counts for itself.

    Args:
        app: the application behind it.
        photo_path: the one path that takes photos, which are read and so dear.
        photos: how many of them in a minute.
        writes: how many other writes in a minute.
        free: ends of writing paths that keep nothing, so cost little.
    """

    def __init__(self, app: ASGIApp, *, photo_path: str, photos: int, writes: int, free: tuple[str, ...]) -> None:
        self._app = app
        self._photo_path = photo_path
        self._photos = RateLimitItemPerMinute(photos)
        self._writes = RateLimitItemPerMinute(writes)
        self._free = free
        self._counts = MemoryStorage()
        self._limiter = MovingWindowRateLimiter(self._counts)
        self._latest = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or say when to come back."""
        if scope["type"] == "http" and scope["method"] in _WRITES and not scope["path"].endswith(self._free):
            photo = scope["path"] == self._photo_path and scope["method"] == "POST"
            limit, kind = (self._photos, "photos") if photo else (self._writes, "writes")
            if time.time() < self._latest:
                self._counts.reset()  # the clock was set back: what was counted lies in the future now
            self._latest = time.time()
            device = (scope.get("client") or ("unknown",))[0]
            if not self._limiter.hit(limit, kind, device):
                reset = self._limiter.get_window_stats(limit, kind, device).reset_time
                wait_s = max(1, math.ceil(reset - time.time()))
                error = RateError(f"more than {limit.amount} {kind} in a minute from {device}", wait_s)
                await problem_of(error, language_of(Request(scope)))(scope, receive, send)
                return
        await self._app(scope, receive, send)


def _declared(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit():
            return int(value)
    return 0
