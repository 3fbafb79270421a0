"""What people met with other programs that look at tiles, section A of the collected field reports.

Each row is tried on renders of our own with fixed seeds, with the networks that ship. Where no network is perfect, a
share over several designs is held to a floor a little under what was measured; floors are to be raised, not lowered.
Elsewhere: neighbours turn faces that look alike upside down (8, `test_copies`), fields of answers (1, `test_api`), the
rest of the queue for photos that people send without labels (14, `test_photo_queue`), the rest of photos where a hand
can be typed (18, `test_cli_teaching`, `test_cli`).
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from conftest import ROOT
from PIL import ExifTags, Image

from assistant_api import cli
from assistant_api.services.score import Given, score_photo
from engine.notation import parse_tiles
from engine.rulesets import get_ruleset
from engine.tiles import ALL_TILES, Tile
from tests.scripted import SAMPLES, ScriptedReader
from vision.classifier import OpenVinoClassifier
from vision.crops import rectify
from vision.dataset import check_dataset, load_dataset
from vision.dataset import main as check
from vision.frames import Frame, decode_frame, frame_from_array, read_frame, read_frames
from vision.photo import PhotoReader, PhotoReading
from vision.synth.crops import render_face_crop
from vision.synth.designs import Design, procedural_design
from vision.synth.fonts import hanzi_fonts
from vision.synth.placing import DOWN, Placed, meld, place
from vision.synth.scene import Cloth, View, fit_camera, photograph

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hanzi_fonts(), reason="no font with traditional Chinese characters on this system"),
]
SIZE_PX = (720, 960)
CLOTHS: dict[str, Cloth] = {
    "white": ("plain", (228, 232, 235)),
    "wood": ("wood", (90, 130, 165)),
    "green": ("felt", (60, 95, 15)),
}
SEED = 640_000
"""Designs from here on are in no training."""


@pytest.fixture(scope="module")
def reader() -> PhotoReader:
    """The reader that ships."""
    return PhotoReader.bundled(threads=2)


@pytest.fixture(scope="module")
def classifier() -> OpenVinoClassifier:
    """The classifier that ships."""
    return OpenVinoClassifier(threads=2)


@pytest.fixture(scope="module")
def designs() -> list[Design]:
    """Six sets of tiles."""
    return [procedural_design(np.random.default_rng([SEED, index]), width_px=96) for index in range(6)]


def strip(tiles: Sequence[Tile], design: Design, turns_deg: Sequence[float] = (), gap: float = 0.01) -> list[Placed]:
    """Tiles in a row, nearly touching unless ``gap`` says (widths of a tile), each turned counterclockwise."""
    turns = turns_deg or [0.0] * len(tiles)
    step = 1 + gap
    return [
        place(tile, design.body, step * x, 0, turn) for x, (tile, turn) in enumerate(zip(tiles, turns, strict=True))
    ]


def photo(placed: Sequence[Placed], design: Design, seed: int, view: View | None = None, cloth: str = "green") -> Frame:
    """A photo of tiles on a plain table."""
    camera = fit_camera(placed, design.body, SIZE_PX, view or View(tilt_deg=15, fill=0.8))
    rng = np.random.default_rng([SEED, seed])
    scene = photograph(rng, design, placed, camera, SIZE_PX, cloth=CLOTHS[cloth], clutter=False, strength=0.4)
    return Frame(scene.image)


def along(reading: PhotoReading) -> list[str]:
    """Codes from left to right."""
    return [tile.code for tile in sorted(reading.tiles, key=lambda tile: tile.centre[0])]


def faces(design: Design, tiles: Sequence[Tile], seed: int = 3) -> np.ndarray:
    """Upright crops [N, 64, 64, 3] of faces as the classifier gets them."""
    rng = np.random.default_rng([SEED, seed])
    cut = [render_face_crop(rng, design, tile, 160, 0.25) for tile in tiles]
    return np.concatenate([rectify(image, quad[None]) for image, quad in cut])


def test_01_a_bird_is_one_of_bamboo(reader: PhotoReader, designs: list[Design]) -> None:
    """Birds of six designs, four ways round: 1s or unknown, hardly ever a flower or green dragon."""
    read: Counter[str] = Counter()
    for seed, design in enumerate(designs):
        row = strip([Tile.S1] * 4, design, (0, 90, 180, 270), gap=0.5)
        read.update(along(reader.read(photo(row, design, seed), hand_tiles=None)))
    wrong = sum(count for code, count in read.items() if code not in ("1s", "?", "back"))
    assert sum(read.values()) >= 22, read
    assert read["1s"] >= 0.7 * 24, read
    assert wrong <= 2, read
    assert (Tile.S1.code, Tile.S1.zh) == ("1s", "一条")


def test_02_counts_of_dots_and_sticks(reader: PhotoReader, designs: list[Design]) -> None:
    """456p 789s on white, wood and green: at most 2 % of each kind confidently taken for another one."""
    tiles = parse_tiles("456p789s")
    pairs: Counter[tuple[str, str]] = Counter()
    exact = photos = 0
    for index, design in enumerate(designs[:4]):
        for cloth in CLOTHS:
            codes = along(reader.read(photo(strip(tiles, design), design, index, cloth=cloth), hand_tiles=None))
            photos += 1
            exact += codes == [tile.code for tile in tiles]
            if len(codes) == len(tiles):
                pairs.update(
                    (true.code, code) for true, code in zip(tiles, codes, strict=True) if code not in (true.code, "?")
                )
    assert exact >= 0.75 * photos, (exact, photos, pairs)
    assert sum(pairs.values()) <= 0.02 * photos * len(tiles), pairs


@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_04_05_exif_turns_on_every_path(
    orientation: int, reader: PhotoReader, designs: list[Design], tmp_path: Path
) -> None:
    """File, bytes, array and batch: the same tiles, boxes upright, width and height after turning."""
    upright = photo(strip(parse_tiles("123m567p"), designs[0]), designs[0], 1)
    expected = reader.read(upright, hand_tiles=None)
    stored = np.ascontiguousarray(np.rot90(upright.image, {1: 0, 3: 2, 6: 1, 8: 3}[orientation]))
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    path = tmp_path / "photo.png"
    Image.fromarray(np.ascontiguousarray(stored[:, :, ::-1])).save(path, exif=exif)
    frames = [
        read_frame(path),
        decode_frame(path.read_bytes()),
        frame_from_array(stored, orientation=orientation),
        *read_frames([path, path]),
    ]
    for frame in frames:
        document = reader.read(frame, hand_tiles=None).as_json()
        assert (document["width"], document["height"]) == (SIZE_PX[1], SIZE_PX[0])
        assert document["tiles"] == expected.as_json()["tiles"]


def test_06_a_data_set_with_a_turn_left_in_its_exif_is_found(
    designs: list[Design], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The check names the photo, and labels that lie outside or twice; a sound set has no findings."""
    for name in ("images", "labels"):
        (tmp_path / name).mkdir()
    (tmp_path / "classes.txt").write_text("1m", encoding="utf-8")
    (tmp_path / "labels" / "a.txt").write_text("0 .5 .5 .2 .2\n", encoding="utf-8")
    picture = Image.fromarray(np.zeros((30, 40, 3), np.uint8))
    picture.save(tmp_path / "images" / "a.jpg")
    assert check_dataset(tmp_path) == ()
    assert check([str(tmp_path)]) == 0
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6
    picture.save(tmp_path / "images" / "a.jpg", exif=exif)
    (tmp_path / "labels" / "a.txt").write_text("0 .5 .5 .2 .2\n0 .5 .5 .2 .2\n0 .95 .5 .2 .2\n", encoding="utf-8")
    turned, outside, twice = check_dataset(tmp_path)
    assert "a.jpg: its EXIF orientation is 6; turn the pixels upright" in turned
    assert "1 of 3 labels reach out" in outside
    assert "1 labels lie where another" in twice
    assert check([str(tmp_path)]) == 1
    assert capsys.readouterr().out.count("\n") == 3


