"""Entries tried out before they are entered, and addresses handed on as QR codes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.support.evening import DRAW, Evening, begin, escape, penalty, win

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

Maker = Callable[..., "TestClient"]


@pytest.fixture
def evening(make_client: Maker) -> Evening:
    """A game with a hand in it."""
    found = begin(make_client())
    found.add(win("E", "W"))
    return found


@pytest.mark.parametrize("body", [DRAW, penalty("W", 10), escape("N"), win("S", "E")], ids=lambda body: body["kind"])
def test_trying_out_says_what_entering_would(evening: Evening, body: dict[str, object]) -> None:
    """The same amounts and the same game as when it is entered; before that nothing is kept."""
    before = evening.game()
    tried = evening.send("POST", "/entries/preview", body)
    assert tried.status_code == 200, tried.text
    assert evening.game() == before
    assert len(evening.entries()) == 1
    entered = evening.add(body)
    for name in ("deltas", "kitty", "totals", "lines", "transfers", "hand"):
        assert tried.json()["entry"][name] == entered["entry"][name]
    assert tried.json()["game"]["deal"] == entered["game"]["deal"]


def test_trying_out_a_correction_shows_what_follows_and_keeps_nothing(evening: Evening) -> None:
    """Later entries as they would become; the ledger and its history stay as they are."""
    evening.add(DRAW)
    first = evening.entries()[0]["id"]
    tried = evening.send("POST", "/entries/preview", win("S", "W"), params={"entry": first}).json()
    assert [entry["dealer"] for entry in tried["entries"]] == ["E", "S"]
    assert [entry["dealer"] for entry in evening.entries()] == ["E", "E"]
    assert len(evening.send("GET", "/history").json()["changes"]) == 3


def test_trying_out_refuses_like_entering(evening: Evening) -> None:
    """A win that is none, an unknown entry, a phone that only looks, a finished game."""
    assert evening.send("POST", "/entries/preview", win("E", "E")).status_code in (409, 422)
    assert evening.send("POST", "/entries/preview", DRAW, params={"entry": 999}).status_code == 404
    path = f"/api/games/{evening.share_code}/entries/preview"
    assert evening.client.post(path, json=DRAW).status_code == 403
    evening.send("POST", "/finish")
    answer = evening.send("POST", "/entries/preview", DRAW)
    assert (answer.status_code, answer.json()["code"]) == (409, "game_finished")


def test_pages_of_this_server_are_handed_on_as_qr_codes(make_client: Maker) -> None:
    """The full address and its code; nothing but a path of this server."""
    client = make_client()
    answer = client.post("/api/qr", json={"path": "/t/abc#token-1_2"})
    assert answer.status_code == 200
    assert answer.json()["url"] == "http://testserver/t/abc#token-1_2"
    assert answer.json()["svg"].startswith("<svg")
    for path in ("//elsewhere.example/x", "http://elsewhere.example", "x", "/a b", "/<svg>"):
        assert client.post("/api/qr", json={"path": path}).status_code == 422
