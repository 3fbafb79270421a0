"""How tiles lie: which way is up, which tiles stand side by side in a row, and how wide the gaps between them are.

Everything is measured against neighbours, so perspective, a tilted photo or one taken from the side do not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.tiles import Tile
from vision.reading import TileReading, as_quad

Array: TypeAlias = NDArray[np.float64]

_AROUND = 5  # a tile and its nearest four say how large it is
_LOOSE = 1.25  # boxes are off by less than this factor; what is more differs for another reason
MAX_ROW_GAP = 4.0
"""Tiles further apart than this many tile widths are not counted as neighbours in a row."""

_MAX_ROW_STEP = 0.5  # how far the next tile of a row may lie higher or lower, in tile heights
_ROW_REACH = 8.0  # tile widths within which tiles of a row tell each other which way is up
_LONG = 1.15  # sides in this proportion tell a tile's own upright axis even if its face is not known
_SAME_AXIS = np.cos(np.deg2rad(25))

_LOOK_ALIKE_TURNED = frozenset(
    Tile.parse(code) for code in ("1p", "2p", "3p", "4p", "5p", "8p", "9p", "2s", "4s", "5s", "6s", "8s", "9s", "P")
)
"""Faces that look the same upside down; they do not vote on which way is up."""


@dataclass(frozen=True, slots=True)
class Row:
    """Tiles side by side.

    Attributes:
        tiles: indices of readings, left to right as their owner sees them.
        gaps: free space after each tile but the last, in tile widths; about 0 where tiles touch.
    """

    tiles: tuple[int, ...]
    gaps: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Arrangement:
    """Where tiles lie as their owner sees them.

    Attributes:
        rows: from the far side to the near side.
        up_deg: direction of up in the picture, clockwise from the picture's own up: 0 for a photo taken upright,
            180 for one taken from across the table.
        centres: [N, 2] centres with the owner's right as x and down as y, in units of the median tile width.
        sizes: [N, 2] width and height of each tile in that frame, same units.
    """

    rows: tuple[Row, ...]
    up_deg: float
    centres: Array
    sizes: Array


def same_way_up(readings: Sequence[TileReading]) -> list[TileReading]:
    """Readings whose quads start at the same corner as those around them where their own face does not tell.

    Backs, unknown tiles and faces that look the same upside down get the up of their neighbours in the row, or else the
    common up of the picture; nothing else is changed. Sides of clearly different length tell the tile's own upright
    axis.
    """
    if not readings:
        return []
    across, down = _sides(readings)
    up = _common_up(readings, across, down)
    centres = np.array([reading.centre for reading in readings])
    telling = np.array([reading.confidence if tells_up(reading) else 0.0 for reading in readings])
    turned = []
    for index, (reading, a, d) in enumerate(zip(readings, across, down, strict=True)):
        first = 0
        if not tells_up(reading):
            if np.linalg.norm(a) > _LONG * np.linalg.norm(d):
                first, a, d = 1, d, -a  # the next corner's own down is against its across
            vote = _vote_of_row(centres - centres[index], a, d, down, telling)
            if vote > 0 or (vote == 0 and d @ up > 0):
                first += 2
        turned.append(replace(reading, quad=as_quad(np.roll(np.array(reading.quad), -first, axis=0))))
    return turned


def _vote_of_row(offset: Array, across: Array, own_down: Array, down: Array, telling: Array) -> float:
    """Whether a tile of sides ``across`` and ``own_down`` stands upside down as the tiles in its row tell: above 0 yes,
    below 0 no, 0 where none tells. The nearer a tile, the more it counts.

    Args:
        offset: [N, 2] from its centre to each tile, in pixels.
        down: [N, 2] sides of all tiles.
        telling: [N] how surely each tells which way is up, 0 where it does not.
    """
    wide, high = float(np.linalg.norm(across)) + 1e-9, float(np.linalg.norm(own_down)) + 1e-9
    along, off_row = np.abs(offset @ across) / wide**2, np.abs(offset @ own_down) / high**2
    facing = (down @ own_down) / (np.linalg.norm(down, axis=1) * high + 1e-9)
    # a row seen from the side curves away by a little with every tile
    near = (along <= _ROW_REACH) & (off_row <= _MAX_ROW_STEP * np.maximum(1, along / 3)) & (np.abs(facing) > _SAME_AXIS)
    return float(-(telling * np.sign(facing) / np.maximum(along, 1))[near].sum())


def arrange(readings: Sequence[TileReading]) -> Arrangement:
    """Rows of the tiles read in one picture; no rows for no tiles."""
    if not readings:
        return Arrangement((), 0.0, np.zeros((0, 2)), np.zeros((0, 2)))
    across, down = _sides(readings)
    up = _common_up(readings, across, down)
    right = np.array([-up[1], up[0]])

    along, sizes = _in_row_frame(across, down, right)
    centres = np.array([reading.centre for reading in readings])
    sizes = _steadied(sizes, centres)
    narrow = sizes.min(axis=1)
    order_right, gaps = _neighbours(centres, along, sizes, narrow, right)

    unit = float(np.median(narrow)) or 1.0
    turned = np.stack([centres @ right, centres @ -up], axis=1) / unit
    rows = _chains(order_right, gaps)
    rows.sort(key=lambda row: float(turned[list(row.tiles), 1].mean()))
    return Arrangement(tuple(rows), float(np.rad2deg(np.arctan2(up[0], -up[1])) % 360), turned, sizes / unit)


def _sides(readings: Sequence[TileReading]) -> tuple[Array, Array]:
    """For each tile the vectors [N, 2] along its own top edge and down its own left edge, means of opposite sides."""
    quads = np.array([reading.quad for reading in readings], dtype=np.float64)
    across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
    down = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
    return across, down


def tells_up(reading: TileReading) -> bool:
    """True where the face tells which way is up."""
    return reading.tile is not None and reading.tile not in _LOOK_ALIKE_TURNED


def _common_up(readings: Sequence[TileReading], across: Array, down: Array) -> Array:
    """Unit vector in the picture that points up for most tiles."""
    axes, weights, signs = [], [], []
    for reading, a, d in zip(readings, across, down, strict=True):
        named = reading.tile is not None
        length_a, length_d = float(np.linalg.norm(a)), float(np.linalg.norm(d))
        if not named and max(length_a, length_d) < _LONG * min(length_a, length_d):
            continue  # the sides do not tell which is the upright one
        axis = -d if named or length_d >= length_a else -a
        length = float(np.linalg.norm(axis))
        if length > 0:
            axes.append(axis / length)
            weights.append(reading.confidence + 1e-3)
            signs.append(tells_up(reading))
    if not axes:
        return np.array([0.0, -1.0])
    unit, weight = np.array(axes), np.array(weights)
    likeness = np.clip(2 * (unit @ unit.T) ** 2 - 1, 0, 1) ** 4  # cosine of twice the angle: up and down are one axis
    leader = unit[int(np.argmax(likeness @ weight))]
    alike = np.abs(unit @ leader) > _SAME_AXIS
    facing = np.sign(unit @ leader)
    mean = ((weight * facing)[:, None] * unit)[alike].sum(axis=0)
    mean /= np.linalg.norm(mean)
    vote = float((weight * facing)[alike & np.array(signs)].sum())
    if vote == 0:  # nothing tells: as the photographer sees it
        vote = 1.0 if mean[1] < 0 or (mean[1] == 0 and mean[0] > 0) else -1.0
    return np.asarray(mean * np.sign(vote))


def _in_row_frame(across: Array, down: Array, right: Array) -> tuple[Array, Array]:
    """For each tile the unit vector of its side that runs along the row, pointing right, and [N, 2] width, height."""
    length_a, length_d = np.linalg.norm(across, axis=1) + 1e-9, np.linalg.norm(down, axis=1) + 1e-9
    lying = np.abs(down @ right) / length_d > np.abs(across @ right) / length_a
    along = np.where(lying[:, None], down / length_d[:, None], across / length_a[:, None])
    along = along * np.where(along @ right < 0, -1.0, 1.0)[:, None]
    return along, np.where(lying[:, None], np.stack([length_d, length_a], 1), np.stack([length_a, length_d], 1))


def _steadied(sizes: Array, centres: Array) -> Array:
    """Widths and heights [N, 2] scaled to the median of the tiles around: tiles are alike, single boxes loose."""
    narrow = sizes.min(axis=1)
    apart = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    around = np.argsort(apart, axis=1, kind="stable")[:, :_AROUND]
    steadied: Array = sizes * np.clip(np.median(narrow[around], axis=1) / narrow, 1 / _LOOSE, _LOOSE)[:, None]
    return steadied


def _neighbours(
    centres: Array, along: Array, sizes: Array, narrow: Array, right: Array
) -> tuple[NDArray[np.int64], Array]:
    """Index of the next tile to the right of each (-1 for none, and only where both agree), and the gap to it."""
    direction = along[:, None] + along[None] + right
    direction /= np.linalg.norm(direction, axis=2, keepdims=True)
    offset = centres[None] - centres[:, None]
    step_x = (offset * direction).sum(axis=2)
    step_y = np.abs(offset[..., 0] * direction[..., 1] - offset[..., 1] * direction[..., 0])
    width = (narrow[:, None] + narrow[None]) / 2
    gap = (step_x - (sizes[:, None, 0] + sizes[None, :, 0]) / 2) / width
    level = step_y < _MAX_ROW_STEP * np.minimum(sizes[:, None, 1], sizes[None, :, 1])
    possible = level & (step_x > 0.3 * width) & (offset @ right > 0) & (gap <= MAX_ROW_GAP)
    np.fill_diagonal(possible, False)
    distance = np.where(possible, step_x, np.inf)
    to_right, to_left = distance.argmin(axis=1), distance.argmin(axis=0)
    index = np.arange(len(centres))
    mutual = (to_left[to_right] == index) & np.isfinite(distance[index, to_right])
    return np.where(mutual, to_right, -1), gap[index, to_right]


def _chains(to_right: NDArray[np.int64], gaps: Array) -> list[Row]:
    """Rows that follow the links from each tile that is nobody's right neighbour."""
    rows = []
    for start in sorted(set(range(len(to_right))) - set(to_right[to_right >= 0].tolist())):
        tiles, spaces = [start], []
        while (follower := int(to_right[tiles[-1]])) >= 0:
            spaces.append(float(gaps[tiles[-1]]))
            tiles.append(follower)
        rows.append(Row(tuple(tiles), tuple(spaces)))
    return rows
