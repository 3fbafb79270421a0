"""The commands waits, advise and simulate: their JSON, exit codes, and what people see."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import pytest

from assistant_api import commands
from engine.audit import audit
from engine.eventlog import parse_log
from engine.tiles import Tile
from tests.scripted import SAMPLES, ScriptedReader
from tests.support.commands import run

READY = "123456m789p23455s67p | flowers ES1f"


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    code, out, _ = run(capsys, *arguments, "--json")
    assert code == 0
    return json.loads(out)


def test_waits_with_copies_and_judgement(capsys: pytest.CaptureFixture[str]) -> None:
    """Two kinds and the gold; a discard pays (3+0+5)×2, the drawn gold one more."""
    found = run_json(capsys, "waits", READY, "--gold", "9m", "--table", "8p8p")
    assert (found["distance"], found["win"], found["kinds"], found["left"]) == (0, None, 3, 8)
    waits = {wait["tile"]: wait for wait in found["waits"]}
    assert {tile: wait["left"] for tile, wait in waits.items()} == {"9m": 3, "5p": 4, "8p": 1}
    answer = {"legal": True, "reason": None, "win_types": [], "names": [], "special": 0, "per_payer": 16}
    assert waits["8p"]["discard"] == answer
    assert waits["9m"]["self_draw"]["per_payer"] == 18
    assert waits["9m"]["self_draw_only"]
    assert waits["9m"]["discard"]["reason"] == "GOLD_DISCARD_UNCLAIMABLE"
    assert found["useful"] == [{"tile": "9m", "left": 3}, {"tile": "5p", "left": 4}, {"tile": "8p", "left": 1}]
    assert found["facts"]["flowers"] == "ES 1f"


def test_waits_say_what_bars_a_discard(capsys: pytest.CaptureFixture[str]) -> None:
    """Thrown gold, passed win, free gold by option."""
    locked = run_json(capsys, "waits", READY, "--gold", "9m", "--gold-discarded")
    assert all(wait["self_draw_only"] for wait in locked["waits"])
    passed = run_json(capsys, "waits", READY, "--gold", "9m", "--passed", "8p")
    assert [wait["tile"] for wait in passed["waits"] if wait["self_draw_only"]] == ["9m", "8p"]
    free = "123456m789p234678s9m"
    strict = run_json(capsys, "waits", free, "--gold", "9m", "--set", "free_gold_rule=self_draw_only")
    assert {wait["discard"]["reason"] for wait in strict["waits"] if wait["tile"] != "9m"} == {
        "FREE_GOLD_SELF_DRAW_ONLY"
    }


def test_a_complete_hand_says_win_first(capsys: pytest.CaptureFixture[str]) -> None:
    """Field report 61: seventeen tiles, complete."""
    found = run_json(capsys, "waits", READY.replace("67p", "67p +8p"), "--gold", "9m")
    assert (found["win"]["legal"], found["distance"]) == (True, -1)
    code, out, _ = run(capsys, "waits", READY.replace("67p", "678p"), "--gold", "9m")
    assert code == 0
    assert out.splitlines()[1].startswith("胡了 Win")
    assert run_json(capsys, "advise", READY.replace("67p", "678p"), "--gold", "9m")["win"]["legal"]


def test_a_hand_that_is_not_ready(capsys: pytest.CaptureFixture[str]) -> None:
    """Steps and useful tiles; after a draw the discards that make it ready."""
    found = run_json(capsys, "waits", "123456m789p2345s6p1s9s", "--gold", "9m")
    assert found["distance"] == 1
    assert found["waits"] == []
    assert {"tile": "6p", "left": 3} in found["useful"]
    drawn = run_json(capsys, "waits", "123456m789p2345s66p1s9s", "--gold", "9m")
    assert drawn["distance"] == 0 or drawn["discards"] == []


def test_advice_in_order_with_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    """Ranked; only concealed tiles; each with reasons in both languages."""
    found = run_json(capsys, "advise", "456m789p23455s6p9m9s | melds 123m@E", "--gold", "9m")
    assert [one["rank"] for one in found["discards"]] == list(range(1, len(found["discards"]) + 1))
    best = found["discards"][0]
    assert (best["discard"], best["distance"]) == ("9s", 0)
    assert [reason["code"] for reason in best["reasons"]] == ["lone", "ready"]
    assert all(reason["zh"] and reason["en"] for one in found["discards"] for reason in one["reasons"])
    assert not {"1m", "2m", "3m"} & {one["discard"] for one in found["discards"]}
    thrown = next(one for one in found["discards"] if one["discard"] == "9m")
    assert thrown["reasons"][0]["code"] == "throws_gold_lock"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("waits", "123m"), "3 concealed tiles with 0 melds; expected 16, or 17 after a draw"),
        (("waits", "1x2"), "is not tile notation"),
        (("advise", READY), "16 concealed tiles leave none to throw; expected 17"),
        (("waits", "22222m"), "more 2m than exist"),
        (("waits", READY, "--gold", "9z"), "is not tile notation"),
        (("waits", READY, "--table", "5s5s5s"), "5 of 5s in hand and in sight; expected 4 at most"),
        (("simulate", "--owner", "E"), "give it together with --closed"),
        (("simulate", "--hands", "many"), "'many' is not a whole number"),
    ],
)
def test_bad_input_is_one_line(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str) -> None:
    """Exit code 2, nothing on stdout."""
    code, out, error = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in error
    assert error.count("\n") == 1


def test_hands_from_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A dash."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(READY.encode())))
    assert run_json(capsys, "waits", "-", "--gold", "9m")["kinds"] == 3


@pytest.fixture
def camera(monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Makes photos whose tiles are read as a sample's truth says, with mistakes where a test wants them."""

    def take(sample: str, wrong: dict[int, Tile | None] | None = None, less: Sequence[str] = ()) -> str:
        reader = ScriptedReader(SAMPLES / f"{sample}.json", wrong)
        reader.leave_out(less)
        monkeypatch.setattr(commands, "shipped_reader", lambda *_: reader)
        return str(SAMPLES / f"{sample}.jpg")

    return take


