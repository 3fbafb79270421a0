"""What must have happened before an event although nobody saw it: draws, and acts behind a hand or in a gap."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from assistant_api.services.live.stepping import stepped
from engine.context import WinSource
from engine.events import (
    Chow,
    Discard,
    Draw,
    Event,
    FlowersLaid,
    GoldOpened,
    KongAdded,
    KongConcealed,
    KongOpen,
    Pung,
    WinClaim,
)
from engine.seats import SEATS, Seat
from engine.table import Phase, TableState
from engine.tiles import Face, Unseen

Unnoticed: TypeAlias = tuple[Event, ...]
_OFFERED = (Phase.CLAIMS, Phase.ROB_WINDOW)
_FROM_THE_WALL = (Discard, FlowersLaid, KongAdded, KongConcealed)
LONGEST = 3
"""So many acts in a row may have gone unnoticed."""


def ways(state: TableState, event: Event) -> Iterator[tuple[Unnoticed, int]]:
    """What may have come before an event at this table, the likeliest first, and how many acts of it nobody noticed.

    Draws are never noticed and do not count; they are those that the next act needs.
    """
    if isinstance(event, WinClaim) and event.source is WinSource.DISCARD and not _is_offered(state, event.tile):
        yield from _unnoticed_discards(state, event.seat, event.tile or Unseen.UNREADABLE)
        return
    drawn = draws_before(state, event)
    yield drawn, 0
    table = _after(state, drawn)
    if isinstance(event, Chow | Pung | KongOpen):
        yield from _unnoticed_discards(state, event.seat, event.tile)
    elif isinstance(event, Discard | KongAdded | KongConcealed | FlowersLaid):
        if not _may_act(table, event.seat):
            yield from _until_turn(state, event)
    elif isinstance(event, WinClaim) and event.source.is_own_draw and not _may_act(table, event.seat):
        yield from _until_turn(state, event)


def draws_before(state: TableState, event: Event) -> Unnoticed:
    """The draws without which this event would come too early: those that are owed, and the one of a new turn."""
    robs = isinstance(event, WinClaim) and not event.source.is_own_draw
    draws: list[Event] = [] if robs else [Draw(seat) for seat in SEATS for _ in range(state.seats[seat].owed)]
    if isinstance(event, WinClaim) and event.source.is_own_draw:
        return (*draws, *_own_draws(_after(state, draws), event.seat))
    if isinstance(event, _FROM_THE_WALL):
        table = _after(state, draws)
        if table.phase in _OFFERED and event.seat is table.next_to_draw:
            draws.append(Draw(event.seat))
    return tuple(draws)


def _own_draws(state: TableState, seat: Seat) -> list[Event]:
    """The head draws up to the one a seat wins by; several where the last tiles are drawn without discards."""
    draws: list[Event] = []
    while state.phase in (*_OFFERED, Phase.LAST_GROUP) and len(draws) < 4:
        if state.phase is Phase.LAST_GROUP and state.turn is seat and draws:
            break
        if state.phase in _OFFERED and state.next_to_draw is not seat and not _ends_soon(state):
            break
        if state.drawable == 0:
            break
        draws.append(Draw(state.next_to_draw))
        state = _after(state, draws[-1:])
        if state.turn is seat:
            break
    return draws


def _ends_soon(state: TableState) -> bool:
    return state.drawable <= 4


def _after(state: TableState, events: Unnoticed | list[Event]) -> TableState:
    for event in events:
        state, _ = stepped(state, event)
    return state


def _may_act(state: TableState, seat: Seat) -> bool:
    """Whether a seat may discard, kong or lay flowers now."""
    if state.phase is Phase.OPENING_FLOWERS:
        return False
    if state.phase in _OFFERED:
        return False
    return state.turn is seat


def may_kong(state: TableState, seat: Seat | None) -> bool:
    """Whether a seat is to act, or draws next when nobody claims."""
    if seat is None or state.phase is Phase.OPENING_FLOWERS:
        return False
    return seat is (state.next_to_draw if state.phase in _OFFERED else state.turn)


def _is_offered(state: TableState, tile: Face | None) -> bool:
    return state.phase in _OFFERED and state.put_up is not None and state.put_up.tile == tile


def _giver(state: TableState) -> tuple[Unnoticed, Seat]:
    """Who discards next when nobody claims, and the draws that come before."""
    before: list[Event] = [Draw(seat) for seat in SEATS for _ in range(state.seats[seat].owed)]
    table = _after(state, before)
    if table.phase is Phase.OPENING_FLOWERS:
        before.append(GoldOpened((Unseen.UNREADABLE,)))
        return tuple(before), table.dealer
    if table.phase in _OFFERED:
        before.append(Draw(table.next_to_draw))
        return tuple(before), table.next_to_draw
    return tuple(before), table.turn


def _unnoticed_discards(state: TableState, taker: Seat, tile: Face) -> Iterator[tuple[Unnoticed, int]]:
    """A discard that was taken before anybody saw it, perhaps after others that were not seen either."""
    passed: Unnoticed = ()
    table = state
    for count in range(1, LONGEST + 1):
        before, giver = _giver(table)
        if giver is not taker:
            yield (*passed, *before, Discard(giver, tile)), count
        more: Unnoticed = (*before, Discard(giver, Unseen.UNREADABLE))
        passed = (*passed, *more)
        table = _after(table, more)


def _until_turn(state: TableState, event: Event) -> Iterator[tuple[Unnoticed, int]]:
    """Discards that nobody saw, until it is this seat's turn."""
    passed: Unnoticed = ()
    table = state
    for count in range(1, LONGEST + 1):
        before, giver = _giver(table)
        opened = any(isinstance(one, GoldOpened) for one in before)
        if opened and _may_act(_after(table, before), getattr(event, "seat", giver)):
            yield (*passed, *before), count
            return
        more: Unnoticed = (*before, Discard(giver, Unseen.UNREADABLE))
        passed = (*passed, *more)
        table = _after(table, more)
        drawn = draws_before(table, event)
        if _may_act(_after(table, drawn), getattr(event, "seat", giver)):
            yield (*passed, *drawn), count
            return
