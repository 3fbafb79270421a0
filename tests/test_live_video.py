"""Filmed clips: pictures of the right size and number, labels on the tiles, and the command that makes them."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest

from assistant_api.cli import main
from assistant_api.services.audit import audit_document, audit_hands
from assistant_api.services.live.state import state_document
from engine.audit import audit
from engine.errors import HandError
from engine.eventlog import parse_log
from engine.events import Deal
from engine.fold import fold
from engine.illegal import ILLEGAL_ACTS, illegal_hand
from engine.seats import Seat
from tests.test_table_plan import BODIES
from vision.synth.designs import Body, Design, procedural_design
from vision.synth.fonts import hanzi_fonts
from vision.synth.live_clips import hand_for
from vision.synth.live_faults import Fault, FaultKind
from vision.synth.live_plan import LivePlan, first_act, pace_for, plan_live
from vision.synth.live_sight import Sight, stand_camera
from vision.synth.live_video import Film, film, lamp_gains, out_of_focus

SIZE = (270, 480)
needs_fonts = pytest.mark.skipif(not hanzi_fonts(), reason="no font with traditional Chinese characters on this system")


@cache
def design() -> Design:
    body = Body((235, 240, 240), (150, 60, 20), 0.4, 1.34, 0.7, 0.08, 0.3)
    return replace(procedural_design(np.random.default_rng(5)), body=body, levels=())


def part(events: int, faults: tuple[Fault, ...] = ()) -> LivePlan:
    log = hand_for(3, Deal(Seat.SOUTH), 60)
    last = first_act(log) + events
    return plan_live(np.random.default_rng(1), log, design().body, last=last, pace=0.6, fps=4, faults=faults)


@needs_fonts
def test_a_clip_reads_back_with_every_picture(tmp_path: Path) -> None:
    first = first_act(hand_for(3, Deal(Seat.SOUTH), 60))
    plan = part(4, (Fault(FaultKind.GAP, first + 1, 1.0), Fault(FaultKind.NUDGE, first, 1.0)))
    camera = stand_camera(np.random.default_rng(1), plan, SIZE)
    told: list[tuple[int, int]] = []
    movie = Film(np.random.default_rng(2), plan, design(), camera, SIZE)
    count = film(tmp_path, movie, lambda done, total: told.append((done, total)))
    capture = cv2.VideoCapture(str(tmp_path / "clip.mp4"))
    pictures = []
    while True:
        there, picture = capture.read()
        if not there:
            break
        pictures.append(picture)
    assert len(pictures) == count == int(plan.duration_s * 4) + 1
    assert told[-1] == (count, count)
    assert capture.get(cv2.CAP_PROP_FPS) == pytest.approx(4)
    assert {picture.shape for picture in pictures} == {(*SIZE, 3)}
    lost = set(range(count)) - {frame for frame, _ in plan.frame_times()}
    assert lost
    assert all((pictures[frame].mean() < 20) == (frame in lost) for frame in range(count))
    again = Film(np.random.default_rng(2), plan, design(), camera, SIZE)
    assert film(tmp_path, again, as_frames=True) == count - len(lost) == len(list((tmp_path / "frames").iterdir()))


@needs_fonts
def test_what_is_mended_looks_as_if_drawn_at_once() -> None:
    plan = part(8)
    camera = stand_camera(np.random.default_rng(1), plan, SIZE)
    movie, fresh = (Film(np.random.default_rng(2), plan, design(), camera, SIZE) for _ in range(2))
    pictures = {frame: picture for frame, _, picture in movie.frames()}
    frame, time_s = plan.frame_times()[-1]
    difference = cv2.absdiff(pictures[frame], fresh.picture(frame, time_s))
    assert float(np.mean(difference > 12)) < 0.004  # soft shadows differ where a mended part ends


@needs_fonts
def test_labels_lie_on_the_tiles() -> None:
    plan = part(6)
    size = (540, 960)
    camera = stand_camera(np.random.default_rng(1), plan, size)
    frame, time_s = plan.frame_times()[-1]
    picture = Film(np.random.default_rng(2), plan, design(), camera, size).picture(frame, time_s).astype(int)
    backs = {True: [], False: []}  # type: dict[bool, list[float]]
    for surface in Sight(camera, plan.body, size).surfaces(plan.tiles_at(time_s)):
        if surface.visible > 0.9 and surface.flat > 0.4:
            middle = surface.quad.mean(0)
            inner = (middle + (surface.quad - middle) * 0.6).astype(int)
            x0, y0 = inner.min(0)
            x1, y1 = inner.max(0) + 1
            blue, _, red = picture[y0:y1, x0:x1].reshape(-1, 3).mean(0)
            backs[surface.face_down].append(blue - red)
    assert len(backs[True]) > 40
    assert len(backs[False]) > 5
    assert float(np.median(backs[True])) > 60 > 30 > float(np.median(backs[False]))
    assert np.mean(np.array(backs[True]) > 45) > 0.97


def test_light_and_focus_come_and_go() -> None:
    log = hand_for(3, Deal(Seat.SOUTH), 60)
    first = first_act(log)
    faults = (Fault(FaultKind.LAMP, first, 3.0, 0.9), Fault(FaultKind.FOCUS, first + 3, 2.0, 0.9))
    plan = plan_live(np.random.default_rng(1), log, BODIES[0], last=first + 8, faults=faults)
    lamp, focus = plan.disturbances
    assert lamp_gains(plan.disturbances, lamp.start_s - 0.1).tolist() == [1.0, 1.0, 1.0]
    assert abs(float(lamp_gains(plan.disturbances, lamp.start_s + 0.1).mean()) - 1) > 0.2
    blur = [out_of_focus(plan.disturbances, focus.start_s + at) for at in np.linspace(0, 1.9, 20)]
    assert max(blur) > 3
    assert out_of_focus(plan.disturbances, focus.end_s + 0.1) == 0.0


def test_hands_fit_the_time() -> None:
    log = hand_for(2, Deal(Seat.EAST), 60)
    assert pace_for(log, 60) >= 0.7
    short = hand_for(2, Deal(Seat.EAST), 25)
    assert first_act(short) < len(short) < 40


@pytest.mark.parametrize("name", list(ILLEGAL_ACTS))
def test_illegal_acts_are_found_alone_and_can_be_played(name: str) -> None:
    found = illegal_hand(Random(5), Deal(Seat.SOUTH), name)
    assert [(one.kind, one.seat, one.events[-1]) for one in audit(found.log)] == [
        (found.kind, found.seat, found.number)
    ]
    plan = plan_live(np.random.default_rng(1), found.log, BODIES[0])
    assert plan.events[-1].number == len(found.log)


def test_an_illegal_act_has_a_name_and_a_place() -> None:
    with pytest.raises(HandError, match="expected one of guoshui_win"):
        illegal_hand(Random(1), Deal(Seat.EAST), "cheating")
    with pytest.raises(HandError, match="no hand in 2 has a place"):
        illegal_hand(Random(1), Deal(Seat.EAST), "false_win", shortest=5, longest=6, hands=2)


@needs_fonts
def test_the_command_films_a_clip(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["simulate", "--render", str(tmp_path / "out"), "--seed", "7", "--seconds", "7", "--size", "480x270"]
    assert main([*arguments, "--fps", "2", "--faults", "nudge,dropped", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    folder = Path(document["folder"])
    assert sorted(path.name for path in folder.iterdir()) == [
        *("clip.json", "clip.mp4", "events.jsonl", "final.json", "log.txt", "tracks.jsonl"),
    ]
    log = parse_log((folder / "log.txt").read_text(encoding="utf-8"))
    assert json.loads((folder / "final.json").read_text(encoding="utf-8")) == state_document(fold(log))
    assert document["faults"] == ["nudge", "dropped"] or document["faults"] == ["dropped", "nudge"]
    assert document["pictures"] == int(document["seconds"] * 2 + 0.2) + 1 or document["pictures"] > 10
    clip = json.loads((folder / "clip.json").read_text(encoding="utf-8"))
    assert (clip["width"], clip["height"], clip["fps"], clip["seed"]) == (480, 270, 2.0, 7)


@needs_fonts
def test_the_command_films_an_illegal_act(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["simulate", "--render", str(tmp_path), "--seed", "3", "--size", "320x180", "--fps", "1", "--frames"]
    assert main([*arguments, "--illegal", "chow_wrong_seat", "--seconds", "20"]) == 0
    assert "ends with chow_wrong_seat" in capsys.readouterr().out
    clip = json.loads((tmp_path / "000003" / "clip.json").read_text(encoding="utf-8"))
    text = (tmp_path / "000003" / "log.txt").read_text(encoding="utf-8")
    found = audit_document(list(audit_hands(text)))["violations"]
    assert [(one["kind"], one["seat"], one["events"][-1]) for one in found] == [
        (clip["illegal"]["kind"], clip["illegal"]["seat"], clip["illegal"]["n"])
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--clips", "2"), "--clips is about films; give it together with --render DIR"),
        (("--render", "x", "--size", "100x100"), "'100x100' is no size"),
        (("--render", "x", "--fps", "99"), "'99' is not a number from 1 to 30"),
        (("--render", "x", "--faults", "rain"), "'rain' is no fault"),
        (("--render", "x", "--illegal", "cheating"), "invalid choice: 'cheating'"),
        (("--render", "x", "--closed"), "leave them out together with --render"),
        (("--render", "x", "--art", "nowhere"), "no folder 'nowhere'"),
    ],
)
def test_bad_input_gets_one_sentence(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with suppress(SystemExit):
        assert main(["simulate", *arguments]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert "Traceback" not in err