def test_a_photo_of_a_hand_to_draw(capsys: pytest.CaptureFixture[str], camera: Callable[..., str]) -> None:
    """As the same hand in notation, with the reading and what the photo cannot tell."""
    taken = camera("pinghu", less=["winning"])
    found = run_json(capsys, "waits", taken)
    line = run_json(capsys, "waits", "234m66m789m456s56p | melds 345p@E | gold 1s")
    for key in ("hand", "gold", "melds", "distance", "waits", "kinds", "left", "useful"):
        assert found[key] == line[key], key
    assert [wait["tile"] for wait in found["waits"]] == ["4p", "7p", "1s"]
    asked = {question["fact"]: question["option"] for question in found["questions"]}
    assert list(asked) == ["gold_discarded", "passed", "table", "seat", "dealer", "streak"]
    assert all(question["zh"] and question["en"] for question in found["questions"])
    assert len(found["reading"]["tiles"]) == 17  # three of the meld, thirteen, the gold
    assert found["problems"] == []
    answers = (
        "--no-gold-discarded",
        "--passed",
        "7p",
        "--table",
        "4p4p",
        "--seat",
        "W",
        "--dealer",
        "W",
        "--streak",
        "2",
    )
    told = run_json(capsys, "waits", taken, *answers)
    assert told["questions"] == []
    assert {wait["tile"]: wait["left"] for wait in told["waits"]} == {"1s": 3, "4p": 1, "7p": 4}
    assert (told["facts"]["seat"], told["facts"]["streak"], told["facts"]["passed"]) == ("W", 2, ["7p"])


def test_the_gold_is_asked_where_it_is_not_in_the_photo(
    capsys: pytest.CaptureFixture[str], camera: Callable[..., str]
) -> None:
    """Then no win is certain; with the option it is."""
    taken = camera("pinghu", less=["winning", "gold"])
    found = run_json(capsys, "waits", taken)
    assert found["gold"] is None
    assert found["questions"][0]["option"] == "--gold TILE"
    assert all(wait["discard"]["legal"] is None for wait in found["waits"])
    assert run_json(capsys, "waits", taken, "--gold", "1s")["questions"][0]["fact"] == "gold_discarded"


