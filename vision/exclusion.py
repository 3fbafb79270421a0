"""What tiles of one scene are, given that they belong to one set: four of a kind and one of each flower.

A classifier names every tile by itself. Together they cannot all be right where a kind comes too often, and a tile that
may be one of two flowers is the one that lies nowhere else. `marginals` sums over all ways to name the tiles that a set
allows, each as likely as the product of its tiles' own chances: the classifiers' chances, conditioned on the limit. The
sum is exact but for labels so unlikely that they are put together and for the least likely of very many ways.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.tiles import Tile

Floats: TypeAlias = NDArray[np.float64]

TILES = len(Tile)
BACK = TILES
"""Column of "lies face down, or no tile": of these there may be any number."""
COPIES: tuple[int, ...] = tuple(tile.copies for tile in Tile)

_LEAST_DOUBT = 2e-3  # no tile is surer than this before the others are heard
_LISTED = 2e-3  # labels less likely than this are counted together, without a limit
_MOST_LISTED = 5
_MOST_STATES = 200  # ways to use up the copies that are followed at once
_ANY_NUMBER = 8


def marginals(log_chances: NDArray[np.floating]) -> Floats:
    """Chances [N, 43] of each label of each tile, given the labels of all others.

    Args:
        log_chances: [N, 43] logarithms of each tile's own calibrated chances of the 42 tiles and the back, from the
            picture of that tile alone; any constant may be added to a row.

    Rows of the result sum to 1. A row that no other can be in the way of comes back as it was. Where more tiles are
    sure to be of one kind than there are, the doubt is shared among them.
    Raises ValueError for another shape, or a row without a finite number.
    """
    logs = np.asarray(log_chances, np.float64)
    if logs.ndim != 2 or logs.shape[1] != TILES + 1:
        raise ValueError(f"expected log chances [N, {TILES + 1}], got {list(logs.shape)}")
    if not len(logs):
        return np.zeros((0, TILES + 1))
    top = logs.max(axis=1, keepdims=True)
    if not np.isfinite(top).all():
        raise ValueError("every tile needs a label with a finite log chance")
    chances = np.exp(logs - top)
    chances /= chances.sum(axis=1, keepdims=True)
    settled: Floats = chances.copy()
    listed = [_listed(row) for row in chances]
    for kinds, rows in _contested(listed):
        rows.sort(key=lambda row: -float(chances[row].max()))
        options = [[(kinds.index(kind), float(chances[row, kind])) for kind in listed[row]] for row in rows]
        found = _summed(options, [COPIES[kind] for kind in kinds])
        for row, weights in zip(rows, found, strict=True):
            settled[row] = _spread(chances[row], listed[row], weights)
    return settled


def _listed(chances: Floats) -> list[int]:
    """Kinds that a tile may well be."""
    best = np.argsort(-chances[:TILES], kind="stable")[:_MOST_LISTED]
    return [int(kind) for kind in best if chances[kind] >= _LISTED]


def _contested(listed: Sequence[Sequence[int]]) -> Iterable[tuple[list[int], list[int]]]:
    """Kinds and rows that hang together, where a kind may come more often than a set has it."""
    group: dict[int, int] = {}
    for kinds in listed:
        joined = {group.get(kind, kind) for kind in kinds}
        target = min(joined, default=-1)
        group.update(dict.fromkeys(kinds, target))
        group.update({kind: target for kind, other in group.items() if other in joined})
    kinds_of: defaultdict[int, list[int]] = defaultdict(list)
    rows_of: defaultdict[int, list[int]] = defaultdict(list)
    for kind in sorted(group):
        kinds_of[group[kind]].append(kind)
    for row, kinds in enumerate(listed):
        if kinds:
            rows_of[group[kinds[0]]].append(row)
    for name, kinds in kinds_of.items():
        rows = rows_of[name]
        if any(sum(kind in listed[row] for row in rows) > COPIES[kind] for kind in kinds):
            yield kinds, rows


def _summed(options: Sequence[Sequence[tuple[int, float]]], limits: Sequence[int]) -> list[list[float]]:
    """For each tile the chance of each of its options, then that of none of them.

    Forwards and backwards over the tiles; a state is how many of each kind are used up, in three bits a kind.

    Args:
        options: for each tile its kinds, as places in ``limits``, and their chances.
        limits: how many there are of each kind.
    """
    steps = [(3 * place, 1 << 3 * place, limit) for place, limit in enumerate(limits)]
    choices = [
        [*((*steps[place], chance) for place, chance in given), (0, 0, _ANY_NUMBER, _doubt(given))] for given in options
    ]
    forwards: list[dict[int, float]] = [{0: 1.0}]
    for given in choices:
        reached: defaultdict[int, float] = defaultdict(float)
        for state, weight in forwards[-1].items():
            for shift, step, limit, chance in given:
                if state >> shift & 7 < limit:
                    reached[state + step] += weight * chance
        kept = sorted(reached.items(), key=lambda item: -item[1])[:_MOST_STATES]
        forwards.append({state: weight / kept[0][1] for state, weight in kept})
    backwards: dict[int, float] = dict.fromkeys(forwards[-1], 1.0)
    found: list[list[float]] = []
    for given, before in zip(reversed(choices), reversed(forwards[:-1]), strict=True):
        sums = [0.0] * len(given)
        earlier: dict[int, float] = {}
        for state, weight in before.items():
            to_come = 0.0
            for place, (shift, step, limit, chance) in enumerate(given):
                if state >> shift & 7 < limit:
                    further = chance * backwards.get(state + step, 0.0)
                    sums[place] += weight * further
                    to_come += further
            earlier[state] = to_come
        scale = max(earlier.values())
        backwards = {state: value / scale for state, value in earlier.items()}
        found.append([value / sum(sums) for value in sums])
    return found[::-1]


def _doubt(given: Sequence[tuple[int, float]]) -> float:
    """Chance that a tile is none of the given kinds."""
    return max(_LEAST_DOUBT, 1 - sum(chance for _, chance in given))


def _spread(chances: Floats, listed: Sequence[int], weights: Sequence[float]) -> Floats:
    """Chances [43]: the listed kinds as found, the rest in their own proportions."""
    rest = chances.copy()
    rest[list(listed)] = 0.0
    if rest.sum() <= 0:
        rest[[label for label in range(TILES + 1) if label not in listed]] = 1.0
    row = rest / rest.sum() * weights[-1]
    row[list(listed)] = weights[:-1]
    return np.asarray(row / row.sum())
