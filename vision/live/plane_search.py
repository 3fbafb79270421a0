"""Finds the plane of a table from what is read: a camera above four lanes and the ring of the walls.

A camera with square pixels that looks at the middle of its picture has few unknowns: its focal length, tilt, roll and
turn, and where it is. Every tile that lies tells something about them: its sides are at right angles, it is as wide
and as high as all others, most lie along the edges of the table. Those settle the angles. Then it is tried where the
middle is: walls lie on a square ring, hands and flowers in lanes around it. At the end everything is fitted together.
Things that are no tiles, tiles that stand, and heaps are outliers, which count little.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.live.plane import Plane
from vision.live.zones import PITCH, Zones
from vision.reading import TileReading

Floats = NDArray[np.float64]
Residuals: TypeAlias = Callable[[Floats], Floats]

LEAST_TILES = 16
"""Fewer tiles do not show a plane."""
HEIGHT, THICKNESS = 1.36, 0.7
"""Of a usual tile, in its widths."""

# focal length (log of short edges of the picture), tilt, roll, turn (radians), log of height above the table, x, y,
# log of how large the boxes around tiles are drawn, log of the height of a tile by its width
_FOCAL, _TILT, _ROLL, _YAW, _ABOVE, _X, _Y, _BOX, _HEIGHT = range(9)
_USUAL = np.array([math.log(1.15), 0.35, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, math.log(1.36)])
_SPREAD = np.array([0.16, 0.6, 0.06, 0.06, 10.0, 30.0, 30.0, 0.12, 0.04])
_UNLIKELY = 14.0  # cost of a camera that nobody holds so, however well everything seems to lie in lanes
_BESIDE = 0.8, 1.45  # of its box's width, from one back to the next one in a wall
_IN_LINE = 0.25  # of its box's height, how far that may lie beside the line
_ALIKE = 0.75  # ratio of the areas of two backs side by side
_PITCH_OFF = 0.05  # how exactly tiles are pushed together
_SLENDER = 2.0  # longer side by shorter side beyond which a quad is no tile that lies
_WIDTHS = (1.0, 0.25)
_MIDDLES = 4
_GO_ON = 6
_LANES_COUNT = 2.0  # one tile in its lane tells more than one of its four residuals of shape
_IN_LANE = 0.6  # widths from the middle of a lane
_LEAST_SUPPORT = 0.6  # share of the backs, and of all tiles, that have to lie in a lane


@dataclass(frozen=True, slots=True, eq=False)
class FoundPlane:
    """A plane found from readings.

    Attributes:
        plane: the plane.
        support: share of the tiles that lie where tiles lie on a table.
        cost: how far off they are; lower is better, to compare planes found from the same readings.
        camera: the camera it was fitted as, to fit it again to other readings.
        cost_before: the cost of the plane before, fitted again to these readings; None where there was none.
    """

    plane: Plane
    support: float
    cost: float
    camera: Floats
    cost_before: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """Readings as arrays: corners [N, 4, 2] about the middle of the picture in short edges, backs [N], and which backs
    lie side by side [M, 2]."""

    corners: Floats
    back: NDArray[np.bool_]
    zones: Zones
    beside: NDArray[np.int64]

    @property
    def centres(self) -> Floats:
        return np.asarray(self.corners.mean(axis=1))


def find_plane(
    readings: Sequence[TileReading],
    size: tuple[int, int],
    *,
    zones: Zones | None = None,
    before: FoundPlane | None = None,
) -> FoundPlane | None:
    """The plane of a table that is looked at from its near seat; None where the readings do not show one.

    Args:
        readings: what was read.
        size: width and height of the picture in pixels.
        zones: the parts of the table, where they are not the usual ones.
        before: the plane that was found before, which may be the right one still.
    """
    readings = _compact(readings)
    if len(readings) < LEAST_TILES:
        return None
    middle, short = np.array(size) / 2.0, float(min(size))
    corners = (np.array([reading.quad for reading in readings], np.float64) - middle) / short
    back = np.array([reading.face_down for reading in readings])
    seen = _Seen(corners, back, zones or Zones.usual(), _side_by_side(corners, back))
    starts = [start for shape in _shapes(seen) for start in _middles(seen, shape)]
    for width in _WIDTHS:  # wide lanes first, which draw what is far off; the best go on to narrow ones
        fitted = sorted((_fitted(start, seen, width) for start in starts), key=lambda item: item[0])
        starts = _apart([camera for _, camera in fitted])[:_GO_ON]
    again = None if before is None else _fitted(before.camera, seen, _WIDTHS[-1])
    fitted = sorted([*fitted, *([] if again is None else [again])], key=lambda item: item[0])
    fitted = [(cost, camera) for cost, camera in fitted if (_prior(camera)[: _YAW + 1] ** 2).sum() < _UNLIKELY]
    if not fitted:
        return None
    cost, camera = fitted[0]
    off = np.abs(_off_lanes(camera, seen))
    support = float((off < _IN_LANE).mean())
    backs = float((off[seen.back] < _IN_LANE).mean()) if seen.back.any() else 1.0
    if min(support, backs) < _LEAST_SUPPORT:
        return None
    kept = None if again is None else again[0] / len(readings)
    return FoundPlane(_plane(camera, middle, short), support, cost / len(readings), camera, kept)


def _compact(readings: Sequence[TileReading]) -> list[TileReading]:
    """The readings without those that are too narrow for a tile that lies: standing ones are seen from above."""
    if not readings:
        return []
    quads = np.array([reading.quad for reading in readings], np.float64)
    right = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
    down = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
    areas = _areas(quads)
    longest = np.maximum((right**2).sum(axis=1), (down**2).sum(axis=1))
    slender = areas < longest / _SLENDER
    usual = float(np.median(areas[~slender])) if (~slender).any() else 0.0
    return [reading for reading, out in zip(readings, slender | (areas < 0.3 * usual), strict=True) if not out]


def _rotation(camera: Floats) -> Floats:
    """The camera's axes in the world, as rows: right, down, forward (`vision.synth.camera.Camera.looking_at`)."""
    tilt, roll, yaw = camera[_TILT], camera[_ROLL], camera[_YAW]
    forward = np.array([0.0, math.sin(tilt), -math.cos(tilt)])
    right = np.array([1.0, 0.0, 0.0])
    down = np.array([0.0, -math.cos(tilt), -math.sin(tilt)])
    x_axis = right * math.cos(roll) + down * math.sin(roll)
    y_axis = down * math.cos(roll) - right * math.sin(roll)
    cos, sin = math.cos(yaw), math.sin(yaw)
    turn = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    return np.asarray(np.stack([x_axis, y_axis, forward]) @ turn.T)


