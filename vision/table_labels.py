"""Labels of whole tables: faces, backs and what nobody can name, as quads; the photos lie elsewhere.

The folder holds ``dataset.toml`` (where the photos are), ``classes.txt`` (a class a line: tile codes, ``back``,
``unreadable``), ``photos.csv`` (columns ``file``, ``split``, ``complete``) and ``labels/``, a text file a photo, one
tile a line: class, then x and y of four corners as shares of the photo, clockwise as seen, starting anywhere.
"""

from __future__ import annotations

import csv
import logging
import os
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.tiles import CODES, Tile
from vision.errors import DatasetError
from vision.reading import BACK

UNREADABLE = "unreadable"
ALL_SPLITS = "all"
_COPIES, _FLOWER_COPIES = 4, 1

_log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class TableLabels:
    """What was labelled in one photo.

    Attributes:
        file: name of the photo.
        split: ``train``, ``val`` or ``test``.
        complete: every face and back of more than about 18 px is labelled or lies in an unreadable place.
        codes: notation codes of the N tiles, ``back`` for a back.
        quads: [N, 4, 2] corners of the face or back as shares 0..1 of the photo, clockwise as seen.
        unreadable: [M, 4, 2] quads around faces, or heaps of tiles, that a person cannot tell.
        lines: N + M lines of the label file, from 1: of the tiles, then of the unreadable places.
    """

    file: str
    split: str
    complete: bool
    codes: tuple[str, ...]
    quads: NDArray[np.float64]
    unreadable: NDArray[np.float64]
    lines: tuple[int, ...]

    @property
    def boxes(self) -> NDArray[np.float64]:
        """[N, 4] x1, y1, x2, y2 around the quads."""
        return np.concatenate([self.quads.min(axis=1), self.quads.max(axis=1)], axis=1)


def is_table_set(folder: Path) -> bool:
    """Whether a folder holds labels of whole tables."""
    return (folder / "photos.csv").is_file() and (folder / "dataset.toml").is_file()


def load_table_labels(folder: Path, split: str | None = None) -> tuple[TableLabels, ...]:
    """The labels of one split, of all photos for None or ``all``, sorted by name; the photos are not needed.

    Raises:
        DatasetError: something is missing, malformed or impossible (a fifth copy of a tile); the message names file
            and line.
    """
    classes = _classes(folder / "classes.txt")
    rows = _rows(folder / "photos.csv")
    chosen = rows if split in (None, ALL_SPLITS) else [row for row in rows if row["split"] == split]
    if not chosen:
        there = ", ".join(sorted({row["split"] for row in rows}))
        raise DatasetError(f"{folder.name} has no split {split!r}; it has {there} ({ALL_SPLITS!r} takes everything)")
    return tuple(_table(folder, row, classes) for row in sorted(chosen, key=lambda row: row["file"]))


def photos_folder(folder: Path) -> Path:
    """Where the photos of the labels in ``folder`` are: below JINQUE_DATA, or where dataset.toml says.

    Raises:
        DatasetError: dataset.toml cannot be read.
    """
    try:
        table = tomllib.loads((folder / "dataset.toml").read_text(encoding="utf-8"))
        root = Path(os.environ.get("JINQUE_DATA") or str(table["data"])).expanduser()
        return (folder.resolve() / root / str(table["photos"])).resolve()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise DatasetError(f"{folder.name}/dataset.toml: expected the names data and photos ({error!r})") from error


def with_photos(folder: Path, labels: tuple[TableLabels, ...]) -> tuple[tuple[TableLabels, Path], ...]:
    """The labels whose photos are there, each with its photo; the log says how many were skipped.

    Raises:
        DatasetError: none of them is.
    """
    photos = photos_folder(folder)
    found = tuple((one, photos / one.file) for one in labels if (photos / one.file).is_file())
    if not found:
        raise DatasetError(
            f"{folder.name} holds labels only, and none of its photos is in {photos}"
            " (set JINQUE_DATA to the folder that holds the data sets)"
        )
    if len(found) < len(labels):
        absent = len(labels) - len(found)
        _log.warning("%s: skipped %d of %d photos, not in %s", folder.name, absent, len(labels), photos)
    return found


def _classes(path: Path) -> tuple[str, ...]:
    try:
        names = tuple(path.read_text(encoding="utf-8-sig").split())
    except OSError as error:
        raise DatasetError(f"{path.parent.name}: no classes.txt in it") from error
    unknown = [name for name in names if name not in (*CODES, BACK, UNREADABLE)]
    if unknown:
        raise DatasetError(f"classes.txt names {unknown[0]!r}; expected notation codes, {BACK!r} or {UNREADABLE!r}")
    return names


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for number, row in enumerate(rows, 2):
        if not {"file", "split", "complete"} <= row.keys() or row["complete"] not in ("yes", "no"):
            raise DatasetError(f"{path.name}, line {number}: expected file, split and complete (yes or no), got {row}")
    return rows


def _table(folder: Path, row: dict[str, str], classes: tuple[str, ...]) -> TableLabels:
    path = folder / "labels" / f"{Path(row['file']).stem}.txt"
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise DatasetError(f"labels/{path.name} is missing") from error
    codes, quads, numbers = [], [], []
    for number, line in enumerate(lines, 1):
        if line.strip():
            code, quad = _tile(line, classes, f"labels/{path.name}, line {number}")
            codes.append(code)
            quads.append(quad)
            numbers.append(number)
    _check_copies(codes, path.name)
    named = [place for place, code in enumerate(codes) if code != UNREADABLE]
    rest = [place for place, code in enumerate(codes) if code == UNREADABLE]
    corners = np.array(quads, np.float64).reshape(-1, 4, 2)
    return TableLabels(
        file=row["file"],
        split=row["split"],
        complete=row["complete"] == "yes",
        codes=tuple(codes[place] for place in named),
        quads=corners[named],
        unreadable=corners[rest],
        lines=tuple(numbers[place] for place in (*named, *rest)),
    )


def _tile(line: str, classes: tuple[str, ...], where: str) -> tuple[str, NDArray[np.float64]]:
    fields = line.split()
    try:
        label, quad = int(fields[0]), np.array(fields[1:], np.float64).reshape(4, 2)
        if not 0 <= label < len(classes) or not ((quad >= 0) & (quad <= 1)).all():
            raise ValueError
    except (ValueError, IndexError):
        raise DatasetError(
            f"{where}: expected a class 0..{len(classes) - 1} and eight shares 0..1, got {line.strip()!r}"
        ) from None
    if _area(quad) <= 0:
        raise DatasetError(f"{where}: the corners do not run clockwise around a face")
    return classes[label], quad


def _area(quad: NDArray[np.float64]) -> float:
    """Area of a quad, positive where it runs clockwise as seen (y down)."""
    x, y = quad.T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


def _check_copies(codes: list[str], name: str) -> None:
    for code, count in Counter(codes).items():
        if code in (BACK, UNREADABLE):
            continue
        most = _FLOWER_COPIES if Tile.parse(code).is_flower else _COPIES
        if count > most:
            raise DatasetError(f"labels/{name}: {count} tiles {code}, but a set has {most}")
