"""One set of tiles lies on the table: four of a kind and one of each flower. A photo that reads more has misread some.

The weakest readings of such a kind yield: they become unknown, with what they may be listed anew, and are told as a
problem. Nothing takes another name by itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from engine.tiles import Tile
from vision.problems import Problem, ProblemCode
from vision.reading import TileReading

_LEAST_DOUBT = 1e-3  # no reading is surer than this, whatever it says


def one_set(readings: Sequence[TileReading]) -> tuple[tuple[TileReading, ...], tuple[Problem, ...]]:
    """The readings of one photo with its surplus tiles turned unknown, and one problem a kind that has too many.

    Tiles that show the gold or belong to nobody count like all others; backs and unknown tiles do not count. White
    dragons that look like nothing else stay, since boxes hold spare blank tiles, but are named by the problem.
    """
    of_kind: defaultdict[Tile, list[int]] = defaultdict(list)
    for index, reading in enumerate(readings):
        if reading.tile is not None:
            of_kind[reading.tile].append(index)
    full = {tile for tile, indices in of_kind.items() if len(indices) >= tile.copies}
    settled, problems = list(readings), []
    for tile, indices in sorted(of_kind.items()):
        surplus = len(indices) - tile.copies
        if surplus <= 0:
            continue
        doubt = {index: max(_LEAST_DOUBT, 1 - readings[index].confidence) for index in indices}
        weakest = sorted(indices, key=lambda index: -doubt[index])[:surplus]
        for index in weakest:
            if tile is not Tile.WHITE or readings[index].alternatives:
                wrong = min(1.0, surplus * doubt[index] / sum(doubt.values()))
                settled[index] = _doubted(readings[index], tile, wrong, full)
        problems.append(_problem(tile, indices, weakest))
    return tuple(settled), tuple(problems)


def _doubted(reading: TileReading, tile: Tile, wrong: float, full: set[Tile]) -> TileReading:
    """The reading as an unknown tile: its own kind with the chance that is left, others in proportion to theirs.

    ``wrong`` is the chance that it is another kind: since one of them has to be, its share of all doubts.
    """
    others = [(other, chance) for other, chance in reading.alternatives if other not in full]
    whole = sum(chance for _, chance in others)
    listed = [(tile, 1 - wrong), *((other, wrong * chance / whole) for other, chance in others)]
    listed.sort(key=lambda item: -item[1])
    return replace(reading, tile=None, confidence=listed[0][1], alternatives=tuple(listed))


def _problem(tile: Tile, indices: Sequence[int], weakest: Sequence[int]) -> Problem:
    holds = "one" if tile.copies == 1 else "four"
    message = f"{len(indices)} tiles read as {tile.code}, a set holds {holds}; look at the least sure"
    return Problem(ProblemCode.TOO_MANY_COPIES, message, tuple(sorted(weakest)), len(indices), tile.copies)
