"""Draws one tile as a rounded two-coloured box with OpenCV polygons and one warped face."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.camera import Camera
from vision.synth.designs import BACK_PICTURE, Body, Design
from vision.synth.placing import Placed

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

_SHIFT = 4
_FACE = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]], np.float64) / 2


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """Direction towards the lamp (unit, world) and how much comes from everywhere."""

    direction: Floats
    ambient: float

    def on(self, normal: Floats) -> float:
        """Brightness of a surface, 1 for one that faces up."""
        up = self.ambient + (1 - self.ambient) * float(self.direction[2])
        return (self.ambient + (1 - self.ambient) * max(0.0, float(normal @ self.direction))) / up


def surface_corners(placed: Placed, body: Body, back: bool) -> Floats:
    """The four corners (4, 3) of face or back, clockwise as one looks at it, from the tile's own top left."""
    half = body.thickness / 2
    corners = np.column_stack([_FACE[:, 0] * (-1 if back else 1), _FACE[:, 1] * body.height, np.full(4, half)])
    if back:
        corners[:, 2] = -half
    return placed.centre + corners @ placed.axes.T


_UNIT_SHADE = 200
"""Value of a shade map that leaves a colour as it is."""


@lru_cache(maxsize=512)
def _shade(width: int, height: int, aspect: float, radius: float, octant: int) -> tuple[Image, Image]:
    """How the rounded rim of a face is lit, HxWx3 (``_UNIT_SHADE``: as the flat middle), and its alpha, HxW.

    ``aspect`` is the true height of the face in widths, ``radius`` its rounding; ``octant`` is where the light comes
    from as seen on the face, in eighths of a turn from its right, counterclockwise.
    """
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    xs, ys = (xs + 0.5) / width, (ys + 0.5) / height * aspect
    dx = np.maximum(xs - (1 - radius), 0) - np.maximum(radius - xs, 0)
    dy = np.maximum(radius - ys, 0) - np.maximum(ys - (aspect - radius), 0)
    distance = np.hypot(dx, dy) / radius
    alpha = np.clip((1.02 - distance) * radius * width + 0.5, 0, 1)
    angle = octant * math.pi / 4
    towards = (dx * math.cos(angle) + dy * math.sin(angle)) / radius
    rim = np.clip(distance, 0, 1) ** 2
    shade = _UNIT_SHADE * (1 - 0.14 * rim + 0.16 * towards * np.clip(distance, 0, 1)) * alpha
    grey = np.clip(shade, 0, 255).astype(np.uint8)
    return np.ascontiguousarray(np.repeat(grey[:, :, None], 3, axis=2)), (alpha * 255).astype(np.uint8)


def plate(design: Design, index: int, width_px: float, light: float, octant: int) -> Image:
    """The face ``index`` (42: the back) as premultiplied BGRA, lit, its rim shaded.

    It comes in the smallest stored size that is not much smaller than ``width_px``; its proportions are the canvas's.
    """
    pictures = next((level for level in reversed(design.levels) if level.shape[2] * 1.3 >= width_px), design.levels[0])
    height, width = pictures.shape[1:3]
    body = design.body
    shade, alpha = _shade(width, height, round(body.height * 50) / 50, round(max(body.radius, 0.02), 2), octant)
    out = np.empty((height, width, 4), np.uint8)
    out[:, :, :3] = cv2.multiply(pictures[index], shade, scale=light / _UNIT_SHADE)
    out[:, :, 3] = alpha
    return out


def _fixed(points: Floats) -> NDArray[np.int32]:
    return np.round(np.clip(points, -4000, 12000) * (1 << _SHIFT)).astype(np.int32)


def _blob(image: Image, points: Floats, radius_px: float, colour: tuple[float, float, float]) -> None:
    """The hull of ``points`` grown by ``radius_px`` with round corners."""
    hull = cv2.convexHull(points.astype(np.float32))[:, 0]
    fixed = _fixed(np.asarray(hull, np.float64))
    cv2.fillConvexPoly(image, fixed, colour, cv2.LINE_AA, _SHIFT)
    width = round(2 * radius_px)
    if width >= 1:
        cv2.polylines(image, [fixed], True, colour, width, cv2.LINE_AA, _SHIFT)


