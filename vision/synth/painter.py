"""Draws the faces of one set by hand: lettering, inks and layout by chance, the same throughout the set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.tiles import Suit, Tile
from vision.synth.canvas import ASPECT, Canvas, Colour
from vision.synth.fonts import NUMBERS, Font, covers, fitted, glyph, hanzi_fonts, index_fonts, pick
from vision.synth.plants import draw_bird, draw_fan_bird, draw_plant
from vision.synth.suits import DotStyle, Inks, StickStyle, draw_bamboos, draw_dots


def to_colour(values: Sequence[float] | NDArray[np.generic]) -> Colour:
    """Three numbers as a colour, rounded and kept within 0..255."""
    b, g, r = (int(min(255, max(0, round(float(value))))) for value in values)
    return b, g, r


def random_inks(rng: np.random.Generator) -> Inks:
    """Red, green, blue and black as sets print or engrave them."""

    def ink(hue: tuple[int, int], saturation: tuple[int, int], value: tuple[int, int]) -> Colour:
        patch = np.array(
            [[[int(rng.integers(*hue)) % 180, int(rng.integers(*saturation)), int(rng.integers(*value))]]], np.uint8
        )
        return to_colour(cv2.cvtColor(patch, cv2.COLOR_HSV2BGR)[0, 0])

    deep = rng.random() < 0.7
    red = ink((174, 186), (185, 250), (115, 200) if deep else (180, 240))
    green = ink((52, 85), (140, 250), (35, 100) if deep else (90, 170))
    blue = ink((106, 125), (175, 250), (65, 155) if deep else (140, 225))
    black = to_colour(rng.uniform(5, 60, 3))
    if rng.random() < 0.2:
        green = ink((60, 100), (100, 220), (35, 80))  # green so dark that it is nearly black
    if rng.random() < 0.3:
        black = blue
    if rng.random() < 0.15:
        blue = black
    return Inks(red, green, blue, black)


@dataclass(frozen=True, slots=True)
class _Hand:
    """The lettering of one design."""

    font: Font
    second: Font
    digits: Font
    stretch: float
    weight: float
    shear: float
    five: str
    wan: str
    wind_ink: Colour
    number_ink: Colour
    wan_ink: Colour
    corner: str
    """Where the index figure stands: none, left, right or both."""
    corner_all: bool
    corner_ink: int
    simplified: bool
    white: str
    flower_names: bool
    bamboo_is_three: bool
    chinese_digits: bool
    season_ink: Colour
    plant_ink: Colour
    label: _FlowerLabel
    honour_size: tuple[float, float]
    """Width and height of winds and dragons in face widths, before the set's own scale."""
    north: str
    fan_bird: int | None
    """Seed of a peacock with a fan for the one of bamboos; None for another bird."""


@dataclass(frozen=True, slots=True)
class _FlowerLabel:
    """Where a flower carries its number and its name: places in face widths, sizes, and the drawing's share."""

    number: tuple[float, float]
    number_size: float
    name: tuple[float, float]
    name_size: float
    plant: float
    """How large the drawing is; small ones leave the middle of the face to a large name."""


def _random_label(rng: np.random.Generator) -> _FlowerLabel:
    """As sets print it: number and name in the upper corners, one over the other, or in opposite corners."""
    left, right, low = 0.2, 0.8, ASPECT - 0.22
    if rng.random() < 0.5:
        return _FlowerLabel((left, 0.2), 0.22, (right, 0.22), 0.3, 1.0)
    small, size, kind = float(rng.uniform(0.17, 0.25)), float(rng.uniform(0.24, 0.42)), rng.random()
    if kind < 0.35:
        if rng.random() < 0.7:
            return _FlowerLabel((left, 0.17), small, (left, 0.3 + size / 2), size, 1.0)
        return _FlowerLabel((left, 0.26 + size), small, (left, 0.1 + size / 2), size, 1.0)
    if kind < 0.7:
        if rng.random() < 0.5:
            return _FlowerLabel((left, 0.2), small, (right, low), size, 1.0)
        return _FlowerLabel((right, low), small, (left, 0.24), size, 1.0)
    large = float(rng.uniform(0.42, 0.6))  # a large name beside a small drawing
    return _FlowerLabel((left - 0.02, 0.18), small, (0.92 - large / 2, 0.08 + large / 2), large, 0.75)


