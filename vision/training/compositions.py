"""Training pictures for the detector: labelled photos and renders, warped and laid over each other on a square canvas.

Every picture varies what a table varies: size of the tiles, any rotation, perspective, aspect (the photos of some data
sets were stretched to squares), light, blur, noise, compression, and tiles that cover each other. A mirrored face is
still a face, so unlike for the classifier flips do no harm here; the recipe says whether they are used.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.distractors import scatter
from vision.training.real_photos import LabelledPhoto, LazyPhoto

Image = NDArray[np.uint8]
VISIBLE_MIN = 0.5  # share of a tile that must be seen for it to count


@dataclass(frozen=True, slots=True)
class Variation:
    """How far pictures are varied (table ``[variation]`` of the recipe)."""

    tile_px: tuple[float, float] = (20.0, 110.0)  # side of a tile (root of its area), drawn log-uniformly
    any_rotation: float = 0.5  # share of pictures turned by any angle; the others by less than tilt_deg
    tilt_deg: float = 12.0
    aspect: float = 0.35  # largest log of the stretch of one axis against the other
    perspective: float = 0.35  # largest change of depth over the picture
    layers: int = 4
    distractors: float = 0.35  # share of pictures with things that are no tiles behind the tiles
    fliplr: float = 0.0
    flipud: float = 0.0
    plain: float = 0.1  # share of pictures without changes of light and blur

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> Variation:
        """The recipe's table as a value; a field that does not exist is a TypeError."""
        fields = dict(table)
        if "tile_px" in fields:
            low, high = fields["tile_px"]
            fields["tile_px"] = (float(low), float(high))
        return cls(**fields)


@dataclass(frozen=True, slots=True)
class Picture:
    """A training picture: image (BGR, side x side x 3), quads (Nx4x2 pixels), classes (N)."""

    image: Image
    quads: NDArray[np.float32]
    classes: NDArray[np.int8]


