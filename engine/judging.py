"""Claims judged against the table: what the log tells is filled in, what it cannot tell is named.

A hand that is closed cannot be judged. What the table shows can still make a violation *possible*: the same kind was
put up before, and the seat let it go. Once the hand is laid open the answer is certain, because a hand cannot have
changed since its last own discard.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.checks import is_flower
from engine.claims import ClaimContext
from engine.claims import judge_claim as judge_tile_claim
from engine.context import TableFacts, WinContext, WinSource
from engine.events import (
    Chow,
    Discard,
    Draw,
    Event,
    FlowersLaid,
    KongAdded,
    KongConcealed,
    KongOpen,
    OwnKong,
    Pung,
    TileClaim,
    WinClaim,
    seat_of,
)
from engine.hand import Hand
from engine.history import Step, StepKind
from engine.melds import MeldKind
from engine.moves import held_tiles, in_hand, with_seat
from engine.passlock import binds, is_dearer, passed_pungs, passed_wins, same_kind_put_up
from engine.reasons import Reason
from engine.seats import Seat
from engine.table import Phase, SeatState, TableState
from engine.tiles import HONOURS, SUITED, Face, Tile, Unseen
from engine.verdicts import CannotKnow, Fact, Refusal, Verdict, Win
from engine.win import judge_win


@dataclass(frozen=True, slots=True)
class Ruling:
    """The answer to a declared win: yes, no, or cannot know yet, and the events that speak for it.

    ``possible`` is a reason that would bar the win and that the closed hand leaves open; ``doubtful`` says that the
    verdict rests on the present hand because the earlier one could not be rebuilt.
    """

    verdict: Verdict
    evidence: tuple[int, ...] = ()
    possible: Reason | None = None
    doubtful: bool = False

    @property
    def stands(self) -> bool:
        """The win is certain."""
        return isinstance(self.verdict, Win)

    @property
    def certain(self) -> bool:
        """The answer is yes or no, without doubt."""
        return not isinstance(self.verdict, CannotKnow) and not self.doubtful


@dataclass(frozen=True, slots=True)
class ClaimRuling:
    """The answer to a chow, pung or kong: the first reason against it, or None, and the events that speak for it."""

    refusal: Refusal | None
    evidence: tuple[int, ...] = ()
    certain: bool = True


def judge_claim(table: TableState, claim: WinClaim) -> Ruling:
    """Whether a win declared at this table stands. ``table`` is the table before the claim."""
    if claim.hand is not None and _hidden_kongs(table.seats[claim.seat]) == 1:
        return _judge_whatever_kong(table, claim)
    concealed = concealed_for(table, claim)
    if concealed is None:
        return _judge_closed(table, claim)
    context = win_context(table, claim, concealed)
    verdict = judge_win(context, table.rules)
    if isinstance(verdict, CannotKnow) or (isinstance(verdict, Refusal) and verdict.reason not in _BY_THE_LOG):
        return Ruling(verdict)
    if isinstance(verdict, Refusal) and verdict.reason is Reason.GOLD_LOCK_SELF_DRAW_ONLY:
        return Ruling(verdict, (table.seats[claim.seat].gold_thrown,))
    if isinstance(verdict, Refusal) and verdict.reason is Reason.DEAD_HAND:
        return Ruling(verdict, (table.seats[claim.seat].dead,))
    return _with_pass_lock(table, context, verdict)


_BY_THE_LOG = (Reason.GOLD_LOCK_SELF_DRAW_ONLY, Reason.DEAD_HAND, Reason.FREE_GOLD_SELF_DRAW_ONLY)


def _hidden_kongs(seat: SeatState) -> int:
    """How many concealed kongs lie face down whose kind nobody knows."""
    return sum(Unseen.BACK in meld.tiles for meld in seat.melds)


def _judge_whatever_kong(table: TableState, claim: WinClaim) -> Ruling:
    """A win beside a concealed kong whose kind is not known: refused where it is for every kind that it may be."""
    seen = table.counts()
    for face in claim.hand or ():
        if isinstance(face, Tile):
            seen[face] += 1
    kinds = [kind for kind in SUITED + HONOURS if not seen[kind] and not is_flower(kind, table.rules)]
    rulings = [judge_claim(_with_kong(table, claim.seat, kind), claim) for kind in kinds]
    reasons = {ruling.verdict.reason if isinstance(ruling.verdict, Refusal) else None for ruling in rulings}
    if len(reasons) == 1 and None not in reasons:
        return next((ruling for ruling in rulings if ruling.doubtful), rulings[0])
    return _judge_closed(table, claim)


def _with_kong(table: TableState, seat: Seat, kind: Tile) -> TableState:
    """The table with the kong of a seat that lies face down turned up as one of this kind."""
    state = table.seats[seat]
    melds = tuple(replace(one, tiles=(kind,) * 4) if Unseen.BACK in one.tiles else one for one in state.melds)
    return with_seat(table, seat, replace(state, melds=melds))


def _with_pass_lock(table: TableState, context: WinContext, verdict: Verdict) -> Ruling:
    """过水 is looked at after everything but the free gold, and only for another's tile."""
    rules, seat = table.rules, context.seat
    if not binds(context.source, rules) or seat is None:
        return Ruling(verdict)
    steps = _earlier_steps(table, seat)
    passed = passed_wins(steps, context, rules)
    if not passed:
        return Ruling(verdict)
    barring = [one for one in passed if rules.pass_lock_scope == "all_tiles" or one.tile is context.winning_tile]
    facts = replace(
        context.facts,
        passed_kinds=frozenset(one.tile for one in passed),
        dearer_than_passed=is_dearer(context, barring, rules),
    )
    judged = judge_win(replace(context, facts=facts), rules)
    if isinstance(judged, Refusal) and judged.reason is Reason.PASS_LOCK:
        sure = any(one.certain for one in barring)
        return Ruling(judged, tuple(steps[one.step].number for one in barring), doubtful=not sure)
    return Ruling(judged)


