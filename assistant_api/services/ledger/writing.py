"""One write to a game, in one transaction: who may, the idempotency key, the version the caller saw, the history."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlmodel import Session

from assistant_api import repository
from assistant_api.errors import ConflictError, VersionError
from assistant_api.game_schemas import Action, Changed
from assistant_api.rows import ChangeRow, GameRow, ReceiptRow
from assistant_api.services.ledger import access, views
from assistant_api.services.ledger.access import Caller
from assistant_api.services.ledger.book import Book, Call
from assistant_api.storage import transaction

Body = TypeVar("Body", bound=BaseModel)
Given = TypeVar("Given")


@dataclass(frozen=True, slots=True)
class Answer(Generic[Body]):
    """An answer, and whether it was given before, to a request with the same key."""

    body: Body
    status: int
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """What a write did, for the history: the entry it was about, or the settings, before and after."""

    action: Action
    entry_id: int | None = None
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None


Work = Callable[[Session, GameRow, Caller], Step]


def fingerprint(what: str, body: BaseModel | None) -> str:
    """Tells apart requests that use the same key."""
    return hashlib.sha256(f"{what}\n{body.model_dump_json() if body else ''}".encode()).hexdigest()


def find_receipt(session: Session, scope: str, key: str | None, mark: str) -> ReceiptRow | None:
    """The answer given under this key; ConflictError when the key was used for something else."""
    receipt = session.get(ReceiptRow, (scope, key)) if key is not None else None
    if receipt is not None and receipt.fingerprint != mark:
        raise ConflictError(f"the key {key!r} was used for another request; expected a fresh one")
    return receipt


def write(
    book: Book,
    call: Call,
    code: str,
    what: str,
    body: BaseModel | None,
    work: Work,
    *,
    status: int = 200,
    finished_too: bool = False,
) -> Answer[Changed]:
    """Change a game. Nothing of it stays when anything goes wrong.

    Args:
        book: where.
        call: who asks.
        code: which game.
        what: what is asked for, to tell requests with the same key apart; with ``body``.
        body: the request.
        work: does it, inside the transaction; the game's version is that of the change already.
        status: the status of a fresh answer.
        finished_too: finished games may be changed by this.

    Raises:
        NotFoundError, TokenError, ReadOnlyError: see `access.open_for_writing`.
        FinishedError: the game is finished.
        ConflictError: the key was used for something else.
        VersionError: the game moved on since the version the caller saw.
    """
    return once(lambda: _write(book, call, code, fingerprint(what, body), work, status, finished_too))


def _write(
    book: Book, call: Call, code: str, mark: str, work: Work, status: int, finished_too: bool
) -> Answer[Changed]:
    with transaction(book.database, writes=True) as session:
        game, caller = access.open_for_writing(session, code, call.token)
        receipt = find_receipt(session, game.id, call.key, mark)
        if receipt is not None:
            return Answer(Changed.model_validate(receipt.body), receipt.status, replayed=True)
        if not finished_too:
            access.check_open(game)
        if call.if_match is not None and call.if_match != game.version:
            raise VersionError(f"the game is at version {game.version}; expected {call.if_match}, as If-Match says")
        seen = game.version
        game.version += 1
        session.add(game)
        step = work(session, game, caller)
        keep_step(session, game, caller, step)
        answer = views.changed(session, game, caller, seen, call.language, step.entry_id)
        if call.key is not None:
            shown = answer.model_dump(mode="json", by_alias=True)
            session.add(ReceiptRow(scope=game.id, key=call.key, fingerprint=mark, status=status, body=shown))
    book.bell.ring(game.id)
    return Answer(answer, status)


def keep_step(session: Session, game: GameRow, caller: Caller, step: Step) -> None:
    """Write a step into the history."""
    if step.action in repository.UNDOABLE:
        repository.drop_undone(session, game.id)
    session.add(
        ChangeRow(
            game_id=game.id,
            version=game.version,
            role=caller.role,
            action=step.action,
            entry_id=step.entry_id,
            before=step.before,
            after=step.after,
        )
    )
    session.flush()


def delete_once(book: Book, call: Call, what: str, work: Callable[[Session], None]) -> bool:
    """A deletion in its own transaction; with a key it may be asked for again and is not missed then.

    Returns:
        Whether it was done before.
    """
    mark = fingerprint(what, None)

    def delete() -> bool:
        with transaction(book.database, writes=True) as session:
            if find_receipt(session, _DELETIONS, call.key, mark) is not None:
                return True
            work(session)
            if call.key is not None:
                session.add(ReceiptRow(scope=_DELETIONS, key=call.key, fingerprint=mark, status=204))
            return False

    return once(delete)


_DELETIONS = "delete"
_IN_EACH_OTHERS_WAY = ("40001", "40P01")
"""PostgreSQL: could not serialize, deadlock."""


def once(work: Callable[[], Given]) -> Given:
    """Do a piece of work in its own transaction; do it again when another one at the same time was in its way.

    The other one used the same key, or deleted a photo that is needed here: the second time that is seen.
    """
    try:
        return work()
    except IntegrityError:
        return work()
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", None) not in _IN_EACH_OTHERS_WAY:
            raise
        return work()
