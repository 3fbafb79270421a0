"""The short public record of a hand that locks and windows are read from: who discarded, drew or claimed what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.hand import Hand
from engine.melds import Meld, MeldKind
from engine.rulesets.base import TableRules
from engine.seats import Seat
from engine.tiles import Face, Tile


class StepKind(StrEnum):
    """What a seat visibly did."""

    DISCARD = "discard"
    DRAW = "draw"
    CLAIM = "claim"
    KONG_ADDED = "kong_added"
    KONG_CONCEALED = "kong_concealed"
    FLOWERS = "flowers"

    @property
    def puts_up(self) -> bool:
        """Whether the tile lies open for others to win on."""
        return self in (StepKind.DISCARD, StepKind.KONG_ADDED)


@dataclass(frozen=True, slots=True)
class Step:
    """One step; ``tile`` is None when nobody else saw it.

    ``used`` are the tiles that left the hand for a claim, a kong or as flowers, None when that is not known. ``number``
    is the number of the event in its log.
    """

    kind: StepKind
    seat: Seat
    tile: Tile | None = None
    used: tuple[Face, ...] | None = None
    number: int = 0


def hands_then(steps: Sequence[Step], seat: Seat, now: Hand) -> list[Hand | None]:
    """The hand of a seat at each step of the others, taken back from the present one.

    Own discards are put back, own draws and claims undone. Where that is not possible (a draw whose tile is unknown, a
    claim that fits no meld or more than one), all earlier hands are None.
    """
    hands: list[Hand | None] = []
    then: Hand | None = now
    for step in reversed(steps):
        if step.seat is seat and then is not None:
            then = _undo(step, then)
        hands.append(then)
    hands.reverse()
    return hands


def _undo(step: Step, hand: Hand) -> Hand | None:
    """The hand before an own step, or None."""
    tile = step.tile
    if step.kind is StepKind.FLOWERS:
        return Hand((*hand.concealed, *(step.used or ())), hand.melds)
    if step.kind is StepKind.DRAW and tile is None:
        tile = _only_flower(hand)
    if tile is None:
        return None
    if step.kind is StepKind.DISCARD:
        return Hand((*hand.concealed, tile), hand.melds)
    if step.kind is StepKind.DRAW:
        return None if tile not in hand.concealed else Hand(_without(hand.concealed, tile), hand.melds)
    if step.kind is StepKind.KONG_ADDED:
        return _undo_added(tile, hand)
    return _undo_meld(step, tile, hand)


def _only_flower(hand: Hand) -> Tile | None:
    """A drawn tile nobody saw was the flower that was laid open right after it."""
    flowers = [face for face in hand.concealed if isinstance(face, Tile) and not face.is_suited]
    return flowers[0] if len(flowers) == 1 else None


def _undo_meld(step: Step, tile: Tile, hand: Hand) -> Hand | None:
    concealed = step.kind is StepKind.KONG_CONCEALED
    fitting = [
        meld
        for meld in hand.melds
        if tile in meld.tiles
        and (meld.kind is MeldKind.KONG_CONCEALED) is concealed
        and (step.used is None or concealed or sorted(meld.tiles, key=str) == sorted((tile, *step.used), key=str))
    ]
    if len(fitting) != 1:
        return None
    melds = list(hand.melds)
    melds.remove(fitting[0])
    used = fitting[0].tiles if concealed else _without(fitting[0].tiles, tile)
    return Hand((*hand.concealed, *used), tuple(melds))


def _undo_added(tile: Tile, hand: Hand) -> Hand | None:
    for place, meld in enumerate(hand.melds):
        if meld.kind is MeldKind.KONG_ADDED and tile in meld.tiles:
            pung = Meld(MeldKind.PUNG, meld.tiles[:3], meld.from_seat)
            return Hand((*hand.concealed, tile), (*hand.melds[:place], pung, *hand.melds[place + 1 :]))
    return None


def _without(faces: tuple[Face, ...], tile: Tile) -> tuple[Face, ...]:
    place = faces.index(tile)
    return faces[:place] + faces[place + 1 :]


def is_rob_window_open(steps: Sequence[Step], seat: Seat, dealer: Seat, rules: TableRules) -> bool:
    """Whether the gold can still be robbed: nothing has followed the dealer's first discard.

    ``instead_of_first_draw``: a non-dealer has neither drawn nor claimed; ``first_draw_is_gold``: he has drawn once.
    """
    own = [step for step in steps if step.seat is seat and step.kind is not StepKind.DISCARD]
    if seat is not dealer and rules.rob_window == "instead_of_first_draw":
        return not own
    if seat is not dealer and rules.rob_window == "first_draw_is_gold":
        return len(own) <= 1 and all(step.kind is StepKind.DRAW for step in own)
    first = next((n for n, step in enumerate(steps) if step.seat is dealer and step.kind is StepKind.DISCARD), None)
    return first is None or first == len(steps) - 1
