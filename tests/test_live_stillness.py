"""What is told while a hand only sorts or covers: only what had not happened before is a mistake."""

from __future__ import annotations

import pytest

from assistant_api.services.live.delay import TrueMoment
from assistant_api.services.live.records import By, Change, Noted
from assistant_api.services.live.stillness import told_while_still
from assistant_api.services.live.table import LiveHand
from engine.eventlog import parse_event, parse_log
from engine.seats import Seat
from tests.test_live_counting import tile
from vision.live.view import Zone

TRUTH = parse_log("deal E fuzhou\nE flowers EP\nE draw tail\nE draw tail\ngold 9m\nE discard 3p\n")
MOMENTS = {2: TrueMoment(1.0, 2.0), 5: TrueMoment(5.0, 6.0), 6: TrueMoment(40.0, 41.0)}
HAND = (8.0, 28.0)


@pytest.mark.parametrize(
    ("line", "time_s", "counts"),
    [
        ("E discard 3p", 20.0, True),
        ("E discard 3p", 7.0, False),
        ("E discard 3p", 8.5, False),
        ("E flowers P", 20.0, False),
        ("E flowers F", 20.0, True),
        ("S flowers P", 20.0, True),
        ("gold 9m", 20.0, False),
        ("gold 8m", 20.0, True),
    ],
)
def test_what_had_happened_before_may_be_found_then(line: str, time_s: float, counts: bool) -> None:
    seen = tile(1, None, Zone.RIVER, Seat.EAST, 0.0, 0.0, time_s)
    noted = Noted(1, parse_event(line), By.CAMERA, 0.9, time_s, 1, (seen,))
    event = LiveHand.of_log(TRUTH).change(Change.ADDED, 2, noted)
    assert told_while_still([event], [HAND], TRUTH, MOMENTS) == ([noted] if counts else [])
    told = told_while_still([event], [HAND], TRUTH, {})
    assert told == ([noted] if time_s >= HAND[0] + 1 else []), "nobody knows when anything happened"
