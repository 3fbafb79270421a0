"""Chinese Official: the table, its principles and options, and the ends of a hand."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from engine.context import TableFacts
from engine.fan_settlement import settle_penalty
from engine.fan_win import FanWin
from engine.notation import parse_hand
from engine.reasons import Reason
from engine.rotation import game_hand
from engine.rulesets.mcr import Mcr, load
from engine.seats import Seat
from engine.settlement import settle, settle_draw, settle_escape, settle_refusal
from engine.verdicts import CannotKnow, Fact, Refusal, Verdict
from engine.win import judge_win

MCR = load("mcr")


def verdict(line: str, rules: Mcr = MCR, **facts: bool | None) -> Verdict:
    """The answer to a hand; East wins and deals in the east round where the line does not say."""
    for part, default in (("seat", "E"), ("dealer", "E"), ("round", "E")):
        if f"| {part}" not in line:
            line += f" | {part} {default}"
    return judge_win(parse_hand(line).context(TableFacts(dead_hand=False, **facts)), rules)


def rows(line: str, rules: Mcr = MCR, **facts: bool | None) -> dict[str, int]:
    """Rows that count with their points, whether they reach the minimum or not."""
    answer = verdict(line, rules.with_options({"minimum": 0}), **facts)
    assert isinstance(answer, FanWin)
    return {one.fan.zh: one.points for one in answer.count.fans}


def test_points_of_the_specification(shared: Path) -> None:
    """Every row of the specification's table has its points and names."""
    text = (shared / "rules" / "other-rulesets.md").read_text(encoding="utf-8").split("### 1.1")[1].split("### 1.2")[0]
    printed = re.findall(r"^\| (\d+|-) \| (\d+) \| ([^ |]+) ", text, flags=re.MULTILINE)
    assert len(printed) == 82
    found = {fan.zh: fan.points for fan in MCR.table.fans}
    names = {"明暗杠one": "明暗杠"}
    assert {names.get(zh, zh): int(points) for _, points, zh in printed} == found


def test_rows_have_sources_and_names() -> None:
    """Each row says where it stands; names and aliases lead to it, and to no other."""
    names = [name for fan in MCR.table.fans for name in (fan.zh, fan.en, *fan.aliases)]
    assert len(set(names)) == len(names)
    for fan in MCR.table.fans:
        assert fan.source
        assert MCR.table.named(fan.zh) is fan
    assert MCR.table.named("国士无双") is MCR.table.named("十三幺")
    assert MCR.table.named("金雀") is None


@pytest.mark.parametrize(
    ("line", "present", "absent"),
    [
        # 不重复: a big hand does not count what it always brings.
        ("SSS WWW NNN EE 55p +E | win discard@S", {"大四喜", "混一色"}, {"碰碰和", "幺九刻", "圈风刻", "三风刻"}),
        # 不拆移, 套算一次: three chows of a straight are tied; a fourth is tied once more.
        ("123m 456m 789m 456m 5p +5p | win self_draw", {"清龙", "一般高"}, {"连六"}),
        # 不得相同, 就高不就低: 111222333 are chows or pungs, whichever is worth more.
        ("111222333m 789p C +C | win discard@S", {"一色三节高"}, {"一色三同顺"}),
        # each set's own 幺九刻 stays when another pung of winds does not take it.
        ("999p EEE 234m 567s W +W | win self_draw", {"幺九刻", "圈风刻", "门风刻"}, set()),
    ],
)
def test_principles(line: str, present: set[str], absent: set[str]) -> None:
    """The five principles."""
    found = set(rows(line))
    assert present <= found
    assert not absent & found


def test_single_waits() -> None:
    """A wait counts only when nothing else completes the hand, in whatever shape."""
    assert "边张" in rows("12m 456p 789s 345s CC +3m | win discard@S")
    assert "边张" not in rows("1234m 456p 789s 345s +1m | win discard@S")
    assert "坎张" in rows("46m 456p 789s 345s CC +5m | win discard@S")
    assert "单钓将" in rows("111m 456p 789s 345s C +C | win discard@S")
    assert "单钓将" not in rows("3456m 456p 789s 345s +6m | win discard@S")
    pairs = rows("1122m 3344p 5566s C +C | win self_draw")
    assert "七对" in pairs
    assert not {"单钓将", "不求人"} & set(pairs)