def test_07_recipes_mirror_no_faces() -> None:
    """What is trained by the recipes that ship has never seen a mirrored character called right."""
    recipes = [
        tomllib.loads(path.read_text(encoding="utf-8")) for path in (ROOT / "datasets" / "recipes").glob("*.toml")
    ]
    detectors = [recipe for recipe in recipes if recipe["kind"] == "detector"]
    classifiers = [recipe for recipe in recipes if recipe["kind"] == "classifier"]
    assert detectors
    assert classifiers
    for recipe in detectors:
        assert (recipe["variation"]["fliplr"], recipe["variation"]["flipud"]) == (0, 0)
    for recipe in classifiers:
        assert recipe["augment"]["flip"] is False


def test_07_mirrored_characters_ask(classifier: OpenVinoClassifier, designs: list[Design]) -> None:
    """發, 南 and 北 in mirror writing on six designs are seldom named; as they are, they mostly are."""
    kinds = (Tile.GREEN, Tile.SOUTH, Tile.NORTH, Tile.M5, Tile.M7, Tile.M9)
    known = classifier.thresholds["known"]
    plain = np.concatenate([faces(design, kinds) for design in designs])
    named = [
        (classifier.classify(crops).probabilities[:, : len(ALL_TILES)].max(axis=1) >= known).mean()
        for crops in (plain, np.ascontiguousarray(plain[:, :, ::-1]))
    ]
    assert named[0] >= 0.6, named
    assert named[1] <= min(0.5, 0.75 * named[0]), named


