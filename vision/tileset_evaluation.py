"""How much a person's own set helps: errors on further photos before and after one photo of all its faces was added.

``python -m vision.tileset_evaluation`` renders sets of tiles that no network has seen (half of them the ones it finds
hardest in a pool, half by chance), adds each by one photo in the printed order, and reads further photos of it, under
other light and from other sides, without and with the set. ``--data DIR`` measures photographed sets besides: there a
few photos, read and corrected, are added, and all others of the same set are read.

An error is a tile that was found and is named wrong or unknown; a confident error one that is named wrong.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from engine.tiles import ALL_TILES, CODES, Tile
from vision.dataset import LabelledPhoto, load_dataset
from vision.errors import TilesetError
from vision.evaluation import Match, match_tiles
from vision.frames import Frame, frame_from_array, read_frame
from vision.photo import PhotoReader
from vision.synth.crops import render_face_crop
from vision.synth.designs import Design, art_design, procedural_design
from vision.synth.scene import Scene
from vision.synth.sets import photo_of_play, photo_of_rows
from vision.tileset_photos import learn, teach
from vision.tilesets import PRINTED_ORDER, Tileset

SEED = 730_000
"""Designs of training recipes come from other seeds."""
_VISIBLE = 0.4  # tiles hidden by more are not counted
_TRIES = 3  # photos a person takes before giving up


@dataclass(frozen=True, slots=True)
class Tally:
    """Tiles of further photos of one set: labelled, found, and of the found ones unknown and named wrong."""

    tiles: int = 0
    found: int = 0
    unknown: int = 0
    confident: int = 0

    @property
    def errors(self) -> int:
        """Found tiles without their right name."""
        return self.unknown + self.confident

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.tiles + other.tiles,
            self.found + other.found,
            self.unknown + other.unknown,
            self.confident + other.confident,
        )


@dataclass(frozen=True, slots=True)
class Trial:
    """One set: how it was chosen, photos refused before one was learnt, kinds learnt, errors before and after."""

    name: str
    chosen: str
    refused: int
    kinds: int
    before: Tally
    after: Tally


def tally(matches: Iterable[Match]) -> Tally:
    """Counts labelled tiles; readings without a label do not count."""
    labelled = [match for match in matches if match.true is not None]
    found = [match for match in labelled if match.read is not None]
    confident = sum(match.is_confident_error for match in found)
    return Tally(len(labelled), len(found), sum(not match.is_right for match in found) - confident, confident)


def read_scene(reader: PhotoReader, scene: Scene) -> Tally:
    """Reads a rendered photo and compares it with its truth."""
    tiles = [tile for tile in scene.tiles if tile.occlusion <= _VISIBLE and tile.code in CODES]
    boxes = np.array([[*tile.quad.min(axis=0), *tile.quad.max(axis=0)] for tile in tiles]).reshape(-1, 4)
    reading = reader.read(frame_from_array(scene.image), hand_tiles=None)
    return tally(match_tiles([tile.code for tile in tiles], boxes, reading.tiles))


def rendered_designs(
    seed: int, pool: int, count: int, reader: PhotoReader, art: Path | None
) -> Iterator[tuple[str, int, Design]]:
    """``count`` designs of a pool with how they were chosen: the first half hard ones, the rest by chance."""
    designs = [_design(seed, index, art) for index in range(pool)]
    errors = [_errors_on_crops(seed, index, design, reader) for index, design in enumerate(designs)]
    hard = sorted(range(pool), key=lambda index: -errors[index])[: count // 2]
    others = [index for index in range(pool) if index not in hard][: count - len(hard)]
    for chosen, indices in (("hard", hard), ("random", others)):
        for index in indices:
            yield chosen, index, designs[index]


def _design(seed: int, index: int, art: Path | None) -> Design:
    rng = np.random.default_rng([seed, index])
    return art_design(rng, art) if art is not None and index % 3 == 1 else procedural_design(rng)


def _errors_on_crops(seed: int, index: int, design: Design, reader: PhotoReader) -> int:
    """How many of two quick pictures of each face the network does not name, or names wrong."""
    rng = np.random.default_rng([seed, index, 1])
    crops = np.stack([render_face_crop(rng, design, tile)[0] for tile in ALL_TILES for _ in range(2)])
    faces = reader.classifier.classify(crops)
    right = faces.probabilities[np.arange(len(crops)), np.repeat(np.arange(len(ALL_TILES)), 2)]
    return int((right < reader.thresholds.known).sum())


def rendered_trial(
    seed: int, index: int, design: Design, chosen: str, photos: int, reader: PhotoReader, size_px: tuple[int, int]
) -> Trial:
    """Adds a rendered set by one photo and reads ``photos`` further ones of 20 to 40 tiles."""
    rng = np.random.default_rng([seed, index, 2])
    tileset, refused = None, 0
    for _ in range(_TRIES):
        frame = frame_from_array(photo_of_rows(rng, design, PRINTED_ORDER, size_px).image)
        try:
            lesson = learn(reader, frame, PRINTED_ORDER)
        except TilesetError as error:
            refused += 1
            sys.stderr.write(f"  {design.name}: {error}\n")
            continue
        tileset = Tileset.empty(design.name, reader.network).with_faces(lesson.kinds, lesson.looks, None)
        break
    knowing = reader if tileset is None else reader.with_tileset(tileset)
    before = after = Tally()
    for _ in range(photos):
        scene = photo_of_play(rng, design, int(rng.integers(20, 41)), size_px)
        before += read_scene(reader, scene)
        after += read_scene(knowing, scene)
    return Trial(design.name, chosen, refused, 0 if tileset is None else len(tileset.known), before, after)


def photographed_trial(name: str, photos: Sequence[LabelledPhoto], shown: int, reader: PhotoReader) -> Trial:
    """Adds the first ``shown`` photos of a set, as read and corrected by a person, and reads all others."""
    tileset = Tileset.empty(name[:24], reader.network)
    for photo in photos[:shown]:
        frame = read_frame(photo.path)
        kinds, quads = _corrected(photo, frame, reader)
        lesson = teach(reader, frame, quads, kinds)
        tileset = tileset.with_faces(lesson.kinds, lesson.looks, None)
    knowing = reader.with_tileset(tileset)
    before = after = Tally()
    for photo in photos[shown:]:
        frame = read_frame(photo.path)
        before += _read_labelled(photo, frame, reader)
        after += _read_labelled(photo, frame, knowing)
    return Trial(name, f"{shown} photos shown", 0, len(tileset.known), before, after)


def _boxes(photo: LabelledPhoto, frame: Frame) -> np.ndarray:
    return np.asarray(photo.boxes * np.array([frame.width, frame.height] * 2))


def _corrected(photo: LabelledPhoto, frame: Frame, reader: PhotoReader) -> tuple[list[Tile], np.ndarray]:
    """Tiles that were found in a photo with the names a person gives them."""
    tiles = [tile for tile in reader.read(frame, hand_tiles=None).tiles if not tile.face_down]
    boxes = np.array([tile.box for tile in tiles]).reshape(-1, 4)
    kinds, quads = [], []
    for code, box in zip(photo.codes, _boxes(photo, frame), strict=True):
        middle = (box[:2] + box[2:]) / 2
        inside = np.flatnonzero(((boxes[:, :2] < middle) & (middle < boxes[:, 2:])).all(axis=1))
        if len(inside) == 1 and code in CODES:
            kinds.append(Tile.parse(code))
            quads.append(tiles[int(inside[0])].quad)
    return kinds, np.array(quads, np.float32).reshape(-1, 4, 2)


def _read_labelled(photo: LabelledPhoto, frame: Frame, reader: PhotoReader) -> Tally:
    reading = reader.read(frame, hand_tiles=None)
    return tally(match_tiles(photo.codes, _boxes(photo, frame), reading.tiles))


def _scenes(folder: Path) -> dict[str, str]:
    """Scene of each photo by file name, as split.csv tells."""
    with (folder / "split.csv").open(encoding="utf-8-sig", newline="") as file:
        return {row["file"]: row["scene"] for row in csv.DictReader(file)}


def table(trials: Sequence[Trial]) -> str:
    """The trials as text, one a line, with sums."""
    lines = [
        f"{'set':38} {'chosen':15} {'kinds':>5} {'tiles':>6} {'found':>6}"
        f" {'errors before':>14} {'after':>6} {'confident before':>17} {'after':>6}"
    ]
    rows = [(trial.name[:38], trial.chosen, str(trial.kinds), trial.before, trial.after) for trial in trials]
    before = sum((trial.before for trial in trials), Tally())
    after = sum((trial.after for trial in trials), Tally())
    rows.append(("all", "", "", before, after))
    for name, chosen, kinds, first, second in rows:
        lines.append(
            f"{name:38} {chosen:15} {kinds:>5} {first.tiles:>6} {first.found:>6} {first.errors:>14}"
            f" {second.errors:>6} {first.confident:>17} {second.confident:>6}"
        )
    return "\n".join(lines)


def main() -> int:
    """Parse the arguments, measure, print the table."""
    parser = argparse.ArgumentParser(prog="python -m vision.tileset_evaluation", description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--designs", type=int, default=12, help="rendered sets to measure; half hard, half by chance")
    parser.add_argument("--pool", type=int, default=30, help="rendered sets the hard ones are chosen from")
    parser.add_argument("--photos", type=int, default=3, help="further photos of each rendered set")
    parser.add_argument("--height", type=int, default=1200, help="of rendered photos in pixels; they are 4:3")
    parser.add_argument("--art", type=Path, help="folder of free tile art; a third of the sets is drawn from it then")
    parser.add_argument("--data", type=Path, action="append", default=[], help="folder of labelled photos of one set")
    parser.add_argument("--split", help="split of the labelled photos")
    parser.add_argument("--scene", help="only photos of this scene, as split.csv names it")
    parser.add_argument("--shown", type=int, default=3, help="labelled photos that are added")
    parser.add_argument("--bar", type=float, help="exit 1 where more than this share of the errors is left")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    reader = PhotoReader.bundled(threads=1)
    size_px = (options.height, options.height * 4 // 3)
    trials = []
    if options.designs:
        designs = rendered_designs(options.seed, options.pool, options.designs, reader, options.art)
        for chosen, index, design in designs:
            trials.append(rendered_trial(options.seed, index, design, chosen, options.photos, reader, size_px))
            sys.stderr.write(table(trials[-1:]).splitlines()[1] + "\n")
    for folder in options.data:
        photos = load_dataset(folder, options.split)
        if options.scene:
            photos = tuple(photo for photo in photos if _scenes(folder).get(photo.path.name) == options.scene)
        trials.append(photographed_trial(folder.name, photos, options.shown, reader))
    shown = json.dumps([_as_json(trial) for trial in trials], ensure_ascii=False) if options.json else table(trials)
    sys.stdout.write(shown + "\n")
    before, after = (sum(getattr(trial, side).errors for trial in trials) for side in ("before", "after"))
    return int(options.bar is not None and after > options.bar * before)


def _as_json(trial: Trial) -> dict[str, object]:
    tallies = {
        side: {"tiles": t.tiles, "found": t.found, "errors": t.errors, "confident_errors": t.confident}
        for side, t in (("before", trial.before), ("after", trial.after))
    }
    return {"set": trial.name, "chosen": trial.chosen, "refused": trial.refused, "kinds": trial.kinds, **tallies}


if __name__ == "__main__":
    sys.exit(main())
