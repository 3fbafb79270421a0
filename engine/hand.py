"""The tiles of one seat, and how many there should be."""

from __future__ import annotations

from dataclasses import dataclass

from engine.melds import Meld
from engine.tiles import Face


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """Concealed tiles, melds and flowers of one seat."""

    concealed: tuple[Face, ...] = ()
    melds: tuple[Meld, ...] = ()
    flowers: tuple[Face, ...] = ()

    @property
    def faces(self) -> tuple[Face, ...]:
        """Everything the seat has in hand and on the table."""
        return (*self.concealed, *(face for meld in self.melds for face in meld.tiles), *self.flowers)

    @property
    def size(self) -> int:
        """Tiles of the hand when each meld, kong or not, counts three and flowers none.

        >>> Hand(concealed=()).size
        0
        """
        return len(self.concealed) + 3 * len(self.melds)
