"""Finds tile faces and backs in a picture as oriented boxes. The port, its OpenVINO backend and a scripted fake.

The network is a YOLO with an oriented-box head (ultralytics' ``yolo11-obb``, Jocher & Qiu 2024), exported without its
decoding: for every cell of three grids (8, 16 and 32 pixels) a distribution over the distance to each of four sides
(distribution focal loss, Li et al. 2020), a logit per class and an angle. Decoding happens here, for the few cells
above the threshold only, so the picture may have any size that is a multiple of 32.
"""

from __future__ import annotations

import copy
import math
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detections import TileDetections
from vision.errors import ModelMismatchError, ModelMissingError
from vision.halves import Halves
from vision.oriented import Candidates, corners, drop_covered, join, suppress

Image = NDArray[np.uint8]
Array = NDArray[np.float32]

STRIDES = (8, 16, 32)
LABELS = ("face", "back")
FACE, BACK = 0, 1
_BOUNDED = {"CPU_RUNTIME_CACHE_CAPACITY": 0}
"""Kernels are not kept by the shape of the picture but by oneDNN below, for the last ten shapes or so, of some 20 MB
each. A shape that is not among them takes the network three times as long, so there should be few."""
_PART_SIDES = 224, 288, 352, 512, 704
"""Parts of live frames are padded to squares of these sides, larger ones on each side to multiples of `_PART_CELL`."""
_FIXED = 352
"""Up to this side the network is prepared for the square alone: it is often asked for, and by turns with others."""
_PART_CELL = 64
_SCALE_STEPS = 4
"""Scales of the third look, where it is not the largest, are so many to an octave from that of the first."""
CELL = 32  # sides of the network's input are multiples of this


class Detector(Protocol):
    """Finds the tiles in a picture."""

    def detect(self, image_bgr: Image, tile_px: float | None = None) -> TileDetections:
        """Tiles in an HxWx3 picture (BGR), quads in its pixels.

        Args:
            tile_px: side of the tiles (root of their area) where it is known, as from the frame before; less work then.
        """
        ...


class ScriptedDetector:
    """A detector that answers what it was told, picture after picture, for tests; the last answer is repeated."""

    def __init__(self, answers: Iterable[TileDetections]) -> None:
        self._answers = list(answers) or [TileDetections.empty()]
        self.calls = 0

    def detect(self, image_bgr: Image, tile_px: float | None = None) -> TileDetections:
        """The next answer of the script."""
        answer = self._answers[min(self.calls, len(self._answers) - 1)]
        self.calls += 1
        return answer


@dataclass(frozen=True, slots=True)
class DetectorSettings:
    """How a picture is looked at; pixels are those of the network's input.

    The first look has a fixed area (so wide strips are seen larger than squares), the second half its scale: together
    they see tiles of most sizes. From what they find follows the scale of a third, skipped where one was
    near it; on whole tables it comes closer. The boxes of all looks compete.
    """

    first_area_px: tuple[float, float] = (960 * 720, 1280 * 960)  # a quarter of the photo, within these
    max_area_px: float = 2560 * 1920
    max_enlarge: float = 2.0
    tile_px: float = 56.0  # side of a tile (root of its area) the network sees best
    tile_range_px: tuple[float, float] = (36.0, 90.0)  # no third look where a look saw the median tile within
    live_tile_px: float = 40.0  # side of a tile where its size is known and the one look should be quick
    small_part_px: float = 200_000.0  # a part no larger, as it is looked at, is seen at ``tile_px`` all the same
    tallest: float = 1.55  # height over width that no tile has, however it is seen: a picture squeezed by its exporter
    squeezed_gain: float = 1.0  # how many times the squared scores the stretched picture must bring to be believed
    upright: float = 1.15  # height over width of tiles in a usual photo, to which such a picture is stretched
    crowd: int = 40  # a picture with so many tiles is a whole table: far tiles are small, so it is looked at closer
    crowd_tile_px: float = 68.0
    crowd_range_px: tuple[float, float] = (54.0, 110.0)
    score_min: float = 0.40
    back_score_min: float = 0.15  # backs vouch for each other in rows, see `vision.presence`
    part_score_min: float = 0.25  # in a part of a live frame: a sure name vouches for a face, see `vision.naming`
    part_back_score_min: float = 0.30  # there few others vouch for a back, and what is taken for one is kept
    other_look_weight: float = 0.5  # what a score counts outside the look that is believed
    overlap_max: float = 0.45  # probabilistic IoU above which the weaker of two boxes goes
    cover_max: float = 0.45  # share of the smaller box under a better one above which it goes


