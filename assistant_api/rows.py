"""The tables of the database. `assistant_api.migrations` makes them; what goes over the wire is in the schemas.

Points are whole numbers, by player: player 0 began as East, 1 as South, 2 as West, 3 as North.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    TypeDecorator,
)
from sqlmodel import Field, SQLModel

EARLIER_HANDS = "earlier-hands"
"""The game of all hands that were saved without one. Its hands do not follow one another; everybody may open it."""


class Moment(TypeDecorator[datetime]):
    """A moment in UTC, on databases that keep time zones and on those that do not."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """In UTC; SQLite compares text, so nothing else may be stored."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """With its time zone."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def now() -> datetime:
    """This moment."""
    return datetime.now(UTC)


def unguessable() -> str:
    """A code of 128 random bits, 22 characters that are safe in an address."""
    return secrets.token_urlsafe(16)


def _moment(*, nullable: bool = False, index: bool = False) -> Column[datetime]:
    return Column(Moment, nullable=nullable, index=index)


def _points() -> Column[int]:
    return Column(BigInteger, nullable=False)


def _of_game() -> Column[str]:
    return Column(String, ForeignKey("game.id", ondelete="CASCADE"), nullable=False, index=True)


class PhotoRow(SQLModel, table=True):
    """A photo as it is shown: upright, without EXIF (so without its place), with the reading of the original."""

    __tablename__ = "photo"

    id: str = Field(default_factory=unguessable, primary_key=True)
    created_at: datetime = Field(default_factory=now, sa_column=_moment(index=True))
    jpeg: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    reading: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))


class GameRow(SQLModel, table=True):
    """An evening: who plays, by which rules, for what."""

    __tablename__ = "game"
    __table_args__ = (
        CheckConstraint("photo_retention IN ('none', 'until_finished', 'days')", name="photo_retention_known"),
        CheckConstraint("photo_days IS NULL OR photo_days > 0", name="photo_days_positive"),
    )

    id: str = Field(default_factory=unguessable, primary_key=True)
    share_code: str = Field(default_factory=unguessable, unique=True)
    version: int = 1
    created_at: datetime = Field(default_factory=now, sa_column=_moment(index=True))
    finished_at: datetime | None = Field(default=None, sa_column=_moment(nullable=True))
    title: str
    players: list[str] = Field(sa_column=Column(JSON, nullable=False))
    starting_points: list[int] = Field(sa_column=Column(JSON, nullable=False))
    stake_per_point_cents: int
    ruleset: str
    options: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False), description="every option with its value")
    first_dealer: int | None
    photo_retention: str
    photo_days: int | None = None


class MemberRow(SQLModel, table=True):
    """A phone that joined a game, with its role. Of its token only the hash is kept."""

    __tablename__ = "member"

    id: int | None = Field(default=None, primary_key=True)
    game_id: str = Field(sa_column=_of_game())
    role: str
    token_hash: str = Field(unique=True)
    joined_at: datetime = Field(default_factory=now, sa_column=_moment())


class EntryRow(SQLModel, table=True):
    """One line of the ledger: what was entered (``content``), the rules it was settled by, and what came of it."""

    __tablename__ = "entry"
    __table_args__ = (
        CheckConstraint(
            "east_points + south_points + west_points + north_points + kitty_points = 0", name="points_sum_to_zero"
        ),
        CheckConstraint("dealer BETWEEN 0 AND 3 AND next_dealer BETWEEN 0 AND 3", name="seats_exist"),
        Index("ix_entry_order", "game_id", "position"),
    )

    id: int | None = Field(default=None, primary_key=True)
    game_id: str = Field(sa_column=_of_game())
    position: int
    version: int
    created_at: datetime = Field(default_factory=now, sa_column=_moment())
    role: str
    removed: bool = False
    kind: str
    ruleset: str
    options: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False), description="every option with its value")
    content: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    result: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    photo_id: str | None = Field(
        default=None, sa_column=Column(String, ForeignKey("photo.id", ondelete="SET NULL"), index=True)
    )
    hand: int | None = None
    dealer: int | None = None
    streak: int | None = None
    next_hand: int | None = None
    next_dealer: int | None = None
    next_streak: int | None = None
    east_points: int = Field(default=0, sa_column=_points())
    south_points: int = Field(default=0, sa_column=_points())
    west_points: int = Field(default=0, sa_column=_points())
    north_points: int = Field(default=0, sa_column=_points())
    kitty_points: int = Field(default=0, sa_column=_points())

    @property
    def deltas(self) -> tuple[int, int, int, int]:
        """Points that moved, by player."""
        return self.east_points, self.south_points, self.west_points, self.north_points


