"""What changes in the picture of a table: where something moves, what looks as it did when it was read, where the
cloth can be seen. Works on a small picture, brought back to where the camera was at first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.live.plane import mapped

Image = NDArray[np.uint8]
Map = NDArray[np.float32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MotionRule:
    """Limits; lengths in widths of a tile, contrast in levels of a picture whose local contrast is made alike.

    Attributes:
        tile_px: how large a tile is in the small picture.
        around: part of the picture in which contrast is made alike.
        quiet: contrast that is noise.
        moves: mean change from frame to frame from which something moves.
        differs: mean difference from the picture that was read from which a place looks otherwise.
        rest_s: so long nothing moves before a place is at rest.
        cloth: share of a place that must look like the table for it to be free.
        cloth_least: share that is enough where the rest looks as that very place did when the table was seen there.
        shade: darkest shade that a tile beside it throws there, as share of the light before.
        tint: most that shares of the colours differ in a shade.
        bare_s: so long a place is at rest before it is remembered.
        corners: points by which the camera is followed.
        shift_px: pixels of the small picture by which the camera must have moved to be followed.
    """

    tile_px: float = 9.0
    around: float = 3.0
    quiet: float = 10.0
    moves: float = 7.0
    differs: float = 9.0
    rest_s: float = 0.19
    cloth: float = 0.6
    cloth_least: float = 0.25
    shade: float = 0.25
    tint: float = 0.08
    bare_s: float = 0.9
    corners: int = 200
    shift_px: float = 0.35


RULE = MotionRule()
_GAIN = 32.0
_LIGHT_CHANGED = 0.06


class Motion:
    """The small pictures of one camera, and what they show.

    Args:
        size: width and height of the frames in pixels.
        tile_px: how large a tile is in the frames.
        rule: limits.

    Attributes:
        to_first: 3x3, from pixels of the newest frame to those of the first one.
        lost: True where the newest frame does not show what the first one showed.
        light_changed: True in the frame after which the light is another.
    """

    def __init__(self, size: tuple[int, int], tile_px: float, rule: MotionRule = RULE) -> None:
        self.rule = rule
        self.scale = min(1.0, rule.tile_px / tile_px)
        self.shape = (max(16, round(size[1] * self.scale)), max(16, round(size[0] * self.scale)))
        self._to_small = np.diag([self.shape[1] / size[0], self.shape[0] / size[1], 1.0])
        self._tile = max(3, round(tile_px * self.scale * 0.8)) | 1
        self.to_first: Floats = np.eye(3)
        self.lost = False
        self.light_changed = False
        self.time_s = 0.0
        self._anchor: Image | None = None
        self._anchor_to_first: Floats = np.eye(3)
        self._points: Map | None = None
        self._before: Map | None = None
        self._now: Map = np.zeros(self.shape, np.float32)
        self._colour: Image = np.zeros((*self.shape, 3), np.uint8)
        self._read: Map = np.zeros(self.shape, np.float32)
        self._unread: NDArray[np.bool_] = np.ones(self.shape, np.bool_)
        self._moved_s: Map = np.full(self.shape, -1e9, np.float32)
        self._inside: NDArray[np.bool_] = np.ones(self.shape, np.bool_)
        self._cloth = Cloth()
        self._table: Map = np.full((*self.shape, 3), np.nan, np.float32)
        self._light: Floats | None = None
        self._bare: NDArray[np.bool_] | None = None
        self._maps: dict[str, Any] = {}

    def push(self, image_bgr: Image, time_s: float) -> None:
        """Looks at the next frame."""
        small = np.asarray(
            cv2.resize(image_bgr, (self.shape[1], self.shape[0]), interpolation=cv2.INTER_AREA), np.uint8
        )
        self.time_s = time_s
        self._maps = {}
        self._follow(small)
        if self.lost:
            return
        matrix = self._to_small @ self.to_first @ np.linalg.inv(self._to_small)
        if not np.allclose(matrix, np.eye(3), atol=1e-7):
            grey = np.full(self.shape, 255, np.uint8)
            size = (self.shape[1], self.shape[0])
            small = np.asarray(cv2.warpPerspective(small, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)
            self._inside = np.asarray(cv2.warpPerspective(grey, matrix, size) > 250)
        else:
            self._inside = np.ones(self.shape, np.bool_)
        self._colour = small
        self._now = self._alike(small)
        if self._before is not None:
            change = cv2.blur(cv2.absdiff(self._now, self._before), (self._tile, self._tile))
            moving = np.asarray(change > self.rule.moves)
            reach = np.ones((self._tile, self._tile), np.uint8)
            moving = np.asarray(cv2.dilate(moving.astype(np.uint8), reach) > 0)
            self._moved_s[moving] = time_s
        self._before = self._now
        self._watch_light(small)

    def _alike(self, small: Image) -> Map:
        """Grey levels with the local contrast made alike, so that light and shade do not matter."""
        grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), 0.8)
        side = max(5, round(self._tile * self.rule.around)) | 1
        mean = cv2.blur(grey, (side, side))
        spread = np.sqrt(np.maximum(cv2.blur(grey * grey, (side, side)) - mean * mean, 0.0))
        return np.asarray((grey - mean) / (spread + self.rule.quiet) * _GAIN, np.float32)

    # --- the camera

    def _follow(self, small: Image) -> None:
        """Finds how the camera has moved since the first frame."""
        picture = np.clip(self._alike(small) + 128.0, 0, 255).astype(np.uint8)
        if self._anchor is None or self._points is None or len(self._points) < 20:
            self._drop_anchor(picture)
            return
        guess = self._to_small @ np.linalg.inv(self.to_first) @ self._anchor_to_first @ np.linalg.inv(self._to_small)
        points = self._points.reshape(-1, 2).astype(np.float64)
        expected = mapped(guess, points).astype(np.float32).reshape(-1, 1, 2)
        now, status, _ = cv2.calcOpticalFlowPyrLK(
            self._anchor, picture, self._points, expected.copy(), winSize=(21, 21), maxLevel=3,
            flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
        )  # fmt: skip
        good = status.ravel() > 0
        if good.sum() < 12:
            self.lost = True
            return
        moved = now.reshape(-1, 2)[good]
        off = np.linalg.norm(moved - expected.reshape(-1, 2)[good], axis=1)
        still = int((off < self.rule.shift_px).sum())
        if still >= max(12, 0.25 * len(off)):  # what was carried away went each its own way
            self.lost = False
            if still < 0.6 * len(points):
                self._drop_anchor(picture)
            return
        matrix, kept = cv2.findHomography(points[good], moved.astype(np.float64), cv2.RANSAC, 1.0)
        found = np.eye(3) if matrix is None else np.asarray(matrix, np.float64)
        if matrix is None or kept.sum() < max(12, 0.35 * good.sum()) or not _is_gentle(found, self.shape):
            self.lost = True
            return
        self.lost = False
        found_first = self._anchor_to_first @ np.linalg.inv(self._to_small) @ np.linalg.inv(found) @ self._to_small
        self.to_first = found_first / found_first[2, 2]
        if kept.sum() < 0.6 * len(points):
            self._drop_anchor(picture)

    def _drop_anchor(self, picture: Image) -> None:
        """Follows the camera by what this picture shows from now on: walls and hands of the one before have gone."""
        points = cv2.goodFeaturesToTrack(picture, self.rule.corners, 0.02, self._tile)
        if self._points is not None and (points is None or len(points) < 20):
            return
        self._anchor, self._anchor_to_first = picture, self.to_first
        self._points = None if points is None else np.asarray(points, np.float32)

    # --- the light

    def _watch_light(self, small: Image) -> None:
        """Notices that a lamp was switched: most of the picture is brighter or darker by the same."""
        now = np.median(small.reshape(-1, 3), axis=0).astype(np.float64) + 1.0
        self.light_changed = False
        if self._light is None:
            self._light = now
        elif float(np.abs(np.log(now / self._light)).max()) > _LIGHT_CHANGED:
            self._light = now
            self.light_changed = True

    # --- what is asked

    def moving(self, pixels: Floats) -> NDArray[np.bool_]:
        """Whether something moves, or just moved, at pixels [N, 2] of the first frame."""
        return np.asarray(self.rest_s(pixels) < self.rule.rest_s)

    def rest_s(self, pixels: Floats) -> Map:
        """Seconds since something moved at pixels [N, 2] of the first frame."""
        return self._sample(self._since(), pixels)

    def same(self, pixels: Floats) -> NDArray[np.bool_]:
        """Whether places look as they did when they were read."""
        unread = self._sample(self._unread.astype(np.float32), pixels) > 0
        return np.asarray((self._sample(self._difference(), pixels) < self.rule.differs) & ~unread)

    def free(self, pixels: Floats) -> NDArray[np.bool_]:
        """Whether the cloth is seen at places."""
        return np.asarray(self._sample(self._free(), pixels) >= self.rule.cloth)

    def inside(self, pixels: Floats) -> NDArray[np.bool_]:
        """Whether places are in the picture."""
        at = mapped(self._to_small, pixels)
        x, y = np.rint(at[:, 0] - 0.5).astype(int), np.rint(at[:, 1] - 0.5).astype(int)
        within = (x >= 0) & (y >= 0) & (x < self.shape[1]) & (y < self.shape[0])
        found = np.zeros(len(at), np.bool_)
        found[within] = self._inside[y[within], x[within]]
        return found

    def stirred(self) -> float:
        """Share of the picture that moves."""
        return float((self._since() < self.rule.rest_s).mean())

    def dirty(self) -> NDArray[np.bool_]:
        """Where the small picture is at rest and looks otherwise than when it was read, [H, W]."""
        at_rest = (self._since() >= self.rule.rest_s) & self._inside
        return np.asarray(at_rest & (self._unread | (self._difference() >= self.rule.differs)))

    def read(self, box: tuple[float, float, float, float]) -> None:
        """Says that a part of the first frame was read as it looks now: x0, y0, x1, y1 in pixels."""
        x0, y0, x1, y1 = self._box(box)
        part = (slice(y0, y1), slice(x0, x1))
        at_rest = (self._since()[part] >= self.rule.rest_s) & self._inside[part]
        self._read[part] = np.where(at_rest, self._now[part], self._read[part])
        self._unread[part] &= ~at_rest
        self._maps.pop("difference", None)

    def learn_cloth(self, taken: Floats, within: NDArray[np.bool_], tile_px: float) -> None:
        """Learns how the table looks where nothing lies.

        Args:
            taken: pixels [N, 2] of the first frame where tiles lie.
            within: the small picture's part [H, W] that is table.
            tile_px: how large a tile is there.
        """
        mask = (within & (self._since() >= self.rule.rest_s) & self._inside).astype(np.uint8)
        for x, y in mapped(self._to_small, taken):
            cv2.circle(mask, (round(float(x)), round(float(y))), round(tile_px * self.scale * 1.25), 0, -1)
        self._remember(mask > 0)
        # an arm that rests there is not the table: only what looked like the table already is learnt on from
        looked_like_it = self._bare if self.light_changed else self._cloth.alike(self._colour)
        if self._cloth.known and looked_like_it is not None:
            mask &= looked_like_it.astype(np.uint8)
        self._cloth.learn(self._colour, mask > 0, anew=self.light_changed)
        self._maps.pop("free", None)

    def _remember(self, bare: NDArray[np.bool_]) -> None:
        """Remembers how the bare table looks place by place: a mottled or shaded cloth has many colours."""
        if self.light_changed:
            self._table[:] = np.nan
        at_rest = bare & (self._since() >= self.rule.bare_s)
        self._table[at_rest] = self._colour[at_rest]

    @property
    def knows_cloth(self) -> bool:
        """True where it was learnt how the table looks."""
        return self._cloth.known

    def pixels_of(self, box: tuple[int, int, int, int]) -> tuple[float, float, float, float]:
        """A box of the small picture in pixels of the first frame."""
        corners = mapped(np.linalg.inv(self._to_small), np.array([box[:2], box[2:]], np.float64))
        return float(corners[0, 0]), float(corners[0, 1]), float(corners[1, 0]), float(corners[1, 1])

    def small(self, pixels: Floats) -> Floats:
        """Pixels [N, 2] of the first frame in the small picture."""
        return mapped(self._to_small, pixels)

    def _box(self, box: tuple[float, float, float, float]) -> tuple[int, int, int, int]:
        low, high = mapped(self._to_small, np.array([box[:2], box[2:]], np.float64))
        x0, y0 = max(0, int(low[0])), max(0, int(low[1]))
        return x0, y0, min(self.shape[1], int(np.ceil(high[0]))), min(self.shape[0], int(np.ceil(high[1])))

    def _since(self) -> Map:
        """Seconds since something moved."""
        if "since" not in self._maps:
            self._maps["since"] = np.float32(self.time_s) - self._moved_s
        since: Map = self._maps["since"]
        return since

    def _difference(self) -> Map:
        if "difference" not in self._maps:
            off = np.where(self._unread, np.float32(0.0), cv2.absdiff(self._now, self._read))
            self._maps["difference"] = cv2.blur(off, (self._tile, self._tile))
        difference: Map = self._maps["difference"]
        return difference

    def _free(self) -> Map:
        if "free" not in self._maps:
            size = (self._tile, self._tile)
            self._bare = self._cloth.alike(self._colour)
            share = cv2.blur(self._bare.astype(np.float32), size)
            more = cv2.blur((self._bare | self._is_shaded()).astype(np.float32), size)
            self._maps["free"] = np.where(share >= self.rule.cloth_least, more, share)
        free: Map = self._maps["free"]
        return free

    def _is_shaded(self) -> NDArray[np.bool_]:
        """Where the table is seen as it was, or in the shade of a tile beside it: all its colours darker alike."""
        light = (self._colour + np.float32(4.0)) / (self._table + np.float32(4.0))
        share = light.mean(axis=2)
        alike = light.max(axis=2) - light.min(axis=2) < self.rule.tint
        return np.asarray((share > self.rule.shade) & (share < 1 + self.rule.tint) & alike)

    def _sample(self, values: Map, pixels: Floats) -> Map:
        at = mapped(self._to_small, pixels)
        x = np.clip(np.rint(at[:, 0] - 0.5).astype(int), 0, self.shape[1] - 1)
        y = np.clip(np.rint(at[:, 1] - 0.5).astype(int), 0, self.shape[0] - 1)
        return np.asarray(values[y, x], np.float32)


class Cloth:
    """The colours of a table where nothing lies, as a table of how often they were met (CIELAB, coarse bins)."""

    _BINS = (16, 32, 32)

    def __init__(self) -> None:
        self._often: Map = np.zeros(self._BINS, np.float32)
        self.known = False

    def learn(self, image_bgr: Image, mask: NDArray[np.bool_], *, anew: bool = False) -> None:
        """Counts the colours of a part of a picture; earlier ones fade, or are forgotten under another light."""
        if int(mask.sum()) < 200:
            return
        cells = self._cells(image_bgr)[mask]
        counts = np.zeros(self._BINS, np.float32)
        np.add.at(counts, tuple(cells.T), 1.0)
        counts = _spread(counts / counts.sum())
        self._often = counts if anew or not self.known else 0.5 * self._often + 0.5 * counts
        self.known = True

    def alike(self, image_bgr: Image) -> NDArray[np.bool_]:
        """Which pixels [H, W] have a colour of the table; none before it was learnt."""
        if not self.known:
            return np.zeros(image_bgr.shape[:2], np.bool_)
        cells = self._cells(image_bgr)
        often = self._often[cells[..., 0], cells[..., 1], cells[..., 2]]
        return np.asarray(often > 0.02 * self._often.max())

    def _cells(self, image_bgr: Image) -> NDArray[np.int64]:
        lab = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2LAB)
        return np.stack([lab[..., 0] // 16, lab[..., 1] // 8, lab[..., 2] // 8], axis=-1).astype(np.int64)


def _spread(counts: Map) -> Map:
    """The counts with their neighbours' mixed in."""
    kernel = np.array([0.25, 0.5, 0.25], np.float32)
    for axis in range(3):
        padded = np.moveaxis(np.pad(counts, [(1, 1) if k == axis else (0, 0) for k in range(3)]), axis, 0)
        mixed = kernel[0] * padded[:-2] + kernel[1] * padded[1:-1] + kernel[2] * padded[2:]
        counts = np.moveaxis(mixed, 0, axis)
    return np.asarray(counts, np.float32)


def _is_gentle(matrix: Floats, shape: tuple[int, int]) -> bool:
    """Whether a homography is a small move of the camera: nothing goes further than an eighth of the picture."""
    height, width = shape
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    return float(np.linalg.norm(mapped(matrix, corners) - corners, axis=1).max()) < max(shape) / 8
