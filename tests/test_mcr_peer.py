"""Chinese Official beside another program: the same points for 20,000 random winning hands."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine.rulesets.mcr import load
from engine.sample_wins import SampleWin, count_sample, sample_win
from engine.shape_distance import shape_distance, shape_useful
from engine.shapes import Shape
from engine.tiles import ALL_TILES

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


def test_same_distances_as_pymahjonggb() -> None:
    """向听 of each shape, for hands dealt at random and hands that lack a few tiles."""
    import MahjongGB

    from assistant_api.services.mcr_peer import peer_tiles

    peers = {
        Shape.STANDARD: MahjongGB.RegularShanten,
        Shape.SEVEN_PAIRS: MahjongGB.SevenPairsShanten,
        Shape.ORPHANS: MahjongGB.ThirteenOrphansShanten,
        Shape.KNITTED: MahjongGB.HonorsAndKnittedTilesShanten,
        Shape.KNITTED_STRAIGHT: MahjongGB.KnittedStraightShanten,
    }
    random = Random(5)
    wall = [tile for tile in ALL_TILES[:34] for _ in range(4)]
    hands = [tuple(random.sample(wall, 13)) for _ in range(500)]
    hands += [win.concealed for win in (sample_win(random) for _ in range(1500)) if not win.melds]
    for hand in hands:
        for shape, peer in peers.items():
            theirs, useful = peer(peer_tiles(hand))
            ours = shape_distance(hand, (shape,))
            # The peer lets a fifth tile of a kind come, such as for the pair of 西西西西.
            assert ours == theirs or (ours > theirs and max(Counter(hand).values()) == 4), (shape, hand)
            if shape is Shape.STANDARD and max(Counter(hand).values()) < 4:
                assert set(peer_tiles(shape_useful(hand, (shape,)))) == set(useful), hand
