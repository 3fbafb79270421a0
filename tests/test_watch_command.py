"""``jinque watch`` and the evaluation of clips, on recorded readings; streams of frames, and bad input."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from assistant_api.cli import main
from assistant_api.services.live.comparison import common, compare, in_sight
from engine.eventlog import parse_log
from engine.referee import Referee
from vision.errors import SourceError
from vision.streams import open_stream

LOG = "deal E fuzhou\nE flowers E C\nE draw\nE draw\ngold 9m\nE discard 3p\nS pung 3p\nS discard 1s\n"


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A folder that is a clip of recorded readings: nothing is ever seen in it."""
    lines = [{"time_s": n / 5, "frame": n, "width": 640, "height": 480, "tiles": []} for n in range(10)]
    (tmp_path / "readings.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    (tmp_path / "log.txt").write_text(LOG, encoding="utf-8")
    about = {"near": "E", "seed": 1, "faults": [{"kind": "sort", "start_s": 0, "end_s": 1}]}
    (tmp_path / "clip.json").write_text(json.dumps(about), encoding="utf-8")
    return tmp_path


def test_the_table_stands_in_the_last_line(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [str(recorded / "readings.jsonl"), "--truth", str(recorded / "log.txt"), "--json", "--dealer", "S"]
    assert main(["watch", *arguments]) == 1  # the table did not end as the truth says
    (table,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (table["type"], table["dealer"], table["frames"], table["events"]) == ("table", "S", 10, 1)
    assert table["truth"]["events_happened"] == 5
    assert table["truth"]["recall"] == 0
    assert not table["truth"]["state_exact"]


def test_a_log_so_far_is_gone_on_from(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = str(recorded / "log.txt")
    assert main(["watch", str(recorded / "readings.jsonl"), "--log", log, "--truth", log, "--json"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert table["discards"]["S"] == ["1s"]
    assert table["melds"]["S"][0]["tiles"] == ["3p", "3p", "3p"]
    assert table["truth"]["state_exact"]
    assert table["truth"]["events_happened"] == 0


def test_clips_become_rows_of_a_table(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = recorded / "rows.csv"
    assert main(["evaluate", str(recorded), "--clips", "--out", str(out), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["clips"], found["state_exact"], found["recall"], found["events_while_still"]) == (1, 0, 0, 0)
    head, row = out.read_text(encoding="utf-8").splitlines()
    assert head.startswith("clip,seed,river,faults")
    assert row.startswith(f"{recorded.name},1,,sort,10")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["watch", "nowhere.mp4"], "does not exist"),
        (["watch", "{folder}/readings.jsonl", "--truth", "{folder}/clip.json"], "is no event"),
        (["watch", "{folder}/readings.jsonl", "--truth", "{folder}/none"], "cannot open"),
        (["watch", "{folder}/log.txt"], "cannot be opened"),
        (["watch", "{folder}/one.jpg"], "is one photo"),
        (["watch", "{folder}/readings.jsonl", "--near", "X"], "is not a seat"),
        (["watch", "{folder}/readings.jsonl", "--every", "0"], "too few"),
        (["watch", "{folder}/broken.jsonl"], "line 1 of 'broken.jsonl'"),
        (["evaluate", "{folder}/empty", "--clips"], "no clips"),
        (["evaluate", "{folder}", "--clips", "--live"], "--clips"),
    ],
)
def test_bad_input_gets_one_sentence(
    recorded: Path, arguments: list[str], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    (recorded / "one.jpg").write_bytes(b"\xff\xd8\xff")
    (recorded / "broken.jsonl").write_text('{"time_s": 1}', encoding="utf-8")
    (recorded / "empty").mkdir()
    arguments = [part.replace("{folder}", str(recorded)) for part in arguments]
    try:
        code = main(arguments)
    except SystemExit as left:
        code = int(left.code or 0)
    assert code == 2
    errors = capfd.readouterr().err
    assert said in errors
    assert "Traceback" not in errors


def test_frames_have_the_times_of_their_names(tmp_path: Path) -> None:
    picture = np.zeros((20, 30, 3), np.uint8)
    for name in ("000000.jpg", "000001.jpg", "000004.jpg"):
        assert cv2.imwrite(str(tmp_path / name), picture)
    frames = list(open_stream(str(tmp_path), fps=10.0))
    assert [(frame.number, round(frame.picture.time_s, 3)) for frame in frames] == [(0, 0.0), (1, 0.1), (4, 0.4)]
    timed = tmp_path / "timed"
    timed.mkdir()
    for name in ("3.5s.jpg", "12.25s.jpg"):
        assert cv2.imwrite(str(timed / name), picture)
    assert [frame.picture.time_s for frame in open_stream(str(timed))] == [0.0, 8.75]
    with pytest.raises(SourceError, match="expected JPEG"):
        open_stream(str(_empty(tmp_path)))


def _empty(folder: Path) -> Path:
    empty = folder / "nothing"
    empty.mkdir()
    return empty


def test_a_video_has_its_own_times(tmp_path: Path) -> None:
    file = tmp_path / "clip.mp4"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"mp4v"), 5.0, (64, 48))
    for shade in range(6):
        writer.write(np.full((48, 64, 3), 40 * shade, np.uint8))
    writer.release()
    frames = list(open_stream(str(tmp_path)))
    assert [frame.number for frame in frames] == list(range(6))
    assert frames[5].picture.time_s == pytest.approx(1.0, abs=0.05)
    assert [frame.number for frame in open_stream(str(file), every=3)] == [0, 3]


def test_flowers_laid_one_by_one_are_one_act() -> None:
    one = parse_log("deal E fuzhou\nE flowers C\nE draw\nE flowers E\nE draw\ngold 9m")
    other = parse_log("deal E fuzhou\nE flowers E C\nE draw\nE draw\ngold 9m")
    assert in_sight(one) == in_sight(other)
    assert compare(Referee(one), other).state_exact


def test_what_is_missed_and_invented_is_named() -> None:
    truth, told = parse_log(LOG), parse_log(LOG.replace("S pung 3p\nS discard 1s", "S draw\nS discard 1s"))
    found = compare(Referee(told), truth)
    assert found.missed == ("S pung 3p",)
    assert found.invented == ()
    assert (found.recall, found.precision) == (0.8, 1.0)
    assert found.parts == {"melds": False, "flowers": True, "gold": True, "discards": False}
    assert common(in_sight(truth), in_sight(truth)) == [(n, n) for n in range(5)]
