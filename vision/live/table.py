"""From placed readings to the view of the table: tracker, zones and what is covered. Knows no pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.seats import Seat
from engine.tiles import Tile
from vision.live.one_set import Face, settled
from vision.live.tracking import RULE, Look, PlacedReading, Sight, TileTracker, Track, TrackingRule
from vision.live.view import SeenTile, TableView, Zone
from vision.live.zones import Lying, Zones

_SETTLE_S = 0.5  # a tile changes its zone when it was elsewhere for so long
_LEAST_FACES = 3
_BLANK_ODD = 1.22  # a blank thing whose sides are so many times as long as those of faces is no tile
_UPPER_SIDE = 0.83  # the longer side of the upper side of a standing tile is its width, that of a face its height
_GAP_S = 1.0  # less than this between two looks is no gap


class TableTracker:
    """Keeps what lies on one table.

    Args:
        zones: the parts of the table; they are learnt further on the way.
        rule: how slowly is believed.
    """

    def __init__(self, zones: Zones | None = None, *, rule: TrackingRule = RULE) -> None:
        self.zones = zones or Zones.usual()
        self.tracker = TileTracker(rule)
        self._zone: dict[int, tuple[Zone, Seat | None]] = {}
        self._else: dict[int, tuple[Zone, Seat | None, float]] = {}
        self._looked_s: float | None = None

    def see_from(self, eye: tuple[float, float, float] | None) -> None:
        """Says where the camera is, in table coordinates."""
        self.zones = replace(self.zones, eye=eye)

    def update(
        self,
        readings: Iterable[PlacedReading],
        time_s: float,
        *,
        look: Look | None = None,
        frame: int = 0,
        gap_s: float | None = None,
    ) -> TableView:
        """What is believed after these readings; arguments as of `TileTracker.update`.

        ``gap_s`` is how long nothing was seen before; by itself the time since the update before, where that is long.
        """
        if gap_s is None:
            since = 0.0 if self._looked_s is None else time_s - self._looked_s
            gap_s = since if since > _GAP_S else 0.0
        self._looked_s = time_s
        self.tracker.update(readings, time_s, look=look, frame=frame)
        return self.view(time_s, frame, gap_s=gap_s)

    def view(self, time_s: float, frame: int, *, gap_s: float = 0.0, plane_found: bool = True) -> TableView:
        """What is believed now."""
        usual = _usual_sides(self.tracker.tiles)
        tracks = [track for track in self.tracker.tiles if not _is_a_patch(track, usual)]
        lying = [_lying(track, usual) for track in tracks]
        self.zones = self.zones.learn(lying)
        assigned = self._settled(tracks, self.zones.assign(lying), time_s)
        faces = _faces(tracks, lying)
        tiles = tuple(_seen(*one) for one in zip(tracks, lying, faces, assigned, strict=True))
        hidden = {place for track, place in zip(tracks, assigned, strict=True) if track.sight is Sight.COVERED}
        covered = tuple(sorted(hidden, key=lambda place: (place[0], -1 if place[1] is None else place[1])))
        return TableView(time_s, frame, tiles, self.tracker.moving, covered, plane_found, gap_s)

    def _settled(
        self, tracks: Sequence[Track], assigned: Sequence[tuple[Zone, Seat | None]], time_s: float
    ) -> list[tuple[Zone, Seat | None]]:
        """Zones that do not flicker: a tile takes another one when it was there for a while."""
        settled: dict[int, tuple[Zone, Seat | None]] = {}
        pending: dict[int, tuple[Zone, Seat | None, float]] = {}
        for track, place in zip(tracks, assigned, strict=True):
            number = track.number or 0
            before = self._zone.get(number)
            if before is None or before == place or track.since_s >= time_s:
                settled[number] = place
                continue
            other = self._else.get(number)
            since = other[2] if other is not None and other[:2] == place else time_s
            if time_s - since >= _SETTLE_S:
                settled[number] = place
            else:
                settled[number], pending[number] = before, (*place, since)
        self._zone, self._else = settled, pending
        return [settled[track.number or 0] for track in tracks]


def _faces(tracks: Sequence[Track], lying: Sequence[Lying]) -> list[Face]:
    """What the tiles are taken for, given that they are of one set; backs are nothing."""
    shown = settled([track.consensus for track, one in zip(tracks, lying, strict=True) if not one.face_down])
    faces = iter(shown)
    return [
        Face(None, track.consensus.confidence) if one.face_down else next(faces)
        for track, one in zip(tracks, lying, strict=True)
    ]


def _usual_sides(tracks: Sequence[Track]) -> tuple[float, float]:
    """Shorter and longer side of the faces on this table as they are seen, 0 where there are too few."""
    sizes = [sorted(track.size) for track in tracks if track.consensus.tile not in (None, Tile.WHITE)]
    if len(sizes) < _LEAST_FACES:
        return 0.0, 0.0
    short, long = np.median(np.array(sizes, np.float64), axis=0)
    return float(short), float(long)


def _is_a_patch(track: Track, usual: tuple[float, float]) -> bool:
    """Whether what was taken for a white dragon is a pale patch of the table: it is too square or too long for one."""
    if track.consensus.tile is not Tile.WHITE or not usual[0]:
        return False
    short, long = sorted(track.size)
    return bool(short > _BLANK_ODD * usual[0] or long > _BLANK_ODD * usual[1])


def _lying(track: Track, usual: tuple[float, float]) -> Lying:
    place = (float(track.place[0]), float(track.place[1]))
    size = (float(track.size[0]), float(track.size[1]))
    sure = track.consensus.tile is not None
    tile = None if track.consensus.face_down else track.consensus.best
    lying = Lying(place, track.turn_deg, tile, track.consensus.face_down, size, track.since_s, sure)
    if tile is Tile.WHITE and (lying.stands or max(size) < _UPPER_SIDE * usual[1]):
        return replace(lying, tile=None, face_down=True)  # the white upper side of a tile that stands
    return lying


def _seen(track: Track, lying: Lying, face: Face, place: tuple[Zone, Seat | None]) -> SeenTile:
    zone, seat = place
    return SeenTile(
        track=track.number or 0,
        tile=face.tile,
        face_down=lying.face_down,
        confidence=face.confidence,
        place=(float(track.place[0]), float(track.place[1])),
        turn_deg=track.turn_deg,
        zone=zone,
        seat=seat,
        quad=track.quad,
        since_s=track.since_s,
        seen_s=track.seen_s,
        alternatives=face.alternatives,
        crop=track.best_frame,
    )


def covered_by(polygons: Sequence[Sequence[tuple[float, float]]]) -> Look:
    """A look for which everything is seen but what lies in polygons of table coordinates."""
    from vision.live.zones import Area

    areas = [Area(tuple(corners), Zone.RIVER) for corners in polygons]

    def look(places: NDArray[np.float64]) -> NDArray[np.int64]:
        hidden = [any(area.holds((float(x), float(y))) for area in areas) for x, y in places]
        return np.where(hidden, Sight.COVERED, Sight.EMPTY).astype(np.int64)

    return look
