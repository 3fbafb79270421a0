"""Makes a trained classifier the bundled one: calibrates it on validation crops and writes its card.

``python -m vision.training.classifier_publish RUN_FOLDER models --data ROOT``. Needs no training stack.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt

from vision.classifier import OpenVinoClassifier
from vision.crops import CROP_MARGIN, CROP_SIZE
from vision.training.evaluate_classifier import cut_set
from vision.weights import FACE_LABELS

Floats = npt.NDArray[np.float64]
VALIDATION_SETS = ("cmd_hk", "cmd_riichi_box", "crops_web")
CONFIDENT_ERRORS = 0.003
"""Largest share of crops that may be named wrong."""
LOOSE_DRAWS = 4
"""How often each validation face is cut, each time with other errors of a detector."""
LOWEST_KNOWN = 0.6
"""Validation sets resemble the training; unseen ones do not, so the threshold is never set below this."""


def log_chances(classifier: OpenVinoClassifier, crops: npt.NDArray[np.uint8]) -> Floats:
    """Logits [N, 44] up to a constant a row, of a classifier with temperature 1."""
    return np.log(np.maximum(classifier.classify(crops).probabilities.astype(np.float64), 1e-12))


def temperature(logits: Floats, labels: npt.NDArray[np.int64], weights: Floats) -> float:
    """The temperature with the least weighted log loss (Guo et al. 2017, "On calibration of modern networks")."""
    grid = np.exp(np.linspace(np.log(0.3), np.log(3.0), 120))
    return float(min(grid, key=lambda value: _loss(logits / value, labels, weights)))


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


def calibrate(folder: Path, data_root: Path, votes: int, sets: Sequence[str] = VALIDATION_SETS) -> dict[str, float]:
    """Temperature and threshold for the network in ``folder`` over the validation splits, each set counting alike."""
    classifier = OpenVinoClassifier(folder, turns_voted=votes)
    parts, labels, weights = [], [], []
    for name in sets:
        for seed in range(LOOSE_DRAWS):
            faces = cut_set(data_root / name, "val", degrees=(0,), loose=seed)
            parts.append(log_chances(classifier, faces.crops[0]))
            labels.append(faces.labels)
            weights.append(np.full(len(faces.labels), 1 / len(faces.labels)))
    logits, truth, weight = np.concatenate(parts), np.concatenate(labels), np.concatenate(weights)
    heat = temperature(logits, truth, weight)
    scaled = logits / heat
    chances = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    known = threshold(chances.max(axis=1), chances.argmax(axis=1) == truth, weight, CONFIDENT_ERRORS)
    return {
        "temperature": round(heat, 4),
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
    run: Path, models: Path, data_root: Path, votes: int = 4, sets: Sequence[str] = VALIDATION_SETS
) -> dict[str, float]:
    """Calibrate the network of a run and put it with its card into ``models``; returns what was measured."""
    with TemporaryDirectory() as place:
        folder = Path(place)
        shutil.copy(run / "classifier.onnx", folder)
        write_card(folder, 1.0, LOWEST_KNOWN, votes)
        measured = calibrate(folder, data_root, votes, sets)
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
    parser.add_argument("--votes", type=int, default=4, choices=(1, 2, 4))
    parser.add_argument(
        "--without", nargs="*", default=(), choices=VALIDATION_SETS, help="sets that the run was not to see"
    )
    options = parser.parse_args(arguments)
    sets = [name for name in VALIDATION_SETS if name not in options.without]
    print(json.dumps(publish(options.run, options.models, options.data, options.votes, sets)))  # noqa: T201


if __name__ == "__main__":
    main()
