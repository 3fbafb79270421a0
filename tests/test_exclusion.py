"""Chances of tiles that belong to one set, against the sum over all ways to name them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from engine.tiles import Tile
from vision.exclusion import BACK, COPIES, marginals


def summed(chances: np.ndarray) -> np.ndarray:
    """Every way to name the tiles that a set allows, one after the other."""
    total = np.zeros_like(chances)
    for labels in product(*[np.flatnonzero(row) for row in chances]):
        counts = np.bincount(labels, minlength=BACK + 1)
        if (counts[:BACK] <= COPIES).all():
            weight = np.prod([row[label] for row, label in zip(chances, labels, strict=True)])
            for place, label in enumerate(labels):
                total[place, label] += weight
    return total / total.sum(axis=1, keepdims=True)


def logs(chances: np.ndarray) -> np.ndarray:
    """Logarithms, with nothing as very little."""
    return np.log(np.maximum(chances, 1e-300))


@pytest.mark.parametrize("seed", range(12))
def test_every_way_is_summed(seed: int) -> None:
    """A few tiles of a few kinds, flowers among them, with a back each: as by hand."""
    rng = np.random.default_rng(seed)
    kinds = [Tile.parse(code) for code in ("1f", "2f", "3f", "3m")]
    chances = np.zeros((7 if seed % 2 else 4, BACK + 1))
    for row in chances:
        row[rng.choice(kinds, 3, replace=False)] = rng.dirichlet([0.6] * 3)
        row[BACK] = 0.02
    chances[chances < 0.004] = 0  # less than that is counted together
    chances /= chances.sum(axis=1, keepdims=True)
    assert np.allclose(marginals(logs(chances)), summed(chances), atol=1e-9)


def test_what_nothing_limits_stays_as_it_was() -> None:
    """Backs without end, and four of a kind; a constant on a row changes nothing."""
    chances = np.zeros((60, BACK + 1))
    chances[:, BACK] = 1.0
    chances[:4] = 0
    chances[:4, Tile.parse("3m")], chances[:4, Tile.parse("2m")] = 0.9, 0.1
    assert np.allclose(marginals(logs(chances) + 7.0), chances)
    assert marginals(np.zeros((0, BACK + 1))).shape == (0, BACK + 1)


def test_too_many_sure_tiles_share_the_doubt() -> None:
    """Of five sure 3m each is another one with a fifth of the chances, however sure it was."""
    chances = np.full((5, BACK + 1), 1e-12)
    chances[:, Tile.parse("3m")] = 1.0
    assert marginals(logs(chances))[:, Tile.parse("3m")] == pytest.approx([0.8] * 5, abs=1e-3)


def test_a_whole_set_of_doubtful_tiles_is_no_burden() -> None:
    """144 tiles each of which may be one of three, all entangled: followed roughly, the right one leads."""
    chances = np.full((144, BACK + 1), 1e-9)
    truth = [int(tile) for tile in Tile for _ in range(tile.copies)]
    for row, kind in zip(chances, truth, strict=True):
        row[[kind, (kind + 1) % BACK, (kind + 3) % BACK]] = 0.6, 0.25, 0.1
    found = marginals(logs(chances))
    assert np.allclose(found.sum(axis=1), 1)
    assert (found.argmax(axis=1) == truth).mean() >= 0.95


@pytest.mark.parametrize(
    ("given", "says"), [(np.zeros((2, 42)), r"\[N, 43\]"), (np.full((1, 43), -np.inf), "finite log chance")]
)
def test_other_shapes_are_refused(given: np.ndarray, says: str) -> None:
    """With what was expected."""
    with pytest.raises(ValueError, match=says):
        marginals(given)
