"""How well whole tables are read: ``python -m vision.table_evaluation FOLDER``.

The folder is what ``python -m vision.synth tables`` writes: ``images/`` and ``truth/``. Every surface of the truth that
is readable (large, flat and free enough: `vision.synth.table_scenes.is_readable`) has to be found and named; readings
of surfaces that are not are passed over, and so are readings of backs that match nothing. The detector says rectangles,
so a reading belongs to a surface where its quad and the smallest rectangle around the surface share half of their
common area or more, one to one, best first. A table is exact when
every readable face is named right and no face is read that is not there; backs are counted beside that.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import DatasetError, ModelError
from vision.frames import read_frame
from vision.photo import PhotoReader
from vision.reading import BACK, UNKNOWN, TileReading

IOU = 0.5
WHITE = "P"


@dataclass(frozen=True, slots=True)
class Surface:
    """A face or back of the truth: its code, the corners of the smallest rectangle around it in pixels, whether it must
    be read, in which group, and of which seat."""

    code: str
    quad: NDArray[np.float32]
    readable: bool
    group: str
    seat: str = ""


@dataclass(frozen=True, slots=True)
class TableResult:
    """One table. Every surface with the code read there, None where nothing was; and codes of readings beside them."""

    file: str
    surfaces: tuple[tuple[Surface, str | None], ...]
    extra: tuple[str, ...]
    seconds: float
    design: str = ""
    """Name of the set of tiles."""
    guessed: int = 0
    """Readable faces given as unknown whose best guess is right."""

    def pairs(self, backs: bool) -> Iterator[tuple[Surface, str | None]]:
        """The readable backs, or the readable faces."""
        return (pair for pair in self.surfaces if pair[0].readable and (pair[0].code == BACK) == backs)

    @property
    def extra_faces(self) -> tuple[str, ...]:
        """Named faces where there are none, backs taken for faces among them."""
        named = tuple(code for code in self.extra if code not in (BACK, UNKNOWN))
        return named + tuple(code for _, code in self.pairs(backs=True) if code not in (None, BACK, UNKNOWN))

    @property
    def is_exact(self) -> bool:
        """Every readable face is named right, and none is read that is not there."""
        return not self.extra_faces and all(surface.code == code for surface, code in self.pairs(backs=False))

    def row(self) -> dict[str, object]:
        """The row of the CSV file."""
        faces, backs = list(self.pairs(backs=False)), list(self.pairs(backs=True))
        wrong = [f"{s.code}>{code or '-'}@{s.group}" for s, code in faces if s.code != code]
        return {
            "file": self.file,
            "design": self.design,
            "tiles": len(self.surfaces),
            "faces": len(faces),
            "faces_found": sum(code is not None for _, code in faces),
            "faces_right": sum(surface.code == code for surface, code in faces),
            "faces_wrong": sum(code not in (None, UNKNOWN, surface.code) for surface, code in faces),
            "backs": len(backs),
            "backs_found": sum(code == BACK for _, code in backs),
            "backs_white": sum(code == WHITE for _, code in backs),
            "extra": len(self.extra_faces),
            "exact": int(self.is_exact),
            "seconds": round(self.seconds, 3),
            "mistakes": " ".join(wrong + [f"extra {code}" for code in self.extra_faces]),
        }


def load_truth(path: Path) -> tuple[str, tuple[Surface, ...]]:
    """The design and the surfaces of a truth file; DatasetError where it is none."""
    try:
        document: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return str(document["design"]), tuple(
            Surface(
                tile["tile"],
                _rectangle(np.array(tile["quad"], np.float32).reshape(4, 2)),
                bool(tile["readable"]),
                tile["group"],
                tile["seat"] or "",
            )
            for tile in document["tiles"]
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DatasetError(f"truth/{path.name} cannot be read as the truth of a table: {error}") from error


def _rectangle(quad: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(cv2.boxPoints(cv2.minAreaRect(quad)), np.float32)


def match(surfaces: Sequence[Surface], readings: Sequence[TileReading]) -> tuple[list[int | None], list[int]]:
    """The reading at each surface, and the readings that belong to none, as indices.

    Readable surfaces come first; a reading at least half within a surface that need not be read is passed over.
    """
    quads = [np.array(reading.quad, np.float32) for reading in readings]
    pairs = []
    for i, surface in enumerate(surfaces):
        for j, quad in enumerate(quads):
            shared = _shared(surface.quad, quad)
            if shared:
                union = _area(surface.quad) + _area(quad) - shared
                pairs.append((surface.readable, shared / union, shared / _area(quad), i, j))
    partner: list[int | None] = [None] * len(surfaces)
    used: set[int] = set()
    for readable, iou, within, i, j in sorted(pairs, key=lambda pair: (-pair[0], -pair[1])):
        if j in used or (partner[i] is not None and readable):
            continue
        if iou >= IOU or (not readable and within >= 0.5):
            partner[i] = j
            used.add(j)
    return partner, [j for j in range(len(readings)) if j not in used]


def _area(quad: NDArray[np.float32]) -> float:
    return max(abs(float(cv2.contourArea(quad))), 1e-6)


def _shared(first: NDArray[np.float32], second: NDArray[np.float32]) -> float:
    if (first.max(0) < second.min(0)).any() or (second.max(0) < first.min(0)).any():
        return 0.0
    return float(cv2.intersectConvexConvex(first, second)[0])


def evaluate_tables(reader: PhotoReader, folder: Path) -> Iterator[TableResult]:
    """Reads the photos of a folder one after the other.

    Raises:
        DatasetError: there is no truth, or a photo of it is missing.
    """
    truths = sorted((folder / "truth").glob("*.json"))
    if not truths:
        raise DatasetError(f"{folder.name}: no truth/*.json; python -m vision.synth tables --out {folder} writes some")
    for path in truths:
        design, surfaces = load_truth(path)
        photo = folder / "images" / f"{path.stem}.jpg"
        if not photo.is_file():
            raise DatasetError(f"{folder.name}: images/{photo.name} is missing; truth/{path.name} describes it")
        reading = reader.read(read_frame(photo), hand_tiles=None)
        yield judge(photo.name, design, surfaces, reading.tiles, reading.seconds)


def judge(
    file: str, design: str, surfaces: Sequence[Surface], readings: Sequence[TileReading], seconds: float
) -> TableResult:
    """What the readings of a photo are worth."""
    partners, extra = match(surfaces, readings)
    read = [None if partner is None else readings[partner] for partner in partners]
    codes = [None if reading is None else reading.code for reading in read]
    guessed = sum(
        surface.readable and reading is not None and reading.is_unknown and _guess(reading) == surface.code
        for surface, reading in zip(surfaces, read, strict=True)
    )
    beside = tuple(readings[index].code for index in extra)
    return TableResult(file, tuple(zip(surfaces, codes, strict=True)), beside, seconds, design, guessed)


def _guess(reading: TileReading) -> str | None:
    return None if reading.best is None else reading.best.code


def summary(results: Sequence[TableResult]) -> dict[str, Any]:
    """Counts and shares over all tables."""
    faces = [pair for result in results for pair in result.pairs(backs=False)]
    backs = [pair for result in results for pair in result.pairs(backs=True)]
    right = sum(surface.code == code for surface, code in faces)
    found = sum(code == BACK for _, code in backs)
    groups: dict[str, list[int]] = {}
    for surface, code in faces + backs:
        kind = f"{surface.group} {'backs' if surface.code == BACK else 'faces'}"
        counts = groups.setdefault(kind, [0, 0])
        counts[0] += surface.code == code
        counts[1] += 1
    wrong = Counter((surface.code, code) for surface, code in faces if surface.code != code)
    return {
        "tables": len(results),
        "exact_tables": sum(result.is_exact for result in results),
        "exact_share": _share(sum(result.is_exact for result in results), len(results)),
        "faces": len(faces),
        "faces_found": sum(code is not None for _, code in faces),
        "faces_right": right,
        "right_share": _share(right, len(faces)),
        "unknown": sum(code == UNKNOWN for _, code in faces),
        "unknown_guessed_right": sum(result.guessed for result in results),
        "confident_errors": sum(code not in (None, UNKNOWN, surface.code) for surface, code in faces),
        "backs": len(backs),
        "backs_found": found,
        "backs_share": _share(found, len(backs)),
        "backs_named_white": sum(code == WHITE for _, code in backs),
        "extra_faces": sum(len(result.extra_faces) for result in results),
        "faces_by_design": _by_design(results),
        "by_group": {kind: f"{good}/{count}" for kind, (good, count) in sorted(groups.items())},
        "mistakes": {f"{true} as {read or 'nothing'}": count for (true, read), count in wrong.most_common(12)},
        "median_seconds": round(median(result.seconds for result in results), 3),
    }


def _by_design(results: Sequence[TableResult]) -> dict[str, str]:
    """Faces named right of the readable ones, by sets of tiles."""
    counts: dict[str, list[int]] = {}
    for result in results:
        pairs = list(result.pairs(backs=False))
        part = counts.setdefault(result.design, [0, 0])
        part[0] += sum(surface.code == code for surface, code in pairs)
        part[1] += len(pairs)
    return {design: f"{right}/{count}" for design, (right, count) in sorted(counts.items())}


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Evaluate a folder of rendered tables with the bundled networks."""
    parser = argparse.ArgumentParser(prog="python -m vision.table_evaluation", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--csv", type=Path, help="file to write one row a table to")
    parser.add_argument("--models", type=Path, help="folder of other networks than the bundled ones")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args(arguments)
    results: list[TableResult] = []
    try:
        reader = PhotoReader.of_folder(options.models, threads=options.threads)
        for result in evaluate_tables(reader, options.folder):
            results.append(result)
            row = result.row()
            sys.stderr.write(
                f"{result.file}: faces {row['faces_right']}/{row['faces']}, backs {row['backs_found']}/{row['backs']},"
                f" extra {row['extra']}, {result.seconds:.2f} s\n"
            )
    except (DatasetError, ModelError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    if options.csv is not None:
        write_rows(options.csv, results)
    sys.stdout.write(json.dumps(summary(results), ensure_ascii=False, indent=1) + "\n")
    return 0


def write_rows(path: Path, results: Sequence[TableResult]) -> None:
    """One row a table as CSV."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(results[0].row()), lineterminator="\n")
        writer.writeheader()
        writer.writerows(result.row() for result in results)


if __name__ == "__main__":
    sys.exit(main())