def _judge_closed(table: TableState, claim: WinClaim) -> Ruling:
    """What the table alone tells of a win with a closed hand."""
    context = win_context(table, claim, ())
    seat, rules = table.seats[claim.seat], table.rules
    tile = context.winning_tile
    if claim.source.is_from_other:
        if tile is not None and tile is table.gold:
            return Ruling(Refusal(Reason.GOLD_DISCARD_UNCLAIMABLE, {"tiles": tile.code}))
        if rules.gold_discard_lock and seat.gold_thrown:
            return Ruling(Refusal(Reason.GOLD_LOCK_SELF_DRAW_ONLY), (seat.gold_thrown,))
    if rules.dead_hand and seat.dead:
        return Ruling(Refusal(Reason.DEAD_HAND), (seat.dead,))
    offered: tuple[int, ...] = ()
    if binds(context.source, rules) and isinstance(tile, Tile):
        steps = _earlier_steps(table, claim.seat)
        offered = tuple(steps[index].number for index in same_kind_put_up(steps, claim.seat, tile, rules))
    possible = Reason.PASS_LOCK if offered else None
    return Ruling(CannotKnow((Fact.HAND,)), offered, possible)


def _earlier_steps(table: TableState, seat: Seat) -> tuple[Step, ...]:
    """What was seen before the tile that lies now, from the event on that last lifted the locks of this seat."""
    standing = table.put_up
    log = table.log if standing is None else table.log[: standing.number - 1]
    lifts = {"own_discard": Discard, "own_draw": Draw}.get(table.rules.pass_lock_reset)
    first = len(log)
    while first and not (lifts and isinstance(log[first - 1], lifts) and seat_of(log[first - 1]) is seat):
        first -= 1
    numbered = enumerate(log[first:], start=first + 1)
    return tuple(step for number, event in numbered if (step := _step(event, number)) is not None)


