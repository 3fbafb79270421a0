"""Simulated hands: legal by the audit, whole at every event, and everything that can happen happens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest

from engine.audit import audit
from engine.context import WinSource
from engine.deals import arranged_wall, complete_hand, shuffled_wall
from engine.decompose import is_complete
from engine.eventlog import format_log, parse_log
from engine.events import (
    Chow,
    Deal,
    KongAdded,
    KongConcealed,
    KongOpen,
    LaidOpen,
    Pass,
    Pung,
    WinClaim,
    with_later_knowledge,
)
from engine.fold import start, step
from engine.judging import judge_claim
from engine.policy import Habits
from engine.reasons import Reason
from engine.rulesets import get_ruleset
from engine.seats import SEATS, Seat
from engine.simulate import Played, as_seen, evening, play_hand
from engine.table import Outcome, Phase, Problem, TableState
from engine.tiles import ALL_TILES, Tile
from engine.verdicts import Refusal
from engine.waits import winning_tiles
from engine.wall import set_size
from engine.win_types import WinType

FUZHOU = Deal(Seat.EAST)
BAIDA = Deal(Seat.SOUTH, "fuzhou-baida", 1)
ONE_SUIT = Deal(Seat.WEST, "fuzhou", 0, (("one_suit", "true"), ("half_suit", "true")))


def states(played: Played) -> Iterator[TableState]:
    """The table after every event of the written log; fails at the first violation."""
    log = with_later_knowledge(parse_log(format_log(played.log)))
    assert log == played.log
    state = start(log[0])  # type: ignore[arg-type]
    for event in log[1:]:
        state, fault = step(state, event)
        assert fault is None, format_log(log, numbered=True)
        yield state


def check(played: Played) -> Counter[object]:
    """A hand is legal and whole; what occurred in it is counted."""
    for state in states(played):
        assert state.total() == set_size(state.rules)
        assert not state.problems() & ~Problem.FLOWER_IN_HAND
    deltas = sum(played.settlement.deltas)
    assert deltas <= 0 if played.table.outcome is Outcome.ESCAPE else deltas == 0
    seen = Counter(type(event) for event in played.log)
    seen[played.table.outcome] += 1
    if played.win is not None:
        seen.update([*played.win.win_types, played.win.context.source])
        seen[played.win.context.source, played.win.context.seat is played.table.dealer] += 1
    return seen


@pytest.mark.parametrize("deal", [FUZHOU, BAIDA, ONE_SUIT], ids=["fuzhou", "fuzhou-baida", "one suit"])
def test_a_hundred_hands_are_clean(deal: Deal) -> None:
    """No violation, all tiles at every event, points that sum to zero."""
    seen: Counter[object] = Counter()
    for played in evening(Random(1), deal, 100):
        seen += check(played)
        assert audit(played.log) == ()
    assert min(seen[kind] for kind in (Chow, Pung, KongOpen, KongConcealed)) > 0


@pytest.mark.slow
def test_five_thousand_hands_are_clean_and_everything_occurs() -> None:
    """Every type of win, every way to win and every end."""
    seen: Counter[object] = Counter()
    for seed, deal, hands in ((1, FUZHOU, 3500), (2, BAIDA, 1000), (3, ONE_SUIT, 500)):
        for played in evening(Random(seed), deal, hands):
            seen += check(played)
    wanted = {*WinType, *WinSource, Outcome.DRAWN, Outcome.ESCAPE, Chow, Pung, KongOpen, KongAdded, KongConcealed, Pass}
    wanted |= {(WinSource.ROB_GOLD, True), (WinSource.ROB_GOLD, False), (WinSource.OPENING_THREE, True)}
    assert {kind for kind in wanted if not seen[kind]} == set()


@pytest.mark.parametrize("option", [
    ("rob_window", "instead_of_first_draw"),
    ("rob_window", "first_draw_is_gold"),
    ("gold_in_claims", "any"),
    ("gold_from_indicator", "next"),
    ("gold_flower_dealer_draws", "true"),
    ("gold_discardable", "false"),
    ("three_golds_on_discard", "any"),
    ("three_golds_timing", "on_third_gold_draw"),
    ("pass_lock_scope", "all_tiles"),
    ("pass_lock_reset", "end_of_hand"),
    ("pass_pung_lock", "same_tile"),
    ("swap_discard", "false"),
    ("kong_after_claim", "true"),
    ("added_kong_later", "false"),
    ("tile_set", "short_128"),
    ("gold_fifth_copy", "false"),
    ("win_priority", "value_then_seat"),
], ids="=".join)  # fmt: skip
def test_hands_by_other_options_are_clean(option: tuple[str, str]) -> None:
    """The players know the options."""
    for played in evening(Random(5), Deal(Seat.EAST, options=(option,)), 12, arranged=0.5):
        assert audit(played.log) == ()


def test_a_seed_gives_the_same_hands_again() -> None:
    """And another seed gives others."""
    one, again, other = ([played.log for played in evening(Random(seed), FUZHOU, 3)] for seed in (4, 4, 5))
    assert one == again != other


def test_dealer_and_streak_go_on() -> None:
    """Each deal is the one the settlement before it names; after an escape the dealer is drawn afresh."""
    hands = list(evening(Random(3), BAIDA, 120))
    kept = 0
    for before, after in pairwise(hands):
        deal = after.log[0]
        assert isinstance(deal, Deal)
        assert deal.streak == (before.settlement.next_streak or 0)
        assert before.settlement.next_dealer in (None, deal.dealer)
        kept += deal.streak > 0
    assert hands[0].log[0] == BAIDA
    assert kept > 5
    assert any(hand.table.outcome is Outcome.ESCAPE for hand in hands)


def test_hands_as_a_camera_sees_them_are_clean() -> None:
    """Closed hands, drawn tiles and concealed kongs face down; the hand of one seat may be open."""
    for played in evening(Random(6), FUZHOU, 40, arranged=0.3):
        closed = as_seen(played.log)
        assert not any(isinstance(event, LaidOpen) for event in closed)
        assert audit(closed) == ()
        assert audit(as_seen(played.log, Seat.SOUTH)) == ()
        assert as_seen(closed) == closed


def test_passed_wins_lock() -> None:
    """Players who often let a win go by come to be barred from the same tile by 过水."""
    barred = 0
    for seed in range(60):
        played = play_hand(Random(seed), FUZHOU, arranged=True, habits=Habits(pass_win=0.9, pass_draw=0.9))
        for state in states(played):
            if state.phase is Phase.CLAIMS:
                barred += any(_is_barred(state, seat) for seat in SEATS)
    assert barred > 0


def _is_barred(state: TableState, seat: Seat) -> bool:
    offered, known = state.put_up, state.seats[seat].known
    if offered is None or offered.seat is seat or offered.tile not in winning_tiles(known, state.gold):
        return False
    verdict = judge_claim(state, WinClaim(seat, WinSource.DISCARD, offered.tile)).verdict
    return isinstance(verdict, Refusal) and verdict.reason is Reason.PASS_LOCK


def test_walls_hold_the_whole_set() -> None:
    """144 tiles, or 128, in shuffled and arranged walls."""
    rules = get_ruleset("fuzhou")
    whole = sorted(tile for tile in ALL_TILES for _ in range(tile.copies))
    for seed in range(60):
        assert sorted(arranged_wall(Random(seed), rules)) == whole  # type: ignore[arg-type]
    assert sorted(shuffled_wall(Random(1), rules)) == whole  # type: ignore[arg-type]
    short = arranged_wall(Random(1), rules.with_options({"tile_set": "short_128"}))  # type: ignore[arg-type]
    assert len(short) == 128
    assert max(short) is Tile.RED


def test_complete_hands_are_complete() -> None:
    """For arranged walls and benchmarks."""
    for seed in range(200):
        sets = seed % 6
        hand = complete_hand(Random(seed), sets)
        assert len(hand) == 3 * sets + 2
        assert is_complete(hand)
