"""Makes a trained classifier the bundled one: calibrates it on validation crops and writes its card.

``python -m vision.training.classifier_publish RUN_FOLDER models --data ROOT``. Needs no training stack.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
import numpy.typing as npt

from engine.tiles import CODES
from vision.classifier import OpenVinoClassifier
from vision.crops import CROP_MARGIN, CROP_SIZE, rectify
from vision.label_errors import label_errors
from vision.training.classifier_data import BACK, WIDE_MARGIN
from vision.training.classifier_rendered import render_crops
from vision.training.evaluate_classifier import cut_set, loosened
from vision.weights import FACE_LABELS

Floats = npt.NDArray[np.float64]
VALIDATION_SETS = ("cmd_hk", "cmd_riichi_box", "crops_web")
CONFIDENT_ERRORS = 0.003
"""Largest share of the crops of a set that may be named wrong."""
LOOSE_DRAWS = 4
"""How often each validation face is cut, each time with other errors of a detector."""
LOWEST_KNOWN = 0.6
"""Validation sets resemble the training; unseen ones do not, so the threshold is never set below this."""
UNSEEN_SEED, UNSEEN_DESIGNS, UNSEEN_CROPS = 99_001, 60, 2400
GLARING, GLARE_NAMED = 300, 0.03
"""Patches of glare, and the largest share of them that may be named."""
UNSEEN_PX = (22.0, 64.0)
"""Smallest and largest side of a rendered face."""


def log_chances(classifier: OpenVinoClassifier, crops: npt.NDArray[np.uint8]) -> Floats:
    """Logits [N, 44] up to a constant a row, of a classifier with temperature 1."""
    return np.log(np.maximum(classifier.classify(crops).probabilities.astype(np.float64), 1e-12))


def temperature(logits: Floats, labels: npt.NDArray[np.int64], weights: Floats) -> float:
    """The temperature with the least weighted log loss (Guo et al. 2017, "On calibration of modern networks")."""
    grid = np.exp(np.linspace(np.log(0.3), np.log(3.0), 120))
    return float(min(grid, key=lambda value: _loss(logits / value, labels, weights)))


def _chances(logits: Floats) -> Floats:
    """Softmax of each row."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def _loss(logits: Floats, labels: npt.NDArray[np.int64], weights: Floats) -> float:
    top = logits.max(axis=1, keepdims=True)
    log = logits - top - np.log(np.exp(logits - top).sum(axis=1, keepdims=True))
    return float(-(log[np.arange(len(labels)), labels] * weights).sum() / weights.sum())


def threshold(
    confidence: npt.NDArray[np.floating], right: npt.NDArray[np.bool_], weights: Floats, errors: float
) -> float:
    """The smallest confidence above which at most a weighted share ``errors`` of all crops is wrong."""
    order = np.argsort(-confidence)
    wrong = np.cumsum(np.where(right[order], 0.0, weights[order])) / weights.sum()
    too_many = np.flatnonzero(wrong > errors)
    return float(np.nextafter(confidence[order[too_many[0]]], 1.0)) if len(too_many) else 0.0


def strictest(
    confidence: npt.NDArray[np.floating], right: npt.NDArray[np.bool_], of_set: npt.NDArray[np.int64], errors: float
) -> float:
    """The largest `threshold` of all sets, whose numbers are ``of_set`` [N].

    Of a set with so few different faces that a single one would be too many nothing can be said by itself: it counts
    together with the last one.
    """
    found = 0.0
    for one in np.unique(of_set):
        own = of_set == one
        if own.sum() // LOOSE_DRAWS < 1 / errors:
            own |= of_set == of_set[-1]
        found = max(found, threshold(confidence[own], right[own], np.ones(int(own.sum())), errors))
    return found


def glaring(count: int = GLARING) -> npt.NDArray[np.uint8]:
    """Pale patches [N, 64, 64, 3] with a spot of glare: they look like a blank white dragon, and are none."""
    rng = np.random.default_rng(UNSEEN_SEED)
    patches = np.empty((count, CROP_SIZE, CROP_SIZE, 3), np.uint8)
    for patch in patches:
        patch[:] = rng.integers(205, 245)
        x, y = rng.integers(10, CROP_SIZE - 10, 2).tolist()
        cv2.circle(patch, (x, y), int(rng.integers(8, 24)), (255, 255, 255), -1)
    return patches


def rightly_labelled(photos: npt.NDArray[np.str_], set_name: str) -> npt.NDArray[np.bool_]:
    """Which faces [N] of a set, by their photo and in the order of its labels, are not among the wrong labels.

    See `vision.label_errors`. One such label alone can set the threshold.
    """
    wrong = label_errors(set_name)
    seen: Counter[str] = Counter()
    right = np.ones(len(photos), np.bool_)
    for place, photo in enumerate(photos.tolist()):
        seen[photo] += 1
        right[place] = (photo, seen[photo]) not in wrong
    return right


