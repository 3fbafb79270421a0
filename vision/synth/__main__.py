"""Command line: ``python -m vision.synth --out DIR --count N --seed S`` writes rendered scenes with YOLO labels,
``python -m vision.synth tables --out DIR --count N --seed S`` whole tables at a moment of a simulated hand."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from vision.synth.designs import design_pool
from vision.synth.export import FACE_BACK, TILE_CLASSES, scenes, write_yolo
from vision.synth.table_scenes import held_out_design, table_scenes, write_tables


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse the arguments and write the data set."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    return _tables(given[1:]) if given[:1] == ["tables"] else _scenes(given)


def _tables(given: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m vision.synth tables",
        description="Photos of whole tables in the data-set layout, and their truth as JSON. The designs are those held"
        " out of training: an art set where --art is given, and procedural ones.",
    )
    parser.add_argument("--out", type=Path, required=True, help="folder to write images/, labels/ and truth/ to")
    parser.add_argument("--count", type=int, default=20, help="how many tables")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--size", type=int, nargs=2, default=(4000, 3000), metavar=("WIDTH", "HEIGHT"))
    parser.add_argument("--designs", type=int, default=10, help="how many sets of tiles")
    parser.add_argument("--art", type=Path, help="folder of free tile art")
    parser.add_argument("--fonts", help="folder of fonts to use instead of the system's")
    options = parser.parse_args(given)
    designs = [held_out_design(index, options.art, options.fonts) for index in range(options.designs)]
    width, height = options.size
    count = write_tables(options.out, table_scenes(options.seed, options.count, designs, (height, width)))
    sys.stdout.write(f"{count} tables written to {options.out}\n")
    return 0


def _scenes(given: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m vision.synth", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder to write images/, labels/ and data.yaml to")
    parser.add_argument("--count", type=int, default=100, help="how many scenes")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--size", type=int, default=640, help="edge of the square pictures in px")
    parser.add_argument("--designs", type=int, default=40, help="how many sets of tiles to draw them from")
    parser.add_argument("--art", type=Path, help="folder of free tile art (samoheen, xhokir, fluffystuff, I.Mahjong)")
    parser.add_argument("--crops", type=Path, help="folder of real face crops, one folder a tile code")
    parser.add_argument("--fonts", help="folder of fonts to use instead of the system's")
    parser.add_argument("--classes", choices=("face-back", "tiles"), default="face-back")
    parser.add_argument("--upright", action="store_true", help="axis-aligned boxes instead of oriented ones")
    options = parser.parse_args(given)
    designs = design_pool(options.seed, options.designs, options.art, options.fonts, options.crops)
    classes = FACE_BACK if options.classes == "face-back" else TILE_CLASSES
    found = scenes(options.seed, options.count, designs, options.size)
    count = write_yolo(options.out, found, classes, oriented=not options.upright)
    sys.stdout.write(f"{count} scenes written to {options.out}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
