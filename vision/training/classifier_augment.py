"""What a phone may do to a tile face before the classifier sees it: no training crop is shown twice alike.

Order as in the world: the tile lies turned and askew, its ink and light differ, something covers it, the lens blurs,
the sensor adds noise, the file is compressed. Faces are never mirrored: a mirrored character is no character.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.crops import CROP_MARGIN, CROP_SIZE
from vision.training.classifier_data import WIDE_MARGIN

Image = npt.NDArray[np.uint8]
_REACH = 0.5 + CROP_MARGIN  # from the centre of a face to the edge of its crop, in faces
_WIDE = 1 + 2 * WIDE_MARGIN


@dataclass(frozen=True, slots=True)
class Augmentation:
    """How strongly crops are varied; shares are chances per crop. Read from the recipe's table ``[augment]``."""

    flip: bool = False
    tilt_deg: float = 12.0
    free_turn: float = 0.15  # any angle up to 45 degrees, for boxes drawn around turned tiles
    tight: float = 0.12  # cut close to the ink, as in scans of faces
    edge_jitter: float = 0.07
    recolour: float = 0.45
    grey: float = 0.08
    thickness: float = 0.25
    cover: float = 0.12
    glare: float = 0.15
    shadow: float = 0.25
    blur: float = 0.4
    motion: float = 0.15
    small: float = 0.55
    small_px: tuple[int, int] = (18, 60)
    jpeg: float = 0.5

    def __post_init__(self) -> None:
        if self.flip:
            raise ValueError("flip must stay false: a mirrored character is no character")


def quarter_turned(corners: npt.NDArray[np.float64], turns: int) -> npt.NDArray[np.float64]:
    """Source corners [4, 2] (clockwise from top left) that show the picture turned clockwise."""
    return np.roll(corners, turns, axis=0)


def face_corners(rng: np.random.Generator, how: Augmentation) -> npt.NDArray[np.float64]:
    """Corners [4, 2] of a crop in face units about the face's centre, jittered as a detector's quads are."""
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], dtype=np.float64) * _REACH
    scale = np.exp(rng.normal(0, how.edge_jitter, 2)) * np.exp(rng.normal(0.02, 0.05))
    if rng.random() < how.tight:
        scale = scale * rng.uniform(0.68, 1.0, 2)
    angle = np.deg2rad(np.clip(rng.normal(0, how.tilt_deg / 2), -how.tilt_deg, how.tilt_deg))
    if rng.random() < how.free_turn:
        angle = np.deg2rad(rng.uniform(-45, 45))
        scale = scale * (1 + 0.35 * abs(np.sin(2 * angle)))
    corners = corners * scale
    aspect = np.exp(rng.uniform(-0.4, 0.4))  # the tile's own proportions, lost in the square crop
    cos, sin = np.cos(angle), np.sin(angle)
    corners = corners * [aspect, 1]
    corners = corners @ np.array([[cos, sin], [-sin, cos]])
    corners = corners / [aspect, 1]
    corners += rng.normal(0, how.edge_jitter * 0.6, 2) + rng.normal(0, 0.025, (4, 2))
    return corners


