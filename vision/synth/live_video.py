"""Films a plan: what rests is drawn once and kept, what moves is drawn anew in every frame.

A layer with the cloth, the resting tiles and their shadows is mended only where a tile has come or gone; arms and
carried tiles are drawn over the part they take. Then come light, focus, noise, and the knocks to the camera.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.seats import Seat
from vision.synth.camera import Camera
from vision.synth.designs import Design
from vision.synth.live_arms import Look, Rect, draw_arm, draw_arm_shadows, reach_rect
from vision.synth.live_faults import Disturbance, FaultKind
from vision.synth.live_motion import ease
from vision.synth.live_plan import LivePlan, LiveTile
from vision.synth.live_sight import nudge
from vision.synth.placing import Placed
from vision.synth.raster import cast_shadows, draw_order
from vision.synth.scene import background, random_light
from vision.synth.solids import Light, draw_tile

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
CODEC = "mp4v"
"""MPEG-4 part 2: the one kind that opencv's wheels both write and read as MP4."""
_UNIT = 128
"""Value of the light map that leaves a pixel as it is."""
_SIGNS = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)], np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class _Spot:
    """A tile that lies still: where its body and its shadow are in the picture."""

    placed: Placed
    tone: float
    body: Rect
    whole: Rect


class Film:
    """The pictures of a plan, (height, width) px, taken by one camera under one lamp chosen by ``rng``.

    ``grain`` is the spread of the noise in steps of 256; by chance where it is left out.
    """

    def __init__(
        self,
        rng: np.random.Generator,
        plan: LivePlan,
        design: Design,
        camera: Camera,
        size_px: tuple[int, int],
        *,
        grain: float | None = None,
    ) -> None:
        self.plan, self.design, self.camera, self.size_px = plan, design, camera, size_px
        self.light: Light = random_light(rng)
        self._shadow = float(rng.uniform(0.3, 1.0)) * (1.1 - self.light.ambient)
        start = [tile.placed for tile in plan.tiles_at(0.0)]
        self._cloth = background(rng, camera, start, size_px, None)
        self._gain = _light_map(rng, size_px)
        self._looks = {seat: Look.random(rng) for seat in Seat}
        usual = float(rng.uniform(1.0, 4.5))
        self._grain = _grain(rng, size_px, usual if grain is None else grain)
        self._soft = float(rng.uniform(0.0, 0.7)) * min(size_px) / 1080
        self._tones = 1 + rng.normal(0, 0.015, len(plan.tracks))
        self._seed = int(rng.integers(1 << 30))
        self._spots: dict[int, _Spot] = {}
        self._plain = self._cloth.copy()
        self._lit: Image = np.asarray(cv2.multiply(self._cloth, self._gain, scale=1 / _UNIT), np.uint8)

    def frames(self) -> Iterator[tuple[int, float, Image]]:
        """Number, time and picture of every frame that was taken, in order."""
        for frame, time_s in self.plan.frame_times():
            yield frame, time_s, self.picture(frame, time_s)

    def picture(self, frame: int, time_s: float) -> Image:
        """One frame, HxWx3 BGR. Frames in order are fast."""
        tiles = self.plan.tiles_at(time_s)
        self._settle([tile for tile in tiles if not tile.is_moving])
        image = self._lit.copy()
        self._draw_moving(image, [tile for tile in tiles if tile.is_moving], time_s)
        return self._expose(image, frame, time_s)

    def _settle(self, resting: Sequence[LiveTile]) -> None:
        """Brings the layer of resting tiles up to date."""
        now = {tile.number: tile.placed for tile in resting}
        changed: list[Rect] = []
        for number, spot in list(self._spots.items()):
            if now.get(number) is not spot.placed:
                changed.append(spot.whole)
                del self._spots[number]
        for number, placed in now.items():
            if number not in self._spots:
                spot = self._spot(number, placed)
                self._spots[number] = spot
                changed.append(spot.whole)
        for rect in _merged(changed):
            self._redraw(rect)

    def _spot(self, number: int, placed: Placed) -> _Spot:
        half = np.array([0.5, self.design.body.height / 2, self.design.body.thickness / 2])
        solid = placed.centre + (_SIGNS * half) @ placed.axes.T
        ground = solid.copy()
        ground[:, :2] -= self.light.direction[:2] / max(float(self.light.direction[2]), 0.25) * solid[:, 2:3]
        ground[:, 2] = 0
        body = self.camera.project(solid)
        scale = float(np.mean(self.camera.focal_px)) / max(float(self.camera.depth(placed.centre)), 0.5)
        whole = np.concatenate([body, self.camera.project(ground)])
        return _Spot(placed, float(self._tones[number]), self._rect(body, 3), self._rect(whole, round(0.4 * scale) + 4))

    def _rect(self, points: Floats, margin: int) -> Rect:
        low, high = np.floor(points.min(0)).astype(int) - margin, np.ceil(points.max(0)).astype(int) + margin
        height, width = self.size_px
        x0, y0 = max(int(low[0]), 0) & ~1, max(int(low[1]), 0) & ~1
        return x0, y0, max(min(int(high[0]), width), x0), max(min(int(high[1]), height), y0)

    def _redraw(self, rect: Rect) -> None:
        """Draws cloth, shadows and resting tiles of a part of the picture, and lights it."""
        x0, y0, x1, y1 = rect
        if x1 <= x0 or y1 <= y0:
            return
        spots = [spot for spot in self._spots.values() if _meet(spot.whole, rect)]
        image = self._cloth[y0:y1, x0:x1].copy()
        camera = _shifted(self.camera, x0, y0)
        if spots:
            placed = [spot.placed for spot in spots]
            image = cast_shadows(image, camera, self.light, placed, self.design.body, self._shadow)
            for index in draw_order(camera, placed):
                if _meet(spots[index].body, rect):
                    draw_tile(image, camera, self.light, self.design, placed[index], spots[index].tone)
        self._plain[y0:y1, x0:x1] = image
        self._lit[y0:y1, x0:x1] = cv2.multiply(image, self._gain[y0:y1, x0:x1], scale=1 / _UNIT)

    def _draw_moving(self, image: Image, moving: Sequence[LiveTile], time_s: float) -> None:
        """Carried and sliding tiles, arms, and their shadows, into a picture that is lit already."""
        arms = self.plan.arms_at(time_s)
        rects = [self._spot(tile.number, tile.placed).whole for tile in moving]
        taken = reach_rect(arms, self.camera, self.light, self.size_px)
        rects += [] if taken is None else [taken]
        for rect in _merged(rects):
            x0, y0, x1, y1 = rect
            if x1 <= x0 or y1 <= y0:
                continue
            part = self._plain[y0:y1, x0:x1].copy()
            camera = _shifted(self.camera, x0, y0)
            placed = [tile.placed for tile in moving if _meet(self._spot(tile.number, tile.placed).whole, rect)]
            if arms:
                draw_arm_shadows(part, arms, camera, self.light, self._shadow)
            for index in draw_order(camera, placed):
                draw_tile(part, camera, self.light, self.design, placed[index], 1.0)
            for arm in arms:
                draw_arm(part, arm, camera, self._looks[arm.seat])
            image[y0:y1, x0:x1] = cv2.multiply(part, self._gain[y0:y1, x0:x1], scale=1 / _UNIT)

    def _expose(self, image: Image, frame: int, time_s: float) -> Image:
        """What the camera makes of it."""
        rng = np.random.default_rng([self._seed, frame])
        matrix = nudge(self.camera, self.plan.disturbances, time_s)
        if not np.allclose(matrix, np.eye(3), atol=1e-9):
            shift = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1.0]])  # pixel centres lie at .5
            image = np.asarray(
                cv2.warpPerspective(
                    image,
                    shift @ matrix @ np.linalg.inv(shift),
                    (self.size_px[1], self.size_px[0]),
                    flags=cv2.INTER_LINEAR,
                    borderMode=cv2.BORDER_REFLECT_101,
                ),
                np.uint8,
            )
        blur = max(self._soft, out_of_focus(self.plan.disturbances, time_s) * min(self.size_px) / 1080)
        if blur > 2.5:
            small = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
            small = cv2.GaussianBlur(small, (0, 0), blur / 2)
            image = np.asarray(cv2.resize(small, (self.size_px[1], self.size_px[0])), np.uint8)
        elif blur > 0.25:
            image = np.asarray(cv2.GaussianBlur(image, (0, 0), blur), np.uint8)
        gains = lamp_gains(self.plan.disturbances, time_s) * (1 + float(rng.normal(0, 0.006)))
        table = np.clip(np.arange(256)[:, None] * gains, 0, 255).astype(np.uint8)[None]
        image = np.asarray(cv2.LUT(image, table), np.uint8)
        height, width = self.size_px
        y, x = int(rng.integers(64)), int(rng.integers(64))
        brighter, darker = (grain[y : y + height, x : x + width] for grain in self._grain)
        return np.asarray(cv2.subtract(cv2.add(image, brighter), darker), np.uint8)


