"""What is believed to lie on the table at one moment: the only thing the tracker hands to those who know the rules.

Table coordinates as in `vision.synth.table_plan`: widths of a tile, origin in the middle, x to the right and y away
from the seat next to the camera, which sits at -y; the others follow counterclockwise, as in turn order.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.seats import Seat
from engine.tiles import Tile
from vision.reading import Point, Quad


class Zone(StrEnum):
    """Parts of a table. The values are the groups of `vision.synth.table_plan`."""

    HAND = "hand"
    MELD = "meld"
    FLOWERS = "flowers"
    RIVER = "river"
    WALL = "wall"
    GOLD = "gold"


@dataclass(frozen=True, slots=True)
class SeenTile:
    """One tile on the table, with the identity it keeps while it lies still, is covered, or the camera is nudged.

    Attributes:
        track: number of this tile, given once and never again.
        tile: what its face shows by the votes so far; None when that is not known or it lies face down.
        face_down: True when its back is seen.
        confidence: 0..1, chance that ``tile`` (or ``face_down``) is right.
        alternatives: other tiles it may be, best first, with their chances.
        place: centre in table coordinates.
        turn_deg: which way its upper edge points, counterclockwise from +y, -180..180.
        zone, seat: where it lies and whose it is; a seat of None for the wall, the gold and a common heap.
        quad: corners in pixels where it was last seen, clockwise from the tile's own top left.
        since_s: when it was first believed to lie here.
        seen_s: when it was last seen.
        crop: frame number it is best seen in, for evidence.
    """

    track: int
    tile: Tile | None
    face_down: bool
    confidence: float
    place: Point
    turn_deg: float
    zone: Zone
    seat: Seat | None
    quad: Quad
    since_s: float
    seen_s: float
    alternatives: tuple[tuple[Tile, float], ...] = ()
    crop: int = 0


@dataclass(frozen=True, slots=True)
class TableView:
    """The table at one moment.

    Attributes:
        time_s: of the newest frame, from the start of the stream.
        frame: its number.
        tiles: every tile believed in, in the order of their tracks; covered ones stay.
        moving: places of tiles seen that are not at rest yet.
        covered: zones a hand or something else lies over now; what is said of them is what was there before.
        plane_found: False while the table is not found: then nothing changes.
        gap_s: seconds before this frame of which nothing was seen; what happened in them has to be inferred.
    """

    time_s: float
    frame: int
    tiles: tuple[SeenTile, ...]
    moving: tuple[Point, ...] = ()
    covered: tuple[tuple[Zone, Seat | None], ...] = ()
    plane_found: bool = True
    gap_s: float = 0.0

    def in_zone(self, zone: Zone, seat: Seat | None = None) -> tuple[SeenTile, ...]:
        """The tiles of a zone, of one seat where it is named."""
        return tuple(tile for tile in self.tiles if tile.zone is zone and (seat is None or tile.seat is seat))
