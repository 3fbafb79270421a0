"""What tiles lie on: cloth, mats, wood, desks; and the room behind. Patterns are drawn once and coloured per scene."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

PATTERNS = ("felt", "mat", "wood", "plain", "weave", "marble", "planks", "speckle")
VARIANTS = 12
_SIZE = 512


def _noise(rng: np.random.Generator, cells: tuple[int, int]) -> NDArray[np.float32]:
    """Smooth noise over the whole pattern, zero mean, unit spread; repeats at its edges."""
    small = rng.standard_normal((cells[1], cells[0])).astype(np.float32)
    wrapped = np.pad(small, 2, mode="wrap")
    factor = (_SIZE / cells[0], _SIZE / cells[1])
    size = (round(wrapped.shape[1] * factor[0]), round(wrapped.shape[0] * factor[1]))
    big = cv2.resize(wrapped, size, interpolation=cv2.INTER_CUBIC)
    x, y = round(2 * factor[0]), round(2 * factor[1])
    out = big[y : y + _SIZE, x : x + _SIZE]
    return np.asarray(out / (out.std() + 1e-6), np.float32)


@lru_cache(maxsize=128)
def pattern(kind: str, variant: int) -> Image:
    """A grey 512x512 pattern about 128, the same for the same arguments."""
    rng = np.random.default_rng([PATTERNS.index(kind), variant])
    fine = rng.standard_normal((_SIZE, _SIZE)).astype(np.float32)
    ys, xs = np.mgrid[0:_SIZE, 0:_SIZE].astype(np.float32)
    if kind == "felt":
        field = cv2.GaussianBlur(fine, (0, 0), 0.8) * 14 + _noise(rng, (24, 24)) * 4
    elif kind == "mat":
        pitch = float(rng.choice([4, 8, 16, 32]))
        field = np.sin(xs * 2 * np.pi / pitch) * np.sin(ys * 2 * np.pi / pitch) * 30 + fine * 4
    elif kind == "wood":
        grain = _noise(rng, (3, 96)) * 10 + _noise(rng, (6, 256)) * 9
        field = grain + np.sin(ys / float(rng.uniform(6, 20)) + _noise(rng, (2, 6)) * 2) * 8 + fine * 2
    elif kind == "planks":
        rows = int(rng.integers(4, 9))
        step = rng.standard_normal(rows).astype(np.float32) * 14
        which = np.minimum((ys * rows / _SIZE).astype(int), rows - 1)
        seam = (np.abs((ys * rows / _SIZE) % 1.0) < 0.03) * -40.0
        field = step[which] + seam + _noise(rng, (4, 128)) * 9 + fine * 2
    elif kind == "weave":
        pitch = float(rng.choice([6, 10, 16]))
        field = ((np.floor(xs / pitch) + np.floor(ys / pitch)) % 2 - 0.5) * 22 + fine * 9
    elif kind == "marble":
        veins = np.abs(_noise(rng, (5, 5)) + 0.5 * _noise(rng, (14, 14)) + 0.25 * _noise(rng, (40, 40)))
        field = np.minimum(veins, 1.2) * 30 - 20 + fine * 2
    elif kind == "speckle":
        field = (cv2.GaussianBlur(fine, (0, 0), 1.4) * 3.5 > 1.1) * -50.0 + _noise(rng, (60, 60)) * 6
    else:
        field = _noise(rng, (4, 4)) * 3 + fine * 2
    return np.clip(np.asarray(field, np.float32) + 128, 0, 255).astype(np.uint8)


def _ramp(base: NDArray[np.float64], contrast: float, tint: NDArray[np.float64]) -> Image:
    """A colour table (1, 256, 3): the base colour at 128, darker and lighter around it."""
    level = (np.arange(256)[:, None] - 128) / 128
    return np.clip(base * (1 + contrast * level) + tint * level, 0, 255).astype(np.uint8)[None]


def random_colour(rng: np.random.Generator, kind: str) -> NDArray[np.float64]:
    """A base colour (BGR) such as that surface has."""
    if kind in ("wood", "planks"):
        hue, saturation, value = rng.uniform(8, 18), rng.uniform(40, 170), rng.uniform(60, 230)
    elif kind in ("felt", "mat", "weave"):
        hues = [60, 65, 70, 85, 95, 105, 115, 0, 125, 150]
        hue = float(hues[int(rng.integers(len(hues)))]) + rng.uniform(-6, 6)
        saturation, value = rng.uniform(30, 220), rng.uniform(30, 200)
    else:
        hue, saturation, value = rng.uniform(0, 180), rng.uniform(0, 90) ** 1.05, rng.uniform(40, 245)
    patch = np.array([[[hue % 180, min(255, saturation), value]]], np.uint8)
    return np.asarray(cv2.cvtColor(patch, cv2.COLOR_HSV2BGR)[0, 0], np.float64)


def lay(
    rng: np.random.Generator,
    kind: str,
    homography: Floats,
    size_px: tuple[int, int],
    colour: tuple[int, int, int] | None = None,
) -> Image:
    """The surface seen through the plane's ``homography`` (table to pixels), HxWx3; ``colour`` BGR or by chance."""
    source = pattern(kind, int(rng.integers(VARIANTS)))
    repeat = float(rng.uniform(6, 24)) if kind != "plain" else 40.0  # tile widths per pattern
    scale = np.array([[repeat / _SIZE, 0, 0], [0, repeat / _SIZE, 0], [0, 0, 1.0]])
    angle = float(rng.choice([0.0, np.pi / 2])) + float(rng.normal(0, 0.1))
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1.0]])
    matrix = homography @ turn @ scale
    grey = cv2.warpPerspective(
        source, matrix, (size_px[1], size_px[0]), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP
    )
    base = random_colour(rng, kind) if colour is None else np.array(colour, np.float64)
    table = _ramp(base, float(rng.uniform(0.3, 1.1)), rng.normal(0, 12, 3))
    return np.asarray(cv2.LUT(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), table), np.uint8)


def room(rng: np.random.Generator, size_px: tuple[int, int]) -> Image:
    """What is seen past the table: blurred patches, perhaps a row of book backs."""
    height, width = size_px
    low: NDArray[Any] = np.zeros((80, 80, 3), np.uint8)
    low[:] = np.clip(rng.uniform(10, 200) + rng.normal(0, 20, 3), 0, 255)
    for _ in range(int(rng.integers(4, 16))):
        x, y = int(rng.integers(-20, 80)), int(rng.integers(-20, 80))
        w, h = int(rng.integers(6, 60)), int(rng.integers(6, 60))
        shade = float(rng.uniform(10, 230))
        colour = tuple(float(value) for value in np.clip(shade + rng.normal(0, 16, 3), 0, 255))
        cv2.rectangle(low, (x, y), (x + w, y + h), colour, -1)
    low = cv2.GaussianBlur(low, (0, 0), float(rng.uniform(0.6, 3)))
    image = cv2.resize(low, (width, height), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.35:
        x = 0
        top = int(rng.integers(0, height // 3))
        while x < width:
            step = int(rng.integers(width // 60 + 2, width // 14))
            colour = tuple(float(v) for v in np.clip(rng.uniform(15, 240) + rng.normal(0, 40, 3), 0, 255))
            cv2.rectangle(image, (x, top), (x + step, height), colour, -1)
            if rng.random() < 0.6:
                ink = tuple(float(value) for value in rng.integers(0, 255, 3))
                for y in range(top + 10, height, 14):
                    cv2.line(image, (x + step // 2, y), (x + step // 2, y + 8), ink, max(1, step // 3))
            x += step
    return np.asarray(image, np.uint8)