def out_of_focus(disturbances: Sequence[Disturbance], time_s: float) -> float:
    """Spread of the blur of a camera that hunts, px at 1080 lines; it swings two or three times."""
    for found in disturbances:
        if found.kind is FaultKind.FOCUS and found.at(time_s):
            share = (time_s - found.start_s) / (found.end_s - found.start_s)
            return float(abs(np.sin(share * np.pi * 2.5)) * (2 + 7 * found.fault.strength) * (1 - share * 0.6))
    return 0.0


def lamp_gains(disturbances: Sequence[Disturbance], time_s: float) -> Floats:
    """Factors for blue, green and red: another lamp for a while, to which the camera gets used in part."""
    gains = np.ones(3)
    for found in disturbances:
        if found.kind is not FaultKind.LAMP or not found.at(time_s):
            continue
        rng = np.random.default_rng([found.fault.number, round(found.start_s * 1000)])
        darker = rng.random() < 0.75
        level = 1 - (0.25 + 0.5 * found.fault.strength) if darker else 1 + 0.5 * found.fault.strength
        used = 0.45 * ease((time_s - found.start_s) / 2.5)
        warm = float(rng.uniform(-0.1, 0.25)) * found.fault.strength
        gains = gains * (level + (1 - level) * used) * np.array([1 - warm, 1.0, 1 + warm * 0.6])
    return gains


