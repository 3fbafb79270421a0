"""序数: which ranks a hand has."""

from __future__ import annotations

from engine.patterns.library import ENDS, HONOURS, TERMINALS, Family, ranks
from engine.patterns.view import View

FAMILY = Family()

_UPPER, _MIDDLE, _LOWER = ranks(7, 8, 9), ranks(4, 5, 6), ranks(1, 2, 3)
_UPPER_FOUR, _LOWER_FOUR, _FIVES = ranks(6, 7, 8, 9), ranks(1, 2, 3, 4), ranks(5)


def _everywhere(view: View, kinds: int) -> bool:
    """Every set and the pair have one of these kinds."""
    if view.pair is None or len(view.sets) != 4 or not 1 << view.pair & kinds:
        return False
    return all(one.kinds & kinds for one in view.sets)


@FAMILY.whole
def qingyaojiu(view: View) -> bool:
    """清幺九: terminals alone."""
    return not view.kinds & ~TERMINALS


@FAMILY.whole
def hunyaojiu(view: View) -> bool:
    """混幺九: terminals and honours alone."""
    return not view.kinds & ~ENDS and bool(view.kinds & HONOURS) and bool(view.kinds & TERMINALS)


@FAMILY.whole
def quandaiyao(view: View) -> bool:
    """全带幺: a terminal or an honour in every set and in the pair."""
    return _everywhere(view, ENDS)


@FAMILY.whole
def quandaiwu(view: View) -> bool:
    """全带五: a five in every set and in the pair."""
    return _everywhere(view, _FIVES)


@FAMILY.whole
def quanda(view: View) -> bool:
    """全大: 7, 8 and 9 alone."""
    return not view.kinds & ~_UPPER


@FAMILY.whole
def quanzhong(view: View) -> bool:
    """全中: 4, 5 and 6 alone."""
    return not view.kinds & ~_MIDDLE


@FAMILY.whole
def quanxiao(view: View) -> bool:
    """全小: 1, 2 and 3 alone."""
    return not view.kinds & ~_LOWER


@FAMILY.whole
def dayuwu(view: View) -> bool:
    """大于五: 6 to 9 alone."""
    return not view.kinds & ~_UPPER_FOUR


@FAMILY.whole
def xiaoyuwu(view: View) -> bool:
    """小于五: 1 to 4 alone."""
    return not view.kinds & ~_LOWER_FOUR


@FAMILY.whole
def duanyao(view: View) -> bool:
    """断幺: no terminals and no honours."""
    return not view.kinds & ENDS
