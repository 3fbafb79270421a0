"""Opening flowers: seats lay them in rounds from the dealer on, and lay again only what they drew for the last ones."""

from __future__ import annotations

from assistant_api.services.live.changes import Act, Sight
from engine.events import FlowersLaid, GoldOpened
from engine.seats import SEATS, Seat
from engine.table import TableState

ROUND_MISSED = 2.5
"""Against flowers of a seat that cannot have drawn them."""
TURNED_S = 1.4
"""A flower of the dealer that lies there no longer than this before the gold was turned up in its place."""
TOO_FAST = 1.5


def rounds(state: TableState) -> list[list[int]]:
    """How many flowers each seat laid in each round so far, by seat."""
    laid = [[0, 0, 0, 0]]
    before = -1
    for event in state.log:
        if not isinstance(event, FlowersLaid):
            continue
        place = state.dealer.distance_to(event.seat)
        if place < before:
            laid.append([0, 0, 0, 0])
        laid[-1][event.seat] += len(event.tiles)
        before = place
    return laid


def out_of_round(state: TableState, event: FlowersLaid) -> float:
    """Against a seat laying flowers now: in a later round it has no more than it laid in the round before."""
    laid = rounds(state)
    last = next((one.seat for one in reversed(state.log) if isinstance(one, FlowersLaid)), None)
    if last is event.seat:
        return 0.0  # found late, or drawn in between while nobody else had any
    again = last is not None and state.dealer.distance_to(event.seat) < state.dealer.distance_to(last)
    if again:
        laid.append([0, 0, 0, 0])
    if len(laid) < 2:
        return 0.0
    return ROUND_MISSED if laid[-1][event.seat] + len(event.tiles) > laid[-2][event.seat] else 0.0


def before_any_draw(state: TableState) -> float:
    """Against flowers laid right after the gold was opened: nobody has drawn since the last ones were."""
    return ROUND_MISSED if isinstance(state.log[-1], GoldOpened) else 0.0


def missed_a_round(state: TableState, seat: Seat) -> bool:
    """Whether others have laid flowers in more rounds than this seat, so that it cannot have drawn one since.

    What a seat laid one after the other is one round: it may have been found late.
    """
    laid = [event.seat for event in state.log if isinstance(event, FlowersLaid)]
    turns = [one for before, one in zip([None, *laid], laid, strict=False) if one is not before]
    return any(turns.count(other) > turns.count(seat) for other in SEATS)


def gold_too_soon(before: Sight | None, sight: Sight, state: TableState) -> float:
    """Against the gold being opened sooner after flowers of the dealer than he could have drawn for them."""
    if sight.act is not Act.GOLD or before is None or before.act is not Act.FLOWERS:
        return 0.0
    return TOO_FAST if before.seat is state.dealer and sight.time_s - before.time_s <= TURNED_S else 0.0
