"""How well photos are read: each reading is matched with a label, then counted.

A reading belongs to a label where the enclosing upright rectangle of its quad overlaps the label's box with an
intersection over union of at least 0.5; one to one, best overlap first. *Found* is a label with a reading, *right* one
whose reading has its name. A confident error is a wrong name that was not given as unknown. A reading without a label
is a tile too many, unless it lies face down and the set has no labels for such, or nobody could label its place. On a
cut out face only the name of the surest reading counts.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from vision.dataset import LabelledPhoto, load_dataset
from vision.errors import FrameError
from vision.evaluation_figures import figures
from vision.frames import read_frame
from vision.photo import PhotoReader
from vision.reading import UNKNOWN, TileReading

IOU = 0.5


@dataclass(frozen=True, slots=True)
class Match:
    """A label with its reading, or one of both alone.

    Attributes:
        true: notation code of what the labelled tile shows; None for a reading without a label.
        read: what was read there (`TileReading.code`); None for a label without a reading.
        guess: code of the best guess, also of an unknown tile; None where there is none.
        confidence: of the reading, 0 without one.
        label: notation code of the label, where it is known to be wrong.
    """

    true: str | None
    read: str | None
    guess: str | None = None
    confidence: float = 0.0
    label: str | None = None

    @property
    def as_labelled(self) -> Match:
        """The same where the label is believed."""
        return self if self.label is None else replace(self, true=self.label, label=None)

    @property
    def is_right(self) -> bool:
        """Found and named right."""
        return self.true is not None and self.true == self.read

    @property
    def is_confident_error(self) -> bool:
        """Found, and called something it is not."""
        return None not in (self.true, self.read) and self.read != UNKNOWN and not self.is_right

    @property
    def text(self) -> str:
        """The mistake in words; empty where there is none."""
        if self.is_right:
            return ""
        if self.read is None:
            return f"missed {self.true}"
        return f"extra {self.read}" if self.true is None else f"{self.true} read as {self.read}"


@dataclass(frozen=True, slots=True)
class PhotoResult:
    """One photo: its matches in the order of the tiles, wall time in seconds, and why it could not be read if so."""

    file: str
    matches: tuple[Match, ...]
    seconds: float
    error: str = ""

    @property
    def labelled(self) -> tuple[Match, ...]:
        """Matches with a label."""
        return tuple(match for match in self.matches if match.true is not None)

    @property
    def extra(self) -> int:
        """Readings without a label."""
        return len(self.matches) - len(self.labelled)

    @property
    def is_exact(self) -> bool:
        """Every tile right and none too many."""
        return not self.error and all(match.is_right for match in self.matches)

    def row(self) -> dict[str, object]:
        """The row of the CSV file."""
        labelled = self.labelled
        return {
            "file": self.file,
            "tiles": len(labelled),
            "found": sum(match.read is not None for match in labelled),
            "right": sum(match.is_right for match in labelled),
            "wrong": sum(match.is_confident_error for match in labelled),
            "unknown": sum(match.read == UNKNOWN for match in labelled),
            "missed": sum(match.read is None for match in labelled),
            "extra": self.extra,
            "exact": int(self.is_exact),
            "seconds": round(self.seconds, 4),
            "true": " ".join(str(match.true) for match in labelled),
            "read": " ".join(match.read or "-" for match in labelled),
            "mistakes": "; ".join(filter(None, (match.text for match in self.matches))),
            "error": self.error,
        }


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Results of a data set, one a photo."""

    photos: tuple[PhotoResult, ...]

    @property
    def matches(self) -> Iterator[Match]:
        """All matches of all photos."""
        return (match for photo in self.photos for match in photo.matches)

    def as_json(self) -> dict[str, Any]:
        """The figures, as `jinque evaluate --json` prints them (`vision.evaluation_figures`)."""
        return figures(self.photos)

    def write_csv(self, file: TextIO) -> None:
        """One row a photo, with a header."""
        rows = [photo.row() for photo in self.photos]
        writer = csv.DictWriter(file, fieldnames=list(rows[0]) if rows else ["file"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def evaluate(folder: str | Path, reader: PhotoReader, *, split: str | None = None) -> Evaluation:
    """Reads all photos of a data set (`vision.dataset.load_dataset`) and compares them with their labels.

    Raises:
        DatasetError: the data set is malformed.
    """
    return evaluate_photos(load_dataset(folder, split), reader)


def evaluate_photos(
    photos: Sequence[LabelledPhoto],
    reader: PhotoReader,
    *,
    live: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Evaluation:
    """Reads labelled photos and compares them with their labels.

    Args:
        reader: reads the photos, exactly as it would for people.
        live: each photo is read a second time, as a live frame whose tile size is known; the second reading counts.
        progress: called with the number of photos done and of all photos.

    A photo that cannot be decoded is no error but a row: all of it missed.
    """
    results = []
    for number, photo in enumerate(photos, 1):
        results.append(evaluate_photo(photo, reader, live=live))
        if progress is not None:
            progress(number, len(photos))
    return Evaluation(tuple(results))


def evaluate_photo(photo: LabelledPhoto, reader: PhotoReader, *, live: bool = False) -> PhotoResult:
    """Reads one photo, ``live`` twice, and matches its readings with its labels."""
    try:
        frame = read_frame(photo.path)
    except FrameError as error:
        missed = tuple(Match(code, None) for code in photo.codes)
        return PhotoResult(photo.path.name, missed, 0.0, str(error))
    reading = reader.read(frame, hand_tiles=None)
    if live:
        reading = reader.read(frame, hand_tiles=None, tile_px=reading.tile_px)
    if photo.is_face_crop:
        surest = max(reading.tiles, key=lambda tile: tile.confidence, default=None)
        matches: tuple[Match, ...] = (_match(photo.codes[0], surest, photo.shows[:1]),)
    else:
        scale = np.array([frame.width, frame.height] * 2)

        def is_extra(tile: TileReading) -> bool:
            x, y = tile.centre
            return photo.is_extra(x / frame.width, y / frame.height, tile.face_down)

        size = frame.width, frame.height
        matches = match_tiles(photo.codes, photo.boxes * scale, reading.tiles, is_extra, size, photo.shows)
    return PhotoResult(photo.path.name, matches, reading.seconds)


def match_tiles(
    codes: Sequence[str],
    boxes: NDArray[np.float64],
    readings: Sequence[TileReading],
    is_extra: Callable[[TileReading], bool] = lambda reading: not reading.face_down,
    size: tuple[int, int] | None = None,
    shows: Sequence[str] = (),
) -> tuple[Match, ...]:
    """Labels and readings, one to one; labels first, as they lie from left to right or top to bottom.

    Args:
        codes: N notation codes.
        boxes: [N, 4] x1, y1, x2, y2 in pixels.
        readings: M readings of the same photo.
        is_extra: whether a reading counts where it has no label.
        size: width and height of the photo in pixels, where readings are to be cut at its edge as labels are.
        shows: N notation codes of what the tiles show, where some labels are wrong.
    """
    found = np.array([reading.box for reading in readings], dtype=np.float64).reshape(-1, 4)
    if size is not None:
        found = np.clip(found, 0, np.array(size * 2))
    overlap = _iou(boxes, found)
    partner: dict[int, int] = {}
    for flat in np.argsort(-overlap, axis=None, kind="stable"):
        label, reading = divmod(int(flat), len(readings))
        if overlap[label, reading] < IOU:
            break
        if label not in partner and reading not in partner.values():
            partner[label] = reading
    order = _along(boxes)
    matches = [
        _match(codes[label], readings[partner[label]] if label in partner else None, shows[label : label + 1])
        for label in order
    ]
    matches += [
        _match(None, reading)
        for index, reading in enumerate(readings)
        if index not in partner.values() and is_extra(reading)
    ]
    return tuple(matches)


def _match(code: str | None, reading: TileReading | None, shows: Sequence[str] = ()) -> Match:
    true, label = (shows[0], code) if shows and shows[0] != code else (code, None)
    if reading is None:
        return Match(true, None, label=label)
    guess = reading.code if reading.best is None else reading.best.code
    return Match(true, reading.code, None if guess == UNKNOWN else guess, reading.confidence, label)


def _iou(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Intersection over union [N, M] of boxes [N, 4] and [M, 4]."""
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, 2:], b[None, :, 2:])
    common = np.prod(np.clip(high - low, 0, None), axis=2)
    areas = [np.prod(boxes[:, 2:] - boxes[:, :2], axis=1) for boxes in (a, b)]
    union = areas[0][:, None] + areas[1][None] - common
    return np.asarray(common / np.maximum(union, 1e-9))


def _along(boxes: NDArray[np.float64]) -> list[int]:
    """Order of boxes [N, 4] as people read them: along the line they lie on, or else row by row."""
    if not len(boxes):
        return []
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    _, _, axes = np.linalg.svd(middles - middles.mean(axis=0), full_matrices=False)
    line, across = axes[0] * (1 if axes[0, np.argmax(np.abs(axes[0]))] > 0 else -1), axes[-1]
    if len(boxes) > 2 and np.ptp(middles @ across) < np.median(np.ptp(boxes.reshape(-1, 2, 2), axis=1).min(axis=1)) / 2:
        return [int(index) for index in np.argsort(middles @ line)]
    order: list[int] = []
    rest = sorted(range(len(boxes)), key=lambda index: float(middles[index, 1]))
    while rest:
        foot = boxes[rest[0], 3]  # a box whose middle is above the foot of the first one belongs to its row
        row = [index for index in rest if middles[index, 1] <= foot]
        order += sorted(row, key=lambda index: float(middles[index, 0]))
        rest = [index for index in rest if index not in row]
    return order
