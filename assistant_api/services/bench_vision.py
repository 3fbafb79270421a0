"""Speed of reading: a photo of a hand and of a whole table, a live frame, and both networks on two run times."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from assistant_api.services.bench_vision_peer import compare_with_peer
from vision.bench import RUNS, as_live, as_phone_photo, bench_live, bench_photo, bench_run_times, rendered_table
from vision.frames import Frame
from vision.photo import PhotoReader


def bench_vision(
    reader: PhotoReader,
    hand: Frame,
    table: bytes | None,
    threads: int,
    *,
    networks: Path | None = None,
    data: Path | None = None,
    runs: int = RUNS,
) -> dict[str, Any]:
    """Medians of wall time and of processor time, in seconds, each after one run that warms up.

    Args:
        hand: a picture of a hand; it is read as a phone's JPEG of 12 megapixels and as a live frame of 1280 pixels.
        table: bytes of a photo of a whole table; None for a rendered one, left out where there is no font for it.
        networks: folder of other networks than the bundled ones, for the comparison of run times.
        data: folder of labelled sets, on whose test photos the peer is compared.
    """
    photo = bench_photo("photo of a hand, from its bytes", reader, as_phone_photo(hand), runs)
    readings = [photo, bench_live("live frame of the hand", reader, as_live(hand), runs)]
    table = rendered_table() if table is None else table
    if table is not None:
        readings.append(bench_photo("photo of a whole table, from its bytes", reader, table, runs))
    run_times = bench_run_times(hand, threads, networks, runs)
    peer = None if data is None else compare_with_peer(reader, data)
    return {
        "runs": runs,
        "threads": threads,
        "width": photo.details["width"],
        "height": photo.details["height"],
        "tiles": photo.details["tiles"],
        "seconds": round(photo.seconds, 4),
        "stages": photo.details["stages"],
        "readings": [timing.as_json() for timing in readings],
        "run_times": [timing.as_json() for timing in run_times],
        "peer": peer,
        "left_out": _left_out(table, len(run_times), data, peer),
    }


def _left_out(table: bytes | None, run_times: int, data: Path | None, peer: object) -> list[str]:
    """What was not measured, and why."""
    left = []
    if table is None:
        left.append("whole table: no font with traditional characters to render one; give a photo with --table")
    if run_times == 2:
        left.append("ONNX Runtime: not installed; pip install 'jinque[peer]'")
    if data is None:
        left.append("peer: no labelled photos; say where the sets are with --data FOLDER")
    elif peer is None:
        left.append("peer: no test photos in the folder, or mahjong-detector not installed; pip install 'jinque[peer]'")
    return left
