"""特殊牌型: shapes that are not four sets and a pair, and hands that are one fixed picture."""

from __future__ import annotations

from engine.patterns.library import HONOURS, Family
from engine.patterns.view import View
from engine.shapes import SetKind, Shape

FAMILY = Family()

_NINE_GATES = 0o311111113


@FAMILY.whole
def qidui(view: View) -> bool:
    """七对: seven pairs; four of a kind may be two of them."""
    return view.shape is Shape.SEVEN_PAIRS


@FAMILY.whole
def lianqidui(view: View) -> bool:
    """连七对: seven pairs of one suit in a row."""
    if view.shape is not Shape.SEVEN_PAIRS or view.hand.suits != 1 or view.kinds & HONOURS:
        return False
    low = view.kinds & -view.kinds
    return view.kinds == low * 0b1111111


@FAMILY.whole
def shisanyao(view: View) -> bool:
    """十三幺: one of each terminal and honour and one more of them."""
    return view.shape is Shape.ORPHANS


@FAMILY.whole
def quanbukao(view: View) -> bool:
    """全不靠: fourteen different tiles, honours and 147, 258, 369 of three suits."""
    return view.shape is Shape.KNITTED


@FAMILY.whole
def qixing_bukao(view: View) -> bool:
    """七星不靠: the seven honours and seven knitted tiles."""
    return view.shape is Shape.KNITTED and view.kinds & HONOURS == HONOURS


@FAMILY.whole
def zuhelong(view: View) -> bool:
    """组合龙: all nine of 147, 258 and 369 in three suits."""
    return view.shape is Shape.KNITTED_STRAIGHT or (
        view.shape is Shape.KNITTED and (view.kinds & ~HONOURS).bit_count() == 9
    )


@FAMILY.whole
def jiulian_baodeng(view: View) -> bool:
    """九莲宝灯: 1112345678999 of one suit, concealed, and one more tile of it."""
    hand = view.hand
    if hand.melds or hand.suits != 1 or view.kinds & HONOURS:
        return False
    waiting = hand.key - (1 << 3 * hand.tile)
    return waiting >> 27 * (hand.tile // 9) == _NINE_GATES


@FAMILY.whole
def yise_shuanglonghui(view: View) -> bool:
    """一色双龙会: 123 and 789 of one suit, twice, and a pair of its five."""
    if view.pair is None or view.pair >= 27 or len(view.chows) != 4:
        return False
    first = view.pair // 9 * 9
    return view.pair % 9 == 4 and sorted(view.sets[place].tile for place in view.chows) == [
        first,
        first,
        first + 6,
        first + 6,
    ]


@FAMILY.whole
def sanse_shuanglonghui(view: View) -> bool:
    """三色双龙会: 123 and 789 of two suits and a pair of the five of the third."""
    if view.pair is None or view.pair >= 27 or view.pair % 9 != 4 or len(view.chows) != 4:
        return False
    others = [9 * suit for suit in range(3) if suit != view.pair // 9]
    return sorted(one.tile for one in view.sets) == sorted([*others, *(low + 6 for low in others)])


@FAMILY.whole
def pinghu(view: View) -> bool:
    """平和: four chows and a pair of a suit. A knitted straight stands for three chows."""
    chows = sum(one.kind is SetKind.CHOW for one in view.sets)
    wanted = 1 if view.shape is Shape.KNITTED_STRAIGHT else 4
    return view.pair is not None and view.pair < 27 and chows == wanted
