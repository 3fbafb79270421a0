"""Pictures on the backs of tiles: frames, lattices, bamboo grain, emblems."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.canvas import ASPECT, Canvas, Colour

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
KINDS = ("frame", "lattice", "grain", "emblem", "dots", "field")


def _other(rng: np.random.Generator, colour: Colour) -> tuple[float, float, float]:
    """A colour to print on a back: gold, white, darker or lighter than it."""
    base = np.array(colour, np.float64)
    chosen = [
        np.array([60.0, 170.0, 210.0]),
        np.full(3, 240.0),
        base * float(rng.uniform(0.45, 0.8)),
        base + (255 - base) * float(rng.uniform(0.25, 0.6)),
    ][int(rng.integers(4))]
    blue, green, red = (float(value) for value in np.clip(chosen + rng.normal(0, 8, 3), 0, 255))
    return blue, green, red


def patterned_back(
    rng: np.random.Generator, colour: Colour, size_px: tuple[int, int], kind: str | None = None
) -> Image:
    """A back (height, width, 3) BGR of a base colour with one of ``KINDS`` of pattern."""
    height, width = size_px
    kind = kind or str(rng.choice(KINDS))
    image = np.empty((height, width, 3), np.uint8)
    image[:] = colour
    ink = _other(rng, colour)
    line = max(1, round(width * float(rng.uniform(0.015, 0.04))))
    inset = round(width * float(rng.uniform(0.08, 0.2)))
    if kind == "grain":  # bamboo: fibres along the tile, a darker band at times
        stripes = cv2.GaussianBlur(rng.standard_normal((1, width)), (0, 0), 1.0) * float(rng.uniform(10, 40))
        fibres = cv2.resize(rng.standard_normal((6, width)), (width, height)) * 6
        return np.asarray(np.clip(image + (stripes + fibres)[:, :, None], 0, 255), np.uint8)
    if kind == "lattice":
        step = max(4, round(width * float(rng.uniform(0.1, 0.3))))
        for at in range(-height, width + height, step):
            cv2.line(image, (at, 0), (at + height, height), ink, line, cv2.LINE_AA)
            cv2.line(image, (at, height), (at + height, 0), ink, line, cv2.LINE_AA)
    elif kind == "dots":
        step = max(5, round(width * float(rng.uniform(0.12, 0.25))))
        for y in range(step // 2, height, step):
            for x in range(step // 2, width, step):
                cv2.circle(image, (x, y), max(1, step // 5), ink, -1, cv2.LINE_AA)
    elif kind == "emblem":
        middle, radius = (width // 2, height // 2), round(width * float(rng.uniform(0.15, 0.32)))
        cv2.circle(image, middle, radius, ink, line if rng.random() < 0.6 else -1, cv2.LINE_AA)
        inner = round(radius * 0.55)
        corners = ((middle[0] - inner, middle[1] - inner), (middle[0] + inner, middle[1] + inner))
        cv2.rectangle(image, *corners, _other(rng, colour), line, cv2.LINE_AA)
    if kind == "field":  # an inner field in another colour
        cv2.rectangle(image, (inset, inset), (width - inset, height - inset), ink, -1)
    elif kind == "frame" or rng.random() < 0.4:
        cv2.rectangle(image, (inset, inset), (width - inset, height - inset), ink, line, cv2.LINE_AA)
    return image


def framed_white(rng: np.random.Generator, width_px: int) -> Image:
    """A white dragon with a frame, as premultiplied BGRA ink (height, width, 4)."""
    canvas = Canvas(width_px)
    inset = float(rng.uniform(0.1, 0.18))
    box = [(inset, inset), (1 - inset, inset), (1 - inset, ASPECT - inset), (inset, ASPECT - inset)]
    ink: Colour = (int(rng.integers(90, 200)), int(rng.integers(20, 90)), int(rng.integers(10, 60)))
    canvas.line(box, float(rng.uniform(0.025, 0.05)), ink, closed=True)
    return canvas.reduced(width_px)
