"""Tiles that lie where they do not belong, as what they must be by the moment: knows the part of a hand, no rules.

The zones of `vision.live` know places alone. A back that comes to lie in the middle of a game is a discard that cannot
be read; a few faces in the lane of a hand that is closed are a meld.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from math import dist

from assistant_api.services.live.beginning import MIDDLE
from assistant_api.services.live.hands import stands
from engine.seats import SEATS
from vision.live.view import SeenTile, TableView, Zone

FEWEST, MOST = 3, 4
"""So many faces beside a closed hand make a meld."""
ALONG_THE_WALL = 4.0
"""The gold moves no further than this at once, in widths."""
CLOSED = 4
"""So many backs at least are a closed hand."""
STRAYS = 2
"""So many faces at most beside a new meld belong to it: of a hand laid open there are more."""
NEXT_TO = 1.7
"""Tiles of a meld lie no further from the next, in widths."""


def as_laid(
    view: TableView,
    before_play: Collection[int],
    gold: SeenTile | None = None,
    told: Collection[int] = (),
    closed: Collection[int] = (),
) -> TableView:
    """The view with strays where they belong.

    ``before_play`` are the tracks that lay there before play, ``told`` those that the log knows, ``closed`` those of
    `closed_tracks`. ``gold`` is the tile turned up on the wall: it moves along when the tiles under it are drawn, and
    may seem to lie in both places for a while.
    """
    changed: dict[int, SeenTile] = {}
    for tile in view.tiles:
        if gold is not None and tile.zone is Zone.RIVER and tile.track != gold.track and _is_moved(gold, tile):
            changed[tile.track] = replace(tile, zone=Zone.WALL)
        inside = max(abs(tile.place[0]), abs(tile.place[1])) < MIDDLE
        if tile.zone is Zone.WALL and tile.face_down and inside and tile.track not in before_play:
            changed[tile.track] = replace(tile, zone=Zone.RIVER)
    for seat in SEATS:
        hand = view.in_zone(Zone.HAND, seat)
        faces = [tile for tile in hand if not tile.face_down and not stands(tile)]
        backs = len(hand) - len(faces)
        faces = [tile for tile in faces if tile.track not in closed]
        if FEWEST <= len(faces) <= MOST and backs >= CLOSED:
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


def closed_tracks(view: TableView, before: Collection[int]) -> frozenset[int]:
    """The tracks that are backs of a hand now or were, as ``before`` says: one that shows a face there later was turned
    up with its hand, or is misread. A meld is laid beside the hand, and its tiles are new there."""
    hands = view.in_zone(Zone.HAND)
    return frozenset(tile.track for tile in hands if tile.face_down or tile.track in before)


def _is_moved(gold: SeenTile, tile: SeenTile) -> bool:
    at_the_wall = max(abs(tile.place[0]), abs(tile.place[1])) > MIDDLE
    return at_the_wall and tile.tile is gold.tile and dist(gold.place, tile.place) < ALONG_THE_WALL
