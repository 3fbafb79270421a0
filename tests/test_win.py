"""Declared wins, one line of notation each: what stands, what is refused and why, what cannot be known yet."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_notation import hand_lines

from engine.context import TableFacts
from engine.deals import complete_hand
from engine.decompose import BlockKind
from engine.errors import RulesetError
from engine.melds import MeldKind
from engine.notation import HandLine, format_tiles, parse_hand
from engine.reasons import Reason
from engine.rulesets import OptionKind, Ruleset, get_ruleset
from engine.settlement import settle
from engine.tiles import SUITED, Tile
from engine.verdicts import CannotKnow, Fact, Refusal, Verdict, Win
from engine.win import judge_win
from engine.win_types import WinType

PLAIN = "123456m789p23455s67p"
DRAGON = "123456m789p55s67p999m +8p | flowers ES | gold 9m | win self_draw"
SHAPELESS = "147m258p36s9s147p15s99m"
FIRST_DRAW: dict[str, object] = {"rob_window": "first_draw_is_gold"}
TABLE = "| seat S | dealer E | streak 0"


def judge(line: str, ruleset: str = "fuzhou", options: dict[str, object] | None = None, **facts: object) -> Verdict:
    """The verdict on a line; seat South, dealer East and streak 0 unless the line says otherwise."""
    for part in TABLE.strip("| ").split(" | "):
        if f"| {part.split()[0]} " not in line:
            line += f" | {part}"
    known = {"gold_discarded": False, "passed_kinds": frozenset(), "dead_hand": False, **facts}
    rules = get_ruleset(ruleset).with_options(options or {})
    return judge_win(parse_hand(line).context(TableFacts(**known)), rules)  # type: ignore[arg-type]


def won(line: str, ruleset: str = "fuzhou", options: dict[str, object] | None = None, **facts: object) -> Win:
    """The win a line must be."""
    verdict = judge(line, ruleset, options, **facts)
    assert isinstance(verdict, Win), verdict
    return verdict


REFUSED: list[tuple[Reason, str, dict[str, object], dict[str, object]]] = [
    (Reason.UNKNOWN_TILE, "123456m789p23455s6p? +8p | gold 9m | win discard@W", {}, {}),
    (Reason.UNKNOWN_TILE, "123456m789p23455s6pback +8p | gold 9m | win discard@W", {}, {}),
    (Reason.IMPOSSIBLE_TILES, "22222m456m789p23455s +8p | gold 9m | win discard@W", {}, {}),
    (Reason.IMPOSSIBLE_TILES, f"{PLAIN} +8p | flowers 1f1f | gold 9m | win discard@W", {}, {}),
    (Reason.IMPOSSIBLE_TILES, f"{PLAIN} +8p | flowers P | gold 9m | win discard@W", {"tile_set": "short_128"}, {}),
    (Reason.IMPOSSIBLE_TILES, "123456m789p55s67p999m | gold 9m | win rob_gold", FIRST_DRAW, {}),
    (Reason.NOT_A_GOLD, f"{PLAIN} +8p | gold E | win discard@W", {}, {}),
    (Reason.NOT_A_FLOWER, f"{PLAIN} +8p | flowers 1m | gold 9m | win discard@W", {}, {}),
    (Reason.NOT_A_FLOWER, f"{PLAIN} +8p | flowers E | gold 9m | win discard@W", {"honours_are_flowers": False}, {}),
    (Reason.UNREPLACED_FLOWER, "123456m789p23455s6pE +8p | gold 9m | win discard@W", {}, {}),
    (Reason.UNREPLACED_FLOWER, f"{PLAIN} +E | gold 9m | win last_group", {}, {}),
    (Reason.BAD_MELD, "123456m789p55s67p +8p | melds pung:334s@E | gold 9m | win discard@W", {}, {}),
    (Reason.BAD_MELD, "123456m789p55s67p +8p | melds chow:124s@E | gold 9m | win discard@W", {}, {}),
    (Reason.BAD_MELD, "123456m789p55s67p +8p | melds 333s@S | gold 9m | win discard@W", {}, {}),
    (Reason.BAD_MELD, "123456m789p55s67p +8p | melds EEE@W | gold 9m | win discard@W", {}, {}),
    (Reason.BAD_MELD, "123456m789p55s67p +8p | melds kong_open:333s@W | gold 9m | win discard@W", {}, {}),
    (Reason.CHOW_WRONG_SEAT, "123456m789p55s67p +8p | melds 234s@N | gold 9m | win discard@W", {}, {}),
    (Reason.GOLD_IN_MELD, "123456m789p55s67p +8p | melds 789m@E | gold 9m | win discard@W", {}, {}),
    (Reason.TOO_MANY_TILES, f"{PLAIN}1s +8p | gold 9m | win discard@W", {}, {}),
    (Reason.TOO_MANY_TILES, f"{PLAIN}18s | gold 9m | win discard@W", {}, {}),
    (Reason.TOO_MANY_TILES, f"{PLAIN}8p | gold 9m | win rob_gold", {}, {}),
    (Reason.TOO_MANY_TILES, f"{PLAIN}8p | gold 9m | win opening_three", {}, {}),
    (Reason.TOO_FEW_TILES, "123456m789p23455s6p +8p | gold 9m | win discard@W", {}, {}),
    (Reason.TOO_FEW_TILES, "123456m789p5s67p +8p | melds 3333s@W | gold 9m | win discard@W", {}, {}),
    (Reason.TOO_FEW_TILES, f"{PLAIN} | gold 9m | win heavenly", {}, {}),
    (Reason.DEAD_HAND, f"{PLAIN} +8p | gold 9m | win self_draw", {}, {"dead_hand": True}),
    (Reason.GOLD_DISCARD_UNCLAIMABLE, f"{PLAIN} +9m | gold 9m | win discard@W", {}, {}),
    (Reason.OWN_DISCARD, f"{PLAIN} +8p | gold 9m | win discard@S", {}, {}),
    (Reason.NOT_HEAVENLY, f"{PLAIN}8p | gold 9m | win heavenly", {}, {}),
    (Reason.NOT_HEAVENLY, f"{PLAIN}8p | gold 9m | win heavenly | seat E", {}, {"dealer_discarded": True}),
    (Reason.NOT_HEAVENLY, "123456m789p55s678p | melds 3333s@! | gold 9m | win heavenly | seat E", {}, {}),
    (Reason.NOT_HEAVENLY, f"{PLAIN} | gold 9m | win opening_three", {}, {"dealer_discarded": True}),
    (Reason.ROB_WINDOW_CLOSED, f"{PLAIN} | gold 5p | win rob_gold", {}, {"rob_window_open": False}),
    (Reason.ROB_WINDOW_CLOSED, "123456m789p55s67p | melds 333s@W | gold 5p | win rob_gold", {}, {}),
    (Reason.ROB_NOT_PLAYED, f"{PLAIN} | gold 5p | win rob_gold", {"rob_gold_sources": "DEALER_SWAP"}, {}),
    (Reason.ROB_NOT_PLAYED, f"{PLAIN} | gold 5p | win rob_gold", {"gold_from_indicator": "next"}, {}),
    (Reason.ROB_NOT_PLAYED, f"{PLAIN}1s | gold 5p | win rob_gold | swap 1s | seat E", FIRST_DRAW, {}),
    (Reason.ROB_BAD_SWAP, f"{PLAIN}1s | gold 5p | win rob_gold | seat E", {}, {}),
    (Reason.ROB_BAD_SWAP, f"{PLAIN} | gold 5p | win rob_gold | swap 1m", {}, {}),
    (Reason.ROB_BAD_SWAP, f"{PLAIN}5p | gold 5p | win rob_gold | swap 5p | seat E", {"gold_discardable": False}, {}),
    (Reason.SWAP_TILE_NOT_HELD, f"{PLAIN}1s | gold 5p | win rob_gold | swap 9s | seat E", {}, {}),
    (Reason.ROB_KONG_NOT_ALLOWED, f"{PLAIN} +8p | gold 9m | win rob_kong@W", {"rob_kong": "none"}, {}),
    (Reason.ROB_KONG_NOT_ALLOWED, f"{PLAIN} +8p | gold 9m | win rob_kong@W", {}, {"robbed_kong": MeldKind.KONG_OPEN}),
    (Reason.NOT_COMPLETE, f"{PLAIN} +9p | gold 9m | win discard@W", {}, {}),
    (Reason.NOT_COMPLETE, "147m258p36s9s147p1s999m +2p | gold 9m | win discard@W", {}, {}),
    (Reason.NOT_COMPLETE, "147m258p36s9s147p1s999m +2p | gold 9m | win self_draw", {"three_golds": False}, {}),
    (
        Reason.NOT_COMPLETE,
        "147m258p36s9s147p1s999m +2p | gold 9m | win self_draw",
        {"three_golds_timing": "on_third_gold_draw"},
        {},
    ),
    (Reason.NOT_COMPLETE, "147m258p36s9s147p1s999m | gold 9m | win opening_three", {"opening_three_golds": False}, {}),
    (Reason.NOT_COMPLETE, "147m258p36s9s147p15s99m | gold 9m | win rob_gold", {}, {}),
    (Reason.NOT_COMPLETE, "5555m123456789p23s9m +1s | gold 9m | win discard@W", {"gold_fifth_copy": False}, {}),
    (Reason.GOLD_LOCK_SELF_DRAW_ONLY, f"{PLAIN} +8p | gold 9m | win discard@W", {}, {"gold_discarded": True}),
    (Reason.GOLD_LOCK_SELF_DRAW_ONLY, f"{PLAIN} +8p | gold 9m | win rob_kong@W", {}, {"gold_discarded": True}),
    (Reason.PASS_LOCK, f"{PLAIN} +8p | gold 9m | win discard@W", {}, {"passed_kinds": frozenset({Tile.P8})}),
    (Reason.PASS_LOCK, f"{PLAIN} +8p | gold 9m | win rob_kong@W", {}, {"passed_kinds": frozenset({Tile.P8})}),
    (
        Reason.PASS_LOCK,
        f"{PLAIN} +8p | gold 9m | win discard@W",
        {"pass_lock_scope": "all_tiles"},
        {"passed_kinds": frozenset({Tile.P5})},
    ),
    (
        Reason.PASS_LOCK,
        f"{PLAIN} +8p | gold 9m | win discard@W",
        {"pass_lock_higher_value_ok": True},
        {"passed_kinds": frozenset({Tile.P8}), "dearer_than_passed": False},
    ),
    (
        Reason.FREE_GOLD_SELF_DRAW_ONLY,
        "123456m789p234555s9m +1p | gold 9m | win discard@W",
        {"free_gold_rule": "self_draw_only"},
        {},
    ),
    (
        Reason.FREE_GOLD_SELF_DRAW_ONLY,
        "123456m789p234s67p99m +1p | flowers E | gold 9m | win rob_kong@W",
        {"free_gold_rule": "self_draw_only_unless_sparrow", "plain_one": False},
        {},
    ),
    (
        Reason.FREE_GOLD_SELF_DRAW_ONLY,
        "123456m789p234555s9m +1p | flowers ES | gold 9m | win discard@W",
        {"free_gold_rule": "self_draw_only_unless_special"},
        {},
    ),
]
CLAIM_ONLY = {
    Reason.FLOWER_CLAIM,
    Reason.LAST_GROUP,
    Reason.KONG_AFTER_CLAIM,
    Reason.KONG_TOO_LATE,
    Reason.NOT_A_RUN,
    Reason.NO_PUNG_TO_EXTEND,
    Reason.TILES_NOT_HELD,
    Reason.PASS_PUNG_LOCK,
}


@pytest.mark.parametrize(("reason", "line", "options", "facts"), REFUSED)
def test_refused(reason: Reason, line: str, options: dict[str, object], facts: dict[str, object]) -> None:
    """Each line is refused with its reason and says so in two full sentences."""
    verdict = judge(line, options=options, **facts)
    assert isinstance(verdict, Refusal), verdict
    assert verdict.reason is reason
    assert "{" not in verdict.zh + verdict.en


def test_every_reason_is_tested() -> None:
    """No reason for refusing a win is without an example above."""
    assert {reason for reason, *_ in REFUSED} == set(Reason) - CLAIM_ONLY - {Reason.BELOW_MINIMUM}


def test_reasons_come_in_the_order_of_the_specification() -> None:
    """A hand with all faults at once gets the earliest; mending it shows the next."""
    line = "12346m78s9s? +9m | melds pung:334s@W 234s@N 789m@E | flowers 1f1f | gold 9m | win discard@S"
    facts = {"gold_discarded": True, "passed_kinds": frozenset({Tile.P5}), "dead_hand": True}
    for reason, broken, mended in (
        (Reason.UNKNOWN_TILE, "?", "N"),
        (Reason.IMPOSSIBLE_TILES, "1f1f", "1f5m"),
        (Reason.NOT_A_FLOWER, "1f5m", "1f"),
        (Reason.UNREPLACED_FLOWER, "9sN", "99s"),
        (Reason.BAD_MELD, "pung:334s", "444s"),
        (Reason.CHOW_WRONG_SEAT, "234s@N", "234s@E"),
        (Reason.GOLD_IN_MELD, "789m@E", "678m@E"),
        (Reason.TOO_MANY_TILES, "12346m78s99s", "12346m9m"),
        (Reason.TOO_FEW_TILES, "12346m9m", "12346m9s9m"),
        (Reason.DEAD_HAND, "", ""),
        (Reason.GOLD_DISCARD_UNCLAIMABLE, "+9m", "+5p"),
        (Reason.OWN_DISCARD, "@S", "@W"),
        (Reason.NOT_COMPLETE, "9s9m", "5p9m"),
        (Reason.GOLD_LOCK_SELF_DRAW_ONLY, "", ""),
        (Reason.PASS_LOCK, "", ""),
    ):
        verdict = judge(line, **facts)
        assert isinstance(verdict, Refusal)
        assert verdict.reason is reason
        line = line.replace(broken, mended)
        facts["dead_hand"] = facts["dead_hand"] and reason is not Reason.DEAD_HAND
        facts["gold_discarded"] = facts["gold_discarded"] and reason is not Reason.GOLD_LOCK_SELF_DRAW_ONLY


def test_five_of_a_kind_names_the_tile() -> None:
    """The one code for too many copies, from a hand or with the indicator."""
    verdict = judge("22222m456m789p23455s +8p | gold 9m | win discard@W")
    assert isinstance(verdict, Refusal)
    assert verdict.data == {"tiles": "2m", "count": 5}


WINS: list[tuple[str, str, dict[str, object], int, str]] = [
    ("123456m789p234s67p99m +8p | gold 9m | win discard@W", "GOLD_SPARROW PLAIN_ZERO", {}, 60, "9m9m"),
    ("123456m789p234s67p99m +1s | flowers ES | gold 9m | win self_draw", "", {}, 0, ""),
    (DRAGON, "GOLD_DRAGON GOLD_SPARROW THREE_GOLDS", {}, 120, "9m9m9m"),
    (DRAGON, "GOLD_SPARROW THREE_GOLDS", {"gold_dragon": False}, 60, ""),
    (DRAGON, "GOLD_DRAGON GOLD_SPARROW THREE_GOLDS", {"special_combine": "sum"}, 160, "9m9m9m"),
    (DRAGON, "THREE_GOLDS", {"gold_dragon": False, "gold_sparrow": False}, 40, ""),
    (
        "123456m234s67p78m999m +8p | flowers ES | gold 9m | win discard@W",
        "GOLD_SPARROW",
        {"sparrow_third_gold_wild": False},
        60,
        "9m9m9m",
    ),
    ("147m258p369s147p1s999m | gold 9m | flowers ES | win opening_three", "THREE_GOLDS", {}, 40, ""),
    (
        f"{SHAPELESS} +9m | gold 9m | flowers ES | win self_draw",
        "THREE_GOLDS",
        {"three_golds_timing": "on_third_gold_draw"},
        40,
        "",
    ),
    (f"{SHAPELESS} | gold 9m | flowers ES | win rob_gold", "THREE_GOLDS", {"rob_gold_three_golds": True}, 40, ""),
    (
        "147m258p3s6s9s147p1s999m +2p | gold 9m | flowers ES | win discard@W",
        "THREE_GOLDS",
        {"three_golds_on_discard": "any"},
        40,
        "",
    ),
    ("123456m789p234s67p9m1p +8p | flowers ES | gold 9m | win discard@W", "", {}, 0, "1p"),
    (f"{PLAIN} | flowers ES | gold 5p | win rob_gold", "ROB_GOLD", {}, 30, ""),
    ("123456m789p234s678p9m | flowers ES | gold 9m | win rob_gold", "GOLD_SPARROW ROB_GOLD", {}, 60, "9m9m"),
    ("123456m789p234s678p9m | flowers ES | gold 9m | win rob_gold", "ROB_GOLD", {"rob_gold_structures": False}, 30, ""),
    (f"{PLAIN}1s | flowers ES | gold 5p | win rob_gold | swap 1s | seat E", "ROB_GOLD", {}, 30, ""),
    (f"{PLAIN} | flowers ES | gold 5p | win rob_gold", "ROB_GOLD", {"rob_window": "first_draw_is_gold"}, 30, ""),
    (f"{PLAIN}8p | flowers ES | gold 9m | win heavenly | seat E", "HEAVENLY", {}, 30, ""),
    (f"{PLAIN} +8p | flowers ES | gold 9m | win heavenly | seat E", "HEAVENLY", {}, 30, ""),
    (f"{PLAIN}8p | flowers ES | gold 9m | win heavenly | seat E", "ROB_GOLD", {"heavenly": "as_rob_gold"}, 30, ""),
    (
        "123456m789p55s67p +8p | melds 3333s@! | gold 9m | win self_draw",
        "PLAIN_ONE",
        {"plain_one_kong_equiv": True},
        15,
        "",
    ),
    (
        "123456m789p55s67p +8p | melds 3333s@W | flowers E | gold 9m | win self_draw",
        "PLAIN_ONE",
        {"plain_one_forbids_kong": False},
        15,
        "",
    ),
    (f"{PLAIN} +8p | gold 9m | win self_draw", "", {"plain_zero": False}, 0, ""),
    ("123m123456m456m77m8m9m +9m | flowers ES | gold 9m | win self_draw", "ONE_SUIT", {"one_suit": True}, 240, ""),
    (
        "123m123456m456m77m8m9s +9m | flowers ES | gold 9s | win self_draw",
        "HALF_SUIT",
        {"one_suit": True, "half_suit": True},
        120,
        "",
    ),
    (
        "123456m789p55s67p +8p | melds 789m@E | flowers ES | gold 9m | win discard@W",
        "",
        {"gold_in_claims": "as_self"},
        0,
        "",
    ),
    (
        "123456m789p55s67p +8p | melds pung:449m@W | flowers ES | gold 9m | win discard@W",
        "",
        {"gold_in_claims": "any"},
        0,
        "",
    ),
    (
        "123456m789p234s6p9999m | flowers ES | gold 9m | win heavenly | seat E",
        "GOLD_SPARROW HEAVENLY THREE_GOLDS",
        {"gold_from_indicator": "next"},
        60,
        "",
    ),
    (
        "123456m99p333sEE +E | flowers 1f2f | gold 9m | win self_draw",
        "",
        {"honours_are_flowers": False, "hand_size": 13},
        0,
        "",
    ),
]


@pytest.mark.parametrize(("line", "types", "options", "special", "roles"), WINS)
def test_won(line: str, types: str, options: dict[str, object], special: int, roles: str) -> None:
    """Types, value and, where named, what each gold stands for; the split holds all concealed tiles."""
    win = won(line, options=options)
    assert " ".join(win.win_types) == types
    assert win.special == special
    if roles:
        assert "".join(tile.code for tile in win.gold_roles) == roles
    if win.split:
        assert len(win.split) + len(win.context.melds) in (5, 6)
        assert win.split[-1].kind is BlockKind.PAIR


def test_baida_bonus() -> None:
    """平胡 alone is 30; beside another type it adds 10, unless 30 alone is more."""
    line = "147m258p36s9s147p15s99m +9m | gold 9m | win self_draw"
    win = won(line, "fuzhou-baida")
    assert (win.special, win.win_types) == (50, (WinType.PLAIN_BONUS, WinType.THREE_GOLDS))
    win = won(line, "fuzhou-baida", {"special_values": "THREE_GOLDS=10"})
    assert (win.special, win.win_types) == (30, (WinType.PLAIN_ZERO, WinType.THREE_GOLDS))
    win = won(line, "fuzhou-baida", {"special_values": "THREE_GOLDS=10", "plain_zero": False})
    assert (win.special, win.win_types) == (20, (WinType.PLAIN_BONUS, WinType.THREE_GOLDS))


def test_first_discard_in_baida() -> None:
    """A win on the dealer's first discard is 抢金 there, and nobody knows its value before that is said."""
    line = f"{PLAIN} +8p | flowers ES | gold 9m | win discard@E"
    assert won(line, "fuzhou-baida", dealers_first_discard=True).win_types == (WinType.ROB_GOLD,)
    assert won(line, "fuzhou-baida").win_types == ()
    assert judge(line, "fuzhou-baida", dealers_first_discard=None) == CannotKnow((Fact.DEALERS_FIRST_DISCARD,))
    assert won(line, dealers_first_discard=None).win_types == ()


