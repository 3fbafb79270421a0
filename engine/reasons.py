"""Why a win or a claim is refused. The order of the members is the order in which faults are looked for."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """Reason code of a refusal; `zh` and `en` say it in one sentence, with places for the data of the refusal."""

    UNKNOWN_TILE = "UNKNOWN_TILE"
    IMPOSSIBLE_TILES = "IMPOSSIBLE_TILES"
    NOT_A_GOLD = "NOT_A_GOLD"
    NOT_A_FLOWER = "NOT_A_FLOWER"
    UNREPLACED_FLOWER = "UNREPLACED_FLOWER"
    FLOWER_CLAIM = "FLOWER_CLAIM"
    BAD_MELD = "BAD_MELD"
    CHOW_WRONG_SEAT = "CHOW_WRONG_SEAT"
    GOLD_IN_MELD = "GOLD_IN_MELD"
    TOO_MANY_TILES = "TOO_MANY_TILES"
    TOO_FEW_TILES = "TOO_FEW_TILES"
    DEAD_HAND = "DEAD_HAND"
    GOLD_DISCARD_UNCLAIMABLE = "GOLD_DISCARD_UNCLAIMABLE"
    OWN_DISCARD = "OWN_DISCARD"
    NOT_HEAVENLY = "NOT_HEAVENLY"
    ROB_WINDOW_CLOSED = "ROB_WINDOW_CLOSED"
    ROB_NOT_PLAYED = "ROB_NOT_PLAYED"
    ROB_BAD_SWAP = "ROB_BAD_SWAP"
    SWAP_TILE_NOT_HELD = "SWAP_TILE_NOT_HELD"
    ROB_KONG_NOT_ALLOWED = "ROB_KONG_NOT_ALLOWED"
    LAST_GROUP = "LAST_GROUP"
    KONG_AFTER_CLAIM = "KONG_AFTER_CLAIM"
    KONG_TOO_LATE = "KONG_TOO_LATE"
    NOT_A_RUN = "NOT_A_RUN"
    NO_PUNG_TO_EXTEND = "NO_PUNG_TO_EXTEND"
    TILES_NOT_HELD = "TILES_NOT_HELD"
    NOT_COMPLETE = "NOT_COMPLETE"
    BELOW_MINIMUM = "BELOW_MINIMUM"
    GOLD_LOCK_SELF_DRAW_ONLY = "GOLD_LOCK_SELF_DRAW_ONLY"
    PASS_LOCK = "PASS_LOCK"
    FREE_GOLD_SELF_DRAW_ONLY = "FREE_GOLD_SELF_DRAW_ONLY"
    PASS_PUNG_LOCK = "PASS_PUNG_LOCK"

    @property
    def zh(self) -> str:
        """The refusal in Chinese; ``{tiles}``, ``{count}`` and ``{expected}`` are filled from its data."""
        return _TEXTS[self][0]

    @property
    def en(self) -> str:
        """The refusal in English; ``{tiles}``, ``{count}`` and ``{expected}`` are filled from its data."""
        return _TEXTS[self][1]


_TEXTS = {
    Reason.UNKNOWN_TILE: ("有牌认不出来：{tiles}", "a tile cannot be named: {tiles}"),
    Reason.IMPOSSIBLE_TILES: ("{tiles} 比一副牌里的还多（含翻出的金）", "more {tiles} than exist, indicator included"),
    Reason.NOT_A_GOLD: ("{tiles} 是花牌，不能作金", "{tiles} is a flower and cannot be the gold"),
    Reason.NOT_A_FLOWER: ("{tiles} 不是花牌", "{tiles} is no flower but lies among the flowers"),
    Reason.UNREPLACED_FLOWER: ("花牌 {tiles} 还没有补", "the flower {tiles} has not been replaced"),
    Reason.FLOWER_CLAIM: ("花牌 {tiles} 不能吃碰杠", "the flower {tiles} cannot be claimed"),
    Reason.BAD_MELD: ("{tiles} 不成吃碰杠", "{tiles} is no meld"),
    Reason.CHOW_WRONG_SEAT: ("{tiles} 只能吃上家的牌", "{tiles} was not chowed from the seat before"),
    Reason.GOLD_IN_MELD: ("{tiles} 里有金，金不能吃碰杠", "{tiles} holds a gold, and golds are never melded"),
    Reason.TOO_MANY_TILES: ("大相公：{count}张，应为{expected}张", "too many tiles: {count} instead of {expected}"),
    Reason.TOO_FEW_TILES: ("小相公：{count}张，应为{expected}张", "too few tiles: {count} instead of {expected}"),
    Reason.DEAD_HAND: ("本局已诈胡或相公，不能再胡", "a false win or a wrong count bars the seat for this hand"),
    Reason.GOLD_DISCARD_UNCLAIMABLE: ("打出的金 {tiles} 谁也不能要", "{tiles} is a discarded gold: nobody takes it"),
    Reason.OWN_DISCARD: ("不能要自己打出的 {tiles}", "{tiles} is the seat's own discard"),
    Reason.NOT_HEAVENLY: ("不是开局未动的牌，不算天胡", "only an untouched hand wins at the opening"),
    Reason.ROB_WINDOW_CLOSED: ("已过抢金的时机", "the gold can no longer be robbed"),
    Reason.ROB_NOT_PLAYED: ("这种抢金不打", "this way of robbing the gold is not played"),
    Reason.ROB_BAD_SWAP: ("庄家抢金要打出一张，闲家不打", "a dealer robs by throwing a tile, another seat throws none"),
    Reason.SWAP_TILE_NOT_HELD: ("手里没有要换的 {tiles}", "the tile to throw, {tiles}, is not in the hand"),
    Reason.ROB_KONG_NOT_ALLOWED: ("这个杠不能抢", "this kong cannot be robbed"),
    Reason.LAST_GROUP: ("最后一组不能吃碰杠", "there are no claims in the last group"),
    Reason.KONG_AFTER_CLAIM: ("吃碰之后不能马上杠", "a kong needs an own draw, not a claim, before it"),
    Reason.KONG_TOO_LATE: ("{tiles} 摸到时没有加杠，不能再加", "{tiles} was not added when it was drawn"),
    Reason.NOT_A_RUN: ("{tiles} 不成顺子", "{tiles} is no run"),
    Reason.NO_PUNG_TO_EXTEND: ("没有碰过 {tiles}，不能加杠", "there is no pung of {tiles} to extend"),
    Reason.TILES_NOT_HELD: ("手里没有 {tiles}", "{tiles} is not in the hand"),
    Reason.NOT_COMPLETE: ("诈胡：牌没有成", "false win: the hand is not complete"),
    Reason.BELOW_MINIMUM: (
        "错和：只有{points}分（{fans}），不够起和分{minimum}分",
        "{points} points ({fans_en}) do not reach the minimum of {minimum}",
    ),
    Reason.GOLD_LOCK_SELF_DRAW_ONLY: ("打出过金，只能自摸", "a seat that discarded a gold wins by self-draw only"),
    Reason.PASS_LOCK: (
        "过水：{tiles} 放过一次，自己打牌前不能胡",
        "a win on {tiles} was passed since the last own discard",
    ),
    Reason.FREE_GOLD_SELF_DRAW_ONLY: (
        "闲金（跑百搭）：听所有牌，只能自摸",
        "the hand waits on every tile, so it wins by self-draw only",
    ),
    Reason.PASS_PUNG_LOCK: (
        "过水不碰：{tiles} 放过一次，自己打牌前不能碰",
        "a pung of {tiles} was passed since the last own discard",
    ),
}
