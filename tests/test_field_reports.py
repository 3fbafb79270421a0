"""What people met with other programs, sections E and F of the collected field reports: one test for each report.

Report 58 (greedy counting of blocks) is tested against a peer and against exhaustive search in `test_shanten`. What
concerns a whole evening (section D; 67 to 77 across hands) is in `test_field_reports_ledger`. Each drill is checked in
`test_drills` (76 here tests the facts that drills rest on).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest
from fastapi.testclient import TestClient
from naive_solver import is_complete_naively
from sqlalchemy import text
from support.hands import play

from assistant_api import repository
from assistant_api.rows import EARLIER_HANDS
from assistant_api.schemas import SettlementRequest
from assistant_api.services.cases import judge_lines
from assistant_api.services.ledger import writing
from assistant_api.settings import Settings
from assistant_api.storage import open_database, transaction
from engine.advice import advise, position, steps_to_ready, win_now
from engine.context import TableFacts
from engine.decompose import is_complete, splits, tile_key
from engine.errors import HandError
from engine.eventlog import format_event, parse_event, parse_log
from engine.events import WinClaim
from engine.fan_win import FanWin
from engine.judging import Ruling
from engine.notation import parse_hand, parse_tiles
from engine.payments import Settlement
from engine.reasons import Reason
from engine.referee import Referee
from engine.rulesets import get_ruleset
from engine.seats import SEATS, Seat
from engine.settlement import settle
from engine.shape_distance import shape_distance
from engine.shapes import Shape
from engine.table import Outcome, Phase
from engine.tiles import Tile
from engine.verdicts import Refusal, Verdict, Win
from engine.win import judge_win
from engine.win_types import WinType

Maker = Callable[..., TestClient]
E, S, W, N = SEATS
EXAMPLE: dict[str, Any] = SettlementRequest.model_config["json_schema_extra"]["examples"][0]  # type: ignore[index, call-overload]
READY = "123456m789p23455s67p"
"""Sixteen tiles that wait on 5p and 8p."""


def judge(line: str, ruleset: str = "fuzhou", **options: object) -> Verdict:
    """The verdict on South's hand; East deals, no gold was thrown and no win passed."""
    facts = TableFacts(gold_discarded=False, passed_kinds=frozenset(), dead_hand=False)
    seats = "" if "dealer" in line else " | dealer E | streak 0"
    return judge_win(parse_hand(f"{line} | seat S{seats}").context(facts), get_ruleset(ruleset).with_options(options))


def reason(verdict: object) -> Reason | None:
    """Why a win or claim is refused, None when it stands."""
    return verdict.reason if isinstance(verdict, Refusal) else None


def settled(line: str, ruleset: str = "fuzhou", **options: object) -> Settlement:
    """The points of the win a line must be."""
    win = judge(line, ruleset, **options)
    assert isinstance(win, Win), win
    return settle(win, get_ruleset(ruleset).with_options(options))


def table(events: str, options: str = "", ruleset: str = "fuzhou") -> Referee:
    """The referee after these events; East deals."""
    return Referee(parse_log(f"deal E {ruleset} streak 0 {options}\n{events}"))


def ruling(referee: Referee, claim: str) -> Reason | None:
    """Why a declared win is refused, None when it stands."""
    event = parse_event(claim)
    assert isinstance(event, WinClaim)
    answer = referee.judge(event)
    assert isinstance(answer, Ruling)
    assert answer.certain
    return reason(answer.verdict)


def claims(referee: Referee, seat: Seat) -> list[str]:
    """What a seat may claim, as text."""
    return [format_event(claim) for claim in referee.legal_claims(seat)]


# E. Rules, wild tile, waits


def test_46_lone_tiles_use_up_the_golds() -> None:
    """Report 46: 4m, 4p, 4s and a lone tile need five wild ones for two sets and a pair; four do not do."""
    for lone in ("9s", "E", "1p"):
        tiles = parse_tiles(f"4m4p4s{lone}3333m")
        assert not is_complete(tiles, Tile.M3)
        assert not is_complete_naively(tiles, Tile.M3)
    line = "4m4p4s9s333m +3m | melds 111p@W 222p@W 777s@W | gold 3m | win self_draw"
    assert reason(judge(line, gold_from_indicator="next", three_golds=False)) is Reason.NOT_COMPLETE


