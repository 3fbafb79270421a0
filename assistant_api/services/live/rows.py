"""Rows of flowers and of discards: tiles are laid one beside the other, and where one lies says when it came."""

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
NEXT_ROW = 0.7
"""Two rows of discards are further apart than this, in widths."""
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


def lies_before(one: SeenTile, other: SeenTile) -> bool:
    """Whether a discard lies before another one in the rows of its seat: to the left of it, or nearer to the middle."""
    (depth, along, side), (deeper, further, beside) = _as_seen(one), _as_seen(other)
    if side != beside:
        return False
    return along < further if abs(deeper - depth) < NEXT_ROW else depth < deeper


def _along(tile: SeenTile) -> float:
    """How far to the right a tile lies, as the player sees it on whose side it is."""
    return _as_seen(tile)[1]


def _as_seen(tile: SeenTile) -> tuple[float, float, int]:
    """How far from the middle and to the right a tile lies for the player on whose side it is, and which side."""
    x, y = tile.place
    return max((-y, x, 0), (x, y, 1), (y, -x, 2), (-x, -y, 3))
