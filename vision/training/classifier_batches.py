"""Endless batches for the classifier: which crop comes next, what it becomes, and which answer is right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from engine.tiles import CODES
from vision.crops import CROP_SIZE
from vision.training.classifier_augment import Augmentation, backdrop, face_corners, quarter_turned, vary, warp
from vision.training.classifier_data import BACK, NOT_A_FACE, UNKNOWN_TURN, WideCrops
from vision.training.distractors import piece

LABELS = 44
# faces whose mirror image is plainly wrong; 3m or E differ from theirs by strokes that a blurred photo does not show
_MIRRORED = ("5m", "7m", "9m", "N", "F", "7p")
# faces that look alike upside down where they have no index figure: only half of the turn can be learned
HALF_TURN_ALIKE = frozenset({"2p", "3p", "4p", "5p", "8p", "9p", "2s", "4s", "5s", "6s", "8s", "9s", "P"})
ANY_TURN_ALIKE = frozenset({"1p", "4p", "5p", "P"})
_HARD = {"2m": 1.4, "3m": 1.4, "7m": 1.3, "9m": 1.3, "S": 1.3, "W": 1.3, "1s": 1.5, "P": 1.3}
_HARD |= {f"{which}f": 2.2 for which in range(1, 9)}  # every set has its own drawings


@dataclass(frozen=True, slots=True)
class Batch:
    """images [N, 64, 64, 3] uint8 BGR; target [N, 44] label distribution; turns [N] and how they may be learned [N]."""

    images: npt.NDArray[np.uint8]
    target: npt.NDArray[np.float32]
    turns: npt.NDArray[np.int64]
    turn_period: npt.NDArray[np.int64]
    """4: the turn counts; 2: turns differing by two look alike; 0: nothing to learn."""


class CropSampler:
    """Draws batches from stored crops; the same seed and step give the same batch."""

    def __init__(self, crops: WideCrops, weights: Mapping[str, float], how: Augmentation, negatives: float) -> None:
        self.crops = crops
        self.how = how
        self.negatives = negatives
        self.chance = np.cumsum(item_chances(crops, weights))
        faces = np.flatnonzero(crops.labels < BACK)
        self.mirrored = [faces[crops.labels[faces] == CODES.index(code)] for code in _MIRRORED]
        photos = np.flatnonzero((crops.valid[:, 0] <= 0) & (crops.valid[:, 2] >= 1))
        self.photos = photos if len(photos) else np.arange(len(crops))

    def draw(self, rng: np.random.Generator, count: int) -> Batch:
        """A batch of ``count`` crops; a share of ``negatives`` are half, mirrored or blank faces, or other things."""
        picks = np.searchsorted(self.chance, rng.random(count) * self.chance[-1]).clip(0, len(self.crops) - 1)
        images = np.empty((count, CROP_SIZE, CROP_SIZE, 3), dtype=np.uint8)
        target = np.zeros((count, LABELS), dtype=np.float32)
        turns, period = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
        for row, pick in enumerate(picks):
            if rng.random() < self.negatives:
                images[row], target[row] = self._negative(rng, int(pick))
                continue
            turn = int(rng.integers(4))
            images[row] = self._cut(rng, int(pick), quarter_turned(face_corners(rng, self.how), turn))
            label = int(self.crops.labels[pick])
            target[row, label] = 1
            known = int(self.crops.turns[pick])
            if known != UNKNOWN_TURN and label < BACK:
                turns[row] = (known + turn) % 4
                period[row] = turn_period(label)
        return Batch(vary(rng, images, self.how), target, turns, period)

    def _cut(self, rng: np.random.Generator, pick: int, corners: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
        other = self.crops.images[self.photos[rng.integers(len(self.photos))]]
        return warp(self.crops.images[pick], self.crops.valid[pick], corners, backdrop(rng, other))

    def _negative(self, rng: np.random.Generator, pick: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
        target = np.zeros(LABELS, dtype=np.float32)
        corners = quarter_turned(face_corners(rng, self.how), int(rng.integers(4)))
        kind = rng.random()
        if kind < 0.3:  # between two tiles, or a corner of one
            shift = np.array([rng.uniform(0.45, 0.6), rng.uniform(0, 0.6)]) * rng.choice([-1, 1], 2)
            target[NOT_A_FACE] = 1
            return self._cut(rng, pick, corners + (shift if rng.random() < 0.5 else shift[::-1])), target
        if kind < 0.45:  # several tiles at once, or a small part of one
            scale = rng.uniform(1.7, 2.1) if rng.random() < 0.5 else rng.uniform(0.2, 0.4)
            shift = rng.uniform(-0.3, 0.3, 2) if scale < 1 else np.zeros(2)
            target[NOT_A_FACE] = 1
            return self._cut(rng, pick, corners * scale + shift), target
        if kind < 0.6:  # mirrored
            which = int(rng.integers(len(self.mirrored)))
            if len(self.mirrored[which]):
                target[NOT_A_FACE] = 1
                crop = self._cut(rng, int(rng.choice(self.mirrored[which])), corners)
                return np.ascontiguousarray(crop[:, ::-1]), target
        if kind < 0.85:
            target[NOT_A_FACE] = 1
            return _lettered(rng), target
        blank = _blank(rng)
        if rng.random() < 0.35:  # saturated and plain: most likely a back
            target[BACK], target[NOT_A_FACE] = 0.7, 0.3
            return _back(rng), target
        if blank.mean() > 150:  # light, plain, no rim: a blank white dragon, glare or table, nobody can tell
            target[CODES.index("P")], target[NOT_A_FACE], target[BACK] = 0.45, 0.4, 0.15
        else:
            target[NOT_A_FACE] = 1
        return blank, target


def turn_period(label: int) -> int:
    """4 where a face shows how it is turned, 2 where only up to half a turn, 0 where not at all."""
    code = CODES[label]
    return 0 if code in ANY_TURN_ALIKE else 2 if code in HALF_TURN_ALIKE else 4


def item_chances(crops: WideCrops, weights: Mapping[str, float]) -> npt.NDArray[np.float64]:
    """Chance of each crop [N]: sets by their weight, classes evenly within a set, hard ones more often."""
    chance = np.zeros(len(crops))
    for name in np.unique(crops.sets):
        rows = np.flatnonzero(crops.sets == name)
        share, inverse, counts = np.unique(crops.labels[rows], return_inverse=True, return_counts=True)
        boost = np.array([_HARD.get(CODES[label], 1.0) if label < BACK else 1.0 for label in share])
        # a set with few classes must not show them more often than the others do
        chance[rows] = weights.get(str(name), 1.0) * (boost / counts)[inverse] / 42
    return chance / chance.sum()


def _back(rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """A plain coloured back, square to the crop, with a hint of its rim."""
    hue, saturation, value = rng.integers(0, 180), rng.integers(110, 256), rng.integers(60, 230)
    return _plain(rng, _hsv(hue, saturation, value), rim=True)


def _lettered(rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Something with lettering and edges that is no tile, or a part of it: a book, a page, a box, a device."""
    thing = piece(rng)
    crop = _plain(rng, rng.integers(0, 256, 3).astype(np.float32), rim=False)
    low, high = rng.uniform(-0.45, 0.4, 2).clip(0), rng.uniform(0.6, 1.45, 2).clip(max=1)
    (x0, y0), (x1, y1) = (low * CROP_SIZE).astype(int), np.ceil(high * CROP_SIZE).astype(int)
    if x1 - x0 > 8 and y1 - y0 > 8:
        crop[y0:y1, x0:x1] = cv2.resize(thing, (int(x1 - x0), int(y1 - y0)), interpolation=cv2.INTER_AREA)
    grey = crop.mean(axis=2, keepdims=True)
    return np.asarray(grey + (crop - grey) * rng.uniform(0.0, 0.8), dtype=np.uint8)


