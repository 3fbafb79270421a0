"""Joins what the detector found with what the classifier says: one reading a tile, "unknown" where neither is sure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray

from engine.tiles import Tile
from vision.detections import TileDetections
from vision.reading import TileReading, as_quad
from vision.weights import FACE_LABELS

TILES = len(Tile)
BACK, NOT_A_FACE = FACE_LABELS.index("back"), FACE_LABELS.index("not_a_face")


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Where a reading changes; the bundled networks' cards bring values chosen on validation photos.

    Attributes:
        known: a tile surer than this is named, others are unknown.
        not_a_face: a crop surer than this to show no face is dropped, unless the detector is very sure.
        sure_tile: detector score from which a place is a tile whatever the classifier says: then it stays, unknown.
        score_is_tile: chance that a detection of the lowest score kept is a tile; it rises to 1 at ``sure_tile``.
        whole_picture: a picture surer than this to be one face is read as a close-up of it.
        listed: alternatives less likely than this are not listed.
        alternatives: how many kinds are listed at most, the tile's own among them.
    """

    known: float = 0.7
    not_a_face: float = 0.5
    sure_tile: float = 0.6
    score_is_tile: float = 0.9
    whole_picture: float = 0.8
    listed: float = 0.01
    alternatives: int = 3

    @classmethod
    def from_cards(cls, given: Mapping[str, float]) -> Self:
        """Thresholds of the networks' cards; those for other uses are passed over."""
        own = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in given.items() if name in own})  # type: ignore[arg-type]


def name_tiles(
    found: TileDetections, probabilities: NDArray[np.float32], turns: NDArray[np.integer], thresholds: Thresholds
) -> list[TileReading]:
    """Readings of the tiles found, less those that are none, in the same order.

    Args:
        found: N detections.
        probabilities: calibrated chances [N, 44] of the labels `vision.weights.FACE_LABELS`.
        turns: [N] quarter turns clockwise from upright of each face in its crop; corner 0 of its quad is the crop's
            top left.
    """
    if probabilities.shape != (len(found), len(FACE_LABELS)) or turns.shape != (len(found),):
        raise ValueError(
            f"expected chances [{len(found)}, {len(FACE_LABELS)}] and turns [{len(found)}],"
            f" got {list(probabilities.shape)} and {list(turns.shape)}"
        )
    readings = []
    for quad, score, face_down, chances, turn in zip(
        found.quads,
        found.scores.tolist(),
        found.face_down.tolist(),
        probabilities.astype(np.float64),
        turns,
        strict=True,
    ):
        reading = _name(np.roll(quad, -int(turn), axis=0), score, face_down, chances, thresholds)
        if reading is not None:
            readings.append(reading)
    return readings


def _name(
    quad: NDArray[np.float32], score: float, face_down: bool, chances: NDArray[np.float64], limits: Thresholds
) -> TileReading | None:
    is_tile = min(1.0, limits.score_is_tile + (1 - limits.score_is_tile) * score / limits.sure_tile)
    faces = chances[:TILES]
    order = np.argsort(-faces)[: limits.alternatives]
    best = float(faces[order[0]])
    back = float(chances[BACK])
    if back > max(best, limits.known) or (face_down and best < limits.known):
        return TileReading(None, min(1.0, max(back, score) * is_tile), as_quad(quad), face_down=True)
    if chances[NOT_A_FACE] > limits.not_a_face and score < limits.sure_tile:
        return None
    listed = tuple(
        (Tile(int(index)), min(1.0, float(faces[index]))) for index in order if faces[index] >= limits.listed
    )
    confidence = min(1.0, best * is_tile)
    if confidence < limits.known:
        return TileReading(None, confidence, as_quad(quad), alternatives=listed)
    return TileReading(Tile(int(order[0])), confidence, as_quad(quad), alternatives=listed[1:])
