"""Birds for the one of bamboos, and the drawings on seasons and plants, in many hands."""

from __future__ import annotations

import math

import numpy as np

from vision.synth.canvas import Canvas, Colour, Point
from vision.synth.suits import Inks


def _any_ink(rng: np.random.Generator, inks: Inks) -> Colour:
    return (inks.red, inks.green, inks.blue, inks.green)[int(rng.integers(4))]


def draw_bird(canvas: Canvas, inks: Inks, rng: np.random.Generator, lift: float) -> None:
    """A sparrow, phoenix or peacock: body, head, wing, tail feathers, feet, sometimes a twig."""
    main = (inks.green, inks.blue, inks.green, inks.black)[int(rng.integers(4))]
    flip = -1.0 if rng.random() < 0.5 else 1.0
    size = float(rng.uniform(0.85, 1.08))

    def at(x: float, y: float) -> Point:
        return 0.5 + flip * x * size, 2 / 3 + lift + y * size

    if rng.random() < 0.25:
        _peacock(canvas, inks, rng, main, lift, size)
        return
    lean = float(rng.uniform(-0.1, 0.12))
    head, chest = at(0.12 + lean, -0.33), at(0.02, -0.05)
    line = float(rng.uniform(0.022, 0.04))
    outline = bool(rng.random() < 0.6)
    for index in range(int(rng.integers(3, 7))):  # tail
        sweep = -0.34 + index * float(rng.uniform(0.06, 0.12)) + lean * 0.4
        ink = main if index % 2 else _any_ink(rng, inks)
        end = at(sweep, 0.32 + 0.16 * float(rng.random()))
        canvas.curve([at(-0.03, 0.08), at(sweep * 0.4 - 0.02, 0.26), end], (line * 1.2, line * 1.5), ink)
        if rng.random() < 0.4:
            canvas.disc(end, 0.035, ink)
    turn = flip * float(rng.uniform(-75, -40))
    canvas.ellipse(chest, (0.25 * size, 0.135 * size), turn, main)
    if outline:
        canvas.ellipse(chest, (0.25 * size - line, 0.135 * size - line), turn, None)
    wing = _any_ink(rng, inks)
    for index in range(int(rng.integers(2, 6))):  # wing feathers
        y = -0.12 + index * 0.06
        canvas.curve([at(0.08, y - 0.04), at(-0.04, y), at(-0.12, y + 0.14)], (line, line * 0.6), wing)
    if rng.random() < 0.5:  # a spread wing
        for index in range(int(rng.integers(3, 6))):
            tip = at(0.3 + 0.03 * index, -0.1 + 0.07 * index)
            canvas.curve([at(0.05, -0.05), at(0.2, -0.18 + 0.05 * index), tip], (line, line), _any_ink(rng, inks))
    canvas.disc(head, 0.1 * size, main if rng.random() < 0.5 else inks.red)
    if rng.random() < 0.7:
        canvas.disc(head, 0.1 * size - line, None)
    canvas.disc((head[0] + flip * 0.02, head[1] - 0.01), 0.024, inks.red if rng.random() < 0.6 else main)
    beak = at(0.33 + lean, -0.3 + float(rng.uniform(-0.05, 0.08)))
    canvas.polygon([(head[0] + flip * 0.07, head[1] - 0.045), beak, (head[0] + flip * 0.06, head[1] + 0.05)], inks.red)
    for index in range(int(rng.integers(0, 4))):  # crest
        tip = at(0.02 + lean - 0.07 * index, -0.52 + 0.03 * index)
        canvas.curve([head, at(0.06 + lean, -0.45), tip], (line, line * 0.7), inks.red if index % 2 else main)
    feet_y = float(rng.uniform(0.28, 0.4))
    for x in (0.02, 0.1):
        canvas.line([at(x, 0.12), at(x + 0.05, feet_y), at(x + 0.12, feet_y + 0.02)], line * 0.8, inks.red)
    if rng.random() < 0.4:  # twig
        canvas.curve([at(-0.2, feet_y + 0.05), at(0.1, feet_y), at(0.36, feet_y + 0.06)], (line, line), inks.green)


