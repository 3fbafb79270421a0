"""The table as far as it is known: what a log of events adds up to. `engine.fold` builds it, event by event.

Concealed tiles of a seat are known, or only counted, or some of each. Nothing here says whether an act was allowed:
`engine.turns` knows who may act, `engine.claims` what may be claimed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Flag, StrEnum, auto
from operator import gt

from engine.candidate import count_flower_sets
from engine.checks import is_flower
from engine.events import Log, WinClaim
from engine.melds import Meld, MeldKind
from engine.rulesets.base import TableRules
from engine.seats import SEATS, Seat
from engine.tiles import ALL_TILES, Face, Tile, Unseen
from engine.wall import Wall, WallState, set_size


class Phase(StrEnum):
    """Where the hand stands (section 4). All passes are silent, so the draw of the next seat ends a claim phase."""

    OPENING_FLOWERS = "opening_flowers"
    """Hands are dealt, flowers are laid open and replaced, the gold is not open yet."""
    OPENING = "opening"
    """The gold is open, or there is none, and the dealer has not moved: 起手三金, 天胡, or the dealer's first act."""
    FIRST_DISCARD = "first_discard"
    """The dealer has konged before the first discard."""
    ROB_WINDOW = "rob_window"
    """The dealer's first discard lies and nothing has followed: 抢金, and every claim."""
    CLAIMS = "claims"
    """A discard lies; anybody may claim it, or the next seat draws."""
    ACTION = "action"
    """A seat has drawn or claimed and must discard, kong or win."""
    REPLACEMENT = "replacement"
    """A seat owes a draw from the tail, after a flower or a kong."""
    ROB_KONG = "rob_kong"
    """An added kong lies and can be robbed; otherwise the konger draws from the tail."""
    LAST_GROUP = "last_group"
    """The last tiles are drawn in turn, without discards."""
    WIN_CLAIMED = "win_claimed"
    """Somebody has declared a win."""
    END = "end"


class Outcome(StrEnum):
    """How a hand ended."""

    WIN = "win"
    DRAWN = "drawn"
    ESCAPE = "escape"


class Problem(Flag):
    """Faults of a table, all that there are at once."""

    NONE = 0
    TOO_MANY_COPIES = auto()
    """More tiles of a kind are seen than the set has: a fifth copy, a second spring."""
    TILES_ADRIFT = auto()
    """Hands, melds, flowers, discards and wall do not add up to the whole set."""
    WRONG_COUNT = auto()
    """A seat has more or fewer tiles than it should (大相公, 小相公)."""
    FLOWER_IN_HAND = auto()
    """A seat is known to hold a flower although nothing keeps it from laying it open."""
    NOT_A_FLOWER = auto()
    """A tile among the flowers is none."""
    BAD_MELD = auto()
    """The tiles of a meld do not make it."""
    GOLD_IN_MELD = auto()
    """A gold lies in a meld."""


@dataclass(frozen=True, slots=True)
class PutUp:
    """A tile another seat may claim: a discard, or the fourth tile of an added kong."""

    number: int
    seat: Seat
    tile: Face
    kong: bool = False


@dataclass(frozen=True, slots=True)
class Thrown:
    """One discard in the middle, in order. ``taken_by`` is the seat that claimed it; then it lies in a meld there."""

    number: int
    seat: Seat
    tile: Face
    taken_by: Seat | None = None


