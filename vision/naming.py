"""Joins what the detector found with what the classifier says: one reading a tile, "unknown" where neither is sure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from engine.tiles import Tile
from vision.detections import TileDetections
from vision.presence import BESIDE, Presence, at_edge, company, of_size
from vision.reading import TileReading, as_quad
from vision.weights import FACE_LABELS

TILES = len(Tile)
WHITE_DRAGON = FACE_LABELS.index("P")
BACK, NOT_A_FACE = FACE_LABELS.index("back"), FACE_LABELS.index("not_a_face")

_SURE_PLACE = 0.7  # detector score from which a place lowers the confidence in its name no more
_EITHER_WAY = 0.5  # chance of a blank face that may as well be a white back
_WEAKEST_PLACE = 0.9  # what it leaves of the confidence where the score is nothing


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Where a reading changes; the bundled networks' cards bring values chosen on validation photos.

    Attributes:
        known: a tile surer than this is named, others are unknown.
        not_a_face: a crop surer than this to show no face needs a very sure detection, or is dropped.
        whole_picture: a picture surer than this to be one face is read as a close-up of it.
        joint: two halves of a tile are one where their joint face is surer than this.
        kong_back: both places beside a lone pair of like faces are backs when surer than this.
        listed: alternatives less likely than this are not listed.
        alternatives: how many kinds are listed at most, the tile's own among them.
        presence: least detector scores.
    """

    known: float = 0.7
    not_a_face: float = 0.5
    whole_picture: float = 0.9
    joint: float = 0.5
    kong_back: float = 0.9
    listed: float = 0.01
    alternatives: int = 3
    presence: Presence = field(default_factory=Presence)

    @classmethod
    def from_cards(cls, given: Mapping[str, float]) -> Self:
        """Thresholds of the networks' cards; those for other uses are passed over."""
        own = {item.name for item in fields(cls)}
        return cls(**{name: value for name, value in given.items() if name in own})  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False, slots=True)
class Named:
    """Readings of one picture.

    Attributes:
        tiles: what is taken for a tile, in the order of the detections.
        scores: detector score of each.
        chances: float32 [N, 44], what the classifier said of each.
        cut_off: how many unreadable tiles at the edge of the picture were left out.
    """

    tiles: tuple[TileReading, ...]
    scores: tuple[float, ...]
    chances: NDArray[np.float32]
    cut_off: int = 0

    def with_more(self, others: Self) -> Self:
        """These readings and others of the same picture."""
        return replace(
            self,
            tiles=self.tiles + others.tiles,
            scores=self.scores + others.scores,
            chances=np.concatenate([self.chances, others.chances]),
        )

    def only(self, rows: list[int]) -> Self:
        """Some of the readings."""
        tiles, scores = tuple(self.tiles[row] for row in rows), tuple(self.scores[row] for row in rows)
        return replace(self, tiles=tiles, scores=scores, chances=self.chances[rows])


def name_tiles(
    found: TileDetections,
    probabilities: NDArray[np.float32],
    turns: NDArray[np.integer],
    thresholds: Thresholds,
    size: tuple[int, int],
    asked: NDArray[np.bool_] | None = None,
    tile_px: float | None = None,
) -> Named:
    """Readings of the tiles found, less those that are none.

    Args:
        found: N detections.
        probabilities: calibrated chances [N, 44] of the labels `vision.weights.FACE_LABELS`.
        turns: [N] quarter turns clockwise from upright of each face in its crop; corner 0 of its quad is the crop's
            top left.
        size: width and height of the picture in pixels.
        asked: [N], which of them to name, all where it is left out; the others keep them company.
        tile_px: side of a tile where it is known: a face of that size needs no other company.
    """
    if probabilities.shape != (len(found), len(FACE_LABELS)) or turns.shape != (len(found),):
        raise ValueError(
            f"expected chances [{len(found)}, {len(FACE_LABELS)}] and turns [{len(found)}],"
            f" got {list(probabilities.shape)} and {list(turns.shape)}"
        )
    presence = thresholds.presence
    edges = at_edge(found, *size)
    companies = company(found, edges, whole=tile_px is None)
    several = int((found.face_down & (probabilities[:, :TILES].argmax(axis=1) == WHITE_DRAGON)).sum()) > 1
    as_large = of_size(found, tile_px)
    tiles, scores, rows, cut_off = [], [], [], 0
    for row, score in enumerate(found.scores.tolist()):
        if asked is not None and not asked[row]:
            continue
        quad = np.roll(found.quads[row], -int(turns[row]), axis=0)
        chances = probabilities[row].astype(np.float64)
        reading = _name(quad, score, bool(found.face_down[row]), several, chances, thresholds)
        alone = reading.is_unknown or reading.face_down or not as_large[row]
        company_of = companies[row] if alone else BESIDE
        least = _least_scores(reading, float(chances[BACK]) > thresholds.known, presence)[company_of]
        if company_of == BESIDE and reading.tile is not None and float(chances[reading.tile]) >= presence.surest:
            least = presence.faint
        no_face = chances[NOT_A_FACE] > thresholds.not_a_face
        if reading.is_unknown and (edges[row] or no_face):
            least = max(least, presence.doubtful)
            cut_off += bool(edges[row] and not no_face and presence.unknown[companies[row]] <= score < least)
        if score >= least:
            tiles.append(reading)
            scores.append(score)
            rows.append(row)
    return Named(tuple(tiles), tuple(scores), probabilities[rows], cut_off)


def certain(label: int, count: int) -> NDArray[np.float32]:
    """Chances [count, 44] of what is told otherwise than by a classifier."""
    return np.tile(np.eye(len(FACE_LABELS), dtype=np.float32)[label], (count, 1))


def _least_scores(reading: TileReading, back_is_sure: bool, presence: Presence) -> tuple[float, float, float, float]:
    if reading.is_unknown:
        return presence.unknown
    if reading.face_down:
        return presence.sure_back if back_is_sure else presence.back
    return presence.named


def _name(
    quad: NDArray[np.float32],
    score: float,
    face_down: bool,
    several_white: bool,
    chances: NDArray[np.float64],
    limits: Thresholds,
) -> TileReading:
    place = _WEAKEST_PLACE + (1 - _WEAKEST_PLACE) * min(1.0, score / _SURE_PLACE)
    faces = chances[:TILES]
    order = np.argsort(-faces)[: limits.alternatives]
    best, back = min(1.0, float(faces[order[0]])), min(1.0, float(chances[BACK]))
    # a white back looks like a blank white dragon; the detector sees by its surroundings which way a tile lies, and
    # white backs seldom come alone: of a single one nobody can tell
    blank = order[0] == WHITE_DRAGON
    if back > max(best, limits.known) or (face_down and (best < limits.known or (blank and several_white))):
        return TileReading(None, max(back, score) * place, as_quad(quad), face_down=True)
    listed = tuple(
        (Tile(int(index)), min(1.0, float(faces[index]))) for index in order if faces[index] >= limits.listed
    )
    if face_down and blank:
        best = min(best, _EITHER_WAY)
    if best * place < limits.known:
        return TileReading(None, best * place, as_quad(quad), alternatives=listed)
    return TileReading(Tile(int(order[0])), best * place, as_quad(quad), alternatives=listed[1:])
