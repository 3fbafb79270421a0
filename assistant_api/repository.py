"""What is asked of the database, in the words of the ledger. Every function works inside the caller's transaction."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import func
from sqlalchemy.exc import InvalidRequestError
from sqlmodel import Session, col, delete, or_, select, update

from assistant_api.errors import NotFoundError
from assistant_api.rows import ChangeRow, EntryRow, GameRow, MemberRow, PhotoRow, ReceiptRow

_CODE = re.compile(r"[A-Za-z0-9_-]{1,64}")
_SWEPT_RECEIPTS = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over entries: points by player, and what went to nobody. Together they are zero."""

    points: tuple[int, int, int, int] = (0, 0, 0, 0)
    kitty: int = 0
    kinds: Mapping[str, int] = field(default_factory=dict)
    """How many entries there are, by kind."""


# Photos


def add_photo(session: Session, photo: PhotoRow) -> None:
    """Keep a photo."""
    session.add(photo)


def get_photo(session: Session, photo_id: str) -> PhotoRow:
    """The photo with this id; NotFoundError when there is none."""
    photo = session.get(PhotoRow, photo_id) if _CODE.fullmatch(photo_id) else None
    if photo is None:
        raise NotFoundError(f"there is no photo {photo_id!r}")
    return photo


def delete_photo(session: Session, photo_id: str) -> None:
    """Delete a photo; entries that showed it stay, without it."""
    session.delete(get_photo(session, photo_id))


def games_showing(session: Session, photo_id: str) -> list[str]:
    """The games with an entry that shows this photo."""
    return list(session.exec(select(EntryRow.game_id).where(EntryRow.photo_id == photo_id).distinct()))


def delete_photos(session: Session, photo_ids: Iterable[str | None]) -> None:
    """Delete photos, those that are gone already left out, and those another entry shows."""
    wanted = {photo_id for photo_id in photo_ids if photo_id is not None}
    if wanted:
        shown = select(EntryRow.photo_id).where(col(EntryRow.photo_id).in_(wanted))
        session.exec(delete(PhotoRow).where(col(PhotoRow.id).in_(wanted), col(PhotoRow.id).not_in(shown)))


def delete_photos_of(session: Session, game_id: str) -> None:
    """Delete all photos of a game."""
    own = select(EntryRow.photo_id).where(EntryRow.game_id == game_id, col(EntryRow.photo_id).is_not(None))
    session.exec(delete(PhotoRow).where(col(PhotoRow.id).in_(own)))


def sweep(session: Session, now: datetime, unsaved: timedelta) -> None:
    """Delete what is kept for a time only: photos of no entry, photos of games that keep them for days, receipts."""
    kept = select(EntryRow.photo_id).where(col(EntryRow.photo_id).is_not(None))
    session.exec(delete(PhotoRow).where(col(PhotoRow.created_at) < now - unsaved, col(PhotoRow.id).not_in(kept)))
    for days in session.exec(select(GameRow.photo_days).where(GameRow.photo_retention == "days").distinct()).all():
        if days is not None:
            theirs = (
                select(EntryRow.photo_id)
                .join(GameRow, col(GameRow.id) == EntryRow.game_id)
                .where(GameRow.photo_days == days, col(EntryRow.photo_id).is_not(None))
            )
            old = col(PhotoRow.created_at) < now - timedelta(days=days)
            session.exec(delete(PhotoRow).where(old, col(PhotoRow.id).in_(theirs)))
    session.exec(delete(ReceiptRow).where(col(ReceiptRow.at) < now - _SWEPT_RECEIPTS))


# Games


def find_game(session: Session, code: str) -> GameRow | None:
    """The game with this id or share code; None when there is none."""
    if not _CODE.fullmatch(code):
        return None
    return session.exec(select(GameRow).where(or_(GameRow.id == code, GameRow.share_code == code))).one_or_none()


def still_there(session: Session, game: GameRow) -> bool:
    """False where somebody else deleted the game since it was found."""
    return session.exec(select(GameRow.id).where(GameRow.id == game.id)).first() is not None


def lock_game(session: Session, game: GameRow) -> None:
    """Let nobody else write this game until the transaction ends; SQLite lets only one write anyway.

    Raises:
        NotFoundError: somebody else deleted it meanwhile.
    """
    try:
        session.refresh(game, with_for_update=True)
    except InvalidRequestError:  # no row came back
        raise NotFoundError("the game was deleted") from None


def list_games(
    session: Session, codes: Sequence[str], own: str | None, *, limit: int, before: datetime | None
) -> list[GameRow]:
    """Games with one of these share codes, and the caller's own, newest first."""
    query = select(GameRow).where(or_(col(GameRow.share_code).in_(codes), GameRow.id == own))
    if before is not None:
        query = query.where(col(GameRow.created_at) < before)
    return list(session.exec(query.order_by(col(GameRow.created_at).desc()).limit(limit)))


def find_member(session: Session, token_hash: str) -> MemberRow | None:
    """The phone that holds the token with this hash."""
    return session.exec(select(MemberRow).where(MemberRow.token_hash == token_hash)).one_or_none()


def clear_game(session: Session, game_id: str) -> None:
    """Delete all entries of a game, its history and its answers."""
    for statement in (
        delete(EntryRow).where(col(EntryRow.game_id) == game_id),
        delete(ChangeRow).where(col(ChangeRow.game_id) == game_id),
        delete(ReceiptRow).where(col(ReceiptRow.scope) == game_id),
    ):
        session.exec(statement)


# Entries


def get_entry(session: Session, game_id: str, entry_id: int) -> EntryRow:
    """An entry of a game that is not removed; NotFoundError when there is none."""
    entry = session.get(EntryRow, entry_id)
    if entry is None or entry.removed or entry.game_id != game_id:
        raise NotFoundError(f"there is no entry {entry_id}")
    return entry


