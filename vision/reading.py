"""One tile as read from a picture. "Unknown" is a legal reading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.tiles import Tile

Point: TypeAlias = tuple[float, float]
Quad: TypeAlias = tuple[Point, Point, Point, Point]

BACK = "back"
UNKNOWN = "?"


@dataclass(frozen=True, slots=True)
class TileReading:
    """A tile at a place of the picture.

    Attributes:
        tile: what its face shows; None when it cannot be told or lies face down.
        face_down: True when the back is seen.
        confidence: 0..1, calibrated chance that what is said here is right; of an unknown tile, the chance of its
            best alternative.
        alternatives: other tiles it may be, best first, each with its chance. An unknown tile lists its best guess
            here, a known one only what else it could be.
        quad: corners in pixels of the upright picture (x right, y down), clockwise from the tile's own top-left
            corner, so the face reads upright when the first edge is its top.
        by_context: True where the tile alone would be unknown and the others in the picture tell it.

    Raises:
        ValueError: a face-down tile with a name, a confidence outside 0..1, a quad that is not four points.
    """

    tile: Tile | None
    confidence: float
    quad: Quad
    face_down: bool = False
    alternatives: tuple[tuple[Tile, float], ...] = ()
    by_context: bool = False

    def __post_init__(self) -> None:
        if self.face_down and self.tile is not None:
            raise ValueError(f"expected no tile on a face-down reading, got {self.tile.code}")
        if not 0.0 <= self.confidence <= 1.0:
            raise ValueError(f"confidence: expected 0..1, got {self.confidence!r}")
        if len(self.quad) != 4 or any(len(point) != 2 for point in self.quad):
            raise ValueError(f"quad: expected four points [x, y], got {self.quad!r}")

    @property
    def code(self) -> str:
        """Notation code, ``back`` for a face-down tile, ``?`` for an unknown one."""
        if self.face_down:
            return BACK
        return UNKNOWN if self.tile is None else self.tile.code

    @property
    def is_unknown(self) -> bool:
        """True when a face is seen but not told."""
        return self.tile is None and not self.face_down

    @property
    def best(self) -> Tile | None:
        """The tile, or the best guess of an unknown one; None when there is neither."""
        if self.tile is not None or not self.alternatives:
            return self.tile
        return self.alternatives[0][0]

    @property
    def centre(self) -> Point:
        """Mean of the corners, in pixels."""
        return sum(x for x, _ in self.quad) / 4, sum(y for _, y in self.quad) / 4

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Enclosing upright rectangle x1, y1, x2, y2 in pixels."""
        xs, ys = [x for x, _ in self.quad], [y for _, y in self.quad]
        return min(xs), min(ys), max(xs), max(ys)

    def as_json(self) -> dict[str, object]:
        """The reading as `jinque read --json` prints it, less its group (the layout knows that).

        ``by_context`` is there where it is true.
        """
        return {
            "tile": self.code,
            "confidence": round(self.confidence, 4),
            "alternatives": [[tile.code, round(chance, 4)] for tile, chance in self.alternatives],
            "quad": [[round(x, 1), round(y, 1)] for x, y in self.quad],
            **({"by_context": True} if self.by_context else {}),
        }


def as_quad(corners: NDArray[np.floating]) -> Quad:
    """Corners [4, 2] as a tuple of four points; ValueError for another shape."""
    if corners.shape != (4, 2):
        raise ValueError(f"corners: expected shape [4, 2], got {list(corners.shape)}")
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d
