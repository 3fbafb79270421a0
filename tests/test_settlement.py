"""From a win to points: both formulas, who pays, who deals next, and what leaving costs."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.context import TableFacts, WinSource
from engine.deals import complete_hand
from engine.errors import HandError
from engine.notation import format_tiles, parse_hand
from engine.reasons import Reason
from engine.rulesets import Ruleset, get_ruleset
from engine.seats import SEATS, Seat
from engine.settlement import LeftSeat, Settlement, settle, settle_draw, settle_escape, settle_refusal
from engine.tiles import SUITED
from engine.verdicts import Win
from engine.win import judge_win
from engine.win_types import WinType

HAND = "123456m789p23455s67p +8p | gold 9m | seat S | dealer E"
RULES = {name: get_ruleset(name) for name in ("fuzhou", "fuzhou-baida")}


def settled(line: str, ruleset: Ruleset) -> tuple[Win, Settlement]:
    """The win a line must be, and its points."""
    win = judge_win(parse_hand(line).context(), ruleset)
    assert isinstance(win, Win), win
    return win, settle(win, ruleset)


def test_three_flowers_one_gold_two_repeats() -> None:
    """The teaching text's formula: 22 off a discard, 66 by self-draw, 82 and 246 with 金雀; integers all the way."""
    rules = RULES["fuzhou"]
    line = "123456m789p23455s6p9m +8p | flowers ES1f | gold 9m | seat S | dealer E | streak 2"
    win, result = settled(f"{line} | win discard@W", rules)
    assert result.deltas == (0, 22, -22, 0)
    drawn, result = settled(f"{line} | win self_draw", rules)
    assert result.deltas == (-22, 66, -22, -22)
    assert settle(replace(win, special=60, counted=(WinType.GOLD_SPARROW,)), rules).deltas == (0, 82, -82, 0)
    assert settle(replace(drawn, special=60, counted=(WinType.GOLD_SPARROW,)), rules).deltas[1] == 246


@pytest.mark.parametrize(
    ("win", "options", "deltas"),
    [
        ("win discard@W", {}, (0, 14, -14, 0)),
        ("win discard@W", {"discard_payers": "all_three"}, (-14, 42, -14, -14)),
        ("win discard@W", {"discard_payers": "discarder_triple"}, (0, 42, -42, 0)),
        ("win rob_kong@W", {"rob_kong_payment": "konger_pays_three"}, (0, 42, -42, 0)),
        ("win rob_kong@W", {}, (0, 14, -14, 0)),
        ("win self_draw", {"base_unit": 3}, (-42, 126, -42, -42)),
        ("win self_draw", {"fixed_points": 0}, (-4, 12, -4, -4)),
        ("win self_draw", {"doubling": "self_draw_or_special"}, (-14, 42, -14, -14)),
        ("win discard@W", {"doubling": "self_draw_or_special"}, (0, 7, -7, 0)),
        ("win discard@W | streak 3", {}, (0, 20, -20, 0)),
        ("win discard@W | streak 3", {"discard_payers": "discarder_triple"}, (0, 60, -60, 0)),
        ("win discard@W | streak 3", {"streak_payers": "dealer_only"}, (0, 14, -14, 0)),
        ("win discard@E | streak 3", {"streak_payers": "dealer_only"}, (-20, 20, 0, 0)),
        ("win self_draw | streak 3", {"streak_payers": "dealer_only"}, (-20, 48, -14, -14)),
        (
            "win discard@W | streak 3",
            {"streak_payers": "dealer_only", "streak_dealer_pays_on_other_discard": True},
            (-6, 20, -14, 0),
        ),
        (
            "win rob_kong@W | streak 3",
            {
                "streak_payers": "dealer_only",
                "streak_dealer_pays_on_other_discard": True,
                "rob_kong_payment": "konger_pays_three",
            },
            (-6, 48, -42, 0),
        ),
    ],
)
def test_payment_options(win: str, options: dict[str, object], deltas: tuple[int, ...]) -> None:
    """Two flowers of South, East deals: (2+5)*2 = 14."""
    streak = "" if "streak" in win else " | streak 0"
    _, result = settled(f"{HAND} | flowers ES | {win}{streak}", RULES["fuzhou"].with_options(options))
    assert result.deltas == deltas


