"""圈: the order of a game in which the deal passes after every hand: four rounds (圈) of four hands, sixteen in all."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import HandError
from engine.seats import SEATS, Seat

ROUNDS = len(SEATS)
HANDS = ROUNDS * len(SEATS)
_SWAPPED = (Seat.SOUTH, Seat.EAST, Seat.NORTH, Seat.WEST)


@dataclass(frozen=True, slots=True)
class GameHand:
    """One hand of a game."""

    number: int
    """From 1 to 16."""
    round_wind: Seat
    """圈风."""
    dealer: Seat
    """The place at the table that deals; its wind is east in this hand."""
    places: tuple[Seat, Seat, Seat, Seat]
    """Where those sit who began as East, South, West and North."""

    def seat_wind(self, seat: Seat) -> Seat:
        """门风 of a place at the table."""
        return Seat((seat - self.dealer) % 4)


def game_hand(number: int, *, swap_at_third_round: bool = False) -> GameHand:
    """The hand with this number; HandError for one that is not in a game.

    Args:
        number: 1 to 16.
        swap_at_third_round: East and South, and West and North, change places before the third round.

    >>> hand = game_hand(7)
    >>> hand.round_wind.code, hand.dealer.code, hand.seat_wind(Seat.EAST).code
    ('S', 'W', 'W')
    """
    if not 1 <= number <= HANDS:
        raise HandError(f"{number} is no hand of a game; expected 1 to {HANDS}")
    rounds, turn = divmod(number - 1, len(SEATS))
    swapped = swap_at_third_round and rounds >= 2
    return GameHand(number, Seat(rounds), Seat(turn), _SWAPPED if swapped else (SEATS[0], SEATS[1], SEATS[2], SEATS[3]))
