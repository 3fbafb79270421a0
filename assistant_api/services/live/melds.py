"""Tiles laid beside each other as chows, pungs and kongs: which belong together, and what they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations
from math import dist, prod
from typing import TypeAlias

from engine.seats import Seat
from engine.tiles import SUITED, Face, Tile, Unseen
from vision.live.view import SeenTile

BLIND = 0.3
"""What a tile that cannot be read adds to a meld: it may be the one that is missing."""
NEAR = 2.2
"""Tiles of one meld lie no further apart than this, from one to the next, in widths."""
MANY = 9
"""More tiles than this at once are no melds, but a hand laid open or the table being cleared."""


def meld_groups(
    tiles: Sequence[SeenTile], laid: Sequence[SeenTile], now_s: float, patience_s: float
) -> tuple[list[tuple[SeenTile, ...]], list[SeenTile]]:
    """Tiles that appeared in the melds of a seat as groups of one, three or four, and those that make no group yet.

    A group of one is the fourth tile of a pung in ``laid``. What makes no meld is waited for ``patience_s``; then
    three or four tiles are a group that is none by the rules.
    """
    row = _in_order(tiles)
    if len(row) > MANY:
        return [], row
    best: tuple[float, list[tuple[SeenTile, ...]], list[SeenTile]] = (0.0, [], row)
    for parts, left in _splits(row):
        worth = sum(_worth(part, laid) for part in parts)
        if all(_worth(part, laid) > 0 for part in parts) and worth > best[0]:
            best = (worth, list(parts), list(left))
    _, groups, rest = best
    if not groups and 3 <= len(rest) <= 4 and now_s - max(tile.since_s for tile in rest) > patience_s:
        backs = sum(tile.face_down for tile in rest)
        if backs != 1 and _is_close(rest):
            return [tuple(rest)], []
    return groups, rest


def _in_order(tiles: Sequence[SeenTile]) -> list[SeenTile]:
    """Along the lane, which runs the way the tiles spread."""
    if not tiles:
        return []
    spread = [max(tile.place[axis] for tile in tiles) - min(tile.place[axis] for tile in tiles) for axis in (0, 1)]
    axis = 0 if spread[0] >= spread[1] else 1
    return sorted(tiles, key=lambda tile: tile.place[axis])


def _is_close(tiles: Sequence[SeenTile]) -> bool:
    return all(dist(one.place, other.place) <= NEAR for one, other in pairwise(tiles))


def _splits(row: list[SeenTile]) -> Iterator[tuple[tuple[tuple[SeenTile, ...], ...], tuple[SeenTile, ...]]]:
    """Every way to cut a row into groups of one, three and four, tiles in between left over."""
    if not row:
        yield (), ()
        return
    for parts, rest in _splits(row[1:]):
        yield parts, (row[0], *rest)
    for size in (4, 3, 1):
        part = tuple(row[:size])
        if len(part) == size and _is_close(part):
            for parts, rest in _splits(row[size:]):
                yield (part, *parts), rest


def _worth(part: Sequence[SeenTile], laid: Sequence[SeenTile]) -> float:
    """More for groups that take in more tiles; 0 for tiles that make no meld."""
    if len(part) == 1:
        tile = part[0].tile
        alike = [one for one in laid if one.tile is tile and dist(one.place, part[0].place) <= NEAR + 1.5]
        pung = tile is not None and len(alike) == 3
        return 0.9 if pung else 0.0
    chance = max((chance for _, chance in meld_faces(part)), default=0.0)
    return 0.0 if chance < 0.02 else len(part) + 0.9 * chance


Faces: TypeAlias = tuple[tuple[Face, ...], float]
"""The tiles of a meld, and the chance that they are it."""


def meld_faces(tiles: Sequence[SeenTile]) -> list[Faces]:
    """What three or four tiles may be together, best first, with the chance that all their labels are right.

    Faces stand in the order of ``tiles``. Of a concealed kong every face is its kind, or all are backs.
    """
    if any(tile.face_down for tile in tiles):
        return _concealed(tiles)
    found: list[Faces] = [((kind,) * len(tiles), _alike(tiles, kind)) for kind in _kinds(tiles)]
    if len(tiles) == 3:
        found += list(_runs(tiles))
    return sorted([one for one in found if one[1] > 0.005], key=lambda one: -one[1])[:4]


def _concealed(tiles: Sequence[SeenTile]) -> list[Faces]:
    faces = [tile for tile in tiles if not tile.face_down]
    backs = len(tiles) - len(faces)
    if len(tiles) != 4 or len(faces) > 3:
        return []
    sure = prod(tile.confidence for tile in tiles if tile.face_down)
    if not faces:
        return [((Unseen.BACK,) * backs, sure)]
    kinds: list[Faces] = [((kind,) * 4, sure * _alike(faces, kind)) for kind in _kinds(faces)]
    return sorted([one for one in kinds if one[1] > 0.005], key=lambda one: -one[1])[:2]


def is_across(tile: SeenTile, tiles: Sequence[SeenTile]) -> bool:
    """Whether a tile lies across the others of its meld."""
    others = [other for other in tiles if other is not tile]
    return all(45 < (tile.turn_deg - other.turn_deg) % 180 < 135 for other in others)


def shown_giver(tiles: Sequence[SeenTile], seat: Seat) -> Seat | None:
    """From whom a meld was claimed, where a tile lies across: at the end beside that seat, between for the opposite."""
    row = _in_order(tiles)
    crosswise = [place for place, tile in enumerate(row) if is_across(tile, row)]
    if len(crosswise) != 1 or len(row) < 3:
        return None
    (place,) = crosswise
    first, last = row[0].place, row[-1].place
    along_x = abs(last[0] - first[0]) > abs(last[1] - first[1])
    if (along_x and first[1] > 0) or (not along_x and first[0] < 0):  # as the player sees it
        place = len(row) - 1 - place
    before = Seat((seat + 3) % 4)
    return before if place == 0 else seat.next if place == len(row) - 1 else seat.next.next


def _kinds(tiles: Sequence[SeenTile]) -> set[Tile]:
    kinds = {tile.tile for tile in tiles if tile.tile is not None}
    return kinds | {other for tile in tiles for other, chance in tile.alternatives if chance >= 0.05}


def chance_to_be(tile: SeenTile, kind: Tile) -> float:
    """Chance that a tile in sight is of this kind; `BLIND` for one that cannot be read."""
    if tile.tile is None:
        return next((chance for other, chance in tile.alternatives if other is kind), BLIND)
    if tile.tile is kind:
        return tile.confidence
    return next((chance for other, chance in tile.alternatives if other is kind), 0.0)


def _alike(tiles: Sequence[SeenTile], kind: Tile) -> float:
    return prod(chance_to_be(tile, kind) for tile in tiles)


def _runs(tiles: Sequence[SeenTile]) -> Iterator[Faces]:
    kinds = _kinds(tiles)
    for low in SUITED:
        if low % 9 > 6 or not kinds & {low, low + 1, low + 2}:
            continue
        run = (low, Tile(low + 1), Tile(low + 2))
        order = max(permutations(run), key=lambda faces: prod(map(chance_to_be, tiles, faces)))
        yield order, prod(map(chance_to_be, tiles, order))
