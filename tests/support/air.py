"""The air between phones and a server: it forwards what they say, until it is cut and nothing goes through any more."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit


class Air:
    """A port of its own that leads to a server's."""

    def __init__(self, address: str) -> None:
        self._to = ("127.0.0.1", urlsplit(address).port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._is_cut = False
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Every connection is gone, and new ones come to nothing."""
        self._is_cut = True
        self._drop()

    def mend(self) -> None:
        """As before."""
        self._is_cut = False

    def close(self) -> None:
        """For good."""
        self._listener.close()
        self._drop()

    def _drop(self) -> None:
        with self._lock:
            gone, self._open = self._open, set()
        for one in gone:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                if self._is_cut:
                    near.close()
                    continue
                far = socket.create_connection(self._to)
                with self._lock:
                    self._open |= {near, far}
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._pump, args=(one, other), daemon=True).start()

    def _pump(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(1 << 16):
                other.sendall(data)
        with suppress(OSError):
            other.shutdown(socket.SHUT_RDWR)


@contextmanager
def air(address: str) -> Iterator[Air]:
    """Air before a server."""
    found = Air(address)
    yield found
    found.close()
