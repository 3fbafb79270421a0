"""Writes rendered scenes as a YOLO data set: oriented boxes, or upright ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from engine.tiles import CODES
from vision.synth.designs import Design
from vision.synth.scene import BACK, Scene, SceneTile, render_scene

FACE_BACK = ("face", BACK)
TILE_CLASSES = (*CODES, BACK)


def scenes(seed: int, count: int, designs: Sequence[Design], size: int | tuple[int, int] = 640) -> Iterator[Scene]:
    """``count`` scenes, each from its own generator, so that scene i is the same whatever ``count`` is."""
    for index in range(count):
        yield render_scene(np.random.default_rng([seed, index]), designs, size)


def yolo_line(tile: SceneTile, size_px: tuple[int, int], classes: Sequence[str], oriented: bool) -> str:
    """``class x1 y1 .. x4 y4`` (oriented) or ``class xc yc w h``, as shares of (height, width), cut at the edges."""
    name = tile.code if tile.code in classes else "face"
    quad = np.clip(tile.quad / [size_px[1], size_px[0]], 0, 1)
    if not oriented:
        low, high = quad.min(0), quad.max(0)
        quad = np.stack([(low + high) / 2, high - low])
    return " ".join([str(classes.index(name)), *(f"{value:.6f}" for value in quad.ravel())])


def write_yolo(
    folder: Path,
    found: Iterator[Scene],
    classes: Sequence[str] = FACE_BACK,
    oriented: bool = True,
    max_occlusion: float = 0.7,
) -> int:
    """Write ``images/``, ``labels/`` and ``data.yaml`` under ``folder``; returns how many scenes.

    Tiles hidden by more than ``max_occlusion`` get no label.
    """
    (folder / "images").mkdir(parents=True, exist_ok=True)
    (folder / "labels").mkdir(exist_ok=True)
    count = 0
    for count, scene in enumerate(found, start=1):
        name = f"{count - 1:06d}"
        cv2.imwrite(str(folder / "images" / f"{name}.jpg"), scene.image, [cv2.IMWRITE_JPEG_QUALITY, 92])
        size = scene.image.shape[:2]
        lines = [yolo_line(t, size, classes, oriented) for t in scene.tiles if t.occlusion <= max_occlusion]
        (folder / "labels" / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    names = "".join(f"  {index}: {name}\n" for index, name in enumerate(classes))
    (folder / "data.yaml").write_text(f"path: {folder.resolve()}\ntrain: images\nval: images\nnames:\n{names}", "utf-8")
    return count