@pytest.mark.parametrize("size", range(19))
def test_48_only_whole_sets_and_a_pair_win(size: int) -> None:
    """Report 48: 123s alone is no win, nor is any other number of tiles than sets and a pair have."""
    runs, pair = parse_tiles("123456789m123456789s"), parse_tiles("11p")
    fits = size % 3 == 2
    assert is_complete((*runs[: size - 2], *pair) if fits else runs[:size]) is fits


def test_48_a_hand_of_the_wrong_size_is_refused() -> None:
    """Report 48: a declared win of three tiles, and of three and six too many."""
    assert reason(judge("12s +3s | gold 9m | win self_draw")) is Reason.TOO_FEW_TILES
    assert reason(judge(f"{READY}123s +8p | gold 9m | win self_draw")) is Reason.TOO_MANY_TILES


@pytest.mark.parametrize("hand", ["13456789p5s9m444s +5s | melds 111m@N", "13456789p5s9m +5s | melds 111m@N 444s@W"])
def test_50_a_pung_laid_out_is_the_same_win(hand: str) -> None:
    """Report 50: 444s concealed or exposed."""
    assert isinstance(judge(f"{hand} | gold 9m | win self_draw"), Win)


def test_51_a_gold_counts_once_and_wild() -> None:
    """Report 51: the gold 1s beside its own suit; in a meld it is its own tile only where a table plays that."""
    win = judge("66m23456777889s +1s | melds 111p@W | gold 1s | flowers ES | win self_draw")
    assert isinstance(win, Win)
    assert (win.golds, len(win.gold_roles)) == (1, 1)
    claimed = "66m456777s789p12m +3m | melds 1s2s3s@E | gold 1s | flowers ES | win self_draw"
    assert reason(judge(claimed)) is Reason.GOLD_IN_MELD
    assert isinstance(judge(claimed, gold_in_claims="as_self"), Win)


def test_52_carriage_returns_change_nothing() -> None:
    """Report 52: tables, logs and cases from a machine that ends lines otherwise."""
    for name in ("fuzhou.toml", "mcr.toml"):
        written = files("engine.rulesets").joinpath(name).read_text(encoding="utf-8").replace("\r\n", "\n")
        assert tomllib.loads(written.replace("\n", "\r\n")) == tomllib.loads(written)
    log = "deal E fuzhou streak 0\ngold 9m\nE discard 1s\nS draw head\n"
    assert parse_log(log.replace("\n", "\r\n")) == parse_log(log)
    case = '{"id": "x", "kind": "draw", "ruleset": "fuzhou", "dealer": 0, "streak": 2, "expected": {"next_streak": 2}}'
    (unix,), (other,) = (list(judge_lines([case + end], None)) for end in ("\n", "\r\n"))
    assert unix == other
    assert unix["as_expected"] is True


def test_54_a_pair_out_of_four_alike() -> None:
    """Report 54: the 2m are a triplet and part of a run, the pair is 9p."""
    assert isinstance(judge("444p222m34m555s99p111s +2m | gold 9m | flowers ES | win self_draw"), Win)


def test_54_a_chow_without_a_pair_is_offered() -> None:
    """Report 54: South holds no pair of the tile thrown and may still chow."""
    hand = table("S holds 34m147p258p36s9s1478s9m\ngold 9m\nE discard 5m")
    assert claims(hand, S) == ["S chow 5m with 34m"]


def test_55_drawing_the_gold_wins() -> None:
    """Report 55: the last tile is the gold itself; a pair of two golds is 金雀 only where that is played."""
    assert isinstance(judge(f"{READY} +9m | gold 9m | win self_draw"), Win)
    for played in (True, False):
        win = judge("123456m789p234s678p9m +9m | flowers ES | gold 9m | win self_draw", gold_sparrow=played)
        assert isinstance(win, Win)
        assert (WinType.GOLD_SPARROW in win.win_types) is played
        assert win.special == (60 if played else 0)


def test_55_equal_runs_are_one_way_to_see_a_hand() -> None:
    """Report 55: 778899 is not counted twice, as a split or as a row of a fan table."""
    assert len(list(splits(tile_key(parse_tiles("778899m55p")), 0))) == 1
    win = judge("778899m123p456s5p +5p | round E | win self_draw", "mcr", minimum=0)
    assert isinstance(win, FanWin)
    assert [one.count for one in win.count.fans if one.fan.zh == "一般高"] == [1]


def test_57_open_melds_leave_no_special_shapes() -> None:
    """Report 57: orphans beside a meld are six steps away; three golds win with or without melds."""
    assert shape_distance(parse_tiles("19m19p19sESWN"), Shape) == 6
    assert shape_distance(parse_tiles("19m19p19sESWNCFP"), Shape) == 0
    win = judge("147m258p369s14p99m +9m | melds 555s@W | gold 9m | win self_draw")
    assert isinstance(win, Win)
    assert WinType.THREE_GOLDS in win.win_types


