"""Brings a database to the tables of `assistant_api.rows`, step by step (alembic); run whenever one is opened."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, inspect

from assistant_api.errors import ConfigError

_FIRST = "0001"
_LOCK = 0x6A696E717565
"""Servers that open one PostgreSQL database at the same time wait for each other; the number is the program's name."""


def scripts() -> Config:
    """Where the steps are."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    return config


def upgrade(connection: Connection) -> None:
    """Bring the database behind this connection up to date, in its transaction.

    Raises:
        ConfigError: it was made by a newer version of the program.
    """
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
    config = scripts()
    config.attributes["connection"] = connection
    current = MigrationContext.configure(connection).get_current_revision()
    if current == ScriptDirectory.from_config(config).get_current_head():
        return
    try:
        if current is None and inspect(connection).has_table("hand"):
            command.stamp(config, _FIRST)  # made before there were steps
        command.upgrade(config, "head")
    except CommandError as error:
        raise ConfigError(f"the database was made by a newer version of Jinque; install that one ({error})") from None