def test_three_golds_stay_allowed_with_melds() -> None:
    """Open melds forbid nothing: three golds win without a shape."""
    win = won("147m258p36s999m | melds 444s@W 777p@N | flowers E | gold 9m | win self_draw")
    assert WinType.THREE_GOLDS in win.win_types
    assert win.split == ()


def test_drawn_gold_wins_and_counts() -> None:
    """The last tile may be the gold itself."""
    win = won(f"{PLAIN} +9m | flowers ES | gold 9m | win self_draw")
    assert win.golds == 1
    assert format_tiles(win.gold_roles) in ("5p", "8p")


def test_free_gold_with_every_copy_held() -> None:
    """A kind held four times is not required, and a fifth copy counts only where it is allowed."""
    line = "123456m789p234s9m +1p | melds 5555s@N | flowers ES | gold 9m | win discard@W"
    for options in ({"gold_fifth_copy": False}, {"gold_fifth_copy": True}):
        verdict = judge(line, options={**options, "free_gold_rule": "self_draw_only"})
        assert isinstance(verdict, Refusal)
    line = "123456m789p1s1s1s7s7s7s9m +1p | flowers ES | gold 9m | win discard@W"
    won(line, options={"gold_fifth_copy": False, "free_gold_rule": "self_draw_only"})


