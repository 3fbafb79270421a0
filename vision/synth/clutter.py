"""Things on a table that are no tiles: dice, phones, cups, papers, and hands over the tiles."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.camera import Camera
from vision.synth.placing import Placed

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]


def _flat(image: Image, camera: Camera, corners: Floats, colour: tuple[float, ...]) -> None:
    outline = camera.project_polygon(np.column_stack([corners, np.zeros(len(corners))]))
    if len(outline) >= 3:
        fixed = np.round(np.clip(outline, -8000, 16000) * 16).astype(np.int32)
        cv2.fillPoly(image, [fixed], colour, cv2.LINE_AA, 4)


def _rectangle(x: float, y: float, w: float, h: float, angle: float) -> Floats:
    cos, sin = math.cos(angle), math.sin(angle)
    corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2
    return np.asarray(corners @ np.array([[cos, sin], [-sin, cos]]) + [x, y], np.float64)


def _colour(rng: np.random.Generator) -> tuple[float, ...]:
    """Mostly muted, as things in a room are."""
    spread = 18.0 if rng.random() < 0.75 else 70.0
    return tuple(float(value) for value in np.clip(rng.uniform(10, 245) + rng.normal(0, spread, 3), 0, 255))


def _die(image: Image, camera: Camera, rng: np.random.Generator, x: float, y: float) -> None:
    """A die: a small cube with pips, the most tile-like thing on a mahjong table."""
    edge = float(rng.uniform(0.45, 0.7))
    angle = float(rng.uniform(0, math.pi))
    base = _rectangle(x, y, edge, edge, angle)
    low = camera.project(np.column_stack([base, np.zeros(4)]))
    high = camera.project(np.column_stack([base, np.full(4, edge)]))
    white = float(rng.uniform(200, 250))
    colour = (white, white, white) if rng.random() < 0.8 else tuple(float(v) for v in rng.integers(20, 220, 3))
    hull = cv2.convexHull(np.concatenate([low, high]).astype(np.float32))[:, 0]
    cv2.fillConvexPoly(image, np.round(hull * 16).astype(np.int32), tuple(c * 0.75 for c in colour), cv2.LINE_AA, 4)
    cv2.fillConvexPoly(image, np.round(high * 16).astype(np.int32), colour, cv2.LINE_AA, 4)
    pips = int(rng.integers(1, 7))
    ink = (30.0, 30.0, 200.0) if pips in (1, 4) else (30.0, 30.0, 30.0)
    spots = {
        1: [(0.5, 0.5)],
        2: [(0.28, 0.28), (0.72, 0.72)],
        3: [(0.25, 0.25), (0.5, 0.5), (0.75, 0.75)],
        4: [(0.28, 0.28), (0.72, 0.28), (0.28, 0.72), (0.72, 0.72)],
        5: [(0.27, 0.27), (0.73, 0.27), (0.27, 0.73), (0.73, 0.73), (0.5, 0.5)],
        6: [(0.3, 0.23), (0.3, 0.5), (0.3, 0.77), (0.7, 0.23), (0.7, 0.5), (0.7, 0.77)],
    }[pips]
    size = float(np.linalg.norm(high[0] - high[1]))
    for u, v in spots:
        at = high[0] + (high[1] - high[0]) * u + (high[3] - high[0]) * v
        cv2.circle(image, (round(float(at[0])), round(float(at[1]))), max(1, round(size * 0.1)), ink, -1, cv2.LINE_AA)


def draw_tray(image: Image, camera: Camera, rng: np.random.Generator, placed: Sequence[Placed]) -> None:
    """A shallow case around the tiles: its rim and its dark floor."""
    points = np.array([item.centre[:2] for item in placed])
    low, high = points.min(0) - 0.85, points.max(0) + 0.85
    grow = float(rng.uniform(0.0, 0.5))
    shade = float(rng.uniform(15, 90))
    x, y = (low + high) / 2
    w, h = high - low + grow
    rim = float(rng.uniform(0.15, 0.5))
    for extra, tone in ((2 * rim, 1.0), (1.2 * rim, 1.5), (0.0, 0.55)):
        colour = tuple(min(255.0, shade * tone + value) for value in rng.normal(0, 3, 3))
        _flat(image, camera, _rectangle(float(x), float(y), w + extra, h + extra, 0.0), colour)


def _keypad(image: Image, camera: Camera, rng: np.random.Generator, x: float, y: float, angle: float) -> None:
    """A remote control or a keyboard: rows of light keys that are no tiles."""
    columns, rows = int(rng.integers(2, 9)), int(rng.integers(3, 7))
    pitch = float(rng.uniform(0.4, 1.1))
    _flat(image, camera, _rectangle(x, y, (columns + 0.6) * pitch, (rows + 0.6) * pitch, angle), _colour(rng))
    key = _colour(rng)
    cos, sin = math.cos(angle), math.sin(angle)
    for column in range(columns):
        for row in range(rows):
            dx, dy = (column - (columns - 1) / 2) * pitch, (row - (rows - 1) / 2) * pitch
            spot = (x + dx * cos - dy * sin, y + dx * sin + dy * cos)
            _flat(image, camera, _rectangle(*spot, pitch * 0.78, pitch * 0.72, angle), key)


def random_clutter(image: Image, camera: Camera, rng: np.random.Generator, placed: Sequence[Placed]) -> None:
    """A few things beside the tiles, drawn before them."""
    points = np.array([item.centre[:2] for item in placed])
    low, high = points.min(0) - 4, points.max(0) + 4
    for _ in range(int(rng.integers(0, 5))):
        x, y = float(rng.uniform(low[0], high[0])), float(rng.uniform(low[1], high[1]))
        if np.hypot(points[:, 0] - x, points[:, 1] - y).min() < 1.6:
            continue
        kind = rng.random()
        colour = _colour(rng)
        angle = float(rng.uniform(0, math.pi))
        if kind < 0.35:
            for _ in range(int(rng.integers(1, 4))):
                _die(image, camera, rng, x + float(rng.normal(0, 0.8)), y + float(rng.normal(0, 0.8)))
        elif kind < 0.55:  # phone, card, paper
            w, h = float(rng.uniform(1, 4)), float(rng.uniform(1.5, 6))
            _flat(image, camera, _rectangle(x, y, w, h, angle), colour)
            inner = _colour(rng)
            _flat(image, camera, _rectangle(x, y, w * 0.85, h * 0.85, angle), inner)
            if rng.random() < 0.5:
                for line in range(5):
                    along = _rectangle(x, y, w * 0.7, h * 0.02, angle) + np.array([-np.sin(angle), np.cos(angle)]) * (
                        h * (line - 2) * 0.13
                    )
                    _flat(image, camera, along, colour)
        elif kind < 0.8:  # cup, coaster, chip
            radius = float(rng.uniform(0.4, 2.0))
            turns = np.linspace(0, 2 * math.pi, 32, endpoint=False)
            ring = np.column_stack([x + radius * np.cos(turns), y + radius * np.sin(turns)])
            _flat(image, camera, ring, colour)
            inner = _colour(rng)
            _flat(image, camera, (ring - [x, y]) * 0.75 + [x, y], inner)
        elif kind < 0.9:
            _keypad(image, camera, rng, x, y, angle)
        else:  # a pen or stick
            _flat(image, camera, _rectangle(x, y, 0.3, float(rng.uniform(2, 8)), angle), colour)


def draw_hand(image: Image, owner: NDArray[np.int32], gloss: Image, rng: np.random.Generator) -> None:
    """A hand and sleeve that reach in from an edge and cover some tiles."""
    height, width = image.shape[:2]
    side = int(rng.integers(4))
    along = float(rng.uniform(0.1, 0.9))
    root = np.array(
        [[along * width, height + 20], [along * width, -20], [-20, along * height], [width + 20, along * height]][side]
    )
    reach = min(height, width) * float(rng.uniform(0.12, 0.5))
    inward = np.array([[0, -1], [0, 1], [1, 0], [-1, 0]][side], np.float64)
    angle = float(rng.normal(0, 0.4))
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    inward = turn @ inward
    palm = root + inward * reach
    thick = min(height, width) * float(rng.uniform(0.05, 0.13))
    mask = np.zeros((height, width), np.uint8)

    def limb(start: Floats, end: Floats, size: float) -> None:
        a, b = (round(float(start[0])), round(float(start[1]))), (round(float(end[0])), round(float(end[1])))
        cv2.line(mask, a, b, 255, max(2, round(size)), cv2.LINE_AA)

    limb(root, palm, thick * 1.5)
    for index in range(5):
        spread = (index - 2) * 0.28 + float(rng.normal(0, 0.08))
        finger = np.array([[math.cos(spread), -math.sin(spread)], [math.sin(spread), math.cos(spread)]]) @ inward
        limb(palm + finger * thick * 0.4, palm + finger * thick * float(rng.uniform(1.1, 2.0)), thick * 0.36)
    tone = float(rng.uniform(0.35, 1.05))
    skin = np.clip(np.array([135, 165, 215]) * tone + rng.normal(0, 8, 3), 0, 255)
    sleeve = rng.integers(10, 220, 3) if rng.random() < 0.5 else skin
    x0, y0, w, h = cv2.boundingRect(mask)
    if w == 0 or h == 0:
        return
    area = (slice(y0, y0 + h), slice(x0, x0 + w))
    part = mask[area]
    distance = cv2.distanceTransform(part, cv2.DIST_L2, 3)
    shade = np.clip(0.62 + 0.38 * distance / (thick * 0.5), 0.5, 1.0).astype(np.float32)
    ys = np.arange(y0, y0 + h, dtype=np.float32)[:, None] - np.float32(root[1])
    xs = np.arange(x0, x0 + w, dtype=np.float32)[None] - np.float32(root[0])
    far = (xs * np.float32(inward[0]) + ys * np.float32(inward[1])) > reach * 0.55
    cover = np.where(far[:, :, None], skin.astype(np.float32), sleeve.astype(np.float32)) * shade[:, :, None]
    soft = cv2.GaussianBlur(part, (0, 0), 0.8).astype(np.float32)[:, :, None] / 255
    image[area] = (image[area] * (1 - soft) + cover * soft).astype(np.uint8)
    owner[area][part > 127] = 0
    gloss[area][part > 127] = 20
