"""A live table from readings of whole frames, without pictures: recorded or scripted ones."""

from __future__ import annotations

from collections.abc import Sequence

from engine.seats import Seat
from vision.live.plane import Plane
from vision.live.plane_search import find_plane
from vision.live.steadying import steadied
from vision.live.table import TableTracker
from vision.live.tracking import RULE, TrackingRule
from vision.live.view import TableView
from vision.live.zones import Zones
from vision.reading import TileReading

_LOST_S = 1.0  # so long the readings do not fit the plane before it is lost
_GAP_S = 1.0


class ReadingsTable:
    """Keeps a table by the readings of each whole frame.

    Args:
        size: width and height of the frames in pixels.
        near: the seat next to the camera.
        plane: where the table is, as from four taps; it is found where that is left out.
        zones: the parts of the table, where they are not the usual ones.
        rule: how slowly is believed.
    """

    def __init__(
        self,
        size: tuple[int, int],
        *,
        near: Seat = Seat.EAST,
        plane: Plane | None = None,
        zones: Zones | None = None,
        rule: TrackingRule = RULE,
    ) -> None:
        self.size = size
        self.plane = plane
        self.table = TableTracker(zones or Zones.usual(near), rule=rule)
        self._fits_s: float | None = None
        self._seen_s: float | None = None

    def push(self, readings: Sequence[TileReading], time_s: float, frame: int = 0) -> TableView:
        """What is believed after these readings; ValueError where time runs backwards."""
        since = 0.0 if self._seen_s is None else time_s - self._seen_s
        if not self._find(readings, time_s):
            return self.table.view(time_s, frame, plane_found=False)
        assert self.plane is not None
        self._seen_s = time_s
        gap = since if since > _GAP_S else 0.0
        return self.table.update(self.plane.placed(readings), time_s, frame=frame, gap_s=gap)

    def _look_again(self, readings: Sequence[TileReading], time_s: float) -> None:
        """Finds the plane anew after the camera was put elsewhere: what lies on the table stays there."""
        found = find_plane(readings, self.size, zones=self.table.zones)
        if found is not None:
            self.plane, self._fits_s = found.plane, time_s
            self.table.see_from(found.plane.eye)
            self.table.tracker.new_condition(time_s)

    def _find(self, readings: Sequence[TileReading], time_s: float) -> bool:
        """Whether the plane is known, after it was found or followed."""
        if self.plane is None:
            found = find_plane(readings, self.size, zones=self.table.zones)
            if found is None:
                return False
            self.plane = found.plane
            self.table.see_from(found.plane.eye)
        still = [track for track in self.table.tracker.tiles if not track.is_missing]
        moved = steadied(self.plane, still, readings)
        if moved is None:
            if self._fits_s is not None and time_s - self._fits_s >= _LOST_S:
                self._look_again(readings, time_s)
            return False
        if moved is not self.plane:
            self.table.tracker.new_condition(time_s)
        self.plane, self._fits_s = moved, time_s
        return True
