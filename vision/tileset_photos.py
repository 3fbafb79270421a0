"""Learns a person's own set of tiles from photos: which tile of a photo is which face, and how it looks.

A photo shows the faces laid out in rows, in the printed order or in one that a person says. What lies in another order,
is blurred, missing or doubled is refused with one sentence that says what to do; nothing is learnt then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.notation import format_tiles
from engine.tiles import Tile, Unseen
from vision.classifier import FaceReadings
from vision.crops import rectify
from vision.detections import Quads, TileDetections
from vision.errors import BlurredError, DoubledFaceError, FaceCountError, FaceOrderError
from vision.frames import BGR, Frame
from vision.photo import PhotoReader
from vision.reading import TileReading, as_quad
from vision.rows import arrange
from vision.tilesets import Rows, looks_of
from vision.weights import FACE_LABELS

SMALLEST_PX = 22.0
"""A face narrower than this shows too little to learn from."""
SHARPEST_BLUR = 0.02
"""Median `sharpness` of the faces below which a photo is blurred; one in focus has ten times as much."""

NO_FACES = ("back", "not_a_face")
_DISAGREE = 0.25  # share of the confident names that may contradict the order: the network errs on new sets
_SAME_FACE = 0.9  # cosine from which two tiles of one photo show the same face
_KNOWN = 0.88


@dataclass(frozen=True, eq=False)
class Lesson:
    """What a photo teaches about a set.

    Attributes:
        kinds: the tile of each of N faces.
        quads: float32 [N, 4, 2], their corners in pixels.
        crops: uint8 [N, 64, 64, 3], blue-green-red.
        looks: float32 [N, 128], as `vision.tilesets.looks_of` makes them.
    """

    kinds: tuple[Tile, ...]
    quads: Quads
    crops: NDArray[np.uint8]
    looks: NDArray[np.float32]


def learn(reader: PhotoReader, frame: Frame, order: Rows) -> Lesson:
    """What a photo of tiles laid out in rows teaches.

    Args:
        reader: finds the faces; one that knows no other set.
        frame: the photo.
        order: which tile lies where.

    Raises:
        TilesetError: too few, too many, doubled or other tiles, or the photo is blurred.
    """
    found, readings = reader.find_faces(frame)
    if len(found):
        check_sharp(frame.image, found.quads)
    said = faces_in_order(found, readings, order)
    return teach(reader, frame, found.quads[list(said)], tuple(said.values()))


def teach(reader: PhotoReader, frame: Frame, quads: Quads, kinds: Sequence[Tile]) -> Lesson:
    """What faces with corners [N, 4, 2] teach when a person says which tiles they are."""
    crops = rectify(frame.image, quads)
    return Lesson(tuple(kinds), quads, crops, looks_of(reader.classifier, crops))


def faces_in_order(found: TileDetections, readings: FaceReadings, order: Rows) -> dict[int, Tile]:
    """Which tile each face of a photo is: rows of the detections, by the order.

    Where more was found than the order names, such as things beside the tiles, the surest faces are tried alone.

    Raises:
        FaceCountError, DoubledFaceError, FaceOrderError: as `match_rows` and `check_order`.
    """
    everything = np.arange(len(found))
    try:
        said = match_rows(faces_in_rows(found.quads, readings, everything), order)
    except FaceCountError:
        wanted = sum(map(len, order))
        if len(found) <= wanted:
            raise
        no_face = readings.probabilities[:, [FACE_LABELS.index(label) for label in NO_FACES]].sum(axis=1)
        surest = np.sort(np.argsort(-found.scores * (1 - no_face), kind="stable")[:wanted])
        said = match_rows(faces_in_rows(found.quads, readings, surest), order)
    check_order(said, readings)
    return said


def faces_in_rows(quads: Quads, readings: FaceReadings, chosen: NDArray[np.int64]) -> list[list[int]]:
    """The chosen faces of a photo, row by row from the far one, left to right as their owner sees them.

    Args:
        quads: [N, 4, 2] corners in pixels.
        readings: what the classifier says about each; the way most of them face tells which way is up.
        chosen: rows of both.
    """
    tiles = []
    for face in chosen.tolist():
        label, turn = readings.labels[face], int(readings.turn[face])
        tile = None if label in NO_FACES else Tile.parse(label)
        corners = as_quad(np.roll(quads[face], -turn, axis=0))
        tiles.append(TileReading(tile, min(1.0, float(readings.confidence[face])), corners))
    return [[int(chosen[index]) for index in row.tiles] for row in arrange(tiles).rows]


def match_rows(rows: Sequence[Sequence[int]], order: Rows) -> dict[int, Tile]:
    """Which tile each face is: rows of faces as they lie, beside the rows of the order. Rows beyond them are ignored.

    Raises:
        FaceCountError: no run of rows has the lengths of the order; the message says which row is short.
    """
    lengths = [len(row) for row in order]
    found = [len(row) for row in rows]
    for first in range(len(found) - len(lengths) + 1):
        if found[first : first + len(lengths)] == lengths:
            chosen = rows[first : first + len(lengths)]
            return {
                face: tile
                for row, tiles in zip(chosen, order, strict=True)
                for face, tile in zip(row, tiles, strict=True)
                if tile is not None
            }
    raise FaceCountError(_what_is_missing(found, order))


def _what_is_missing(found: Sequence[int], order: Rows) -> str:
    lengths = [len(row) for row in order]
    total, wanted = sum(found), sum(lengths)
    hint = "lay them as 'jinque tileset order' shows, with a little space between the rows, and take the photo again"
    if not found:
        return f"no tiles were found in the photo, the order has {wanted}; {hint}"
    if len(found) == len(lengths):
        row = next(row for row, (a, b) in enumerate(zip(found, lengths, strict=True)) if a != b)
        should = format_tiles(tile if tile is not None else Unseen.UNREADABLE for tile in order[row])
        count = f"{total} of the {wanted} faces" if total < wanted else f"{total} tiles instead of {wanted} faces"
        return f"{count} were found: row {row + 1} has {found[row]} instead of {lengths[row]} ({should}); {hint}"
    lie = ", ".join(map(str, found)) if len(found) <= 9 else f"{len(found)} rows"
    return (
        f"{total} tiles were found in rows of {lie}, the order has {wanted} in rows of"
        f" {', '.join(map(str, lengths))}; {hint}"
    )


def check_order(said: Mapping[int, Tile], readings: FaceReadings) -> None:
    """Looks whether the faces may be what the order says, by those that the network is sure of.

    Raises:
        DoubledFaceError: a face lies there twice.
        FaceOrderError: too many are confidently something else.
    """
    sure = [(face, tile, readings.labels[face]) for face, tile in said.items() if readings.confidence[face] >= _KNOWN]
    wrong = [(face, tile, label) for face, tile, label in sure if label != tile.code]
    if len(wrong) > max(2, _DISAGREE * len(sure)):
        face, tile, label = wrong[0]
        raise FaceOrderError(
            f"the tiles do not lie in the order: {len(wrong)} of {len(sure)} are read as something else, first"
            f" {label} in the place of {tile.code}; lay them as 'jinque tileset order' shows, or say your own order"
        )
    place = {tile.code: face for face, tile in said.items()}
    for face, tile, label in wrong:
        other = place.get(label)
        if other is not None and readings.embedding[face] @ readings.embedding[other] > _SAME_FACE:
            raise DoubledFaceError(
                f"{label} seems to lie there twice, also in the place of {tile.code};"
                " lay one of each face and take the photo again"
            )


def check_sharp(image: BGR, quads: NDArray[np.float32]) -> None:
    """Refuses photos that show too little of the faces: BlurredError."""
    side = np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2).min(axis=1)
    if float(np.median(side)) < SMALLEST_PX:
        raise BlurredError(
            f"the tiles are only {float(np.median(side)):.0f} pixels wide in the photo, at least {SMALLEST_PX:.0f} are"
            " needed; take it from nearer or with more pixels"
        )
    if float(np.median(sharpness(rectify(image, quads)))) < SHARPEST_BLUR:
        raise BlurredError("the photo is blurred; hold the phone still, tap the tiles to focus and take it again")


def sharpness(crops: NDArray[np.uint8]) -> NDArray[np.float64]:
    """How sharp crops [N, 64, 64, 3] are: energy of the finest detail as a share of all contrast, [N]."""
    out = np.zeros(len(crops))
    for row, crop in enumerate(crops):
        grey = cv2.cvtColor(np.ascontiguousarray(crop), cv2.COLOR_BGR2GRAY).astype(np.float64)
        inner = grey[8:-8, 8:-8]
        out[row] = cv2.Laplacian(grey, cv2.CV_64F)[8:-8, 8:-8].var() / (inner.var() + 25.0)
    return out
