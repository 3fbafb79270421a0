"""How simulated players choose. Simple and sensible: nearest to ready, with some whims, so that everything occurs.

A player sees the own hand and the tile that lies; the choices are among acts the rules allow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from engine.context import WinSource
from engine.events import Chow, Claim, KongAdded, KongConcealed, KongOpen, Pung, WinClaim
from engine.moves import held_tiles
from engine.shanten import discard_distances, distance
from engine.tiles import Tile


@dataclass(frozen=True, slots=True)
class Habits:
    """Chances, 0 to 1, of a player's whims."""

    pass_win: float = 0.08
    """Lets a win on another's tile go by (过水)."""
    pass_draw: float = 0.02
    """Lets a self-draw go by."""
    hold_golds: float = 0.4
    """Does not lay down three golds, to win by more."""
    throw_gold: float = 0.01
    """Throws a gold, at each discard with one in the hand."""
    second_best: float = 0.06
    """Throws a tile that takes the hand one step back."""
    idle_claim: float = 0.05
    """Claims a tile that brings the hand no nearer."""
    kong: float = 0.85
    """Makes a kong that does not set the hand back."""


@dataclass(frozen=True, slots=True)
class Player:
    """One seat's way to choose."""

    random: Random
    habits: Habits = Habits()

    def takes_win(self, claim: WinClaim, golds: int, steps: int) -> bool:
        """Whether to declare a win that stands; ``golds`` in hand, ``steps`` of the hand from ready."""
        habits = self.habits
        chance = habits.pass_win if claim.source.is_from_other else habits.pass_draw
        if golds >= 3 and not claim.source.is_from_other and steps <= 1:
            chance = habits.hold_golds
        elif claim.source is WinSource.LAST_GROUP:
            chance = 0.0
        return self.random.random() >= chance

    def discard(self, hand: Sequence[Tile], gold: Tile | None, barred: Iterable[Tile] = ()) -> Tile:
        """The tile to throw from a hand that has drawn or claimed; a barred one only if there is no other."""
        after = discard_distances(hand, gold)
        if gold in after and self.random.random() >= self.habits.throw_gold and len(after) > 1:
            del after[gold]
        for tile in barred:
            if tile in after and len(after) > 1:
                del after[tile]
        best = min(after.values())
        if self.random.random() < self.habits.second_best:
            best += 1
        options = [tile for tile, left in after.items() if left <= best]
        if len(options) == 1:
            return options[0]
        return min(options, key=lambda tile: _use(tile, hand) + self.random.random())

    def spare(self, hand: Sequence[Tile], gold: Tile | None) -> Tile:
        """The tile to throw from a hand with more tiles than a complete one."""
        return min((tile for tile in hand if tile is not gold), key=lambda tile: _use(tile, hand))

    def wants(self, claim: Claim, hand: Sequence[Tile], gold: Tile | None, steps: int) -> bool:
        """Whether to make a chow, pung or kong with a hand that is so many steps from ready."""
        rest = list(hand)
        if isinstance(claim, KongAdded):
            rest.remove(claim.tile)  # type: ignore[arg-type]
        elif isinstance(claim, Chow | Pung | KongOpen | KongConcealed):
            for tile in held_tiles(claim):
                rest.remove(tile)  # type: ignore[arg-type]
        if isinstance(claim, Chow | Pung):
            gain = steps - min(discard_distances(rest, gold).values())
            return gain > 0 or (gain == 0 and self.random.random() < self.habits.idle_claim)
        return distance(rest, gold) <= steps and self.random.random() < self.habits.kong


def _use(tile: Tile, hand: Sequence[Tile]) -> int:
    """How many tiles of the hand a tile goes with; the middle ranks go with more tiles to come."""
    near = sum(3 - abs(other - tile) for other in hand if abs(other - tile) <= 2 and other // 9 == tile // 9)
    return 2 * near + min(tile % 9, 8 - tile % 9, 2)
