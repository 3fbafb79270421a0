"""Guessing, impossible input, huge games, two phones at one entry: what the ledger says to people who try."""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient

from assistant_api import repository, rows
from assistant_api.rows import EntryRow
from assistant_api.storage import transaction
from tests.support.evening import DRAW, TILES, Evening, begin, escape, penalty, win

Maker = Callable[..., TestClient]


@pytest.fixture
def evening(make_client: Maker) -> Evening:
    """A game of four."""
    return begin(make_client(writes_per_minute=100_000))


def test_nothing_can_be_guessed(evening: Evening) -> None:
    """Numbers of entries count up, so they open nothing without the game and its token; codes are 128 random bits."""
    client, other = evening.client, begin(evening.client)
    number = evening.add(DRAW)["entry"]["id"]
    assert len(evening.id) == len(evening.share_code) == 22
    assert len({evening.id, evening.share_code, evening.token, other.id}) == 4
    for method, body in (("GET", None), ("PUT", DRAW), ("DELETE", None)):
        answer = other.send(method, f"/entries/{number}", body)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert other.send("POST", "/entries", DRAW, params={"before": number}).status_code == 404
    for path in ("", "/entries", "/history", "/report", "/export.csv", "/export.json", "/events", "/rules"):
        for headers in ({}, other.headers, {"Authorization": f"Bearer {evening.token[:-1]}"}):
            assert client.get(f"/api/games/{evening.id}{path}", headers=headers).status_code == 401
        assert client.get(f"/api/games/{evening.share_code[:-1]}{path}").status_code == 404
    for path, body in (
        ("/entries", DRAW),
        ("/undo", None),
        ("/finish", None),
        ("/share", None),
        ("/join", {"role": "S"}),
    ):
        answer = client.post(f"/api/games/{evening.id}{path}", json=body, headers=other.headers)
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert client.patch(f"/api/games/{evening.id}", json={"title": "x"}, headers=other.headers).status_code == 401
    assert client.delete(f"/api/games/{evening.id}", headers=other.headers).status_code == 401
    assert evening.game()["version"] == 2


NAMES = ["😀👨‍👩‍👧‍👦🀀", "محمد", "דוד", "Ω≈ç√∫", "Robert'); DROP TABLE entry;--", "<b>x</b>", "林" * 40, "  "]


def test_names_of_all_kinds(evening: Evening) -> None:
    """Emoji, right-to-left, quotes and markup come back as they were, in every view."""
    for four in (NAMES[:4], NAMES[4:]):
        evening.send("PATCH", "", {"players": four, "title": "".join(four)[:80]}).raise_for_status()
        added = evening.add(win("S", "W", note=four[0]))["entry"]
        assert four[1] in added["text"]
        assert added["note"] == four[0]
        report = evening.send("GET", "/report").json()
        assert [player["name"] for player in report["game"]["players"]] == four
        table = csv.reader(io.StringIO(evening.send("GET", "/export.csv").content.decode("utf-8-sig")))
        assert next(table)[6:10] == four


@pytest.mark.parametrize(
    "name", ["x" * 41, "two\nlines", "nul\0", "\u202eturned", "\u2066isolated", "a\u2028b", "\x85"]
)
def test_names_that_would_spoil_a_page(name: str, evening: Evening) -> None:
    """Too long, several lines, or turning the direction of what is written around them."""
    answer = evening.send("PATCH", "", {"players": [name, "", "", ""]})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request")
    assert "body.players.0" in answer.json()["reason"]


