"""Random but legal hands for tests: four simple players at one table, from a seed."""

from __future__ import annotations

from random import Random

from engine.checks import is_flower
from engine.events import (
    Chow,
    Deal,
    Discard,
    Draw,
    Event,
    Exhausted,
    FlowersLaid,
    GoldOpened,
    KongAdded,
    KongConcealed,
    KongOpen,
    LaidOpen,
    Log,
    Pung,
    WallEnd,
    WinClaim,
)
from engine.fold import start, step
from engine.options import legal_claims
from engine.seats import SEATS, Seat
from engine.table import TableState
from engine.tiles import ALL_TILES, Tile


class Game:
    """One hand in play: the real tiles, and the table as the referee sees it."""

    def __init__(self, rng: Random, deal: Deal, *, eager: float, hidden: bool, careless: float = 0.02) -> None:
        self.rng = rng
        self.careless = careless
        self.eager = eager
        self.hidden = hidden
        self.state = start(deal)
        self.wall = [tile for tile in ALL_TILES for _ in range(tile.copies)]
        rng.shuffle(self.wall)
        self.hands: dict[Seat, list[Tile]] = {}
        self.violations: list[object] = []
        for seat in SEATS:
            size = self.state.rules.hand_size + (seat is deal.dealer)
            self.hands[seat] = sorted(self.wall.pop() for _ in range(size))
            if not hidden:
                self.say(LaidOpen(seat, tuple(self.hands[seat])))

    def say(self, event: Event) -> None:
        """Something happens and is taken down."""
        self.state, fault = step(self.state, event)
        if fault is not None:
            self.violations.append((fault, self.state.number))

    def draw(self, seat: Seat, end: WallEnd) -> Tile:
        """A seat draws; the tail is the front of the list."""
        tile = self.wall.pop(0) if end is WallEnd.TAIL else self.wall.pop()
        self.hands[seat].append(tile)
        self.say(Draw(seat, end=end) if self.hidden else Draw(seat, tile, end))
        return tile

    def lay_flowers(self, seat: Seat) -> int:
        """A seat lays all its flowers open and replaces them once."""
        flowers = [tile for tile in self.hands[seat] if is_flower(tile, self.state.rules)]
        if flowers:
            self.hands[seat] = [tile for tile in self.hands[seat] if tile not in flowers]
            self.say(FlowersLaid(seat, tuple(flowers)))
            for _ in flowers:
                self.draw(seat, WallEnd.TAIL)
        return len(flowers)

    def open_gold(self) -> None:
        """Flowers in rounds from the dealer, then the tile at the tail."""
        order = [Seat((self.state.dealer + place) % 4) for place in range(4)]
        while sum(self.lay_flowers(seat) for seat in order):
            pass
        turned = []
        while True:
            turned.append(self.wall.pop(0))
            if turned[-1].is_suited:
                break
        self.wall.insert(0, turned[-1])
        self.say(GoldOpened(tuple(turned)))

    def draw_tail(self, seat: Seat) -> None:
        """A replacement, past the indicator, which stays."""
        indicator = self.wall.pop(0)
        self.draw(seat, WallEnd.TAIL)
        self.wall.insert(0, indicator)

    def act(self, seat: Seat) -> bool:
        """An own turn after a draw; False when the hand is over."""
        while True:
            flowers = [tile for tile in self.hands[seat] if is_flower(tile, self.state.rules)]
            if flowers:
                self.hands[seat].remove(flowers[0])
                self.say(FlowersLaid(seat, (flowers[0],)))
                if len(self.wall) <= 1:
                    return self.end()
                self.draw_tail(seat)
                continue
            claim = self.choose(seat)
            if isinstance(claim, WinClaim):
                return self.win(claim)
            if not isinstance(claim, KongAdded | KongConcealed):
                return True
            for _ in range(1 if isinstance(claim, KongAdded) else 4):
                self.hands[seat].remove(claim.tile)  # type: ignore[arg-type]
            self.say(claim)
            if isinstance(claim, KongAdded) and not self.others(seat):
                return False
            if len(self.wall) <= 1:
                return self.end()
            self.draw_tail(seat)

    def end(self) -> bool:
        """Nothing is left."""
        self.say(Exhausted())
        return False

    def win(self, claim: WinClaim) -> bool:
        """A win is declared, with the hand laid down."""
        hand = list(self.hands[claim.seat])
        if claim.source.is_own_draw:
            hand.remove(claim.tile)  # type: ignore[arg-type]
        elif claim.swap is not None:
            hand.append(claim.swap)
        self.say(WinClaim(claim.seat, claim.source, claim.tile, tuple(hand), claim.swap))
        return False

    def view(self, seat: Seat) -> TableState:
        """The table as this seat's owner sees it."""
        if not self.hidden:
            return self.state
        from dataclasses import replace

        seats = list(self.state.seats)
        drawn = self.hands[seat][-1] if seats[seat].drawn is not None else None
        seats[seat] = replace(seats[seat], known=tuple(sorted(self.hands[seat])), unknown=0, drawn=drawn)
        return replace(self.state, seats=tuple(seats))  # type: ignore[arg-type]

    def choose(self, seat: Seat) -> Event | None:
        """A claim this player makes, or None."""
        for claim in legal_claims(self.view(seat), seat):
            chance = 0.9 if isinstance(claim, WinClaim) else self.eager
            if self.rng.random() < chance:
                return claim
        return None

    def others(self, giver: Seat) -> bool:
        """The other seats may claim; False when one wins. A meld is taken by the seat that claims it."""
        order = [Seat((giver + place) % 4) for place in (1, 2, 3, 0)]
        wanted = [claim for claim in (self.choose(seat) for seat in order) if claim is not None]
        wins = [claim for claim in wanted if isinstance(claim, WinClaim)]
        if wins:
            for claim in wins:
                self.win(claim)
            return False
        wanted.sort(key=lambda claim: isinstance(claim, Chow))
        for claim in wanted[:1]:
            if isinstance(claim, Chow | Pung | KongOpen):
                size = {Pung: 2, KongOpen: 3, Chow: 0}[type(claim)]
                for tile in claim.held or (claim.tile,) * size:
                    self.hands[claim.seat].remove(tile)  # type: ignore[arg-type]
                self.say(claim)
                self.to_move = claim.seat
                if isinstance(claim, KongOpen):
                    if len(self.wall) <= 1:
                        return self.end()
                    self.draw_tail(claim.seat)
                    self.drew = True
                else:
                    self.drew = False
        return True

    def discard(self, seat: Seat) -> Tile:
        """Throws the tile with the fewest neighbours; a gold hardly ever."""
        hand, gold = self.hands[seat], self.state.gold
        allowed = [tile for tile in hand if tile is not gold or self.rng.random() < self.careless] or hand

        def worth(tile: Tile) -> float:
            near = sum(1 for other in hand if other // 9 == tile // 9 and 0 < abs(other - tile) <= 2)
            return 3 * hand.count(tile) + near + self.rng.random()

        tile = min(allowed, key=worth)
        hand.remove(tile)
        self.say(Discard(seat, tile))
        return tile

    def play(self) -> Log:
        """The whole hand."""
        self.open_gold()
        for seat in SEATS:
            claim = self.choose(seat)
            if isinstance(claim, WinClaim):
                self.win(claim)
                return self.state.log
        seat, self.drew = self.state.dealer, True
        while True:
            if self.drew and not self.act(seat):
                return self.state.log
            self.discard(seat)
            self.to_move = None
            if not self.others(seat):
                return self.state.log
            if self.to_move is not None:
                seat = self.to_move
                continue
            facts, rules = self.state.wall_facts, self.state.rules
            left = facts.drawable(rules)
            seat, self.drew = seat.next, True
            if left == 0:
                self.end()
                return self.state.log
            if left <= rules.last_group_size:
                return self.last_group(seat)
            self.draw(seat, WallEnd.HEAD)

    def last_group(self, seat: Seat) -> Log:
        """The last tiles are drawn in turn."""
        while self.state.drawable:
            self.draw(seat, WallEnd.HEAD)
            view = self.view(seat)
            for claim in legal_claims(view, seat):
                if isinstance(claim, WinClaim):
                    self.win(claim)
                    return self.state.log
            seat = seat.next
        self.end()
        return self.state.log


def play(
    seed: int, deal: Deal | None = None, *, eager: float = 0.5, hidden: bool = False, careless: float = 0.02
) -> Log:
    """A legal hand from a seed; ``hidden`` leaves concealed tiles unknown until a winner lays the hand open.

    ``eager`` is how often melds are claimed, ``careless`` how often a gold may be thrown.
    """
    rng = Random(seed)
    deal = deal or Deal(Seat(rng.randrange(4)))
    return Game(rng, deal, eager=eager, hidden=hidden, careless=careless).play()
