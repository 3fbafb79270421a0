"""Labelled photos of real tiles as training material for the detector: boxes become oriented quads.

The labels are axis-aligned boxes (YOLO text). On a row that lies straight they are good quads; on a tilted row the
quad is solved from the box and the direction of the row.
"""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import DatasetError
from vision.table_labels import TableLabels, load_table_labels, with_photos
from vision.weights import FACE_LABELS

FACE, BACK = 0, 1
TILT_MIN_DEG = 7.0  # below, the box is as good as the quad
TILT_MAX_DEG = 35.0  # above, box and tilt hardly say how long the sides are


@dataclass(frozen=True, slots=True)
class LabelledPhoto:
    """An image (BGR, HxWx3), the corners of its tiles in pixels (Nx4x2) and their classes (N, FACE or BACK)."""

    name: str
    image: NDArray[np.uint8]
    quads: NDArray[np.float32]
    classes: NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class LazyPhoto:
    """A labelled photo kept as JPEG bytes: thousands of rendered scenes do not fit into memory as pixels."""

    name: str
    encoded: NDArray[np.uint8]
    quads: NDArray[np.float32]
    classes: NDArray[np.int8]

    @property
    def image(self) -> NDArray[np.uint8]:
        """The pixels (BGR), decoded at every call."""
        return np.asarray(cv2.imdecode(self.encoded, cv2.IMREAD_COLOR), np.uint8)


def read_boxes(path: Path, width: int, height: int) -> NDArray[np.float64]:
    """Boxes of a YOLO label file as Nx4 centre x, centre y, width, height in pixels."""
    rows = [line.split()[1:5] for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return np.array(rows, np.float64).reshape(-1, 4) * (width, height, width, height)


def read_classes(path: Path) -> NDArray[np.int8]:
    """FACE or BACK for each line of a YOLO label file whose classes are in the order of the networks."""
    numbers = [int(line.split()[0]) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return np.array([BACK if FACE_LABELS[number] == "back" else FACE for number in numbers], np.int8)


def row_tilt(boxes: NDArray[np.float64]) -> float:
    """Tilt of the rows of a photo, radians within +-45 degrees: the median direction from a box to its neighbour."""
    if len(boxes) < 3:
        return 0.0
    centres = boxes[:, :2]
    gaps = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    np.fill_diagonal(gaps, np.inf)
    nearest = centres[gaps.argmin(axis=1)] - centres
    angles = np.arctan2(nearest[:, 1], nearest[:, 0])
    middle = np.angle(np.exp(4j * angles).mean()) / 4
    off = (angles - middle + math.pi / 4) % (math.pi / 2) - math.pi / 4
    tilt = float(middle + np.median(off))
    return (tilt + math.pi / 4) % (math.pi / 2) - math.pi / 4


def quads_from_boxes(boxes: NDArray[np.float64], grow: float = 1.0) -> NDArray[np.float32] | None:
    """Corners (Nx4x2) of the tiles in axis-aligned ``boxes``, or None where the rows are too steep to tell.

    A tile of sides a, b turned by t has a box of a|cos t| + b|sin t| by a|sin t| + b|cos t|: solved for a and b.
    """
    tilt = row_tilt(boxes)
    size = boxes[:, 2:].copy()
    if abs(math.degrees(tilt)) < TILT_MIN_DEG:
        tilt = 0.0
    elif abs(math.degrees(tilt)) > TILT_MAX_DEG:
        return None
    else:
        c, s = abs(math.cos(tilt)), abs(math.sin(tilt))
        size = size @ np.array([[c, -s], [-s, c]]) / (c * c - s * s)
        if (size <= 0).any() or not 0.45 < float(np.median(size[:, 0] / size[:, 1])) < 2.2:
            return None
    half = size * grow / 2
    u = half[:, :1] * (math.cos(tilt), math.sin(tilt))
    v = half[:, 1:] * (-math.sin(tilt), math.cos(tilt))
    return (boxes[:, None, :2] + np.stack([-u - v, u - v, u + v, -u + v], axis=1)).astype(np.float32)


def load_set(folder: Path, split: str, grow: float = 1.0) -> list[LabelledPhoto]:
    """The photos of one split of a data set (``images/ labels/ split.csv``), without those whose quads cannot be told.

    Raises:
        DatasetError: the set is not there.
    """
    try:
        with (folder / "split.csv").open(encoding="utf-8") as file:
            names = [row["file"] for row in csv.DictReader(file) if row["split"] == split]
    except OSError as error:
        raise DatasetError(f"no data set at {folder} (set JINQUE_DATA to the folder that holds it)") from error
    photos = []
    for name in sorted(names):
        image = cv2.imread(str(folder / "images" / name), cv2.IMREAD_COLOR)
        if image is None:
            raise DatasetError(f"cannot read the photo {folder / 'images' / name}")
        labels = folder / "labels" / f"{Path(name).stem}.txt"
        quads = quads_from_boxes(read_boxes(labels, image.shape[1], image.shape[0]), grow)
        if quads is not None:
            photos.append(LabelledPhoto(name, image.astype(np.uint8), quads, read_classes(labels)))
    return photos


def load_tables(folder: Path, split: str) -> list[LabelledPhoto]:
    """Whole tables with hand labels (`vision.table_labels`): faces and backs, of the photos labelled completely.

    Places that nobody could label are blurred until no tile can be seen in them, so that they teach nothing.

    Raises:
        DatasetError: the labels are malformed, or none of their photos is there.
    """
    labels = tuple(one for one in load_table_labels(folder, split) if one.complete)
    return [_table_photo(one, path) for one, path in with_photos(folder, labels)]


def _table_photo(one: TableLabels, path: Path) -> LabelledPhoto:
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise DatasetError(f"cannot read the photo {path}")
    size = np.array([image.shape[1], image.shape[0]])
    hidden = np.zeros(image.shape[:2], np.uint8)
    cv2.fillPoly(hidden, list((one.unreadable * size).round().astype(np.int32)), 255)
    cv2.fillPoly(hidden, list((one.quads * size).round().astype(np.int32)), 0)
    shown: NDArray[np.uint8] = np.where(hidden[..., None] > 0, cv2.blur(image, (61, 61)), image).astype(np.uint8)
    classes = np.array([BACK if code == "back" else FACE for code in one.codes], np.int8)
    return LabelledPhoto(one.file, shown, (one.quads * size).astype(np.float32), classes)
