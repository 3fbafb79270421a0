"""Every kind of violation, in a short log: the act that is one, its proof, and nothing beside it.

The injected acts of `test_injections` do the same in whole hands; here are those that need a certain hand or option.
"""

from __future__ import annotations

import pytest

from engine.audit import audit
from engine.errors import HandError
from engine.eventlog import parse_log
from engine.reasons import Reason
from engine.rulesets import get_ruleset
from engine.violations import KIND_OF_REASON, Violation, ViolationKind

WAITS_ON_58P = "123456m789p23455s67p"
FREE_GOLD = "123456m789p234s555s9m"
START = "gold 9m\nE discard 1s\nS draw head\nS discard 3p\nW draw head\n"  # events 2 to 6


def found(text: str, options: str = "", ruleset: str = "fuzhou") -> tuple[Violation, ...]:
    """The violations of a log that begins with East's deal."""
    return audit(parse_log(f"deal E {ruleset} streak 0 {options}\n{text}"))


def short(violation: Violation) -> tuple[str, str, tuple[int, ...], bool]:
    """Kind, seat, proof, certainty."""
    return (
        violation.kind.value,
        "-" if violation.seat is None else violation.seat.code,
        violation.events,
        violation.certain,
    )


PASSED = START + "W discard 8p\nN draw head\n"  # 8p is event 7
WINS: dict[str, tuple[str, str, list[tuple[str, str, tuple[int, ...], bool]]]] = {
    "passed, laid open": (
        "",
        PASSED + f"N discard 8p\nS win discard 8p hand {WAITS_ON_58P}",
        [("guoshui_win", "S", (7, 9, 10), True)],
    ),
    "passed, laid open later": (
        "",
        PASSED + f"N discard 8p\nS win discard 8p\nS holds {WAITS_ON_58P}",
        [("guoshui_win", "S", (7, 9, 10), True)],
    ),
    "passed twice": (
        "",
        PASSED + f"N discard 8p\nE draw\nE discard 8p\nS win discard 8p hand {WAITS_ON_58P}",
        [("guoshui_win", "S", (7, 9, 11, 12), True)],
    ),
    "passed, closed": ("", PASSED + "N discard 8p\nS win discard 8p", [("guoshui_win", "S", (7, 9, 10), False)]),
    "another kind passed": ("", PASSED + f"N discard 5p\nS win discard 5p hand {WAITS_ON_58P}", []),
    "another kind passed, all tiles": (
        "pass_lock_scope=all_tiles",
        PASSED + f"N discard 5p\nS win discard 5p hand {WAITS_ON_58P}",
        [("guoshui_win", "S", (7, 9, 10), True)],
    ),
    "another kind passed, all tiles, closed": (
        "pass_lock_scope=all_tiles",
        PASSED + "N discard 5p\nS win discard 5p",
        [],
    ),
    "not played": ("pass_lock_scope=off", PASSED + f"N discard 8p\nS win discard 8p hand {WAITS_ON_58P}", []),
    "a hand that did not wait then or now": (
        "",
        PASSED + "N discard 8p\nS win discard 8p hand 123456m789p23455s66p",
        [("false_win", "S", (9, 10), True)],
    ),
    "a chow of the tile is a pass too": (
        "pass_lock_reset=own_draw pass_lock_scope=all_tiles",
        START
        + "W discard 8p\nN draw\nN discard 2s\nE draw\nE discard 8p\nS chow 8p with 67p\nS discard 5s\nW draw\n"
        + "W discard 5s\nN draw\nN discard 9s\nE draw\nE discard 5s\nS win discard 5s hand 123456m789p234s5s",
        [("guoshui_win", "S", (7, 11, 15, 19, 20), True)],
    ),
    "own draw does not lift, own discard does": (
        "",
        PASSED + "N discard 1m\nE draw\nE discard 1m\nS draw\nS discard 2s\nW draw\n"
        f"W discard 8p\nS win discard 8p hand {WAITS_ON_58P}",
        [],
    ),
    "to the end of the hand": (
        "pass_lock_reset=end_of_hand",
        PASSED + "N discard 1m\nE draw\nE discard 1m\nS draw 2s\nS discard 2s\nW draw\n"
        f"W discard 8p\nS win discard 8p hand {WAITS_ON_58P}",
        [("guoshui_win", "S", (7, 15, 16), True)],
    ),
    "to the end of the hand, drawn tile unseen": (
        "pass_lock_reset=end_of_hand",
        PASSED + "N discard 1m\nE draw\nE discard 1m\nS draw\nS discard 2s\nW draw\n"
        f"W discard 8p\nS win discard 8p hand {WAITS_ON_58P}",
        [("guoshui_win", "S", (7, 15, 16), False)],
    ),
    "dearer than passed": (
        "pass_lock_higher_value_ok=true pass_lock_scope=all_tiles",
        START + "W discard 1m\nN draw\nN discard 8p\nS win discard 8p hand 123456m789p234s67p99m",
        [],
    ),
    "as dear as passed": (
        "pass_lock_higher_value_ok=true",
        PASSED + f"N discard 8p\nS win discard 8p hand {WAITS_ON_58P}",
        [("guoshui_win", "S", (7, 9, 10), True)],
    ),
    "a discarded gold is never passed": (
        "pass_lock_scope=all_tiles",
        START + f"W discard 9m\nN draw\nN discard 8p\nS win discard 8p hand {WAITS_ON_58P}",
        [],
    ),
    "robbed kong after a pass": (
        "",
        "gold 9m\nE discard 1s\nS draw\nS discard 5p\nW pung 5p\nW discard 7m\nN draw\nN discard 1s\nE draw\n"
        "E discard 7m\nS draw\nS discard 2p\nW draw\nW discard 8p\nN draw\nN discard 1s\nE draw\nE discard 8p\n"
        f"S win discard 8p hand {WAITS_ON_58P}",
        [("guoshui_win", "S", (15, 19, 20), True)],
    ),
    "gold thrown": (
        "",
        START + f"W discard 9m\nN draw\nN discard 4s\nE draw\nE discard 8p\nW win discard 8p hand {WAITS_ON_58P}",
        [("gold_lock_win", "W", (7, 11, 12), True)],
    ),
    "gold thrown, closed": (
        "",
        START + "W discard 9m\nN draw\nN discard 4s\nE draw\nE discard 8p\nW win discard 8p",
        [("gold_lock_win", "W", (7, 11, 12), True)],
    ),
    "gold thrown, self-draw": (
        "",
        START + "W discard 9m\nN draw\nN discard 4s\nE draw\nE discard 8p\nS draw\nS discard 2s\n"
        f"W draw 8p\nW win self_draw 8p hand {WAITS_ON_58P}",
        [],
    ),
    "win on a gold": (
        "",
        START + f"W discard 9m\nS win discard 9m hand {WAITS_ON_58P}",
        [("gold_claimed", "S", (7, 8), True)],
    ),
    "free gold": (
        "free_gold_rule=self_draw_only",
        START + f"W discard 1p\nN win discard 1p hand {FREE_GOLD}",
        [("free_gold_win", "N", (7, 8), True)],
    ),
    "wrong count": (
        "",
        START + "W discard 8p\nN win discard 8p hand 123456m123p23455s67p1m",
        [("too_many_tiles", "N", (7, 8), True)],
    ),
    "a flower in the hand": (
        "",
        START + "W discard 8p\nN win discard 8p hand 23456m789p23455s67pE",
        [("unreplaced_flower", "N", (7, 8), True)],
    ),
    "a fifth copy": (
        "",
        START + "W discard 8p\nN win discard 8p hand 123m789p234s55s6p9999m",
        [("impossible_tiles", "N", (7, 8), True)],
    ),
    "a kong that may not be robbed": (
        "rob_kong=none",
        "gold 9m\nE discard 8p\nS pung 8p\nS discard 3p\nW draw\nW discard 1s\nN draw\nN discard 1s\nE draw\n"
        f"E discard 2s\nS draw\nS kong added 8p\nW win rob_kong 8p hand {WAITS_ON_58P}",
        [("untimely_win", "W", (13, 14), True)],
    ),
    "two claims, the nearer one is paid": (
        "",
        START
        + f"W discard 8p\nN win discard 8p hand {WAITS_ON_58P}\nS win discard 8p hand 123456789s11s67p123p\nN granted",
        [],
    ),
    "two claims, the farther one is paid": (
        "",
        START
        + f"W discard 8p\nN win discard 8p hand {WAITS_ON_58P}\nS win discard 8p hand 123456789s11s67p123p\nS granted",
        [("win_passed_over", "N", (8, 10), True)],
    ),
    "a win before a pung": (
        "",
        START + f"W discard 8p\nS win discard 8p hand {WAITS_ON_58P}\nE pung 8p",
        [("win_passed_over", "S", (8, 9), True)],
    ),
    "granted to nobody who asked": (
        "",
        START + f"W discard 8p\nS win discard 8p hand {WAITS_ON_58P}\nE granted",
        [("untimely_win", "E", (9,), True)],
    ),
    "a closed win and then play": ("", START + "W discard 8p\nS win discard 8p\nN draw head", []),
}


