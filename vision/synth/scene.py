"""Renders a seeded scene of tiles on a table with exact labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.arrangements import LAYOUTS
from vision.synth.camera import Camera
from vision.synth.canvas import Colour
from vision.synth.clutter import draw_hand, draw_tray, random_clutter
from vision.synth.designs import Body, Design
from vision.synth.lens import expose, light_up, webcam
from vision.synth.placing import STANDING, Placed
from vision.synth.raster import BACK, SceneTile, cast_shadows, label, paint
from vision.synth.solids import Light, surface_corners
from vision.synth.surfaces import PATTERNS, lay, room

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]
Cloth = tuple[str, Colour]
"""What covers a table: one of ``surfaces.PATTERNS`` and its colour (BGR)."""

__all__ = ["BACK", "Scene", "SceneTile", "View", "fit_camera", "photograph", "render_scene"]


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A picture (HxWx3 uint8, BGR) and what is in it."""

    image: Image
    tiles: tuple[SceneTile, ...]


@dataclass(frozen=True, slots=True)
class View:
    """How the camera is held: angles in degrees, focal length in short edges of the picture."""

    tilt_deg: float
    roll_deg: float = 0.0
    focal: float = 1.2
    squeeze: float = 1.0
    """Horizontal over vertical scale: exporters stretch photos to squares."""
    fill: float = 0.9
    """Share of the picture that the tiles span; above 1 some are cut off."""
    offset: tuple[float, float] = (0.0, 0.0)
    """Where the middle of the tiles is aimed past, in spans of the tiles."""
    whole: bool = False
    """Aims so that the tiles have as much room on each side: with ``fill`` below 1 none is cut off."""


def fit_camera(placed: Sequence[Placed], body: Body, size_px: tuple[int, int], view: View) -> Camera:
    """The camera from whose place the tiles fill the (height, width) picture as ``view`` says."""
    short = min(size_px)
    focal = short * view.focal
    focals = (focal * math.sqrt(view.squeeze), focal / math.sqrt(view.squeeze))
    points = np.concatenate([surface_corners(item, body, back) for item in placed for back in (False, True)])
    middle = (points.min(0) + points.max(0)) / 2
    reach = float(np.linalg.norm(points.max(0)[:2] - points.min(0)[:2]))
    target = (float(middle[0] + view.offset[0] * reach), float(middle[1] + view.offset[1] * reach))
    distance = focal * max(reach, 3.0) / (view.fill * short)
    for _ in range(8 if view.whole else 3):
        camera = Camera.looking_at(target, distance, view.tilt_deg, view.roll_deg, focals, size_px)
        pixels = camera.project(points)
        if view.whole:
            seen = np.append((pixels.min(0) + pixels.max(0)) / 2, 1.0)
            x, y, scale = np.linalg.solve(camera.plane_homography(), seen)
            target = (float(x / scale), float(y / scale))
        spread = (pixels.max(0) - pixels.min(0)) / np.array([size_px[1], size_px[0]])
        distance *= float(np.clip(spread.max() / view.fill, 0.5, 2.5))
    widest = focal / distance  # a tile's width in px about the middle
    smallest, largest = 0.0 if view.whole else 15 * short / 640, 0.3 * short
    distance *= max(0.1, widest / smallest * 0.8 if widest < smallest else max(1.0, widest / largest))
    return Camera.looking_at(target, max(distance, 3.0), view.tilt_deg, view.roll_deg, focals, size_px)


def _random_view(rng: np.random.Generator, count: int, standing: bool) -> View:
    if standing:
        tilt, roll = float(rng.uniform(38, 84)), float(rng.normal(0, 5))
    else:
        tilt = abs(float(rng.normal(0, 26))) if rng.random() < 0.7 else float(rng.uniform(0, 62))
        roll = float(rng.normal(0, 6)) if rng.random() < 0.6 else float(rng.uniform(0, 360))
    return View(
        tilt_deg=min(tilt, 66.0) if not standing else tilt,
        roll_deg=roll,
        focal=float(rng.uniform(0.85, 1.7)),
        squeeze=_squeeze(rng),
        fill=float(rng.uniform(0.6, 1.25)) if count > 8 else float(rng.uniform(0.3, 0.95)),
        offset=(float(rng.normal(0, 0.06)), float(rng.normal(0, 0.06))),
    )


def _table_view(rng: np.random.Generator) -> View:
    """A phone held over a table, or on a stand beside it."""
    tilt = abs(float(rng.normal(0, 22))) if rng.random() < 0.4 else float(rng.uniform(20, 68))
    roll = float(rng.normal(0, 6)) if rng.random() < 0.8 else float(rng.uniform(0, 360))
    offset = (float(rng.normal(0, 0.04)), float(rng.normal(0, 0.04)))
    return View(
        min(tilt, 68.0), roll, float(rng.uniform(0.7, 1.4)), _squeeze(rng), float(rng.uniform(0.85, 1.3)), offset
    )


def _webcam_view(rng: np.random.Generator) -> View:
    """A camera 6 to 52 degrees over the table that looks at a rack."""
    return View(
        tilt_deg=float(rng.uniform(38, 84)),
        roll_deg=float(rng.normal(0, 4)),
        focal=float(rng.uniform(0.9, 1.8)),
        squeeze=_squeeze(rng),
        fill=float(rng.uniform(0.55, 1.25)),
        offset=(float(rng.normal(0, 0.06)), float(rng.normal(0, 0.06))),
    )


