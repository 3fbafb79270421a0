"""What is done in turn and still wrong: tiles that are not there, claims and wins that do not stand.

`act_fault` looks at the table before the event, when `engine.turns` found nothing against its moment.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.checks import is_flower
from engine.context import WinContext, WinSource
from engine.events import (
    Chow,
    Discard,
    Draw,
    Event,
    Exhausted,
    FlowersLaid,
    GoldOpened,
    KongAdded,
    KongConcealed,
    KongOpen,
    LaidOpen,
    OwnKong,
    Pung,
    TileClaim,
    WinClaim,
    WinGranted,
    seat_of,
)
from engine.judging import Ruling, judge_claim, judge_meld
from engine.moves import hand_in
from engine.priority import Granted, grant, grant_opening
from engine.seats import Seat
from engine.table import Phase, TableState
from engine.tiles import Tile
from engine.turns import violation
from engine.verdicts import Refusal, Win
from engine.violations import KIND_OF_REASON, Violation, ViolationKind

Kind = ViolationKind


def act_fault(state: TableState, event: Event) -> Violation | None:
    """What is wrong with the tiles of this event."""
    rule = _RULES.get(type(event))
    return rule(state, event) if rule is not None else None


def impossible_tiles(before: TableState, event: Event, after: TableState) -> Violation | None:
    """A fifth copy, a second spring: more tiles of a kind than the set has come to light by this event."""
    kinds = after.too_many()
    if not kinds:
        return None
    new = [kind for kind in kinds if kind not in before.too_many()]
    if not new:
        return None
    return violation(Kind.IMPOSSIBLE_TILES, before, seat_of(event), tiles=" ".join(kind.code for kind in new))


def _discard(state: TableState, event: Discard) -> Violation | None:
    seat, tile, rules = state.seats[event.seat], event.tile, state.rules
    if isinstance(tile, Tile) and is_flower(tile, rules):
        return violation(Kind.UNREPLACED_FLOWER, state, event.seat, tile=tile.code)
    if seat.is_known and tile not in seat.known and isinstance(tile, Tile):
        return violation(Kind.TILE_NOT_HELD, state, event.seat, tile=tile.code)
    if tile is state.gold and isinstance(tile, Tile) and not rules.gold_discardable:
        return violation(Kind.GOLD_DISCARDED, state, event.seat, tile=tile.code)
    if not state.own_draw and tile in state.claimed and not rules.swap_discard:
        return violation(Kind.SWAP_DISCARD, state, event.seat, tile=tile.code)
    return _flower_kept(state, event.seat)


def _flower_kept(state: TableState, seat: Seat) -> Violation | None:
    """A flower that stays in the hand; said when it was kept for the first time."""
    fresh = state.seats[seat].drawn
    for tile in state.seats[seat].known:
        if is_flower(tile, state.rules) and (tile is fresh or state.first_discard == 0):
            return violation(Kind.UNREPLACED_FLOWER, state, seat, tile=tile.code)
    return None


def _meld(state: TableState, event: TileClaim | OwnKong) -> Violation | None:
    ruling = judge_meld(state, event, only_this=True)
    if ruling.refusal is None:
        return None
    kind = KIND_OF_REASON.get(ruling.refusal.reason)
    if kind is None:
        return None
    data = {"tile": event.tile.code, **ruling.refusal.data}
    return violation(kind, state, event.seat, earlier=ruling.evidence, certain=ruling.certain, **data)


def _flowers(state: TableState, event: FlowersLaid) -> Violation | None:
    seat = state.seats[event.seat]
    known = list(seat.known)
    for tile in event.tiles:
        if isinstance(tile, Tile):
            if not is_flower(tile, state.rules):
                return violation(Kind.NOT_A_FLOWER, state, event.seat, tile=tile.code)
            if tile in known:
                known.remove(tile)
            elif seat.is_known:
                return violation(Kind.TILE_NOT_HELD, state, event.seat, tile=tile.code)
    return None


def _gold(state: TableState, event: GoldOpened) -> Violation | None:
    """Nobody may hold a flower when the gold is opened, and only flowers are passed over for it."""
    for seat in Seat:
        for tile in state.seats[seat].known:
            if is_flower(tile, state.rules):
                return violation(Kind.UNREPLACED_FLOWER, state, seat, tile=tile.code)
    *flowers, last = event.tiles
    wrong = [tile for tile in flowers if isinstance(tile, Tile) and not is_flower(tile, state.rules)]
    if wrong or (isinstance(last, Tile) and is_flower(last, state.rules)):
        return violation(Kind.GOLD_OUT_OF_TIME, state, None)
    return None


def _laid_open(state: TableState, event: LaidOpen) -> Violation | None:
    if state.phase is Phase.END:
        return None
    shown = list(hand_in(state, event))
    seat, count = state.seats[event.seat], len(shown)
    expected = state.expected_count(event.seat)
    if count != expected:
        kind = Kind.TOO_MANY_TILES if count > expected else Kind.TOO_FEW_TILES
        return violation(kind, state, event.seat, count=count, expected=expected)
    if count < seat.concealed_count or any(not isinstance(tile, Tile) for tile in shown):
        return None
    for tile in seat.known:
        if tile not in shown:
            return violation(Kind.TILES_CHANGED, state, event.seat, tile=tile.code)
        shown.remove(tile)
    return None


def _win(state: TableState, event: WinClaim) -> Violation | None:
    table = before_claims(state)
    ruling = judge_claim(table, event)
    return refused(state, table, event, ruling)


def refused(state: TableState, table: TableState, claim: WinClaim, ruling: Ruling) -> Violation | None:
    """The violation a declared win is, by its ruling; None when it stands or nothing speaks against it."""
    verdict = ruling.verdict
    reason = verdict.reason if isinstance(verdict, Refusal) else ruling.possible
    kind = KIND_OF_REASON.get(reason) if reason is not None else None
    if kind is None:
        return None
    tile = claim.tile if claim.tile is not None else (table.put_up.tile if table.put_up is not None else None)
    data: dict[str, str | int] = {} if tile is None else {"tile": tile.code}
    if isinstance(verdict, Refusal):
        data |= verdict.data
    offered = (table.put_up.number,) if claim.source.is_from_other and table.put_up is not None else ()
    return violation(kind, state, claim.seat, earlier=(*ruling.evidence, *offered), certain=ruling.certain, **data)


def before_claims(state: TableState) -> TableState:
    """The table at which the wins were declared, with the hands that were laid open since."""
    return state.before_claims if state.win_claims and state.before_claims is not None else state


def first_win(wins: list[Win], state: TableState) -> Win | None:
    """The win that goes first among those that stand: opening wins (抢金 before a discard), then by priority."""
    contexts = [win.context for win in wins]
    opening = [context for context in contexts if context.source in _OPENING]
    chosen: Granted | None
    if opening:
        found = grant_opening(opening, state.dealer, state.rules)
        chosen = found[0] if found is not None else None
    else:
        givers = [context.from_seat for context in contexts if context.from_seat is not None]
        if len(givers) != len(wins):
            return wins[0] if wins else None
        chosen = grant(contexts, givers[0], state.rules) if givers else None
    return next((win for win in wins if chosen is not None and win.context.seat is chosen.seat), None)


_OPENING = (WinSource.HEAVENLY, WinSource.OPENING_THREE, WinSource.ROB_GOLD)


def standing_wins(state: TableState) -> tuple[tuple[int, Win], ...]:
    """The declared wins that stand, with their event numbers."""
    table = before_claims(state)
    rulings = ((number, judge_claim(table, claim).verdict) for number, claim in state.win_claims)
    return tuple((number, verdict) for number, verdict in rulings if isinstance(verdict, Win))


def _granted(state: TableState, event: WinGranted) -> Violation | None:
    """The table gives the hand to one seat although it was another's."""
    wins = standing_wins(state)
    best = first_win([win for _, win in wins], state)
    if best is None or best.context.seat is event.seat:
        return None
    return _passed_over(state, best.context, wins)


