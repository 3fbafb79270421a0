"""A picture at several scales. Its halves are kept, so that nobody goes over 12 megapixels anew for every use."""

from __future__ import annotations

from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Image: TypeAlias = NDArray[np.uint8]


class Halves:
    """A picture [H, W, 3] and its halves, each made when it is first asked for."""

    def __init__(self, image_bgr: Image) -> None:
        self._levels = [image_bgr]

    @classmethod
    def of(cls, picture: Image | Halves) -> Halves:
        """The halves of a picture, or the ones that are there already."""
        return picture if isinstance(picture, Halves) else cls(picture)

    @property
    def image(self) -> Image:
        """The picture itself."""
        return self._levels[0]

    def level(self, times: int) -> Image:
        """The picture halved so many times; a side is never less than a pixel."""
        while len(self._levels) <= times:
            height, width = self._levels[-1].shape[:2]
            half = (max(1, width // 2), max(1, height // 2))
            self._levels.append(_image(cv2.resize(self._levels[-1], half, interpolation=cv2.INTER_AREA)))
        return self._levels[times]

    def resized(self, scale: float, *, quick: bool = False) -> Image:
        """The picture resized by ``scale``."""
        height, width = self.image.shape[:2]
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        times = 0
        while size[0] <= width >> times + 1 and size[1] <= height >> times + 1:
            times += 1
        source = self.level(times)
        how = cv2.INTER_AREA if size[0] < source.shape[1] and not quick else cv2.INTER_LINEAR
        return source if size == source.shape[1::-1] else _image(cv2.resize(source, size, interpolation=how))


def _image(array: NDArray[Any]) -> Image:
    return np.asarray(array, np.uint8)
