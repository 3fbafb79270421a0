"""What people say about the picture: where the table is, and what lies in a part of it. It is kept with the hand."""

from __future__ import annotations

from assistant_api.live_schemas import NamedArea, SayArea, SayCorners, SaysWhere
from assistant_api.rows import LiveHandRow
from assistant_api.services.tables.eyes import Eye, check_corners
from engine.seats import Seat
from vision.frames import Frame
from vision.live.view import Zone
from vision.live.zones import Area

MOST_AREAS = 12
"""So many parts of a table are kept as a person named them, the last ones."""
_NOBODYS = (Zone.WALL, Zone.GOLD)


def keep(row: LiveHandRow, act: SaysWhere) -> None:
    """Write it into the row of the hand. UsageError for corners that are none."""
    if isinstance(act, SayCorners):
        check_corners(act.points)
        row.corners = [list(point) for point in act.points]
    elif isinstance(act, SayArea):
        named = act.model_dump(mode="json", include=set(NamedArea.model_fields))
        row.areas = [*row.areas, named][-MOST_AREAS:]
    else:
        row.areas = []


def tell_corners(eye: Eye, row: LiveHandRow, frame: Frame) -> None:
    """Tell an eye that has seen nothing yet."""
    if row.corners:
        eye.set_corners([(x * frame.width, y * frame.height) for x, y in row.corners])


def tell_areas(eye: Eye, row: LiveHandRow, frame: Frame) -> None:
    """Tell an eye all that was named, in pixels of the frame it looks at next."""
    eye.set_areas([_area(NamedArea.model_validate(one), frame) for one in row.areas])


def _area(named: NamedArea, frame: Frame) -> Area:
    corners = tuple((x * frame.width, y * frame.height) for x, y in named.points)
    seat = None if named.seat is None or named.zone in _NOBODYS else Seat.parse(named.seat)
    return Area(corners, named.zone, seat)
