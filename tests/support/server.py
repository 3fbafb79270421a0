"""The API in a process of its own, with a scripted reader: ``python -m tests.support.server`` with JINQUE_ settings.

Prints its port on one line when it listens, and stops when its standard input is closed. With ``--eyes numbered`` its
live tables see what the frames of `tests.support.live_desk.numbered` say; with ``--eyes shipped`` the networks look.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from assistant_api.app import create_app
from assistant_api.settings import Settings, load_settings
from tests.scripted import ScriptedReader
from tests.support.live_desk import NumberedEye

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class ServerProcess:
    """A server that listens."""

    process: subprocess.Popen[str]
    port: int

    @property
    def address(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """As when the plug is pulled: SIGKILL, no goodbye."""
        self.process.kill()
        self.process.wait(60)


@contextmanager
def started(settings: Settings, *options: str) -> Iterator[ServerProcess]:
    """A server process with this database; it may be killed."""
    where = {"JINQUE_DATABASE_PATH": str(settings.database_path)}
    if settings.database_url is not None:
        where["JINQUE_DATABASE_URL"] = settings.database_url
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.support.server", *options],
        cwd=ROOT,
        env={**os.environ, **where},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield ServerProcess(process, int(process.stdout.readline()))
    finally:
        process.stdin.close()
        process.wait(60)
        process.stdout.close()


@contextmanager
def running(settings: Settings) -> Iterator[int]:
    """The port of a server process with this database."""
    with started(settings) as found:
        yield found.port


def main() -> None:
    """Serve until standard input ends."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--eyes", choices=("numbered", "shipped"))
    eyes = parser.parse_args().eyes
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    if eyes == "shipped":
        app = create_app(load_settings())
    else:
        app = create_app(load_settings(), reader=lambda _: ScriptedReader(None), eye=NumberedEye if eyes else None)

    def stop() -> None:
        sys.stdin.read()
        os._exit(0)  # as when the plug is pulled: what was answered is kept

    threading.Thread(target=stop, daemon=True).start()
    print(listener.getsockname()[1], flush=True)  # noqa: T201 the caller reads it
    uvicorn.Server(uvicorn.Config(app, log_level="error", ws="websockets-sansio")).run(sockets=[listener])


if __name__ == "__main__":
    main()
