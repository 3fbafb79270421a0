"""Chinese Official beside another program: the same points for 20,000 random winning hands."""

from __future__ import annotations

from random import Random

import pytest

from engine.rulesets.mcr import load
from engine.sample_wins import SampleWin, count_sample, sample_win

pytest.importorskip("MahjongGB", reason="PyMahjongGB is not installed")

HANDS = 20_000


def test_same_points_as_pymahjonggb() -> None:
    """No difference in total points; where two divisions are worth the same, the rows may differ."""
    from assistant_api.services.mcr_peer import peer_count

    random, table = Random(20_000), load("mcr").table
    differences: list[tuple[SampleWin, int, int]] = []
    rows: set[str] = set()
    for _ in range(HANDS):
        win = sample_win(random)
        count, peer = count_sample(win, table), peer_count(win)
        rows |= {one.fan.key for one in count.fans}
        if count.total != peer:
            differences.append((win, count.total, peer))
    assert differences == []
    assert {fan.key for fan in table.fans} - rows <= {"huapai"}
