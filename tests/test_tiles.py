"""Tiles and seats: codes, names, copies."""

import pytest

from engine.errors import NotationError
from engine.seats import SEATS, Seat
from engine.tiles import ALL_TILES, Suit, Tile


def test_codes_round_trip() -> None:
    """Every kind parses back from its own code."""
    assert [Tile.parse(tile.code) for tile in ALL_TILES] == list(ALL_TILES)


def test_full_set_has_144_tiles() -> None:
    """Four of each suited tile and honour, one of each flower."""
    assert sum(tile.copies for tile in ALL_TILES) == 144


def test_names_are_distinct() -> None:
    """No two kinds share a Chinese or an English name."""
    assert len({tile.zh for tile in ALL_TILES}) == len({tile.en for tile in ALL_TILES}) == 42


@pytest.mark.parametrize(
    ("tile", "zh", "suit", "rank"),
    [
        (Tile.M3, "三万", Suit.CHARACTERS, 3),
        (Tile.P1, "一饼", Suit.DOTS, 1),
        (Tile.S9, "九条", Suit.BAMBOOS, 9),
        (Tile.RED, "红中", Suit.HONOURS, None),
        (Tile.WINTER, "冬", Suit.FLOWERS, None),
    ],
)
def test_properties(tile: Tile, zh: str, suit: Suit, rank: int | None) -> None:
    """Name, suit and rank belong to the code."""
    assert (tile.zh, tile.suit, tile.rank) == (zh, suit, rank)


@pytest.mark.parametrize("code", ["", "0m", "10m", "1z", "9f", "e", "back", "?"])
def test_unknown_code_is_refused(code: str) -> None:
    """The message repeats the code and says what was expected."""
    with pytest.raises(NotationError, match="expected 1m-9m"):
        Tile.parse(code)


def test_seats_turn_counterclockwise() -> None:
    """下家, 对家 and 上家 of each seat, and the distance between them."""
    for seat in SEATS:
        assert seat.next.previous is seat
        assert seat.across.across is seat
        assert [seat.distance_to(other) for other in (seat, seat.next, seat.across, seat.previous)] == [0, 1, 2, 3]
        assert Seat.parse(seat.code) is seat
