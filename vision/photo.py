"""From a photo to tile readings and groups: find tiles, cut out their faces, name them, lay them out."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.tiles import Tile
from vision.backs import read_backs, with_printed_dragons
from vision.classifier import Classifier, FaceReadings, OpenVinoClassifier
from vision.close_up import is_close_up, whole_picture
from vision.copies import one_set
from vision.crops import rectify
from vision.detections import TileDetections
from vision.detector import Detector, OpenVinoDetector, side_of_part
from vision.dice import without_dice
from vision.errors import OtherNetworkError
from vision.frames import Frame
from vision.halves import Halves
from vision.holes import holes
from vision.kong_backs import places_of_backs
from vision.layout import EIGHT_FLOWERS, Layout, lay_out
from vision.mending import Joint, accepted, as_detections, joints
from vision.naming import BACK, TILES, Named, Thresholds, certain, name_tiles
from vision.problems import Problem, ProblemCode
from vision.reading import TileReading, as_quad
from vision.rows import same_way_up
from vision.tilesets import Tileset, TilesetClassifier
from vision.weights import FACE_LABELS, card_folders, find_companion, find_weights

_MOST_ENLARGED = 2.0


@dataclass(frozen=True, slots=True)
class PhotoReading:
    """Everything read in one photo.

    Attributes:
        tiles: the readings, in no particular order; groups and problems point to them by index.
        layout: the groups.
        width, height: pixels of the upright photo.
        stages: seconds of wall time by step: detect, crop, classify, scene, layout.
        outside: problems of the whole photo: what was left out, kinds of which there are too many.
    """

    tiles: tuple[TileReading, ...]
    layout: Layout
    width: int
    height: int
    stages: Mapping[str, float]
    outside: tuple[Problem, ...] = ()

    @property
    def seconds(self) -> float:
        """Wall time of all steps."""
        return sum(self.stages.values())

    @property
    def tile_px(self) -> float | None:
        """Median side of a tile (root of its area) in pixels, None without tiles: for reading the next frame."""
        if not self.tiles:
            return None
        return float(
            np.median([math.sqrt(abs(cv2.contourArea(np.array(tile.quad, np.float32)))) for tile in self.tiles])
        )

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What looks wrong."""
        return (*self.outside, *self.layout.problems)

    def codes(self, indices: Collection[int]) -> list[str]:
        """Notation codes of some tiles, ``back`` and ``?`` among them."""
        return [self.tiles[index].code for index in indices]

    def as_json(self, file: str | None = None) -> dict[str, object]:
        """One line of `jinque read --json`."""
        layout = self.layout
        return {
            **({} if file is None else {"file": file}),
            "width": self.width,
            "height": self.height,
            "seconds": round(self.seconds, 4),
            "tiles": [{**tile.as_json(), "group": layout.group_of(index)} for index, tile in enumerate(self.tiles)],
            "groups": {
                "hand": self.codes(layout.hand),
                "winning": None if layout.winning is None else self.tiles[layout.winning].code,
                "melds": [self.codes(meld) for meld in layout.melds],
                "flowers": self.codes(layout.flowers),
                "gold": None if layout.gold is None else self.tiles[layout.gold].code,
            },
            "indices": {
                "hand": list(layout.hand),
                "winning": layout.winning,
                "melds": [list(meld) for meld in layout.melds],
                "flowers": list(layout.flowers),
                "gold": layout.gold,
                "strays": list(layout.strays),
            },
            "problems": [problem.as_json() for problem in self.problems],
            "up_deg": round(layout.up_deg, 1),
            "stages": {name: round(seconds, 4) for name, seconds in self.stages.items()},
        }


