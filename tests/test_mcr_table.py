"""Chinese Official at the table: a hand as a log, its claims, its violations and its end."""

from __future__ import annotations

from engine.audit import audit
from engine.context import WinSource
from engine.eventlog import format_log, parse_log
from engine.events import WinClaim
from engine.fan_win import FanWin
from engine.referee import Referee
from engine.seats import Seat
from engine.table import Phase, Problem
from engine.tiles import Tile

EAST = "E holds 123m456p789s22s46s9p"
SOUTH = "S holds 123m456p789s22s46s"
WEST = "W holds 55p147m258s369p FF"
DEAL = f"deal E mcr streak 0 round S\n{EAST}\n{SOUTH}"


def kinds(text: str) -> list[str]:
    """Kinds of violations of a log, with the seats."""
    return [f"{one.kind.value}@{'-' if one.seat is None else one.seat.code}" for one in audit(parse_log(text))]


def test_log_round_trip() -> None:
    """The wind of the round stands in the deal."""
    log = parse_log(DEAL)
    assert parse_log(format_log(log)) == log
    state = Referee(log).state
    assert (state.round_wind, state.phase, state.wall, state.drawable) == (Seat.SOUTH, Phase.OPENING, 91, 91)
    assert state.problems() is Problem.NONE


def test_no_pass_lock() -> None:
    """A win that was passed may be taken at the next discard of the same kind, in the same round of turns."""
    passed = "E discard 9p\nS draw 1p\nS discard 1p\nW draw\nW discard 5s\nS pass"
    text = f"{DEAL}\n{passed}\nN draw\nN discard 5s\nS win discard 5s"
    assert kinds(text) == []
    referee = Referee(parse_log(text))
    assert isinstance(referee.winner, FanWin)
    assert "花龙" in {one.fan.zh for one in referee.winner.count.fans}
    settlement = referee.settle()
    assert sum(settlement.deltas) == 0
    assert settlement.next_dealer is Seat.SOUTH


def test_one_winner_the_nearest() -> None:
    """Two seats want the tile; the first after the giver has it, and giving it to the other is named."""
    claims = f"{DEAL}\nE discard 9p\nS draw 1p\nS discard 1p\nW draw\nW discard 5s\nS win discard 5s\nE win discard 5s"
    referee = Referee(parse_log(claims))
    assert referee.winner is not None
    assert referee.winner.context.seat is Seat.EAST
    assert kinds(f"{claims}\nE granted") == []
    assert kinds(f"{claims}\nS granted") == ["win_passed_over@E"]


def test_too_cheap_is_a_false_win() -> None:
    """A complete hand under the minimum is a false win, and bars the seat for the hand."""
    text = "deal E mcr round E\nS holds 123m456p678s CC46s\nE discard 5s\nS win discard 5s"
    assert kinds(text) == ["below_minimum@S"]
    later = f"{text}\nS draw 9p\nS discard 9p\nW draw\nW discard 5s\nS win discard 5s"
    assert kinds(later)[-1] == "dead_hand@S"
    assert "points, but 8 are needed" in audit(parse_log(text))[0].en


def test_claims() -> None:
    """Chow from the seat before alone; pung from anybody; a kong not right after a chow."""
    referee = Referee(parse_log(f"deal E mcr\n{WEST}\nE discard 5p"))
    assert [type(claim).__name__ for claim in referee.legal_claims(Seat.WEST)] == ["WinClaim", "Pung"]  # 组合龙
    assert kinds(f"deal E mcr\n{WEST}\nE discard 4p\nW chow 4p with 56p") == ["chow_wrong_seat@W"]
    four = "deal E mcr\nS holds 7777m12p3456s FFP\nE discard 3p\nS chow 3p with 12p\nS kong concealed 7m"
    assert kinds(four) == ["kong_after_claim@S"]
    ready = Referee(parse_log(f"{DEAL}\nE discard 5s"))
    assert ready.legal_claims(Seat.SOUTH)[0] == WinClaim(Seat.SOUTH, WinSource.DISCARD, Tile.S5)


def test_last_of_a_kind_and_last_tile() -> None:
    """What lies in the middle tells 绝张; an empty wall tells 海底."""
    three = "".join(f"{seat} draw\n{seat} discard 5s\n" for seat in "WN")
    text = f"{DEAL}\nE discard 9p\nS draw 1p\nS discard 1p\n{three}E draw 9s\nE discard 5s\n"
    more = "S draw 1p\nS discard 1p\nW draw\nW discard 5s\nS win discard 5s"
    winner = Referee(parse_log(text + more)).winner
    assert isinstance(winner, FanWin)
    assert "和绝张" in {one.fan.zh for one in winner.count.fans}
    turns = "S draw 1p\nS discard 1p\nW draw\nW discard ?\nN draw\nN discard ?\nE draw\nE discard ?\n"
    draws = [*(22 * turns).splitlines(), "S draw 1p", "S discard 1p", "W draw", "W discard ?"]
    lines = "\n".join([DEAL, "E discard 9p", *draws, "N draw", "N discard 5s", "S win discard 5s"])
    state = Referee(parse_log(lines))
    assert state.state.wall == 0
    assert isinstance(state.winner, FanWin)
    assert "海底捞月" in {one.fan.zh for one in state.winner.count.fans}


def test_no_gold() -> None:
    """A gold opened in a game without one is out of place; the dealer may win with the first fourteen tiles."""
    assert kinds("deal E mcr\ngold 3m") == ["gold_out_of_time@-"]
    dealt = Referee(parse_log("deal E mcr round E\nE holds 123m456p789s22s456s\nE win heavenly"))
    assert isinstance(dealt.winner, FanWin)
    flowers = "deal E mcr\nE flowers 1f\nE draw\nS flowers 2f3f\nS draw\nS draw\nE discard 1m\nS draw"
    assert kinds(flowers) == []


def test_drawn_hand() -> None:
    """荒牌: nothing moves, the deal passes on."""
    draws = [f"{'SWNE'[turn % 4]} draw\n{'SWNE'[turn % 4]} discard ?" for turn in range(91)]
    referee = Referee(parse_log("\n".join(["deal E mcr", "E discard ?", *draws, "exhausted"])))
    assert referee.violations() == ()
    settlement = referee.settle()
    assert (settlement.deltas, settlement.next_dealer) == ((0, 0, 0, 0), Seat.SOUTH)