def _part(rng: np.random.Generator, placed: Sequence[Placed]) -> Sequence[Placed]:
    """The whole table, or the tiles around one of them: what the camera is aimed at."""
    if rng.random() < 0.3:
        return placed
    centres = np.array([item.centre for item in placed])
    near = np.linalg.norm(centres - centres[int(rng.integers(len(placed)))], axis=1).argsort()
    return [placed[int(index)] for index in near[: int(rng.integers(12, 70))]]


_EXPORTED = (3 / 4, 4 / 3, 9 / 16, 16 / 9, 2 / 3, 3 / 2)
"""What becomes of the proportions of photos (4:3, 16:9, 3:2, either way up) that an exporter stretches to squares."""


def _squeeze(rng: np.random.Generator) -> float:
    """Mostly none; often a photo stretched to a square; rarely a strip stretched to one."""
    chance = rng.random()
    if chance < 0.55:
        return float(rng.uniform(0.97, 1.03))
    if chance < 0.8:
        return float(rng.choice(_EXPORTED)) * float(rng.uniform(0.96, 1.04))
    return float(rng.uniform(0.7, 1.4)) if chance < 0.95 else float(rng.uniform(0.3, 0.7))


def random_light(rng: np.random.Generator) -> Light:
    """A lamp somewhere above the table."""
    azimuth, height = float(rng.uniform(0, 2 * math.pi)), float(rng.uniform(0.35, 1.4))
    direction = np.array([math.cos(azimuth), math.sin(azimuth), height])
    return Light(direction / np.linalg.norm(direction), float(rng.uniform(0.35, 0.8)))


def background(
    rng: np.random.Generator, camera: Camera, placed: Sequence[Placed], size_px: tuple[int, int], cloth: Cloth | None
) -> Image:
    """Room, floor, rim of the table and what it is covered with, (height, width) px."""
    image = room(rng, size_px)
    points = np.array([item.centre[:2] for item in placed])
    low, high = points.min(0), points.max(0)
    reach = max(float((high - low).max()), 4.0)
    margins = rng.uniform(0.8, 2.0, 4) + rng.uniform(0, 1.6, 4) * reach
    x0, y0 = low - margins[:2]
    x1, y1 = high + margins[2:]
    plane = camera.plane_homography()

    def carpet(kind: str, grow: float, colour: Colour | None = None) -> None:
        corners = [(x0 - grow, y0 - grow), (x1 + grow, y0 - grow), (x1 + grow, y1 + grow), (x0 - grow, y1 + grow)]
        outline = camera.project_polygon(np.array([[x, y, 0.0] for x, y in corners]))
        if len(outline) < 3:
            return
        mask = np.zeros(size_px, np.uint8)
        cv2.fillConvexPoly(mask, np.round(outline * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        cv2.copyTo(lay(rng, kind, plane, size_px, colour), mask, image)

    style = rng.random()
    if rng.random() < 0.5:
        carpet(str(rng.choice(["wood", "planks", "plain", "speckle", "marble"])), 200.0)
    if style < 0.5:
        carpet(str(rng.choice(["wood", "wood", "plain"])), float(rng.uniform(0.6, 3.0)))
    kind = str(rng.choice(PATTERNS))
    grow = 0.0 if style < 0.75 else 60.0
    if cloth is None:
        carpet(kind, grow)
    else:
        carpet(cloth[0], grow, cloth[1])
    return image


def photograph(
    rng: np.random.Generator,
    design: Design,
    placed: Sequence[Placed],
    camera: Camera,
    size_px: tuple[int, int],
    *,
    light: Light | None = None,
    cloth: Cloth | None = None,
    clutter: bool = True,
    tray: bool = False,
    empty: bool = False,
    occluders: float = 0.0,
    strength: float = 1.0,
) -> Scene:
    """A photo of tiles that lie somewhere, on a table chosen by chance unless ``cloth`` says.

    X
    """
    light = light or random_light(rng)
    image = background(rng, camera, placed, size_px, cloth)
    if clutter:
        random_clutter(image, camera, rng, placed)
    if tray:
        draw_tray(image, camera, rng, placed)
    if empty:
        placed = []
    image = cast_shadows(
        image, camera, light, placed, design.body, float(rng.uniform(0.3, 1.0)) * (1.1 - light.ambient)
    )
    gloss = np.full(size_px, int(rng.integers(0, 90)), np.uint8)
    owner, seen = paint(image, gloss, camera, light, design, placed, rng)
    if rng.random() < occluders:
        draw_hand(image, owner, gloss, rng)
    image = expose(light_up(image, gloss, rng, strength), rng, min(1.6, min(size_px) / 640) * strength)
    return Scene(image, label(owner, seen))


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
    standing = kind.startswith("standing") and any(item.pose == STANDING for item in placed)
    if kind == "game":
        camera = fit_camera(_part(rng, placed), design.body, size_px, _table_view(rng))
    elif kind == "rack":
        camera = fit_camera(placed, design.body, size_px, _webcam_view(rng))
    else:
        camera = fit_camera(placed, design.body, size_px, _random_view(rng, len(placed), standing))
    tray = kind == "grid" and bool(rng.random() < 0.35)
    empty = bool(rng.random() < 0.02)
    strength = float(rng.uniform(0.2, 1.1))
    scene = photograph(
        rng, design, placed, camera, size_px, occluders=occluders, tray=tray, empty=empty, strength=strength
    )
    if rng.random() < (0.6 if kind == "rack" else 0.06):
        return Scene(webcam(scene.image, rng), scene.tiles)
    return scene
