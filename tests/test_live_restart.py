"""The server of a live table is killed in the middle of a hand: started again on the same database, it goes on."""

from __future__ import annotations

import signal
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed

from assistant_api.settings import Settings
from tests.support.evening import Evening, begin
from tests.support.live_desk import FOLLOWED, Phone, Wire, numbered, views
from tests.support.live_load import load
from tests.support.server import ServerProcess, started

pytestmark = pytest.mark.slow


@dataclass
class Witness:
    """A phone that remembers what it was told, over the servers that come and go."""

    evening: Evening
    role: str
    phone: Phone | None = None
    told: dict[str, Any] = field(default_factory=lambda: {"version": -1, "events": []})

    def join(self, server: ServerProcess) -> Phone:
        """Connect; what comes has all that was told before, under the same keys."""
        self.phone = Phone(Wire(server.address, self.evening.id), self.evening.token, self.role)
        self.phone.until(lambda one: one.version >= 0)
        events = self.phone.hand["events"] if self.phone.hand else []
        assert self.phone.version >= self.told["version"]
        assert [known(one) for one in events[: len(self.told["events"])]] == [known(one) for one in self.told["events"]]
        return self.phone

    def remember(self) -> None:
        """What it knows now."""
        assert self.phone is not None
        if self.phone.hand:
            self.told = {"version": self.phone.version, "events": self.phone.hand["events"]}

    def leave(self) -> None:
        """The server was killed: take what was still on the way."""
        assert self.phone is not None
        with suppress(ConnectionClosed, EOFError):
            while True:
                self.phone.next("never")
        self.remember()
        self.phone.socket.close()


def known(event: dict[str, Any]) -> tuple[Any, ...]:
    """What must not change by itself."""
    return event["key"], event["text"], event["state"]


def test_killed_in_the_middle_of_a_hand_the_table_goes_on(settings: Settings) -> None:
    """SIGKILL while frames come in, twice: what was told is not lost, nothing comes twice, said things stay said."""
    frames = [*range(len(views())), *[len(views()) - 1] * 12]
    stops = {13: 2, 27: 4, len(frames): len(FOLLOWED)}  # frames shown until then, and events told at least
    camera: Witness | None = None
    shown = 0
    for stop, told in stops.items():
        with started(settings, "--eyes", "numbered") as server:
            if camera is None:
                with httpx2.Client(base_url=server.address) as client:
                    camera = Witness(begin(client), "camera")  # type: ignore[arg-type]
                phone = camera.join(server)
                assert phone.say("begin", near="E", dealer="E")["type"] == "done"
            else:
                phone = camera.join(server)
                assert phone.say("confirm", key="said-before-the-kill", event=0)["type"] == "done"
            for number in frames[shown:stop]:
                seen(phone, number)
            shown = stop
            if stop < len(frames):
                phone.socket.send_json({"do": {"act": "confirm", "event": 0}, "key": "said-before-the-kill"})
                phone.socket.send_bytes(numbered(frames[stop]))  # on its way when the plug is pulled
                server.kill()
                assert server.process.returncode == -signal.SIGKILL
                camera.leave()
                assert told <= len(camera.told["events"]) < len(FOLLOWED), "killed in the middle of what is told"
            else:
                phone.until(lambda one: one.log == FOLLOWED)
                keys = [event["key"] for event in phone.hand["events"]]  # type: ignore[index]
                assert len(set(keys)) == len(keys)
                assert phone.hand["events"][0]["state"] == "confirmed"  # type: ignore[index]
                phone.socket.close()
                numbers = [event["number"] for event in phone.hand["events"]]  # type: ignore[index]
                assert numbers == list(range(1, len(FOLLOWED) + 1))


def seen(phone: Phone, number: int) -> None:
    """Show a frame and wait until it was looked at."""
    frame = phone.frame(numbered(number))["frame"]
    if frame is not None:
        phone.until(lambda one: one.sight.get("frame", 0) >= frame)


def test_fifteen_frames_a_second_leave_no_queue(settings: Settings) -> None:
    """Frames come in faster than the page would send them; the newest is shown, and everybody goes on being told."""
    frames = [numbered(number) for number in range(len(views()))]
    with started(settings, "--eyes", "numbered") as server:
        found = load(server, frames, seconds=4.0, fps=15.0, film_fps=5.0, warm_s=1.0)
    assert found["sent"] > 30
    assert found["received"] >= found["sent"] - 15, "all that came was counted, though few were looked at"
    assert found["crashes"] == 0
    assert found["sights"] >= 4
    assert found["age_ms_median"] <= found["age_ms_worst"]
