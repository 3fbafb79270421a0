"""The plane of the table: from pixels to table coordinates and back. Given by four taps, or found by `plane_search`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.live.tracking import PlacedReading
from vision.reading import Point, TileReading

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """Where the table is in the picture.

    Attributes:
        to_table: 3x3 homography from pixels to table coordinates of the upper sides of tiles that lie on the table.
        eye: where the camera is, in table coordinates and above those upper sides; None where that is not known.
    """

    to_table: Floats
    eye: tuple[float, float, float] | None = None

    @classmethod
    def from_taps(cls, corners: Sequence[Point], half_side: float) -> Self:
        """The plane in which four taps are the corners of a square.

        Args:
            corners: pixels, from the corner at the left of the near seat counterclockwise as seen from above: near
                left, near right, far right, far left.
            half_side: half its side in widths of a tile: `Zones.edge` for the outer corners of the walls.

        Raises:
            ValueError: not four corners, or three of them in a line, or in another order.
        """
        if len(corners) != 4:
            raise ValueError(f"expected 4 corners of the walls, got {len(corners)}")
        taps = np.array(corners, np.float32)
        turns = [_turns_by(taps, index) for index in range(4)]
        if not all(turn < -1.0 for turn in turns):
            raise ValueError(
                "the four corners are no square of the walls; tap near left, near right, far right, far left"
            )
        square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32) * np.float32(half_side)
        return cls(np.asarray(cv2.getPerspectiveTransform(taps, square), np.float64))

    @property
    def to_pixels(self) -> Floats:
        """3x3 homography from table coordinates to pixels."""
        return np.asarray(np.linalg.inv(self.to_table))

    def places(self, pixels: Floats) -> Floats:
        """Table coordinates [N, 2] of pixels [N, 2]."""
        return mapped(self.to_table, pixels)

    def pixels(self, places: Floats) -> Floats:
        """Pixels [N, 2] of table coordinates [N, 2]."""
        return mapped(self.to_pixels, places)

    def tile_px(self, place: Point) -> float:
        """Side of the square of one tile width at a place, in pixels."""
        step = np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]) + np.array(place)
        at, right, up = self.pixels(step)
        (a, b), (c, d) = right - at, up - at
        return math.sqrt(abs(float(a * d - b * c)))

    def after(self, moved: Floats) -> Plane:
        """The plane after the picture moved: ``moved`` (3x3) takes pixels as they were to where they are now."""
        return Plane(self.to_table @ np.linalg.inv(moved), self.eye)

    def placed(self, readings: Iterable[TileReading]) -> list[PlacedReading]:
        """The readings in table coordinates."""
        given = list(readings)
        if not given:
            return []
        quads = np.array([reading.quad for reading in given], np.float64).reshape(-1, 4, 2)
        on_table = self.places(quads.reshape(-1, 2)).reshape(-1, 4, 2)
        centres = on_table.mean(axis=1)
        top = on_table[:, :2].mean(axis=1) - centres
        turns = np.degrees(np.arctan2(-top[:, 0], top[:, 1]))
        sides = np.linalg.norm(on_table - np.roll(on_table, -1, axis=1), axis=2)
        widths, heights = (sides[:, 0] + sides[:, 2]) / 2, (sides[:, 1] + sides[:, 3]) / 2
        return [
            PlacedReading(reading, (float(x), float(y)), float(turn), (float(width), float(height)))
            for reading, (x, y), turn, width, height in zip(given, centres, turns, widths, heights, strict=True)
        ]


def mapped(matrix: Floats, points: Floats) -> Floats:
    """Points [N, 2] through a 3x3 homography."""
    flat = np.asarray(points, np.float64).reshape(-1, 2)
    out = flat @ matrix[:2, :2].T + matrix[:2, 2]
    scale = flat @ matrix[2, :2] + matrix[2, 2]
    return np.asarray(out / np.where(np.abs(scale) < 1e-9, 1e-9, scale)[:, None])


def _turns_by(taps: NDArray[np.float32], index: int) -> float:
    """Twice the area of the triangle of a corner and the two after it; negative where they go round upwards."""
    (a, b), (c, d) = taps[(index + 1) % 4] - taps[index], taps[(index + 2) % 4] - taps[(index + 1) % 4]
    return float(a * d - b * c)
