"""Who goes first, and how long the wall lasts."""

from __future__ import annotations

import pytest

from engine.claims import ClaimContext
from engine.context import TableFacts, WinContext
from engine.melds import MeldKind
from engine.notation import parse_hand, parse_tiles
from engine.priority import grant, grant_opening
from engine.rulesets.fuzhou import load
from engine.seats import Seat
from engine.tiles import Tile
from engine.wall import Wall, WallState

PLAIN = "123456789s11s67p123p"
SPARROW = "123456m789p234s67p99m"


def win(
    seat: str, hand: str, source: str = "discard@N", gold: str = "9m", more: str = "", **facts: object
) -> WinContext:
    """A win on North's 8p, two flowers, East deals."""
    tile = " +8p" if "@" in source else ""
    line = f"{hand}{tile} | flowers ES | gold {gold} | win {source} | seat {seat} | dealer E | streak 0{more}"
    known = TableFacts(**{"gold_discarded": False, "passed_kinds": frozenset(), **facts})  # type: ignore[arg-type]
    return parse_hand(line).context(known)


@pytest.mark.parametrize(
    ("option", "seat"),
    [
        ("sparrow_then_seat", Seat.WEST),
        ("seat", Seat.EAST),
        ("value_then_seat", Seat.WEST),
    ],
)
def test_two_winners(option: str, seat: Seat) -> None:
    """East sits nearer to North, West has 金雀."""
    rules = load("fuzhou").with_options({"win_priority": option})
    granted = grant([win("W", SPARROW), win("E", PLAIN)], Seat.NORTH, rules)
    assert granted is not None
    assert granted.seat is seat


def test_a_refused_winner_is_skipped() -> None:
    """The nearest seat passed 8p before, so the next legal claimer gets it; and nobody when all are refused."""
    locked = win("E", PLAIN, passed_kinds=frozenset({Tile.P8}))
    granted = grant([locked, win("S", PLAIN)], Seat.NORTH, load("fuzhou"))
    assert granted is not None
    assert granted.seat is Seat.SOUTH
    assert grant([locked], Seat.NORTH, load("fuzhou")) is None
    assert grant([], Seat.NORTH, load("fuzhou")) is None


def test_pung_before_chow() -> None:
    """A pung from afar goes before the next seat's chow."""
    chow = ClaimContext(
        kind=MeldKind.CHOW,
        tile=Tile.P8,
        seat=Seat.EAST,
        from_seat=Seat.NORTH,
        gold=Tile.M9,
        concealed=parse_tiles("67p123456789s1357m1s"),
    )
    pung = ClaimContext(
        kind=MeldKind.PUNG,
        tile=Tile.P8,
        seat=Seat.WEST,
        from_seat=Seat.NORTH,
        gold=Tile.M9,
        concealed=parse_tiles("88p123456789s1357m2s"),
    )
    rules = load("fuzhou")
    for claims, seat in (([chow, pung], Seat.WEST), ([chow], Seat.EAST), ([chow, pung, win("S", PLAIN)], Seat.SOUTH)):
        granted = grant(claims, Seat.NORTH, rules)
        assert granted is not None
        assert granted.seat is seat


def test_opening_wins() -> None:
    """Three golds, 天胡, non-dealers by distance, then the dealer's swap; another order where a table plays it."""
    rules = load("fuzhou")
    three = win("W", "12457m28p134679s555p", "opening_three", "5p")
    heavenly = win("E", "123456m789p23455s678s", "heavenly", "5p")
    south, west = (win(seat, "123456m789p23455s67p", "rob_gold", "5p") for seat in "SW")
    swap = win("E", "123456m789p23455s67p1s", "rob_gold", "5p", " | swap 1s")
    for claims, place, seat in (
        ([swap, west, south, heavenly, three], "THREE_GOLDS", Seat.WEST),
        ([swap, west, south, heavenly], "HEAVENLY", Seat.EAST),
        ([swap, west, south], "ROB_NON_DEALER", Seat.SOUTH),
        ([swap], "ROB_DEALER", Seat.EAST),
    ):
        granted = grant_opening(claims, Seat.EAST, rules)
        assert granted is not None
        assert (granted[1], granted[0].seat) == (place, seat)
    assert grant_opening([], Seat.EAST, rules) is None
    dealer_first = rules.with_options({"opening_priority": "ROB_DEALER,HEAVENLY,ROB_NON_DEALER,THREE_GOLDS"})
    granted = grant_opening([south, swap, three], Seat.EAST, dealer_first)
    assert granted is not None
    assert granted[1] == "ROB_DEALER"


@pytest.mark.parametrize(
    ("name", "wall", "drawable", "state"),
    [
        ("fuzhou", Wall(79), 61, WallState.NORMAL),
        ("fuzhou", Wall(23), 5, WallState.NORMAL),
        ("fuzhou", Wall(22), 4, WallState.LAST_GROUP),
        ("fuzhou", Wall(19), 1, WallState.LAST_GROUP),
        ("fuzhou", Wall(18), 0, WallState.EXHAUSTED),
        ("fuzhou", Wall(5), 0, WallState.EXHAUSTED),
        ("fuzhou-baida", Wall(2), 1, WallState.NORMAL),
        ("fuzhou-baida", Wall(1), 0, WallState.EXHAUSTED),
    ],
)
def test_wall(name: str, wall: Wall, drawable: int, state: WallState) -> None:
    """The last group and the end; the indicator itself is never drawn."""
    rules = load(name)
    assert (wall.drawable(rules), wall.state(rules)) == (drawable, state)


def test_the_indicator_beside_the_reserve() -> None:
    """One tile more is kept where the indicator is not one of the reserved."""
    rules = load("fuzhou").with_options({"reserve_includes_gold": False, "last_group_size": 0})
    assert Wall(40, open_kongs=2).drawable(rules) == 19
    assert Wall(22).state(rules) is WallState.NORMAL
