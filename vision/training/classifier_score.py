"""How well a network names stored crops, and how the real ones among them are turned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
import torch

from vision.crops import CROP_MARGIN, CROP_SIZE
from vision.training.classifier_batches import turn_period
from vision.training.classifier_data import BACK, UNKNOWN_TURN, WIDE_MARGIN, WideCrops
from vision.training.classifier_network import FaceNetwork, as_input

SURE_TURN = 0.97


@dataclass(frozen=True, slots=True)
class Scores:
    """Shares of crops named right over all four quarter turns, in all and by set; turns told right where they show."""

    right: float
    by_set: Mapping[str, float]
    turn_right: float


def plain_crops(crops: WideCrops) -> npt.NDArray[np.uint8]:
    """The stored crops as the classifier sees them at run time: [N, 64, 64, 3] BGR."""
    side = crops.images.shape[1]
    half = side * (0.5 + CROP_MARGIN) / (1 + 2 * WIDE_MARGIN)
    low, high = round(side / 2 - half), round(side / 2 + half)
    size = (CROP_SIZE, CROP_SIZE)
    small = [cv2.resize(image[low:high, low:high], size, interpolation=cv2.INTER_AREA) for image in crops.images]
    return np.asarray(np.stack(small), dtype=np.uint8)


def predict(
    network: FaceNetwork, crops: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Chances of the labels [N, 44] and turns [N, 4] for crops [N, 64, 64, 3] BGR."""
    network.eval()
    labels, turns = [], []
    reading = torch.inference_mode()
    half = torch.autocast("cpu", dtype=torch.bfloat16)
    for start in range(0, len(crops), 256):
        x = as_input(torch.from_numpy(np.ascontiguousarray(crops[start : start + 256])))
        with reading, half:
            label, turn, _ = network(x)
        labels.append(label.float().softmax(1).numpy())
        turns.append(turn.float().softmax(1).numpy())
    return np.concatenate(labels), np.concatenate(turns)


def score_crops(network: FaceNetwork, crops: WideCrops, limit_per_set: int = 300) -> Scores:
    """Scores over the four quarter turns of up to ``limit_per_set`` crops a set."""
    chosen = np.concatenate(
        [
            rows[:: max(1, len(rows) // limit_per_set)]
            for rows in (np.flatnonzero(crops.sets == name) for name in np.unique(crops.sets))
        ]
    )
    plain = plain_crops(_rows(crops, chosen))
    labels, sets, known = crops.labels[chosen], crops.sets[chosen], crops.turns[chosen]
    right, turn_right, turn_seen = np.zeros(len(chosen)), 0, 0
    countable = np.array([label < BACK and turn_period(int(label)) == 4 for label in labels]) & (known != UNKNOWN_TURN)
    for turn in range(4):
        chances, turns = predict(network, np.rot90(plain, -turn, axes=(1, 2)))
        right += chances.argmax(1) == labels
        turn_right += int((turns.argmax(1) == (known + turn) % 4)[countable].sum())
        turn_seen += int(countable.sum())
    right /= 4
    by_set = {str(name): float(right[sets == name].mean()) for name in np.unique(sets)}
    return Scores(float(right.mean()), by_set, turn_right / max(1, turn_seen))


def guess_turns(network: FaceNetwork, crops: WideCrops) -> int:
    """Fills in, in place, the turns of real crops where the network is sure from all four sides; returns how many.

    Boxes of photo sets do not say how a tile lies; shop pictures and rendered faces do, and teach the network to tell.
    """
    rows = np.flatnonzero((crops.turns == UNKNOWN_TURN) & (crops.labels < BACK))
    if not len(rows):
        return 0
    plain = plain_crops(_rows(crops, rows))
    votes = np.zeros((len(rows), 4), dtype=np.float32)
    for turn in range(4):
        _, turns = predict(network, np.rot90(plain, -turn, axes=(1, 2)))
        votes += np.roll(turns, -turn, axis=1) / 4
    period = np.array([turn_period(int(label)) for label in crops.labels[rows]])
    half = votes + np.roll(votes, 2, axis=1)
    sure = np.where(period == 2, half.max(1), votes.max(1)) >= SURE_TURN
    sure &= period > 0
    crops.turns[rows[sure]] = votes.argmax(1)[sure]
    return int(sure.sum())


def _rows(crops: WideCrops, rows: npt.NDArray[np.intp]) -> WideCrops:
    return WideCrops(
        crops.images[rows],
        crops.labels[rows],
        crops.turns[rows],
        crops.valid[rows],
        crops.sets[rows],
        crops.names[rows],
    )
