"""刻子: what pungs and kongs make together. Each function gets their kinds, in order."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from engine.patterns.library import ENDS, Family, mask, ranks
from engine.patterns.view import View
from engine.tiles import Tile

FAMILY = Family()


def _row(tiles: tuple[Tile, ...]) -> bool:
    """Kinds of one suit, each one above the one before."""
    one_suit = tiles[0] // 9 == tiles[-1] // 9 < 3
    return one_suit and all(high - low == 1 for low, high in pairwise(tiles))


@FAMILY.pungs(4)
def yise_sijiegao(*tiles: Tile) -> bool:
    """一色四节高: four pungs of one suit in a row."""
    return _row(tiles)


@FAMILY.pungs(3)
def yise_sanjiegao(*tiles: Tile) -> bool:
    """一色三节高: three pungs of one suit in a row."""
    return _row(tiles)


@FAMILY.pungs(3)
def santongke(*tiles: Tile) -> bool:
    """三同刻: pungs of one rank in three suits."""
    return tiles[2] < 27 and len({tile % 9 for tile in tiles}) == 1


@FAMILY.pungs(3)
def sanse_sanjiegao(*tiles: Tile) -> bool:
    """三色三节高: pungs in three suits, each one above the one before."""
    if tiles[2] >= 27 or len({tile // 9 for tile in tiles}) != 3:
        return False
    low, middle, high = sorted(tile % 9 for tile in tiles)
    return middle - low == high - middle == 1


@FAMILY.pungs(2)
def shuangtongke(*tiles: Tile) -> bool:
    """双同刻: pungs of one rank in two suits."""
    return tiles[1] < 27 and tiles[0] % 9 == tiles[1] % 9


@FAMILY.whole
def pengpenghu(view: View) -> bool:
    """碰碰和: four pungs or kongs and a pair."""
    return len(view.pungs) == 4


@FAMILY.whole
def quanshuangke(view: View) -> bool:
    """全双刻: pungs and pair of 2, 4, 6 and 8."""
    return len(view.pungs) == 4 and not view.kinds & ~ranks(2, 4, 6, 8)


@FAMILY.of_sets
def yaojiuke(view: View) -> Iterable[int]:
    """幺九刻: a pung or kong of terminals or honours, each."""
    return [1 << place for place in view.pungs_of(ENDS)]


@FAMILY.whole
def sianke(view: View) -> bool:
    """四暗刻: four concealed pungs or kongs."""
    return len(view.pungs) == 4 and len(view.concealed_pungs) == 4


@FAMILY.whole
def sananke(view: View) -> bool:
    """三暗刻: three concealed pungs or kongs."""
    return len(view.pungs) >= 3 and len(view.concealed_pungs) == 3


@FAMILY.whole
def shuanganke(view: View) -> bool:
    """双暗刻: two concealed pungs or kongs."""
    return len(view.pungs) >= 2 and len(view.concealed_pungs) == 2


@FAMILY.of_sets
def siguiyi(view: View) -> Iterable[int]:
    """四归一: four tiles of one kind that are no kong, each kind."""
    return [
        mask(place for place, one in enumerate(view.sets) if one.kinds & kind) or 1 << 4
        for kind in view.hand.four_alike
    ]
