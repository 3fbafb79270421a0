"""What can be observed at a table. A log is a tuple of events; the number of an event is its place in the log, from 1.

An event says what happened, not whether it was allowed: the log of a table where somebody cheats is still a log.
Tiles nobody could see are `Unseen.BACK` (face down) or `Unseen.UNREADABLE`. The text form is in `engine.eventlog`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from engine.context import WinSource
from engine.rulesets import Ruleset, get_ruleset
from engine.seats import Seat
from engine.tiles import Face, Tile, Unseen


class WallEnd(StrEnum):
    """The end of the wall a tile was drawn from: 牌头 in turn, 牌尾 for replacements."""

    HEAD = "head"
    TAIL = "tail"


@dataclass(frozen=True, slots=True)
class Deal:
    """拿牌: four hands have been dealt. ``options`` are the changes to the named ruleset, as text."""

    dealer: Seat
    ruleset: str = "fuzhou"
    streak: int = 0
    options: tuple[tuple[str, str], ...] = ()
    round_wind: Seat | None = None
    """圈风, where the game has rounds."""

    def rules(self) -> Ruleset:
        """The ruleset this hand is played by; RulesetError when the name or an option is unknown."""
        return get_ruleset(self.ruleset).with_options(dict(self.options))


@dataclass(frozen=True, slots=True)
class LaidOpen:
    """The concealed tiles of a seat are known from here on: shown by its owner, or laid open at the end."""

    seat: Seat
    tiles: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class FlowersLaid:
    """补花: a seat lays flowers open. The replacements follow, one `Draw` from the tail for each."""

    seat: Seat
    tiles: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class GoldOpened:
    """开金: tiles turned up at the tail. The last one is the indicator; flowers before it go to the dealer."""

    tiles: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """摸牌: one tile from the wall. ``end`` is None when nobody saw which end, then it is taken to be the right one."""

    seat: Seat
    tile: Face = Unseen.BACK
    end: WallEnd | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    """出牌: a tile is put into the middle."""

    seat: Seat
    tile: Face


@dataclass(frozen=True, slots=True)
class Chow:
    """吃: the last discard makes a run with two tiles of the hand."""

    seat: Seat
    tile: Face
    held: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Pung:
    """碰: the last discard makes a triplet. ``held`` names the tiles of the hand where they are not two like it."""

    seat: Seat
    tile: Face
    held: tuple[Face, ...] = ()


@dataclass(frozen=True, slots=True)
class KongOpen:
    """明杠（直杠）: the last discard makes a kong with three tiles of the hand."""

    seat: Seat
    tile: Face
    held: tuple[Face, ...] = ()


@dataclass(frozen=True, slots=True)
class KongAdded:
    """加杠: the fourth tile is put to an own pung. It can be robbed until its replacement is drawn."""

    seat: Seat
    tile: Face


@dataclass(frozen=True, slots=True)
class KongConcealed:
    """暗杠: four tiles of the hand are laid face down; ``tile`` is `Unseen.BACK` while nobody knows their kind."""

    seat: Seat
    tile: Face = Unseen.BACK
    held: tuple[Face, ...] = ()


@dataclass(frozen=True, slots=True)
class KongShown:
    """The tiles of a concealed kong are turned up."""

    seat: Seat
    tile: Tile


@dataclass(frozen=True, slots=True)
class Pass:
    """过: a seat says that it does not want the tile. Silence means the same, so a log needs no passes."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class WinClaim:
    """胡: a seat declares a win. ``hand`` holds the concealed tiles when they are laid down, with the winning tile or
    without it, and of a dealer who robs the gold with the tile he throws or without it."""

    seat: Seat
    source: WinSource
    tile: Face | None = None
    hand: tuple[Face, ...] | None = None
    swap: Tile | None = None


@dataclass(frozen=True, slots=True)
class WinGranted:
    """The table gives the hand to this seat, among those that declared a win."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DeadHand:
    """相公: the table declares the hand of a seat dead; it plays no further part."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Exhausted:
    """和局: nobody won and nothing is left to draw."""


@dataclass(frozen=True, slots=True)
class Escape:
    """逃跑: a seat leaves, the hand ends."""

    seat: Seat


Event: TypeAlias = (
    Deal
    | LaidOpen
    | FlowersLaid
    | GoldOpened
    | Draw
    | Discard
    | Chow
    | Pung
    | KongOpen
    | KongAdded
    | KongConcealed
    | KongShown
    | Pass
    | WinClaim
    | WinGranted
    | DeadHand
    | Exhausted
    | Escape
)
Log: TypeAlias = tuple[Event, ...]
TileClaim: TypeAlias = Chow | Pung | KongOpen
OwnKong: TypeAlias = KongAdded | KongConcealed
Claim: TypeAlias = Chow | Pung | KongOpen | KongAdded | KongConcealed | WinClaim
"""Everything a seat may claim: another seat's tile, a kong of its own, or the win."""


def seat_of(event: Event) -> Seat | None:
    """The seat that acts, None for events of the whole table."""
    return getattr(event, "seat", None)


def undo(log: Log) -> Log:
    """The log without its last event."""
    return log[:-1]


def replace_event(log: Log, number: int, event: Event) -> Log:
    """The log with another event at this number."""
    return (*log[: number - 1], event, *log[number:])


def insert_event(log: Log, number: int, event: Event) -> Log:
    """The log with one more event, which takes this number."""
    return (*log[: number - 1], event, *log[number - 1 :])


def delete_event(log: Log, number: int) -> Log:
    """The log without the event of this number."""
    return (*log[: number - 1], *log[number:])


def with_later_knowledge(log: Log) -> Log:
    """The log with everything filled in that a later event tells: hands laid down after a win, kongs turned up.

    A win declared before the hand is laid open gets the hand of the `LaidOpen` that follows it; a concealed kong gets
    the kind it shows when it is turned up. Nothing else is changed, so numbers stay.
    """
    if not any(isinstance(event, LaidOpen | KongShown) for event in log[1:]):
        return log
    known = list(log)
    for number, event in enumerate(log):
        if isinstance(event, KongShown):
            _name_kong(known, number, event)
        elif isinstance(event, LaidOpen):
            _name_hand(known, number, event)
    return tuple(known)


def _name_kong(log: list[Event], number: int, shown: KongShown) -> None:
    for place in range(number):
        event = log[place]
        if isinstance(event, KongConcealed) and event.seat == shown.seat and event.tile is Unseen.BACK:
            log[place] = replace(event, tile=shown.tile)
            return


def _name_hand(log: list[Event], number: int, laid: LaidOpen) -> None:
    """The hand laid open after a win is that of the win."""
    for place in range(number - 1, -1, -1):
        event = log[place]
        if isinstance(event, WinClaim) and event.seat == laid.seat:
            if event.hand is None:
                log[place] = replace(event, hand=laid.tiles)
            return
        if not isinstance(event, LaidOpen | KongShown | WinClaim | WinGranted | Pass):
            return
