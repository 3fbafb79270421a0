"""Names rectified face crops: what `vision.crops.rectify` cuts out goes in, calibrated chances come out.

The network's own input, for other run times: ``crops`` float32 [N, 3, 64, 64], RGB, 0..1, nothing subtracted. Outputs:
``label`` logits [N, 44] in the order of `vision.weights.FACE_LABELS`, ``turn`` logits [N, 4] (quarter turns clockwise
from upright), ``embedding`` [N, 128] of length 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import openvino as ov
from numpy.typing import NDArray

from vision.crops import CROP_SIZE
from vision.errors import ModelMismatchError
from vision.weights import FACE_LABELS, find_weights

EMBEDDING = 128
SURE = 0.998
"""Chance of a face from which one look tells what all of them would. What that costs and saves with these networks,
``python -m vision.training.evaluate_classifier --loose 7 --turns 0 45 90 --compare-looks`` prints: labels that change,
crops that cross the threshold of "unknown", and how many times as fast it is."""

TURNS = 4
_BATCHES = 32, 8, 4
"""Batches that the network is prepared for: for a size it has not met it takes longer than the crops do."""
_FEW = 8  # where all looks at the crops go into one such batch there is no sense in a first one
_CLEAR_TURN = 0.9  # chance of the turn, or of the axis, from which one look tells it


@dataclass(frozen=True, eq=False)
class FaceReadings:
    """What is on N crops, row by row.

    Attributes:
        probabilities: float32 [N, 44], calibrated chances of the labels `vision.weights.FACE_LABELS`; rows sum to 1.
        turn: int64 [N], quarter turns clockwise from upright. Of no meaning where a face looks alike on all sides.
        embedding: float32 [N, 128], unit vectors; faces of one kind lie near each other, also on other sets of tiles.

    Raises:
        ValueError: arrays of other shapes.
    """

    probabilities: NDArray[np.float32]
    turn: NDArray[np.int64]
    embedding: NDArray[np.float32]

    def __post_init__(self) -> None:
        count = len(self.probabilities)
        shapes = (self.probabilities.shape, self.turn.shape, self.embedding.shape)
        if shapes != ((count, len(FACE_LABELS)), (count,), (count, EMBEDDING)):
            raise ValueError(f"expected [N, {len(FACE_LABELS)}], [N] and [N, {EMBEDDING}], got {shapes}")

    def __len__(self) -> int:
        return len(self.turn)

    @property
    def labels(self) -> list[str]:
        """The likeliest label of each crop."""
        return [FACE_LABELS[index] for index in self.probabilities.argmax(axis=1)]

    @property
    def confidence(self) -> NDArray[np.float32]:
        """Chance [N] of the likeliest label."""
        best: NDArray[np.float32] = self.probabilities.max(axis=1, initial=0.0)
        return best


class Classifier(Protocol):
    """Names face crops."""

    def classify(self, crops: NDArray[np.uint8]) -> FaceReadings:
        """Readings for crops uint8 [N, 64, 64, 3], blue-green-red, as `vision.crops.rectify` makes them."""


class OpenVinoClassifier:
    """The bundled network on OpenVINO. Safe to share between threads.

    Args:
        folder: where card and weights lie; None for the bundled ones.
        turns_voted: 1, 2 or 4 looks at each crop, turned by quarters, averaged; None as the card says.
        sure: chance of a face from which one look is enough; None for all looks at every crop.
        threads: processor threads; None leaves it to OpenVINO.

    Raises:
        ModelMissingError, ModelMismatchError: as `vision.weights.find_weights`.
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        turns_voted: int | None = None,
        sure: float | None = SURE,
        threads: int | None = None,
    ) -> None:
        weights = find_weights("classifier", labels=FACE_LABELS, folder=folder)
        if weights.input_size != CROP_SIZE:
            raise ModelMismatchError(f"classifier.json: input_size is {weights.input_size}, crops have {CROP_SIZE}")
        self.weights = weights
        self.thresholds: Mapping[str, float] = weights.thresholds
        self.temperature = float(weights.card.get("temperature", 1.0))
        votes = turns_voted if turns_voted is not None else int(weights.card.get("turns_voted", 4))
        if votes not in (1, 2, 4):
            raise ValueError(f"turns_voted: expected 1, 2 or 4, got {votes}")
        self._looks = tuple(range(0, TURNS, TURNS // votes))
        self._sure = sure
        self._alike = np.isin(FACE_LABELS, [*weights.card.get("alike_upside_down", ()), "back", "not_a_face"])
        self._networks = _compiled(weights.path, threads)

    def classify(self, crops: NDArray[np.uint8]) -> FaceReadings:
        """Readings for crops uint8 [N, 64, 64, 3], blue-green-red; ValueError for other shapes."""
        if crops.ndim != 4 or crops.shape[1:] != (CROP_SIZE, CROP_SIZE, 3) or crops.dtype != np.uint8:
            raise ValueError(f"expected uint8 crops [N, {CROP_SIZE}, {CROP_SIZE}, 3], got {crops.dtype} {crops.shape}")
        few = len(crops) * len(self._looks) <= _FEW
        label, turn, embedding = self._looked_at(crops, self._looks if few else self._looks[:1])
        if few:
            label /= len(self._looks)
        elif len(self._looks) > 1:
            rows = np.flatnonzero(~self._is_sure(label, turn))
            more = self._looked_at(crops[rows], self._looks[1:])
            for total, part in zip((label, turn, embedding), more, strict=True):
                total[rows] += part
            label[rows] /= len(self._looks)
        embedding /= np.maximum(np.linalg.norm(embedding, axis=1, keepdims=True), 1e-6)
        return FaceReadings(_softmax(label / self.temperature), turn.argmax(axis=1).astype(np.int64), embedding)

    def _is_sure(self, label: NDArray[np.float32], turn: NDArray[np.float32]) -> NDArray[np.bool_]:
        """Which of N crops need no second look: label logits and chances of the turns leave no doubt.

        Of a face that is alike upside down only the axis can be seen.
        """
        if self._sure is None:
            return np.zeros(len(label), np.bool_)
        chances = _softmax(label / self.temperature)
        best = chances.argmax(axis=1)
        axis = (turn[:, :2] + turn[:, 2:]).max(axis=1, initial=0.0)
        clear = np.where(self._alike[best], axis, turn.max(axis=1, initial=0.0)) >= _CLEAR_TURN
        return np.asarray((chances.max(axis=1, initial=0.0) >= self._sure) & clear, np.bool_)

    def _looked_at(self, crops: NDArray[np.uint8], looks: Sequence[int]) -> list[NDArray[np.float32]]:
        """Sums over looks of label logits [N, 44], chances of the turns [N, 4] and embeddings [N, 128]."""
        seen = [np.rot90(crops, -look, axes=(1, 2)) for look in looks]
        logits, turns, vectors = (
            part.reshape(len(looks), len(crops), part.shape[1]) for part in self._run(np.concatenate(seen))
        )
        # a crop turned further by ``look`` says ``look`` more
        turned = [np.roll(_softmax(part), -look, axis=1) for part, look in zip(turns, looks, strict=True)]
        return [logits.sum(axis=0), np.sum(turned, axis=0), vectors.sum(axis=0)]

    def _run(self, crops: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
        """Label logits, turn logits and embeddings of crops, a batch at a time."""
        parts: list[list[NDArray[np.float32]]] = [[], [], []]
        for start, size in _batches(len(crops)):
            batch = np.zeros((size, CROP_SIZE, CROP_SIZE, 3), np.uint8)
            given = crops[start : start + size]
            batch[: len(given)] = given
            result: Any = self._networks[size].create_infer_request().infer([batch])
            for part, name in zip(parts, ("label", "turn", "embedding"), strict=True):
                part.append(np.array(result[name][: len(given)], dtype=np.float32))
        sizes = (len(FACE_LABELS), TURNS, EMBEDDING)
        return [
            np.concatenate([np.zeros((0, size), np.float32), *part]) for part, size in zip(parts, sizes, strict=True)
        ]


def _batches(count: int) -> Iterator[tuple[int, int]]:
    """Start and size of batches that hold so many crops; the last one is filled up."""
    start = 0
    while start < count:
        size = next((size for size in _BATCHES if size <= count - start), _BATCHES[-1])
        yield start, size
        start += size


class ScriptedClassifier:
    """A stand-in that says what it was told, in order: for tests and demonstrations.

    Args:
        faces: for each crop to come either a label such as ``3m`` or ``back``, or chances by label (the rest is shared
            evenly among all labels).
        turns: quarter turns, in the same order; upright where left out.
    """

    def __init__(self, faces: Sequence[str | Mapping[str, float]], turns: Sequence[int] = ()) -> None:
        self._rows = [_row(face) for face in faces]
        self._turns = [*turns, *[0] * (len(self._rows) - len(turns))]
        self._next = 0

    def classify(self, crops: NDArray[np.uint8]) -> FaceReadings:
        """The next ``len(crops)`` scripted readings; IndexError when the script is over."""
        chosen = range(self._next, self._next + len(crops))
        if chosen.stop > len(self._rows):
            raise IndexError(f"the script has {len(self._rows)} faces; crop {len(self._rows)} was asked for")
        self._next = chosen.stop
        rows = np.array([self._rows[index] for index in chosen], np.float32).reshape(-1, len(FACE_LABELS))
        embedding = np.zeros((len(rows), EMBEDDING), np.float32)
        embedding[np.arange(len(rows)), rows.argmax(axis=1)] = 1
        return FaceReadings(rows, np.array([self._turns[index] for index in chosen], np.int64), embedding)


def _row(face: str | Mapping[str, float]) -> NDArray[np.float32]:
    given = {face: 1.0} if isinstance(face, str) else dict(face)
    unknown = sorted(set(given) - set(FACE_LABELS))
    if unknown or not 0 <= sum(given.values()) <= 1 + 1e-6:
        raise ValueError(f"expected chances of known labels that sum to at most 1, got {given}")
    row = np.full(len(FACE_LABELS), max(0.0, 1 - sum(given.values())) / len(FACE_LABELS), np.float32)
    for label, chance in given.items():
        row[FACE_LABELS.index(label)] += chance
    return row


def _softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True)) if len(logits) else logits
    chances: NDArray[np.float32] = powers / powers.sum(axis=1, keepdims=True)
    return chances


def _compiled(path: Path, threads: int | None) -> dict[int, Any]:
    """The network by batch, with its preprocessing inside: it takes uint8 [N, 64, 64, 3], blue-green-red."""
    core = ov.Core()
    steps = ov.preprocess.PrePostProcessor(core.read_model(path))
    tensor = steps.input("crops").tensor()
    tensor.set_element_type(ov.Type.u8).set_layout(ov.Layout("NHWC")).set_color_format(ov.preprocess.ColorFormat.BGR)
    steps.input("crops").model().set_layout(ov.Layout("NCHW"))
    convert = steps.input("crops").preprocess()
    convert.convert_element_type(ov.Type.f32).convert_color(ov.preprocess.ColorFormat.RGB).scale(255.0)
    settings: dict[str, object] = {"PERFORMANCE_HINT": "LATENCY"}
    if threads is not None:
        settings["INFERENCE_NUM_THREADS"] = threads
    network, networks = steps.build(), {}
    for size in _BATCHES:
        network.reshape({0: [size, CROP_SIZE, CROP_SIZE, 3]})
        networks[size] = core.compile_model(network, "CPU", settings)
    return networks
