"""顺子: what two, three or four chows make together. Each function gets the lowest tiles of the chows, in order."""

from __future__ import annotations

from itertools import pairwise

from engine.patterns.library import Family
from engine.tiles import Tile

FAMILY = Family()


def _steps(tiles: tuple[Tile, ...]) -> set[int]:
    """Differences between neighbours when all lie in one suit; empty otherwise."""
    if tiles[0] // 9 != tiles[-1] // 9:
        return set()
    return {high - low for low, high in pairwise(tiles)}


def _ranks_of_three_suits(tiles: tuple[Tile, ...]) -> list[int]:
    """The ranks, lowest first, when each of three chows has a suit of its own; empty otherwise."""
    if len({tile // 9 for tile in tiles}) != 3:
        return []
    return sorted(tile % 9 for tile in tiles)


@FAMILY.chows(4)
def yise_sitongshun(*tiles: Tile) -> bool:
    """一色四同顺: four equal chows."""
    return tiles[0] == tiles[3]


@FAMILY.chows(4)
def yise_sibugao(*tiles: Tile) -> bool:
    """一色四步高: four chows of one suit, each one or each two above the one before."""
    return _steps(tiles) in ({1}, {2})


@FAMILY.chows(3)
def yise_santongshun(*tiles: Tile) -> bool:
    """一色三同顺: three equal chows."""
    return tiles[0] == tiles[2]


@FAMILY.chows(3)
def yise_sanbugao(*tiles: Tile) -> bool:
    """一色三步高: three chows of one suit, each one or each two above the one before."""
    return _steps(tiles) in ({1}, {2})


@FAMILY.chows(3)
def qinglong(*tiles: Tile) -> bool:
    """清龙: 123 456 789 in one suit."""
    return _steps(tiles) == {3}


@FAMILY.chows(3)
def hualong(*tiles: Tile) -> bool:
    """花龙: 123, 456 and 789 in three suits."""
    return _ranks_of_three_suits(tiles) == [0, 3, 6]


@FAMILY.chows(3)
def sanse_santongshun(*tiles: Tile) -> bool:
    """三色三同顺: the same chow in three suits."""
    ranks = _ranks_of_three_suits(tiles)
    return bool(ranks) and ranks[0] == ranks[2]


@FAMILY.chows(3)
def sanse_sanbugao(*tiles: Tile) -> bool:
    """三色三步高: chows in three suits, each one above the one before."""
    ranks = _ranks_of_three_suits(tiles)
    return bool(ranks) and ranks[1] - ranks[0] == ranks[2] - ranks[1] == 1


@FAMILY.chows(2)
def yibangao(*tiles: Tile) -> bool:
    """一般高: two equal chows."""
    return tiles[0] == tiles[1]


@FAMILY.chows(2)
def xixiangfeng(*tiles: Tile) -> bool:
    """喜相逢: the same chow in two suits."""
    return tiles[0] % 9 == tiles[1] % 9 and tiles[0] != tiles[1]


@FAMILY.chows(2)
def lianliu(*tiles: Tile) -> bool:
    """连六: six tiles of one suit in a row."""
    return _steps(tiles) == {3}


@FAMILY.chows(2)
def laoshaofu(*tiles: Tile) -> bool:
    """老少副: 123 and 789 of one suit."""
    return _steps(tiles) == {6}
