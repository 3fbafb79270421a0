"""过水: what was passed, what lifts it, and how far back a hand can be rebuilt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.context import TableFacts, WinContext, WinSource
from engine.hand import Hand
from engine.history import Step, StepKind, hands_then, is_rob_window_open
from engine.notation import format_tiles, parse_hand, parse_meld, parse_tiles
from engine.passlock import is_dearer, passed_pungs, passed_wins
from engine.rulesets.fuzhou import Fuzhou, load
from engine.seats import Seat
from engine.tiles import Tile
from engine.verdicts import Refusal
from engine.win import judge_win

WAITS_ON_58P = "123456m789p23455s67p"


def steps(text: str) -> tuple[Step, ...]:
    """``S-1s`` South discards 1s, ``S+`` draws unseen, ``S+5p`` draws 5p, ``S=3s`` claims, ``S^5p`` adds to a pung."""
    kinds = {"-": StepKind.DISCARD, "+": StepKind.DRAW, "=": StepKind.CLAIM, "^": StepKind.KONG_ADDED}
    return tuple(
        Step(kinds[word[1]], Seat.parse(word[0]), Tile.parse(word[2:]) if word[2:] else None) for word in text.split()
    )


def south(hand: str = WAITS_ON_58P, **facts: object) -> WinContext:
    """South's closed hand; the gold is 9m."""
    line = parse_hand(f"{hand} | flowers EW | gold 9m | seat S | dealer E | streak 0 | win discard@W")
    return line.context(TableFacts(**{"gold_discarded": False, **facts}))  # type: ignore[arg-type]


def rules(**options: object) -> Fuzhou:
    """The teaching text's ruleset with other options."""
    return load("fuzhou").with_options(options)


def passed(history: str, hand: str = WAITS_ON_58P, options: dict[str, object] | None = None, **facts: object) -> str:
    """Kinds passed by South, in notation."""
    found = passed_wins(steps(history), south(hand, **facts), rules(**(options or {})))
    return format_tiles(sorted({win.tile for win in found}))


@pytest.mark.parametrize(
    ("history", "expected"),
    [
        ("S-1s W-5p", "5p"),
        ("S-1s W-5p N-8p E-5p", "58p"),
        ("S-1s W-9p", ""),
        ("S-1s W-9m", ""),
        ("W-5p S+ S-1s", ""),
        ("W-5p S=2s S-1s", ""),
        ("W-5p N=5p N-9s", "5p"),
        ("W^5p", "5p"),
        ("W-5p S+1s", "5p"),
        ("", ""),
    ],
)
def test_passed_until_the_own_discard(history: str, expected: str) -> None:
    """Discards and added kongs of others count, silence is passing, every own discard clears."""
    assert passed(history) == expected


@pytest.mark.parametrize(("reset", "expected"), [("own_discard", ""), ("own_draw", "8p"), ("end_of_hand", "58p")])
def test_resets(reset: str, expected: str) -> None:
    """The same go-round under the three resets: a pass, an own draw and discard, a pass, an own claim and discard."""
    line = "123456m789p55s67p | melds 234s@E | gold 9m | seat S | dealer E | streak 0 | win discard@W"
    context = parse_hand(line).context(TableFacts(gold_discarded=False))
    found = passed_wins(steps("W-5p S+9s S-9s N-8p E-2s S=2s S-2s"), context, rules(pass_lock_reset=reset))
    assert format_tiles(win.tile for win in found) == expected


def test_a_barred_win_is_no_pass() -> None:
    """Gold lock and free gold: what could not be won was not passed."""
    assert passed("S-1s W-5p", gold_discarded=True) == ""
    assert passed("S-9m W-5p") == ""
    free = "123456m789p234555s9m"
    assert passed("S-1s W-1p", free, {"free_gold_rule": "self_draw_only"}) == ""
    assert passed("S-1s W-1p", free) == "1p"
    assert passed("S-1s W-5p", WAITS_ON_58P + "1s") == ""


def test_dearer_than_passed() -> None:
    """金雀 on 8p pays more than the plain win on 1s that was passed; the same win does not."""
    hand = "123456m789p234s67p99m"
    history = steps("S-1s W-1s")
    context = south(hand)
    found = passed_wins(history, context, rules())
    assert [(win.tile, win.per_payer) for win in found] == [(Tile.S1, 18)]
    assert is_dearer(replace(context, winning_tile=Tile.P8), found, rules())
    assert not is_dearer(replace(context, winning_tile=Tile.S1), found, rules())
    assert not is_dearer(replace(context, winning_tile=Tile.EAST), found, rules())


