"""The fold over an evening: who deals, the streak, rounds and places, and the points of every kind of entry."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.context import TableFacts, WinContext
from engine.errors import HandError
from engine.game import DealSet, Drawn, Entry, Escaped, Fined, GameState, Offence, Played, Won, fold, play
from engine.notation import parse_hand
from engine.reasons import Reason
from engine.rulesets import TableRules, get_ruleset
from engine.seats import SEATS, Seat
from engine.settlement import LeftSeat
from engine.verdicts import CannotKnow, Fact, Refusal
from tests.test_new_ruleset import TINY

E, S, W, N = SEATS
HAND = "123456m789p23455s67p +8p | flowers ES | gold 9m"


def rules(name: str = "fuzhou", **options: object) -> TableRules:
    """A ruleset."""
    found = get_ruleset(name).with_options(options)
    assert isinstance(found, TableRules)
    return found


def context(seat: Seat, giver: Seat | None = None) -> WinContext:
    """A declared win that knows nothing of the deal."""
    how = f"win discard@{giver.code}" if giver is not None else "win self_draw"
    return parse_hand(f"{HAND} | {how} | seat {seat.code}").context(TableFacts())


def won(seat: Seat, giver: Seat | None = None) -> Won:
    """A hand won by this seat."""
    return Won(wins=(context(seat, giver),))


def course(entries: list[Entry], by: TableRules | None = None) -> list[tuple[int | None, Seat | None, int | None]]:
    """Hand, dealer and streak before each entry, and after the last."""
    by = by or rules()
    played, fault = fold((entry, by) for entry in entries)
    assert fault is None
    after = played[-1].after
    return [
        *((one.deal.hand, one.deal.dealer, one.deal.streak) for one in played),
        (after.hand, after.dealer, after.streak),
    ]


def test_dealer_and_streak_follow_the_hands() -> None:
    """The dealer stays after a win of his own and a draw; a penalty changes nothing; another winner moves the deal."""
    entries = [won(E), won(E, W), Drawn(), Fined(seat=W, offence=Offence.FALSE_WIN), won(S, E), won(W)]
    assert course(entries) == [(1, E, 0), (2, E, 1), (3, E, 2), (4, E, 2), (4, E, 2), (5, S, 0), (6, W, 0)]


@pytest.mark.parametrize(("option", "streak"), [("keep", 1), ("increment", 2), ("reset", 0)])
def test_the_streak_after_a_draw_is_an_option(option: str, streak: int) -> None:
    """和局."""
    assert course([won(E), Drawn()], rules(streak_on_draw=option))[-1] == (3, E, streak)


def test_the_streak_is_paid() -> None:
    """(2 flowers + 5) * 2 at first, two more for each win in a row."""
    by = rules()
    played, _ = fold((entry, by) for entry in (won(E, W), won(E, W), won(S, E)))
    assert [one.deltas for one in played] == [(14, 0, -14, 0), (16, 0, -16, 0), (-18, 18, 0, 0)]


def test_an_escape_costs_the_leaver_and_clears_the_deal() -> None:
    """逃跑: 4 * (3 * (1 + 5) + streak 1), to nobody; then the first dealer is drawn anew and has to be said."""
    left = Escaped(seat=W, remaining=tuple(LeftSeat(seat, 1, 0) for seat in (E, S, N)))
    by = rules()
    played, fault = fold((entry, by) for entry in (won(E), left, Drawn()))
    assert (played[1].deltas, played[1].kitty) == ((0, 0, -76, 0), 76)
    assert (played[1].after.dealer, played[1].after.hand) == (None, 3)
    assert fault == CannotKnow((Fact.DEALER,))
    assert course([won(E), left, DealSet(dealer=N), Drawn()])[2:] == [(3, None, 0), (3, N, 0), (4, N, 0)]


def test_what_an_entry_says_of_the_deal_counts() -> None:
    """A win and a draw may name the dealer where nobody knows him."""
    unknown = GameState(dealer=None, streak=None)
    said = replace(context(S, W), dealer=S, streak=2)
    for entry in (Won(wins=(said,)), Drawn(dealer=S, streak=2)):
        played = play(unknown, entry, rules())
        assert isinstance(played, Played)
        assert (played.deal.dealer, played.deal.streak) == (S, 2)
    assert play(unknown, won(S, W), rules()) == CannotKnow((Fact.DEALER, Fact.STREAK))
    assert play(replace(unknown, dealer=S), Drawn(), rules()) == CannotKnow((Fact.STREAK,))


def test_hands_that_do_not_follow_each_other() -> None:
    """Each says its own deal; nothing is counted."""
    played = play(
        GameState(hand=None, dealer=N, streak=9), Won(wins=(replace(context(S, W), dealer=E, streak=0),)), rules()
    )
    assert isinstance(played, Played)
    assert (played.deal.dealer, played.deal.hand, played.after.hand) == (E, None, None)


@pytest.mark.parametrize(
    ("fine", "deltas", "kitty"),
    [
        (Fined(seat=W, offence=Offence.FALSE_WIN), (7, 7, -21, 7), 0),
        (Fined(seat=W, offence=Offence.WRONG_COUNT), (7, 7, -21, 7), 0),
        (Fined(seat=W, offence=Offence.OTHER, points=2), (2, 2, -6, 2), 0),
        (Fined(seat=E, offence=Offence.OTHER, points=2, to_others=False), (-2, 0, 0, 0), 2),
        (Fined(seat=E, offence=Offence.FALSE_WIN, points=0), (0, 0, 0, 0), 0),
    ],
)
def test_penalties(fine: Fined, deltas: tuple[int, ...], kitty: int) -> None:
    """诈胡 and 相公 cost what the rules say, others what is said; to the others, or to nobody."""
    played = play(GameState(), fine, rules(false_win_points=7))
    assert isinstance(played, Played)
    assert (played.deltas, played.kitty) == (deltas, kitty)
    assert played.after == GameState()


def test_a_penalty_of_no_name_needs_its_points() -> None:
    """The rules have no price for it."""
    with pytest.raises(HandError, match="expected its points"):
        play(GameState(), Fined(seat=W, offence=Offence.OTHER), rules())


def test_sixteen_hands_with_rounds_and_places() -> None:
    """国标: the deal passes always; East and South, West and North change places before the third round."""
    by = rules("mcr", seat_swap_third_round=True)
    played, fault = fold((Drawn(), by) for _ in range(17))
    assert len(played) == 16
    assert fault == CannotKnow((Fact.DEALER,))
    assert [one.deal.dealer for one in played] == [*SEATS] * 4
    assert [one.deal.round_wind for one in played[::4]] == [E, S, W, N]
    assert [one.deal.places for one in (played[7], played[8])] == [(E, S, W, N), (S, E, N, W)]
    fined = play(played[8].after, Fined(seat=E, offence=Offence.OTHER, points=1), by)
    assert isinstance(fined, Played)
    assert fined.deltas == (1, -3, 1, 1)


def test_one_winner_or_several() -> None:
    """Fuzhou knows one; where rules let several win, each is paid, and a dealer among them stays."""
    both = Won(wins=(context(S, W), context(E, W)))
    with pytest.raises(HandError, match="expected the first in turn alone"):
        play(GameState(), both, rules())
    by = replace(rules(), several_winners=True)
    played = play(GameState(streak=1), both, by)
    assert isinstance(played, Played)
    assert played.deltas == (16, 16, -32, 0)
    assert (played.after.dealer, played.after.streak) == (E, 2)
    for wrong in ((context(S, W), context(E, N)), (context(S, W), context(S, W)), (context(S), context(E))):
        with pytest.raises(HandError, match="share one tile"):
            play(GameState(), Won(wins=wrong), by)
    with pytest.raises(HandError, match="nobody won"):
        play(GameState(), Won(wins=()), by)


def test_a_dealer_rule_of_another_game() -> None:
    """The fold asks the ruleset who deals next."""
    line = parse_hand("111m 222p 333s 44m CC +C | win discard@W | seat E")
    played = play(GameState(), Won(wins=(line.context(),)), TINY)
    assert isinstance(played, Played)
    assert (played.deltas, played.after.dealer) == ((9, 0, -9, 0), E)


def test_an_impossible_hand_ends_the_fold() -> None:
    """天胡 belongs to the dealer: with another first hand it does not stand, and what follows is not looked at."""
    line = parse_hand("123456m789p23455s678p | flowers ES | gold 9m | win heavenly | seat E")
    heavenly = Won(wins=(line.context(),))
    by = rules()
    assert fold((one, by) for one in (won(E), heavenly, won(E)))[1] is None
    played, fault = fold((one, by) for one in (won(S), heavenly, won(E)))
    assert len(played) == 1
    assert isinstance(fault, Refusal)
    assert fault.reason is Reason.NOT_HEAVENLY