LONE_SURROGATE = json.dumps("\ud800")
BAD_BODIES = {
    "not JSON": ("{", 422),
    "not UTF-8": (b'{"kind": "\xff"}', 400),
    "nested": ("[" * 100_000, 400),
    "nothing": ("", 422),
    "a list": ("[]", 422),
    "null": ("null", 422),
    "unknown field": ('{"kind": "draw", "points": 3}', 422),
    "unknown kind": ('{"kind": "party"}', 422),
    "kind is a list": ('{"kind": ["draw"]}', 422),
    "half a character": (f'{{"kind": "draw", "note": {LONE_SURROGATE}}}', 422),
    "half a character as name": (f'{{"kind": "draw", {LONE_SURROGATE}: 1}}', 422),
    "NaN": ('{"kind": "deal", "dealer": "E", "streak": NaN}', 422),
    "infinite": ('{"kind": "penalty", "seat": "E", "offence": "other", "points": 1e999}', 422),
    "half points": ('{"kind": "penalty", "seat": "E", "offence": "other", "points": 0.5}', 422),
    "negative": ('{"kind": "penalty", "seat": "E", "offence": "other", "points": -1}', 422),
    "too much": ('{"kind": "penalty", "seat": "E", "offence": "other", "points": 1000001}', 422),
    "more digits than a number has": (f'{{"kind": "deal", "dealer": "E", "streak": {"9" * 5000}}}', 400),
    "a price of its own": ('{"kind": "penalty", "seat": "E", "offence": "other"}', 422),
    "a seat twice": (json.dumps({**escape("W"), "remaining": [{"seat": "E"}, {"seat": "E"}, {"seat": "N"}]}), 422),
    "the seat that left stays": (json.dumps({**escape("W"), "remaining": [{"seat": s} for s in "EWN"]}), 422),
    "pays oneself": (json.dumps(win("E", "E")), 409),
    "a tile twice": (json.dumps({**win("E", "W"), "tiles": [*TILES, TILES[0]]}), 422),
    "too many tiles": (json.dumps({**win("E", "W"), "tiles": [{**TILES[0], "id": str(n)} for n in range(81)]}), 422),
    "no tiles": (json.dumps({**win("E", "W"), "tiles": []}), 409),
    "no such photo": (json.dumps(win("E", "W", photo_id="of-another-one")), 404),
}


@pytest.mark.parametrize("name", BAD_BODIES)
def test_bodies_that_make_no_sense(name: str, evening: Evening) -> None:
    """A clean 4xx with a stable code, and nothing is written."""
    content, status = BAD_BODIES[name]
    headers = {**evening.headers, "Content-Type": "application/json"}
    answer = evening.client.post(f"/api/games/{evening.id}/entries", content=content, headers=headers)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"]
    assert (evening.game()["version"], evening.entries()) == (1, [])


def test_a_body_full_of_faults_gets_a_short_answer(evening: Evening) -> None:
    """Thousands of unknown fields, and one whose name is as long as a book: some are named, none in full length."""
    for body in ({**DRAW, **{f"field-{n}": n for n in range(5_000)}}, {**DRAW, "x" * 200_000: 1}):
        answer = evening.send("POST", "/entries", body)
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request")
        assert len(answer.content) < 8_000


@pytest.mark.parametrize(
    "wanted",
    [
        {"stake_per_point_cents": -1},
        {"stake_per_point_cents": 0.5},
        {"starting_points": [1, 2, 3]},
        {"starting_points": [10**10, 0, 0, 0]},
        {"players": ["a", "b", "c"]},
        {"photo_retention": "days"},
        {"photo_days": 3},
        {"photo_retention": "days", "photo_days": 0},
        {"ruleset": "none"},
        {"ruleset": "mcr", "first_dealer": "S"},
        {"options": {"fixed_points": -1}},
        {"options": {"unknown": 1}},
        {"options": {"fixed_points": [[[[1]]]]}},
        {"first_dealer": "X"},
        {"surprise": 1},
    ],
    ids=str,
)
def test_games_that_make_no_sense(wanted: dict[str, Any], evening: Evening) -> None:
    """A clean 422, at the beginning and as a change."""
    begun = evening.client.post("/api/games", json=wanted)
    changed = evening.send("PATCH", "", wanted)
    assert [answer.status_code for answer in (begun, changed)] == [422, 422]
    assert evening.game()["version"] == 1


def test_points_beyond_what_a_ledger_holds(evening: Evening) -> None:
    """Absurd options are told when a hand would move absurd points, and nothing is written."""
    evening.send("PATCH", "", {"options": {"base_unit": 10**21}}).raise_for_status()
    answer = evening.send("POST", "/entries", win("E", "W"))
    assert (answer.status_code, answer.json()["code"]) == (422, "points_out_of_range")
    assert evening.entries() == []


