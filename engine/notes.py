"""Facts about a discard, each in one short sentence of each language."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.notation import format_tiles
from engine.tiles import Tile


class NoteKind(StrEnum):
    """What can be said about a discard."""

    READY = "ready"
    GOLD_ALONE = "gold_alone"
    EVERY_TILE = "every_tile"
    EVERY_TILE_SELF_DRAW = "every_tile_self_draw"
    NONE_LEFT = "none_left"
    STEP_BACK = "step_back"
    LONE = "lone"
    SPARE = "spare"
    BREAKS_PART = "breaks_part"
    BREAKS_PAIR = "breaks_pair"
    BREAKS_RUN = "breaks_run"
    BREAKS_TRIPLET = "breaks_triplet"
    THROWS_GOLD = "throws_gold"
    THROWS_GOLD_LOCK = "throws_gold_lock"
    GIVES_UP_THREE_GOLDS = "gives_up_three_golds"
    FRESH = "fresh"

    @property
    def zh(self) -> str:
        """The fact in Chinese, with a place for ``{tiles}``."""
        return _TEXTS[self][0]

    @property
    def en(self) -> str:
        """The fact in English, with a place for ``{tiles}``."""
        return _TEXTS[self][1]


_TEXTS = {
    NoteKind.READY: ("听牌：{tiles}", "ready, waiting on {tiles}"),
    NoteKind.GOLD_ALONE: ("听金：只有金能成，只能自摸", "only the gold completes it, so only a self-draw wins"),
    NoteKind.EVERY_TILE: ("有闲金，什么牌都成", "a free gold: every tile completes it"),
    NoteKind.EVERY_TILE_SELF_DRAW: (
        "有闲金，什么牌都成，但点炮受限（跑百搭）",
        "a free gold: every tile completes it, and others' tiles are barred by the rule on free golds",
    ),
    NoteKind.NONE_LEFT: ("要的 {tiles} 都已现，一张不剩", "no copy of {tiles} is left"),
    NoteKind.STEP_BACK: ("离听牌远一步", "farther from ready than the best discard"),
    NoteKind.LONE: ("{tiles} 是孤张，旁边没有牌", "{tiles} stands alone"),
    NoteKind.SPARE: ("{tiles} 是多出来的", "{tiles} is left over beside the sets and parts"),
    NoteKind.BREAKS_PART: ("拆搭子 {tiles}", "breaks up the part {tiles}"),
    NoteKind.BREAKS_PAIR: ("拆对子 {tiles}", "breaks up the pair {tiles}"),
    NoteKind.BREAKS_RUN: ("拆顺子 {tiles}", "breaks up the run {tiles}"),
    NoteKind.BREAKS_TRIPLET: ("拆刻子 {tiles}", "breaks up the triplet {tiles}"),
    NoteKind.THROWS_GOLD: ("打金", "throws a gold"),
    NoteKind.THROWS_GOLD_LOCK: ("打金：此后只能自摸", "throws a gold: from then on only a self-draw wins"),
    NoteKind.GIVES_UP_THREE_GOLDS: ("放弃三金倒", "gives up winning by three golds"),
    NoteKind.FRESH: ("{tiles} 是鲜张，桌上还没见过", "{tiles} is fresh: none has been seen on the table"),
}


@dataclass(frozen=True, slots=True)
class Note:
    """One fact, and the tiles it is about."""

    kind: NoteKind
    tiles: tuple[Tile, ...] = ()

    @property
    def zh(self) -> str:
        """The sentence in Chinese."""
        return self.kind.zh.format(tiles=self._named)

    @property
    def en(self) -> str:
        """The sentence in English.

        >>> Note(NoteKind.BREAKS_PART, (Tile.M7, Tile.M8)).en
        'breaks up the part 78m'
        """
        return self.kind.en.format(tiles=self._named)

    @property
    def _named(self) -> str:
        return format_tiles(self.tiles)
