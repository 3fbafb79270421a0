"""A table whose tiles are laid, covered and taken by a test, and what a reader would say of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from engine.seats import Seat
from engine.tiles import Tile
from vision.live.table import TableTracker, covered_by
from vision.live.tracking import PlacedReading
from vision.live.view import TableView
from vision.live.zones import Zones
from vision.reading import Point, Quad, TileReading


@dataclass
class ScriptedTable:
    """Tiles by a name of the test, with the errors of a reader: places off by a little, tiles missed and misread."""

    tracker: TableTracker = field(default_factory=lambda: TableTracker(Zones.usual(Seat.EAST)))
    seed: int = 0
    fps: float = 5.0
    off: float = 0.04
    missed: float = 0.0
    tiles: dict[str, tuple[str, float, float, float]] = field(default_factory=dict)
    """Code, x, y and turn of each."""
    misread: dict[str, str] = field(default_factory=dict)
    """What some are read as."""
    cover: tuple[tuple[Point, ...], ...] = ()
    """Polygons nothing is seen under."""
    sees_cover: bool = True
    """Whether the tracker is told what is covered, as the picture tells it."""
    dark: bool = False
    """Nothing can be read at all, for a reason nobody tells."""
    frame: int = 0
    time_s: float = 0.0
    views: list[TableView] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)

    def lay(self, name: str, code: str, x: float, y: float, turn: float = 0.0) -> None:
        """Puts a tile down, or moves it."""
        self.tiles[name] = (code, x, y, turn)

    def row(self, names: str, codes: Iterable[str], x: float, y: float, turn: float = 0.0) -> None:
        """Tiles side by side to the right of the seat that they are upright for, named ``names`` and a number."""
        radians = np.deg2rad(turn)
        for index, code in enumerate(codes):
            at = np.array([x, y]) + 1.03 * index * np.array([np.cos(radians), np.sin(radians)])
            self.lay(f"{names}{index}", code, float(at[0]), float(at[1]), turn)

    def take(self, *names: str) -> None:
        """Takes tiles away."""
        for name in names:
            del self.tiles[name]

    def readings(self) -> list[PlacedReading]:
        """What a reader says now."""
        if self.dark:
            return []
        look = covered_by(self.cover)
        said = []
        for name, (code, x, y, turn) in self.tiles.items():
            if look(np.array([[x, y]]))[0] == 1 or self.rng.random() < self.missed:
                continue
            dx, dy = self.rng.normal(0, self.off, 2)
            said.append(placed(self.misread.get(name, code), x + dx, y + dy, turn))
        return said

    def wait(self, seconds: float) -> TableView:
        """Lets time pass; the view at its end."""
        for _ in range(round(seconds * self.fps)):
            self.time_s += 1 / self.fps
            self.frame += 1
            look = covered_by(self.cover) if self.sees_cover else None
            self.views.append(self.tracker.update(self.readings(), self.time_s, look=look, frame=self.frame))
        return self.views[-1]


def placed(code: str, x: float, y: float, turn: float = 0.0, confidence: float = 0.97) -> PlacedReading:
    """A reading at a place of the table."""
    quad: Quad = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
    if code == "back":
        reading = TileReading(None, confidence, quad, face_down=True)
    else:
        reading = TileReading(Tile.parse(code), confidence, quad)
    return PlacedReading(reading, (x, y), turn, (1.0, 1.36))


def shown(view: TableView) -> dict[int, str]:
    """What each track shows."""
    return {
        tile.track: "back" if tile.face_down else "?" if tile.tile is None else tile.tile.code for tile in view.tiles
    }
