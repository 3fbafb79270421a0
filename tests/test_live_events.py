"""From perfect sight of whole simulated hands to their events: all right, nothing invented, nothing warned of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest

from assistant_api.services.live.documents import kept, restored
from assistant_api.services.live.matching import differences
from assistant_api.services.live.opening import missed_a_round
from assistant_api.services.live.records import Alert, LiveEvent
from assistant_api.services.live.slots import Slot
from assistant_api.services.live.state import state_document
from assistant_api.services.live.table import LiveHand
from assistant_api.services.live.warnings import alert_document
from engine.eventlog import format_event, parse_log
from engine.events import Deal, Discard, Draw, Exhausted, LaidOpen, Log, Pass, WinGranted
from engine.fold import fold
from engine.seats import Seat
from engine.simulate import as_seen, play_hand
from engine.tiles import Tile
from engine.violations import ViolationKind
from tests.support import injections
from tests.support.live_oracle import BEGUN, Oracle, play
from vision.live.view import SeenTile, TableView, Zone

NOT_SEEN = (Draw, LaidOpen, Pass, WinGranted, Exhausted)
SHOWN = ("melds", "flowers", "gold", "discards")


def in_sight(log: Log) -> list[str]:
    """What a camera can see of a log, hands left out."""
    return [format_event(event).partition(" hand ")[0] for event in log if not isinstance(event, NOT_SEEN)]


def simulated(seed: int) -> Log:
    return play_hand(Random(seed), Deal(Seat(seed % 4))).log


def watch(log: Log, oracle: Oracle) -> tuple[LiveHand, list[LiveEvent], list[Alert]]:
    """The hand after all views of a log, with everything that was said on the way."""
    deal = log[0]
    assert isinstance(deal, Deal)
    hand, events, alerts = LiveHand.start(deal), [], []
    for view in play(log, oracle):
        hand, changed, told = hand.advance(view)
        events += changed
        alerts += told
    return hand, events, alerts


@pytest.mark.parametrize("river", ["rows", "heap"])
@pytest.mark.parametrize("seed", [3, 11, 17])
def test_a_hand_in_perfect_sight_is_told_event_by_event(seed: int, river: str) -> None:
    log = simulated(seed)
    hand, _, alerts = watch(log, Oracle(river, seed))
    seen = as_seen(log)
    assert in_sight(hand.log) == in_sight(seen)
    mine, true = state_document(hand.state), state_document(fold(seen))
    assert {part: mine[part] for part in SHOWN} == {part: true[part] for part in SHOWN}
    assert not alerts


def test_a_hand_that_was_kept_goes_on_with_new_tracks() -> None:
    log = simulated(5)
    oracle = Oracle(seed=5)
    views = list(play(log, oracle))
    hand = LiveHand.start(log[0])  # type: ignore[arg-type]
    for view in views[: len(views) // 2]:
        hand = hand.advance(view).hand
    again = restored(kept(hand))
    assert again.log == hand.log
    assert again.state == hand.state
    for view in views[len(views) // 2 :]:
        again = again.advance(view).hand
    assert in_sight(again.log) == in_sight(as_seen(log))


INJECTED = [
    (injections.chow_wrong_seat, 0),
    (injections.discard_out_of_turn, 0),
    (injections.kong_out_of_turn, 1),
    (injections.flower_discarded, 0),
    (injections.false_win, 0),
    (injections.false_self_draw, 0),
]


@pytest.mark.parametrize(("injector", "seed"), INJECTED)
def test_an_illegal_act_is_warned_of_with_its_seat(injector: injections.Injector, seed: int) -> None:
    log = simulated(seed)
    case, kind, number = injections.injected(injector, log, seed, 1)[0]
    _, _, alerts = watch(case[:number], Oracle(seed=seed))
    act = case[number - 1]
    told = [(alert.violation.kind, alert.violation.seat) for alert in alerts]
    assert (kind, getattr(act, "seat", None)) in told
    assert len(told) == len(set(told))


GUOSHUI = """
deal E fuzhou
S flowers E C
S draw
S draw
gold 9m
E discard 1s
S draw
S discard 3p
W draw
W discard 8p
N draw
N discard 8p
S win discard 8p hand 123456m789p23455s67p
"""


def test_a_win_that_was_let_pass_is_caught_with_its_proof() -> None:
    hand, _, (alert,) = watch(parse_log(GUOSHUI), Oracle())
    shown = alert_document(alert)
    assert shown["kind"] == ViolationKind.GUOSHUI_WIN
    assert (shown["seat"], shown["tile"], shown["certain"]) == ("S", "8p", True)
    texts = [proof["text"] for proof in shown["evidence"]]
    assert texts[:2] == ["W discard 8p", "N discard 8p"]
    assert all(proof["tiles"] for proof in shown["evidence"])
    assert set(shown["messages"]) == {"zh-Hans", "zh-Hant", "en"}
    assert not hand.told_of(()).alerts


def follow(hand: LiveHand, views: Iterable[TableView]) -> tuple[LiveHand, list[LiveEvent], list[Alert]]:
    events: list[LiveEvent] = []
    alerts: list[Alert] = []
    for view in views:
        hand, changed, told = hand.advance(view)
        events += changed
        alerts += told
    return hand, events, alerts


def begun() -> tuple[LiveHand, Oracle]:
    """A hand of a few discards, and its oracle to go on with."""
    oracle = Oracle()
    hand, _, _ = watch(parse_log(BEGUN), oracle)
    assert in_sight(hand.log)[-3:] == ["E discard 1s", "S discard 3p", "W discard 4p"]
    return hand, oracle


def still(oracle: Oracle, seconds: float, **changes: object) -> list[TableView]:
    """Views of a table on which nothing happens."""
    views = []
    for _ in range(round(seconds / 0.2)):
        oracle.now += 0.2
        views.append(replace(oracle.view(), **changes))  # type: ignore[arg-type]
    return views


def test_a_discard_taken_back_is_undone() -> None:
    """Field report 22."""
    hand, oracle = begun()
    track, _ = oracle.lying.pop()
    del oracle.tiles[track]
    hand, events, alerts = follow(hand, still(oracle, 5.0))
    assert {event.change for event in events} == {"undone"}
    assert [format_event(event.noted.event) for event in events if event.noted.tiles] == ["W discard 4p"]
    assert in_sight(hand.log)[-1] == "S discard 3p"
    oracle.put(Tile.P7, Zone.RIVER, Seat.WEST, 4.0, 1.0)
    hand, _, more = follow(hand, still(oracle, 3.0))
    assert in_sight(hand.log)[-1] == "W discard 7p"
    assert not alerts
    assert not more


def test_nothing_happens_while_a_hand_is_sorted() -> None:
    """Field report 23: twenty seconds of tiles moving about in a hand."""
    hand, oracle = begun()
    moving = tuple((float(x), -19.0) for x in range(-8, 8))
    _, events, alerts = follow(hand, still(oracle, 20.0, moving=moving, covered=((Zone.HAND, Seat.EAST),)))
    assert not events
    assert not alerts


def test_a_fifth_of_a_kind_makes_the_weakest_give_way_and_asks() -> None:
    """Field report 19."""
    hand, oracle = begun()
    weak = oracle.put(Tile.S1, Zone.RIVER, Seat.NORTH, 4.0, 3.0)
    oracle.tiles[weak] = replace(oracle.tiles[weak], confidence=0.62, alternatives=((Tile.S2, 0.3),))
    hand, _, _ = follow(hand, still(oracle, 3.0))
    for place, seat in enumerate((Seat.EAST, Seat.SOUTH, Seat.WEST)):
        oracle.put(Tile.S1, Zone.RIVER, seat, -4.0 + 2 * place, -6.0)
        hand, _, _ = follow(hand, still(oracle, 4.0))
    thrown = [event.tile for event in hand.log if isinstance(event, Discard)]
    assert thrown.count(Tile.S1) == 4
    assert Tile.S2 in thrown
    assert [format_event(noted.event) for noted in hand.notes if noted.asked] == ["N discard 2s"]
    assert hand.state.phase == "claims"


def test_what_a_person_said_is_not_overruled() -> None:
    """Field report 20: every event can be confirmed, changed, put in and deleted."""
    hand, oracle = begun()
    number = len(hand.log)
    hand = hand.edit(number, Discard(Seat.WEST, Tile.P5)).hand
    hand, events, _ = follow(hand, still(oracle, 4.0))
    assert hand.log[-1] == Discard(Seat.WEST, Tile.P5)
    assert not events
    hand, (undone,), _ = hand.delete(number)
    assert undone.change == "undone"
    hand, (added,), _ = hand.insert(number, Discard(Seat.WEST, Tile.P4))
    assert (added.change, added.number, added.noted.by) == ("added", number, "person")
    hand, _, _ = follow(hand, still(oracle, 4.0))
    assert in_sight(hand.log)[-1] == "W discard 4p"
    hand, (said,), _ = hand.confirm(number - 1)
    assert said.change == "confirmed"
    assert hand.undo().hand.log == hand.log[:-1]


def test_a_discard_taken_back_is_undone_whatever_else_lies_about() -> None:
    """A tile in a lane that makes nothing stays loose for ever; it stops nobody from thinking again."""
    hand, oracle = begun()
    oracle.put(None, Zone.FLOWERS, Seat.SOUTH, 3.0, 12.0)
    hand, _, _ = follow(hand, still(oracle, 4.0))
    track, _ = oracle.lying.pop()
    del oracle.tiles[track]
    hand, _, alerts = follow(hand, still(oracle, 5.0))
    assert in_sight(hand.log)[-1] == "S discard 3p"
    assert not alerts


def test_a_discard_seen_late_takes_its_place_in_the_log() -> None:
    hand, oracle = begun()
    oracle.now += 1.0
    late = oracle.put(Tile.S7, Zone.RIVER, Seat.NORTH, 5.0, 3.0)
    hidden = oracle.tiles.pop(late)
    oracle.now += 2.0
    oracle.put(Tile.M6, Zone.RIVER, Seat.EAST, -3.0, -7.0)
    hand, _, _ = follow(hand, still(oracle, 1.0))
    oracle.tiles[late] = hidden
    hand, _, alerts = follow(hand, still(oracle, 4.0))
    assert in_sight(hand.log)[-2:] == ["N discard 7s", "E discard 6m"]
    assert not alerts


def test_a_tile_that_was_taken_for_another_one_gives_its_place_back() -> None:
    """While a hand covers a flower, the gold beside it may be taken for it; seen again, it is no second flower."""
    flower = SeenTile(
        1, Tile.NORTH, False, 1.0, (6.0, 11.6), 0.0, Zone.FLOWERS, Seat.NORTH, ((0.0, 0.0),) * 4, 0.0, 9.0
    )
    gold = replace(flower, track=2, tile=None, alternatives=((Tile.M8, 0.6),), place=(5.8, 10.8))
    again = replace(flower, track=3, since_s=9.0)
    slot = Slot((4, 0), Zone.FLOWERS, Seat.NORTH, Tile.NORTH)
    found = differences([slot], {slot.key: gold}, TableView(9.0, 45, (replace(gold, tile=Tile.M8), again)))
    assert found.matched == {slot.key: again}
    assert [tile.track for tile in found.appeared] == [2]
    assert not found.vanished


def test_discards_of_a_gap_are_put_in_order_by_the_turns() -> None:
    hand, oracle = begun()
    oracle.now += 10.0
    for tile, seat in ((Tile.S7, Seat.SOUTH), (Tile.M6, Seat.NORTH), (Tile.P9, Seat.EAST)):
        oracle.put(tile, Zone.RIVER, seat, 5.0 * (seat - 1.5), 5.0)
    hand, _, alerts = follow(hand, [oracle.view(gap_s=10.0), *still(oracle, 4.0)])
    assert in_sight(hand.log)[-3:] == ["N discard 6m", "E discard 9p", "S discard 7s"]
    assert not alerts


def test_nobody_is_accused_while_a_hand_lies_over_discards() -> None:
    """What lies there may be what makes it lawful; once the hand is gone it is told."""
    hand, oracle = begun()
    oracle.now += 2.0
    oracle.put(Tile.P2, Zone.RIVER, Seat.EAST, -3.0, -7.0)  # it is the turn of north
    hand, _, alerts = follow(hand, still(oracle, 8.0, covered=((Zone.RIVER, Seat.WEST),)))
    assert not alerts
    _, _, alerts = follow(hand, still(oracle, 2.0))
    assert [alert.violation.kind for alert in alerts] == [ViolationKind.DISCARD_OUT_OF_TURN]


def test_building_the_walls_is_not_play() -> None:
    hand, random = LiveHand.start(Deal(Seat.EAST)), Random(1)
    for step in range(60):
        tiles = tuple(_strewn(track, random, step * 0.2) for track in range(40))
        moving = tuple((random.uniform(-9, 9), random.uniform(-9, 9)) for _ in range(12))
        hand, events, alerts = hand.advance(TableView(step * 0.2, step, tiles, moving))
        assert not events
        assert not alerts
    assert len(hand.log) == 1
    assert not hand.beginning.begun


def test_backs_of_hands_that_come_and_go_do_not_keep_play_from_beginning() -> None:
    hand, oracle = LiveHand.start(Deal(Seat.EAST)), Oracle()
    for place in range(12):
        oracle.put(None, Zone.HAND, Seat.EAST, place - 6.0, -13.0)
    hand, _, _ = follow(hand, still(oracle, 4.0, moving=tuple((float(x), -13.0) for x in range(-6, 6))))
    assert hand.beginning.begun


def _strewn(track: int, random: Random, now: float) -> SeenTile:
    place = random.uniform(-7, 7), random.uniform(-7, 7)
    quad = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.3), (0.0, 1.3))
    return SeenTile(track, Tile(track % 27), False, 0.9, place, 0.0, Zone.RIVER, None, quad, now, now)


def test_a_gold_that_was_open_before_the_camera_came_is_told_before_the_first_discard() -> None:
    views = list(play(parse_log(BEGUN), Oracle(pause_s=3.2)))
    opened = next(place for place, view in enumerate(views) if view.in_zone(Zone.GOLD))
    hand, _, alerts = follow(LiveHand.start(Deal(Seat.EAST)), views[opened:])
    assert in_sight(hand.log)[1:] == ["gold 9m", "E discard 1s", "S discard 3p", "W discard 4p"]
    assert not alerts


def test_a_gold_that_hands_cover_again_and_again_is_told() -> None:
    """Something lies over the wall in most of the views; the gold was in sight for long enough all the same."""
    views = list(play(parse_log(BEGUN), Oracle()))
    covered = [
        replace(view, covered=((Zone.GOLD, None),)) if view.in_zone(Zone.GOLD) and number % 3 else view
        for number, view in enumerate(views)
    ]
    hand, _, _ = follow(LiveHand.start(Deal(Seat.EAST)), covered)
    assert "gold 9m" in in_sight(hand.log)


def test_a_flower_on_the_wall_is_not_the_gold() -> None:
    """A back that shines is read as a white dragon, which is a flower at this table."""
    views = [
        replace(
            view, tiles=tuple(replace(tile, tile=Tile.WHITE) if tile.zone is Zone.GOLD else tile for tile in view.tiles)
        )
        for view in play(parse_log(BEGUN), Oracle())
    ]
    hand, _, _ = follow(LiveHand.start(Deal(Seat.EAST)), views)
    assert not any(event.startswith("gold P") for event in in_sight(hand.log))


def test_flowers_found_one_after_the_other_are_one_round() -> None:
    """South's two lay there together; that one was found later gives nobody a round that East has missed."""
    state = fold(parse_log("deal E fuzhou\nE flowers C\nE draw\nS flowers 1f\nS draw\nS flowers N\nS draw"))
    assert not missed_a_round(state, Seat.EAST)
    assert missed_a_round(state, Seat.WEST)
