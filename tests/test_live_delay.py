"""How long after a hand has left an event is told: from logs with times, from a clip, and by a server to a phone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assistant_api.services.live.clips import Clip, evaluate_clip, totals
from assistant_api.services.live.delay import TrueMoment, delays, moments_of, percentile_95
from assistant_api.settings import Settings
from engine.eventlog import format_event, parse_log
from engine.seats import Seat
from tests.support.live_delay import play, together, with_rest
from tests.support.live_desk import FOLLOWED, numbered, views
from tests.support.server import started
from vision.errors import SourceError

TRUTH = parse_log(
    "deal E fuzhou\nE flowers E\nE draw\nE flowers C\nE draw\ngold 9m\nE discard 3p\nS draw\nS discard 1s\n"
)
MOMENTS = {2: TrueMoment(0.5, 1.0), 4: TrueMoment(2.0, 3.0), 6: TrueMoment(4.0, 5.0), 7: TrueMoment(6.0, 7.0)}


def at(*told: tuple[float, str]) -> dict[str, float]:
    """The delays by event, of logs that are told at these times."""
    logs = [(time_s, parse_log("deal E fuzhou\n" + text.replace("; ", "\n") + "\n")) for time_s, text in told]
    return {format_event(one.event): one.seconds for one in delays(TRUTH, MOMENTS, logs)}


def test_an_event_is_told_from_when_it_stays() -> None:
    """Flowers of one act when the last of them are; a false reading, and what was taken back, does not count."""
    found = at(
        (1.5, "E flowers E"),
        (3.5, "E flowers E; E flowers C"),
        (5.5, "E flowers E C; gold 9m"),
        (8.0, "E flowers E C; gold 9m; E discard 4p"),
        (9.0, "E flowers E C; E discard 3p"),
        (9.5, "E flowers E C; gold 9m; E discard 3p"),
    )
    assert found == {"E flowers CE": 0.5, "gold 9m": 4.5, "E discard 3p": 2.0}


def test_nothing_is_told_before_its_hand_sets_out_and_nothing_wrong_has_a_delay() -> None:
    """A lucky guess counts from when the log changes next; an event that nobody timed has no delay."""
    early = at((3.0, "E flowers E C; gold 9m"), (6.5, "E flowers E C; gold 9m; E discard 3p; S discard 1s"))
    assert early == {"E flowers CE": 0.0, "gold 9m": 1.5, "E discard 3p": -0.5}
    assert at((6.5, "gold 8m; S discard 3p")) == {}
    assert delays(TRUTH, {}, [(9.0, TRUTH)]) == []
    assert delays(TRUTH, MOMENTS, [(9.0, TRUTH)], given=3) == []
    assert [one.seconds for one in delays(TRUTH, MOMENTS, [(9.0, TRUTH)], given=1)] == [4.0, 2.0]


def test_percentile() -> None:
    """By nearest rank."""
    assert percentile_95(range(1, 101)) == 95
    assert percentile_95([3.0]) == 3.0
    with pytest.raises(ValueError, match="no values"):
        percentile_95([])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A clip of recorded readings in which nothing is seen."""
    lines = [{"time_s": n / 5, "frame": n, "width": 640, "height": 480, "tiles": []} for n in range(3)]
    (tmp_path / "readings.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    (tmp_path / "log.txt").write_text("deal E fuzhou\nE flowers E\nE draw\ngold 9m\n", encoding="utf-8")
    (tmp_path / "clip.json").write_text('{"near": "E"}', encoding="utf-8")
    return tmp_path


def test_a_clip_that_does_not_say_when_has_no_delay(folder: Path) -> None:
    """The column stays empty."""
    result = evaluate_clip(Clip.load(folder), lambda _: pytest.fail("no pictures"))
    assert result.row()["delay_s"] == ""
    assert totals([result])["delay_s"] is None


def test_clips_with_gaps_count_apart_too(folder: Path) -> None:
    """What came while nothing was seen can be told in its order by luck alone."""
    result = evaluate_clip(Clip.load(folder), lambda _: pytest.fail("no pictures"))
    assert (result.comparison.happened, result.comparison.right) == (2, 0)
    (folder / "clip.json").write_text(
        '{"near": "E", "faults": [{"kind": "gap", "start_s": 0, "end_s": 10}]}', encoding="utf-8"
    )
    with_gap = evaluate_clip(Clip.load(folder), lambda _: pytest.fail("no pictures"))
    found = totals([result, with_gap])
    assert (found["clips"], found["clips_without_gaps"], found["recall_without_gaps"]) == (2, 1, 0.0)
    assert totals([with_gap])["recall_without_gaps"] is None


def test_the_moments_of_a_clip(folder: Path) -> None:
    """As the simulator writes them; anything else is told in one sentence."""
    assert moments_of(folder) == {}
    (folder / "events.jsonl").write_text('{"n": 2, "start_s": 0.5, "clear_s": 1}\n\n', encoding="utf-8")
    assert Clip.load(folder).moments == {2: TrueMoment(0.5, 1.0)}
    for text in ("{", '{"n": 2, "start_s": 0.5}', "[1]"):
        (folder / "events.jsonl").write_text(text, encoding="utf-8")
        with pytest.raises(SourceError, match=r"events\.jsonl cannot be read"):
            Clip.load(folder)


@pytest.mark.slow
def test_a_viewer_of_a_server_is_told(settings: Settings) -> None:
    """A hand that is played over sockets at ten frames a second: every event arrives after its hand set out."""
    frames = [(number / 10, numbered(number)) for number in range(len(views()))]
    truth = parse_log("\n".join(FOLLOWED) + "\n")
    moments = {number: TrueMoment(0.0, 0.1) for number in range(2, len(FOLLOWED) + 1)}
    clip = Clip("numbered", "", truth, 2, Seat.EAST, {}, moments)
    with started(settings, "--eyes", "numbered") as server:
        shown = play(server, clip, with_rest(frames, 3.0))
    found = shown.as_json()
    assert (found["happened"], found["right"]) == (6, 6)
    assert 0 < min(shown.seconds) < max(shown.seconds)
    assert found["received"] > len(frames)
    assert together([shown, shown]).as_json()["right"] == 12
