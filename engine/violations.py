"""违规: what the audit finds in a log. Each names the seat, the events that prove it, and how sure it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine.reasons import Reason
from engine.seats import Seat
from engine.tiles import CODES, Tile


class ViolationKind(StrEnum):
    """A kind of illegal act."""

    GUOSHUI_WIN = "guoshui_win"
    GUOSHUI_PUNG = "guoshui_pung"
    GOLD_LOCK_WIN = "gold_lock_win"
    FREE_GOLD_WIN = "free_gold_win"
    FALSE_WIN = "false_win"
    BELOW_MINIMUM = "below_minimum"
    UNTIMELY_WIN = "untimely_win"
    WIN_PASSED_OVER = "win_passed_over"
    GOLD_CLAIMED = "gold_claimed"
    CHOW_WRONG_SEAT = "chow_wrong_seat"
    BAD_CLAIM = "bad_claim"
    NOTHING_TO_CLAIM = "nothing_to_claim"
    KONG_AFTER_CLAIM = "kong_after_claim"
    KONG_TOO_LATE = "kong_too_late"
    KONG_OUT_OF_TURN = "kong_out_of_turn"
    LAST_GROUP_ACT = "last_group_act"
    TOO_MANY_TILES = "too_many_tiles"
    TOO_FEW_TILES = "too_few_tiles"
    UNREPLACED_FLOWER = "unreplaced_flower"
    NOT_A_FLOWER = "not_a_flower"
    DRAW_OUT_OF_TURN = "draw_out_of_turn"
    WRONG_WALL_END = "wrong_wall_end"
    DRAW_PAST_RESERVE = "draw_past_reserve"
    DISCARD_OUT_OF_TURN = "discard_out_of_turn"
    TILE_NOT_HELD = "tile_not_held"
    GOLD_DISCARDED = "gold_discarded"
    SWAP_DISCARD = "swap_discard"
    DEAD_HAND = "dead_hand"
    IMPOSSIBLE_TILES = "impossible_tiles"
    TILES_CHANGED = "tiles_changed"
    GOLD_OUT_OF_TIME = "gold_out_of_time"
    EARLY_END = "early_end"
    AFTER_THE_END = "after_the_end"

    @property
    def zh(self) -> str:
        """The message in Chinese, with places for the data of the violation."""
        return _TEXTS[self][0]

    @property
    def en(self) -> str:
        """The message in English, with places for the data of the violation."""
        return _TEXTS[self][1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """One illegal act.

    ``events`` are the numbers of the events that prove it, in order; the act itself is one of them. ``certain`` is
    False while a closed hand leaves another explanation.
    """

    kind: ViolationKind
    seat: Seat | None
    events: tuple[int, ...]
    certain: bool = True
    data: Mapping[str, str | int] = field(default_factory=dict)

    @property
    def zh(self) -> str:
        """One sentence in Chinese."""
        return self.in_words(zh=True, seat="" if self.seat is None else f"{self.seat.zh}家", tile=_name_zh)

    @property
    def en(self) -> str:
        """One sentence in English."""
        return self.in_words(zh=False, seat="" if self.seat is None else self.seat.en, tile=_name_en)

    def in_words(self, *, zh: bool, seat: str, tile: Callable[[str], str]) -> str:
        """One sentence, in Chinese or English, with the seat called so, and each tile what its code is called."""
        data: dict[str, str | int] = {
            "tile": "?",
            "tiles": "?",
            "count": "?",
            "expected": "?",
            **self.data,
            "seat": seat,
        }
        for name in ("tile", "tiles"):
            data[name] = ("、" if zh else " ").join(map(tile, str(data[name]).split()))
        if zh:
            data["expected"] = {"head": "牌头", "tail": "牌尾"}.get(str(data["expected"]), data["expected"])
        unsure = "可能" if zh else "possibly: "
        return ("" if self.certain else unsure) + (self.kind.zh if zh else self.kind.en).format(**data)


def _name_zh(code: str) -> str:
    return Tile.parse(code).zh if code in CODES else {"back": "暗牌"}.get(code, "认不出的牌")


def _name_en(code: str) -> str:
    return code if code in CODES else {"back": "a tile face down"}.get(code, "an unreadable tile")


_TEXTS = {
    ViolationKind.GUOSHUI_WIN: (
        "过水：{seat}放过一次{tile}，自己打牌前不能胡",
        "{seat} won on {tile} after letting a win pass since the last own discard",
    ),
    ViolationKind.GUOSHUI_PUNG: (
        "过水不碰：{seat}放过一次{tile}，自己打牌前不能碰",
        "{seat} punged {tile} after letting the pung pass since the last own discard",
    ),
    ViolationKind.GOLD_LOCK_WIN: (
        "{seat}打出过金，只能自摸，不能胡{tile}",
        "{seat} discarded a gold and may win by self-draw only, not on {tile}",
    ),
    ViolationKind.FREE_GOLD_WIN: (
        "闲金（跑百搭）：{seat}听所有牌，只能自摸，不能胡{tile}",
        "{seat} waits on every tile and may win by self-draw only, not on {tile}",
    ),
    ViolationKind.BELOW_MINIMUM: (
        "错和：{seat}只有{points}分，不够起和分{minimum}分",
        "{seat} declared a win of {points} points, but {minimum} are needed",
    ),
    ViolationKind.FALSE_WIN: ("诈胡：{seat}的牌没有成", "{seat} declared a win, but the hand is not complete"),
    ViolationKind.UNTIMELY_WIN: ("{seat}此时不能这样胡", "{seat} declared a win that is not possible at this moment"),
    ViolationKind.WIN_PASSED_OVER: (
        "应由{seat}胡牌，却被越过",
        "the win was {seat}'s and was passed over",
    ),
    ViolationKind.GOLD_CLAIMED: ("金不能吃碰杠胡：{seat}要了{tile}", "{seat} claimed with or on the gold {tile}"),
    ViolationKind.CHOW_WRONG_SEAT: (
        "{seat}吃了{tile}，但只能吃上家的牌",
        "{seat} chowed {tile}, which the seat before did not discard",
    ),
    ViolationKind.BAD_CLAIM: ("{seat}的牌做不成：{tiles}", "{seat}'s tiles cannot make this claim: {tiles}"),
    ViolationKind.NOTHING_TO_CLAIM: (
        "{seat}要{tile}，但此时没有这张牌可要",
        "{seat} claimed {tile}, which nobody offers",
    ),
    ViolationKind.KONG_AFTER_CLAIM: ("{seat}吃碰后马上杠{tile}", "{seat} konged {tile} right after a claim"),
    ViolationKind.KONG_TOO_LATE: (
        "{seat}加杠{tile}晚了，摸到时就要加",
        "{seat} added {tile} later than when it was drawn",
    ),
    ViolationKind.KONG_OUT_OF_TURN: ("还没轮到{seat}，却杠了{tile}", "{seat} konged {tile} out of turn"),
    ViolationKind.LAST_GROUP_ACT: ("最后一组只摸牌：{seat}不能吃碰杠打", "{seat} may only draw in the last group"),
    ViolationKind.TOO_MANY_TILES: (
        "大相公：{seat}多了牌，{count}张，应为{expected}张",
        "{seat} has {count} tiles instead of {expected}",
    ),
    ViolationKind.TOO_FEW_TILES: (
        "小相公：{seat}少了牌，{count}张，应为{expected}张",
        "{seat} has {count} tiles instead of {expected}",
    ),
    ViolationKind.UNREPLACED_FLOWER: ("{seat}的花{tile}还没有补", "{seat} has a flower {tile} that was not replaced"),
    ViolationKind.NOT_A_FLOWER: (
        "{seat}把{tile}当花，它不是花牌",
        "{seat} laid {tile} among the flowers, but it is none",
    ),
    ViolationKind.DRAW_OUT_OF_TURN: ("还没轮到{seat}摸牌", "{seat} drew out of turn"),
    ViolationKind.WRONG_WALL_END: (
        "{seat}摸错了头，应从{expected}摸",
        "{seat} drew from the wrong end; it should be the {expected}",
    ),
    ViolationKind.DRAW_PAST_RESERVE: ("{seat}摸了留牌", "{seat} drew a tile that is kept back"),
    ViolationKind.DISCARD_OUT_OF_TURN: ("还没轮到{seat}打牌", "{seat} discarded out of turn"),
    ViolationKind.TILE_NOT_HELD: ("{seat}手里没有{tile}", "{seat} put down {tile}, which was not in the hand"),
    ViolationKind.GOLD_DISCARDED: (
        "{seat}打出金{tile}，本桌不许打金",
        "{seat} discarded the gold {tile}, which this table forbids",
    ),
    ViolationKind.SWAP_DISCARD: ("{seat}吃碰后马上打出{tile}", "{seat} discarded {tile} right after claiming it"),
    ViolationKind.DEAD_HAND: ("{seat}本局已诈胡或相公，不能再行牌", "{seat}'s hand is dead and may not act"),
    ViolationKind.IMPOSSIBLE_TILES: (
        "{tiles}比一副牌里的还多（含翻出的金）",
        "there are more {tiles} than the set has, indicator included",
    ),
    ViolationKind.TILES_CHANGED: ("{seat}亮出的牌与先前看到的不符", "{seat}'s tiles are not the ones seen before"),
    ViolationKind.GOLD_OUT_OF_TIME: ("开金的先后不对", "the gold was not opened when it should be"),
    ViolationKind.EARLY_END: ("还有牌可摸，不算和局", "the hand was called drawn with tiles left to draw"),
    ViolationKind.AFTER_THE_END: ("本局已结束，{seat}又行牌", "{seat} acted after the hand had ended"),
}

KIND_OF_REASON = {
    Reason.IMPOSSIBLE_TILES: ViolationKind.IMPOSSIBLE_TILES,
    Reason.NOT_A_FLOWER: ViolationKind.NOT_A_FLOWER,
    Reason.UNREPLACED_FLOWER: ViolationKind.UNREPLACED_FLOWER,
    Reason.FLOWER_CLAIM: ViolationKind.UNREPLACED_FLOWER,
    Reason.BAD_MELD: ViolationKind.BAD_CLAIM,
    Reason.CHOW_WRONG_SEAT: ViolationKind.CHOW_WRONG_SEAT,
    Reason.GOLD_IN_MELD: ViolationKind.GOLD_CLAIMED,
    Reason.TOO_MANY_TILES: ViolationKind.TOO_MANY_TILES,
    Reason.TOO_FEW_TILES: ViolationKind.TOO_FEW_TILES,
    Reason.DEAD_HAND: ViolationKind.DEAD_HAND,
    Reason.GOLD_DISCARD_UNCLAIMABLE: ViolationKind.GOLD_CLAIMED,
    Reason.OWN_DISCARD: ViolationKind.NOTHING_TO_CLAIM,
    Reason.NOT_HEAVENLY: ViolationKind.UNTIMELY_WIN,
    Reason.ROB_WINDOW_CLOSED: ViolationKind.UNTIMELY_WIN,
    Reason.ROB_NOT_PLAYED: ViolationKind.UNTIMELY_WIN,
    Reason.ROB_BAD_SWAP: ViolationKind.UNTIMELY_WIN,
    Reason.SWAP_TILE_NOT_HELD: ViolationKind.UNTIMELY_WIN,
    Reason.ROB_KONG_NOT_ALLOWED: ViolationKind.UNTIMELY_WIN,
    Reason.LAST_GROUP: ViolationKind.LAST_GROUP_ACT,
    Reason.KONG_AFTER_CLAIM: ViolationKind.KONG_AFTER_CLAIM,
    Reason.KONG_TOO_LATE: ViolationKind.KONG_TOO_LATE,
    Reason.NOT_A_RUN: ViolationKind.BAD_CLAIM,
    Reason.NO_PUNG_TO_EXTEND: ViolationKind.BAD_CLAIM,
    Reason.TILES_NOT_HELD: ViolationKind.BAD_CLAIM,
    Reason.NOT_COMPLETE: ViolationKind.FALSE_WIN,
    Reason.BELOW_MINIMUM: ViolationKind.BELOW_MINIMUM,
    Reason.GOLD_LOCK_SELF_DRAW_ONLY: ViolationKind.GOLD_LOCK_WIN,
    Reason.PASS_LOCK: ViolationKind.GUOSHUI_WIN,
    Reason.FREE_GOLD_SELF_DRAW_ONLY: ViolationKind.FREE_GOLD_WIN,
    Reason.PASS_PUNG_LOCK: ViolationKind.GUOSHUI_PUNG,
}
"""What an act is that was refused for this reason. A tile nobody can name (UNKNOWN_TILE) is no violation."""