def _peacock(canvas: Canvas, inks: Inks, rng: np.random.Generator, main: Colour, lift: float, size: float) -> None:
    middle = (0.5, 2 / 3 + lift - 0.1)
    rings = int(rng.integers(2, 4))
    for ring in range(rings, 0, -1):
        count = 5 + 3 * ring
        for index in range(count):
            angle = math.pi * (1.0 + (index + 0.5) / count) if rng.random() < 2 else 0.0
            reach = 0.12 + 0.1 * ring
            centre = (middle[0] + size * reach * math.cos(angle), middle[1] + size * reach * 0.95 * math.sin(angle))
            canvas.disc(centre, 0.052 * size, main)
            canvas.disc(centre, 0.03 * size, None)
            canvas.disc(centre, 0.015 * size, inks.red)
    body = (middle[0], middle[1] + 0.17)
    for side in (-1, 1):
        for index in range(3):
            tip = (body[0] + side * 0.32 * size, body[1] + 0.02 + 0.06 * index)
            canvas.curve([body, (body[0] + side * 0.2, body[1] - 0.05), tip], (0.03, 0.02), main)
    canvas.ellipse(body, (0.1 * size, 0.16 * size), 0, main)
    canvas.ellipse(body, (0.06 * size, 0.12 * size), 0, None)
    canvas.disc((middle[0], middle[1] + 0.02), 0.06 * size, inks.red)
    canvas.disc((middle[0], middle[1] + 0.02), 0.02 * size, None)
    for side in (-1, 1):
        foot = (body[0] + side * 0.08, body[1] + 0.3)
        canvas.line([(body[0] + side * 0.04, body[1] + 0.14), foot, (foot[0] + side * 0.08, foot[1])], 0.025, main)


def draw_fan_bird(canvas: Canvas, inks: Inks, rng: np.random.Generator, lift: float) -> None:
    """A peacock as many Japanese sets have it: a fan of ringlets stands over a hatched body on two thin legs."""
    main = (inks.green, inks.blue, inks.black)[int(rng.integers(3))]
    flip = -1.0 if rng.random() < 0.5 else 1.0
    size, line = float(rng.uniform(0.8, 1.05)), float(rng.uniform(0.014, 0.028))
    middle = (0.5 + flip * float(rng.uniform(-0.06, 0.1)), 0.46 + lift)
    wide, high = 0.34 * size, float(rng.uniform(0.24, 0.32)) * size
    for index in range(int(rng.integers(16, 30))):  # the rim of the fan
        angle = 2 * math.pi * index / 24
        end = (middle[0] + wide * math.cos(angle), middle[1] + high * math.sin(angle))
        start = (middle[0] + 0.8 * wide * math.cos(angle), middle[1] + 0.8 * high * math.sin(angle))
        canvas.line([start, end], line, main)
    spot = float(rng.uniform(0.04, 0.055)) * size
    for row in range(-4, 5):
        for column in range(-6, 7):
            x, y = (column + 0.5 * (row % 2)) * 2.05 * spot, row * 1.8 * spot
            if (x / wide) ** 2 + (y / high) ** 2 < 0.75:
                canvas.ring((middle[0] + x, middle[1] + y), spot * 0.85, line * 0.8, main)
    body = (0.5 - flip * 0.03, 0.86 + lift)
    canvas.ellipse(body, (0.2 * size, 0.11 * size), -flip * 18.0, main)
    canvas.ellipse(body, (0.2 * size - line, 0.11 * size - line), -flip * 18.0, None)
    for index in range(int(rng.integers(4, 8))):  # feathers of body and wing
        x = body[0] + flip * (-0.12 + 0.05 * index) * size
        canvas.line([(x, body[1] - 0.07 * size), (x + flip * 0.07, body[1] + 0.07 * size)], line, main)
    for index in range(int(rng.integers(3, 7))):
        tip = (body[0] + flip * (0.3 + 0.02 * index) * size, body[1] - (0.1 - 0.05 * index) * size)
        canvas.line([(body[0] + flip * 0.12 * size, body[1]), tip], line, (main, inks.blue)[index % 2])
    head = (body[0] - flip * 0.24 * size, body[1] - 0.07 * size)
    canvas.disc(head, 0.055 * size, inks.red if rng.random() < 0.5 else main)
    canvas.disc(head, 0.02 * size, None)
    for side in (-0.05, 0.07):
        foot = (body[0] + flip * side, body[1] + float(rng.uniform(0.2, 0.3)) * size)
        canvas.line(
            [(body[0] + flip * side, body[1] + 0.09 * size), foot, (foot[0] - flip * 0.07, foot[1])], line, inks.red
        )


def _blossom(
    canvas: Canvas, at: Point, radius: float, petals: int, ink: Colour, heart: Colour, filled: bool, line: float
) -> None:
    for index in range(petals):
        angle = 2 * math.pi * index / petals - math.pi / 2
        centre = (at[0] + radius * 0.6 * math.cos(angle), at[1] + radius * 0.6 * math.sin(angle))
        axes = (radius * 0.46, min(radius * 0.46, radius * 2.0 / petals))
        canvas.ellipse(centre, axes, math.degrees(angle), ink)
        if not filled:
            canvas.ellipse(centre, (max(axes[0] - line, 0.004), max(axes[1] - line, 0.004)), math.degrees(angle), None)
    canvas.disc(at, radius * 0.26, heart)
    if filled:
        canvas.disc(at, radius * 0.12, None)


def _leaf(canvas: Canvas, at: Point, length: float, angle: float, ink: Colour, filled: bool, fat: float = 0.3) -> None:
    cos, sin = math.cos(angle), math.sin(angle)
    bend = length * fat
    tip = (at[0] + length * cos, at[1] + length * sin)
    sides = []
    for side in (1, -1):
        sides.append((at[0] + 0.45 * length * cos - side * bend * sin, at[1] + 0.45 * length * sin + side * bend * cos))
    canvas.polygon([at, sides[0], tip, sides[1]], ink)
    if not filled:
        canvas.line([at, tip], 0.016, None)