def _on_table(camera: Floats, points: Floats, above: Floats | float) -> Floats:
    """Places [..., 2] of points of the picture [..., 2] that are ``above`` the upper side of lying tiles."""
    rays = np.concatenate([points / math.exp(camera[_FOCAL]), np.ones((*points.shape[:-1], 1))], axis=-1)
    world = rays @ _rotation(camera)
    steep = np.minimum(world[..., 2], -0.05)  # what is above the horizon lies far away
    reach = (above - math.exp(camera[_ABOVE])) / steep
    return np.asarray(camera[[_X, _Y]] + world[..., :2] * reach[..., None])


def _shape(camera: Floats, seen: _Seen) -> Floats:
    """How far each quad is from a tile that lies along an edge of the table: right angle, sides, direction."""
    above = np.where(seen.back, THICKNESS, 0.0)[:, None]
    flat = _on_table(camera, seen.corners, above) / math.exp(camera[_BOX])
    right = (flat[:, 1] - flat[:, 0] + flat[:, 2] - flat[:, 3]) / 2
    down = (flat[:, 3] - flat[:, 0] + flat[:, 2] - flat[:, 1]) / 2
    a, b = np.linalg.norm(right, axis=1) + 1e-9, np.linalg.norm(down, axis=1) + 1e-9
    height = math.exp(camera[_HEIGHT])
    upright = np.abs(a - 1) + np.abs(b - height) <= np.abs(a - height) + np.abs(b - 1)
    wide = np.where(upright, a - 1, a - height)
    high = np.where(upright, b - height, b - 1)
    angle = np.arctan2(right[:, 1], right[:, 0])
    skew = (right * down).sum(axis=1) / (a * b)
    # boxes of a detector are rectangles in the picture, so right angles there tell little
    return _robust(np.concatenate([wide / 0.1, high / 0.1, skew / 0.3, np.sin(4 * angle) / 4 / 0.08]))


