"""A settlement as it is kept: codes and both languages, so that a hand saved in Chinese reads well in English later."""

from __future__ import annotations

from dataclasses import asdict
from typing import NamedTuple

from pydantic import BaseModel

from assistant_api.languages import Language, in_language, strings, translate
from assistant_api.schemas import GoldOut, LineOut, Question, SeatCode, SettlementOut, TransferOut, WinTypeOut
from assistant_api.texts import join_names, said, term
from engine.context import WinSource
from engine.fan_win import FanWin
from engine.rulesets import Ruleset
from engine.settlement import Settlement
from engine.verdicts import Fact, Win
from engine.win_types import WinType

_ANSWERED_AS = {Fact.PASSED_KINDS: "passed"}
"""Facts that a person answers under another name than the engine's: the field of `Facts`."""


class Sentence(BaseModel):
    """A line of the explanation with its points."""

    code: str
    zh: str
    en: str
    points: int


class Move(BaseModel):
    """Points that go from one seat to another, or to nobody."""

    payer: SeatCode
    payee: SeatCode | None
    points: int


class FanRecord(BaseModel):
    """A row of a fan table that counts, so often, with its points each time."""

    code: str
    zh: str
    en: str
    points: int
    count: int


class NamedKind(NamedTuple):
    """What a win is called: a code, its names, and its points if they count."""

    code: str
    zh: str
    en: str
    points: int
    counts: bool


class SettlementRecord(BaseModel):
    """Everything about a settled win that is shown or needed for the next hand."""

    winner: SeatCode
    dealer: SeatCode
    streak: int
    source: WinSource
    from_seat: SeatCode | None
    gold: str | None
    gold_roles: list[str | None]
    win_types: list[WinType]
    counted: list[WinType]
    values: dict[WinType, int]
    special: int
    flower_count: int
    fan: dict[str, int]
    lines: list[Sentence]
    moves: list[Move]
    per_payer: int
    deltas: list[int]
    next_dealer: SeatCode
    next_streak: int
    unverified: list[Fact]
    fans: list[FanRecord] = []

    @property
    def kinds(self) -> list[NamedKind]:
        """What the win is called: its win types, or the rows of a fan table that count."""
        rows = [NamedKind(fan.code, fan.zh, fan.en, fan.points * fan.count, True) for fan in self.fans]
        return rows or [
            NamedKind(str(kind), kind.zh, kind.en, self.values.get(kind, 0), kind in self.counted)
            for kind in self.win_types
        ]


def record(win: Win, settled: Settlement, ruleset: Ruleset) -> SettlementRecord:
    """The record of a win whose seats, source and streak are known."""
    context = win.context
    values: dict[WinType, int] = getattr(ruleset, "win_values", {})
    return SettlementRecord.model_validate(
        {
            "winner": context.seat.code if context.seat is not None else None,
            "dealer": context.dealer.code if context.dealer is not None else None,
            "streak": context.streak or 0,
            "source": context.source,
            "from_seat": context.from_seat.code if context.from_seat is not None else None,
            "gold": context.gold.code if context.gold is not None else None,
            "gold_roles": [tile.code for tile in win.gold_roles] or [None] * win.golds,
            "win_types": [kind for kind in win.win_types if isinstance(kind, WinType)],
            "counted": win.counted,
            "values": {kind: values.get(kind, 0) for kind in win.win_types if isinstance(kind, WinType)},
            "special": win.special,
            "flower_count": win.flower_count,
            "fan": dict(settled.fan),
            "lines": sentences(settled),
            "moves": [
                {"payer": move.from_seat.code, "payee": move.to_seat.code, "points": move.points}
                for move in settled.transfers
                if move.to_seat is not None
            ],
            "per_payer": settled.per_payer,
            "deltas": settled.deltas,
            "next_dealer": settled.next_dealer.code if settled.next_dealer is not None else None,
            "next_streak": settled.next_streak,
            "unverified": win.unverified,
            "fans": [
                {
                    "code": one.fan.key,
                    "zh": one.fan.zh,
                    "en": one.fan.en,
                    "points": one.fan.points,
                    "count": one.count,
                }
                for one in (win.count.fans if isinstance(win, FanWin) else ())
            ],
        }
    )


def sentences(settled: Settlement) -> list[Sentence]:
    """The explanation of a settlement as it is kept."""
    return [Sentence.model_validate(asdict(line)) for line in settled.lines]


def lines_out(lines: list[Sentence], language: Language) -> list[LineOut]:
    """An explanation as it goes over the wire; English ones have the Chinese beside them."""
    return [
        LineOut(
            code=line.code,
            text=in_language(language, line.zh, line.en),
            note=line.zh if language is Language.EN else None,
            amount=line.points,
            total=line.code == "per_payer",
        )
        for line in lines
    ]


def how(kept: SettlementRecord, language: Language) -> str:
    """Where the winning tile came from, in words."""
    if kept.source.is_from_other and kept.from_seat:
        return translate(language, f"how.{kept.source}", seat=translate(language, f"seat.{kept.from_seat}"))
    return translate(language, f"source.{kept.source}")


def provided(kept: SettlementRecord, language: Language) -> str:
    """What nobody could check and was taken to be in order, as one sentence; empty where there is nothing."""
    if not kept.unverified:
        return ""
    table = strings(language)
    facts = join_names((table.get(f"provided.{fact}") or said(fact, language) for fact in kept.unverified), language)
    return translate(language, "result.provided", facts=facts)


def settlement_out(kept: SettlementRecord, language: Language) -> SettlementOut:
    """The settlement as it goes over the wire, in the caller's language."""
    return SettlementOut(
        winner=kept.winner,
        dealer=kept.dealer,
        source=kept.source,
        how=how(kept, language),
        win_types=[
            WinTypeOut(code=kind.code, name=term(kind, language), points=kind.points, counts=kind.counts)
            for kind in kept.kinds
        ],
        flower_count=kept.flower_count,
        lines=lines_out(kept.lines, language),
        golds=[GoldOut(gold=kept.gold or "", stands_for=role) for role in kept.gold_roles],
        per_payer=kept.per_payer,
        transfers=[
            TransferOut.model_validate({"from": move.payer, "to": move.payee, "points": move.points})
            for move in kept.moves
        ],
        deltas=kept.deltas,
        next_dealer=kept.next_dealer,
        next_streak=kept.next_streak,
        unverified=[provided(kept, language)] if kept.unverified else [],
        assumed=[
            Question(fact=_ANSWERED_AS.get(fact, str(fact)), text=said(fact, language)) for fact in kept.unverified
        ],
    )
