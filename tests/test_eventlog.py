"""Event logs as text: exact round trip, and one clear sentence for what cannot be read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.context import WinSource
from engine.errors import NotationError, RulesetError
from engine.eventlog import format_event, format_log, parse_event, parse_log
from engine.events import (
    Chow,
    DeadHand,
    Deal,
    Discard,
    Draw,
    Escape,
    Event,
    Exhausted,
    FlowersLaid,
    GoldOpened,
    KongAdded,
    KongConcealed,
    KongOpen,
    KongShown,
    LaidOpen,
    Pass,
    Pung,
    WallEnd,
    WinClaim,
    WinGranted,
)
from engine.seats import Seat
from engine.tiles import ALL_TILES, Unseen

SEATS = st.sampled_from(list(Seat))
TILES = st.sampled_from(ALL_TILES)
FACES = st.one_of(TILES, st.sampled_from(list(Unseen)))
SOME = st.lists(FACES, min_size=1, max_size=17).map(tuple)
HELD = st.lists(FACES, max_size=4).map(tuple)
OPTIONS = st.sampled_from(
    [(), (("pass_lock_scope", "off"),), (("last_group_size", "0"), ("opening_priority", "HEAVENLY,THREE_GOLDS"))]
)
EVENTS: st.SearchStrategy[Event] = st.one_of(
    st.builds(Deal, SEATS, st.sampled_from(["fuzhou", "fuzhou-baida"]), st.integers(0, 20), OPTIONS),
    st.builds(LaidOpen, SEATS, SOME),
    st.builds(FlowersLaid, SEATS, SOME),
    st.builds(GoldOpened, SOME),
    st.builds(Draw, SEATS, FACES, st.sampled_from([None, *WallEnd])),
    st.builds(Discard, SEATS, FACES),
    st.builds(Chow, SEATS, FACES, st.lists(FACES, min_size=1, max_size=3).map(tuple)),
    st.builds(Pung, SEATS, FACES, HELD),
    st.builds(KongOpen, SEATS, FACES, HELD),
    st.builds(KongAdded, SEATS, FACES),
    st.builds(KongConcealed, SEATS, FACES, HELD),
    st.builds(KongShown, SEATS, TILES),
    st.builds(Pass, SEATS),
    st.builds(
        WinClaim,
        SEATS,
        st.sampled_from(list(WinSource)),
        st.one_of(st.none(), FACES),
        st.one_of(st.none(), SOME),
        st.one_of(st.none(), TILES),
    ),
    st.builds(WinGranted, SEATS),
    st.builds(DeadHand, SEATS),
    st.just(Exhausted()),
    st.builds(Escape, SEATS),
)


@given(EVENTS)
def test_one_event_a_line_and_back(event: Event) -> None:
    """What was written is read as the same event."""
    line = format_event(event)
    assert "\n" not in line
    assert parse_event(line) == event


@given(st.lists(EVENTS, max_size=8).map(tuple), st.booleans(), st.sampled_from(["\n", "\r\n"]))
def test_a_log_and_back(log: tuple[Event, ...], numbered: bool, end: str) -> None:
    """Numbers, comments, blank lines and carriage returns change nothing."""
    text = format_log(log, numbered=numbered).replace("\n", f"  # slip{end}{end}")
    assert parse_log(f"# a hand{end}{text}{end}") == log


@pytest.mark.parametrize(
    "line",
    [
        "",
        "E",
        "X draw",
        "E fly",
        "deal",
        "deal Q",
        "deal E fuzhou streak",
        "deal E fuzhou streak -1",
        "deal E fuzhou streak 0 lock",
        "gold",
        "E holds",
        "E discard",
        "E discard 12m",
        "E draw sideways",
        "E draw 10m",
        "S chow 3p",
        "S chow with 45p",
        "S pass me",
        "S win",
        "S win luck",
        "S win discard 8p hand 1m hand 2m",
        "S kong shown back",
        "exhausted now",
        "S flowers",
    ],
)
def test_what_is_no_event_is_said(line: str) -> None:
    """The message repeats the line."""
    with pytest.raises(NotationError) as caught:
        parse_event(line)
    assert repr(line.strip()) in str(caught.value)


def test_the_line_is_named() -> None:
    """A log of many lines says which one is wrong."""
    with pytest.raises(NotationError, match=r"^line 3: 'E discard 0m' is no event"):
        parse_log("deal E\n# first\nE discard 0m\n")


def test_a_deal_knows_its_ruleset() -> None:
    """Options of the deal change the named ruleset; unknown ones are refused."""
    deal = parse_event("deal W fuzhou-baida streak 2 pass_lock_scope=off")
    assert isinstance(deal, Deal)
    rules = deal.rules()
    assert (rules.name, rules.changed()) == ("fuzhou-baida", {"pass_lock_scope": "off"})
    with pytest.raises(RulesetError):
        Deal(Seat.EAST, "fuzhou", 0, (("colour", "red"),)).rules()
    with pytest.raises(RulesetError):
        Deal(Seat.EAST, "bridge").rules()