def _pitch(camera: Floats, seen: _Seen) -> Floats:
    """How much further apart than the width of a tile backs side by side are, [M]."""
    first, second = _on_table(camera, seen.centres[seen.beside.T], THICKNESS)
    return _robust((np.linalg.norm(first - second, axis=-1) / PITCH - 1) / _PITCH_OFF)


def _side_by_side(corners: Floats, back: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Pairs [M, 2] of backs next to each other in a wall, long side to long side."""
    rows = np.flatnonzero(back)
    right = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3])[rows] / 2
    down = (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1])[rows] / 2
    swapped = (right**2).sum(axis=1) > (down**2).sum(axis=1)
    short, long = (np.where(swapped[:, None], *pair) for pair in ((down, right), (right, down)))
    centres, areas = corners.mean(axis=1)[rows], _areas(corners)[rows]
    steps = centres[None] - centres[:, None]
    beside = (steps * short[:, None]).sum(axis=2) / ((short**2).sum(axis=1)[:, None] + 1e-12)
    off = np.abs((steps * long[:, None]).sum(axis=2) / ((long**2).sum(axis=1)[:, None] + 1e-12))
    alike = np.minimum(areas[:, None], areas[None]) > _ALIKE * np.maximum(areas[:, None], areas[None])
    found = np.argwhere((beside > _BESIDE[0]) & (beside < _BESIDE[1]) & (off < _IN_LINE) & alike)
    return np.asarray(rows[found].reshape(-1, 2), np.int64)


def _off_lanes(camera: Floats, seen: _Seen) -> Floats:
    """How far each tile is from where tiles lie."""
    lying, raised = (_on_table(camera, seen.centres, above) for above in (0.0, THICKNESS))
    return _off(lying, raised, seen.back, seen.zones)


def _off(lying: Floats, raised: Floats, back: NDArray[np.bool_], zones: Zones) -> Floats:
    """How far tiles are from where tiles lie, [N]: backs on the walls or in hands, faces inside or in the lanes.

    Their places [N, 2] are given as if they lay on the table, and as if they lay on another tile.
    """
    walls = np.minimum(_off_ring(lying, zones.wall), _off_ring(raised, zones.wall))
    hands = _off_ring(lying, zones.hand)  # the middle of a tile that stands is as high as one that lies
    lanes = np.minimum(_off_ring(lying, zones.flowers), _off_ring(lying, zones.hand))
    inside = np.maximum(np.abs(lying).max(axis=1) - (zones.inside - 0.5), 0.0)
    faces = np.minimum(inside, lanes)
    gold = int(np.argmax(np.where(back, -np.inf, faces - walls)))  # one face may lie on the wall, no row of them
    faces[gold] = min(faces[gold], walls[gold])
    return np.asarray(np.where(back, np.minimum(walls, hands), faces))


def _off_ring(places: Floats, distance: float) -> Floats:
    """Distance of places [N, 2] from a square ring."""
    return np.asarray(np.abs(np.abs(places).max(axis=1) - distance))


def _lanes(camera: Floats, seen: _Seen, width: float = _WIDTHS[-1]) -> Floats:
    return _robust(_off_lanes(camera, seen) / width) * _LANES_COUNT


def _fitted(start: Floats, seen: _Seen, width: float) -> tuple[float, Floats]:
    """The camera near ``start`` that fits everything best, lanes being so wide; its cost first."""

    def off(camera: Floats) -> Floats:
        return np.concatenate([_shape(camera, seen), _pitch(camera, seen), _lanes(camera, seen, width), _prior(camera)])

    camera = _minimise(off, start)
    return float((off(camera) ** 2).sum()), camera


def _apart(cameras: Sequence[Floats]) -> list[Floats]:
    """The cameras, without those that are as good as one before."""
    chosen: list[Floats] = []
    for camera in cameras:
        if all(np.abs(camera - other).max() > 0.05 for other in chosen):
            chosen.append(camera)
    return chosen


def _prior(camera: Floats) -> Floats:
    return np.asarray((camera - _USUAL) / _SPREAD)


def _robust(off: Floats) -> Floats:
    """Residuals whose squares grow no further than those of an outlier (Geman and McClure 1987)."""
    return np.asarray(off / np.sqrt(1.0 + (off / 2.0) ** 2))


def _shapes(seen: _Seen) -> list[Floats]:
    """Cameras whose angles fit the shapes of the tiles, best first; where they are is open. How far backs are apart
    may mislead where standing hands are taken for walls, so it is also left out."""
    by_sides = _by_shape(lambda camera: _shape(camera, seen), seen)
    return [*_by_shape(lambda camera: np.concatenate([_shape(camera, seen), _pitch(camera, seen)]), seen), *by_sides]


def _by_shape(shape: Residuals, seen: _Seen) -> list[Floats]:
    """Up to two cameras with the least residuals of shape."""
    tall = np.sqrt(_areas(seen.corners))
    found = []
    for tilt, nearer in ((0.05, 1.0), (0.05, 0.75), (0.4, 1.0), (0.4, 0.75)):
        start = _USUAL.copy()
        start[_TILT] = tilt
        above = nearer * math.sqrt(seen.zones.height) * math.exp(start[_FOCAL]) / float(np.median(tall))
        start[_ABOVE] = math.log(above)
        fitted = _minimise(lambda camera: np.concatenate([shape(camera), _prior(camera)]), start)
        found.append((float((shape(fitted) ** 2).sum() + (_prior(fitted) ** 2).sum()), fitted))
    found.sort(key=lambda item: item[0])
    return [camera for cost, camera in found if cost < 1.2 * found[0][0] + 5.0][:2]


def _areas(corners: Floats) -> Floats:
    x, y = corners[..., 0], corners[..., 1]
    return np.asarray(np.abs((x * np.roll(y, -1, 1) - y * np.roll(x, -1, 1)).sum(axis=1)) / 2)


def _middles(seen: _Seen, camera: Floats) -> list[Floats]:
    """The same camera over places where many tiles lie in lanes, best first."""
    at = _on_table(camera, seen.centres, 0.0)
    low, high = np.percentile(at, 3, axis=0), np.percentile(at, 97, axis=0)
    middle = (low + high) / 2
    steps = np.arange(-5.0, 5.01, 0.5)
    scored = []
    for dx in steps:
        for dy in steps:
            moved = camera.copy()
            moved[[_X, _Y]] = camera[[_X, _Y]] - middle - (dx, dy)
            scored.append((float((_lanes(moved, seen, _WIDTHS[0]) ** 2).sum()), moved))
    scored.sort(key=lambda item: item[0])
    chosen: list[Floats] = []
    for _, moved in scored:
        if all(np.abs(moved[[_X, _Y]] - other[[_X, _Y]]).max() > 1.2 for other in chosen):
            chosen.append(moved)
        if len(chosen) == _MIDDLES:
            break
    return chosen


def _minimise(residuals: Residuals, start: Floats, steps: int = 25) -> Floats:
    """The camera near ``start`` with the least sum of squares (Levenberg 1944, Marquardt 1963)."""
    camera, damping = start.copy(), 1e-2
    off = residuals(camera)
    cost = float(off @ off)
    for _ in range(steps):
        slopes = np.empty((len(off), len(camera)))
        for index in range(len(camera)):
            moved = camera.copy()
            moved[index] += 1e-5
            slopes[:, index] = (residuals(moved) - off) / 1e-5
        normal, gradient = slopes.T @ slopes, slopes.T @ off
        improved = False
        for _ in range(6):
            step = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-9), -gradient)
            tried = camera + step
            tried_off = residuals(tried)
            tried_cost = float(tried_off @ tried_off)
            if tried_cost < cost:
                improved = tried_cost < cost * (1 - 1e-4)
                camera, off, cost, damping = tried, tried_off, tried_cost, max(damping / 5, 1e-7)
                break
            damping *= 5
        if not improved:
            break
    return camera


def _plane(camera: Floats, middle: Floats, short: float) -> Plane:
    """The camera as a homography of pixels."""
    focal, above = math.exp(camera[_FOCAL]), math.exp(camera[_ABOVE])
    axes = _rotation(camera)
    # pixels (u, v, 1) -> ray in the world -> where it meets the plane: linear in (u, v, 1) up to its scale
    to_ray = axes.T @ np.diag([1 / focal, 1 / focal, 1.0])
    to_unit = np.array([[1 / short, 0, -middle[0] / short], [0, 1 / short, -middle[1] / short], [0, 0, 1.0]])
    drop = np.array([[-above, 0, camera[_X]], [0, -above, camera[_Y]], [0, 0, 1.0]])
    matrix = drop @ to_ray @ to_unit
    return Plane(matrix / matrix[2, 2], (float(camera[_X]), float(camera[_Y]), above))
