"""The commands as people and scripts use them: their JSON, their exit codes, what they print."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from assistant_api import cli, commands, commands_evaluate
from assistant_api.services import serving
from engine.tiles import Tile
from tests.conftest import ROOT
from tests.scripted import SAMPLES, ScriptedReader
from tests.support.commands import run as run_command

HAND = "123456m789p67p23455s +8p | flowers ES1f"
TRUTH = json.loads((SAMPLES / "melds.json").read_text(encoding="utf-8"))


@pytest.fixture(autouse=True)
def scripted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Commands read the sample `melds` in every photo, and keep their data apart."""
    monkeypatch.setattr(commands, "shipped_reader", lambda *_: ScriptedReader(SAMPLES / "melds.json", {2: None}))
    monkeypatch.setenv("JINQUE_DATABASE_PATH", str(tmp_path / "cli.sqlite3"))


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """Exit code and stdout of a command."""
    return run_command(capsys, *arguments)[:2]


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    """Exit code and the one JSON document of a command."""
    code, out = run(capsys, *arguments, "--json")
    return code, json.loads(out)


def test_score_of_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    """All fields of the contract, computed by hand: (3+0+0+5)×2 = 16."""
    code, found = run_json(capsys, "score", HAND, "--gold", "9m", "--from", "W", "--winner", "S", "--dealer", "E")
    assert code == 0
    assert (found["legal"], found["reason"], found["win_types"]) == (True, None, [])
    assert (found["per_payer"], found["deltas"]) == (16, [0, 16, -16, 0])
    assert found["fan"] == {"flowers": 3, "flower_sets": 0, "kong_points": 0, "gold": 0, "fixed": 5, "special": 0}
    assert (found["next_dealer"], found["next_streak"], found["reading"]) == ("S", 0, None)
    assert [line["code"] for line in found["explanation"]][-2:] == ["per_payer", "pays"]
    assert found["assumed"] == [{"fact": "streak", "value": 0, "option": "--streak"}]


def test_what_the_line_says_counts_and_options_come_on_top(capsys: pytest.CaptureFixture[str]) -> None:
    """Facts in the notation are taken; an option overrides them."""
    line = HAND + " | gold 9m | win discard@W | seat S | dealer E | streak 2"
    assert run_json(capsys, "score", line)[1]["per_payer"] == 20
    assert run_json(capsys, "score", line, "--streak", "0")[1]["per_payer"] == 16
    assert run_json(capsys, "score", line, "--self-draw")[1]["deltas"] == [-20, 60, -20, -20]
    assert run_json(capsys, "score", line, "--flowers", "ES")[1]["per_payer"] == 18


def test_winner_is_never_the_giver(capsys: pytest.CaptureFixture[str]) -> None:
    """An assumed winner is another seat than the one that threw the tile."""
    _, found = run_json(capsys, "score", HAND, "--gold", "9m", "--from", "E")
    assert (found["legal"], found["deltas"]) == (True, [-16, 16, 0, 0])
    assert {one["fact"]: one["value"] for one in found["assumed"]} == {"dealer": "E", "winner": "S", "streak": 0}


