"""How a hand ended: the win that stands at a table, and the points of the finished hand."""

from __future__ import annotations

from engine.acts import first_win, standing_wins
from engine.candidate import count_flower_sets
from engine.errors import HandError
from engine.melds import MeldKind
from engine.seats import SEATS, Seat
from engine.settlement import LeftSeat, Settlement, settle, settle_draw, settle_escape
from engine.table import Outcome, Phase, TableState
from engine.tiles import Tile
from engine.verdicts import Win


def winner_of(table: TableState) -> Win | None:
    """The win that stands: named by the table, or the first of those declared; None before or without one."""
    wins = [win for _, win in standing_wins(table)]
    if table.outcome is Outcome.WIN and table.actor is not None:
        return next((win for win in wins if win.context.seat is table.actor), None)
    return first_win(wins, table) if table.phase is Phase.WIN_CLAIMED else None


def settlement_of(table: TableState, winner: Win | None = None) -> Settlement:
    """The points of a finished hand; HandError while it goes on or when no declared win stands.

    ``winner`` saves the look for it where it is known.
    """
    win = winner if winner is not None else winner_of(table)
    if win is not None:
        return settle(win, table.rules)
    if table.outcome is Outcome.DRAWN:
        return settle_draw(table.dealer, table.streak, table.rules)
    if table.outcome is Outcome.ESCAPE and table.actor is not None:
        rest = tuple(_left(table, seat) for seat in SEATS if seat is not table.actor)
        return settle_escape(table.actor, rest, table.streak, table.rules)
    raise HandError("the hand is not over; expected a win that stands, a drawn hand or an escape")


def _left(table: TableState, seat: Seat) -> LeftSeat:
    """F and G of a seat that stays when another leaves; golds count as far as the hand is known."""
    state = table.seats[seat]
    kongs = sum(2 if meld.kind is MeldKind.KONG_CONCEALED else 1 for meld in state.melds if meld.is_kong)
    flowers = [tile for tile in state.flowers if isinstance(tile, Tile)]
    sets = table.rules.flower_set_bonus * count_flower_sets(flowers)
    golds = state.known.count(table.gold) if table.gold is not None else 0
    return LeftSeat(seat, len(state.flowers) + sets + kongs, golds)
