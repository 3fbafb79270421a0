"""The 42 kinds of tile and their 144 copies. Knows nothing of the roles of flower or gold: rulesets assign those."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import TypeAlias

from engine.errors import NotationError


class Suit(Enum):
    """Suit of a tile; the value is the letter used in notation."""

    CHARACTERS = "m"
    DOTS = "p"
    BAMBOOS = "s"
    HONOURS = "z"
    FLOWERS = "f"


class Unseen(Enum):
    """A place where a tile lies that cannot be named; the value is its notation."""

    UNREADABLE = "?"
    BACK = "back"

    @property
    def code(self) -> str:
        """``?`` for a face nobody could read, ``back`` for a tile that lies face down."""
        return str(self.value)


class Tile(IntEnum):
    """One kind of tile, in the order of the notation: 1m..9m 1p..9p 1s..9s E S W N C F P 1f..8f (0..41)."""

    M1, M2, M3, M4, M5, M6, M7, M8, M9 = range(9)
    P1, P2, P3, P4, P5, P6, P7, P8, P9 = range(9, 18)
    S1, S2, S3, S4, S5, S6, S7, S8, S9 = range(18, 27)
    EAST, SOUTH, WEST, NORTH, RED, GREEN, WHITE = range(27, 34)
    SPRING, SUMMER, AUTUMN, WINTER, PLUM, ORCHID, BAMBOO, CHRYSANTHEMUM = range(34, 42)

    @property
    def code(self) -> str:
        """Notation code, such as ``3m``, ``E`` or ``1f``.

        >>> Tile.M3.code, Tile.RED.code, Tile.PLUM.code
        ('3m', 'C', '5f')
        """
        return CODES[self]

    @property
    def suit(self) -> Suit:
        """Suit of the tile; honours and flowers are suits of their own here."""
        return _SUITS[self]

    @property
    def rank(self) -> int | None:
        """1..9 for suited tiles, else None."""
        return self % 9 + 1 if self < 27 else None

    @property
    def is_suited(self) -> bool:
        """True for characters, dots and bamboos."""
        return self < 27

    @property
    def is_honour(self) -> bool:
        """True for winds and dragons."""
        return 27 <= self < 34

    @property
    def is_flower(self) -> bool:
        """True for the four seasons and the four plants."""
        return self >= 34

    @property
    def copies(self) -> int:
        """How many of this kind a full set of 144 holds: 4, or 1 for seasons and plants."""
        return 1 if self >= 34 else 4

    @property
    def zh(self) -> str:
        """Chinese name, such as 三万."""
        return _ZH[self]

    @property
    def en(self) -> str:
        """English name, such as ``3 characters``."""
        return _EN[self]

    @classmethod
    def parse(cls, code: str) -> Tile:
        """The tile with this notation code; NotationError for anything else.

        >>> Tile.parse("9s")
        <Tile.S9: 26>
        """
        try:
            return _BY_CODE[code]
        except KeyError:
            raise NotationError(
                f"{code!r} is not a tile; expected 1m-9m, 1p-9p, 1s-9s, E S W N C F P or 1f-8f"
            ) from None


CODES: tuple[str, ...] = (
    *(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)),
    *"ESWNCFP",
    *(f"{number}f" for number in range(1, 9)),
)
_BY_CODE = {code: Tile(index) for index, code in enumerate(CODES)}
_SUITS: tuple[Suit, ...] = (
    *(suit for suit in (Suit.CHARACTERS, Suit.DOTS, Suit.BAMBOOS) for _ in range(9)),
    *(Suit.HONOURS for _ in range(7)),
    *(Suit.FLOWERS for _ in range(8)),
)
_ZH: tuple[str, ...] = (
    *(f"{number}{suit}" for suit in "万饼条" for number in "一二三四五六七八九"),
    *(f"{wind}风" for wind in "东南西北"),
    *("红中", "发财", "白板"),
    *"春夏秋冬梅兰竹菊",
)
_EN: tuple[str, ...] = (
    *(f"{rank} {suit}" for suit in ("characters", "dots", "bamboos") for rank in range(1, 10)),
    *("east wind", "south wind", "west wind", "north wind", "red dragon", "green dragon", "white dragon"),
    *("spring", "summer", "autumn", "winter", "plum", "orchid", "bamboo flower", "chrysanthemum"),
)

SUITED: tuple[Tile, ...] = tuple(Tile(index) for index in range(27))
HONOURS: tuple[Tile, ...] = tuple(Tile(index) for index in range(27, 34))
SEASONS: tuple[Tile, ...] = tuple(Tile(index) for index in range(34, 38))
PLANTS: tuple[Tile, ...] = tuple(Tile(index) for index in range(38, 42))
FLOWERS_AND_HONOURS: tuple[Tile, ...] = (*HONOURS, *SEASONS, *PLANTS)
ALL_TILES: tuple[Tile, ...] = tuple(Tile)

Face: TypeAlias = Tile | Unseen
"""What lies in a place: a tile, or something that cannot be named."""