@pytest.mark.parametrize(
    ("line", "missing"),
    [
        (f"{PLAIN} +8p | gold 9m", {Fact.SOURCE}),
        (f"{PLAIN} +8p | win self_draw", {Fact.GOLD}),
        (f"{PLAIN} +8p | gold 9m | win discard", {Fact.FROM_SEAT}),
        (f"{PLAIN} | gold 9m | win self_draw", {Fact.WINNING_TILE}),
        (f"{PLAIN}", {Fact.GOLD, Fact.SOURCE}),
    ],
)
def test_missing_facts_are_listed(line: str, missing: set[Fact]) -> None:
    """What a photo cannot tell is asked for, exactly that."""
    verdict = judge(line)
    assert isinstance(verdict, CannotKnow)
    assert set(verdict.missing) == missing
    assert verdict.zh
    assert verdict.en


def test_seat_dealer_and_streak_are_asked_for() -> None:
    """Nobody is guessed."""
    verdict = judge_win(parse_hand(f"{PLAIN} +8p | gold 9m | win self_draw").context(), get_ruleset("fuzhou"))
    assert verdict == CannotKnow((Fact.SEAT, Fact.DEALER, Fact.STREAK))
    for source in ("rob_gold", "opening_three"):
        verdict = judge_win(parse_hand(f"{PLAIN} | gold 9m | win {source}").context(), get_ruleset("fuzhou"))
        assert verdict == CannotKnow((Fact.SEAT, Fact.DEALER, Fact.STREAK))


