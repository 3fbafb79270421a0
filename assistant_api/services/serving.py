"""Serves the pages and the API on the local network and tells people how to reach them."""

from __future__ import annotations

import io
import socket
import threading
from types import FrameType

import segno
import uvicorn

from assistant_api.app import create_app
from assistant_api.errors import UsageError
from assistant_api.services.ledger.book import Bell
from assistant_api.settings import Settings


def lan_address() -> str | None:
    """The address other devices reach this machine by; None without a network. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation, RFC 5737: only the route is looked up
        except OSError:
            return None
        return str(probe.getsockname()[0])


def page_url(host: str, port: int) -> str:
    """The address to open on a phone; a server that listens everywhere is reached by the machine's own address."""
    if host in ("0.0.0.0", "::", ""):
        host = lan_address() or "localhost"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def qr_text(url: str) -> str:
    """A QR code for the terminal."""
    out = io.StringIO()
    segno.make(url, error="m").terminal(out=out, compact=True)
    return out.getvalue()


def open_socket(host: str, port: int) -> socket.socket:
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
        raise UsageError(f"cannot listen on {host}:{port}: {reason}; choose another with --port") from None
    return listener


class _Server(uvicorn.Server):
    """Tells followers of a game that it stops; it would wait for them for ever."""

    def __init__(self, config: uvicorn.Config, bell: Bell) -> None:
        super().__init__(config)
        self._bell = bell

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop, and let nobody wait."""
        self._bell.close()
        super().handle_exit(sig, frame)


def run(settings: Settings, listener: socket.socket) -> None:
    """Serve until interrupted; the networks are loaded meanwhile, so that the first photo need not wait for them."""
    app = create_app(settings)
    config = uvicorn.Config(app, log_level=settings.log_level, server_header=False)
    warm_up = threading.Thread(target=app.state.desk.warm_up)
    warm_up.start()
    try:
        _Server(config, app.state.book.bell).run(sockets=[listener])
    except KeyboardInterrupt:
        pass  # the usual way to stop
    finally:
        warm_up.join()
