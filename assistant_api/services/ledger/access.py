"""Who the caller is: tokens and roles.

A phone joins with a token and gets its own, with its role. The id of a game opens it together with a token; the share
code opens it for looking, without one. Tokens are 192 random bits, so a plain hash keeps them safe at rest.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

from sqlmodel import Session

from assistant_api import repository
from assistant_api.errors import FinishedError, NotFoundError, ReadOnlyError, TokenError
from assistant_api.rows import EARLIER_HANDS, GameRow, MemberRow

HOST = "host"
"""The phone that began the game."""
ANYONE = "anyone"
"""Everybody, for the hands that belong to no game."""
VIEWER = "viewer"


@dataclass(frozen=True, slots=True)
class Caller:
    """A role, and whether it may write."""

    role: str
    can_write: bool


def digest(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def admit(session: Session, game: GameRow, role: str) -> str:
    """A new token for a role in a game; only its hash is kept."""
    token = secrets.token_urlsafe(24)
    session.add(MemberRow(game_id=game.id, role=role, token_hash=digest(token)))
    return token


def open_game(session: Session, code: str, token: str | None) -> tuple[GameRow, Caller]:
    """The game behind an id or share code, for looking.

    Raises:
        NotFoundError: there is none.
        TokenError: the id came without a token of this game.
    """
    game = repository.find_game(session, code)
    if game is None:
        raise NotFoundError(f"there is no game {code!r}")
    if game.id == EARLIER_HANDS:
        return game, Caller(ANYONE, True)
    member = repository.find_member(session, digest(token)) if token else None
    if member is not None and member.game_id == game.id:
        return game, Caller(member.role, member.role != VIEWER)
    if code == game.share_code:
        return game, Caller(VIEWER, False)
    if not repository.still_there(session, game):  # its tokens went with it
        raise NotFoundError("the game was deleted")
    raise TokenError(
        "the token is not one of this game; expected one it gave out"
        if token
        else "no token came; expected the header Authorization: Bearer TOKEN"
    )


def open_for_writing(session: Session, code: str, token: str | None) -> tuple[GameRow, Caller]:
    """The game, locked until the transaction ends.

    Raises:
        NotFoundError, TokenError: as `open_game`.
        ReadOnlyError: this link or role may only look.
    """
    game, caller = open_game(session, code, token)
    if not caller.can_write:
        raise ReadOnlyError("this link or role may look at the game, not change it; expected a token for writing")
    repository.lock_game(session, game)
    return game, caller


def check_open(game: GameRow) -> None:
    """FinishedError when the game is finished."""
    if game.finished_at is not None:
        raise FinishedError("the game is finished; reopen it first")