def test_advice_from_a_photo(capsys: pytest.CaptureFixture[str], camera: Callable[..., str]) -> None:
    """A hand that has drawn: discards as for the line; people see the questions below."""
    taken = camera("pinghu", {0: Tile.M9})
    found = run_json(capsys, "advise", taken)
    assert found["discards"] == run_json(capsys, "advise", found["line"])["discards"]
    assert found["win"]["legal"] is False
    code, out, _ = run(capsys, "advise", taken)
    assert (code, "what the photo cannot tell" in out, "--passed TILES" in out) == (0, True, True)


def test_a_photo_that_is_not_clear(capsys: pytest.CaptureFixture[str], camera: Callable[..., str]) -> None:
    """Exit code 1, the line to set right; `--guess` takes the best guess; no hand at all is said so."""
    taken = camera("pinghu", {0: None}, less=["winning"])
    code, out, _ = run(capsys, "waits", taken, "--json")
    found = json.loads(out)
    assert (code, found["waits"], "could not be told" in found["message"]) == (1, [], True)
    assert "?" in found["line"]
    code, out, _ = run(capsys, "waits", taken)
    assert (code, f"jinque waits '{found['line']}'" in out) == (1, True)
    assert run_json(capsys, "waits", taken, "--guess")["kinds"] == 3
    code, out, _ = run(capsys, "advise", camera("pinghu", less=["hand", "winning", "meld0", "gold"]))
    assert (code, "no tile was found in the photo" in out) == (1, True)
    code, _, error = run(capsys, "waits", str(SAMPLES / "nothing.jpg"))
    assert (code, "cannot open 'nothing.jpg'" in error) == (2, True)


def test_what_people_see(capsys: pytest.CaptureFixture[str]) -> None:
    """Chinese and English beside each other."""
    _, out, _ = run(capsys, "waits", READY, "--gold", "9m")
    assert "听牌 Ready" in out
    assert "waits on 3 kinds, 10 left" in out
    _, out, _ = run(capsys, "waits", READY)
    assert "the gold is unknown" in out
    _, out, _ = run(capsys, "waits", "147m258p369s1478m22p1m", "--gold", "7s")
    assert "4 steps from ready" in out
    _, out, _ = run(capsys, "advise", "1111m789p2355s6p9m9s | melds 444p@E", "--gold", "9m")
    assert "进张" in out
    assert "孤张" in out
    assert "可杠 1m" in out


def test_simulated_logs_are_legal_logs(capsys: pytest.CaptureFixture[str]) -> None:
    """Text that the audit reads; the same seed gives the same text; closed logs too."""
    _, out, _ = run(capsys, "simulate", "--seed", "3", "--hands", "3")
    logs = [parse_log(text) for text in out.strip().split("\n\n")]
    assert len(logs) == 3
    assert [audit(log) for log in logs] == [(), (), ()]
    assert run(capsys, "simulate", "--seed", "3", "--hands", "3")[1] == out
    _, closed, _ = run(capsys, "simulate", "--seed", "3", "--hands", "3", "--closed", "--owner", "S")
    assert "S holds" in closed
    assert "E holds" not in closed


def test_simulated_hands_go_straight_into_the_audit(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a pipe: no violation, exit code 0."""
    _, out, _ = run(capsys, "simulate", "--seed", "9", "--hands", "5")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(out.encode())))
    code, found, _ = run(capsys, "audit", "-")
    assert code == 0
    assert found.count("no violation") == 5


def test_simulated_logs_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """One line a hand, by any ruleset and options."""
    arguments = ("simulate", "--hands", "4", "--ruleset", "fuzhou-baida", "--set", "one_suit=true", "--dealer", "W")
    code, out, _ = run(capsys, *arguments, "--set", "special_values=GOLD_SPARROW=50", "--json")
    assert code == 0
    hands = [json.loads(line) for line in out.splitlines()]
    assert [hand["hand"] for hand in hands] == [1, 2, 3, 4]
    assert hands[0]["events"][0].startswith("deal W fuzhou-baida streak 0 ")
    for before, after in pairwise(hands):
        assert before["next_dealer"] in (None, after["dealer"])
        assert sum(before["deltas"]) == 0 or before["outcome"] == "escape"
    for hand in hands:
        assert audit(parse_log("\n".join(hand["events"]))) == ()
