"""A PostgreSQL server of its own for tests: Debian's programs, a temporary folder, a socket in it and no network."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg

_FOLDERS = Path("/usr/lib/postgresql")
_FAST = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c shared_buffers=32MB -c max_connections=150"
_USER = "tester"


def programs() -> Path | None:
    """The folder of initdb and pg_ctl, of the newest version that is installed; None without one."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).parent
    folders = sorted(_FOLDERS.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return folders[-1].parent if folders else None


class Postgres:
    """A running server."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count(1)

    def url(self, name: str) -> str:
        """The URL of a database on it, as a person would write it."""
        return f"postgresql://{_USER}@/{name}?host={self._folder}"

    def run(self, url: str, *statements: str) -> None:
        """Run statements, each by itself."""
        with psycopg.connect(url, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def new(self) -> str:
        """The URL of a new, empty database."""
        name = f"jinque_{next(self._numbers)}"
        self.run(self.url("postgres"), f"CREATE DATABASE {name}")
        return self.url(name)


@contextmanager
def server() -> Iterator[Postgres | None]:
    """A server that runs as long as the block; None where PostgreSQL is not installed."""
    where = programs()
    if where is None:
        yield None
        return
    folder = Path(tempfile.mkdtemp(prefix="jinque-pg-"))  # a short path: that of a socket may have 107 bytes
    user = _unprivileged()
    if user is not None:
        os.chown(folder, user.pw_uid, user.pw_gid)

    def call(*command: str) -> None:
        who = ["runuser", "-u", user.pw_name, "--"] if user else []
        done = subprocess.run([*who, *command], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr

    data = str(folder / "data")
    control, log = str(where / "pg_ctl"), str(folder / "log")
    try:
        call(str(where / "initdb"), "-D", data, "-U", _USER, "-A", "trust", "-E", "UTF8", "--no-sync")
        options = f"{_FAST} -c listen_addresses='' -c unix_socket_directories='{folder}'"
        call(control, "-D", data, "-l", log, "-o", options, "-w", "start")
        try:
            yield Postgres(folder)
        finally:
            call(control, "-D", data, "-m", "fast", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _unprivileged() -> pwd.struct_passwd | None:
    """Whom the server runs as: it refuses root. None: the user who runs the tests."""
    if os.geteuid() != 0:
        return None
    known = {user.pw_name: user for user in pwd.getpwall()}
    return known.get("postgres") or known["nobody"]