def _step(event: Event, number: int) -> Step | None:
    """An event as `engine.history` sees it; None when it changes no hand and puts nothing up."""
    seat, kind = seat_of(event), _STEPS.get(type(event))
    if seat is None or kind is None:
        return None
    tile = getattr(event, "tile", None)
    used = event.tiles if isinstance(event, FlowersLaid) else None
    if isinstance(event, Chow | Pung | KongOpen):
        used = held_tiles(event)
    return Step(kind, seat, tile if isinstance(tile, Tile) else None, used, number)


_STEPS = {
    Discard: StepKind.DISCARD,
    Draw: StepKind.DRAW,
    Chow: StepKind.CLAIM,
    Pung: StepKind.CLAIM,
    KongOpen: StepKind.CLAIM,
    KongAdded: StepKind.KONG_ADDED,
    KongConcealed: StepKind.KONG_CONCEALED,
    FlowersLaid: StepKind.FLOWERS,
}


def concealed_for(table: TableState, claim: WinClaim) -> tuple[Face, ...] | None:
    """The concealed tiles a `WinContext` wants for this claim, None while a tile of the hand cannot be named."""
    seat = table.seats[claim.seat]
    if Unseen.BACK in (face for meld in seat.melds for face in meld.tiles):
        return None
    if claim.hand is not None and any(isinstance(face, Unseen) for face in claim.hand):
        return None
    if claim.hand is None and not seat.is_known:
        return None
    tiles = list(seat.known if claim.hand is None else in_hand(table, claim, claim.hand))
    if claim.hand is not None and len(tiles) != seat.concealed_count:
        return claim.hand
    if claim.source is WinSource.ROB_GOLD:
        if claim.swap is not None and table.put_up is not None and table.put_up.seat is claim.seat:
            tiles.append(claim.swap)
        elif table.turn is claim.seat and table.phase is Phase.ACTION and seat.drawn in tiles:
            tiles.remove(seat.drawn)  # the gold itself under `first_draw_is_gold`; else it is too late anyway
    elif claim.source.is_own_draw:
        tile = winning_tile(table, claim)
        if tile not in tiles:
            return claim.hand
        tiles.remove(tile)
    return tuple(tiles)


def winning_tile(table: TableState, claim: WinClaim) -> Face | None:
    if not claim.source.has_tile:
        return None
    if claim.tile is not None:
        return claim.tile
    if claim.source.is_own_draw:
        return table.seats[claim.seat].drawn
    return table.put_up.tile if table.put_up is not None else None


def win_context(table: TableState, claim: WinClaim, concealed: tuple[Face, ...]) -> WinContext:
    """The declared win with everything the log tells, but for passed wins."""
    seat = table.seats[claim.seat]
    offered = table.put_up
    return WinContext(
        concealed=concealed,
        winning_tile=winning_tile(table, claim),
        melds=seat.melds,
        flowers=seat.flowers,
        gold=table.gold,
        source=claim.source,
        seat=claim.seat,
        from_seat=offered.seat if offered is not None and claim.source.is_from_other else None,
        dealer=table.dealer,
        streak=table.streak,
        round_wind=table.round_wind,
        swap=claim.swap,
        facts=TableFacts(
            gold_discarded=bool(seat.gold_thrown),
            passed_kinds=frozenset(),
            dearer_than_passed=False,
            dealer_discarded=table.first_discard > 0 or table.phase is not Phase.OPENING,
            dealers_first_discard=offered is not None and offered.number == table.first_discard,
            rob_window_open=_rob_window_open(table, claim),
            last_tile=not table.rules.has_gold and table.drawable == 0,
            last_of_kind=not table.rules.has_gold and _is_last_of_kind(table, winning_tile(table, claim)),
            dead_hand=bool(seat.dead),
            robbed_kong=MeldKind.KONG_ADDED if offered is not None and offered.kong else None,
        ),
    )


def _is_last_of_kind(table: TableState, tile: Face | None) -> bool:
    """绝张: the three others lie in the middle or in claimed melds, the tile that is put up left aside."""
    offered = table.put_up
    lying = [
        thrown.tile
        for thrown in table.river
        if thrown.taken_by is None and (offered is None or thrown.number != offered.number)
    ]
    melded = [
        face
        for seat in table.seats
        for meld in seat.melds
        if meld.kind is not MeldKind.KONG_CONCEALED
        for face in meld.tiles
    ]
    return tile is not None and (lying + melded).count(tile) == 3