@pytest.mark.parametrize(("tiles", "gold"), [("22222m456m789p234s", "9m"), ("2222m456m789p2345s", "2m")])
def test_59_five_of_a_kind_has_one_answer(tiles: str, gold: str) -> None:
    """Report 59: a fifth copy, or a fourth beside the indicator, is named and never guessed away."""
    found = judge(f"{tiles}67p +8p | gold {gold} | win discard@W")
    assert isinstance(found, Refusal)
    assert (found.reason, found.data) == (Reason.IMPOSSIBLE_TILES, {"tiles": "2m", "count": 5})
    with pytest.raises(HandError, match="more 2m than exist"):
        position(parse_hand(f"{tiles}67p | gold {gold}"), get_ruleset("fuzhou"))
    log = table(f"S holds {tiles}67p\ngold {gold}")
    assert [(one.kind.value, one.data["tiles"]) for one in log.violations()] == [("impossible_tiles", "2m")]


def test_59_five_of_a_kind_over_the_wire(make_client: Maker) -> None:
    """Report 59: a photo with five 2m is told, and nothing breaks."""
    tiles = [*EXAMPLE["tiles"]]
    for place in (0, 2, 3, 4):
        tiles[place] = {**tiles[place], "tile": "2m"}
    answer = make_client().post("/api/settlements/preview", json={**EXAMPLE, "tiles": tiles})
    assert (answer.status_code, answer.json()["legal"]) == (200, False)
    assert answer.json()["refusal"]["code"] == "IMPOSSIBLE_TILES"
    assert "2m" in answer.json()["refusal"]["text"]


def test_61_a_complete_hand_wins_before_it_is_taught() -> None:
    """Report 61: seventeen tiles are a win; advice throws concealed tiles only."""
    complete = position(parse_hand("123456m23455s678p | melds 789p@E | flowers ES | gold 9m"), get_ruleset("fuzhou"))
    assert isinstance(win_now(complete), Win)
    assert steps_to_ready(complete) == -1
    assert {one.tile for one in advise(complete)} <= set(complete.concealed)


def test_62_an_added_kong_waits_for_a_draw() -> None:
    """Report 62: offered when the fourth 8m is drawn; not right after the pung, though it is in the hand."""
    pung = "\ngold 9m\nE discard 8m\nS pung 8m"
    assert claims(table(f"S holds 888m147p258p369s1247s{pung}"), S) == []
    around = "S discard 9s\nW draw\nW discard 1m\nN draw\nN discard 1m\nE draw\nE discard 1m\nS draw 8m"
    drawn = table(f"S holds 88m147p258p369s12479s{pung}\n{around}")
    assert claims(drawn, S) == ["S kong added 8m"]
    assert drawn.apply(parse_event("S kong added 8m")).violations() == ()


def test_63_the_table_waits_for_a_flower() -> None:
    """Report 63: a flower drawn while nobody answers is no error and is not replaced by itself."""
    waiting = table("gold 9m\nE discard 1s\nS draw E\nS flowers E")
    assert (waiting.state.phase, waiting.state.turn, waiting.state.seats[S].owed) == (Phase.REPLACEMENT, S, 1)
    assert waiting.violations() == ()
    assert waiting.apply(parse_event("S draw tail 8p")).state.phase is Phase.ACTION


PASSED = "gold 9m\nE discard 1s\nS draw\nS discard 1s\nW draw\nW discard 5p\n"
"""South lets a win on West's 5p go by."""
AROUND = "N draw\nN discard 1m\nE draw\nE discard 1m\nS draw 1s\nS discard 1s\nW draw\nW discard 5p"
CHOWN = "N draw\nN discard 1m\nE draw\nE discard 1s\nS chow 1s with 23s\nS discard 4s\nW draw\nW discard 5p"
LOCK, FREE = Reason.PASS_LOCK, None