DEFAULTS = DetectorSettings()


def side_of_part(area_px: float, tile_px: float, settings: DetectorSettings = DEFAULTS) -> float:
    """Side in pixels that tiles get in the one look at a part of a frame: small parts can be seen closely."""
    close = area_px * (settings.tile_px / max(tile_px, 1.0)) ** 2 <= settings.small_part_px
    return settings.tile_px if close else settings.live_tile_px


@dataclass(frozen=True, slots=True)
class _Look:
    """What one look proposes, in pixels of the picture: without doubles, and what is too weak to say where more are."""

    sure: Candidates
    weak: Candidates


class OpenVinoDetector:
    """The network on OpenVINO, one for a process; ``detect`` may be called from several threads.

    Raises:
        ModelMissingError: there is no file at the path.
        ModelMismatchError: the file is no such network.
    """

    def __init__(self, model_path: Path, threads: int = 2, settings: DetectorSettings = DEFAULTS) -> None:
        import openvino  # loading it takes a moment, and a server may start without a model

        if not model_path.is_file():
            raise ModelMissingError(f"the detector's weights are missing: {model_path.name} is not there")
        core = openvino.Core()
        try:
            network = core.read_model(model_path)
            names = {name for output in network.outputs for name in output.get_names()}
        except RuntimeError as error:
            raise ModelMismatchError(f"{model_path.name} is not a network that can be read: {error}") from error
        if not {"boxes", "logits", "angles"} <= names:
            raise ModelMismatchError(
                f"{model_path.name} has outputs {sorted(names)}, expected boxes, logits and angles"
            )
        # colour order, scale and layout change inside the network, faster than in NumPy
        prepare = openvino.preprocess.PrePostProcessor(network)
        prepare.input().tensor().set_element_type(openvino.Type.u8).set_layout(openvino.Layout("NHWC"))
        prepare.input().tensor().set_color_format(openvino.preprocess.ColorFormat.BGR)
        prepare.input().preprocess().convert_element_type(openvino.Type.f32)
        prepare.input().preprocess().convert_color(openvino.preprocess.ColorFormat.RGB).scale(255.0)
        prepare.input().model().set_layout(openvino.Layout("NCHW"))
        self._network = prepare.build()
        self._core = core
        self._threads = threads
        self._tables: Detector | None = None
        self.settings = settings
        self._compiled = self._prepared(self._network)
        self._squares: dict[int, Any] = {}
        self._preparing = threading.Lock()

    def leaving_tables_to(self, other: Detector) -> OpenVinoDetector:
        """The same network, but pictures that show a whole table are looked at by another one, trained on those."""
        both = copy.copy(self)
        both._tables = other
        return both

    def _prepared(self, network: Any) -> Any:
        settings = {"INFERENCE_NUM_THREADS": self._threads, "PERFORMANCE_HINT": "LATENCY", **_BOUNDED}
        return self._core.compile_model(network, "CPU", settings)

    def _for_shape(self, height: int, width: int) -> Any:
        """The network prepared for a small square, where that is one, or for any picture."""
        if height != width or height > _FIXED or height not in _PART_SIDES:
            return self._compiled
        with self._preparing:
            if height not in self._squares:
                network = self._network.clone()
                network.reshape({0: [1, height, width, 3]})
                self._squares[height] = self._prepared(network)
            return self._squares[height]

    def detect(self, image_bgr: Image, tile_px: float | None = None) -> TileDetections:
        """Tiles in an HxWx3 picture (BGR), best first, quads in its pixels. Looks as DetectorSettings says.

        Where the size of the tiles is known there is one look, at no more than the picture's own size.
        """
        if tile_px is not None:
            height, width = image_bgr.shape[:2]
            scale = min(1.0, side_of_part(width * height, tile_px, self.settings) / max(tile_px, 1.0))
            return _detections(self._settle([self._look_at(Halves(image_bgr), scale, is_part=True)]))
        found = self._looks(image_bgr)
        wider = squeezed(self._sure(found), self.settings)
        if wider is None:
            return found
        height, width = image_bgr.shape[:2]
        again = self._looks(_image(cv2.resize(image_bgr, (round(width * wider), height))))
        before, after = ((self._sure(one).scores ** 2).sum() for one in (found, again))
        if after < self.settings.squeezed_gain * before:
            return found
        quads = again.quads * np.array([width / round(width * wider), 1], np.float32)
        return TileDetections(quads, again.scores, again.face_down)

    def _sure(self, found: TileDetections) -> TileDetections:
        return found[found.scores >= self.settings.score_min]

    def _looks(self, image_bgr: Image) -> TileDetections:
        """What two or three looks find."""
        s, picture = self.settings, Halves(image_bgr)
        area = float(image_bgr.shape[0] * image_bgr.shape[1])
        first_area = min(max(area / 4, s.first_area_px[0]), s.first_area_px[1])
        first = min(math.sqrt(first_area / area), s.max_enlarge)
        scales = [first, first / 2]
        seen = [self._look_at(picture, scale) for scale in scales]
        kept = self._settle(seen)
        sure = kept.boxes[kept.scores >= s.score_min]
        sides = np.sqrt(sure[:, 2] * sure[:, 3])
        if self._tables is not None and len(sides) >= s.crowd:
            return self._tables.detect(image_bgr)
        third = third_scale(sides, scales, area, s)
        if third is not None:
            kept = self._settle([*seen, self._look_at(picture, third)])
        return _detections(kept)

    def look(self, image_bgr: Image, scale: float) -> TileDetections:
        """One pass of the network over the picture resized by ``scale``; quads in pixels of the picture."""
        return _detections(self._settle([self._look_at(Halves(image_bgr), scale)]))

    def infer(self, padded_bgr: Image) -> dict[str, Array]:
        """Outputs of the network by name, for a picture whose sides are multiples of ``CELL``."""
        network = self._for_shape(*padded_bgr.shape[:2])
        answer = network.create_infer_request().infer({0: padded_bgr[None]})
        return {name: value for key, value in answer.items() for name in key.get_names()}

    def _look_at(self, picture: Halves, scale: float, *, is_part: bool = False) -> _Look:
        """What the network proposes at one scale."""
        resized = picture.resized(scale)
        height, width = resized.shape[:2]
        side = next((side for side in _PART_SIDES if is_part and side >= max(height, width)), None)
        cell = _PART_CELL if is_part else CELL
        below, beside = (-height % cell, -width % cell) if side is None else (side - height, side - width)
        grey = (114, 114, 114)
        padded = _image(cv2.copyMakeBorder(resized, 0, below, 0, beside, cv2.BORDER_CONSTANT, value=grey))
        outputs = self.infer(padded)
        found = decode(
            outputs["boxes"][0],
            outputs["logits"][0],
            outputs["angles"][0],
            padded.shape[:2],
            self.settings.part_score_min if is_part else self.settings.score_min,
            self.settings.part_back_score_min if is_part else self.settings.back_score_min,
        )
        found.boxes[:, :4] /= scale
        sure = found.scores >= self.settings.score_min
        return _Look(self._single(found[sure]), found[~sure])

    def _settle(self, looks: Sequence[_Look]) -> Candidates:
        """Candidates of several looks without doubles.

        Tiles far from the size the network knows come in halves or in heaps, with low scores: the look with the largest
        sum of squared scores is believed, and boxes of the others count less against it. Weak backs come after all
        that and change nothing else.
        """
        best = max(looks, key=lambda look: float((look.sure.scores**2).sum()))
        weights = [1.0 if look is best else self.settings.other_look_weight for look in looks]
        kept = self._single(join([look.sure for look in looks], weights)) if len(looks) > 1 else best.sure
        return self._single(join([kept, best.weak], [1.0, 0.0])) if len(best.weak) else kept

    def _single(self, candidates: Candidates) -> Candidates:
        """Candidates without doubles; earlier ones win."""
        kept = candidates[suppress(candidates, self.settings.overlap_max)]
        return kept[drop_covered(kept, self.settings.cover_max)]