def test_the_passed_kind_is_named() -> None:
    """Where one passed win locks all kinds, the sentence names the kind that was passed, not the one now claimed."""
    line = parse_hand("123456m789p234s55s67p +8p | gold 9m | win discard@W | seat S | dealer E | streak 0")
    context = line.context(TableFacts(passed_kinds=frozenset({Tile.P5}), gold_discarded=False, dead_hand=False))
    verdict = judge_win(context, load("fuzhou").with_options({"pass_lock_scope": "all_tiles"}))
    assert isinstance(verdict, Refusal)
    assert verdict.en == "a win on 5p was passed since the last own discard"


def test_nobody_passes_without_a_seat() -> None:
    """A win nobody is named for has no history."""
    context = parse_hand(f"{WAITS_ON_58P} | gold 9m").context()
    assert context.source is not WinSource.DISCARD
    assert passed_wins(steps("W-5p"), context, rules()) == ()


@pytest.mark.parametrize(
    ("history", "expected"),
    [
        ("S-1p W-4p", "4p"),
        ("S-1p W-4p S=4p", ""),
        ("W-4p S+ S-1p", ""),
        ("S-1p W-9m", ""),
        ("S-1p W^4p", ""),
        ("S-1p W-1m", ""),
    ],
)
def test_passed_pungs(history: str, expected: str) -> None:
    """A pair and a discard of its kind, not taken."""
    now = Hand(parse_tiles("123m44p789s123s5s99m"), (parse_meld("444p@W"),) if "=" in history else ())
    assert format_tiles(sorted(passed_pungs(steps(history), Seat.SOUTH, now, Tile.M9, rules()))) == expected


def test_hands_are_taken_back() -> None:
    """Own discards, draws and claims are undone one by one."""
    now = Hand(parse_tiles("123m55p"), (parse_meld("333s@W"), parse_meld("444p@E")))
    then = [hand for hand in hands_then(steps("W-1p S=3s S-9s N-1p S+2m S-1m"), Seat.SOUTH, now) if hand]
    assert [len(hand.concealed) for hand in then] == [8, 8, 6, 5, 5, 6]
    assert [len(hand.melds) for hand in then] == [1, 1, 2, 2, 2, 2]
    assert sorted(then[0].concealed, key=str) == sorted(parse_tiles("113m55p339s"), key=str)


@pytest.mark.parametrize("history", ["W-1p S+", "W-1p S+9s", "W-1p S=8s", "W-1p S^5p", "W-1p S=3s S=3s"])
def test_what_cannot_be_taken_back_is_not_known(history: str) -> None:
    """An unseen draw, a draw no longer held, a claim without its meld, an added kong."""
    now = Hand(parse_tiles("123m55p"), (parse_meld("333s@W"),))
    assert hands_then(steps(history), Seat.SOUTH, now)[0] is None


@pytest.mark.parametrize(
    ("window", "seat", "history", "is_open"),
    [
        ("after_first_discard", "S", "E-1s", True),
        ("after_first_discard", "S", "", True),
        ("after_first_discard", "W", "E-1s S+ S-9s", False),
        ("after_first_discard", "E", "E-1s", True),
        ("after_first_discard", "E", "E-1s S+", False),
        ("instead_of_first_draw", "W", "E-1s S+ S-9s", True),
        ("instead_of_first_draw", "S", "E-1s S+", False),
        ("instead_of_first_draw", "W", "E-1s W=1s W-2s", False),
        ("instead_of_first_draw", "E", "E-1s S+", False),
        ("first_draw_is_gold", "S", "E-1s S+9m", True),
        ("first_draw_is_gold", "S", "E-1s S+1m S-1m W+ W-1s N+ N-1s E+ E-1s S+9m", False),
        ("first_draw_is_gold", "S", "E-1s S=1s", False),
    ],
)
def test_rob_window(window: str, seat: str, history: str, is_open: bool) -> None:
    """When the gold can still be robbed; East deals."""
    assert is_rob_window_open(steps(history), Seat.parse(seat), Seat.EAST, rules(rob_window=window)) is is_open