def test_two_phones_correct_one_entry(evening: Evening) -> None:
    """The second has seen an older version: 412, the first correction stays; after looking again it goes through."""
    number = evening.add(win("E", "W"))["entry"]["id"]
    seen = {"If-Match": str(evening.game()["version"])}
    first = evening.send("PUT", f"/entries/{number}", win("S", "W"), headers=seen)
    second = evening.send("PUT", f"/entries/{number}", win("N", "W"), headers=seen)
    assert (first.status_code, second.status_code) == (200, 412)
    assert second.json()["code"] == "version_moved"
    assert evening.deals()[0][4:] == (0, 14, -14, 0)
    seen = {"If-Match": f'"{evening.game()["version"]}"'}
    assert evening.send("PUT", f"/entries/{number}", win("N", "W"), headers=seen).status_code == 200
    evening.send("DELETE", f"/entries/{number}").raise_for_status()
    assert evening.send("PUT", f"/entries/{number}", win("E")).status_code == 404


def test_a_clock_that_jumps_changes_no_order(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """The computer's clock is set back by a day between two hands: order, totals and undo go by the entries."""
    moment = rows.now()
    numbers = [evening.add(penalty("W", 1))["entry"]["id"]]
    for field in (EntryRow.model_fields["created_at"], rows.ChangeRow.model_fields["at"]):
        monkeypatch.setattr(field, "default_factory", lambda: moment - timedelta(days=1))
    numbers.append(evening.add(penalty("W", 2))["entry"]["id"])
    assert [one["id"] for one in evening.entries()] == numbers
    assert [one["totals"][2] for one in evening.entries()] == [-3, -9]
    assert evening.send("POST", "/undo").json()["removed"] == [numbers[1]]


def test_done_again_after_the_first_dealer_changed(evening: Evening) -> None:
    """天胡 is undone, East does not begin any more, then it is done again: told as what it is."""
    tiles = [{**tile, "group": "hand"} if tile["group"] == "winning" else tile for tile in TILES]
    evening.add({"kind": "win", "tiles": tiles, "facts": {"winner": "E", "source": "heavenly"}})
    evening.send("POST", "/undo").raise_for_status()
    evening.send("PATCH", "", {"first_dealer": "S"}).raise_for_status()
    told = evening.send("POST", "/redo")
    assert (told.status_code, told.json()["code"]) == (409, "later_hand_impossible")
    assert "hand 1 would not stand" in told.json()["detail"]


def _fill(evening: Evening, count: int) -> None:
    """Enter so many draws and penalties at once, as the ledger would."""
    evening.add(DRAW)
    evening.add(penalty("W", 1))
    with transaction(evening.client.app.state.database, writes=True) as session:  # type: ignore[attr-defined]
        draw, fine = repository.entries_from(session, evening.id)
        copied = []
        for place in range(3, count + 1):
            source = draw if place % 2 else fine
            values = source.model_dump(exclude={"id", "position", "hand", "next_hand"})
            hand = (place + 1) // 2
            next_hand = hand + 1 if place % 2 else hand
            streak = {"streak": draw.streak, "next_streak": draw.next_streak}
            copied.append(EntryRow(**{**values, **streak}, position=place, hand=hand, next_hand=next_hand))
        session.add_all(copied)


@pytest.mark.slow
def test_a_game_of_ten_thousand_entries(evening: Evening) -> None:
    """Pages stay short, and adding one looks only at the end; how long it takes is printed with -s."""
    evening.send("PATCH", "", {"options": {"streak_on_draw": "keep"}}).raise_for_status()
    printed = []
    for count in (1_000, 10_000):
        game = begin(evening.client, options={"streak_on_draw": "keep"})
        _fill(game, count)
        times = []
        for _ in range(3):
            start = time.perf_counter()
            change = game.add(penalty("N", 1))
            times.append(time.perf_counter() - start)
        assert len(change["entries"]) == 1
        printed.append(f"{count}: add {sorted(times)[1] * 1000:.0f} ms")
        page = game.send("GET", "/entries", params={"limit": 50}).json()
        assert len(page["entries"]) == 50
        assert page["entries"][0]["totals"] == game.game()["totals"]
        middle = page["entries"][-1]["id"]
        start = time.perf_counter()
        answer = game.send("PUT", f"/entries/{middle}", penalty("N", 2))
        printed.append(f"edit fifty back {(time.perf_counter() - start) * 1000:.0f} ms")
        assert len(answer.json()["entries"]) == 50
        assert sum(answer.json()["game"]["totals"]) + answer.json()["game"]["kitty"] == 0
    print("; ".join(printed))  # noqa: T201 a measurement, no check