def draw_plant(
    canvas: Canvas, which: int, inks: Inks, rng: np.random.Generator, lift: float, share: float = 1.0
) -> None:
    """The drawing of season or plant ``which`` (1..8 as in the notation): a stem with what grows on it.

    ``share`` makes it smaller, where a name needs the room.
    """
    size = float(rng.uniform(0.85, 1.1)) * share
    flip = -1.0 if rng.random() < 0.5 else 1.0
    line = float(rng.uniform(0.018, 0.034))
    filled = bool(rng.random() < 0.5)
    leaf_ink = inks.green if rng.random() < 0.8 else inks.black
    bloom = inks.red if rng.random() < 0.8 else inks.blue
    heart = inks.red if bloom != inks.red or not filled else inks.black

    def at(x: float, y: float) -> Point:
        return 0.5 + flip * x * size, 0.78 + lift + y * size

    if which == 7:  # bamboo: jointed canes with narrow leaves
        for cane in range(int(rng.integers(1, 4))):
            x = -0.12 + 0.14 * cane
            joints = int(rng.integers(3, 6))
            for joint in range(joints):
                y0, y1 = 0.4 - 0.8 * joint / joints, 0.4 - 0.8 * (joint + 0.86) / joints
                canvas.line([at(x, y0), at(x + 0.02, y1)], 0.045, leaf_ink)
                if not filled:
                    canvas.line([at(x, y0), at(x + 0.02, y1)], 0.018, None)
        for _ in range(int(rng.integers(6, 14))):
            root = at(float(rng.uniform(-0.2, 0.25)), float(rng.uniform(-0.4, 0.2)))
            ink = leaf_ink if rng.random() < 0.75 else bloom
            _leaf(canvas, root, float(rng.uniform(0.14, 0.26)), float(rng.uniform(0.2, 2.9)), ink, True, 0.13)
        return
    if which == 6:  # orchid: long blades from one root, few blossoms
        for _ in range(int(rng.integers(5, 10))):
            x = float(rng.uniform(-0.42, 0.42))
            top = float(rng.uniform(-0.42, 0.05))
            canvas.curve([at(0, 0.4), at(x * 0.3, top - 0.1), at(x, top)], (line * 1.6, line * 0.7), leaf_ink)
        for _ in range(int(rng.integers(1, 4))):
            spot = at(float(rng.uniform(-0.25, 0.25)), float(rng.uniform(-0.32, 0.1)))
            _blossom(canvas, spot, float(rng.uniform(0.08, 0.14)), 5, bloom, heart, filled, line * 0.8)
        return
    # the others share a bent stem with leaves; they differ in what blooms on it
    bends = [at(0.05, 0.42), at(float(rng.uniform(-0.3, 0.3)), 0.1), at(float(rng.uniform(-0.2, 0.2)), -0.4)]
    stem_ink = leaf_ink if which not in (4, 5) else (leaf_ink, inks.blue, inks.black)[int(rng.integers(3))]
    canvas.curve(bends, (line * 1.8, line * 0.9), stem_ink)
    if which in (4, 5):
        for _ in range(int(rng.integers(2, 5))):
            y = float(rng.uniform(-0.3, 0.3))
            canvas.line([at(0, y), at(float(rng.uniform(-0.35, 0.35)), y - 0.16)], line, stem_ink)
    else:
        for _ in range(int(rng.integers(4, 10))):
            spot = at(float(rng.uniform(-0.12, 0.12)), float(rng.uniform(-0.35, 0.38)))
            angle = float(rng.uniform(0, 2 * math.pi))
            _leaf(canvas, spot, float(rng.uniform(0.14, 0.26)), angle, leaf_ink, filled, float(rng.uniform(0.18, 0.34)))
    petals, count, radius = {
        1: (5, 2, 0.15),
        2: (9, 1, 0.2),
        3: (7, 2, 0.15),
        4: (6, 2, 0.13),
        5: (5, 4, 0.11),
        8: (14, 1, 0.22),
    }[which]
    for index in range(max(1, count + int(rng.integers(-1, 2)))):
        spot = at(float(rng.uniform(-0.25, 0.25)), float(rng.uniform(-0.3, 0.25)) if index else 0.08)
        canvas.disc(spot, radius * size * 0.98, None)
        _blossom(canvas, spot, radius * size * float(rng.uniform(0.8, 1.1)), petals, bloom, heart, filled, line * 0.8)
        if which == 8:
            _blossom(canvas, spot, radius * size * 0.55, petals - 4, bloom, heart, not filled, line * 0.7)
    if which in (2, 3) and rng.random() < 0.5:
        canvas.curve([at(-0.3, 0.42), at(0, 0.36), at(0.32, 0.44)], (line * 1.5, line), inks.blue)
