"""From the state of a hand, as `engine.fold` makes it of an event log, to the tiles that lie on its table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from engine.events import Draw, GoldOpened, WallEnd
from engine.seats import SEATS, Seat
from engine.table import Outcome, Phase, SeatState, TableState
from engine.tiles import ALL_TILES, Face, Tile
from vision.synth.table_tiles import LaidMeld, SeatTiles, TableTiles, wall_ring

BREAK_STACK = 11
"""Where the wall is broken, counted from the dealer's right end: the throw of two dice decides it at a real table."""


def lay_table(
    rng: np.random.Generator, state: TableState, break_stack: int = BREAK_STACK, open_hands: bool = True
) -> TableTiles:
    """The tiles on the table of ``state``.

    ``rng`` names the tiles that the log does not show: those on the wall, and concealed ones of a closed log. When
    the hand is over the winner's hand is laid open, and with ``open_hands`` the others' too.

    Raises:
        ValueError: the log leaves open what a discard or a meld shows, or names more tiles than the set has.
    """
    unseen = _unseen(rng, state)
    winner = _winner(state)
    river = [thrown for thrown in state.river if thrown.taken_by is None]
    winning: Tile | None = None
    if winner is not None and river and state.seats[winner].drawn is None and river[-1].number == _put_up(state):
        winning = _known(river.pop().tile)
    seats = []
    for seat in SEATS:
        own = state.seats[seat]
        hand = [*own.known, *(unseen.pop() for _ in range(own.unknown))]
        is_open = seat is winner or (open_hands and (winner is not None or state.outcome is Outcome.DRAWN))
        last = None
        if seat is winner:
            last = winning
            if last is None and isinstance(own.drawn, Tile) and own.drawn in hand:
                hand.remove(own.drawn)
                last = own.drawn
        melds = tuple(_laid(rng, own, index, seat, is_open) for index in range(len(own.melds)))
        flowers = tuple(_known(face) for face in own.flowers)
        thrown = tuple(_known(item.tile) for item in river if item.seat is seat)
        seats.append(SeatTiles(tuple(sorted(hand)), melds, flowers, thrown, is_open, last))
    four = (seats[0], seats[1], seats[2], seats[3])
    tail = _tail_drawn(state)
    first = (18 * (4 - state.dealer) % 72 + break_stack) % 72
    wall = wall_ring(unseen, first, tail)
    if state.indicator is None:
        return TableTiles(four, wall)
    stacks = list(dict.fromkeys(item.stack for item in wall))
    at = stacks[-min(len(stacks), max(1, state.reserve_stacks))] if stacks else first
    return TableTiles(four, wall, state.indicator, at)


def _unseen(rng: np.random.Generator, state: TableState) -> list[Tile]:
    """The tiles nobody has seen, shuffled: those of the wall, and of hands that stay closed."""
    left = Counter({tile: tile.copies for tile in ALL_TILES})
    for face in state.faces():
        left[_known(face)] -= 1
    if min(left.values()) < 0:
        raise ValueError("the log names more tiles of a kind than the set has")
    tiles = sorted(left.elements())
    return [tiles[int(index)] for index in rng.permutation(len(tiles))]


def _known(face: Face) -> Tile:
    if not isinstance(face, Tile):
        raise ValueError("the log does not say what every discard and meld shows; expected one with all tiles")
    return face


def _winner(state: TableState) -> Seat | None:
    """Who has laid the hand down to win."""
    if state.outcome is Outcome.WIN:
        return state.actor
    return state.win_claims[0][1].seat if state.phase is Phase.WIN_CLAIMED else None


def _put_up(state: TableState) -> int:
    """Number of the discard that can be claimed, before the win was declared."""
    before = state.before_claims or state
    return before.put_up.number if before.put_up is not None and not before.put_up.kong else 0


def _tail_drawn(state: TableState) -> int:
    """Tiles gone from the tail: replacements, flowers turned up with the gold, the indicator itself."""
    drawn = sum(isinstance(event, Draw) and event.end is WallEnd.TAIL for event in state.log)
    return drawn + sum(len(event.tiles) for event in state.log if isinstance(event, GoldOpened))


def _laid(rng: np.random.Generator, own: SeatState, index: int, seat: Seat, is_open: bool) -> LaidMeld:
    """A meld as players lay it: the claimed tile on the side of its giver, concealed kongs face down in part."""
    meld = own.melds[index]
    tiles: Sequence[Tile] = [_known(face) for face in meld.tiles]
    if meld.kind.value == "kong_concealed":
        choices: list[tuple[int, ...]] = [(0, 3), (1, 2), ()] if is_open else [(0, 1, 2, 3), (0, 1, 2, 3), (0, 1, 2)]
        return LaidMeld(tuple(tiles), choices[int(rng.integers(3))])
    if meld.from_seat is None:
        return LaidMeld(tuple(tiles))
    place = {3: 0, 2: 1, 1: len(tiles) - 1}[seat.distance_to(meld.from_seat)]
    return LaidMeld(tuple(tiles), (), place)
