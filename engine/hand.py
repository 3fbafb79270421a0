"""The tiles of one seat."""

from __future__ import annotations

from dataclasses import dataclass

from engine.melds import Meld
from engine.tiles import Face


@dataclass(frozen=True, slots=True)
class Hand:
    """Concealed tiles and melds of one seat at some moment."""

    concealed: tuple[Face, ...]
    melds: tuple[Meld, ...] = ()

    @property
    def size(self) -> int:
        """Tiles of the hand when each meld, kong or not, counts three and flowers none.

        >>> from engine.notation import parse_meld, parse_tiles
        >>> Hand(parse_tiles("123m55p"), (parse_meld("4444s@W"),)).size
        8
        """
        return len(self.concealed) + 3 * len(self.melds)