def warp(
    wide: Image, valid: npt.NDArray[np.float32], corners: npt.NDArray[np.float64], behind: Image, size: int = CROP_SIZE
) -> Image:
    """The crop with ``corners`` (face units) out of a stored crop; ``behind`` shows where its photo ends."""
    side = wide.shape[0]
    source = ((corners / _WIDE + 0.5) * side - 0.5).astype(np.float32)
    target = np.array([[0, 0], [size, 0], [size, size], [0, size]], dtype=np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(target, source)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    crop = cv2.warpPerspective(wide, matrix, (size, size), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    if valid[0] > 0 or valid[1] > 0 or valid[2] < 1 or valid[3] < 1:
        inside = np.zeros((side, side), dtype=np.uint8)
        x1, y1, x2, y2 = np.rint(valid * side).astype(int)
        inside[y1:y2, x1:x2] = 255
        mask = cv2.warpPerspective(inside, matrix, (size, size), flags=flags)[..., None].astype(np.float32) / 255
        crop = (crop * mask + behind * (1 - mask)).astype(np.uint8)
    return np.asarray(crop, dtype=np.uint8)


def backdrop(rng: np.random.Generator, other: Image, size: int = CROP_SIZE) -> Image:
    """What may lie around a face cut out of its photo: plain colour, blank tile body, or a piece of another photo."""
    kind = rng.random()
    if kind < 0.35:
        shade = rng.integers(150, 250) + rng.integers(-18, 19, 3)
    elif kind < 0.6:
        shade = rng.integers(0, 256, 3)
    else:
        side = other.shape[0]
        x, y = rng.integers(0, side - size, 2)
        return other[y : y + size, x : x + size]
    plain = np.full((size, size, 3), np.clip(shade, 0, 255), dtype=np.float32)
    ramp = np.linspace(-1, 1, size, dtype=np.float32) * rng.uniform(0, 25)
    plain += ramp[None, :, None] if rng.random() < 0.5 else ramp[:, None, None]
    return np.asarray(np.clip(plain + rng.normal(0, rng.uniform(0, 6), plain.shape), 0, 255).astype(np.uint8))


def change_ink(rng: np.random.Generator, crops: npt.NDArray[np.float32], how: Augmentation) -> None:
    """Recolours in place: the body of a tile is its bright part, ink is what it absorbs, and absorption is remixed."""
    for crop in crops:
        if rng.random() < how.recolour:
            body = np.percentile(crop[8:-8:2, 8:-8:2].reshape(-1, 3), 80, axis=0).astype(np.float32)
            mix = np.eye(3) + rng.normal(0, 0.28, (3, 3))
            if rng.random() < 0.3:
                mix = mix[rng.permutation(3)]
            absorbed = (body - crop) @ mix.astype(np.float32).T * rng.uniform(0.6, 1.25)
            new_body = np.clip(body * rng.uniform(0.8, 1.15) + rng.normal(0, 10, 3), 60, 255)
            crop[:] = new_body - absorbed
        if rng.random() < how.grey:
            crop[:] = crop.mean(axis=2, keepdims=True)


def change_light(rng: np.random.Generator, crops: npt.NDArray[np.float32], how: Augmentation) -> None:
    """White balance, exposure, contrast, slanting light, shadow edges and glare, in place."""
    count, size = crops.shape[:2]
    axis = np.linspace(-1, 1, size, dtype=np.float32)
    gain = np.exp(rng.normal(0, 0.22, (count, 1)) + rng.normal(0, 0.1, (count, 3))).astype(np.float32)
    crops *= gain[:, None, None, :]
    contrast = np.exp(rng.normal(0, 0.2, (count, 1, 1, 1))).astype(np.float32)
    crops[:] = (crops - 128) * contrast + 128 + rng.normal(0, 12, (count, 1, 1, 1)).astype(np.float32)
    slope = rng.normal(0, 0.13, (count, 2)).astype(np.float32)
    crops *= (
        1 + slope[:, None, None, :1] * axis[None, None, :, None] + slope[:, None, None, 1:] * axis[None, :, None, None]
    )
    for crop in crops:
        if rng.random() < how.shadow:
            normal = rng.normal(0, 1, 2)
            normal /= np.linalg.norm(normal) + 1e-6
            distance = axis[None, :] * normal[0] + axis[:, None] * normal[1] - rng.uniform(-0.8, 0.8)
            edge = 1 / (1 + np.exp(-distance * rng.uniform(3, 40)))
            crop *= 1 - (edge * rng.uniform(0.1, 0.55))[..., None].astype(np.float32)
        if rng.random() < how.glare:
            (x, y), (wide, tall) = rng.uniform(-1, 1, 2), rng.uniform(0.08, 0.5, 2)
            spot = np.exp(-(((axis[None, :] - x) / wide) ** 2) - ((axis[:, None] - y) / tall) ** 2)
            crop += (spot * rng.uniform(40, 220))[..., None].astype(np.float32)


def cover(rng: np.random.Generator, crop: npt.NDArray[np.float32]) -> None:
    """A finger, another tile or anything else over up to a quarter of the crop, from one side, in place."""
    size = crop.shape[0]
    side = int(rng.integers(4))
    depth = int(size * rng.uniform(0.05, 0.27))
    start, end = np.sort(rng.integers(0, size, 2))
    if rng.random() < 0.4:
        start, end = 0, size
    skin = np.array([110, 145, 200]) * rng.uniform(0.45, 1.1) + rng.normal(0, 12, 3)
    shade = np.clip(skin if rng.random() < 0.6 else rng.integers(0, 256, 3), 0, 255).astype(np.float32)
    view = np.rot90(crop, side)
    mask = np.zeros((size, size), dtype=np.uint8)
    mask[:depth, start:end] = 255
    soft = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.4, 2.5))[..., None].astype(np.float32) / 255
    view[:] = view * (1 - soft) + (shade + rng.normal(0, 4, view.shape).astype(np.float32)) * soft