def test_faults_are_named_before_facts_are_asked() -> None:
    """A wrong count needs no question."""
    verdict = judge_win(parse_hand("123m").context(), get_ruleset("fuzhou"))
    assert isinstance(verdict, Refusal)
    assert verdict.reason is Reason.TOO_FEW_TILES


def test_an_unknown_winning_tile_is_asked_for_only_when_it_matters() -> None:
    """Seventeen tiles without knowing which came last: enough, unless a rule looks at that tile."""
    line = f"{PLAIN}8p | flowers ES | gold 9m | win discard@W"
    assert won(line).golds == 0
    free = "123456m789p234555s9m1p | flowers ES | gold 9m | win discard@W"
    assert judge(free, options={"free_gold_rule": "self_draw_only"}) == CannotKnow((Fact.WINNING_TILE,))
    won(free)
    three = "147m258p36s9s147p15s999m | flowers ES | gold 9m | win self_draw"
    won(three)
    complete = "12456m4589p125s5s6p999m | flowers ES | gold 9m | win self_draw"
    assert judge(complete, options={"three_golds_timing": "on_third_gold_draw"}) == CannotKnow((Fact.WINNING_TILE,))


def test_unknown_locks_leave_the_win_but_are_listed() -> None:
    """What could have forbidden the win is named, by the options the table plays."""
    line = f"{PLAIN} +8p | gold 9m | win discard@W"
    unknown = {"gold_discarded": None, "passed_kinds": None, "dead_hand": None}
    assert set(won(line, **unknown).unverified) == {Fact.GOLD_DISCARDED, Fact.PASSED_KINDS, Fact.DEAD_HAND}
    assert won(f"{PLAIN} +8p | gold 9m | win self_draw", **unknown).unverified == (Fact.DEAD_HAND,)
    off = {"gold_discard_lock": False, "pass_lock_scope": "off", "dead_hand": False}
    assert won(line, options=off, **unknown).unverified == ()
    heavenly = won(f"{PLAIN}8p | gold 9m | win heavenly | seat E", dealer_discarded=None)
    assert heavenly.unverified == (Fact.DEALER_DISCARDED,)
    robbed = won(f"{PLAIN} | gold 5p | win rob_gold", rob_window_open=None)
    assert robbed.unverified == (Fact.ROB_WINDOW_OPEN,)


