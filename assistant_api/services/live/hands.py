"""Hands laid open: a seat that turns its tiles up in the lane of its hand declares a win."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant_api.services.live.changes import Act, Sight
from engine.seats import SEATS
from vision.live.view import TableView, Zone

if TYPE_CHECKING:
    from assistant_api.services.live.table import LiveHand

OPEN_S = 1.0
"""So long the tiles lie open before it is a hand laid down."""


def opened_hands(hand: LiveHand, view: TableView) -> list[Sight]:
    """Seats whose hand lies open now: about as many faces as the seat has tiles, and hardly a back."""
    found = []
    for seat in SEATS:
        tiles = list(view.in_zone(Zone.HAND, seat))
        faces = [tile for tile in tiles if not tile.face_down]
        count = hand.state.seats[seat].concealed_count
        opened = max((tile.since_s for tile in faces), default=0.0)
        backs = len(tiles) - len(faces)
        if len(faces) < max(1, count - 1) or len(faces) > count + 2 or backs > 1 or view.time_s - opened < OPEN_S:
            continue
        ordered = tuple(sorted(faces, key=lambda tile: (tile.tile is None, tile.tile or 0, tile.track)))
        found.append(Sight(Act.OPEN_HAND, seat, ordered, opened))
    return found
