"""Whose turn it is: whether an event may happen at this point of the state machine (section 4), whatever the tiles.

`turn_fault` looks at the table before the event and returns the violation, or None.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.checks import is_flower
from engine.context import WinSource
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
    OwnKong,
    Pass,
    Pung,
    TileClaim,
    WallEnd,
    WinClaim,
    WinGranted,
    seat_of,
)
from engine.seats import Seat
from engine.table import Phase, TableState
from engine.tiles import Face, Tile
from engine.violations import Violation, ViolationKind

Kind = ViolationKind


def turn_fault(state: TableState, event: Event) -> Violation | None:
    """What is wrong with the moment or the seat of this event."""
    kind = type(event)
    if kind in _TABLE_TALK:
        return None
    seat = seat_of(event)
    if state.phase is Phase.END:
        return violation(Kind.AFTER_THE_END, state, seat)
    if seat is not None and state.seats[seat].sits_out:
        return violation(Kind.DEAD_HAND, state, seat, earlier=(state.seats[seat].dead,))
    return _RULES[kind](state, event)


def violation(
    kind: ViolationKind,
    state: TableState,
    seat: Seat | None,
    *,
    earlier: tuple[int, ...] = (),
    certain: bool = True,
    **data: str | int,
) -> Violation:
    """A violation by the event that comes next, proved by earlier ones."""
    return Violation(kind=kind, seat=seat, events=(*earlier, state.number + 1), certain=certain, data=data)


def _draw(state: TableState, event: Draw) -> Violation | None:
    seat, phase = state.seats[event.seat], state.phase
    if phase in (Phase.CLAIMS, Phase.ROB_WINDOW, Phase.LAST_GROUP):
        return _head_draw(state, event)
    waits = phase in (Phase.OPENING_FLOWERS, Phase.OPENING, Phase.FIRST_DISCARD) or event.seat is state.turn
    if seat.owed and waits:
        if state.wall <= 1 and state.indicator is not None:
            return violation(Kind.DRAW_PAST_RESERVE, state, event.seat)
        return _end_fault(state, event, WallEnd.TAIL)
    if event.seat is state.turn or phase is Phase.OPENING_FLOWERS:
        flowers = [tile for tile in seat.known if is_flower(tile, state.rules)]
        if flowers and event.end is WallEnd.TAIL:
            return violation(Kind.UNREPLACED_FLOWER, state, event.seat, tile=flowers[0].code)
        return _count(Kind.TOO_MANY_TILES, state, event.seat, 1)
    return violation(Kind.DRAW_OUT_OF_TURN, state, event.seat)


def _head_draw(state: TableState, event: Draw) -> Violation | None:
    if event.seat is not state.next_to_draw:
        return violation(Kind.DRAW_OUT_OF_TURN, state, event.seat)
    if state.drawable == 0:
        return violation(Kind.DRAW_PAST_RESERVE, state, event.seat)
    return _end_fault(state, event, WallEnd.HEAD)


def _end_fault(state: TableState, event: Draw, end: WallEnd) -> Violation | None:
    if event.end in (None, end):
        return None
    return violation(Kind.WRONG_WALL_END, state, event.seat, expected=end.value)


def _count(kind: ViolationKind, state: TableState, seat: Seat, more: int) -> Violation:
    """A wrong count, with the tiles the seat has after the event and those it should have."""
    return violation(
        kind,
        state,
        seat,
        count=state.seats[seat].concealed_count + more,
        expected=state.expected_count(seat),
    )


def _discard(state: TableState, event: Discard) -> Violation | None:
    phase, mine = state.phase, event.seat is state.turn
    if phase is Phase.OPENING_FLOWERS and mine:
        return violation(Kind.GOLD_OUT_OF_TIME, state, event.seat)
    if phase is Phase.LAST_GROUP:
        return violation(Kind.LAST_GROUP_ACT, state, event.seat)
    if phase in (Phase.ACTION, Phase.FIRST_DISCARD, Phase.OPENING) and mine:
        owed = state.seats[event.seat].owed
        return (
            violation(Kind.UNREPLACED_FLOWER, state, event.seat, tile=_last_flower(state, event.seat)) if owed else None
        )
    if phase in (Phase.REPLACEMENT, Phase.ROB_KONG) and mine:
        if state.kong_owed:
            return _count(Kind.TOO_FEW_TILES, state, event.seat, -1)
        return violation(Kind.UNREPLACED_FLOWER, state, event.seat, tile=_last_flower(state, event.seat))
    if phase in (Phase.CLAIMS, Phase.ROB_WINDOW) and event.seat is state.next_to_draw:
        return _count(Kind.TOO_FEW_TILES, state, event.seat, -1)
    return violation(Kind.DISCARD_OUT_OF_TURN, state, event.seat)


def _last_flower(state: TableState, seat: Seat) -> str:
    flowers = state.seats[seat].flowers
    return flowers[-1].code if flowers else "?"


def _claim(state: TableState, event: TileClaim) -> Violation | None:
    if state.phase is Phase.LAST_GROUP:
        return violation(Kind.LAST_GROUP_ACT, state, event.seat)
    offered = state.put_up if state.phase in (Phase.CLAIMS, Phase.ROB_WINDOW) else None
    if offered is None or offered.seat is event.seat or not _same(offered.tile, event.tile):
        return violation(Kind.NOTHING_TO_CLAIM, state, event.seat, tile=event.tile.code)
    return None


def _same(one: Face, other: Face) -> bool:
    """Whether two readings can be the same tile."""
    return one == other or not isinstance(one, Tile) or not isinstance(other, Tile)


def _own_kong(state: TableState, event: OwnKong) -> Violation | None:
    if state.phase is Phase.LAST_GROUP:
        return violation(Kind.LAST_GROUP_ACT, state, event.seat)
    if event.seat is not state.turn or state.phase not in _MAY_KONG:
        return violation(Kind.KONG_OUT_OF_TURN, state, event.seat, tile=event.tile.code)
    if state.seats[event.seat].owed:
        if state.kong_owed:
            return _count(Kind.TOO_FEW_TILES, state, event.seat, 0)
        return violation(Kind.UNREPLACED_FLOWER, state, event.seat, tile=_last_flower(state, event.seat))
    return None


_MAY_KONG = (Phase.OPENING, Phase.FIRST_DISCARD, Phase.ACTION, Phase.REPLACEMENT, Phase.ROB_KONG)


def _flowers(state: TableState, event: FlowersLaid) -> Violation | None:
    """A flower may be laid open by whoever has just drawn it; before the gold is open by everybody."""
    if state.phase is Phase.LAST_GROUP:
        return violation(Kind.LAST_GROUP_ACT, state, event.seat)
    return None


def _gold(state: TableState, event: GoldOpened) -> Violation | None:
    if state.phase is not Phase.OPENING_FLOWERS or not state.rules.has_gold:
        return violation(Kind.GOLD_OUT_OF_TIME, state, None)
    for seat in Seat:
        if state.seats[seat].owed:
            return violation(Kind.UNREPLACED_FLOWER, state, seat, tile=_last_flower(state, seat))
    return None


def _win(state: TableState, event: WinClaim) -> Violation | None:
    """Whether there is a tile, or a moment, for this way of winning; robbing the gold is judged with the hand."""
    table = state.before_claims if state.phase is Phase.WIN_CLAIMED and state.before_claims is not None else state
    source, phase, offered = event.source, table.phase, table.put_up
    code = event.tile.code if event.tile is not None else "?"
    if source in (WinSource.DISCARD, WinSource.ROB_KONG):
        if phase is Phase.LAST_GROUP:
            return violation(Kind.LAST_GROUP_ACT, state, event.seat)
        phases = (Phase.ROB_KONG,) if source is WinSource.ROB_KONG else (Phase.CLAIMS, Phase.ROB_WINDOW)
        if phase not in phases or offered is None or (event.tile is not None and not _same(offered.tile, event.tile)):
            return violation(Kind.NOTHING_TO_CLAIM, state, event.seat, tile=code)
        return None
    if source.is_own_draw:
        phases = (Phase.LAST_GROUP,) if source is WinSource.LAST_GROUP else (Phase.ACTION, Phase.FIRST_DISCARD)
        drawn = table.seats[event.seat].drawn
        if event.seat is not table.turn or phase not in phases or not table.own_draw or table.seats[event.seat].owed:
            return violation(Kind.UNTIMELY_WIN, state, event.seat)
        if drawn is not None and event.tile is not None and not _same(drawn, event.tile):
            return violation(Kind.NOTHING_TO_CLAIM, state, event.seat, tile=code)
    return None


def _granted(state: TableState, event: WinGranted) -> Violation | None:
    if any(claim.seat is event.seat for _, claim in state.win_claims):
        return None
    return violation(Kind.UNTIMELY_WIN, state, event.seat)


def _exhausted(state: TableState, event: Exhausted) -> Violation | None:
    if state.phase in (Phase.CLAIMS, Phase.ROB_WINDOW, Phase.LAST_GROUP):
        return violation(Kind.EARLY_END, state, None) if state.drawable else None
    if state.phase in (Phase.REPLACEMENT, Phase.ROB_KONG) and state.wall <= 1:
        return None
    return violation(Kind.EARLY_END, state, None)


def _nothing(state: TableState, event: Event) -> Violation | None:
    return None


_TABLE_TALK = (LaidOpen, KongShown, Pass, DeadHand)
_RULES: dict[type[Event], Callable[..., Violation | None]] = {
    Deal: lambda state, event: violation(Kind.AFTER_THE_END, state, event.dealer),
    Draw: _draw,
    Discard: _discard,
    Chow: _claim,
    Pung: _claim,
    KongOpen: _claim,
    KongAdded: _own_kong,
    KongConcealed: _own_kong,
    FlowersLaid: _flowers,
    GoldOpened: _gold,
    WinClaim: _win,
    WinGranted: _granted,
    Exhausted: _exhausted,
    Escape: _nothing,
}
