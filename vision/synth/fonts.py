"""Fonts that hold the characters of a tile set: found on the system or in a folder, and turned into ink masks."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Mask = NDArray[np.uint8]

NUMBERS = "一二三四五六七八九"
HANZI = NUMBERS + "伍萬東南西北中發白春夏秋冬梅蘭菊竹"
"""What a font has to hold to draw a whole traditional set."""

_SYSTEM_FOLDERS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path("/Library/Fonts"))
_FIGURE_FAMILIES = ("DejaVu", "Liberation", "Noto Serif", "Sans")
_LEFT_OUT = ("Mono", "Sousyo")  # twins of other fonts; grass script, which no tile is cut in
_EM_PX = 256


@dataclass(frozen=True, slots=True)
class Font:
    """One face of a font file (collections hold several)."""

    path: str
    index: int
    family: str


@lru_cache(maxsize=256)
def _load(path: str, index: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, _EM_PX, index=index)


@lru_cache(maxsize=4096)
def glyph(font: Font, text: str) -> Mask:
    """Ink of ``text`` cropped to its extent, HxW uint8 (0 paper, 255 ink); 1x1 zero where the font draws nothing."""
    face = _load(font.path, font.index)
    left, top, right, bottom = face.getbbox(text)
    width, height = int(right - left), int(bottom - top)
    if width < 1 or height < 1:
        return np.zeros((1, 1), np.uint8)
    picture = Image.new("L", (width, height), 0)
    ImageDraw.Draw(picture).text((-left, -top), text, fill=255, font=face)
    mask = np.asarray(picture, np.uint8)
    rows, columns = np.flatnonzero(mask.max(1) > 40), np.flatnonzero(mask.max(0) > 40)
    if not rows.size or not columns.size:
        return np.zeros((1, 1), np.uint8)
    return np.ascontiguousarray(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


@lru_cache(maxsize=1024)
def covers(font: Font, text: str = HANZI) -> bool:
    """Whether the font draws every character of ``text`` as something of its own (not the box for missing ones)."""
    try:
        missing = glyph(font, "\U0010fffd")
        masks = [glyph(font, character) for character in text]
    except OSError:
        return False
    if any(mask.size < 200 for mask in masks):
        return False
    if any(mask.shape == missing.shape and np.array_equal(mask, missing) for mask in masks):
        return False
    return len({mask.tobytes() for mask in masks}) == len(masks)


def _system_fonts() -> list[Font]:
    if shutil.which("fc-list"):
        listing = subprocess.run(
            ["fc-list", "--format", "%{file}\t%{index}\t%{family[0]}\t%{style[0]}\n"],
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        rows = [line.split("\t") for line in listing.splitlines() if line.count("\t") == 3]
        return [Font(path, int(index) & 0xFFFF, f"{family} {style}") for path, index, family, style in rows]
    return [font for folder in _SYSTEM_FOLDERS if folder.is_dir() for font in _folder_fonts(folder)]


def _folder_fonts(folder: Path) -> list[Font]:
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in {".ttf", ".otf", ".ttc"})
    return [Font(str(path), 0, path.stem) for path in files]


@lru_cache(maxsize=8)
def hanzi_fonts(folder: str | None = None) -> tuple[Font, ...]:
    """Fonts with every character of a set, in a fixed order, from ``folder`` or else from the system.

    Monospaced twins and repeats of one drawing are left out, so that a random choice is a choice of hands.
    """
    candidates = _folder_fonts(Path(folder)) if folder else _system_fonts()
    candidates = sorted(set(candidates), key=lambda font: (font.family, font.path, font.index))
    chosen: dict[bytes, Font] = {}
    for font in candidates:
        if any(word in font.family for word in _LEFT_OUT) or Path(font.path).suffix.lower() not in {
            ".ttf",
            ".otf",
            ".ttc",
        }:
            continue
        if covers(font):
            chosen.setdefault(b"".join(glyph(font, character).tobytes() for character in "萬發東"), font)
    return tuple(chosen.values())


@lru_cache(maxsize=8)
def index_fonts(folder: str | None = None) -> tuple[Font, ...]:
    """Fonts for the small Latin figures in the corner of a tile."""
    candidates = _folder_fonts(Path(folder)) if folder else _system_fonts()
    wanted = sorted(set(candidates), key=lambda font: (font.family, font.path, font.index))
    keep = [font for font in wanted if any(name in font.family for name in _FIGURE_FAMILIES)]
    keep = [font for font in keep if "Symbol" not in font.family and "Emoji" not in font.family]
    usable = [font for font in keep if covers(font, "123456789ESWNCFP")]
    return tuple(usable[:40]) or hanzi_fonts(folder)


def fitted(
    mask: Mask,
    box_px: tuple[int, int],
    stretch: float = 1.25,
    weight: float = 0.0,
    shear: float = 0.0,
    wobble: NDArray[np.float32] | None = None,
) -> Mask:
    """The glyph scaled into ``box_px`` (width, height), its proportions bent by at most ``stretch``.

    ``weight`` thickens (positive) or thins (negative) the strokes, in 1/100 of the box height; ``shear`` leans them;
    ``wobble`` (n, n, 2) bends them by shares of the box, smoothly.
    """
    width, height = box_px
    scale_x, scale_y = width / mask.shape[1], height / mask.shape[0]
    scale_x, scale_y = min(scale_x, scale_y * stretch), min(scale_y, scale_x * stretch)
    out_w, out_h = max(1, round(mask.shape[1] * scale_x)), max(1, round(mask.shape[0] * scale_y))
    out: Mask = np.asarray(cv2.resize(mask, (out_w, out_h), interpolation=cv2.INTER_AREA), np.uint8)
    pad = max(2, round(height * 0.04))
    out = np.asarray(cv2.copyMakeBorder(out, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0), np.uint8)
    if shear:
        turn = np.array([[1, shear, -shear * out.shape[0] / 2], [0, 1, 0]], np.float32)
        out = np.asarray(cv2.warpAffine(out, turn, (out.shape[1], out.shape[0])), np.uint8)
    if wobble is not None:
        rows, columns = out.shape
        bend = cv2.resize(wobble, (columns, rows), interpolation=cv2.INTER_CUBIC)
        ys, xs = np.mgrid[0:rows, 0:columns].astype(np.float32)
        out = np.asarray(
            cv2.remap(out, xs + bend[:, :, 0] * columns, ys + bend[:, :, 1] * rows, cv2.INTER_LINEAR), np.uint8
        )
    step = abs(weight) * height / 100
    if step >= 0.5:
        blurred = cv2.GaussianBlur(out, (0, 0), max(0.6, step))
        threshold = 70 if weight > 0 else 175
        out = np.where(blurred > threshold, 255, 0).astype(np.uint8)
    return out


_BRUSH = ("Kai", "Brush", "Klee", "WenKai", "Aoyagi", "Dejima", "Oradano", "FangSong")
_BROAD = ("Serif", "Ming", "Sung", "Mincho", "Reggae")


def pick(rng: np.random.Generator, fonts: Sequence[Font]) -> Font:
    """One font by chance: brush and regular scripts, which most sets are cut in, more often than sans-serif ones."""
    weights = np.array(
        [
            4.0
            if any(name in font.family for name in _BRUSH)
            else 2.0
            if any(n in font.family for n in _BROAD)
            else 0.7
            for font in fonts
        ]
    )
    return fonts[int(rng.choice(len(fonts), p=weights / weights.sum()))]
