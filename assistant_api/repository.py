"""What is asked of the database, in the words of the ledger. Every function works inside the caller's transaction."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func
from sqlmodel import Session, col, delete, select

from assistant_api.errors import NotFoundError
from assistant_api.storage import HandRow, PhotoRow

Points = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Page:
    """Some saved hands, newest first; ``next_before`` asks for the ones before them, None at the end."""

    hands: tuple[HandRow, ...]
    next_before: int | None


def add_photo(session: Session, photo: PhotoRow) -> None:
    """Keep a photo."""
    session.add(photo)


def get_photo(session: Session, photo_id: str) -> PhotoRow:
    """The photo with this id; NotFoundError when there is none."""
    photo = session.get(PhotoRow, photo_id)
    if photo is None:
        raise NotFoundError(f"there is no photo {photo_id!r}")
    return photo


def delete_photo(session: Session, photo_id: str) -> None:
    """Delete a photo; hands that showed it stay, without it."""
    session.delete(get_photo(session, photo_id))


def delete_unsaved_photos(session: Session, before: datetime) -> int:
    """Delete the photos older than this that belong to no saved hand; returns how many."""
    kept = select(HandRow.photo_id).where(col(HandRow.photo_id).is_not(None))
    old = delete(PhotoRow).where(col(PhotoRow.created_at) < before, col(PhotoRow.id).not_in(kept))
    return int(session.exec(old).rowcount)


def add_hand(session: Session, hand: HandRow) -> HandRow:
    """Keep a settled hand and give it its number."""
    session.add(hand)
    session.flush()
    return hand


def get_hand(session: Session, hand_id: int) -> HandRow:
    """The hand with this number; NotFoundError when there is none."""
    hand = session.get(HandRow, hand_id)
    if hand is None:
        raise NotFoundError(f"there is no hand {hand_id}")
    return hand


def find_hand_by_key(session: Session, idempotency_key: str) -> HandRow | None:
    """The hand that was saved under this key, None when there is none."""
    return session.exec(select(HandRow).where(HandRow.idempotency_key == idempotency_key)).one_or_none()


def delete_hand(session: Session, hand_id: int) -> None:
    """Take a hand out of the list, with its photo when no other hand shows it."""
    hand = get_hand(session, hand_id)
    photo_id = hand.photo_id
    session.delete(hand)
    session.flush()
    if photo_id and session.exec(select(HandRow.id).where(HandRow.photo_id == photo_id)).first() is None:
        delete_photo(session, photo_id)


def list_hands(session: Session, *, limit: int, before: int | None = None) -> Page:
    """Saved hands, newest first."""
    query = select(HandRow).order_by(col(HandRow.id).desc()).limit(limit + 1)
    if before is not None:
        query = query.where(col(HandRow.id) < before)
    found = tuple(session.exec(query))
    more = len(found) > limit
    return Page(found[:limit], found[limit - 1].id if more else None)


def totals(session: Session) -> Points:
    """Running totals of the four seats over all saved hands; they always sum to zero."""
    east, south, west, north = session.exec(
        select(
            func.coalesce(func.sum(HandRow.delta_east), 0),
            func.coalesce(func.sum(HandRow.delta_south), 0),
            func.coalesce(func.sum(HandRow.delta_west), 0),
            func.coalesce(func.sum(HandRow.delta_north), 0),
        )
    ).one()
    return int(east), int(south), int(west), int(north)


def count_hands(session: Session) -> int:
    """How many hands are saved."""
    return session.exec(select(func.count()).select_from(HandRow)).one()
