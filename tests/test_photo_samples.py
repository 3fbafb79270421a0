"""The bundled networks on the bundled pictures: groups as people get them. `test_floors` counts tiles."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from engine.tiles import HONOURS, PLANTS, SEASONS
from vision.frames import read_frame
from vision.photo import PhotoReader

SAMPLES = Path(__file__).resolve().parent.parent / "datasets" / "samples"
FUZHOU_FLOWERS = frozenset(SEASONS + PLANTS + HONOURS)


@pytest.fixture(scope="module")
def reader() -> PhotoReader:
    """The reader that ships."""
    return PhotoReader.bundled(threads=2)


def differences(read: list[str], true: list[str]) -> int:
    """Tiles of a group named wrong, whatever their order; unknown and face-down ones are not wrong."""
    surplus = Counter(read) - Counter(true)
    return sum(count for code, count in surplus.items() if code not in ("?", "back"))


def test_samples_are_laid_out_right_and_named_almost_right(reader: PhotoReader) -> None:
    """Each sample photo: as many tiles in each group as there are, and over all at most two tiles named wrong."""
    wrong = tiles = 0
    for path in sorted(SAMPLES.glob("*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        frame = read_frame(path.with_suffix(".jpg"))
        groups = reader.read(frame, flower_kinds=FUZHOU_FLOWERS).as_json()["groups"]
        read = {
            "hand": groups["hand"],
            "melds": [code for meld in groups["melds"] for code in meld],
            "flowers": groups["flowers"],
            "single": [groups["winning"], groups["gold"]],
        }
        true = {
            "hand": truth["concealed"],
            "melds": [code for meld in truth["melds"] for code in meld],
            "flowers": truth["flowers"],
            "single": [truth["winning_tile"], truth["gold"]],
        }
        assert {name: len(codes) for name, codes in read.items()} == {name: len(codes) for name, codes in true.items()}
        assert sorted(map(len, groups["melds"])) == sorted(map(len, truth["melds"]))
        wrong += sum(differences(read[name], true[name]) for name in read)
        tiles += sum(map(len, true.values()))

    assert tiles > 100
    assert wrong <= 2