def test_pass_lock_options() -> None:
    """Scope, robbed kongs and dearer wins."""
    passed = {"passed_kinds": frozenset({Tile.P8})}
    line = f"{PLAIN} +8p | gold 9m | win discard@W"
    won(line, options={"pass_lock_scope": "off"}, **passed)
    won(line.replace("+8p", "+5p"), **passed)
    won(line.replace("discard", "rob_kong"), options={"pass_lock_rob_kong": False}, **passed)
    won(line, options={"pass_lock_higher_value_ok": True}, dearer_than_passed=True, **passed)
    verdict = judge(line, options={"pass_lock_higher_value_ok": True}, **passed)
    assert verdict == CannotKnow((Fact.DEARER_THAN_PASSED,))


def test_other_games_are_refused() -> None:
    """Only rulesets of Fuzhou mahjong are judged here."""
    other = Ruleset.__new__(Ruleset)
    object.__setattr__(other, "name", "chess")
    with pytest.raises(RulesetError, match="chess"):
        judge_win(parse_hand(PLAIN).context(), other)


FACTS = st.fixed_dictionaries(
    {
        "gold_discarded": st.none() | st.booleans(),
        "passed_kinds": st.none() | st.frozensets(st.sampled_from(SUITED), max_size=2),
        "dearer_than_passed": st.none() | st.booleans(),
        "dealer_discarded": st.none() | st.booleans(),
        "dealers_first_discard": st.none() | st.booleans(),
        "rob_window_open": st.none() | st.booleans(),
        "dead_hand": st.none() | st.just(False),
        "robbed_kong": st.none() | st.sampled_from(MeldKind),
    }
)