def _image(array: NDArray[Any]) -> Image:
    return np.asarray(array, np.uint8)


def third_scale(sides: Array, scales: Sequence[float], area: float, settings: DetectorSettings) -> float | None:
    """Scale of a third look; None where one of ``scales`` shows the tiles well enough.

    Args:
        sides: sides (root of the area) of the tiles found so far, in pixels of the picture.
        scales: those of the looks that found them.
        area: square pixels of the picture.
        settings: what is well enough.
    """
    s = settings
    is_table = len(sides) >= s.crowd
    best, (low, high) = (s.crowd_tile_px, s.crowd_range_px) if is_table else (s.tile_px, s.tile_range_px)
    side = float(np.median(sides)) if len(sides) else s.tile_px
    if any(low <= side * scale <= high for scale in scales):
        return None
    third = min(_stepped(best / side, scales[0]), math.sqrt(s.max_area_px / area), s.max_enlarge)
    return third if min(abs(math.log(third / scale)) for scale in scales) > 0.2 else None


def _stepped(scale: float, first: float) -> float:
    """The nearest scale that is a whole number of steps from the first."""
    return float(first * 2 ** (round(_SCALE_STEPS * math.log2(scale / first)) / _SCALE_STEPS))


def squeezed(found: TileDetections, settings: DetectorSettings) -> float | None:
    """How much wider a picture has to be made for its tiles to have the proportions of tiles; None where they have.

    A tilted camera makes tiles lower, never taller: tiles much taller than wide were squeezed, with the whole photo.
    """
    if len(found) < 3:
        return None
    boxes = found.boxes
    ratio = float(np.median((boxes[:, 3] - boxes[:, 1]) / np.maximum(boxes[:, 2] - boxes[:, 0], 1)))
    return ratio / settings.upright if ratio > settings.tallest else None


