"""Melds: what a seat has laid on the table besides its flowers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.seats import Seat
from engine.tiles import Face, Tile, Unseen


class MeldKind(StrEnum):
    """吃 碰 杠: how the tiles of a meld came together."""

    CHOW = "chow"
    PUNG = "pung"
    KONG_OPEN = "kong_open"
    KONG_ADDED = "kong_added"
    KONG_CONCEALED = "kong_concealed"

    @property
    def is_kong(self) -> bool:
        """True for the three kinds of kong."""
        return self in _KONGS

    @property
    def size(self) -> int:
        """How many tiles lie on the table: 3, or 4 for a kong. Each kind counts as three tiles of the hand."""
        return 4 if self in _KONGS else 3

    @property
    def zh(self) -> str:
        """Chinese name: 吃 碰 明杠 加杠 暗杠."""
        return _NAMES[self][0]

    @property
    def en(self) -> str:
        """English name, such as ``added kong``."""
        return _NAMES[self][1]


_KONGS = frozenset({MeldKind.KONG_OPEN, MeldKind.KONG_ADDED, MeldKind.KONG_CONCEALED})
_NAMES = {
    MeldKind.CHOW: ("吃", "chow"),
    MeldKind.PUNG: ("碰", "pung"),
    MeldKind.KONG_OPEN: ("明杠", "exposed kong"),
    MeldKind.KONG_ADDED: ("加杠", "added kong"),
    MeldKind.KONG_CONCEALED: ("暗杠", "concealed kong"),
}


@dataclass(frozen=True, slots=True)
class Meld:
    """One meld as it lies on the table.

    ``from_seat`` is the seat that gave the tile (of an added kong: of the pung below it), None when nobody did or
    nobody knows. A meld may be wrong: `fits` says whether its tiles make its kind, and the win check asks it.
    """

    kind: MeldKind
    tiles: tuple[Face, ...]
    from_seat: Seat | None = None

    @property
    def is_kong(self) -> bool:
        """True for the three kinds of kong."""
        return self.kind in _KONGS

    def fits(self, wild: Tile | None = None) -> bool:
        """Whether the tiles are as many as the kind needs and make a run or three or four alike; ``wild`` fills gaps.

        >>> Meld(MeldKind.CHOW, (Tile.P3, Tile.P5, Tile.P4)).fits()
        True
        >>> Meld(MeldKind.PUNG, (Tile.S3, Tile.S3, Tile.S4)).fits()
        False
        """
        if len(self.tiles) != self.kind.size:
            return False
        natural = [tile for tile in self.tiles if tile is not wild]
        if any(isinstance(tile, Unseen) for tile in natural):
            return False
        if self.kind is not MeldKind.CHOW:
            return len(set(natural)) <= 1
        return is_part_of_run([tile for tile in natural if isinstance(tile, Tile)])


def is_part_of_run(tiles: list[Tile]) -> bool:
    """Whether up to three tiles are different, of one suit and near enough to lie in one run.

    >>> is_part_of_run([Tile.M9, Tile.M7]), is_part_of_run([Tile.M9, Tile.P1]), is_part_of_run([Tile.EAST, Tile.SOUTH])
    (True, False, False)
    """
    return (
        all(tile.is_suited for tile in tiles)
        and len({tile.suit for tile in tiles}) <= 1
        and len(set(tiles)) == len(tiles)
        and (not tiles or max(tiles) - min(tiles) <= 2)
    )
