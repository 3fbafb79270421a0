"""Hands laid open: a seat that turns its tiles up in the lane of its hand declares a win."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant_api.services.live.changes import Act, Sight
from assistant_api.services.live.records import By, Change, LiveEvent, Noted
from engine.checks import is_flower
from engine.events import LaidOpen, WinClaim, seat_of
from engine.judging import Ruling
from engine.seats import SEATS, Seat
from engine.tiles import Tile
from vision.live.view import SeenTile, TableView, Zone

if TYPE_CHECKING:
    from assistant_api.services.live.table import LiveHand

PART = 0.65
"""So much of a hand has to be seen and read."""
OPEN_IN_PART_S = 0.7
LONE_S = 1.2
"""So long one tile lies beside a hand before the hand is won on it: before, the others of a meld may come."""
BESIDE = 3.0
"""Such a tile lies no further from the next one of the hand, in widths."""
OPEN_S = 0.5
"""So long the tiles lie open before it is a hand laid down."""
SURE = 0.8
"""A tile that came while a hand was laid open and shows its back more surely than this lies face down."""
STANDING = 0.9
"""Height by width in the picture below which a face is that of a standing tile."""


def opened_hands(hand: LiveHand, view: TableView, appeared: Iterable[SeenTile]) -> list[Sight]:
    """Seats whose hand lies open now: about as many faces as the seat has tiles, and hardly a back.

    ``appeared`` are laid tiles of which the log knows nothing: some of the row may be taken for melds.
    """
    loose = [tile for tile in appeared if tile.zone in (Zone.MELD, Zone.FLOWERS) and not _is_flower(tile, hand)]
    found = []
    for seat in SEATS:
        tiles = list(view.in_zone(Zone.HAND, seat))
        faces = [tile for tile in tiles if not tile.face_down and not stands(tile)]
        if not faces:
            continue
        unread = _unread(tiles, faces)
        backs = len(tiles) - len(faces) - len(unread)
        faces += unread
        faces += [tile for tile in loose if tile.seat is seat and not tile.face_down]
        if _is_judged(hand, seat, faces):
            continue
        count = hand.state.seats[seat].concealed_count
        opened = max(tile.since_s for tile in faces)
        whole = count - 1 <= len(faces) <= count + 2
        lone = _lone(hand, view, faces, [tile for tile in tiles if tile.face_down])
        if lone is not None:
            found.append(Sight(Act.OPEN_HAND, seat, (lone,), lone.since_s))
            continue
        if backs > max(1, count // 3) or view.time_s - opened < (OPEN_S if whole else OPEN_IN_PART_S):
            continue
        if not whole and (len(faces) > count or not _mostly_known(faces, count)):
            continue
        ordered = tuple(sorted(faces, key=lambda tile: (tile.tile is None, tile.tile or Tile.M1, tile.track)))
        found.append(Sight(Act.OPEN_HAND, seat, ordered, opened))
    return found


def _unread(tiles: list[SeenTile], faces: list[SeenTile]) -> list[SeenTile]:
    """Tiles of a hand taken for backs that came while it was laid open: faces that could not be read."""
    first_s = min(tile.since_s for tile in faces)
    return [tile for tile in tiles if tile.face_down and tile.since_s >= first_s and tile.confidence < SURE]


def _is_flower(tile: SeenTile, hand: LiveHand) -> bool:
    """Whether a tile was laid among the flowers, and is one: it is none of the hand that lies open beside them."""
    return tile.zone is Zone.FLOWERS and tile.tile is not None and is_flower(tile.tile, hand.state.rules)


def _is_judged(hand: LiveHand, seat: Seat, faces: list[SeenTile]) -> bool:
    """Whether the log has said since what these tiles were laid open for: they lie there while people argue."""
    said = [
        noted.time_s
        for noted in hand.notes
        if isinstance(noted.event, WinClaim | LaidOpen) and seat_of(noted.event) is seat
    ]
    return bool(said) and 2 * sum(tile.since_s > max(said) for tile in faces) <= len(faces)


def _lone(hand: LiveHand, view: TableView, faces: list[SeenTile], backs: list[SeenTile]) -> SeenTile | None:
    """The one face beside a hand when it is the tile that was thrown last and lies in the middle no more.

    Nobody takes a discard into the hand but to win on it; the hand itself may be read later. One that lies away from
    the hand is the first tile of a meld.
    """
    offered = hand.state.put_up
    if offered is None or offered.kong or len(faces) != 1 or view.time_s - faces[0].since_s < LONE_S:
        return None
    if backs and min(math.dist(faces[0].place, back.place) for back in backs) > BESIDE:
        return None
    key = hand.notes[offered.number - 1].key
    return faces[0] if faces[0].tile is offered.tile and (key, 0) in hand.gone_s else None


def _mostly_known(faces: list[SeenTile], count: int) -> bool:
    known = sum(tile.tile is not None and tile.confidence >= 0.7 for tile in faces)
    return known >= max(4, PART * count)


def other_wins(hand: LiveHand, opened: Iterable[Sight]) -> tuple[LiveHand, list[LiveEvent]]:
    """More seats that win on the same tile. Others lay their hands open too when it is over, so it has to be a win."""
    first = hand.state.win_claims[0][1]
    claimed = {claim.seat for _, claim in hand.state.win_claims}
    changes: list[LiveEvent] = []
    for sight in opened:
        faces = tuple(tile.tile for tile in sight.tiles if tile.tile is not None)
        if sight.seat is None or sight.seat in claimed or len(faces) < len(sight.tiles):
            continue
        claim = WinClaim(sight.seat, first.source, first.tile, faces)
        ruling = hand.referee.judge(claim)
        if not first.source.is_from_other or not isinstance(ruling, Ruling) or not ruling.stands:
            continue
        noted = Noted(hand.next_key, claim, By.CAMERA, 0.9, sight.time_s, hand.frame, sight.tiles)
        hand = replace(hand.with_notes((*hand.notes, noted)), next_key=hand.next_key + 1)
        changes.append(hand.change(Change.ADDED, len(hand.notes), noted))
    return hand, changes


def stands(tile: SeenTile) -> bool:
    """Whether a face is that of a standing tile: it looks lower than one that lies."""
    a, b, c, d = tile.quad
    width, height = math.dist(a, b) + math.dist(c, d), math.dist(b, c) + math.dist(d, a)
    return height < STANDING * width