def test_missing_facts_are_asked_with_their_option(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither yes nor no; the questions name the option that answers them."""
    code, found = run_json(capsys, "score", HAND)
    assert (code, found["legal"], found["deltas"]) == (1, None, None)
    assert {asked["fact"]: asked["option"].split(",")[0] for asked in found["questions"]} == {
        "gold": "--gold TILE",
        "source": "--self-draw",
    }
    code, out = run(capsys, "score", HAND)
    assert code == 1
    assert "金是哪张牌？ Which tile is the gold?  --gold TILE" in out


def test_the_winning_tile_may_lie_in_the_hand(capsys: pytest.CaptureFixture[str]) -> None:
    """`--tile` takes the winning tile out of 17 tiles, or adds it to 16."""
    for hand in ("123456m789p67p23455s8p", "123456m789p67p23455s"):
        _, found = run_json(capsys, "score", hand, "--gold", "9m", "--from", "W", "--winner", "S", "--tile", "8p")
        assert found["legal"] is True, hand
        assert "+8p" in found["hand"]


def test_ruleset_options_from_file_and_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A TOML file of options, single options over it, and another ruleset; what changed is told."""
    (tmp_path / "table.toml").write_text("[options]\nfixed_points = 10\nbase_unit = 2\n", encoding="utf-8")
    win = ("score", HAND, "--gold", "9m", "--self-draw")
    _, found = run_json(capsys, *win, "--options", str(tmp_path / "table.toml"), "--set", "base_unit=1")
    assert (found["per_payer"], found["options"]) == (26, {"fixed_points": 10})
    _, found = run_json(capsys, *win, "--ruleset", "fuzhou-baida")
    assert (found["ruleset"], found["per_payer"]) == ("fuzhou-baida", 6)


def test_people_see_the_formula(capsys: pytest.CaptureFixture[str]) -> None:
    """The hand, each term in both languages, four deltas, what golds stand for and what was assumed."""
    code, out = run(capsys, "score", "123456m789p23455s67p +9m | gold 9m", "--self-draw", "--winner", "S")
    assert code == 0
    for text in (
        "123456m789p23455s67p  + 9m",
        "胡 南 South wins",
        "每家应付：(0+1+0+5)×2+30 = 42",
        "each payer: (0+1+0+5)×2+30 = 42",
        "东 East 庄",
        "+126",
        "-42",
        "9m →",
        "dealer E (--dealer)",
    ):
        assert text in out, text
    assert "\x1b[" not in out


def test_score_of_a_photo(capsys: pytest.CaptureFixture[str]) -> None:
    """A tile that could not be read is a refusal that says so; the reading goes along."""
    code, found = run_json(capsys, "score", str(SAMPLES / "melds.jpg"), "--from", "W", "--winner", "S")
    assert (code, found["legal"], found["reason"]) == (1, False, "UNKNOWN_TILE")
    assert len(found["reading"]["tiles"]) == len(TRUTH["tiles"])
    code, out = run(capsys, "score", str(SAMPLES / "melds.jpg"), "--from", "W", "--winner", "S")
    assert code == 1
    assert "Unreadable tiles to name: 1" in out
    assert "jinque score '" in out
    true = TRUTH["facts"]
    facts = ("--from", true["from"], "--winner", true["winner"], "--dealer", true["dealer"], "--streak", "1")
    code, found = run_json(capsys, "score", str(SAMPLES / "melds.jpg"), *facts, "--guess")
    assert (code, found["deltas"]) == (0, TRUTH["expected"]["deltas"])


def test_read_prints_one_line_a_photo(capsys: pytest.CaptureFixture[str]) -> None:
    """The fields of the contract, one photo a line, a folder taken as its photos."""
    code, out = run(capsys, "read", str(SAMPLES / "melds.jpg"), str(SAMPLES), "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert (code, len(lines)) == (0, 1 + len(list(SAMPLES.glob("*.jpg"))))
    found = lines[0]
    assert (found["file"], found["width"], found["height"]) == (str(SAMPLES / "melds.jpg"), 1600, 1200)
    assert set(found["groups"]) >= {"hand", "melds", "flowers", "gold"}
    assert set(found["tiles"][0]) >= {"tile", "confidence", "alternatives", "quad", "group"}
    assert found["tiles"][2]["tile"] == "?"
    code, out = run(capsys, "read", str(SAMPLES / "melds.jpg"))
    assert code == 0
    assert "? 3: ? 60%" in out


def test_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A dash takes a line, a photo or cases from standard input."""

    class Stdin:
        def __init__(self, data: bytes) -> None:
            self.buffer = io.BytesIO(data)

    monkeypatch.setattr("sys.stdin", Stdin(HAND.encode()))
    assert run_json(capsys, "score", "-", "--gold", "9m", "--self-draw")[1]["per_payer"] == 16
    monkeypatch.setattr("sys.stdin", Stdin((SAMPLES / "melds.jpg").read_bytes()))
    assert run_json(capsys, "score", "-", "--self-draw")[1]["reason"] == "UNKNOWN_TILE"
    monkeypatch.setattr("sys.stdin", Stdin((SAMPLES / "melds.jpg").read_bytes()))
    assert run_json(capsys, "read", "-")[1]["file"] == "-"
    monkeypatch.setattr("sys.stdin", Stdin(b'{"id": "d", "kind": "draw", "dealer": 1, "streak": 2}'))
    code, found = run_json(capsys, "judge", "-")
    assert (code, found["id"], found["next_dealer"], found["as_expected"]) == (0, "d", 1, None)


def test_judge_tells_agreement_by_its_exit_code(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """0 when all come out as expected, 1 when one does not, 2 when one cannot be judged."""
    case = {"id": "x", "kind": "draw", "dealer": 1, "streak": 2, "expected": {"next_dealer": 1, "deltas": [0, 0, 0, 0]}}
    path = tmp_path / "cases.jsonl"
    for change, expected in (({}, 0), ({"expected": {"next_dealer": 2}}, 1), ({"ruleset": "riichi"}, 2)):
        path.write_text(json.dumps({**case, **change}) + "\n\n", encoding="utf-8")
        assert run(capsys, "judge", str(path))[0] == expected
    path.write_text("no json\n", encoding="utf-8")
    assert run(capsys, "judge", str(path))[0] == 2


def test_judge_on_the_worked_cases(capsys: pytest.CaptureFixture[str], shared: Path) -> None:
    """Every win without history, every drawn hand and escape of the rules specification, in all fields."""
    path = shared / "rules" / "fuzhou-cases.jsonl"
    cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    _, out = run(capsys, "judge", str(path), "--json")
    answers = {answer["id"]: answer for answer in map(json.loads, out.splitlines())}
    wanted = [case for case in cases if case["kind"] in ("win", "draw", "escape") and not case.get("history")]
    assert len(wanted) > 120
    assert [case["id"] for case in wanted if answers[case["id"]].get("as_expected") is not True] == []


def test_rules_and_settings(capsys: pytest.CaptureFixture[str]) -> None:
    """Rulesets with options, and settings with what was found when they were tried."""
    code, found = run_json(capsys, "rules")
    assert (code, [one["name"] for one in found][:2]) == (0, ["fuzhou", "fuzhou-baida"])
    assert run_json(capsys, "rules", "fuzhou-baida")[1]["options"]
    assert "fixed_points" in run(capsys, "rules", "fuzhou")[1]
    code, found = run_json(capsys, "check-config")
    assert [check["name"] for check in found["checks"]] == [
        "database",
        "ruleset",
        "detector",
        "classifier",
        "detector-whole",
    ]
    assert code == (0 if found["ready"] else 1)
    assert run(capsys, "check-config")[1]


def test_a_wrong_setting_is_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable, what it should be, and what it was."""
    monkeypatch.setenv("JINQUE_MAX_PHOTO_MIB", "lots")
    assert cli.main(["check-config"]) == 2
    err = capsys.readouterr().err
    assert "JINQUE_MAX_PHOTO_MIB" in err
    assert "'lots'" in err


def test_every_command_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    """`--help` works everywhere and names the command."""
    for name in ("read", "score", "judge", "evaluate", "train", "bench", "serve", "rules", "check-config"):
        code, out = run(capsys, name, "--help")
        assert (code, f"jinque {name}" in out) == (0, True)
    assert run(capsys, "--version")[1].startswith("jinque 0.")


def test_bench_engine_names_its_peer(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Medians and the peer's figure of the same run; nothing is asserted about speed."""
    whole = commands.bench_engine
    monkeypatch.setattr(commands, "bench_engine", lambda: whole(count=40))
    code, found = run_json(capsys, "bench", "engine")
    assert (code, len(found["measures"]) >= 3) == (0, True)
    assert "win check" in run(capsys, "bench", "engine")[1]


def test_bench_vision_reports_stages(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every reading with its steps, both networks alone; what could not be measured is told."""
    import vision.bench

    whole = commands.bench_vision
    small = {"PHOTO_PX": (640, 480), "LIVE_PX": 320, "CROPS": 2}
    for name, value in small.items():
        monkeypatch.setattr(vision.bench, name, value)
    monkeypatch.setattr(vision.bench, "rendered_table", lambda: None)
    monkeypatch.setattr(commands, "bench_vision", lambda *given, **more: whole(*given, **more, runs=1))
    table = str(SAMPLES / "melds.jpg")
    code, found = run_json(capsys, "bench", "vision", "--photo", table, "--table", table)
    assert (code, found["tiles"], found["width"]) == (0, len(TRUTH["tiles"]), 640)
    assert [one["tiles"] for one in found["readings"]] == [len(TRUTH["tiles"])] * 3
    assert {"decode", "scripted"} == set(found["stages"])
    assert {one["name"] for one in found["run_times"]} == {"detector, 320 x 224 px", "classifier, 2 crops"}
    assert "networks alone" in run(capsys, "bench", "vision", "--table", table)[1]


def test_evaluate_writes_rows_and_keeps_its_bar(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One document, one CSV row a photo, two pictures, exit 1 below the bar."""
    monkeypatch.setattr(commands_evaluate, "shipped_reader", commands.shipped_reader)
    data = tmp_path / "set"
    (data / "images").mkdir(parents=True)
    (data / "labels").mkdir()
    (data / "images" / "a.jpg").write_bytes((SAMPLES / "melds.jpg").read_bytes())
    lines = []
    for entry in TRUTH["tiles"]:
        xs, ys = [x / 1600 for x, _ in entry["quad"]], [y / 1200 for _, y in entry["quad"]]
        box = (sum(xs) / 4, sum(ys) / 4, max(xs) - min(xs), max(ys) - min(ys))
        lines.append(" ".join([str(Tile.parse(entry["tile"]).value), *(f"{value:.6f}" for value in box)]))
    (data / "classes.txt").write_text("\n".join(tile.code for tile in Tile), encoding="utf-8")
    (data / "labels" / "a.txt").write_text("\n".join(lines), encoding="utf-8")
    code, found = run_json(capsys, "evaluate", str(data), "--out", str(tmp_path / "rows.csv"))
    assert (code, found["photos"], found["tiles"]) == (0, 1, len(TRUTH["tiles"]))
    assert (found["right"], found["unknown"], found["exact_photos"]) == (len(TRUTH["tiles"]) - 1, 1, 0)
    assert len((tmp_path / "rows.csv").read_text(encoding="utf-8").splitlines()) == 2
    assert run(capsys, "evaluate", str(data), "--bar", "0.99")[0] == 1
    code, found = run_json(capsys, "evaluate", str(data), "--plots", str(tmp_path / "plots"))
    assert [Path(path).read_bytes()[1:4] for path in found["plots"]] == [b"PNG", b"PNG"]
    assert cli.main(["evaluate", str(data), "--out", str(tmp_path / "none" / "rows.csv")]) == 2


def test_evaluate_holds_floors(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A set, or a folder of sets, against a file of bars; exit 1 where one is missed, 2 where there are none for it."""
    monkeypatch.setattr(commands_evaluate, "shipped_reader", commands.shipped_reader)
    (tmp_path / "hands").mkdir()
    for suffix in (".jpg", ".json"):
        (tmp_path / "hands" / f"a{suffix}").write_bytes((SAMPLES / f"melds{suffix}").read_bytes())
    floors = tmp_path / "floors.toml"
    floors.write_text("[hands]\nright_share = 0.9\nexact_share = 0.5\n[hands.quick]\nright_share = 0.9")
    code, found = run_json(capsys, "evaluate", str(tmp_path), "--floors", str(floors))
    assert (code, found["held"]) == (1, False)
    assert [(bar["name"], bar["ok"]) for bar in found["sets"][0]["bars"]] == [
        ("right_share", True),
        ("exact_share", False),
    ]
    assert run(capsys, "evaluate", str(tmp_path / "hands"), "--floors", str(floors), "--quick")[0] == 0
    assert cli.main(["evaluate", str(SAMPLES), "--floors", str(floors)]) == 2
    assert "expected a folder called hands" in capsys.readouterr().err
    assert cli.main(["evaluate", str(tmp_path), "--floors", str(floors), "--bar", "1"]) == 2


def test_a_taken_port_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence with what to do, instead of a traceback."""
    with serving.open_socket("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        assert cli.main(["serve", "--host", "127.0.0.1", "--port", str(port)]) == 2
    assert f"cannot listen on 127.0.0.1:{port}" in capsys.readouterr().err


@pytest.mark.slow
def test_serve_answers_and_stops_when_interrupted(tmp_path: Path) -> None:
    """The real command prints its address, serves the page, and ends cleanly on Ctrl+C."""
    command = [sys.executable, "-m", "assistant_api.cli", "serve", "--host", "127.0.0.1", "--port", "0"]
    command += ["--database", str(tmp_path / "s.sqlite3")]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            url = next(found[0] for line in process.stdout if (found := re.search(r"http://\S+", line)))
            page = urllib.request.urlopen(url, timeout=60).read().decode()
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 0
        finally:
            process.kill()
    assert "<title>Jinque" in page