def _rob_window_open(table: TableState, claim: WinClaim) -> bool:
    """Whether the gold can be robbed now, by this seat."""
    if table.rules.rob_window == "first_draw_is_gold":
        return _takes_first_draw(table, claim)
    if table.phase is Phase.ROB_WINDOW:
        return claim.swap is None or (table.put_up is not None and claim.swap is table.put_up.tile)
    if table.rules.rob_window == "after_first_discard" or claim.seat is table.dealer:
        return False
    untouched = table.seats[claim.seat].turns == 0
    return untouched and table.phase is Phase.CLAIMS and table.next_to_draw is claim.seat


def _takes_first_draw(table: TableState, claim: WinClaim) -> bool:
    """The first tile a non-dealer draws, before any claim of its own, is a gold."""
    seat = table.seats[claim.seat]
    return (
        table.rules.rob_window == "first_draw_is_gold"
        and claim.seat is not table.dealer
        and table.phase is Phase.ACTION
        and table.turn is claim.seat
        and table.own_draw
        and seat.turns == 1
        and seat.drawn in (table.gold, Unseen.BACK)
    )


_KINDS = {
    Chow: MeldKind.CHOW,
    Pung: MeldKind.PUNG,
    KongOpen: MeldKind.KONG_OPEN,
    KongAdded: MeldKind.KONG_ADDED,
    KongConcealed: MeldKind.KONG_CONCEALED,
}


def claim_context(table: TableState, event: TileClaim | OwnKong, *, only_this: bool = False) -> ClaimContext:
    """A chow, pung or kong with everything the log tells, but for passed pungs."""
    seat = table.seats[event.seat]
    offered = table.put_up
    return ClaimContext(
        kind=_KINDS[type(event)],
        tile=event.tile,
        seat=event.seat,
        from_seat=offered.seat if offered is not None and isinstance(event, TileClaim) else None,
        used=None if isinstance(event, KongAdded) or not event.held else event.held,
        concealed=seat.known if seat.is_known and event.tile is not Unseen.BACK else None,
        melds=seat.melds,
        gold=table.gold,
        last_group=table.phase is Phase.LAST_GROUP,
        just_claimed=not table.own_draw,
        drawn=seat.drawn if isinstance(seat.drawn, Tile) else None,
        only_this=only_this,
    )


def judge_meld(table: TableState, event: TileClaim | OwnKong, *, only_this: bool = False) -> ClaimRuling:
    """Whether a chow, pung or kong is allowed at this table. ``table`` is the table before it."""
    context = claim_context(table, event, only_this=only_this)
    passed: tuple[int, ...] = ()
    certain = True
    if isinstance(event, Pung) and table.rules.pass_pung_lock != "off" and isinstance(event.tile, Tile):
        passed, certain = _passed_pungs(table, event.seat, event.tile)
        if passed:
            context = replace(context, passed_pungs=frozenset({event.tile}))
    verdict = judge_tile_claim(context, table.rules)
    if not isinstance(verdict, Refusal):
        return ClaimRuling(None)
    if verdict.reason is Reason.PASS_PUNG_LOCK:
        return ClaimRuling(verdict, passed, certain)
    return ClaimRuling(verdict)


def _passed_pungs(table: TableState, seat: Seat, tile: Tile) -> tuple[tuple[int, ...], bool]:
    """Events in which the seat let this pung pass, and whether that is certain.

    A closed hand that pungs now held the pair at every offer since its last own discard.
    """
    state, steps, rules = table.seats[seat], _earlier_steps(table, seat), table.rules
    put_up = tuple(steps[index].number for index in same_kind_put_up(steps, seat, tile, rules))
    if not state.is_known:
        return put_up, rules.pass_lock_reset == "own_discard"
    now = Hand(state.known, state.melds)
    return (put_up if tile in passed_pungs(steps, seat, now, table.gold, rules) else ()), True
