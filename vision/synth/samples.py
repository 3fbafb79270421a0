"""The bundled sample photos: finished Fuzhou hands laid open on a table, with their truth.

``python -m vision.synth.samples --out datasets/samples`` writes them again; the same fonts give the same pictures.
Every hand is one line of notation; what it settles to was worked out by hand from the rules and is checked by a test.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from engine.notation import HandLine, parse_hand
from engine.tiles import Tile
from vision.synth.designs import Body, Design, procedural_design
from vision.synth.placing import UP, Placed, meld, place
from vision.synth.scene import Cloth, Scene, View, fit_camera, photograph
from vision.synth.solids import Light

SIZE_PX = (1200, 1600)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One photo: what lies on the table, how it is held and lit, and what it settles to."""

    name: str
    title: str
    hand: str
    ruleset: str
    per_payer: int
    deltas: tuple[int, int, int, int]
    """Points of East, South, West, North."""
    view: View
    design_seed: int
    scene_seed: int
    cloth: Cloth
    brightness: float = 1.0
    melds_beside: bool = True
    """Melds to the right of the hand, else in the row above it."""


SAMPLES: tuple[Sample, ...] = (
    Sample(
        name="plain",
        title="自摸 three flowers, no melds",
        hand="123456m345678p1134s +5s | flowers ECS | gold 9s | win self_draw | seat S | dealer E | streak 0",
        ruleset="fuzhou",
        per_payer=16,  # (3 flowers + 5) * 2, from all three
        deltas=(-16, 48, -16, -16),
        view=View(tilt_deg=18, roll_deg=1.5),
        design_seed=15,
        scene_seed=1,
        cloth=("mat", (70, 140, 40)),
    ),
    Sample(
        name="melds",
        title="two melds, won off a discard, four flowers, streak 1",
        hand="456789m2234p +5p | melds 234s@S 777p@N | flowers NP1f5f | gold 6s | win discard@E"
        " | seat W | dealer W | streak 1",
        ruleset="fuzhou",
        per_payer=20,  # (4 flowers + streak 1 + 5) * 2, from the discarder
        deltas=(-20, 0, 20, 0),
        view=View(tilt_deg=24, roll_deg=-2),
        design_seed=40,
        scene_seed=2,
        cloth=("felt", (95, 75, 20)),
    ),
    Sample(
        name="concealed-kong",
        title="concealed kong, four south winds, one gold",
        hand="45m678p345p9s2p +6m | melds 5555s@! 111m@N | flowers SSSS | gold 2p | win self_draw"
        " | seat E | dealer E | streak 0",
        ruleset="fuzhou",
        per_payer=28,  # (4 flowers + 2 for the set + 2 for the kong + 1 gold + 5) * 2
        deltas=(84, -28, -28, -28),
        view=View(tilt_deg=12, roll_deg=3),
        design_seed=22,
        scene_seed=3,
        cloth=("wood", (120, 165, 200)),
    ),
    Sample(
        name="tilted",
        title="held low over the table: exposed kong, chow, two flowers",
        hand="567999s4467m +8m | melds 2222m@E 123p@W | flowers 2fC | gold 3s | win discard@S"
        " | seat N | dealer S | streak 0",
        ruleset="fuzhou",
        per_payer=16,  # (2 flowers + 1 for the kong + 5) * 2, from the discarder
        deltas=(0, -16, 0, 16),
        view=View(tilt_deg=52, roll_deg=-4, fill=0.93),
        design_seed=23,
        scene_seed=4,
        cloth=("felt", (60, 95, 15)),
        melds_beside=False,
    ),
    Sample(
        name="three-golds",
        title="三金倒 three golds drawn, no shape needed; dim light",
        hand="147m2589m369p28s4s555p +6s | flowers F | gold 5p | win self_draw | seat S | dealer W | streak 0",
        ruleset="fuzhou",
        per_payer=58,  # (1 flower + 3 golds + 5) * 2 + 40, from all three
        deltas=(-58, 174, -58, -58),
        view=View(tilt_deg=28, roll_deg=2),
        design_seed=29,
        scene_seed=5,
        cloth=("weave", (110, 70, 45)),
        brightness=0.42,
    ),
    Sample(
        name="jinque",
        title="金雀 the pair is two golds; won off a discard",
        hand="123456m345789p22s77s +2s | flowers W8f | gold 7s | win discard@E | seat N | dealer E | streak 0",
        ruleset="fuzhou",
        per_payer=78,  # (2 flowers + 2 golds + 5) * 2 + 60, from the discarder
        deltas=(-78, 0, 0, 78),
        view=View(tilt_deg=33, roll_deg=-1),
        design_seed=8,
        scene_seed=6,
        cloth=("planks", (90, 130, 165)),
    ),
    Sample(
        name="pinghu",
        title="平胡 no flower and no kong, one chow",
        hand="234m66m789m456s56p +7p | melds 345p@E | gold 1s | win discard@N | seat S | dealer N | streak 0",
        ruleset="fuzhou",
        per_payer=40,  # (0 + 5) * 2 + 30, from the discarder
        deltas=(0, 40, 0, -40),
        view=View(tilt_deg=8, roll_deg=176),
        design_seed=57,
        scene_seed=7,
        cloth=("plain", (205, 208, 212)),
    ),
    Sample(
        name="baida",
        title="百搭 added kong, one gold, self-drawn against a streak of two",
        hand="67m123s44s35m1m +8m | melds 999+9p@E 333s@S | flowers 3f6fE | gold 1m | win self_draw"
        " | seat W | dealer S | streak 2",
        ruleset="fuzhou-baida",
        per_payer=8,  # 2 * (3 flowers + 1 for the kong); the dealer adds 2 * streak 2
        deltas=(-8, -12, 28, -8),
        view=View(tilt_deg=38, roll_deg=5),
        design_seed=46,
        scene_seed=8,
        cloth=("mat", (95, 150, 35)),
        melds_beside=False,
    ),
)