def _random_hand(rng: np.random.Generator, inks: Inks, fonts: Sequence[Font], figures: Sequence[Font]) -> _Hand:
    apart = rng.spawn(1)[0]  # draws of its own: what else a seed gives stays as it is
    simplified = bool(rng.random() < 0.08)
    number = inks.blue if rng.random() < 0.5 else inks.black
    season_red = rng.random() < 0.5
    return _Hand(
        font=pick(rng, fonts),
        second=pick(rng, fonts),
        digits=pick(rng, figures),
        stretch=float(rng.uniform(1.05, 1.5)),
        weight=float(rng.uniform(-0.8, 3.0)),
        shear=float(rng.normal(0, 0.05)),
        five="伍" if rng.random() < 0.6 else "五",
        wan="万" if rng.random() < 0.12 else "萬",
        wind_ink=(inks.blue, inks.black, inks.blue, inks.green)[int(rng.choice(4, p=[0.45, 0.35, 0.15, 0.05]))],
        number_ink=number,
        wan_ink=inks.red if rng.random() < 0.92 else number,
        corner=str(rng.choice(["none", "left", "right", "both"], p=[0.52, 0.27, 0.12, 0.09])),
        corner_all=bool(rng.random() < 0.7),
        corner_ink=int(rng.integers(0, 4)),
        simplified=simplified,
        white=str(rng.choice(["double", "single", "fancy", "blank", "char"], p=[0.4, 0.22, 0.2, 0.15, 0.03])),
        flower_names=bool(rng.random() < 0.8),
        bamboo_is_three=bool(rng.random() < 0.2),
        chinese_digits=bool(rng.random() < 0.2),
        season_ink=inks.red if season_red else inks.blue,
        plant_ink=inks.blue if season_red else (inks.red, inks.black, inks.green)[int(rng.integers(3))],
        label=_random_label(apart),
        honour_size=(0.72, 0.98) if apart.random() < 0.65 else (float(apart.uniform(0.58, 0.74)), 0.7),
        north="此" if apart.random() < 0.12 else "北",  # as running script writes it
        fan_bird=int(apart.integers(1 << 30)) if apart.random() < 0.25 else None,
    )


