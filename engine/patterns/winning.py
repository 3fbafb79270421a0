"""和牌方式: how the hand was won, what it waited on, and what was claimed before."""

from __future__ import annotations

from collections.abc import Iterable

from engine.decompose import count_in
from engine.patterns.library import Family
from engine.patterns.view import View
from engine.shapes import SetKind
from engine.tiles import Tile

FAMILY = Family()


@FAMILY.whole
def miaoshou_huichun(view: View) -> bool:
    """妙手回春: self-drawn with the last tile of the wall."""
    return view.hand.self_drawn and view.hand.last_tile


@FAMILY.whole
def haidi_laoyue(view: View) -> bool:
    """海底捞月: off the last discard."""
    return not view.hand.self_drawn and view.hand.last_tile


@FAMILY.whole
def gangshang_kaihua(view: View) -> bool:
    """杠上开花: with the replacement of a kong; of a flower it does not count."""
    return view.hand.self_drawn and view.hand.after_kong


@FAMILY.whole
def qianggang(view: View) -> bool:
    """抢杠和: with a tile another seat adds to its pung."""
    return not view.hand.self_drawn and view.hand.after_kong


@FAMILY.whole
def juezhang(view: View) -> bool:
    """和绝张: with the fourth tile of a kind whose three others lie open, be it in the own melds."""
    hand = view.hand
    if count_in(hand.key, hand.tile) > 1:
        return False
    return hand.last_of_kind or count_in(hand.all_tiles, hand.tile) == 4


@FAMILY.whole
def quanqiuren(view: View) -> bool:
    """全求人: four claimed sets, and the pair completed by a discard."""
    return not view.hand.self_drawn and len(view.hand.melds) == 4 and all(one.melded for one in view.hand.melds)


@FAMILY.whole
def buqiuren(view: View) -> bool:
    """不求人: self-drawn with nothing claimed."""
    return view.hand.self_drawn and view.hand.is_concealed


@FAMILY.whole
def menqianqing(view: View) -> bool:
    """门前清: nothing claimed, won off another's tile."""
    return not view.hand.self_drawn and view.hand.is_concealed


@FAMILY.whole
def zimo(view: View) -> bool:
    """自摸: self-drawn."""
    return view.hand.self_drawn


@FAMILY.whole
def bianzhang(view: View) -> bool:
    """边张: the only wait is the 3 of 123 or the 7 of 789."""
    return any(_is_edge(view.hand.tile, low) for low in _chows_with_the_tile(view)) and view.hand.waits_on_one


@FAMILY.whole
def kanzhang(view: View) -> bool:
    """坎张: the only wait is the middle tile of a chow."""
    return any(low + 1 == view.hand.tile for low in _chows_with_the_tile(view)) and view.hand.waits_on_one


@FAMILY.whole
def dandiao(view: View) -> bool:
    """单钓将: the only wait is the second tile of the pair."""
    return view.pair is view.hand.tile and view.hand.waits_on_one


@FAMILY.of_sets
def huapai(view: View) -> Iterable[int]:
    """花牌: a flower, each."""
    return [0] * view.hand.flowers


def _chows_with_the_tile(view: View) -> list[Tile]:
    bit = 1 << view.hand.tile
    return [one.tile for one in view.division.sets if one.kind is SetKind.CHOW and one.kinds & bit]


def _is_edge(tile: Tile, low: Tile) -> bool:
    return (low % 9 == 0 and tile == low + 2) or (low % 9 == 6 and tile == low)