@pytest.mark.parametrize(
    ("options", "same_round", "after_discard", "other_tile"),
    [
        ("", LOCK, FREE, FREE),
        ("pass_lock_reset=own_draw", LOCK, FREE, FREE),
        ("pass_lock_reset=end_of_hand", LOCK, LOCK, FREE),
        ("pass_lock_scope=all_tiles", LOCK, FREE, LOCK),
        ("pass_lock_scope=off", FREE, FREE, FREE),
    ],
)
@pytest.mark.parametrize("ruleset", ["fuzhou", "fuzhou-baida"])
def test_64_how_long_a_pass_binds(
    ruleset: str, options: str, same_round: Reason | None, after_discard: Reason | None, other_tile: Reason | None
) -> None:
    """Report 64: West's 5p passed; then North's 5p, West's 5p after an own discard, North's 8p."""
    for events, tile, expected in (
        ("N draw\nN discard 5p", "5p", same_round),
        (AROUND, "5p", after_discard),
        ("N draw\nN discard 8p", "8p", other_tile),
    ):
        referee = table(PASSED + events, options, ruleset)
        assert ruling(referee, f"S win discard {tile} hand {READY}") is expected


@pytest.mark.parametrize(("lock", "expected"), [("off", []), ("same_tile", ["guoshui_pung"])])
def test_64_a_passed_pung(lock: str, expected: list[str]) -> None:
    """Report 64: one text also forbids to take a pung that was let go by before."""
    held = "S holds 55p147m258m36s9s147s19p\n"
    referee = table(f"{held}{PASSED}N draw\nN discard 5p\nS pung 5p", f"pass_pung_lock={lock}")
    assert [one.kind.value for one in referee.violations()] == expected


KONG = (
    "gold 9m\nE discard 8p\nN pung 8p\nN discard 1m\nE draw\nE discard 1m\nS draw\nS discard 1s\nW draw\n"
    "W discard 1m\nN draw\nN kong added 8p\nN draw\nN discard 5p"
)
"""South lets the robbing of North's 8p go by; then North throws 5p."""


@pytest.mark.parametrize(
    ("events", "hand", "options", "expected"),
    [
        (KONG, READY, "pass_lock_scope=all_tiles", LOCK),
        (KONG, READY, "", FREE),
        (f"{PASSED}E pung 5p\nE discard 5p", READY, "", LOCK),
        (PASSED + CHOWN, "123456m789p55s67p", "", FREE),
        (PASSED + AROUND, READY, "", FREE),
    ],
)
def test_65_what_sets_and_clears_the_lock(events: str, hand: str, options: str, expected: Reason | None) -> None:
    """Report 65: declining a robbed kong sets it, another's call keeps it, an own call or draw with discard clears."""
    assert ruling(table(events, options), f"S win discard 5p hand {hand}") is expected


@pytest.mark.parametrize(("rule", "expected"), [("none", LOCK), ("self_draw_only", Reason.FREE_GOLD_SELF_DRAW_ONLY)])
def test_65_a_barred_win_is_not_passed(rule: str, expected: Reason) -> None:
    """Report 65: the shape fitted West's 5p, but a free gold could not win on it, so nothing was let go by."""
    referee = table(f"{PASSED}N draw\nN discard 5p", f"free_gold_rule={rule}")
    assert ruling(referee, "S win discard 5p hand 123456m789p234555s9m") is expected


# F. Settlement and ledger


