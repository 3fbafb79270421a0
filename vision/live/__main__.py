"""Command line: ``python -m vision.live CLIP...`` follows clips with truth and says how well their tables are seen."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2

from engine.seats import Seat
from vision.errors import ModelError, SourceError
from vision.live.evaluation import Scorer, ViewScore, score_lines
from vision.live.pipeline import LiveTable, TileReader
from vision.live.truth import read_truth
from vision.photo import PhotoReader
from vision.streams import open_stream


def evaluate_clip(folder: Path, reader: TileReader) -> tuple[ViewScore, dict[str, float]]:
    """Follows a clip as it comes and counts its views; seconds of the processor a frame and what was read besides.

    Raises:
        SourceError: the folder is no clip with truth.
    """
    frames, about = read_truth(folder)
    near = Seat.parse(str(about["near"]))
    truth = {frame.number: frame for frame in frames}
    scorer = Scorer(near, rows=about.get("customs", {}).get("river") == "rows")
    table = LiveTable(reader, near=near)
    count, spent = 0, 0.0
    for one in open_stream(str(folder)):
        before = time.process_time()
        view = table.push(one.picture, one.picture.time_s, number=one.number)
        spent += time.process_time() - before
        count += 1
        if one.number in truth:
            scorer.frame(truth[one.number], view, last=one.number == frames[-1].number)
    count = max(1, count)
    return scorer.score, {"frame_s": spent / count, "reads": table.reads / count, "read_px": table.read_px / count}


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m vision.live",
        description="How well the table is seen in clips of `jinque simulate --render`, beside what truly lies there.",
    )
    parser.add_argument("clips", nargs="+", type=Path, metavar="CLIP", help="folders of clips with truth")
    parser.add_argument("--models", type=Path, help="folder with the networks; those that ship where it is left out")
    parser.add_argument("--json", action="store_true", help="one line of JSON a clip, and one for all")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    every = ViewScore()
    try:
        reader = PhotoReader.of_folder(options.models, threads=1)
        for folder in options.clips:
            score, costs = evaluate_clip(folder, reader)
            every.add(score)
            _show(folder.name, {**score.as_json(), **costs}, options.json)
    except (SourceError, ModelError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    if len(options.clips) > 1:
        _show("all", every.as_json(), options.json)
    return 0


def _show(name: str, figures: dict[str, Any], as_json: bool) -> None:
    if as_json:
        text = json.dumps({"clip": name, **figures})
    else:
        costs = f": {1000 * figures['frame_s']:.0f} ms a frame on one thread" if "frame_s" in figures else ""
        text = "\n".join((f"{name}{costs}", *score_lines(figures), ""))
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
