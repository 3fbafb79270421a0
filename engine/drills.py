"""Graded drills (练习): a question about a hand that was really played, with the engine's own answer.

Hands come from `engine.simulate`, so they are legal: at most four of a kind, the indicator included. Nothing is
answered here: waits, counts, payments and 过水 are what `advice`, `win`, `settlement` and `referee` say of the hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random

from engine.advice import Position, judged_waits, position
from engine.checks import is_flower, is_in_set
from engine.context import TableFacts, WinSource
from engine.errors import HandError, NotationError
from engine.eventlog import format_event
from engine.events import (
    Deal,
    Discard,
    Draw,
    Event,
    GoldOpened,
    KongConcealed,
    LaidOpen,
    Log,
    WallEnd,
    WinClaim,
)
from engine.fold import start, step
from engine.judging import Ruling
from engine.notation import HandLine, format_tiles, parse_tiles
from engine.payments import ScoreLine
from engine.reasons import Reason
from engine.referee import Referee
from engine.rulesets.base import TableRules
from engine.seats import SEATS, Seat
from engine.settlement import settle
from engine.shanten import distance
from engine.simulate import Played, play_hand
from engine.table import TableState
from engine.tiles import Tile, Unseen
from engine.verdicts import Refusal, Win
from engine.waits import winning_tiles
from engine.win import judge_win

FACTS = TableFacts(gold_discarded=False, passed_kinds=frozenset(), dead_hand=False)
"""What a drill that shows no events supposes: no gold thrown, no win passed, no dead hand."""

_MOST_HANDS = 400
_MOST_WAITS = 6
_PASSED, _OFFERED_AGAIN = 0.5, 0.8
"""Shares of 过水 drills, each with those before it: let pass; let pass before the seat threw a tile; rest: never."""

_COUNTED = ("flowers", "flower_sets", "kongs")
_YES = frozenset({"yes", "y", "true", "是", "能", "可以", "能胡", "可以胡"})
_NO = frozenset({"no", "n", "false", "不", "否", "不能", "不可以", "不能胡"})


class DrillKind(StrEnum):
    """What is trained."""

    WAITS = "waits"
    """听牌: which kinds complete the hand."""
    FLOWERS = "flowers"
    """数花: what flowers, flower sets and kongs count together."""
    GUOSHUI = "guoshui"
    """过水: may the seat win on the tile that lies."""
    SCORE = "score"
    """算分: what each payer pays, without what only the dealer pays."""


Answer = frozenset[Tile] | int | bool


@dataclass(frozen=True, slots=True)
class Drill:
    """A question with its answer.

    Attributes:
        kind: what is asked.
        hand: the hand; for 过水 that of the seat that may win, without the tile that lies.
        events: what happened since the seat last threw a tile, as it saw it; only for 过水.
        log: the whole log up to the tile that lies; only for 过水.
        answer: kinds besides the gold, a number, or whether the win stands.
        lines: how it comes about.
    """

    kind: DrillKind
    hand: HandLine
    answer: Answer
    lines: tuple[ScoreLine, ...]
    events: tuple[str, ...] = ()
    log: Log = ()

    @property
    def answer_text(self) -> str:
        """The answer in the form it is given in."""
        if isinstance(self.answer, frozenset):
            return format_tiles(sorted(self.answer))
        return ("yes" if self.answer else "no") if isinstance(self.answer, bool) else str(self.answer)

    def is_right(self, text: str) -> bool:
        """Whether an answer is right; naming the gold among the waits, which always is one, does no harm.

        NotationError for a text that is no answer.
        """
        said = text.strip()
        if isinstance(self.answer, frozenset):
            return frozenset(parse_tiles(said)) - {self.hand.gold} == self.answer
        if isinstance(self.answer, bool):
            if said.lower() not in _YES | _NO:
                raise NotationError(f"{text!r} is no answer; expected yes or no")
            return (said.lower() in _YES) == self.answer
        if not (said.isascii() and said.isdigit()):
            raise NotationError(f"{text!r} is no answer; expected a whole number")
        return int(said) == self.answer


def make_drill(kind: DrillKind, random: Random, deal: Deal) -> Drill:
    """A drill of this kind; the same random numbers and the same deal give the same one.

    HandError for a game that nobody here can play, or rules under which the question hardly ever comes up.
    """
    way = random.random()
    for _ in range(_MOST_HANDS):
        dealt = replace(deal, dealer=Seat(random.randrange(4)), streak=random.choice((0, 0, 0, 1, 2)))
        drill = _MAKERS[kind](random, play_hand(random, dealt), way)
        if drill is not None:
            return drill
    raise HandError(f"no hand for a drill of {kind.value} came up by these rules; expected another kind or other rules")


def _waits(random: Random, played: Played, way: float) -> Drill | None:
    """A ready hand between two turns of its seat."""
    found = [(state, seat) for state in _states(played.log) for seat in SEATS if _is_ready(state, seat)]
    if not found:
        return None
    state, seat = random.choice(found)
    hand = position(_line(state, seat), state.rules, facts=FACTS)
    kinds = {wait.tile: wait for wait in judged_waits(hand) if wait.completes and wait.tile is not hand.gold}
    if not 0 < len(kinds) <= _MOST_WAITS:
        return None
    lines = tuple(_left(hand, tile) for tile in sorted(kinds))
    return Drill(DrillKind.WAITS, _line(state, seat), frozenset(kinds), lines)


def _left(hand: Position, tile: Tile) -> ScoreLine:
    left = hand.left(tile)
    text = (
        f"{tile.code} {tile.zh}：除手牌、副露和金外还有 {left} 张",
        f"{tile.code}: {left} beside hand, melds and gold",
    )
    return ScoreLine("wait", *text, left)


def _is_ready(state: TableState, seat: Seat) -> bool:
    one = state.seats[seat]
    if state.gold is None or len(one.known) % 3 != 1 or one.known.count(state.gold) > 1 or one.owed:
        return False
    if any(is_flower(tile, state.rules) for tile in one.known):
        return False
    return distance(one.known, state.gold) == 0


def _flowers(random: Random, played: Played, way: float) -> Drill | None:
    """A won hand with more than nothing to count."""
    won = _won(played)
    if won is None:
        return None
    line, win, _ = won
    if not win.flower_count:
        return None
    lines = tuple(one for one in settle(win, played.table.rules).lines if one.code in _COUNTED)
    return Drill(DrillKind.FLOWERS, line, win.flower_count, lines)


def _score(random: Random, played: Played, way: float) -> Drill | None:
    """A won hand with all that its worth hangs on."""
    won = _won(played)
    if won is None:
        return None
    line, win, rules = won
    settled = settle(win, rules)
    lines = tuple(one for one in settled.lines if one.code != "pays")
    return Drill(DrillKind.SCORE, line, settled.per_payer, lines)


def _won(played: Played) -> tuple[HandLine, Win, TableRules] | None:
    """The win of a hand as a line of notation tells it, judged again from that alone."""
    if played.win is None:
        return None
    context = played.win.context
    if context.source not in (WinSource.SELF_DRAW, WinSource.DISCARD):
        return None
    line = HandLine(
        concealed=tuple(sorted(context.concealed, key=_order)),
        winning_tile=context.winning_tile,
        melds=context.melds,
        flowers=tuple(sorted(context.flowers, key=_order)),
        gold=context.gold,
        source=context.source,
        from_seat=context.from_seat,
        seat=context.seat,
        dealer=context.dealer,
        streak=context.streak,
    )
    rules = played.table.rules
    win = judge_win(line.context(FACTS), rules)
    return (line, win, rules) if isinstance(win, Win) else None


def _order(face: object) -> int:
    return int(face) if isinstance(face, Tile) else len(Tile)


def _guoshui(random: Random, played: Played, way: float) -> Drill | None:
    """A tile lies on which a seat could win, had it not let the same kind pass; or it has, and threw a tile since."""
    before = next((state for state in reversed(list(_states(played.log))) if not state.win_claims), None)
    if played.win is None or played.win.context.source is not WinSource.DISCARD or before is None:
        return None
    seat, lies = played.win.context.seat, before.put_up
    if seat is None or lies is None or lies.kong or not isinstance(lies.tile, Tile):
        return None
    log: Log | None = played.log[: lies.number]
    if way < _OFFERED_AGAIN:
        log = _again(random, played.log[: lies.number], seat, lies.tile, thrown_since=way > _PASSED)
    if log is None:
        return None
    referee = Referee(log)
    if referee.violations():
        return None
    ruling = referee.judge(WinClaim(seat, WinSource.DISCARD, lies.tile))
    verdict = ruling.verdict if isinstance(ruling, Ruling) else None
    if isinstance(verdict, Refusal) and verdict.reason is Reason.PASS_LOCK:
        numbers = " ".join(map(str, ruling.evidence))
        line = ScoreLine("pass_lock", f"{verdict.zh}（第 {numbers} 步）", f"{verdict.en} (event {numbers})", 0)
    elif isinstance(verdict, Win):
        line = ScoreLine(
            "free",
            "从自己上一次打牌起没有放过这张牌，可以胡",
            "this kind was not let pass since the seat last threw a tile, so the win stands",
            0,
        )
    else:
        return None
    hand = _line(referee.state, seat)
    return Drill(DrillKind.GUOSHUI, hand, isinstance(verdict, Win), (line,), _seen(log, seat), log)


def _again(random: Random, log: Log, seat: Seat, tile: Tile, *, thrown_since: bool) -> Log | None:
    """The log with nobody claiming the tile that lies, until a like one lies again.

    Seats draw what is left and throw it; nothing the seat could win on comes in between. ``thrown_since``: the seat
    itself has thrown a tile before. None where that cannot be played.
    """
    *_, state = _states(log)
    left = _left_over(log, state.rules)
    if not left[tile]:
        return None
    barred = {state.gold, *winning_tiles(state.seats[seat].known, state.gold)}
    thrown = False
    for _ in SEATS:
        turn = state.next_to_draw
        if turn is seat and not thrown_since:
            return None
        comes = turn is not seat and thrown == thrown_since
        plain = sorted(kind for kind in left.elements() if kind not in barred and not is_flower(kind, state.rules))
        drawn = tile if comes else random.choice(plain)
        left[drawn] -= 1
        for event in (Draw(turn, drawn, WallEnd.HEAD), Discard(turn, drawn)):
            state, fault = step(state, event)
            if fault is not None:
                return None
        if comes:
            return state.log
        thrown = thrown or turn is seat
    return None


def _left_over(log: Log, rules: TableRules) -> Counter[Tile]:
    """What is still on the wall."""
    left = Counter({tile: tile.copies for tile in Tile if is_in_set(tile, rules)})
    for event in log:
        tiles: tuple[object, ...] = ()
        if isinstance(event, LaidOpen | GoldOpened):
            tiles = event.tiles
        elif isinstance(event, Draw):
            tiles = (event.tile,)
        left.subtract(tile for tile in tiles if isinstance(tile, Tile))
    return left


def _states(log: Log) -> Iterator[TableState]:
    """The table after each event."""
    first = log[0]
    assert isinstance(first, Deal)
    state = start(first)
    yield state
    for event in log[1:]:
        state, _ = step(state, event)
        yield state


def _line(state: TableState, seat: Seat) -> HandLine:
    one = state.seats[seat]
    return HandLine(
        concealed=one.known,
        melds=one.melds,
        flowers=one.flowers,
        gold=state.gold,
        seat=seat,
        dealer=state.dealer,
        streak=state.streak,
    )


def _seen(log: Log, seat: Seat) -> tuple[str, ...]:
    """What happened from the last discard of a seat on, or from the gold, with the numbers of the log."""
    last = max(
        place
        for place, event in enumerate(log)
        if isinstance(event, GoldOpened) or (isinstance(event, Discard) and event.seat is seat)
    )
    numbered = enumerate(log[last:], start=last + 1)
    return tuple(f"{number}. {format_event(_as_seen_by(seat, event))}" for number, event in numbered)


def _as_seen_by(seat: Seat, event: Event) -> Event:
    if isinstance(event, Draw | KongConcealed) and event.seat is not seat:
        return replace(event, tile=Unseen.BACK)
    return event


_MAKERS: dict[DrillKind, Callable[[Random, Played, float], Drill | None]] = {
    DrillKind.WAITS: _waits,
    DrillKind.FLOWERS: _flowers,
    DrillKind.GUOSHUI: _guoshui,
    DrillKind.SCORE: _score,
}
