"""Serves the pages and the API on the local network, plain and, where wanted, secure."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import uvicorn
from fastapi import FastAPI

from assistant_api.app import create_app
from assistant_api.errors import UsageError
from assistant_api.services import certificates
from assistant_api.services.joining import SecureOffer
from assistant_api.services.ledger.book import Bell
from assistant_api.settings import Settings

GRACE_S = 3
LOOK_FOR_ADDRESSES_S = 60


def open_socket(host: str, port: int, option: str = "--port") -> socket.socket:
    """A listening socket; UsageError when the port is taken or the host is not this machine's."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)  # from here on callers wait instead of being refused
    except OSError as error:
        listener.close()
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"cannot listen on {host}:{port}: {reason}; choose another with {option}") from None
    return listener


class Secure:
    """The secure side of a server: its authority, the certificate in use, and the socket it listens on."""

    def __init__(self, folder: Path, listener: socket.socket, plain: socket.socket) -> None:
        self.listener = listener
        self._plain_port = int(plain.getsockname()[1])
        self._folder = folder
        self.authority, self.is_new = certificates.open_authority(folder)
        self._names = certificates.server_names()
        self.certificate, _ = certificates.server_certificate(folder, self.authority, self._names)

    @property
    def offer(self) -> SecureOffer:
        """What the pages tell about it."""
        hosts = tuple(name for name in self._names if certificates.may_sign(self.authority, name))
        port = self.listener.getsockname()[1]
        known = self.authority
        return SecureOffer(port, hosts, known.name, known.der, known.fingerprint, self._plain_port)

    def renew(self) -> bool:
        """Look at the addresses and the end of the certificate again; True when a new one was made."""
        self._names = certificates.server_names()
        self.certificate, new = certificates.server_certificate(self._folder, self.authority, self._names)
        return new


class _Server(uvicorn.Server):
    """Takes others along when it is interrupted."""

    def __init__(self, config: uvicorn.Config, *on_exit: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_exit = on_exit

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop, and let nobody wait."""
        for stop in self._on_exit:
            stop()
        super().handle_exit(sig, frame)


class _Beside(uvicorn.Server):
    """A server beside another one, which alone is told of signals."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave them to the other server."""
        yield

    def stop(self) -> None:
        """Stop with the other one."""
        self.should_exit = True


def _config(app: FastAPI, settings: Settings, secure: Secure | None = None) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_level=settings.log_level,
        ws="websockets-sansio",
        ws_max_size=settings.max_live_bytes + 1024,
        ws_per_message_deflate=False,  # frames are packed already
        server_header=False,
        timeout_graceful_shutdown=GRACE_S,
        lifespan="off" if secure else "on",  # the plain server opens and closes the app for both
        ssl_certfile=secure.certificate if secure else None,
    )


def run(settings: Settings, listener: socket.socket, secure: Secure | None = None) -> None:
    """Serve until interrupted; the networks are loaded meanwhile, so that the first photo need not wait for them."""
    app = create_app(settings, secure=secure.offer if secure else None)
    warm_up = threading.Thread(target=app.state.desk.warm_up)
    warm_up.start()
    try:
        asyncio.run(_serve(app, settings, listener, secure))
    except KeyboardInterrupt:
        pass  # the usual way to stop
    finally:
        warm_up.join()


async def _serve(app: FastAPI, settings: Settings, listener: socket.socket, secure: Secure | None) -> None:
    """One app on one event loop, also behind two servers: who follows a game hears of all writes at once."""
    bell: Bell = app.state.book.bell  # followers of a game would be waited for, so they are sent home
    if secure is None:
        await _Server(_config(app, settings), bell.close).serve(sockets=[listener])
        return
    config = _config(app, settings, secure)
    config.load()
    beside = _Beside(config)
    plain = _Server(_config(app, settings), bell.close, beside.stop)
    keeper = asyncio.create_task(_keep_certificate(app, config, secure))
    try:
        await asyncio.gather(plain.serve(sockets=[listener]), beside.serve(sockets=[secure.listener]))
    finally:
        keeper.cancel()


async def _keep_certificate(app: FastAPI, config: uvicorn.Config, secure: Secure) -> None:
    """A laptop that changes its network gets a new address; new connections then get the new certificate."""
    while True:
        await asyncio.sleep(LOOK_FOR_ADDRESSES_S)
        if await asyncio.to_thread(secure.renew):
            assert config.ssl is not None
            config.ssl.load_cert_chain(secure.certificate)
            app.state.secure = secure.offer
