"""The table as a fold: what is known, counted, laid open later; faults as flags; the wall and its end."""

from __future__ import annotations

import pytest

from engine.errors import HandError
from engine.eventlog import parse_event, parse_log
from engine.fold import fold, start, step
from engine.notation import format_tiles
from engine.rulesets import get_ruleset
from engine.seats import SEATS, Seat
from engine.table import Outcome, Phase, Problem, TableState
from engine.tabletext import format_table
from engine.wall import WallState

E, S, W, N = SEATS
WAITS_ON_58P = "123456m789p23455s67p"


def table(text: str, deal: str = "deal E fuzhou streak 0") -> TableState:
    """The table after these events."""
    return fold(parse_log(f"{deal}\n{text}"))


def known(state: TableState, seat: Seat) -> str:
    """Known tiles and the number of the others."""
    one = state.seats[seat]
    return f"{format_tiles(one.known)}/{one.unknown}"


def test_after_the_deal() -> None:
    """17 and three times 16; 79 on the wall, 61 of them to draw."""
    state = table("")
    assert [seat.concealed_count for seat in state.seats] == [17, 16, 16, 16]
    assert (state.wall, state.drawable, state.phase, state.turn) == (79, 61, Phase.OPENING_FLOWERS, E)
    assert state.problems() is Problem.NONE


@pytest.mark.parametrize(
    ("text", "phase", "turn"),
    [
        ("S flowers E1f\nS draw tail\nS draw tail", Phase.OPENING_FLOWERS, E),
        ("gold 9m", Phase.OPENING, E),
        ("gold 9m\nE kong concealed 1p", Phase.REPLACEMENT, E),
        ("gold 9m\nE kong concealed 1p\nE draw tail", Phase.FIRST_DISCARD, E),
        ("gold 9m\nE kong concealed 1p\nE draw tail C\nE flowers C", Phase.REPLACEMENT, E),
        ("gold 9m\nE discard 1s", Phase.ROB_WINDOW, E),
        ("gold 9m\nE discard 1s\nW pass", Phase.ROB_WINDOW, E),
        ("gold 9m\nE discard 1s\nS draw", Phase.ACTION, S),
        ("gold 9m\nE discard 1s\nS draw C\nS flowers C", Phase.REPLACEMENT, S),
        ("gold 9m\nE discard 1s\nS draw C\nS flowers C\nS draw tail", Phase.ACTION, S),
        ("gold 9m\nE discard 1s\nW pung 1s", Phase.ACTION, W),
        ("gold 9m\nE discard 1s\nW kong 1s", Phase.REPLACEMENT, W),
        ("gold 9m\nE discard 1s\nS draw\nS discard 1p", Phase.CLAIMS, S),
        (
            "gold 9m\nE discard 1s\nW pung 1s\nW discard 2p\nN draw\nN discard 2p\nE draw\nE discard 2p\nS draw\n"
            "S discard 2p\nW draw\nW kong added 1s",
            Phase.ROB_KONG,
            W,
        ),
        ("gold 9m\nE win heavenly", Phase.WIN_CLAIMED, E),
        ("gold 9m\nE win heavenly\nE granted", Phase.END, E),
        ("gold 9m\nS escape", Phase.END, E),
    ],
)
def test_phases(text: str, phase: Phase, turn: Seat) -> None:
    """The state machine of a hand; every state is whole."""
    state = table(text)
    assert (state.phase, state.turn) == (phase, turn)
    assert state.problems() is Problem.NONE
    assert state.total() == 144


def test_the_gold_and_flowers_turned_up_for_it() -> None:
    """They go to the dealer, who draws nothing for them; the indicator stays on the wall."""
    state = table("gold 1f E 9m")
    assert state.gold is not None
    assert (state.gold.code, format_tiles(state.seats[E].flowers)) == ("9m", "1f E")
    assert (state.wall, state.seats[E].owed) == (77, 0)


def test_what_is_drawn_and_thrown_is_known_or_counted() -> None:
    """Seen tiles are known, others counted; a discard comes from what is known, else from the rest."""
    state = table("gold 9m\nE discard 1s\nS draw 5p")
    assert known(state, S) == "5p/16"
    assert known(step(state, parse_event("S discard 5p"))[0], S) == "/16"
    assert known(step(state, parse_event("S discard 6p"))[0], S) == "5p/15"


def test_a_hand_laid_open_is_known_from_there() -> None:
    """And stays known through draws and claims."""
    state = table(f"S holds {WAITS_ON_58P}\ngold 9m\nE discard 8m")
    assert known(state, S) == "123456m67789p23455s/0"
    state, _ = step(state, parse_event("S chow 8m with 79m"))
    assert known(state, S).endswith("/14")  # it did not hold them: nothing is known any more
    state = table(f"S holds {WAITS_ON_58P}\ngold 9m\nE discard 5p\nS chow 5p with 67p\nS discard 5s\nW draw")
    assert known(state, S) == "123456m789p2345s/0"
    assert format_table(state).split(" | ")[4] == "S 13 melds 567p@E"