class ChangeRow(SQLModel, table=True):
    """What was done to a game, when and by which role: the history, and what undo takes back."""

    __tablename__ = "change"

    game_id: str = Field(
        sa_column=Column(String, ForeignKey("game.id", ondelete="CASCADE"), primary_key=True, nullable=False)
    )
    version: int = Field(primary_key=True)
    at: datetime = Field(default_factory=now, sa_column=_moment())
    role: str
    action: str
    entry_id: int | None = Field(default=None, index=True)
    before: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    after: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
    state: str = Field(default="done", description="done; undone: can be done again; dropped: taken back for good")


class ReceiptRow(SQLModel, table=True):
    """The answer that was given to a write with an idempotency key."""

    __tablename__ = "receipt"

    scope: str = Field(primary_key=True)
    key: str = Field(primary_key=True)
    at: datetime = Field(default_factory=now, sa_column=_moment(index=True))
    fingerprint: str
    status: int
    body: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))


class LiveHandRow(SQLModel, table=True):
    """A hand that is followed at the table of a game. The one without an end is being played."""

    __tablename__ = "live_hand"
    __table_args__ = (CheckConstraint("near BETWEEN 0 AND 3", name="near_exists"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: str = Field(sa_column=_of_game())
    began_at: datetime = Field(default_factory=now, sa_column=_moment())
    ended_at: datetime | None = Field(default=None, sa_column=_moment(nullable=True))
    near: int = Field(description="the seat next to the camera")
    version: int = 1
    next_key: int = Field(default=1, description="key of the next record of the log")
    corners: list[list[float]] | None = Field(
        default=None,
        sa_column=Column(JSON(none_as_null=True)),
        description="where a person said the corners of the table are, as shares of the picture",
    )
    areas: list[dict[str, Any]] = Field(
        default_factory=list,
        sa_column=Column(JSON, nullable=False),
        description="parts of the table that a person named, as `NamedArea`",
    )


class LiveEventRow(SQLModel, table=True):
    """One event of a hand at a live table: a line of its log, with who says so."""

    __tablename__ = "live_event"
    __table_args__ = (CheckConstraint("state IN ('confirmed', 'proposed', 'asked')", name="state_known"),)

    hand_id: int = Field(
        sa_column=Column(Integer, ForeignKey("live_hand.id", ondelete="CASCADE"), primary_key=True, nullable=False)
    )
    key: int = Field(primary_key=True, description="given once; the number changes when events are put in before")
    number: int
    version: int = Field(description="the version of the hand that brought it as it is")
    text: str
    by: str = Field(description="camera, inferred or person")
    role: str = Field(description="of the phone it came from")
    state: str
    confidence: float
    time_s: float
    frame: int
    at: datetime = Field(default_factory=now, sa_column=_moment())
    tiles: list[dict[str, Any]] = Field(sa_column=Column(JSON, nullable=False))
    alternatives: list[list[Any]] = Field(sa_column=Column(JSON, nullable=False))


class LiveCropRow(SQLModel, table=True):
    """What the camera saw of an event: the part of the picture with its tiles, kept while the hand may be disputed."""

    __tablename__ = "live_crop"

    id: str = Field(default_factory=unguessable, primary_key=True)
    hand_id: int = Field(
        sa_column=Column(Integer, ForeignKey("live_hand.id", ondelete="CASCADE"), nullable=False, index=True)
    )
    key: int
    jpeg: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
