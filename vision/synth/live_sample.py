"""The bundled film of a hand that ends with 过水: West lets North's 5 dots go by and wins on East's at once after it.

``python -m vision.synth.live_sample --out datasets/samples/live`` films it again. West opens the hand of the sample
photo `datasets/samples/melds.jpg`, so that the photo can be the scan of it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from engine.eventlog import parse_log
from engine.seats import Seat
from vision.synth.designs import procedural_design
from vision.synth.live_clips import Clip, Shot
from vision.synth.live_plan import pace_for, plan_live
from vision.synth.live_sight import stand_camera
from vision.synth.live_video import Film, film
from vision.synth.table_plan import Customs

LOG = """
deal W fuzhou streak 0
E holds 123356m78m2356p8p889s
S holds 12344679m4p89p1357s3s
W holds 1456789m177p9p24s NP 1f5f
N holds 12345m135678p9p1789s
W flowers NP 15f
W draw tail 2p
W draw tail 2p
W draw tail 3p
W draw tail 4p
gold 6s
W discard 9p
N draw head 4s
N discard 7p
W pung 7p
W discard 1m
N draw head 9s
N discard 2m
E draw head 5s
E discard 3m
S draw head 2s
S discard 3s
W chow 3s with 24s
W discard 1p
N draw head 1s
N discard 5p
E draw head 7s
E discard 5p
W win discard 5p hand 456789m2234p
"""
SIZE_PX = (720, 1280)
SECONDS = 30.0
GRAIN = 0.3
"""Little noise, so that the film is small."""
DESIGN_SEED, SCENE_SEED = 15, 7
NEAR = Seat.WEST
CUSTOMS = Customs(river="rows", closed="standing", gold="beside", across=True, tidy=0.7)


def sample_clip(size_px: tuple[int, int] = SIZE_PX) -> Clip:
    """The clip, before it is filmed. ValueError where no font of this machine has the characters."""
    rng = np.random.default_rng(SCENE_SEED)
    log = parse_log(LOG)
    design = procedural_design(np.random.default_rng(DESIGN_SEED))
    pace = pace_for(log, SECONDS)
    plan = plan_live(rng, log, design.body, CUSTOMS, near=NEAR, fps=5.0, pace=pace)
    return Clip(SCENE_SEED, plan, design, stand_camera(rng, plan, size_px), Shot(size_px), rng)


def write_sample(folder: Path, clip: Clip) -> int:
    """Films the clip into ``clip.mp4``, with its log beside it; how many pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    movie = Film(clip.rng, clip.plan, clip.design, clip.camera, clip.shot.size_px, grain=GRAIN)
    (folder / "log.txt").write_text(LOG.lstrip(), encoding="utf-8", newline="\n")
    return film(folder, movie)


def main(arguments: Sequence[str] | None = None) -> int:
    """Film it."""
    parser = argparse.ArgumentParser(prog="python -m vision.synth.live_sample", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder to write the clip and its truth to")
    parser.add_argument("--size", type=int, nargs=2, default=SIZE_PX[::-1], metavar=("WIDTH", "HEIGHT"))
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    width, height = options.size
    count = write_sample(options.out, sample_clip((height, width)))
    sys.stdout.write(f"{count} pictures written to {options.out}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
