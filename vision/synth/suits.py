"""Dots and bamboos drawn from scratch: layouts as on real sets, style by chance."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from vision.synth.canvas import Canvas, Colour, Point


@dataclass(frozen=True, slots=True)
class Inks:
    """The four inks of a set, BGR. Some sets have no black: then it equals the blue or the green."""

    red: Colour
    green: Colour
    blue: Colour
    black: Colour


# --- dots -----------------------------------------------------------------------------------------------------------

_X2, _X3 = (-0.24, 0.24), (-0.29, 0.0, 0.29)


def dot_layout(rank: int) -> tuple[list[Point], float]:
    """Centres relative to the middle of the face, and the radius."""
    if rank == 2:
        return [(0, -0.29), (0, 0.29)], 0.2
    if rank == 3:
        return [(-0.26, -0.36), (0, 0), (0.26, 0.36)], 0.16
    if rank == 4:
        return [(x, y) for y in (-0.28, 0.28) for x in _X2], 0.17
    if rank == 5:
        return [(x, y) for y in (-0.33, 0.33) for x in (-0.26, 0.26)] + [(0, 0)], 0.155
    if rank == 6:
        return [(x, y) for y in (-0.38, 0.08, 0.4) for x in _X2], 0.15
    if rank == 7:
        top = [(-0.29, -0.45), (0.0, -0.33), (0.29, -0.21)]
        return top + [(x, y) for y in (0.12, 0.42) for x in (-0.19, 0.19)], 0.138
    if rank == 8:
        return [(x, y) for y in (-0.44, -0.147, 0.147, 0.44) for x in (-0.18, 0.18)], 0.138
    return [(x, y) for y in (-0.37, 0, 0.37) for x in _X3], 0.138


@dataclass(frozen=True, slots=True)
class DotStyle:
    """How one dot looks and how the dots of a face are coloured."""

    kind: str
    line: float
    rings: int
    spokes: int
    fill: bool
    scale: float
    spread: float
    scheme: int
    big: str
    hollow: bool

    @classmethod
    def random(cls, rng: np.random.Generator) -> DotStyle:
        """A style by chance."""
        return cls(
            kind=str(rng.choice(["rings", "rings", "rings", "spokes", "petals", "target", "cross"])),
            line=float(rng.uniform(0.14, 0.27)),
            rings=int(rng.integers(1, 4)),
            spokes=int(rng.integers(5, 13)),
            fill=bool(rng.random() < 0.35),
            scale=float(rng.uniform(0.9, 1.14)),
            spread=float(rng.uniform(0.94, 1.1)),
            scheme=int(rng.integers(0, 6)),
            big=str(rng.choice(["petals", "spikes", "rings", "double", "beads"])),
            hollow=bool(rng.random() < 0.5),
        )


def dot_colours(rank: int, scheme: int, inks: Inks) -> list[Colour]:
    """The ink of each dot of ``dot_layout``, in one of six ways sets do it."""
    r, g, b, k = inks.red, inks.green, inks.blue, inks.black
    dark = (g, b, k, g, b, k)[scheme]
    if rank == 2:
        return [g, b] if scheme < 3 else [dark, dark] if scheme < 5 else [b, g]
    if rank == 3:
        return [g, r, b] if scheme < 2 else [b, r, g] if scheme < 4 else [dark, r, dark]
    if rank == 4:
        return [b, g, g, b] if scheme < 2 else [g, b, b, g] if scheme == 2 else [dark] * 4
    if rank == 5:
        outer = [b, g, g, b] if scheme < 2 else [g, b, b, g] if scheme == 2 else [dark] * 4
        return [*outer, r]
    if rank == 6:
        return [g if scheme < 3 else dark] * 2 + [r] * 4
    if rank == 7:
        return [g if scheme < 3 else dark] * 3 + [r] * 4
    if rank == 8:
        return [b if scheme < 3 else dark] * 8
    rows = (b, r, g) if scheme < 2 else (g, r, b) if scheme == 2 else (dark, r, dark)
    return [rows[index // 3] for index in range(9)]


def _dot(canvas: Canvas, at: Point, radius: float, colour: Colour, accent: Colour, style: DotStyle) -> None:
    width = radius * style.line
    canvas.disc(at, radius, colour)
    if not style.fill:
        canvas.disc(at, radius - width, None)
    inner = radius - 2.1 * width
    if style.kind == "target" or style.kind == "rings":
        if style.fill:
            canvas.ring(at, radius * 0.62, width * 0.6, (245, 245, 245))
            canvas.disc(at, radius * 0.24, (245, 245, 245) if style.hollow else accent)
            return
        for index in range(style.rings):
            canvas.ring(at, max(inner - index * 1.9 * width, width * 0.5), width * 0.8, colour)
        canvas.disc(at, radius * 0.16, accent if style.kind == "target" else colour)
    elif style.kind == "spokes":
        paper = None if not style.fill else (240, 240, 240)
        ink: Colour | None = colour if not style.fill else paper
        for index in range(style.spokes):
            angle = 2 * math.pi * index / style.spokes
            end = (at[0] + inner * 1.1 * math.cos(angle), at[1] + inner * 1.1 * math.sin(angle))
            canvas.line([at, end], width * 0.6, ink)
        canvas.disc(at, radius * 0.3, accent if style.hollow else colour)
        canvas.disc(at, radius * 0.13, paper)
    elif style.kind == "petals":
        ink = colour if not style.fill else (240, 240, 240)
        for index in range(style.spokes // 2 + 3):
            angle = 2 * math.pi * index / (style.spokes // 2 + 3)
            centre = (at[0] + inner * 0.55 * math.cos(angle), at[1] + inner * 0.55 * math.sin(angle))
            canvas.ellipse(centre, (inner * 0.42, inner * 0.2), math.degrees(angle), ink)
        canvas.disc(at, radius * 0.2, accent)
    else:
        ink = colour if not style.fill else (240, 240, 240)
        for angle_deg in (45, 135):
            angle = math.radians(angle_deg)
            dx, dy = inner * math.cos(angle), inner * math.sin(angle)
            canvas.line([(at[0] - dx, at[1] - dy), (at[0] + dx, at[1] + dy)], width * 0.8, ink)
        canvas.disc(at, radius * 0.34, colour)
        canvas.disc(at, radius * 0.18, None if not style.fill else (240, 240, 240))


def _one_dot(canvas: Canvas, at: Point, inks: Inks, style: DotStyle, rng: np.random.Generator) -> None:
    outer = (inks.green, inks.blue, inks.black)[style.scheme % 3]
    middle = (inks.red, inks.blue, inks.green)[int(rng.integers(3))]
    radius = 0.38 * style.scale
    count = int(rng.integers(8, 22))
    if style.big == "petals":
        for index in range(count):
            angle = 2 * math.pi * index / count
            centre = (at[0] + radius * 0.8 * math.cos(angle), at[1] + radius * 0.8 * math.sin(angle))
            canvas.ellipse(centre, (radius * 0.2, radius * 2.1 / count), math.degrees(angle), outer)
            if style.hollow:
                canvas.ellipse(centre, (radius * 0.12, radius * 1.1 / count), math.degrees(angle), None)
    elif style.big == "spikes":
        for index in range(count):
            angle, half = 2 * math.pi * index / count, math.pi / count
            canvas.polygon(
                [
                    (at[0] + radius * math.cos(angle), at[1] + radius * math.sin(angle)),
                    (at[0] + radius * 0.66 * math.cos(angle - half), at[1] + radius * 0.66 * math.sin(angle - half)),
                    (at[0] + radius * 0.66 * math.cos(angle + half), at[1] + radius * 0.66 * math.sin(angle + half)),
                ],
                outer,
            )
    else:
        canvas.disc(at, radius, outer)
        canvas.disc(at, radius * 0.9, None)
        if style.big == "beads":
            for index in range(count):
                angle = 2 * math.pi * index / count
                centre = (at[0] + radius * 0.8 * math.cos(angle), at[1] + radius * 0.8 * math.sin(angle))
                canvas.disc(centre, radius * 1.4 / count, middle if style.hollow else outer)
        elif style.big == "double":
            canvas.ring(at, radius * 0.8, radius * 0.06, outer)
    canvas.disc(at, radius * 0.64, outer)
    canvas.disc(at, radius * 0.56, None)
    canvas.ring(at, radius * 0.42, radius * float(rng.uniform(0.06, 0.16)), middle)
    inner = DotStyle.random(rng)
    _dot(canvas, at, radius * 0.3, inks.red, outer, inner)


def draw_dots(canvas: Canvas, rank: int, inks: Inks, style: DotStyle, rng: np.random.Generator, lift: float) -> None:
    """Face of ``rank`` dots; ``lift`` moves the picture down (positive) to leave room for an index figure."""
    middle = (0.5, 2 / 3 + lift)
    if rank == 1:
        _one_dot(canvas, middle, inks, style, rng)
        return
    centres, radius = dot_layout(rank)
    colours = dot_colours(rank, style.scheme, inks)
    for (x, y), colour in zip(centres, colours, strict=True):
        accent = inks.red if colour != inks.red else (inks.blue if style.hollow else inks.red)
        at = (middle[0] + x * style.spread, middle[1] + y * style.spread)
        _dot(canvas, at, radius * style.scale * style.spread, colour, accent, style)


def dot_centres(rank: int) -> list[Point]:
    """Where the dots of a face are, relative to its middle."""
    return dot_layout(rank)[0]


# --- bamboos --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StickStyle:
    """How one bamboo stick looks and how the sticks of a face are coloured."""

    kind: str
    width: float
    line: float
    nodes: int
    scheme: int
    scale: float
    eight: bool

    @classmethod
    def random(cls, rng: np.random.Generator) -> StickStyle:
        """A style by chance."""
        return cls(
            kind=str(rng.choice(["knots", "knots", "capsule", "chain", "dumbbell", "solid", "line"])),
            width=float(rng.uniform(0.1, 0.165)),
            line=float(rng.uniform(0.2, 0.36)),
            nodes=int(rng.integers(2, 5)),
            scheme=int(rng.integers(0, 5)),
            scale=float(rng.uniform(0.96, 1.16)),
            eight=bool(rng.random() < 0.65),
        )


def _stick(canvas: Canvas, start: Point, end: Point, width: float, colour: Colour, style: StickStyle) -> None:
    """One stick from ``start`` to ``end``."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    ux, uy = dx / length, dy / length
    half = width / 2
    a = (start[0] + ux * half, start[1] + uy * half)
    b = (end[0] - ux * half, end[1] - uy * half)

    def along(share: float) -> Point:
        return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share

    paper = None
    if style.kind in ("capsule", "knots"):
        canvas.line([a, b], width * 0.82, colour)
        if style.kind == "knots":
            for index in range(style.nodes):
                canvas.disc(along(index / (style.nodes - 1)), half, colour)
        inner = width * (0.82 - 2 * style.line)
        if inner > 0.01:
            canvas.line([along(0.03), along(0.97)], inner, paper)
    elif style.kind == "chain":
        count = style.nodes
        turn = math.degrees(math.atan2(dy, dx))
        for index in range(count):
            centre = along((index + 0.5) / count)
            axes = (length / count / 2 * 0.98, half)
            canvas.ellipse(centre, axes, turn, colour)
            canvas.ellipse(centre, (axes[0] - width * style.line, axes[1] - width * style.line), turn, paper)
    elif style.kind == "dumbbell":
        canvas.line([a, b], width * 0.55, colour)
        for share in (0.0, 0.5, 1.0):
            x, y = along(share)
            side = (-uy * half, ux * half)
            canvas.line([(x - side[0], y - side[1]), (x + side[0], y + side[1])], width * 0.4, colour)
        canvas.line([along(0.1), along(0.4)], width * 0.16, paper)
        canvas.line([along(0.6), along(0.9)], width * 0.16, paper)
    elif style.kind == "line":
        canvas.line([a, b], width * 0.8, colour)
        for index in range(1, style.nodes):
            canvas.disc(along(index / style.nodes), half * 1.15, colour)
            canvas.disc(along(index / style.nodes), half * 0.4, (230, 230, 230))
        canvas.line([along(0.04), along(0.96)], width * 0.14, (235, 235, 235))
    else:
        canvas.line([a, b], width * 0.8, colour)
        for index in range(style.nodes):
            canvas.disc(along((index + 0.5) / style.nodes), half, colour)


