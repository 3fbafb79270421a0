"""一场: an evening of hands. Who deals, the streak, the wind of the round and who sits where are a pure fold over it.

`play` takes what stood before an entry and the entry, and gives its points and what stands after it. Nothing else in
the program keeps the deal: an entry that is corrected is played again, and all entries after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from engine.context import WinContext
from engine.errors import HandError
from engine.payments import Settlement, Transfer
from engine.reasons import Reason
from engine.rotation import HANDS, game_hand
from engine.rulesets.base import TableRules
from engine.seats import SEATS, Seat
from engine.settlement import LeftSeat, settle, settle_draw, settle_escape, settle_penalty, settle_refusal
from engine.verdicts import CannotKnow, Fact, Refusal, Win
from engine.win import judge_win

Points: TypeAlias = tuple[int, int, int, int]
Places: TypeAlias = tuple[Seat, Seat, Seat, Seat]
_AS_BEGUN: Places = (Seat.EAST, Seat.SOUTH, Seat.WEST, Seat.NORTH)


class Offence(StrEnum):
    """What a seat is fined for."""

    FALSE_WIN = "false_win"
    WRONG_COUNT = "wrong_count"
    OTHER = "other"

    @property
    def zh(self) -> str:
        """Chinese name."""
        return {"false_win": "诈胡", "wrong_count": "相公", "other": "罚分"}[self.value]

    @property
    def en(self) -> str:
        """English name."""
        return {"false_win": "false win", "wrong_count": "wrong count", "other": "penalty"}[self.value]


_REFUSED_FOR = {Offence.FALSE_WIN: Reason.NOT_COMPLETE, Offence.WRONG_COUNT: Reason.TOO_MANY_TILES}


@dataclass(frozen=True, slots=True, kw_only=True)
class Won:
    """胡: a hand that was won, by several seats where the rules let them. What a win says about its deal counts."""

    wins: tuple[WinContext, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """和局, 荒牌: the wall ran out. The deal is said only where the fold does not know it."""

    dealer: Seat | None = None
    streak: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fined:
    """诈胡, 相公 and other penalties; the hand goes on. Without ``points`` it costs what the rules say.

    ``points`` go to each other seat, or are taken off once where ``to_others`` is false.
    """

    seat: Seat
    offence: Offence
    points: int | None = None
    to_others: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Escaped:
    """逃跑: a seat left the table, which ends the hand; the other three with their flowers and golds."""

    seat: Seat
    remaining: tuple[LeftSeat, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DealSet:
    """定庄: the table says who deals next and with which streak, at the beginning or against the usual course."""

    dealer: Seat
    streak: int = 0


Entry: TypeAlias = Won | Drawn | Fined | Escaped | DealSet


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """What stands before a hand. ``places`` tells where those sit who began as East, South, West and North."""

    hand: int | None
    dealer: Seat | None
    streak: int | None
    round_wind: Seat | None
    places: Places


@dataclass(frozen=True, slots=True, kw_only=True)
class GameState:
    """Where a game stands between two entries."""

    hand: int | None = 1
    """The number of the next hand, from 1; None for hands that do not follow one another: each says its own deal."""
    dealer: Seat | None = Seat.EAST
    streak: int | None = 0

    def deal(self, rules: TableRules) -> Deal:
        """What stands before the next hand; after the sixteenth hand of a game with rounds nobody deals."""
        if self.hand is None:
            return Deal(hand=None, dealer=None, streak=None, round_wind=None, places=_AS_BEGUN)
        if not rules.has_rounds:
            return Deal(hand=self.hand, dealer=self.dealer, streak=self.streak, round_wind=None, places=_AS_BEGUN)
        turn = game_hand(min(self.hand, HANDS), swap_at_third_round=rules.seat_swap_third_round)
        if self.hand > HANDS:
            return Deal(hand=self.hand, dealer=None, streak=0, round_wind=None, places=turn.places)
        dealer = turn.dealer if self.dealer is None else self.dealer
        return Deal(hand=self.hand, dealer=dealer, streak=0, round_wind=turn.round_wind, places=turn.places)


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """An entry in points. ``deltas`` are by player, in the order of the seats they began in."""

    deal: Deal
    deltas: Points
    kitty: int
    """What nobody receives (逃跑): with it the deltas sum to zero."""
    settlements: tuple[Settlement, ...]
    wins: tuple[Win, ...]
    after: GameState


def play(state: GameState, entry: Entry, rules: TableRules) -> Played | Refusal | CannotKnow:
    """Settle one entry and move on; or the reason why it does not stand, or the facts that are missing.

    Raises:
        HandError: several winners where one wins, or winners who do not share a tile.
    """
    deal = state.deal(rules)
    match entry:
        case Won():
            return _play_won(state, deal, entry, rules)
        case Drawn():
            dealer = deal.dealer if entry.dealer is None else entry.dealer
            streak = deal.streak if entry.streak is None else entry.streak
            if dealer is None or streak is None:
                return CannotKnow((Fact.DEALER,) if dealer is None else (Fact.STREAK,))
            deal = replace(deal, dealer=dealer, streak=streak)
            return _ended(state, deal, (settle_draw(dealer, streak, rules),))
        case Fined():
            return _played(deal, (_fine(entry, rules),), state)
        case Escaped():
            if deal.streak is None:
                return CannotKnow((Fact.STREAK,))
            return _ended(state, deal, (settle_escape(entry.seat, entry.remaining, deal.streak, rules),))
        case DealSet():
            return _played(deal, (), replace(state, dealer=entry.dealer, streak=entry.streak))


def fold(
    entries: Iterable[tuple[Entry, TableRules]], begin: GameState | None = None
) -> tuple[list[Played], Refusal | CannotKnow | None]:
    """Play entries one after another, each by its own rules.

    Returns:
        Those that stand, and what is wrong with the first that does not (the rest is not looked at); None when all do.
    """
    state, done = begin or GameState(), list[Played]()
    for entry, rules in entries:
        played = play(state, entry, rules)
        if not isinstance(played, Played):
            return done, played
        done.append(played)
        state = played.after
    return done, None


def _play_won(state: GameState, deal: Deal, entry: Won, rules: TableRules) -> Played | Refusal | CannotKnow:
    _check_winners(entry.wins, rules)
    wins: list[Win] = []
    for context in entry.wins:
        known = replace(
            context,
            dealer=deal.dealer if context.dealer is None else context.dealer,
            streak=deal.streak if context.streak is None else context.streak,
            round_wind=deal.round_wind if context.round_wind is None else context.round_wind,
        )
        verdict = judge_win(known, rules)
        if not isinstance(verdict, Win):
            return verdict
        wins.append(verdict)
    first = wins[0].context
    deal = replace(deal, dealer=first.dealer, streak=first.streak, round_wind=first.round_wind)
    return _ended(state, deal, tuple(settle(win, rules) for win in wins), tuple(wins))


def _check_winners(wins: Sequence[WinContext], rules: TableRules) -> None:
    if not wins:
        raise HandError("nobody won; expected at least one winning hand")
    if len(wins) == 1:
        return
    if not rules.several_winners:
        raise HandError(f"{len(wins)} seats cannot win on one tile by {rules.name!r}; expected the first in turn alone")
    giver, tile = wins[0].from_seat, wins[0].winning_tile
    shared = all(
        win.source is not None and win.source.is_from_other and (win.from_seat, win.winning_tile) == (giver, tile)
        for win in wins
    )
    if not shared or len({win.seat for win in wins}) != len(wins):
        raise HandError("several winners share one tile that one other seat gave; expected each winning seat once")


def _fine(entry: Fined, rules: TableRules) -> Settlement:
    if entry.points is not None:
        names = (entry.offence.zh, entry.offence.en)
        return settle_penalty(entry.seat, entry.points, names, to_others=entry.to_others)
    if entry.offence is Offence.OTHER:
        raise HandError("the rules name no price for this penalty; expected its points")
    return settle_refusal(entry.seat, _REFUSED_FOR[entry.offence], rules)


def _ended(state: GameState, deal: Deal, settlements: tuple[Settlement, ...], wins: tuple[Win, ...] = ()) -> Played:
    """A hand is over: who deals next. A dealer who is among several winners stays."""
    stays = next((one for one in settlements if one.next_dealer is deal.dealer), settlements[0])
    number = None if state.hand is None else state.hand + 1
    after = GameState(hand=number, dealer=stays.next_dealer, streak=stays.next_streak)
    return _played(deal, settlements, after, wins)


def _played(deal: Deal, settlements: tuple[Settlement, ...], after: GameState, wins: tuple[Win, ...] = ()) -> Played:
    by_seat = [sum(one.deltas[seat] for one in settlements) for seat in SEATS]
    east, south, west, north = (by_seat[seat] for seat in deal.places)
    return Played(
        deal=deal,
        deltas=(east, south, west, north),
        kitty=-sum(by_seat),
        settlements=settlements,
        wins=wins,
        after=after,
    )


def transfers(played: Played) -> tuple[Transfer, ...]:
    """All payments of an entry, between seats of that hand."""
    return tuple(move for one in played.settlements for move in one.transfers)
