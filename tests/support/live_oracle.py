"""Perfect sight: the views of a table a tracker without faults would hand over, made straight from an event log."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random

from engine.events import (
    Chow,
    Deal,
    Discard,
    Draw,
    Event,
    FlowersLaid,
    GoldOpened,
    KongAdded,
    KongConcealed,
    KongOpen,
    LaidOpen,
    Log,
    Pung,
    WinClaim,
)
from engine.fold import start, step
from engine.moves import held_tiles
from engine.seats import SEATS, Seat
from engine.table import TableState
from engine.tiles import Face, Tile
from vision.live.view import SeenTile, TableView, Zone

QUAD = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.3), (0.0, 1.3))
BEGUN = """
deal E fuzhou
gold 9m
E discard 1s
S draw
S discard 3p
W draw
W discard 4p
"""
"""A hand of a few discards, to go on from."""


def turned(x: float, y: float, seat: Seat) -> tuple[float, float]:
    """A place as a seat sees it, in the coordinates of the table with East at -y."""
    cos, sin = ((1, 0), (0, 1), (-1, 0), (0, -1))[seat]
    return x * cos - y * sin, x * sin + y * cos


@dataclass
class Oracle:
    """Lays the tiles of a log event by event. ``river`` is ``rows`` or ``heap``."""

    river: str = "rows"
    seed: int = 0
    confidence: float = 0.97
    pause_s: float = 1.6
    step_s: float = 0.4
    keep_track: bool = True
    """A claimed tile keeps its number when it moves to the meld."""
    tiles: dict[int, SeenTile] = field(default_factory=dict)
    lying: list[tuple[int, Seat]] = field(default_factory=list)
    now: float = 0.0
    frame: int = 0

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        self.next_track = 1
        self.thrown = [0, 0, 0, 0]
        self.lane = [[0.0, 0.0] for _ in SEATS]
        self.melds: dict[tuple[Seat, Face], list[int]] = {}

    def put(self, face: Face | None, zone: Zone, seat: Seat | None, x: float, y: float, turn: float = 0.0) -> int:
        """A tile comes to lie at a place of the table."""
        track = self.next_track
        self.next_track += 1
        tile = face if isinstance(face, Tile) else None
        self.tiles[track] = SeenTile(
            track, tile, tile is None, self.confidence, (x, y), turn, zone, seat, QUAD, self.now, self.now
        )
        return track

    def deal(self, state: TableState) -> None:
        """Backs of hands and walls."""
        for seat in SEATS:
            for place in range(state.seats[seat].concealed_count):
                self.put(None, Zone.HAND, seat, *turned(-9 + place, -19.0, seat), 90.0 * seat)
            for place in range(18):
                self.put(None, Zone.WALL, None, *turned(-9 + place, -11.0, seat), 90.0 * seat)

    def happen(self, event: Event, before: TableState, after: TableState) -> bool:
        """Moves the tiles of an event; False when nothing of it can be seen."""
        if isinstance(event, Discard):
            self._discard(event.seat, event.tile)
        elif isinstance(event, FlowersLaid):
            for face in event.tiles:
                self._flower(event.seat, face)
        elif isinstance(event, GoldOpened):
            for face in event.tiles[:-1]:
                self._flower(before.dealer, face)
            self.put(event.tiles[-1], Zone.GOLD, None, 3.0, -9.0)
        elif isinstance(event, Chow | Pung | KongOpen):
            self._claim(event, after)
        elif isinstance(event, KongAdded):
            pung = self.melds[event.seat, event.tile]
            x, y = self.tiles[pung[1]].place
            dx, dy = turned(0.0, -1.4, event.seat)
            self.put(event.tile, Zone.MELD, event.seat, x + dx, y + dy, 90.0 * event.seat)
        elif isinstance(event, KongConcealed):
            self._meld(event.seat, (None,) * 4, None)
        elif isinstance(event, WinClaim):
            self._open(event, before)
        else:
            return False
        return True

    def _discard(self, seat: Seat, face: Face) -> None:
        count = self.thrown[seat]
        self.thrown[seat] += 1
        if self.river == "rows":
            place = turned(-3.0 + (count % 6) * 1.03, -4.0 - (count // 6) * 1.4, seat)
            owner, turn = seat, 90.0 * seat
        else:
            place, owner, turn = self._free_spot(), None, self.random.uniform(-180, 180)
        self.lying.append((self.put(face, Zone.RIVER, owner, *place, turn), seat))

    def _free_spot(self) -> tuple[float, float]:
        while True:
            spot = self.random.uniform(-7, 7), self.random.uniform(-7, 7)
            if all(math.dist(spot, self.tiles[track].place) > 1.5 for track, _ in self.lying):
                return spot

    def _flower(self, seat: Seat, face: Face) -> None:
        x = self.lane[seat][0]
        self.lane[seat][0] += 1.05
        self.put(face, Zone.FLOWERS, seat, *turned(-9 + x, -14.0, seat), 90.0 * seat)

    def _claim(self, event: Chow | Pung | KongOpen, after: TableState) -> None:
        giver = after.seats[event.seat].melds[-1].from_seat
        place = next(
            (
                place
                for place in range(len(self.lying) - 1, -1, -1)
                if self.tiles[self.lying[place][0]].tile is event.tile and self.lying[place][1] is not event.seat
            ),
            None,
        )
        taken = None
        if place is not None:
            taken, seat = self.lying.pop(place)
            if self.river == "rows" and place == len(self.lying):
                self.thrown[seat] -= 1
        _ = giver
        self._meld(event.seat, (event.tile, *held_tiles(event)), taken)

    def _meld(self, seat: Seat, faces: tuple[Face | None, ...], taken: int | None) -> None:
        tracks = []
        for index, face in enumerate(faces):
            x = 14.0 - self.lane[seat][1]
            self.lane[seat][1] += 1.02
            place = turned(x, -19.0, seat)
            if index == 0 and taken is not None:
                moved = self.tiles.pop(taken)
                track = taken if self.keep_track else self.next_track
                self.next_track += not self.keep_track
                self.tiles[track] = replace(
                    moved, track=track, place=place, zone=Zone.MELD, seat=seat, since_s=self.now, turn_deg=90.0 * seat
                )
                tracks.append(track)
            else:
                tracks.append(self.put(face, Zone.MELD, seat, *place, 90.0 * seat))
        self.lane[seat][1] += 0.2
        if faces[0] is not None:
            self.melds[seat, faces[0]] = tracks

    def _open(self, event: WinClaim, before: TableState) -> None:
        """The hand is laid open; a tile that was won on comes from the river."""
        for track, tile in list(self.tiles.items()):
            if tile.zone is Zone.HAND and tile.seat is event.seat:
                del self.tiles[track]
        tiles = list(event.hand or before.seats[event.seat].known)
        tile = event.tile
        if tile is None and event.source.is_own_draw:
            tile = before.seats[event.seat].drawn
        if event.source.is_from_other and self.lying:
            track, _ = self.lying.pop()
            del self.tiles[track]
        if isinstance(tile, Tile) and tile in tiles and len(tiles) % 3 == 2:
            tiles.remove(tile)
        for place, face in enumerate(tiles):
            self.put(face, Zone.HAND, event.seat, *turned(-9 + place, -19.0, event.seat), 90.0 * event.seat)
        if isinstance(tile, Tile):
            self.put(tile, Zone.HAND, event.seat, *turned(-9 + len(tiles) + 0.6, -19.0, event.seat))

    def view(self, gap_s: float = 0.0) -> TableView:
        """The table now."""
        self.frame += 1
        seen = (replace(tile, seen_s=self.now) for tile in self.tiles.values())
        return TableView(self.now, self.frame, tuple(sorted(seen, key=lambda tile: tile.track)), gap_s=gap_s)


def play(log: Log, oracle: Oracle) -> Iterator[TableView]:
    """The views of a whole log, a few after each event that can be seen, some more at both ends."""
    deal = log[0]
    assert isinstance(deal, Deal)
    state = start(deal)
    oracle.deal(state)
    for _ in range(6):
        yield oracle.view()
        oracle.now += oracle.step_s
    for event in log[1:]:
        after, _ = step(state, event)
        seen = oracle.happen(event, state, after)
        state = after
        if seen:
            until = oracle.now + oracle.pause_s
            while oracle.now < until - 1e-6:
                yield oracle.view()
                oracle.now += oracle.step_s
    for _ in range(12):
        yield oracle.view()
        oracle.now += oracle.step_s


def unseen(event: Event) -> bool:
    """Whether a camera cannot see an event."""
    return isinstance(event, Draw | LaidOpen)
