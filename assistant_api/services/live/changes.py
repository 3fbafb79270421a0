"""From single tiles that appeared to what a player did: a discard, a meld, flowers, the gold, a hand laid open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import dist

from assistant_api.services.live.melds import NEAR, meld_groups
from assistant_api.services.live.rows import BESIDE, fills_a_hole, laid_from_the_left
from engine.checks import is_flower
from engine.rulesets.base import TableRules
from engine.seats import SEATS, Seat
from engine.tiles import Tile
from vision.live.view import SeenTile, Zone

SURE = 0.8
"""A label surer than this is taken at its word where it accuses somebody."""
ANOTHER_ACT_S = 1.5
"""A tile that was found so much later was laid by itself."""
AWAY = 3.5
"""Flowers are laid in a row or two: one further from all others of its seat, in widths, is none."""
BLANK_AWAY = 2.4
"""The same for a white dragon: a pale patch of cloth may look like one."""
TOGETHER_S = 0.7
"""Flowers laid within this time were laid together."""


class Act(StrEnum):
    """What a change looks like."""

    DISCARD = "discard"
    MELD = "meld"
    FLOWERS = "flowers"
    GOLD = "gold"
    OPEN_HAND = "open_hand"


@dataclass(frozen=True, slots=True)
class Sight:
    """Tiles that came to lie together at ``time_s``. ``seat`` is where they lie, None in a common heap.

    ``gone_s`` is when a discard left the river again, None while it lies there. ``fills`` is True for a flower found
    late, in a hole of its row.
    """

    act: Act
    seat: Seat | None
    tiles: tuple[SeenTile, ...]
    time_s: float
    gone_s: float | None = None
    fills: bool = False

    @property
    def key(self) -> tuple[object, ...]:
        """What makes it the same sight again: its tiles and what they show."""
        left = self.gone_s is not None
        return (self.act, left, *((tile.track, tile.tile, round(tile.confidence, 1)) for tile in self.tiles))

    def lay_s(self, now_s: float) -> float:
        """How long it has been in sight."""
        return (now_s if self.gone_s is None else self.gone_s) - self.time_s


@dataclass(frozen=True, slots=True)
class Gathered:
    """What appeared, as acts in the order of time, and tiles that make none yet."""

    sights: tuple[Sight, ...]
    loose: tuple[SeenTile, ...]


def gather(
    appeared: Iterable[SeenTile], laid: Iterable[SeenTile], rules: TableRules, now_s: float, patience_s: float
) -> Gathered:
    """Groups tiles that appeared. ``laid`` are tiles of melds known already, to which a fourth may be added.

    A tile of a kind that is a flower lies among the flowers, whatever lane it was put in, and no other does. Tiles
    that make no meld are loose; after ``patience_s`` three or four of them are taken as they are.
    """
    tiles = list(appeared)
    lanes = [tile for tile in tiles if tile.zone in (Zone.MELD, Zone.FLOWERS)]
    known = list(laid)
    left_first = laid_from_the_left([tile for tile in known if _belongs_to_flowers(tile, rules)])
    sights: list[Sight] = []
    loose: list[SeenTile] = []
    for seat in (*SEATS, None):
        own = [tile for tile in lanes if tile.seat is seat]
        flowers = [tile for tile in own if _belongs_to_flowers(tile, rules)]
        melds = [tile for tile in own if not _belongs_to_flowers(tile, rules)]
        before = [tile for tile in known if tile.seat is seat]
        lying = [tile for tile in before if _belongs_to_flowers(tile, rules)]
        flowers = [tile for tile in flowers if not _is_astray(tile, lying, flowers)]
        found = _together(flowers, seat, again=bool(lying))
        row = [*lying, *flowers]
        sights += [replace(one, fills=all(fills_a_hole(tile, row, left_first) for tile in one.tiles)) for one in found]
        groups, rest = meld_groups(melds, before, now_s, patience_s)
        sights += [Sight(Act.MELD, seat, group, _begun(group)) for group in groups]
        strays = [tile for tile in rest if _is_among_flowers(tile, row, melds, now_s - patience_s)]
        sights += [Sight(Act.FLOWERS, seat, (tile,), tile.since_s) for tile in strays]
        loose += [tile for tile in rest if tile not in strays]
    for tile in tiles:
        if tile.zone is Zone.RIVER:
            sights.append(Sight(Act.DISCARD, tile.seat, (tile,), tile.since_s))
        elif tile.zone is Zone.GOLD and not tile.face_down and not _belongs_to_flowers(tile, rules):
            sights.append(Sight(Act.GOLD, None, (tile,), tile.since_s))
    sights.sort(key=lambda sight: (sight.time_s, sight.tiles[0].track))
    return Gathered(tuple(sights), tuple(loose))


def _belongs_to_flowers(tile: SeenTile, rules: TableRules) -> bool:
    if tile.tile is None:
        return tile.zone is Zone.FLOWERS and not tile.face_down
    return is_flower(tile.tile, rules)


def _is_astray(tile: SeenTile, lying: Sequence[SeenTile], others: Sequence[SeenTile]) -> bool:
    """Whether a flower lies by itself, away from those that its seat has laid: a mistake of the eye."""
    reach = BLANK_AWAY if tile.tile is Tile.WHITE else AWAY
    near = [other for other in (*lying, *others) if other is not tile and dist(tile.place, other.place) <= reach]
    return bool(lying) and not near


def _is_among_flowers(tile: SeenTile, row: Sequence[SeenTile], others: Sequence[SeenTile], until_s: float) -> bool:
    """Whether a tile that is no flower was laid among them: it has lain alone at the end of their row for so long.

    One that came together with flowers was drawn and laid as one, and is misread.
    """
    sure = tile.tile is not None and not tile.face_down and tile.confidence >= SURE and tile.since_s < until_s
    beside = any(dist(tile.place, flower.place) <= BESIDE for flower in row)
    alone = all(dist(tile.place, other.place) > NEAR for other in others if other is not tile)
    alone = alone and all(abs(tile.since_s - flower.since_s) > ANOTHER_ACT_S for flower in row)
    return sure and beside and alone and tile.zone is Zone.FLOWERS


def _together(flowers: Sequence[SeenTile], seat: Seat | None, *, again: bool) -> list[Sight]:
    """Flowers of a seat, those laid together as one act; each alone where some lie there already and it may be one
    of those, found late."""
    groups: list[list[SeenTile]] = []
    for tile in sorted(flowers, key=lambda tile: (tile.since_s, tile.track)):
        if groups and not again and tile.since_s - groups[-1][-1].since_s <= TOGETHER_S:
            groups[-1].append(tile)
        else:
            groups.append([tile])
    return [Sight(Act.FLOWERS, seat, tuple(group), _latest(group)) for group in groups]


def _begun(tiles: Sequence[SeenTile]) -> float:
    """When most of a meld lay there: its last tile may be found long after, and the first be a mistake."""
    return sorted(tile.since_s for tile in tiles)[min(1, len(tiles) - 1)]


def _latest(tiles: Iterable[SeenTile]) -> float:
    return max(tile.since_s for tile in tiles)
