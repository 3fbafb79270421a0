"""过水 once more, the plain way: every seat's locks are kept forward, tile by tile, and must agree with the audit.

Players who let most wins go by play without the rule; then each of their wins is looked at under it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import pytest

from engine.audit import audit
from engine.context import TableFacts, WinContext, WinSource
from engine.events import Deal, Discard, Draw, KongAdded, Log, Pass, WinClaim
from engine.fold import start, step
from engine.policy import Habits
from engine.rulesets.fuzhou import Fuzhou, load
from engine.seats import SEATS, Seat
from engine.simulate import as_seen, play_hand
from engine.table import TableState
from engine.tiles import Tile
from engine.verdicts import Win
from engine.violations import ViolationKind
from engine.win import judge_win

HANDS = 60


@cache
def careless_hands() -> tuple[Log, ...]:
    """Hands in which wins are let go by and taken later."""
    deal = Deal(Seat.EAST, options=(("pass_lock_scope", "off"),))
    habits = Habits(pass_win=0.7, pass_draw=0.7)
    return tuple(play_hand(Random(seed), deal, habits=habits).log for seed in range(HANDS))


def would_win(table: TableState, seat: Seat, tile: Tile, giver: Seat, kong: bool, rules: Fuzhou) -> bool:
    """Whether the seat's hand wins on the tile, passed wins aside."""
    state = table.seats[seat]
    context = WinContext(
        concealed=state.known,
        winning_tile=tile,
        melds=state.melds,
        flowers=state.flowers,
        gold=table.gold,
        source=WinSource.ROB_KONG if kong else WinSource.DISCARD,
        seat=seat,
        from_seat=giver,
        dealer=table.dealer,
        streak=table.streak,
        facts=TableFacts(gold_discarded=bool(state.gold_thrown), passed_kinds=frozenset(), dead_hand=False),
    )
    return isinstance(judge_win(context, replace(rules, pass_lock_scope="off")), Win)


def locked_wins(log: Log, rules: Fuzhou) -> list[int]:
    """Numbers of the declared wins that a lock bars, from locks kept forward."""
    locks: dict[Seat, set[Tile]] = {seat: set() for seat in SEATS}
    table, barred = start(log[0]), []  # type: ignore[arg-type]
    for number, event in enumerate(log[1:], start=2):
        if isinstance(event, WinClaim):
            mine = locks[event.seat]
            hit = bool(mine) if rules.pass_lock_scope == "all_tiles" else event.tile in mine
            if event.source.is_from_other and hit:
                barred.append(number)
            continue
        if isinstance(event, Draw) and rules.pass_lock_reset == "own_draw":
            locks[event.seat].clear()
        if isinstance(event, Discard) and rules.pass_lock_reset == "own_discard":
            locks[event.seat].clear()
        table, _ = step(table, event)
        if isinstance(event, Discard | KongAdded) and isinstance(event.tile, Tile):
            offered = event.tile
            following = next((one for one in log[number:] if not isinstance(one, Pass)), None)
            if isinstance(following, WinClaim) or offered is table.gold:
                continue  # the hand ends here, or nobody could win: nothing is passed
            kong = isinstance(event, KongAdded)
            for seat in SEATS:
                if seat is not event.seat and would_win(table, seat, offered, event.seat, kong, rules):
                    locks[seat].add(offered)
    return barred


@pytest.mark.parametrize("scope", ["same_tile", "all_tiles"])
@pytest.mark.parametrize("reset", ["own_discard", "own_draw", "end_of_hand"])
def test_the_audit_bars_what_the_locks_bar(scope: str, reset: str) -> None:
    """All hands known: the same wins, under every scope and reset."""
    rules = load("fuzhou").with_options({"pass_lock_scope": scope, "pass_lock_reset": reset})
    found = 0
    for log in careless_hands():
        kinds = [(one.kind, one.events[-1]) for one in audit(log, rules)]
        expected = [(ViolationKind.GUOSHUI_WIN, number) for number in locked_wins(log, rules)]
        assert kinds == expected
        found += len(expected)
    assert found > 0


def test_a_hand_laid_open_at_the_win_proves_the_same() -> None:
    """Closed hands until then: own discards lift the lock, so the hand cannot have changed."""
    rules = load("fuzhou")
    for log in careless_hands():
        seen = as_seen(log)
        expected = [(seen.index(event), event.seat) for event in seen if isinstance(event, WinClaim)]
        barred = {log[number - 1] for number in locked_wins(log, rules)}
        found = [(one.events[-1] - 1, one.seat) for one in audit(seen, rules) if one.certain]
        assert found == [place for place in expected if seen[place[0]] in barred]
