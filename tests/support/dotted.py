"""Tiles that carry their number in dots, and networks that really read them: sets to learn without real networks."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import cv2
import numpy as np

from engine.tiles import ALL_TILES, Tile
from vision.classifier import EMBEDDING, FaceReadings
from vision.detections import TileDetections
from vision.frames import Frame
from vision.photo import PhotoReader
from vision.weights import FACE_LABELS

TILE_W, TILE_H = 60, 80
NETWORK = "dots-1"
_BITS = 6
_BLANK = 218
_FOUR_OF_A_KIND = 34
_PLACES = [(0.3, 0.2), (0.7, 0.2), (0.3, 0.5), (0.7, 0.5), (0.3, 0.8), (0.7, 0.8)]


def photo(rows: Sequence[Sequence[Tile]], *, blur: float = 0.0, gap: int = 12) -> Frame:
    """White tiles in rows on green."""
    width = max(map(len, rows)) * (TILE_W + gap) + 3 * gap
    image = np.full((len(rows) * (TILE_H + 3 * gap) + 3 * gap, width, 3), (60, 120, 40), np.uint8)
    for y, row in enumerate(rows):
        for x, tile in enumerate(row):
            top, left = 2 * gap + y * (TILE_H + 3 * gap), 2 * gap + x * (TILE_W + gap)
            cv2.rectangle(image, (left, top), (left + TILE_W - 1, top + TILE_H - 1), (235, 235, 235), -1)
            for bit in range(_BITS):
                colour = (40, 40, 40) if int(tile) >> bit & 1 else (170, 205, 205)
                middle = (left + round(_PLACES[bit][0] * TILE_W), top + round(_PLACES[bit][1] * TILE_H))
                cv2.circle(image, middle, 9, colour, -1)
    if blur:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), blur), np.uint8)
    return Frame(image, source="photo.png")


class WhiteTiles:
    """Finds the white rectangles."""

    def detect(self, image_bgr: np.ndarray, tile_px: float | None = None) -> TileDetections:
        mask = (image_bgr[..., 0] > 110).astype(np.uint8)
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        boxes = [cv2.boundingRect(contour) for contour in contours if cv2.contourArea(contour) > 400]
        quads = np.array([[[x, y], [x + w, y], [x + w, y + h], [x, y + h]] for x, y, w, h in boxes], np.float32)
        return TileDetections(quads.reshape(-1, 4, 2), np.full(len(boxes), 0.9), np.zeros(len(boxes), np.bool_))


class DotReader:
    """Reads the dots; of the ``unsure`` kinds it is not sure, those of ``mistaken`` it takes for the next kind."""

    def __init__(self, unsure: Collection[Tile] = (), mistaken: Collection[Tile] = ()) -> None:
        self._unsure, self._mistaken = frozenset(unsure), frozenset(mistaken)

    def classify(self, crops: np.ndarray) -> FaceReadings:
        chances = np.full((len(crops), len(FACE_LABELS)), 0.001, np.float32)
        embedding = np.zeros((len(crops), EMBEDDING), np.float32)
        for row, crop in enumerate(crops):
            grey = cv2.cvtColor(np.ascontiguousarray(crop), cv2.COLOR_BGR2GRAY).astype(float)
            spots = [grey[_at(y), _at(x)] for x, y in _PLACES]
            number = sum((spot < 140) << bit for bit, spot in enumerate(spots))
            tile = Tile(number % len(ALL_TILES))
            read = Tile((int(tile) + 1) % len(ALL_TILES)) if tile in self._mistaken else tile
            chances[row, int(read)] = 0.45 if tile in self._unsure else 0.95
            if tile in self._mistaken:
                chances[row, [int(read), int(tile)]] = 0.85, 0.05
            if tile in self._unsure:
                chances[row, (int(tile) + 2) % _FOUR_OF_A_KIND] = 0.4
            if min(spots) > _BLANK:
                chances[row] = 0.001
                chances[row, FACE_LABELS.index("not_a_face")] = 0.95
            embedding[row, :_BITS] = (np.array(spots) - 140) / 100
        chances /= chances.sum(axis=1, keepdims=True)
        embedding /= np.maximum(np.linalg.norm(embedding, axis=1, keepdims=True), 1e-6)
        return FaceReadings(chances, np.zeros(len(crops), np.int64), embedding)


def _at(share: float) -> int:
    return round(64 * (0.12 + share) / 1.24)


def dotted_reader(
    unsure: Collection[Tile] = (), mistaken: Collection[Tile] = (), network: str = NETWORK
) -> PhotoReader:
    """A reader of such tiles."""
    return PhotoReader(WhiteTiles(), DotReader(unsure, mistaken), networks={"classifier": network})
