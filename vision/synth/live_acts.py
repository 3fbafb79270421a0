"""What players do with their hands for each event of a log: the choreography of a clip."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from engine.context import WinSource
from engine.events import (
    Chow,
    Discard,
    Draw,
    Event,
    FlowersLaid,
    GoldOpened,
    KongAdded,
    KongConcealed,
    KongOpen,
    KongShown,
    LaidOpen,
    Pung,
    TileClaim,
    WallEnd,
    WinClaim,
)
from engine.moves import held_tiles
from engine.seats import Seat
from engine.table import Phase
from engine.tiles import Tile
from vision.synth.live_stage import Leg, Stage, draw_end, known
from vision.synth.placing import UP, Placed
from vision.synth.table_plan import GOLD

LIFT = 2.2
"""How high a carried tile goes over the others."""


class Acts:
    """Plays events on a stage. ``pace`` is about how many seconds a discard takes."""

    def __init__(self, stage: Stage, pace: float, takes_winning: bool) -> None:
        self.stage, self.pace, self.takes_winning = stage, pace, takes_winning

    def play(self, number: int, event: Event, start_s: float) -> bool:
        """The event of this number happens from ``start_s`` on; False when there is nothing to see of it."""
        act = _ACTS.get(type(event))
        if act is None or (isinstance(event, LaidOpen) and not self._is_over(number)):
            return False
        stage = self.stage
        stage.rest_s = stage.clear_s = start_s
        act(self, number, event, start_s)
        seat = getattr(event, "seat", None)
        if seat is not None:
            self._follow_reserve(number, seat)
        return True

    def _is_over(self, number: int) -> bool:
        return self.stage.states[number - 2].phase in (Phase.WIN_CLAIMED, Phase.END)

    def take_back(self, number: int, event: Discard, start_s: float, lies_s: float) -> Tile | None:
        """Before the discard of this number another tile is put down, lies a while and is taken back."""
        stage, seat, pace = self.stage, event.seat, self.pace
        others = [one for one in stage.hands[seat] if stage.tiles[one] is not event.tile]
        if not others or not stage.rolling:
            return None
        one = others[int(stage.rng.integers(len(others)))]
        home = stage.now[one]
        slot = stage.next_slot(seat)
        to = stage.layout.river(seat, stage.tiles[one], slot, [stage.now[other] for other, _, _ in stage.river])
        stage.rest_s = stage.clear_s = start_s
        pick, drop = start_s + 0.25 * pace, start_s + 0.65 * pace
        back, end = drop + lies_s, drop + lies_s + 0.4 * pace
        stage.put(one, to, pick, drop, LIFT, seat)
        stage.reach(seat, 1.0, [(pick, [home.centre], drop, [to.centre])], start_s, drop + 0.3 * pace)
        stage.put(one, home, back, end, LIFT, seat)
        stage.reach(seat, 1.0, [(back, [to.centre], end, [home.centre])], drop + 0.35 * pace, end + 0.2 * pace)
        return stage.tiles[one]

    def draw(self, number: int, event: Draw, start_s: float) -> None:
        """A tile goes from an end of the wall to the right of the hand."""
        stage, seat = self.stage, event.seat
        before = stage.states[number - 2]
        span = (0.65 if before.phase is Phase.OPENING_FLOWERS else 0.9) * self.pace
        end = draw_end(before, event)
        one = stage.from_wall(end)
        target = stage.indicator_target(stage.states[number - 1])
        pick = start_s + 0.3 * span
        legs: list[Leg] = []
        if target is not None and target != stage.indicator_at and stage.indicator_at is not None:
            if target[0] != stage.indicator_at[0]:  # the gold moves on before its stack is taken
                legs.append(self._move_gold(target, pick, pick + 0.4 * self.pace, seat))
                pick += 0.65 * self.pace
            else:
                self._move_gold(target, pick, pick + 0.35 * span, seat)
        drop = pick + 0.35 * span
        if stage.apart[seat] is not None:
            stage.merge(seat)
            stage.close_up(seat, start_s, start_s + 0.25 * span)
        source = stage.now[one].centre
        stage.apart[seat] = one
        to = stage.hand_places(seat)[one]
        stage.put(one, to, pick, drop, LIFT, seat)
        legs.append((pick, [source], drop, [to.centre]))
        stage.reach(seat, 1.0, legs, start_s, drop + 0.2 * span)

    def _move_gold(self, target: tuple[int, int], start_s: float, end_s: float, seat: Seat) -> Leg:
        stage = self.stage
        assert stage.indicator is not None
        source = stage.now[stage.indicator]
        to = stage.layout.indicator(source.tile, *target)
        stage.put(stage.indicator, to, start_s, end_s, 0.5, seat)
        stage.indicator_at = target
        return start_s, [source.centre], end_s, [to.centre]

    def _follow_reserve(self, number: int, seat: Seat) -> None:
        """After kongs and flower sets the reserve is larger: the gold moves on."""
        stage = self.stage
        target = stage.indicator_target(stage.states[number - 1])
        if target is None or stage.indicator_at is None or target == stage.indicator_at:
            return
        start = stage.clear_s
        leg = self._move_gold(target, start + 0.3 * self.pace, start + 0.65 * self.pace, seat)
        stage.reach(seat, 1.0, [leg], start, start + 0.9 * self.pace)

    def discard(self, number: int, event: Discard, start_s: float) -> None:
        """A tile goes from the hand into the middle."""
        stage, seat, pace = self.stage, event.seat, self.pace
        one = stage.from_hand(seat, [event.tile])[0]
        slot = stage.next_slot(seat)
        to = stage.layout.river(seat, stage.tiles[one], slot, [stage.now[other] for other, _, _ in stage.river])
        source = stage.now[one].centre
        pick, drop = start_s + 0.25 * pace, start_s + 0.65 * pace
        stage.put(one, to, pick, drop, LIFT, seat)
        stage.river.append((one, seat, slot))
        stage.reach(seat, 1.0, [(pick, [source], drop, [to.centre])], start_s, drop + 0.35 * pace)
        stage.merge(seat)
        stage.close_up(seat, drop - 0.2 * pace, drop + 0.15 * pace)

    def flowers(self, number: int, event: FlowersLaid, start_s: float) -> None:
        """Flowers go from the hand to their lane, all at once."""
        stage, seat = self.stage, event.seat
        span = (0.8 + 0.1 * len(event.tiles)) * self.pace
        numbers = stage.from_hand(seat, event.tiles)
        source = stage.centres(numbers)
        pick, drop = start_s + 0.25 * span, start_s + 0.6 * span
        for one in numbers:
            stage.put(one, stage.layout.flower(seat, one, stage.tiles[one]), pick, drop, 0.9, seat)
        stage.reach(seat, 1.0, [(pick, source, drop, stage.centres(numbers))], start_s, start_s + 0.9 * span)
        stage.close_up(seat, drop, drop + 0.25 * span)

    def gold(self, number: int, event: GoldOpened, start_s: float) -> None:
        """Tiles are turned up at the tail: flowers go to the dealer, the last one onto its stack."""
        stage, pace = self.stage, self.pace
        dealer = stage.states[0].dealer
        at, legs = start_s + 0.3 * pace, []
        for face in event.tiles:
            one = stage.from_wall(WallEnd.TAIL)
            source = stage.now[one].centre
            if face is not event.tiles[-1]:
                to = stage.layout.flower(dealer, one, stage.tiles[one])
            else:
                target = stage.indicator_target(stage.states[number - 1])
                if target is None:
                    to = replace(stage.now[one], pose=UP, group=GOLD, axes=np.eye(3))
                else:
                    to = stage.layout.indicator(stage.tiles[one], *target)
                stage.indicator, stage.indicator_at = one, target
            stage.put(one, to, at, at + 0.6 * pace, 1.2, dealer)
            legs.append((at, [source], at + 0.6 * pace, [to.centre]))
            at += 0.85 * pace
        stage.reach(dealer, 1.0, legs, start_s, at + 0.1 * pace)

    def claim(self, number: int, event: TileClaim, start_s: float) -> None:
        """Tiles of the hand go to the corner, the claimed one from the middle joins them."""
        stage, seat, pace = self.stage, event.seat, self.pace
        offered = next((item for item in reversed(stage.river) if stage.tiles[item[0]] is event.tile), None)
        if offered is None:
            raise ValueError(f"no {event.tile.code} lies in the middle; expected a log that can be played")
        stage.river.remove(offered)
        claimed = offered[0]
        held = sorted(stage.from_hand(seat, held_tiles(event)), key=lambda one: stage.tiles[one])
        giver = {3: 0, 2: 1, 1: len(held)}.get(seat.distance_to(offered[1]), 0)
        across = giver if stage.customs.across else None
        if across is not None:
            order = [*held[:giver], claimed, *held[giver:]]
        else:
            order = sorted([*held, claimed], key=lambda one: stage.tiles[one])
        places = self._meld(seat, order, across, face_down=False)
        first, one, two, last = (start_s + share * pace for share in (0.3, 0.65, 0.95, 1.4))
        source = stage.centres(held)
        for other in held:
            stage.put(other, places[other], first, one, 0.8, seat)
        middle = stage.now[claimed].centre
        stage.put(claimed, places[claimed], two, last, LIFT, seat)
        legs: list[Leg] = [(first, source, one, stage.centres(held)), (two, [middle], last, [places[claimed].centre])]
        stage.reach(seat, 1.0, legs, start_s, last + 0.35 * pace)
        stage.merge(seat)
        stage.close_up(seat, one, one + 0.3 * pace)

    def _meld(self, seat: Seat, numbers: list[int], across: int | None, *, face_down: bool) -> dict[int, Placed]:
        stage = self.stage
        index = len(stage.melds[seat])
        last = stage.states[-1].seats[seat].melds
        spare = index < len(last) and last[index].kind.value == "kong_added"
        tiles = [stage.tiles[one] for one in numbers]
        places, fourth = stage.layout.meld(seat, tiles, across, face_down, spare)
        stage.melds[seat].append(numbers)
        stage.fourths[seat].append(fourth)
        return dict(zip(numbers, places, strict=True))

    def kong_concealed(self, number: int, event: KongConcealed, start_s: float) -> None:
        """Four tiles of the hand go to the corner face down."""
        stage, seat, pace = self.stage, event.seat, self.pace
        numbers = stage.from_hand(seat, held_tiles(event))
        source = stage.centres(numbers)
        places = self._meld(seat, numbers, None, face_down=True)
        pick, drop = start_s + 0.3 * pace, start_s + 0.8 * pace
        for one in numbers:
            stage.put(one, places[one], pick, drop, 0.8, seat)
        stage.reach(seat, 1.0, [(pick, source, drop, stage.centres(numbers))], start_s, drop + 0.35 * pace)
        stage.merge(seat)
        stage.close_up(seat, drop, drop + 0.3 * pace)

    def kong_added(self, number: int, event: KongAdded, start_s: float) -> None:
        """The fourth tile joins its pung."""
        stage, seat, pace = self.stage, event.seat, self.pace
        tile = known(event.tile)
        index = next(
            (index for index, meld in enumerate(stage.melds[seat]) if all(stage.tiles[one] is tile for one in meld)),
            None,
        )
        if index is None:
            raise ValueError(f"{seat.en} has no pung of {tile.code}; expected a log that can be played")
        one = stage.from_hand(seat, [tile])[0]
        source, to = stage.now[one].centre, replace(stage.fourths[seat][index], tile=tile)
        pick, drop = start_s + 0.3 * pace, start_s + 0.7 * pace
        stage.put(one, to, pick, drop, 0.8, seat)
        stage.melds[seat][index].append(one)
        stage.reach(seat, 1.0, [(pick, [source], drop, [to.centre])], start_s, drop + 0.35 * pace)
        stage.merge(seat)
        stage.close_up(seat, drop, drop + 0.3 * pace)

    def kong_shown(self, number: int, event: KongShown, start_s: float) -> None:
        """A concealed kong is turned up."""
        for meld in self.stage.melds[event.seat]:
            if self.stage.tiles[meld[0]] is event.tile:
                self._turn_up(event.seat, meld, start_s)

    def _turn_up(self, seat: Seat, numbers: list[int], start_s: float) -> None:
        stage, pace = self.stage, self.pace
        hidden = [one for one in numbers if stage.now[one].pose != UP]
        flip = np.diag([-1.0, 1.0, -1.0])
        for one in hidden:
            lies = stage.now[one]
            to = replace(lies, pose=UP, axes=lies.axes @ flip)
            stage.put(one, to, start_s + 0.3 * pace, start_s + 0.7 * pace, 0.6, seat)
        if hidden:
            at = stage.centres(hidden)
            stage.reach(seat, 1.0, [(start_s + 0.3 * pace, at, start_s + 0.7 * pace, at)], start_s, start_s + pace)

    def win(self, number: int, event: WinClaim, start_s: float) -> None:
        """The hand is laid open; the winning discard may join it; concealed kongs are turned up."""
        stage, seat, pace = self.stage, event.seat, self.pace
        won = None
        taken = event.source is WinSource.DISCARD and self.takes_winning
        if taken and stage.river and stage.tiles[stage.river[-1][0]] is event.tile:
            won = stage.river.pop()[0]
        if not event.source.is_own_draw:
            stage.merge(seat)
        self._open(seat, start_s)
        if won is not None:
            source = stage.now[won].centre
            stage.apart[seat] = won
            to = stage.hand_places(seat)[won]
            start = stage.clear_s - 0.2 * pace
            stage.put(won, to, start + 0.3 * pace, start + 0.75 * pace, LIFT, seat)
            leg = (start + 0.3 * pace, [source], start + 0.75 * pace, [to.centre])
            stage.reach(seat, 1.0, [leg], start, start + 1.1 * pace)
        for meld in stage.melds[seat]:
            self._turn_up(seat, meld, stage.clear_s)

    def laid_open(self, number: int, event: LaidOpen, start_s: float) -> None:
        """The hand is laid open."""
        self._open(event.seat, start_s)

    def _open(self, seat: Seat, start_s: float) -> None:
        """All tiles of a hand fall over, face up, from left to right."""
        stage, pace = self.stage, self.pace
        if stage.is_open[seat]:
            return
        stage.is_open[seat] = True
        apart = stage.apart[seat]
        row = [*stage.hands[seat], *([] if apart is None else [apart])]
        if not row:
            return
        places = stage.hand_places(seat)
        span = 1.6 * pace
        for index, one in enumerate(row):
            start = start_s + 0.3 * pace + 0.6 * span * index / len(row)
            stage.put(one, places[one], start, start + 0.4 * span, 0.3, seat)
        half = len(row) // 2 + 1
        begin, end = start_s + 0.3 * pace, start_s + 0.3 * pace + span
        for side, part in ((-1.0, row[:half]), (1.0, row[half:] or row[-1:])):
            start_at, end_at = places[part[0]].centre, places[part[-1]].centre
            stage.reach(seat, side, [(begin, [start_at], end, [end_at])], start_s, end + 0.35 * pace)

    def sort(self, seat: Seat, start_s: float, seconds: float) -> None:
        """Two hands move tiles about in a closed row; in the end it is in order again."""
        stage = self.stage
        row = list(stage.hands[seat])
        home = {one: stage.now[one] for one in row}
        stage.rest_s = stage.clear_s = start_s
        at = start_s + 0.6
        while len(row) > 1 and at + 2.0 < start_s + seconds:
            index = int(stage.rng.integers(len(row) - 1))
            other = int(stage.rng.integers(len(row) - 1))
            for one, to in ((row[index], row[index + 1]), (row[index + 1], row[index])):
                target = replace(home[to], tile=stage.tiles[one])
                stage.put(one, target, at, at + 0.5, 0.0, seat)
            for one in (row[index], row[index + 1]):
                stage.put(one, home[one], at + 0.9, at + 1.3, 0.0, seat)
            for side, place in ((1.0, max(index, other)), (-1.0, min(index, other))):
                centre = home[row[place]].centre
                stage.reach(seat, side, [(at, [centre], at + 1.4, [centre])], at - 0.5, at + 1.9)
            at += 2.6
        stage.clear_s = max(stage.clear_s, start_s + seconds)

    def cover(self, seat: Seat, start_s: float, seconds: float) -> None:
        """An arm lies over the middle and moves a little."""
        stage = self.stage
        stage.rest_s = stage.clear_s = start_s
        legs: list[Leg] = []
        at = start_s + 0.6
        while at + 1.5 < start_s + seconds:
            spots = [np.array([*stage.rng.uniform(-2.5, 2.5, 2), 0.7]) for _ in range(2)]
            legs.append((at, [spots[0]], at + 1.2, [spots[1]]))
            at += 1.8
        stage.reach(seat, 1.0, legs, start_s, start_s + seconds)


_ACTS: dict[type[Event], Callable[..., None]] = {
    Draw: Acts.draw,
    Discard: Acts.discard,
    FlowersLaid: Acts.flowers,
    GoldOpened: Acts.gold,
    Chow: Acts.claim,
    Pung: Acts.claim,
    KongOpen: Acts.claim,
    KongConcealed: Acts.kong_concealed,
    KongAdded: Acts.kong_added,
    KongShown: Acts.kong_shown,
    WinClaim: Acts.win,
    LaidOpen: Acts.laid_open,
}