@pytest.mark.parametrize(
    ("flowers", "options", "count"),
    [
        ("", {}, 0),
        ("ESW", {}, 3),
        ("EEEE", {}, 6),
        ("EEEE", {"flower_set_bonus": 4}, 8),
        ("1f2f3f4f5f", {}, 7),
        ("1f2f5f6f", {}, 4),
        ("EEEESSSS1f2f3f4f5f6f7f8f", {}, 24),
    ],
)
def test_flower_count(flowers: str, options: dict[str, object], count: int) -> None:
    """F with flower sets."""
    part = f" | flowers {flowers}" if flowers else ""
    win, _ = settled(f"{HAND}{part} | win self_draw | streak 0", RULES["fuzhou"].with_options(options))
    assert win.flower_count == count


@pytest.mark.parametrize(
    ("seat", "streak", "dealer_after", "streak_after"),
    [
        ("S", 2, Seat.NORTH, 0),
        ("W", 2, Seat.WEST, 3),
        ("W", 0, Seat.WEST, 1),
        ("E", 0, Seat.NORTH, 0),
    ],
)
def test_next_dealer(seat: str, streak: int, dealer_after: Seat, streak_after: int) -> None:
    """West deals: it keeps the deal by winning, else North deals without a streak."""
    line = f"{HAND} | win self_draw | streak {streak}".replace("seat S", f"seat {seat}").replace("dealer E", "dealer W")
    _, result = settled(line, RULES["fuzhou"])
    assert (result.next_dealer, result.next_streak) == (dealer_after, streak_after)


@pytest.mark.parametrize(("option", "streak"), [("keep", 2), ("increment", 3), ("reset", 0)])
def test_drawn_hand(option: str, streak: int) -> None:
    """No points move, the dealer stays."""
    result = settle_draw(Seat.NORTH, 2, RULES["fuzhou"].with_options({"streak_on_draw": option}))
    assert (result.deltas, result.next_dealer, result.next_streak) == ((0, 0, 0, 0), Seat.NORTH, streak)


def test_escape() -> None:
    """Nobody receives the penalty; by the wild-tile text there is none."""
    left = (LeftSeat(Seat.EAST, 3, 1), LeftSeat(Seat.SOUTH, 0, 0), LeftSeat(Seat.NORTH, 5, 2))
    assert settle_escape(Seat.WEST, left, 1, RULES["fuzhou"]).deltas == (0, 0, -108, 0)
    assert settle_escape(Seat.WEST, left, 1, RULES["fuzhou-baida"]).deltas == (0, 0, 0, 0)
    double = RULES["fuzhou"].with_options({"escape_multiplier": 1, "base_unit": 2, "gold_counts_as_flower": False})
    assert settle_escape(Seat.WEST, left, 1, double).deltas == (0, 0, -48, 0)
    with pytest.raises(HandError, match="West left and cannot remain"):
        settle_escape(Seat.WEST, (LeftSeat(Seat.WEST, 0, 0),), 1, RULES["fuzhou"])


def test_false_win() -> None:
    """A table may charge a false win or a wrong count; a lock costs nothing."""
    rules = RULES["fuzhou"].with_options({"false_win_points": 10})
    assert settle_refusal(Seat.SOUTH, Reason.NOT_COMPLETE, rules).deltas == (10, -30, 10, 10)
    assert settle_refusal(Seat.SOUTH, Reason.TOO_MANY_TILES, rules).deltas == (10, -30, 10, 10)
    assert settle_refusal(Seat.SOUTH, Reason.PASS_LOCK, rules).deltas == (0, 0, 0, 0)
    assert settle_refusal(Seat.SOUTH, Reason.NOT_COMPLETE, RULES["fuzhou"]).deltas == (0, 0, 0, 0)


def test_misuse_is_named() -> None:
    """A win without its facts, and a ruleset of another game."""
    win, _ = settled(f"{HAND} | win self_draw | streak 0", RULES["fuzhou"])
    with pytest.raises(HandError, match="lacks its seat"):
        settle(replace(win, context=replace(win.context, streak=None)), RULES["fuzhou"])
    other = Ruleset.__new__(Ruleset)
    object.__setattr__(other, "name", "chess")
    with pytest.raises(HandError, match="chess"):
        settle(win, other)


