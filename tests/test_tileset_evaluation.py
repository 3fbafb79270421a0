"""How much an own set helps is counted right, on photos whose tiles carry their number."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from engine.tiles import CODES, Tile
from tests.support.dotted import dotted_reader, photo
from tests.test_tilesets import HARD, ROWS
from vision.dataset import load_dataset
from vision.evaluation import Match
from vision.synth.designs import random_body
from vision.synth.sets import laid_out
from vision.tileset_evaluation import Tally, Trial, photographed_trial, table, tally


def labelled(folder: Path, name: str, rows: list[list[Tile]]) -> None:
    """A dotted photo with its labels."""
    frame = photo(rows)
    (folder / "images").mkdir(parents=True, exist_ok=True)
    (folder / "labels").mkdir(exist_ok=True)
    (folder / "classes.txt").write_text("\n".join(CODES), encoding="utf-8")
    cv2.imwrite(str(folder / "images" / f"{name}.png"), frame.image)
    reading = dotted_reader().read(frame, hand_tiles=None)
    lines = []
    for tile in reading.tiles:
        x1, y1, x2, y2 = tile.box
        centre = ((x1 + x2) / 2 / frame.width, (y1 + y2) / 2 / frame.height)
        size = ((x2 - x1) / frame.width, (y2 - y1) / frame.height)
        lines.append(f"{CODES.index(tile.code)} {' '.join(f'{value:.6f}' for value in (*centre, *size))}\n")
    (folder / "labels" / f"{name}.txt").write_text("".join(lines), encoding="utf-8")


def test_photographed_sets_are_measured_before_and_after(tmp_path: Path) -> None:
    """The first photo is shown and corrected, the others are read: unknown and mistaken tiles are errors before."""
    labelled(tmp_path / "own", "1", ROWS)
    labelled(tmp_path / "own", "2", [[*HARD, Tile.M1, Tile.GREEN]])
    labelled(tmp_path / "own", "3", [[Tile.M9, Tile.P5, Tile.S9, Tile.S1]])
    reader = dotted_reader(unsure=HARD[:3], mistaken=HARD[3:])
    trial = photographed_trial("own", load_dataset(tmp_path / "own"), 1, reader)
    assert trial.kinds == 42
    assert trial.before == Tally(tiles=11, found=11, unknown=5, confident=2)
    assert trial.after == Tally(tiles=11, found=11)


def test_tally_counts_errors_of_found_tiles_only() -> None:
    """Missed tiles are not found; readings without a label do not count."""
    matches = [Match("3m", "3m"), Match("3m", "2m"), Match("3m", "?", "3m"), Match("3m", None), Match(None, "9p")]
    counted = tally(matches)
    assert counted == Tally(tiles=4, found=3, unknown=1, confident=1)
    assert counted.errors == 2
    assert counted + counted == Tally(8, 6, 2, 2)
    text = table([Trial("a", "hard", 0, 42, counted, Tally(4, 3)), Trial("b", "random", 1, 42, counted, counted)])
    assert text.splitlines()[-1].split() == ["all", "8", "6", "4", "2", "2", "1"]


def test_rows_of_a_rendered_set_lie_as_they_are_named() -> None:
    """Far row first, left to right; a place to pass over stays empty."""
    rng = np.random.default_rng(3)
    rows = [[Tile.M1, None, Tile.M3], [Tile.EAST]]
    placed = laid_out(rng, random_body(rng), rows)
    assert [item.tile for item in placed] == [Tile.M1, Tile.M3, Tile.EAST]
    (x1, y1), (x3, y3), (_, y) = (item.centre[:2] for item in placed)
    assert x3 - x1 > 1.9
    assert abs(y1 - y3) < 0.2
    assert y < y1 - 1
