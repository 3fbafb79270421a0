"""Puts tiles into a picture: shadows, drawing order, which surface each pixel shows, and the labels that follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.seats import Seat
from vision.synth.camera import Camera
from vision.synth.designs import Body, Design
from vision.synth.placing import Placed
from vision.synth.solids import Light, draw_tile, surface_corners

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]
Seen = tuple[Placed, bool, Floats]
"""A tile, whether its back is what shows, and the corners of that surface in pixels."""
BACK = "back"


@dataclass(frozen=True, slots=True, eq=False)
class SceneTile:
    """One surface that can be seen: a face, or the back of a tile that lies face down or stands turned away.

    ``quad`` is (4, 2) float64 pixels (pixel centres at .5), clockwise from the tile's own top left corner; it may reach
    past the picture. ``occlusion`` is the share of it that is hidden or outside, 0..1.
    """

    code: str
    quad: Floats
    occlusion: float
    group: str
    pose: str
    seat: Seat | None = None
    """Whose tile it is, where the scene knows seats."""

    def box(self) -> tuple[float, float, float, float]:
        """Upright bounds x0, y0, x1, y1 of the quad in pixels."""
        (x0, y0), (x1, y1) = self.quad.min(0), self.quad.max(0)
        return float(x0), float(y0), float(x1), float(y1)


def cast_shadows(
    image: Image, camera: Camera, light: Light, placed: Sequence[Placed], body: Body, strength: float
) -> Image:
    """Contact and cast shadows on the table."""
    height, width = image.shape[:2]
    near = np.zeros(((height + 1) // 2, (width + 1) // 2), np.uint8)
    far = np.zeros_like(near)
    reach = light.direction[:2] / max(float(light.direction[2]), 0.25)
    scale = 0.0
    for item in placed:
        half = np.array([0.5, body.height / 2, body.thickness / 2])
        signs = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)], np.float64)
        points = item.centre + (signs * half) @ item.axes.T
        for mask, share in ((near, 0.3), (far, 1.0)):
            ground = points.copy()
            ground[:, :2] -= reach * points[:, 2:3] * share
            ground[:, 2] = 0
            outline = cv2.convexHull((camera.project(ground) / 2).astype(np.float32))[:, 0]
            cv2.fillConvexPoly(mask, np.round(np.clip(outline, -4000, 9000) * 16).astype(np.int32), 255, cv2.LINE_8, 4)
        scale = max(scale, float(np.mean(camera.focal_px)) / max(float(camera.depth(item.centre)), 0.5))
    near = cv2.GaussianBlur(near, (0, 0), max(0.8, scale * 0.045))
    far = cv2.GaussianBlur(far, (0, 0), max(1.2, scale * 0.12))
    dark = near.astype(np.float32) * (0.3 + 0.35 * strength) + far.astype(np.float32) * (0.5 * strength)
    keep = np.clip(255 - dark, 20, 255).astype(np.uint8)
    keep = cv2.resize(keep, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.multiply(image, cv2.cvtColor(keep, cv2.COLOR_GRAY2BGR), scale=1 / 255), np.uint8)


def draw_order(camera: Camera, placed: Sequence[Placed]) -> list[int]:
    """Far tiles first; on the same spot the lower one first."""
    distance = [float(np.linalg.norm(camera.position - item.centre)) for item in placed]
    return sorted(range(len(placed)), key=lambda index: -distance[index])


def paint(
    image: Image,
    gloss: Image,
    camera: Camera,
    light: Light,
    design: Design,
    placed: Sequence[Placed],
    rng: np.random.Generator,
) -> tuple[NDArray[np.int32], list[Seen]]:
    """Draw the tiles; returns the map of which surface each pixel shows (0 none, i+1) and the surfaces."""
    seen: list[Seen] = []
    owner = np.zeros(image.shape[:2], np.int32)
    body = design.body
    half = np.array([0.5, body.height / 2, body.thickness / 2])
    signs = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)], np.float64)
    for index in draw_order(camera, placed):
        item = placed[index]
        if float(camera.depth(item.centre)) < 1.5:
            continue
        hull = camera.project(item.centre + (signs * half) @ item.axes.T)
        if (hull.max(0) < 0).any() or hull[:, 0].min() > image.shape[1] or hull[:, 1].min() > image.shape[0]:
            continue
        draw_tile(image, camera, light, design, item, 1 + float(rng.normal(0, 0.015)))
        outline = np.round(cv2.convexHull(hull.astype(np.float32))[:, 0] * 16).astype(np.int32)
        cv2.fillConvexPoly(owner, outline, 0, cv2.LINE_8, 4)
        cv2.fillConvexPoly(gloss, outline, int(255 * body.gloss), cv2.LINE_8, 4)
        towards = float((camera.position - item.centre) @ item.axes[:, 2])
        if abs(towards) <= half[2]:
            continue
        quad = camera.project(surface_corners(item, body, back=towards < 0))
        seen.append((item, towards < 0, quad))
        cv2.fillConvexPoly(owner, np.round((quad - 0.5) * 16).astype(np.int32), len(seen), cv2.LINE_8, 4)
    return owner, seen


def label(owner: NDArray[np.int32], seen: Sequence[Seen]) -> tuple[SceneTile, ...]:
    """The labels of the surfaces of which at least a twentieth is visible."""
    visible = np.bincount(owner.ravel(), minlength=len(seen) + 1)
    tiles = []
    for number, (item, back, quad) in enumerate(seen, start=1):
        area = abs(float(cv2.contourArea(quad.astype(np.float32))))
        share = min(1.0, float(visible[number]) / max(area, 1.0))
        if area < 12 or share < 0.05:
            continue
        code = BACK if back else item.tile.code
        tiles.append(SceneTile(code, quad, round(1 - share, 3), item.group, item.pose, item.seat))
    return tuple(tiles)
