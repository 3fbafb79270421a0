"""What the patterns of a fan table look at: a finished hand, seen in one division."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from engine.seats import Seat
from engine.shapes import Division, HandSet, SetKind, Shape, completing_kinds, kinds_in
from engine.tiles import Tile


@dataclass(frozen=True)
class FinishedHand:
    """A complete hand and how it was won; everything is known by now."""

    key: int
    """Packed counts of the concealed tiles, the winning tile among them."""
    melds: tuple[HandSet, ...]
    tile: Tile
    """The winning tile."""
    shapes: tuple[Shape, ...]
    """The shapes that are played."""
    self_drawn: bool = False
    after_kong: bool = False
    """Drawn as the replacement of a kong, or taken from a kong that was being added to."""
    last_tile: bool = False
    """The wall is empty: the tile was the last one, or the discard that followed it."""
    last_of_kind: bool = False
    """The three others of the winning kind lie open on the table."""
    seat_wind: Seat = Seat.EAST
    round_wind: Seat = Seat.EAST
    flowers: int = 0

    @cached_property
    def is_concealed(self) -> bool:
        """门前清: nothing was claimed; concealed kongs do not matter."""
        return not any(meld.melded for meld in self.melds)

    @cached_property
    def all_tiles(self) -> int:
        """Packed counts of concealed tiles and melds, a kong counting as three."""
        return self.key + sum(_key_of_set(one) for one in self.melds)

    @cached_property
    def four_alike(self) -> tuple[int, ...]:
        """Kinds of which the hand has four tiles that are no kong, one bit each."""
        kongs = sum(one.kinds for one in self.melds if one.kind is SetKind.KONG)
        fours = self.all_tiles & _FOURS
        if not fours:
            return ()
        kinds = kinds_in(fours) & ~kongs
        return tuple(1 << kind for kind in range(34) if kinds >> kind & 1)

    @cached_property
    def kinds(self) -> int:
        """Kinds of the whole hand, one bit each."""
        return kinds_in(self.all_tiles)

    @cached_property
    def suits(self) -> int:
        """How many of the three suits there are."""
        kinds = self.kinds
        return bool(kinds & 0x1FF) + bool(kinds & 0x1FF << 9) + bool(kinds & 0x1FF << 18)

    @cached_property
    def waits(self) -> int:
        """Kinds that would have completed the hand, one bit each."""
        return completing_kinds(self.key - (1 << 3 * self.tile), 4 - len(self.melds), self.shapes)

    @cached_property
    def waits_on_one(self) -> bool:
        """Only one kind completes the hand."""
        return not self.waits & self.waits - 1


_FOURS = sum(4 << 3 * kind for kind in range(34))


def _key_of_set(one: HandSet) -> int:
    if one.kind is SetKind.CHOW:
        return 0o111 << 3 * one.tile
    return 3 << 3 * one.tile


class View:
    """A finished hand in one division. Sets are numbered: concealed ones first, then the melds."""

    __slots__ = ("chows", "division", "hand", "is_standard", "kinds", "pair", "pungs", "sets", "shape")

    def __init__(self, hand: FinishedHand, division: Division) -> None:
        self.hand = hand
        self.division = division
        self.shape = division.shape
        self.sets = division.sets + hand.melds
        self.pair = division.pair
        self.kinds = hand.kinds
        self.is_standard = division.shape is Shape.STANDARD
        self.chows = [place for place, one in enumerate(self.sets) if one.kind is SetKind.CHOW]
        """Places of the chows."""
        self.pungs = [place for place, one in enumerate(self.sets) if one.kind is not SetKind.CHOW]
        """Places of pungs and kongs."""

    @property
    def concealed_pungs(self) -> list[int]:
        """暗刻: places of pungs and kongs made without another's tile.

        A tile taken from another goes into a chow or the pair where it can; else it makes its pung an open one.
        """
        found = [place for place in self.pungs if not self.sets[place].melded]
        hand = self.hand
        if hand.self_drawn or not found:
            return found
        own = self.division
        bit = 1 << hand.tile
        elsewhere = own.pair is hand.tile or bool(own.loose & bit)
        if elsewhere or any(one.kind is SetKind.CHOW and one.kinds & bit for one in own.sets):
            return found
        return [place for place in found if not (place < len(own.sets) and self.sets[place].kinds & bit)]

    def pungs_of(self, kinds: int) -> list[int]:
        """Places of the pungs and kongs of these kinds."""
        return [place for place in self.pungs if self.sets[place].kinds & kinds]
