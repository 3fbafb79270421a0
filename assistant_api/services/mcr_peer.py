"""The package PyMahjongGB, asked about the same hands: for the comparison in the tests and in `jinque bench`."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable
from typing import Any

from engine.melds import Meld, MeldKind
from engine.sample_wins import SampleWin
from engine.tiles import Tile

_CODES = (
    *(f"{suit}{rank}" for suit in "WBT" for rank in range(1, 10)),
    *(f"F{number}" for number in range(1, 5)),
    *(f"J{number}" for number in range(1, 4)),
)
_OFFERED = 1


def has_peer() -> bool:
    """Whether PyMahjongGB is installed."""
    return importlib.util.find_spec("MahjongGB") is not None


def peer_arguments(win: SampleWin) -> tuple[Any, ...]:
    """The hand as the package takes it."""
    return (
        tuple(_pack(meld) for meld in win.melds),
        peer_tiles(win.concealed),
        _CODES[win.tile],
        0,
        win.self_drawn,
        win.last_of_kind,
        win.after_kong,
        win.last_tile,
        int(win.seat_wind),
        int(win.round_wind),
    )


def peer_tiles(tiles: Iterable[Tile]) -> tuple[str, ...]:
    """Tiles as the package names them."""
    return tuple(_CODES[tile] for tile in tiles)


def peer_count(win: SampleWin) -> int:
    """Total points by the package."""
    from MahjongGB import MahjongFanCalculator

    return sum(points * count for points, count, *_ in MahjongFanCalculator(*peer_arguments(win), True))


def _pack(meld: Meld) -> tuple[str, str, int]:
    middle = meld.tiles[1]
    assert isinstance(middle, Tile)
    name = "CHI" if meld.kind is MeldKind.CHOW else "GANG" if meld.is_kong else "PENG"
    return name, _CODES[middle], 0 if meld.kind is MeldKind.KONG_CONCEALED else _OFFERED
