"""Melds of which a tile is not found: two lie there, and the discard that left the river then is the third."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import dist
from typing import TYPE_CHECKING

from assistant_api.services.live.changes import SURE, Act, Gathered, Sight
from assistant_api.services.live.melds import NEAR
from engine.melds import is_part_of_run
from engine.seats import SEATS
from engine.tiles import Tile
from vision.live.view import SeenTile, Zone

if TYPE_CHECKING:
    from assistant_api.services.live.table import LiveHand

WAIT_S = 2.6
"""So long is waited for the third tile."""
TAKEN_S = 4.0
"""The discard left no longer before or after the two were found."""


def with_melds_in_part(hand: LiveHand, gathered: Gathered) -> Gathered:
    """What was gathered, with such melds in place of loose tiles."""
    found = melds_in_part(hand, gathered.loose)
    if not found:
        return gathered
    inside = {tile.track for sight in found for tile in sight.tiles}
    loose = tuple(tile for tile in gathered.loose if tile.track not in inside)
    return Gathered((*gathered.sights, *found), loose)


def melds_in_part(hand: LiveHand, loose: Sequence[SeenTile]) -> list[Sight]:
    """Melds made of two of the ``loose`` tiles of a seat and a tile that was thrown by another and is gone."""
    found = []
    for seat in SEATS:
        own = [tile for tile in loose if tile.seat is seat]
        if len(own) != 2 or not all(_is_sure(tile) for tile in own):
            continue
        one, other = own
        at = max(one.since_s, other.since_s)
        if hand.time_s - at < WAIT_S or dist(one.place, other.place) > 2 * NEAR:
            continue
        for tile in _thrown(hand, at):
            if tile.seat is not seat and _is_meld(one, other, tile):
                x, y = ((a + b) / 2 for a, b in zip(one.place, other.place, strict=True))
                third = replace(
                    tile, track=-tile.track - 1, zone=Zone.MELD, seat=seat, place=(x, y), since_s=at, confidence=SURE
                )
                found.append(Sight(Act.MELD, seat, (one, other, third), at))
                break
    return found


def _is_sure(tile: SeenTile) -> bool:
    return tile.tile is not None and not tile.face_down and tile.confidence >= SURE


def _thrown(hand: LiveHand, at_s: float) -> Iterator[SeenTile]:
    """The discards that left the river about this time, the latest first, as they lay there."""
    for slot in reversed(hand.slots):
        gone_s = hand.gone_s.get(slot.key)
        if slot.zone is Zone.RIVER and gone_s is not None and abs(gone_s - at_s) <= TAKEN_S:
            yield hand.known[slot.key]
    for one in hand.memory.values():
        if one.gone_s is not None and abs(one.gone_s - at_s) <= TAKEN_S:
            yield one.tile


def _is_meld(one: SeenTile, other: SeenTile, third: SeenTile) -> bool:
    kinds = [tile.tile for tile in (one, other, third) if isinstance(tile.tile, Tile)]
    return len(kinds) == 3 and (len(set(kinds)) == 1 or is_part_of_run(kinds))
