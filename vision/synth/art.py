"""Faces from the free art sets, recoloured by chance.

The folder of art holds ``samoheen/hongkong/png`` (CC0), ``xhokir/Export/Regular`` (CC BY 4.0),
``fluffystuff/Export/Regular`` (CC0) and ``I.Mahjong/*.otf`` (M+ licence); whichever of them are there are used.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as PilImage
from PIL import ImageDraw, ImageFont

from engine.tiles import ALL_TILES, Suit, Tile
from vision.synth.canvas import ASPECT, Colour
from vision.synth.suits import Inks, dot_centres, dot_colours, stick_centres

Image = NDArray[np.uint8]

CREDITS = {
    "samoheen": "samoheen, CC0",
    "xhokir": "xhokir, CC BY 4.0",
    "fluffystuff": "FluffyStuff, CC0",
    "I.Mahjong": "I.Mahjong by Naiki Ichiro, M+ font licence",
}
HELD_OUT = "I.MahjongCAN"
"""The art set that no training design is drawn from: whole tables are judged on it (`vision.table_evaluation`)."""
_SOURCE_WIDTH = 288
_SAMOHEEN = {
    **{tile: 8 + index for index, tile in enumerate(ALL_TILES[0:9])},
    **{tile: 17 + index for index, tile in enumerate(ALL_TILES[9:18])},
    **{tile: 26 + index for index, tile in enumerate(ALL_TILES[18:27])},
    Tile.WHITE: 1, Tile.GREEN: 2, Tile.RED: 3, Tile.EAST: 4, Tile.SOUTH: 5, Tile.WEST: 6, Tile.NORTH: 7,
    Tile.SPRING: 35, Tile.SUMMER: 36, Tile.AUTUMN: 37, Tile.WINTER: 38,
    Tile.PLUM: 39, Tile.ORCHID: 40, Tile.CHRYSANTHEMUM: 41, Tile.BAMBOO: 42,
}  # fmt: skip
_RIICHI = {
    **{tile: f"{name}{index + 1}" for name, first in (("Man", 0), ("Pin", 9), ("Sou", 18))
       for index, tile in enumerate(ALL_TILES[first:first + 9])},
    Tile.EAST: "Ton", Tile.SOUTH: "Nan", Tile.WEST: "Shaa", Tile.NORTH: "Pei",
    Tile.RED: "Chun", Tile.GREEN: "Hatsu", Tile.WHITE: "Haku",
    Tile.SPRING: "Season1", Tile.SUMMER: "Season2", Tile.AUTUMN: "Season3", Tile.WINTER: "Season4",
    Tile.PLUM: "Flower1", Tile.ORCHID: "Flower2", Tile.CHRYSANTHEMUM: "Flower3", Tile.BAMBOO: "Flower4",
}  # fmt: skip
_UNICODE = {
    Tile.EAST: 0x1F000, Tile.SOUTH: 0x1F001, Tile.WEST: 0x1F002, Tile.NORTH: 0x1F003,
    Tile.RED: 0x1F004, Tile.GREEN: 0x1F005, Tile.WHITE: 0x1F006,
    **{tile: 0x1F007 + index for index, tile in enumerate(ALL_TILES[0:9])},
    **{tile: 0x1F010 + index for index, tile in enumerate(ALL_TILES[18:27])},
    **{tile: 0x1F019 + index for index, tile in enumerate(ALL_TILES[9:18])},
    Tile.PLUM: 0x1F022, Tile.ORCHID: 0x1F023, Tile.BAMBOO: 0x1F024, Tile.CHRYSANTHEMUM: 0x1F025,
    Tile.SPRING: 0x1F026, Tile.SUMMER: 0x1F027, Tile.AUTUMN: 0x1F028, Tile.WINTER: 0x1F029,
}  # fmt: skip


def _premultiplied(picture: NDArray[Any]) -> Image:
    out = picture.astype(np.float32)
    out[:, :, :3] *= out[:, :, 3:] / 255
    size = (_SOURCE_WIDTH, round(_SOURCE_WIDTH * ASPECT))
    return np.asarray(np.clip(cv2.resize(out, size, interpolation=cv2.INTER_AREA), 0, 255), np.uint8)


def _read(path: Path) -> Image | None:
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None or picture.ndim != 3 or picture.shape[2] != 4:
        return None
    return _premultiplied(picture)


def _outline_faces(path: Path) -> dict[Tile, Image]:
    """Glyphs of a tile font without the frame around them, black."""
    font = ImageFont.truetype(str(path), 400)
    faces = {}
    for tile, point in _UNICODE.items():
        left, top, right, bottom = (int(value) for value in font.getbbox(chr(point)))
        picture = PilImage.new("L", (right - left + 4, bottom - top + 4), 0)
        ImageDraw.Draw(picture).text((2 - left, 2 - top), chr(point), fill=255, font=font)
        ink = np.asarray(picture, np.uint8)
        _, parts, stats, _ = cv2.connectedComponentsWithStats((ink > 100).astype(np.uint8))
        frame = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_WIDTH] * stats[1:, cv2.CC_STAT_HEIGHT]))
        x, y, w, h = (int(value) for value in stats[frame][:4])
        inside = np.where(cv2.dilate((parts == frame).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0, 0, ink)
        picture4 = np.zeros((h, w, 4), np.uint8)
        picture4[:, :, 3] = inside[y : y + h, x : x + w]
        faces[tile] = _premultiplied(picture4)
    return faces


@lru_cache(maxsize=4)
def art_sets(folder: Path) -> dict[str, dict[Tile, Image]]:
    """Every art set found in ``folder``: name -> tile -> premultiplied BGRA picture; sets without flowers lack them."""
    found: dict[str, dict[Tile, Image]] = {}
    samoheen = folder / "samoheen" / "hongkong" / "png"
    numbered = {path.name[:2]: path for path in samoheen.glob("*.png")}
    pictures = {tile: _read(numbered[f"{n:02d}"]) for tile, n in _SAMOHEEN.items() if f"{n:02d}" in numbered}
    found["samoheen"] = {tile: picture for tile, picture in pictures.items() if picture is not None}
    for name in ("xhokir", "fluffystuff"):
        base = folder / name / "Export" / "Regular"
        pictures = {
            tile: _read(base / f"{stem}.png") for tile, stem in _RIICHI.items() if (base / f"{stem}.png").is_file()
        }
        found[name] = {tile: picture for tile, picture in pictures.items() if picture is not None}
    for path in sorted((folder / "I.Mahjong").glob("*.otf")):
        found[path.stem] = _outline_faces(path)
    return {name: faces for name, faces in found.items() if len(faces) >= 34}


def _as_inks(face: Image, inks: Inks) -> Image:
    """The same picture in the inks of another set: each pixel takes the ink its own hue is nearest to."""
    alpha = face[:, :, 3].astype(np.float32)
    colour = face[:, :, :3].astype(np.float32) / np.maximum(alpha[:, :, None], 1) * 255
    blue, green, red = colour[:, :, 0], colour[:, :, 1], colour[:, :, 2]
    strongest = colour.argmax(2)
    palette = np.array([inks.blue, inks.green, inks.red], np.float32)
    target = palette[strongest]
    grey = colour.max(2) - colour.min(2) < 45
    target[grey & (colour.max(2) < 120)] = inks.black
    pale = grey & (colour.max(2) >= 120)
    target[pale] = np.stack([blue, green, red], axis=2)[pale]
    return _ink(target, alpha)


def _ink(colour: NDArray[Any], alpha: NDArray[Any]) -> Image:
    out = np.empty((*alpha.shape, 4), np.uint8)
    out[:, :, :3] = np.clip(colour * alpha[:, :, None] / 255, 0, 255)
    out[:, :, 3] = alpha
    return out


def _by_parts(rng: np.random.Generator, tile: Tile, face: Image, inks: Inks, scheme: int, wind: Colour) -> Image:
    """Colour a black outline as sets do: each part in the ink of the stick, dot or character it belongs to."""
    alpha = face[:, :, 3]
    height, width = alpha.shape
    rank = tile.rank or 0
    colour = np.zeros((height, width, 3), np.float32)
    if tile.suit is Suit.CHARACTERS:
        colour[: round(height * 0.47)] = wind
        colour[round(height * 0.47) :] = inks.red
    elif tile.suit is Suit.HONOURS:
        colour[:] = {Tile.RED: inks.red, Tile.GREEN: inks.green, Tile.WHITE: inks.blue}.get(tile, wind)
    elif rank > 1:
        centres = dot_centres(rank) if tile.suit is Suit.DOTS else stick_centres(rank)
        colours = dot_colours(rank, scheme, inks)
        if tile.suit is Suit.BAMBOOS:
            colours = [at[2] for at in stick_centres(rank, inks, scheme)]
        ys, xs = np.mgrid[0:height, 0:width].astype(np.float32) / width
        spots = np.array([[0.5 + at[0], ASPECT / 2 + at[1]] for at in centres], np.float32)
        nearest = ((xs[:, :, None] - spots[:, 0]) ** 2 + (ys[:, :, None] - spots[:, 1]) ** 2).argmin(2)
        colour[:] = np.array(colours, np.float32)[nearest]
    else:
        count, parts = cv2.connectedComponents((alpha > 90).astype(np.uint8))
        main = inks.green if rng.random() < 0.8 else inks.blue
        other = [inks.red, inks.red, inks.blue, main, main]
        table = np.array([main, *(other[int(rng.integers(5))] for _ in range(count - 1))], np.float32)
        grown = cv2.dilate(parts.astype(np.uint16), np.ones((3, 3), np.uint8))
        colour[:] = table[np.minimum(grown, count - 1)]
    return _ink(colour, alpha.astype(np.float32))


def art_face(
    rng: np.random.Generator, name: str, tile: Tile, face: Image, inks: Inks, scheme: int, wind: Colour, own: bool
) -> Image:
    """A face of an art set in the inks of a design; ``own`` keeps the set's own colours where it has some."""
    if name.startswith("I.Mahjong"):
        return _by_parts(rng, tile, face, inks, scheme, wind)
    return face if own else _as_inks(face, inks)


def fitted_face(face: Image, width_px: int, scale: float) -> Image:
    """The picture scaled about the middle of a clear face of ``width_px``."""
    size = (width_px, round(width_px * ASPECT))
    source = cv2.resize(face, size, interpolation=cv2.INTER_AREA)
    matrix = np.array([[scale, 0, (1 - scale) * size[0] / 2], [0, scale, (1 - scale) * size[1] / 2]], np.float32)
    return np.asarray(cv2.warpAffine(source, matrix, size, flags=cv2.INTER_AREA), np.uint8)
