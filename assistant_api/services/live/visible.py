"""Which illegal acts a camera over the table can see, and by what. The trial and the tables of results go by it.

What lies open is seen: discards and whose they are, melds, flowers, the gold, a hand laid down. What is done with tiles
that nobody but their owner sees is known only by how many there are. A hand that lies face down can be counted. One
that stands is looked at from above or from behind: its tiles hide each other, and the number that is read is worth
nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.illegal import ILLEGAL_ACTS
from vision.synth.placing import STANDING
from vision.synth.table_plan import Customs


class SeenBy(StrEnum):
    """By what an act shows itself."""

    TABLE = "table"
    """By tiles that lie open."""
    COUNT = "count"
    """By the number of tiles of a hand, where the tiles lie face down."""
    NOTHING = "nothing"
    """Not at all."""


@dataclass(frozen=True, slots=True)
class Visibility:
    """By what an act is seen, and why."""

    by: SeenBy
    why: str
    in_a_heap: SeenBy | None = None
    """By what in a common heap of discards, where that makes a difference."""

    def at(self, customs: Customs) -> bool:
        """Whether it can be seen at a table with these customs."""
        by = self.by if self.in_a_heap is None or customs.river == "rows" else self.in_a_heap
        return by is SeenBy.TABLE or (by is SeenBy.COUNT and customs.closed != STANDING)


_OPENED = "the hand is laid open for the win"
_MELD = "the meld lies open"
_DISCARD = "the discard lies open"
VISIBLE: dict[str, Visibility] = {
    "guoshui_win": Visibility(SeenBy.TABLE, f"{_OPENED}, and the tile that was let go lies in the river"),
    "gold_lock_win": Visibility(SeenBy.TABLE, f"{_OPENED}, and the gold lies in the river"),
    "false_win": Visibility(SeenBy.TABLE, _OPENED),
    "false_self_draw": Visibility(SeenBy.TABLE, _OPENED),
    "chow_wrong_seat": Visibility(SeenBy.TABLE, _MELD),
    "bad_claim": Visibility(SeenBy.TABLE, _MELD),
    "gold_claimed": Visibility(SeenBy.TABLE, _MELD),
    "discard_out_of_turn": Visibility(
        SeenBy.TABLE,
        f"{_DISCARD} in the row of its seat; in a common heap the hand has a tile less",
        in_a_heap=SeenBy.COUNT,
    ),
    "flower_discarded": Visibility(SeenBy.TABLE, _DISCARD),
    "not_a_flower": Visibility(SeenBy.TABLE, "the tile lies open among the flowers"),
    "gold_discarded": Visibility(SeenBy.TABLE, _DISCARD),
    "swap_discard": Visibility(SeenBy.TABLE, f"{_DISCARD}, and so does the meld before it"),
    "claim_too_late": Visibility(SeenBy.COUNT, "the next seat has a tile more before the meld is laid"),
    "discard_without_draw": Visibility(SeenBy.COUNT, "the seat is left with a tile less"),
    "unreplaced_flower": Visibility(SeenBy.COUNT, "the seat is left with a tile less"),
    "unreplaced_kong": Visibility(SeenBy.COUNT, "the seat is left with a tile less"),
    "draw_out_of_turn": Visibility(SeenBy.COUNT, "a seat whose turn it is not has a tile more"),
    "second_draw": Visibility(SeenBy.COUNT, "the seat has two tiles more than between its turns"),
    "wrong_wall_end": Visibility(
        SeenBy.NOTHING, "the tile goes from the wall to the hand face down, and which stack got lower is not read"
    ),
}
"""Of each of `engine.illegal.ILLEGAL_ACTS`."""

assert VISIBLE.keys() == ILLEGAL_ACTS.keys()
