"""What looks wrong in a laid out hand: counts, unknown and stray tiles. Nothing is changed here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from vision.problems import Problem, ProblemCode
from vision.reading import TileReading

if TYPE_CHECKING:
    from vision.layout import Layout


def check(layout: Layout, readings: Sequence[TileReading], hand_tiles: int | None) -> tuple[Problem, ...]:
    """All findings about a layout; ``hand_tiles`` as in `vision.layout.lay_out`."""
    return (*_count(layout, hand_tiles), *_unknown(layout, readings), *_strays(layout))


def _count(layout: Layout, hand_tiles: int | None) -> tuple[Problem, ...]:
    found = len(layout.hand) + (layout.winning is not None) + 3 * len(layout.melds)
    if hand_tiles is None or found == hand_tiles:
        return ()
    if found == hand_tiles - 1:
        message = f"{found} of {hand_tiles} tiles: the winning tile or another one is missing"
    else:
        message = f"{found} of {hand_tiles} tiles (each meld counted as three)"
    return (Problem(ProblemCode.TILE_COUNT, message, (), found, hand_tiles),)


def _unknown(layout: Layout, readings: Sequence[TileReading]) -> tuple[Problem, ...]:
    in_kongs = {index for meld in layout.melds for index in meld if readings[index].face_down}
    tiles = tuple(
        index
        for index, reading in enumerate(readings)
        if index not in layout.strays and (reading.is_unknown or (reading.face_down and index not in in_kongs))
    )
    if not tiles:
        return ()
    message = "1 tile could not be told" if len(tiles) == 1 else f"{len(tiles)} tiles could not be told"
    return (Problem(ProblemCode.UNKNOWN_TILE, message, tiles),)


def _strays(layout: Layout) -> tuple[Problem, ...]:
    if not layout.strays:
        return ()
    count = len(layout.strays)
    message = "1 tile belongs to no group" if count == 1 else f"{count} tiles belong to no group"
    return (Problem(ProblemCode.STRAY_TILE, message, tuple(sorted(layout.strays))),)
