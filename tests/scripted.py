"""A reader that reads what a truth file says, with doubts where a test wants them: for tests without networks."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path

from engine.tiles import Tile
from vision.frames import Frame
from vision.layout import EIGHT_FLOWERS, lay_out
from vision.naming import Thresholds
from vision.photo import PhotoReading
from vision.reading import TileReading

SAMPLES = Path(__file__).resolve().parent.parent / "datasets" / "samples"


class ScriptedReader:
    """Reads the truth of a sample; ``wrong`` maps places in its list of tiles to what is read there instead.

    A tile read wrong or as unknown (None) offers the true one as its best alternative.
    """

    def __init__(self, truth: Path | None, wrong: Mapping[int, Tile | None] | None = None) -> None:
        self._tiles = [] if truth is None else json.loads(truth.read_text(encoding="utf-8"))["tiles"]
        self._wrong = dict(wrong or {})
        self.thresholds = Thresholds()
        self.networks: dict[str, str] = {}

    def leave_out(self, groups: Collection[str]) -> None:
        """The tiles of these groups are not in the photo."""
        self._tiles = [entry for entry in self._tiles if entry["group"] not in groups]

    def read(
        self,
        photo: Frame,
        *,
        flower_kinds: Collection[Tile] = EIGHT_FLOWERS,
        hand_tiles: int | None = 17,
        tile_px: float | None = None,
    ) -> PhotoReading:
        """The scripted tiles, laid out for real."""
        tiles = tuple(self._reading(index) for index in range(len(self._tiles)))
        layout = lay_out(tiles, flower_kinds=flower_kinds, hand_tiles=hand_tiles)
        return PhotoReading(tiles, layout, photo.width, photo.height, {"scripted": 0.0})

    def _reading(self, index: int) -> TileReading:
        entry = self._tiles[index]
        a, b, c, d = ((float(x), float(y)) for x, y in entry["quad"])
        quad = (a, b, c, d)
        if entry["tile"] == "back":
            return TileReading(None, 0.99, quad, face_down=True)
        true = Tile.parse(entry["tile"])
        if index not in self._wrong:
            return TileReading(true, 0.99, quad)
        return TileReading(self._wrong[index], 0.6, quad, alternatives=((true, 0.35),))
