"""Floors under the reading: the file is understood, and the bundled networks hold its bars for a part of the photos."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, shared_folder

from vision.errors import FloorsError
from vision.evaluation import evaluate_photos
from vision.floors import Floor, compare, load_floors
from vision.photo import PhotoReader

FILE = ROOT / "datasets" / "floors.toml"
GOOD = """
[one]
split = "val"
right_share = 0.9
confident_error_share = 0.01
[one.quick]
every = 3
flowers_right_share = 0.5
[two]
exact_share = 1
"""


@pytest.fixture(scope="module")
def reader() -> PhotoReader:
    """The reader that ships."""
    return PhotoReader.bundled(threads=2)


def measured(right: float, wrong: float, flowers: float = 0.0) -> Mapping[str, Any]:
    """Figures of an evaluation, as far as bars look at them."""
    return {"right_share": right, "confident_error_share": wrong, "flowers": {"right_share": flowers}}


def test_bars_of_all_photos_and_of_a_part(tmp_path: Path) -> None:
    """A quick table stands for its set with the same split; sets without one are left out."""
    file = tmp_path / "floors.toml"
    file.write_text(GOOD, encoding="utf-8")
    one, two = load_floors(file)
    assert (one.dataset, one.split, one.every, dict(one.bars)) == (
        "one",
        "val",
        1,
        {"right_share": 0.9, "confident_error_share": 0.01},
    )
    assert (two.dataset, two.split) == ("two", None)
    assert load_floors(file, quick=True) == (Floor("one", "val", 3, {"flowers_right_share": 0.5}),)


@pytest.mark.parametrize(
    ("right", "wrong", "held"),
    [(0.9, 0.01, [True, True]), (0.8999, 0.0, [False, True]), (1.0, 0.0101, [True, False])],
)
def test_a_bar_is_held_or_missed(right: float, wrong: float, held: list[bool]) -> None:
    """Shares that should be high must reach their bar, shares of errors must not pass it."""
    floor = Floor("one", None, 1, {"right_share": 0.9, "confident_error_share": 0.01})
    bars = compare(floor, measured(right, wrong))
    assert [bar.ok for bar in bars] == held
    assert bars[0].text == f"right_share {right:.4f}, at least 0.9000"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[one]\nright = 0.9", r"\[one\]: no bar is called 'right'; expected right_share, "),
        ("[one]\nright_share = 98", r"expected bars from 0 to 1"),
        ("[one]\nevery = 2", r"expected bars from 0 to 1, got \{\}"),
        ("[one.quick]\nevery = 0\nright_share = 1", r"expected bars"),
        ("[one]\nright_share = 1\nevery = 0", r"every = 1 or more"),
        ("right_share = 0.9", r"expected tables named like data sets"),
        ("[one", r"is not TOML"),
    ],
)
def test_a_bad_file_says_what_is_wrong(tmp_path: Path, text: str, says: str) -> None:
    """One sentence names the table and what was expected."""
    file = tmp_path / "floors.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(FloorsError, match=says):
        load_floors(file)
    with pytest.raises(FloorsError, match="cannot read the floors"):
        load_floors(tmp_path / "none.toml")


@pytest.mark.slow
@pytest.mark.parametrize("floor", load_floors(FILE, quick=True), ids=lambda floor: floor.dataset)
def test_the_bundled_networks_hold_their_floors(floor: Floor, reader: PhotoReader) -> None:
    """A part of the photos of each set; `jinque evaluate --floors` compares all of them."""
    folder = ROOT / "datasets" / floor.dataset
    if not folder.is_dir():
        shared = shared_folder()
        if shared is None:
            pytest.skip("the labelled photos are not at shared/ beside the checkout (set JINQUE_SHARED)")
        folder = shared / "data" / "tiles" / floor.dataset
    figures = evaluate_photos(floor.photos(folder), reader).as_json()
    missed = [bar.text for bar in compare(floor, figures) if not bar.ok]
    assert not missed, (floor.dataset, missed)
