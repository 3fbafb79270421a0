"""A pinhole camera over a table. World: x right, y away, z up, in widths of a tile; the table is z = 0."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

NEAR = 0.5


@dataclass(frozen=True, slots=True)
class Camera:
    """Where it stands (3,), its image axes in the world (rows of 3x3), focal lengths and centre in px."""

    position: Floats
    rotation: Floats
    focal_px: tuple[float, float]
    centre_px: tuple[float, float]

    @classmethod
    def looking_at(
        cls,
        target: tuple[float, float],
        distance: float,
        tilt_deg: float,
        roll_deg: float,
        focal_px: tuple[float, float],
        size_px: tuple[int, int],
    ) -> Camera:
        """Camera that sees ``target`` on the table in the middle of its (height, width) picture.

        ``tilt_deg`` 0 looks straight down, 90 along the table; ``roll_deg`` turns the camera about its own axis.
        """
        tilt, roll = math.radians(tilt_deg), math.radians(roll_deg)
        forward = np.array([0.0, math.sin(tilt), -math.cos(tilt)])
        right = np.array([1.0, 0.0, 0.0])
        down = np.cross(forward, right)
        x_axis = right * math.cos(roll) + down * math.sin(roll)
        y_axis = np.cross(forward, x_axis)
        position = np.array([target[0], target[1], 0.0]) - forward * distance
        rotation = np.stack([x_axis, y_axis, forward])
        return cls(position, rotation, focal_px, (size_px[1] / 2, size_px[0] / 2))

    def project(self, points: Floats) -> Floats:
        """Pixels (..., 2) of world points (..., 3). Points behind the camera come out far away, not mirrored."""
        local = (points - self.position) @ self.rotation.T
        depth = np.maximum(local[..., 2], 1e-3)
        x = local[..., 0] / depth * self.focal_px[0] + self.centre_px[0]
        y = local[..., 1] / depth * self.focal_px[1] + self.centre_px[1]
        out = np.empty((*x.shape, 2))
        out[..., 0], out[..., 1] = x, y
        return out

    def depth(self, points: Floats) -> Floats:
        """Distance along the view axis."""
        return np.asarray((points - self.position) @ self.rotation[2], np.float64)

    def plane_homography(self) -> Floats:
        """3x3 matrix from table points (x, y, 1) to pixels."""
        intrinsics = np.array(
            [[self.focal_px[0], 0, self.centre_px[0]], [0, self.focal_px[1], self.centre_px[1]], [0, 0, 1.0]]
        )
        columns = np.stack([self.rotation[:, 0], self.rotation[:, 1], -self.rotation @ self.position], axis=1)
        return np.asarray(intrinsics @ columns, np.float64)

    def project_polygon(self, points: Floats) -> Floats:
        """A polygon (n, 3) cut at the near plane, projected, and cut to about the picture: (m, 2) px, m may be 0."""
        kept = _cut(points, self.depth(points) - NEAR)
        if len(kept) < 3:
            return np.zeros((0, 2))
        outline = self.project(kept)
        for axis in range(2):
            for sign in (1.0, -1.0):
                centre = self.centre_px[axis]
                inside = sign * (outline[:, axis] - centre) + 2 * abs(centre) + 100
                outline = _cut(outline, inside)
                if len(outline) < 3:
                    return np.zeros((0, 2))
        return outline


def _cut(points: Floats, inside: Floats) -> Floats:
    """The part of a polygon where the linear function ``inside`` (one value a corner) is not negative."""
    kept = []
    for index in range(len(points)):
        following = (index + 1) % len(points)
        if inside[index] >= 0:
            kept.append(points[index])
        if (inside[index] >= 0) != (inside[following] >= 0):
            share = inside[index] / (inside[index] - inside[following])
            kept.append(points[index] + share * (points[following] - points[index]))
    return np.array(kept).reshape(-1, points.shape[1])
