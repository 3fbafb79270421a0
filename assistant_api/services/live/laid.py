"""Tiles that lie where they do not belong, as what they must be by the moment: knows the part of a hand, no rules.

The zones of `vision.live` know places alone. A back that comes to lie in the middle of a game is a discard that cannot
be read; one in a row of flowers is a white dragon, which looks like a back; a few faces in the lane of a hand that is
closed are a meld.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from math import dist
from types import MappingProxyType

from assistant_api.services.live.beginning import MIDDLE, is_in_the_middle
from assistant_api.services.live.hands import stands
from engine.seats import SEATS, Seat
from engine.tiles import Tile
from vision.live.view import SeenTile, TableView, Zone

FEWEST, MOST = 3, 4
"""So many faces beside a closed hand make a meld; two that touch are one of which a tile is not found."""
ALONG_THE_WALL = 4.0
"""The gold moves no further than this at once, in widths."""
CLOSED = 4
"""So many backs at least are a closed hand."""
UNSEEN_S = 2.0
"""So long faces lie where a hand stands of which no tile is seen: of one that was laid open more are found by then."""
STRAYS = 2
"""So many faces at most beside a new meld belong to it: of a hand laid open there are more."""
NEXT_TO = 1.7
"""Tiles of a meld lie no further from the next, in widths."""
IN_ROW = 0.5
"""Tiles of a row of flowers lie no further before or behind the next, in widths."""
BLANK_S = 1.0
"""A back is seen among flowers for so long before it is taken for a blank tile."""
WITH_S = 1.5
"""Tiles that were laid together are found within this time."""
BLANK = 0.7
"""How surely it is one."""


def as_laid(
    view: TableView,
    before_play: Collection[int],
    gold: SeenTile | None = None,
    told: Collection[int] = (),
    closed: Collection[int] = (),
    counts: Mapping[Seat, int] = MappingProxyType({}),
) -> TableView:
    """The view with strays where they belong.

    ``before_play`` are the tracks that lay there before play, ``told`` those of melds in the log, ``closed`` those of
    `closed_tracks`, ``counts`` how many tiles a hand has by the log. ``gold`` is the tile turned up on the wall: it
    moves along when the tiles under it are drawn, and may seem to lie in both places for a while.
    """
    changed: dict[int, SeenTile] = {}
    for tile in view.tiles:
        if gold is not None and tile.zone is Zone.RIVER and tile.track != gold.track and _is_moved(gold, tile):
            changed[tile.track] = replace(tile, zone=Zone.WALL)
        inside = is_in_the_middle(tile.place)
        if tile.zone is Zone.WALL and tile.face_down and inside and tile.track not in before_play:
            changed[tile.track] = replace(tile, zone=Zone.RIVER)
    for seat in SEATS:
        changed.update({tile.track: tile for tile in _blanks(view.in_zone(Zone.FLOWERS, seat))})
        hand = view.in_zone(Zone.HAND, seat)
        faces = [tile for tile in hand if not tile.face_down and not stands(tile)]
        backs = len(hand) - len(faces)
        changed.update({tile.track: replace(tile, zone=Zone.MELD) for tile in faces if tile.track in told})
        faces = [tile for tile in faces if tile.track not in closed and tile.track not in told]
        few = FEWEST <= len(faces) <= MOST
        whole = len(faces) >= counts.get(seat, MOST + 1) and len({tile.tile for tile in faces}) > 1
        unseen = not backs and not whole and all(view.time_s - tile.since_s >= UNSEEN_S for tile in faces)
        if (backs >= CLOSED and (few or _touch(faces))) or (unseen and few and _in_a_row(faces)):
            changed.update({tile.track: replace(tile, zone=Zone.MELD) for tile in faces})
        elif len(faces) <= STRAYS:
            new = [
                tile.place for tile in view.in_zone(Zone.MELD, seat) if tile.track not in told and not tile.face_down
            ]
            beside = [tile for tile in faces if any(dist(tile.place, place) <= NEXT_TO for place in new)]
            changed.update({tile.track: replace(tile, zone=Zone.MELD) for tile in beside})
    if not changed:
        return view
    return replace(view, tiles=tuple(changed.get(tile.track, tile) for tile in view.tiles))


def _touch(faces: Sequence[SeenTile]) -> bool:
    return len(faces) == FEWEST - 1 and dist(faces[0].place, faces[1].place) <= NEXT_TO


def _in_a_row(faces: Sequence[SeenTile]) -> bool:
    return all(any(dist(one.place, other.place) <= NEXT_TO for other in faces if other is not one) for one in faces)


def _blanks(row: Sequence[SeenTile]) -> list[SeenTile]:
    """The backs beside flowers, or beside each other there, as white dragons: nobody lays a tile among them that is not
    turned up.

    One that lay there before the flowers is a mistake of the eye.
    """
    faces = [tile for tile in row if tile.tile is not None]
    backs = [tile for tile in row if tile.face_down and tile.seen_s - tile.since_s >= BLANK_S]
    blank: list[SeenTile] = []
    while beside := [tile for tile in backs if any(_in_row(tile, other) for other in (*faces, *blank))]:
        blank += beside
        backs = [tile for tile in backs if tile not in beside]
    return [replace(tile, tile=Tile.WHITE, face_down=False, confidence=BLANK, alternatives=()) for tile in blank]


def _in_row(tile: SeenTile, other: SeenTile) -> bool:
    """Whether a tile lies next to another one in a row, and was laid with it or later."""
    steps = sorted(abs(a - b) for a, b in zip(tile.place, other.place, strict=True))
    return steps[0] <= IN_ROW and steps[1] <= NEXT_TO and tile.since_s >= other.since_s - WITH_S


def closed_tracks(view: TableView, before: Collection[int]) -> frozenset[int]:
    """The tracks that are backs of a hand now or were, as ``before`` says: one that shows a face there later was turned
    up with its hand, or is misread. A meld is laid beside the hand, and its tiles are new there."""
    hands = view.in_zone(Zone.HAND)
    return frozenset(tile.track for tile in hands if tile.face_down or tile.track in before)


def _is_moved(gold: SeenTile, tile: SeenTile) -> bool:
    at_the_wall = max(abs(tile.place[0]), abs(tile.place[1])) > MIDDLE
    return at_the_wall and tile.tile is gold.tile and dist(gold.place, tile.place) < ALONG_THE_WALL
