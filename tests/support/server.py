"""The API in a process of its own, with a scripted reader: ``python -m tests.support.server`` with JINQUE_ settings.

Prints its port on one line when it listens, and stops when its standard input is closed.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from assistant_api.app import create_app
from assistant_api.settings import Settings, load_settings
from tests.scripted import ScriptedReader

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def running(settings: Settings) -> Iterator[int]:
    """The port of a server process with this database."""
    where = {"JINQUE_DATABASE_PATH": str(settings.database_path)}
    if settings.database_url is not None:
        where["JINQUE_DATABASE_URL"] = settings.database_url
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.support.server"],
        cwd=ROOT,
        env={**os.environ, **where},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield int(process.stdout.readline())
    finally:
        process.stdin.close()
        process.wait(60)
        process.stdout.close()


def main() -> None:
    """Serve until standard input ends."""
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    app = create_app(load_settings(), reader=lambda _: ScriptedReader(None))

    def stop() -> None:
        sys.stdin.read()
        os._exit(0)  # as when the plug is pulled: what was answered is kept

    threading.Thread(target=stop, daemon=True).start()
    print(listener.getsockname()[1], flush=True)  # noqa: T201 the caller reads it
    uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listener])


if __name__ == "__main__":
    main()
