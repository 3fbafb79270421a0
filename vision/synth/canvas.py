"""A small ink canvas for tile faces: shapes are drawn large without smoothing and reduced once at the end."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]
"""Blue, green, red."""
Point = tuple[float, float]

OVERSAMPLE = 3
ASPECT = 4 / 3
"""Height of a face in widths on the canvas; the real proportion of a set is applied when the tile is rendered."""


class Canvas:
    """Ink on a clear face. Coordinates are in face widths: x 0..1, y 0..4/3, lengths likewise."""

    def __init__(self, width_px: int) -> None:
        self.unit = width_px * OVERSAMPLE
        self.pixels: Image = np.zeros((round(self.unit * ASPECT), self.unit, 4), np.uint8)

    def _at(self, point: Point) -> tuple[int, int]:
        return round(point[0] * self.unit), round(point[1] * self.unit)

    def _px(self, length: float) -> int:
        return max(1, round(length * self.unit))

    @staticmethod
    def _ink(colour: Colour | None) -> tuple[int, int, int, int]:
        return (0, 0, 0, 0) if colour is None else (*colour, 255)

    def disc(self, centre: Point, radius: float, colour: Colour | None) -> None:
        """A filled circle; a colour of None clears."""
        cv2.circle(self.pixels, self._at(centre), self._px(radius), self._ink(colour), -1)

    def ring(self, centre: Point, radius: float, width: float, colour: Colour) -> None:
        """A circle line."""
        cv2.circle(self.pixels, self._at(centre), self._px(radius), self._ink(colour), self._px(width))

    def ellipse(
        self, centre: Point, axes: Point, turn_deg: float, colour: Colour | None, width: float | None = None
    ) -> None:
        """An ellipse, filled or (with ``width``) as a line."""
        size = (self._px(axes[0]), self._px(axes[1]))
        line = -1 if width is None else self._px(width)
        cv2.ellipse(self.pixels, self._at(centre), size, turn_deg, 0, 360, self._ink(colour), line)

    def polygon(self, points: Sequence[Point], colour: Colour | None) -> None:
        """A filled polygon."""
        cv2.fillPoly(self.pixels, [np.array([self._at(point) for point in points], np.int32)], self._ink(colour))

    def line(self, points: Sequence[Point], width: float, colour: Colour | None, closed: bool = False) -> None:
        """A polyline with round joints."""
        path = np.array([self._at(point) for point in points], np.int32)
        cv2.polylines(self.pixels, [path], closed, self._ink(colour), self._px(width))

    def curve(self, points: Sequence[Point], widths: tuple[float, float], colour: Colour) -> None:
        """A smooth stroke through the control points of a Bezier curve, its width running from first to last."""
        control = np.array(points, np.float64)
        steps = np.linspace(0, 1, 24)
        path = [tuple(_bezier(control, step)) for step in steps]
        for step, start, end in zip(steps, path, path[1:], strict=False):
            width = widths[0] + (widths[1] - widths[0]) * step
            cv2.line(self.pixels, self._at(start), self._at(end), self._ink(colour), self._px(width))

    def stamp(self, mask: NDArray[np.uint8], centre: Point, colour: Colour | None) -> None:
        """Press an ink mask (0..255, canvas pixels) with its centre at ``centre``; what hangs over is cut off."""
        height, width = mask.shape
        x, y = round(centre[0] * self.unit - width / 2), round(centre[1] * self.unit - height / 2)
        x0, y0 = max(x, 0), max(y, 0)
        x1, y1 = min(x + width, self.pixels.shape[1]), min(y + height, self.pixels.shape[0])
        if x0 >= x1 or y0 >= y1:
            return
        inked = mask[y0 - y : y1 - y, x0 - x : x1 - x] > 127
        self.pixels[y0:y1, x0:x1][inked] = self._ink(colour)

    def reduced(self, width_px: int) -> Image:
        """The face as premultiplied BGRA at its final size."""
        size = (width_px, round(width_px * ASPECT))
        return np.asarray(cv2.resize(self.pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def _bezier(control: NDArray[np.float64], step: float) -> NDArray[np.float64]:
    points = control
    while len(points) > 1:
        points = points[:-1] * (1 - step) + points[1:] * step
    return np.asarray(points[0], np.float64)
