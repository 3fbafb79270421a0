"""The way from a photo to readings and groups, with scripted networks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.tiles import HONOURS, Tile
from vision.classifier import EMBEDDING, FaceReadings
from vision.detections import TileDetections
from vision.frames import Frame, decode_frame, frame_from_array, read_frame, read_frames
from vision.naming import Thresholds, name_tiles
from vision.photo import PhotoReader
from vision.problems import ProblemCode
from vision.weights import FACE_LABELS

HAND = "1f C 1m 2m 3m 4p 4p 4p 5s 6s 7s 1p 2p 3p 9s 9s 6m 7m 8m"
FIELD = np.full((300, 700, 3), (60, 120, 40), np.uint8)


@dataclass
class Detector:
    """Finds what it is told, whatever the picture."""

    found: TileDetections

    def detect(self, image_bgr: np.ndarray, tile_px: float | None = None) -> TileDetections:
        return self.found


def faces_of(probabilities: np.ndarray, turn: np.ndarray) -> FaceReadings:
    """Readings without an embedding worth the name."""
    return FaceReadings(probabilities, turn, np.zeros((len(turn), EMBEDDING), np.float32))


@dataclass
class Classifier:
    """Names crops in order as it is told; a crop beyond its list is no face."""

    chances: Sequence[dict[str, float]]
    turns: Sequence[int] = ()
    seen: list[np.ndarray] = field(default_factory=list)

    def classify(self, crops: np.ndarray) -> FaceReadings:
        self.seen.append(crops)
        table = np.zeros((len(crops), len(FACE_LABELS)), np.float32)
        for row in range(len(crops)):
            for label, chance in (self.chances[row] if row < len(self.chances) else {"not_a_face": 1.0}).items():
                table[row, FACE_LABELS.index(label)] = chance
        return faces_of(table, np.array([*self.turns, *[0] * len(crops)][: len(crops)]))


def row_of(count: int, *, score: float = 0.9, down: Sequence[int] = ()) -> TileDetections:
    """Tiles of 30 x 40 pixels side by side."""
    corners = np.array([[0, 0], [30, 0], [30, 40], [0, 40]], np.float32)
    quads = np.stack([corners + np.float32([10 + 31 * index, 100]) for index in range(count)])
    return TileDetections(quads, np.full(count, score), np.isin(np.arange(count), down))


def name_one(chances: dict[str, float], *, score: float = 0.9, down: bool = False, turn: int = 0) -> list:
    """Readings of a single detection."""
    faces = Classifier([chances], [turn]).classify(np.zeros((1, 64, 64, 3), np.uint8))
    found = row_of(1, score=score, down=[0] if down else [])
    return list(name_tiles(found, faces.probabilities, faces.turn, Thresholds(), (700, 300)).tiles)


def test_a_photo_from_end_to_end() -> None:
    """Detections, names, turns, groups and the JSON of the command contract."""
    codes = HAND.split()
    classifier = Classifier([{code: 0.95, "9m": 0.04} for code in codes])
    reading = PhotoReader(Detector(row_of(19)), classifier).read(Frame(FIELD), flower_kinds={Tile.SPRING, *HONOURS})
    wire = json.loads(json.dumps(reading.as_json("hand.jpg")))

    assert [tile.code for tile in reading.tiles] == codes
    assert reading.problems == ()
    assert (wire["file"], wire["width"], wire["height"]) == ("hand.jpg", 700, 300)
    assert wire["seconds"] == pytest.approx(sum(wire["stages"].values()), abs=1e-3)
    assert list(wire["stages"]) == ["detect", "crop", "classify", "scene", "layout"]
    assert wire["tiles"][2] == {
        "tile": "1m",
        "confidence": pytest.approx(0.95),
        "alternatives": [["9m", 0.04]],
        "quad": [[72.0, 100.0], [102.0, 100.0], [102.0, 140.0], [72.0, 140.0]],
        "group": "hand",
    }
    assert wire["groups"] == {"hand": codes[2:], "winning": None, "melds": [], "flowers": ["1f", "C"], "gold": None}
    assert wire["indices"]["flowers"] == [0, 1]


@pytest.mark.parametrize("turn", range(4))
def test_quads_start_at_the_tiles_own_top_left(turn: int) -> None:
    """A face turned clockwise in its crop has its own first corner as many corners on."""
    reading = name_one({"5m": 0.99}, turn=turn)[0]
    upright = [(10.0, 100.0), (40.0, 100.0), (40.0, 140.0), (10.0, 140.0)]

    assert list(reading.quad) == upright[turn:] + upright[:turn]


@pytest.mark.parametrize(
    ("chances", "score", "down", "code"),
    [
        ({"3m": 0.95, "2m": 0.05}, 0.9, False, "3m"),
        ({"3m": 0.55, "2m": 0.40}, 0.9, False, "?"),  # not sure enough
        ({"back": 0.9, "P": 0.1}, 0.9, False, "back"),  # the classifier alone sees a back
        ({"P": 0.4, "not_a_face": 0.6}, 0.9, True, "back"),  # the detector alone does
        ({"3m": 0.6, "2m": 0.4}, 0.7, False, None),  # neither named nor surely a tile
        ({"3m": 0.97}, 0.9, True, "3m"),  # a clear face cannot be a back
        ({"not_a_face": 0.9, "3m": 0.1}, 0.9, False, "?"),  # the detector is sure of a tile
        ({"not_a_face": 0.9, "3m": 0.1}, 0.4, False, None),  # nobody is
    ],
)
def test_face_back_unknown_or_nothing(chances: dict[str, float], score: float, down: bool, code: str | None) -> None:
    """What detector and classifier say together."""
    assert [reading.code for reading in name_one(chances, score=score, down=down)] == ([] if code is None else [code])


def test_alternatives() -> None:
    """An unknown tile lists its best guess, a named one only what else it could be; small chances are left out."""
    unknown = name_one({"3m": 0.5, "2m": 0.4, "1m": 0.096, "9s": 0.004})[0]
    named = name_one({"3m": 0.9, "2m": 0.09, "9s": 0.004})[0]

    assert [tile.code for tile, _ in unknown.alternatives] == ["3m", "2m", "1m"]
    assert [tile.code for tile, _ in named.alternatives] == ["2m"]
    assert unknown.confidence == pytest.approx(0.5)


def test_a_weak_detection_lowers_confidence() -> None:
    """Confidence is the chance that the whole reading is right, so a doubtful place counts."""
    confidences = [name_one({"3m": 0.99}, score=score)[0].confidence for score in (0.66, 0.68, 0.9)]

    assert confidences == sorted(confidences)
    assert confidences[0] < confidences[-1] == pytest.approx(0.99)


def test_a_lone_face_is_a_tile_where_the_size_of_tiles_is_known() -> None:
    """The first discard of a game lies alone in its part of the frame: a face of the right size needs less score."""

    def read(score: float, tile_px: float | None, chance: float = 0.99) -> int:
        faces = Classifier([{"1p": chance}], [0]).classify(np.zeros((1, 64, 64, 3), np.uint8))
        named = name_tiles(
            row_of(1, score=score), faces.probabilities, faces.turn, Thresholds(), (700, 300), tile_px=tile_px
        )
        return len(named.tiles)

    assert [read(0.6, None), read(0.6, 34.0), read(0.6, 80.0), read(0.3, 34.0)] == [0, 1, 0, 0]
    assert [read(0.3, None, 0.999), read(0.3, 34.0, 0.999), read(0.2, 34.0, 0.999)] == [0, 1, 0], "its name is sure"


def test_wrong_shapes_are_refused() -> None:
    """One row of chances and one turn for each detection."""
    with pytest.raises(ValueError, match=r"expected chances \[2, 44\] and turns \[2\], got \[1, 44\] and \[1\]"):
        name_tiles(row_of(2), np.zeros((1, 44), np.float32), np.zeros(1, np.int64), Thresholds(), (700, 300))


def test_bundled_networks_read() -> None:
    """The networks that come with the program load, agree with each other, and see no tile on an empty cloth."""
    reading = PhotoReader.bundled(threads=1).read(Frame(FIELD))

    assert reading.tiles == ()
    assert reading.seconds > 0


def test_no_tile_in_the_photo() -> None:
    """No tiles, a reason, no exception."""
    reading = PhotoReader(Detector(TileDetections.empty()), Classifier([])).read(Frame(FIELD))

    assert reading.tiles == ()
    assert [problem.code for problem in reading.problems] == [ProblemCode.NO_TILES]
    assert reading.as_json()["groups"] == {"hand": [], "winning": None, "melds": [], "flowers": [], "gold": None}


def boxed(*boxes: tuple[float, float, float, float], score: float = 0.8) -> TileDetections:
    """Detections of upright boxes."""
    quads = [[[x1, y1], [x2, y1], [x2, y2], [x1, y2]] for x1, y1, x2, y2 in boxes]
    return TileDetections(np.array(quads).reshape(-1, 4, 2), np.full(len(boxes), score), np.zeros(len(boxes)))


DOTS = boxed(*((x, 50, x + 90, 140) for x in range(50, 550, 100)))


@pytest.mark.parametrize(
    ("found", "chances", "codes"),
    [
        (boxed(), [{"3m": 0.95}], ["3m"]),  # nothing found, but the picture is a face
        (boxed(), [{"3m": 0.6, "not_a_face": 0.4}], []),  # not surely
        (boxed(), [{"P": 0.95}], []),  # blank, which most pictures of nothing are
        (DOTS, [{"1p": 0.99}] * 5 + [{"5p": 0.95}], ["5p"]),  # its dots were taken for tiles
        (boxed((100, 20, 600, 280), score=0.92), [{"2m": 0.97}, {"3m": 0.95}], ["2m"]),  # a sure tile inside
    ],
)
def test_a_picture_that_is_one_face(found: TileDetections, chances: list[dict[str, float]], codes: list[str]) -> None:
    """A close-up cut to its edges is read by its face alone; other pictures are not."""
    tiles = PhotoReader(Detector(found), Classifier(chances)).read(Frame(FIELD)).tiles

    assert [tile.code for tile in tiles] == codes


@pytest.mark.parametrize(
    ("score", "chances", "beside", "alike", "alone"),
    [
        (0.5, {"3m": 0.99}, 1, 0, 0),
        (0.62, {"3m": 0.99}, 1, 1, 0),
        (0.7, {"3m": 0.99}, 1, 1, 1),
        (0.5, {"3m": 0.5}, 0, 0, 0),
        (0.7, {"3m": 0.5}, 1, 0, 0),
        (0.8, {"3m": 0.5}, 1, 1, 0),
        (0.8, {"not_a_face": 0.9}, 0, 0, 0),
        (0.9, {"not_a_face": 0.9}, 1, 1, 1),
    ],
)
def test_weak_detections_need_company_or_a_name(
    score: float, chances: dict[str, float], beside: int, alike: int, alone: int
) -> None:
    """A sure tile of the same size beside it or elsewhere, and a face that is named, speak for a weak detection."""
    kept = []
    for other in ((131, 100, 161, 140), (400, 100, 430, 140), (400, 100, 600, 290)):
        sure, weak = boxed(other, score=0.9), boxed((100, 100, 130, 140), score=score)
        classifier = Classifier([{"5m": 0.99}, chances])
        tiles = PhotoReader(Detector(TileDetections.merge([sure, weak])), classifier).read(Frame(FIELD)).tiles
        kept.append(len(tiles) - 1)

    assert kept == [beside, alike, alone]


def test_unreadable_tile_at_the_edge_is_left_out_and_told() -> None:
    """Half a tile at the edge of the photo is not asked about, but mentioned; a readable one stays."""
    found = TileDetections.merge([boxed((100, 100, 130, 140), score=0.9), boxed((0, 100, 28, 140), score=0.8)])
    cut = PhotoReader(Detector(found), Classifier([{"5m": 0.99}, {"3m": 0.5}])).read(Frame(FIELD))
    whole = PhotoReader(Detector(found), Classifier([{"5m": 0.99}, {"3m": 0.99}])).read(Frame(FIELD))

    assert [tile.code for tile in cut.tiles] == ["5m"]
    assert cut.problems[0].code is ProblemCode.CUT_OFF
    assert cut.as_json()["problems"][0]["message"].startswith("1 tile is cut off by the edge of the photo")
    assert [tile.code for tile in whole.tiles] == ["5m", "3m"]
    assert ProblemCode.CUT_OFF not in {problem.code for problem in whole.problems}


@dataclass
class WhiteTileDetector:
    """Really looks: the white rectangles of a picture."""

    def detect(self, image_bgr: np.ndarray, tile_px: float | None = None) -> TileDetections:
        mask = (image_bgr.min(axis=2) > 170).astype(np.uint8)
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        boxes = sorted(cv2.boundingRect(contour) for contour in contours)
        return boxed(*((x, y, x + w, y + h) for x, y, w, h in boxes), score=0.92)


@dataclass
class DotClassifier:
    """Really looks: a red mark in the upper half of its own face is 1p, in the lower half it lies upside down."""

    def classify(self, crops: np.ndarray) -> FaceReadings:
        red = (crops[..., 2].astype(int) - crops[..., 0] > 90).astype(float)
        halves = red[:, :32].sum(axis=(1, 2)), red[:, 32:].sum(axis=(1, 2))
        table = np.zeros((len(crops), len(FACE_LABELS)), np.float32)
        table[:, FACE_LABELS.index("1p")] = 0.99
        return faces_of(table, np.where(halves[0] > halves[1], 0, 2))


@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_same_tiles_whatever_the_exif_turn(orientation: int, tmp_path: Path) -> None:
    """File, bytes, array and batch of a photo stored in any turn: same tiles, boxes in upright pixels."""
    from PIL import ExifTags, Image

    picture = FIELD.copy()
    for index in range(5):
        x = 100 + 80 * index
        cv2.rectangle(picture, (x, 100), (x + 45, 160), (235, 235, 235), -1)
        cv2.circle(picture, (x + 22, 118), 9, (30, 30, 220), -1)
    quarter_turns = {1: 0, 3: 2, 6: 1, 8: 3}[orientation]
    stored = np.ascontiguousarray(np.rot90(picture, quarter_turns))
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    path = tmp_path / "photo.jpg"
    Image.fromarray(np.ascontiguousarray(stored[:, :, ::-1])).save(path, quality=95, exif=exif)

    reader = PhotoReader(WhiteTileDetector(), DotClassifier())
    frames = [
        read_frame(path),
        decode_frame(path.read_bytes()),
        frame_from_array(stored, orientation=orientation),
        *read_frames([path]),
    ]
    for frame in frames:
        reading = reader.read(frame)
        assert (reading.width, reading.height) == (700, 300)
        assert sorted(tile.code for tile in reading.tiles) == [*["1p"] * 4, "?"]
        corners = np.array([tile.quad[0] for tile in reading.tiles])
        assert np.abs(corners - [[100 + 80 * index, 100] for index in range(5)]).max() <= 3
        assert ProblemCode.TOO_MANY_COPIES in {problem.code for problem in reading.problems}


FOUR = ((100, 100, 130, 140), (131, 100, 161, 140), (162, 100, 192, 140), (193, 100, 223, 140))


@pytest.mark.parametrize(
    ("halves", "joint", "codes"),
    [
        (((225, 100, 241, 140), (239, 100, 255, 140)), "4p", ["1m", "2m", "3m", "5m", "4p"]),  # two columns
        (((225, 100, 255, 121), (225, 119, 255, 140)), "4p", ["1m", "2m", "3m", "5m", "4p"]),  # two rows
        (((225, 100, 241, 140), (239, 100, 255, 140)), "not_a_face", ["1m", "2m", "3m", "5m", "2p", "2p"]),
        (((225, 100, 255, 140), (256, 100, 286, 140)), "4p", ["1m", "2m", "3m", "5m", "2p", "2p"]),  # two whole tiles
        (((225, 100, 241, 140), (251, 100, 267, 140)), "4p", ["1m", "2m", "3m", "5m", "2p", "2p"]),  # too far apart
    ],
)
def test_two_halves_are_one_tile(halves: tuple[tuple[int, ...], ...], joint: str, codes: list[str]) -> None:
    """Boxes that only together have the size of the tiles beside them are one tile, if it shows a face."""
    names = ["1m", "2m", "3m", "5m", "2p", "2p", joint, "not_a_face"]
    classifier = Classifier([{name: 0.99} for name in names])
    tiles = PhotoReader(Detector(boxed(*FOUR, *halves, score=0.9)), classifier).read(Frame(FIELD)).tiles

    assert [tile.code for tile in tiles] == codes
    if len(codes) == 5:
        assert tiles[-1].box == (225, 100, 255, 140)


@pytest.mark.parametrize(("joint", "codes"), [(0.69, ["1p", "2p"]), (0.71, ["3p"])])
def test_neighbours_that_are_sure_by_themselves_stay_two(joint: float, codes: list[str]) -> None:
    """Of two real tiles the one around both may look like a face, but no name is sure; that of two halves is."""
    halves = ((225, 100, 241, 140), (239, 100, 255, 140))
    names = [{name: 0.99} for name in ("1m", "2m", "3m", "5m", "1p", "2p")]
    classifier = Classifier([*names, {"3p": joint}, {"not_a_face": 0.99}])
    tiles = PhotoReader(Detector(boxed(*FOUR, *halves, score=0.9)), classifier).read(Frame(FIELD)).tiles
    assert [tile.code for tile in tiles[4:]] == codes


def test_two_halves_in_a_part_of_a_frame_are_one_tile() -> None:
    """Of a live frame the size of a tile is known: nobody has to lie beside it."""
    halves = ((225, 100, 255, 121), (225, 119, 255, 140))
    names = ["2s", "2s", "9s"]
    reader = PhotoReader(Detector(boxed(*halves, score=0.9)), Classifier([{name: 0.99} for name in names]))
    assert [tile.code for tile in reader.read_tiles(Frame(FIELD), tile_px=36.0)] == ["9s"]


def test_of_a_part_of_a_frame_only_the_asked_tiles_are_named() -> None:
    """Those around it keep them company, but nobody pays for their names: the script has one face."""
    reader = PhotoReader(Detector(boxed(*FOUR, score=0.9)), Classifier([{"3m": 0.99}]))
    (tile,) = reader.read_tiles(Frame(FIELD), (160, 90, 195, 150), 36.0, around=160.0)
    assert tile.code == "3m"


@pytest.mark.parametrize(
    ("beside", "codes"),
    [
        (("back", "back"), ["7s", "7s", "back", "back"]),
        (("back", "not_a_face"), ["7s", "7s"]),
        (("P", "back"), ["7s", "7s"]),
    ],
)
def test_backs_of_a_concealed_kong_are_looked_for(beside: tuple[str, str], codes: list[str]) -> None:
    """Two like faces alone: their neighbours are looked at, and are a kong's backs only if both are backs."""

    class TwoLooks(Classifier):
        def classify(self, crops: np.ndarray) -> FaceReadings:
            self.chances = [{"7s": 0.99}] * 2 if not self.seen else [{label: 0.99} for label in beside]
            return super().classify(crops)

    found = boxed((100, 100, 130, 140), (131, 100, 161, 140), score=0.9)
    reading = PhotoReader(Detector(found), TwoLooks([])).read(Frame(FIELD))

    assert [tile.code for tile in reading.tiles] == codes
    if len(codes) == 4:
        assert [tile.box[0] for tile in reading.tiles[2:]] == [69, 162]


