"""Live tables for tests: an eye that shows what a log says frame by frame, and the steps of a phone at the socket."""

from __future__ import annotations

import itertools
import json
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np
from fastapi.testclient import TestClient
from websockets.sync.client import connect

from assistant_api.services.tables.room import Room
from engine.eventlog import parse_log
from engine.seats import Seat
from tests.support.evening import Evening, begin
from tests.support.live_oracle import Oracle, play
from vision.frames import Frame
from vision.live.view import TableView

PATIENCE_S = 30.0
QUIET_LOG = """
deal E
E draw
gold 9m
E discard 1s
S draw
S discard 3p
W pung 3p
W discard 8s
N draw
N discard 2m
"""
FOLLOWED = ["deal E fuzhou streak 0", *(line.strip() for line in QUIET_LOG.strip().splitlines()[2:])]
"""What the camera makes of it; the dealer's first tile is part of the deal."""


def jpeg(shade: int = 90, size: tuple[int, int] = (320, 180)) -> bytes:
    """A frame."""
    _, data = cv2.imencode(".jpg", np.full((size[1], size[0], 3), shade, dtype=np.uint8))
    return bytes(data)


def views(text: str = QUIET_LOG, **oracle: Any) -> list[TableView]:
    """What a faultless camera sees of a log."""
    return list(play(parse_log(text), Oracle(**oracle)))


@dataclass
class ScriptedEye:
    """Shows the next view of a list with each frame, and the last one from then on.

    ``break_at`` are looks (from 0) that fail; ``wait`` holds every look until it is set.
    """

    shown: Sequence[TableView]
    break_at: set[int] = field(default_factory=set)
    wait: threading.Event | None = None
    looked: int = 0
    corners: list[Any] = field(default_factory=list)
    areas: tuple[Any, ...] = ()
    _start_s: float | None = None

    def look(self, frame: Frame, time_s: float) -> TableView:
        """The next view, at the time of the frame or later."""
        number = self.looked
        self.looked += 1
        if self.wait is not None:
            self.wait.wait(20)
        if number in self.break_at:
            raise RuntimeError("the eye stumbled")
        view = self.shown[min(number, len(self.shown) - 1)]
        if self._start_s is None:
            self._start_s = time_s - view.time_s
        later = max(0, number - len(self.shown) + 1) * 0.4
        return replace(moved(view, self._start_s), time_s=view.time_s + self._start_s + later)

    def set_corners(self, corners: Any) -> None:
        """Kept to be looked at."""
        self.corners.append(corners)

    def set_areas(self, areas: Any) -> None:
        """Kept to be looked at."""
        self.areas = tuple(areas)


