"""A person's own set of tiles: how its faces look to the network, so that they are named better without training.

A set is learnt from photos that show which face is which (`vision.tileset_photos`). Each face shown is a *look*: a unit
vector of the classifier's embedding. When the set is chosen, a crop is compared with the looks, and the network's
chances are weighed by what comes out. Kinds that were never shown keep the network's word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.tiles import ALL_TILES, Tile
from vision.classifier import EMBEDDING, Classifier, FaceReadings
from vision.crops import CROP_SIZE

Rows = tuple[tuple[Tile | None, ...], ...]
"""Tiles laid out in rows, far row first, left to right; None for one that is not to be learnt."""

PRINTED_ORDER: Rows = (ALL_TILES[0:9], ALL_TILES[9:18], ALL_TILES[18:27], ALL_TILES[27:34], ALL_TILES[34:42])
"""One of each face: characters, dots, bamboos, winds and dragons (E S W N C F P), flowers (1f to 8f)."""


@dataclass(frozen=True, slots=True)
class Blend:
    """How looks weigh against the network; chosen on rendered sets, see `vision.tileset_evaluation`.

    Attributes:
        alike: cosine from which a crop and the look of a kind are likely the same face.
        gain: how much the log chance of a kind rises by unit of cosine above that.
        loss: how much it falls by unit of cosine below that, or below the most similar kind where none is that alike.
    """

    alike: float = 0.85
    gain: float = 30.0
    loss: float = 20.0


_BLEND = Blend()
_LEAST_CHANCE = 1e-6  # a network that is surer than this against a label may still be told better
_TURNS_AND_SCALES = ((7.0, 1.0), (-7.0, 1.0), (0.0, 0.93), (0.0, 1.07))
_SHIFTS = ((3.0, 2.0), (-3.0, -2.0))


@dataclass(frozen=True, eq=False)
class Tileset:
    """A set of tiles as far as it was shown.

    Attributes:
        name: what its owner calls it.
        network: checksum of the classifier that made the looks; looks of another network mean nothing.
        kinds: int64 [N], the tile of each look.
        looks: float32 [N, 128], unit vectors.
        crops: uint8 [N, 64, 64, 3], blue-green-red, what was looked at; None where its owner did not want it kept.

    Raises:
        ValueError: arrays that do not fit together.
    """

    name: str
    network: str
    kinds: NDArray[np.int64]
    looks: NDArray[np.float32]
    crops: NDArray[np.uint8] | None = None

    def __post_init__(self) -> None:
        count = len(self.kinds)
        if self.looks.shape != (count, EMBEDDING) or (self.crops is not None and len(self.crops) != count):
            raise ValueError(f"expected {count} looks of {EMBEDDING} numbers, got {list(self.looks.shape)}")
        if count and not 0 <= int(self.kinds.min()) <= int(self.kinds.max()) < len(ALL_TILES):
            raise ValueError(f"expected kinds 0..{len(ALL_TILES) - 1}")

    @property
    def known(self) -> tuple[Tile, ...]:
        """The kinds it has looks of, in the order of the tiles."""
        return tuple(Tile(int(kind)) for kind in np.unique(self.kinds))

    @property
    def missing(self) -> tuple[Tile, ...]:
        """The kinds it has no look of."""
        return tuple(tile for tile in ALL_TILES if tile not in self.known)

    def with_faces(
        self, kinds: Sequence[Tile], looks: NDArray[np.float32], crops: NDArray[np.uint8] | None, *, per_kind: int = 12
    ) -> Self:
        """The set with further faces; of each kind the newest ``per_kind`` are kept.

        Args:
            kinds: the tile of each further face.
            looks: [N, 128] as `looks_of` makes them.
            crops: [N, 64, 64, 3] where they may be kept, else None. A set that was begun without stays without.
        """
        all_kinds = np.concatenate([self.kinds, np.array([int(kind) for kind in kinds], np.int64)])
        all_looks = np.concatenate([self.looks, looks.astype(np.float32)])
        newest_first = np.arange(len(all_kinds))[::-1]
        rank = {int(row): int((all_kinds[row + 1 :] == all_kinds[row]).sum()) for row in newest_first}
        kept = np.array(sorted(row for row, newer in rank.items() if newer < per_kind), np.int64)
        all_crops = None
        if crops is not None and (self.crops is not None or not len(self.kinds)):
            before = self.crops if self.crops is not None else crops[:0]
            all_crops = np.concatenate([before, crops])[kept]
        return replace(self, kinds=all_kinds[kept], looks=all_looks[kept], crops=all_crops)

    @classmethod
    def empty(cls, name: str, network: str) -> Self:
        """A set of which nothing was shown yet."""
        return cls(name, network, np.zeros(0, np.int64), np.zeros((0, EMBEDDING), np.float32))


def weigh(
    probabilities: NDArray[np.float32], embedding: NDArray[np.float32], tileset: Tileset, blend: Blend
) -> NDArray[np.float32]:
    """Chances [N, 44] with the looks of a set taken into account; rows sum to 1.

    Similarity is the cosine of the crop's embedding and the mean look of a kind. Kinds that were never shown, backs and
    crops that show no face keep their log chance; so does the most similar kind of a crop that resembles none.
    """
    known = tileset.known
    logs = np.log(np.maximum(probabilities.astype(np.float64), _LEAST_CHANCE))
    if known and len(logs):
        means = np.stack([tileset.looks[tileset.kinds == int(tile)].mean(axis=0) for tile in known])
        means /= np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-6)
        cosine = embedding.astype(np.float64) @ means.T
        expected = np.minimum(blend.alike, cosine.max(axis=1, keepdims=True))
        change = blend.gain * np.maximum(0, cosine - blend.alike) - blend.loss * np.maximum(0, expected - cosine)
        logs[:, [int(tile) for tile in known]] += change
    chances = np.exp(logs - logs.max(axis=1, keepdims=True)) if len(logs) else logs
    return np.asarray(chances / chances.sum(axis=1, keepdims=True), np.float32)


class TilesetClassifier:
    """A classifier that knows a person's own set besides. Safe to share between threads if the one inside is."""

    def __init__(self, inside: Classifier, tileset: Tileset, blend: Blend = _BLEND) -> None:
        self._inside = inside
        self._tileset = tileset
        self._blend = blend

    def classify(self, crops: NDArray[np.uint8]) -> FaceReadings:
        """Readings for crops as `vision.classifier.Classifier.classify` gives them; turn and embedding unchanged."""
        faces = self._inside.classify(crops)
        chances = weigh(faces.probabilities, faces.embedding, self._tileset, self._blend)
        return FaceReadings(chances, faces.turn, faces.embedding)