def test_flowers_after_the_minimum() -> None:
    """Flowers do not lift a hand over the minimum, and count once it is reached."""
    low = "123m 456p 678s CC 78m +9m | win discard@S | flowers 1f2f3f4f5f6f7f"
    refused = verdict(low)
    assert isinstance(refused, Refusal)
    assert refused.reason is Reason.BELOW_MINIMUM
    assert refused.data["minimum"] == 8
    assert "门前清" in refused.zh
    assert "Concealed Hand" in refused.en
    assert rows("123m 456p 789s 22s 45s +6s | win discard@S | flowers 1f2f")["花牌"] == 2


def test_events() -> None:
    """Last tiles, kongs, and what each leaves out."""
    line = "123m 456p 678s CC 78m +9m | win {}"
    assert rows(line.format("self_draw"), last_tile=True).keys() >= {"妙手回春"}
    assert "自摸" not in rows(line.format("self_draw"), last_tile=True)
    assert "海底捞月" in rows(line.format("discard@S"), last_tile=True)
    assert rows(line.format("rob_kong@S"), last_of_kind=True).keys() >= {"抢杠和"}
    assert "和绝张" not in rows(line.format("rob_kong@S"), last_of_kind=True)
    assert "和绝张" in rows(line.format("discard@S"), last_of_kind=True)
    assert "和绝张" in rows("123m 456p 67s CC +8s | melds 888s@W | win discard@S")
    assert "无番和" in rows("123m 567p CC 67s +8s | melds 789s@N | win discard@S")


def test_winds() -> None:
    """The seat's wind follows the dealer; the round's must be known where a pung of winds lies."""
    line = "123m 456p 678s WWW 5m +5m | win self_draw"
    assert "门风刻" in rows(f"{line} | seat E | dealer W")  # East is third after West
    assert "门风刻" not in rows(f"{line} | seat E | dealer S")
    assert "圈风刻" in rows(f"{line} | round W")
    unknown = judge_win(parse_hand(f"{line} | seat E | dealer E").context(), MCR)
    assert isinstance(unknown, CannotKnow)
    assert unknown.missing == (Fact.ROUND_WIND,)
    without = judge_win(parse_hand("123m 456p 789s 22s 45s +6s | win self_draw | seat E | dealer E").context(), MCR)
    assert isinstance(without, FanWin)
    assert without.unverified == (Fact.DEAD_HAND,)


