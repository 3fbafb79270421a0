"""Renders a seeded scene of tiles on a table with exact labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.arrangements import DOWN, LAYOUTS, STANDING, Placed
from vision.synth.camera import Camera
from vision.synth.clutter import draw_hand, random_clutter
from vision.synth.designs import Body, Design
from vision.synth.lens import expose, light_up
from vision.synth.solids import Light, draw_tile, surface_corners
from vision.synth.surfaces import PATTERNS, lay, room

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]
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

    def box(self) -> tuple[float, float, float, float]:
        """Upright bounds x0, y0, x1, y1 of the quad in pixels."""
        (x0, y0), (x1, y1) = self.quad.min(0), self.quad.max(0)
        return float(x0), float(y0), float(x1), float(y1)


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A picture (HxWx3 uint8, BGR) and what is in it."""

    image: Image
    tiles: tuple[SceneTile, ...]


def fit_camera(
    rng: np.random.Generator, placed: Sequence[Placed], body: Body, size_px: tuple[int, int], tilt: float, roll: float
) -> Camera:
    """A camera from whose place the tiles fill the picture, more or less; sometimes it cuts some off."""
    short = min(size_px)
    focal = short * float(rng.uniform(0.85, 1.7))
    squeeze = float(rng.uniform(0.75, 1.33)) if rng.random() < 0.35 else float(rng.uniform(0.97, 1.03))
    focals = (focal * math.sqrt(squeeze), focal / math.sqrt(squeeze))
    points = np.concatenate([surface_corners(item, body, back) for item in placed for back in (False, True)])
    middle = (points.min(0) + points.max(0)) / 2
    reach = float(np.linalg.norm(points.max(0)[:2] - points.min(0)[:2]))
    fill = float(rng.uniform(0.6, 1.25)) if len(placed) > 8 else float(rng.uniform(0.3, 0.95))
    target = (float(middle[0] + rng.normal(0, 0.06) * reach), float(middle[1] + rng.normal(0, 0.06) * reach))
    distance = focal * max(reach, 3.0) / (fill * short)
    for _ in range(2):
        camera = Camera.looking_at(target, distance, tilt, roll, focals, size_px)
        pixels = camera.project(points)
        spread = (pixels.max(0) - pixels.min(0)) / np.array([size_px[1], size_px[0]])
        distance *= float(np.clip(spread.max() / fill, 0.5, 2.5))
    widest = focal / distance  # a tile's width in px about the middle
    if widest < 15 * short / 640:
        distance *= widest / (15 * short / 640) * 0.8
    elif widest > 0.3 * short:
        distance *= widest / (0.3 * short)
    return Camera.looking_at(target, max(distance, 3.0), tilt, roll, focals, size_px)


