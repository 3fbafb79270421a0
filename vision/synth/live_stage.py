"""The table while a clip is planned: which tile lies where, whose it is, and the moves and reaches so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from engine.events import Draw, GoldOpened, LaidOpen, Log, WallEnd
from engine.fold import start, step
from engine.seats import SEATS, Seat
from engine.table import TableState
from engine.tiles import ALL_TILES, Face, Tile
from vision.synth.designs import Body
from vision.synth.live_layout import Room, TableLayout, meld_width
from vision.synth.live_motion import ArmTrack, Floats, Move, grip
from vision.synth.placing import Placed
from vision.synth.table_plan import Customs
from vision.synth.table_tiles import SET_SIZE, STACKS, WallTile, wall_ring

Leg = tuple[float, Sequence[Floats], float, Sequence[Floats]]
"""When tiles are picked up and from where, when they are put down and where."""


def states_of(log: Log) -> list[TableState]:
    """The table after each event; of event n at place n - 1."""
    states = [start(log[0])]  # type: ignore[arg-type]
    for event in log[1:]:
        states.append(step(states[-1], event)[0])
    return states


class Stage:
    """Places, hands, wall, and what moves. Until `roll` everything happens at once and leaves no trace."""

    def __init__(self, rng: np.random.Generator, log: Log, body: Body, customs: Customs, near: Seat) -> None:
        self.rng, self.body, self.customs = rng, body, customs
        self.states = states_of(log)
        self.layout = TableLayout(rng, body, customs, near, _rooms(self.states, body, customs))
        self.tiles: dict[int, Tile] = {}
        self.now: dict[int, Placed] = {}
        self.first: dict[int, Placed] = {}
        self.moves: dict[int, list[Move]] = {}
        self.arms: list[ArmTrack] = []
        self.rolling = False
        self.rest_s = self.clear_s = 0.0
        """When the tiles of the present event rest, and when its arms are gone."""
        self.hands: list[list[int]] = [[], [], [], []]
        self.apart: list[int | None] = [None] * 4
        self.is_open = [False] * 4
        self.melds: list[list[list[int]]] = [[], [], [], []]
        self.fourths: list[list[Placed]] = [[], [], [], []]
        self.river: list[tuple[int, Seat, int]] = []
        """Discards in the middle: number of the tile, whose it was, its slot in his row."""
        self.indicator: int | None = None
        self.indicator_at: tuple[int, int] | None = None
        self._set_up(log)

    def _set_up(self, log: Log) -> None:
        """Deals hands and wall so that every draw of the log finds its tile where it is drawn from."""
        pool = Counter({tile: tile.copies for tile in ALL_TILES})
        for seat in SEATS:
            held = next((event.tiles for event in log if isinstance(event, LaidOpen) and event.seat is seat), ())
            for tile in sorted(known(face) for face in held):
                number = len(self.tiles)
                self.tiles[number] = tile
                pool[tile] -= 1
                self.hands[seat].append(number)
        count = SET_SIZE - len(self.tiles)
        if count != self.states[0].wall:
            raise ValueError("the log does not say what everybody holds after the deal; expected one with all tiles")
        head = (18 * (4 - self.states[0].dealer) % STACKS + int(self.rng.integers(18))) % STACKS
        ring = wall_ring([Tile.M1] * count, head, 0)
        self.wall = list(range(len(self.tiles), SET_SIZE))
        self.slots: dict[int, WallTile] = dict(zip(self.wall, ring, strict=True))
        drawn: dict[int, Tile] = {}
        rest = list(self.wall)
        for face, end in _drawn(self.states):
            number = self._end_of(rest, end)
            if isinstance(face, Tile):
                drawn[number] = face
                pool[face] -= 1
        if min(pool.values()) < 0:
            raise ValueError("the log names more tiles of a kind than the set has")
        left = sorted(pool.elements())
        others = iter([left[int(index)] for index in self.rng.permutation(len(left))])
        for number in self.wall:
            self.tiles[number] = drawn[number] if number in drawn else next(others)
            slot = self.slots[number]
            self.put(number, self.layout.wall(self.tiles[number], slot.stack, slot.level))
        for seat in SEATS:
            self.close_up(seat, 0.0, 0.0)

    def _end_of(self, wall: list[int], end: WallEnd) -> int:
        """Takes the next tile of an end of the wall, the upper one of a stack first."""
        if not wall:
            raise ValueError("the log draws more tiles than the wall has")
        if end is WallEnd.HEAD:
            return wall.pop(0)
        two = len(wall) > 1 and self.slots[wall[-2]].stack == self.slots[wall[-1]].stack
        return wall.pop(-2 if two else -1)

    def from_wall(self, end: WallEnd) -> int:
        """The number of the tile drawn next from an end; it is off the wall then."""
        return self._end_of(self.wall, end)

    def roll(self) -> None:
        """From here on moves take time."""
        self.first = dict(self.now)
        self.rolling = True

    def put(
        self,
        number: int,
        to: Placed,
        start_s: float = 0.0,
        end_s: float = 0.0,
        lift: float = 0.0,
        by: Seat | None = None,
    ) -> None:
        """A tile goes to a place."""
        if self.rolling:
            self.moves.setdefault(number, []).append(Move(start_s, end_s, to, lift, by))
            self.rest_s = max(self.rest_s, end_s)
        self.now[number] = to

    def reach(self, seat: Seat, side: float, legs: Sequence[Leg], start_s: float, end_s: float) -> None:
        """An arm of ``seat`` (``side`` 1 right, -1 left) comes in, makes its legs and goes."""
        if not self.rolling:
            return
        home = self.layout.outside_point(seat, 3.0 * side, -17.0)  # past the sides of a wide picture
        elbow = self.layout.outside_point(seat, 3.6 * side, -27.0)
        keys = [(start_s, *home, 2.0)]
        for pick, source, drop, target in legs:
            keys += [(pick, *grip(source, elbow)), (drop, *grip(target, elbow))]
        self.arms.append(ArmTrack(seat, elbow, (*keys, (end_s, *home, 2.0))))
        self.clear_s = max(self.clear_s, end_s)

    def centres(self, numbers: Sequence[int]) -> list[Floats]:
        """Where tiles are."""
        return [self.now[number].centre for number in numbers]

    def close_up(self, seat: Seat, start_s: float, end_s: float) -> None:
        """The hand of a seat is put in order: tiles slide to their places in the row."""
        for number, to in self.hand_places(seat).items():
            before = self.now.get(number)
            if before is None or before.pose != to.pose or float(np.abs(before.centre - to.centre).max()) > 0.0015:
                self.put(number, to, start_s, end_s, 0.0, seat)

    def hand_places(self, seat: Seat) -> dict[int, Placed]:
        """Where the tiles of a hand belong now."""
        apart = self.apart[seat]
        return self.layout.hand(
            seat,
            [(one, self.tiles[one]) for one in self.hands[seat]],
            None if apart is None else (apart, self.tiles[apart]),
            is_open=self.is_open[seat],
        )

    def merge(self, seat: Seat) -> None:
        """The drawn tile belongs to the row now."""
        if self.apart[seat] is not None:
            self.hands[seat].append(self.apart[seat])  # type: ignore[arg-type]
            self.hands[seat].sort(key=lambda number: (self.tiles[number], number))
            self.apart[seat] = None

    def from_hand(self, seat: Seat, faces: Sequence[Face]) -> list[int]:
        """The numbers of these tiles, which leave the hand; ValueError when it does not hold them."""
        found = []
        for tile in map(known, faces):
            apart = self.apart[seat]
            if apart is not None and self.tiles[apart] is tile:
                self.apart[seat] = None
                found.append(apart)
                continue
            number = next((one for one in self.hands[seat] if self.tiles[one] is tile), None)
            if number is None:
                raise ValueError(f"{seat.en} does not hold {tile.code}; expected a log that can be played")
            self.hands[seat].remove(number)
            found.append(number)
        return found

    def next_slot(self, seat: Seat) -> int:
        """The place after the last discard in the row of a seat."""
        return max((slot + 1 for _, whose, slot in self.river if whose is seat), default=0)

    def indicator_target(self, state: TableState) -> tuple[int, int] | None:
        """The stack the gold belongs on, and its height; None where there is none."""
        if state.indicator is None or not self.wall:
            return None
        stacks = list(dict.fromkeys(self.slots[number].stack for number in self.wall))
        stack = stacks[-min(len(stacks), max(1, state.reserve_stacks))]
        return stack, sum(self.slots[number].stack == stack for number in self.wall)


def known(face: Face) -> Tile:
    """The tile of a face; ValueError for one that nobody saw."""
    if not isinstance(face, Tile):
        raise ValueError("the log does not say what every tile shows; expected one with all tiles")
    return face


def _drawn(states: Sequence[TableState]) -> Iterator[tuple[Face, WallEnd]]:
    """What is taken off the wall, in order, and from where."""
    log = states[-1].log
    for before, event in zip(states, log[1:], strict=False):
        if isinstance(event, Draw):
            yield event.tile, draw_end(before, event)
        elif isinstance(event, GoldOpened):
            for face in event.tiles:
                yield face, WallEnd.TAIL


def draw_end(before: TableState, event: Draw) -> WallEnd:
    """The end a tile is drawn from; where the log does not say, the right one."""
    if event.end is not None:
        return event.end
    return WallEnd.TAIL if before.seats[event.seat].owed else WallEnd.HEAD


def _rooms(states: Sequence[TableState], body: Body, customs: Customs) -> list[Room]:
    rooms = []
    for seat in SEATS:
        room = Room(flowers=len(states[-1].seats[seat].flowers))
        last = states[-1].seats[seat].melds
        for state in states:
            own = state.seats[seat]
            widths = [
                meld_width(body, len(meld.tiles), customs.across, last[index].kind.value == "kong_added")
                for index, meld in enumerate(own.melds)
            ]
            room.hand_and_melds.append((own.concealed_count + 1, sum(widths)))
            lies = sum(thrown.seat is seat and thrown.taken_by is None for thrown in state.river)
            room.river = max(room.river, lies)
        rooms.append(room)
    return rooms
