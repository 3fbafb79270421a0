"""What a camera over the table sees of a plan: the surface each tile shows, where in the picture, and how much of it.

No pictures are made here, only outlines, so it is fast enough for every frame.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.camera import Camera
from vision.synth.designs import Body
from vision.synth.live_faults import Disturbance, FaultKind
from vision.synth.live_motion import Arm, ease
from vision.synth.live_plan import LivePlan, LiveTile
from vision.synth.placing import Placed
from vision.synth.scene import View, fit_camera
from vision.synth.solids import surface_corners

Floats = NDArray[np.float64]
_MAP_PX = 960
"""Longer side of the map in which it is counted what hides what."""
_SIGNS = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)], np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """The side of a tile that is turned to the camera.

    ``quad`` is (4, 2) pixels, clockwise from the tile's own top left corner, ``size_px`` the root of its area, ``flat``
    its height by its width in the picture, the larger one below; ``visible`` the share of it that nothing hides and
    that is in the picture, 0..1.
    """

    tile: LiveTile
    face_down: bool
    quad: Floats
    size_px: float
    flat: float
    visible: float


@dataclass(frozen=True, slots=True, eq=False)
class _Outline:
    placed: Placed
    distance: float
    hull: NDArray[np.int32]
    face_down: bool
    quad: Floats | None
    polygon: NDArray[np.int32]
    pixels: float
    """Pixels of the polygon, counted as the map counts them."""
    size_px: float
    flat: float


def stand_camera(rng: np.random.Generator, plan: LivePlan, size_px: tuple[int, int]) -> Camera:
    """A phone on a stand that has the whole table in its (height, width) picture."""
    view = View(
        tilt_deg=float(rng.uniform(0, 14)),  # more, and the far wall hides what lies behind it
        roll_deg=float(rng.normal(0, 2)),
        focal=float(rng.uniform(1.05, 1.5)),
        fill=float(rng.uniform(0.91, 0.95)),  # so a nudge cuts nothing off
        whole=True,
    )
    placed = [track.first for track in plan.tracks]
    placed += [move.to for track in plan.tracks for move in track.moves]
    return fit_camera(placed, plan.body, size_px, view)


def nudge(camera: Camera, disturbances: Sequence[Disturbance], time_s: float) -> Floats:
    """The 3x3 map from pixels of the resting camera to pixels now: a turn of the camera about itself."""
    matrix = np.array(
        [[camera.focal_px[0], 0, camera.centre_px[0]], [0, camera.focal_px[1], camera.centre_px[1]], [0, 0, 1.0]]
    )
    total = np.eye(3)
    for found in disturbances:
        if found.kind is not FaultKind.NUDGE or time_s < found.start_s:
            continue
        share = ease((time_s - found.start_s) / 0.4)
        if found.fault.back and time_s > found.end_s:
            share = 1 - ease((time_s - found.end_s) / 0.4)
        rng = np.random.default_rng([found.fault.number, round(found.start_s * 1000)])
        angle, size = float(rng.uniform(0, 2 * math.pi)), math.radians(0.3 + 0.9 * found.fault.strength)
        vector = share * size * np.array([math.cos(angle), math.sin(angle), float(rng.uniform(-1, 1))])
        total = cv2.Rodrigues(vector)[0] @ total
    return np.asarray(matrix @ total @ np.linalg.inv(matrix), np.float64)


def warp(points: Floats, matrix: Floats) -> Floats:
    """Pixels (..., 2) through a 3x3 map."""
    out = points @ matrix[:2, :2].T + matrix[:2, 2]
    return np.asarray(out / (points @ matrix[2, :2] + matrix[2, 2])[..., None], np.float64)


def _size(quad: Floats) -> tuple[float, float]:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad.tolist()
    area = abs((cx - ax) * (dy - by) - (dx - bx) * (cy - ay)) / 2
    across = (math.hypot(bx - ax, by - ay) + math.hypot(dx - cx, dy - cy)) / 2
    along = (math.hypot(cx - bx, cy - by) + math.hypot(ax - dx, ay - dy)) / 2
    return math.sqrt(area), area / max(across, along, 1e-6) ** 2


class Sight:
    """A camera that stands still over a table of tiles with this body, its picture (height, width) px."""

    def __init__(self, camera: Camera, body: Body, size_px: tuple[int, int]) -> None:
        self.camera, self.body, self.size_px = camera, body, size_px
        self.scale = _MAP_PX / max(size_px)
        self._shape = (round(size_px[0] * self.scale), round(size_px[1] * self.scale))
        self._half = np.array([0.5, body.height / 2, body.thickness / 2])
        self._known: dict[int, _Outline] = {}

    def surfaces(self, tiles: Sequence[LiveTile], arms: Sequence[Arm] = ()) -> list[Surface]:
        """The surfaces of all tiles, those wholly hidden too; a tile seen exactly edge on has none."""
        outlines = [self._outline(tile.placed) for tile in tiles]
        owner = np.zeros(self._shape, np.int16)
        for index in sorted(range(len(tiles)), key=lambda index: -outlines[index].distance):
            outline = outlines[index]
            cv2.fillConvexPoly(owner, outline.hull, 0, cv2.LINE_8, 4)
            if outline.quad is not None:
                cv2.fillConvexPoly(owner, outline.polygon, index + 1, cv2.LINE_8, 4)
        for polygon in self.arm_polygons(arms):
            cv2.fillConvexPoly(owner, self._fixed(polygon), 0, cv2.LINE_8, 4)
        counts = np.bincount(owner.ravel(), minlength=len(tiles) + 1)
        found = []
        for index, (tile, outline) in enumerate(zip(tiles, outlines, strict=True), start=1):
            if outline.quad is None:
                continue
            share = min(1.0, float(counts[index]) / max(outline.pixels, 1.0))
            found.append(Surface(tile, outline.face_down, outline.quad, outline.size_px, outline.flat, share))
        return found

    def arm_polygons(self, arms: Sequence[Arm]) -> list[Floats]:
        """Outlines of arms in the picture, (n, 2) px."""
        found = [self.camera.project_polygon(part) for arm in arms for part in arm.parts()]
        return [polygon for polygon in found if len(polygon) >= 3]

    def _fixed(self, points: Floats) -> NDArray[np.int32]:
        hull = cv2.convexHull((points * self.scale - 0.5).astype(np.float32))
        return np.round(np.clip(hull[:, 0], -4000, 8000) * 16).astype(np.int32)

    @staticmethod
    def _area(polygon: NDArray[np.int32]) -> float:
        low = polygon.min(0) // 16 - 1
        size = polygon.max(0) // 16 - low + 2
        if size.max() > 400:
            return float(cv2.contourArea(polygon.astype(np.float32))) / 256
        mask = np.zeros((size[1], size[0]), np.uint8)
        cv2.fillConvexPoly(mask, polygon - low * 16, 1, cv2.LINE_8, 4)
        return float(np.count_nonzero(mask))

    def _outline(self, placed: Placed) -> _Outline:
        found = self._known.get(id(placed))
        if found is not None and found.placed is placed:
            return found
        towards = float((self.camera.position - placed.centre) @ placed.axes[:, 2])
        hull = self.camera.project(placed.centre + (_SIGNS * self._half) @ placed.axes.T)
        quad = None
        if abs(towards) > self._half[2]:
            quad = self.camera.project(surface_corners(placed, self.body, back=towards < 0))
        polygon = np.zeros((0, 2), np.int32) if quad is None else self._fixed(quad)
        made = _Outline(
            placed,
            float(np.linalg.norm(self.camera.position - placed.centre)),
            self._fixed(hull),
            towards < 0,
            quad,
            polygon,
            0.0 if quad is None else self._area(polygon),
            *((0.0, 0.0) if quad is None else _size(quad)),
        )
        if len(self._known) > 4000:
            self._known.clear()
        self._known[id(placed)] = made
        return made
