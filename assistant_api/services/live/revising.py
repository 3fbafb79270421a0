"""Puts an explanation into the log: new events at the end, and earlier ones of the camera where it thought again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import dist
from typing import TYPE_CHECKING

from assistant_api.services.live.changes import Act, Sight
from assistant_api.services.live.proposals import Happened, Line, Proposal
from assistant_api.services.live.readings import labels
from assistant_api.services.live.records import By, Change, LiveEvent, Noted
from assistant_api.services.live.rows import BESIDE
from engine.events import (
    Discard,
    Draw,
    Event,
    FlowersLaid,
    GoldOpened,
    KongAdded,
    WinClaim,
    seat_of,
)
from engine.tiles import Tile
from vision.live.view import SeenTile

if TYPE_CHECKING:
    from assistant_api.services.live.table import LiveHand

DOUBTFUL = 0.7
"""An explanation less likely than this is asked about."""
UNSURE = 0.55
"""So is a label."""


@dataclass(frozen=True, slots=True)
class Revised:
    """The hand with an explanation in its log, and what changed."""

    hand: LiveHand
    changes: tuple[LiveEvent, ...]


def revise(hand: LiveHand, dropped: int, proposal: Proposal) -> Revised:
    """The hand with the events of a proposal in place of the last ``dropped`` of its log.

    Records whose event is said again stay as they are.
    """
    keep = len(hand.notes) - dropped
    old = list(hand.notes[keep:])
    notes = list(hand.notes[:keep])
    known, gone_s = dict(hand.known), dict(hand.gone_s)
    next_key = hand.next_key
    added: list[tuple[int, Noted]] = []
    for happened in proposal.line.events:
        same = next((noted for noted in old if noted.event == happened.event and noted.tiles == _tiles(happened)), None)
        if same is not None:
            old.remove(same)
            notes.append(same)
            continue
        noted = _noted(next_key, hand, happened, proposal)
        next_key += 1
        notes.append(noted)
        known.update({(noted.key, place): tile for place, tile in enumerate(noted.tiles)})
        if happened.sight is not None and happened.sight.gone_s is not None:
            gone_s[noted.key, 0] = happened.sight.gone_s
        added.append((len(notes), noted))
    keys = {noted.key for noted in notes}
    after = replace(
        hand.with_notes(notes),
        next_key=next_key,
        known={slot: tile for slot, tile in known.items() if slot[0] in keys},
        gone_s={slot: since for slot, since in gone_s.items() if slot[0] in keys},
    )
    gone = [(hand.notes.index(noted) + 1, noted) for noted in old]
    changes = [hand.change(Change.UNDONE, number, noted) for number, noted in reversed(gone)]
    changes += [hand.change(Change.ADDED, number, noted) for number, noted in added]
    return Revised(after, tuple(changes))


def with_win_read_again(hand: LiveHand, start: int, proposal: Proposal) -> Revised | None:
    """The hand with a proposal in place of what follows its first ``start`` events: the last win, and draws before it.

    The win stays the same record, so that nobody is warned of it twice.
    """
    *before, win = proposal.line.events
    noted = _noted(hand.notes[-1].key, hand, win, proposal)
    draws = [_noted(hand.next_key + place, hand, one, proposal) for place, one in enumerate(before)]
    notes = (*hand.notes[:start], *draws, noted)
    gone = [
        hand.change(Change.UNDONE, number, hand.notes[number - 1]) for number in range(len(hand.notes) - 1, start, -1)
    ]
    added = [hand.change(Change.ADDED, start + place, draw) for place, draw in enumerate(draws, start=1)]
    after = replace(hand.with_notes(notes), next_key=hand.next_key + len(draws))
    known = {**after.known, **{(noted.key, place): tile for place, tile in enumerate(noted.tiles)}}
    return Revised(replace(after, known=known), (*gone, *added, hand.change(Change.EDITED, len(notes), noted)))


def _tiles(happened: Happened) -> tuple[SeenTile, ...]:
    return () if happened.reading is None else happened.reading.tiles


def _noted(key: int, hand: LiveHand, happened: Happened, proposal: Proposal) -> Noted:
    reading, sight = happened.reading, happened.sight
    if reading is None or sight is None:
        confidence = 0.5 if happened.unnoticed else proposal.chance
        return Noted(key, happened.event, By.INFERRED, confidence, hand.time_s, hand.frame, asked=happened.unnoticed)
    alternatives = _alternatives(happened, proposal)
    asked = bool(alternatives) and (proposal.chance < DOUBTFUL or reading.chance < UNSURE)
    return Noted(
        key,
        happened.event,
        By.CAMERA,
        min(1.0, reading.chance) * proposal.chance,
        sight.time_s,
        hand.frame,
        reading.tiles,
        alternatives,
        asked,
        0.0 if proposal.line.is_lawful else proposal.lawful,
    )


def _alternatives(happened: Happened, proposal: Proposal) -> tuple[tuple[Event, float], ...]:
    """What else it may have been: by the next best line, and by the label of its tile."""
    found: dict[Event, float] = {}
    other = _same_sight(proposal.second, happened) if proposal.second is not None else None
    if other is not None and other.event != happened.event:
        found[other.event] = 1.0 - proposal.chance
    event = happened.event
    if isinstance(event, Discard | KongAdded) and happened.reading is not None:
        for face, chance in labels(happened.reading.tiles[0])[1:]:
            if isinstance(face, Tile) and face is not event.tile:
                found.setdefault(replace(event, tile=face), chance)
    return tuple(sorted(found.items(), key=lambda one: -one[1]))


def _same_sight(line: Line, happened: Happened) -> Happened | None:
    return next((one for one in line.events if one.sight is not None and one.sight == happened.sight), None)


def tail_sights(hand: LiveHand, back: int, within_s: float = 25.0) -> tuple[int, list[Sight]]:
    """The last events of the camera, up to ``back`` of them, as sights again, and the number of the event before."""
    sights: list[Sight] = []
    start = len(hand.notes)
    for number in range(len(hand.notes), 1, -1):
        noted = hand.notes[number - 1]
        if noted.by is By.PERSON or len(sights) >= back or not 0 <= hand.time_s - noted.time_s <= within_s:
            break
        start = number - 1
        if noted.by is By.CAMERA and noted.tiles:
            sights.append(_as_sight(noted, hand))
    return start, sights[::-1]


def sights_since(hand: LiveHand, start: int) -> list[Sight]:
    """What the camera saw of the events after the first ``start`` ones, as it was before anything was put together."""
    found: list[Sight] = []
    for noted in hand.notes[start:]:
        if noted.by is By.CAMERA and noted.tiles:
            found += _taken_apart(noted, hand)
    return found


def _taken_apart(noted: Noted, hand: LiveHand) -> list[Sight]:
    """Flowers one by one, and the gold without those that were turned up before it."""
    if not isinstance(noted.event, FlowersLaid | GoldOpened) or len(noted.tiles) == 1:
        return [_as_sight(noted, hand)]
    seat = noted.event.seat if isinstance(noted.event, FlowersLaid) else hand.state.dealer
    flowers = noted.tiles if isinstance(noted.event, FlowersLaid) else noted.tiles[:-1]
    found = [Sight(Act.FLOWERS, seat, (tile,), tile.since_s) for tile in flowers]
    gold = [Sight(Act.GOLD, None, noted.tiles[-1:], noted.time_s)] if isinstance(noted.event, GoldOpened) else []
    return [*found, *gold]


_ACTS = {
    Discard: Act.DISCARD,
    FlowersLaid: Act.FLOWERS,
    GoldOpened: Act.GOLD,
    WinClaim: Act.OPEN_HAND,
}


def _as_sight(noted: Noted, hand: LiveHand) -> Sight:
    act = _ACTS.get(type(noted.event), Act.MELD)
    if act is not Act.DISCARD:
        return Sight(act, None if act is Act.GOLD else seat_of(noted.event), noted.tiles, noted.time_s)
    return Sight(act, noted.tiles[0].seat, noted.tiles, noted.time_s, hand.gone_s.get((noted.key, 0)))


def replaced(notes: Sequence[Noted], number: int, noted: Noted) -> tuple[Noted, ...]:
    """The records with another one at this number."""
    return (*notes[: number - 1], noted, *notes[number:])


def with_found_late(hand: LiveHand, sight: Sight) -> Revised | None:
    """The hand with flowers that fill a hole of a row in the act they belong to; None where there is no such act."""
    for number, noted in enumerate(hand.notes, start=1):
        event = noted.event
        if not isinstance(event, FlowersLaid) or event.seat is not sight.seat or noted.by is By.PERSON:
            continue
        if not any(dist(one.place, tile.place) <= BESIDE for one in sight.tiles for tile in noted.tiles):
            continue
        tiles = (*noted.tiles, *sight.tiles)
        faces = tuple(labels(tile)[0][0] for tile in sight.tiles)
        fuller = replace(noted, event=replace(event, tiles=(*event.tiles, *faces)), tiles=tiles)
        draws = [
            Noted(hand.next_key + place, Draw(event.seat), By.INFERRED, noted.confidence, hand.time_s, hand.frame)
            for place in range(len(faces))
        ]
        owed = draws if hand.state.seats[event.seat].owed == 0 else []
        notes = (*hand.notes[: number - 1], fuller, *owed, *hand.notes[number:])
        after = replace(hand.with_notes(notes), next_key=hand.next_key + len(owed))
        if len(after.referee.violations()) > len(hand.referee.violations()):
            return None
        places = range(len(noted.tiles), len(tiles))
        after = replace(after, known={**after.known, **{(noted.key, place): tiles[place] for place in places}})
        edited = hand.change(Change.EDITED, number, fuller)
        added = [hand.change(Change.ADDED, number + place, draw) for place, draw in enumerate(owed, start=1)]
        return Revised(after, (edited, *added))
    return None
