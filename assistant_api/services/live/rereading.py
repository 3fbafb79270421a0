"""Second looks: a label that changed its mind, a fifth tile of a kind. What a person said stays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant_api.services.live.matching import Differences
from assistant_api.services.live.melds import meld_faces
from assistant_api.services.live.records import By, Change, LiveEvent, Noted
from assistant_api.services.live.revising import replaced
from assistant_api.services.live.slots import Slot
from engine.checks import is_flower
from engine.events import Chow, Discard, Event, FlowersLaid, GoldOpened, KongAdded, KongConcealed, KongOpen, Pung
from engine.tiles import Face, Tile, Unseen
from vision.live.view import SeenTile

if TYPE_CHECKING:
    from assistant_api.services.live.table import LiveHand

BELIEVED = 0.6
"""A label surer than this changes what was said before."""
ELIMINATED = 0.8
"""What is left when all copies of the others are in sight has to be as sure as this."""
WEAK = 0.9
"""Of a kind there are too many of, a label weaker than this gives way."""


def reread(hand: LiveHand, found: Differences) -> tuple[LiveHand, list[LiveEvent]]:
    """The log with labels as they are read now, and without a fifth of a kind."""
    counts = hand.state.counts()
    now = {
        slot.key: _by_elimination(found.matched[slot.key], counts) if slot.face is Unseen.UNREADABLE else tile
        for slot in hand.slots
        if (tile := found.matched.get(slot.key)) is not None
    }
    otherwise = {slot.key[0] for slot in hand.slots if slot.key in now and _differs(slot, now[slot.key])}
    seen: dict[int, dict[int, SeenTile]] = defaultdict(dict)
    for (key, place), tile in now.items():
        if key in otherwise:
            seen[key][place] = tile
    changes: list[LiveEvent] = []
    for number, noted in enumerate(hand.notes, start=1):
        if noted.by is By.PERSON or noted.key not in seen:
            continue
        event = _read_again(noted, seen[noted.key], hand)
        if event is not None and event != noted.event:
            edited = _edited(hand, number, noted, event, seen[noted.key])
            if edited is not None:
                hand = edited
                changes.append(hand.change(Change.EDITED, number, hand.notes[number - 1]))
    for kind in hand.state.too_many():
        weakest = _weakest(hand, kind)
        if weakest is not None:
            number, noted, event = weakest
            notes = replaced(hand.notes, number, replace(noted, event=event, asked=True, confidence=0.4))
            hand = hand.with_notes(notes)
            changes.append(hand.change(Change.EDITED, number, hand.notes[number - 1]))
    return hand, changes


def _by_elimination(tile: SeenTile, counts: Sequence[int]) -> SeenTile:
    """A tile that cannot be read, as the one kind it may be of which a copy is left, where there is one."""
    if tile.tile is not None or tile.face_down:
        return tile
    possible = [(kind, chance) for kind, chance in tile.alternatives if counts[kind] < kind.copies]
    gone = sum(chance for kind, chance in tile.alternatives if counts[kind] >= kind.copies)
    if not possible or not gone:
        return tile
    kind, chance = max(possible, key=lambda one: one[1])
    sure = chance / (1.0 - gone) if gone < 1.0 else 0.0
    return replace(tile, tile=kind, confidence=min(0.95, sure)) if sure >= ELIMINATED else tile


def _differs(slot: Slot, tile: SeenTile) -> bool:
    return tile.tile is not None and not tile.face_down and tile.tile is not slot.face


def _edited(hand: LiveHand, number: int, noted: Noted, event: Event, tiles: dict[int, SeenTile]) -> LiveHand | None:
    """The hand with another reading of an event; None where that would make an illegal act of it."""
    sure = min((tile.confidence for tile in tiles.values()), default=noted.confidence)
    current = tuple(tiles.get(place, tile) for place, tile in enumerate(noted.tiles))
    note = replace(noted, event=event, by=By.CAMERA, confidence=sure, asked=False, alternatives=(), tiles=current)
    if not noted.tiles:
        note = replace(note, tiles=tuple(tiles[place] for place in sorted(tiles)))
    after = hand.with_notes(replaced(hand.notes, number, note))
    if len(after.referee.violations()) > len(hand.referee.violations()):
        return None
    return after


def _read_again(noted: Noted, tiles: dict[int, SeenTile], hand: LiveHand) -> Event | None:
    """The event as its tiles are read now, None where nothing changed for sure."""
    event = noted.event
    if isinstance(event, Discard):
        face = _now(tiles.get(0), event.tile)
        return replace(event, tile=face)
    if isinstance(event, FlowersLaid | GoldOpened):
        faces = tuple(_now(tiles.get(place), face) for place, face in enumerate(event.tiles))
        flowers = faces if isinstance(event, FlowersLaid) else faces[:-1]
        if any(isinstance(face, Tile) and not is_flower(face, hand.state.rules) for face in flowers):
            return None
        return replace(event, tiles=faces)
    if isinstance(event, KongConcealed) and event.tile is Unseen.BACK:
        up = [tile for tile in tiles.values() if not tile.face_down and tile.tile is not None]
        if up and len({tile.tile for tile in up}) == 1 and min(tile.confidence for tile in up) > BELIEVED:
            return replace(event, tile=up[0].tile or Unseen.BACK)
        return None
    if isinstance(event, Chow | Pung | KongOpen):
        return _claim_again(event, tiles)
    return None


def _now(tile: SeenTile | None, face: Face) -> Face:
    if tile is None or tile.tile is None or tile.face_down or tile.confidence < BELIEVED:
        return face
    return tile.tile


def _claim_again(event: Chow | Pung | KongOpen, tiles: dict[int, SeenTile]) -> Event | None:
    """A claim by the labels of all its tiles together, where they are sure."""
    size = 4 if isinstance(event, KongOpen) else 3
    if len(tiles) != size or any(tile.face_down for tile in tiles.values()):
        return None
    found = meld_faces([tiles[place] for place in range(size)])
    if not found or found[0][1] < 0.3:
        return None
    faces = found[0][0]
    if len(set(faces)) == 1:
        return Pung(event.seat, faces[0]) if size == 3 else KongOpen(event.seat, faces[0])
    return (
        replace(event, tile=faces[0], held=faces[1:])
        if isinstance(event, Chow)
        else Chow(event.seat, faces[0], faces[1:])
    )


def _weakest(hand: LiveHand, kind: Tile) -> tuple[int, Noted, Event] | None:
    """The least sure discard or flower of a kind, and what it may be instead."""
    best: tuple[float, int, Noted, Event] | None = None
    counts = hand.state.counts()
    for number, noted in enumerate(hand.notes, start=1):
        event = noted.event
        if noted.by is By.PERSON or not isinstance(event, Discard | KongAdded) or event.tile is not kind:
            continue
        tile = hand.known.get((noted.key, 0))
        if tile is None or tile.confidence >= WEAK or (best is not None and tile.confidence >= best[0]):
            continue
        other: Face = next(
            (face for face, _ in tile.alternatives if face is not kind and counts[face] < face.copies),
            Unseen.UNREADABLE,
        )
        best = (tile.confidence, number, noted, replace(event, tile=other))
    return None if best is None else best[1:]
