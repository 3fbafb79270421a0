"""Rows of flowers: they are laid one beside the other, so that one between others was laid no later than the last."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from vision.live.view import SeenTile

LATER_S = 1.0
"""A tile that was found so much later than another was perhaps laid later."""
BESIDE = 1.6
"""Tiles of a row lie no further from the next than this, in widths."""
ANOTHER_S = 4.0
"""A tile that was found so much later than another was laid in another round."""
PAIRS = 6
"""So many pairs have to say from which end rows are laid, most of them the same."""


def laid_from_the_left(flowers: Sequence[SeenTile]) -> bool | None:
    """Whether players here lay flowers from their left to their right; None where that is not to be told."""
    left = right = 0
    for one, other in combinations(flowers, 2):
        if one.seat is not other.seat or abs(one.since_s - other.since_s) < ANOTHER_S:
            continue
        first, second = (one, other) if one.since_s < other.since_s else (other, one)
        left += _along(first) < _along(second)
        right += _along(first) > _along(second)
    if left + right < PAIRS or min(left, right) * 4 > left + right:
        return None
    return left > right


def fills_a_hole(tile: SeenTile, row: Sequence[SeenTile], from_the_left: bool | None) -> bool:
    """Whether a tile was found later than those it was laid before: it lies between them, or where the row begins."""
    older = [other for other in row if other is not tile and tile.since_s - other.since_s >= LATER_S]
    gaps = [_along(other) - _along(tile) for other in older]
    before, after = any(-BESIDE <= gap < 0 for gap in gaps), any(gap > 0 for gap in gaps)
    if from_the_left is False:
        before, after = any(0 < gap <= BESIDE for gap in gaps), any(gap < 0 for gap in gaps)
    if from_the_left is None:
        return any(-BESIDE <= gap < 0 for gap in gaps) and any(0 < gap <= BESIDE for gap in gaps)
    return after and (before or any(abs(gap) <= BESIDE for gap in gaps))


def _along(tile: SeenTile) -> float:
    """How far to the right a tile lies, as the player sees it on whose side it is."""
    x, y = tile.place
    return max(((-y, x), (x, y), (y, -x), (-x, -y)))[1]