class PhotoReader:
    """Reads photos with a detector and a classifier. Safe to share between threads if both of them are.

    Args:
        detector: finds the tiles of live frames.
        classifier: names them.
        photos: finds those of photos, where that is another one.

    Attributes:
        thresholds: where a reading changes.
        networks: SHA-256 of the networks' files by name; empty where they are no files.
    """

    def __init__(
        self,
        detector: Detector,
        classifier: Classifier,
        *,
        thresholds: Thresholds | None = None,
        networks: Mapping[str, str] | None = None,
        photos: Detector | None = None,
    ) -> None:
        self._detector = detector
        self._photos = photos or detector
        self._classifier = classifier
        self.thresholds = thresholds or Thresholds()
        self.networks: Mapping[str, str] = networks or {}

    @classmethod
    def bundled(cls, *, threads: int = 2) -> Self:
        """A reader with the networks that come with the program, on that many processor threads.

        Raises:
            ModelError: a network is missing or is not what its card says.
        """
        return cls.of_folder(None, threads=threads)

    @classmethod
    def of_folder(cls, folder: Path | None, *, threads: int = 2) -> Self:
        """A reader with the networks of a folder; one without a card there is the bundled one, as all are for None.

        Raises:
            ModelError: the folder has no card, or a network is not what its card says.
        """
        places = card_folders(folder)
        weights = find_weights("detector", folder=places["detector"])
        whole = find_companion(places["detector"])
        classifier = OpenVinoClassifier(places["classifier"], threads=threads)
        detector = OpenVinoDetector(weights.path, threads)
        return cls(
            detector,
            classifier,
            thresholds=Thresholds.from_cards({**weights.thresholds, **classifier.thresholds}),
            networks={one.name: one.sha256 for one in (weights, classifier.weights, whole) if one is not None},
            photos=None if whole is None else detector.leaving_tables_to(OpenVinoDetector(whole.path, threads)),
        )

    @property
    def network(self) -> str:
        """Checksum of the classifier, which the looks of a person's own set belong to."""
        return self.networks.get("classifier", "")

    @property
    def classifier(self) -> Classifier:
        """What names the faces."""
        return self._classifier

    def with_tileset(self, tileset: Tileset) -> Self:
        """A reader that knows a person's own set besides; OtherNetworkError where its looks are of another network."""
        if tileset.network != self.network:
            raise OtherNetworkError(
                f"the set {tileset.name!r} was learnt with another version of the network; add its photos again"
            )
        adapted = TilesetClassifier(self._classifier, tileset)
        return type(self)(
            self._detector, adapted, thresholds=self.thresholds, networks=self.networks, photos=self._photos
        )

    def find_faces(self, frame: Frame) -> tuple[TileDetections, FaceReadings]:
        """Whatever may be a tile with what it is taken for, doubtful ones too: to learn a set from them."""
        found = self._photos.detect(frame.image)
        return found, self._classifier.classify(rectify(frame.image, found.quads))

    def read(
        self,
        frame: Frame,
        *,
        flower_kinds: Collection[Tile] = EIGHT_FLOWERS,
        hand_tiles: int | None = 17,
        tile_px: float | None = None,
    ) -> PhotoReading:
        """Tiles and groups of a frame; a photo without tiles gives none, with a problem that says so.

        Args:
            frame: an upright picture.
            flower_kinds, hand_tiles: as in `vision.layout.lay_out`.
            tile_px: side of a tile where it is known, as `PhotoReading.tile_px` of the frame before a live one; the
                detector then looks once instead of two or three times.
        """
        clock, photo = _Clock(), Halves(frame.image)
        found = self._photos.detect(frame.image, tile_px)
        clock.lap("detect")
        named = self._named(found, photo, clock)
        seen = self._passed_over(named.only(without_dice(named.tiles)), photo)
        clock.lap("classify")
        read = read_backs(same_way_up(seen.tiles), seen.chances, photo, self.thresholds.known)
        tiles, surplus = one_set(read, self.thresholds)
        clock.lap("scene")
        layout = lay_out(tiles, flower_kinds=flower_kinds, hand_tiles=hand_tiles)
        clock.lap("layout")
        outside = (*_cut_off(named.cut_off), *surplus)
        return PhotoReading(tiles, layout, frame.width, frame.height, clock.laps, outside)

    def read_tiles(
        self,
        frame: Frame,
        region: tuple[float, float, float, float] | None = None,
        tile_px: float | None = None,
        around: float = 0.0,
    ) -> tuple[TileReading, ...]:
        """Tiles of a frame, or of a part of it, in no order and no groups; none where there are none.

        Args:
            frame: an upright picture.
            region: x0, y0, x1, y1 in pixels; tiles whose middle lies in it are read.
            tile_px: side of a tile where it is known: one look, small tiles enlarged.
            around: so many pixels around the region are looked at too, so that tiles at its edge are whole.
        """
        left, top, right, bottom = region or (0, 0, frame.width, frame.height)
        x, y = max(0, math.floor(left - around)), max(0, math.floor(top - around))
        end, foot = math.ceil(right + around), math.ceil(bottom + around)
        image = frame.image[y : min(frame.height, foot), x : min(frame.width, end)]
        if not image.size:
            return ()
        scale = 1.0
        if tile_px is not None:
            side = side_of_part(image.shape[0] * image.shape[1], tile_px)
            scale = min(_MOST_ENLARGED, max(1.0, side / tile_px))
        if scale > 1.0:
            size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
            image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_LINEAR), np.uint8)
        found = self._detector.detect(image, None if tile_px is None else tile_px * scale)
        offset = np.array([x, y], np.float32)
        middles = found.centres / scale + offset
        inside = np.all((middles >= [left, top]) & (middles < [right, bottom]), axis=1)
        if not inside.any():
            return ()
        part = Halves(image)
        named = self._part_named(found, inside, part, None if tile_px is None else tile_px * scale)
        named = self._passed_over(named, part)
        read = with_printed_dragons(same_way_up(named.tiles), named.chances, part)
        return tuple(replace(reading, quad=as_quad(np.array(reading.quad) / scale + offset)) for reading in read)

    def _part_named(
        self, found: TileDetections, inside: NDArray[np.bool_], part: Halves, tile_px: float | None
    ) -> Named:
        """Readings of what was found in a part of a frame, tiles found as halves mended: of those ``inside`` [N], and
        the others keep them company."""
        halves = tuple(joint for joint in joints(found, tile_px) if inside[list(joint.rows)].any())
        looked_at = TileDetections.merge([found, as_detections(found, halves)])
        asked = np.append(inside, np.ones(len(halves), np.bool_))
        shown = asked | (looked_at.face_down & (asked & looked_at.face_down).any())  # white backs tell each other
        shown[[row for joint in halves for row in joint.rows]] = True
        faces = self._classifier.classify(rectify(part, looked_at[shown].quads))
        chances, turns = np.zeros((len(asked), len(FACE_LABELS)), np.float32), np.zeros(len(asked), np.int64)
        chances[shown], turns[shown] = faces.probabilities, faces.turn
        mended = self._mended(halves, chances)
        gone = {row for place in mended for row in halves[place].rows}
        rows = [row for row in range(len(found)) if row not in gone] + [len(found) + place for place in mended]
        return name_tiles(
            looked_at[rows], chances[rows], turns[rows], self.thresholds, _size(part), asked[rows], tile_px
        )

    def _named(self, found: TileDetections, photo: Halves, clock: _Clock) -> Named:
        """Readings of what was found, tiles found as halves mended, or of the whole picture where that is a face."""
        size = _size(photo)
        halves = joints(found)
        looked_at = TileDetections.merge([found, as_detections(found, halves), whole_picture(*size)])
        whole_row = len(looked_at) - 1
        crops = rectify(photo, looked_at.quads)
        clock.lap("crop")
        faces = self._classifier.classify(crops)
        mended = self._mended(halves, faces.probabilities[:whole_row])
        gone = {row for place in mended for row in halves[place].rows}

        def name(rows: list[int]) -> Named:
            return name_tiles(looked_at[rows], faces.probabilities[rows], faces.turn[rows], self.thresholds, size)

        inside = name([row for row in range(len(found)) if row not in gone] + [len(found) + k for k in mended])
        whole = name([whole_row])
        return whole if is_close_up(whole, inside, self.thresholds.whole_picture) else inside

    def _mended(self, halves: Sequence[Joint], chances: NDArray[np.float32]) -> tuple[int, ...]:
        """Which proposals are tiles; ``chances`` [N + K, 44] are those of the detections, then of the proposals."""
        return accepted(halves, chances[:, :TILES].max(axis=1), self.thresholds.joint, self.thresholds.known)

    def _passed_over(self, named: Named, photo: Halves) -> Named:
        """The readings with tiles that the detector did not see and others show: in holes of rows, backs of kongs."""
        quads = holes(named.tiles, photo)
        faces = self._classifier.classify(rectify(photo, quads)) if len(quads) else None
        if faces is not None:
            sure = np.flatnonzero(faces.probabilities[:, :TILES].max(axis=1) >= self.thresholds.known).tolist()
            found = TileDetections(quads, np.ones(len(quads), np.float32), np.zeros(len(quads), np.bool_))[sure]
            named = named.with_more(
                name_tiles(found, faces.probabilities[sure], faces.turn[sure], self.thresholds, _size(photo))
            )
        backs = self._backs_of_kongs(named.tiles, photo)
        return named.with_more(Named(tuple(backs), (1.0,) * len(backs), certain(BACK, len(backs))))

    def _backs_of_kongs(self, tiles: Sequence[TileReading], photo: Halves) -> list[TileReading]:
        """The backs beside pairs of like faces that were passed over, where both sides show one."""
        places = places_of_backs(tiles)
        if not places:
            return []
        quads = np.concatenate(places)
        chances = self._classifier.classify(rectify(photo, quads)).probabilities[:, BACK]
        of_pair = np.repeat(np.arange(len(places)), [len(place) for place in places])
        least = np.array([chances[of_pair == pair].min() for pair in range(len(places))])
        seen = least[of_pair] >= self.thresholds.kong_back
        return [
            TileReading(None, min(1.0, float(chance)), as_quad(quad), face_down=True)
            for quad, chance in zip(quads[seen], chances[seen], strict=True)
        ]


def _size(photo: Halves) -> tuple[int, int]:
    """Width and height in pixels."""
    height, width = photo.image.shape[:2]
    return width, height


def _cut_off(count: int) -> tuple[Problem, ...]:
    """What to say of tiles that were left out."""
    if not count:
        return ()
    what = "1 tile is" if count == 1 else f"{count} tiles are"
    message = f"{what} cut off by the edge of the photo and left out; take the photo from further away if it belongs"
    return (Problem(ProblemCode.CUT_OFF, message),)


class _Clock:
    """Seconds of wall time between laps, by name."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        """Ends a step."""
        now = time.perf_counter()
        self.laps[name] = now - self._last
        self._last = now
