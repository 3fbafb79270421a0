"""What a live table costs, on a few frames: that the measures measure; how much is for `jinque bench live`."""

from __future__ import annotations

import time

import numpy as np

from vision.frames import Frame
from vision.live.load import bench_age, bench_memory, drawn_hands, load_lines, resident_mb
from vision.live.pipeline import Box, ScriptedReader
from vision.reading import TileReading


def test_memory_is_measured_on_tiles_that_are_believed() -> None:
    """The river grows: what is measured is not an empty table."""
    figures = bench_memory(80, warm=120)
    assert figures["frames"] == 80
    assert figures["most_tiles"] >= 10
    assert 0 < figures["memory_mb"][0] < 10_000
    assert "MB in 10,000 frames" in load_lines(figures, None)[0]


class SlowReader(ScriptedReader):
    """Sees nothing, and takes its time."""

    def read_tiles(
        self, frame: Frame, region: Box | None = None, tile_px: float | None = None, around: float = 0.0
    ) -> tuple[TileReading, ...]:
        time.sleep(0.1)
        return super().read_tiles(frame, region, tile_px, around)


def test_the_age_counts_what_was_shown_before() -> None:
    """Frames pushed faster than they are looked at are left out; the state is never newer than a frame took."""
    frames = [frame for frame, _, _ in drawn_hands(12)]
    figures = bench_age(frames, SlowReader([]), fps=1000.0, seconds=1.5)
    assert figures["looked_at"] < 1_450  # the table is looked for at least once, which takes a tenth of a second
    assert figures["oldest_s_worst"] >= 0.1
    assert figures["oldest_s_worst"] >= figures["oldest_s_median"]
    assert len(load_lines({**bench_memory(1, warm=1)}, figures)) == 3


def test_memory_of_the_process() -> None:
    """Grows with what is kept."""
    before = resident_mb()
    kept = np.ones((64, 1024, 1024), np.uint8)
    assert resident_mb() - before > 40
    assert Frame(kept[:3].reshape(1024, 1024, 3)).width == 1024