def test_explanation_adds_up() -> None:
    """Each term has a line, the terms make the fan, and every line is said in both languages."""
    line = f"{HAND.replace('67p +8p', '6p9m +8p')} | flowers EEEE1f | win self_draw | streak 2"
    win, result = settled(line, RULES["fuzhou"])
    points = {line.code: line.points for line in result.lines}
    assert [points[code] for code in ("flowers", "flower_sets", "golds", "streak", "fixed")] == [5, 2, 1, 2, 5]
    assert points["doubled"] == points["per_payer"] == result.per_payer == 30
    assert [line.points for line in result.lines if line.code == "pays"] == [30, 30, 30]
    assert "(5+2+1+2+5)×2 = 30" in next(line.zh for line in result.lines if line.code == "per_payer")
    assert result.fan == {
        "flowers": 5,
        "flower_sets": 1,
        "kong_points": 0,
        "gold": 1,
        "fixed": 5,
        "special": win.special,
    }
    assert all(line.zh and line.en for line in result.lines)


def test_explanation_of_baida_and_scaled_specials() -> None:
    """The dealer's streak part and a special raised by the streak have lines of their own."""
    _, result = settled(f"{HAND} | flowers EWW | win self_draw | streak 2", RULES["fuzhou-baida"])
    assert {line.code: line.points for line in result.lines}["streak_part"] == 4
    scaling = RULES["fuzhou"].with_options({"streak_scales_base": True})
    _, result = settled(f"{HAND} | win self_draw | streak 2", scaling)
    assert {line.code: line.points for line in result.lines}["scaled"] == 90
    assert result.per_payer == 104


OPTIONS = st.fixed_dictionaries(
    {
        "discard_payers": st.sampled_from(["discarder", "all_three", "discarder_triple"]),
        "rob_kong_payment": st.sampled_from(["discarder", "konger_pays_three"]),
        "streak_payers": st.sampled_from(["all_payers", "dealer_only"]),
        "streak_dealer_pays_on_other_discard": st.booleans(),
        "streak_scales_base": st.booleans(),
        "special_combine": st.sampled_from(["max", "sum"]),
        "free_gold_rule": st.just("none"),
        "base_unit": st.integers(1, 5),
    }
)


@given(
    seed=st.integers(0, 100_000),
    golds=st.integers(0, 2),
    name=st.sampled_from(sorted(RULES)),
    options=OPTIONS,
    source=st.sampled_from([WinSource.SELF_DRAW, WinSource.DISCARD, WinSource.ROB_KONG]),
    seat=st.sampled_from(SEATS),
    giver=st.integers(1, 3),
    dealer=st.sampled_from(SEATS),
    streak=st.integers(0, 5),
)
def test_sums_to_zero_and_turns_with_the_table(
    seed: int,
    golds: int,
    name: str,
    options: dict[str, object],
    source: WinSource,
    seat: Seat,
    giver: int,
    dealer: Seat,
    streak: int,
) -> None:
    """Whatever the options: deltas are integers that sum to zero, and turning all seats turns the payments."""
    random = Random(seed)
    gold = random.choice(SUITED)
    tiles = complete_hand(random)[golds:]
    if gold in tiles:
        return
    tiles += [gold] * golds
    rules = RULES[name].with_options(options)
    line = parse_hand(f"{format_tiles(tiles[1:])} +{tiles[0].code} | flowers ES | gold {gold.code}")
    results = []
    for turn in range(4):
        turned = Seat((seat + turn) % 4)
        context = replace(
            line.context(TableFacts(gold_discarded=False, passed_kinds=frozenset())),
            source=source,
            seat=turned,
            dealer=Seat((dealer + turn) % 4),
            streak=streak,
            from_seat=Seat((turned + giver) % 4) if source.is_from_other else None,
        )
        win = judge_win(context, rules)
        assert isinstance(win, Win)
        result = settle(win, rules)
        assert all(type(delta) is int for delta in result.deltas)
        assert sum(result.deltas) == 0
        assert result.deltas[turned] == sum(transfer.points for transfer in result.transfers)
        results.append([result.deltas[(turned + step) % 4] for step in range(4)])
    assert results[0] == results[1] == results[2] == results[3]