def test_a_pair_in_a_row_is_no_concealed_kong() -> None:
    """Where other tiles lie beside the pair nothing is looked for."""
    classifier = Classifier([{"7s": 0.99}] * 3 + [{"not_a_face": 1.0}])
    found = boxed((100, 100, 130, 140), (131, 100, 161, 140), (162, 100, 192, 140), score=0.9)
    PhotoReader(Detector(found), classifier).read(Frame(FIELD))

    assert len(classifier.seen) == 1


def test_a_fifth_copy_is_asked_for_wherever_it_lies() -> None:
    """Four of a hand and a weaker one that shows the gold: that one is unknown, marked, and offers its own name."""
    codes = ["3m", "3m", "3m", "3m", "4m", "5m", "6m", "7p", "8p", "9p", "1s", "1s", "2s", "3s", "4s", "4s", "4s"]
    found = TileDetections.merge([row_of(len(codes)), boxed((700, 100, 730, 140), score=0.9)])
    chances = [{code: 0.99, "2m": 0.005} for code in codes]
    reading = PhotoReader(Detector(found), Classifier([*chances, {"3m": 0.9, "2m": 0.08}])).read(
        frame_from_array(np.full((300, 900, 3), (60, 120, 40), np.uint8))
    )
    (problem,) = [problem for problem in reading.problems if problem.code is ProblemCode.TOO_MANY_COPIES]
    (index,) = problem.tiles
    assert index == reading.layout.gold
    assert reading.as_json()["groups"]["gold"] == "?"
    assert [tile.code for tile, _ in reading.tiles[index].alternatives] == ["2m", "3m"]
    assert [reading.tiles[index].code for index in reading.layout.hand] == codes