def through_the_lens(rng: np.random.Generator, crop: npt.NDArray[np.float32], how: Augmentation) -> Image:
    """Blur, few pixels, noise and JPEG, as 8-bit pixels."""
    size = crop.shape[0]
    if rng.random() < how.blur:
        crop = _floats(cv2.GaussianBlur(crop, (0, 0), rng.uniform(0.3, 1.5)))
    if rng.random() < how.motion:
        length = int(rng.integers(3, 8))
        kernel = np.zeros((length, length), dtype=np.float32)
        angle = rng.uniform(0, np.pi)
        reach = np.array([np.cos(angle), np.sin(angle)]) * (length - 1) / 2
        middle = (length - 1) / 2
        tip, tail = np.rint(middle + reach).astype(int), np.rint(middle - reach).astype(int)
        cv2.line(kernel, tuple(tip.tolist()), tuple(tail.tolist()), 1.0)
        crop = _floats(cv2.filter2D(crop, -1, kernel / kernel.sum()))
    shrunk = rng.random() < how.small
    if shrunk:
        # portrait tiles keep more pixels along one side
        low, high = how.small_px
        px = rng.integers(low, high + 1)
        shape = (int(px), int(np.clip(px * rng.uniform(1.0, 1.5), low, size)))
        shape = shape if rng.random() < 0.5 else shape[::-1]
        crop = _floats(cv2.resize(crop, shape, interpolation=cv2.INTER_AREA))
    noisy = crop + rng.normal(0, abs(rng.normal(0, 5)), crop.shape)
    pixels = np.clip(noisy, 0, 255).astype(np.uint8)
    if rng.random() < how.jpeg:
        quality = int(rng.integers(30, 96))
        _, coded = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
        pixels = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), dtype=np.uint8)
    if shrunk:
        kind = cv2.INTER_LINEAR if rng.random() < 0.7 else cv2.INTER_CUBIC
        pixels = np.asarray(cv2.resize(pixels, (size, size), interpolation=kind), dtype=np.uint8)
    return pixels


def _floats(values: npt.ArrayLike) -> npt.NDArray[np.float32]:
    return np.asarray(values, dtype=np.float32)


def vary(rng: np.random.Generator, crops: Image, how: Augmentation) -> Image:
    """All that follows the geometry, for a batch of crops [N, S, S, 3] BGR."""
    values = crops.astype(np.float32)
    for crop in values:
        if rng.random() < how.thickness:
            change = cv2.erode if rng.random() < 0.6 else cv2.dilate
            kernel = np.ones((2, 2) if rng.random() < 0.6 else (3, 3), np.uint8)
            crop[:] = change(crop, kernel)
    change_ink(rng, values, how)
    change_light(rng, values, how)
    np.clip(values, 0, 255, out=values)
    for crop in values:
        if rng.random() < how.cover:
            cover(rng, crop)
    return np.stack([through_the_lens(rng, crop, how) for crop in values])
