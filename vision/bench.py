"""Speed of reading: photos from their bytes to a reading, live frames, and both networks on two run times."""

from __future__ import annotations

import importlib.util
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.classifier import OpenVinoClassifier
from vision.crops import rectify
from vision.detector import OpenVinoDetector
from vision.frames import Frame, decode_frame
from vision.photo import PhotoReader, PhotoReading
from vision.synth.fonts import hanzi_fonts
from vision.weights import card_folders, find_weights

RUNS = 7
PHOTO_PX = (4000, 3000)
LIVE_PX = 1280
TABLE_SEED = 7
CROPS = 32


@dataclass(frozen=True, slots=True)
class Timing:
    """How long one thing takes.

    Attributes:
        name: what was done.
        seconds: median wall time.
        cpu_seconds: median processor time of all threads, which other work on the machine changes less.
        details: what else there is to say, and medians of the steps.
    """

    name: str
    seconds: float
    cpu_seconds: float
    details: dict[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Wire form."""
        return {
            "name": self.name,
            "seconds": round(self.seconds, 4),
            "cpu_seconds": round(self.cpu_seconds, 4),
            **self.details,
        }


def timed(name: str, action: Callable[[], Any], runs: int = RUNS) -> Timing:
    """Medians over ``runs`` after one run that warms up."""
    action()
    wall, processor = [], []
    for _ in range(runs):
        begun, used = time.perf_counter(), time.process_time()
        action()
        wall.append(time.perf_counter() - begun)
        processor.append(time.process_time() - used)
    return Timing(name, statistics.median(wall), statistics.median(processor))


def as_phone_photo(frame: Frame) -> bytes:
    """A picture as a phone would send it: JPEG of 12 megapixels."""
    large = max(PHOTO_PX) / max(frame.width, frame.height)
    size = (round(frame.width * large), round(frame.height * large))
    picture = cv2.resize(frame.image, size, interpolation=cv2.INTER_CUBIC if large > 1 else cv2.INTER_AREA)
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()


def as_live(frame: Frame) -> Frame:
    """A picture as a frame of video, 1280 pixels on its longer side."""
    scale = LIVE_PX / max(frame.width, frame.height)
    size = (round(frame.width * scale), round(frame.height * scale))
    return Frame(np.asarray(cv2.resize(frame.image, size, interpolation=cv2.INTER_AREA), np.uint8))


def rendered_table() -> bytes | None:
    """A photo of a whole table, 12 megapixels, always the same; None without a font for its characters."""
    if not hanzi_fonts():
        return None
    from vision.synth.table_scenes import held_out_design, table_scenes  # takes a moment

    table = next(table_scenes(TABLE_SEED, 1, [held_out_design(1, None)]))
    return cv2.imencode(".jpg", table.scene.image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()


def bench_photo(name: str, reader: PhotoReader, data: bytes, runs: int = RUNS) -> Timing:
    """From the bytes of a photo to its reading."""
    readings: list[tuple[PhotoReading, float]] = []

    def read() -> None:
        begun = time.perf_counter()
        frame = decode_frame(data)
        decoded = time.perf_counter() - begun
        readings.append((reader.read(frame, hand_tiles=None), decoded))

    timing = timed(name, read, runs)
    last = readings[-1][0]
    stages = {"decode": statistics.median(decoded for _, decoded in readings[1:])}
    stages |= _stages([reading for reading, _ in readings[1:]])
    details = {"width": last.width, "height": last.height, "megabytes": round(len(data) / 1e6, 1)}
    return Timing(name, timing.seconds, timing.cpu_seconds, {**details, "tiles": len(last.tiles), "stages": stages})


def bench_live(name: str, reader: PhotoReader, frame: Frame, runs: int = RUNS) -> Timing:
    """A decoded frame of video, the size of its tiles known from the frame before."""
    before = reader.read(frame, hand_tiles=None)
    readings: list[PhotoReading] = []

    def read() -> None:
        readings.append(reader.read(frame, hand_tiles=None, tile_px=before.tile_px))

    timing = timed(name, read, runs)
    details: dict[str, Any] = {"width": frame.width, "height": frame.height, "tiles": len(readings[-1].tiles)}
    details |= {"tiles_without_knowing_their_size": len(before.tiles), "stages": _stages(readings[1:])}
    return Timing(name, timing.seconds, timing.cpu_seconds, details)


def _stages(readings: list[PhotoReading]) -> dict[str, float]:
    return {
        step: round(statistics.median(reading.stages[step] for reading in readings), 4) for step in readings[-1].stages
    }


def bench_run_times(frame: Frame, threads: int, folder: Path | None = None, runs: int = RUNS) -> list[Timing]:
    """Both networks on OpenVINO, and on ONNX Runtime where it is installed: same input, as many threads, no decoding.

    OpenVINO gets bytes and converts them inside the network, ONNX Runtime gets them converted already.
    """
    places = card_folders(folder)
    picture = np.ascontiguousarray(as_live(frame).image[:736, :1280])
    picture = picture[: picture.shape[0] // 32 * 32, : picture.shape[1] // 32 * 32]
    detector_file = find_weights("detector", folder=places["detector"]).path
    classifier_file = find_weights("classifier", folder=places["classifier"]).path
    detector = OpenVinoDetector(detector_file, threads)
    classifier = OpenVinoClassifier(places["classifier"], turns_voted=1, threads=threads)
    found = detector.detect(picture).quads[:CROPS]
    crops = rectify(picture, found if len(found) else np.zeros((1, 4, 2), np.float32))
    crops = np.ascontiguousarray(np.resize(crops, (CROPS, *crops.shape[1:])))
    import openvino

    name = f"OpenVINO {openvino.__version__.split('-')[0]}"
    what = f"detector, {picture.shape[1]} x {picture.shape[0]} px", f"classifier, {CROPS} crops"
    timings = [
        _of(name, timed(what[0], lambda: detector.infer(picture), runs)),
        _of(name, timed(what[1], lambda: classifier.classify(crops), runs)),
    ]
    if importlib.util.find_spec("onnxruntime") is None:
        return timings
    name = f"ONNX Runtime {version('onnxruntime')}"
    for title, file, given in ((what[0], detector_file, picture[None]), (what[1], classifier_file, crops)):
        timings.append(_of(name, timed(title, _onnx_runtime(file, given, threads), runs)))
    return timings


def _of(run_time: str, timing: Timing) -> Timing:
    return Timing(timing.name, timing.seconds, timing.cpu_seconds, {"run_time": run_time})


def _onnx_runtime(file: Path, images_bgr: NDArray[np.uint8], threads: int) -> Callable[[], Any]:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    floats = np.ascontiguousarray(images_bgr[..., ::-1].transpose(0, 3, 1, 2), np.float32) / np.float32(255)
    given = {session.get_inputs()[0].name: floats}
    return lambda: session.run(None, given)