def test_08_every_face_four_ways_round(classifier: OpenVinoClassifier, designs: list[Design]) -> None:
    """Each of 42 faces and the back has one label at 0, 90, 180 and 270 degrees; the card lists the twins."""
    crops = np.concatenate([faces(design, ALL_TILES) for design in designs[:2]])
    labels = [classifier.classify(np.rot90(crops, turn, axes=(1, 2))).labels for turn in range(4)]
    same = np.mean([len(set(turned)) == 1 for turned in zip(*labels, strict=True)])
    assert same >= 0.95, same
    twins = set(classifier.weights.card["alike_upside_down"])
    assert {"1p", "2p", "4p", "8p", "9p", "2s", "P"} <= twins
    assert not twins & {"1m", "7p", "7s", "E", "F", "1s"}


@pytest.mark.parametrize("fill", [0.6, 0.3])
def test_10_four_of_a_kind_in_a_tight_row_are_four(fill: float, reader: PhotoReader, designs: list[Design]) -> None:
    """Four 5p that touch, the camera 20 degrees tilted: four faces on each set, neither dropped nor doubled, 5p."""
    read = []
    for seed, design in enumerate(designs):
        frame = photo(strip([Tile.P5] * 4, design, gap=0.0), design, seed, View(20, fill=fill))
        read.append([code for code in along(reader.read(frame, hand_tiles=None)) if code != "back"])
    assert [len(codes) for codes in read] == [4] * len(designs), read
    assert {code for codes in read for code in codes} <= {"5p", "?"}, read
    assert sum(codes.count("5p") for codes in read) >= 4 * len(designs) - 1, read


def test_11_a_concealed_kong_is_two_faces_and_two_backs(reader: PhotoReader, designs: list[Design]) -> None:
    """Beside a hand, so that it has the size of tiles: never more than four tiles, on nearly all sets two and two."""
    found = []
    for seed, design in enumerate(designs):
        kong, _ = meld([Tile.P9] * 4, design.body, 8.0, -design.body.height / 2, None, (0, 3))
        row = [*strip(parse_tiles("234m567s"), design), *kong]
        tiles = reader.read(photo(row, design, seed), hand_tiles=None).tiles
        right = max(tile.centre[0] for tile in tiles) if tiles else 0
        width = right - min(tile.centre[0] for tile in tiles) if tiles else 0
        part = [tile for tile in tiles if tile.centre[0] > right - 0.36 * width]
        found.append((sum(not tile.face_down for tile in part), sum(tile.face_down for tile in part)))
    assert max(sum(counts) for counts in found) <= 4, found
    assert found.count((2, 2)) >= 5, found


def test_12_blank_tile_back_and_glare(reader: PhotoReader, designs: list[Design]) -> None:
    """Of a white set a blank tile and one that lies face down are asked about where nothing beside them tells which is
    which; between faces, and where backs are coloured, the blank one is 白板. A patch of light is no tile."""
    asked, named, lights = Counter[str](), Counter[str](), 0
    for seed, design in enumerate(designs[:4]):
        inks = design.faces.copy()
        inks[Tile.WHITE] = 0
        white = replace(design.body, back=design.body.face, back_share=0.0)
        plain = Design(design.name, inks, white)
        row = [*strip(parse_tiles("345m"), plain), place(Tile.WHITE, white, 4.2, 0)]
        row.append(place(Tile.M1, white, 6.0, 0, pose=DOWN))
        frame = photo(row, plain, seed)
        asked.update(along(reader.read(frame, hand_tiles=None))[3:])
        beside = photo(strip(parse_tiles("EPC"), plain), plain, seed)
        named.update(along(reader.read(beside, hand_tiles=None)))
        light = np.zeros(frame.image.shape, np.uint8)
        cv2.ellipse(light, (480, 80), (42, 28), 20, 0, 360, (255, 255, 255), -1)
        bright = np.asarray(cv2.add(frame.image, cv2.GaussianBlur(light, (0, 0), 9)), np.uint8)
        spots = [tile for tile in reader.read(Frame(bright), hand_tiles=None).tiles if tile.centre[1] < 140]
        lights += sum(tile.tile is not None for tile in spots)
    assert set(asked) == {"?"}, asked
    assert asked["?"] >= 3, asked
    assert named["P"] >= 3, named
    assert set(named) <= {"E", "P", "C", "?"}, named
    assert lights == 0


