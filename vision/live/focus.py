"""Notices frames that are out of focus, or shaken: what is read in them is wrong more often than right."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

LOST = 0.4
"""A frame with less than this share of the usual sharpness is out of focus."""
LONGEST_S = 3.0
"""A camera that has hunted for its focus for so long will see no better: it is read as it is."""
RENEWED = 0.15
"""Share of the usual sharpness that each sharp frame renews: the table fills with tiles."""
BLACK = 25.0
"""Variance of a picture, in squared levels, below which it shows nothing at all, in focus or not."""
_WIDTH = 960


class Focus:
    """How sharp the frames of one camera usually are."""

    def __init__(self) -> None:
        self._usual: float | None = None
        self._since_s: float | None = None

    def is_lost(self, image_bgr: NDArray[np.uint8], time_s: float) -> bool:
        """Whether this frame [H, W, 3] is out of focus, by those before it."""
        now = sharpness(image_bgr)
        if now is None:
            return False
        if self._usual is None or now >= LOST * self._usual:
            self._usual = now if self._usual is None else self._usual + RENEWED * (now - self._usual)
            self._since_s = None
            return False
        if self._since_s is None:
            self._since_s = time_s
        if time_s - self._since_s < LONGEST_S:
            return True
        self._usual, self._since_s = now, None
        return False


def sharpness(image_bgr: NDArray[np.uint8]) -> float | None:
    """Share of a picture's contrast that is between neighbouring pixels: variance of its Laplacian by its own; None
    where it shows nothing.

    Measure LAPV of Pertuz et al., "Analysis of focus measure operators", 2013, by the contrast, so that the light does
    not matter.
    """
    step = max(1, image_bgr.shape[1] // _WIDTH)
    green = np.ascontiguousarray(image_bgr[::step, ::step, 1])
    contrast = float(green.var())
    return None if contrast < BLACK else float(cv2.Laplacian(green, cv2.CV_32F).var()) / contrast
