"""What people say at a live table, as changes of its log."""

from __future__ import annotations

from collections.abc import Sequence

from assistant_api.errors import NotFoundError, UsageError
from assistant_api.live_schemas import (
    Act,
    Claim,
    Confirm,
    Delete,
    Edit,
    End,
    Insert,
    Refuse,
    SayPass,
    Settled,
    Undo,
)
from assistant_api.services.live.table import LiveHand
from engine.context import WinSource
from engine.eventlog import parse_event
from engine.events import Draw, Event, Exhausted, LaidOpen, Pass, WinClaim, WinGranted
from engine.notation import parse_tile
from engine.seats import Seat
from engine.table import Phase, TableState
from engine.tiles import Tile

_OFFERED = (Phase.CLAIMS, Phase.ROB_WINDOW, Phase.ROB_KONG)


def apply(hand: LiveHand, act: Act) -> LiveHand:
    """The hand with what a person said.

    Raises:
        NotFoundError: there is no such event (any more).
        NotationError: the text is no event.
        HandError, UsageError: it makes no sense at this table.
    """
    match act:
        case Confirm():
            return hand.confirm(number_of(hand, act.event)).hand
        case Edit():
            return hand.edit(number_of(hand, act.event), parse_event(act.text)).hand
        case Delete():
            return hand.delete(number_of(hand, act.event)).hand
        case Undo():
            return hand.undo().hand
        case Insert():
            place = len(hand.notes) + 1 if act.before is None else number_of(hand, act.before)
            return hand.insert(place, parse_event(act.text)).hand
        case SayPass():
            return _append(hand, [Pass(Seat.parse(act.seat))])
        case Claim():
            return _append(hand, claim_events(hand.state, act))
        case Refuse():
            return _append(hand, _refused(hand.state, act.tiles))
        case Settled():
            return _append(hand, _granted(hand.state, act))
        case End():
            return _append(hand, [Exhausted()] if act.drawn else [])
    raise UsageError(f"{act.act!r} is nothing that changes a log")


def number_of(hand: LiveHand, key: int) -> int:
    """Place in the log of the record with this key; NotFoundError when it is gone."""
    for number, noted in enumerate(hand.notes, start=1):
        if noted.key == key:
            return number
    raise NotFoundError(f"there is no event with the key {key} in this hand; look at the log again")


def _append(hand: LiveHand, events: Sequence[Event]) -> LiveHand:
    for event in events:
        hand = hand.insert(len(hand.notes) + 1, event).hand
    return hand


def claim_events(state: TableState, act: Claim) -> list[Event]:
    """The declared win, after the draw it needs where nobody saw that one."""
    seat, offered = Seat.parse(act.seat), state.put_up
    source = act.source or _source(state, seat)
    tile = parse_tile(act.tile) if act.tile else None
    before: list[Event] = []
    if source.is_from_other:
        if offered is None or offered.seat is seat:
            raise UsageError(f"no other seat's tile lies there for {seat.code} to win on; expected a self-draw")
        tile = offered.tile if isinstance(offered.tile, Tile) else tile
    elif state.phase in _OFFERED and source.is_own_draw and seat is state.next_to_draw:
        before = [Draw(seat)]
    return [*before, WinClaim(seat, source, tile)]


def _source(state: TableState, seat: Seat) -> WinSource:
    """How a seat that says nothing more wins at this moment."""
    offered = state.put_up
    if state.phase in _OFFERED and offered is not None and offered.seat is not seat:
        return WinSource.ROB_KONG if offered.kong else WinSource.DISCARD
    if state.phase is Phase.OPENING:
        return WinSource.HEAVENLY if seat is state.dealer else WinSource.OPENING_THREE
    if state.phase is Phase.LAST_GROUP:
        return WinSource.LAST_GROUP
    return WinSource.REPLACEMENT if state.after_kong else WinSource.SELF_DRAW


def declared(state: TableState) -> WinClaim:
    """The win declared last; UsageError when nobody has declared one."""
    if state.phase is not Phase.WIN_CLAIMED or not state.win_claims:
        raise UsageError("nobody has declared a win; expected a claim first")
    return state.win_claims[-1][1]


def _refused(state: TableState, tiles: Sequence[str] | None) -> list[Event]:
    """The hand is kept as evidence, and the next seat draws: so the engine knows that play went on."""
    claim, before = declared(state), state.before_claims
    events = _laid(claim.seat, tiles)
    if claim.source.is_from_other and before is not None:
        events.append(Draw(before.next_to_draw))
    return events


def _granted(state: TableState, act: Settled) -> list[Event]:
    seat = Seat.parse(act.seat)
    if all(claim.seat is not seat for _, claim in state.win_claims):
        raise UsageError(f"{act.seat} has not declared a win; expected a claim first")
    return [*_laid(seat, act.tiles), WinGranted(seat)]


def _laid(seat: Seat, tiles: Sequence[str] | None) -> list[Event]:
    return [LaidOpen(seat, tuple(parse_tile(code) for code in tiles))] if tiles else []