class Painter:
    """Draws the faces of one procedural design; holds what they share."""

    def __init__(self, rng: np.random.Generator, fonts: Sequence[Font], figures: Sequence[Font], width_px: int) -> None:
        self.rng, self.width_px = rng, width_px
        self.inks = random_inks(rng)
        self.hand = _random_hand(rng, self.inks, fonts, figures)
        self.dots, self.sticks = DotStyle.random(rng), StickStyle.random(rng)
        self.lift = float(rng.uniform(0.02, 0.06)) if self.hand.corner != "none" and rng.random() < 0.5 else 0.0
        self.scale = float(rng.uniform(0.86, 1.04))
        self.wobble = rng.normal(0, abs(float(rng.normal(0, 0.018))), (5, 5, 2)).astype(np.float32)

    def text(
        self, canvas: Canvas, text: str, centre: tuple[float, float], box: tuple[float, float], ink: Colour
    ) -> None:
        """A character fitted into ``box`` (in face widths) about ``centre``."""
        font = self.hand.font
        mask = glyph(font, text)
        size = (max(2, round(box[0] * canvas.unit)), max(2, round(box[1] * canvas.unit)))
        if text in "一二三":  # flat characters keep their own height
            size = (size[0], max(2, round(size[1] * {"一": 0.34, "二": 0.8, "三": 1.0}[text])))
        bent = fitted(mask, size, self.hand.stretch, self.hand.weight, self.hand.shear, self.wobble)
        canvas.stamp(bent, centre, ink)

    def figure(self, canvas: Canvas, text: str, ink: Colour, height: float, x: float, y: float) -> None:
        """A small index figure."""
        size = (round(height * 0.8 * canvas.unit), round(height * canvas.unit))
        canvas.stamp(fitted(glyph(self.hand.digits, text), size, 1.1, 0.5), (x, y), ink)

    def corners(self, canvas: Canvas, text: str) -> None:
        """The index figures where this design has them."""
        if self.hand.corner == "none":
            return
        ink = (self.inks.red, self.inks.green, self.inks.blue, self.inks.black)[self.hand.corner_ink]
        height = 0.17
        if self.hand.corner in ("left", "both"):
            self.figure(canvas, text, ink, height, 0.15, 0.17)
        if self.hand.corner in ("right", "both"):
            y = 0.17 if self.hand.corner == "right" else ASPECT - 0.17
            self.figure(canvas, text, ink, height, 0.85, y)

    def face(self, tile: Tile) -> Canvas:
        """The ink of one face."""
        canvas = Canvas(self.width_px)
        rank = tile.rank or 0
        if tile.suit is Suit.CHARACTERS:
            self._characters(canvas, rank)
        elif tile.suit is Suit.DOTS:
            draw_dots(canvas, rank, self.inks, self.dots, self.rng, self.lift)
        elif tile.suit is Suit.BAMBOOS and rank == 1:
            draw_bird(canvas, self.inks, self.rng, self.lift)
            if self.hand.fan_bird is not None:
                canvas = Canvas(self.width_px)
                draw_fan_bird(canvas, self.inks, np.random.default_rng(self.hand.fan_bird), self.lift)
        elif tile.suit is Suit.BAMBOOS:
            draw_bamboos(canvas, rank, self.inks, self.sticks, self.lift)
        elif tile.suit is Suit.HONOURS:
            self._honour(canvas, tile)
        else:
            self._flower(canvas, tile)
        if tile.suit is Suit.HONOURS and (self.hand.corner_all and tile is not Tile.WHITE):
            self.corners(canvas, tile.code)
        elif rank and (self.hand.corner_all or tile.suit is Suit.CHARACTERS):
            self.corners(canvas, str(rank))
        return canvas

    def _characters(self, canvas: Canvas, rank: int) -> None:
        number = self.hand.five if rank == 5 else NUMBERS[rank - 1]
        wan = "万" if self.hand.simplified else self.hand.wan
        if not covers(self.hand.font, wan):
            wan = "萬"
        wide, s = 0.68 * self.scale, self.scale
        self.text(canvas, number, (0.5, 0.36 + self.lift), (wide, 0.46 * s), self.hand.number_ink)
        self.text(canvas, wan, (0.5, 0.92 + self.lift * 0.6), (wide * 1.02, 0.56 * s), self.hand.wan_ink)

    def _honour(self, canvas: Canvas, tile: Tile) -> None:
        s, middle = self.scale, (0.5, 2 / 3 + self.lift)
        if tile is Tile.WHITE:
            self._white(canvas)
            return
        north = self.hand.north if covers(self.hand.font, self.hand.north) else "北"
        text = {Tile.EAST: "東", Tile.SOUTH: "南", Tile.WEST: "西", Tile.NORTH: north, Tile.RED: "中"}.get(tile, "發")
        if self.hand.simplified and covers(self.hand.font, "东发"):
            text = {"東": "东", "發": "发"}.get(text, text)
        ink = {Tile.RED: self.inks.red, Tile.GREEN: self.inks.green}.get(tile, self.hand.wind_ink)
        wide, high = self.hand.honour_size
        box = (wide * s, high * s) if tile is not Tile.RED else (wide * 0.83 * s, high * 1.04 * s)
        self.text(canvas, text, middle, box, ink)

    def _white(self, canvas: Canvas) -> None:
        kind, ink = self.hand.white, self.inks.blue
        if kind == "blank":
            return
        if kind == "char":
            self.text(canvas, "白", (0.5, 2 / 3 + self.lift), (0.68, 0.9), ink)
            return
        inset, line = float(self.rng.uniform(0.1, 0.18)), float(self.rng.uniform(0.02, 0.045))
        low = ASPECT - inset * 1.05
        box = [(inset, inset), (1 - inset, inset), (1 - inset, low), (inset, low)]
        canvas.line(box, line, ink, closed=True)
        if kind == "single":
            return
        gap = float(self.rng.uniform(0.06, 0.11))
        x0, y0, x1, y1 = inset + gap, inset + gap, 1 - inset - gap, low - gap
        cut = gap * 0.9 if kind == "fancy" else 0.0
        inner = [(x0 + cut, y0), (x1 - cut, y0), (x1, y0 + cut), (x1, y1 - cut)]
        inner += [(x1 - cut, y1), (x0 + cut, y1), (x0, y1 - cut), (x0, y0 + cut)]
        canvas.line(inner, line * 0.8, ink, closed=True)
        if kind == "fancy" and self.rng.random() < 0.6:
            for index in range(1, 6):
                for x in (inset, x1):
                    y = inset + index * (low - inset) / 6
                    canvas.line([(x, y), (x + gap, y)], line * 0.8, ink)

    def _flower(self, canvas: Canvas, tile: Tile) -> None:
        which, label = int(tile) - int(Tile.SPRING) + 1, self.hand.label
        season = which <= 4
        draw_plant(canvas, which, self.inks, self.rng, 0.04 if label.plant == 1 else 0.16, label.plant)
        number = (which - 1) % 4 + 1
        if not season and not self.hand.bamboo_is_three:
            number = {3: 4, 4: 3}.get(number, number)
        ink = self.hand.season_ink if season else self.hand.plant_ink
        x, y = self._across(label.number)
        if self.hand.chinese_digits:
            side = round((label.number_size + 0.02) * canvas.unit)
            canvas.stamp(fitted(glyph(self.hand.second, NUMBERS[number - 1]), (side, side), 1.1), (x, y), ink)
        else:
            self.figure(canvas, str(number), ink, label.number_size, x, y)
        if season or self.hand.flower_names:
            side = round(label.name_size * canvas.unit)
            mask = fitted(glyph(self.hand.second, "春夏秋冬梅蘭竹菊"[which - 1]), (side, side), 1.1, 0.6)
            other = self.inks.red if self.rng.random() < 0.5 else self.inks.black
            clear = np.full((round((label.name_size + 0.04) * canvas.unit),) * 2, 255, np.uint8)
            canvas.stamp(clear, self._across(label.name), None)
            canvas.stamp(mask, self._across(label.name), ink if self.rng.random() < 0.6 else other)

    def _across(self, at: tuple[float, float]) -> tuple[float, float]:
        """A place on a flower, on the other side where the set has its index figures on the right."""
        return (1 - at[0] if self.hand.corner == "right" else at[0]), at[1]


def random_painter(rng: np.random.Generator, fonts_folder: str | None, width_px: int) -> Painter:
    """The hand of a new set; ValueError when no font with the traditional characters is found."""
    fonts = hanzi_fonts(fonts_folder)
    if not fonts:
        raise ValueError("no font with traditional Chinese characters found; install one, such as Noto Serif CJK")
    return Painter(rng, fonts, index_fonts(fonts_folder), width_px)