def _detections(kept: Candidates) -> TileDetections:
    return TileDetections(corners(kept.boxes), kept.scores, kept.classes == BACK)


def decode(
    boxes: Array,
    logits: Array,
    angles: Array,
    shape: tuple[int, ...],
    score_min: float,
    back_score_min: float | None = None,
) -> Candidates:
    """Cells of the head above ``score_min`` as oriented boxes in pixels of the input, best first.

    Args:
        boxes: [4 * bins, cells], logits over the distance to left, top, right and bottom side in strides.
        logits: [2, cells], face and back.
        angles: [1, cells], radians from the x axis to the longer side, clockwise as seen in the picture.
        shape: height and width of the input.
        back_score_min: another limit for backs.
    """
    best = logits.max(axis=0)
    least = np.array([score_min, score_min if back_score_min is None else back_score_min])[logits.argmax(axis=0)]
    cells = np.flatnonzero(best > np.log(least / (1 - least)))
    cells = cells[np.argsort(-best[cells], kind="stable")]
    centres, strides = _grid(shape)
    bins = boxes.shape[0] // 4
    spread = boxes[:, cells].reshape(4, bins, -1).astype(np.float32)
    spread = np.exp(spread - spread.max(axis=1, keepdims=True))
    steps = np.arange(bins, dtype=np.float32)[None, :, None]
    left, top, right, bottom = (spread * steps).sum(axis=1) / spread.sum(axis=1)
    turn = angles[0, cells].astype(np.float32)
    cos, sin = np.cos(turn), np.sin(turn)
    along, across = (right - left) / 2, (bottom - top) / 2
    scale = strides[cells]
    x = centres[cells, 0] + (along * cos - across * sin) * scale
    y = centres[cells, 1] + (along * sin + across * cos) * scale
    packed = np.stack([x, y, (left + right) * scale, (top + bottom) * scale, turn], axis=1).astype(np.float32)
    scores = (1 / (1 + np.exp(-best[cells].astype(np.float32)))).astype(np.float32)
    return Candidates(packed, scores, logits[:, cells].argmax(axis=0).astype(np.int8))


def _grid(shape: tuple[int, ...]) -> tuple[Array, Array]:
    """Centres (cells x 2, pixels) and strides (cells) of all cells, in the order of the head's outputs."""
    centres, strides = [], []
    for stride in STRIDES:
        ys, xs = np.mgrid[0 : shape[0] // stride, 0 : shape[1] // stride]
        centres.append((np.stack([xs.ravel(), ys.ravel()], axis=1) + 0.5) * stride)
        strides.append(np.full(xs.size, stride))
    return np.concatenate(centres).astype(np.float32), np.concatenate(strides).astype(np.float32)