def test_14_photos_without_labels_wait_for_a_review(
    designs: list[Design], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Refused without source and licence; read by the shipped networks, taken by a person, then a sound data set."""
    sent, queue, folder = tmp_path / "sent.png", tmp_path / "queue", tmp_path / "set"
    tiles = parse_tiles("123m456p")
    cv2.imwrite(str(sent), photo(strip(tiles, designs[0], gap=0.3), designs[0], 14).image)
    monkeypatch.setenv("JINQUE_PHOTOS_PATH", str(queue))
    assert cli.main(["photos", "add", str(sent)]) == 2
    assert not queue.exists()
    assert cli.main(["photos", "add", str(sent), str(sent), "--source", "a player", "--licence", "CC0-1.0"]) == 0
    (name,) = (path.stem for path in queue.glob("*.json"))
    capsys.readouterr()
    assert cli.main(["photos", "show", name, "--json"]) == 0
    assert [tile["number"] for tile in json.loads(capsys.readouterr().out)["tiles"]] == list(range(1, 7))
    named = [word for number, tile in enumerate(tiles, 1) for word in ("--tile", f"{number}={tile.code}")]
    assert cli.main(["photos", "review", name, *named]) == 0
    assert cli.main(["photos", "export", str(folder)]) == 0
    (labelled,) = load_dataset(folder)
    assert labelled.codes == tuple(tile.code for tile in tiles)
    assert check_dataset(folder) == ()


@pytest.mark.parametrize(("tilt", "roll"), [(0, 0), (20, 10), (35, -20), (45, 30)])
def test_15_held_at_an_angle(tilt: float, roll: float, reader: PhotoReader, designs: list[Design]) -> None:
    """Every tile named is above the threshold, and a hand that is not read exactly says what is doubtful."""
    tiles = parse_tiles("123m456p789s")
    right = total = silent = 0
    for seed, design in enumerate(designs[:3]):
        reading = reader.read(photo(strip(tiles, design), design, seed, View(tilt, roll, fill=0.9)), hand_tiles=9)
        assert all(tile.confidence >= reader.thresholds.known for tile in reading.tiles if tile.tile is not None)
        codes = along(reading)
        total += len(tiles)
        right += sum((Counter(codes) & Counter(tile.code for tile in tiles)).values())
        silent += codes != [tile.code for tile in tiles] and not reading.problems
    assert right >= 0.85 * total, (right, total)
    assert silent <= 1


def test_17_what_a_photo_cannot_tell_is_asked() -> None:
    """Who won, how and off whom, and nothing that the photo shows; with answers nothing is left to ask."""
    scored = score_photo(
        Frame(np.zeros((1200, 1600, 3), np.uint8)),
        ScriptedReader(SAMPLES / "melds.json"),
        Given(),
        get_ruleset("fuzhou"),
    )
    asked = {option for question in scored.questions() for option in re.findall(r"--[\w-]+", question["option"])}
    assert asked
    assert asked <= {
        "--self-draw",
        "--from",
        "--how",
        "--winner",
        "--dealer",
        "--streak",
        "--gold-discarded",
        "--passed",
    }
    assert not asked & {"--gold", "--flowers", "--tile"}


@pytest.mark.parametrize("command", ["score", "waits", "advise"])
def test_18_a_photo_wherever_a_hand_can_be_typed(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Read by the shipped networks, as an argument; what is asked are facts of play, never what the photo shows."""
    assert cli.main([command, str(SAMPLES / "pinghu.jpg"), "--guess", "--json"]) in (0, 1)
    found = json.loads(capsys.readouterr().out)
    assert len(found["reading"]["tiles"]) >= 15
    assert found["questions"]
    assert not {"hand", "gold", "flowers", "winning_tile"} & {question["fact"] for question in found["questions"]}