def _times(colour: tuple[int, int, int], factor: float) -> tuple[float, float, float]:
    return min(255.0, colour[0] * factor), min(255.0, colour[1] * factor), min(255.0, colour[2] * factor)


def paste(image: Image, picture: Image, quad: Floats) -> None:
    """Warp a premultiplied BGRA picture so that its corners fall on ``quad`` (4, 2), and lay it over the image."""
    height, width = picture.shape[:2]
    x0, y0 = np.floor(quad.min(0)).astype(int) - 1
    x1, y1 = np.ceil(quad.max(0)).astype(int) + 2
    x0, y0 = max(int(x0), 0), max(int(y0), 0)
    x1, y1 = min(int(x1), image.shape[1]), min(int(y1), image.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    target = (quad - [x0, y0]).astype(np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source, target)
    warped = cv2.warpPerspective(picture, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
    region = image[y0:y1, x0:x1]
    keep = cv2.cvtColor(255 - warped[:, :, 3], cv2.COLOR_GRAY2BGR)
    cv2.add(cv2.multiply(region, keep, scale=1 / 255), warped[:, :, :3], dst=region)


def draw_tile(image: Image, camera: Camera, light: Light, design: Design, placed: Placed, tone: float) -> None:
    """Draw a tile over what is there; ``tone`` is its own slight difference in brightness.

    The body is two rounded slabs (face side, back side), the farther one first, then the face or back that is seen.
    """
    body = design.body
    half = np.array([0.5, body.height / 2, body.thickness / 2])
    view = camera.position - placed.centre
    along = view @ placed.axes
    facing = along[2] > 0
    split = -half[2] + body.back_share * body.thickness
    radius = min(body.radius, 0.45 * min(body.thickness * max(body.back_share, 0.25), 1))
    scale = float(np.mean(camera.focal_px)) / max(float(camera.depth(placed.centre)), 0.2)
    slabs = [(split, half[2], body.face), (-half[2], split, body.back)]
    if body.back_share <= 0.01:
        slabs = [(-half[2], half[2], body.face)]
    elif facing:
        slabs.reverse()
    lit = {}
    for axis in range(3):
        sign = 1.0 if along[axis] > 0 else -1.0
        lit[axis] = light.on(placed.axes[:, axis] * sign) * tone
    for low, high, colour in slabs:
        z0 = low + (radius if low == -half[2] else 0.0)
        z1 = high - (radius if high == half[2] else 0.0)
        x, y = half[0] - radius, half[1] - radius
        box = np.array([[i, j, k] for i in (-x, x) for j in (-y, y) for k in (z0, z1)])
        world = placed.centre + box @ placed.axes.T
        pixels = camera.project(world)
        edge = 0.86 * float(np.mean([lit[0], lit[1], lit[2]]))
        _blob(image, pixels, radius * scale, _times(colour, edge))
        for axis, (first, second) in ((0, (y, z0)), (1, (x, z0))):
            beyond = abs(along[axis]) > half[axis]
            if not beyond:
                continue
            at = half[axis] if along[axis] > 0 else -half[axis]
            spans = [(-first, z0), (first, z0), (first, z1), (-first, z1)]
            corners = np.array([[at, a, b] if axis == 0 else [a, at, b] for a, b in spans])
            del second
            polygon = camera.project(placed.centre + corners @ placed.axes.T)
            cv2.fillConvexPoly(image, _fixed(polygon), _times(colour, lit[axis]), cv2.LINE_AA, _SHIFT)
    if abs(along[2]) <= half[2]:
        return
    quad = camera.project(surface_corners(placed, body, back=not facing))
    longest = float(max(np.linalg.norm(quad[0] - quad[1]), np.linalg.norm(quad[1] - quad[2]) / body.height))
    towards = light.direction @ placed.axes
    octant = round(math.atan2(towards[1], towards[0] if facing else -towards[0]) / (math.pi / 4)) % 8
    picture = plate(design, int(placed.tile) if facing else BACK_PICTURE, longest, lit[2], octant)
    paste(image, picture, quad)
