"""杠: kongs, exposed and concealed."""

from __future__ import annotations

from engine.patterns.library import Family
from engine.patterns.view import View
from engine.shapes import SetKind

FAMILY = Family()


def _kongs(view: View) -> tuple[int, int]:
    """How many kongs are exposed and how many concealed."""
    kongs = [one.melded for one in view.hand.melds if one.kind is SetKind.KONG]
    return sum(kongs), len(kongs) - sum(kongs)


@FAMILY.whole
def sigang(view: View) -> bool:
    """四杠: four kongs."""
    return sum(_kongs(view)) == 4


@FAMILY.whole
def sangang(view: View) -> bool:
    """三杠: three kongs."""
    return sum(_kongs(view)) == 3


@FAMILY.whole
def shuangangang(view: View) -> bool:
    """双暗杠: two concealed kongs and no other."""
    return _kongs(view) == (0, 2)


@FAMILY.whole
def shuangminggang(view: View) -> bool:
    """双明杠: two exposed kongs and no other."""
    return _kongs(view) == (2, 0)


@FAMILY.whole
def ming_angang(view: View) -> bool:
    """明暗杠: one exposed and one concealed kong."""
    return _kongs(view) == (1, 1)


@FAMILY.whole
def angang(view: View) -> bool:
    """暗杠: one concealed kong, and no more than one other."""
    return _kongs(view) in ((0, 1), (1, 1))


@FAMILY.whole
def minggang(view: View) -> bool:
    """明杠: one exposed or added kong, and no more than one other."""
    return _kongs(view) in ((1, 0), (1, 1))
