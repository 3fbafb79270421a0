"""Rows cut at their gaps into clusters of tiles that lie together, and the shape of a meld."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from engine.tiles import Tile
from vision.reading import TileReading
from vision.rows import Row

CUT = 0.35
"""A gap this wide, in tile widths, parts two groups where the other tiles of the row touch."""
END_CUT = 0.2
"""A gap this wide parts the last tile of a tight row: winning tiles are often laid just a little apart."""
WIDEST_CUT = 1.2
"""However loosely a row lies, a gap this wide parts it."""

_DOUBT = 0.6, 1.2  # gaps between these shares of the cut are doubtful: the shapes on both sides decide
_OWN_GAPS = 5  # a row with fewer gaps is judged by those of the whole picture


@dataclass(frozen=True, slots=True)
class Cluster:
    """Tiles that lie together.

    Attributes:
        tiles: indices of readings, left to right.
        row: number of the row, from the far side.
        doubtful: True where one of its ends is a doubtful gap.
    """

    tiles: tuple[int, ...]
    row: int
    doubtful: bool = False


def meld_shape(readings: Sequence[TileReading]) -> bool:
    """True where these can be one run, triplet or kong; an unknown tile may be anything.

    Face-down tiles are met in concealed kongs only, where two or all four lie so; the order does not matter, since the
    claimed tile of a run may lie first.
    """
    known = sorted(reading.tile for reading in readings if reading.tile is not None)
    backs = sum(reading.face_down for reading in readings)
    alike = len(set(known)) <= 1 and not (known and known[0].is_flower)
    if len(readings) == 4:
        return alike
    if len(readings) != 3 or backs:
        return False
    return alike or _run(known)


def _run(known: Sequence[Tile]) -> bool:
    """True where suited tiles of one suit, all different, lie within three ranks."""
    one_suit = len({tile.suit for tile in known}) == 1 and known[0].is_suited
    return one_suit and len(set(known)) == len(known) and known[-1] - known[0] <= 2


def meld_parts(readings: Sequence[TileReading]) -> tuple[int, ...] | None:
    """Sizes of the melds that tiles in a row are made of, one after the other; None where they are not all melds.

    >>> meld_parts([])
    ()
    """
    if not readings:
        return ()
    for size in (3, 4):
        if len(readings) >= size and meld_shape(readings[:size]):
            rest = meld_parts(readings[size:])
            if rest is not None:
                return (size, *rest)
    return None


def split_rows(rows: Sequence[Row], readings: Sequence[TileReading]) -> list[Cluster]:
    """Clusters of all rows, in order."""
    all_gaps = [gap for row in rows for gap in row.gaps]
    clusters: list[Cluster] = []
    for number, row in enumerate(rows):
        usual = median(row.gaps if len(row.gaps) >= _OWN_GAPS else all_gaps) if row.gaps else 0.0
        clusters.extend(_split(row, number, usual, readings))
    return clusters


def _split(row: Row, number: int, usual: float, readings: Sequence[TileReading]) -> list[Cluster]:
    """One row cut, where ``usual`` is the gap between tiles that lie together."""
    count = len(row.tiles)
    cut = min(max(CUT, 2 * usual + 0.25), WIDEST_CUT)
    kong_ends = _kong_ends([readings[index] for index in row.tiles])
    wide = {0, count} | kong_ends | {place for place, gap in enumerate(row.gaps, 1) if gap > cut * _DOUBT[1]}
    narrow = {place for place, gap in enumerate(row.gaps, 1) if cut * _DOUBT[0] < gap} - wide
    ends = sorted(wide | narrow)
    meld_sides = {
        place
        for start, end in pairwise(ends)
        if meld_shape([readings[index] for index in row.tiles[start:end]])
        for place in (start, end)
    }
    cuts = sorted(wide | {place for place in narrow if place in meld_sides or row.gaps[place - 1] > cut})
    doubtful = narrow & meld_sides
    if usual < END_CUT / 4:
        loose = set(_loose_ends(row, cuts))
        doubtful |= loose
        cuts = sorted({*cuts, *loose})
    return [
        Cluster(row.tiles[start:end], number, start in doubtful or end in doubtful) for start, end in pairwise(cuts)
    ]


def _loose_ends(row: Row, cuts: Sequence[int]) -> Iterator[int]:
    """Places of small gaps before the last or after the first tile of a cluster with the size of a finished hand.

    Finished hands have two tiles beyond their sets of three.
    """
    for start, end in pairwise(cuts):
        if (end - start) % 3 == 2:
            ends = [place for place in (end - 1, start + 1) if row.gaps[place - 1] > END_CUT]
            yield from ends[:1]


def _kong_ends(readings: Sequence[TileReading]) -> set[int]:
    """Places before and after each concealed kong that shows two faces, however tightly it lies in its row."""
    ends: set[int] = set()
    for start in range(len(readings) - 3):
        four = readings[start : start + 4]
        down = [reading.face_down for reading in four]
        if down in ([True, False, False, True], [False, True, True, False]) and meld_shape(four):
            ends |= {start, start + 4}
    return ends