def lay_open(line: HandLine, body: Body, beside: bool) -> list[Placed]:
    """The hand as people lay it: concealed tiles, winning tile apart, melds right or above, flowers, gold apart."""
    placed: list[Placed] = []
    step, height = 1.01, body.height
    concealed = [tile for tile in line.concealed if isinstance(tile, Tile)]
    for index, tile in enumerate(concealed):
        placed.append(place(tile, body, 0.5 + index * step, 0.0, 0.0, UP, "hand"))
    end = len(concealed) * step
    if isinstance(line.winning_tile, Tile):
        placed.append(place(line.winning_tile, body, end + 1.0, 0.0, 0.0, UP, "winning"))
        end += 1.5
    x, low = (end + 1.4, -height / 2) if beside else (end - 3.6 * len(line.melds) - 1.0, height * 0.5 + 0.9)
    for number, item in enumerate(line.melds):
        tiles = [tile for tile in item.tiles if isinstance(tile, Tile)]
        hidden = (0, 3) if item.kind.value == "kong_concealed" else ()
        part, x = meld(tiles, body, x, low, None, hidden)
        placed += [Placed(one.tile, one.pose, f"meld{number}", one.centre, one.axes) for one in part]
        x += 0.55
    flowers = [tile for tile in line.flowers if isinstance(tile, Tile)]
    row = height + 0.9 if beside or not line.melds else 2 * (height + 0.9)
    for index, tile in enumerate(flowers):
        placed.append(place(tile, body, 1.0 + index * step, row, 0.0, UP, "flowers"))
    if line.gold is not None:
        away = row + (height + 1.0 if flowers else 0.6)
        placed.append(place(line.gold, body, 2.0, away, 0.0, UP, "gold"))
    return placed


def _jittered(rng: np.random.Generator, placed: Sequence[Placed]) -> list[Placed]:
    """The same tiles as hands leave them: shifted and turned a little, never into each other."""
    out = []
    for item in placed:
        angle = float(rng.normal(0, 0.006))
        turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1.0]])
        shift = np.array([0.0, float(rng.normal(0, 0.015)), 0.0])
        out.append(Placed(item.tile, item.pose, item.group, item.centre + shift, turn @ item.axes))
    return out


def render_sample(sample: Sample, design: Design) -> Scene:
    """The photo of a sample with a design."""
    rng = np.random.default_rng(sample.scene_seed)
    placed = _jittered(rng, lay_open(parse_hand(sample.hand), design.body, sample.melds_beside))
    camera = fit_camera(placed, design.body, SIZE_PX, sample.view)
    direction = np.array([-0.5, 0.7, 1.3])
    light = Light(direction / np.linalg.norm(direction), 0.55)
    scene = photograph(
        rng, design, placed, camera, SIZE_PX, light=light, cloth=sample.cloth, clutter=False, strength=0.5
    )
    image = np.asarray(cv2.convertScaleAbs(scene.image, alpha=sample.brightness), np.uint8)
    return Scene(image, scene.tiles)


def truth(sample: Sample, scene: Scene, design: Design) -> dict[str, Any]:
    """What stands beside the photo: the hand, its settlement, and every tile with its corners (px, clockwise)."""
    line = parse_hand(sample.hand)
    return {
        "title": sample.title,
        "hand": sample.hand,
        "ruleset": sample.ruleset,
        "concealed": [face.code for face in line.concealed],
        "winning_tile": line.winning_tile.code if line.winning_tile is not None else None,
        "melds": [[face.code for face in item.tiles] for item in line.melds],
        "flowers": [face.code for face in line.flowers],
        "gold": line.gold.code if line.gold is not None else None,
        "facts": {
            "win": line.source.value if line.source is not None else None,
            "from": line.from_seat.code if line.from_seat is not None else None,
            "winner": line.seat.code if line.seat is not None else None,
            "dealer": line.dealer.code if line.dealer is not None else None,
            "streak": line.streak,
        },
        "expected": {"legal": True, "per_payer": sample.per_payer, "deltas": list(sample.deltas)},
        "width": SIZE_PX[1],
        "height": SIZE_PX[0],
        "art": design.credit,
        "tiles": [
            {
                "tile": tile.code,
                "group": tile.group,
                "quad": [[round(x, 1), round(y, 1)] for x, y in tile.quad.tolist()],
            }
            for tile in scene.tiles
        ],
    }


def sample_design(sample: Sample, fonts_folder: str | None = None) -> Design:
    """The set of tiles of a sample: procedural, so that its picture may be passed on freely."""
    return procedural_design(np.random.default_rng([2024, sample.design_seed]), fonts_folder)


def main() -> int:
    """Parse the arguments and write the photos with their truth."""
    parser = argparse.ArgumentParser(prog="python -m vision.synth.samples", description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--fonts", help="folder of fonts to use instead of the system's")
    parser.add_argument("--only", help="name of one sample")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for sample in SAMPLES:
        if options.only not in (None, sample.name):
            continue
        design = sample_design(sample, options.fonts)
        scene = render_sample(sample, design)
        cv2.imwrite(str(options.out / f"{sample.name}.jpg"), scene.image, [cv2.IMWRITE_JPEG_QUALITY, 82])
        text = json.dumps(truth(sample, scene, design), ensure_ascii=False, indent=1)
        (options.out / f"{sample.name}.json").write_text(text + "\n", encoding="utf-8")
        sys.stdout.write(f"{sample.name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
