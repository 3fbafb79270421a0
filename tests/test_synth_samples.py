"""The bundled samples: their truth is whole, fits the pictures and settles to what stands beside them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from engine.notation import parse_hand
from engine.rulesets import get_ruleset
from engine.settlement import settle
from engine.tiles import ALL_TILES, Tile
from engine.win import Win, judge_win
from vision.layout import lay_out
from vision.reading import TileReading
from vision.synth.designs import Body
from vision.synth.placing import DOWN
from vision.synth.samples import SAMPLES, SIZE_PX, Sample, lay_open

FOLDER = Path(__file__).resolve().parent.parent / "datasets" / "samples"
BODY = Body((230, 230, 230), (90, 120, 40), 0.3, 1.34, 0.7, 0.08, 0.4)
each_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)


def read_truth(sample: Sample) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / f"{sample.name}.json").read_text(encoding="utf-8"))
    return found


def test_every_picture_has_its_truth_and_nothing_else_lies_there() -> None:
    names = {sample.name for sample in SAMPLES}
    assert {path.stem for path in FOLDER.glob("*.jpg")} == names
    assert {path.stem for path in FOLDER.glob("*.json")} == names


@each_sample
def test_the_hand_settles_to_the_expected_points(sample: Sample) -> None:
    truth = read_truth(sample)
    ruleset = get_ruleset(truth["ruleset"])
    win = judge_win(parse_hand(truth["hand"]).context(), ruleset)
    assert isinstance(win, Win), win
    settlement = settle(win, ruleset)
    assert settlement.per_payer == truth["expected"]["per_payer"]
    assert list(settlement.deltas) == truth["expected"]["deltas"]


@each_sample
def test_the_tiles_in_the_picture_are_those_of_the_hand(sample: Sample) -> None:
    truth = read_truth(sample)
    line = parse_hand(truth["hand"])
    picture = cv2.imread(str(FOLDER / f"{sample.name}.jpg"))
    assert picture is not None
    assert picture.shape[:2] == SIZE_PX == (truth["height"], truth["width"])
    assert (FOLDER / f"{sample.name}.jpg").stat().st_size < 400_000
    groups: dict[str, Counter[str]] = {}
    for tile in truth["tiles"]:
        quad = np.array(tile["quad"], np.float32)
        assert cv2.contourArea(quad, oriented=True) > 600
        assert (quad >= 0).all()
        assert (quad < [truth["width"], truth["height"]]).all()
        groups.setdefault(tile["group"], Counter())[tile["tile"]] += 1
    assert groups["hand"] == Counter(face.code for face in line.concealed)
    assert groups["winning"] == Counter([truth["winning_tile"]])
    assert groups.get("flowers", Counter()) == Counter(face.code for face in line.flowers)
    assert groups["gold"] == Counter([truth["gold"]])
    for number, meld in enumerate(line.melds):
        seen = groups[f"meld{number}"]
        hidden = 2 if meld.kind.value == "kong_concealed" else 0
        assert seen["back"] == hidden
        assert sum(seen.values()) == len(meld.tiles)


@each_sample
def test_the_truth_says_what_the_code_lays_open(sample: Sample) -> None:
    truth = read_truth(sample)
    assert truth["hand"] == sample.hand
    placed = lay_open(parse_hand(sample.hand), BODY, sample.melds_beside)
    expected = Counter("back" if item.pose == DOWN else item.tile.code for item in placed)
    assert Counter(tile["tile"] for tile in truth["tiles"]) == expected


@each_sample
def test_the_layout_of_a_perfect_reading_is_the_hand(sample: Sample) -> None:
    truth = read_truth(sample)
    line = parse_hand(truth["hand"])
    readings = []
    for tile in truth["tiles"]:
        hidden = tile["tile"] == "back"
        corners = [(float(x), float(y)) for x, y in tile["quad"]]
        kind = None if hidden else Tile.parse(tile["tile"])
        readings.append(TileReading(kind, 1.0, (corners[0], corners[1], corners[2], corners[3]), hidden))
    flowers = tuple(tile for tile in ALL_TILES if not tile.is_suited)
    layout = lay_out(readings, flower_kinds=flowers, hand_tiles=17)
    assert layout.problems == ()
    assert sorted(readings[index].code for index in layout.hand) == sorted(truth["concealed"])
    assert layout.winning is not None
    assert readings[layout.winning].code == truth["winning_tile"]
    assert layout.gold is not None
    assert readings[layout.gold].code == truth["gold"]
    assert sorted(readings[index].code for index in layout.flowers) == sorted(truth["flowers"])
    assert len(layout.melds) == len(line.melds)
