"""Which tile in sight is which tile of the log: by identity first, then by what it shows and where it lies."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assistant_api.services.live.melds import chance_to_be
from assistant_api.services.live.slots import Slot, SlotKey
from engine.seats import Seat
from engine.tiles import Tile, Unseen
from vision.live.view import SeenTile, TableView, Zone

LAID = (Zone.RIVER, Zone.MELD, Zone.FLOWERS, Zone.GOLD)
"""Zones whose tiles the log accounts for."""
SAME_PLACE = 0.45
"""Tiles nearer than this to where one lay are that one, whatever was read."""
BESIDE_THE_WALL = 6.5
"""The gold that moves along with its wall may seem to lie in the river, but no nearer to the middle, in widths."""
BESIDE = 1.3
"""A tile that was taken for another one lies no further from where that turns up again, in widths."""
UNLIKE, SURE = 0.9, 0.85
"""A discard read as this much another kind, both readings so sure, is another tile that took its place."""
PUSHED = 3.0
"""How far, in widths, a tile that shows the same may have been pushed along."""


@dataclass(frozen=True, slots=True)
class Differences:
    """A view against the log.

    Attributes:
        matched: the tile in sight for each slot that has one.
        appeared: laid tiles in sight of which the log knows nothing.
        vanished: slots whose tile was in sight and is not any more.
        missing: slots whose tile never was in sight.
    """

    matched: Mapping[SlotKey, SeenTile]
    appeared: tuple[SeenTile, ...]
    vanished: tuple[Slot, ...]
    missing: tuple[Slot, ...]


def differences(slots: Sequence[Slot], known: Mapping[SlotKey, SeenTile], view: TableView) -> Differences:
    """Matches a view with the slots. ``known`` is the tile last seen in each slot."""
    laid = {tile.track: tile for tile in view.tiles if tile.zone in LAID}
    matched: dict[SlotKey, SeenTile] = {}
    open_slots: list[Slot] = []
    for slot in slots:
        before = known.get(slot.key)
        seen = None if before is None else laid.get(before.track)
        if before is not None and seen is not None and _stayed(slot, before, seen):
            matched[slot.key] = laid.pop(seen.track)
        else:
            open_slots.append(slot)
    pairs = sorted(
        (cost, slot.key, track)
        for slot in open_slots
        for track, tile in laid.items()
        if (cost := _cost(slot, known.get(slot.key), tile)) is not None
    )
    for _, key, track in pairs:
        if key not in matched and track in laid:
            matched[key] = laid.pop(track)
    for slot in slots:
        _take_back(slot, matched, laid)
    left = [slot for slot in open_slots if slot.key not in matched]
    return Differences(
        matched,
        tuple(laid.values()),
        tuple(slot for slot in left if slot.key in known and not slot.may_be_gone),
        tuple(slot for slot in left if slot.key not in known),
    )


def _take_back(slot: Slot, matched: dict[SlotKey, SeenTile], laid: dict[int, SeenTile]) -> None:
    """Gives a slot its own tile again, where another one beside it had been taken for it while it was covered."""
    taken = matched.get(slot.key)
    if taken is None or taken.face_down or not isinstance(slot.face, Tile) or taken.tile is slot.face:
        return
    own = [
        tile
        for tile in laid.values()
        if tile.tile is slot.face and _same_part(slot, tile) and math.dist(tile.place, taken.place) < BESIDE
    ]
    if len(own) == 1:
        matched[slot.key] = laid.pop(own[0].track)
        laid[taken.track] = taken


def _stayed(slot: Slot, before: SeenTile, seen: SeenTile) -> bool:
    """Whether a tile of the same track is still the one of the slot: it lies where it lay, or in the same part.

    A discard that now lies in a meld was claimed; a flower that turns up before another seat is another one.
    """
    return math.dist(before.place, seen.place) < SAME_PLACE or _same_part(slot, seen)


def _cost(slot: Slot, before: SeenTile | None, tile: SeenTile) -> float | None:
    """How badly a tile fits a slot, None where it does not."""
    unlike = label_cost(slot, tile)
    if before is None:
        if unlike > 0.9 or not _same_part(slot, tile) or (slot.zone is Zone.GOLD and tile.zone is not Zone.GOLD):
            return None
        return 1.0 + unlike
    distance = math.dist(before.place, tile.place)
    if distance < SAME_PLACE and before.zone is tile.zone:
        return None if _is_another(slot, before, tile, unlike) else unlike * 0.5 + distance
    if unlike > 0.9 or not _same_part(slot, tile):
        return None
    if slot.zone is Zone.RIVER and distance > PUSHED:
        return None
    return 1.0 + unlike + distance / 4


def _is_another(slot: Slot, before: SeenTile, tile: SeenTile, unlike: float) -> bool:
    """Whether a tile took the place of a discard: that was claimed, and the next one in the row lies where it lay."""
    if slot.zone is not Zone.RIVER or tile.track == before.track or before.tile is not slot.face:
        return False
    return unlike > UNLIKE and min(before.confidence, tile.confidence) > SURE


def _same_part(slot: Slot, tile: SeenTile) -> bool:
    """Whether a tile lies in the part of the table the slot is in; whose river it is is not always to be told."""
    lanes = (Zone.MELD, Zone.FLOWERS)
    if slot.zone in lanes:
        return tile.zone in lanes and _same_seat(slot.seat, tile.seat)
    if slot.zone is Zone.RIVER:
        return tile.zone is Zone.RIVER and _same_seat(slot.seat, tile.seat)
    beside = tile.zone is Zone.RIVER and tile.tile is slot.face and max(map(abs, tile.place)) > BESIDE_THE_WALL
    return tile.zone is slot.zone or (slot.zone is Zone.GOLD and beside)


def _same_seat(one: Seat | None, other: Seat | None) -> bool:
    return one is None or other is None or one is other


def label_cost(slot: Slot, tile: SeenTile) -> float:
    """0 where a tile shows what the slot holds, up to 1 where that is out of the question."""
    face = slot.face
    if face is Unseen.BACK:
        return 0.0 if tile.face_down else 0.3
    if tile.face_down:
        return 0.5 if slot.zone is Zone.MELD else 1.0
    if face is Unseen.UNREADABLE or tile.tile is None:
        return 0.4
    if tile.tile is face:
        return 0.0
    return 1.0 - chance_to_be(tile, face)
