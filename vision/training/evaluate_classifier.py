"""Measures the classifier alone on labelled photos: every true tile cut out, turned every way, named.

``python -m vision.training.evaluate_classifier [--data ROOT] [--json]`` prints one row a set. Needs no training stack.
The whole pipeline, detector included, is measured by ``jinque evaluate``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from engine.tiles import CODES
from vision.classifier import SURE, Classifier, OpenVinoClassifier
from vision.crops import box_quads, rectify
from vision.errors import DatasetError
from vision.training.classifier_data import photo_labels, pixel_boxes
from vision.training.real_photos import quads_from_boxes
from vision.weights import FACE_LABELS

TEST_SETS = ("cmd_hk", "cmd_riichi_box", "leomiura_riichi_standing", "crops_cyfef", "crops_web")
TURNS_DEG = (0, 90, 180, 270, 45)


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
    ms_a_crop: float
    confusions: dict[str, int]


def loosened(quads: npt.NDArray[np.float32], rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """Quads [N, 4, 2] with the errors a detector makes: size 8 %, place 3 %, corners 2 % of the face (one sigma)."""
    count = len(quads)
    along = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3])[:, None] / 2
    down = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1])[:, None] / 2
    unit = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2 * np.exp(rng.normal(0, 0.08, (count, 1, 2)))
    unit = unit + rng.normal(0, 0.03, (count, 1, 2)) + rng.normal(0, 0.02, (count, 4, 2))
    centre = quads.mean(axis=1, keepdims=True)
    return np.asarray(centre + unit[..., :1] * along + unit[..., 1:] * down, dtype=np.float32)


def turned(
    image: npt.NDArray[np.uint8], quads: npt.NDArray[np.float32], degrees: int
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """Photo and quads [N, 4, 2] turned clockwise; by quarters only the first corner of the quads moves on."""
    if degrees % 90 == 0:
        return image, np.roll(quads, degrees // 90, axis=1)
    height, width = image.shape[:2]
    side = int(np.hypot(height, width)) + 2
    matrix = np.array(cv2.getRotationMatrix2D((width / 2, height / 2), -degrees, 1.0), dtype=np.float64)
    matrix[:, 2] += side / 2 - np.array([width, height]) / 2
    # pixel centres lie half a pixel inside the edges that quads count from
    sampled = matrix.copy()
    sampled[:, 2] += matrix[:, :2] @ [0.5, 0.5] - 0.5
    picture = cv2.warpAffine(image, sampled, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    corners = quads.reshape(-1, 2) @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(picture, dtype=np.uint8), np.asarray(corners.reshape(-1, 4, 2), dtype=np.float32)


def cut_set(
    folder: Path, split: str, degrees: Sequence[int] = TURNS_DEG, oriented: bool = True, loose: int | None = None
) -> SetCrops:
    """All faces of a split.

    Args:
        folder, split: the set.
        degrees: how the photos are turned.
        oriented: quads along tilted rows, as the detector gives; else the labels' own upright boxes.
        loose: seed of errors as a detector makes them; None cuts exactly.

    Raises:
        DatasetError: the set is not there, or a photo of it cannot be read.
    """
    if not (folder / "split.csv").is_file():
        raise DatasetError(f"no data set at {folder} (set JINQUE_DATA to the folder that holds it)")
    crops: dict[int, list[npt.NDArray[np.uint8]]] = {angle: [] for angle in degrees}
    labels, photos = [], []
    rng = np.random.default_rng(loose)
    for path, shares, classes in photo_labels(folder, (split,)):
        image = cv2.imread(str(path))
        if image is None:
            raise DatasetError(f"cannot read the photo {path.name}")
        photo = np.asarray(image, dtype=np.uint8)
        height, width = photo.shape[:2]
        quads = quads_from_boxes(shares.astype(np.float64) * [width, height, width, height]) if oriented else None
        if quads is None:
            quads = box_quads(pixel_boxes(shares, width, height))
        if loose is not None:
            quads = loosened(quads, rng)
        for angle, found in crops.items():
            found.append(rectify(*turned(photo, quads, angle)))
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
        begun = time.perf_counter()
        chances = classifier.classify(crops).probabilities
        spent_ms = (time.perf_counter() - begun) * 1000
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
                ms_a_crop=spent_ms / len(right),
                confusions=dict(wrong.most_common()),
            )
        )
    return rows


@dataclass(frozen=True, slots=True)
class LooksCompared:
    """One look where it leaves no doubt, beside all looks at every crop, on the same crops.

    ``changed`` are those with another label, ``crossed`` those that one side names and the other calls unknown;
    ``times_as_fast`` is the ratio of the processor times of both.
    """

    crops: int
    looks: int
    changed: int
    crossed: int
    times_as_fast: float


def compare_looks(quick: Classifier, thorough: Classifier, sets: Iterable[SetCrops], known: float) -> LooksCompared:
    """Both classifiers on every crop of the sets, at every angle; ``looks`` counts a crop once for each angle."""
    crops = looks = changed = crossed = 0
    spent = [0.0, 0.0]
    for faces in sets:
        crops += len(faces.labels)
        for turned_crops in faces.crops.values():
            said = []
            for place, classifier in enumerate((quick, thorough)):
                begun = time.process_time()
                said.append(classifier.classify(turned_crops).probabilities)
                spent[place] += time.process_time() - begun
            looks += len(turned_crops)
            changed += int((said[0].argmax(axis=1) != said[1].argmax(axis=1)).sum())
            crossed += int(((said[0].max(axis=1) >= known) != (said[1].max(axis=1) >= known)).sum())
    return LooksCompared(crops, looks, changed, crossed, spent[1] / max(spent[0], 1e-9))


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
    parser.add_argument("--all-looks", action="store_true", help="at every crop, also where one look leaves no doubt")
    compare = "instead: what one look changes beside all looks, and how much faster it is, over all sets"
    parser.add_argument("--compare-looks", action="store_true", help=compare)
    parser.add_argument("--boxes", action="store_true", help="the labels' own upright boxes, also on tilted rows")
    parser.add_argument("--turns", type=int, nargs="+", default=list(TURNS_DEG), help="degrees clockwise")
    parser.add_argument("--loose", type=int, metavar="SEED", help="quads with the errors a detector makes")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    if options.compare_looks:
        return _compare(options)
    sure = None if options.all_looks else SURE
    classifier = OpenVinoClassifier(options.model, turns_voted=options.votes, sure=sure)
    known = classifier.thresholds.get("known", 0.7)
    for name in options.sets:
        faces = cut_set(options.data / name, options.split, options.turns, not options.boxes, options.loose)
        for row in score(classifier, faces, known):
            sys.stdout.write((json.dumps(asdict(row)) if options.json else _line(row)) + "\n")
        sys.stdout.flush()
    return 0


def _compare(options: argparse.Namespace) -> int:
    quick, thorough = (OpenVinoClassifier(options.model, turns_voted=options.votes, sure=sure) for sure in (SURE, None))
    sets = (
        cut_set(options.data / name, options.split, options.turns, not options.boxes, options.loose)
        for name in options.sets
    )
    found = compare_looks(quick, thorough, sets, quick.thresholds.get("known", 0.7))
    text = (
        f"{found.crops} crops, {found.looks} with their turns: {found.changed} change their label,"
        f" {found.crossed} cross the threshold; one look is {found.times_as_fast:.1f} times as fast"
    )
    sys.stdout.write((json.dumps(asdict(found)) if options.json else text) + "\n")
    return 0


def _line(row: ClassifierScore) -> str:
    flowers = "    -" if row.flowers_right is None else f"{row.flowers_right:.3f}"
    wrong = " ".join(f"{pair}:{count}" for pair, count in list(row.confusions.items())[:12])
    return (
        f"{row.set:26}{row.turn_deg:4} deg {row.tiles:5} tiles  right {row.right:.4f}  named {row.named:.3f}"
        f"  confident errors {row.confident_errors:.4f}  flowers {flowers}  ece {row.calibration_error:.3f}"
        f"  {row.ms_a_crop:.2f} ms/crop  {wrong}"
    )


if __name__ == "__main__":
    raise SystemExit(main())
