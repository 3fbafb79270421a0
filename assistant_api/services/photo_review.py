"""Queued photos on their way to a data set: read by our reader, set right by a person, exported with their licences.

What a person has not named goes into no data set: an unknown tile keeps its photo in the queue.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np

from assistant_api.errors import UsageError
from assistant_api.services.photo_queue import PhotoQueue, Quad, QueuedPhoto, QueuedTile, State
from assistant_api.services.reading import Reader
from engine.notation import parse_faces
from vision.frames import BGR
from vision.photo import PhotoReading
from vision.reading import UNKNOWN
from vision.rows import arrange
from vision.weights import FACE_LABELS

CLASSES = FACE_LABELS[:-1]
"""Classes of an exported set, in the order in which networks are trained: the 42 faces and the back."""

SPLITS = ("test", "val", "train")
_LEAST_SIDE_PX = 4.0
_UNSURE_COLOUR, _SURE_COLOUR, _DARK = (0, 140, 255), (60, 200, 60), (0, 0, 0)


@dataclass(frozen=True, slots=True)
class Corrections:
    """What a person says about the tiles of a photo, by the numbers they were shown with.

    Attributes:
        named: the right code of a tile.
        dropped: things that are no tiles, or cannot be told by anybody.
        added: tiles that were not found: code, and x1, y1, x2, y2 in pixels.
    """

    named: Mapping[int, str]
    dropped: Collection[int] = ()
    added: Sequence[tuple[str, tuple[float, float, float, float]]] = ()


def parse_naming(text: str) -> tuple[int, str]:
    """A correction such as ``4=5m``; UsageError for another text, NotationError for a tile that is none."""
    number, equals, code = text.partition("=")
    if not equals or not (number.isascii() and number.isdigit()):
        raise UsageError(f"{text!r} names no tile; expected its number and what it is, such as 4=5m")
    return int(number), _code(code)


def parse_addition(text: str) -> tuple[str, tuple[float, float, float, float]]:
    """A tile that was not found, such as ``5m=100,200,160,280``; errors as `parse_naming`."""
    code, _, box = text.partition("=")
    try:
        x1, y1, x2, y2 = (float(part) for part in box.split(","))
    except ValueError:
        raise UsageError(
            f"{text!r} places no tile; expected code and corners in pixels, 5m=LEFT,TOP,RIGHT,BOTTOM"
        ) from None
    return _code(code), (x1, y1, x2, y2)


def _code(text: str) -> str:
    faces = parse_faces(text)
    if len(faces) != 1 or faces[0].code == UNKNOWN:
        raise UsageError(f"{text!r} is not one tile; expected a code such as 5m, or back for one that lies face down")
    return faces[0].code


def propose(queue: PhotoQueue, photo: QueuedPhoto, reader: Reader, networks: Mapping[str, str]) -> QueuedPhoto:
    """The photo with what our reader takes its tiles for, kept; one that was read before stays as it is.

    Raises:
        QueueError: its pixels are gone, or it cannot be kept.
    """
    if photo.tiles is not None:
        return photo
    reading = reader.read(queue.frame(photo), hand_tiles=None)
    return queue.save(replace(photo, tiles=_in_rows(reading), networks=dict(networks)))


def _in_rows(reading: PhotoReading) -> tuple[QueuedTile, ...]:
    rows = arrange(reading.tiles).rows
    shown = [reading.tiles[index] for row in rows for index in row.tiles]
    return tuple(
        QueuedTile(
            tile.code,
            tuple((round(x, 1), round(y, 1)) for x, y in tile.quad),
            round(tile.confidence, 4),
            tuple((other.code, round(chance, 4)) for other, chance in tile.alternatives),
        )
        for tile in shown
    )


def review(queue: PhotoQueue, photo: QueuedPhoto, said: Corrections) -> QueuedPhoto:
    """The photo as a person has set it right, kept; reviewed once no tile is unknown.

    Raises:
        UsageError: nobody has seen the photo's tiles yet, a number that no tile has, a tile both named and dropped, or
            a box outside the photo; nothing is changed then.
        QueueError: it cannot be kept.
    """
    if photo.tiles is None:
        raise UsageError(
            f"nobody has looked at {photo.id} yet; see its tiles first with 'jinque photos show {photo.id}'"
        )
    tiles = photo.tiles
    for number in (*said.named, *said.dropped):
        if not 1 <= number <= len(tiles):
            raise UsageError(f"there is no tile {number}; the photo shows the numbers 1 to {len(tiles)}")
    both = sorted(set(said.named) & set(said.dropped))
    if both:
        raise UsageError(f"tile {both[0]} is named and dropped; say one of them")
    kept = tuple(
        replace(tile, tile=said.named[number], confidence=1.0, alternatives=()) if number in said.named else tile
        for number, tile in enumerate(tiles, 1)
        if number not in said.dropped
    )
    added = tuple(QueuedTile(code, _box_quad(box, photo)) for code, box in said.added)
    corrected = replace(photo, tiles=(*kept, *added), reviewed=None)
    if not corrected.unknown:
        corrected = replace(corrected, reviewed=datetime.now(UTC).isoformat(timespec="seconds"))
    return queue.save(corrected)


def _box_quad(box: tuple[float, float, float, float], photo: QueuedPhoto) -> Quad:
    x1, y1, x2, y2 = box
    inside = min(x1, y1) >= 0 and x2 <= photo.width and y2 <= photo.height
    if not inside or x2 - x1 < _LEAST_SIDE_PX or y2 - y1 < _LEAST_SIDE_PX:
        raise UsageError(
            f"{x1:g},{y1:g},{x2:g},{y2:g} is no place of a tile; expected left, top, right, bottom in pixels within"
            f" {photo.width} x {photo.height}"
        )
    return ((x1, y1), (x2, y1), (x2, y2), (x1, y2))


def export(queue: PhotoQueue, photos: Sequence[QueuedPhoto], folder: Path, split: str) -> None:
    """Write reviewed photos as a data set: ``images/ labels/ classes.txt split.csv sources.csv``.

    `vision.dataset` and the training recipes read it. A new folder, so that no other data set is mixed with it.

    Raises:
        UsageError: no photo, or one that nobody has reviewed; the folder is not empty, or cannot be written.
        QueueError: the pixels of one are gone.
    """
    if not photos:
        raise UsageError("no photo is reviewed yet; look at one with 'jinque photos show ID' and take it with 'review'")
    waiting = next((photo for photo in photos if photo.state is not State.REVIEWED), None)
    if waiting is not None:
        raise UsageError(f"nobody has reviewed {waiting.id} yet; do it with 'jinque photos review {waiting.id}'")
    pictures = {photo.id: queue.picture(photo.id) for photo in photos if queue.frame(photo)}
    try:
        if folder.exists() and any(folder.iterdir()):
            raise UsageError(f"{folder.name or folder} is not empty; name a new folder for the data set")
        for part in ("images", "labels"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        for photo in photos:
            (folder / "images" / f"{photo.id}.jpg").write_bytes(pictures[photo.id].read_bytes())
            (folder / "labels" / f"{photo.id}.txt").write_text(_labels(photo), encoding="utf-8")
        (folder / "classes.txt").write_text("\n".join(CLASSES) + "\n", encoding="utf-8")
        _write_rows(folder / "split.csv", ("file", "split"), [(f"{photo.id}.jpg", split) for photo in photos])
        credits = [(f"{photo.id}.jpg", photo.source, photo.licence, photo.added) for photo in photos]
        _write_rows(folder / "sources.csv", ("file", "source", "licence", "added"), credits)
    except OSError as error:
        raise UsageError(f"cannot write {folder.name!r}: {(error.strerror or str(error)).lower()}") from error


def _write_rows(path: Path, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([columns, *rows])


def _labels(photo: QueuedPhoto) -> str:
    """YOLO text: class, centre x, centre y, width, height as shares of the photo, a line a tile."""
    lines = []
    for tile in photo.tiles or ():
        corners = np.clip(np.array(tile.quad) / (photo.width, photo.height), 0, 1)
        low, high = corners.min(axis=0), corners.max(axis=0)
        numbers = (*((low + high) / 2), *(high - low))
        lines.append(" ".join([str(CLASSES.index(tile.tile)), *(f"{number:.6f}" for number in numbers)]) + "\n")
    return "".join(lines)


def picture(image: BGR, photo: QueuedPhoto, sure: float) -> BGR:
    """The photo with the number and the name of every tile on it; those below the confidence ``sure`` in orange."""
    drawn = image.copy()
    unit = max(photo.width, photo.height) / 1600
    thin = max(1, round(2 * unit))
    for number, tile in enumerate(photo.tiles or (), 1):
        doubtful = tile.tile == UNKNOWN or tile.confidence < sure
        corners = np.array(tile.quad).round().astype(np.int32)
        cv2.polylines(drawn, [corners], True, _UNSURE_COLOUR if doubtful else _SURE_COLOUR, thin, cv2.LINE_AA)
        x, y = int(corners[:, 0].min()), int(corners[:, 1].mean())
        for colour, width in ((_DARK, 4 * thin), (_UNSURE_COLOUR if doubtful else _SURE_COLOUR, thin)):
            text = f"{number} {tile.tile}"
            cv2.putText(drawn, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.6 * unit, colour, width, cv2.LINE_AA)
    return np.asarray(drawn, np.uint8)
