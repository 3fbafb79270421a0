"""The fast solver against counts known from arithmetic and against a naive solver, on every hand of one suit."""

from __future__ import annotations

from collections import defaultdict
from random import Random

import exhaustive as naive
import pytest

from engine.decompose import _SuitTable, has_term, is_complete
from engine.notation import parse_tiles
from engine.tiles import SUITED, Tile

SETS_ALONE = [1, 16, 127, 627, 2098, 4898]
WITH_PAIR = [9, 135, 996, 4475, 13259, 26414]
GOLD_ROWS = {
    (0, 1): [0, 24, 337, 2257, 9153, 24378],
    (0, 2): [0, 9, 320, 3154, 15960, 48713],
    (0, 3): [0, 1, 155, 2438, 15924, 56846],
    (1, 1): [9, 258, 2478, 12830, 40746, 82884],
    (1, 2): [1, 155, 2354, 15234, 54637, 118830],
    (1, 3): [0, 45, 1248, 10897, 46848, 115384],
}
"""Hands of one suit that (pairs, golds) finish into 0..5 sets."""


def key_of(counts: naive.Counts) -> int:
    return sum(count << 3 * rank for rank, count in enumerate(counts))


def vectors_up_to(most: int) -> list[naive.Counts]:
    """Every hand of one suit with so many tiles at most and four of a kind at most."""
    found: list[naive.Counts] = [()]
    for _ in range(9):
        found = [(*head, count) for head in found for count in range(min(4, most - sum(head)) + 1)]
    return found


@pytest.fixture(scope="module")
def terms() -> dict[tuple[int, int, int], set[int]]:
    """What the fast table says of every one-suit vector of up to 17 tiles: keys by sets, pairs and golds."""
    table, found = _SuitTable(runs=True), defaultdict(set)
    for counts in vectors_up_to(17):
        key = key_of(counts)
        polynomial, size = table[key], sum(counts)
        for golds in range(4):
            sets, rest = divmod(size + golds, 3)
            if rest != 1 and sets <= 5 and has_term(polynomial, rest // 2, golds):
                found[sets, rest // 2, golds].add(key)
    return found


@pytest.mark.slow
def test_number_of_hands_in_one_suit(terms: dict[tuple[int, int, int], set[int]]) -> None:
    assert [len(terms[sets, 0, 0]) for sets in range(6)] == SETS_ALONE
    assert [len(terms[sets, 1, 0]) for sets in range(6)] == WITH_PAIR


@pytest.mark.slow
def test_number_of_hands_in_three_suits(terms: dict[tuple[int, int, int], set[int]]) -> None:
    alone = [len(terms[sets, 0, 0]) for sets in range(6)]
    paired = [len(terms[sets, 1, 0]) for sets in range(6)]
    hands = 3 * sum(
        paired[first] * alone[second] * alone[5 - first - second] for first in range(6) for second in range(6 - first)
    )
    assert hands == 46_823_715


@pytest.mark.slow
@pytest.mark.parametrize("golds", [1, 2, 3])
@pytest.mark.parametrize("pairs", [0, 1])
def test_every_hand_in_one_suit_that_golds_finish(
    terms: dict[tuple[int, int, int], set[int]], pairs: int, golds: int
) -> None:
    row = []
    for sets in range(6):
        naively = {key_of(counts) for counts in naive.finished_by_golds(sets, pairs, golds)}
        assert terms[sets, pairs, golds] == naively
        row.append(len(naively))
    assert row == GOLD_ROWS[pairs, golds]


def likely_hand(random: Random, melds: int, golds: int, gold: Tile) -> list[Tile]:
    """Tiles of a hand that has just drawn, often complete or nearly so: sets and a pair with some tiles changed."""
    tiles = [SUITED[random.randrange(27)]] * 2
    for _ in range(5 - melds):
        first = random.randrange(27)
        tiles += SUITED[first : first + 3] if first % 9 <= 6 and random.random() < 0.7 else [SUITED[first]] * 3
    random.shuffle(tiles)
    tiles = tiles[golds:]
    for _ in range(random.choice((0, 0, 1, 2))):
        if tiles:
            tiles[random.randrange(len(tiles))] = SUITED[random.randrange(27)]
    return [tile for tile in tiles if tile is not gold] + [gold] * golds


@pytest.mark.slow
def test_random_hands_like_the_naive_solver() -> None:
    random, complete, asked = Random(20), 0, 0
    while asked < 20_000:
        melds, golds, gold = random.randrange(6), random.randrange(4), SUITED[random.randrange(27)]
        tiles = likely_hand(random, melds, min(golds, 17 - 3 * melds), gold)
        if len(tiles) % 3 != 2 or any(tiles.count(tile) > 4 for tile in set(tiles)):
            continue
        expected = naive.is_complete(tiles, gold)
        assert is_complete(tiles, gold) is expected, (tiles, gold)
        complete, asked = complete + expected, asked + 1
    assert 5_000 < complete < 18_000


def test_the_naive_solver_on_hands_known_by_heart() -> None:
    assert naive.is_complete(parse_tiles("123456m789p23455569s"), None) is False
    assert naive.is_complete(parse_tiles("123456m789p23455599s"), None)
    assert naive.is_complete(parse_tiles("12m55p3s"), Tile.S3)
    assert not naive.is_complete(parse_tiles("14m55p3s"), Tile.S3)
    assert naive.is_complete(parse_tiles("33s"), Tile.S3)
