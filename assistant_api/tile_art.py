"""Tile faces drawn for the pages: one SVG sprite with a symbol for each of the 42 kinds, the back and the unknown tile.

A face is 60 wide and 80 high and lies on a body with a rim of green at its foot, as real tiles have. Nothing is taken
from a font but the Chinese characters themselves, so a face looks the same on every phone and is sharp at every size.
"""

from __future__ import annotations

import math
from functools import cache

from engine.tiles import ALL_TILES, Suit, Tile

BLUE, GREEN, RED, INK = "#1f5fa6", "#16784a", "#c2342b", "#20242a"
_SERIF = "'Songti SC','STSong','Noto Serif CJK SC','Noto Serif SC','Source Han Serif SC','SimSun',serif"

Spot = tuple[float, float, str]

_DOTS: dict[int, tuple[Spot, ...]] = {
    2: ((30, 23, GREEN), (30, 55, BLUE)),
    3: ((15, 18, BLUE), (30, 39, RED), (45, 60, GREEN)),
    4: ((18, 23, BLUE), (42, 23, GREEN), (18, 55, GREEN), (42, 55, BLUE)),
    5: ((16, 19, BLUE), (44, 19, GREEN), (30, 39, RED), (16, 59, GREEN), (44, 59, BLUE)),
    6: ((19, 16, GREEN), (41, 16, GREEN), (19, 41, RED), (41, 41, RED), (19, 62, RED), (41, 62, RED)),
    7: ((13, 12, GREEN), (30, 20, GREEN), (47, 28, GREEN), (20, 47, RED), (40, 47, RED), (20, 65, RED), (40, 65, RED)),
    8: tuple((x, y, BLUE) for y in (13, 30.5, 48, 65.5) for x in (20, 40)),
    9: tuple((x, y, colour) for y, colour in ((15, BLUE), (39, RED), (63, GREEN)) for x in (13, 30, 47)),
}
_DOT_RADIUS = {2: 14.5, 3: 11.5, 4: 11.8, 5: 10.5, 6: 10.3, 7: 8.8, 8: 8.6, 9: 8.4}

_STICKS: dict[int, tuple[Spot, ...]] = {
    2: ((30, 22, GREEN), (30, 56, BLUE)),
    3: ((30, 22, BLUE), (17, 56, GREEN), (43, 56, GREEN)),
    4: ((18, 22, BLUE), (42, 22, GREEN), (18, 56, GREEN), (42, 56, BLUE)),
    5: ((14, 22, GREEN), (46, 22, BLUE), (30, 39, RED), (14, 56, BLUE), (46, 56, GREEN)),
    6: tuple((x, y, colour) for y, colour in ((22, GREEN), (56, BLUE)) for x in (14, 30, 46)),
    7: ((30, 13, RED), *((x, y, colour) for y, colour in ((39, GREEN), (65, BLUE)) for x in (14, 30, 46))),
    9: tuple((x, y, colour) for y in (13, 39, 65) for x, colour in ((14, GREEN), (30, RED), (46, BLUE))),
}
_STICK_HEIGHT = {2: 30, 3: 30, 4: 30, 5: 28, 6: 30, 7: 23, 9: 23}

_FLOWERS: dict[Tile, tuple[str, int, str]] = {  # colour and number of petals; colour of the heart
    Tile.SPRING: ("#e3789a", 5, "#f2c64b"),
    Tile.SUMMER: ("#e2604f", 8, "#f2c64b"),
    Tile.AUTUMN: ("#d98a1f", 6, "#8a4b12"),
    Tile.WINTER: ("#6fa7cf", 6, "#f5f7fa"),
    Tile.PLUM: ("#cf3a5b", 5, "#f2c64b"),
    Tile.ORCHID: ("#8258b0", 3, "#f2c64b"),
    Tile.BAMBOO: ("#2f8f57", 4, "#16784a"),
    Tile.CHRYSANTHEMUM: ("#e0a51e", 14, "#b3661a"),
}