def film(path: Path, movie: Film, progress: Callable[[int, int], None] | None = None, as_frames: bool = False) -> int:
    """Writes ``clip.mp4``, or ``frames/000000.jpg`` and so on, into a folder that exists; how many pictures.

    A video shows the last picture again for a dropped frame and darkness in a gap, so that its time stays right;
    among single pictures they are missing. OSError when the file cannot be written.
    """
    plan, (height, width) = movie.plan, movie.size_px
    total = int(plan.duration_s * plan.fps) + 1
    if as_frames:
        (path / "frames").mkdir(exist_ok=True)
        for frame, _, image in movie.frames():
            target = path / "frames" / f"{frame:06d}.jpg"
            if not cv2.imwrite(str(target), image, [cv2.IMWRITE_JPEG_QUALITY, 88]):
                raise OSError(f"cannot write {target}")
            if progress is not None:
                progress(frame + 1, total)
        return len(plan.frame_times())
    target = path / "clip.mp4"
    writer = cv2.VideoWriter(str(target), cv2.VideoWriter.fourcc(*CODEC), plan.fps, (width, height))
    if not writer.isOpened():
        raise OSError(f"cannot write {target}")
    dark = np.full((height, width, 3), 4, np.uint8)
    last = dark
    taken = dict(plan.frame_times())
    for frame in range(total):
        if frame in taken:
            last = movie.picture(frame, taken[frame])
        gap = any(found.kind is FaultKind.GAP and found.at(frame / plan.fps) for found in plan.disturbances)
        writer.write(dark if gap else last)
        if progress is not None:
            progress(frame + 1, total)
    writer.release()
    return total


def _shifted(camera: Camera, x: int, y: int) -> Camera:
    """The same camera for a part of the picture."""
    return replace(camera, centre_px=(camera.centre_px[0] - x, camera.centre_px[1] - y))


def _meet(one: Rect, two: Rect) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def _merged(rects: Sequence[Rect]) -> list[Rect]:
    """Rectangles that meet become one."""
    found: list[Rect] = []
    for rect in rects:
        while True:
            other = next((one for one in found if _meet(one, rect)), None)
            if other is None:
                break
            found.remove(other)
            rect = (*map(min, rect[:2], other[:2]), *map(max, rect[2:], other[2:]))  # type: ignore[assignment]
        found.append(rect)
    return found


def _light_map(rng: np.random.Generator, size_px: tuple[int, int]) -> Image:
    """Uneven light and the colour of the lamp, HxWx3, `_UNIT` leaves a pixel as it is."""
    small = 1 + 0.1 * rng.standard_normal((3, 3))
    field = cv2.resize(small.astype(np.float32), (size_px[1], size_px[0]), interpolation=cv2.INTER_CUBIC)
    warm = float(rng.normal(0, 0.05))
    level = float(np.exp(np.clip(rng.normal(-0.03, 0.12), -0.35, 0.2)))
    balance = np.array([1 - warm, 1.0, 1 + warm], np.float32) * level
    return np.asarray(np.clip(field[:, :, None] * balance * _UNIT, 40, 240), np.uint8)


def _grain(rng: np.random.Generator, size_px: tuple[int, int], spread: float) -> tuple[Image, Image]:
    """Noise to add and noise to take away, larger than the picture so that every frame has its own part of it."""
    noise = np.empty((size_px[0] + 64, size_px[1] + 64, 3), np.int16)
    noise[:] = np.round(rng.standard_normal(noise.shape, dtype=np.float32) * spread)
    return np.clip(noise, 0, 60).astype(np.uint8), np.clip(-noise, 0, 60).astype(np.uint8)
