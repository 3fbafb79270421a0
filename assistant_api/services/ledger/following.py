"""What followers of a game are told: the whole game first, then what changed, as long as they listen.

Every message stands for a version; a follower that comes back says the last one it had and gets what changed since.
The bell wakes followers in this process at once. Looking at the version twice a second finds the commits of other
processes, so several workers on one database need nothing between them.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from dataclasses import dataclass

from anyio.to_thread import run_sync

from assistant_api import repository
from assistant_api.errors import AppError
from assistant_api.game_schemas import Changed, Snapshot
from assistant_api.services.ledger import access, views
from assistant_api.services.ledger.book import Book, Call
from assistant_api.storage import transaction

LOOK_S = 0.5
STILL_S = 2.0
"""A follower hears something at least this often: phones keep streams that look open and are dead."""


@dataclass(frozen=True, slots=True)
class Message:
    """An event: ``snapshot``, ``delta``, ``gone`` (deleted, or its share code changed), or ``still``: nothing new."""

    event: str
    version: int
    body: Snapshot | Changed | None


def check(book: Book, call: Call, code: str) -> None:
    """Raises what opening the game raises, before anything is sent."""
    with transaction(book.database) as session:
        access.open_game(session, code, call.token)


async def follow(book: Book, call: Call, code: str, seen: int | None = None) -> AsyncIterator[Message]:
    """Messages about a game, until it is gone or the server stops.

    Args:
        book: where.
        call: who follows.
        code: which game.
        seen: the version of the last message the follower had, None for a new one.
    """
    told = time.monotonic()
    while not book.bell.closed:
        try:
            game_id, message = await run_sync(_look, book, call, code, seen)
        except AppError:
            yield Message("gone", seen or 0, None)
            return
        if message is not None:
            seen, told = message.version, time.monotonic()
            yield message
        elif time.monotonic() - told >= STILL_S:
            told = time.monotonic()
            yield Message("still", seen or 0, None)
        else:
            await book.bell.wait(game_id, LOOK_S)


def _look(book: Book, call: Call, code: str, seen: int | None) -> tuple[str, Message | None]:
    with transaction(book.database) as session:
        game, caller = access.open_game(session, code, call.token)
        if seen == game.version:
            return game.id, None
        if seen is None or seen > game.version or not repository.knows_change(session, game.id, seen + 1):
            return game.id, Message("snapshot", game.version, views.snapshot(session, game, caller, call.language))
        changed = views.changed(session, game, caller, seen, call.language)
        return game.id, Message("delta", game.version, changed)