def test_unknown_facts() -> None:
    """What is missing is asked; what could only change the points too."""
    answer = judge_win(parse_hand("123m 456p 789s 22s 45s").context(), MCR)
    assert isinstance(answer, CannotKnow)
    assert set(answer.missing) == {Fact.SOURCE, Fact.SEAT, Fact.WINNING_TILE, Fact.DEALER}
    line = "123m 456p 789s 22s 45s +6s | win discard"
    assert verdict(line) == CannotKnow((Fact.FROM_SEAT,))
    assert verdict(f"{line}@S", last_tile=None) == CannotKnow((Fact.LAST_TILE,))
    assert verdict(f"{line}@S", last_of_kind=None) == CannotKnow((Fact.LAST_OF_KIND,))
    assert verdict("123m 456p 789s 22s 456s | win self_draw") == CannotKnow((Fact.WINNING_TILE,))
    assert isinstance(verdict("123m 456p 789s 22s 456s | win heavenly"), FanWin)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("123m 456p 789s 22s 45s +? | win discard@S", Reason.UNKNOWN_TILE),
        ("222m 222m 789s 22s 45s +6s | win discard@S", Reason.IMPOSSIBLE_TILES),
        ("123m 456p 789s 22s 4s1f +6s | win discard@S", Reason.UNREPLACED_FLOWER),
        ("123m 456p 789s 22s 45s +6s | win discard@S | flowers E", Reason.NOT_A_FLOWER),
        ("456p 789s 22s 45s +6s | melds pung:123m@S | win discard@S", Reason.BAD_MELD),
        ("456p 789s 22s 45s +6s | melds 123m@S | win discard@S", Reason.CHOW_WRONG_SEAT),
        ("123m 456p 789s 22s 445s +6s | win discard@S", Reason.TOO_MANY_TILES),
        ("123m 456p 789s 22s 4s +6s | win discard@S", Reason.TOO_FEW_TILES),
        ("123m 456p 789s 22s 45s +6s | win discard@E", Reason.OWN_DISCARD),
        ("123m 456p 789s 22s 45s +7s | win discard@S", Reason.NOT_COMPLETE),
        ("123m 456p 789s 22s 456s | win rob_gold", Reason.ROB_NOT_PLAYED),
        ("123m 456p 789s 22s 456s | win heavenly | seat S", Reason.NOT_HEAVENLY),
    ],
)
def test_refusals(line: str, reason: Reason) -> None:
    """The same faults as everywhere, in the same order."""
    answer = verdict(line)
    assert isinstance(answer, Refusal)
    assert answer.reason is reason


def test_dead_hand() -> None:
    """A seat that declared a false win does not win any more."""
    line = parse_hand("123m 456p 789s 22s 45s +6s | win discard@S | seat E | dealer E")
    answer = judge_win(line.context(TableFacts(dead_hand=True)), MCR)
    assert isinstance(answer, Refusal)
    assert answer.reason is Reason.DEAD_HAND


def test_payments() -> None:
    """底分 from all, the points from the giver or from all; the deal passes on every time."""
    thrown = verdict("123m 456p 789s 22s 45s +6s | win discard@S")
    drawn = verdict("123m 456p 789s 22s 45s +6s | win self_draw")
    assert isinstance(thrown, FanWin)
    assert isinstance(drawn, FanWin)
    assert settle(thrown, MCR).deltas == (37, -21, -8, -8)
    assert settle(drawn, MCR).deltas == (69, -23, -23, -23)
    assert settle(drawn, MCR).next_dealer is Seat.SOUTH
    draw = settle_draw(Seat.NORTH, 0, MCR)
    assert (draw.deltas, draw.next_dealer) == ((0, 0, 0, 0), Seat.EAST)
    assert settle_escape(Seat.EAST, (), 0, MCR).deltas == (0, 0, 0, 0)


def test_penalties() -> None:
    """A penalty is an entry of its own, for the others or off the table."""
    rules = MCR.with_options({"false_win_points": 8})
    assert settle_refusal(Seat.SOUTH, Reason.BELOW_MINIMUM, rules).deltas == (8, -24, 8, 8)
    assert settle_penalty(Seat.WEST, 5, ("多张", "too many tiles")).deltas == (5, 5, -15, 5)
    assert settle_penalty(Seat.WEST, 5, ("超时", "too slow"), to_others=False).deltas == (0, 0, -5, 0)
    with pytest.raises(ValueError, match="is no penalty"):
        settle_penalty(Seat.WEST, -5, ("x", "x"))


def test_order_of_a_game() -> None:
    """Sixteen hands, the deal passes on after each, and each round has its wind."""
    hands = [game_hand(number) for number in range(1, 17)]
    assert "".join(hand.round_wind.code for hand in hands) == "EEEESSSSWWWWNNNN"
    assert "".join(hand.dealer.code for hand in hands) == "ESWN" * 4
    assert all(hand.seat_wind(hand.dealer) is Seat.EAST for hand in hands)
    assert all(MCR.next_dealer(one.dealer, one.dealer) is two.dealer for one, two in pairwise(hands))
    swap = MCR.with_options({"seat_swap_third_round": True}).seat_swap_third_round
    places = [game_hand(number, swap_at_third_round=swap).places for number in (8, 9)]
    assert places == [tuple(Seat), (Seat.SOUTH, Seat.EAST, Seat.NORTH, Seat.WEST)]
    with pytest.raises(ValueError, match="1 to 16"):
        game_hand(17)


