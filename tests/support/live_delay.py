"""Plays clips with truth to a live table at their own speed, and says how long after each hand a phone shows the event.

``python -m tests.support.live_delay CLIP...`` starts a server with the networks that ship, sends each clip (a folder of
`jinque simulate --render`) over the socket at its own times as a camera's page does, looks on with a second socket, and
prints one JSON object a clip, and the last for all together: how many events were told right of those that happened,
and of these the delay from when the hand had left until the viewer was told (median, 95th percentile, share within two
seconds), and the age of the shown state in ms.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import cv2
import httpx2

from assistant_api.services.live.clips import Clip
from assistant_api.services.live.comparison import in_sight
from assistant_api.services.live.delay import TimedLog, delays, percentile_95
from assistant_api.settings import Settings
from engine.eventlog import format_event, parse_log
from engine.events import Deal
from tests.support.evening import Evening, begin
from tests.support.live_desk import Phone, Wire
from tests.support.live_load import as_sent
from tests.support.server import ServerProcess, started
from vision.streams import open_stream

SOON_S = 2.0
"""So soon a change should be shown."""
READY_S = 60.0
"""So long the table is looked for in the first frame before the clip begins all the same."""
READY_FPS, HELD_S, HELD_FPS = 2.0, 6.0, 5.0
"""The first frame is sent so often until the table is found; the last one for so long and so often."""

TimedJpeg = tuple[float, bytes]


@dataclass(frozen=True, slots=True)
class Shown:
    """What a viewer was told of one clip: seconds of delay of the right events, how many happened, ages in ms."""

    seconds: Sequence[float]
    happened: int
    ages_ms: Sequence[float]
    received: int
    dropped: int

    def as_json(self) -> dict[str, Any]:
        """What is printed of it."""
        found, ages = self.seconds, self.ages_ms
        return {
            "happened": self.happened,
            "right": len(found),
            "delay_s_median": round(median(found), 2) if found else None,
            "delay_s_p95": round(percentile_95(found), 2) if found else None,
            "within_2s": round(sum(one <= SOON_S for one in found) / len(found), 3) if found else None,
            "age_ms_median": round(median(ages)) if ages else None,
            "age_ms_p95": round(percentile_95(ages)) if ages else None,
            "received": self.received,
            "dropped": self.dropped,
        }


def together(found: Sequence[Shown]) -> Shown:
    """All clips as one."""
    return Shown(
        [one for shown in found for one in shown.seconds],
        sum(shown.happened for shown in found),
        [one for shown in found for one in shown.ages_ms],
        sum(shown.received for shown in found),
        sum(shown.dropped for shown in found),
    )


def timed_jpegs(clip: Clip) -> list[TimedJpeg]:
    """The frames of a clip as the camera's page sends them, with their seconds."""
    return [(one.picture.time_s, as_sent(one.picture.image)) for one in open_stream(clip.source)]


def with_rest(frames: Sequence[TimedJpeg], held_s: float = HELD_S) -> list[TimedJpeg]:
    """And the table as it lies for a while after the last one."""
    time_s, jpeg = frames[-1]
    return [*frames, *((time_s + number / HELD_FPS, jpeg) for number in range(1, round(held_s * HELD_FPS) + 1))]


def phone_at(server: ServerProcess, evening: Evening, role: str | None) -> Phone:
    """The camera, or one that only looks on."""
    if role is None:
        return Phone(Wire(server.address, evening.share_code), None)
    return Phone(Wire(server.address, evening.id), evening.token, role)


def begin_clip(phone: Phone, clip: Clip) -> None:
    """The hand is begun, and what happened before the clip is told."""
    deal = clip.log[0]
    assert isinstance(deal, Deal)
    _say(phone, "begin", near=clip.near.code, dealer=deal.dealer.code, streak=deal.streak or 0)
    for event in clip.hand().log[1:]:
        _say(phone, "insert", text=format_event(event))


def _say(phone: Phone, act: str, **more: Any) -> None:
    answer = phone.say(act, **more)
    assert answer["type"] == "done", answer


def wait_for_the_table(camera: Phone, jpeg: bytes) -> None:
    """The phone stands there before anybody plays: the networks are loaded, and the table is found if it can be."""
    end = time.monotonic() + READY_S
    while not camera.sight.get("plane") and time.monotonic() < end:
        camera.socket.send_bytes(jpeg)
        wanted = time.monotonic() + 1.0 / READY_FPS
        while time.monotonic() < wanted:
            camera.next("sight")


def play(server: ServerProcess, clip: Clip, frames: Sequence[TimedJpeg]) -> Shown:
    """Plays one clip at its own speed; what a phone that looks on was told, and when."""
    deal = clip.log[0]
    assert isinstance(deal, Deal)
    before = clip.hand().log
    with httpx2.Client(base_url=server.address) as client:
        evening = begin(client, first_dealer=deal.dealer.code)  # type: ignore[arg-type]
    with closing(phone_at(server, evening, "camera")) as camera, ExitStack() as later:
        begin_clip(camera, clip)
        wait_for_the_table(camera, frames[0][1])  # nobody looks on yet: a socket that is not read is given up
        viewer = later.enter_context(closing(phone_at(server, evening, None)))
        viewer.until(lambda one: len(one.log) == len(before))
        told, ages, stop = list[TimedLog](), list[float](), threading.Event()
        begun = time.monotonic() - frames[0][0]

        def look() -> None:
            while not stop.is_set():
                message = viewer.next("delta", "snapshot", "sight")
                if message["type"] != "sight":
                    told.append((time.monotonic() - begun, parse_log("\n".join(viewer.log) + "\n")))
                elif message["age_ms"] is not None:
                    ages.append(message["age_ms"])

        def hear() -> None:
            while not stop.is_set():
                camera.next("sight")

        listeners = [threading.Thread(target=one, daemon=True) for one in (look, hear)]
        for one in listeners:
            one.start()
        for time_s, jpeg in frames:
            time.sleep(max(0.0, begun + time_s - time.monotonic()))
            camera.socket.send_bytes(jpeg)
        stop.set()
        for one in listeners:
            one.join(5)
    given = len(in_sight(before))
    found = delays(clip.log, clip.moments, told, given)
    sight = viewer.sight
    happened = len(in_sight(clip.log)) - given
    return Shown([one.seconds for one in found], happened, ages, sight["received"], sight["dropped"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.live_delay", description=__doc__)
    parser.add_argument("clips", type=Path, nargs="+", metavar="CLIP")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    found = []
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(database_path=Path(folder) / "jinque.sqlite3")
        with started(settings, "--eyes", "shipped") as server:
            for path in options.clips:
                clip = Clip.load(path)
                found.append(play(server, clip, with_rest(timed_jpegs(clip))))
                sys.stdout.write(json.dumps({"clip": clip.name, **found[-1].as_json()}) + "\n")
                sys.stdout.flush()
    sys.stdout.write(json.dumps({"clips": len(found), **together(found).as_json()}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