def _background(rng: np.random.Generator, camera: Camera, placed: Sequence[Placed], size_px: tuple[int, int]) -> Image:
    image = room(rng, size_px)
    points = np.array([item.centre[:2] for item in placed])
    low, high = points.min(0), points.max(0)
    reach = max(float((high - low).max()), 4.0)
    margins = rng.uniform(0.8, 2.0, 4) + rng.uniform(0, 1.6, 4) * reach
    x0, y0 = low - margins[:2]
    x1, y1 = high + margins[2:]
    plane = camera.plane_homography()

    def carpet(kind: str, corners: list[tuple[float, float]], height: float = 0.0) -> None:
        outline = camera.project_polygon(np.array([[x, y, height] for x, y in corners]))
        if len(outline) < 3:
            return
        mask = np.zeros(size_px, np.uint8)
        cv2.fillConvexPoly(mask, np.round(np.clip(outline, -20000, 20000) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        cover = lay(rng, kind, plane, size_px)
        cv2.copyTo(cover, mask, image)

    def corners(grow: float) -> list[tuple[float, float]]:
        return [(x0 - grow, y0 - grow), (x1 + grow, y0 - grow), (x1 + grow, y1 + grow), (x0 - grow, y1 + grow)]

    style = rng.random()
    floor_kind = str(rng.choice(["wood", "planks", "plain", "speckle", "marble"]))
    if rng.random() < 0.5:
        carpet(floor_kind, corners(200.0))
    if style < 0.5:
        carpet(str(rng.choice(["wood", "wood", "plain"])), corners(float(rng.uniform(0.6, 3.0))))
    carpet(str(rng.choice(PATTERNS)), corners(0.0 if style < 0.75 else 60.0))
    return image


def _shadows(
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
) -> tuple[NDArray[np.int32], list[tuple[Placed, bool, Floats]]]:
    """Draw the tiles; returns the map of which surface each pixel shows (0 none, i+1) and the surfaces."""
    seen: list[tuple[Placed, bool, Floats]] = []
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


def label(owner: NDArray[np.int32], seen: Sequence[tuple[Placed, bool, Floats]]) -> tuple[SceneTile, ...]:
    """The labels of the surfaces of which at least a twentieth is visible."""
    visible = np.bincount(owner.ravel(), minlength=len(seen) + 1)
    tiles = []
    for number, (item, back, quad) in enumerate(seen, start=1):
        area = abs(float(cv2.contourArea(quad.astype(np.float32))))
        share = min(1.0, float(visible[number]) / max(area, 1.0))
        if area < 12 or share < 0.05:
            continue
        code = BACK if back else item.tile.code
        tiles.append(SceneTile(code, quad, round(1 - share, 3), item.group, item.pose))
    return tuple(tiles)


def render_scene(
    rng: np.random.Generator,
    designs: Sequence[Design],
    size: int | tuple[int, int] = 640,
    kind: str | None = None,
    occluders: float = 0.3,
) -> Scene:
    """A random scene of one of ``designs``.

    ``size`` is the picture's edge or (height, width) in px; ``kind`` one of ``arrangements.LAYOUTS`` (by chance when
    None); ``occluders`` the chance of a hand over the tiles. Same generator state, same designs: same scene.
    """
    size_px = (size, size) if isinstance(size, int) else size
    design = designs[int(rng.integers(len(designs)))]
    if kind is None:
        names = list(LAYOUTS)
        weights = np.array([LAYOUTS[name][1] for name in names])
        kind = names[int(rng.choice(len(names), p=weights / weights.sum()))]
    placed = LAYOUTS[kind][0](rng, design.body)
    standing = any(item.pose == STANDING for item in placed) and kind.startswith("standing")
    if standing:
        tilt = float(rng.uniform(38, 84))
        roll = float(rng.normal(0, 5))
    else:
        tilt = abs(float(rng.normal(0, 26))) if rng.random() < 0.7 else float(rng.uniform(0, 62))
        tilt = min(tilt, 66.0)
        roll = float(rng.normal(0, 6)) if rng.random() < 0.6 else float(rng.uniform(0, 360))
    camera = fit_camera(rng, placed, design.body, size_px, tilt, roll)
    azimuth, height = float(rng.uniform(0, 2 * math.pi)), float(rng.uniform(0.35, 1.4))
    direction = np.array([math.cos(azimuth), math.sin(azimuth), height])
    light = Light(direction / np.linalg.norm(direction), float(rng.uniform(0.35, 0.8)))
    image = _background(rng, camera, placed, size_px)
    random_clutter(image, camera, rng, placed)
    image = _shadows(image, camera, light, placed, design.body, float(rng.uniform(0.3, 1.0)) * (1.1 - light.ambient))
    gloss = np.full(size_px, int(rng.integers(0, 90)), np.uint8)
    owner, seen = paint(image, gloss, camera, light, design, placed, rng)
    if rng.random() < occluders:
        draw_hand(image, owner, gloss, rng)
    image = expose(light_up(image, gloss, rng), rng, min(size_px) / 640)
    return Scene(image, label(owner, seen))


__all__ = ["BACK", "DOWN", "Scene", "SceneTile", "render_scene"]
