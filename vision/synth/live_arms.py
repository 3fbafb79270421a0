"""Draws arms that reach over a table: sleeve, forearm, hand with fingers, and the shadow they cast."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.camera import Camera
from vision.synth.live_motion import FINGERS, PALM, WRIST, Arm
from vision.synth.solids import Light

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Rect = tuple[int, int, int, int]
"""x0, y0, x1, y1 in pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """Of one player: skin and sleeve (BGR), how much of the forearm the sleeve covers, and the spread of fingers."""

    skin: Floats
    sleeve: Floats
    bare: float
    spread: float

    @classmethod
    def random(cls, rng: np.random.Generator) -> Look:
        """Somebody."""
        skin = np.clip(np.array([125.0, 158.0, 208.0]) * float(rng.uniform(0.5, 1.1)) + rng.normal(0, 7, 3), 0, 255)
        sleeve = np.clip(rng.uniform(15, 225) + rng.normal(0, 30, 3), 5, 250)
        bare = float(rng.uniform(0.15, 0.35)) if rng.random() < 0.6 else float(rng.uniform(0.6, 0.95))
        return cls(skin, sleeve, bare, float(rng.uniform(0.75, 1.0)))


def reach_rect(arms: list[Arm], camera: Camera, light: Light, size_px: tuple[int, int]) -> Rect | None:
    """The part of the picture that arms and their shadows take; None when they are outside it."""
    points = [part for arm in arms for part in arm.parts()]
    if not points:
        return None
    solid = np.concatenate(points)
    pixels = np.concatenate([camera.project(solid), camera.project(_grounded(solid, light))])
    x0, y0 = np.floor(pixels.min(0)).astype(int) - 12
    x1, y1 = np.ceil(pixels.max(0)).astype(int) + 13
    x0, y0, x1, y1 = max(int(x0), 0), max(int(y0), 0), min(int(x1), size_px[1]), min(int(y1), size_px[0])
    return (x0, y0, x1, y1) if x1 > x0 and y1 > y0 else None


