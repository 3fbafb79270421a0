"""Winning tiles, and copies of them that are left."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bench import gold_hands
from engine.deals import complete_hand
from engine.decompose import completions, first_split, has_term, is_complete, tile_key
from engine.errors import HandError
from engine.notation import format_tiles, parse_tiles
from engine.tiles import SUITED, Tile
from engine.waits import waits, winning_tiles


@pytest.mark.parametrize(
    ("text", "gold", "expected"),
    [
        ("456789p123555s99m3m9s", "9s", "123459m9s"),
        ("123456m789p23455s67p", "9m", "9m58p"),
        ("12m456789p2345s5s678m", "3m", "3m"),
        ("1112345678999m", None, "123456789m"),
        ("123456789m123456p", None, ""),
    ],
)
def test_known_waits(text: str, gold: str | None, expected: str) -> None:
    """邀金, a plain two-sided wait, 听金, nine gates, and a hand that waits on nothing."""
    found = winning_tiles(parse_tiles(text), None if gold is None else Tile.parse(gold))
    assert format_tiles(found) == expected


def test_agrees_with_trying_every_kind() -> None:
    """The fast way gives what adding each kind in turn gives."""
    for tiles, gold in gold_hands(Random(3), 200):
        tried = tuple(tile for tile in SUITED if is_complete((*tiles[1:], tile), gold))
        assert winning_tiles(tiles[1:], gold) == tried


@given(st.integers(0, 100_000), st.booleans())
def test_sparrow_off_a_discard_waits_on_everything(seed: int, third: bool) -> None:
    """Proved fact (a): when two golds can be the pair and a discard the last tile, every suited tile completes."""
    random = Random(seed)
    gold = random.choice(SUITED)
    whole = first_split(tile_key(complete_hand(random)), 0)
    assert whole is not None
    sets = [tile for block in whole[:-1] for tile in block.tiles]
    random.shuffle(sets)
    held = [*sets[2:], gold if third else sets[1], gold, gold]
    if gold not in sets:
        assert has_term(completions(tile_key([*sets[2:], sets[0]] if third else sets)), 0, int(third))
        assert len(winning_tiles(held, gold)) == 27


def test_copies_left() -> None:
    """Hand and visible tiles are taken off four, never below none."""
    found = waits(parse_tiles("123m5p"), None, parse_tiles("55p5p1f"))
    assert [(wait.tile, wait.left) for wait in found] == [(Tile.P5, 0)]
    found = waits(parse_tiles("123m5p"), Tile.M9, parse_tiles("9m"))
    assert [(wait.tile, wait.left) for wait in found] == [(Tile.M9, 3), (Tile.P5, 3)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("12m", "2 concealed tiles cannot wait"),
        ("22222m33p", "5 tiles 2m are too many"),
        ("123m1f", "1f is a flower"),
    ],
)
def test_hands_that_never_wait(text: str, message: str) -> None:
    """Size, copies and flowers are named."""
    with pytest.raises(HandError, match=message):
        waits(parse_tiles(text))


def test_honours_where_they_are_playable() -> None:
    """Other rulesets keep honours in the hand."""
    assert winning_tiles(parse_tiles("123m E"), honours=True) == (Tile.EAST,)
    assert winning_tiles(parse_tiles("123m E")) == ()
