"""The bundled film through the bundled networks: what the README shows happens on every machine."""

from __future__ import annotations

from assistant_api.services.live.table import LiveHand
from assistant_api.services.live.watch import Watched, views_of
from engine.eventlog import parse_log
from engine.events import Deal
from engine.seats import Seat
from engine.violations import ViolationKind
from tests.scripted import SAMPLES
from vision.live.pipeline import LiveTable
from vision.photo import PhotoReader

FILM = SAMPLES / "live"


def test_the_bundled_film_is_followed_to_its_caught_guoshui() -> None:
    log = parse_log((FILM / "log.txt").read_text(encoding="utf-8"))
    deal = log[0]
    assert isinstance(deal, Deal)
    reader = PhotoReader.bundled()
    watched = Watched(LiveHand.start(deal))
    views = views_of(str(FILM / "clip.mp4"), lambda: LiveTable(reader, near=Seat.WEST), Seat.WEST, fps=None, every=1)
    for _ in watched.follow(views):
        pass
    found = watched.compared(log)
    assert found.state_exact
    assert (found.missed, found.invented, found.false_warnings) == ((), (), ())
    assert [alert.violation.kind for alert in watched.alerts] == [ViolationKind.GUOSHUI_WIN]
