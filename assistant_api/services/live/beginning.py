"""When play begins: shuffling tiles and building the walls is not play."""

from __future__ import annotations

from dataclasses import dataclass, replace

from vision.live.view import TableView, Zone
from vision.reading import Point

CALM_S, RESTLESS_S = 1.0, 3.0
"""So long the middle is empty and at rest before play begins; while tiles seem to move elsewhere."""
MIDST_S = 6.0
"""So long discards lie still when the camera comes to a hand that is being played."""
MIDST = 4
"""So many of them at least: fewer may be backs that were misread."""
FEW_MOVING = 4
"""So many tiles may move, or lie face down, in the middle."""
MIDDLE = 7.0
"""Half side of the square that is empty of backs when the walls stand, in widths of a tile."""
DEALT = 8
"""Tiles of walls and hands, or flowers, without which nothing has been dealt."""
_AROUND = (Zone.WALL, Zone.HAND, Zone.FLOWERS)


@dataclass(frozen=True, slots=True)
class Beginning:
    """Whether play has begun; else since when the table has been at rest with these tiles in its middle."""

    begun: bool = False
    in_the_midst: bool = False
    """The camera came when discards lay there already."""
    ignored: frozenset[int] = frozenset()
    """Tracks taken for melds before anything was played, which are hands and walls, and stray backs."""
    turned: frozenset[int] = frozenset()
    """Faces on the wall at that time: the gold where it was open already, or a back that was misread."""
    calm_since_s: float | None = None
    laid: frozenset[int] = frozenset()

    def after(self, view: TableView) -> Beginning:
        """What a view says about it."""
        if self.begun:
            return self
        laid = frozenset(tile.track for tile in view.tiles if tile.zone is Zone.RIVER and not tile.face_down)
        dealt = sum(tile.zone in _AROUND for tile in view.tiles)
        unbuilt = sum(tile.face_down and is_in_the_middle(tile.place) for tile in view.tiles)
        moving = sum(is_in_the_middle(place) for place in view.moving)
        quiet = moving <= FEW_MOVING and unbuilt <= FEW_MOVING
        calm = view.plane_found and quiet and dealt >= DEALT
        if not calm or laid - self.laid or self.calm_since_s is None:
            return replace(self, calm_since_s=view.time_s if calm else None, laid=laid)
        rest = view.time_s - self.calm_since_s
        # backs of hands, hard to see on edge, come and go for as long as the hand lasts
        enough = CALM_S if len(view.moving) <= FEW_MOVING else RESTLESS_S
        if not laid and rest >= enough:
            stray = [tile for tile in view.tiles if tile.face_down and is_in_the_middle(tile.place)]
            ignored = [*stray, *(tile for tile in view.tiles if tile.zone is Zone.MELD)]
            turned = frozenset(tile.track for tile in view.tiles if tile.zone is Zone.GOLD)
            return Beginning(begun=True, ignored=frozenset(tile.track for tile in ignored), turned=turned)
        if len(laid) >= MIDST and rest >= MIDST_S:
            return Beginning(begun=True, in_the_midst=True)
        return replace(self, laid=laid)


def is_in_the_middle(place: Point) -> bool:
    """Whether a place, in widths of a tile, is well within the walls."""
    return max(map(abs, place)) < MIDDLE