def quad_areas(quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """Areas of convex quads Nx4x2, by the shoelace formula."""
    x, y = quads[..., 0], quads[..., 1]
    areas: NDArray[np.float32] = 0.5 * np.abs((x * np.roll(y, -1, 1) - y * np.roll(x, -1, 1)).sum(axis=1))
    return areas


class Composer:
    """Draws training pictures from a pool of photos; the same generator state gives the same picture.

    ``weights`` says how often each photo is drawn; ``scene`` marks photos that fill a picture alone (rendered scenes).
    """

    def __init__(
        self,
        photos: Sequence[LabelledPhoto | LazyPhoto],
        weights: NDArray[np.float64],
        scene: NDArray[np.bool_],
        side: int,
        variation: Variation,
    ) -> None:
        self.photos, self.side, self.variation = photos, side, variation
        self.weights, self.scene = weights / weights.sum(), scene
        loose = self.weights * ~scene
        self.loose = loose / loose.sum() if loose.any() else None

    def draw(self, rng: np.random.Generator) -> Picture:
        """One training picture."""
        side = self.side
        first = int(rng.choice(len(self.photos), p=self.weights))
        count = 1 if self.scene[first] else int(rng.integers(1, self.variation.layers + 1))
        picks = [first]
        if self.loose is not None:
            extra = count - 1 if not self.scene[first] else int(rng.random() < 0.3)
            picks += [int(i) for i in rng.choice(len(self.photos), size=extra, p=self.loose)]
        canvas = _background(rng, self.photos[int(rng.integers(len(self.photos)))], side)
        if rng.random() < self.variation.distractors:
            scatter(rng, canvas, int(rng.integers(1, 5)))
        owner = np.zeros((side, side), np.int32)
        quads: list[NDArray[np.float32]] = []
        classes: list[NDArray[np.int8]] = []
        base = 1
        for place, pick in enumerate(picks):
            photo = self.photos[pick]
            image = photo.image
            matrix = self._warp(rng, photo, (image.shape[0], image.shape[1]), alone=place == 0)
            warped = cv2.warpPerspective(image, matrix, (side, side), flags=_interpolation(matrix))
            ones = np.full(image.shape[:2], 255, np.uint8)
            mask = cv2.warpPerspective(ones, matrix, (side, side), flags=cv2.INTER_NEAREST) > 0
            canvas[mask] = warped[mask]
            owner[mask] = 0
            moved = _move(photo.quads, matrix)
            for i, quad in enumerate(moved):
                if quad.max() > 0 and quad.min() < side:
                    cv2.fillConvexPoly(owner, np.round(quad).astype(np.int32), base + i)
            quads.append(moved)
            classes.append(photo.classes)
            base += len(moved)
        image = canvas if rng.random() < self.variation.plain else _light(rng, canvas)
        return self._finish(rng, image, np.concatenate(quads), np.concatenate(classes), owner)

    def _finish(
        self,
        rng: np.random.Generator,
        image: Image,
        quads: NDArray[np.float32],
        classes: NDArray[np.int8],
        owner: NDArray[np.int32],
    ) -> Picture:
        seen = np.bincount(owner.ravel(), minlength=len(quads) + 1)[1:]
        areas = quad_areas(quads)
        centres = quads.mean(axis=1)
        keep = (
            (seen >= VISIBLE_MIN * areas)
            & (areas >= 64)
            & (centres >= 0).all(axis=1)
            & (centres < self.side).all(axis=1)
        )
        quads, classes = quads[keep].copy(), classes[keep]
        if rng.random() < self.variation.fliplr:
            image, quads[..., 0] = np.ascontiguousarray(image[:, ::-1]), self.side - quads[..., 0]
        if rng.random() < self.variation.flipud:
            image, quads[..., 1] = np.ascontiguousarray(image[::-1]), self.side - quads[..., 1]
        return Picture(image, quads, classes)

    def _warp(
        self, rng: np.random.Generator, photo: LabelledPhoto | LazyPhoto, shape: tuple[int, int], alone: bool
    ) -> NDArray[np.float64]:
        """Homography from the photo to the canvas: a random tile comes to a random place in a random size."""
        v, side = self.variation, self.side
        height, width = shape
        if len(photo.quads):
            tile_px = math.sqrt(float(np.median(quad_areas(photo.quads))))
            anchor = photo.quads[int(rng.integers(len(photo.quads)))].mean(axis=0)
        else:
            tile_px, anchor = 50.0, np.array([width / 2, height / 2])
        low, high = np.log(v.tile_px)
        scale = min(math.exp(rng.uniform(low, high)) / max(tile_px, 4.0), 2.5)
        stretch = math.exp(rng.uniform(-v.aspect, v.aspect) / 2)
        turn = rng.uniform(-math.pi, math.pi)
        if rng.random() >= v.any_rotation:
            turn = math.radians(rng.normal(0, v.tilt_deg / 2)) + math.pi / 2 * float(
                rng.choice(4, p=[0.7, 0.1, 0.1, 0.1])
            )
        c, s = math.cos(turn), math.sin(turn)
        to_origin = np.array([[1, 0, -anchor[0]], [0, 1, -anchor[1]], [0, 0, 1]])
        size = np.diag([scale * stretch, scale / stretch, 1.0])
        spin = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        depth = np.eye(3)
        if rng.random() < 0.5:
            depth[2, :2] = rng.uniform(-v.perspective, v.perspective, 2) / side
        margin = 0.25 if alone else 0.05
        place = np.eye(3)
        place[:2, 2] = rng.uniform(margin * side, (1 - margin) * side, 2)
        matrix: NDArray[np.float64] = place @ depth @ spin @ size @ to_origin
        corners = np.array([[0, 0, 1], [width, 0, 1], [width, height, 1], [0, height, 1]], np.float64) @ matrix.T
        if corners[:, 2].min() < 0.3:  # part of the photo would lie behind the camera
            matrix = place @ spin @ size @ to_origin
        return matrix


def _move(quads: NDArray[np.float32], matrix: NDArray[np.float64]) -> NDArray[np.float32]:
    """Corners [N, 4, 2] under a homography; N may be 0, which OpenCV does not take."""
    if not len(quads):
        return quads
    return cv2.perspectiveTransform(quads.reshape(-1, 1, 2), matrix).reshape(-1, 4, 2).astype(np.float32)


def _interpolation(matrix: NDArray[np.float64]) -> int:
    return cv2.INTER_AREA if abs(float(np.linalg.det(matrix[:2, :2]))) < 0.25 else cv2.INTER_LINEAR


def _background(rng: np.random.Generator, photo: LabelledPhoto | LazyPhoto, side: int) -> Image:
    """A plain cloth, a gradient, a coarse texture or a blurred photo."""
    kind = rng.random()
    if kind < 0.3:
        small = cv2.resize(photo.image, (24, 24), interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.resize(small, (side, side), interpolation=cv2.INTER_CUBIC), np.uint8)
    colour = rng.uniform(0, 255, 3) * rng.uniform(0.2, 1.0)
    ground = np.empty((side, side, 3), np.float32)
    ground[:] = colour
    if kind < 0.7:
        cells = int(rng.choice([2, 4, 32, side // 2]))
        texture = rng.normal(0, rng.uniform(4, 30), (cells, cells, 1 if rng.random() < 0.7 else 3)).astype(np.float32)
        big = cv2.resize(texture, (side, side), interpolation=cv2.INTER_LINEAR)
        ground += big.reshape(side, side, -1)
    return np.clip(ground, 0, 255).astype(np.uint8)


def _light(rng: np.random.Generator, image: Image) -> Image:
    """White balance, exposure, contrast, shading, blur, noise and compression as cameras and rooms bring them."""
    side = image.shape[0]
    out = image.astype(np.float32)
    gain = np.exp(rng.normal(0, 0.12, 3)) * math.exp(rng.normal(0, 0.3))
    out = (out - 128) * math.exp(rng.normal(0, 0.2)) + 128
    out *= gain.astype(np.float32)
    if rng.random() < 0.3:
        shade = cv2.resize(
            rng.uniform(0.45, 1.2, (3, 3)).astype(np.float32), (side, side), interpolation=cv2.INTER_CUBIC
        )
        out *= shade[..., None]
    if rng.random() < 0.25:
        grey = out.mean(axis=2, keepdims=True)
        out = grey + (out - grey) * rng.uniform(0.0, 1.8)
    picture = np.clip(out, 0, 255).astype(np.uint8)
    kind = rng.random()
    if kind < 0.2:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.4, 1.8)), np.uint8)
    elif kind < 0.3:
        length = int(rng.integers(3, 8))
        kernel = np.zeros((length, length), np.float32)
        end = (length - 1) / 2
        angle = rng.uniform(0, math.pi)
        dx, dy = end * math.cos(angle), end * math.sin(angle)
        cv2.line(kernel, (round(end - dx), round(end - dy)), (round(end + dx), round(end + dy)), 1.0)
        picture = np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.uint8)
    elif kind < 0.45:
        less = rng.uniform(0.4, 0.9)
        small = cv2.resize(picture, None, fx=less, fy=less, interpolation=cv2.INTER_AREA)
        picture = np.asarray(cv2.resize(small, (side, side), interpolation=cv2.INTER_LINEAR), np.uint8)
    if rng.random() < 0.3:
        noise = rng.standard_normal(picture.shape, np.float32) * rng.uniform(2, 14)
        picture = np.clip(picture + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.3:
        _, code = cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 90))))
        picture = np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
    return picture