def _blank(rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """A plain patch: glare, cloth, table or skin."""
    light = bool(rng.random() < 0.25)
    if light:
        colour = np.clip(rng.integers(160, 256) + rng.integers(-15, 16, 3), 0, 255).astype(np.float32)
    else:
        colour = _hsv(rng.integers(0, 180), rng.integers(0, 110), rng.integers(20, 150))
    # with a rim a light patch would be the blank white dragon of many sets
    return _plain(rng, colour, rim=not light and bool(rng.random() < 0.2))


def _hsv(hue: np.integer, saturation: np.integer, value: np.integer) -> npt.NDArray[np.float32]:
    pixel = np.array([[[hue, saturation, value]]], dtype=np.uint8)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0], dtype=np.float32)


def _plain(rng: np.random.Generator, colour: npt.NDArray[np.float32], rim: bool) -> npt.NDArray[np.uint8]:
    size = CROP_SIZE
    patch = np.tile(colour, (size, size, 1)) + rng.normal(0, rng.uniform(0, 8), (size, size, 3))
    if rim:
        low, high = rng.integers(2, 10), size - rng.integers(2, 10)
        frame = np.ones((size, size, 1), dtype=bool)
        frame[low:high, low:high] = False
        patch = np.where(frame, patch * rng.uniform(0.5, 1.3) + rng.normal(0, 15, 3), patch)
    return np.asarray(np.clip(patch, 0, 255).astype(np.uint8))
