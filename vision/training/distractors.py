"""Things with lettering and edges that are no tiles: book spines, pages, boxes, devices. Drawn behind the tiles.

Without them a detector takes every small bright rectangle with strokes on it for a face.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.fonts import glyph, hanzi_fonts, pick

Image = NDArray[np.uint8]
THINGS = 120  # how many there are
HANZI = "的是不了人我在有他这大来上国和地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家"
LATIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789&.-"


def scatter(rng: np.random.Generator, canvas: Image, count: int) -> None:
    """Draw ``count`` things at random places, sizes and angles into a square canvas, in place."""
    side = canvas.shape[0]
    for _ in range(count):
        patch = _things()[int(rng.integers(THINGS))]
        height, width = patch.shape[:2]
        scale = side * rng.uniform(0.2, 1.1) / max(height, width)
        turn = rng.normal(0, 0.15) if rng.random() < 0.6 else rng.uniform(-math.pi, math.pi)
        cos, sin = math.cos(turn) * scale, math.sin(turn) * scale
        lean = rng.normal(0, 0.15) * scale
        matrix = np.array([[cos, -sin + lean, 0], [sin, cos, 0]])
        matrix[:, 2] = rng.uniform(0, side, 2) - matrix[:, :2] @ (width / 2, height / 2)
        mask = (
            cv2.warpAffine(np.full((height, width), 255, np.uint8), matrix, (side, side), flags=cv2.INTER_NEAREST) > 0
        )
        canvas[mask] = cv2.warpAffine(patch, matrix, (side, side), flags=cv2.INTER_LINEAR)[mask]


def piece(rng: np.random.Generator) -> Image:
    """A thing, or a part of one, as a picture of its own."""
    patch = _things()[int(rng.integers(THINGS))]
    height, width = patch.shape[:2]
    high, wide = (max(12, round(side * float(rng.uniform(0.15, 1.0)))) for side in (height, width))
    top, left = int(rng.integers(height - high + 1)), int(rng.integers(width - wide + 1))
    return patch[top : top + high, left : left + wide]


@lru_cache(maxsize=1)
def _things() -> tuple[Image, ...]:
    """The same stock of things in every run, drawn once: lettering is slow."""
    rng = np.random.default_rng(THINGS)
    kinds: tuple[Callable[[np.random.Generator], Image], ...] = (_shelf, _page, _box, _device)
    return tuple(kinds[index % len(kinds)](rng) for index in range(THINGS))


def _colour(rng: np.random.Generator, low: float = 0, high: float = 255) -> tuple[float, float, float]:
    if rng.random() < 0.35:
        grey = float(rng.uniform(low, high))
        return (grey, grey, grey)
    blue, green, red = rng.uniform(low, high, 3)
    return (float(blue), float(green), float(red))


def _paper(rng: np.random.Generator, height: int, width: int, low: float = 0) -> Image:
    patch = np.empty((height, width, 3), np.uint8)
    patch[:] = np.array(_colour(rng, low)).astype(np.uint8)
    return patch


def _write(rng: np.random.Generator, patch: Image, x: int, y: int, size: int, steps: int, down: bool) -> None:
    """A line of characters of ``size`` pixels from the upper left corner x, y, to the right or downwards."""
    fonts = hanzi_fonts()
    letters = HANZI if fonts and rng.random() < 0.6 else LATIN
    font = pick(rng, fonts) if fonts else None
    ink = np.array(
        _colour(rng, 0, 110) if patch[y % len(patch), x % patch.shape[1]].mean() > 120 else _colour(rng, 140)
    )
    for step in range(steps):
        left, top = (x, y + step * int(size * 1.15)) if down else (x + step * int(size * 1.1), y)
        if left + size > patch.shape[1] or top + size > patch.shape[0]:
            return
        letter = letters[int(rng.integers(len(letters)))]
        if font is None:
            cv2.putText(patch, letter, (left, top + size), cv2.FONT_HERSHEY_SIMPLEX, size / 28, ink.tolist(), 1)
            continue
        mask = cv2.resize(glyph(font, letter), (size, size), interpolation=cv2.INTER_AREA)[..., None] / 255
        spot = patch[top : top + size, left : left + size]
        spot[:] = (spot * (1 - mask) + ink * mask).astype(np.uint8)


def _shelf(rng: np.random.Generator) -> Image:
    """Spines of books side by side, lettered downwards."""
    patch = np.zeros((320, 480, 3), np.uint8)
    x = 0
    while x < 470:
        width = int(rng.integers(12, 70))
        top = int(rng.integers(0, 60))
        patch[top:, x : x + width] = np.array(_colour(rng, 20)).astype(np.uint8)
        size = int(min(width * rng.uniform(0.4, 0.8), 40))
        if size >= 7:
            _write(
                rng,
                patch,
                x + (width - size) // 2,
                top + int(rng.integers(5, 60)),
                size,
                int(rng.integers(3, 14)),
                True,
            )
        if rng.random() < 0.4:
            band = int(rng.integers(top, 300))
            patch[band : band + int(rng.integers(4, 40)), x : x + width] = np.array(_colour(rng)).astype(np.uint8)
        x += width + int(rng.integers(1, 4))
    return patch


def _page(rng: np.random.Generator) -> Image:
    """A printed page: lines of text and a picture or table."""
    patch = _paper(rng, 360, 280, 150)
    size = int(rng.integers(8, 22))
    for y in range(12, 340, int(size * rng.uniform(1.3, 2.0))):
        if rng.random() < 0.85:
            _write(rng, patch, 14, y, size, int(rng.integers(3, 240 // size)), False)
    if rng.random() < 0.5:
        x, y = int(rng.integers(10, 150)), int(rng.integers(10, 220))
        cv2.rectangle(patch, (x, y), (x + 110, y + 90), _colour(rng), -1 if rng.random() < 0.5 else 2)
    return patch


def _box(rng: np.random.Generator) -> Image:
    """A package: one colour, a large word, small print, a label."""
    patch = _paper(rng, int(rng.integers(100, 320)), int(rng.integers(80, 320)))
    height, width = patch.shape[:2]
    for _ in range(int(rng.integers(1, 4))):
        size = int(rng.integers(8, max(10, min(height, width) // 3)))
        x, y = int(rng.integers(0, width // 2)), int(rng.integers(0, max(1, height - size)))
        _write(rng, patch, x, y, size, int(rng.integers(2, 9)), rng.random() < 0.3)
    if rng.random() < 0.5:
        x, y = int(rng.integers(0, width // 2)), int(rng.integers(0, height // 2))
        cv2.rectangle(patch, (x, y), (x + width // 3, y + height // 4), _colour(rng), -1)
    return patch


def _device(rng: np.random.Generator) -> Image:
    """A phone, keyboard or console: a dark or light body with keys, lenses or a screen."""
    patch = _paper(rng, int(rng.integers(120, 300)), int(rng.integers(90, 260)))
    height, width = patch.shape[:2]
    if rng.random() < 0.5:
        pitch = int(rng.integers(14, 40))
        key = _colour(rng)
        for y in range(6, height - pitch, pitch):
            for x in range(6, width - pitch, pitch):
                cv2.rectangle(patch, (x, y), (x + int(pitch * 0.8), y + int(pitch * 0.8)), key, -1)
                if rng.random() < 0.6:
                    _write(rng, patch, x + pitch // 5, y + pitch // 5, max(6, pitch // 2), 1, False)
    else:
        cv2.rectangle(patch, (6, 6), (width - 7, height - 7), _colour(rng), int(rng.choice([-1, 2, 4])))
        for _ in range(int(rng.integers(1, 5))):
            spot = (int(rng.integers(15, width - 15)), int(rng.integers(15, height - 15)))
            radius = int(rng.integers(5, 22))
            cv2.circle(patch, spot, radius, _colour(rng), -1)
            cv2.circle(patch, spot, radius // 2, _colour(rng), -1)
    return patch
