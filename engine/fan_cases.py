"""Judges worked cases of games with a fan table. Two formats, both one JSON object a case.

*Counted hands* name no ruleset and are Chinese Official::

    {"packs": [["PENG", "F1", 1], ["GANG", "B9", 0]], "hand": ["W5", ...], "win_tile": "F4", "self_drawn": false,
     "fourth_tile": false, "about_kong": false, "wall_last": false, "seat_wind": 0, "round_wind": 0, "flowers": 0}

============  ================================================================
``W1``..``W9``  万 characters, here ``1m``..``9m``
``T1``..``T9``  条 bamboos, here ``1s``..``9s``
``B1``..``B9``  饼 dots, here ``1p``..``9p``
``F1``..``F4``  东南西北 winds, here ``E S W N``
``J1``..``J3``  中发白 dragons, here ``C F P``
============  ================================================================

A pack is CHI (named by its middle tile), PENG or GANG; its last number says which seat gave the tile, counted back
from the winner, and 0 of a GANG is a concealed kong. ``hand`` is without the winning tile; winds are 0 to 3.

*Settled hands* name their ruleset and hold the hand in ``input``::

    {"ruleset": "mcr", "input": {"winner": "E", "discarder": null, "concealed": "111m 2m 456789m CCC",
     "melds": ["peng 222m", "kong(added) 3333s"], "win_tile": "3m"}}

or ask for one row: ``{"input": {"holding": "4556s", "win_tile": "5s", "predicate": "坎张"}}``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.context import TableFacts, WinContext, WinSource
from engine.counting import Count, Counted, count_hand
from engine.decompose import tile_key
from engine.errors import HandError
from engine.fan_win import FanWin, finished_hands
from engine.melds import Meld, MeldKind
from engine.notation import parse_tile, parse_tiles
from engine.patterns.view import FinishedHand, View
from engine.rulesets.fan_ruleset import FanRuleset
from engine.seats import Seat
from engine.settlement import settle, settle_refusal
from engine.shapes import divisions
from engine.tiles import Tile
from engine.verdicts import CannotKnow, Refusal
from engine.win import judge_win

Case = Mapping[str, Any]


def is_fan_case(case: Case) -> bool:
    """Whether a case is in one of the two formats."""
    return "packs" in case or isinstance(case.get("input"), Mapping)


def judge_fan_case(case: Case, rules: FanRuleset) -> dict[str, Any]:
    """The answer to a case; HandError or NotationError for one that cannot be read, KeyError for a missing field."""
    if "packs" in case:
        return _counted(case, rules)
    given = case["input"]
    if "predicate" in given:
        return {"holds": _holds(given, rules)}
    return _settled(given, rules)


def expected_of(case: Case, rules: FanRuleset) -> object:
    """What a case expects, in the form `judge_fan_case` answers; None where it expects nothing."""
    if "packs" not in case:
        expected = case.get("expected")
        return {"holds": expected} if isinstance(expected, bool) else expected
    names = ("total", "total_without_flowers", "meets_8_minimum", "winner_gain")
    expected = {name: case[name] for name in names if name in case}
    if "fans" in case:
        order = {fan.zh: fan.order for fan in rules.table.fans}
        expected["fans"] = sorted(_rows(case["fans"]), key=lambda row: order.get(str(row["name"]), 0))
    return expected or None


def _rows(fans: object) -> list[dict[str, object]]:
    """The rows of a table a case expects, without what the answer does not have."""
    names = ("name", "points", "count")
    rows = []
    for row in fans if isinstance(fans, list | tuple) else [fans]:
        if not isinstance(row, Mapping) or any(name not in row for name in names):
            raise HandError(f"{row!r} is no row of a fan table; expected an object with {', '.join(names)}")
        rows.append({name: row[name] for name in names})
    return rows


def _counted(case: Case, rules: FanRuleset) -> dict[str, Any]:
    context = counted_context(case)
    count = _count(context, rules)
    if count is None:
        raise HandError(f"case {case.get('id')!r} is not a complete hand; expected one that wins")
    reaches = count.towards_minimum >= rules.minimum
    winner, giver = Seat.EAST, Seat.SOUTH
    gain = sum(rules.owed(count.total, winner, None if case["self_drawn"] else giver).values())
    return {
        "fans": [{"name": one.fan.zh, "points": one.fan.points, "count": one.count} for one in count.fans],
        "total": count.total,
        "total_without_flowers": count.towards_minimum,
        "meets_8_minimum": reaches,
        "legal": reaches,
        "winner_gain": gain if reaches else None,
    }


def counted_context(case: Case) -> WinContext:
    """The declared win of a counted hand; East wins, off South where it is not self-drawn."""
    drawn, kong = bool(case["self_drawn"]), bool(case["about_kong"])
    if drawn:
        source = WinSource.REPLACEMENT if kong else WinSource.SELF_DRAW
    else:
        source = WinSource.ROB_KONG if kong else WinSource.DISCARD
    return WinContext(
        concealed=tuple(_tile(code) for code in case["hand"]),
        winning_tile=_tile(case["win_tile"]),
        melds=tuple(_pack(pack) for pack in case["packs"]),
        flowers=tuple(Tile(Tile.SPRING + number) for number in range(_flowers(case["flowers"]))),
        source=source,
        seat=Seat.EAST,
        from_seat=None if drawn else Seat.SOUTH,
        dealer=Seat(-_place(case["seat_wind"]) % 4),
        streak=0,
        round_wind=Seat(_place(case["round_wind"])),
        facts=TableFacts(last_tile=bool(case["wall_last"]), last_of_kind=bool(case["fourth_tile"])),
    )


def _place(number: object) -> int:
    """A wind or a giver: 0 to 3."""
    if not isinstance(number, int) or not 0 <= number <= 3:
        raise HandError(f"{number!r} is not a wind or a giver; expected 0 to 3")
    return number


def _flowers(number: object) -> int:
    if not isinstance(number, int) or not 0 <= number <= 8:
        raise HandError(f"{number!r} is not a number of flowers; expected 0 to 8")
    return number


def _count(context: WinContext, rules: FanRuleset) -> Count | None:
    """The worth of a hand whether it reaches the minimum or not; HandError when its tiles cannot be."""
    verdict = judge_win(context, rules)
    if isinstance(verdict, FanWin):
        return verdict.count
    if isinstance(verdict, Refusal) and verdict.reason.value == "BELOW_MINIMUM":
        return count_hand(next(finished_hands(context, rules)), rules.table)
    assert isinstance(verdict, Refusal | CannotKnow)
    raise HandError(f"the hand cannot be counted: {verdict.en}; expected a complete hand")


_SUITS = {"W": 0, "B": 9, "T": 18, "F": 27, "J": 31}
_SIZES = {"W": 9, "B": 9, "T": 9, "F": 4, "J": 3}


def _tile(code: object) -> Tile:
    """The tile of a code such as ``W3``."""
    word = str(code)
    if len(word) == 2 and word[0] in _SUITS and word[1].isascii() and word[1].isdigit():
        number = int(word[1])
        if 1 <= number <= _SIZES[word[0]]:
            return Tile(_SUITS[word[0]] + number - 1)
    raise HandError(f"{code!r} is not a tile; expected W1-W9, T1-T9, B1-B9, F1-F4 or J1-J3")


def _pack(pack: object) -> Meld:
    if not isinstance(pack, list | tuple) or len(pack) != 3 or pack[0] not in ("CHI", "PENG", "GANG"):
        raise HandError(f'{pack!r} is not a pack; expected such as ["PENG", "F1", 1]')
    name, tile, offer = pack[0], _tile(pack[1]), _place(pack[2])
    if name == "CHI":
        if tile % 9 in (0, 8) or tile >= 27:
            raise HandError(f"{pack[1]!r} is not the middle of a run; expected the middle tile of a CHI")
        return Meld(MeldKind.CHOW, (Tile(tile - 1), tile, Tile(tile + 1)))
    if name == "PENG":
        return Meld(MeldKind.PUNG, (tile,) * 3)
    return Meld(MeldKind.KONG_OPEN if offer else MeldKind.KONG_CONCEALED, (tile,) * 4)


def _settled(given: Case, rules: FanRuleset) -> dict[str, Any]:
    winner = Seat.parse(str(given["winner"]))
    giver = None if given.get("discarder") is None else Seat.parse(str(given["discarder"]))
    context = WinContext(
        concealed=parse_tiles(given["concealed"]),
        winning_tile=parse_tile(given["win_tile"]),
        melds=tuple(_meld(text) for text in given.get("melds") or ()),
        flowers=parse_tiles(given.get("flowers") or ""),
        source=WinSource.SELF_DRAW if giver is None else WinSource.DISCARD,
        seat=winner,
        from_seat=giver,
        dealer=Seat.parse(str(given.get("dealer", "E"))),
        round_wind=Seat.parse(str(given.get("round", "E"))),
        streak=0,
    )
    verdict = judge_win(context, rules)
    if isinstance(verdict, FanWin):
        settlement = settle(verdict, rules)
        deltas = {seat.code: settlement.deltas[seat] for seat in Seat}
        return {"legal": True, "fans": _by_name(verdict.count.fans), "total": verdict.count.total, "deltas": deltas}
    if isinstance(verdict, Refusal):
        lost = settle_refusal(winner, verdict.reason, rules).deltas
        deltas = {seat.code: lost[seat] for seat in Seat}
        return {"legal": False, "reason": verdict.reason.value, "deltas": deltas, "zh": verdict.zh, "en": verdict.en}
    assert isinstance(verdict, CannotKnow)
    return {"legal": None, "missing": list(verdict.missing), "zh": verdict.zh, "en": verdict.en}


def _by_name(fans: tuple[Counted, ...]) -> dict[str, int]:
    return {one.fan.zh: one.points for one in fans}


_MELDS = {
    "chi": MeldKind.CHOW,
    "peng": MeldKind.PUNG,
    "kong": MeldKind.KONG_OPEN,
    "kong(added)": MeldKind.KONG_ADDED,
    "kong(concealed)": MeldKind.KONG_CONCEALED,
}


def _meld(text: str) -> Meld:
    """A meld such as ``peng 222m``."""
    kind, _, tiles = str(text).partition(" ")
    if kind not in _MELDS:
        raise HandError(f"{text!r} is not a meld; expected one of {', '.join(_MELDS)} and its tiles")
    return Meld(_MELDS[kind], parse_tiles(tiles))


def _holds(given: Case, rules: FanRuleset) -> bool:
    """Whether some division of a part of a hand meets one row; a pair is added where the part has none."""
    fan = rules.table.named(str(given["predicate"]))
    if fan is None:
        raise HandError(f"{given['predicate']!r} is not a row of {rules.name}; expected a name such as 边张")
    winning = parse_tile(given["win_tile"])
    tiles = (*parse_tiles(given["holding"]), winning)
    if len(tiles) % 3 == 0:
        tiles = (*tiles, Tile.EAST, Tile.EAST)
    hand = FinishedHand(key=tile_key(tiles), melds=(), tile=winning, shapes=rules.shapes)
    pattern = rules.table.patterns[fan.key]
    found = divisions(hand.key, 4, hand.shapes)
    return any(bool(pattern.function(View(hand, division))) for division in found)