def draw_arm_shadows(image: Image, arms: list[Arm], camera: Camera, light: Light, strength: float) -> None:
    """Soft shadows of arms on what is drawn already; ``camera`` is that of ``image``."""
    height, width = image.shape[:2]
    mask = np.zeros(((height + 3) // 4, (width + 3) // 4), np.uint8)
    for arm in arms:
        for part in arm.parts():
            outline = camera.project(_grounded(part, light)) / 4
            _fill(mask, outline, 255)
    if not mask.any():
        return
    soft = cv2.GaussianBlur(mask, (0, 0), max(1.0, 0.004 * max(height, width)))
    small = (255 - soft.astype(np.float32) * 0.5 * strength).astype(np.uint8)
    keep = cv2.cvtColor(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), cv2.COLOR_GRAY2BGR)
    cv2.multiply(image, keep, dst=image, scale=1 / 255)


def draw_arm(image: Image, arm: Arm, camera: Camera, look: Look) -> None:
    """The arm over what is drawn already."""
    height, width = image.shape[:2]
    tip = np.array(arm.tip[:2])
    along = tip - np.array(arm.elbow)
    length = float(np.hypot(*along))
    along = along / max(length, 1e-9)
    side = np.array([-along[1], along[0]])
    top = arm.tip[2] + 0.5

    def at(back: float, off: float, z: float) -> Floats:
        return np.array([*(tip - along * back + side * off), z])

    arm_part, wrist, palm, _ = arm.parts()
    mask = np.zeros((height, width), np.uint8)
    scale = float(np.mean(camera.focal_px)) / max(float(camera.depth(at(1.0, 0.0, top))), 1.0)
    _fill(mask, camera.project(arm_part), 255)
    hand = np.zeros((height, width), np.uint8)
    _fill(hand, camera.project(np.concatenate([wrist, palm])), 255, round(0.3 * scale))
    fingers = []
    for index, (reach, thick) in enumerate(((0.55, 0.5), (0.12, 0.54), (0.0, 0.56), (0.25, 0.52))):
        off = (index - 1.5) * PALM * 0.25
        base, middle = at(1.9, off, top + 0.4), at(1.0 + reach * 0.5, off * 0.95 * look.spread, top + 0.5)
        end = at(reach, off * FINGERS / PALM * look.spread, top)
        fingers.append((camera.project(np.stack([base, middle, end])), thick * scale))
    thumb = np.stack([at(2.9, PALM * 0.4, top + 0.3), at(1.7, PALM * 0.58, top + 0.2), at(0.9, PALM * 0.36, top)])
    fingers.append((camera.project(thumb), 0.6 * scale))
    seams = np.zeros((height, width), np.uint8)
    for line, thick in fingers:
        _limb(hand, line, thick)
        _limb(seams, line, thick * 1.18)
        _limb(seams, line, thick * 0.8, 0)
    both = cv2.max(mask, hand)
    x0, y0, w, h = cv2.boundingRect(both)
    if w == 0 or h == 0:
        return
    area = (slice(y0, y0 + h), slice(x0, x0 + w))
    part = both[area]
    distance = cv2.distanceTransform((part > 127).astype(np.uint8), cv2.DIST_L2, 3)
    round_off = np.clip(0.6 + 0.4 * distance / max(WRIST * 0.3 * scale, 1.0), 0.0, 1.0)
    inner = cv2.distanceTransform((hand[area] > 127).astype(np.uint8), cv2.DIST_L2, 3)
    on_hand = hand[area] > 0
    flesh = np.clip(0.72 + 0.28 * inner / max(0.5 * scale, 1.0), 0, 1)
    flesh *= 1 - 0.22 * cv2.GaussianBlur(seams[area], (0, 0), max(0.6, 0.05 * scale)) / 255
    round_off = np.where(on_hand, flesh, round_off)
    cuff = camera.project(np.stack([at(3.9 + look.bare * 8, 0.0, top + 0.8), at(2.0, 0.0, top + 0.6)]))
    towards = cuff[1] - cuff[0]
    ys = (np.arange(y0, y0 + h) - cuff[0, 1])[:, None]
    xs = (np.arange(x0, x0 + w) - cuff[0, 0])[None]
    bare = (xs * towards[0] + ys * towards[1]) > 0
    shade = round_off.astype(np.float32)[:, :, None]
    colour = (
        np.where((bare | on_hand)[:, :, None], look.skin.astype(np.float32), look.sleeve.astype(np.float32)) * shade
    )
    soft = (cv2.GaussianBlur(part, (3, 3), 0).astype(np.float32) / 255)[:, :, None]
    image[area] = (image[area] * (1 - soft) + colour * soft).astype(np.uint8)


def _grounded(points: Floats, light: Light) -> Floats:
    """Where the lamp throws points onto the table."""
    ground = points.copy()
    reach = light.direction[:2] / max(float(light.direction[2]), 0.5)
    ground[:, :2] -= reach * points[:, 2:3] * 0.8
    ground[:, 2] = 0.4
    return ground


def _fixed(points: Floats) -> NDArray[np.int32]:
    return np.round(np.clip(points, -4000, 8000) * 16).astype(np.int32)


def _fill(mask: Image, points: Floats, value: int, grow_px: int = 0) -> None:
    hull = cv2.convexHull(points.astype(np.float32))[:, 0]
    fixed = _fixed(np.asarray(hull, np.float64))
    cv2.fillConvexPoly(mask, fixed, value, cv2.LINE_AA, 4)
    if grow_px > 0:
        cv2.polylines(mask, [fixed], True, value, grow_px, cv2.LINE_AA, 4)


def _limb(mask: Image, points: Floats, thick_px: float, value: int = 255) -> None:
    cv2.polylines(mask, [_fixed(points)], False, value, max(1, round(thick_px)), cv2.LINE_AA, 4)
    last = _fixed(points[-1])
    cv2.circle(mask, (int(last[0]), int(last[1])), round(thick_px * 8), value, -1, cv2.LINE_AA, 4)
