"""The database: how it is opened, brought up to date and written to.

SQLite with write-ahead log, a busy timeout and foreign keys on; PostgreSQL by its URL, with the same tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.pool import StaticPool
from sqlmodel import Session, create_engine

from assistant_api.errors import ConfigError
from assistant_api.migrations import upgrade

BUSY_TIMEOUT_MS = 10_000
_POOL = {"pool_size": 10, "max_overflow": 30}  # as many as the server has threads
_PRAGMAS = ("foreign_keys = ON", "journal_mode = WAL", "secure_delete = ON")  # a deleted photo leaves no bytes behind
_DRIVERS = {"postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}


def open_database(place: Path | str | None) -> Engine:
    """The database at this place, brought up to date.

    Args:
        place: a file, made with its folder when it is missing; or a URL; None opens one in memory.

    Raises:
        ConfigError: it cannot be opened, or a newer version of the program made it.
    """
    database = _engine(place)
    if database.dialect.name == "sqlite":
        event.listen(database, "connect", _prepare_connection)
        event.listen(database, "begin", _begin)
    try:
        with _told(database), database.execution_options(writes=True).begin() as connection:
            upgrade(connection)
    except BaseException:
        database.dispose()
        raise
    return database


def try_connection(url: str) -> None:
    """Connect and do nothing; ConfigError when it does not work."""
    database = _engine(url)
    with _told(database), database.connect():
        pass
    database.dispose()


@contextmanager
def _told(database: Engine) -> Iterator[None]:
    """Say in one sentence that a database cannot be opened."""
    try:
        yield
    except DBAPIError as error:
        reason = " ".join(str(error.orig).split())
        raise ConfigError(f"the database {shown_place(str(database.url))} cannot be opened: {reason}") from None


def is_url(place: Path | str | None) -> bool:
    """Whether a place is a URL rather than a file."""
    return isinstance(place, str) and "://" in place


def shown_place(place: Path | str) -> str:
    """A place for people to see; the password of a URL is left out."""
    if not is_url(place):
        return str(place)
    try:
        return make_url(str(place)).render_as_string(hide_password=True)
    except ArgumentError:
        return "a database URL"


def _engine(place: Path | str | None) -> Engine:
    if place is None:
        return create_engine("sqlite://", connect_args={"check_same_thread": False}, poolclass=StaticPool)
    if not is_url(place):
        file = Path(place)
        file.parent.mkdir(parents=True, exist_ok=True)
        return create_engine(f"sqlite:///{file}", connect_args={"check_same_thread": False}, **_POOL)
    try:
        url = make_url(str(place))
        url = url.set(drivername=_DRIVERS.get(url.drivername, url.drivername))
        if url.get_backend_name() == "sqlite":
            return create_engine(url, connect_args={"check_same_thread": False})
        return create_engine(url, pool_pre_ping=True, **_POOL)
    except (ArgumentError, NoSuchModuleError) as error:
        raise ConfigError(f"{str(place)!r} is no database: {error}") from None
    except ModuleNotFoundError:
        raise ConfigError("PostgreSQL needs its driver; install it with: pip install 'jinque[postgres]'") from None


def _prepare_connection(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # the driver must not begin transactions by itself, see _begin
    cursor = connection.cursor()
    for pragma in (*_PRAGMAS, f"busy_timeout = {BUSY_TIMEOUT_MS}"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    """A writing transaction takes its lock at once and waits for it; one that read first could not wait any more."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def transaction(database: Engine, *, writes: bool = False) -> Iterator[Session]:
    """One unit of work: committed at the end, rolled back whole when anything goes wrong.

    One that only reads sees the database as it was at its beginning, so that all figures of an answer fit together.
    """
    options: dict[str, Any] = {"writes": writes}
    if not writes and database.dialect.name == "postgresql":
        options["isolation_level"] = "REPEATABLE READ"  # SQLite always does so
    bound = database.execution_options(**options)
    with Session(bound, expire_on_commit=False) as session, session.begin():
        yield session