@dataclass(frozen=True, slots=True)
class SeatState:
    """One seat: its tiles, and what it did that still matters."""

    known: tuple[Tile, ...] = ()
    """Concealed tiles that are known, in tile order."""
    unknown: int = 0
    """How many more concealed tiles there are."""
    melds: tuple[Meld, ...] = ()
    flowers: tuple[Face, ...] = ()
    owed: int = 0
    """Draws from the tail that are still to come."""
    drawn: Face | None = None
    """The tile of the last own draw while it is in the hand and the turn lasts."""
    turns: int = 0
    """How often the seat has come to act by a draw or a claim."""
    gold_thrown: int = 0
    """Number of the event in which it discarded a gold, 0 when it has not."""
    dead: int = 0
    """Number of the event that made its hand dead, 0 while it plays."""
    sits_out: bool = False
    """The table has declared the hand dead, so it takes no more turns."""

    @property
    def concealed_count(self) -> int:
        """How many concealed tiles the seat has."""
        return len(self.known) + self.unknown

    @property
    def is_known(self) -> bool:
        """Every concealed tile is known."""
        return self.unknown == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """The table after so many events. A value: the next event makes another one."""

    rules: TableRules
    dealer: Seat
    streak: int
    round_wind: Seat | None = None
    """圈风, where the game has rounds and the deal names it."""
    log: Log
    """Every event so far; the number of an event is its place in it, from 1."""
    phase: Phase = Phase.OPENING_FLOWERS
    turn: Seat
    """The seat that acts: the one with a tile too many, or the giver while a tile can be claimed."""
    seats: tuple[SeatState, SeatState, SeatState, SeatState]
    river: tuple[Thrown, ...] = ()
    wall: int
    """Tiles on the wall, indicator included."""
    indicator: Tile | None = None
    put_up: PutUp | None = None
    """The tile that can be claimed now."""
    own_draw: bool = True
    """The seat in turn came to act by a draw, not by a chow or pung."""
    claimed: tuple[Face, ...] = ()
    """Kinds it may not discard at once where `swap_discard` is off."""
    kong_owed: bool = False
    """The draw that is owed is for a kong, not for a flower."""
    after_kong: bool = False
    """The seat in turn has drawn for a kong in this turn (杠上开花 when that tile wins)."""
    extra_discards: int = 0
    """Tiles the dealer throws before play because he drew for flowers at the gold."""
    first_discard: int = 0
    """Number of the dealer's first discard, 0 before it."""
    win_claims: tuple[tuple[int, WinClaim], ...] = ()
    """Wins declared in a row, with their event numbers."""
    before_claims: TableState | None = None
    """The table before those claims; play goes on from there when none of them stands."""
    outcome: Outcome | None = None
    actor: Seat | None = None
    """The winner the table named, or the seat that left."""
    adrift: int = 0
    """Tiles by which a hand that was seen is smaller (or, negative, larger) than the log says."""
    alternatives: tuple[TableState, ...] = ()
    """Other tables that an irregular act leaves possible: it was taken back, or a draw before it went unseen."""

    @property
    def number(self) -> int:
        """Number of the last event."""
        return len(self.log)

    @property
    def gold(self) -> Tile | None:
        """The kind that is gold; None before it is opened."""
        if self.indicator is None or self.rules.gold_from_indicator == "same":
            return self.indicator
        suit, place = divmod(self.indicator, 9)
        return Tile(9 * suit + (place + 1) % 9)

    @property
    def wall_facts(self) -> Wall:
        """The wall with the kongs and flower sets of all seats."""
        kinds = [meld.kind for seat in self.seats for meld in seat.melds if meld.is_kong]
        concealed = kinds.count(MeldKind.KONG_CONCEALED)
        sets = sum(
            count_flower_sets([tile for tile in seat.flowers if isinstance(tile, Tile)])
            for seat in self.seats
            if len(seat.flowers) > 3
        )
        return Wall(
            remaining=self.wall,
            open_kongs=len(kinds) - concealed,
            concealed_kongs=concealed,
            flower_sets=sets,
        )

    @property
    def reserve(self) -> int:
        """Tiles kept at the end of the wall."""
        return self.wall_facts.reserve(self.rules)

    @property
    def drawable(self) -> int:
        """Tiles that may still be drawn from the head."""
        return self.wall_facts.drawable(self.rules)

    @property
    def wall_state(self) -> WallState:
        """What the next head draw is."""
        return self.wall_facts.state(self.rules)

    @property
    def reserve_stacks(self) -> int:
        """Place of the indicator: stacks from the present end of the wall, a begun one counted as one."""
        return (self.reserve + 1) // 2

    @property
    def next_to_draw(self) -> Seat:
        """The seat that draws when nobody claims: after the one in turn, past seats that sit out."""
        seat = self.turn.next
        while self.seats[seat].sits_out and seat is not self.turn:
            seat = seat.next
        return seat

    def rest_count(self, seat: Seat) -> int:
        """Concealed tiles the seat has between its turns."""
        return self.rules.hand_size - 3 * len(self.seats[seat].melds)

    def expected_count(self, seat: Seat) -> int:
        """Concealed tiles the seat should have now."""
        state = self.seats[seat]
        count = self.rest_count(seat) - state.owed
        if self.phase in _DEALER_HOLDS:
            return count + 1 + self.extra_discards if seat is self.dealer else count
        if self.phase in _IN_TURN and seat is self.turn:
            return count + 1
        if self.phase is Phase.WIN_CLAIMED and self.before_claims is not None:
            return self.before_claims.expected_count(seat)
        if self.phase is Phase.LAST_GROUP:
            return count + (1 if state.drawn is not None else 0)
        return count

    def surplus(self, seat: Seat) -> int:
        """Concealed tiles too many (大相公), or, negative, too few (小相公); 0 when the hand is over."""
        if self.phase is Phase.END:
            return 0
        return self.seats[seat].concealed_count - self.expected_count(seat)

    def faces(self) -> Iterator[Face]:
        """Every tile in sight or known: hands, melds, flowers, discards that nobody took, the indicator."""
        for seat in self.seats:
            yield from seat.known
            yield from seat.flowers
            for meld in seat.melds:
                yield from meld.tiles
        for thrown in self.river:
            if thrown.taken_by is None:
                yield thrown.tile
        if self.indicator is not None:
            yield self.indicator

    def counts(self) -> list[int]:
        """How many tiles of each of the 42 kinds are in sight or known."""
        counts = [0] * 42
        for face in self.faces():
            if face.__class__ is not Unseen:
                counts[face] += 1  # type: ignore[index]
        return counts

    def total(self) -> int:
        """All tiles: seen, counted only, adrift, and on the wall. Always the whole set."""
        seen = sum(1 for _ in self.faces())
        hidden = sum(seat.unknown for seat in self.seats)
        return seen + hidden + self.adrift + self.wall - (self.indicator is not None)

    def too_many(self) -> tuple[Tile, ...]:
        """Kinds of which more copies are seen than the set has."""
        limits = _COPIES[self.rules.tile_set]
        counts = self.counts()
        if not any(map(gt, counts, limits)):
            return ()
        return tuple(tile for tile in ALL_TILES if counts[tile] > limits[tile])

    def problems(self) -> Problem:
        """All faults of the table at once."""
        found = Problem.NONE
        if self.too_many():
            found |= Problem.TOO_MANY_COPIES
        if self.adrift or self.total() != set_size(self.rules):
            found |= Problem.TILES_ADRIFT
        if any(self.surplus(seat) for seat in SEATS):
            found |= Problem.WRONG_COUNT
        for seat in SEATS:
            found |= self._seat_problems(seat)
        return found

    def _seat_problems(self, seat: Seat) -> Problem:
        state, found = self.seats[seat], Problem.NONE
        waits = self.phase in _FLOWERS_WAIT or (self.phase is Phase.ACTION and seat is self.turn)
        if not waits and any(is_flower(tile, self.rules) for tile in state.known):
            found |= Problem.FLOWER_IN_HAND
        if any(isinstance(face, Tile) and not is_flower(face, self.rules) for face in state.flowers):
            found |= Problem.NOT_A_FLOWER
        wild = self.gold if self.rules.gold_in_claims == "any" else None
        for meld in state.melds:
            if not meld.fits(wild) and Unseen.BACK not in meld.tiles:
                found |= Problem.BAD_MELD
            if self.rules.gold_in_claims == "none" and self.gold in meld.tiles:
                found |= Problem.GOLD_IN_MELD
        return found


_COPIES = {
    "full_144": [tile.copies for tile in ALL_TILES],
    "short_128": [4 * (tile <= Tile.RED) for tile in ALL_TILES],
}
_DEALER_HOLDS = frozenset({Phase.OPENING_FLOWERS, Phase.OPENING, Phase.FIRST_DISCARD})
_IN_TURN = frozenset({Phase.ACTION, Phase.REPLACEMENT, Phase.ROB_KONG})
_FLOWERS_WAIT = frozenset({Phase.OPENING_FLOWERS, Phase.REPLACEMENT, Phase.LAST_GROUP, Phase.WIN_CLAIMED, Phase.END})
