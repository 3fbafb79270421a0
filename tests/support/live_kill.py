"""Kills the server of a live table in the middle of a filmed hand, and says whether anything was lost or told twice.

``python -m tests.support.live_kill CLIP --at 24 38`` starts a server with the networks that ship and shows it a clip
with truth, each frame when the one before was looked at. At each of these seconds of the clip the server is killed
(SIGKILL) and another one started on the same database; the table rests meanwhile. Printed is one JSON object: how many
events stood at each kill, whether the server that came after told the same ones again, and the log at the end against
the truth.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import cv2
import httpx2
from websockets.exceptions import ConnectionClosed

from assistant_api.services.live.clips import Clip
from assistant_api.services.live.comparison import compare, in_sight
from assistant_api.settings import Settings
from engine.eventlog import parse_log
from engine.referee import Referee
from tests.support.evening import begin
from tests.support.live_delay import TimedJpeg, begin_clip, phone_at, timed_jpegs, wait_for_the_table, with_rest
from tests.support.live_desk import Phone
from tests.support.server import ServerProcess, started

PACE_S = 0.2
"""Between two frames at least."""


def follow_with_kills(
    settings: Settings, clip: Clip, frames: Sequence[TimedJpeg], kills: Sequence[float]
) -> dict[str, Any]:
    """Shows the frames and kills the server at these seconds of the clip; what came of it."""
    rest, stood = list(frames), list[dict[str, Any]]()
    evening, log = None, list[str]()
    for kill_s in (*sorted(kills), float("inf")):
        with started(settings, "--eyes", "shipped") as server:
            if evening is None:
                with httpx2.Client(base_url=server.address) as client:
                    evening = begin(client, first_dealer=clip.log[0].dealer.code)  # type: ignore[arg-type, union-attr]
                camera = phone_at(server, evening, "camera")
                begin_clip(camera, clip)
            else:
                camera = phone_at(server, evening, "camera")
                camera.until(lambda one: one.version >= 0)
                stood[-1]["told_again"] = camera.log == log
            wait_for_the_table(camera, rest[0][1])
            while rest and rest[0][0] < kill_s:
                show(camera, rest.pop(0)[1])
            log = list(camera.log)
            if rest:
                stood.append({"at_s": kill_s, "events": len(log)})
                kill(server, camera)
            else:
                camera.close()
            if not rest:
                break
    told = Referee(parse_log("\n".join(log) + "\n"))
    return {"clip": clip.name, "kills": stood, **compare(told, clip.log, len(in_sight(clip.hand().log))).as_json()}


def show(camera: Phone, jpeg: bytes) -> None:
    """Show a frame, wait until it was looked at, and no longer than the film takes otherwise."""
    begun = time.monotonic()
    number = camera.frame(jpeg)["frame"]
    if number is not None:
        camera.until(lambda one: one.sight.get("frame", 0) >= number)
    time.sleep(max(0.0, begun + PACE_S - time.monotonic()))


def kill(server: ServerProcess, camera: Phone) -> None:
    """Pull the plug."""
    server.kill()
    with suppress(ConnectionClosed, OSError):
        camera.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit 1 where something was lost."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.live_kill", description=__doc__)
    parser.add_argument("clip", type=Path)
    parser.add_argument("--at", type=float, nargs="+", default=[24.0], metavar="S", help="seconds of the clip")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    clip = Clip.load(options.clip)
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(database_path=Path(folder) / "jinque.sqlite3")
        found = follow_with_kills(settings, clip, with_rest(timed_jpegs(clip)), options.at)
    sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")
    return 0 if all(one["told_again"] for one in found["kills"]) else 1


if __name__ == "__main__":
    sys.exit(main())