def test_a_closed_kong_in_a_known_hand_is_named() -> None:
    """Only one kind can have been laid down."""
    open_hand = "S holds 3333s456m789p55s67p12m\ngold 9m\nE discard 8m\n"
    state = table(open_hand + "S draw 2m\nS kong concealed back\nS draw tail 2m")
    assert [tile.code for tile in state.seats[S].melds[0].tiles] == ["3s"] * 4
    closed = table("gold 9m\nE discard 8m\nS draw\nS kong concealed back\nS draw tail\nS kong shown 3s")
    assert [tile.code for tile in closed.seats[S].melds[0].tiles] == ["3s"] * 4


def test_a_claimed_discard_lies_in_the_meld() -> None:
    """The middle keeps its place and says who took it."""
    state = table("gold 9m\nE discard 1s\nW pung 1s\nW discard 4p")
    assert [(thrown.seat, thrown.tile.code, thrown.taken_by) for thrown in state.river] == [
        (E, "1s", W),
        (W, "4p", None),
    ]
    assert state.counts()[18] == 3


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("gold 9m\nE discard 9m\nS draw 9m\nS discard 9m\nW holds 99m1234567p1234567s", Problem.TOO_MANY_COPIES),
        ("S flowers 1f\nS draw tail\nW flowers 1f\nW draw tail\ngold 9m", Problem.TOO_MANY_COPIES),
        ("S flowers 1m\nS draw tail\ngold 9m", Problem.NOT_A_FLOWER),
        ("gold 9m\nE discard 1s\nS draw\nS draw", Problem.WRONG_COUNT),
        ("gold 9m\nE discard 1s\nS holds 1234567p12345678s", Problem.TILES_ADRIFT | Problem.WRONG_COUNT),
        ("gold 9m\nE discard 3s\nS chow 3s with 46s", Problem.BAD_MELD),
        ("gold 9m\nE discard 7m\nS chow 7m with 89m", Problem.GOLD_IN_MELD),
        ("gold 9m\nE discard 1s\nS draw E\nS discard 1p", Problem.FLOWER_IN_HAND),
        (
            "gold 9m\nE discard 7m\nS chow 7m with 69m\nS discard 1p\nW draw\nW draw",
            Problem.BAD_MELD | Problem.GOLD_IN_MELD | Problem.WRONG_COUNT,
        ),
    ],
)
def test_all_problems_at_once(text: str, problem: Problem) -> None:
    """Flags, not exceptions; the tiles still add up to the whole set."""
    state = table(text)
    assert state.problems() == problem
    assert state.total() == 144


def test_the_reserve_grows_with_kongs_and_flower_sets() -> None:
    """18 + 1 exposed kong + 2 concealed kong + 2 flower set = 23, the indicator on the 12th stack from the end."""
    state = table(
        "N flowers EEEE\nN draw tail\nN draw tail\nN draw tail\nN draw tail\ngold 9m\nE discard 1s\nW kong 1s\n"
        "W draw tail\nW kong concealed back\nW draw tail"
    )
    assert (state.wall, state.reserve, state.drawable, state.reserve_stacks) == (73, 23, 50, 12)


def test_the_last_group() -> None:
    """Four left: one tile each, no discard; then the hand is drawn."""
    deal = "deal E fuzhou streak 2 reserve_base=75"
    text = "gold 9m\nE discard 1s\nS draw head"
    state = table(text, deal)
    assert (state.phase, state.turn, state.drawable) == (Phase.LAST_GROUP, S, 3)
    state = table(f"{text}\nW draw\nN draw\nE draw\nexhausted", deal)
    assert (state.phase, state.outcome, state.wall_state) == (Phase.END, Outcome.DRAWN, WallState.EXHAUSTED)


def test_play_that_goes_on_after_a_false_win() -> None:
    """The table is that of before; the hand of the false winner is dead; the order of turns has not changed."""
    state = table(f"gold 9m\nE discard 1s\nS win discard 1s hand {WAITS_ON_58P}\nS draw head")
    assert (state.phase, state.turn, state.seats[S].dead, state.win_claims) == (Phase.ACTION, S, 4, ())


def test_a_dead_hand_is_passed_over() -> None:
    """The seat after it draws."""
    state = table("gold 9m\nE discard 1s\nS dead")
    assert state.next_to_draw is W


def test_the_deal_names_the_ruleset_or_another_is_given() -> None:
    """128 tiles leave 63 on the wall."""
    log = parse_log("deal E fuzhou streak 0 tile_set=short_128")
    assert fold(log).wall == 63
    assert fold(log, get_ruleset("fuzhou")).wall == 79
    with pytest.raises(HandError, match="starts with a deal"):
        fold(parse_log("gold 9m"))


def test_a_table_has_one_line() -> None:
    """With the known tiles where they are wanted."""
    state = table(f"S holds {WAITS_ON_58P}\ngold E 9m\nE discard 5p\nS chow 5p with 67p\nS discard 9m")
    assert format_table(state) == (
        "S claims 9m | wall 78, 60 to draw | gold 9m | E 16 flowers E | S 13 melds 567p@E threw gold | W 16 | N 16"
    )
    state = table(f"S holds {WAITS_ON_58P}\ngold 9m\nE discard 1s\nS draw")
    assert "S 17 123456m67789p23455s and 1 more" in format_table(state, hands=True)


def test_start_is_the_deal() -> None:
    """Fold and start agree."""
    log = parse_log("deal W fuzhou-baida streak 3")
    assert fold(log) == start(log[0])  # type: ignore[arg-type]
