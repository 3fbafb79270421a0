"""Hypothesis plays legal events in any order the rules allow, sensible or not: never a violation, never a lost tile."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.audit import audit
from engine.checks import is_flower
from engine.context import WinSource
from engine.deals import arranged_wall, shuffled_wall
from engine.eventlog import format_log, parse_log
from engine.events import (
    Claim,
    Deal,
    Discard,
    Draw,
    Escape,
    Event,
    Exhausted,
    FlowersLaid,
    GoldOpened,
    LaidOpen,
    Pass,
    WallEnd,
    WinClaim,
    WinGranted,
)
from engine.fold import fold, start, step
from engine.options import legal_claims, legal_wins
from engine.result import settlement_of, winner_of
from engine.seats import SEATS, Seat
from engine.simulate import as_seen
from engine.table import Outcome, Phase, Problem
from engine.tiles import Tile
from engine.wall import set_size

DEALS = (
    Deal(Seat.EAST),
    Deal(Seat.NORTH, "fuzhou-baida", 2),
    Deal(Seat.SOUTH, options=(("kong_after_claim", "true"), ("pass_pung_lock", "same_tile"))),
    Deal(Seat.WEST, options=(("gold_in_claims", "any"), ("rob_window", "instead_of_first_draw"))),
    Deal(Seat.EAST, options=(("swap_discard", "false"), ("pass_lock_reset", "end_of_hand"))),
)
OWN_TURN = (Phase.OPENING, Phase.FIRST_DISCARD, Phase.ACTION)


class LegalPlay(RuleBasedStateMachine):
    """One hand, all tiles known, one event at a time."""

    @initialize(deal=st.sampled_from(DEALS), seed=st.integers(0, 1 << 20), arranged=st.booleans())
    def deal_hands(self, deal: Deal, seed: int, arranged: bool) -> None:
        """A wall, and four hands laid open; the opening flowers leave no choice but their order."""
        self.state = start(deal)
        rules = self.state.rules
        self.wall = deque((arranged_wall if arranged else shuffled_wall)(Random(seed), rules))
        for seat in SEATS:
            size = rules.hand_size + (seat is deal.dealer)
            self.apply(LaidOpen(seat, tuple(self.wall.popleft() for _ in range(size))))

    @precondition(lambda self: self.goes_on)
    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        """One event where there is a choice, and all that must follow."""
        claims, others = self.choices()
        group = claims if claims and data.draw(st.booleans()) else others or claims
        self.apply(data.draw(st.sampled_from(group)))
        while self.goes_on:
            claims, others = self.choices()
            if len(claims) + len(others) != 1:
                break
            self.apply((*claims, *others)[0])

    @precondition(lambda self: self.goes_on and self.state.phase is not Phase.OPENING_FLOWERS)
    @rule(seat=st.sampled_from(SEATS), really=st.integers(0, 20))
    def leave(self, seat: Seat, really: int) -> None:
        """A seat leaves, hardly ever."""
        if really == 20:
            self.apply(Escape(seat))

    @precondition(lambda self: self.goes_on and self.state.phase in (Phase.CLAIMS, Phase.ROB_WINDOW))
    @rule(seat=st.sampled_from(SEATS))
    def pass_by(self, seat: Seat) -> None:
        """Saying what silence says too."""
        if seat is not self.state.turn:
            self.apply(Pass(seat))

    @precondition(lambda self: not self.goes_on)
    @rule(seed=st.integers(0, 1 << 20))
    def next_hand(self, seed: int) -> None:
        """The hand is settled, and dealer and streak go on."""
        self.check_log()
        settled = settlement_of(self.state)
        assert sum(settled.deltas) == 0 or self.state.outcome is Outcome.ESCAPE
        deal = self.state.log[0]
        assert isinstance(deal, Deal)
        dealer = deal.dealer if settled.next_dealer is None else settled.next_dealer
        self.deal_hands(replace(deal, dealer=dealer, streak=settled.next_streak or 0), seed, True)

    @invariant()
    def tiles_stay_together(self) -> None:
        """Always the whole set, and nothing wrong with the table but a flower that waits."""
        if hasattr(self, "state"):
            assert self.state.total() == set_size(self.state.rules)
            assert not self.state.problems() & ~Problem.FLOWER_IN_HAND

    def teardown(self) -> None:
        """Also the hand that is not over."""
        if hasattr(self, "state"):
            self.check_log()

    def check_log(self) -> None:
        """The written log is clean, whether hands are seen or not, and folds to the same table."""
        log = parse_log(format_log(self.state.log))
        assert audit(log) == ()
        assert audit(as_seen(log)) == ()
        assert fold(log) == self.state

    @property
    def goes_on(self) -> bool:
        """The hand is not over."""
        return hasattr(self, "state") and self.state.phase is not Phase.END

    def apply(self, event: Event) -> None:
        """One legal event; drawn tiles leave the wall."""
        if isinstance(event, Draw):
            drawn = self.wall.popleft() if event.end is WallEnd.HEAD else self.wall.pop()
            assert drawn is event.tile
        elif isinstance(event, GoldOpened):
            for _ in event.tiles:
                self.wall.pop()
        self.state, fault = step(self.state, event)
        assert fault is None, (event, fault)

    def choices(self) -> tuple[list[Event], list[Event]]:
        """The claims that stand now, and what else may happen."""
        state, phase = self.state, self.state.phase
        if phase is Phase.WIN_CLAIMED:
            winner = winner_of(state)
            assert winner is not None
            return [], [WinGranted(winner.context.seat)]  # type: ignore[arg-type]
        owed = [seat for seat in SEATS if state.seats[seat].owed]
        robbing = [claim for seat in SEATS for claim in self.claims(seat)] if phase is Phase.ROB_KONG else []
        if owed:
            return robbing, [Draw(owed[0], self.wall[-1], WallEnd.TAIL) if self.wall else Exhausted()]
        if phase is Phase.OPENING_FLOWERS:
            return [], self.opening()
        if phase in OWN_TURN:
            return self.own_turn()
        head: Event = Exhausted()
        if state.drawable:
            head = Draw(state.next_to_draw, self.wall[0], WallEnd.HEAD)
        if phase is Phase.LAST_GROUP:
            wins = [claim for claim in legal_wins(state, state.turn) if claim.source is WinSource.LAST_GROUP]
            return [self.laid(claim) for claim in wins], [] if wins else [head]
        return [claim for seat in SEATS for claim in self.claims(seat)], [head]

    def opening(self) -> list[Event]:
        """Flowers of any seat, then the gold."""
        rules = self.state.rules
        laid: list[Event] = []
        for seat in SEATS:
            flowers = [tile for tile in self.state.seats[seat].known if is_flower(tile, rules)]
            if flowers:
                laid.append(FlowersLaid(seat, tuple(flowers)))
        if laid:
            return laid
        turned = [self.wall[-1]]
        while is_flower(turned[-1], rules):
            turned.append(self.wall[-1 - len(turned)])
        return [GoldOpened(tuple(turned))]

    def own_turn(self) -> tuple[list[Event], list[Event]]:
        """The seat in turn: flowers first, then claims or any discard."""
        state, rules = self.state, self.state.rules
        seat = state.turn
        known = state.seats[seat].known
        flowers = [tile for tile in known if is_flower(tile, rules)]
        if flowers:
            return [], [FlowersLaid(seat, (flowers[0],))]
        claims: list[Event] = [*self.claims(seat)]
        if state.phase is Phase.OPENING:
            claims += [self.laid(claim) for other in SEATS if other is not seat for claim in legal_wins(state, other)]
        barred = set(state.claimed) if not rules.swap_discard else set()
        return claims, [Discard(seat, tile) for tile in sorted(set(known)) if tile not in barred]

    def claims(self, seat: Seat) -> list[Event]:
        """What a seat may claim now."""
        if self.state.phase is Phase.ROB_KONG:
            return [self.laid(claim) for claim in legal_wins(self.state, seat)]
        return [self.laid(claim) for claim in legal_claims(self.state, seat)]

    def laid(self, claim: Claim) -> Event:
        """A win with the hand laid down; other claims as they are."""
        if not isinstance(claim, WinClaim):
            return claim
        tiles = list(self.state.seats[claim.seat].known)
        if claim.source.is_own_draw and isinstance(claim.tile, Tile):
            tiles.remove(claim.tile)
        elif claim.swap is not None:
            tiles.append(claim.swap)
        return WinClaim(claim.seat, claim.source, claim.tile, tuple(sorted(tiles)), claim.swap)


TestLegalPlay = LegalPlay.TestCase
TestLegalPlay.settings = settings(max_examples=30, stateful_step_count=80, deadline=None)
