"""Places of tiles in a photo and what the photo shows there, for comparing tiles of one photo with each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.halves import Halves, Image
from vision.reading import TileReading

Floats = NDArray[np.float64]

TILE_PX = 36.0
"""Side of a tile (root of its area) in pixels of the picture that is compared, where the photo shows it larger."""
STEP = 0.7, 1.35
"""Centres of neighbours in a row, in sides of a tile."""

_GRID = 24  # pixels of a tile along and across its row in a patch
_BESIDE_ROW = 0.22  # share of a tile before and behind the row that belongs to the patch
_NOTHING = 2.0  # spread of colours, of 255, below which there is nothing to compare
_SLACK = 0.2  # share of a tile by which a place may lie elsewhere than expected


@dataclass(frozen=True, eq=False)
class Place:
    """A tile in a row: its centre [2], its side along the row [2] and its side across the row [2], in pixels."""

    centre: Floats
    along: Floats
    across: Floats

    @classmethod
    def of(cls, reading: TileReading, scale: float = 1.0) -> Place:
        """Where a reading lies in its photo resized by ``scale``, its own width along the row."""
        quad = np.array(reading.quad, np.float64) * scale
        along, across = quad[1] - quad[0] + quad[2] - quad[3], quad[3] - quad[0] + quad[2] - quad[1]
        return cls(quad.mean(axis=0), along / 2, across / 2)

    @property
    def turned(self) -> Place:
        """The same tile with its other side along the row."""
        return Place(self.centre, self.across, -self.along)

    @property
    def quad(self) -> Floats:
        """Corners [4, 2] in pixels."""
        a, b = self.along / 2, self.across / 2
        return np.array([self.centre - a - b, self.centre + a - b, self.centre + a + b, self.centre - a + b])

    @property
    def area(self) -> float:
        """Square pixels."""
        return abs(float(self.along[0] * self.across[1] - self.along[1] * self.across[0]))

    def steps_to(self, points: Floats) -> Floats:
        """How far points [N, 2] lie along the row and across it, in sides of the tile: [N, 2]."""
        (a, b), (c, d) = self.along.tolist(), self.across.tolist()
        det = a * d - b * c
        if abs(det) < 1e-6:
            return np.full((len(points), 2), np.inf)
        return np.asarray((points - self.centre) @ (np.array([[d, -b], [-c, a]]) / det))


def overlap(first: Place, second: Place) -> float:
    """Intersection over union of two places."""
    if np.linalg.norm(first.centre - second.centre) > 1.5 * (first.area + second.area) ** 0.5:
        return 0.0
    shared = float(cv2.intersectConvexConvex(first.quad.astype(np.float32), second.quad.astype(np.float32))[0])
    return shared / max(1e-6, first.area + second.area - shared)


def shrunk(photo: Image | Halves, readings: Sequence[TileReading]) -> tuple[Image, float]:
    """The photo resized so that the given tiles have `TILE_PX`, never enlarged, and the factor."""
    side = float(np.median([max(1.0, Place.of(reading).area) ** 0.5 for reading in readings])) if readings else TILE_PX
    scale = min(1.0, TILE_PX / side)
    return Halves.of(photo).resized(scale, quick=True), scale


def patch(image: Image, place: Place, beside: float = 0.0, slack: float = 0.0) -> Image:
    """A tile [H, W, 3] with its side along the row to the right, with shares of a tile beside the row and around."""
    wide, high = 0.5 + slack, 0.5 + beside + slack
    size = (round(2 * wide * _GRID), round(2 * high * _GRID))
    matrix = np.column_stack([place.along / _GRID, place.across / _GRID, np.zeros(2)])
    matrix[:, 2] = place.centre - wide * place.along - high * place.across + matrix[:, :2] @ [0.5, 0.5] - 0.5
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(image, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two places look.

    Attributes:
        place: where near the second one it looks most like at the first.
        alike: correlation of both, -1..1, the strips beside the row included.
        colours: largest difference of the mean colours, of 255.
        blocks: the same of any of 3 x 3 parts of the tile.
    """

    place: Place
    alike: float
    colours: float
    blocks: float


def compare(image: Image, like: Place, at: Place) -> Likeness:
    """How much a picture looks near one place like at another; an even surface with nothing around is like nothing."""
    template, around = patch(image, like, _BESIDE_ROW), patch(image, at, _BESIDE_ROW, _SLACK)
    if template.std(axis=(0, 1)).max() < _NOTHING:
        return Likeness(at, 0.0, 0.0, 0.0)
    found = cv2.matchTemplate(around, template, cv2.TM_CCOEFF_NORMED)
    _, score, _, (x, y) = cv2.minMaxLoc(found)
    dx, dy = (np.array([x, y]) - (np.array(found.shape[::-1]) - 1) / 2) / _GRID
    moved = replace(at, centre=at.centre + dx * at.along + dy * at.across)
    edge = round(_BESIDE_ROW * _GRID)
    seen = around[y + edge : y + template.shape[0] - edge, x : x + template.shape[1]]
    gaps = np.abs(_parts(seen) - _parts(template[edge:-edge]))
    mean = np.abs(seen.mean(axis=(0, 1)) - template[edge:-edge].mean(axis=(0, 1)))
    return Likeness(moved, float(score), float(mean.max()), float(gaps.max()))


def _parts(tile: Image) -> Floats:
    """Mean colours [3, 3, 3] of the parts of a tile's picture."""
    return np.asarray(cv2.resize(tile, (3, 3), interpolation=cv2.INTER_AREA), np.float64)
