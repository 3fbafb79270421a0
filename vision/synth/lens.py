"""From a clean picture to a photograph: uneven light, colour cast, glare, blur, noise, compression."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


def _smooth_field(rng: np.random.Generator, size_px: tuple[int, int], cells: int, spread: float) -> NDArray[np.float32]:
    small = (1 + spread * rng.standard_normal((cells, cells))).astype(np.float32)
    return np.asarray(cv2.resize(small, (size_px[1], size_px[0]), interpolation=cv2.INTER_CUBIC), np.float32)


@lru_cache(maxsize=4)
def _grain(variant: int) -> NDArray[np.float32]:
    rng = np.random.default_rng([77, variant])
    return rng.standard_normal((1100, 1100, 3)).astype(np.float32)


def _crop_of(grain: NDArray[np.float32], rng: np.random.Generator, height: int, width: int) -> NDArray[np.float32]:
    """A piece of the grain, repeated where the picture is larger."""
    if height > grain.shape[0] or width > grain.shape[1]:
        grain = np.tile(grain, (height // grain.shape[0] + 2, width // grain.shape[1] + 2, 1))
    y, x = int(rng.integers(grain.shape[0] - height + 1)), int(rng.integers(grain.shape[1] - width + 1))
    return grain[y : y + height, x : x + width]


def light_up(image: Image, gloss: Image, rng: np.random.Generator, strength: float = 1.0) -> Image:
    """Uneven light, shadows of what is outside the picture, and glare where ``gloss`` (HxW) allows."""
    height, width = image.shape[:2]
    field: NDArray[Any] = _smooth_field(rng, (64, 64), 3, 0.11 * strength)
    if rng.random() < 0.35:  # someone stands in the light
        blob = np.ones((64, 64), np.float32)
        at = (int(rng.integers(-10, 74)), int(rng.integers(-10, 74)))
        axes = (int(rng.integers(10, 40)), int(rng.integers(10, 40)))
        cv2.ellipse(blob, at, axes, float(rng.uniform(0, 180)), 0, 360, float(rng.uniform(0.45, 0.9)), -1)
        field *= cv2.GaussianBlur(blob, (0, 0), float(rng.uniform(1.5, 8)))
    balance = np.exp(rng.normal(0, 0.045 * strength, 3)).astype(np.float32)
    temperature = float(rng.normal(0, 0.075)) * strength
    balance *= np.array([1 - temperature, 1.0, 1 + temperature], np.float32)
    exposure = math.exp(float(np.clip(rng.normal(-0.03, 0.2), -0.7, 0.3)) * strength)
    gain: NDArray[Any] = np.clip(field, 0.25, 1.6)[:, :, None] * balance * exposure
    gain = cv2.resize(gain.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    out = image.astype(np.float32) * gain
    if rng.random() < 0.45:
        glare: NDArray[Any] = np.zeros((64, 64), np.float32)
        for _ in range(int(rng.integers(1, 4))):
            at = (int(rng.integers(0, 64)), int(rng.integers(0, 64)))
            axes = (int(rng.integers(2, 14)), int(rng.integers(1, 9)))
            cv2.ellipse(glare, at, axes, float(rng.uniform(0, 180)), 0, 360, float(rng.uniform(60, 220)), -1)
        glare = cv2.GaussianBlur(glare, (0, 0), float(rng.uniform(1, 5)))
        big = cv2.resize(glare, (width, height), interpolation=cv2.INTER_LINEAR)
        out += (big * gloss.astype(np.float32) * (1 / 255))[:, :, None]
    if rng.random() < 0.5:  # tone curve of the camera
        gamma = math.exp(float(rng.normal(0, 0.18)))
        table = (np.linspace(0, 1, 256) ** gamma * 255).astype(np.uint8)
        toned: Image = np.clip(out, 0, 255).astype(np.uint8)
        return np.asarray(cv2.LUT(toned, table), np.uint8)
    return np.asarray(np.clip(out, 0, 255), np.uint8)


def expose(image: Image, rng: np.random.Generator, strength: float = 1.0) -> Image:
    """Blur, motion, low resolution, noise, sharpening and JPEG, each by chance."""
    out: NDArray[Any] = image
    height, width = image.shape[:2]
    choice = rng.random()
    if choice < 0.4:
        out = cv2.GaussianBlur(out, (0, 0), 0.3 + abs(float(rng.normal(0, 0.6))) * strength)
    elif choice < 0.58:
        length = 3 + int(rng.integers(0, max(1, round(7 * strength))))
        kernel = np.zeros((length, length), np.float32)
        angle = float(rng.uniform(0, math.pi))
        dx, dy = math.cos(angle) * (length - 1) / 2, math.sin(angle) * (length - 1) / 2
        middle = (length - 1) / 2
        ends = (round(middle - dx), round(middle - dy)), (round(middle + dx), round(middle + dy))
        cv2.line(kernel, ends[0], ends[1], 1.0)
        out = cv2.filter2D(out, -1, kernel / kernel.sum())
    if rng.random() < 0.15:  # out of focus towards one end
        soft = cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.8, 2.5)) * strength)
        ramp = np.clip(np.linspace(-0.6, 1.2, height, dtype=np.float32), 0, 1)[:, None]
        if rng.random() < 0.4:
            ramp = ramp[::-1]
        share = np.repeat(np.repeat(ramp, width, axis=1)[:, :, None], 3, axis=2)
        out = cv2.add(cv2.multiply(out, 1 - share, dtype=cv2.CV_8U), cv2.multiply(soft, share, dtype=cv2.CV_8U))
    if rng.random() < 0.2:
        factor = float(rng.uniform(0.5, 0.9))
        small = cv2.resize(out, (round(width * factor), round(height * factor)), interpolation=cv2.INTER_AREA)
        out = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.3:
        soft = cv2.GaussianBlur(out, (0, 0), 1.2)
        out = cv2.addWeighted(out, 1 + float(rng.uniform(0.3, 1.0)), soft, -float(rng.uniform(0.3, 1.0)), 0)
    if rng.random() < 0.75:
        noise = _crop_of(_grain(int(rng.integers(2))), rng, height, width)
        amount = abs(float(rng.normal(0, 5))) * strength
        out = cv2.add(out, noise * amount, dtype=cv2.CV_8U)
    if rng.random() < 0.8:
        quality = int(rng.integers(40, 96))
        _, data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, quality])
        out = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return np.asarray(out, np.uint8)


def webcam(image: Image, rng: np.random.Generator) -> Image:
    """The picture of a cheap camera in a dim room: few real pixels, soft, noisy, flat, compressed; same size."""
    height, width = image.shape[:2]
    factor = float(rng.uniform(0.4, 0.85))
    size = (round(width * factor), round(height * factor))
    out: NDArray[Any] = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    contrast, lift = float(rng.uniform(0.45, 0.95)), float(rng.uniform(-10, 60))
    grey = cv2.cvtColor(cv2.cvtColor(out, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    colour = float(rng.uniform(0.4, 1.0))
    out = cv2.addWeighted(out, contrast * colour, grey, contrast * (1 - colour), lift)
    out = cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.3, 1.1)))
    grain = _grain(int(rng.integers(2)))
    out = cv2.add(out, _crop_of(grain, rng, size[1], size[0]) * float(rng.uniform(1, 9)), dtype=cv2.CV_8U)
    if rng.random() < 0.5:  # denoised by the camera: flat patches, smeared strokes
        out = cv2.bilateralFilter(np.asarray(out, np.uint8), 5, float(rng.uniform(10, 40)), 2.0)
    _, data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 85))])
    out = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return np.asarray(cv2.resize(out, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