def entries_from(session: Session, game_id: str, position: int = 0) -> list[EntryRow]:
    """The entries of a game from a position on, in order."""
    query = select(EntryRow).where(EntryRow.game_id == game_id, EntryRow.position >= position, ~col(EntryRow.removed))
    return list(session.exec(query.order_by(col(EntryRow.position))))


def entry_before(session: Session, game_id: str, position: int | None = None) -> EntryRow | None:
    """The last entry, or the last before a position."""
    query = select(EntryRow).where(EntryRow.game_id == game_id, ~col(EntryRow.removed))
    if position is not None:
        query = query.where(EntryRow.position < position)
    return session.exec(query.order_by(col(EntryRow.position).desc()).limit(1)).one_or_none()


def list_entries(
    session: Session, game_id: str, *, limit: int, before: int | None = None, before_id: int | None = None
) -> list[EntryRow]:
    """Entries of a game, newest first; ``before`` is a position."""
    query = select(EntryRow).where(EntryRow.game_id == game_id, ~col(EntryRow.removed))
    if before is not None:
        query = query.where(EntryRow.position < before)
    if before_id is not None:
        query = query.where(col(EntryRow.id) < before_id)
    return list(session.exec(query.order_by(col(EntryRow.position).desc()).limit(limit)))


def next_position(session: Session, game_id: str) -> int:
    """The place of the next entry; places of removed entries are not used again, so that they can come back."""
    last = session.exec(select(func.max(EntryRow.position)).where(EntryRow.game_id == game_id)).one()
    return 1 if last is None else last + 1


def make_room(session: Session, game_id: str, position: int) -> None:
    """Move the entries from a position on by one place."""
    session.flush()
    later = (col(EntryRow.game_id) == game_id, col(EntryRow.position) >= position)
    session.exec(update(EntryRow).where(*later).values(position=EntryRow.position + 1))
    session.expire_all()


def totals(session: Session, game_id: str, before: int | None = None) -> Totals:
    """Sums over the entries of a game, or over those before a position."""
    columns = (
        EntryRow.east_points,
        EntryRow.south_points,
        EntryRow.west_points,
        EntryRow.north_points,
        EntryRow.kitty_points,
    )
    query = select(EntryRow.kind, func.count(), *(func.sum(column) for column in columns)).where(
        EntryRow.game_id == game_id, ~col(EntryRow.removed)
    )
    if before is not None:
        query = query.where(EntryRow.position < before)
    found = session.exec(query.group_by(EntryRow.kind)).all()
    sums = [sum(int(row[place]) for row in found) for place in range(2, 7)]
    return Totals((sums[0], sums[1], sums[2], sums[3]), sums[4], {row[0]: row[1] for row in found})


def first_changed(session: Session, game_id: str, since: int) -> tuple[int | None, list[int]]:
    """What changed after a version: the first position of an entry that did, None without any, and entries removed."""
    changed = select(EntryRow.id, EntryRow.position, EntryRow.removed).where(
        EntryRow.game_id == game_id, EntryRow.version > since
    )
    rows = session.exec(changed).all()
    positions = [position for _, position, _ in rows]
    return min(positions, default=None), sorted(number for number, _, removed in rows if removed and number is not None)


# History


UNDOABLE = ("add", "edit", "remove")


def last_done(session: Session, game_id: str) -> ChangeRow | None:
    """The change that undo takes back."""
    query = select(ChangeRow).where(
        ChangeRow.game_id == game_id, col(ChangeRow.action).in_(UNDOABLE), ChangeRow.state == "done"
    )
    return session.exec(query.order_by(col(ChangeRow.version).desc()).limit(1)).one_or_none()


def first_undone(session: Session, game_id: str) -> ChangeRow | None:
    """The change that redo does again: of those taken back, the one that was done first."""
    query = select(ChangeRow).where(ChangeRow.game_id == game_id, ChangeRow.state == "undone")
    return session.exec(query.order_by(col(ChangeRow.version)).limit(1)).one_or_none()


def knows_change(session: Session, game_id: str, version: int) -> bool:
    """Whether the history still has the change that made this version."""
    return session.get(ChangeRow, (game_id, version)) is not None


def change_states(session: Session, game_id: str) -> set[str]:
    """The states that changes to entries are in: something to undo, something to redo."""
    query = select(ChangeRow.state).where(ChangeRow.game_id == game_id, col(ChangeRow.action).in_(UNDOABLE))
    return set(session.exec(query.distinct()))


def drop_undone(session: Session, game_id: str) -> None:
    """After a new change those taken back cannot be done again."""
    undone = (col(ChangeRow.game_id) == game_id, col(ChangeRow.state) == "undone")
    session.exec(update(ChangeRow).where(*undone).values(state="dropped"))


def list_changes(
    session: Session, game_id: str, *, limit: int, before: int | None, entry_id: int | None = None
) -> list[ChangeRow]:
    """The history, newest first."""
    query = select(ChangeRow).where(ChangeRow.game_id == game_id)
    if before is not None:
        query = query.where(ChangeRow.version < before)
    if entry_id is not None:
        query = query.where(ChangeRow.entry_id == entry_id)
    return list(session.exec(query.order_by(col(ChangeRow.version).desc()).limit(limit)))


def edited_entries(session: Session, game_id: str) -> set[int]:
    """The entries that were corrected by a person."""
    query = select(ChangeRow.entry_id).where(
        ChangeRow.game_id == game_id, ChangeRow.action == "edit", ChangeRow.state == "done"
    )
    return {number for number in session.exec(query) if number is not None}