@given(hand_lines(), FACTS, st.integers(0, 1_000_000))
def test_every_line_gets_a_verdict(line: HandLine, facts: dict[str, object], seed: int) -> None:
    """Whatever is declared, under whatever options: a win that settles, a refusal, or a question."""
    random = Random(seed)
    options = {
        option.name: random.choice(option.choices) if option.choices else random.random() < 0.5
        for option in get_ruleset("fuzhou").options
        if option.kind in (OptionKind.FLAG, OptionKind.CHOICE)
    }
    rules = get_ruleset(random.choice(("fuzhou", "fuzhou-baida"))).with_options(options)
    if random.random() < 0.7:
        gold = random.choice(SUITED)
        tiles = [tile for tile in complete_hand(random)[2:] if tile is not gold] + [gold, gold]
        random.shuffle(tiles)
        line = replace(line, concealed=tuple(tiles[1:]), winning_tile=tiles[0], melds=(), flowers=(), gold=gold)
    verdict = judge_win(line.context(TableFacts(**facts)), rules)  # type: ignore[arg-type]
    assert isinstance(verdict, Win | Refusal | CannotKnow)
    if isinstance(verdict, Win):
        assert sum(settle(verdict, rules).deltas) == 0
    else:
        assert verdict.zh
        assert verdict.en


