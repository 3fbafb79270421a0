"""What truly lies on the table of a clip, frame by frame: what `vision.synth.live_truth` writes, read back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import NotationError
from engine.seats import Seat
from engine.tiles import Tile
from vision.errors import SourceError
from vision.live.view import Zone
from vision.reading import Point


@dataclass(frozen=True, slots=True)
class TrueTile:
    """One tile at one moment.

    Attributes:
        number: which tile it is, over the whole clip.
        face_up: False where it stands, or its back is seen.
        place: centre in table coordinates.
        moving: True while a hand carries it.
        visible: share of its upper side that the camera sees, 0..1.
        quad: that side in pixels of the frame; None where the camera does not see it.
    """

    number: int
    tile: Tile
    face_up: bool
    place: Point
    zone: Zone
    seat: Seat | None
    moving: bool
    visible: float
    quad: tuple[Point, ...] | None = None


@dataclass(frozen=True, slots=True)
class TrueFrame:
    """All tiles in one frame that was taken."""

    number: int
    time_s: float
    tiles: tuple[TrueTile, ...]


def read_truth(folder: Path) -> tuple[list[TrueFrame], Mapping[str, Any]]:
    """The frames of a clip and what its ``clip.json`` holds.

    Raises:
        SourceError: the folder is no clip, or its files cannot be read.
    """
    try:
        about = json.loads((folder / "clip.json").read_text(encoding="utf-8"))
        with (folder / "tracks.jsonl").open(encoding="utf-8") as lines:
            frames = list(true_frames(json.loads(line) for line in lines))
        Seat.parse(str(about["near"]))
    except OSError as error:
        name = Path(str(error.filename)).name
        raise SourceError(
            f"{folder.name!r} is no clip with truth: {name} is missing; expected clip.json and tracks.jsonl"
        ) from None
    except (ValueError, KeyError, TypeError, NotationError):
        raise SourceError(
            f"{folder.name!r}: clip.json or tracks.jsonl cannot be read; make it anew with jinque simulate --render"
        ) from None
    return frames, about


def true_frames(lines: Iterable[Mapping[str, Any]]) -> Iterator[TrueFrame]:
    """Frames from the lines of ``tracks.jsonl`` (`vision.synth.live_truth.track_lines`)."""
    for line in lines:
        yield TrueFrame(line["frame"], line["time_s"], tuple(_tile(entry) for entry in line["tiles"]))


def _tile(entry: Mapping[str, Any]) -> TrueTile:
    quad = entry["quad"]
    return TrueTile(
        entry["id"],
        Tile.parse(entry["tile"]),
        entry["pose"] == "up",
        (entry["place"][0], entry["place"][1]),
        Zone(entry["zone"]),
        None if entry["seat"] is None else Seat.parse(entry["seat"]),
        entry["moving"],
        entry["visible"],
        None if quad is None else tuple((x, y) for x, y in quad),
    )
