"""The package mahjong-detector beside the reader, on the same labelled photos in the same run: time, and tiles right.

It knows 34 kinds, neither flowers nor backs. So labels of flowers and backs count for neither of the two, and what
either reads on them is passed over. Everything else is as `vision.evaluation`: a tile is found where an upright box
overlaps its label by an intersection over union of at least 0.5, and right where the name is the label's.
"""

from __future__ import annotations

import importlib.util
import statistics
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from engine.tiles import Tile
from vision.dataset import LabelledPhoto, load_dataset
from vision.evaluation import match_tiles
from vision.frames import Frame, read_frame
from vision.photo import PhotoReader
from vision.reading import BACK, TileReading, as_quad

PACKAGE = "mahjong_detector"
SETS = ("cmd_hk", "cmd_riichi_box", "leomiura_riichi_standing", "crops_cyfef")
EVERY = 6
_HONOURS = {"tou": "E", "nan": "S", "sha": "W", "pe": "N", "chun": "C", "hatsu": "F", "haku": "P"}
Read = Callable[[Frame], Sequence[TileReading]]


def compare_with_peer(reader: PhotoReader, data: Path, every: int = EVERY) -> dict[str, Any] | None:
    """Both on every so many-th test photo of each set in ``data``; None where the package or the photos are absent."""
    if importlib.util.find_spec(PACKAGE) is None:
        return None
    folders = [data / name for name in SETS if (data / name / "images").is_dir()]
    photos = [photo for folder in folders for photo in load_dataset(folder)[::every]]
    if not photos:
        return None
    name = f"mahjong-detector {version('mahjong-detector')}"
    return {
        "name": name,
        "sets": [folder.name for folder in folders],
        "every": every,
        "results": [
            _measured("jinque", lambda frame: reader.read(frame, hand_tiles=None).tiles, photos),
            _measured(name, peer_readings, photos),
        ],
    }


def peer_readings(frame: Frame) -> list[TileReading]:
    """What the package reads in an upright frame, with its own preparation of the picture."""
    from mahjong_detector.predict import CLASS_NAMES, predict
    from mahjong_detector.preprocess import preprocess_image

    prepared, padding = preprocess_image(Image.fromarray(np.ascontiguousarray(frame.image[:, :, ::-1])))
    return [
        TileReading(
            Tile.parse(_HONOURS.get(CLASS_NAMES[one.class_id], CLASS_NAMES[one.class_id])),
            min(1.0, float(one.confidence)),
            as_quad(np.array([[one.x1, one.y1], [one.x2, one.y1], [one.x2, one.y2], [one.x1, one.y2]], np.float64)),
        )
        for one in predict(prepared, padding)
    ]


def _measured(name: str, read: Read, photos: Sequence[LabelledPhoto]) -> dict[str, Any]:
    tiles = found = right = exact = 0
    seconds, processor = [], []
    read(read_frame(photos[0].path))  # warms up
    for photo in photos:
        frame = read_frame(photo.path)
        begun, used = time.perf_counter(), time.process_time()
        readings = read(frame)
        seconds.append(time.perf_counter() - begun)
        processor.append(time.process_time() - used)
        compared = [row for row, code in enumerate(photo.codes) if code != BACK and not Tile.parse(code).is_flower]
        boxes = photo.boxes[compared] * np.array([frame.width, frame.height] * 2)
        if photo.is_face_crop:  # only the name counts
            surest = max(readings, key=lambda tile: tile.confidence, default=None)
            own = [(surest is not None, surest is not None and surest.code == photo.codes[row]) for row in compared]
        else:
            matches = match_tiles([photo.codes[row] for row in compared], boxes, readings)
            own = [(match.read is not None, match.is_right) for match in matches if match.true is not None]
        tiles, found = tiles + len(own), found + sum(seen for seen, _ in own)
        right += sum(named for _, named in own)
        exact += all(named for _, named in own)
    return {
        "name": name,
        "photos": len(photos),
        "tiles": tiles,
        "found": found,
        "right": right,
        "right_share": round(right / max(tiles, 1), 4),
        "all_right_photos": exact,
        "seconds": round(statistics.median(seconds), 4),
        "cpu_seconds": round(statistics.median(processor), 4),
    }
