"""What a tracker of a given quality would believe at each frame of a plan: so events can be tested without pictures.

Beliefs go wrong here in the ways they do on films: tiles are found late, not read for a while, taken for backs, for
another kind or for part of a hand; numbers change; things are believed that never lay there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from engine.seats import Seat
from engine.tiles import ALL_TILES, Tile
from vision.live.view import SeenTile, TableView, Zone
from vision.synth.live_plan import LivePlan, LiveTile
from vision.synth.live_readings import another_tile
from vision.synth.placing import STANDING, UP, Placed

_QUAD = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.3), (0.0, 1.3))
_LAID = (Zone.RIVER, Zone.MELD, Zone.FLOWERS, Zone.GOLD)
_HEAP = "heap"
_LOST_S = 1.0
"""A time without frames that is longer than this is a gap."""


@dataclass(frozen=True, slots=True)
class SightQuality:
    """How well a table is followed. Chances for each tile that comes to rest, unless said otherwise.

    Attributes:
        believed_s: least and most time until a tile at rest is believed in.
        late: chance to be found only some seconds later, up to ``late_s``; a fifth of it in the river.
        missed: chance never to be found.
        unread: chance that its face is not known for some seconds, up to ``late_s``.
        misread: chance that another kind is believed for as long as it lies there.
        seems_back: chance that a face is taken for a back for some seconds.
        seems_hand: chance that a tile of a meld counts as one of the hand for its first two seconds.
        renumbered: chance that it gets another number while it lies there.
        imagined: tiles a minute that are believed for a second or three and never lay there.
        standing: chance that a standing tile of a closed hand is found, whose face is turned away.
        lingers: chance that a tile that left a hand which lies face down is still believed to lie there, up to
            ``late_s``.
    """

    believed_s: tuple[float, float] = (0.6, 1.4)
    late: float = 0.05
    late_s: float = 6.0
    missed: float = 0.004
    unread: float = 0.03
    misread: float = 0.004
    seems_back: float = 0.02
    seems_hand: float = 0.15
    renumbered: float = 0.01
    imagined: float = 0.3
    standing: float = 0.15
    lingers: float = 0.04


PERFECT = SightQuality((0.6, 0.6), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0)


@dataclass(slots=True)
class _Belief:
    """What is believed of one tile where it lies: from when on, and as what until when."""

    placed: Placed
    track: int
    found_s: float
    unread_until_s: float
    back_until_s: float
    hand_until_s: float
    shows: Tile
    confidence: float
    renumbered_s: float
    since_s: float = -1.0


def scripted_views(
    plan: LivePlan, rng: np.random.Generator, quality: SightQuality | None = None
) -> Iterator[TableView]:
    """The views of a plan as such a tracker hands them over. The same generator state gives the same views.

    Lost frames are left out. Tiles that are covered stay believed, new ones under an arm are found after it.
    """
    quality = quality or SightQuality()
    of_hands = rng.spawn(1)[0]
    beliefs: dict[int, _Belief] = {}
    in_hands: dict[int, SeenTile] = {}
    imagined: list[SeenTile] = []
    tracks = iter(range(1, 1 << 30))
    last_s = 0.0
    for frame, time_s in plan.frame_times():
        tiles, covered = plan.tiles_at(time_s), plan.covered_at(time_s)
        moving = []
        for tile in tiles:
            if tile.is_moving:
                left = beliefs.pop(tile.number, None)
                if left is not None and left.placed.group == Zone.HAND and left.since_s >= 0:
                    in_hands[tile.number] = _seen(left, time_s, plan)
                moving.append((float(tile.placed.centre[0]), float(tile.placed.centre[1])))
                continue
            held = beliefs.get(tile.number)
            if held is None or held.placed is not tile.placed:
                held = beliefs[tile.number] = _begun(rng, tile, next(tracks), time_s, quality, first=frame == 0)
                if tile.placed.pose == STANDING and of_hands.random() >= quality.standing:
                    held.found_s = math.inf
                before = in_hands.pop(tile.number, None)
                lies = before is not None and plan.customs.closed != STANDING and tile.placed.group != Zone.HAND
                if before is not None and lies and of_hands.random() < quality.lingers:
                    until = time_s + float(of_hands.uniform(1, max(quality.late_s, 1)))
                    imagined.append(replace(before, seen_s=until))
            if held.since_s < 0 and held.found_s <= time_s and tile.number not in covered:
                held.since_s = time_s
            if held.renumbered_s <= time_s:
                held.track, held.renumbered_s = next(tracks), math.inf
        imagined = [one for one in imagined if one.seen_s > time_s]
        if rng.random() < quality.imagined / 60 / plan.fps:
            imagined.append(_imagined(rng, next(tracks), time_s, heap=plan.customs.river == _HEAP))
        seen = [_seen(one, time_s, plan) for one in beliefs.values() if one.since_s >= 0]
        seen += [replace(one, seen_s=time_s) for one in imagined]
        gap = time_s - last_s if time_s - last_s > _LOST_S else 0.0
        last_s = time_s
        yield TableView(
            time_s, frame, tuple(sorted(seen, key=lambda one: one.track)), tuple(moving), (), True, round(gap, 3)
        )


def _begun(
    rng: np.random.Generator, tile: LiveTile, track: int, time_s: float, quality: SightQuality, *, first: bool
) -> _Belief:
    """What will be believed of a tile that has just come to rest."""
    kind = tile.placed.tile
    laid = tile.placed.pose == UP
    draws = rng.random(7)
    if not laid:
        draws[:] = 1.0
    wait = 0.0 if first else float(rng.uniform(*quality.believed_s))
    late = quality.late * (0.2 if tile.placed.group == Zone.RIVER else 1.0)
    wait += float(rng.uniform(0, quality.late_s)) * float(draws[0] < late)
    unread = time_s + wait + float(rng.uniform(0, quality.late_s)) if draws[2] < quality.unread else 0.0
    back = time_s + wait + float(rng.uniform(0, quality.late_s)) if draws[4] < quality.seems_back else 0.0
    in_hand = time_s + wait + 2.0 if draws[5] < quality.seems_hand and tile.placed.group == Zone.MELD else 0.0
    return _Belief(
        tile.placed,
        track,
        math.inf if draws[1] < quality.missed else time_s + wait,
        unread,
        back,
        in_hand,
        another_tile(rng, kind) if draws[3] < quality.misread else kind,
        round(float(rng.uniform(0.88, 0.995)), 3),
        time_s + wait + float(rng.uniform(1, 20)) if draws[6] < quality.renumbered else math.inf,
    )


def _seen(belief: _Belief, time_s: float, plan: LivePlan) -> SeenTile:
    placed = belief.placed
    down = placed.pose != UP or time_s < belief.back_until_s
    unread = not down and time_s < belief.unread_until_s
    zone = Zone(placed.group)
    seat: Seat | None = placed.seat
    if zone in (Zone.WALL, Zone.GOLD) or (zone is Zone.RIVER and plan.customs.river == _HEAP):
        seat = None
    if down and placed.pose == UP and zone is Zone.RIVER:
        zone, seat = Zone.WALL, None  # so `vision.live.zones` has it
    if time_s < belief.hand_until_s:
        zone = Zone.HAND
    turn = math.degrees(math.atan2(-float(placed.axes[0, 1]), float(placed.axes[1, 1])))
    doubt = 0.45 if unread else belief.confidence
    return SeenTile(
        track=belief.track,
        tile=None if down or unread else belief.shows,
        face_down=down,
        confidence=doubt,
        place=(float(placed.centre[0]), float(placed.centre[1])),
        turn_deg=turn,
        zone=zone,
        seat=seat,
        quad=_QUAD,
        since_s=belief.since_s,
        seen_s=time_s,
        alternatives=((belief.shows, doubt),) if unread else (),
    )


def _imagined(rng: np.random.Generator, track: int, time_s: float, *, heap: bool) -> SeenTile:
    """A tile in the river that is none, believed for as long as ``seen_s`` says."""
    tile = ALL_TILES[int(rng.integers(len(ALL_TILES)))]
    x, y = (float(value) for value in rng.uniform(-6, 6, 2))
    seat = None if heap else Seat(int(rng.integers(4)))
    until = time_s + float(rng.uniform(1, 3))
    return SeenTile(
        track, tile, False, float(rng.uniform(0.5, 0.85)), (x, y), 0.0, Zone.RIVER, seat, _QUAD, time_s, until
    )
