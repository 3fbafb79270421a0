"""What a detector found in one picture: parallel arrays, one row a tile, checked when built."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Quads: TypeAlias = NDArray[np.float32]
Floats: TypeAlias = NDArray[np.float32]
Bools: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class TileDetections:
    """Tiles found in one picture, in no particular order.

    Attributes:
        quads: float32 [N, 4, 2], corners of each face in pixels (x right, y down), clockwise as seen in the picture;
            which corner comes first carries no meaning until the face was named.
        scores: float32 [N] in 0..1, how sure the detector is that there is a tile.
        face_down: bool [N], True where the back of a tile was seen.

    Raises:
        ValueError: shapes or values that cannot be; the message says what was expected and what came.

    The arrays are made read-only.
    """

    quads: Quads
    scores: Floats
    face_down: Bools

    def __post_init__(self) -> None:
        quads = np.array(self.quads, dtype=np.float32)
        scores = np.array(self.scores, dtype=np.float32)
        face_down = np.array(self.face_down, dtype=np.bool_)
        count = quads.shape[0] if quads.ndim else 0
        _expect_shape("quads", quads, (count, 4, 2))
        _expect_shape("scores", scores, (count,))
        _expect_shape("face_down", face_down, (count,))
        if not np.isfinite(quads).all():
            raise ValueError("quads: expected finite pixels, got nan or inf")
        if count and not ((scores >= 0) & (scores <= 1)).all():
            raise ValueError(f"scores: expected values in 0..1, got {scores.min():.4g}..{scores.max():.4g}")
        for name, array in (("quads", quads), ("scores", scores), ("face_down", face_down)):
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    @classmethod
    def empty(cls) -> TileDetections:
        """No tiles.

        >>> len(TileDetections.empty())
        0
        """
        return cls(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32), np.zeros(0, np.bool_))

    @classmethod
    def merge(cls, parts: Iterable[TileDetections]) -> TileDetections:
        """All rows of the parts one after the other; duplicates are kept."""
        rows = list(parts)
        if not rows:
            return cls.empty()
        return cls(
            np.concatenate([part.quads for part in rows]),
            np.concatenate([part.scores for part in rows]),
            np.concatenate([part.face_down for part in rows]),
        )

    def __len__(self) -> int:
        return int(self.quads.shape[0])

    def __getitem__(self, rows: NDArray[Any] | slice | list[int]) -> TileDetections:
        """The rows picked by a boolean mask [N], a list or array of indices, or a slice."""
        if isinstance(rows, np.ndarray) and rows.dtype == np.bool_:
            _expect_shape("mask", rows, (len(self),))
        index = np.asarray(rows, dtype=np.intp) if isinstance(rows, list) else rows
        return TileDetections(self.quads[index], self.scores[index], self.face_down[index])

    @property
    def boxes(self) -> Floats:
        """Enclosing upright rectangles, float32 [N, 4] as x1 y1 x2 y2 in pixels."""
        if not len(self):
            return np.zeros((0, 4), np.float32)
        return np.concatenate([self.quads.min(axis=1), self.quads.max(axis=1)], axis=1)

    @property
    def centres(self) -> Floats:
        """Mean of the four corners, float32 [N, 2] in pixels."""
        centres: Floats = self.quads.mean(axis=1, dtype=np.float32).reshape(-1, 2)
        return centres

    @property
    def areas(self) -> NDArray[np.float64]:
        """Areas of the quads, float64 [N] in square pixels."""
        x, y = self.quads[..., 0].astype(np.float64), self.quads[..., 1].astype(np.float64)
        return np.asarray(np.abs((x * np.roll(y, -1, 1) - y * np.roll(x, -1, 1)).sum(axis=1)) / 2)


def _expect_shape(name: str, array: NDArray[Any], shape: tuple[int, ...]) -> None:
    if array.shape != shape:
        raise ValueError(f"{name}: expected shape {list(shape)}, got {list(array.shape)}")
