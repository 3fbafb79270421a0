"""Every way to read what was seen as an event of the game, at a given table. Which is right the whole line decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import dist

from assistant_api.services.live.changes import Act, Sight
from assistant_api.services.live.matching import BESIDE_THE_WALL
from assistant_api.services.live.melds import is_across, meld_faces
from engine.context import WinSource
from engine.events import (
    Chow,
    Discard,
    Event,
    FlowersLaid,
    GoldOpened,
    KongAdded,
    KongConcealed,
    KongOpen,
    Pung,
    WinClaim,
)
from engine.melds import is_part_of_run
from engine.seats import Seat
from engine.table import Phase, TableState
from engine.tiles import Face, Tile, Unseen
from vision.live.view import SeenTile

CLEAR = 0.35
"""A chance below this is waited with."""
NEAR_THE_WALL = 3.0
"""Against a face on the wall being a discard."""
APART_S = 0.35
"""A tile that came to a meld so much later came by itself."""
JUST_NOW_S = 6.0
"""A tile that left the river no longer ago than this may be the one a hand is opened on."""
MISREAD = 0.004
"""The chance that a label which seems sure is wrong."""
GOLDS = 3
"""So many golds win at the opening."""
NOTHING_DRAWN = 1.5
"""Against a hand being won on a tile of its own that has no more tiles than between its turns."""
ANOTHER_WON = 4.0
"""Against a win on a tile that is not in the hand with one too many; on an own one when such a discard is gone."""
SURE, SURE_SEAT = 0.97, 0.999
"""Trust in the part of the table a tile lies in, and in whose row of discards it is."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One event a sight may be, the chance of its labels, and the tiles in the order of the event.

    ``cost`` speaks against it besides the labels, in natural logarithms.
    """

    event: Event
    chance: float
    tiles: tuple[SeenTile, ...]
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Gone:
    """A tile that left the river at ``since_s``; ``seat`` is None for one of a heap that nobody was told of."""

    key: int
    seat: Seat | None
    face: Face
    since_s: float = 0.0


def readings(sight: Sight, state: TableState, gone: Sequence[Gone]) -> Iterator[Reading]:
    """The events a sight may be. ``gone`` are discards that do not lie in the river any more."""
    if sight.act is Act.DISCARD:
        yield from _discards(sight, state)
    elif sight.act is Act.FLOWERS:
        yield from _flowers(sight)
    elif sight.act is Act.GOLD:
        yield from _golds(sight, state)
    elif sight.act is Act.MELD:
        yield from _melds(sight, state, gone)
    else:
        yield from _wins(sight, state, gone)


def is_clear(sight: Sight) -> bool:
    """Whether the labels of a sight are sure enough to say at once what it is."""
    if sight.act is Act.MELD and len(sight.tiles) > 1:
        return any(chance >= CLEAR for _, chance in meld_faces(sight.tiles))
    if sight.act is Act.OPEN_HAND:
        return True
    if sight.act is Act.FLOWERS:  # one of them tells what they are; the others are read again later
        return any(tile.tile is not None and tile.confidence >= CLEAR for tile in sight.tiles)
    return all(tile.tile is not None and tile.confidence >= CLEAR for tile in sight.tiles)


def labels(tile: SeenTile) -> list[tuple[Face, float]]:
    """What a tile may show, best first; unreadable where nothing is known."""
    if tile.tile is None:
        return [(Unseen.UNREADABLE, 0.5)]
    found: list[tuple[Face, float]] = [(tile.tile, max(tile.confidence, 0.05))]
    if tile.confidence < 0.85:
        found += [(other, chance) for other, chance in tile.alternatives if chance >= 0.1 and other is not tile.tile]
    return found[:3]


def _discards(sight: Sight, state: TableState) -> Iterator[Reading]:
    (tile,) = sight.tiles
    acts = acting_seat(state)
    for face, chance in labels(tile):
        if sight.seat is None:
            yield Reading(Discard(acts, face), chance, sight.tiles)
            continue
        yield Reading(Discard(sight.seat, face), chance * SURE_SEAT, sight.tiles)
        if acts is not sight.seat:
            yield Reading(Discard(acts, face), chance * (1 - SURE_SEAT) / 2, sight.tiles)
    if sight.gone_s is not None and tile.tile is not None:  # taken for a meld in which there is no such tile
        yield Reading(Discard(sight.seat or acts, Unseen.UNREADABLE), MISREAD, sight.tiles)
    at_the_wall = max(map(abs, tile.place)) > BESIDE_THE_WALL
    if state.phase is Phase.OPENING_FLOWERS and state.rules.has_gold and tile.tile is not None and at_the_wall:
        yield Reading(GoldOpened((tile.tile,)), tile.confidence, sight.tiles, 3.0)


def acting_seat(state: TableState) -> Seat:
    """Who is to discard next, by the rules alone."""
    if state.phase in (Phase.CLAIMS, Phase.ROB_WINDOW):
        return state.next_to_draw
    return state.dealer if state.phase is Phase.OPENING_FLOWERS else state.turn


def _flowers(sight: Sight) -> Iterator[Reading]:
    if sight.seat is None:
        return
    tiles = tuple(sorted(sight.tiles, key=lambda tile: _rank(labels(tile)[0][0])))
    faces, chance = [], 1.0
    for tile in tiles:
        face, sure = labels(tile)[0]
        faces.append(face)
        chance *= sure
    yield Reading(FlowersLaid(sight.seat, tuple(faces)), chance * SURE, tiles)


def _golds(sight: Sight, state: TableState) -> Iterator[Reading]:
    if state.indicator is not None:  # a second one is a discard that came to lie near the wall, or nothing
        for face, chance in labels(sight.tiles[-1]):
            yield Reading(Discard(acting_seat(state), face), chance, sight.tiles[-1:], NEAR_THE_WALL)
        return
    faces = [labels(tile) for tile in sight.tiles]
    *flowers, last = faces
    for face, chance in last:
        yield Reading(GoldOpened((*(options[0][0] for options in flowers), face)), chance * SURE, sight.tiles)


def _melds(sight: Sight, state: TableState, gone: Sequence[Gone]) -> Iterator[Reading]:
    seat = sight.seat
    if seat is None:
        return
    if len(sight.tiles) == 1:
        for face, chance in labels(sight.tiles[0]):
            yield Reading(KongAdded(seat, face), chance * SURE, sight.tiles)
        return
    found = meld_faces(sight.tiles)
    if not found:
        faces = tuple(labels(tile)[0][0] for tile in sight.tiles)
        chance = 1.0
        for tile in sight.tiles:
            chance *= max(tile.confidence, 0.05)
        found = [(faces, chance)]
    for faces, chance in found:
        yield from _made_of(sight, seat, faces, chance * SURE, state, gone)
    yield from _misread(sight, seat, gone)


def _misread(sight: Sight, seat: Seat, gone: Sequence[Gone]) -> Iterator[Reading]:
    """The melds that two of three tiles make with one that left the river for it, which is not read among them."""
    shown = [tile.tile for tile in sight.tiles]
    if len(shown) != 3 or any(face is None for face in shown):
        return
    for one in gone:
        taken = one.face
        if not isinstance(taken, Tile) or one.seat is seat or taken in shown or not _left_for(one, sight):
            continue
        for place in range(3):
            others = sorted((tile for tile in sight.tiles if tile is not sight.tiles[place]), key=_label)
            held = tuple(tile.tile for tile in others if tile.tile is not None)
            event: Event | None = None
            if set(held) == {taken}:
                event = Pung(seat, taken)
            elif is_part_of_run([taken, *held]):
                event = Chow(seat, taken, held)
            if event is not None:
                yield Reading(event, MISREAD, (sight.tiles[place], *others))


def _left_for(one: Gone, sight: Sight) -> bool:
    return abs(one.since_s - sight.time_s) <= JUST_NOW_S


def _label(tile: SeenTile) -> int:
    return len(Tile) if tile.tile is None else tile.tile


def _made_of(
    sight: Sight, seat: Seat, faces: tuple[Face, ...], chance: float, state: TableState, gone: Sequence[Gone]
) -> Iterator[Reading]:
    """The claims that these faces may be, by the tile that was taken."""
    hidden = sum(tile.face_down for tile in sight.tiles)
    if len(faces) == 4:
        if hidden or len(set(faces)) == 1:
            yield _reading(KongConcealed(seat, faces[0]), chance, sight.tiles, 0.0 if hidden else 1.5)
        if not hidden and len(set(faces)) == 1:
            likely = min(range(len(faces)), key=lambda place: _by_its_place(sight, place))
            yield from _taken(sight, seat, faces, likely, chance, state, gone)
        return
    if hidden:
        backs = Counter(faces).most_common(1)[0][0]
        yield _reading(KongConcealed(seat, backs if isinstance(backs, Tile) else Unseen.BACK), chance, sight.tiles, 1.0)
        return
    if len(set(faces)) == 1:  # any of them may be the claimed one
        places = [min(range(len(faces)), key=lambda place: _by_its_place(sight, place))]
    else:
        places = list(range(len(faces)))
    for place in places:
        yield from _taken(sight, seat, faces, place, chance, state, gone)


def _reading(event: Event, chance: float, tiles: tuple[SeenTile, ...], cost: float) -> Reading:
    return Reading(event, chance, tiles, cost)


def _taken(
    sight: Sight,
    seat: Seat,
    faces: tuple[Face, ...],
    place: int,
    chance: float,
    state: TableState,
    gone: Sequence[Gone],
) -> Iterator[Reading]:
    tile = faces[place]
    others = sorted((other for other in range(len(faces)) if other != place), key=lambda other: _rank(faces[other]))
    held = tuple(faces[other] for other in others)
    tiles = (sight.tiles[place], *(sight.tiles[other] for other in others))
    cost = _cost_of_taking(sight, tile, place, seat, state, gone)
    if cost and any(one.face in faces and one.seat is not seat for one in gone):
        cost += 5.0  # a tile of this meld left the river, so it is the claimed one
    event: Event
    if len(set(faces)) == 1:
        event = Pung(seat, tile) if len(faces) == 3 else KongOpen(seat, tile)
    else:
        event = Chow(seat, tile, held)
    yield Reading(event, chance, tiles, cost)


def _rank(face: Face) -> int:
    return face if isinstance(face, Tile) else len(Tile)


def _cost_of_taking(sight: Sight, tile: Face, place: int, seat: Seat, state: TableState, gone: Sequence[Gone]) -> float:
    """What speaks against this tile of a meld being the claimed one."""
    if any(one.face == tile and one.seat is not seat for one in gone):
        return 0.0
    offered = state.put_up
    lies = offered is not None and offered.tile == tile
    cost = (1.0 if lies else 1.5) + _by_its_place(sight, place)
    return cost + (0.0 if not any(isinstance(one.face, Tile) for one in gone) else 0.5)


def _by_its_place(sight: Sight, place: int) -> float:
    """What speaks against a tile of a meld being the claimed one by when it came and how it lies."""
    cost = _came_last(sight.tiles, place)
    crosswise = [is_across(one, sight.tiles) for one in sight.tiles]
    if sum(crosswise) == 1:
        cost += -0.5 if crosswise[place] else 1.5
    return cost


def _came_last(tiles: Sequence[SeenTile], place: int) -> float:
    """The own tiles of a meld are laid first as a rule, and the claimed one is put beside them."""
    others = max(tile.since_s for other, tile in enumerate(tiles) if other != place)
    later = tiles[place].since_s - others
    return -0.6 if later >= APART_S else 0.6 if later <= -APART_S else 0.0


def _wins(sight: Sight, state: TableState, gone: Sequence[Gone]) -> Iterator[Reading]:
    """A hand laid open: which way of winning, by the moment, by the tile that left the river, and by its own tiles."""
    seat = sight.seat
    if seat is None:
        return
    faces: list[Face] = [tile.tile if tile.tile is not None else Unseen.UNREADABLE for tile in sight.tiles]
    apart = _apart(sight.tiles) if len(sight.tiles) > 1 else 0
    last = faces[apart] if apart is not None else None
    left = [one for one in gone if one.since_s >= sight.time_s - JUST_NOW_S]
    count = state.seats[seat].concealed_count
    for claim in _claims(state, seat, faces, last):
        if claim.source is WinSource.DISCARD and len(faces) == count and last == claim.tile:
            claim = replace(claim, hand=None)  # with the tile it was won on, so that one of the hand was not read
        cost = 0.0
        if claim.source.is_from_other:
            taken = any(one.face == claim.tile for one in left)
            cost += 0.0 if taken or (last == claim.tile and last is not None) else 1.5
            if len(faces) == count + 1 and claim.tile not in faces and Unseen.UNREADABLE not in faces:
                cost += ANOTHER_WON
        elif left and not claim.source.is_opening:
            cost += ANOTHER_WON if any(one.face == last for one in left) else 2.0
        if claim.source.is_own_draw and state.phase in _TAKEN_FROM and len(faces) == count:
            cost += NOTHING_DRAWN
        yield Reading(claim, 0.9, sight.tiles, cost)


def _claims(state: TableState, seat: Seat, faces: list[Face], last: Face | None) -> Iterator[WinClaim]:
    count = state.seats[seat].concealed_count
    hand = tuple(faces) if len(faces) in (count, count + 1) else None
    offered = state.put_up
    if offered is not None and offered.seat is not seat and state.phase in _TAKEN_FROM:
        source = WinSource.ROB_KONG if offered.kong else WinSource.DISCARD
        yield WinClaim(seat, source, offered.tile, hand)
    if last is not None and state.first_discard and (offered is None or offered.tile != last or offered.seat is seat):
        yield WinClaim(seat, WinSource.DISCARD, last, hand)  # a tile that was taken before anybody saw it lie there
    if state.phase is Phase.ROB_WINDOW and (seat is not state.dealer):
        yield WinClaim(seat, WinSource.ROB_GOLD, None, hand)
    if state.phase is Phase.ROB_WINDOW and seat is state.dealer and offered is not None:
        swap = offered.tile if isinstance(offered.tile, Tile) else None
        yield WinClaim(seat, WinSource.ROB_GOLD, None, hand, swap)
    if state.phase is Phase.OPENING:
        three = WinClaim(seat, WinSource.OPENING_THREE, None, hand)  # a hand that shows three goes before a whole one
        whole = [WinClaim(seat, WinSource.HEAVENLY, None, hand)] if seat is state.dealer else []
        yield from [three, *whole] if faces.count(state.gold or Unseen.UNREADABLE) >= GOLDS else [*whole, three]
        return
    tile = last if last is not None else faces[-1] if faces else None
    source = WinSource.REPLACEMENT if state.after_kong or state.kong_owed else WinSource.SELF_DRAW
    if state.phase is Phase.LAST_GROUP or (
        state.phase is Phase.CLAIMS and state.drawable <= state.rules.last_group_size
    ):
        source = WinSource.LAST_GROUP
    if hand is not None and len(faces) == count and state.seats[seat].owed:
        hand = (*hand, Unseen.UNREADABLE)  # it has drawn since it laid a flower, so one of its tiles was not found
    yield WinClaim(seat, source, tile, hand)


_TAKEN_FROM = (Phase.CLAIMS, Phase.ROB_WINDOW, Phase.ROB_KONG)


def _apart(tiles: Sequence[SeenTile]) -> int | None:
    """The tile that lies apart from the row of the others, where one does."""
    gaps = []
    for place, tile in enumerate(tiles):
        gaps.append((min((dist(tile.place, other.place) for other in tiles if other is not tile), default=0.0), place))
    gaps.sort(reverse=True)
    if len(gaps) >= 2 and gaps[0][0] > gaps[1][0] + 0.3:
        return gaps[0][1]
    return None
