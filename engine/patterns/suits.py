"""花色: which suits a hand has."""

from __future__ import annotations

from engine.patterns.library import DRAGONS, HONOURS, WINDS, Family, kinds
from engine.patterns.view import View
from engine.tiles import Tile

FAMILY = Family()

_GREEN = kinds(Tile.S2, Tile.S3, Tile.S4, Tile.S6, Tile.S8, Tile.GREEN)
_SAME_TURNED = kinds(
    *(Tile.P1, Tile.P2, Tile.P3, Tile.P4, Tile.P5, Tile.P8, Tile.P9),
    *(Tile.S2, Tile.S4, Tile.S5, Tile.S6, Tile.S8, Tile.S9, Tile.WHITE),
)


@FAMILY.whole
def qingyise(view: View) -> bool:
    """清一色: one suit alone."""
    return view.hand.suits == 1 and not view.kinds & HONOURS


@FAMILY.whole
def hunyise(view: View) -> bool:
    """混一色: one suit and honours."""
    return view.hand.suits == 1 and bool(view.kinds & HONOURS)


@FAMILY.whole
def lvyise(view: View) -> bool:
    """绿一色: 2, 3, 4, 6, 8 of bamboos and the green dragon alone."""
    return not view.kinds & ~_GREEN


@FAMILY.whole
def tuibudao(view: View) -> bool:
    """推不倒: tiles that look the same upside down."""
    return not view.kinds & ~_SAME_TURNED


@FAMILY.whole
def wumenqi(view: View) -> bool:
    """五门齐: three suits, winds and dragons."""
    return view.hand.suits == 3 and bool(view.kinds & WINDS) and bool(view.kinds & DRAGONS)


@FAMILY.whole
def queyimen(view: View) -> bool:
    """缺一门: one of the three suits is missing."""
    return view.hand.suits == 2


@FAMILY.whole
def wuzi(view: View) -> bool:
    """无字: no honours."""
    return not view.kinds & HONOURS