def _sticks(rank: int, style: StickStyle, inks: Inks) -> list[tuple[Point, Point, Colour]]:
    r, g, b = inks.red, inks.green, inks.blue
    if style.scheme == 4:
        g = inks.black
    side = b if style.scheme in (1, 3) else g

    def column(x: float, y0: float, y1: float, colour: Colour) -> tuple[Point, Point, Colour]:
        return (x, y0), (x, y1), colour

    if rank == 2:
        return [column(0, -0.46, -0.03, g), column(0, 0.03, 0.46, side)]
    if rank == 3:
        return [column(0, -0.46, -0.03, g), column(-0.22, 0.03, 0.46, side), column(0.22, 0.03, 0.46, side)]
    if rank == 4:
        low = side if style.scheme == 1 else g
        return [column(x, y, y + 0.43, c) for y, c in ((-0.46, g), (0.03, low)) for x in (-0.2, 0.2)]
    if rank == 5:
        outer = [column(x, y, y + 0.43, g) for y in (-0.46, 0.03) for x in (-0.28, 0.28)]
        return [*outer, column(0, -0.22, 0.22, r)]
    if rank == 6:
        low = side if style.scheme == 1 else g
        return [column(x, y, y + 0.43, c) for y, c in ((-0.46, g), (0.03, low)) for x in (-0.27, 0, 0.27)]
    if rank == 7:
        middle = b if style.scheme in (1, 2) else g
        lower = [column(x, y, y + 0.3, middle if x == 0 else g) for y in (-0.15, 0.18) for x in (-0.27, 0, 0.27)]
        return [column(0, -0.5, -0.19, r), *lower]
    if rank == 8:
        top_y, mid_y, low_y = -0.46, -0.04, 0.46
        sticks: list[tuple[Point, Point, Colour]] = []
        for upper in (True, False):
            y0, y1 = (top_y, mid_y) if upper else (-mid_y, low_y)
            peak = upper if style.eight else not upper  # inner sticks meet at the top (W) or at the bottom (M)
            colour = g if upper or style.scheme != 1 else side
            sticks += [column(-0.3, y0, y1, colour), column(0.3, y0, y1, colour)]
            near, far = (y0, y1) if peak else (y1, y0)
            sticks += [((-0.25, far), (-0.03, near), colour), ((0.25, far), (0.03, near), colour)]
        return sticks
    across = style.scheme == 3
    found = []
    for row, y in enumerate((-0.49, -0.155, 0.18)):
        for col, x in enumerate((-0.27, 0, 0.27)):
            colour = (g, r, side)[row] if across else (r if col == 1 else g)
            found.append(column(x, y, y + 0.31, colour))
    return found


_BLACK = (0, 0, 0)
_PLAIN = Inks(_BLACK, _BLACK, _BLACK, _BLACK)


def stick_centres(rank: int, inks: Inks = _PLAIN, scheme: int = 0) -> list[tuple[float, float, Colour]]:
    """Where the sticks of a face are, relative to its middle, and their ink."""
    style = StickStyle("knots", 0.1, 0.3, 3, scheme % 5, 1.0, True)
    return [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, colour) for a, b, colour in _sticks(rank, style, inks)]


def draw_bamboos(canvas: Canvas, rank: int, inks: Inks, style: StickStyle, lift: float) -> None:
    """Face of ``rank`` (2..9) bamboo sticks."""
    squeeze = style.scale * (1 - abs(lift) * 0.8)
    for start, end, colour in _sticks(rank, style, inks):
        a = (0.5 + start[0] * style.scale, 2 / 3 + lift + start[1] * squeeze)
        b = (0.5 + end[0] * style.scale, 2 / 3 + lift + end[1] * squeeze)
        width = style.width * (0.85 if rank in (8, 9) else 1.0)
        _stick(canvas, a, b, width, colour, style)