def looks_of(classifier: Classifier, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Looks [N, 128] of face crops [N, 64, 64, 3]: the mean embedding of each, seen in several ways (`views`)."""
    shown = views(crops)
    vectors = classifier.classify(np.concatenate(shown)).embedding.reshape(len(shown), len(crops), EMBEDDING)
    mean = vectors.mean(axis=0)
    return np.asarray(mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-6), np.float32)


def views(crops: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
    """Crops [N, 64, 64, 3] as they are and as other photos may show them: turned, shifted, blurred, dark, bright."""
    middle = ((CROP_SIZE - 1) / 2, (CROP_SIZE - 1) / 2)
    warps = [cv2.getRotationMatrix2D(middle, angle, scale) for angle, scale in _TURNS_AND_SCALES]
    warps += [np.array([[1, 0, x], [0, 1, y]], np.float64) for x, y in _SHIFTS]
    turned = [_each(crops, partial(_warped, warp=warp)) for warp in warps]
    lit = [(255 * (crops / 255.0) ** power).astype(np.uint8) for power in (0.65, 1.5)]
    return [crops, *turned, _each(crops, _blurred), _each(crops, _coarse), *lit]


def _each(crops: NDArray[np.uint8], change: Callable[[NDArray[np.uint8]], Any]) -> NDArray[np.uint8]:
    return np.array([change(crop) for crop in crops], np.uint8).reshape(crops.shape)


def _warped(crop: NDArray[np.uint8], warp: Any) -> Any:
    return cv2.warpAffine(crop, warp, (CROP_SIZE, CROP_SIZE), borderMode=cv2.BORDER_REPLICATE)


def _blurred(crop: NDArray[np.uint8]) -> Any:
    return cv2.GaussianBlur(crop, (0, 0), 1.3)


def _coarse(crop: NDArray[np.uint8]) -> Any:
    return cv2.resize(cv2.resize(crop, (28, 28), interpolation=cv2.INTER_AREA), (CROP_SIZE, CROP_SIZE))
