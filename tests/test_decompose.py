"""Splits of hands with golds: against a naive solver, against known facts, and hands that broke other programs."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive_solver import is_complete_naively

from engine.deals import complete_hand
from engine.decompose import first_split, is_complete, splits, take_golds, tile_key
from engine.notation import parse_tiles
from engine.tiles import SUITED, Tile
from engine.verdicts import BlockKind, Split


def _deal(random: Random, golds: int, size: int) -> tuple[list[Tile], Tile]:
    gold = random.choice(SUITED)
    suits = random.choice((1, 2, 3))
    wall = [tile for tile in SUITED[: 9 * suits] for _ in range(4) if tile is not gold]
    return [*random.sample(wall, size - golds), *[gold] * golds], gold


@pytest.mark.parametrize("golds", [0, 1, 2, 3])
def test_agrees_with_the_naive_solver(golds: int) -> None:
    """Random hands of one to three suits, 2 to 17 tiles, and the same with one tile of a complete hand exchanged."""
    random = Random(golds)
    answers = Counter()
    for number in range(160 if golds == 3 else 500):
        size = random.choice((2, 5, 8, 11, 14, 17))
        if size <= golds:
            continue
        if number % 2:
            tiles, gold = _deal(random, golds, size)
        else:
            gold = random.choice(SUITED)
            tiles = complete_hand(random, (size - 2) // 3)[golds:] + [gold] * golds
            tiles[0] = random.choice((tiles[0], random.choice(SUITED)))
        fast = is_complete(tiles, gold)
        assert fast == is_complete_naively(tiles, gold), (tiles, gold)
        answers[fast] += 1
    assert min(answers[True], answers[False]) > 25


def test_every_one_suit_hand_of_eight_tiles() -> None:
    """All 1,755 ways to hold 8 tiles of one suit, with no gold and with one of another suit in the place of a tile."""

    def vectors(kinds: int, tiles: int) -> list[list[int]]:
        if kinds == 0:
            return [[]] if tiles == 0 else []
        return [[n, *rest] for n in range(min(4, tiles) + 1) for rest in vectors(kinds - 1, tiles - n)]

    for size in (7, 8):
        for counts in vectors(9, size):
            tiles = [SUITED[kind] for kind, count in enumerate(counts) for _ in range(count)] + [Tile.S9] * (8 - size)
            assert is_complete(tiles, Tile.S9) == is_complete_naively(tiles, Tile.S9), tiles


@pytest.mark.parametrize(
    ("text", "gold", "expected"),
    [
        ("123456m789p23455s678p", None, True),
        ("123s", None, False),
        ("123456s", None, False),
        ("111222333m", None, False),
        ("4m4p4s 9s 3333m", "3m", False),
        ("4m4p4s E 3333m", "3m", False),
        ("13456789p55s9m", "9m", True),
        ("13456789p55s444s9m", "9m", True),
        ("66m23456777889s1s", "1s", True),
        ("444p2222m34m555s99p111s", None, True),
        ("123456m789p23455s67p9m", "9m", True),
        ("99m", "9m", True),
        ("9m1p", "9m", True),
        ("19m", None, False),
        ("EEESS", None, True),
        ("ESW11m", None, False),
        ("EE9m11p", "9m", True),
    ],
)
def test_known_hands(text: str, gold: str | None, expected: bool) -> None:
    """Too few wilds for lone tiles, wrong sizes, a pung laid out, the wild in its suit, a pair out of four alike."""
    assert is_complete(parse_tiles(text), None if gold is None else Tile.parse(gold)) is expected


def _multiset(split: Split) -> frozenset[tuple[object, int]]:
    return frozenset(Counter((block.kind, block.tiles, block.golds) for block in split).items())


@given(st.integers(0, 10_000), st.integers(0, 3))
def test_splits_are_different_and_use_every_tile(seed: int, golds: int) -> None:
    """No split comes twice; each holds one pair, last, the natural tiles, and a place for each gold."""
    random = Random(seed)
    gold = random.choice(SUITED)
    tiles = complete_hand(random, 3)[golds:] + [gold] * golds
    key, held = take_golds(tile_key(tiles), gold)
    found = list(splits(key, held, gold))
    assert len({_multiset(split) for split in found}) == len(found)
    for split in found:
        assert [block.kind for block in split].index(BlockKind.PAIR) == len(split) - 1
        natural = [tile for block in split for place, tile in enumerate(block.tiles) if place not in block.golds]
        assert sorted(natural) == sorted(tile for tile in tiles if tile is not gold)
        assert sum(len(block.golds) for block in split) == held
    first = first_split(key, held, gold)
    assert (first is None) == (not found) == (not is_complete(tiles, gold))
    assert first is None or _multiset(first) in {_multiset(split) for split in found}


def test_twice_778899_is_one_split() -> None:
    """Two equal runs are not counted twice, and three runs are another split than three triplets."""
    assert len(list(splits(tile_key(parse_tiles("778899m55p")), 0))) == 1
    assert len(list(splits(tile_key(parse_tiles("111222333m55p")), 0))) == 2


@given(st.integers(0, 10_000))
def test_a_gold_in_its_own_place_needs_no_care(seed: int) -> None:
    """Proved fact (b): golds taken as naturals never complete a hand that golds taken as wild do not."""
    random = Random(seed)
    gold = random.choice(SUITED)
    tiles = complete_hand(random)
    if is_complete(tiles) and tiles.count(gold) <= 3:
        assert is_complete(tiles, gold)


@given(st.integers(0, 10_000))
def test_three_golds_as_any_triplet_is_one_split(seed: int) -> None:
    """Proved fact (c): a hand with three golds as a triplet of any kind has the split with the triplet of golds."""
    random = Random(seed)
    gold = random.choice(SUITED)
    tiles = [tile for tile in complete_hand(random, 4) if tile is not gold]
    for role in (gold, random.choice(SUITED)):
        if is_complete([*tiles, role, role, role]) and is_complete(tiles):
            assert first_split(tile_key(tiles), 3, gold, BlockKind.TRIPLET) is not None


@given(st.integers(0, 10_000), st.integers(0, 3))
def test_order_of_tiles_never_matters(seed: int, golds: int) -> None:
    """Shuffled tiles give the same answer."""
    random = Random(seed)
    tiles, gold = _deal(random, golds, 17)
    shuffled = random.sample(tiles, len(tiles))
    assert is_complete(tiles, gold) == is_complete(shuffled, gold)
