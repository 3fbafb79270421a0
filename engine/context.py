"""What is known about a declared win: the hand, the winning tile, where it came from, and the table around it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from engine.melds import Meld, MeldKind
from engine.seats import Seat
from engine.tiles import Face, Tile


class WinSource(StrEnum):
    """Where the winning tile came from."""

    SELF_DRAW = "self_draw"
    DISCARD = "discard"
    ROB_KONG = "rob_kong"
    REPLACEMENT = "replacement"
    LAST_GROUP = "last_group"
    HEAVENLY = "heavenly"
    ROB_GOLD = "rob_gold"
    OPENING_THREE = "opening_three"

    @property
    def is_own_draw(self) -> bool:
        """True when the winning tile was drawn from the wall: 自摸, after a kong or flower, or in the last group."""
        return self in _OWN_DRAWS

    @property
    def is_from_other(self) -> bool:
        """True when another seat gave the winning tile: a discard or a robbed kong."""
        return self in _FROM_OTHERS

    @property
    def is_opening(self) -> bool:
        """True for the wins before the first discard: 天胡 and 起手三金."""
        return self in _OPENINGS

    @property
    def has_tile(self) -> bool:
        """True when one tile completes the hand; 天胡, 起手三金 and 抢金 name none."""
        return self in _OWN_DRAWS or self in _FROM_OTHERS

    @property
    def zh(self) -> str:
        """Chinese name."""
        return _NAMES[self][0]

    @property
    def en(self) -> str:
        """English name."""
        return _NAMES[self][1]


_OWN_DRAWS = frozenset({WinSource.SELF_DRAW, WinSource.REPLACEMENT, WinSource.LAST_GROUP})
_FROM_OTHERS = frozenset({WinSource.DISCARD, WinSource.ROB_KONG})
_OPENINGS = frozenset({WinSource.HEAVENLY, WinSource.OPENING_THREE})
_NAMES = {
    WinSource.SELF_DRAW: ("自摸", "self-draw"),
    WinSource.DISCARD: ("点炮", "discard"),
    WinSource.ROB_KONG: ("抢杠", "robbed kong"),
    WinSource.REPLACEMENT: ("杠上开花", "replacement draw"),
    WinSource.LAST_GROUP: ("尾牌自摸", "last-group draw"),
    WinSource.HEAVENLY: ("天胡", "heavenly hand"),
    WinSource.ROB_GOLD: ("抢金", "robbing the gold"),
    WinSource.OPENING_THREE: ("起手三金", "three golds at the opening"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFacts:
    """What the log of the hand tells and a photo of the hand cannot; None means that nobody knows.

    A fact that is unknown and could only forbid the win leaves it standing and is listed in `Win.unverified`.
    """

    gold_discarded: bool | None = None
    """The winner discarded a gold in this hand."""
    passed_kinds: frozenset[Tile] | None = None
    """Kinds on which the winner let a win go by since the lock was last lifted (过水)."""
    dearer_than_passed: bool | None = None
    """This win is worth more than the one that was passed."""
    dealer_discarded: bool | None = False
    """The dealer has made his first discard (no 天胡 or 起手三金 any more)."""
    dealers_first_discard: bool | None = False
    """The winning tile is the first discard of the dealer; None makes the value of the win unknown where it matters."""
    rob_window_open: bool | None = True
    """Nothing has happened since the dealer's first discard, so the gold can be robbed (抢金)."""
    last_tile: bool | None = False
    """The wall is empty: the winning tile was its last, or the discard after that."""
    last_of_kind: bool | None = False
    """The three other tiles of the winning kind lie open on the table (绝张)."""
    dead_hand: bool | None = None
    """The winner was found with a wrong count, or declared a false win, earlier in this hand."""
    robbed_kong: MeldKind | None = None
    """Which kong was robbed; None is taken as an added one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WinContext:
    """A declared win. What is None is unknown and asked for where it is needed (`CannotKnow`).

    ``concealed`` holds the hand *without* the winning tile. Three sources name no winning tile: ``heavenly`` and
    ``opening_three`` hold all tiles of the hand in ``concealed``; ``rob_gold`` holds the tiles before the indicator is
    taken, for the dealer with the tile he throws, which is also named by ``swap``.
    """

    concealed: tuple[Face, ...]
    winning_tile: Face | None = None
    melds: tuple[Meld, ...] = ()
    flowers: tuple[Face, ...] = ()
    gold: Tile | None = None
    source: WinSource | None = None
    seat: Seat | None = None
    from_seat: Seat | None = None
    dealer: Seat | None = None
    streak: int | None = None
    round_wind: Seat | None = None
    """圈风, where the game has rounds."""
    swap: Tile | None = None
    facts: TableFacts = field(default_factory=TableFacts)
