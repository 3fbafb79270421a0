"""Whole hands and evenings, played legally from a seed, as event logs.

Four players of `engine.policy` play on the referee's own table: every event goes through `engine.fold.step`, and every
claim is one that `engine.options` calls legal. Randomness comes from the `Random` passed in, so a seed gives the same
logs again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random

from engine.checks import is_flower
from engine.context import WinSource
from engine.deals import WallTiles, arranged_wall, shuffled_wall
from engine.errors import HandError
from engine.eventlog import format_event
from engine.events import (
    Chow,
    Claim,
    Deal,
    Discard,
    Draw,
    Escape,
    Event,
    Exhausted,
    FlowersLaid,
    GoldOpened,
    KongConcealed,
    KongShown,
    LaidOpen,
    Log,
    Pass,
    WallEnd,
    WinClaim,
    WinGranted,
)
from engine.fold import start, step
from engine.options import legal_melds, legal_wins
from engine.policy import Habits, Player
from engine.result import settlement_of, winner_of
from engine.rulesets.fuzhou import Fuzhou
from engine.seats import SEATS, Seat
from engine.settlement import Settlement
from engine.shanten import distance
from engine.table import Phase, TableState
from engine.tiles import Tile, Unseen
from engine.verdicts import Win
from engine.waits import winning_tiles

ARRANGED = 0.08
"""Share of hands dealt from an arranged wall, see `engine.deals`."""
ESCAPES = 0.01
"""Share of hands in which somebody leaves."""


@dataclass(frozen=True, slots=True)
class Played:
    """One finished hand."""

    log: Log
    table: TableState
    win: Win | None
    """The win that stands; None for a drawn hand or an escape."""
    settlement: Settlement
    arranged: bool
    """The wall was arranged."""


def evening(
    random: Random, deal: Deal, hands: int, *, arranged: float = ARRANGED, habits: Habits | None = None
) -> Iterator[Played]:
    """So many hands in a row; dealer and streak go on from hand to hand, and are drawn afresh after an escape."""
    for _ in range(hands):
        played = play_hand(random, deal, arranged=random.random() < arranged, habits=habits)
        yield played
        dealer = played.settlement.next_dealer
        deal = replace(
            deal,
            dealer=Seat(random.randrange(4)) if dealer is None else dealer,
            streak=played.settlement.next_streak or 0,
        )


def play_hand(random: Random, deal: Deal, *, arranged: bool = False, habits: Habits | None = None) -> Played:
    """One hand from the deal to its end."""
    rules = start(deal).rules
    if not isinstance(rules, Fuzhou):
        raise HandError(f"nobody here can play {rules.name!r}; expected fuzhou or fuzhou-baida")
    wall = arranged_wall(random, rules) if arranged else shuffled_wall(random, rules)
    hand = _Hand(random, deal, wall, habits or Habits())
    hand.play()
    win = winner_of(hand.state)
    return Played(hand.state.log, hand.state, win, settlement_of(hand.state, win), arranged)


def as_seen(log: Log, owner: Seat | None = None) -> Log:
    """The log as a camera sees it: hands closed until they are laid down, drawn tiles and concealed kongs face down.

    The hand of ``owner``, whose phone shows it, stays open. The kongs of a winner are turned up after the win.
    """
    found: list[Event] = []
    hidden: list[KongConcealed] = []
    for event in log:
        if getattr(event, "seat", owner) is owner:
            found.append(event)
        elif isinstance(event, Draw):
            found.append(replace(event, tile=Unseen.BACK))
        elif isinstance(event, KongConcealed):
            hidden.append(event)
            found.append(replace(event, tile=Unseen.BACK))
        elif not isinstance(event, LaidOpen):
            found.append(event)
            if isinstance(event, WinClaim):
                kongs = [kong for kong in hidden if kong.seat is event.seat and isinstance(kong.tile, Tile)]
                found += [KongShown(kong.seat, kong.tile) for kong in kongs]  # type: ignore[arg-type]
    return tuple(found)


class _Hand:
    """One hand in play: the wall, and the table with all hands known."""

    def __init__(self, random: Random, deal: Deal, wall: WallTiles, habits: Habits) -> None:
        self.random = random
        self.player = Player(random, habits)
        self.wall = deque(wall)
        self.state = start(deal)
        self.escape_at = random.randrange(8, 140) if random.random() < ESCAPES else 0
        self.shapes: dict[Seat, tuple[int, frozenset[Tile]]] = {}
        for place in range(4):
            seat = Seat((deal.dealer + place) % 4)
            size = self.state.rules.hand_size + (place == 0)
            self.say(LaidOpen(seat, tuple(sorted(self.wall.popleft() for _ in range(size)))))

    def play(self) -> None:
        """From the dealt hands to the end."""
        while self.state.phase not in (Phase.WIN_CLAIMED, Phase.END):
            if self.escape_at and self.state.number >= self.escape_at and self.state.phase is not Phase.OPENING_FLOWERS:
                self.say(Escape(self.random.choice(SEATS)))
            else:
                _PHASES[self.state.phase](self)

    def say(self, event: Event) -> None:
        """Something happens. HandError if it was not allowed, which would be a fault of this module."""
        seat = getattr(event, "seat", None)
        if seat is not None:
            self.shapes.pop(seat, None)
        self.state, fault = step(self.state, event)
        if fault is not None:
            raise HandError(f"a simulated player did {format_event(event)!r}: {fault.en}; expected a legal act")

    def known(self, seat: Seat) -> tuple[Tile, ...]:
        """The concealed tiles of a seat."""
        return self.state.seats[seat].known

    def shape(self, seat: Seat) -> tuple[int, frozenset[Tile]]:
        """Steps from ready, and the winning tiles of a ready hand, of a seat between its turns."""
        found = self.shapes.get(seat)
        if found is None:
            known, gold = self.known(seat), self.state.gold
            steps = distance(known, gold)
            found = steps, frozenset(winning_tiles(known, gold)) if steps == 0 else frozenset()
            self.shapes[seat] = found
        return found

    def golds(self, seat: Seat) -> int:
        """Golds in the hand of a seat."""
        return 0 if self.state.gold is None else self.known(seat).count(self.state.gold)

    def flowers(self, seat: Seat) -> list[Tile]:
        """Flowers in the hand of a seat."""
        return [tile for tile in self.known(seat) if tile >= 27 and is_flower(tile, self.state.rules)]

    def draw(self, seat: Seat, end: WallEnd) -> None:
        """One tile from the wall."""
        tile = self.wall.popleft() if end is WallEnd.HEAD else self.wall.pop()
        self.say(Draw(seat, tile, end))

    def draw_owed(self, seat: Seat) -> None:
        """The replacements a seat is owed; the hand ends where the wall has none."""
        while self.state.seats[seat].owed:
            if not self.wall:
                return self.say(Exhausted())
            self.draw(seat, WallEnd.TAIL)
        return None

    def wins(self, seat: Seat, steps: int) -> WinClaim | None:
        """A win of this seat that stands and that the player wants."""
        for claim in legal_wins(self.state, seat):
            if self.player.takes_win(claim, self.golds(seat), steps):
                return claim
        return None

    def declare(self, claims: list[WinClaim]) -> None:
        """Wins are declared, hands laid down. The table may name the winner; else the rules do."""
        for claim in claims:
            tiles = list(self.known(claim.seat))
            if claim.source.is_own_draw and isinstance(claim.tile, Tile):
                tiles.remove(claim.tile)
            elif claim.swap is not None:
                tiles.append(claim.swap)
            self.say(replace(claim, hand=tuple(sorted(tiles))))
        if self.random.random() < 0.3:
            winner = winner_of(self.state)
            if winner is not None and winner.context.seat is not None:
                self.say(WinGranted(winner.context.seat))

    def opening_flowers(self) -> None:
        """Flowers in rounds from the dealer, then the gold is opened."""
        order = [Seat((self.state.dealer + place) % 4) for place in range(4)]
        while any(self.flowers(seat) for seat in order):
            for seat in order:
                flowers = self.flowers(seat)
                if flowers:
                    self.say(FlowersLaid(seat, tuple(flowers)))
                    self.draw_owed(seat)
        turned = [self.wall.pop()]
        while is_flower(turned[-1], self.state.rules):
            turned.append(self.wall.pop())
        self.say(GoldOpened(tuple(turned)))

    def opening(self) -> None:
        """Opening wins, then the dealer begins."""
        dealer = self.state.dealer
        if self.settle_flowers(dealer):
            return
        if self.state.extra_discards:
            return self.say(Discard(dealer, self.player.spare(self.known(dealer), self.state.gold)))
        declared = []
        for seat in SEATS:
            if self.golds(seat) >= 3 or seat is dealer:
                claim = self.wins(seat, distance(self.known(seat), self.state.gold))
                if claim is not None:
                    declared.append(claim)
        if declared:
            return self.declare(declared)
        return self.kong_or_discard(dealer)

    def settle_flowers(self, seat: Seat) -> bool:
        """Lays open the flowers of the seat in turn and draws what it is owed; whether anything happened."""
        if not self.state.seats[seat].owed:
            flowers = self.flowers(seat)
            if not flowers:
                return False
            self.say(FlowersLaid(seat, tuple(flowers)))
        self.draw_owed(seat)
        return True

    def action(self) -> None:
        """An own turn: flowers, a self-draw, a kong, a discard."""
        seat = self.state.turn
        if self.settle_flowers(seat):
            return
        if self.state.own_draw:
            known, gold = self.known(seat), self.state.gold
            steps = distance(known, gold)
            if steps < 0 or self.golds(seat) >= 3 or self.state.rules.rob_window == "first_draw_is_gold":
                claim = self.wins(seat, steps)
                if claim is not None:
                    return self.declare([claim])
        return self.kong_or_discard(seat)

    def kong_or_discard(self, seat: Seat) -> None:
        """A kong the player wants, else the tile he throws."""
        known, gold, rules = self.known(seat), self.state.gold, self.state.rules
        if len(set(known)) < len(known) - 2 or any(meld.tiles[0] in known for meld in self.state.seats[seat].melds):
            steps = distance(known, gold)
            for claim in legal_melds(self.state, seat):
                if self.player.wants(claim, known, gold, max(steps, 0)):
                    return self.say(claim)
        barred = [tile for tile in self.state.claimed if isinstance(tile, Tile)] if not rules.swap_discard else []
        if gold is not None and not rules.gold_discardable:
            barred.append(gold)
        return self.say(Discard(seat, self.player.discard(known, gold, barred)))

    def replacement(self) -> None:
        """The seat in turn draws what it is owed."""
        self.draw_owed(self.state.turn)

    def offer(self) -> None:
        """A tile lies: wins first, then kong or pung, then chow; else the next seat draws."""
        offered = self.state.put_up
        if offered is not None and isinstance(offered.tile, Tile):
            declared = self.wanted_wins(offered.seat, offered.tile)
            if declared:
                return self.declare(declared)
            claim = self.wanted_meld(offered.seat, offered.tile)
            if claim is not None:
                return self.say(claim)
        if self.state.phase is Phase.ROB_KONG:
            return self.draw_owed(self.state.turn)
        return self.next_draw()

    def wanted_wins(self, giver: Seat, tile: Tile) -> list[WinClaim]:
        """Wins on this tile, or of the gold, that the players declare; in turn order after the giver."""
        declared = []
        for place in (1, 2, 3, 0):
            seat = Seat((giver + place) % 4)
            steps, waits = self.shape(seat)
            takes_any = self.golds(seat) >= 3 and self.state.rules.three_golds_on_discard == "any"
            robs = steps == 0 and (self.state.phase is Phase.ROB_WINDOW or self.state.seats[seat].turns == 0)
            if not (robs or takes_any or (tile in waits and place)):
                continue
            claim = self.wins(seat, steps)
            if claim is not None:
                declared.append(claim)
            elif tile in waits and self.random.random() < 0.3:
                self.say(Pass(seat))
        return declared

    def wanted_meld(self, giver: Seat, tile: Tile) -> Claim | None:
        """The chow, pung or kong that is made of this tile."""
        if self.state.phase is Phase.ROB_KONG or tile is self.state.gold:
            return None
        chow: Claim | None = None
        for place in (1, 2, 3):
            seat = Seat((giver + place) % 4)
            known = self.known(seat)
            if known.count(tile) < 2 and not (place == 1 and _may_chow(tile, known)) and not self.claims_with_gold:
                continue
            steps, _ = self.shape(seat)
            for claim in legal_melds(self.state, seat):
                if self.player.wants(claim, known, self.state.gold, steps):
                    if not isinstance(claim, Chow):
                        return claim
                    chow = chow or claim
        return chow

    @property
    def claims_with_gold(self) -> bool:
        """Golds may stand for tiles in claims."""
        return self.state.rules.gold_in_claims == "any"

    def next_draw(self) -> None:
        """The next seat draws from the head, or the hand is drawn."""
        if self.state.drawable == 0:
            return self.say(Exhausted())
        return self.draw(self.state.next_to_draw, WallEnd.HEAD)

    def last_group(self) -> None:
        """A tile that wins is won by itself; else the next one is drawn."""
        seat = self.state.turn
        wins = [claim for claim in legal_wins(self.state, seat) if claim.source is WinSource.LAST_GROUP]
        if wins:
            return self.declare(wins[:1])
        return self.next_draw()


def _may_chow(tile: Tile, known: tuple[Tile, ...]) -> bool:
    """Quick look: two different neighbours of the suit are there."""
    return len({other for other in known if other != tile and abs(other - tile) <= 2 and other // 9 == tile // 9}) >= 2


_PHASES: dict[Phase, Callable[[_Hand], None]] = {
    Phase.OPENING_FLOWERS: _Hand.opening_flowers,
    Phase.OPENING: _Hand.opening,
    Phase.FIRST_DISCARD: _Hand.action,
    Phase.ROB_WINDOW: _Hand.offer,
    Phase.CLAIMS: _Hand.offer,
    Phase.ACTION: _Hand.action,
    Phase.REPLACEMENT: _Hand.replacement,
    Phase.ROB_KONG: _Hand.offer,
    Phase.LAST_GROUP: _Hand.last_group,
}
