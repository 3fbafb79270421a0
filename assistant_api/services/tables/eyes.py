"""What looks at the frames of one table. The networks behind it are shared; what lies where is each table's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from assistant_api.services.reading import SharedReader
from assistant_api.settings import Settings
from engine.seats import Seat
from vision.errors import ModelError
from vision.frames import Frame
from vision.live.view import TableView

Corners: TypeAlias = Sequence[tuple[float, float]]
"""Four corners of the table in pixels, clockwise from the one at the left of the far seat."""


class Eye(Protocol):
    """Looks at one table, frame by frame; `vision.live.pipeline.LiveTable` is behind the one that ships."""

    def look(self, frame: Frame, time_s: float) -> TableView:
        """What is believed to lie on the table after this frame. The time never runs backwards."""

    def set_corners(self, corners: Corners) -> None:
        """A person says where the table is."""


MakeEye: TypeAlias = Callable[[Seat], Eye]
"""Makes an eye for a table with this seat next to the camera; ModelError when the networks cannot be used."""


def shipped_eye(settings: Settings, reader: SharedReader) -> MakeEye:
    """Eyes with the networks that come with the program, which all tables and the photos share."""

    def make(near: Seat) -> Eye:
        raise ModelError("live tables are not read by this version yet")

    return make
