"""A design is one physical set of tiles: 42 face pictures, the colours of its body, and its proportions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.tiles import ALL_TILES, Tile
from vision.synth.art import CREDITS, HELD_OUT, art_face, art_sets, fitted_face
from vision.synth.backs import framed_white, patterned_back
from vision.synth.canvas import Colour
from vision.synth.painter import random_painter, to_colour
from vision.synth.photos import photographed_faces, read_crops

Faces = NDArray[np.uint8]
FACE_WIDTH_PX = 144
BACK_PICTURE = 42
"""Index of the back among the pictures of a design."""


@dataclass(frozen=True, slots=True)
class Body:
    """The solid of a tile: colours BGR 0..255, lengths in face widths."""

    face: Colour
    back: Colour
    back_share: float
    """Share of the thickness that has the colour of the back (0: one colour all through)."""
    height: float
    thickness: float
    radius: float
    """Rounding of edges and corners."""
    gloss: float
    """0 matt .. 1 polished."""


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """One set of tiles. ``faces`` is (42, H, W, 4) uint8, premultiplied BGRA ink in the order of ``ALL_TILES``."""

    name: str
    faces: Faces
    body: Body
    credit: str = "procedural"
    back: Faces | None = None
    """Picture of the back (H, W, 3) BGR; None for the plain colour of the body."""
    levels: tuple[Faces, ...] = ()
    """Faces and back as they look on the body, (43, H, W, 3), in full, half and quarter size; made if left out."""

    def __post_init__(self) -> None:
        if self.levels:
            return
        count, height, width, _ = self.faces.shape
        full = np.empty((count + 1, height, width, 3), np.uint8)
        for picture, face in zip(full, self.faces, strict=False):
            clear = cv2.cvtColor(255 - face[:, :, 3], cv2.COLOR_GRAY2BGR)
            paper = np.broadcast_to(np.array(self.body.face, np.uint8), clear.shape)
            picture[:] = cv2.add(cv2.multiply(np.ascontiguousarray(paper), clear, scale=1 / 255), face[:, :, :3])
        full[BACK_PICTURE] = self.body.back if self.back is None else self.back
        levels = [full]
        for _ in range(2):
            size = (levels[-1].shape[2] // 2, levels[-1].shape[1] // 2)
            levels.append(np.stack([cv2.resize(face, size, interpolation=cv2.INTER_AREA) for face in levels[-1]]))
        object.__setattr__(self, "levels", tuple(levels))


def random_body(rng: np.random.Generator) -> Body:
    """A body by chance: ivory, white or grey faces, rarely tinted; backs of every colour, or none."""
    warm = float(rng.normal(0, 1))
    light = float(rng.uniform(215, 252)) if rng.random() < 0.8 else float(rng.uniform(185, 225))
    face = (light - max(0.0, warm) * 18, light - abs(warm) * 4, light + min(0.0, warm) * 14)
    if rng.random() < 0.06:  # tinted faces: pale blue, green, pink
        tint = rng.uniform(0.72, 1.0, 3)
        face = (light * float(tint[0]), light * float(tint[1]), light * float(tint[2]))
    hues = [60, 75, 105, 112, 118, 22, 14, 5, 172, 150, 35, 130, 90]
    hue = (int(hues[int(rng.integers(len(hues)))]) + int(rng.integers(-6, 7))) % 180
    patch = np.array([[[hue, int(rng.integers(110, 245)), int(rng.integers(70, 240))]]], np.uint8)
    back = cv2.cvtColor(patch, cv2.COLOR_HSV2BGR)[0, 0]
    if rng.random() < 0.1:
        back = np.array([1, 1, 1]) * int(rng.integers(15, 70))
    one_colour = rng.random() < 0.22
    return Body(
        face=to_colour(face),
        back=to_colour(face) if one_colour else to_colour(back),
        back_share=0.0 if one_colour else float(rng.uniform(0.2, 0.55)),
        height=float(rng.uniform(1.26, 1.42)),
        thickness=float(rng.uniform(0.55, 0.86)),
        radius=float(rng.uniform(0.045, 0.11)),
        gloss=float(rng.uniform(0, 1)),
    )


def finish_ink(faces: Faces, rng: np.random.Generator) -> Faces:
    """Engraving and print: a lit and a shaded flank on every stroke, uneven ink."""
    angle, depth = float(rng.uniform(0, 2 * math.pi)), float(rng.uniform(0, 1)) ** 1.5 * 0.8
    opacity = float(rng.uniform(0.88, 1.0))
    out = np.empty_like(faces)
    for index, face in enumerate(faces):
        alpha = face[:, :, 3].astype(np.float32) / 255
        soft = cv2.GaussianBlur(alpha, (0, 0), 1.4)
        slope = cv2.Sobel(soft, cv2.CV_32F, 1, 0) * math.cos(angle) + cv2.Sobel(soft, cv2.CV_32F, 0, 1) * math.sin(
            angle
        )
        shade = slope * depth * 0.35
        ink = face[:, :, :3].astype(np.float32) * (1 - np.clip(-shade, 0, 1))[:, :, None]
        ink += np.clip(shade, 0, 1)[:, :, None] * 120 * alpha[:, :, None]
        out[index, :, :, :3] = np.clip(ink * opacity, 0, 255)
        out[index, :, :, 3] = np.clip(alpha * 255 * opacity, 0, 255)
    return out


def procedural_design(
    rng: np.random.Generator, fonts_folder: str | None = None, width_px: int = FACE_WIDTH_PX
) -> Design:
    """A whole set of tiles from fonts and geometry alone.

    Raises ValueError when neither the system nor ``fonts_folder`` has a font with the traditional characters.
    """
    painter = random_painter(rng, fonts_folder, width_px)
    faces = np.stack([painter.face(tile).reduced(width_px) for tile in ALL_TILES])
    return Design(f"procedural-{painter.hand.font.family}", finish_ink(faces, rng), random_body(rng))


def with_back(rng: np.random.Generator, design: Design, patterned: float = 0.4) -> Design:
    """The set with a back by chance: as it is, plain white or ivory, or (a share of ``patterned``) with a pattern.

    A set of one colour all through keeps no blank white dragon: nobody could tell it from a back.
    """
    body, chance = design.body, rng.random()
    if chance < 0.15 and body.back_share > 0:  # a pale back, told from the face by the seam on the sides only
        level = float(rng.uniform(190, 250))
        pale = to_colour((level - float(rng.uniform(0, 25)), level, level + float(rng.uniform(-6, 6))))
        body = replace(body, back=pale)
    height, width = design.faces.shape[1:3]
    back = patterned_back(rng, body.back, (height, width)) if rng.random() < patterned else None
    faces, inner = design.faces, design.levels[0][Tile.WHITE, height // 12 : -height // 12, width // 12 : -width // 12]
    if body.back_share == 0 and back is None and inner.std(axis=(0, 1)).max() < 6:
        faces = faces.copy()
        faces[Tile.WHITE] = framed_white(rng, width)
    return Design(design.name, faces, body, design.credit, back)


_GROUPS: tuple[tuple[Tile, ...], ...] = (
    ALL_TILES[0:9],
    ALL_TILES[9:18],
    ALL_TILES[19:27],
    (Tile.S1,),
    ALL_TILES[27:31],
    ALL_TILES[31:33],
    (Tile.WHITE,),
    ALL_TILES[34:38],
    ALL_TILES[38:42],
)
"""What is drawn by one hand on a set: groups that may come from different sources."""


def art_design(
    rng: np.random.Generator,
    art: Path,
    fonts_folder: str | None = None,
    width_px: int = FACE_WIDTH_PX,
    only: str | None = None,
) -> Design:
    """A set from the free art in ``art``: one art set throughout, or a mixture with procedural groups.

    ``only`` names the art set to take throughout; it may be the one that is held out of training.
    """
    painter = random_painter(rng, fonts_folder, width_px)
    usable = {only} if only is not None else art_sets(art).keys() - {HELD_OUT}
    sets = {name: faces for name, faces in art_sets(art).items() if name in usable}
    if not sets:
        raise ValueError(f"no tile art found in {art}; expected samoheen, xhokir, fluffystuff or I.Mahjong there")
    names = sorted(sets)
    main = names[int(rng.integers(len(names)))]
    mixed = bool(rng.random() < 0.6) and only is None
    scheme, own, scale = int(rng.integers(0, 6)), bool(rng.random() < 0.4), float(rng.uniform(0.84, 1.0))
    used = {main}
    faces: dict[Tile, Faces] = {}
    for group in _GROUPS:
        name = main if not mixed else names[int(rng.integers(len(names)))]
        if mixed and rng.random() < 0.4:
            continue
        for tile in group:
            if tile in sets[name] and not (tile is Tile.WHITE and name in {"xhokir", "fluffystuff"} and mixed):
                used.add(name)
                face = art_face(rng, name, tile, sets[name][tile], painter.inks, scheme, painter.hand.wind_ink, own)
                faces[tile] = fitted_face(face, width_px, scale)
    stack = np.stack([faces[tile] if tile in faces else painter.face(tile).reduced(width_px) for tile in ALL_TILES])
    credit = "; ".join(sorted({CREDITS[name if name in CREDITS else "I.Mahjong"] for name in used}))
    return Design(f"art-{main}{'-mixed' if mixed else ''}", finish_ink(stack, rng), random_body(rng), credit)


def photo_design(
    rng: np.random.Generator,
    pictures: Mapping[Tile, Sequence[Faces]],
    fonts_folder: str | None = None,
    width_px: int = FACE_WIDTH_PX,
) -> Design:
    """A set whose faces are upright photographs (HxWx3 BGR) of real ones; kinds without a picture are procedural."""
    base = procedural_design(rng, fonts_folder, width_px)
    faces = base.faces.copy()
    for tile, face in photographed_faces(rng, pictures, width_px, base.body.face).items():
        faces[tile] = face
    return Design("photographed", faces, base.body, "photographs")


def design_pool(
    seed: int,
    count: int,
    art: Path | None = None,
    fonts_folder: str | None = None,
    crops: Path | None = None,
    width_px: int = FACE_WIDTH_PX,
    patterned: float = 0.4,
) -> list[Design]:
    """``count`` designs for training: procedural ones, a third of them art where ``art`` is given, and
    a quarter photographed where ``crops`` is given; a share of ``patterned`` has a pattern on the backs.

    ``crops`` is a folder as `photos.read_crops` takes it. Design
    i of a seed is the same whatever ``count`` is.
    """
    photographed = read_crops(crops) if crops else []
    pool = []
    for index in range(count):
        rng = np.random.default_rng([seed, index])
        if photographed and index % 4 == 3:
            chosen = photographed[int(rng.integers(len(photographed)))]
            design = photo_design(rng, chosen, fonts_folder, width_px)
        elif art and index % 3 == 1:
            design = art_design(rng, art, fonts_folder, width_px)
        else:
            design = procedural_design(rng, fonts_folder, width_px)
        pool.append(with_back(np.random.default_rng([seed, index, 1]), design, patterned))
    return pool