def unseen_faces(art: Path | None) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Crops [N, 64, 64, 3] and labels [N] of rendered sets that no training has, small to large, cut with errors.

    Validation photos show sets that are in the training too, so by them alone a network seems too sure of itself.
    """
    wide = render_crops(UNSEEN_SEED, UNSEEN_DESIGNS, UNSEEN_CROPS, art)
    faces = np.flatnonzero(wide.labels < BACK)
    rng = np.random.default_rng(UNSEEN_SEED)
    margin = WIDE_MARGIN / (1 + 2 * WIDE_MARGIN)
    corners = np.array([(margin, margin), (1 - margin, margin), (1 - margin, 1 - margin), (margin, 1 - margin)])
    cut = []
    for image in wide.images[faces]:
        side = float(np.exp(rng.uniform(*np.log(UNSEEN_PX)))) * (1 + 2 * WIDE_MARGIN)
        small = cv2.resize(image, (round(side), round(side)), interpolation=cv2.INTER_AREA)
        cut.append(rectify(np.asarray(small, np.uint8), loosened(np.asarray(corners[None] * side, np.float32), rng))[0])
    return np.stack(cut), wide.labels[faces]


def calibrate(
    folder: Path, data_root: Path, votes: int, sets: Sequence[str] = VALIDATION_SETS, art: Path | None = None
) -> dict[str, float]:
    """Temperature and threshold for the network in ``folder`` over the validation splits and rendered faces of unseen
    sets.

    Each set counts alike for the temperature, and keeps to `CONFIDENT_ERRORS` by itself; one with so few faces that a
    single one would be too many keeps to it together with the rendered ones. Patches of glare are named
    seldom. ``art`` is a folder of tile faces for some of the rendered ones.
    """
    classifier = OpenVinoClassifier(folder, turns_voted=votes)
    parts, labels, weights = [], [], []
    for name in sets:
        for seed in range(LOOSE_DRAWS):
            faces = cut_set(data_root / name, "val", degrees=(0,), loose=seed)
            kept = rightly_labelled(faces.photos, name)
            parts.append(log_chances(classifier, faces.crops[0][kept]))
            labels.append(faces.labels[kept])
            weights.append(np.full(kept.sum(), 1 / kept.sum()))
    crops, truth = unseen_faces(art)
    parts.append(log_chances(classifier, crops))
    labels.append(truth)
    weights.append(np.full(len(truth), LOOSE_DRAWS / len(truth)))
    logits, truth, weight = np.concatenate(parts), np.concatenate(labels), np.concatenate(weights)
    heat = temperature(logits, truth, weight)
    chances = _chances(logits / heat)
    best, right = chances.max(axis=1), chances.argmax(axis=1) == truth
    of_set = np.concatenate([np.full(len(part), number // LOOSE_DRAWS) for number, part in enumerate(parts)])
    rendered = of_set == of_set[-1]
    named = _chances(log_chances(classifier, glaring()) / heat)[:, : len(CODES)].max(axis=1)
    known = max(strictest(best, right, of_set, CONFIDENT_ERRORS), float(np.quantile(named, 1 - GLARE_NAMED)))
    flowers = rendered & (truth >= CODES.index("1f"))
    return {
        "temperature": round(heat, 4),
        "unseen_right": round(float(right[rendered].mean()), 4),
        "unseen_flowers_right": round(float(right[flowers].mean()), 4),
        "known": round(max(known, LOWEST_KNOWN), 4),
        "known_measured": round(known, 4),
    }


def write_card(folder: Path, heat: float, known: float, votes: int) -> None:
    """classifier.json beside classifier.onnx, as `vision.weights` expects it."""
    data = (folder / "classifier.onnx").read_bytes()
    card = {
        "name": "classifier",
        "file": "classifier.onnx",
        "sha256": hashlib.sha256(data).hexdigest(),
        "labels": list(FACE_LABELS),
        "input_size": CROP_SIZE,
        "margin": CROP_MARGIN,
        "input": "float32 [N, 3, 64, 64], RGB, 0..1",
        "outputs": ["label", "turn", "embedding"],
        "temperature": heat,
        "turns_voted": votes,
        "thresholds": {"known": known, "not_a_face": 0.5},
        "alike_upside_down": ["1p", "2p", "3p", "4p", "5p", "8p", "9p", "2s", "4s", "5s", "6s", "8s", "9s", "P"],
    }
    (folder / "classifier.json").write_text(json.dumps(card, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def publish(
    run: Path,
    models: Path,
    data_root: Path,
    votes: int = 4,
    sets: Sequence[str] = VALIDATION_SETS,
    art: Path | None = None,
) -> dict[str, float]:
    """Calibrate the network of a run and put it with its card into ``models``; returns what was measured."""
    with TemporaryDirectory() as place:
        folder = Path(place)
        shutil.copy(run / "classifier.onnx", folder)
        write_card(folder, 1.0, LOWEST_KNOWN, votes)
        measured = calibrate(folder, data_root, votes, sets, art)
        write_card(folder, measured["temperature"], measured["known"], votes)
        for name in ("classifier.onnx", "classifier.json"):
            shutil.copy(folder / name, models / name)
    return measured


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="calibrate a trained classifier and bundle it")
    parser.add_argument("run", type=Path)
    parser.add_argument("models", type=Path)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("JINQUE_DATA", "../shared/data/tiles")))
    parser.add_argument("--art", type=Path, help="folder of free tile art, for some of the rendered faces")
    parser.add_argument("--votes", type=int, default=4, choices=(1, 2, 4))
    parser.add_argument(
        "--without", nargs="*", default=(), choices=VALIDATION_SETS, help="sets that the run was not to see"
    )
    options = parser.parse_args(arguments)
    sets = [name for name in VALIDATION_SETS if name not in options.without]
    print(json.dumps(publish(options.run, options.models, options.data, options.votes, sets, options.art)))  # noqa: T201


if __name__ == "__main__":
    main()
