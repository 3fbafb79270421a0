"""Speed of counting Chinese Official hands, beside PyMahjongGB and the package `mahjong` on the same hands.

`mahjong` counts the same tiles by Japanese rules: another table of patterns, the same kind of work. Knitted hands,
which it does not know, are left out for all.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from importlib.metadata import version
from random import Random
from typing import Any

from assistant_api.services.mcr_peer import has_peer, peer_arguments
from engine.bench import Clock, Measure, measure
from engine.melds import MeldKind
from engine.rulesets.mcr import load
from engine.sample_wins import SampleWin, count_sample, sample_win
from engine.shapes import Shape


def sample_hands(random: Random, count: int) -> list[SampleWin]:
    """So many winning hands that every one of the programs knows."""
    table, hands = load("mcr").table, list[SampleWin]()
    while len(hands) < count:
        win = sample_win(random)
        if count_sample(win, table).division.shape not in (Shape.KNITTED, Shape.KNITTED_STRAIGHT):
            hands.append(win)
    return hands


def bench_fans(clock: Clock, hands: list[SampleWin]) -> list[Measure]:
    """Counting all fans of a winning hand: the engine first, then each peer that is installed."""
    table = load("mcr").table
    found = [_measure("Chinese Official: all fans of a win", clock, hands, lambda win: count_sample(win, table))]
    if has_peer():
        from MahjongGB import MahjongFanCalculator

        name = f"PyMahjongGB {version('PyMahjongGB')} (C++): all fans of a win"
        given = {id(win): peer_arguments(win) for win in hands}
        found.append(_measure(name, clock, hands, lambda win: MahjongFanCalculator(*given[id(win)])))
    if importlib.util.find_spec("mahjong") is not None:
        name = f"mahjong {version('mahjong')}: all yaku of the same tiles"
        calls = {id(win): _japanese(win) for win in hands}
        found.append(_measure(name, clock, hands, lambda win: calls[id(win)]()))
    return found


def _measure(name: str, clock: Clock, hands: list[SampleWin], ask: Callable[[SampleWin], object]) -> Measure:
    return measure(name, clock, lambda: [ask(win) for win in hands], len(hands))


def _japanese(win: SampleWin) -> Callable[[], Any]:
    """A call of the package `mahjong` for this hand, arguments built."""
    from mahjong.hand_calculating.hand import HandCalculator
    from mahjong.hand_calculating.hand_config import HandConfig
    from mahjong.meld import Meld

    used = dict.fromkeys(range(34), 0)

    def number(tile: int) -> int:
        used[tile] += 1
        return 4 * tile + used[tile] - 1

    melds, tiles = [], []
    for meld in win.melds:
        numbers = [number(int(face)) for face in meld.tiles if not isinstance(face, str)]  # type: ignore[arg-type]
        kind = Meld.CHI if meld.kind is MeldKind.CHOW else Meld.KAN if meld.is_kong else Meld.PON
        melds.append(Meld(kind, numbers, opened=meld.kind is not MeldKind.KONG_CONCEALED))
        tiles += numbers
    tiles += [number(int(tile)) for tile in win.concealed]
    winning = number(int(win.tile))
    config = HandConfig(is_tsumo=win.self_drawn)
    return lambda: HandCalculator.estimate_hand_value([*tiles, winning], winning, melds=melds, config=config)
