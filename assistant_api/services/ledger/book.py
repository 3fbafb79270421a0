"""What every service of the ledger is given, and the bell that wakes followers."""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict
from dataclasses import dataclass, field

from sqlalchemy import Engine

from assistant_api.languages import Language


class Bell:
    """Rung after each commit to a game, on any thread; wakes those who wait for it on their event loops.

    It reaches followers of the same process. Others find out by looking at the version now and then (`following`).
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()  # closed from a signal handler, perhaps on a thread that holds it
        self._closed = False
        self._waiting: defaultdict[str, set[tuple[asyncio.AbstractEventLoop, asyncio.Event]]] = defaultdict(set)

    def ring(self, game_id: str) -> None:
        """Something was committed to this game."""
        with self._lock:
            waiting = tuple(self._waiting.get(game_id, ()))
        for loop, event in waiting:
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)

    @property
    def closed(self) -> bool:
        """The server is about to stop: nobody shall wait any more."""
        return self._closed

    def close(self) -> None:
        """Wake everybody for the last time."""
        self._closed = True
        for game_id in tuple(self._waiting):
            self.ring(game_id)

    async def wait(self, game_id: str, timeout_s: float) -> None:
        """Until it rings, or the time is over."""
        place = (asyncio.get_running_loop(), asyncio.Event())
        with self._lock:
            self._waiting[game_id].add(place)
        try:
            async with asyncio.timeout(0 if self._closed else timeout_s):
                await place[1].wait()
        except TimeoutError:
            pass
        finally:
            with self._lock:
                self._waiting[game_id].discard(place)
                if not self._waiting[game_id]:
                    del self._waiting[game_id]


@dataclass(frozen=True, slots=True)
class Book:
    """The database with its bell, and the ruleset used where none is named."""

    database: Engine
    ruleset: str
    bell: Bell = field(default_factory=Bell)


@dataclass(frozen=True, slots=True)
class Call:
    """Who asks, and how: the token, the language, the idempotency key, the version the caller has seen."""

    language: Language = Language.EN
    token: str | None = None
    key: str | None = None
    if_match: int | None = None
