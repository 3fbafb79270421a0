"""The database: its two tables and how it is opened.

SQLite with write-ahead log, a busy timeout and foreign keys on; another database by URL works with the same tables.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import JSON, CheckConstraint, Column, Connection, Engine, ForeignKey, LargeBinary, String, event
from sqlalchemy.pool import StaticPool
from sqlmodel import Field, Session, SQLModel, create_engine

BUSY_TIMEOUT_MS = 5000


def _now() -> datetime:
    return datetime.now(UTC)


def _unguessable_id() -> str:
    return secrets.token_urlsafe(16)


class PhotoRow(SQLModel, table=True):
    """A photo as it is shown: upright, without EXIF (so without its place), with the reading of the original."""

    __tablename__ = "photo"

    id: str = Field(default_factory=_unguessable_id, primary_key=True)
    created_at: datetime = Field(default_factory=_now, index=True)
    jpeg: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    reading: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))


class HandRow(SQLModel, table=True):
    """A settled hand: what lay on the table, the rules it was judged by and the points that moved."""

    __tablename__ = "hand"
    __table_args__ = (
        CheckConstraint("delta_east + delta_south + delta_west + delta_north = 0", name="deltas_sum_to_zero"),
        CheckConstraint("winner BETWEEN 0 AND 3 AND dealer BETWEEN 0 AND 3", name="seats_exist"),
    )

    id: int | None = Field(default=None, primary_key=True)
    created_at: datetime = Field(default_factory=_now)
    photo_id: str | None = Field(
        default=None, sa_column=Column(String, ForeignKey("photo.id", ondelete="SET NULL"), index=True)
    )
    idempotency_key: str | None = Field(default=None, unique=True)
    ruleset: str
    options: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False), description="every option with its value")
    tiles: list[dict[str, Any]] = Field(sa_column=Column(JSON, nullable=False))
    facts: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    result: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False), description="the settlement as it was shown")
    winner: int
    dealer: int
    streak: int
    delta_east: int
    delta_south: int
    delta_west: int
    delta_north: int

    @property
    def deltas(self) -> tuple[int, int, int, int]:
        """Points that moved, East, South, West, North."""
        return self.delta_east, self.delta_south, self.delta_west, self.delta_north


def open_database(path: Path | None) -> Engine:
    """The database in this file, its folder and tables made when they are missing; None opens one in memory."""
    if path is None:
        database = create_engine("sqlite://", connect_args={"check_same_thread": False}, poolclass=StaticPool)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        database = create_engine(f"sqlite:///{path}", connect_args={"check_same_thread": False})
    event.listen(database, "connect", _prepare_connection)
    event.listen(database, "begin", _begin)
    SQLModel.metadata.create_all(database)
    return database


def _prepare_connection(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # the driver must not begin transactions by itself, see _begin
    cursor = connection.cursor()
    for pragma in ("foreign_keys = ON", "journal_mode = WAL", f"busy_timeout = {BUSY_TIMEOUT_MS}"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    """A writing transaction takes its lock at once and waits for it; one that read first could not wait any more."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def transaction(database: Engine, *, writes: bool = False) -> Iterator[Session]:
    """One unit of work: committed at the end, rolled back whole when anything goes wrong."""
    bound = database.execution_options(writes=writes)
    with Session(bound, expire_on_commit=False) as session, session.begin():
        yield session