OPTIONS = [
    ("mixed_kongs", "22m 789p 22p +2p | melds 5555s@! 7777m@W | win discard@S", "明暗杠"),
    ("special_fully_concealed", "19m19p19s ESWNCFP +1m | win self_draw", "不求人"),
    ("green_counts_half_flush", "222s 333s 444s 66s FF +F | win discard@S", "混一色"),
    ("all_terminals_double_pung", "111m 999m 111p 99p 99s +9p | win self_draw", "双同刻"),
    ("no_honours_beside", "234m 456p 678s 22s 45s +6s | win discard@S", "无字"),
]


@pytest.mark.parametrize(("option", "line", "row"), OPTIONS, ids=[option for option, *_ in OPTIONS])
def test_options(option: str, line: str, row: str) -> None:
    """Where the texts disagree, an option decides whether a row counts."""
    assert row in rows(line, MCR.with_options({option: True}))
    assert row not in rows(line, MCR.with_options({option: False}))


def test_options_that_take_away() -> None:
    """Two options the other way round."""
    line = "CCC FFF PPP 123m 9p +9p | win self_draw"
    assert "缺一门" in rows(line)
    assert "缺一门" not in rows(line, MCR.with_options({"strict_98_void": True}))
    line = "111m 111p 111s 99m 99s +9m | win self_draw"
    assert "三同刻" in rows(line)
    assert "三同刻" not in rows(line, MCR.with_options({"all_terminals_triple_pung": False}))


def test_commands(capsys: pytest.CaptureFixture[str]) -> None:
    """`score`, `waits`, `advise` and `rules` answer for this game."""
    from assistant_api.cli import main

    def run(*arguments: str) -> tuple[int, Any]:
        with pytest.raises(SystemExit) as ended:
            raise SystemExit(main([*arguments, "--ruleset", "mcr", "--json"]))
        return int(str(ended.value.code or 0)), json.loads(capsys.readouterr().out)

    code, scored = run("score", "123m 456p 789s 22s 45s +6s | flowers 1f", "--from", "S", "--winner", "E")
    assert (code, scored["legal"], scored["deltas"]) == (0, True, [38, -22, -8, -8])
    assert scored["win_types"] == ["hualong", "menqianqing", "pinghu", "xixiangfeng", "huapai"]
    assert [fan["points"] for fan in scored["fans"]] == [8, 2, 2, 1, 1]
    code, scored = run("score", "123m 456p 678s CC 78m +9m", "--self-draw", "--last-tile", "--round", "S")
    assert (code, scored["win_types"][0]) == (0, "miaoshou_huichun")
    code, scored = run("score", "123m 456p 678s CC 78m +9m", "--from", "S")
    assert (code, scored["reason"]) == (1, "BELOW_MINIMUM")
    code, found = run("waits", "123m 456p 789s 22s 45s")
    assert [(wait["tile"], wait["left"], wait["discard"]["legal"]) for wait in found["waits"]] == [
        ("3s", 4, True),
        ("6s", 4, True),
    ]
    code, found = run("advise", "147m258p369s ESWN 5p")
    assert (found["discards"][0]["discard"], found["discards"][0]["distance"]) == ("5p", 0)
    assert main(["rules", "mcr", "--json"]) in (0, None)
    described = json.loads(capsys.readouterr().out)
    assert len(described["fans"]) == 82
    assert described["fans"][0] == {
        "code": "dasixi",
        "zh": "大四喜",
        "en": "Big Four Winds",
        "points": 88,
        "aliases": ["四风会"],
        "excludes": ["三风刻", "碰碰和", "圈风刻", "门风刻", "幺九刻"],
        "source": described["fans"][0]["source"],
    }