def test_67_an_error_half_way_leaves_nothing(
    make_client: Maker, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Report 67: a hand is stored whole or not at all, and one hand has one settlement."""
    client = make_client()
    client.post("/api/hands", json=EXAMPLE).raise_for_status()

    def kept_then_broken(*given: Any) -> None:
        keep(*given)
        raise OSError("the disk is full")

    keep = writing.keep_step
    monkeypatch.setattr(writing, "keep_step", kept_then_broken)
    assert client.post("/api/hands", json=EXAMPLE).status_code == 500
    monkeypatch.undo()
    with transaction(open_database(settings.database_path)) as session:
        assert repository.totals(session, EARLIER_HANDS).kinds == {"win": 1}


TWO_WINNERS = f"gold 9m\nE discard 8p\nN win discard 8p hand {READY}\nS win discard 8p hand {READY}"


def test_67_68_the_nearest_seat_wins_alone() -> None:
    """Reports 67 and 68: two or three winners on one tile; one wins, and nothing of another payment stays."""
    three = f"{TWO_WINNERS}\nW win discard 8p hand {READY}"
    for events in (TWO_WINNERS, three):
        hand = table(events)
        assert hand.winner is not None
        assert hand.winner.context.seat is S
        assert hand.settle().deltas == (-40, 40, 0, 0)
    assert "seat order" in next(option.en for option in get_ruleset("fuzhou").options if option.name == "win_priority")


def test_69_points_never_appear_or_vanish(make_client: Maker) -> None:
    """Report 69: after every save and every take-back, each view sums to zero and the totals are those of the hands."""
    client = make_client()
    facts: dict[str, Any] = {**EXAMPLE["facts"], "source": "self_draw", "from_seat": None, "streak": 3}
    saved = []
    for ruleset in ("fuzhou", "fuzhou-baida"):
        for more in ({}, {"facts": facts}, {"options": {"discard_payers": "all_three"}}):
            body = {**EXAMPLE, **more, "ruleset": ruleset}
            preview = client.post("/api/settlements/preview", json=body).json()["settlement"]
            saved.append(client.post("/api/hands", json=body).json())
            assert saved[-1]["deltas"] == preview["deltas"]
            _check_views(client, [hand["id"] for hand in saved])
    while saved:
        client.delete(f"/api/hands/{saved.pop(len(saved) // 2)['id']}").raise_for_status()
        _check_views(client, [hand["id"] for hand in saved])


def _check_views(client: TestClient, ids: list[int]) -> None:
    page = client.get("/api/hands").json()
    listed = [hand["deltas"] for hand in page["hands"]]
    assert [client.get(f"/api/hands/{number}").json()["deltas"] for number in reversed(ids)] == listed
    assert [sum(deltas) for deltas in listed] == [0] * len(ids)
    assert page["totals"] == [sum(seat) for seat in zip((0, 0, 0, 0), *listed, strict=True)]


@pytest.mark.parametrize(
    ("ruleset", "line", "deltas"),
    [
        ("fuzhou", "123456m789p23455s6p9m +8p | flowers ES1f | gold 9m | win discard@W", (0, 22, -22, 0)),
        ("fuzhou", "123456m789p23455s6p9m +8p | flowers ES1f | gold 9m | win self_draw", (-22, 66, -22, -22)),
        ("fuzhou", "123456m789p234s67p99m +8p | flowers ES | gold 9m | win discard@W", (0, 82, -82, 0)),
        ("fuzhou", "123456m789p234s67p99m +8p | flowers ES | gold 9m | win self_draw", (-82, 246, -82, -82)),
        ("fuzhou-baida", f"{READY} +8p | flowers ES1f | gold 9m | win discard@W", (-2, 5, -3, 0)),
        ("fuzhou-baida", f"{READY} +8p | flowers ES1f | gold 9m | win self_draw", (-10, 22, -6, -6)),
    ],
)
def test_70_whole_points_each_from_each_payer(ruleset: str, line: str, deltas: tuple[int, ...]) -> None:
    """Report 70: a streak of two; flowers and golds count, a self-draw is neither divided nor tripled twice."""
    result = settled(f"{line} | dealer E | streak 2", ruleset)
    assert result.deltas == deltas
    assert {type(points) for points in (*result.deltas, result.per_payer, *result.fan.values())} == {int}


def test_72_a_corrected_event_reaches_everything_after_it() -> None:
    """Report 72: an event is mended after others followed; winner, points, next dealer and streak follow."""
    log = f"gold 9m\nE discard 1s\nS draw head\nS discard 8p\nE win discard 8p hand {READY}"
    wrong = table(log)
    assert wrong.settle().deltas == (40, -40, 0, 0)
    assert (wrong.settle().next_dealer, wrong.settle().next_streak) == (E, 1)
    right = wrong.replace(6, parse_event(f"W win discard 8p hand {READY}"))
    assert (right.settle().deltas, right.settle().next_dealer, right.settle().next_streak) == ((0, -40, 40, 0), S, 0)
    assert right.replace(6, wrong.log[5]).settle() == wrong.settle()


@pytest.mark.parametrize("ruleset", ["fuzhou", "fuzhou-baida"])
@pytest.mark.parametrize("source", ["discard@W", "rob_kong@W", "self_draw"])
def test_73_one_unit_everywhere(ruleset: str, source: str) -> None:
    """Report 73: a hundred times the unit is a hundred times every payment, bonus and streak among them."""
    line = f"123456m789p234s67p99m +8p | flowers EEEE1f | gold 9m | win {source} | dealer E | streak 2"
    one, hundred = settled(line, ruleset), settled(line, ruleset, base_unit=100)
    assert hundred.deltas == tuple(100 * points for points in one.deltas)
    assert hundred.per_payer == 100 * one.per_payer
    assert any(one.deltas)


def test_73_the_database_holds_the_points_that_were_shown(make_client: Maker, settings: Settings) -> None:
    """Report 73: the same whole numbers in the answer, in the list and in the table."""
    shown = make_client().post("/api/hands", json=EXAMPLE).json()["deltas"]
    columns = [f"{seat}_points" for seat in ("east", "south", "west", "north")]
    query = f"SELECT {', '.join(columns)}, {', '.join(f'typeof({name})' for name in columns)} FROM entry"
    with transaction(open_database(settings.database_path)) as session:
        row = session.connection().execute(text(query)).one()
    assert list(row) == [*shown, *["integer"] * 4]


@pytest.mark.parametrize(
    ("source", "options", "payers"),
    [
        ("discard@W", {}, {W: 14}),
        ("discard@W", {"discard_payers": "all_three"}, {W: 14, N: 14, E: 14}),
        ("discard@W", {"discard_payers": "discarder_triple"}, {W: 42}),
        ("rob_kong@W", {}, {W: 14}),
        ("rob_kong@W", {"rob_kong_payment": "konger_pays_three"}, {W: 42}),
        ("self_draw", {}, {W: 14, N: 14, E: 14}),
    ],
)
def test_75_who_pays_is_exact(source: str, options: dict[str, object], payers: dict[Seat, int]) -> None:
    """Report 75: the list of payers under each preset: (2 flowers + 5) * 2 from each who owes it."""
    result = settled(f"{READY} +8p | flowers ES | gold 9m | win {source}", **options)
    assert {move.from_seat: move.points for move in result.transfers} == payers
    assert {move.to_seat for move in result.transfers} == {S}


def test_76_hands_to_learn_from_are_possible() -> None:
    """Report 76: five of a kind, indicator included, is not taught; dealt hands hold four at most."""
    for line in ("444456m4789p2355s67p | gold 4m", "4444m55567p8p123456s | melds 789p@E | gold 4m"):
        with pytest.raises(HandError, match=r"more 4m than exist|of 4m in hand"):
            position(parse_hand(line), get_ruleset("fuzhou"))
    for seed in range(8):
        assert Referee(play(seed)).violations() == ()


@pytest.mark.parametrize("seed", range(8))
def test_76_reasons_add_up(seed: int) -> None:
    """Report 76: the formula of the explanation gives the amount, and the payments give what the winner gets."""
    hand = Referee(play(seed))
    result = hand.settle()
    if hand.winner is None or hand.winner.context.seat is None:
        assert result.deltas == (0, 0, 0, 0) or hand.state.outcome is Outcome.ESCAPE
        return
    (each,) = (line for line in result.lines if line.code == "per_payer")
    for words in (each.zh, each.en):
        formula, amount = re.split("[:：]", words)[1].split(" = ")
        assert _value(formula) == int(amount) == each.points == result.per_payer
    assert sum(line.points for line in result.lines if line.code == "pays") == result.deltas[hand.winner.context.seat]


def _value(formula: str) -> int:
    """``(3+0+5)×2+60`` worked out: products before sums, one level of brackets."""
    inner = re.sub(r"\(([\d+]+)\)", lambda found: str(sum(map(int, found[1].split("+")))), formula.strip())
    total = 0
    for product in inner.split("+"):
        value = 1
        for factor in product.split("×"):
            value *= int(factor)
        total += value
    return total


def test_77_an_old_hand_keeps_its_rules(make_client: Maker) -> None:
    """Report 77: a club changes its rules between evenings; hands it saved stand as they were settled."""
    client = make_client(ruleset="fuzhou")
    body = {**EXAMPLE, "options": {"fixed_points": 7, "special_values": "GOLD_SPARROW=50"}}
    before = client.post("/api/hands", json=body).json()
    assert (before["options"]["fixed_points"], before["options"]["special_values"]["GOLD_SPARROW"]) == (7, 50)
    later = make_client(ruleset="fuzhou-baida")
    after = later.post("/api/hands", json=EXAMPLE).json()
    assert after["ruleset"] == "fuzhou-baida"
    assert later.get(f"/api/hands/{before['id']}").json() == before
    kept = get_ruleset(before["ruleset"]).with_options(before["options"])
    assert kept.values() == before["options"]


def test_77_the_same_key_with_other_rules_is_another_hand(make_client: Maker) -> None:
    """Report 77: a repeated request is known by its rules too, so that no score is answered that was not asked for."""
    client, key = make_client(), {"Idempotency-Key": "0123456789"}
    client.post("/api/hands", json=EXAMPLE, headers=key).raise_for_status()
    other = client.post("/api/hands", json={**EXAMPLE, "options": {"fixed_points": 10}}, headers=key)
    assert (other.status_code, other.json()["code"]) == (409, "conflict")
