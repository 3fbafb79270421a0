"""The numbers of tiles in hands against the log: draws that nobody made, draws out of turn, whose a discard was.

A log read off a table takes for granted that who discards has drawn. Where hands can be counted, their numbers say so
or not. A number that fits no change of the last acts says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assistant_api.services.live.counting import STEADY_S, expected_numbers
from assistant_api.services.live.records import By, Change, LiveEvent, Noted
from assistant_api.services.live.revising import Revised
from engine.events import Chow, Discard, Draw, KongOpen, Pung, seat_of
from engine.seats import Seat
from engine.table import Phase, TableState

if TYPE_CHECKING:
    from assistant_api.services.live.table import LiveHand

REST_S = 2.0
"""So long nothing has happened when hands are reckoned up."""
LONGER_S = 3.0
"""So long a hand shows more tiles than it may have before it has drawn them: one that was laid away may linger."""
FEWER_S = 5.0
"""So long one shows a tile less: a back that is not found is looked for again every few seconds."""
THROWN_S = 3.0
"""No longer before or after a discard is seen its hand has a tile less."""
FOUND_LATER_S = 1.5
"""So much later than a tile less is a tile more seen in a hand: what lies there is looked for less often."""
RECENT = 8
"""So many of the last events are looked at."""
_IN_PLAY = (Phase.CLAIMS, Phase.ROB_WINDOW, Phase.ACTION)


@dataclass(frozen=True, slots=True)
class _Edit:
    """Other records in place of those of the log, and what changes."""

    notes: tuple[Noted, ...]
    changes: tuple[tuple[Change, int, Noted], ...]


def reckoned(hand: LiveHand) -> Revised | None:
    """The hand with its last acts as the numbers show them; None where they agree or nothing is to be learnt."""
    state = hand.state
    if state.phase not in _IN_PLAY or hand.time_s - hand.notes[-1].time_s < REST_S:
        return None
    numbers = {
        seat: count.number
        for seat, count in hand.counts.items()
        if count.is_trusted and count.steady_s(hand.time_s) >= STEADY_S
    }
    off = _off(state, numbers)
    if not off:
        return None
    for edit in _edits(hand, off):
        after = hand.with_notes(edit.notes)
        if _off(after.state, numbers):
            continue
        changes: list[LiveEvent] = [after.change(*change) for change in edit.changes]
        return Revised(replace(after, next_key=hand.next_key + 2), tuple(changes))
    return None


def _off(state: TableState, numbers: dict[Seat, int]) -> dict[Seat, int]:
    """By how many tiles hands are off the log, those that are."""
    return {
        seat: number - state.seats[seat].concealed_count
        for seat, number in numbers.items()
        if number not in expected_numbers(state, seat)
    }


def _edits(hand: LiveHand, off: dict[Seat, int]) -> Iterator[_Edit]:
    """What may have happened instead, the simplest first."""
    for seat, by in off.items():
        if by == -1 and hand.counts[seat].steady_s(hand.time_s) >= FEWER_S:
            yield from _without_draw(hand, seat)
            yield from _of_another(hand, seat)
    yield from _drawn_before_the_claim(hand, off)
    for seat, by in off.items():
        if by > 0:
            yield from _drawn(hand, seat)


def _without_draw(hand: LiveHand, seat: Seat) -> Iterator[_Edit]:
    """The draw before the last discard of a seat was taken for granted, and was not made."""
    number = _last_discard(hand, seat)
    if number and _left_at(hand, seat, hand.notes[number - 1]):
        yield from _removed(hand, seat, number)


def _left_at(hand: LiveHand, seat: Seat, discard: Noted) -> bool:
    """Whether the number of a hand changed last when this tile was thrown."""
    return abs(hand.counts[seat].since_s - discard.time_s) <= THROWN_S


def _removed(hand: LiveHand, seat: Seat, number: int) -> Iterator[_Edit]:
    for place in range(number - 1, 1, -1):
        noted = hand.notes[place - 1]
        if seat_of(noted.event) is not seat:
            continue
        if isinstance(noted.event, Draw) and noted.by is By.INFERRED:
            yield _Edit((*hand.notes[: place - 1], *hand.notes[place:]), ((Change.UNDONE, place, noted),))
        return


def _last_discard(hand: LiveHand, seat: Seat) -> int:
    """The number of the last discard of a seat; 0 where none was seen lately."""
    first = max(len(hand.notes) - RECENT, 0)
    for number in range(len(hand.notes), first, -1):
        noted = hand.notes[number - 1]
        if isinstance(noted.event, Discard) and noted.event.seat is seat:
            return number if noted.by is By.CAMERA else 0
    return 0


def _of_another(hand: LiveHand, seat: Seat) -> Iterator[_Edit]:
    """The last discard to a common heap came out of another hand than that whose turn it was."""
    number, noted = len(hand.notes), hand.notes[-1]
    if not isinstance(noted.event, Discard) or noted.by is not By.CAMERA or noted.tiles[0].seat is not None:
        return
    if noted.event.seat is seat or not _left_at(hand, seat, noted):
        return
    other = replace(noted, event=replace(noted.event, seat=seat))
    edited = (*hand.notes[: number - 1], other, *hand.notes[number:])
    yield _Edit(edited, ((Change.EDITED, number, other),))
    for edit in _removed(hand, noted.event.seat, number):
        notes = (*edit.notes[: number - 2], other, *edit.notes[number - 1 :])
        yield _Edit(notes, (*edit.changes, (Change.EDITED, number - 1, other)))


def _drawn_before_the_claim(hand: LiveHand, off: dict[Seat, int]) -> Iterator[_Edit]:
    """The seat after the giver had drawn already when another claimed its tile."""
    first = max(len(hand.notes) - RECENT, 1)
    for number in range(len(hand.notes), first, -1):
        noted = hand.notes[number - 1]
        if not isinstance(noted.event, Chow | Pung | KongOpen):
            continue
        before = hand.referee.state_after(number - 1)
        if before.put_up is None:
            return
        seat = before.put_up.seat.next
        claimer = hand.counts.get(noted.event.seat)
        if off.get(seat) != 1 or seat is noted.event.seat or claimer is None:
            return
        since_s = hand.counts[seat].since_s - FOUND_LATER_S
        if since_s < claimer.since_s and since_s < noted.time_s:
            yield _with_draw(hand, seat, number)
        return


def _drawn(hand: LiveHand, seat: Seat) -> Iterator[_Edit]:
    """A seat has drawn although it was not its turn, or once more."""
    state, count = hand.state, hand.counts[seat]
    if count.steady_s(hand.time_s) < LONGER_S:
        return
    if state.phase in (Phase.CLAIMS, Phase.ROB_WINDOW):
        following = state.next_to_draw
        waits = hand.counts.get(following)
        if seat is following:
            once = _with_draw(hand, seat, len(hand.notes) + 1)
            yield _with_draw(hand, seat, len(hand.notes) + 1, once)
            return
        if waits is None or not waits.is_trusted or waits.since_s > hand.notes[-1].time_s:
            return  # that seat may have drawn and discarded, and its discard was not seen
    yield _with_draw(hand, seat, len(hand.notes) + 1)


def _with_draw(hand: LiveHand, seat: Seat, number: int, edit: _Edit | None = None) -> _Edit:
    notes: Sequence[Noted] = hand.notes if edit is None else edit.notes
    key = hand.next_key + (edit is not None)
    drawn = Noted(key, Draw(seat), By.CAMERA, 0.9, hand.counts[seat].since_s, hand.frame)
    changes = ((Change.ADDED, number, drawn),)
    if edit is None:
        return _Edit((*notes[: number - 1], drawn, *notes[number - 1 :]), changes)
    return _Edit((*notes[:number], drawn, *notes[number:]), (*edit.changes, (Change.ADDED, number + 1, drawn)))
