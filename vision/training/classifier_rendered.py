"""Rendered face crops for the classifier: many designs, each shown from many sides, with known turns and backs."""

from __future__ import annotations

import argparse
import csv
import shutil
from pathlib import Path

import cv2
import numpy as np

from engine.tiles import ALL_TILES, CODES, HONOURS, PLANTS, SEASONS, SUITED
from vision.synth.crops import render_face_crop
from vision.synth.designs import design_pool
from vision.training.classifier_data import BACK, WIDE_MARGIN, WIDE_SIZE, WideCrops

BACK_SHARE = 0.06
PLAIN_BACK_KEPT = 0.3
"""Share of backs kept on sets whose back looks like a blank face: nobody can tell those, so few are shown."""


def render_crops(
    seed: int,
    designs: int,
    count: int,
    art: Path | None = None,
    pictures: Path | None = None,
    flowers: float | None = None,
) -> WideCrops:
    """``count`` stored crops of ``designs`` rendered sets, upright; every face equally often, some backs.

    ``flowers`` is the share of flowers among the faces, where it is not to be 8 of 42; ``art`` and ``pictures`` as for
    ``vision.synth.designs.design_pool``.
    """
    pool = design_pool(seed, designs, art, None, pictures)
    rng = np.random.default_rng([seed, 1])
    margin = WIDE_MARGIN / (1 + 2 * WIDE_MARGIN)
    images = np.empty((count, WIDE_SIZE, WIDE_SIZE, 3), dtype=np.uint8)
    labels = np.empty(count, dtype=np.int64)
    names = []
    for row in range(count):
        design = pool[int(rng.integers(len(pool)))]
        plain_back = design.body.back_share == 0
        if rng.random() < BACK_SHARE * (PLAIN_BACK_KEPT if plain_back else 1):
            tile, labels[row] = None, BACK
        else:
            kinds = ALL_TILES if flowers is None else SEASONS + PLANTS if rng.random() < flowers else SUITED + HONOURS
            tile = kinds[int(rng.integers(len(kinds)))]
            labels[row] = int(tile)
        images[row], _ = render_face_crop(rng, design, tile, WIDE_SIZE, margin)
        names.append(design.name)
    whole = np.tile(np.array([0, 0, 1, 1], dtype=np.float32), (count, 1))
    turns = np.zeros(count, dtype=np.int64)
    return WideCrops(images, labels, turns, whole, np.array(["rendered"] * count), np.array(names))


def sort_pictures(folder: Path, out: Path, blocks_a_set: int = 3) -> None:
    """Training faces of a single-crop set as ``SET/CODE/file``, for photographed designs."""
    shutil.rmtree(out, ignore_errors=True)
    with (folder / "split.csv").open(encoding="utf-8") as rows:
        for row in csv.DictReader(rows):
            label = (folder / "labels" / f"{Path(row['file']).stem}.txt").read_text(encoding="utf-8").split()
            if row["split"] != "train" or not label or int(label[0]) >= len(CODES):
                continue
            digits = "".join(filter(str.isdigit, row["scene"]))
            name = str(int(digits) // blocks_a_set) if digits else row["scene"]
            target = out / name / CODES[int(label[0])]
            target.mkdir(parents=True, exist_ok=True)
            shutil.copy(folder / "images" / row["file"], target / row["file"])


def main() -> None:
    """``python -m vision.training.classifier_rendered OUT --data ROOT --files 10``: rendered-0.npz and so on."""
    parser = argparse.ArgumentParser(description="render face crops for the classifier")
    parser.add_argument("out", type=Path)
    parser.add_argument("--data", type=Path, required=True, help="folder that holds the photo sets")
    parser.add_argument("--art", type=Path, help="folder of free tile art")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--files", type=int, default=10)
    parser.add_argument("--designs", type=int, default=60, help="designs a file")
    parser.add_argument("--flowers", type=float, help="share of flowers among the faces; even if left out")
    parser.add_argument("--crops", type=int, default=3000, help="crops a file")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    pictures = options.out / "pictures"
    sort_pictures(options.data / "crops_web", pictures)
    for number in range(options.first, options.first + options.files):
        crops = render_crops(1000 + number, options.designs, options.crops, options.art, pictures, options.flowers)
        fresh = options.out / "writing.npz"
        crops.save(fresh)
        fresh.rename(options.out / f"rendered-{number}.npz")


if __name__ == "__main__":
    main()
