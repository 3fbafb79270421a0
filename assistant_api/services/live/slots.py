"""Where the log says that tiles lie: one slot for each tile that should be in sight, by the record it comes from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from assistant_api.services.live.records import Noted
from engine.context import WinSource
from engine.events import (
    Chow,
    Discard,
    FlowersLaid,
    GoldOpened,
    KongAdded,
    KongConcealed,
    KongOpen,
    KongShown,
    Pung,
    WinClaim,
)
from engine.moves import held_tiles
from engine.referee import Referee
from engine.seats import Seat
from engine.tiles import Face
from vision.live.view import Zone

SlotKey: TypeAlias = tuple[int, int]
"""Key of the record, and the place of the tile in its event."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One tile that should lie in sight.

    ``may_be_gone`` is True for a tile that a winner may have taken to the hand.
    """

    key: SlotKey
    zone: Zone
    seat: Seat | None
    face: Face
    may_be_gone: bool = False


def expected_slots(notes: Sequence[Noted], referee: Referee) -> tuple[Slot, ...]:
    """Every tile in sight by the log; ``notes`` are the records of its events, in order."""
    state = referee.state
    lying = {thrown.number for thrown in state.river if thrown.taken_by is None}
    won = _won_from_the_river(referee)
    kongs = [meld.tiles for seat in state.seats for meld in seat.melds]
    slots: list[Slot] = []
    for number, noted in enumerate(notes, start=1):
        event = noted.event
        if isinstance(event, Discard):
            if number in lying:
                slots.append(Slot((noted.key, 0), Zone.RIVER, event.seat, event.tile, number == won))
        elif isinstance(event, Chow | Pung | KongOpen):
            slots += _row(noted, Zone.MELD, event.seat, (event.tile, *held_tiles(event)))
        elif isinstance(event, KongAdded):
            slots += _row(noted, Zone.MELD, event.seat, (event.tile,))
        elif isinstance(event, KongConcealed):
            slots += _row(noted, Zone.MELD, event.seat, (event.tile,) * 4)
        elif isinstance(event, KongShown) and (event.tile,) * 4 in kongs:
            slots = _turned_up(slots, notes, event)
        elif isinstance(event, FlowersLaid):
            slots += _row(noted, Zone.FLOWERS, event.seat, event.tiles)
        elif isinstance(event, GoldOpened):
            *flowers, last = event.tiles
            slots += _row(noted, Zone.FLOWERS, state.dealer, flowers)
            slots.append(Slot((noted.key, len(flowers)), Zone.GOLD, None, last))
    return tuple(slots)


def _row(noted: Noted, zone: Zone, seat: Seat | None, faces: Iterable[Face]) -> list[Slot]:
    return [Slot((noted.key, place), zone, seat, face) for place, face in enumerate(faces)]


def _turned_up(slots: list[Slot], notes: Sequence[Noted], shown: KongShown) -> list[Slot]:
    """The first concealed kong of the seat whose kind was not known now shows it."""
    for noted in notes:
        event = noted.event
        if isinstance(event, KongConcealed) and event.seat is shown.seat and event.tile.code == "back":
            return [
                Slot(slot.key, slot.zone, slot.seat, shown.tile) if slot.key[0] == noted.key else slot for slot in slots
            ]
    return slots


def _won_from_the_river(referee: Referee) -> int:
    """Number of the discard that was won on, 0 where none was."""
    state = referee.state
    before = state.before_claims
    won = any(claim.source is WinSource.DISCARD for _, claim in state.win_claims)
    if before is None or before.put_up is None or not won:
        return 0
    return before.put_up.number


def is_win(notes: Sequence[Noted]) -> bool:
    """Whether somebody has declared a win."""
    return any(isinstance(noted.event, WinClaim) for noted in notes)
