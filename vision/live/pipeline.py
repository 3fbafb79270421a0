"""The live table: frames in, `TableView` out. Reads what changed and is at rest again, and the rest in turn.

Pixels are those of the first frame throughout: `Motion` follows the camera, and what is read in a frame is brought
back to where it would have been in the first one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.seats import Seat
from vision.frames import Frame
from vision.live.backs import BackLook
from vision.live.focus import Focus
from vision.live.motion import RULE as MOTION_RULE
from vision.live.motion import Motion, MotionRule
from vision.live.plane import Plane, mapped
from vision.live.plane_search import FoundPlane, find_plane
from vision.live.table import TableTracker
from vision.live.tracking import RULE as TRACKING_RULE
from vision.live.tracking import Sight, Track, TrackingRule
from vision.live.view import TableView
from vision.live.zones import Area, Zones
from vision.reading import TileReading, as_quad

Floats = NDArray[np.float64]
Box = tuple[float, float, float, float]


class TileReader(Protocol):
    """Reads the tiles of a part of a frame; `vision.photo.PhotoReader` is one."""

    def read_tiles(
        self, frame: Frame, region: Box | None = None, tile_px: float | None = None, around: float = 0.0
    ) -> tuple[TileReading, ...]:
        """Tiles with their middle in a region (x0, y0, x1, y1 in pixels; the whole frame), whose side is about
        ``tile_px``; so many pixels around it may be looked at as well."""
        ...


class ScriptedReader:
    """A reader that answers what it was told: by frame time, the readings of the whole frame; the last ones stay.

    Attributes:
        calls: the regions it was asked for.
    """

    def __init__(self, script: Iterable[tuple[float, Sequence[TileReading]]]) -> None:
        self._script = sorted(script, key=lambda item: item[0])
        self.calls: list[Box | None] = []

    def say(self, script: Iterable[tuple[float, Sequence[TileReading]]]) -> None:
        """Answers by another script from now on; what it was asked before is forgotten."""
        self._script = sorted(script, key=lambda item: item[0])
        self.calls.clear()

    def read_tiles(
        self, frame: Frame, region: Box | None = None, tile_px: float | None = None, around: float = 0.0
    ) -> tuple[TileReading, ...]:
        """The scripted readings whose middle lies in the region."""
        self.calls.append(region)
        said: Sequence[TileReading] = ()
        for time_s, readings in self._script:
            if time_s <= frame.time_s + 1e-9:
                said = readings
        if region is None:
            return tuple(said)
        x0, y0, x1, y1 = region
        return tuple(one for one in said if x0 <= one.centre[0] < x1 and y0 <= one.centre[1] < y1)


@dataclass(frozen=True, slots=True)
class LiveRule:
    """When is read. Lengths in widths of a tile, times in seconds.

    Attributes:
        margin: around what is read, so that tiles at its edge are whole.
        again_s: a place is not read again before so long.
        hands_s: so often at most backs in hands are looked for again that were not read where they were.
        patience_s: a tile that was not read where it lay is looked for again for so long, and so is one where
            something was put down and none was read.
        strange_s: so often places are looked at again where something lies that was read as no tile.
        turn_s: so often a part of the table is read in turn, whether it changed or not.
        parts: the table is read in turn in so many times so many parts.
        share: of the table that is read at once at most; more waits for the next frame.
        search_s: so often the plane is looked for.
        refine: how many seconds after it was found the plane is fitted again, and how far it may move then: the
            longer it was used, the less.
        much_worse: so many times as far off as another plane the one before must be, fitted again, to yield to one that
            lies elsewhere.
        lost_s: so long the picture must not fit before the plane is looked for anew.
        gap_s: more than this between two frames is a gap.
    """

    margin: float = 1.3
    again_s: float = 0.19
    hands_s: float = 3.0
    patience_s: float = 3.0
    strange_s: float = 0.5
    turn_s: float = 1.5
    parts: int = 3
    share: float = 0.3
    search_s: float = 0.7
    refine: tuple[tuple[float, float], ...] = ((2.5, 3.0), (6.0, 2.0), (12.0, 1.5), (22.0, 1.0), (40.0, 0.8))
    much_worse: float = 1.1
    lost_s: float = 1.0
    gap_s: float = 1.0


RULE = LiveRule()
_AWAY = 1e-6
_STEP = 0.5  # widths of a tile between places that are looked at for something strange
_NOWHERE = np.zeros((0, 2))
_WHOLE = 0.7  # sides of a tile around what changed, so that the whole tile counts as changed


class LiveTable:
    """Keeps one table from the frames of one camera.

    Args:
        reader: reads tiles.
        near: the seat next to the camera.
        plane: where the table is in the first frame, as from four taps; it is found where that is left out.
        zones: the parts of the table, where they are not the usual ones.
        rule, tracking, motion: how often is read, how slowly is believed, what counts as a change.

    Attributes:
        reads: how often the reader was asked.
        read_px: for how many pixels altogether.
    """

    def __init__(
        self,
        reader: TileReader,
        *,
        near: Seat = Seat.EAST,
        plane: Plane | None = None,
        zones: Zones | None = None,
        rule: LiveRule = RULE,
        tracking: TrackingRule = TRACKING_RULE,
        motion: MotionRule = MOTION_RULE,
    ) -> None:
        self.reader, self.rule = reader, rule
        self.plane = plane
        self.table = TableTracker(zones or Zones.usual(near), rule=tracking)
        self.reads = 0
        self.read_px = 0
        self._motion_rule = motion
        self._backs = BackLook()
        self._just_read: list[Box] = []
        self._motion: Motion | None = None
        self._size: tuple[int, int] | None = None
        self._time_s: float | None = None
        self._frame = -1
        self._searched_s = -math.inf
        self._found_s = math.inf
        self._refined = 0
        self._found: FoundPlane | None = None
        self._lost_since: float | None = None
        self._blind_s = 0.0
        self._turn = 0
        self._turned_s = -math.inf
        self._hands_s = -math.inf
        self._strange_s = -math.inf
        self._named: tuple[Area, ...] = ()
        self._focus = Focus()
        if plane is not None:
            self.table.see_from(plane.eye)

    def push(self, frame: Frame, time_s: float, *, number: int | None = None) -> TableView:
        """What is believed after this frame.

        Args:
            frame: the newest picture; all have one size.
            time_s: when it was taken; ValueError where time runs backwards.
            number: of the frame; counted where it is left out.
        """
        if self._time_s is not None and time_s < self._time_s:
            raise ValueError(f"time runs backwards: {time_s} s after {self._time_s} s")
        since = 0.0 if self._time_s is None else time_s - self._time_s
        self._time_s = time_s
        self._frame = self._frame + 1 if number is None else number
        if self._size not in (None, (frame.width, frame.height)):
            self._begin_anew()
        self._size = (frame.width, frame.height)
        if self.plane is None and not self._search(frame, time_s):
            self._blind_s += since
            return self.table.view(time_s, self._frame, plane_found=False)
        assert self.plane is not None
        if self._focus.is_lost(frame.image, time_s):
            self._blind_s += since
            return self.table.view(time_s, self._frame)
        motion = self._watch(frame, time_s)
        if motion.lost:
            self._blind_s += since
            return self._lose(frame, time_s)
        self._lost_since = None
        if motion.light_changed:
            self.table.tracker.new_condition(time_s)
            self._learn_cloth(motion)
        readings = self._read(frame, motion, time_s)
        placed = self.plane.placed(readings)
        gap = self._blind_s + (since if since > self.rule.gap_s else 0.0)
        self._blind_s = 0.0
        view = self.table.update(placed, time_s, look=self._look, frame=self._frame, gap_s=gap)
        self._refine(time_s)
        return self._as_seen_now(view, motion)

    def name(self, areas: Sequence[Area]) -> None:
        """Says what lies where, in place of what was said before: areas with corners in pixels of the newest frame."""
        to_first = np.eye(3) if self._motion is None else self._motion.to_first
        self._named = tuple(
            replace(area, corners=tuple((float(x), float(y)) for x, y in mapped(to_first, np.array(area.corners))))
            for area in areas
        )
        self._place_named()

    def _place_named(self) -> None:
        """Brings what was named to the table, once that is found."""
        if self.plane is None:
            return
        placed = tuple(
            replace(area, corners=tuple((float(x), float(y)) for x, y in self.plane.places(np.array(area.corners))))
            for area in self._named
        )
        self.table.zones = replace(self.table.zones, areas=placed)

    # --- the plane

    def _search(self, frame: Frame, time_s: float) -> bool:
        """Looks for the plane in the whole picture."""
        if time_s - self._searched_s < self.rule.search_s:
            return False
        self._searched_s = time_s
        readings = self._asked(frame, None, None)
        found = find_plane(readings, (frame.width, frame.height), zones=self.table.zones)
        if found is None:
            return False
        self.plane, self._found = found.plane, found
        self.table.see_from(found.plane.eye)
        self._found_s, self._refined = time_s, 0
        self._motion = None
        self._place_named()
        return True

    def _watch(self, frame: Frame, time_s: float) -> Motion:
        if self._motion is None:
            assert self.plane is not None
            size = (frame.width, frame.height)
            self._motion = Motion(size, self.plane.tile_px((0.0, 0.0)), self._motion_rule)
        self._motion.push(frame.image, time_s)
        return self._motion

    def _lose(self, frame: Frame, time_s: float) -> TableView:
        """The picture does not fit what it showed: after a while the table is looked for anew."""
        if self._lost_since is None:
            self._lost_since = time_s
        if time_s - self._lost_since >= self.rule.lost_s and self._search(frame, time_s):
            self._lost_since = None
            self.table.tracker.new_condition(time_s)
        return self.table.view(time_s, self._frame, plane_found=False)

    def _begin_anew(self) -> None:
        """Pictures of another size: where the table is has to be found anew; what lies on it stays."""
        self.plane, self._motion, self._searched_s = None, None, -math.inf

    def _refine(self, time_s: float) -> None:
        """Fits the plane again once more is known; places keep to their tiles."""
        if self._refined >= len(self.rule.refine):
            return
        after_s, most_moved = self.rule.refine[self._refined]
        if time_s - self._found_s < after_s:
            return
        self._refined += 1
        assert self.plane is not None
        assert self._size is not None
        seen = [
            TileReading(None, 0.9, track.quad, face_down=track.consensus.face_down)
            for track in self.table.tracker.tiles
            if not track.is_missing
        ]
        found = find_plane(seen, self._size, zones=self.table.zones, before=self._found)
        if found is None:
            return
        before, after = self.plane, found.plane
        corners = before.pixels(np.array([(-8.0, -8.0), (8.0, -8.0), (8.0, 8.0), (-8.0, 8.0)]))
        shift = np.linalg.norm(after.places(corners) - before.places(corners), axis=1).max()
        is_worse = found.cost_before is not None and found.cost_before > self.rule.much_worse * found.cost
        if shift > most_moved and not is_worse:
            return  # a table does not walk: one of the two is wrong, and this one has been used
        self.table.tracker.move(lambda places: after.places(before.pixels(places)))
        self.plane, self._found = after, found
        self.table.see_from(after.eye)
        self._place_named()

    # --- reading

    def _read(self, frame: Frame, motion: Motion, time_s: float) -> list[TileReading]:
        """What is read of this frame, in pixels of the first one."""
        boxes = self._wanted(motion, time_s)
        self._just_read = []
        if not boxes:
            return []
        back = np.asarray(np.linalg.inv(motion.to_first), np.float64)
        readings: list[TileReading] = []
        for wanted in boxes:
            tile_px = self._tile_px(wanted)
            box = self._widened(wanted, _WHOLE * tile_px)
            for reading in self._asked(frame, self._outline(back, box), tile_px, self.rule.margin * tile_px):
                quad = mapped(motion.to_first, np.array(reading.quad))
                x, y = quad.mean(axis=0)
                if box[0] <= x < box[2] and box[1] <= y < box[3]:
                    readings.append(replace(reading, quad=as_quad(quad)))
            motion.read(box)
            self._just_read.append(box)
        readings = _singled(readings)
        quads = np.array([reading.quad for reading in readings], np.float64).reshape(-1, 4, 2)
        centres = quads.mean(axis=1)
        readings = [
            reading
            for reading, moves, free in zip(readings, motion.moving(centres), motion.free(centres), strict=True)
            if not moves and not (free and (reading.face_down or reading.is_unknown))  # bare table is no tile
        ]
        if not motion.knows_cloth or self._turn % 9 == 0:
            self._learn_cloth(motion, quads.mean(axis=1) if len(quads) else None)
        return readings

    def _asked(
        self, frame: Frame, region: Box | None, tile_px: float | None, around: float = 0.0
    ) -> tuple[TileReading, ...]:
        self.reads += 1
        x0, y0, x1, y1 = region or (0, 0, frame.width, frame.height)
        self.read_px += round((x1 - x0 + 2 * around) * (y1 - y0 + 2 * around))
        return tuple(self._backs.mended(self.reader.read_tiles(frame, region, tile_px, around), frame.image))

    def _wanted(self, motion: Motion, time_s: float) -> list[Box]:
        """Parts of the first frame to read now: what changed, what is to be confirmed, and one part in turn."""
        assert self.plane is not None
        table = self._table_box(motion)
        tile = self.plane.tile_px((0.0, 0.0))
        wanted = np.zeros(motion.shape, np.uint8)
        wanted[motion.dirty()] = 1
        unread = cv2.countNonZero(wanted[table[1] : table[3], table[0] : table[2]])
        wanted = np.asarray(cv2.morphologyEx(wanted, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
        changed = wanted.copy()
        small_tile = max(3, round(tile * motion.scale))
        hands_too = time_s - self._hands_s >= self.rule.hands_s
        if hands_too:
            self._hands_s = time_s
        again = [
            track.place
            for track in (*self.table.tracker.candidates, *self.table.tracker.tiles)
            if (hands_too or not self._is_in_hand(track))
            and time_s - track.frame_s >= self.rule.again_s
            and self._is_doubtful(track, time_s)
        ]
        again.extend(self._strange_places(motion, time_s))
        if again:
            for x, y in motion.small(self.plane.pixels(np.array(again))):
                low, high = (
                    (round(x - small_tile / 2), round(y - small_tile / 2)),
                    (round(x + small_tile / 2), round(y + small_tile / 2)),
                )
                cv2.rectangle(wanted, low, high, 1, -1)
        mask = np.zeros_like(wanted)
        mask[table[1] : table[3], table[0] : table[2]] = 1
        wanted &= mask
        boxes = self._boxes(wanted, changed & mask, small_tile, motion)
        idle = not boxes and time_s - self._turned_s >= self.rule.turn_s
        if unread * 4 < mask.sum() and (idle or time_s - self._turned_s >= 3 * self.rule.turn_s):
            boxes.append(self._next_part(motion, table))
            self._turned_s = time_s
        return boxes

    def _strange_places(self, motion: Motion, time_s: float) -> Floats:
        """Places [N, 2] within the walls where something was put down a short while ago and no tile was read."""
        assert self.plane is not None
        if not motion.knows_cloth or time_s - self._strange_s < self.rule.strange_s:
            return _NOWHERE
        self._strange_s = time_s
        reach = self.table.zones.inside - 0.5
        steps = np.arange(-reach, reach + 1e-6, _STEP)
        places = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        pixels = self.plane.pixels(places)
        fresh = ~motion.moving(pixels) & (motion.rest_s(pixels) < self.rule.patience_s) & ~motion.free(pixels)
        places = places[fresh & motion.inside(pixels)]
        tracks = [track.place for track in (*self.table.tracker.candidates, *self.table.tracker.tiles)]
        if not len(places) or not tracks:
            return places
        apart = np.linalg.norm(places[:, None] - np.array(tracks)[None], axis=2).min(axis=1)
        return np.asarray(places[apart > 1.0], np.float64)

    def _is_in_hand(self, track: Track) -> bool:
        """Whether a back is in a hand, and nothing else was read there: there are dozens, and nothing hangs on one."""
        zones = self.table.zones
        is_back = track.consensus.face_down and track.afresh is None
        return is_back and float(np.abs(track.place).max()) > (zones.flowers + zones.hand) / 2

    def _is_doubtful(self, track: Track, time_s: float) -> bool:
        """Whether a tile should be read again soon: new ones, those that are not known, those that were just missed."""
        unknown = track.consensus.tile is None and not track.consensus.face_down
        if track.number is None:
            return track.consensus.votes < (6 if unknown else 2)
        if track.afresh is not None:
            return True
        missed = track.unread and track.sight is not Sight.EMPTY and time_s - track.seen_s < self.rule.patience_s
        return missed or (unknown and track.consensus.votes < 6)

    def _boxes(
        self, wanted: NDArray[np.uint8], changed: NDArray[np.uint8], small_tile: int, motion: Motion
    ) -> list[Box]:
        """Boxes around what is wanted, no more than a share of the table at once: what changed, then the largest."""
        joined = cv2.dilate(wanted, np.ones((2 * small_tile + 1, 2 * small_tile + 1), np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(joined)
        most = self.rule.share * wanted.size
        boxes: list[Box] = []
        used = 0.0
        new = set(labels[changed > 0].tolist())
        for index in sorted(range(1, count), key=lambda k: (k not in new, -int(stats[k, cv2.CC_STAT_AREA]))):
            own = wanted * (labels == index)
            if cv2.countNonZero(own) < max(4, small_tile * small_tile // 6):
                continue
            x, y, width, height = cv2.boundingRect(own)
            while width * height > most:  # the half with more to read first; the rest waits for the next frame
                if width >= height:
                    width //= 2
                    x += width * int(_more_after(own[y : y + height, x : x + 2 * width], 1))
                else:
                    height //= 2
                    y += height * int(_more_after(own[y : y + 2 * height, x : x + width], 0))
            if boxes and used + width * height > most:
                continue
            used += width * height
            boxes.append(motion.pixels_of((x, y, x + width, y + height)))
            if len(boxes) == 3:
                break
        return boxes

    def _next_part(self, motion: Motion, table: tuple[int, int, int, int]) -> Box:
        """The next part of the table in turn."""
        parts = self.rule.parts
        row, column = divmod(self._turn % (parts * parts), parts)
        self._turn += 1
        x0, y0, x1, y1 = table
        width, height = (x1 - x0) / parts, (y1 - y0) / parts
        left, top = x0 + column * width, y0 + row * height
        return motion.pixels_of((round(left), round(top), round(left + width), round(top + height)))

    def _table_box(self, motion: Motion) -> tuple[int, int, int, int]:
        """The part of the small picture where tiles may lie."""
        assert self.plane is not None
        reach = self.table.zones.right + 0.6
        square = np.array([(-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach)])
        corners = motion.small(self.plane.pixels(square))
        x0, y0 = np.maximum(corners.min(axis=0), 0).astype(int)
        x1, y1 = np.minimum(np.ceil(corners.max(axis=0)).astype(int), [motion.shape[1], motion.shape[0]])
        return int(x0), int(y0), int(x1), int(y1)

    def _tile_px(self, box: Box) -> float:
        assert self.plane is not None
        middle = self.plane.places(np.array([[(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]]))[0]
        width = self.plane.tile_px((float(middle[0]), float(middle[1])))
        return float(width * math.sqrt(self.table.zones.height))

    def _widened(self, box: Box, margin: float) -> Box:
        return box[0] - margin, box[1] - margin, box[2] + margin, box[3] + margin

    def _outline(self, back: Floats, box: Box) -> Box:
        """The box of the first frame in the newest one."""
        corners = np.array([(box[0], box[1]), (box[2], box[1]), (box[2], box[3]), (box[0], box[3])])
        at = mapped(back, corners)
        (x0, y0), (x1, y1) = at.min(axis=0), at.max(axis=0)
        return float(x0), float(y0), float(x1), float(y1)

    # --- seeing

    def _look(self, places: Floats) -> NDArray[np.int64]:
        """What is known of places where nothing was read in this frame."""
        motion, plane = self._motion, self.plane
        assert motion is not None
        assert plane is not None
        pixels = plane.pixels(places)
        sights = np.full(len(places), Sight.COVERED, np.int64)
        same, free, read = motion.same(pixels), motion.free(pixels), self._was_read(pixels)
        sights[same] = Sight.SAME  # colours alone may deceive under another light
        sights[read] = Sight.STRANGE
        sights[free & (read | ~same)] = Sight.EMPTY
        sights[motion.moving(pixels)] = Sight.COVERED
        sights[~motion.inside(pixels)] = Sight.UNSEEN
        return sights

    def _was_read(self, pixels: Floats) -> NDArray[np.bool_]:
        """Which pixels [N, 2] of the first frame were read in this frame."""
        read = np.zeros(len(pixels), np.bool_)
        for x0, y0, x1, y1 in self._just_read:
            x, y = pixels[:, 0], pixels[:, 1]
            read |= (x0 <= x) & (x < x1) & (y0 <= y) & (y < y1)
        return read

    def _learn_cloth(self, motion: Motion, more: Floats | None = None) -> None:
        """Learns the table where nothing lies: within the walls."""
        assert self.plane is not None
        tracker = self.table.tracker
        places = np.concatenate([tracker.places, *(track.place[None] for track in tracker.candidates)])
        taken = self.plane.pixels(places) if len(places) else np.zeros((0, 2))
        if more is not None:
            taken = np.concatenate([taken, more])
        reach = self.table.zones.inside - 0.5
        square = self.plane.pixels(np.array([(-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach)]))
        within = np.zeros(motion.shape, np.uint8)
        cv2.fillConvexPoly(within, np.rint(motion.small(square)).astype(np.int32), 1)
        motion.learn_cloth(taken, within > 0, self.plane.tile_px((0.0, 0.0)))

    def _as_seen_now(self, view: TableView, motion: Motion) -> TableView:
        """The view with quads in pixels of the newest frame."""
        if np.allclose(motion.to_first, np.eye(3), atol=_AWAY):
            return view
        back = np.asarray(np.linalg.inv(motion.to_first), np.float64)
        tiles = tuple(replace(tile, quad=as_quad(mapped(back, np.array(tile.quad)))) for tile in view.tiles)
        return replace(view, tiles=tiles)


def _more_after(wanted: NDArray[np.uint8], axis: int) -> bool:
    """Whether the second half along an axis holds more than the first."""
    half = wanted.shape[axis] // 2
    one, two = np.split(wanted, [half], axis=axis)
    return int(np.count_nonzero(two)) > int(np.count_nonzero(one))


def _singled(readings: list[TileReading]) -> list[TileReading]:
    """The readings of several parts without those that were read twice: the surer one stays."""
    kept: list[TileReading] = []
    for reading in sorted(readings, key=lambda reading: -reading.confidence):
        x, y = reading.centre
        quad = np.array(reading.quad)
        reach = 0.4 * math.sqrt(abs(float(cv2.contourArea(quad.astype(np.float32)))))
        if all(math.hypot(x - other.centre[0], y - other.centre[1]) > reach for other in kept):
            kept.append(reading)
    return kept