def numbered(number: int) -> bytes:
    """A frame that shows the view of this number of the quiet hand, for `NumberedEye`."""
    return jpeg(_SHADE * number + _SHADE // 2)


_SHADE = 5


class NumberedEye:
    """Sees what the picture says and remembers nothing else, so that it may be killed at any time."""

    def __init__(self, near: Seat) -> None:
        self._views = views()
        self._late_s: float | None = None
        self._last = -1

    def look(self, frame: Frame, time_s: float) -> TableView:
        """The view of the frame's number; the same one again is some time later."""
        number = min(round(float(frame.image.mean()) / _SHADE - 0.5), len(self._views) - 1)
        view = self._views[number]
        if self._late_s is None:
            self._late_s = time_s - view.time_s
        elif number == self._last:
            self._late_s += 0.4
        self._last = number
        return moved(view, self._late_s)

    def set_corners(self, corners: Any) -> None:
        """It knows where the table is,"""

    def set_areas(self, areas: Any) -> None:
        """and what lies where."""


def moved(view: TableView, by_s: float) -> TableView:
    """The same view at another time."""
    tiles = tuple(replace(one, since_s=one.since_s + by_s, seen_s=one.seen_s + by_s) for one in view.tiles)
    return replace(view, time_s=view.time_s + by_s, tiles=tiles)


class Eyes:
    """Makes scripted eyes, one for each table that asks, and keeps them."""

    def __init__(self, *scripts: Sequence[TableView]) -> None:
        self._scripts = itertools.cycle(scripts or [views()])
        self.made: list[ScriptedEye] = []
        self.near: list[Seat] = []
        self.prepare: Callable[[ScriptedEye], None] = lambda _: None

    def __call__(self, near: Seat) -> ScriptedEye:
        """An eye."""
        eye = ScriptedEye(next(self._scripts))
        self.prepare(eye)
        self.made.append(eye)
        self.near.append(near)
        return eye


class Phone:
    """A socket that greets, and remembers the table as a page would."""

    def __init__(self, socket: Any, token: str | None, role: str = "table", lang: str = "en") -> None:
        self.socket = socket
        self.keys = itertools.count()
        self.version = -1
        self.hand: dict[str, Any] | None = None
        self.sight: dict[str, Any] = {}
        socket.send_json({"token": token, "role": role, "lang": lang})
        self.welcome = self.next("welcome", "gone")

    def next(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these types; states are taken in on the way."""
        while True:
            message: dict[str, Any] = self.socket.receive_json()
            self._take(message)
            if message["type"] in kinds:
                return message

    def _take(self, message: dict[str, Any]) -> None:
        if message["type"] == "snapshot":
            self.version, self.hand = message["version"], message["hand"]
        elif message["type"] == "delta":
            assert message["from_version"] == self.version
            assert self.hand is not None
            known = {one["key"]: one for one in (*self.hand["events"], *message["events"])}
            events = [known[key] for key in message["order"]]
            self.hand = {"state": message["state"], "alerts": message["alerts"], "events": events}
            self.version = message["version"]
        elif message["type"] == "sight":
            self.sight = message

    def until(self, wanted: Callable[[Phone], Any]) -> Any:
        """Take messages until something is so."""
        end = time.monotonic() + 2 * PATIENCE_S
        while not (found := wanted(self)):
            assert time.monotonic() < end, (self.log, self.sight)
            self.next("snapshot", "delta", "sight", "gone")
        return found

    @property
    def log(self) -> list[str]:
        """The lines of the log."""
        return [] if self.hand is None else [one["text"] for one in self.hand["events"]]

    def frame(self, data: bytes | None = None) -> dict[str, Any]:
        """Send a frame; what the server says of it."""
        self.socket.send_bytes(data or jpeg())
        return self.next("got", "gone")

    def show(self, frames: int, room: Room) -> None:
        """Send frames one after the other, each looked at before the next."""
        for _ in range(frames):
            number = self.frame()["frame"]
            for _ in range(20):  # a fast machine sends more a second than a table takes
                if number is not None:
                    break
                time.sleep(0.1)
                number = self.frame()["frame"]
            assert number is not None
            wait_for(lambda wanted=number: room.seen.number >= wanted)

    def close(self) -> None:
        """Hang up."""
        self.socket.close()

    def say(self, act: str, key: str | None = None, **more: Any) -> dict[str, Any]:
        """Say something; the answer."""
        key = key or f"key-{id(self)}-{next(self.keys)}"
        self.socket.send_json({"do": {"act": act, **more}, "key": key})
        return self.next("done", "refused")


def wait_for(ready: Callable[[], Any], patience_s: float = PATIENCE_S) -> None:
    """Until something is so."""
    end = time.monotonic() + patience_s
    while not ready():
        assert time.monotonic() < end, "it never was"
        time.sleep(0.005)


class Wire:
    """A WebSocket over the network, with the calls of the test client's."""

    def __init__(self, address: str, code: str) -> None:
        self._stack = ExitStack()
        url = f"{address.replace('http', 'ws')}/api/live/{code}"
        self._socket = self._stack.enter_context(connect(url, proxy=None, close_timeout=1))

    def send_json(self, message: Any) -> None:
        """Up."""
        self._socket.send(json.dumps(message))

    def send_bytes(self, data: bytes) -> None:
        """Up."""
        self._socket.send(data)

    def receive_json(self) -> Any:
        """Down; ConnectionClosed when the server is gone."""
        return json.loads(self._socket.recv(timeout=PATIENCE_S))

    def close(self) -> None:
        """Hang up."""
        self._stack.close()


class Table:
    """A game with its live table on a server, and phones that connect to it; all hang up at the end."""

    def __init__(self, client: TestClient, stack: ExitStack, **wanted: Any) -> None:
        self.client = client
        self.evening: Evening = begin(client, **wanted)
        self._stack = stack

    @property
    def room(self) -> Room:
        """The table on the server."""
        app: Any = self.client.app
        found: Room = app.state.live.room(self.evening.id)
        return found

    def connect(self, role: str = "table", *, code: str | None = None, token: str | None = "own", **more: Any) -> Phone:
        """A phone with the host's token, unless it is given another one or none."""
        socket = self._stack.enter_context(self.client.websocket_connect(f"/api/live/{code or self.evening.id}"))
        return Phone(socket, self.evening.token if token == "own" else token, role, **more)

    def look_on(self) -> Phone:
        """A phone with the share code."""
        return self.connect(code=self.evening.share_code, token=None)
