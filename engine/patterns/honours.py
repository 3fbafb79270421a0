"""字牌: winds and dragons."""

from __future__ import annotations

from collections.abc import Iterable

from engine.patterns.library import DRAGONS, HONOURS, WINDS, Family, mask
from engine.patterns.view import View
from engine.seats import Seat
from engine.tiles import Tile

FAMILY = Family()


def _pungs_and_pair(view: View, kinds: int, pungs: int) -> Iterable[int]:
    """The places of so many pungs of some kinds when the pair is of them too."""
    places = view.pungs_of(kinds)
    return [mask(places)] if len(places) == pungs and view.pair is not None and 1 << view.pair & kinds else []


def _just(view: View, kinds: int, pungs: int) -> Iterable[int]:
    places = view.pungs_of(kinds)
    return [mask(places)] if len(places) == pungs else []


@FAMILY.of_sets
def dasixi(view: View) -> Iterable[int]:
    """大四喜: pungs of all four winds."""
    return _just(view, WINDS, 4)


@FAMILY.of_sets
def dasanyuan(view: View) -> Iterable[int]:
    """大三元: pungs of all three dragons."""
    return _just(view, DRAGONS, 3)


@FAMILY.of_sets
def xiaosixi(view: View) -> Iterable[int]:
    """小四喜: pungs of three winds and a pair of the fourth."""
    return _pungs_and_pair(view, WINDS, 3)


@FAMILY.of_sets
def xiaosanyuan(view: View) -> Iterable[int]:
    """小三元: pungs of two dragons and a pair of the third."""
    return _pungs_and_pair(view, DRAGONS, 2)


@FAMILY.whole
def ziyise(view: View) -> bool:
    """字一色: honours alone."""
    return not view.kinds & ~HONOURS


@FAMILY.of_sets
def sanfengke(view: View) -> Iterable[int]:
    """三风刻: pungs of three winds."""
    return _just(view, WINDS, 3)


@FAMILY.of_sets
def shuangjianke(view: View) -> Iterable[int]:
    """双箭刻: pungs of two dragons."""
    return _just(view, DRAGONS, 2)


@FAMILY.of_sets
def jianke(view: View) -> Iterable[int]:
    """箭刻: a pung of dragons, each."""
    return [1 << place for place in view.pungs_of(DRAGONS)]


@FAMILY.of_sets
def quanfengke(view: View) -> Iterable[int]:
    """圈风刻: a pung of the wind of the round."""
    return [1 << place for place in view.pungs_of(_wind(view.hand.round_wind))]


@FAMILY.of_sets
def menfengke(view: View) -> Iterable[int]:
    """门风刻: a pung of the wind of the seat."""
    return [1 << place for place in view.pungs_of(_wind(view.hand.seat_wind))]


def _wind(seat: Seat) -> int:
    return 1 << Tile.EAST + seat
