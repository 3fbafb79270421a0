"""When two explanations say the same: draws follow from the acts, flowers laid one by one are as good as together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeAlias

from engine.events import Draw, Event, FlowersLaid
from engine.tiles import Face, Tile

Acts: TypeAlias = tuple[Event, ...]


def acts_of(events: Iterable[Event]) -> Acts:
    """The events without draws, and flowers that a seat lays one after the other as one act."""
    acts: Acts = ()
    for event in events:
        acts = with_act(acts, event)
    return acts


def with_act(acts: Acts, event: Event) -> Acts:
    """Acts with one more event.

    >>> from engine.eventlog import format_event, parse_event
    >>> found = acts_of(map(parse_event, ["E flowers N", "E draw", "E flowers C", "E draw", "E discard 1m"]))
    >>> [format_event(event) for event in found]
    ['E flowers NC', 'E discard 1m']
    """
    if isinstance(event, Draw):
        return acts
    if not isinstance(event, FlowersLaid):
        return (*acts, event)
    last = acts[-1] if acts else None
    if isinstance(last, FlowersLaid) and last.seat is event.seat:
        return (*acts[:-1], replace(last, tiles=_in_order((*last.tiles, *event.tiles))))
    return (*acts, replace(event, tiles=_in_order(event.tiles)))


def _in_order(tiles: tuple[Face, ...]) -> tuple[Face, ...]:
    return tuple(sorted(tiles, key=lambda face: face if isinstance(face, Tile) else len(Tile)))
