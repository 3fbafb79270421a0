"""From a photo reading to a draft of the hand, for a person to check: every tile with its group and its doubts."""

from __future__ import annotations

from assistant_api.schemas import DraftTile, Group
from vision.photo import PhotoReading
from vision.reading import UNKNOWN

SURE = 0.9
"""Confidence from which a tile is shown without a mark; below it a person is asked to look."""

_GROUPS: dict[str, Group] = {
    "hand": "hand",
    "winning": "winning",
    "melds": "meld",
    "flowers": "flowers",
    "gold": "gold",
}


def draft_tiles(reading: PhotoReading) -> list[DraftTile]:
    """The tiles of a reading in the order a person looks at them: hand, winning tile, melds, flowers, gold, strays."""
    layout = reading.layout
    melds = {index: number for number, tiles in enumerate(layout.melds) for index in tiles}
    doubted = {index for problem in reading.problems if problem.code != "unknown_tile" for index in problem.tiles}
    order = [*layout.hand, *_one(layout.winning), *melds, *layout.flowers, *_one(layout.gold)]
    order += [index for index in range(len(reading.tiles)) if index not in set(order)]
    return [_draft_tile(reading, index, melds.get(index), index in doubted) for index in order]


def _one(index: int | None) -> tuple[int, ...]:
    return () if index is None else (index,)


def _draft_tile(reading: PhotoReading, index: int, meld: int | None, doubted: bool) -> DraftTile:
    tile = reading.tiles[index]
    return DraftTile(
        id=f"t{index}",
        tile=tile.code,
        group=_GROUPS.get(reading.layout.group_of(index) or "", "other"),
        meld=meld,
        read=tile.code,
        confidence=round(tile.confidence, 3),
        alternatives=[(other.code, round(chance, 3)) for other, chance in tile.alternatives],
        quad=[(round(x, 1), round(y, 1)) for x, y in tile.quad],
        sure=not tile.is_unknown and tile.confidence >= SURE and not doubted,
    )


def best_guesses(tiles: list[DraftTile]) -> list[DraftTile]:
    """The draft with the best guess in the place of every tile that could not be told; such tiles stay unsure."""
    return [
        tile.model_copy(update={"tile": tile.alternatives[0][0]})
        if tile.tile == UNKNOWN and tile.alternatives
        else tile
        for tile in tiles
    ]
