"""A throw-away game of two patterns, defined here alone: a ruleset is a table and a few lines."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest

from engine.advice import judged_waits, position
from engine.cases import judge_case
from engine.errors import RulesetError
from engine.fan_win import FanWin
from engine.notation import parse_hand
from engine.patterns.library import Family, Library
from engine.patterns.view import View
from engine.reasons import Reason
from engine.rulesets.fan_ruleset import FanRuleset, others
from engine.rulesets.option import Option
from engine.rulesets.reading import load_profile, read_options
from engine.seats import Seat
from engine.settlement import settle, settle_draw
from engine.verdicts import Refusal
from engine.win import judge_win

TABLE = tomllib.loads(
    """
    [profiles.tiny]
    zh = "小麻将"
    en = "tiny mahjong"
    source = "made up for this test"
    complete = "complete"

    [options.minimum]
    value = 2
    zh = "起和分"
    en = "points a win needs"
    source = "here"

    [options.red]
    value = true
    zh = "见红中"
    en = "a red dragon counts"
    source = "here"

    [fans]
    pengpenghu = { points = 2, zh = "碰碰胡", en = "all pungs", source = "here" }
    hongzhong = { points = 1, zh = "见红", en = "a red dragon", only_if = "red", source = "here" }
    """
)
FAMILY = Family()


@FAMILY.whole
def hongzhong(view: View) -> bool:
    """见红: the hand has a red dragon."""
    return bool(view.kinds >> 31 & 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiny(FanRuleset):
    """Two patterns; the giver pays for all, the dealer stays when he wins."""

    minimum: int
    red: bool

    @property
    def options(self) -> tuple[Option, ...]:
        """Both options."""
        return read_options(Tiny, TABLE, self.base)

    def rows(self) -> Mapping[str, Mapping[str, Any]]:
        """Both rows."""
        rows: Mapping[str, Mapping[str, Any]] = TABLE["fans"]
        return rows

    def patterns(self) -> Library:
        """The one pattern the library lacks."""
        return FAMILY.patterns

    def owed(self, points: int, winner: Seat, giver: Seat | None) -> Mapping[Seat, int]:
        """Everybody, or the giver three times."""
        return dict.fromkeys(others(winner), points) if giver is None else {giver: 3 * points}

    def next_dealer(self, dealer: Seat, winner: Seat | None) -> Seat:
        """The dealer stays when he wins."""
        return dealer if winner is dealer else dealer.next


TINY = load_profile(Tiny, TABLE, "tiny")
PUNGS = "111m 222p 333s 44m CC +C | win discard@W | seat E | dealer E"
RUNS = "123m 456p 789s CC 45m +6m | win self_draw | seat E | dealer E"


def test_judge_and_settle() -> None:
    """Rows, points, payments and dealer come from the table and the few lines above."""
    verdict = judge_win(parse_hand(PUNGS).context(), TINY)
    assert isinstance(verdict, FanWin)
    assert [(one.fan.zh, one.points) for one in verdict.count.fans] == [("碰碰胡", 2), ("见红", 1)]
    settlement = settle(verdict, TINY)
    assert settlement.deltas == (9, 0, -9, 0)
    assert settlement.next_dealer is Seat.EAST
    assert settle_draw(Seat.EAST, 0, TINY).next_dealer is Seat.SOUTH


def test_minimum_and_options() -> None:
    """A hand of one point is too little, or enough by option."""
    refused = judge_win(parse_hand(RUNS).context(), TINY)
    assert isinstance(refused, Refusal)
    assert refused.reason is Reason.BELOW_MINIMUM
    assert isinstance(judge_win(parse_hand(RUNS).context(), TINY.with_options({"minimum": 1})), FanWin)
    without = judge_win(parse_hand(PUNGS).context(), TINY.with_options({"red": False}))
    assert isinstance(without, FanWin)
    assert without.count.total == 2


def test_teaching_and_cases() -> None:
    """Waits and worked cases follow."""
    hand = position(parse_hand("111m 222p 333s 44m CC"), TINY)
    assert [(wait.tile.code, isinstance(wait.thrown, FanWin)) for wait in judged_waits(hand)] == [
        ("4m", True),
        ("C", True),
    ]
    case = {
        "ruleset": "tiny",
        "input": {"winner": "E", "discarder": "W", "concealed": "111m 222p 333s 44m CC", "win_tile": "C"},
    }
    assert judge_case(case, TINY)["fans"] == {"碰碰胡": 2, "见红": 1}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"nothing": {"points": 1, "zh": "无", "en": "x", "source": "x"}}, "'nothing' is not a pattern"),
        ({"zimo": {"points": 1, "zh": "x", "en": "x", "source": "x", "excludes": ["pengpenghu"]}}, "which is dearer"),
    ],
)
def test_bad_tables(row: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row must name a pattern, and strike out only cheaper rows."""
    monkeypatch.setattr(Tiny, "rows", lambda self: {**TABLE["fans"], **row})
    with pytest.raises(RulesetError, match=message):
        _ = replace(TINY).table
