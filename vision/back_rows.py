"""Rows of backs completed: walls, hands that stand or lie face down. Backs of a set are alike and lie at even steps.

Detectors pass over some backs of a row although they look like those they find. So backs found in a row are pictures of
what lies beside them: one step further along the row the photo is compared with them, and where it looks the same,
together with what lies before and behind the row, there is another back, from which the search goes on. It ends where
the photo looks otherwise, and at faces.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.tiles import Tile
from vision.halves import Halves, Image
from vision.places import STEP, Place, compare, overlap, shrunk
from vision.reading import TileReading, as_quad

_ALIKE = 0.84  # correlation from which two places show the same; chosen on rendered and hand-labelled tables
_ALIKE_FIRST = 0.7  # the same with the back that the search began at
_COLOUR = 14.0  # largest difference of mean colours, of 255
_REACH = 3.4  # sides of a tile within which backs show each other to be in a row
_OFF_ROW = 0.3  # how far one of them may lie beside the line of the other, in sides across
_ONE_SIZE = 0.7
_FREE = 0.3  # intersection over union up to which a place is not taken by a face
_BESIDE_BACK = 0.15  # the same by a back
_BLOCKS = 25.0  # largest difference of colours of any part, of 255, for a doubtful face to be a back
_SURE_FACE = 0.985  # a face surer than this is no back, whatever lies beside it
_STRADDLES = 0.6  # a box that looks less like the backs of a row than this is none of them
_INSIDE = 0.8  # share of a tile's sides that has to be in the photo
_MOST = 600  # places that are looked at in one photo


@dataclass(eq=False)
class _Tile:
    """Something that lies there: a reading of the photo, or a back that was added and how alike it is to its row."""

    place: Place
    is_back: bool
    may_yield: bool = False
    alike: float = 1.0
    gone: bool = False


def complete_rows(readings: Sequence[TileReading], seeds: Collection[int], photo: Image | Halves) -> list[TileReading]:
    """The readings with the backs that were passed over in rows of backs.

    Unknown and unsure faces yield to a back where they look like those of their row, and so do boxes that straddle two
    backs of a row. Sure faces and white dragons stay.

    Args:
        readings: tiles of one photo, in any order.
        seeds: indices of the face-down ones that are surely tiles.
        photo: [H, W, 3], the photo they are of.
    """
    if len(seeds) < 2:
        return list(readings)
    small, scale = shrunk(photo, [readings[index] for index in seeds])
    search = _Search(readings, seeds, small, scale)
    search.run()
    there = zip(readings, search.tiles, strict=False)
    added = [tile for tile in search.tiles[len(readings) :] if not tile.gone]
    return [reading for reading, tile in there if not tile.gone] + [
        TileReading(None, min(1.0, tile.alike), as_quad(tile.place.quad / scale), face_down=True) for tile in added
    ]


class _There:
    """The tiles of some that are not gone, with arrays of where they lie: centres [N, 2], areas [N], and the backs."""

    def __init__(self, tiles: Sequence[_Tile]) -> None:
        self.tiles = [tile for tile in tiles if not tile.gone]
        self.centres = np.array([tile.place.centre for tile in self.tiles]).reshape(-1, 2)
        self.areas = np.array([tile.place.area for tile in self.tiles])
        self.backs = np.array([tile.is_back for tile in self.tiles], np.bool_)

    def near(self, place: Place) -> list[_Tile]:
        """Those that may overlap a place."""
        apart = np.linalg.norm(self.centres - place.centre, axis=1)
        rows = np.flatnonzero(apart <= 1.5 * np.sqrt(self.areas + place.area))
        return [self.tiles[row] for row in rows.tolist()]


class _Search:
    """Goes along the rows of one photo."""

    def __init__(self, readings: Sequence[TileReading], seeds: Collection[int], image: Image, scale: float) -> None:
        self._image = image
        self._seeds = seeds
        self.tiles = [_Tile(Place.of(reading, scale), reading.face_down, _may_yield(reading)) for reading in readings]
        self._there = _There(self.tiles)

    def run(self) -> None:
        """Adds backs until there is nothing to look at."""
        first = [self.tiles[index] for index in sorted(self._seeds)]
        waiting = deque((tile, place, place) for tile in first for place in (tile.place, tile.place.turned))
        for _ in range(_MOST):
            if not waiting:
                return
            tile, place, begun = waiting.popleft()
            if not tile.gone:
                waiting.extend((found, found.place, begun) for found in self._beside(tile, place, begun))

    def _beside(self, tile: _Tile, place: Place, begun: Place) -> list[_Tile]:
        """Backs next to one in its row, on both sides, that were not there before."""
        row = self._row(tile, place)
        found = []
        for side in (-1, 1) if row else ():
            if any(STEP[0] < side * along < STEP[1] for along, _ in row):
                continue
            behind = [other.place for along, other in row if STEP[0] < -side * along < STEP[1]]
            step = place.centre - behind[0].centre if behind else side * place.along
            added = self._look(place, begun, replace(place, centre=place.centre + step))
            if added is not None:
                found.append(added)
        return found

    def _row(self, tile: _Tile, place: Place) -> list[tuple[float, _Tile]]:
        """Backs in one row with a tile, with how many sides along."""
        there = self._there
        along, off = place.steps_to(there.centres).T
        far, size = np.abs(along), there.areas / place.area
        near = there.backs & (far > STEP[0]) & (far < _REACH) & (np.abs(off) < _OFF_ROW * np.maximum(1, far / 2))
        near &= (size > _ONE_SIZE) & (size < 1 / _ONE_SIZE)
        rows = np.flatnonzero(near).tolist()
        return [(float(along[row]), there.tiles[row]) for row in rows if there.tiles[row] is not tile]

    def _look(self, like: Place, begun: Place, at: Place) -> _Tile | None:
        """The back at a place, if there is one that was not known."""
        height, width = self._image.shape[:2]
        found = compare(self._image, like, at)
        at = found.place
        quad = at.centre + _INSIDE * (at.quad - at.centre)
        inside = (quad >= 0) & (quad <= [width, height])
        if not inside.all() or found.alike < _ALIKE or found.colours > _COLOUR:
            return None
        again = compare(self._image, begun, at)
        if again.alike < _ALIKE_FIRST or again.colours > 2 * _COLOUR:
            return None
        shared = [(other, overlap(at, other.place)) for other in self._there.near(at)]
        taken = [other for other, share in shared if share > (_BESIDE_BACK if other.is_back else _FREE)]
        for other in taken:
            there = compare(self._image, like, replace(at, centre=other.place.centre))
            straddles = other.is_back and there.alike < _STRADDLES
            if not straddles and not (other.may_yield and found.blocks < _BLOCKS):
                return None
        for other in taken:
            other.gone = True
        tile = _Tile(at, is_back=True, alike=found.alike)
        self.tiles.append(tile)
        self._there = _There(self.tiles)
        return tile


def _may_yield(reading: TileReading) -> bool:
    """Whether what was read as a face may be a back: not a sure face, nor a blank one, which looks like white backs."""
    return not reading.face_down and reading.tile is not Tile.WHITE and reading.confidence < _SURE_FACE
