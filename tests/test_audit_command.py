"""``jinque audit`` as people and scripts use it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant_api import cli
from tests.support.commands import run

GUOSHUI = """
deal E fuzhou streak 0
gold 9m
E discard 1s
S draw head
S discard 3p
W draw head
W discard 8p   # South lets it go by
N draw head
N discard 8p
S win discard 8p
S holds 123456m789p23455s67p
"""
FINE = """
deal S fuzhou streak 0
gold 9m
S discard 1s
W draw head
"""


def audit(capsys: pytest.CaptureFixture[str], path: Path, text: str, *options: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr."""
    path.write_text(text, encoding="utf-8")
    return run(capsys, "audit", str(path), *options)


def test_a_violation_is_named_with_its_proof(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The fields of the contract; lines are those of the file."""
    code, out, _ = audit(capsys, tmp_path / "log", GUOSHUI, "--json")
    found = json.loads(out)["violations"]
    assert code == 1
    assert len(found) == 1
    assert {name: found[0][name] for name in ("kind", "seat", "certain", "events", "lines", "hand")} == {
        "kind": "guoshui_win",
        "seat": "S",
        "certain": True,
        "events": [7, 9, 10],
        "lines": [8, 10, 11],
        "hand": 1,
    }
    assert "8p" in found[0]["message"]


def test_a_clean_log_exits_with_0(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """No violation."""
    code, out, _ = audit(capsys, tmp_path / "log", FINE, "--json")
    document = json.loads(out)
    assert (code, document["violations"]) == (0, [])
    assert document["hands"][0]["outcome"] is None
    assert document["hands"][0]["deltas"] is None


def test_several_hands_in_one_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Events are counted through the file."""
    code, out, _ = audit(capsys, tmp_path / "log", FINE + GUOSHUI, "--json")
    document = json.loads(out)
    assert code == 1
    assert len(document["hands"]) == 2
    assert [(one["hand"], one["events"]) for one in document["violations"]] == [(2, [11, 13, 14])]


def test_options_come_on_top_of_the_log(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The same play where 过水 is not played: 平胡 30, (0 + 5) * 2 + 30 = 40."""
    code, out, _ = audit(capsys, tmp_path / "log", GUOSHUI, "--set", "pass_lock_scope=off", "--json")
    document = json.loads(out)
    assert (code, document["violations"]) == (0, [])
    assert document["hands"][0]["deltas"] == [0, 40, 0, -40]
    baida = audit(capsys, tmp_path / "log", GUOSHUI, "--ruleset", "fuzhou-baida", "--json")[1]
    assert json.loads(baida)["hands"][0]["ruleset"] == "fuzhou-baida"


def test_people_see_both_languages(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Kind, sentence, events with their lines."""
    code, out, _ = audit(capsys, tmp_path / "log", GUOSHUI)
    assert code == 1
    for part in ("guoshui_win", "过水：南家放过一次八饼", "W discard 8p", "line 8"):
        assert part in out
    assert "没有违规 no violation" in audit(capsys, tmp_path / "log", FINE)[1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a log starts with a deal"),
        ("gold 9m", "a log starts with a deal"),
        ("deal E\nE jump", "line 2: 'E jump' is no event"),
        ("deal E bridge", "'bridge' is not a ruleset"),
        ("deal E fuzhou streak 0 colour=red", "no option 'colour'"),
    ],
)
def test_bad_input_is_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, said: str) -> None:
    """Exit code 2 and nothing on stdout."""
    code, out, err = audit(capsys, tmp_path / "log", text)
    assert (code, out) == (2, "")
    assert said in " ".join(err.split())


def test_a_byte_order_mark_is_no_part_of_the_log(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Some editors put one in front of every text file."""
    marked = "\ufeff" + FINE.replace("\n", "\r\n")
    assert audit(capsys, tmp_path / "log", marked) == audit(capsys, tmp_path / "log", FINE)


def test_a_missing_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Named."""
    assert cli.main(["audit", str(tmp_path / "none")]) == 2
    assert "cannot open" in capsys.readouterr().err