@cache
def sprite() -> str:
    """The whole sprite as an SVG document; symbols are named ``t-`` and the code, ``t-back``, ``t-unknown``."""
    symbols = [_symbol(f"t-{tile.code}", _face(tile)) for tile in ALL_TILES]
    symbols.append(_symbol("t-back", _back()))
    symbols.append(_symbol("t-unknown", _text("?", 30, 54, 44, "#8b8f96")))
    return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(symbols)}</svg>'


def _symbol(name: str, face: str) -> str:
    body = (
        '<rect x="1" y="5" width="66" height="90" rx="9" fill="#0f6b43"/>'
        '<rect x="1" y="3" width="66" height="88" rx="9" fill="#d9d2bf"/>'
        '<rect x="1" y="1" width="66" height="86" rx="9" fill="#fbf8ef"/>'
        '<rect x="1.5" y="1.5" width="65" height="85" rx="8.5" fill="none" stroke="#00000018"/>'
    )
    return f'<symbol id="{name}" viewBox="0 0 68 96">{body}<g transform="translate(4 4)">{face}</g></symbol>'


def _face(tile: Tile) -> str:
    if tile.suit is Suit.CHARACTERS:
        return _text(tile.zh[0], 30, 34, 32, INK) + _text("萬", 30, 71, 34, RED)
    if tile.suit is Suit.DOTS:
        return _one_dot() if tile.rank == 1 else _dots(tile.rank or 0)
    if tile.suit is Suit.BAMBOOS:
        return _bamboos(tile.rank or 0)
    if tile.suit is Suit.FLOWERS:
        return _flower(tile)
    if tile is Tile.WHITE:
        return (
            f'<rect x="9" y="9" width="42" height="61" rx="3" fill="none" stroke="{BLUE}" stroke-width="4"/>'
            f'<rect x="15" y="15" width="30" height="49" rx="2" fill="none" stroke="{BLUE}" stroke-width="1.6"/>'
        )
    character = {Tile.RED: ("中", RED), Tile.GREEN: ("發", GREEN)}.get(tile)
    text, colour = character or ({"东": "東"}.get(tile.zh[0], tile.zh[0]), INK)
    return _text(text, 30, 58, 52, colour)


def _text(text: str, x: float, y: float, size: float, colour: str) -> str:
    return (
        f'<text x="{x}" y="{y}" font-family="{_SERIF}" font-size="{size}" font-weight="700" '
        f'text-anchor="middle" fill="{colour}">{text}</text>'
    )


def _circle(x: float, y: float, radius: float, fill: str, stroke: str = "none", width: float = 0) -> str:
    line = f' stroke="{stroke}" stroke-width="{width}"' if width else ""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}"{line}/>'


def _dots(rank: int) -> str:
    radius = _DOT_RADIUS[rank]
    return "".join(
        _circle(x, y, radius, colour)
        + _circle(x, y, radius * 0.66, "none", "#fbf8ef", radius * 0.16)
        + _circle(x, y, radius * 0.24, "#fbf8ef")
        for x, y, colour in _DOTS[rank]
    )


def _one_dot() -> str:
    petals = "".join(
        _circle(30 + 16.5 * math.cos(turn), 39 + 16.5 * math.sin(turn), 3.1, GREEN)
        for turn in (math.tau * step / 12 for step in range(12))
    )
    return (
        _circle(30, 39, 24.5, "none", BLUE, 3.2)
        + petals
        + _circle(30, 39, 10.5, RED)
        + _circle(30, 39, 6.2, "none", "#fbf8ef", 1.6)
        + _circle(30, 39, 2.4, "#fbf8ef")
    )


