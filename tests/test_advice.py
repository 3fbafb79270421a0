"""Teaching facts: waits judged by the rules, discards with what they leave, and the best way to see a hand."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.advice import (
    Position,
    advise,
    judged_waits,
    kongs,
    position,
    steps_to_ready,
    useful_tiles,
    win_now,
)
from engine.arrangement import Part, arrange
from engine.context import TableFacts
from engine.errors import HandError
from engine.melds import MeldKind
from engine.notation import HandLine, format_tiles, parse_hand, parse_tiles
from engine.notes import Note, NoteKind
from engine.reasons import Reason
from engine.rulesets import get_ruleset
from engine.shanten import distance
from engine.tiles import SUITED, Tile
from engine.verdicts import CannotKnow, Fact, Refusal, Verdict, Win
from engine.win_types import WinType

FUZHOU = get_ruleset("fuzhou")
BAIDA = get_ruleset("fuzhou-baida")


def hand(text: str, *, table: str = "", facts: TableFacts | None = None, **options: str) -> Position:
    return position(parse_hand(text), FUZHOU.with_options(options), table=parse_tiles(table), facts=facts)


def reason(verdict: Verdict) -> Reason | None:
    return verdict.reason if isinstance(verdict, Refusal) else None


def test_waits_with_copies_left() -> None:
    """邀金 (section 16), with a meld: own tiles, own melds, the indicator and the table are taken off."""
    found = judged_waits(hand("99m3m456789p123s9s | melds 444s@W | gold 9s", table="1m1m5m"))
    left = {wait.tile.code: wait.left for wait in found}
    assert left == {"1m": 2, "2m": 4, "3m": 3, "4m": 4, "5m": 3, "9m": 2, "9s": 2}
    assert all(isinstance(wait.drawn, Win) for wait in found)
    assert [wait.tile.code for wait in found if wait.self_draw_only] == ["9s"]


def test_a_wait_on_the_gold_alone_is_self_draw_only() -> None:
    """听金 (section 16, cases A-147 and A-148)."""
    (wait,) = judged_waits(hand("12m456789p2345s5s678m | gold 3m"))
    assert (wait.tile, wait.left, wait.completes, wait.self_draw_only) == (Tile.M3, 3, True, True)
    assert reason(wait.thrown) is Reason.GOLD_DISCARD_UNCLAIMABLE


def test_a_thrown_gold_leaves_self_draws() -> None:
    """gold_discard_lock."""
    facts = TableFacts(gold_discarded=True, passed_kinds=frozenset(), dead_hand=False)
    found = judged_waits(hand("123456m789p23455s67p | gold 9m", facts=facts))
    assert [wait.tile.code for wait in found] == ["9m", "5p", "8p"]
    assert all(wait.self_draw_only for wait in found)
    assert {reason(wait.thrown) for wait in found[1:]} == {Reason.GOLD_LOCK_SELF_DRAW_ONLY}


def test_a_passed_win_bars_that_tile_alone() -> None:
    """过水."""
    facts = TableFacts(gold_discarded=False, passed_kinds=frozenset({Tile.P8}), dead_hand=False)
    found = {wait.tile: wait for wait in judged_waits(hand("123456m789p23455s67p | gold 9m", facts=facts))}
    assert reason(found[Tile.P8].thrown) is Reason.PASS_LOCK
    assert isinstance(found[Tile.P5].thrown, Win)


def test_a_free_gold_waits_on_everything() -> None:
    """闲金: allowed by the teaching text, self-draw only in 百搭麻将 unless it is 金雀."""
    text = "123456m789p234s678s 9m | gold 9m"
    assert {type(wait.thrown) for wait in judged_waits(hand(text)) if wait.tile is not Tile.M9} == {Win}
    found = judged_waits(position(parse_hand(text), BAIDA))
    assert len(found) == 27
    assert {reason(wait.thrown) for wait in found if wait.tile is not Tile.M9} == {Reason.FREE_GOLD_SELF_DRAW_ONLY}


def test_three_golds_win_without_shape() -> None:
    """三金倒 is said apart from the shape: with two golds by the third, with three by any own draw."""
    (third,) = judged_waits(hand("147m258p36s147m258p99s | gold 9s"))
    assert (third.tile, third.left, third.completes, third.self_draw_only) == (Tile.S9, 1, False, True)
    assert isinstance(third.drawn, Win)
    assert WinType.THREE_GOLDS in third.drawn.win_types
    three = hand("147m258p36s147m25p999s | gold 9s")
    found = judged_waits(three)
    assert len(found) == 26
    assert not any(wait.completes for wait in found)
    assert steps_to_ready(three) > 0


def test_without_a_gold_nothing_is_judged() -> None:
    """Waits are named, the verdict asks for the gold."""
    found = judged_waits(hand("123456m789p23455s67p"))
    assert [(wait.tile.code, wait.left) for wait in found] == [("5p", 4), ("8p", 3)]
    assert all(isinstance(wait.drawn, CannotKnow) and Fact.GOLD in wait.drawn.missing for wait in found)


def test_a_kind_held_four_times_is_no_wait() -> None:
    """The fifth cannot come; as a gold it can."""
    assert judged_waits(hand("1111m222333p444555s")) == ()
    assert [wait.tile.code for wait in judged_waits(hand("1111m222333p444555s | gold 9s"))] == ["9s"]


def test_a_complete_hand_wins_first() -> None:
    """Seventeen tiles: the win before any advice; sixteen: no win yet."""
    won = win_now(hand("123456m789p23455s678p | flowers ES1f | gold 9m"))
    assert isinstance(won, Win)
    assert win_now(hand("123456m789p23455s67p | gold 9m")) is None
    refused = win_now(hand("123456m789p23455s67p1s | gold 9m"))
    assert reason(refused) is Reason.NOT_COMPLETE  # type: ignore[arg-type]
    assert steps_to_ready(hand("123456m789p23455s67p +8p | gold 9m")) == -1


def test_advice_names_what_each_discard_breaks() -> None:
    """Worked by hand: the lone 9s goes; 6p is spare; throwing the gold locks and leads back."""
    found = {one.tile.code: one for one in advise(hand("123456m789p23455s6p9m9s | gold 9m"))}
    assert next(iter(found)) == "9s"
    best = found["9s"]
    assert (best.distance, best.left) == (0, 24)
    assert format_tiles(wait.tile for wait in best.useful) == "9m456789p5s"
    assert best.notes[0] == Note(NoteKind.LONE, (Tile.S9,))
    assert best.notes[1].kind is NoteKind.READY
    assert found["6p"].notes[0] == Note(NoteKind.SPARE, (Tile.P6,))
    assert found["1m"].notes[0] == Note(NoteKind.BREAKS_RUN, parse_tiles("123m"))
    assert found["5s"].notes[0] == Note(NoteKind.BREAKS_PAIR, parse_tiles("55s"))
    assert found["5s"].notes[-1].kind is NoteKind.STEP_BACK
    assert [note.kind for note in found["9m"].notes] == [NoteKind.THROWS_GOLD_LOCK, NoteKind.STEP_BACK]


def test_advice_knows_the_options_about_golds() -> None:
    """Not discardable: no such discard. No lock: no lock in the facts."""
    text = "123456m789p23455s6p9m9s | gold 9m"
    assert Tile.M9 not in {one.tile for one in advise(hand(text, gold_discardable="false"))}
    thrown = next(one for one in advise(hand(text, gold_discard_lock="false")) if one.tile is Tile.M9)
    assert thrown.notes[0].kind is NoteKind.THROWS_GOLD


def test_advice_on_free_golds_and_waits_on_the_gold_alone() -> None:
    """What the hand is after the discard."""
    free = next(one for one in advise(hand("123456m789p234s678s9m1s | gold 9m")) if one.tile is Tile.S1)
    assert NoteKind.EVERY_TILE in {note.kind for note in free.notes}
    barred = advise(position(parse_hand("123456m789p234s678s9m1s | gold 9m"), BAIDA))
    assert NoteKind.EVERY_TILE_SELF_DRAW in {note.kind for one in barred for note in one.notes}
    alone = next(one for one in advise(hand("12m456789p2345s5s678m9p | gold 3m")) if one.tile is Tile.P9)
    assert NoteKind.GOLD_ALONE in {note.kind for note in alone.notes}
    given_up = next(one for one in advise(hand("147m258p36s147m258p999s | gold 9s")) if one.tile is Tile.S9)
    assert NoteKind.GIVES_UP_THREE_GOLDS in {note.kind for note in given_up.notes}


def test_advice_counts_what_is_gone() -> None:
    """A hand that waits on tiles of which none is left ranks as one step farther, and the discard says so."""
    text = "123456m789p23455s79p1s | gold 9m"
    (first, *_) = advise(hand(text, table="8p8p8p 9m9m9m"))
    gone = next(one for one in advise(hand(text, table="8p8p8p 9m9m9m")) if one.tile is Tile.S1)
    assert (gone.distance, gone.left) == (0, 0)
    assert NoteKind.NONE_LEFT in {note.kind for note in gone.notes}
    assert first.tile is not Tile.S1
    fresh = {one.tile for one in advise(hand(text, table="8p1s")) for note in one.notes if note.kind is NoteKind.FRESH}
    assert Tile.S1 not in fresh
    assert Tile.M1 in fresh


def test_only_concealed_tiles_are_thrown() -> None:
    """Melds stay; a triplet, a part and a pair are named."""
    drawn = hand("222p44s678s12m3p | melds 444p@W 789m@E | gold 9p")
    found = {one.tile.code: one.notes[0] for one in advise(drawn)}
    assert set(found) == {tile.code for tile in drawn.concealed}
    assert found["1m"] == Note(NoteKind.BREAKS_PART, parse_tiles("12m"))
    assert found["2p"] == Note(NoteKind.BREAKS_TRIPLET, parse_tiles("222p"))
    assert found["4s"] == Note(NoteKind.BREAKS_PAIR, parse_tiles("44s"))
    assert found["3p"] == Note(NoteKind.SPARE, parse_tiles("3p"))


def test_kongs() -> None:
    """Four in hand, and the fourth to a pung, with the distance after each."""
    found = kongs(hand("2222p44s678s1m4p | melds 444p@W 789m@E | gold 9p"))
    assert [(kong.kind, kong.tile) for kong in found] == [
        (MeldKind.KONG_CONCEALED, Tile.P2),
        (MeldKind.KONG_ADDED, Tile.P4),
    ]
    assert [kong.distance for kong in found] == [1, 1]
    assert kongs(hand("123456m789p23455s67p | gold 9m")) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("123m", "3 concealed tiles with 0 melds; expected 16, or 17 after a draw"),
        ("123m | melds 444p@W", "3 concealed tiles with 1 meld; expected 13, or 14 after a draw"),
        ("55555m", "more 5m than exist"),
        ("?23456m789p23455s678p", "not tile notation|cannot be named"),
        ("123456m789p23455s67pE", "E has not been replaced"),
        ("123456m789p2345s | melds 457p@W", "457p|4p 5p 7p is no meld"),
    ],
)
def test_hands_that_are_none_are_refused(text: str, expected: str) -> None:
    """One sentence that names the fault."""
    with pytest.raises(ValueError, match=expected):
        hand(text)


def test_more_tiles_in_sight_than_there_are() -> None:
    """Hand and table together."""
    with pytest.raises(HandError, match="5 of 5s in hand and in sight; expected 4 at most"):
        hand("123456m789p23455s67p | gold 9m", table="555s")


def test_advice_needs_a_drawn_tile() -> None:
    """Sixteen tiles are to draw."""
    with pytest.raises(HandError, match="16 concealed tiles leave none to throw; expected 17"):
        advise(hand("123456m789p23455s67p | gold 9m"))


def _random_hand(random: Random, size: int) -> tuple[list[Tile], Tile]:
    """Tiles of the hand, and the gold, whose indicator lies on the wall."""
    gold = random.choice(SUITED)
    wall = [tile for tile in SUITED for _ in range(4)]
    wall.remove(gold)
    return random.sample(wall, size), gold


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 100_000), st.integers(0, 4))
def test_advice_is_in_order_and_exact(seed: int, melds: int) -> None:
    """Distances and useful tiles are those of the hand after the discard; each discard has a fact; ranks rise."""
    size = 16 - 3 * melds
    tiles, gold = _random_hand(Random(seed), size + 1)
    rules = FUZHOU.with_options({"hand_size": size})
    found = advise(position(HandLine(concealed=tuple(tiles), gold=gold), rules))
    assert {one.tile for one in found} == set(tiles)
    assert all(before.rank <= after.rank for before, after in pairwise(found))
    for one in found:
        rest = list(tiles)
        rest.remove(one.tile)
        after = position(HandLine(concealed=tuple(rest), gold=gold), rules, table=(one.tile,))
        assert one.distance == distance(rest, gold) == steps_to_ready(after)
        assert one.useful == useful_tiles(after)
        assert one.notes


@settings(deadline=None)
@given(st.integers(0, 100_000), st.integers(0, 5), st.integers(1, 3))
def test_the_best_arrangement_is_as_near_as_the_hand(seed: int, melds: int, suits: int) -> None:
    """Counted from the groups the distance is the same; every tile lies in one group."""
    tiles = Random(seed).sample([tile for tile in SUITED[: 9 * suits] for _ in range(4)], 16 - 3 * melds)
    sets = len(tiles) // 3
    groups = arrange(tiles, sets)
    assert sorted(tile for group in groups for tile in group.tiles) == sorted(tiles)
    whole = sum(group.part.is_set for group in groups)
    parts = sum(len(group.tiles) == 2 for group in groups)
    singles = sum(group.part is Part.SINGLE for group in groups)
    empty = sets + 1 - whole - parts
    assert empty >= 0
    used = 3 * whole + 2 * parts + min(singles, empty)
    assert 3 * sets + 1 - used == distance(tiles, Tile.EAST)


def test_arrangement_prefers_whole_sets_and_open_parts() -> None:
    """Among equals: 123m and not 11m with 23m; 567p and not 55p with 67p; 45p and not 57p."""
    names = [(group.part, format_tiles(group.tiles)) for group in arrange(parse_tiles("1123m 5567p 89s"), 3)]
    assert (Part.RUN, "123m") in names
    assert (Part.RUN, "567p") in names
    assert (Part.EDGE, "89s") in names
    names = [(group.part, format_tiles(group.tiles)) for group in arrange(parse_tiles("457p 1s"), 1)]
    assert names == [(Part.OPEN, "45p"), (Part.SINGLE, "7p"), (Part.SINGLE, "1s")]


def test_every_note_and_part_has_both_languages() -> None:
    """No place is left open."""
    for kind in NoteKind:
        note = Note(kind, (Tile.M7, Tile.M8))
        assert "{" not in note.zh + note.en
        assert note.zh
        assert note.en
    assert all(part.zh and part.en for part in Part)
