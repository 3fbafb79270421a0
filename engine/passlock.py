"""过水: which wins and pungs a seat has let go by since the lock was last lifted (section 8.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from engine.context import WinContext, WinSource
from engine.hand import Hand
from engine.history import Step, StepKind, hands_then
from engine.melds import MeldKind
from engine.rulesets.base import TableRules
from engine.seats import Seat
from engine.settlement import settle
from engine.tiles import Tile
from engine.verdicts import Win
from engine.win import judge_win

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PassedWin:
    """A win that was let go by: on which step, on which kind, and what it would have paid.

    Not ``certain`` when the hand of that moment could not be rebuilt, so that the present one was looked at.
    """

    step: int
    tile: Tile
    per_payer: int
    certain: bool = True


def passed_wins(steps: Sequence[Step], context: WinContext, rules: TableRules) -> tuple[PassedWin, ...]:
    """The wins that still lock the seat of a context. Silence counts as passing, and so does claiming the tile instead.

    The hand is known; the tile of each step is tried against the hand of that moment as far as it can be taken back. A
    gold is never passed, nor is a tile the seat could not have won on because of another lock.
    """

    def on(index: int, step: Step, hand: Hand, certain: bool) -> PassedWin | None:
        if step.tile is None or not step.kind.puts_up:
            return None
        source = WinSource.DISCARD if step.kind is StepKind.DISCARD else WinSource.ROB_KONG
        thrown = any(s.seat is seat and s.kind is StepKind.DISCARD and s.tile is context.gold for s in steps[:index])
        facts = replace(
            context.facts,
            passed_kinds=frozenset(),
            gold_discarded=thrown or context.facts.gold_discarded,
            dealers_first_discard=False,
            robbed_kong=None,
        )
        declared = replace(
            context,
            concealed=hand.concealed,
            melds=hand.melds,
            winning_tile=step.tile,
            source=source,
            from_seat=step.seat,
            swap=None,
            facts=facts,
        )
        verdict = judge_win(declared, rules)
        if not isinstance(verdict, Win):
            return None
        return PassedWin(index, step.tile, settle(verdict, rules).per_payer, certain)

    seat = context.seat
    if seat is None or rules.pass_lock_scope == "off":
        return ()
    now = Hand(context.concealed, context.melds)
    return _since_reset(steps, seat, now, rules, on)


def passed_pungs(steps: Sequence[Step], seat: Seat, now: Hand, gold: Tile | None, rules: TableRules) -> frozenset[Tile]:
    """Kinds on which the seat could have punged and did not, and that are still locked (过水不碰)."""

    def on(index: int, step: Step, hand: Hand, certain: bool) -> Tile | None:
        tile = step.tile
        if tile is None or tile is gold or step.kind is not StepKind.DISCARD or hand.concealed.count(tile) < 2:
            return None
        following = steps[index + 1] if index + 1 < len(steps) else None
        taken = following is not None and following.kind is StepKind.CLAIM and following.seat is seat
        punged = taken and any(meld.kind is not MeldKind.CHOW and tile in meld.tiles for meld in now.melds)
        return None if punged else tile

    return frozenset(_since_reset(steps, seat, now, rules, on))


def is_dearer(context: WinContext, passed: Sequence[PassedWin], rules: TableRules) -> bool:
    """Whether a declared win pays more than every one that was passed."""
    verdict = judge_win(replace(context, facts=replace(context.facts, passed_kinds=frozenset())), rules)
    if not isinstance(verdict, Win):
        return False
    return all(settle(verdict, rules).per_payer > win.per_payer for win in passed)


def _since_reset(
    steps: Sequence[Step], seat: Seat, now: Hand, rules: TableRules, on: Callable[[int, Step, Hand, bool], T | None]
) -> tuple[T, ...]:
    """What ``on`` finds in the steps of the others since the lock was last lifted.

    Where the hand of a moment cannot be rebuilt it gets the present one, and False.
    """
    start = lifted_at(steps, seat, rules)
    window = steps[start:]
    found = (
        on(index, step, hand or now, hand is not None)
        for index, (step, hand) in enumerate(zip(window, hands_then(window, seat, now), strict=True), start=start)
        if step.seat is not seat
    )
    return tuple(item for item in found if item is not None)


def lifted_at(steps: Sequence[Step], seat: Seat, rules: TableRules) -> int:
    """Index of the first step after the one that last lifted the locks of a seat; 0 when none did."""
    return next((place for place in range(len(steps), 0, -1) if _lifts(steps[place - 1], seat, rules)), 0)


def same_kind_put_up(steps: Sequence[Step], seat: Seat, tile: Tile | None, rules: TableRules) -> tuple[int, ...]:
    """Indices of the steps since the reset in which others put up this kind: what can be told of a closed hand."""
    return tuple(
        index
        for index in range(lifted_at(steps, seat, rules), len(steps))
        if steps[index].seat is not seat
        and steps[index].kind.puts_up
        and steps[index].tile is tile
        and not (steps[index].kind is StepKind.KONG_ADDED and rules.rob_kong == "none")
    )


def binds(source: WinSource | None, rules: TableRules) -> bool:
    """Whether a passed win can bar a win of this kind at all: only off another's tile."""
    if source is None or not source.is_from_other or rules.pass_lock_scope == "off":
        return False
    return source is WinSource.DISCARD or rules.pass_lock_rob_kong


def _lifts(step: Step, seat: Seat, rules: TableRules) -> bool:
    if step.seat is not seat:
        return False
    if rules.pass_lock_reset == "own_discard":
        return step.kind is StepKind.DISCARD
    return rules.pass_lock_reset == "own_draw" and step.kind is StepKind.DRAW