def _passed_over(state: TableState, winner: WinContext, wins: tuple[tuple[int, Win], ...]) -> Violation:
    numbers = tuple(number for number, win in wins if win.context is winner)
    return violation(Kind.WIN_PASSED_OVER, state, winner.seat, earlier=numbers)


def ignored_win(state: TableState) -> Violation | None:
    """Play goes on although a declared win stands."""
    if state.phase is not Phase.WIN_CLAIMED:
        return None
    wins = standing_wins(state)
    best = first_win([win for _, win in wins], state)
    return None if best is None else _passed_over(state, best.context, wins)


def _last_group(state: TableState, event: Draw | Exhausted) -> Violation | None:
    """In the last group a tile that wins is won by itself, so nothing may follow it."""
    if state.phase is not Phase.LAST_GROUP or not state.rules.last_group_auto_win:
        return None
    claim = WinClaim(state.turn, WinSource.LAST_GROUP)
    if not judge_claim(state, claim).stands:
        return None
    return violation(Kind.WIN_PASSED_OVER, state, state.turn, earlier=(state.number,))


_RULES: dict[type[Event], Callable[..., Violation | None]] = {
    Draw: _last_group,
    Exhausted: _last_group,
    Discard: _discard,
    Chow: _meld,
    Pung: _meld,
    KongOpen: _meld,
    KongAdded: _meld,
    KongConcealed: _meld,
    FlowersLaid: _flowers,
    GoldOpened: _gold,
    LaidOpen: _laid_open,
    WinClaim: _win,
    WinGranted: _granted,
}
