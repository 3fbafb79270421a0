"""What each event does to the tiles: hands, melds, flowers, the middle and the wall. Turns are in `engine.fold`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from engine.events import (
    Chow,
    DeadHand,
    Deal,
    Discard,
    Draw,
    Escape,
    Event,
    Exhausted,
    FlowersLaid,
    GoldOpened,
    KongAdded,
    KongConcealed,
    KongOpen,
    KongShown,
    LaidOpen,
    Pass,
    Pung,
    TileClaim,
    WinClaim,
    WinGranted,
)
from engine.melds import Meld, MeldKind
from engine.seats import Seat
from engine.table import SeatState, TableState, Thrown
from engine.tiles import Face, Tile, Unseen


def with_seat(state: TableState, seat: Seat, new: SeatState) -> TableState:
    """The table with one seat changed."""
    seats = list(state.seats)
    seats[seat] = new
    one, two, three, four = seats
    return replace(state, seats=(one, two, three, four))


def _take(seat: SeatState, tiles: Iterable[Face]) -> tuple[tuple[Tile, ...], int]:
    """Known and unknown concealed tiles without these. A tile that cannot be there makes all the others unknown."""
    known, unknown = list(seat.known), seat.unknown
    for tile in tiles:
        if tile in known:
            known.remove(tile)
        elif unknown > 0:
            unknown -= 1
        else:
            unknown += len(known) - 1
            known.clear()
    return tuple(known), unknown


def in_hand(state: TableState, claim: WinClaim, tiles: tuple[Face, ...]) -> tuple[Face, ...]:
    """The tiles of a hand laid down for a win as they were in the hand: with a drawn winning tile, without another's.

    Left as they are when neither makes their number right.
    """
    seat = state.seats[claim.seat]
    surplus = len(tiles) - seat.concealed_count
    tile = claim.tile if claim.tile is not None else seat.drawn
    if claim.source.is_own_draw and surplus == -1 and tile is not None:
        return (*tiles, tile)
    taken = claim.swap if claim.swap is not None else claim.tile
    if not claim.source.is_own_draw and surplus == 1 and taken is not None and taken in tiles:
        place = tiles.index(taken)
        return tiles[:place] + tiles[place + 1 :]
    return tiles


def hand_in(state: TableState, laid: LaidOpen) -> tuple[Face, ...]:
    """The tiles laid open as they were in the hand, by the win the seat has declared, if it has."""
    claim = next((claim for _, claim in state.win_claims if claim.seat is laid.seat), None)
    return laid.tiles if claim is None else in_hand(state, claim, laid.tiles)


def _move_laid_open(state: TableState, event: LaidOpen) -> TableState:
    seat = state.seats[event.seat]
    tiles = hand_in(state, event)
    known = tuple(sorted(tile for tile in tiles if isinstance(tile, Tile)))
    adrift = state.adrift + seat.concealed_count - len(tiles)
    seen = replace(seat, known=known, unknown=len(tiles) - len(known))
    return replace(with_seat(state, event.seat, seen), adrift=adrift)


def _move_flowers(state: TableState, event: FlowersLaid) -> TableState:
    seat = state.seats[event.seat]
    known, unknown = _take(seat, event.tiles)
    flowers = (*seat.flowers, *event.tiles)
    owed = seat.owed + len(event.tiles)
    return with_seat(state, event.seat, replace(seat, known=known, unknown=unknown, flowers=flowers, owed=owed))


def _move_gold(state: TableState, event: GoldOpened) -> TableState:
    *flowers, last = event.tiles
    dealer = state.seats[state.dealer]
    state = replace(
        state, indicator=last if isinstance(last, Tile) else None, wall=state.wall - len(flowers), extra_discards=0
    )
    if not flowers:
        return state
    owed = len(flowers) if state.rules.gold_flower_dealer_draws else 0
    new = replace(dealer, flowers=(*dealer.flowers, *flowers), owed=dealer.owed + owed)
    return replace(with_seat(state, state.dealer, new), extra_discards=owed)


def _move_draw(state: TableState, event: Draw) -> TableState:
    seat, tile = state.seats[event.seat], event.tile
    if isinstance(tile, Tile):
        known, unknown = tuple(sorted((*seat.known, tile))), seat.unknown
    else:
        known, unknown = seat.known, seat.unknown + 1
    owed, turns = seat.owed, seat.turns
    if owed:
        owed -= 1
    else:
        turns += 1
    new = replace(seat, known=known, unknown=unknown, owed=owed, turns=turns, drawn=tile)
    return replace(with_seat(state, event.seat, new), wall=state.wall - 1)


def _move_discard(state: TableState, event: Discard) -> TableState:
    seat, tile = state.seats[event.seat], event.tile
    known, unknown = _take(seat, (tile,))
    thrown = seat.gold_thrown or (state.number if tile is state.gold else 0)
    new = replace(seat, known=known, unknown=unknown, gold_thrown=thrown, drawn=None)
    river = (*state.river, Thrown(state.number, event.seat, tile))
    return replace(with_seat(state, event.seat, new), river=river)


_CLAIM_KINDS = {Chow: MeldKind.CHOW, Pung: MeldKind.PUNG, KongOpen: MeldKind.KONG_OPEN}


def held_tiles(event: TileClaim | KongConcealed) -> tuple[Face, ...]:
    """The tiles that leave the hand for this claim."""
    if event.held:
        return event.held
    size = {Pung: 2, KongOpen: 3, KongConcealed: 4, Chow: 0}[type(event)]
    return (event.tile,) * size


def _move_claim(state: TableState, event: TileClaim) -> TableState:
    seat, held = state.seats[event.seat], held_tiles(event)
    known, unknown = _take(seat, held)
    river, giver = _taken(state, event)
    tiles = _in_order((event.tile, *held))
    meld = Meld(_CLAIM_KINDS[type(event)], tiles, giver)
    new = replace(seat, known=known, unknown=unknown, melds=(*seat.melds, meld), turns=seat.turns + 1, drawn=None)
    adrift = state.adrift - (giver is None)
    return replace(with_seat(state, event.seat, new), river=river, adrift=adrift)


def _taken(state: TableState, event: TileClaim) -> tuple[tuple[Thrown, ...], Seat | None]:
    """The river with the claimed tile taken, and who gave it; nobody when no such tile lies there."""
    for place in range(len(state.river) - 1, -1, -1):
        thrown = state.river[place]
        if thrown.taken_by is None and thrown.tile in (event.tile, Unseen.UNREADABLE) and thrown.seat is not event.seat:
            taken = replace(thrown, taken_by=event.seat)
            return (*state.river[:place], taken, *state.river[place + 1 :]), thrown.seat
    return state.river, None


def _in_order(tiles: Iterable[Face]) -> tuple[Face, ...]:
    return tuple(sorted(tiles, key=lambda face: (isinstance(face, Unseen), face if isinstance(face, Tile) else 0)))


def _move_added(state: TableState, event: KongAdded) -> TableState:
    seat = state.seats[event.seat]
    known, unknown = _take(seat, (event.tile,))
    new = replace(seat, known=known, unknown=unknown, owed=1, drawn=None)
    for place, meld in enumerate(seat.melds):
        if meld.kind is MeldKind.PUNG and event.tile in meld.tiles:
            kong = Meld(MeldKind.KONG_ADDED, (*meld.tiles, event.tile), meld.from_seat)
            melds = (*seat.melds[:place], kong, *seat.melds[place + 1 :])
            return with_seat(state, event.seat, replace(new, melds=melds))
    return replace(with_seat(state, event.seat, new), adrift=state.adrift + 1)


def _move_concealed(state: TableState, event: KongConcealed) -> TableState:
    seat, held = state.seats[event.seat], held_tiles(event)
    if event.tile is Unseen.BACK and seat.is_known:
        fours = [tile for tile in set(seat.known) if seat.known.count(tile) == 4]
        held = (fours[0],) * 4 if len(fours) == 1 else held
    known, unknown = _take(seat, held)
    meld = Meld(MeldKind.KONG_CONCEALED, held)
    new = replace(seat, known=known, unknown=unknown, melds=(*seat.melds, meld), owed=1, drawn=None)
    return with_seat(state, event.seat, new)


def _move_shown(state: TableState, event: KongShown) -> TableState:
    seat = state.seats[event.seat]
    for place, meld in enumerate(seat.melds):
        if meld.kind is MeldKind.KONG_CONCEALED and Unseen.BACK in meld.tiles:
            shown = replace(meld, tiles=(event.tile,) * 4)
            return with_seat(
                state, event.seat, replace(seat, melds=(*seat.melds[:place], shown, *seat.melds[place + 1 :]))
            )
    return state


def _move_win(state: TableState, event: WinClaim) -> TableState:
    if event.hand is None:
        return state
    tiles = in_hand(state, event, event.hand)
    if len(tiles) != state.seats[event.seat].concealed_count:
        return state
    return _move_laid_open(state, LaidOpen(event.seat, tiles))


def _move_dead(state: TableState, event: DeadHand) -> TableState:
    seat = state.seats[event.seat]
    if not state.rules.dead_hand:
        return state
    return with_seat(state, event.seat, replace(seat, dead=seat.dead or state.number, sits_out=True))


def stay(state: TableState, event: Event) -> TableState:
    """Nothing changes."""
    return state


MOVES: dict[type[Event], Callable[..., TableState]] = {
    Deal: stay,
    LaidOpen: _move_laid_open,
    FlowersLaid: _move_flowers,
    GoldOpened: _move_gold,
    Draw: _move_draw,
    Discard: _move_discard,
    Chow: _move_claim,
    Pung: _move_claim,
    KongOpen: _move_claim,
    KongAdded: _move_added,
    KongConcealed: _move_concealed,
    KongShown: _move_shown,
    Pass: stay,
    WinClaim: _move_win,
    WinGranted: stay,
    DeadHand: _move_dead,
    Exhausted: stay,
    Escape: stay,
}
