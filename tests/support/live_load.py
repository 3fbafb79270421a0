"""Pushes frames into a live table faster than it can look, and says how old the shown state gets and what it costs.

``python -m tests.support.live_load CLIP --seconds 120 --fps 15`` starts a server with the networks that ship, plays the
clip to it again and again over the socket as a camera's page does, looks on with a second socket, and prints one JSON
object: age of the shown state in ms (median, 95th percentile, worst), frames sent, received and dropped, how much of
the server lies in memory from the start on, in MiB, and by how much that grew in 10,000 frames once every part of the
table had been looked at (the networks keep memory for each shape of picture they have seen).
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import httpx2

from assistant_api.settings import Settings
from tests.support.evening import begin
from tests.support.live_desk import Phone, Wire
from tests.support.server import ServerProcess, started

WARM_S = 8.0
"""The table is found before anything is counted."""
SAMPLE_S, SETTLED = 30.0, 0.2
"""So often the memory is asked for; growth counts after this share of the time."""
QUALITY, LONG_PX = 70, 1600
"""What the camera's page sends."""


def jpegs(clip: Path) -> list[bytes]:
    """The frames of a film as the camera's page sends them."""
    video, found = cv2.VideoCapture(str(clip)), []
    while (read := video.read())[0]:
        found.append(as_sent(read[1]))
    return found


def as_sent(image: Any) -> bytes:
    """A picture (H, W, 3), BGR, as the camera's page sends it."""
    scale = min(1.0, LONG_PX / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    return bytes(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1])


def resident_mib(process: int) -> float:
    """Memory of a process that lies in RAM."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


def load(
    server: ServerProcess,
    frames: Sequence[bytes],
    *,
    seconds: float,
    fps: float,
    film_fps: float,
    warm_s: float = WARM_S,
) -> dict[str, Any]:
    """Plays frames forwards and backwards, so that nothing jumps; what a phone that looks on is told."""
    with httpx2.Client(base_url=server.address) as client:
        evening = begin(client)  # type: ignore[arg-type]
    camera = Phone(Wire(server.address, evening.id), evening.token, "camera")
    viewer = Phone(Wire(server.address, evening.share_code), None)
    camera.say("begin", near="E", dealer="E")
    stop, ages, sent = threading.Event(), list[float](), 0
    camera.frame(frames[0])
    viewer.until(lambda one: one.sight.get("frame"))  # the networks are loaded
    begun = time.monotonic()

    def look() -> None:
        while not stop.is_set():
            sight = viewer.next("sight")
            if sight["age_ms"] is not None and time.monotonic() - begun > warm_s:
                ages.append(sight["age_ms"])

    def hear() -> None:
        while not stop.is_set():
            camera.next("sight")

    listeners = [threading.Thread(target=one, daemon=True) for one in (look, hear)]
    for one in listeners:
        one.start()
    memory = [resident_mib(server.process.pid)]
    order = [*range(len(frames)), *range(len(frames) - 2, 0, -1)]
    while (now := time.monotonic() - begun) < warm_s + seconds:
        if now < warm_s:
            memory = [resident_mib(server.process.pid)]
        elif now - warm_s >= SAMPLE_S * len(memory):
            memory.append(resident_mib(server.process.pid))
        camera.socket.send_bytes(frames[order[int(now * film_fps) % len(order)]])
        sent += 1
        time.sleep(max(0.0, begun + sent / fps - time.monotonic()))
    memory.append(resident_mib(server.process.pid))
    settled = memory[int(SETTLED * (len(memory) - 1)) :]
    counted = sent * seconds / (warm_s + seconds) * (len(settled) - 1) / max(len(memory) - 1, 1)
    stop.set()
    for one in listeners:
        one.join(5)
    last = viewer.sight
    camera.socket.close()
    viewer.socket.close()
    ages.sort()
    return {
        "seconds": round(seconds),
        "sent_per_second": round(sent / (warm_s + seconds), 1),
        "sent": sent,
        "received": last["received"],
        "dropped": last["dropped"],
        "crashes": last["crashes"],
        "sights": len(ages),
        "age_ms_median": round(statistics.median(ages)),
        "age_ms_p95": round(ages[int(0.95 * (len(ages) - 1))]),
        "age_ms_worst": round(ages[-1]),
        "memory_mib": [round(one) for one in memory],
        "grown_mib_per_10000_frames": round((settled[-1] - settled[0]) * 10_000 / max(counted, 1), 1),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.live_load", description=__doc__)
    parser.add_argument("clip", type=Path)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--fps", type=float, default=15.0, help="frames pushed in a second")
    parser.add_argument("--film-fps", type=float, default=5.0, help="frames of the clip in a second")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    frames = jpegs(options.clip)
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(database_path=Path(folder) / "jinque.sqlite3")
        with started(settings, "--eyes", "shipped") as server:
            found = load(server, frames, seconds=options.seconds, fps=options.fps, film_fps=options.film_fps)
    sys.stdout.write(json.dumps(found) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
