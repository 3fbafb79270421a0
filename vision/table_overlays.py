"""Draws hand labels of whole tables over their photos, for correcting them.

``python -m vision.table_overlays FOLDER --out DIR [--split all] [--enlarge 2]`` writes a picture a photo: faces red
with their codes, backs cyan, unreadable places magenta, each with its line in the label file, where it is corrected.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading import BACK
from vision.table_labels import ALL_SPLITS, UNREADABLE, TableLabels, load_table_labels, with_photos

_COLOURS = {BACK: (255, 255, 0), UNREADABLE: (255, 0, 255)}
_FACE, _DARK, _BRIGHT = (0, 0, 255), (0, 0, 0), (0, 255, 0)


def overlay(labels: TableLabels, image: NDArray[np.uint8], enlarge: float = 2.0) -> NDArray[np.uint8]:
    """The photo (BGR), larger, with its labels drawn over it."""
    drawn = cv2.resize(image, None, fx=enlarge, fy=enlarge, interpolation=cv2.INTER_CUBIC)
    size = np.array([drawn.shape[1], drawn.shape[0]])
    names = [*labels.codes, *[UNREADABLE] * len(labels.unreadable)]
    for name, line, quad in zip(names, labels.lines, [*labels.quads, *labels.unreadable], strict=True):
        corners = (quad * size).round().astype(np.int32)
        cv2.polylines(drawn, [corners], True, _COLOURS.get(name, _FACE), 1, cv2.LINE_AA)
        text = str(line) if name in _COLOURS else f"{line} {name}"
        x, y = corners.mean(axis=0).astype(int).tolist()
        for colour, width in ((_DARK, 3), (_BRIGHT, 1)):
            cv2.putText(drawn, text, (x - 14, y + 4), cv2.FONT_HERSHEY_SIMPLEX, 0.38, colour, width, cv2.LINE_AA)
    return np.asarray(drawn, np.uint8)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description="Hand labels of whole tables, drawn over their photos.")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--split", default=ALL_SPLITS)
    parser.add_argument("--enlarge", type=float, default=2.0)
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    found = with_photos(options.folder, load_table_labels(options.folder, options.split))
    for labels, path in found:
        image = np.asarray(cv2.imread(str(path), cv2.IMREAD_COLOR), np.uint8)
        cv2.imwrite(str(options.out / f"{path.stem}.jpg"), overlay(labels, image, options.enlarge))
    sys.stdout.write(f"{len(found)} pictures in {options.out}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
