"""The referee: the one facade other packages use for a hand that is being played.

>>> from engine.eventlog import parse_event, parse_log
>>> referee = Referee(parse_log("deal E\\nE holds 123456m789p234s5567p8p\\ngold 9m\\nE discard 8p"))
>>> referee.apply(parse_event("S draw 1s")).state.turn
<Seat.SOUTH: 1>

A referee is a value: `apply`, `undo` and the edits return another one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from engine.errors import HandError
from engine.events import (
    Claim,
    Deal,
    Event,
    Log,
    WinClaim,
    delete_event,
    insert_event,
    replace_event,
    with_later_knowledge,
)
from engine.fold import start, step
from engine.judging import ClaimRuling, Ruling, judge_claim, judge_meld
from engine.options import legal_claims
from engine.reasons import Reason
from engine.result import settlement_of, winner_of
from engine.rulesets import Ruleset
from engine.seats import Seat
from engine.settlement import Settlement, settle_refusal
from engine.table import Phase, TableState
from engine.verdicts import Win
from engine.violations import Violation, ViolationKind

_PRICED = {
    ViolationKind.FALSE_WIN: Reason.NOT_COMPLETE,
    ViolationKind.BELOW_MINIMUM: Reason.BELOW_MINIMUM,
    ViolationKind.TOO_MANY_TILES: Reason.TOO_MANY_TILES,
    ViolationKind.TOO_FEW_TILES: Reason.TOO_FEW_TILES,
}


@dataclass(frozen=True)
class Referee:
    """One hand: its log, and all that follows from it. ``ruleset`` stands in place of the one the deal names."""

    log: Log
    ruleset: Ruleset | None = None
    _states: tuple[TableState, ...] = ()
    _violations: tuple[Violation, ...] = ()

    def __post_init__(self) -> None:
        """HandError when the log does not start with a deal."""
        if not self.log or not isinstance(self.log[0], Deal):
            raise HandError("a log starts with a deal; expected a first line such as deal E fuzhou")
        if not self._states:
            states, violations = [start(self.log[0], self.ruleset)], []
            for event in with_later_knowledge(self.log)[1:]:
                state, violation = step(states[-1], event)
                states.append(state)
                violations.extend([] if violation is None else [violation])
            object.__setattr__(self, "_states", tuple(states))
            object.__setattr__(self, "_violations", tuple(violations))

    @property
    def state(self) -> TableState:
        """The table after the last event."""
        return self._states[-1]

    def state_after(self, number: int) -> TableState:
        """The table after the event of this number."""
        return self._states[number - 1]

    def apply(self, event: Event) -> Referee:
        """The referee after one more event."""
        log = (*self.log, event)
        if with_later_knowledge(log)[:-1] != self.log:
            return Referee(log, self.ruleset)
        state, violation = step(self.state, event)
        violations = self._violations if violation is None else (*self._violations, violation)
        return Referee(log, self.ruleset, (*self._states, state), violations)

    def undo(self) -> Referee:
        """The referee without the last event."""
        return self.back_to(len(self.log) - 1)

    def back_to(self, number: int) -> Referee:
        """The referee after the event of this number, without those that follow."""
        log = self.log[:number]
        if not log or with_later_knowledge(self.log)[:number] != log:
            return Referee(log, self.ruleset)
        violations = tuple(one for one in self._violations if one.events[-1] <= number)
        return Referee(log, self.ruleset, self._states[:number], violations)

    def replace(self, number: int, event: Event) -> Referee:
        """The referee with another event at this number; everything after it is worked out again."""
        return Referee(replace_event(self.log, number, event), self.ruleset)

    def insert(self, number: int, event: Event) -> Referee:
        """The referee with one more event, which takes this number."""
        return Referee(insert_event(self.log, number, event), self.ruleset)

    def delete(self, number: int) -> Referee:
        """The referee without the event of this number."""
        return Referee(delete_event(self.log, number), self.ruleset)

    def violations(self) -> tuple[Violation, ...]:
        """Every illegal act so far."""
        return self._violations

    def legal_claims(self, seat: Seat) -> tuple[Claim, ...]:
        """What a seat with a known hand may claim now, wins first."""
        return legal_claims(self.state, seat)

    def judge(self, claim: Claim) -> Ruling | ClaimRuling:
        """Whether a claim would stand now, and the events that speak for the answer."""
        if isinstance(claim, WinClaim):
            before = self.state.before_claims
            in_claims = self.state.phase is Phase.WIN_CLAIMED and before is not None
            return judge_claim(before if in_claims and before is not None else self.state, claim)
        return judge_meld(self.state, claim)

    @cached_property
    def winner(self) -> Win | None:
        """The win that stands: named by the table, or the first of those declared; None before or without one."""
        return winner_of(self.state)

    def penalties(self) -> tuple[Settlement, ...]:
        """What each false win of the hand cost (`false_win_points`), in order."""
        return tuple(
            settle_refusal(one.seat, _PRICED[one.kind], self.state.rules)
            for one in self._violations
            if one.certain and one.seat is not None and one.kind in _PRICED
            if isinstance(self.log[one.events[-1] - 1], WinClaim)
        )

    def settle(self) -> Settlement:
        """The points of the finished hand; HandError while it goes on or when no declared win stands."""
        return settlement_of(self.state, self.winner)
