"""Illegal acts put into a legal log, one at a time: what the audit has to find, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from engine.context import WinSource
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
    Log,
    Pung,
    WallEnd,
    WinClaim,
    delete_event,
    insert_event,
    replace_event,
    seat_of,
)
from engine.fold import start, step
from engine.judging import judge_claim
from engine.melds import MeldKind, is_part_of_run
from engine.seats import SEATS, Seat
from engine.table import Phase, TableState
from engine.tiles import SUITED, Tile, Unseen
from engine.violations import ViolationKind as Kind

Case = tuple[Log, Kind, int]
Injector = Callable[[Random, Log, list[TableState]], Iterator[Case]]


def states_of(log: Log) -> list[TableState]:
    """The table after each event; ``states[n - 1]`` is after event n."""
    states = [start(log[0])]  # type: ignore[arg-type]
    for event in log[1:]:
        states.append(step(states[-1], event)[0])
    return states


def _before(states: list[TableState], *phases: Phase) -> Iterator[tuple[int, TableState]]:
    """Numbers an event can be put in at, with the table before it."""
    for number, state in enumerate(states, start=2):
        if state.phase in phases:
            yield number, state


def _winner(states: list[TableState]) -> Seat | None:
    return states[-1].win_claims[0][1].seat if states[-1].win_claims else None


def _known(state: TableState, seat: Seat) -> tuple[Tile, ...]:
    return state.seats[seat].known


def draw_out_of_turn(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """Somebody else draws while a discard lies."""
    for number, state in _before(states, Phase.CLAIMS, Phase.ROB_WINDOW):
        seat = rng.choice([seat for seat in SEATS if seat is not state.next_to_draw])
        yield insert_event(log, number, Draw(seat)), Kind.DRAW_OUT_OF_TURN, number


def second_draw(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """A seat draws twice, or after a claim."""
    for number, state in _before(states, Phase.ACTION):
        yield insert_event(log, number, Draw(state.turn)), Kind.TOO_MANY_TILES, number


def discard_without_draw(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """The next seat discards without having drawn."""
    for number, state in _before(states, Phase.CLAIMS):
        seat = state.next_to_draw
        tile = rng.choice(_known(state, seat) or SUITED)
        yield insert_event(log, number, Discard(seat, tile)), Kind.TOO_FEW_TILES, number


def kong_without_draw(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """The replacement for a kong is left out."""
    for number, event in enumerate(log, start=1):
        state = states[number - 2]
        follows = isinstance(log[number], Discard) if number < len(log) else False
        if isinstance(event, Draw) and state.phase is Phase.REPLACEMENT and state.kong_owed and follows:
            yield delete_event(log, number), Kind.TOO_FEW_TILES, number


def flower_without_draw(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """The replacement for a flower is left out."""
    for number, event in enumerate(log, start=1):
        state = states[number - 2]
        follows = isinstance(log[number], Discard) if number < len(log) else False
        if isinstance(event, Draw) and state.phase is Phase.REPLACEMENT and not state.kong_owed and follows:
            yield delete_event(log, number), Kind.UNREPLACED_FLOWER, number


def flower_discarded(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """A flower is thrown into the middle."""
    for number, state in _before(states, Phase.ACTION):
        if isinstance(log[number - 1] if number <= len(log) else None, Discard):
            yield insert_event(log, number, Discard(state.turn, Tile.NORTH)), Kind.UNREPLACED_FLOWER, number


def discard_out_of_turn(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """Somebody who is not in turn discards."""
    for number, state in _before(states, Phase.ACTION):
        seat = rng.choice([seat for seat in SEATS if seat is not state.turn])
        tile = rng.choice(_known(state, seat) or SUITED)
        yield insert_event(log, number, Discard(seat, tile)), Kind.DISCARD_OUT_OF_TURN, number


def wrong_end(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """A tile is drawn from the other end."""
    for number, event in enumerate(log, start=1):
        if isinstance(event, Draw) and event.end is not None and states[number - 2].phase is not Phase.LAST_GROUP:
            end = WallEnd.HEAD if event.end is WallEnd.TAIL else WallEnd.TAIL
            yield replace_event(log, number, replace(event, end=end)), Kind.WRONG_WALL_END, number


def chow_wrong_seat(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """A chow of a tile the seat before did not discard."""
    for number, state in _before(states, Phase.CLAIMS, Phase.ROB_WINDOW):
        offered = state.put_up
        if offered is None or not isinstance(offered.tile, Tile) or offered.tile is state.gold:
            continue
        for seat in (offered.seat.across, offered.seat.previous):
            held = _run_with(state, seat, offered.tile)
            if held:
                yield insert_event(log, number, Chow(seat, offered.tile, held)), Kind.CHOW_WRONG_SEAT, number


def _run_with(state: TableState, seat: Seat, tile: Tile) -> tuple[Tile, Tile] | None:
    known = [one for one in SUITED if one in _known(state, seat) and one is not state.gold]
    pairs = ((one, two) for one in known for two in known if one < two)
    return next((pair for pair in pairs if is_part_of_run([tile, *pair])), None)


def claim_not_held(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """A pung with at most one tile like it in a hand that is known, or a chow that is no run."""
    for number, state in _before(states, Phase.CLAIMS, Phase.ROB_WINDOW):
        offered = state.put_up
        if offered is None or not isinstance(offered.tile, Tile) or offered.tile is state.gold:
            continue
        seat = rng.choice([seat for seat in SEATS if seat is not offered.seat])
        known = _known(state, seat)
        if known and known.count(offered.tile) < 2:
            yield insert_event(log, number, Pung(seat, offered.tile)), Kind.BAD_CLAIM, number
        held = (Tile.M1, Tile.P5) if state.gold not in (Tile.M1, Tile.P5) else (Tile.S1, Tile.P6)
        if state.gold not in held:
            yield insert_event(log, number, Chow(offered.seat.next, offered.tile, held)), Kind.BAD_CLAIM, number


def gold_claimed(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """A discarded gold is punged."""
    for number, state in _before(states, Phase.CLAIMS, Phase.ROB_WINDOW):
        if state.put_up is not None and state.gold is not None and state.put_up.tile is state.gold:
            seat = rng.choice([seat for seat in SEATS if seat is not state.put_up.seat])
            yield insert_event(log, number, Pung(seat, state.gold)), Kind.GOLD_CLAIMED, number


def nothing_to_claim(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """A claim after the next seat has drawn, or of another tile."""
    for number, state in _before(states, Phase.ACTION):
        seat = rng.choice([seat for seat in SEATS if seat is not state.turn])
        tile = next((thrown.tile for thrown in reversed(state.river)), Tile.M1)
        if tile is not state.gold:
            yield insert_event(log, number, Pung(seat, tile)), Kind.NOTHING_TO_CLAIM, number


def kong_after_claim(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """A concealed kong without an own draw before it."""
    for number, state in _before(states, Phase.ACTION):
        if not state.own_draw and not state.seats[state.turn].is_known:
            yield insert_event(log, number, KongConcealed(state.turn)), Kind.KONG_AFTER_CLAIM, number


def kong_out_of_turn(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """A kong while somebody else is in turn."""
    for number, state in _before(states, Phase.ACTION):
        for seat in SEATS:
            pungs = [meld for meld in state.seats[seat].melds if meld.kind is MeldKind.PUNG]
            if seat is not state.turn and pungs:
                event = KongAdded(seat, pungs[0].tiles[0])
                yield insert_event(log, number, event), Kind.KONG_OUT_OF_TURN, number


def false_win(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """A seat that does not win later declares a win on a tile that does not complete its hand."""
    for number, state in _before(states, Phase.CLAIMS, Phase.ROB_WINDOW):
        offered = state.put_up
        seats = [seat for seat in SEATS if seat is not _winner(states) and offered and seat is not offered.seat]
        seat = rng.choice(seats)
        if offered is None or not state.seats[seat].is_known or offered.tile is state.gold:
            continue
        claim = WinClaim(seat, WinSource.DISCARD, offered.tile, _known(state, seat))
        if not judge_claim(state, claim).stands and not state.seats[seat].gold_thrown:
            yield insert_event(log, number, claim), Kind.FALSE_WIN, number


def false_self_draw(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """The same with an own draw."""
    for number, state in _before(states, Phase.ACTION):
        seat = state.turn
        flower = any(not tile.is_suited for tile in _known(state, seat))
        if seat is _winner(states) or not state.own_draw or not state.seats[seat].is_known or flower:
            continue
        claim = WinClaim(seat, WinSource.SELF_DRAW, state.seats[seat].drawn)
        if not judge_claim(state, claim).stands:
            yield insert_event(log, number, claim), Kind.FALSE_WIN, number


def untimely_win(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """A self-draw by somebody who has not drawn."""
    for number, state in _before(states, Phase.ACTION):
        seat = rng.choice([seat for seat in SEATS if seat not in (state.turn, _winner(states))])
        yield insert_event(log, number, WinClaim(seat, WinSource.SELF_DRAW, Tile.M1)), Kind.UNTIMELY_WIN, number


def heavenly_too_late(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """天胡 after the dealer has discarded, with a hand of the right count."""
    for number, state in _before(states, Phase.ACTION):
        seat = state.seats[state.dealer]
        right = state.turn is state.dealer and seat.is_known and not seat.melds and state.first_discard
        right = right and all(tile.is_suited for tile in seat.known)
        if right and state.dealer is not _winner(states):
            yield insert_event(log, number, WinClaim(state.dealer, WinSource.HEAVENLY)), Kind.UNTIMELY_WIN, number


def robbed_too_late(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """抢金 after the window has closed."""
    for number, state in _before(states, Phase.CLAIMS):
        offered = state.put_up
        for seat in SEATS:
            one = state.seats[seat]
            stranger = seat not in (state.dealer, _winner(states)) and offered is not None and seat is not offered.seat
            if stranger and one.is_known and not one.melds:
                yield insert_event(log, number, WinClaim(seat, WinSource.ROB_GOLD)), Kind.UNTIMELY_WIN, number


def tile_not_held(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """A known hand discards a tile it does not hold."""
    for number, state in _before(states, Phase.ACTION):
        if number > len(log) or not isinstance(log[number - 1], Discard) or not state.seats[state.turn].is_known:
            continue
        counts, known = state.counts(), _known(state, state.turn)
        won = states[-1].win_claims[0][1].tile if states[-1].win_claims else None
        free = [tile for tile in SUITED if tile not in (*known, state.gold, won) and counts[tile] < 4]
        if free and state.turn is not _winner(states):
            tile = rng.choice(free)
            if _untouched(log, number):
                yield replace_event(log, number, Discard(state.turn, tile)), Kind.TILE_NOT_HELD, number


def _untouched(log: Log, number: int) -> bool:
    """The discard of this number is not claimed by the next event."""
    return number < len(log) and isinstance(log[number], Draw)


def not_a_flower(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """A suited tile is laid among the flowers."""
    for number, state in _before(states, Phase.ACTION):
        known = _known(state, state.turn)
        tile = known[0] if known else Tile.M1
        yield insert_event(log, number, FlowersLaid(state.turn, (tile,))), Kind.NOT_A_FLOWER, number


def fifth_copy(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """A closed hand discards a tile of which all four are in sight."""
    for number, state in _before(states, Phase.ACTION):
        if number > len(log) or not isinstance(log[number - 1], Discard) or not _untouched(log, number):
            continue
        full = [tile for tile in SUITED if state.counts()[tile] == 4 and tile is not state.gold]
        if full and not state.seats[state.turn].is_known:
            event = Discard(state.turn, rng.choice(full))
            yield replace_event(log, number, event), Kind.IMPOSSIBLE_TILES, number


def second_flower(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """A spring that has been laid open before."""
    for number, state in _before(states, Phase.ACTION):
        laid = [face for seat in state.seats for face in seat.flowers if isinstance(face, Tile) and face >= 34]
        if laid and not state.seats[state.turn].is_known:
            event = FlowersLaid(state.turn, (rng.choice(laid),))
            yield insert_event(log, number, event), Kind.IMPOSSIBLE_TILES, number


def gold_again(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """The gold is opened a second time."""
    for number, state in _before(states, Phase.ACTION, Phase.CLAIMS):
        if state.indicator is not None:
            yield insert_event(log, number, GoldOpened((state.indicator,))), Kind.GOLD_OUT_OF_TIME, number


def early_end(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """The hand is called drawn while there is something to draw."""
    for number, _ in _before(states, Phase.ACTION, Phase.CLAIMS):
        yield insert_event(log, number, Exhausted()), Kind.EARLY_END, number


def after_the_end(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """Somebody goes on when the hand is over."""
    if states[-1].phase is Phase.END:
        yield (*log, Draw(rng.choice(SEATS))), Kind.AFTER_THE_END, len(log) + 1


def changed_tiles(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """A hand that was known is laid open with another tile in it."""
    from engine.events import LaidOpen

    for number, state in _before(states, Phase.CLAIMS):
        seat = rng.choice([seat for seat in SEATS if seat is not _winner(states)])
        known = list(_known(state, seat))
        free = [tile for tile in SUITED if tile not in known and state.counts()[tile] < 3]
        if state.seats[seat].is_known and free and not _acts_again(log, number, seat):
            known[rng.randrange(len(known))] = rng.choice(free)
            yield insert_event(log, number, LaidOpen(seat, tuple(known))), Kind.TILES_CHANGED, number


def _acts_again(log: Log, number: int, seat: Seat) -> bool:
    return any(seat_of(event) is seat and not isinstance(event, Draw) for event in log[number - 1 :])


def short_hand(rng: Random, log: Log, states: list[TableState]) -> Iterator[Case]:
    """A hand is seen with a tile too few."""
    from engine.events import LaidOpen

    for number, state in _before(states, Phase.CLAIMS):
        seat = rng.choice([seat for seat in SEATS if seat is not _winner(states)])
        count = state.seats[seat].concealed_count - 1
        if not state.seats[seat].is_known and count > 0:
            yield insert_event(log, number, LaidOpen(seat, (Unseen.BACK,) * count)), Kind.TOO_FEW_TILES, number


INJECTORS: tuple[Injector, ...] = (
    draw_out_of_turn,
    second_draw,
    discard_without_draw,
    kong_without_draw,
    flower_without_draw,
    flower_discarded,
    discard_out_of_turn,
    wrong_end,
    chow_wrong_seat,
    claim_not_held,
    gold_claimed,
    nothing_to_claim,
    kong_after_claim,
    kong_out_of_turn,
    false_win,
    false_self_draw,
    untimely_win,
    heavenly_too_late,
    robbed_too_late,
    tile_not_held,
    not_a_flower,
    fifth_copy,
    second_flower,
    gold_again,
    early_end,
    after_the_end,
    changed_tiles,
    short_hand,
)


def injected(injector: Injector, log: Log, seed: int, limit: int) -> list[Case]:
    """Up to ``limit`` places of one log at which this act can be put in."""
    rng = Random(seed)
    cases = list(injector(rng, log, states_of(log)))
    return rng.sample(cases, min(limit, len(cases)))


def describe(event: Event) -> str:
    """For messages of failing tests."""
    from engine.eventlog import format_event

    return format_event(event)
