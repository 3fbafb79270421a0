"""What a live hand makes of a time of which nothing was seen, by kind of what can go wrong in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from assistant_api.services.live.changes import Act, Sight
from assistant_api.services.live.gaps import Gap
from assistant_api.services.live.joining import merged
from assistant_api.services.live.melds import shown_giver
from assistant_api.services.live.records import Alert
from assistant_api.services.live.rows import lies_before
from assistant_api.services.live.state import state_document
from assistant_api.services.live.table import LiveHand
from engine.eventlog import format_event, parse_event, parse_log
from engine.events import Deal, Draw
from engine.fold import fold, step
from engine.seats import SEATS, Seat
from engine.tiles import Tile
from tests.support.live_oracle import BEGUN, Oracle, play, turned
from vision.live.view import SeenTile, TableView, Zone

SHOWN = ("melds", "flowers", "gold", "discards")
FOUND_S = 1.0


class Table:
    """A table seen perfectly, but for the times that are hidden."""

    def __init__(self, log: str, river: str = "rows") -> None:
        self.oracle = Oracle(river)
        events = parse_log(log)
        deal = events[0]
        assert isinstance(deal, Deal)
        self.hand, self.state = LiveHand.start(deal), fold(events)
        self.alerts: list[Alert] = []
        for view in play(events, self.oracle):
            self.see(view)

    def see(self, view: TableView) -> None:
        self.hand, _, told = self.hand.advance(view)
        self.alerts += told

    def look(self, seconds: float, hidden: Mapping[int, float] | None = None, gap_s: float = 0.0) -> None:
        """Views of a table at rest; ``hidden`` are tracks that are found only so many seconds from now."""
        begun = self.oracle.now
        for track, wait in (hidden or {}).items():
            self.oracle.tiles[track] = replace(self.oracle.tiles[track], since_s=begun + wait)
        for number in range(round(seconds / 0.2)):
            view = self.oracle.view(gap_s if number == 0 else 0.0)
            self.see(replace(view, tiles=tuple(tile for tile in view.tiles if tile.since_s <= view.time_s)))
            self.oracle.now += 0.2

    def happen(self, lines: str) -> list[int]:
        """The events, and the tracks of the tiles that came to lie somewhere."""
        before = {track: tile.place for track, tile in self.oracle.tiles.items()}
        for line in filter(None, map(str.strip, lines.splitlines())):
            event = parse_event(line)
            after, _ = step(self.state, event)
            self.oracle.happen(event, self.state, after)
            self.state = after
        return [track for track, tile in self.oracle.tiles.items() if before.get(track) != tile.place]

    def gap(self, lines: str, *, sooner: Mapping[int, float] | None = None, look_s: float = 5.0) -> None:
        """Ten seconds of which nothing is seen. ``sooner`` says when a tile is found, by the place in which it came."""
        tracks = self.happen(lines)
        self.oracle.now += 10.0
        found = {track: (sooner or {}).get(place, FOUND_S) for place, track in enumerate(tracks)}
        self.look(look_s, found, gap_s=10.0)

    def go_on(self, lines: str) -> None:
        """Events that are seen, one after the other."""
        for line in filter(None, map(str.strip, lines.splitlines())):
            if self.happen(line):
                self.look(2.0, dict.fromkeys(self.changed(), 0.2))

    def changed(self) -> list[int]:
        return [track for track, tile in self.oracle.tiles.items() if tile.since_s >= self.oracle.now]

    @property
    def told(self) -> list[str]:
        """What the hand says since the log it began with, draws left out."""
        events = (event for event in self.hand.log if not isinstance(event, Draw | Deal))
        return [format_event(event) for event in events]

    def is_right(self) -> bool:
        mine, true = state_document(self.hand.state), state_document(self.state)
        return all(mine[part] == true[part] for part in SHOWN)


def test_melds_of_discards_that_nobody_saw_are_put_between_the_turns() -> None:
    table = Table(BEGUN)
    table.gap("""
        N draw
        N discard 7s
        E pung 7s
        E discard 9p
        S draw
        S discard 5m
        W chow 5m with 46m
        W discard 2s
    """)
    assert table.told[-6:-2] == ["N discard 7s", "E pung 7s", "E discard 9p", "S discard 5m"]
    assert table.told[-2:] == ["W chow 5m with 46m", "W discard 2s"]
    assert table.is_right()
    assert not table.alerts


def test_discards_of_one_seat_came_in_the_order_of_its_row() -> None:
    table = Table(BEGUN)
    table.gap(
        """
        N draw
        N discard 6m
        E draw
        E discard 9p
        S draw
        S discard 7s
        W draw
        W discard 1p
        N draw
        N discard 2p
        """,
        sooner={0: 1.4, 4: 0.8},
    )
    assert table.told[-5:] == ["N discard 6m", "E discard 9p", "S discard 7s", "W discard 1p", "N discard 2p"]


def test_what_is_found_right_after_a_gap_lay_there_before_it() -> None:
    """In a heap nothing else says who threw which."""
    table = Table(BEGUN, "heap")
    table.gap("N draw\nN discard 6m\nE draw\nE discard 9p\nS draw\nS discard 7s", sooner={0: 0.2, 1: 1.2, 2: 1.0})
    assert "N discard 6m" in table.told


def test_a_discard_thrown_after_a_gap_comes_after_those_in_it() -> None:
    table = Table(BEGUN, "heap")
    table.gap("N draw\nN discard 6m", look_s=1.0)
    table.go_on("E draw\nE discard 9p\nS draw\nS discard 7s")
    table.look(4.0)
    assert table.told[-3:] == ["N discard 6m", "E discard 9p", "S discard 7s"]


def test_a_tile_found_late_is_put_where_it_belongs_with_all_that_came_since() -> None:
    """Without it the log says something else for a while; the whole gap is thought of again."""
    table = Table(BEGUN)
    table.gap("N draw\nN discard 7s\nE pung 7s\nE discard 9p\nS draw\nS discard 5m", sooner={0: 6.0}, look_s=9.0)
    assert table.is_right()
    assert not table.alerts


def test_the_fourth_tile_of_a_kong_is_found_late() -> None:
    table = Table(BEGUN)
    table.gap("N draw\nN discard 7s\nE kong 7s\nE draw tail\nE discard 9p", sooner={3: 5.0}, look_s=9.0)
    assert "E kong 7s" in table.told
    assert table.is_right()


def test_flowers_of_two_turns_found_together_do_not_move_the_discards() -> None:
    table = Table(BEGUN, "heap")
    table.gap("N draw\nN discard 6m\nE draw\nE flowers N\nE draw tail\nE discard 9p", look_s=4.0)
    table.go_on("S draw\nS discard 7s\nW draw\nW discard 1p\nN draw\nN discard 2p\nE draw\nE flowers C")
    table.go_on("E draw tail\nE discard 8m")
    table.look(4.0)
    assert table.told[-4:] == ["W discard 1p", "N discard 2p", "E flowers C", "E discard 8m"]


def test_rounds_of_flowers_the_gold_and_the_first_discards_all_come_in_one_gap() -> None:
    table = Table("deal E fuzhou\nE flowers N1f\nS flowers C\nE draw tail\nE draw tail\nS draw tail\n")
    table.gap("""
        E flowers W
        E draw tail
        S flowers P
        S draw tail
        gold 9m
        E discard 1s
        S draw
        S discard 3p
    """)
    assert table.is_right()
    assert table.told[-3:] == ["gold 9m", "E discard 1s", "S discard 3p"]
    assert not table.alerts


def test_a_flower_laid_long_after_the_gold_was_not_turned_up_before_it() -> None:
    """Though the dealer missed a round of flowers by the log, as of a gap."""
    log = "deal E fuzhou\nE flowers N\nE draw tail\nS flowers C\nS draw tail\nW flowers E\nW draw tail\nS flowers W\n"
    state = fold(parse_log(log))
    flower, gold = (
        SeenTile(
            place, face, False, 0.9, (place * 5.0, 11.0), 0.0, Zone.FLOWERS, Seat.EAST, ((0.0, 0.0),) * 4, 0.0, 0.0
        )
        for place, face in enumerate((Tile.ORCHID, Tile.P5))
    )
    for wait, joins in ((1.0, True), (3.0, True), (9.0, False)):
        sights = [Sight(Act.GOLD, None, (gold,), 20.0), Sight(Act.FLOWERS, Seat.EAST, (flower,), 20.0 + wait)]
        whole = [one.tiles for _, one, _ in merged(sights[0], 0, sights, (0, 1), state)]
        assert whole == ([(flower, gold)] if joins else []), wait


def test_nobody_is_accused_by_the_order_of_a_gap() -> None:
    """A discard of the gap is never found: the next seat seems to act out of turn, and nobody can know."""
    table = Table(BEGUN)
    (lost,) = table.happen("N draw\nN discard 6m")
    del table.oracle.tiles[lost]
    table.gap("E draw\nE discard 9p", look_s=1.0)
    table.go_on("S draw\nS discard 7s\nW draw\nW discard 1p")
    table.look(8.0)
    assert table.told[-3:] == ["E discard 9p", "S discard 7s", "W discard 1p"]
    assert not table.alerts


def test_the_order_around_a_gap() -> None:
    gap = Gap(20.0, 30.0)
    assert gap.hides(19.5)
    assert gap.hides(31.5)
    assert not gap.hides(32.0)
    before, at_once, found, later = (gap.moment(time_s) for time_s in (19.0, 30.2, 31.0, 33.0))
    assert before < at_once < found < later
    assert gap.moment(31.4) - gap.moment(30.6) < 0.3


def test_rows_run_to_the_right_and_nearer_to_the_player() -> None:
    first = SeenTile(1, None, False, 0.9, (-2.0, -4.0), 0.0, Zone.RIVER, None, ((0.0, 0.0),) * 4, 0.0, 0.0)
    right, below = replace(first, place=(1.0, -4.1)), replace(first, place=(-3.0, -5.5))
    opposite = replace(first, place=(1.0, 4.1))
    assert lies_before(first, right)
    assert lies_before(right, below)
    assert not lies_before(below, first)
    assert not lies_before(first, opposite)
    assert not lies_before(opposite, first)


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize(("across", "giver"), [(0, 3), (1, 2), (2, 1)])
def test_a_tile_that_lies_across_shows_from_whom_a_meld_was_claimed(seat: Seat, across: int, giver: int) -> None:
    tiles = []
    for place in range(3):
        at, turn = turned(11.0 + place, -12.5, seat), 90.0 * seat + (90.0 if place == across else 0.0)
        tiles.append(SeenTile(place, Tile.S7, False, 0.9, at, turn, Zone.MELD, seat, ((0.0, 0.0),) * 4, 0.0, 0.0))
    assert shown_giver(tiles, seat) is Seat((seat + giver) % 4)
    assert shown_giver([replace(tile, turn_deg=90.0 * seat) for tile in tiles], seat) is None
