"""Folders of labelled photos, as the evaluation reads them: in the YOLO text format, or with a truth file a photo.

YOLO: ``images/`` holds photos, ``labels/`` a text file of the same stem for each, one tile a line: class, centre x,
centre y, width, height, the last four as shares of the upright photo. ``classes.txt`` (in the folder or one above)
names the classes. ``split.csv``, where there is one, has the columns ``file`` and ``split``.

Truth files: beside each photo a JSON file of the same stem, whose ``tiles`` have a ``tile`` code and a ``quad`` in
pixels of the upright photo, ``width`` and ``height``; so `vision.synth.samples` writes them.

Labels of whole tables, whose photos lie elsewhere: see `vision.table_labels`.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.tiles import CODES
from vision.errors import DatasetError, SourceError
from vision.frames import exif_turn
from vision.label_errors import label_errors
from vision.reading import BACK
from vision.sources import PHOTO_SUFFIXES, list_photos
from vision.table_labels import ALL_SPLITS, is_table_set, load_table_labels, with_photos

_FLOWER_NAMES = ("spring", "summer", "autumn", "winter", "plum", "orchid", "bamboo", "chrysanthemum")
_CODE_OF_CLASS = {
    **{code: code for code in (*CODES, BACK)},
    **{name: f"{number}f" for number, name in enumerate(_FLOWER_NAMES, 1)},
}
_SLACK = 0.01  # share of the photo by which a label may reach out of it: exporters round
_WHOLE = 0.98  # a label of at least this share of both sides covers the picture: a cut out face


@dataclass(frozen=True, eq=False)
class LabelledPhoto:
    """A photo and its tiles.

    Attributes:
        path: the photo.
        codes: notation codes of its N tiles.
        boxes: [N, 4] x1, y1, x2, y2 as shares 0..1 of the upright photo.
        has_backs: whether face-down tiles are labelled as well.
        complete: whether a tile that is not labelled is none.
        unreadable: [M, 4, 2] quads, as shares, in which there may be tiles that nobody labelled.
        shows: the codes of what the tiles show, where labels are known to be wrong (`vision.label_errors`).
    """

    path: Path
    codes: tuple[str, ...]
    boxes: NDArray[np.float64]
    has_backs: bool = False
    complete: bool = True
    unreadable: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 4, 2)))
    shows: tuple[str, ...] = ()

    @property
    def is_face_crop(self) -> bool:
        """True where one label covers the whole picture: only its name counts."""
        return len(self.codes) == 1 and bool(((self.boxes[0, 2:] - self.boxes[0, :2]) >= _WHOLE).all())

    def is_extra(self, x: float, y: float, face_down: bool) -> bool:
        """Whether a tile read at that place, in shares of the photo, is one too many where it has no label."""
        if not self.complete or (face_down and not self.has_backs):
            return False
        quads = self.unreadable.astype(np.float32)
        return all(cv2.pointPolygonTest(quad.reshape(4, 1, 2), (x, y), False) < 0 for quad in quads)


def load_dataset(folder: str | Path, split: str | None = None) -> tuple[LabelledPhoto, ...]:
    """The labelled photos of a folder, sorted by name.

    Args:
        folder: the folder that holds ``images`` and ``labels``.
        split: name of the split; None for ``test`` where the set is split and everything where it is not;
            ``all`` for everything.

    Raises:
        DatasetError: something is missing or malformed; the message names the file and line.
    """
    folder = Path(folder)
    if is_table_set(folder):
        return _tables(folder, split)
    if not (folder / "images").exists() and (truths := _truths(folder)):
        if split not in (None, ALL_SPLITS):
            raise DatasetError(f"{folder.name} is not split, so it has no split {split!r}")
        return truths
    if not (folder / "images").is_dir() or not (folder / "labels").is_dir():
        raise DatasetError(f"{folder.name or folder} is no data set: expected the folders images and labels in it")
    classes = _classes(folder)
    try:
        photos = list_photos([folder / "images"])
    except SourceError as error:
        raise DatasetError(f"{folder.name}: {error}") from error
    wanted = _wanted(folder, split)
    if wanted is not None:
        photos = tuple(photo for photo in photos if photo.name in wanted)
    labelled, wrong = [], label_errors(folder.name)
    for photo in photos:
        codes, boxes = _labels(folder / "labels" / f"{photo.stem}.txt", classes)
        shows = tuple(wrong.get((photo.name, line), code) for line, code in enumerate(codes, 1)) if wrong else ()
        labelled.append(LabelledPhoto(photo, codes, boxes, shows=shows))
    if not labelled:
        raise DatasetError(f"{folder.name}: no photo of the split is in images")
    return tuple(labelled)


def _tables(folder: Path, split: str | None) -> tuple[LabelledPhoto, ...]:
    """Whole tables whose photos are there."""
    labels = load_table_labels(folder, "test" if split is None else split)
    return tuple(
        LabelledPhoto(path, one.codes, one.boxes, True, one.complete, one.unreadable)
        for one, path in with_photos(folder, labels)
    )


def check_dataset(folder: str | Path) -> tuple[str, ...]:
    """What makes a data set untrustworthy, one sentence a finding; none for a sound one.

    A photo whose EXIF still turns it is one: whoever drew its labels saw it turned, whoever reads its pixels may not.
    So are labels that lie outside their photo, and tiles that are labelled twice.

    Raises:
        DatasetError: as `load_dataset`.
    """
    findings = []
    for photo in load_dataset(folder, ALL_SPLITS):
        name = photo.path.name
        turn = exif_turn(photo.path)
        if turn != 1:
            findings.append(f"{name}: its EXIF orientation is {turn}; turn the pixels upright and drop the tag")
        outside = int(((photo.boxes < -_SLACK) | (photo.boxes > 1 + _SLACK)).any(axis=1).sum())
        if outside:
            findings.append(f"{name}: {outside} of {len(photo.codes)} labels reach out of the photo")
        doubles = len(photo.codes) - len({tuple(box) for box in photo.boxes.round(4).tolist()})
        if doubles:
            findings.append(f"{name}: {doubles} labels lie where another one lies")
    return tuple(findings)


def _truths(folder: Path) -> tuple[LabelledPhoto, ...]:
    """The photos of a folder that have a truth file beside them."""
    photos = (path for path in sorted(folder.glob("*")) if path.suffix.lower() in PHOTO_SUFFIXES)
    return tuple(_truth(photo) for photo in photos if photo.with_suffix(".json").is_file())


def _truth(photo: Path) -> LabelledPhoto:
    path = photo.with_suffix(".json")
    try:
        truth = json.loads(path.read_text(encoding="utf-8"))
        size = np.array([truth["width"], truth["height"]], np.float64)
        codes = tuple(_CODE_OF_CLASS[tile["tile"]] for tile in truth["tiles"])
        quads = np.array([tile["quad"] for tile in truth["tiles"]], np.float64).reshape(len(codes), 4, 2) / size
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DatasetError(f"{path.name}: expected width, height and tiles with tile and quad ({error!r})") from error
    return LabelledPhoto(photo, codes, np.concatenate([quads.min(axis=1), quads.max(axis=1)], axis=1))


def _classes(folder: Path) -> tuple[str, ...]:
    path = next((path for path in (folder / "classes.txt", folder.parent / "classes.txt") if path.is_file()), None)
    if path is None:
        raise DatasetError(f"{folder.name}: no classes.txt in it or one folder above")
    names = path.read_text(encoding="utf-8-sig").split()
    unknown = [name for name in names if name not in _CODE_OF_CLASS]
    if unknown:
        raise DatasetError(f"classes.txt names {unknown[0]!r}; expected notation codes, flower names or 'back'")
    return tuple(_CODE_OF_CLASS[name] for name in names)


def _wanted(folder: Path, split: str | None) -> frozenset[str] | None:
    """Names of the files of a split; None for all."""
    path = folder / "split.csv"
    if split == ALL_SPLITS or (split is None and not path.is_file()):
        return None
    if not path.is_file():
        raise DatasetError(f"{folder.name} has no split.csv, so it has no split {split!r}")
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    if not rows or not {"file", "split"} <= rows[0].keys():
        raise DatasetError(f"{folder.name}/split.csv: expected the columns file and split")
    name = "test" if split is None else split
    files = frozenset(row["file"] for row in rows if row["split"] == name)
    if not files:
        there = ", ".join(sorted({row["split"] for row in rows}))
        raise DatasetError(f"{folder.name} has no split {name!r}; it has {there} ({ALL_SPLITS!r} takes everything)")
    return files


def _labels(path: Path, classes: tuple[str, ...]) -> tuple[tuple[str, ...], NDArray[np.float64]]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise DatasetError(f"labels/{path.name} is missing; a photo without tiles has an empty one") from error
    codes, boxes = [], []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        fields = line.split()
        try:
            label, (x, y, width, height) = int(fields[0]), map(float, fields[1:5])
            if len(fields) != 5 or not 0 <= label < len(classes) or width <= 0 or height <= 0:
                raise ValueError
        except ValueError:
            raise DatasetError(
                f"labels/{path.name}, line {number}: expected a class 0..{len(classes) - 1} and four numbers"
                f" (centre x, centre y, width, height as shares), got {line.strip()!r}"
            ) from None
        codes.append(classes[label])
        boxes.append((x - width / 2, y - height / 2, x + width / 2, y + height / 2))
    return tuple(codes), np.array(boxes, dtype=np.float64).reshape(-1, 4)


def main(arguments: Sequence[str] | None = None) -> int:
    """``python -m vision.dataset FOLDER...``: the findings of `check_dataset`; exit 1 where there are any."""
    parser = argparse.ArgumentParser(prog="python -m vision.dataset", description="check folders of labelled photos")
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    found = 0
    for folder in parser.parse_args(arguments).folders:
        for finding in check_dataset(folder):
            found += 1
            sys.stdout.write(f"{folder.name}/{finding}\n")
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
