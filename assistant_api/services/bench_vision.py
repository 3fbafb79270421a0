"""Speed of reading a photo."""

from __future__ import annotations

import statistics
from typing import Any

from assistant_api.services.reading import Reader
from vision.frames import Frame

RUNS = 5


def bench_vision(reader: Reader, frame: Frame) -> dict[str, Any]:
    """Median wall time of reading a decoded photo, in seconds, whole and by stage; one read before that warms up."""
    reader.read(frame)
    readings = [reader.read(frame) for _ in range(RUNS)]
    stages = {name: statistics.median(reading.stages[name] for reading in readings) for name in readings[0].stages}
    return {
        "runs": RUNS,
        "width": frame.width,
        "height": frame.height,
        "tiles": len(readings[-1].tiles),
        "seconds": round(statistics.median(reading.seconds for reading in readings), 4),
        "stages": {name: round(seconds, 4) for name, seconds in stages.items()},
    }
