"""Legal hands that end with one illegal act, for trying out a referee: each is found by the audit, and nothing else is.

Only acts that can be seen on a table are made, and every tile of the log is named, so that the hand can be played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random

from engine.audit import audit
from engine.checks import is_flower
from engine.context import WinSource
from engine.errors import HandError
from engine.events import Chow, Deal, Discard, Draw, Event, FlowersLaid, Log, Pung, WallEnd, WinClaim
from engine.fold import start, step
from engine.judging import judge_claim
from engine.melds import is_part_of_run
from engine.options import legal_wins
from engine.policy import Habits
from engine.seats import SEATS, Seat
from engine.simulate import play_hand
from engine.table import Phase, TableState
from engine.tiles import SUITED, Tile
from engine.violations import ViolationKind as Kind

Place = tuple[int, TableState, Event | None]
"""The number of the next event, the table before it, and the event of the legal hand."""
Acts = Iterator[tuple[Log, int]]
"""Logs, and in each the number of the illegal act."""
HANDS = 400


@dataclass(frozen=True, slots=True)
class IllegalHand:
    """A log that ends with an illegal act, or with what its seat does at once after it."""

    log: Log
    name: str
    """Which of `ILLEGAL_ACTS`."""
    kind: Kind
    seat: Seat | None
    number: int
    """Number of the illegal act."""


_SENSIBLE = Habits()


@dataclass(frozen=True, slots=True)
class _Act:
    find: Callable[[Random, list[TableState], Place], Acts]
    kind: Kind
    habits: Habits = _SENSIBLE
    options: tuple[tuple[str, str], ...] = ()


def illegal_hand(
    random: Random, deal: Deal, name: str, *, shortest: int = 20, longest: int = 90, hands: int = HANDS
) -> IllegalHand:
    """A hand with the illegal act of this name at an event between ``shortest`` and ``longest``.

    Up to ``hands`` hands are looked through for a place where it can be put in.

    Raises:
        HandError: there is no act of this name, or no place for it under these rules.
    """
    if name not in ILLEGAL_ACTS:
        raise HandError(f"{name!r} is no illegal act known here; expected one of {', '.join(ILLEGAL_ACTS)}")
    act = ILLEGAL_ACTS[name]
    changed = dict(act.options)
    options = (*((key, value) for key, value in deal.options if key not in changed), *act.options)
    deal = replace(deal, options=options)
    for _ in range(hands):
        log = play_hand(random, deal, habits=act.habits).log
        states = _states(log)
        places = [
            (number, state, log[number - 1] if number <= len(log) else None)
            for number, state in enumerate(states, start=2)
            if shortest <= number <= longest
        ]
        random.shuffle(places)
        for place in places:
            for made, number in act.find(random, states, place):
                found = audit(made)
                if [(one.kind, one.events[-1]) for one in found] == [(act.kind, number)]:
                    return IllegalHand(made, name, act.kind, found[0].seat, number)
    raise HandError(f"no hand in {hands} has a place for {name!r} under these rules; expected another act")


def _states(log: Log) -> list[TableState]:
    states = [start(log[0])]  # type: ignore[arg-type]
    for event in log[1:]:
        states.append(step(states[-1], event)[0])
    return states


def _known(state: TableState, seat: Seat) -> tuple[Tile, ...]:
    return state.seats[seat].known


def _plain(state: TableState, seat: Seat) -> list[Tile]:
    """Tiles a seat may throw without any other fault."""
    claimed = set(state.claimed)
    return [
        tile
        for tile in _known(state, seat)
        if tile is not state.gold and not is_flower(tile, state.rules) and tile not in claimed
    ]


def _from_wall(random: Random, state: TableState) -> Tile:
    """A suited tile that nobody has."""
    counts = state.counts()
    return random.choice([tile for tile in SUITED if counts[tile] < tile.copies])


def _with(state: TableState, *events: Event) -> tuple[Log, int]:
    """The log with more events; the first of them is the act."""
    return (*state.log, *events), state.number + 1


def _discard_out_of_turn(random: Random, states: list[TableState], place: Place) -> Acts:
    _, state, _ = place
    seat = random.choice([seat for seat in SEATS if seat is not state.turn])
    if state.phase is Phase.ACTION and _plain(state, seat):
        yield _with(state, Discard(seat, random.choice(_plain(state, seat))))


def _discard_without_draw(random: Random, states: list[TableState], place: Place) -> Acts:
    _, state, _ = place
    seat = state.next_to_draw
    if state.phase is Phase.CLAIMS and _plain(state, seat):
        yield _with(state, Discard(seat, random.choice(_plain(state, seat))))


def _draw_out_of_turn(random: Random, states: list[TableState], place: Place) -> Acts:
    _, state, _ = place
    if state.phase is Phase.CLAIMS:
        seat = random.choice([seat for seat in SEATS if seat is not state.next_to_draw])
        yield _with(state, Draw(seat, _from_wall(random, state), WallEnd.HEAD))


def _second_draw(random: Random, states: list[TableState], place: Place) -> Acts:
    _, state, _ = place
    if state.phase is Phase.ACTION:
        yield _with(state, Draw(state.turn, _from_wall(random, state), WallEnd.HEAD))


def _wrong_wall_end(random: Random, states: list[TableState], place: Place) -> Acts:
    _, state, event = place
    if isinstance(event, Draw) and event.end is not None and state.phase in (Phase.CLAIMS, Phase.REPLACEMENT):
        other = WallEnd.TAIL if event.end is WallEnd.HEAD else WallEnd.HEAD
        yield _with(state, replace(event, tile=_from_wall(random, state), end=other))


def _unreplaced_flower(random: Random, states: list[TableState], place: Place) -> Acts:
    _, state, _ = place
    if state.phase is Phase.REPLACEMENT and not state.kong_owed and _plain(state, state.turn):
        yield _with(state, Discard(state.turn, random.choice(_plain(state, state.turn))))


def _unreplaced_kong(random: Random, states: list[TableState], place: Place) -> Acts:
    _, state, _ = place
    if state.phase is Phase.REPLACEMENT and state.kong_owed and _plain(state, state.turn):
        yield _with(state, Discard(state.turn, random.choice(_plain(state, state.turn))))


def _flower_discarded(random: Random, states: list[TableState], place: Place) -> Acts:
    _, state, event = place
    if state.phase is Phase.ACTION and isinstance(event, FlowersLaid) and isinstance(event.tiles[0], Tile):
        yield _with(state, Discard(event.seat, event.tiles[0]))


def _not_a_flower(random: Random, states: list[TableState], place: Place) -> Acts:
    _, state, _ = place
    if state.phase is Phase.ACTION and _plain(state, state.turn):
        yield _with(state, FlowersLaid(state.turn, (random.choice(_plain(state, state.turn)),)))


def _gold_discarded(random: Random, states: list[TableState], place: Place) -> Acts:
    _, state, _ = place
    if state.phase is Phase.ACTION and state.gold in _known(state, state.turn) and state.gold is not None:
        yield _with(state, Discard(state.turn, state.gold))


def _swap_discard(random: Random, states: list[TableState], place: Place) -> Acts:
    _, state, _ = place
    for tile in state.claimed:
        if state.phase is Phase.ACTION and tile in _known(state, state.turn) and tile is not state.gold:
            yield _with(state, Discard(state.turn, tile))


def _chow_wrong_seat(random: Random, states: list[TableState], place: Place) -> Acts:
    _, state, _ = place
    offered = state.put_up
    if state.phase is not Phase.CLAIMS or offered is None or not isinstance(offered.tile, Tile):
        return
    for seat in (offered.seat.across, offered.seat.previous):
        held = _run_with(state, seat, offered.tile)
        if held:
            yield _with(state, Chow(seat, offered.tile, held))


def _run_with(state: TableState, seat: Seat, tile: Tile) -> tuple[Tile, Tile] | None:
    tiles = sorted({one for one in _plain(state, seat) if one.is_suited})
    pairs = ((one, two) for one in tiles for two in tiles if one < two)
    return next((pair for pair in pairs if is_part_of_run([tile, *pair])), None)


def _bad_claim(random: Random, states: list[TableState], place: Place) -> Acts:
    _, state, _ = place
    offered = state.put_up
    if state.phase is not Phase.CLAIMS or offered is None or not isinstance(offered.tile, Tile):
        return
    seat = offered.seat.next
    near = [tile for tile in _plain(state, seat) if tile.suit is offered.tile.suit and tile is not offered.tile]
    if len(set(near)) > 1:
        one, two = sorted(random.sample(sorted(set(near)), 2))
        if not is_part_of_run([offered.tile, one, two]):
            yield _with(state, Chow(seat, offered.tile, (one, two)))


def _gold_claimed(random: Random, states: list[TableState], place: Place) -> Acts:
    """A gold fills the gap of a run, which the rules keep to closed hands."""
    _, state, _ = place
    offered, gold = state.put_up, state.gold
    if state.phase is not Phase.CLAIMS or offered is None or not isinstance(offered.tile, Tile) or gold is None:
        return
    seat = offered.seat.next
    near = [tile for tile in _plain(state, seat) if tile != offered.tile and is_part_of_run([tile, offered.tile])]
    if gold in _known(state, seat) and near and offered.tile is not gold:
        yield _with(state, Chow(seat, offered.tile, (near[0], gold)))


def _claim_too_late(random: Random, states: list[TableState], place: Place) -> Acts:
    """The next seat has drawn already."""
    _, state, _ = place
    thrown = next((thrown for thrown in reversed(state.river) if thrown.taken_by is None), None)
    if state.phase is not Phase.ACTION or not state.own_draw or thrown is None or thrown.tile is state.gold:
        return
    for seat in SEATS:
        stranger = seat not in (state.turn, thrown.seat) and isinstance(thrown.tile, Tile)
        if stranger and _known(state, seat).count(thrown.tile) >= 2:
            yield _with(state, Pung(seat, thrown.tile))


def _false_win(random: Random, states: list[TableState], place: Place) -> Acts:
    _, state, _ = place
    offered = state.put_up
    if state.phase is not Phase.CLAIMS or offered is None:
        return
    seat = random.choice([seat for seat in SEATS if seat is not offered.seat])
    yield _with(state, WinClaim(seat, WinSource.DISCARD, offered.tile, _known(state, seat)))


def _false_self_draw(random: Random, states: list[TableState], place: Place) -> Acts:
    _, state, _ = place
    drawn = state.seats[state.turn].drawn
    if state.phase is Phase.ACTION and state.own_draw and isinstance(drawn, Tile) and not is_flower(drawn, state.rules):
        hand = list(_known(state, state.turn))
        hand.remove(drawn)
        yield _with(state, WinClaim(state.turn, WinSource.SELF_DRAW, drawn, tuple(hand)))


def _guoshui_win(random: Random, states: list[TableState], place: Place) -> Acts:
    """过水: a seat lets a win go by and takes the same tile from another before it has discarded."""
    number, state, _ = place
    offered = state.put_up
    if state.phase is not Phase.CLAIMS or offered is None or not isinstance(offered.tile, Tile):
        return
    for seat in SEATS:
        if seat is offered.seat or not any(claim.tile is offered.tile for claim in legal_wins(state, seat)):
            continue
        for later in states[number - 1 :]:
            if later.turn is seat and later.phase is not Phase.CLAIMS:
                break
            if later.phase is Phase.ACTION and offered.tile in _plain(later, later.turn):
                again = Discard(later.turn, offered.tile)
                win = WinClaim(seat, WinSource.DISCARD, offered.tile, _known(later, seat))
                yield (*later.log, again, win), later.number + 2
                break


def _gold_lock_win(random: Random, states: list[TableState], place: Place) -> Acts:
    """A seat that has thrown a gold wins on a discard."""
    _, state, _ = place
    offered = state.put_up
    if state.phase is not Phase.CLAIMS or offered is None or not isinstance(offered.tile, Tile):
        return
    for seat in SEATS:
        if seat is not offered.seat and state.seats[seat].gold_thrown:
            claim = WinClaim(seat, WinSource.DISCARD, offered.tile, _known(state, seat))
            if not judge_claim(state, claim).stands:
                yield _with(state, claim)


_CARELESS = Habits(pass_win=1.0, pass_draw=1.0, throw_gold=1.0, second_best=0.0, idle_claim=0.3)
ILLEGAL_ACTS: dict[str, _Act] = {
    "guoshui_win": _Act(_guoshui_win, Kind.GUOSHUI_WIN, Habits(pass_win=1.0, pass_draw=1.0)),
    "gold_lock_win": _Act(_gold_lock_win, Kind.GOLD_LOCK_WIN, _CARELESS),
    "false_win": _Act(_false_win, Kind.FALSE_WIN),
    "false_self_draw": _Act(_false_self_draw, Kind.FALSE_WIN),
    "chow_wrong_seat": _Act(_chow_wrong_seat, Kind.CHOW_WRONG_SEAT),
    "bad_claim": _Act(_bad_claim, Kind.BAD_CLAIM),
    "gold_claimed": _Act(_gold_claimed, Kind.GOLD_CLAIMED),
    "claim_too_late": _Act(_claim_too_late, Kind.NOTHING_TO_CLAIM),
    "discard_out_of_turn": _Act(_discard_out_of_turn, Kind.DISCARD_OUT_OF_TURN),
    "discard_without_draw": _Act(_discard_without_draw, Kind.TOO_FEW_TILES),
    "draw_out_of_turn": _Act(_draw_out_of_turn, Kind.DRAW_OUT_OF_TURN),
    "second_draw": _Act(_second_draw, Kind.TOO_MANY_TILES),
    "wrong_wall_end": _Act(_wrong_wall_end, Kind.WRONG_WALL_END),
    "unreplaced_flower": _Act(_unreplaced_flower, Kind.UNREPLACED_FLOWER),
    "unreplaced_kong": _Act(_unreplaced_kong, Kind.TOO_FEW_TILES),
    "flower_discarded": _Act(_flower_discarded, Kind.UNREPLACED_FLOWER),
    "not_a_flower": _Act(_not_a_flower, Kind.NOT_A_FLOWER),
    "gold_discarded": _Act(_gold_discarded, Kind.GOLD_DISCARDED, options=(("gold_discardable", "false"),)),
    "swap_discard": _Act(_swap_discard, Kind.SWAP_DISCARD, options=(("swap_discard", "false"),)),
}
"""Name of each act, and what the audit calls it."""
