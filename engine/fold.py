"""From events to the table: one event makes the next state. Pure; undo and edits are new folds over another log.

The log is believed: an act that was not allowed still happened, and the turn goes on from it. But players take back
what was wrong, and a camera misses a draw. So after an irregular act the state carries other tables that are possible
(`TableState.alternatives`) for as long as they fit what follows; when only they do, the first of them is the table. So
one slip does not make everything after it look wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from engine.acts import act_fault, ignored_win, impossible_tiles
from engine.errors import HandError
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
from engine.judging import judge_claim
from engine.moves import MOVES, stay, with_seat
from engine.rulesets import Ruleset, ruleset_names
from engine.rulesets.base import TableRules
from engine.seats import SEATS, Seat
from engine.table import Outcome, Phase, PutUp, SeatState, TableState
from engine.tiles import Face, Tile, Unseen
from engine.turns import turn_fault
from engine.violations import Violation, ViolationKind
from engine.wall import WallState, wall_after_deal


def fold(log: Iterable[Event], ruleset: Ruleset | None = None) -> TableState:
    """The table after a whole log. HandError when it does not start with a deal."""
    events = iter(log)
    first = next(events, None)
    if not isinstance(first, Deal):
        raise HandError("a log starts with a deal; expected a first line such as deal E fuzhou")
    state = start(first, ruleset)
    for event in events:
        state, _ = step(state, event)
    return state


def start(deal: Deal, ruleset: Ruleset | None = None) -> TableState:
    """The table right after the deal. ``ruleset`` stands in place of the one the deal names."""
    rules = ruleset if ruleset is not None else deal.rules()
    if not isinstance(rules, TableRules):
        raise HandError(f"{rules.name!r} is no game of the table; expected one of {', '.join(ruleset_names())}")
    seat, dealer = SeatState(unknown=rules.hand_size), SeatState(unknown=rules.hand_size + 1)
    one, two, three, four = (dealer if place is deal.dealer else seat for place in SEATS)
    return TableState(
        rules=rules,
        dealer=deal.dealer,
        streak=deal.streak,
        log=(deal,),
        turn=deal.dealer,
        seats=(one, two, three, four),
        wall=wall_after_deal(rules),
        phase=Phase.OPENING_FLOWERS if rules.has_gold else Phase.OPENING,
        round_wind=deal.round_wind,
    )


def step(state: TableState, event: Event) -> tuple[TableState, Violation | None]:
    """The table after one more event, and what was wrong with it."""
    ignored = None
    if _goes_on(state, event):
        ignored = ignored_win(state)
        state = _drop_claims(state)
    after, fault = _advance(state, event)
    fault = ignored or fault
    others = [_advance(_drop_claims(other) if _goes_on(other, event) else other, event) for other in state.alternatives]
    possible = tuple(other for other, wrong in others if wrong is None)
    if fault is None:
        return replace(after, alternatives=possible) if possible else after, None
    if possible and ignored is None:
        return replace(possible[0], alternatives=possible[1:]), None
    if ignored is None and fault.kind in _OFF_THE_TURN:
        for place, (other, wrong) in enumerate(others):
            if wrong is not None and wrong.kind not in _OFF_THE_TURN:
                state, after, fault = state.alternatives[place], other, wrong
                break
    if not isinstance(event, WinClaim):
        after = replace(_mark_wrong_counts(after, event), alternatives=_other_readings(state, event))
    return after, fault


_OFF_THE_TURN = frozenset(
    {
        ViolationKind.DRAW_OUT_OF_TURN,
        ViolationKind.DISCARD_OUT_OF_TURN,
        ViolationKind.KONG_OUT_OF_TURN,
        ViolationKind.NOTHING_TO_CLAIM,
        ViolationKind.UNTIMELY_WIN,
        ViolationKind.AFTER_THE_END,
    }
)
"""Faults that may only mean that the table is not the one the players see; another fault explains the act better."""


def _other_readings(state: TableState, event: Event) -> tuple[TableState, ...]:
    """Tables on which an irregular act is no more than a slip.

    It was taken back; or a discarded tile was misread; or a draw before the discard was not seen.
    """
    log = (*state.log, event)
    taken_back = replace(state, log=log, alternatives=())
    if not isinstance(event, Discard):
        return (taken_back,)
    misread, wrong = _advance(state, Discard(event.seat, Unseen.UNREADABLE))
    if wrong is None:
        return (taken_back, replace(misread, log=log))
    drawn, owed = replace(state, alternatives=()), max(state.seats[event.seat].owed, 1)
    for _ in range(owed):
        drawn, wrong = _advance(drawn, Draw(event.seat))
        if wrong is not None:
            return (taken_back,)
    after, wrong = _advance(replace(drawn, log=state.log), event)
    return (taken_back,) if wrong is not None else (taken_back, after)


def _goes_on(state: TableState, event: Event) -> bool:
    """Play goes on after a declared win, so from the table before it."""
    return state.phase is Phase.WIN_CLAIMED and not isinstance(event, _ABOUT_A_WIN)


_ABOUT_A_WIN = (WinClaim, LaidOpen, KongShown, Pass, WinGranted)


def _advance(state: TableState, event: Event) -> tuple[TableState, Violation | None]:
    fault = turn_fault(state, event) or act_fault(state, event)
    moved = MOVES[type(event)](replace(state, log=(*state.log, event), alternatives=()), event)
    after = moved if state.phase is Phase.END else _FLOWS[type(event)](moved, event)
    return after, fault or impossible_tiles(state, event, after)


def _mark_wrong_counts(state: TableState, event: Event) -> TableState:
    """大相公, 小相公: a seat that comes to a wrong count cannot win in this hand.

    What was known of its tiles is not trusted any more, unless they have just been seen.
    """
    for seat in SEATS:
        if state.surplus(seat):
            new = state.seats[seat]
            if state.rules.dead_hand and not new.dead:
                new = replace(new, dead=state.number)
            if not isinstance(event, LaidOpen):
                new = replace(new, known=(), unknown=new.concealed_count)
            state = with_seat(state, seat, new)
    return state


def _drop_claims(state: TableState) -> TableState:
    """The table before the declared wins, with what was seen meanwhile.

    A seat whose claim does not stand, or cannot be judged, made a false win.
    """
    before = state.before_claims
    if before is None:
        return state
    before = replace(before, log=state.log, seats=state.seats, adrift=state.adrift, alternatives=())
    for number, claim in state.win_claims:
        seat = before.seats[claim.seat]
        if before.rules.dead_hand and not seat.dead and not judge_claim(before, claim).stands:
            before = with_seat(before, claim.seat, replace(seat, dead=number))
    return before


def _flow_flowers(state: TableState, event: FlowersLaid) -> TableState:
    if event.seat is state.turn and state.phase in (Phase.ACTION, Phase.FIRST_DISCARD):
        return replace(state, phase=Phase.REPLACEMENT, kong_owed=False)
    return state


def _flow_gold(state: TableState, event: GoldOpened) -> TableState:
    return replace(state, phase=Phase.OPENING, turn=state.dealer) if state.first_discard == 0 else state


def _flow_draw(state: TableState, event: Draw) -> TableState:
    phase, seat = state.phase, event.seat
    if phase in (Phase.OPENING_FLOWERS, Phase.OPENING, Phase.FIRST_DISCARD):
        return state
    if phase in (Phase.REPLACEMENT, Phase.ROB_KONG) and seat is state.turn:
        if state.seats[seat].owed:
            return state
        opening = state.first_discard == 0 and seat is state.dealer
        return replace(
            state,
            phase=Phase.FIRST_DISCARD if opening else Phase.ACTION,
            put_up=None,
            own_draw=True,
            kong_owed=False,
            after_kong=state.after_kong or state.kong_owed,
        )
    last = phase is Phase.LAST_GROUP
    if phase in (Phase.CLAIMS, Phase.ROB_WINDOW):
        last = replace(state, wall=state.wall + 1).wall_state is WallState.LAST_GROUP
    return _turn_to(state, seat, Phase.LAST_GROUP if last else Phase.ACTION, own_draw=True)


def _turn_to(state: TableState, seat: Seat, phase: Phase, *, own_draw: bool) -> TableState:
    """The turn goes to a seat; a draw another seat still owed is lost."""
    one, two, three, four = (
        replace(other, owed=0) if other.owed and place is not seat else other
        for place, other in zip(SEATS, state.seats, strict=True)
    )
    return replace(
        state,
        phase=phase,
        turn=seat,
        seats=(one, two, three, four),
        put_up=None,
        own_draw=own_draw,
        after_kong=False,
        kong_owed=False,
        claimed=(),
    )


def _flow_discard(state: TableState, event: Discard) -> TableState:
    if state.phase is Phase.OPENING and event.seat is state.dealer and state.extra_discards:
        return replace(state, extra_discards=state.extra_discards - 1)
    first = state.first_discard == 0 and event.seat is state.dealer
    state = _turn_to(state, event.seat, Phase.ROB_WINDOW if first else Phase.CLAIMS, own_draw=True)
    seat = state.seats[event.seat]
    if seat.owed:
        state = with_seat(state, event.seat, replace(seat, owed=0))
    return replace(
        state,
        put_up=PutUp(state.number, event.seat, event.tile),
        first_discard=state.number if first else state.first_discard,
    )


def _flow_claim(state: TableState, event: TileClaim) -> TableState:
    if isinstance(event, KongOpen):
        state = _turn_to(state, event.seat, Phase.REPLACEMENT, own_draw=False)
        owing = replace(state.seats[event.seat], owed=1)
        return replace(with_seat(state, event.seat, owing), kong_owed=True)
    state = _turn_to(state, event.seat, Phase.ACTION, own_draw=False)
    return replace(state, claimed=_swap_kinds(event))


def _swap_kinds(event: TileClaim) -> tuple[Face, ...]:
    """The kinds a seat would get back by discarding at once: the claimed one, and the other end of its run."""
    kinds: tuple[Face, ...] = (event.tile,)
    held = [tile for tile in event.held if isinstance(tile, Tile)]
    if isinstance(event, Chow) and isinstance(event.tile, Tile) and len(held) == 2 and abs(held[0] - held[1]) == 1:
        other = max(held) + 1 if event.tile < min(held) else min(held) - 1
        if other // 9 == event.tile // 9 and 0 <= other < 27:
            kinds = (*kinds, Tile(other))
    return kinds


def _flow_added(state: TableState, event: KongAdded) -> TableState:
    state = _turn_to(state, event.seat, Phase.ROB_KONG, own_draw=True)
    return replace(state, put_up=PutUp(state.number, event.seat, event.tile, kong=True), kong_owed=True)


def _flow_concealed(state: TableState, event: KongConcealed) -> TableState:
    return replace(_turn_to(state, event.seat, Phase.REPLACEMENT, own_draw=True), kong_owed=True)


def _flow_win(state: TableState, event: WinClaim) -> TableState:
    before = state.before_claims
    if state.phase is not Phase.WIN_CLAIMED or before is None:
        before = replace(state, log=state.log[:-1])
    claims = (
        (*state.win_claims, (state.number, event)) if state.phase is Phase.WIN_CLAIMED else ((state.number, event),)
    )
    return replace(state, phase=Phase.WIN_CLAIMED, before_claims=before, win_claims=claims)


def _flow_granted(state: TableState, event: WinGranted) -> TableState:
    return replace(state, phase=Phase.END, outcome=Outcome.WIN, actor=event.seat)


def _flow_dead(state: TableState, event: DeadHand) -> TableState:
    sits_out = state.seats[event.seat].sits_out
    if sits_out and event.seat is state.turn and state.phase in (Phase.ACTION, Phase.REPLACEMENT, Phase.FIRST_DISCARD):
        return replace(_turn_to(state, event.seat, Phase.CLAIMS, own_draw=True), put_up=None)
    return state


def _flow_exhausted(state: TableState, event: Exhausted) -> TableState:
    return replace(state, phase=Phase.END, outcome=Outcome.DRAWN)


def _flow_escape(state: TableState, event: Escape) -> TableState:
    return replace(state, phase=Phase.END, outcome=Outcome.ESCAPE, actor=event.seat)


_FLOWS: dict[type[Event], Callable[..., TableState]] = {
    Deal: stay,
    LaidOpen: stay,
    FlowersLaid: _flow_flowers,
    GoldOpened: _flow_gold,
    Draw: _flow_draw,
    Discard: _flow_discard,
    Chow: _flow_claim,
    Pung: _flow_claim,
    KongOpen: _flow_claim,
    KongAdded: _flow_added,
    KongConcealed: _flow_concealed,
    KongShown: stay,
    Pass: stay,
    WinClaim: _flow_win,
    WinGranted: _flow_granted,
    DeadHand: _flow_dead,
    Exhausted: _flow_exhausted,
    Escape: _flow_escape,
}
