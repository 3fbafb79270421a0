"""A live hand in the database: its events are rows, so that a server that was killed goes on where it stopped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, delete, select

from assistant_api.rows import LiveCropRow, LiveEventRow, LiveHandRow, now
from assistant_api.services.live.beginning import Beginning
from assistant_api.services.live.book import Book
from assistant_api.services.live.documents import kept_tile, restored_tile
from assistant_api.services.live.records import By, Noted
from assistant_api.services.live.table import LiveHand
from engine.eventlog import format_event, parse_event
from engine.rulesets import Ruleset

CONFIRMED, PROPOSED, ASKED = "confirmed", "proposed", "asked"


@dataclass(frozen=True, slots=True)
class Line:
    """One event as it is kept: its record, its place in the log, the version that brought it, and whose word it is."""

    noted: Noted
    number: int
    version: int
    role: str

    @property
    def state(self) -> str:
        """``confirmed`` by a person, ``proposed`` by the camera, or ``asked``: a person should look."""
        if self.noted.by is By.PERSON:
            return CONFIRMED
        return ASKED if self.noted.asked else PROPOSED


def open_hand(session: Session, game_id: str) -> LiveHandRow | None:
    """The hand that is being played at the table of a game; None between hands."""
    query = select(LiveHandRow).where(LiveHandRow.game_id == game_id, col(LiveHandRow.ended_at).is_(None))
    return session.exec(query.order_by(col(LiveHandRow.id).desc()).limit(1)).one_or_none()


def last_hand(session: Session, game_id: str) -> LiveHandRow | None:
    """The hand that was begun last, over or not."""
    query = select(LiveHandRow).where(LiveHandRow.game_id == game_id)
    return session.exec(query.order_by(col(LiveHandRow.id).desc()).limit(1)).one_or_none()


def lines_of(session: Session, hand_id: int) -> list[Line]:
    """The log of a hand, in order."""
    query = select(LiveEventRow).where(LiveEventRow.hand_id == hand_id).order_by(col(LiveEventRow.number))
    return [Line(_noted(row), row.number, row.version, row.role) for row in session.exec(query)]


def hand_of(lines: Sequence[Line], next_key: int, ruleset: Ruleset | None) -> LiveHand:
    """The hand to go on with. Tiles in sight are matched anew by what they show, since their tracks are others now."""
    notes = tuple(line.noted for line in lines)
    time_s = max((noted.time_s for noted in notes), default=0.0)
    hand = LiveHand(
        Book.of(notes, ruleset), next_key=next_key, beginning=Beginning(begun=len(notes) > 1), time_s=time_s
    )
    return hand.told_of(()).hand


def keep(session: Session, row: LiveHandRow, lines: Sequence[Line], hand: LiveHand, role: str) -> list[Line]:
    """Write what changed in the log, as the next version of the hand; the log as it is kept now.

    Args:
        session: the open transaction.
        row: the hand.
        lines: the log as it was kept.
        hand: the hand as it is now.
        role: of the phone whose word the changes are.
    """
    version = row.version + 1
    before = {line.noted.key: line for line in lines}
    kept: list[Line] = []
    for number, noted in enumerate(hand.notes, start=1):
        old = before.pop(noted.key, None)
        if old is not None and old.noted == noted and old.number == number:
            kept.append(old)
            continue
        said = role if old is None or old.noted != noted else old.role
        line = Line(noted, number, version, said)
        session.merge(_row(row.id or 0, line))
        kept.append(line)
    if before:
        gone = (col(LiveEventRow.hand_id) == row.id, col(LiveEventRow.key).in_(before))
        session.exec(delete(LiveEventRow).where(*gone))
        session.exec(delete(LiveCropRow).where(col(LiveCropRow.hand_id) == row.id, col(LiveCropRow.key).in_(before)))
    row.version, row.next_key = version, hand.next_key
    session.add(row)
    session.flush()
    return kept


def keep_crops(session: Session, hand_id: int, crops: Mapping[int, bytes]) -> dict[int, str]:
    """Keep pictures of events by their keys; the id of each. An event that has one already gets the new one."""
    ids: dict[int, str] = {}
    for key, jpeg in crops.items():
        session.exec(delete(LiveCropRow).where(col(LiveCropRow.hand_id) == hand_id, col(LiveCropRow.key) == key))
        crop = LiveCropRow(hand_id=hand_id, key=key, jpeg=jpeg)
        session.add(crop)
        ids[key] = crop.id
    session.flush()
    return ids


def crops_of(session: Session, hand_id: int) -> dict[int, str]:
    """The ids of the pictures of a hand, by the key of the event."""
    query = select(LiveCropRow.key, LiveCropRow.id).where(LiveCropRow.hand_id == hand_id)
    return dict(session.exec(query).all())


def end(session: Session, row: LiveHandRow) -> None:
    """The hand is over. Its pictures stay until the next one begins."""
    row.ended_at, row.version = now(), row.version + 1
    session.add(row)


def drop_crops(session: Session, game_id: str) -> None:
    """Delete the pictures of all hands of a game."""
    own = select(LiveHandRow.id).where(LiveHandRow.game_id == game_id)
    session.exec(delete(LiveCropRow).where(col(LiveCropRow.hand_id).in_(own)))


def _row(hand_id: int, line: Line) -> LiveEventRow:
    noted = line.noted
    return LiveEventRow(
        hand_id=hand_id,
        key=noted.key,
        number=line.number,
        version=line.version,
        text=format_event(noted.event),
        by=noted.by.value,
        role=line.role,
        state=line.state,
        confidence=round(noted.confidence, 4),
        time_s=noted.time_s,
        frame=noted.frame,
        tiles=[kept_tile(tile) for tile in noted.tiles],
        alternatives=[[format_event(event), round(chance, 4)] for event, chance in noted.alternatives],
    )


def _noted(row: LiveEventRow) -> Noted:
    return Noted(
        key=row.key,
        event=parse_event(row.text),
        by=By(row.by),
        confidence=row.confidence,
        time_s=row.time_s,
        frame=row.frame,
        tiles=tuple(restored_tile(one) for one in row.tiles),
        alternatives=tuple((parse_event(text), float(chance)) for text, chance in row.alternatives),
        asked=row.state == ASKED,
    )
