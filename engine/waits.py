"""听牌: the kinds that complete a hand, and how many of each are left."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.decompose import count_in, has_term, suit_polynomials, take_golds, tile_key, with_one_more
from engine.errors import HandError
from engine.tiles import ALL_TILES, Tile

_SUITED_KINDS = ALL_TILES[:27]
_PLAYABLE_KINDS = ALL_TILES[:34]


@dataclass(frozen=True, slots=True)
class Wait:
    """A kind that completes the hand, and how many copies nobody has shown yet."""

    tile: Tile
    left: int


def winning_tiles(concealed: Iterable[Tile], gold: Tile | None = None, *, honours: bool = False) -> tuple[Tile, ...]:
    """The kinds that complete the hand when drawn, the gold kind among them; empty for a hand of the wrong size.

    A kind counts even when all its copies are gone. ``honours`` asks for honours too, where they are playable.

    >>> from engine.notation import format_tiles, parse_tiles
    >>> format_tiles(winning_tiles(parse_tiles("456789p123555s99m3m9s"), Tile.S9))
    '123459m9s'
    """
    key, golds = take_golds(tile_key(concealed), gold)
    m, p, s, z = suit_polynomials(key)
    others = (p * s * z, m * s * z, m * p * z, m * p * s)
    found = [
        tile
        for tile in (_PLAYABLE_KINDS if honours else _SUITED_KINDS)
        if tile is not gold and has_term(with_one_more(key, tile) * others[tile // 9], 1, golds)
    ]
    if gold is not None and has_term(m * others[0], 1, golds + 1):
        found.append(gold)
        found.sort()
    return tuple(found)


def waits(
    concealed: Iterable[Tile], gold: Tile | None = None, visible: Iterable[Tile] = (), *, honours: bool = False
) -> tuple[Wait, ...]:
    """Winning tiles with copies left: four of a kind less those in the hand and those in ``visible``.

    ``visible`` are melds, discards and the indicator, as far as they are seen. HandError for a hand that can never
    wait: a wrong number of tiles, more than four of a kind, flowers.

    >>> waits([Tile.M1], Tile.M9, [Tile.M9])
    (Wait(tile=<Tile.M1: 0>, left=3), Wait(tile=<Tile.M9: 8>, left=3))
    """
    held = tuple(concealed)
    _check(held)
    seen = tile_key((*held, *(tile for tile in visible if not tile.is_flower)))
    return tuple(
        Wait(tile, max(0, tile.copies - count_in(seen, tile))) for tile in winning_tiles(held, gold, honours=honours)
    )


def _check(held: tuple[Tile, ...]) -> None:
    if len(held) % 3 != 1:
        raise HandError(f"{len(held)} concealed tiles cannot wait; expected 1, 4, 7, 10, 13 or 16")
    for tile in held:
        if tile.is_flower:
            raise HandError(f"{tile.code} is a flower and cannot be held; expected suited tiles")
        if held.count(tile) > tile.copies:
            raise HandError(f"{held.count(tile)} tiles {tile.code} are too many; expected {tile.copies} at most")