def _stick(x: float, y: float, height: float, colour: str, turn: float = 0) -> str:
    top, half = y - height / 2, height / 2
    turned = f' transform="rotate({turn:g} {x:g} {y:g})"' if turn else ""
    return (
        f'<g{turned}><rect x="{x - 4.8:g}" y="{top:g}" width="9.6" height="{half - 0.8:g}" rx="3.2" fill="{colour}"/>'
        f'<rect x="{x - 4.8:g}" y="{y + 0.8:g}" width="9.6" height="{half - 0.8:g}" rx="3.2" fill="{colour}"/>'
        f'<path d="M{x:g} {top + 3.5:g}v{half - 7:g}M{x:g} {y + 4:g}v{half - 7:g}" stroke="#fbf8ef" '
        'stroke-width="1.7" stroke-linecap="round"/></g>'
    )


def _bamboos(rank: int) -> str:
    if rank == 1:
        return _bird()
    if rank == 8:
        rows = ((22, (-1, 1, -1, 1), GREEN), (56, (1, -1, 1, -1), BLUE))
        return "".join(
            _stick(x, y, 30, colour, 0 if place in (0, 3) else turn * 24)
            for y, turns, colour in rows
            for place, (x, turn) in enumerate(zip((9, 23, 37, 51), turns, strict=True))
        )
    return "".join(_stick(x, y, _STICK_HEIGHT[rank], colour) for x, y, colour in _STICKS[rank])


def _bird() -> str:
    tail = "".join(
        f'<path d="M34 46Q{44 + step * 4} {56 + step * 2} {38 + step * 6} {74 - step * 7}" fill="none" '
        f'stroke="{colour}" stroke-width="3.6" stroke-linecap="round"/>'
        for step, colour in enumerate((GREEN, RED, GREEN))
    )
    return (
        f'{tail}<path d="M12 30Q14 52 34 54Q46 48 40 36Q30 40 27 26Q22 16 12 30Z" fill="{GREEN}"/>'
        '<path d="M20 38Q30 50 42 40Q38 54 26 51Q20 46 20 38Z" fill="#0d5a36"/>'
        f'<circle cx="19" cy="23" r="9.2" fill="{RED}"/><path d="M11 22L3 25.5L11.4 27.5Z" fill="#d98a1f"/>'
        '<circle cx="16.6" cy="21.4" r="2.1" fill="#fbf8ef"/><circle cx="16.2" cy="21.4" r="1" fill="#20242a"/>'
        f'<path d="M21 14Q23 6 29 5M18 13Q18 6 22 2" stroke="{RED}" stroke-width="2" fill="none"/>'
        f'<path d="M24 54L22 66M31 55L32 67M18 67H25M28 68H36" stroke="{INK}" stroke-width="2" stroke-linecap="round"/>'
    )


def _flower(tile: Tile) -> str:
    colour, petals, heart = _FLOWERS[tile]
    width = 8.5 if petals <= 6 else 4.4
    leaves = (
        f'<path d="M30 50Q28 62 31 74M30 66Q18 62 12 68Q22 74 30 68M31 62Q42 57 49 63Q40 70 31 65" fill="{GREEN}" '
        f'fill-opacity=".85" stroke="{GREEN}" stroke-width="1.4"/>'
    )
    ring = "".join(
        f'<ellipse cx="30" cy="32" rx="{width}" ry="10" fill="{colour}" stroke="#fbf8ef" stroke-width=".9" '
        f'transform="rotate({360 * step / petals:g} 30 44)"/>'
        for step in range(petals)
    )
    number = tile - Tile.SPRING + 1 if tile < Tile.PLUM else tile - Tile.PLUM + 1
    name = {"兰": "蘭"}.get(tile.zh, tile.zh)
    ink = RED if tile < Tile.PLUM else BLUE
    sign = _text(name, 46, 21, 21, ink) + _text(str(number), 11, 19, 17, ink)
    return f"{leaves}{ring}{_circle(30, 44, 4.6, heart)}{sign}"


def _back() -> str:
    return (
        f'<rect x="-2" y="-2" width="64" height="83" rx="7" fill="{GREEN}"/>'
        '<path d="M30 14L52 39.5L30 65L8 39.5Z" fill="none" stroke="#ffffff55" stroke-width="3"/>'
        '<path d="M30 27L41 39.5L30 52L19 39.5Z" fill="#ffffff44"/>'
    )