@pytest.mark.parametrize("name", WINS)
def test_wins(name: str) -> None:
    """What was passed, thrown or miscounted."""
    options, text, expected = WINS[name]
    assert [short(one) for one in found(text, options)] == expected


ACTS: dict[str, tuple[str, str, list[tuple[str, str, tuple[int, ...], bool]]]] = {
    "pung passed": (
        "pass_pung_lock=same_tile",
        START + "W discard 8p\nN draw\nN discard 8p\nS pung 8p",
        [("guoshui_pung", "S", (7, 10), True)],
    ),
    "pung passed, own discard between": (
        "pass_pung_lock=same_tile",
        START + "W discard 8p\nN draw\nN discard 1s\nE draw\nE discard 1s\n"
        "S draw\nS discard 2s\nW draw\nW discard 8p\nS pung 8p",
        [],
    ),
    "pung passed, the hand may have changed": (
        "pass_pung_lock=same_tile pass_lock_reset=own_draw",
        "gold 9m\nE discard 8p\nS chow 8p with 67p\nS discard 1s\nW draw\nW discard 8p\nS pung 8p",
        [("guoshui_pung", "S", (3, 8), False)],
    ),
    "chow of a gold": ("", "gold 9m\nE discard 9m\nS chow 9m with 78m", [("gold_claimed", "S", (4,), True)]),
    "chow with a gold": ("", "gold 9m\nE discard 7m\nS chow 7m with 89m", [("gold_claimed", "S", (4,), True)]),
    "chow across suits": ("", "gold 9m\nE discard 7m\nS chow 7m with 8m9p", [("bad_claim", "S", (4,), True)]),
    "pung of an own discard": ("", "gold 9m\nE discard 7m\nE pung 7m", [("nothing_to_claim", "E", (4,), True)]),
    "pung after the next draw": (
        "",
        "gold 9m\nE discard 7m\nS draw\nW pung 7m",
        [("nothing_to_claim", "W", (5,), True)],
    ),
    "kong after a pung": (
        "",
        "gold 9m\nE discard 7m\nW pung 7m\nW kong concealed 2s",
        [("kong_after_claim", "W", (5,), True)],
    ),
    "kong after a pung where allowed": (
        "kong_after_claim=true",
        "gold 9m\nE discard 7m\nW pung 7m\nW kong concealed 2s\nW draw tail",
        [],
    ),
    "added kong without a pung": (
        "",
        "gold 9m\nE discard 7m\nS draw\nS kong added 7m",
        [("bad_claim", "S", (5,), True)],
    ),
    "added kong too late": (
        "added_kong_later=false",
        "gold 9m\nE discard 7m\nW pung 7m\nW discard 1s\nN draw\nN discard 1s\nE draw\nE discard 1s\n"
        "S draw\nS discard 1s\nW draw 2p\nW kong added 7m",
        [("kong_too_late", "W", (13,), True)],
    ),
    "kong out of turn": (
        "",
        "gold 9m\nE discard 7m\nS draw\nW kong concealed 2s",
        [("kong_out_of_turn", "W", (5,), True)],
    ),
    "no tile for a kong": (
        "",
        "gold 9m\nE discard 7m\nS draw\nS kong concealed 2s\nS discard 1s",
        [("too_few_tiles", "S", (6,), True)],
    ),
    "two draws": ("", "gold 9m\nE discard 7m\nS draw\nS draw", [("too_many_tiles", "S", (5,), True)]),
    "a draw after a chow": (
        "",
        "gold 9m\nE discard 7m\nS chow 7m with 68m\nS draw",
        [("too_many_tiles", "S", (5,), True)],
    ),
    "the dealer draws": ("", "gold 9m\nE draw", [("too_many_tiles", "E", (3,), True)]),
    "no draw": ("", "gold 9m\nE discard 7m\nS discard 7m", [("too_few_tiles", "S", (4,), True)]),
    "seen with a tile too few": (
        "",
        "gold 9m\nE discard 7m\nS holds 123456m789p23455s6p",
        [("too_few_tiles", "S", (4,), True)],
    ),
    "gold before the flowers": ("", "S flowers E\ngold 9m", [("unreplaced_flower", "S", (3,), True)]),
    "gold with a flower in a known hand": (
        "",
        "S holds 123456m789p2345s67pE\ngold 9m",
        [("unreplaced_flower", "S", (3,), True)],
    ),
    "a drawn flower is kept": (
        "",
        "gold 9m\nE discard 7m\nS draw E\nS discard 1s\nW draw\nW discard 2s\nN draw\nN discard 1s\n"
        "E draw\nE discard 1s\nS draw\nS discard 1s",
        [("unreplaced_flower", "S", (5,), True)],
    ),
    "a flower is thrown": ("", "gold 9m\nE discard 7m\nS draw\nS discard E", [("unreplaced_flower", "S", (5,), True)]),
    "a flower laid, nothing drawn": (
        "",
        "gold 9m\nE discard 7m\nS draw\nS flowers E\nS discard 1s",
        [("unreplaced_flower", "S", (6,), True)],
    ),
    "flower replaced from the head": (
        "",
        "gold 9m\nE discard 7m\nS draw\nS flowers E\nS draw head",
        [("wrong_wall_end", "S", (6,), True)],
    ),
    "turn drawn from the tail": ("", "gold 9m\nE discard 7m\nS draw tail", [("wrong_wall_end", "S", (4,), True)]),
    "a suited tile among the flowers": ("", "S flowers 1m", [("not_a_flower", "S", (2,), True)]),
    "discard before the gold": ("", "E discard 1m", [("gold_out_of_time", "E", (2,), True)]),
    "chow from the wrong seat": (
        "",
        "gold 9m\nE discard 7m\nW chow 7m with 68m",
        [("chow_wrong_seat", "W", (4,), True)],
    ),
    "a second spring": (
        "",
        "S flowers 1f\nS draw tail\nW flowers 1f",
        [("impossible_tiles", "W", (4,), True)],
    ),
    "a tile kept back is drawn": (
        "reserve_base=79",
        "gold 9m\nE discard 7m\nS draw head",
        [("draw_past_reserve", "S", (4,), True)],
    ),
    "drawn in the last group and discarded": (
        "reserve_base=75",
        "gold 9m\nE discard 7m\nS draw head\nS discard 1s",
        [("last_group_act", "S", (5,), True)],
    ),
    "claim in the last group": (
        "reserve_base=75",
        "gold 9m\nE discard 7m\nS draw head\nW pung 7m",
        [("last_group_act", "W", (5,), True)],
    ),
    "a declared dead hand discards": (
        "",
        "gold 9m\nE discard 7m\nS dead\nW draw\nW discard 1s\nS discard 2s",
        [("dead_hand", "S", (4, 7), True)],
    ),
    "where hands do not die": (
        "dead_hand=false",
        "gold 9m\nE discard 7m\nS dead\nS draw\nS discard 2s",
        [],
    ),
    "drawn with tiles left": ("", "gold 9m\nE discard 7m\nexhausted", [("early_end", "-", (4,), True)]),
    "play after the end": (
        "reserve_base=79",
        "gold 9m\nE discard 7m\nexhausted\nS draw",
        [("after_the_end", "S", (5,), True)],
    ),
    "a second deal": (
        "reserve_base=79",
        "gold 9m\nE discard 7m\nexhausted\ndeal S",
        [("after_the_end", "-", (5,), True)],
    ),
    "gold opened in play": ("", "gold 9m\nE discard 7m\ngold 8m", [("gold_out_of_time", "-", (4,), True)]),
    "a flower as gold": ("", "gold 1f", [("gold_out_of_time", "-", (2,), True)]),
    "a tile that is not there": (
        "",
        "S holds 123456m789p23455s67p\ngold 9m\nE discard 7m\nS draw 1s\nS discard 9s",
        [("tile_not_held", "S", (6,), True)],
    ),
    "a hand that changed": (
        "",
        "S holds 123456m789p23455s67p\ngold 9m\nE discard 7m\nS holds 123456m789p23455s66p",
        [("tiles_changed", "S", (5,), True)],
    ),
}


