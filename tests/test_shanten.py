"""Distance to ready and useful tiles, against a solver that compares a hand with everything it could become."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from random import Random

import exhaustive as naive
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.decompose import is_complete
from engine.errors import HandError
from engine.notation import format_tiles, parse_tiles
from engine.shanten import discard_distances, distance, useful_kinds
from engine.tiles import SUITED, Tile
from engine.waits import winning_tiles

WALL = tuple(tile for tile in SUITED for _ in range(4))


def dealt(random: Random, size: int, suits: int = 3) -> tuple[tuple[Tile, ...], Tile | None]:
    """A hand from a wall of so many suits, and a gold kind or none; one copy of the gold is the indicator."""
    gold = SUITED[random.randrange(27)] if random.random() < 0.8 else None
    wall = [tile for tile in WALL if tile < 9 * suits or tile is gold]
    if gold is not None:
        wall.remove(gold)
        wall += [gold] * random.choice((0, 0, 8))
    hand = random.sample(wall, size)
    while gold is not None and hand.count(gold) > 3:
        hand.remove(gold)
        hand.append(random.choice([tile for tile in wall if tile is not gold and hand.count(tile) < 4]))
    return tuple(hand), gold


@pytest.mark.slow
def test_distance_of_random_hands_like_the_naive_solver() -> None:
    random, seen = Random(7), set()
    for index in range(2_000):
        size = 17 - 3 * random.randrange(6) - random.randrange(2)
        hand, gold = dealt(random, size, suits=1 + index % 3)
        expected = naive.distance(hand, gold)
        assert distance(hand, gold) == expected, (format_tiles(hand), gold)
        seen.add(expected)
    assert seen >= {-1, 0, 1, 2, 3, 4}


@pytest.mark.slow
def test_ten_thousand_hands_like_a_peer() -> None:
    """Field report 58: no greedy counting of blocks. Hands of 13 and 14 tiles, honours too, without golds."""
    peer = pytest.importorskip("mahjong.shanten", reason="the package mahjong is not installed").Shanten
    random = Random(5)
    walls = [[tile for tile in Tile if tile < last for _ in range(4)] for last in (9, 18, 27, 34)]
    for index in range(10_000):
        hand = random.sample(walls[index % 4], 13 + index // 4 % 2)
        counts = [hand.count(Tile(kind)) for kind in range(34)]
        assert distance(hand) == peer.calculate_shanten(counts, use_chiitoitsu=False, use_kokushi=False)


@pytest.mark.slow
def test_useful_kinds_and_discards_like_the_naive_solver() -> None:
    random = Random(8)
    for index in range(30):
        hand, gold = dealt(random, 17 - 3 * random.randrange(5), suits=1 + index % 3)
        after = discard_distances(hand, gold)
        assert set(after) == set(hand)
        for tile in after:
            rest = list(hand)
            rest.remove(tile)
            assert after[tile] == naive.distance(rest, gold)
        now = naive.distance(rest, gold)
        nearer = [
            kind
            for kind in SUITED
            if (kind is gold or rest.count(kind) < 4) and naive.distance([*rest, kind], gold) < now
        ]
        assert list(useful_kinds(rest, gold)) == nearer


@pytest.mark.slow
def test_distance_is_the_number_of_draws_that_make_a_hand_complete() -> None:
    """By the words of the definition: some draws, some of the tiles left out, and the rest is complete."""
    random, seen = Random(9), {0: 0, 1: 0}
    while min(seen.values()) < 12:
        hand, gold = dealt(random, 10, suits=2)
        left = distance(hand, gold)
        if gold is None or left not in seen or seen[left] >= 12:
            continue
        seen[left] += 1
        for draws in range(1, left + 2):
            possible = any(
                naive.is_complete(kept, gold)
                for drawn in combinations_with_replacement([*SUITED[:18], gold], draws)
                for kept in set(combinations(sorted((*hand, *drawn)), 11))
            )
            assert possible is (draws == left + 1), format_tiles(hand)


@given(st.integers(0, 5), st.randoms(use_true_random=False))
def test_properties_of_the_distance(melds: int, random: Random) -> None:
    hand, gold = dealt(random, 16 - 3 * melds)
    now = distance(hand, gold)
    assert distance(hand[::-1], gold) == now >= 0
    waits = [tile for tile in winning_tiles(hand, gold) if hand.count(tile) < 4 or tile is gold]
    assert (now == 0) is bool(waits)
    useful = useful_kinds(hand, gold)
    assert useful
    assert gold is None or gold in useful
    if now == 0:
        assert list(useful) == waits
    for kind in useful[:4]:
        drawn = (*hand, kind)
        assert distance(drawn, gold) == now - 1
        assert (now == 0) is is_complete(drawn, gold)
        assert min(discard_distances(drawn, gold).values()) >= now - 1


@pytest.mark.parametrize(
    ("text", "gold", "expected"),
    [
        ("123m456m789m123p55p44s", None, 0),
        ("123m456m789m123p55p24s", "9s", 0),
        ("1111m222333p444555s", None, 1),
        ("1111m222333p444555s", "9s", 0),
        ("12m55p", "3m", 0),
        ("9m", "9m", 0),
        ("11m", "9m", -1),
        ("EESS123m", None, 0),
        ("EEESSSWWWNNNCCCF", None, 0),
        ("EWSNCF19m19p19s147m2p", None, 7),
    ],
)
def test_distance_of_single_hands(text: str, gold: str | None, expected: int) -> None:
    assert distance(parse_tiles(text), Tile.parse(gold) if gold else None) == expected


def test_a_hand_that_waits_on_the_gold_alone() -> None:
    """听金 (section 16): 12m and 55m with the gold 3m."""
    assert useful_kinds(parse_tiles("12m55m"), Tile.M3) == (Tile.M3,)


def test_invited_gold() -> None:
    """邀金 (section 16): two 9m, one 3m and a gold wait on exactly 1-5m and 9m."""
    waits = useful_kinds(parse_tiles("99m3m6p"), Tile.P6)
    assert [tile.code for tile in waits if tile is not Tile.P6] == ["1m", "2m", "3m", "4m", "5m", "9m"]


@pytest.mark.parametrize("size", [0, 3, 6, 15, 18, 19])
def test_a_number_of_tiles_no_hand_has_is_refused(size: int) -> None:
    with pytest.raises(HandError, match=rf"{size} concealed tiles do not fit; expected 1, 2, 4"):
        distance(WALL[:size])


def test_discards_are_asked_of_a_hand_that_has_drawn_and_useful_tiles_of_one_that_has_not() -> None:
    with pytest.raises(HandError, match="16 concealed tiles do not fit; expected 2, 5, 8, 11, 14, 17"):
        discard_distances(WALL[:16])
    with pytest.raises(HandError, match="17 concealed tiles do not fit; expected 1, 4, 7, 10, 13, 16"):
        useful_kinds(WALL[:17])