@given(st.integers(0, 100_000), st.integers(0, 3))
def test_order_of_tiles_never_matters(seed: int, golds: int) -> None:
    """Concealed tiles and flowers in another order give the same win."""
    random = Random(seed)
    gold = random.choice(SUITED)
    tiles = [tile for tile in complete_hand(random)[golds:] if tile is not gold]
    tiles += [gold] * (17 - len(tiles)) if 17 - len(tiles) <= 3 else []
    line = f"{format_tiles(tiles[1:])} +{tiles[0].code} | flowers ES1f | gold {gold.code} | win self_draw"
    first = judge(line)
    if isinstance(first, Win):
        context = replace(first.context, concealed=tuple(random.sample(tiles[1:], len(tiles) - 1)))
        second = judge_win(context, get_ruleset("fuzhou"))
        assert isinstance(second, Win)
        assert replace(second, context=first.context) == first
        if WinType.GOLD_DRAGON in first.win_types:
            assert WinType.GOLD_SPARROW in first.win_types


@given(st.integers(0, 100_000))
def test_every_dragon_is_a_sparrow(seed: int) -> None:
    """Proved fact (d): three golds as a triplet can also be a pair and a wild one."""
    random = Random(seed)
    gold = random.choice(SUITED)
    tiles = complete_hand(random, 4)
    if gold in tiles:
        return
    held = format_tiles([*tiles[1:], gold, gold, gold])
    line = f"{held} +{tiles[0].code} | flowers ES | gold {gold.code} | win discard@W"
    assert won(line).win_types == (WinType.GOLD_DRAGON, WinType.GOLD_SPARROW)
    sparrow = won(line, options={"gold_dragon": False})
    assert (sparrow.special, sparrow.split[-1].tiles) == (60, (gold, gold))
