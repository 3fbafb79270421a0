"""What may look wrong in a reading. A draft with problems is still a draft: people decide."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ProblemCode(StrEnum):
    """Stable names of findings."""

    NO_TILES = "no_tiles"
    """No tile was found in the picture."""
    CUT_OFF = "cut_off"
    """Unreadable tiles at the edge of the picture were left out."""
    TILE_COUNT = "tile_count"
    """Concealed tiles, winning tile and melds are more or fewer than a finished hand has (a kong counts as three)."""
    TOO_MANY_COPIES = "too_many_copies"
    """More tiles of a kind than a set holds; the least sure ones are named."""
    BY_CONTEXT = "by_context"
    """Tiles that alone would be unknown and were named by what else lies in the picture."""
    UNKNOWN_TILE = "unknown_tile"
    """Faces that could not be told."""
    DOUBTFUL_GROUP = "doubtful_group"
    """A gap that may or may not part two groups; run and triplet shapes decided."""
    NOT_A_MELD = "not_a_meld"
    """Three or four tiles lie together, apart from the hand, but are no run, triplet or kong."""
    FLOWER_IN_HAND = "flower_in_hand"
    """A flower between tiles of the hand: misread, or not yet replaced."""
    STRAY_TILE = "stray_tile"
    """Tiles that belong to no group."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding about a reading.

    Attributes:
        code: stable name.
        message: one English sentence.
        tiles: indices of the readings concerned.
        found, expected: the two numbers where something was counted, else None.
    """

    code: ProblemCode
    message: str
    tiles: tuple[int, ...] = ()
    found: int | None = None
    expected: int | None = None

    def as_json(self) -> dict[str, object]:
        """Wire form; the two counts only where something was counted."""
        counts = {} if self.found is None else {"found": self.found, "expected": self.expected}
        return {"code": self.code.value, "message": self.message, "tiles": list(self.tiles), **counts}
