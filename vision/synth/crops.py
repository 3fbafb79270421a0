"""Quick single-face crops for the classifier: hundreds a second."""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.tiles import ALL_TILES, Tile
from vision.synth.camera import Camera
from vision.synth.designs import Design
from vision.synth.lens import expose, light_up
from vision.synth.placing import DOWN, STANDING, UP, place
from vision.synth.solids import Light, draw_tile, surface_corners
from vision.synth.surfaces import PATTERNS, pattern, random_colour

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]


def render_face_crop(
    rng: np.random.Generator, design: Design, tile: Tile | None, size: int = 64, margin: float = 0.12
) -> tuple[Image, Floats]:
    """A tile (None: the back of one) filling a ``size`` square, upright up to some degrees, neighbours around it.

    Returns the picture (size, size, 3) uint8 BGR and the quad (4, 2) of the surface in its pixels, clockwise from the
    tile's own top left. The picture is stretched as a rectified crop is: the face fills it but for ``margin`` a side.
    """
    body = design.body
    standing = bool(rng.random() < 0.35)
    pose = STANDING if standing else DOWN if tile is None else UP
    subject = tile if tile is not None else Tile(int(rng.integers(len(ALL_TILES))))
    tilt = float(rng.uniform(35, 86)) if standing else min(62.0, abs(float(rng.normal(0, 24))))
    turn = float(rng.normal(0, 14 if standing else 4)) + (180.0 if standing and tile is None else 0.0)
    work = size * 2 if size < 160 else size
    placed = [place(subject, body, 0.0, 0.0, turn, pose)]
    step_y = body.height if not standing else 3.0
    for dx, dy in ((-1, 0), (1, 0), (0, 1), (0, -1)):
        if rng.random() < (0.6 if dy == 0 else 0.25) and not (standing and dy == -1):
            other = Tile(int(rng.integers(len(ALL_TILES))))
            gap = 1 + abs(float(rng.normal(0, 0.04)))
            near = pose if rng.random() < 0.9 or standing else DOWN
            placed.append(place(other, body, dx * gap, dy * step_y * gap, turn + float(rng.normal(0, 3)), near))
    focal = work * float(rng.uniform(1.2, 4.0))
    distance = focal * body.height / (work * 0.8)
    camera = Camera.looking_at((0.0, 0.0), max(distance, 2.5), tilt, 0.0, (focal, focal), (work, work))
    quad = camera.project(surface_corners(placed[0], body, back=tile is None))
    fit = _stretch(rng, quad, work, margin)
    camera = Camera(
        camera.position,
        camera.rotation,
        (camera.focal_px[0] * fit[0], camera.focal_px[1] * fit[1]),
        ((camera.centre_px[0]) * fit[0] + fit[2], camera.centre_px[1] * fit[1] + fit[3]),
    )
    azimuth = float(rng.uniform(0, 2 * math.pi))
    direction = np.array([math.cos(azimuth), math.sin(azimuth), float(rng.uniform(0.35, 1.4))])
    light = Light(direction / np.linalg.norm(direction), float(rng.uniform(0.35, 0.8)))
    image = _ground(rng, work)
    for index in sorted(range(len(placed)), key=lambda k: -float(np.linalg.norm(camera.position - placed[k].centre))):
        draw_tile(image, camera, light, design, placed[index], 1 + float(rng.normal(0, 0.02)))
    quad = camera.project(surface_corners(placed[0], body, back=tile is None))
    gloss = np.full((work, work), int(255 * body.gloss), np.uint8)
    strength = float(rng.uniform(0.2, 1.1))
    image = light_up(image, gloss, rng, strength)
    if work != size:
        small: NDArray[Any]
        target = int(rng.integers(max(16, size // 3), size + 1)) if rng.random() < 0.7 else size
        small = cv2.resize(image, (target, target), interpolation=cv2.INTER_AREA)
        image = expose(np.asarray(small, np.uint8), rng, 0.6 * strength)
        if target != size:
            image = np.asarray(cv2.resize(image, (size, size), interpolation=cv2.INTER_LINEAR), np.uint8)
        quad = quad * (size / work)
    else:
        image = expose(image, rng, strength)
    return np.asarray(image, np.uint8), quad


def _stretch(rng: np.random.Generator, quad: Floats, work: int, margin: float) -> tuple[float, float, float, float]:
    """Scale and shift per axis that bring the quad's bounds to fill the picture but for a margin, with some error."""
    low, high = quad.min(0), quad.max(0)
    inside = work * (1 - 2 * margin)
    scale = inside / np.maximum(high - low, 1e-6) * np.exp(rng.normal(0, 0.05, 2))
    shift = work / 2 - (low + high) / 2 * scale + rng.normal(0, 0.03, 2) * work
    return float(scale[0]), float(scale[1]), float(shift[0]), float(shift[1])


def _ground(rng: np.random.Generator, work: int) -> Image:
    kind = PATTERNS[int(rng.integers(len(PATTERNS)))]
    source = pattern(kind, int(rng.integers(12)))
    side = min(work, source.shape[0])
    y, x = int(rng.integers(source.shape[0] - side + 1)), int(rng.integers(source.shape[1] - side + 1))
    grey = source[y : y + side, x : x + side]
    if side != work:
        grey = np.asarray(cv2.resize(grey, (work, work)), np.uint8)
    colour = random_colour(rng, kind) / 128
    return np.clip(grey[:, :, None] * colour, 0, 255).astype(np.uint8)
