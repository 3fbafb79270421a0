"""Zone and seat of each tile, from where it lies.

The ring of the wall is a square; the rivers lie inside it, the lanes of the four seats outside. Of each seat's own
side d is the distance from the middle and x runs to its right. From the middle outwards there are the river, the wall,
a lane of flowers and a lane of the hand; melds lie at the right end of either lane. Own lanes reach from the left end
of the wall to the corner at the right, so that the four do not meet. Source of the customs: `vision.synth.table_plan`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from engine.seats import Seat
from engine.tiles import Tile
from vision.live.view import Zone
from vision.reading import Point

ROWS, HEAP = "rows", "heap"
_WALL_STACKS = 18
PITCH = 1.012
"""From one tile to the next that is pushed against it."""
_TOUCH = 0.5  # tiles of one meld lie nearer than this to each other
_UPRIGHT_DEG = 25.0
_IN_ROW_DEG = 10.0  # a discard that lies straighter may be the first of a row; in a heap one of nine lies so by chance
_SPARE_GAP = 1.6  # between two melds there may be room for the fourth tile of a kong
_STANDING = 0.78  # shorter side, on the table, below which a face is that of a standing tile
_SLACK = 0.4
_MIDDLE = 2.5  # rows of discards leave this square free


@dataclass(frozen=True, slots=True)
class Lying:
    """What the zones need to know of a tile.

    Attributes:
        place: centre in table coordinates.
        turn_deg: which way its upper edge points, counterclockwise from +y.
        tile: what it shows, its best guess included; None for a back.
        face_down: True when its back is seen.
        size: its width and height as they appear on the table, (0, 0) where that is not known.
        since_s: when it was first believed to lie here.
        sure: False where ``tile`` is only a guess.
    """

    place: Point
    turn_deg: float = 0.0
    tile: Tile | None = None
    face_down: bool = False
    size: Point = (0.0, 0.0)
    since_s: float = 0.0
    sure: bool = True

    @property
    def stands(self) -> bool:
        """True for a standing tile whose face is seen: it looks lower on the table than one that lies is wide."""
        return 0.0 < min(self.size) < _STANDING


@dataclass(frozen=True, slots=True)
class Area:
    """A part of the table that a person named: a polygon of table coordinates."""

    corners: tuple[Point, ...]
    zone: Zone
    seat: Seat | None = None

    def holds(self, place: Point) -> bool:
        """True where the place is inside, by the number of edges to its right (Shimrat 1962)."""
        x, y = place
        inside = False
        for (x0, y0), (x1, y1) in zip(self.corners, (*self.corners[1:], self.corners[0]), strict=True):
            if (y0 > y) != (y1 > y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0):
                inside = not inside
        return inside


@dataclass(frozen=True, slots=True)
class Zones:
    """The parts of a table. Lengths in widths of a tile, from the middle.

    Attributes:
        near: the seat at -y.
        wall: middle line of the wall. flowers, hand: of the two lanes.
        height: of a tile.
        right: where the lanes end, in the corner at the right of a seat.
        river: ``rows`` before each player or one ``heap``; None where that is not known yet.
        areas: what a person said; it goes before all else.
        eye: where the camera is, as in `vision.live.plane.Plane`: what lies on the wall is seen further from it.
        thickness: of a tile.
    """

    near: Seat
    wall: float
    flowers: float
    hand: float
    height: float
    right: float
    river: str | None = None
    areas: tuple[Area, ...] = ()
    eye: tuple[float, float, float] | None = None
    thickness: float = 0.7

    @classmethod
    def usual(cls, near: Seat = Seat.EAST, *, height: float = 1.36, wall: float | None = None) -> Self:
        """Zones around a wall of 18 stacks a side, or around one at the given distance from the middle."""
        line = _WALL_STACKS * PITCH / 2 + height / 2 + 0.12 if wall is None else wall
        flowers = line + height + 0.35
        hand = flowers + height + 0.4
        return cls(near, line, flowers, hand, height, hand + height / 2)

    @property
    def inside(self) -> float:
        """Half side of the square within the walls."""
        return self.wall - self.height / 2

    @property
    def edge(self) -> float:
        """Half side of the square around the walls."""
        return self.wall + self.height / 2

    def seat_of_side(self, side: int) -> Seat:
        """The seat at one side: 0 is -y, the others counterclockwise."""
        return Seat((self.near + side) % 4)

    def side_of_seat(self, seat: Seat) -> int:
        """The side of a seat: 0 is -y, the others counterclockwise."""
        return self.near.distance_to(seat)

    def learn(self, tiles: Sequence[Lying]) -> Self:
        """The zones with what the tiles show: whether discards lie in rows or in a heap.

        Rows keep the middle free, and their tiles are upright for those who threw them.
        """
        if self.river is not None:
            return self
        along = across = middle = 0
        for tile in tiles:
            if tile.face_down or max(map(abs, tile.place)) > self.inside - self.height - 0.6:
                continue
            side, _, _ = self._own(tile.place)
            off = abs((tile.turn_deg - 90.0 * side + 90.0) % 180.0 - 90.0)
            inmost = max(map(abs, tile.place)) < _MIDDLE
            along += off < 15.0 and not inmost
            across += off > 30.0 or inmost
            middle += inmost
        if (across >= 3 or middle) and 3 * across >= along:  # one that slipped does not make a heap
            return replace(self, river=HEAP)
        return replace(self, river=ROWS) if along >= 8 and 8 * across <= along else self

    def assign(self, tiles: Sequence[Lying]) -> list[tuple[Zone, Seat | None]]:
        """Zone and seat of each tile; they are looked at together, since melds and the gold are told by others."""
        found = [self._alone(tile) for tile in tiles]
        for zone, seat in {(zone, seat) for zone, seat in found if zone in (Zone.HAND, Zone.FLOWERS)}:
            rows = [row for row, place in enumerate(found) if place == (zone, seat)]
            for row in self._melds(rows, tiles):
                found[row] = (Zone.MELD, seat)
        self._gold(found, tiles)
        for row, tile in enumerate(tiles):
            for area in self.areas:
                if area.holds(tile.place):
                    found[row] = (area.zone, area.seat)
        return found

    def zone_at(self, place: Point) -> tuple[Zone, Seat | None]:
        """Zone and seat of a place, without knowing what lies there."""
        for area in self.areas:
            if area.holds(place):
                return area.zone, area.seat
        return self._alone(Lying(place, face_down=True))

    def _own(self, place: Point, turn_deg: float | None = None) -> tuple[int, float, float]:
        """Side of a place, with x and distance from the middle as that side sees them.

        Where the lanes of two sides meet, a face belongs to the side to which it is turned.
        """
        sides = []
        for side in range(4):
            x, d = place[0], -place[1]
            for _ in range(side):
                x, d = -d, x  # a quarter turn clockwise brings the next side to -y
            sides.append((side, x, d))
        lanes = [item for item in sides if item[2] > self.edge - _SLACK and item[1] >= -self.edge - _SLACK]
        if turn_deg is not None and len(lanes) > 1:
            lanes = [item for item in lanes if _askew(turn_deg, item[0]) < _UPRIGHT_DEG] or lanes
        return max(lanes or sides, key=lambda item: item[2])

    def _alone(self, tile: Lying) -> tuple[Zone, Seat | None]:
        """Zone and seat of a tile by its own place; melds count as hand or flowers still."""
        side, x, d = self._own(tile.place, None if tile.face_down else tile.turn_deg)
        seat = self.seat_of_side(side)
        if not tile.face_down and self._is_on_wall(tile):
            return Zone.GOLD, None
        if d > self.edge + _SLACK / 2:
            return (Zone.HAND if d > (self.flowers + self.hand) / 2 else Zone.FLOWERS), seat
        if d > self.inside - _SLACK:
            return (Zone.WALL if tile.face_down else Zone.GOLD), None
        if d > self.inside - self.height - 0.6 and abs(x) < self.inside:
            return (Zone.WALL if tile.face_down else Zone.GOLD), None
        if tile.face_down:
            return Zone.WALL, None  # tiles that are not built up yet
        if self.river == HEAP:
            return Zone.RIVER, None
        return Zone.RIVER, seat if self.river == ROWS or _askew(tile.turn_deg, side) < _IN_ROW_DEG else None

    def raised(self, place: Point, height: float) -> Point:
        """Where a tile lies that is seen at a place, if it is so much higher than one that lies on the table."""
        if self.eye is None:
            return place
        share = height / self.eye[2]
        return place[0] + (self.eye[0] - place[0]) * share, place[1] + (self.eye[1] - place[1]) * share

    def _is_on_wall(self, tile: Lying) -> bool:
        """True where a face would lie on the wall, one or two tiles high, rather than in a lane."""
        if self.eye is None or abs(tile.turn_deg % 90.0 - 45.0) < 30.0:
            return False
        lane = min(abs(self._own(tile.place)[2] - line) for line in (self.flowers, self.hand))
        stacked = (self.raised(tile.place, levels * self.thickness) for levels in (1, 2))
        on_wall = min(abs(self._own(place)[2] - self.wall) for place in stacked)
        return on_wall < min(0.35, lane)

    def _melds(self, rows: list[int], tiles: Sequence[Lying]) -> list[int]:
        """Which tiles of a lane are melds: groups that lie side by side, from its right end on."""
        side, _, _ = self._own(tiles[rows[0]].place)

        def along(row: int) -> float:
            return self._along(tiles[row].place, side)

        lying = sorted((row for row in rows if not tiles[row].stands), key=along, reverse=True)
        if not lying or along(lying[0]) < self.right - 4.0:
            return []
        chain: list[Lying] = []
        gaps: list[float] = []
        for row, before in zip(lying, [None, *lying], strict=False):
            gap = 0.0
            if before is not None:
                reach = (self._width(tiles[row], side) + self._width(tiles[before], side)) / 2
                gap = along(before) - along(row) - reach
            if gap > _SPARE_GAP:
                break
            chain.append(tiles[row])
            gaps.append(gap)
        return lying[: _melded(chain, gaps)]

    def _along(self, place: Point, side: int) -> float:
        x, d = place[0], -place[1]
        for _ in range(side):
            x, d = -d, x
        return x

    def _width(self, tile: Lying, side: int) -> float:
        """How much of its lane a tile takes up."""
        radians = math.radians(tile.turn_deg - 90.0 * side)
        return float(max(abs(math.cos(radians)), abs(math.sin(radians)) * self.height))

    def _gold(self, found: list[tuple[Zone, Seat | None]], tiles: Sequence[Lying]) -> None:
        """Leaves one gold, the one that lies there longest; others near the wall are discards or part of it.

        A white dragon comes last: a back that shines looks like one.
        """
        golds = sorted(
            (row for row, place in enumerate(found) if place[0] is Zone.GOLD),
            key=lambda row: (tiles[row].tile is Tile.WHITE, tiles[row].since_s),
        )
        for row in golds[1:]:
            inside = max(map(abs, tiles[row].place)) <= self.inside - _SLACK
            side, _, _ = self._own(tiles[row].place)
            seat = None if self.river == HEAP else self.seat_of_side(side)
            found[row] = (Zone.RIVER, seat) if inside else (Zone.WALL, None)


def _askew(turn_deg: float, side: int) -> float:
    """Degrees, 0 to 90, by which a tile is turned against those that lie upright for a side, or upside down."""
    off = abs((turn_deg - 90.0 * side + 180.0) % 360.0 - 180.0)
    return min(off, 180.0 - off)


def _melded(chain: Sequence[Lying], gaps: Sequence[float]) -> int:
    """How many of the first tiles of a lane, from its right end, are melds; ``gaps`` lie before each tile."""
    done = 0
    while done < len(chain):
        backs = 0
        while (
            done + backs < len(chain) and chain[done + backs].face_down and (not backs or gaps[done + backs] < _TOUCH)
        ):
            backs += 1
        size = 4 if backs in (4, 8) else 0
        if not backs:
            part = chain[done : done + 4]
            together = next((k for k in range(1, len(part)) if gaps[done + k] > _TOUCH), len(part))
            size = _meld_size(part[:together])
        if not size:
            break
        done += size
    return done


def _meld_size(tiles: Sequence[Lying]) -> int:
    """How many of up to four tiles that touch are one meld: 0, 3 or 4. Unknown tiles go with anything, and so does a
    guess beside two that are sure."""
    guess = len(tiles) - 1 > sum(tile.sure for tile in tiles)
    faces = [None if tile.face_down or not (tile.sure or guess) else tile.tile for tile in tiles]
    known = [face for face in faces if face is not None]
    backs = sum(tile.face_down for tile in tiles)
    if len(tiles) == 4 and len(set(known)) <= 1 and (backs == 2 or len(known) == 4):
        return 4  # a concealed kong may show two faces
    if len(tiles) < 3 or any(tile.face_down for tile in tiles[:3]):
        return 0
    three = sorted(face for face in faces[:3] if face is not None)
    if len(set(three)) <= 1:
        return 3
    in_suit = all(tile.is_suited and tile.suit is three[0].suit for tile in three)
    return 3 if in_suit and len(set(three)) == len(three) and three[-1] - three[0] <= 2 else 0
