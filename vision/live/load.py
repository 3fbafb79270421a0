"""What a live table costs: memory over many frames, time a frame, and how old the shown state gets.

Memory is measured with a scripted reader on small drawn pictures, hand after hand; time with the reader that is given,
on the frames of a film. A camera pushes frames at its own pace and only the newest is looked at, as the server does
it; the clock is that of this process, so the age is what a viewer beside the server would see.
"""

from __future__ import annotations

import itertools
import math
import os
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.tiles import ALL_TILES, Tile
from vision.frames import Frame
from vision.live.pipeline import LiveTable, ScriptedReader, TileReader
from vision.live.plane import Plane
from vision.reading import TileReading, as_quad

FRAMES = 10_000
_WARM_FRAMES = 500
_FOUND_BY = 50  # frames until the table is found
_SIDE, _PX = 360, 16.0  # of the drawn picture, and of a tile's width in it
_FPS = 5.0
_PAUSE = 11  # frames from one discard to the next: a hand comes and goes, the tile stays
_DISCARDS = 36
_PLANE = Plane(np.array([[1 / _PX, 0, -_SIDE / 2 / _PX], [0, -1 / _PX, _SIDE / 2 / _PX], [0, 0, 1.0]]))


def drawn_hands(frames: int) -> Iterator[tuple[Frame, float, list[TileReading]]]:
    """Pictures of a river that grows under a hand, hand after hand, with their time and what is read in them."""
    rng = np.random.default_rng(9)
    cloth = cv2.GaussianBlur(rng.normal(0, 60, (_SIDE, _SIDE)).astype(np.float32), (0, 0), 3)
    image = bare = np.clip(np.array((60, 110, 40)) + cloth[..., None], 0, 255).astype(np.uint8)
    grain = [rng.integers(0, 6, bare.shape, np.uint8) for _ in range(8)]
    readings: list[TileReading] = []
    for number in range(frames):
        turn, step = divmod(number, _PAUSE)
        deal, index = divmod(turn, _DISCARDS)
        if step == 0 and index == 0:
            image, readings = bare.copy(), []
        if step == 5:
            readings.append(_laid(image, index, ALL_TILES[(7 * index + 5 * deal) % 34]))
        shown = cv2.add(image, grain[number % len(grain)])
        if step in (2, 3, 4):
            cv2.line(shown, (_SIDE // 2, _SIDE), (_SIDE // 2, _SIDE // 2 + 20), (90, 120, 190), 40)
        yield Frame(np.asarray(shown, np.uint8)), number / _FPS, list(readings)


def _laid(image: NDArray[np.uint8], index: int, tile: Tile) -> TileReading:
    """Draws a discard into the picture; what is read of it."""
    place = np.array((-3.5 + 1.05 * (index % 6), 3.6 - 1.45 * (index // 6)))
    corners = _PLANE.pixels(place + np.array([(-0.5, 0.68), (0.5, 0.68), (0.5, -0.68), (-0.5, -0.68)]))
    cv2.fillConvexPoly(image, np.rint(corners).astype(np.int32), (225, 235, 235))
    x, y = corners.mean(axis=0)
    cv2.putText(image, tile.code, (round(x) - 6, round(y) + 4), 0, 0.35, (30, 30, 160), 1)
    return TileReading(tile, 0.95, as_quad(corners))


def bench_memory(frames: int = FRAMES, *, warm: int = _WARM_FRAMES) -> dict[str, Any]:
    """How much memory grows while frames are looked at, in MB for 10,000; nothing is kept of them here."""
    reader = ScriptedReader([])
    table = LiveTable(reader, plane=_PLANE)
    before, believed, begun = 0.0, 0, time.perf_counter()
    for number, (frame, time_s, readings) in enumerate(drawn_hands(frames + warm)):
        if number == warm:
            before, begun = resident_mb(), time.perf_counter()
        reader.say([(0.0, readings)])
        view = table.push(frame, time_s)
        believed = max(believed, len(view.tiles))
    after, seconds = resident_mb(), time.perf_counter() - begun
    return {
        "frames": frames,
        "most_tiles": believed,
        "memory_mb": [round(before, 1), round(after, 1)],
        "grown_mb_per_10000": round((after - before) * 10_000 / frames, 2),
        "frame_ms": round(1000 * seconds / frames, 2),
    }


def bench_age(
    frames: Sequence[Frame], reader: TileReader, *, fps: float = 15.0, seconds: float = 60.0
) -> dict[str, Any]:
    """How old the shown state gets where a camera pushes so many frames a second.

    Args:
        frames: of a film at 5 frames/s, which is played forwards and backwards.
        reader: reads tiles.
    """
    table = LiveTable(reader)
    order = [*range(len(frames)), *range(len(frames) - 2, 0, -1)]
    begun = time.perf_counter()
    for first in range(_FOUND_BY):
        if table.push(frames[order[first % len(order)]], first / _FPS).plane_found:
            break
    found_s, worked = time.perf_counter() - begun, time.process_time()
    spent: list[float] = []
    ages: list[float] = []
    now = shown = start = (first + 1) / _FPS
    while now < start + seconds or not ages:
        taken = math.floor(now * fps + 1e-6) / fps  # the newest frame there is
        before = time.perf_counter()
        table.push(frames[order[int(taken * _FPS) % len(order)]], taken)
        spent.append(time.perf_counter() - before)
        done = now + spent[-1]
        ages.append(done - shown)  # until then the state before is on show
        shown = taken
        now = max(done, taken + 1 / fps)
    return {
        "pushed_per_second": fps,
        "found_s": round(found_s, 2),
        "looked_at": len(spent),
        "cpu_ms": round(1000 * (time.process_time() - worked) / len(spent), 1),
        "frame_ms_median": round(1000 * statistics.median(spent), 1),
        "frame_ms_p95": round(1000 * float(np.percentile(spent, 95)), 1),
        "oldest_s_median": round(statistics.median(ages), 3),
        "oldest_s_p95": round(float(np.percentile(ages, 95)), 3),
        "oldest_s_worst": round(max(ages), 3),
    }


def load_lines(memory: dict[str, Any], age: dict[str, Any] | None) -> list[str]:
    """The figures as text."""
    before, after = memory["memory_mb"]
    lines = [
        f"{memory['frames']} frames with a scripted reader: memory {before} to {after} MB, "
        f"{memory['grown_mb_per_10000']} MB in 10,000 frames; {memory['frame_ms']} ms a frame without the networks"
    ]
    if age is not None:
        lines += [
            f"{age['pushed_per_second']:.0f} frames/s pushed in, {age['looked_at']} looked at: "
            f"{age['frame_ms_median']} ms each (p95 {age['frame_ms_p95']}), {age['cpu_ms']} ms of a core",
            f"the shown state is at most {age['oldest_s_median']} s old (p95 {age['oldest_s_p95']}, worst "
            f"{age['oldest_s_worst']})",
        ]
    return lines


def film_frames(path: Path, most: int = 300) -> list[Frame]:
    """The first frames of a film."""
    from vision.streams import open_stream

    return [one.picture for one in itertools.islice(open_stream(str(path)), most)]


def resident_mb() -> float:
    """Memory of this process that lies in RAM; the most so far where the system does not say it."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    except OSError:
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most / 1e6 if sys.platform == "darwin" else most / 1e3
