"""Faces cut from photographs of real tiles, as a source of designs. Give training splits only."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.tiles import ALL_TILES, Tile
from vision.synth.canvas import ASPECT, Colour

Image = NDArray[np.uint8]
FaceSet = dict[Tile, list[Image]]

_LONG_NAMES = ("spring", "summer", "autumn", "winter", "plum", "orchid", "bamboo", "chrysanthemum")
_BY_NAME = {tile.code: tile for tile in ALL_TILES} | dict(zip(_LONG_NAMES, ALL_TILES[34:], strict=True))


def read_crops(folder: Path) -> list[FaceSet]:
    """Sets of upright face pictures.

    ``folder`` is ``SET/CODE/*`` or ``CODE/*`` (one set), or a labelled data set of single faces: ``images/``,
    ``labels/``, ``split.csv`` and the class list ``../classes.txt``; of that only the training split is taken.
    """
    if (folder / "split.csv").is_file():
        return [_read_labelled(folder)]
    sets = []
    inner = [path for path in sorted(folder.iterdir()) if path.is_dir()]
    for base in [folder] if any(path.name in _BY_NAME for path in inner) else inner:
        faces: FaceSet = {}
        for code, tile in _BY_NAME.items():
            for path in sorted((base / code).glob("*")):
                picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
                if picture is not None:
                    faces.setdefault(tile, []).append(np.asarray(picture, np.uint8))
        if faces:
            sets.append(faces)
    return sets


def _read_labelled(folder: Path) -> FaceSet:
    classes = (folder.parent / "classes.txt").read_text(encoding="utf-8").split()
    with (folder / "split.csv").open(encoding="utf-8") as file:
        names = [row["file"] for row in csv.DictReader(file) if row["split"] == "train"]
    faces: FaceSet = {}
    for name in sorted(names):
        lines = (folder / "labels" / f"{Path(name).stem}.txt").read_text(encoding="utf-8").split("\n")
        first = lines[0].split()
        if not first or float(first[3]) < 0.99 or float(first[4]) < 0.99:  # only labels that cover the whole picture
            continue
        picture = cv2.imread(str(folder / "images" / name), cv2.IMREAD_COLOR)
        tile = _BY_NAME.get(classes[int(first[0])])
        if picture is not None and tile is not None:
            faces.setdefault(tile, []).append(np.asarray(picture, np.uint8))
    return faces


def photographed_face(picture: Image, width_px: int, body: Colour) -> Image:
    """A real face as opaque ink that fades out at its rim, brought near to the colour of the rendered body."""
    size = (width_px, round(width_px * ASPECT))
    face = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    rim = np.concatenate([face[:4].reshape(-1, 3), face[-4:].reshape(-1, 3), face[:, :4].reshape(-1, 3)])
    paper = np.median(np.maximum(rim, np.percentile(face.reshape(-1, 3), 60, axis=0)), axis=0)
    face = np.clip(face * (np.array(body) / np.maximum(paper, 20)), 0, 255)
    fade = np.zeros((size[1], size[0]), np.float32)
    inset = max(2, width_px // 24)
    fade[inset:-inset, inset:-inset] = 255
    fade = np.asarray(cv2.GaussianBlur(fade, (0, 0), inset / 2), np.float32)
    out = np.empty((size[1], size[0], 4), np.uint8)
    out[:, :, :3] = face * (fade / 255)[:, :, None]
    out[:, :, 3] = fade
    return out


def photographed_faces(
    rng: np.random.Generator, faces: Mapping[Tile, Sequence[Image]], width_px: int, body: Colour
) -> dict[Tile, Image]:
    """One picture for every tile the set has."""
    chosen = {tile: found[int(rng.integers(len(found)))] for tile, found in faces.items()}
    return {tile: photographed_face(picture, width_px, body) for tile, picture in chosen.items()}
