"""What looks at the frames of one table. The networks behind it are shared; what lies where is each table's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from assistant_api.errors import UsageError
from assistant_api.services.reading import SharedReader
from engine.seats import Seat
from vision.errors import ModelError
from vision.frames import Frame
from vision.live.pipeline import Box, LiveTable
from vision.live.plane import Plane
from vision.live.view import TableView
from vision.live.zones import Area, Zones
from vision.photo import PhotoReader
from vision.reading import TileReading

Corners: TypeAlias = Sequence[tuple[float, float]]
"""The outer corners of the square of walls in pixels: near left, near right, far right, far left."""


def check_corners(corners: Corners) -> None:
    """UsageError for four points that are no square of walls in that order; any unit does."""
    try:
        Plane.from_taps([(1000.0 * x, 1000.0 * y) for x, y in corners], 1.0)
    except ValueError as error:
        raise UsageError(str(error)) from None


class Eye(Protocol):
    """Looks at one table, frame by frame; `vision.live.pipeline.LiveTable` is behind the one that ships."""

    def look(self, frame: Frame, time_s: float) -> TableView:
        """What is believed to lie on the table after this frame. The time never runs backwards."""

    def set_corners(self, corners: Corners) -> None:
        """A person says where the table is."""

    def set_areas(self, areas: Sequence[Area]) -> None:
        """All that a person named so far, corners in pixels; it goes before what the eye makes of it."""


MakeEye: TypeAlias = Callable[[Seat], Eye]
"""Makes an eye for a table with this seat next to the camera; ModelError when the networks cannot be used."""


class _SharedTiles:
    """The reader of photos as the live table wants it, one caller at a time."""

    def __init__(self, reader: SharedReader) -> None:
        self._reader = reader

    def read_tiles(
        self, frame: Frame, region: Box | None = None, tile_px: float | None = None, around: float = 0.0
    ) -> tuple[TileReading, ...]:
        """Tiles of a part of a frame."""
        with self._reader.using() as reader:
            if not isinstance(reader, PhotoReader):
                raise ModelError("this reader knows photos only; expected the networks that come with the program")
            return reader.read_tiles(frame, region, tile_px, around)


class TableEye:
    """Looks with the networks that come with the program."""

    def __init__(self, reader: SharedReader, near: Seat) -> None:
        self._tiles = _SharedTiles(reader)
        self._near = near
        self._table = LiveTable(self._tiles, near=near)

    def look(self, frame: Frame, time_s: float) -> TableView:
        """See `Eye`."""
        return self._table.push(frame, time_s)

    def set_corners(self, corners: Corners) -> None:
        """See `Eye`; what lies on the table is looked at anew."""
        plane = Plane.from_taps(corners, Zones.usual(self._near).edge)
        self._table = LiveTable(self._tiles, near=self._near, plane=plane)

    def set_areas(self, areas: Sequence[Area]) -> None:
        """See `Eye`."""
        self._table.name(areas)


def shipped_eye(reader: SharedReader) -> MakeEye:
    """Eyes with the networks that come with the program, which all tables and the photos share."""

    def make(near: Seat) -> Eye:
        reader.load()
        return TableEye(reader, near)

    return make
