"""Answers to a declared win: a win, a refusal with its reason, or the facts that are missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from engine.context import WinContext
from engine.reasons import Reason
from engine.tiles import Tile
from engine.win_types import NamedWin, WinType


class BlockKind(StrEnum):
    """Parts of a complete hand: 顺子, 刻子 (three alike) and 将 (the pair)."""

    RUN = "run"
    TRIPLET = "triplet"
    PAIR = "pair"

    @property
    def zh(self) -> str:
        """Chinese name."""
        return {"run": "顺子", "triplet": "刻子", "pair": "将"}[self.value]

    @property
    def en(self) -> str:
        """English name."""
        return {"run": "run", "triplet": "triplet", "pair": "pair"}[self.value]


@dataclass(frozen=True, slots=True)
class Block:
    """One set or the pair of a split: the tiles it counts as, and which places among them a gold fills."""

    kind: BlockKind
    tiles: tuple[Tile, ...]
    golds: tuple[int, ...] = ()

    @property
    def stands_for(self) -> tuple[Tile, ...]:
        """The kinds the golds of this block stand for."""
        return tuple(self.tiles[place] for place in self.golds)


Split: TypeAlias = tuple[Block, ...]
"""The concealed part of a complete hand as sets and, last, the pair."""


class Fact(StrEnum):
    """What may have to be asked before a win can be judged."""

    HAND = "hand"
    SOURCE = "source"
    FROM_SEAT = "from_seat"
    SEAT = "seat"
    DEALER = "dealer"
    STREAK = "streak"
    GOLD = "gold"
    WINNING_TILE = "winning_tile"
    DEALERS_FIRST_DISCARD = "dealers_first_discard"
    GOLD_DISCARDED = "gold_discarded"
    PASSED_KINDS = "passed_kinds"
    DEARER_THAN_PASSED = "dearer_than_passed"
    DEALER_DISCARDED = "dealer_discarded"
    ROB_WINDOW_OPEN = "rob_window_open"
    DEAD_HAND = "dead_hand"
    ROUND_WIND = "round_wind"
    LAST_TILE = "last_tile"
    LAST_OF_KIND = "last_of_kind"

    @property
    def zh(self) -> str:
        """The question in Chinese."""
        return _QUESTIONS[self][0]

    @property
    def en(self) -> str:
        """The question in English."""
        return _QUESTIONS[self][1]


_QUESTIONS = {
    Fact.HAND: ("胡家手里是哪些牌？请亮牌。", "Which tiles does the winner hold? Lay the hand open."),
    Fact.SOURCE: ("怎么胡的：自摸还是点炮？", "How was it won: by self-draw or off a discard?"),
    Fact.FROM_SEAT: ("谁打出的牌？", "Whose tile was it?"),
    Fact.SEAT: ("谁胡了？", "Who won?"),
    Fact.DEALER: ("谁是庄家？", "Who is the dealer?"),
    Fact.STREAK: ("庄家已经连庄几次？", "How often has the dealer kept the deal?"),
    Fact.GOLD: ("金是哪张牌？", "Which tile is the gold?"),
    Fact.WINNING_TILE: ("胡的是哪张牌？", "Which tile completed the hand?"),
    Fact.DEALERS_FIRST_DISCARD: ("这张是庄家打出的第一张吗？", "Was it the dealer's first discard?"),
    Fact.GOLD_DISCARDED: ("胡家打出过金吗？", "Did the winner discard a gold?"),
    Fact.PASSED_KINDS: ("胡家放过这张牌吗？", "Did the winner let this tile pass since the last own discard?"),
    Fact.DEARER_THAN_PASSED: ("这次胡的比放过的大吗？", "Is this win worth more than the one passed before?"),
    Fact.DEALER_DISCARDED: ("庄家打过牌了吗？", "Has the dealer discarded yet?"),
    Fact.ROB_WINDOW_OPEN: ("庄家打出第一张后还没有人动过吗？", "Did nothing follow the dealer's first discard?"),
    Fact.DEAD_HAND: ("胡家本局诈胡或相公过吗？", "Was the winner's hand dead already?"),
    Fact.ROUND_WIND: ("现在是什么圈？", "Which wind is the round's?"),
    Fact.LAST_TILE: ("是牌墙上最后一张吗？", "Was the wall empty?"),
    Fact.LAST_OF_KIND: ("另外三张都亮在桌上吗？", "Do the three others of this tile lie open?"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Win:
    """A win that stands."""

    context: WinContext
    win_types: tuple[NamedWin, ...]
    """Every type met by some split, by code; or the rows that count, dearest first."""
    special: int
    """X: points of the types that count."""
    counted: tuple[WinType, ...]
    """The types that make up `special`."""
    split: Split
    """The split that counts, concealed part only; empty for a 三金倒 without shape."""
    flower_tiles: int
    """n: flowers of the winner."""
    flower_sets: int
    """q: complete sets of four among them."""
    flower_set_bonus: int
    """Fan of those sets together."""
    kong_points: int
    """One for each exposed or added kong, two for each concealed one."""
    golds: int
    """G: golds of the winner that count."""
    unverified: tuple[Fact, ...] = ()
    """Facts nobody knows that could have forbidden this win."""

    @property
    def flower_count(self) -> int:
        """F: flowers, their sets and kongs together."""
        return self.flower_tiles + self.flower_set_bonus + self.kong_points

    @property
    def gold_roles(self) -> tuple[Tile, ...]:
        """What each gold stands for in the split that counts; the pair of 金雀 stands for itself."""
        return tuple(tile for block in self.split for tile in block.stands_for)


@dataclass(frozen=True, slots=True)
class Refusal:
    """A win or claim that does not stand."""

    reason: Reason
    data: Mapping[str, str | int] = field(default_factory=dict)

    @property
    def zh(self) -> str:
        """One sentence in Chinese."""
        return self.reason.zh.format(**self.data)

    @property
    def en(self) -> str:
        """One sentence in English."""
        return self.reason.en.format(**self.data)


@dataclass(frozen=True, slots=True)
class CannotKnow:
    """No answer yet: these facts are missing."""

    missing: tuple[Fact, ...]

    @property
    def zh(self) -> str:
        """The questions in Chinese."""
        return " ".join(fact.zh for fact in self.missing)

    @property
    def en(self) -> str:
        """The questions in English."""
        return " ".join(fact.en for fact in self.missing)


Verdict: TypeAlias = Win | Refusal | CannotKnow
