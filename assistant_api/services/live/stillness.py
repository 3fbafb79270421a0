"""What is told while a hand sorts tiles or lies over the table, where nothing happens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from assistant_api.services.live.comparison import in_sight
from assistant_api.services.live.delay import TrueMoment
from assistant_api.services.live.records import Change, LiveEvent, Noted
from engine.events import FlowersLaid, Log

SETTLES_S = 1.0
"""What came right before the hand is found no later than this."""


def told_while_still(
    events: Iterable[LiveEvent], spans: Sequence[tuple[float, float]], truth: Log, moments: Mapping[int, TrueMoment]
) -> list[Noted]:
    """The events told of a time in one of ``spans`` (start and end in seconds) that had not happened by then.

    What came right before, in a gap or under another hand, may be found while the hand is there: that is no mistake.
    Where ``moments`` says nothing of when events happened, every one counts.
    """
    added = [event.noted for event in events if event.change is Change.ADDED and event.noted.tiles]
    within = [noted for noted in added if any(start + SETTLES_S <= noted.time_s <= end for start, end in spans)]
    return [noted for noted in within if not _had_happened(noted, truth, moments)]


def _had_happened(noted: Noted, truth: Log, moments: Mapping[int, TrueMoment]) -> bool:
    past = [
        event
        for number, event in enumerate(truth, start=1)
        if number in moments and moments[number].clear_s <= noted.time_s
    ]
    event = noted.event
    if not isinstance(event, FlowersLaid):
        return in_sight([event])[0] in in_sight(past)
    own = [one for one in past if isinstance(one, FlowersLaid) and one.seat is event.seat]
    return Counter(event.tiles) <= Counter(tile for one in own for tile in one.tiles)
