"""Labelled face crops for the classifier: cut once from photo sets, with a wide margin."""

from __future__ import annotations

import csv
import hashlib
from dataclasses import dataclass, fields
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.crops import box_quads, rectify
from vision.training.real_photos import quads_from_boxes

WIDE_SIZE = 160
"""Side of a stored crop, pixels."""
WIDE_MARGIN = 0.6
"""Share of the face that a stored crop shows on each side: the face fills 1 / 2.2 of it."""
BACK, NOT_A_FACE = 42, 43
UNKNOWN_TURN = -1
_SETS_OF_SINGLE_CROPS = "crops_"


@dataclass(frozen=True, slots=True)
class WideCrops:
    """Parallel arrays of N stored crops.

    images [N, 160, 160, 3] uint8 BGR; labels [N] 0..43; turns [N] quarter turns clockwise from upright, -1 unknown;
    valid [N, 4] (x1, y1, x2, y2) the part of the crop that lies inside its photo, in shares of the crop;
    sets [N] name of the set; names [N] file name.
    """

    images: npt.NDArray[np.uint8]
    labels: npt.NDArray[np.int64]
    turns: npt.NDArray[np.int64]
    valid: npt.NDArray[np.float32]
    sets: npt.NDArray[np.str_]
    names: npt.NDArray[np.str_]

    def __len__(self) -> int:
        return len(self.labels)

    def save(self, path: Path) -> None:
        """Writes all arrays to one .npz file."""
        np.savez(path, **{field.name: getattr(self, field.name) for field in fields(self)})

    @classmethod
    def load(cls, path: Path) -> WideCrops:
        """Reads what ``save`` wrote."""
        with np.load(path) as archive:
            return cls(**{field.name: archive[field.name] for field in fields(cls)})

    @classmethod
    def concatenate(cls, parts: list[WideCrops]) -> WideCrops:
        """One value with the crops of all parts."""
        return cls(
            **{field.name: np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)}
        )


def photo_labels(
    folder: Path, splits: tuple[str, ...]
) -> list[tuple[Path, npt.NDArray[np.float32], npt.NDArray[np.int64]]]:
    """Photos of a set in YOLO layout: (image path, boxes [N, 4] as shares x, y, w, h about the centre, class [N])."""
    found = []
    with (folder / "split.csv").open(encoding="utf-8") as rows:
        for row in csv.DictReader(rows):
            if row["split"] not in splits:
                continue
            path = folder / "images" / row["file"]
            text = (folder / "labels" / f"{Path(row['file']).stem}.txt").read_text(encoding="utf-8")
            table = np.array([line.split() for line in text.splitlines() if line.strip()], dtype=np.float32).reshape(
                -1, 5
            )
            found.append((path, table[:, 1:], table[:, 0].astype(np.int64)))
    return found


def pixel_boxes(shares: npt.NDArray[np.float32], width: int, height: int) -> npt.NDArray[np.float32]:
    """YOLO boxes [N, 4] as (x1, y1, x2, y2) in pixels."""
    centre, half = shares[:, :2], shares[:, 2:] / 2
    return np.asarray(np.hstack([centre - half, centre + half]) * [width, height, width, height], dtype=np.float32)


def cut_photo_set(folder: Path, splits: tuple[str, ...], size: int = WIDE_SIZE) -> WideCrops:
    """All labelled faces of the named splits of one photo set, as stored crops."""
    single = folder.name.startswith(_SETS_OF_SINGLE_CROPS)
    images, labels, valid, names = [], [], [], []
    for path, shares, classes in photo_labels(folder, splits):
        image = cv2.imread(str(path))
        if image is None or not len(classes):
            continue
        height, width = image.shape[:2]
        boxes = pixel_boxes(shares, width, height)
        quads = quads_from_boxes(shares.astype(np.float64) * [width, height, width, height])
        images.append(
            rectify(np.asarray(image, dtype=np.uint8), box_quads(boxes) if quads is None else quads, size, WIDE_MARGIN)
        )
        labels.append(classes)
        # a whole-picture face has nothing around it; photos do, and repeat their edge pixels at run time too
        edge = (WIDE_MARGIN / (1 + 2 * WIDE_MARGIN)) if single else 0.0
        valid.append(np.tile(np.array([edge, edge, 1 - edge, 1 - edge], dtype=np.float32), (len(classes), 1)))
        names.extend([path.name] * len(classes))
    # single-face sets are upright shop pictures; elsewhere a box does not say how its tile lies
    count = len(names)
    return WideCrops(
        images=np.concatenate(images),
        labels=np.concatenate(labels),
        turns=np.full(count, 0 if single else UNKNOWN_TURN, dtype=np.int64),
        valid=np.concatenate(valid),
        sets=np.array([folder.name] * count),
        names=np.array(names),
    )


def data_hash(crops: WideCrops) -> str:
    """Short SHA-256 of everything a run is trained on."""
    digest = hashlib.sha256()
    for array in (crops.images, crops.labels, crops.turns, crops.valid):
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:16]
