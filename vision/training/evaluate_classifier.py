"""Measures the classifier alone on labelled photos: every true tile cut out, turned every way, named.

``python -m vision.training.evaluate_classifier [--data ROOT] [--json]`` prints one row a set. Needs no training stack.
The whole pipeline, detector included, is measured by ``jinque evaluate``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from engine.tiles import CODES
from vision.classifier import Classifier, OpenVinoClassifier
from vision.crops import box_quads, rectify
from vision.errors import DatasetError
from vision.training.classifier_data import photo_labels, pixel_boxes
from vision.training.real_photos import quads_from_boxes
from vision.weights import FACE_LABELS

TEST_SETS = ("cmd_hk", "cmd_riichi_box", "leomiura_riichi_standing", "crops_cyfef", "crops_web")
TURNS_DEG = (0, 90, 180, 270, 45)
_SLANT_ROOM = 1.35  # a tile at 45 degrees needs a larger square around it


@dataclass(frozen=True, slots=True)
class SetCrops:
    """True faces of one set: crops [N, 64, 64, 3] BGR for each angle, labels [N], photo of each [N]."""

    name: str
    crops: dict[int, npt.NDArray[np.uint8]]
    labels: npt.NDArray[np.int64]
    photos: npt.NDArray[np.str_]


@dataclass(frozen=True, slots=True)
class ClassifierScore:
    """Result on one set at one angle: shares of the tiles, ``flowers_right`` of the flowers (None: there are none)."""

    set: str
    turn_deg: int
    tiles: int
    right: float
    named: float
    named_right: float
    confident_errors: float
    flowers_right: float | None
    calibration_error: float
    confusions: dict[str, int]


def turned(quads: npt.NDArray[np.float32], degrees: int) -> npt.NDArray[np.float32]:
    """Quads [N, 4, 2] whose crops show the faces ``degrees`` further clockwise, in the square of the crop."""
    if degrees % 90 == 0:
        return np.roll(quads, degrees // 90, axis=1)
    angle = np.deg2rad(degrees)
    cos, sin = np.cos(angle) * _SLANT_ROOM / 2, np.sin(angle) * _SLANT_ROOM / 2
    # corners in the frame of each quad's own sides, turned against the clock
    unit = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) @ np.array([[cos, -sin], [sin, cos]])
    centre = quads.mean(axis=1, keepdims=True)
    along = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3])[:, None] / 2
    down = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1])[:, None] / 2
    return np.asarray(centre + unit[None, :, :1] * along + unit[None, :, 1:] * down, dtype=np.float32)


def cut_set(folder: Path, split: str, degrees: Sequence[int] = TURNS_DEG, oriented: bool = True) -> SetCrops:
    """All faces of a split. ``oriented``: quads along tilted rows, as the detector gives; else the labels' own boxes.

    Raises:
        DatasetError: the set is not there.
    """
    if not (folder / "split.csv").is_file():
        raise DatasetError(f"no data set at {folder} (set JINQUE_DATA to the folder that holds it)")
    crops: dict[int, list[npt.NDArray[np.uint8]]] = {angle: [] for angle in degrees}
    labels, photos = [], []
    for path, shares, classes in photo_labels(folder, (split,)):
        image = cv2.imread(str(path))
        if image is None:
            raise DatasetError(f"cannot read the photo {path.name}")
        height, width = image.shape[:2]
        quads = quads_from_boxes(shares.astype(np.float64) * [width, height, width, height]) if oriented else None
        if quads is None:
            quads = box_quads(pixel_boxes(shares, width, height))
        for angle, found in crops.items():
            found.append(rectify(np.asarray(image, dtype=np.uint8), turned(quads, angle)))
        labels.append(classes)
        photos.extend([path.name] * len(classes))
    return SetCrops(
        folder.name,
        {angle: np.concatenate(found) for angle, found in crops.items()},
        np.concatenate(labels),
        np.array(photos),
    )


def score(classifier: Classifier, faces: SetCrops, known: float) -> list[ClassifierScore]:
    """Scores of a set at each angle; tiles surer than ``known`` are named, the others are unknown."""
    rows = []
    for angle, crops in faces.crops.items():
        chances = classifier.classify(crops).probabilities
        best, confidence = chances.argmax(axis=1), chances.max(axis=1)
        right = best == faces.labels
        named = (confidence >= known) & (best < len(CODES))
        flowers = faces.labels >= CODES.index("1f")
        wrong = Counter(
            f"{FACE_LABELS[true]}>{FACE_LABELS[said]}"
            for true, said in zip(faces.labels[~right], best[~right], strict=True)
        )
        rows.append(
            ClassifierScore(
                set=faces.name,
                turn_deg=angle,
                tiles=len(right),
                right=float(right.mean()),
                named=float(named.mean()),
                named_right=float((named & right).mean()),
                confident_errors=float((named & ~right).mean()),
                flowers_right=float(right[flowers].mean()) if flowers.any() else None,
                calibration_error=calibration_error(confidence, right),
                confusions=dict(wrong.most_common(12)),
            )
        )
    return rows


def calibration_error(confidence: npt.NDArray[np.floating], right: npt.NDArray[np.bool_], bins: int = 10) -> float:
    """Expected calibration error: mean gap between confidence and share right over bins of equal width."""
    place = np.minimum((confidence * bins).astype(int), bins - 1)
    gaps = [
        abs(float(confidence[place == b].mean() - right[place == b].mean())) * float((place == b).mean())
        for b in range(bins)
        if (place == b).any()
    ]
    return sum(gaps)


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line: prints a table, or JSON lines."""
    parser = argparse.ArgumentParser(description="measure the classifier on true boxes of labelled photos")
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("JINQUE_DATA", "../shared/data/tiles")))
    parser.add_argument("--sets", nargs="+", default=list(TEST_SETS))
    parser.add_argument("--split", default="test")
    parser.add_argument("--model", type=Path, help="folder with classifier.json; the bundled one if left out")
    parser.add_argument("--votes", type=int, choices=(1, 2, 4), help="turns voted over; as the card says if left out")
    parser.add_argument("--boxes", action="store_true", help="the labels' own upright boxes, also on tilted rows")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    classifier = OpenVinoClassifier(options.model, turns_voted=options.votes)
    known = classifier.thresholds.get("known", 0.7)
    for name in options.sets:
        faces = cut_set(options.data / name, options.split, oriented=not options.boxes)
        for row in score(classifier, faces, known):
            sys.stdout.write((json.dumps(asdict(row)) if options.json else _line(row)) + "\n")
        sys.stdout.flush()
    return 0


def _line(row: ClassifierScore) -> str:
    flowers = "    -" if row.flowers_right is None else f"{row.flowers_right:.3f}"
    wrong = " ".join(f"{pair}:{count}" for pair, count in row.confusions.items())
    return (
        f"{row.set:26}{row.turn_deg:4} deg {row.tiles:5} tiles  right {row.right:.4f}  named {row.named:.3f}"
        f"  confident errors {row.confident_errors:.4f}  flowers {flowers}  ece {row.calibration_error:.3f}  {wrong}"
    )


if __name__ == "__main__":
    raise SystemExit(main())