@pytest.mark.parametrize("name", ACTS)
def test_acts(name: str) -> None:
    """Draws, discards, claims and the wall."""
    options, text, expected = ACTS[name]
    assert [short(one) for one in found(text, options)] == expected


def test_every_kind_is_found_somewhere() -> None:
    """Here, or by options in `test_option_cases`."""
    kinds = {kind for _, _, expected in (*WINS.values(), *ACTS.values()) for kind, *_ in expected}
    by_option = {"gold_discarded", "swap_discard"}
    turns = {"draw_out_of_turn", "discard_out_of_turn"}
    fan_games = {"below_minimum"}  # in `test_mcr_table`
    assert {kind.value for kind in ViolationKind} == kinds | by_option | turns | fan_games


def test_every_reason_is_a_kind() -> None:
    """A refusal is a violation, but for tiles nobody can name and a gold that is none."""
    assert set(Reason) - set(KIND_OF_REASON) == {Reason.UNKNOWN_TILE, Reason.NOT_A_GOLD}


@pytest.mark.parametrize("kind", ViolationKind)
def test_messages_are_whole(kind: ViolationKind) -> None:
    """Chinese and English, and nothing left to fill in when the data is there."""
    data = {"tile": "3m", "tiles": "3m 4m", "count": 17, "expected": 16, "points": 4, "minimum": 8}
    violation = Violation(kind=kind, seat=None, events=(1,), data=data, certain=False)
    assert violation.zh.startswith("可能")
    assert violation.en.startswith("possibly: ")
    assert "{" not in violation.zh + violation.en


def test_another_ruleset_than_the_log_names() -> None:
    """The given one stands in its place."""
    log = parse_log(f"deal E fuzhou\n{PASSED}N discard 8p\nS win discard 8p hand {WAITS_ON_58P}")
    assert audit(log, get_ruleset("fuzhou").with_options({"pass_lock_scope": "off"})) == ()


def test_a_log_starts_with_a_deal() -> None:
    """One sentence otherwise."""
    for text in ("", "gold 9m"):
        with pytest.raises(HandError, match="starts with a deal"):
            audit(parse_log(text))
