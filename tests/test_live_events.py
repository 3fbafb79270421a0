"""From perfect sight of whole simulated hands to their events: all right, nothing invented, nothing warned of."""

from __future__ import annotations

from random import Random

import pytest

from assistant_api.services.live.documents import kept, restored
from assistant_api.services.live.records import Alert, LiveEvent
from assistant_api.services.live.state import state_document
from assistant_api.services.live.table import LiveHand
from engine.eventlog import format_event
from engine.events import Deal, Draw, Exhausted, LaidOpen, Log, Pass, WinGranted
from engine.fold import fold
from engine.seats import Seat
from engine.simulate import as_seen, play_hand
from tests.support.live_oracle import Oracle, play

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
