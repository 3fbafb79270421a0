"""How many labelled tiles the detector finds, and how many boxes too many it draws. Names of tiles do not count here.

``python -m vision.detector_evaluation FOLDER... [--split test] [--model FILE] [--out CSV]`` prints one line a
data set. A tile counts as found where the upright rectangle around a detection overlaps its label by IoU >= 0.5.
"""

from __future__ import annotations

import argparse
import hashlib
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dataset import load_dataset
from vision.detector import LABELS, Detector, OpenVinoDetector
from vision.reading import BACK
from vision.training.recipes import append_row
from vision.weights import find_weights

Array = NDArray[np.float32]
IOU_MIN = 0.5
LOOSE_IOU_MIN = 0.3
_NOT_COLUMNS = ("mean_iou", "median_s", "backs", "backs_found")


@dataclass(frozen=True, slots=True)
class DetectionReport:
    """Counts over the photos of one data set.

    ``doubles`` are extra boxes on a tile that was found already; ``found_loosely`` counts labels that some box overlaps
    by IoU >= 0.3: the sets draw their boxes around the printing, the face or the whole tile. ``backs`` are labelled
    face-down tiles, ``backs_found`` those of them that were found as such; all other counts are of faces.
    """

    photos: int
    tiles: int
    found: int
    found_loosely: int
    extra: int
    doubles: int
    all_found: int
    mean_iou: float
    median_s: float
    backs: int = 0
    backs_found: int = 0

    def line(self, name: str) -> str:
        """The report in one line of text."""
        recall, precision = self.found / max(self.tiles, 1), self.found / max(self.found + self.extra, 1)
        return (
            f"{name}: recall {recall:.4f} ({self.found}/{self.tiles}) at IoU 0.3 {self.found_loosely}/{self.tiles} "
            f"precision {precision:.4f} extra {self.extra} "
            f"doubles {self.doubles} photos all found {self.all_found}/{self.photos} mean IoU {self.mean_iou:.3f} "
            f"median {1000 * self.median_s:.0f} ms" + (f" backs {self.backs_found}/{self.backs}" if self.backs else "")
        )


def iou_matrix(first: Array, second: Array) -> Array:
    """IoU of every box of ``first`` [N, 4] with every box of ``second`` [M, 4], as x1 y1 x2 y2."""
    low = np.maximum(first[:, None, :2], second[None, :, :2])
    high = np.minimum(first[:, None, 2:], second[None, :, 2:])
    common = np.clip(high - low, 0, None).prod(axis=2)
    areas = [(boxes[:, 2:] - boxes[:, :2]).prod(axis=1) for boxes in (first, second)]
    overlap: Array = common / np.maximum(areas[0][:, None] + areas[1][None] - common, 1e-9)
    return overlap


def match(labels: Array, boxes: Array) -> list[tuple[int, int, float]]:
    """Pairs (label, box, IoU) with IoU >= 0.5, best pairs first, each label and box used once."""
    overlap = iou_matrix(labels, boxes)
    pairs = []
    while overlap.size and overlap.max() >= IOU_MIN:
        i, j = np.unravel_index(int(overlap.argmax()), overlap.shape)
        pairs.append((int(i), int(j), float(overlap[i, j])))
        overlap[i, :] = -1
        overlap[:, j] = -1
    return pairs


def evaluate(detector: Detector, folder: Path, split: str = "test") -> DetectionReport:
    """Run the detector over one split of a data set (`vision.dataset.load_dataset`)."""
    photos = load_dataset(folder, split)
    tiles = found = loosely = extra = doubles = all_found = backs = backs_found = 0
    overlaps: list[float] = []
    seconds: list[float] = []
    for photo in photos:
        image = np.asarray(cv2.imread(str(photo.path), cv2.IMREAD_COLOR), np.uint8)
        size = np.array([image.shape[1], image.shape[0]] * 2)
        is_back = np.array([code == BACK for code in photo.codes], np.bool_)
        labels = (photo.boxes * size).astype(np.float32)
        begun = time.perf_counter()
        detections = detector.detect(image)
        seconds.append(time.perf_counter() - begun)
        edged = np.clip(detections.boxes, 0, size).astype(np.float32)  # labels end at the edge of the photo
        boxes = edged[~detections.face_down]
        backs += int(is_back.sum())
        backs_found += len(match(labels[is_back], edged[detections.face_down]))
        labels = labels[~is_back]
        pairs = match(labels, boxes)
        matched = {j for _, j, _ in pairs}
        middles = (boxes[:, :2] + boxes[:, 2:]) / 2 / size[:2]
        rest = [
            j for j, (x, y) in enumerate(middles.tolist()) if j not in matched and photo.is_extra(x, y, face_down=False)
        ]
        tiles, found, extra = tiles + len(labels), found + len(pairs), extra + len(rest)
        loosely += int((iou_matrix(labels, boxes).max(axis=1) >= LOOSE_IOU_MIN).sum()) if len(boxes) else 0
        all_found += len(pairs) == len(labels)
        overlaps += [overlap for _, _, overlap in pairs]
        if rest and len(labels):
            doubles += int((iou_matrix(labels, boxes[rest]).max(axis=0) > 0.2).sum())
    mean = float(np.mean(overlaps)) if overlaps else 0.0
    median = statistics.median(seconds) if seconds else 0.0
    return DetectionReport(
        len(photos), tiles, found, loosely, extra, doubles, all_found, mean, median, backs, backs_found
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report of each folder."""
    parser = argparse.ArgumentParser(description="Recall and precision of the tile detector on labelled photos.")
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--split", default="test")
    parser.add_argument("--model", type=Path, help="network to use instead of the bundled one")
    parser.add_argument("--out", type=Path, metavar="CSV", help="add one row a data set to this file")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args(arguments)
    model = options.model or find_weights("detector", labels=LABELS).path
    detector = OpenVinoDetector(model, options.threads)
    for folder in options.folders:
        report = evaluate(detector, folder, options.split)
        sys.stdout.write(report.line(folder.name) + "\n")
        if options.out:
            counts = {key: value for key, value in asdict(report).items() if key not in _NOT_COLUMNS}
            digest = hashlib.sha256(model.read_bytes()).hexdigest()[:12]
            row = {"network": digest, "set": folder.name, "split": options.split, **counts}
            append_row(options.out, {**row, "mean_iou": round(report.mean_iou, 4)})
    return 0


if __name__ == "__main__":
    sys.exit(main())
