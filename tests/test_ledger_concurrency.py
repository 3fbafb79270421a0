"""Several phones write at once: real server processes on one database, SQLite and PostgreSQL."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from itertools import pairwise
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy.exc import OperationalError
from sqlmodel import Session, select

from assistant_api import repository
from assistant_api.rows import EARLIER_HANDS, GameRow, PhotoRow
from assistant_api.services.ledger import writing
from assistant_api.settings import Settings
from assistant_api.storage import open_database, transaction
from tests.support.evening import DRAW, begin, penalty, win
from tests.support.server import running

Maker = Callable[..., TestClient]
CLIENTS, WRITES = 4, 50


@pytest.fixture
def settings(either_database: Settings) -> Settings:
    """Every test here runs on both databases."""
    return either_database


class Phone:
    """A client with a connection and a token of its own."""

    def __init__(self, port: int, token: str | None = None) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=120)
        self._token = token

    def send(self, method: str, path: str, body: Any = None, key: str | None = None) -> tuple[int, Any]:
        """Status and body of an answer."""
        headers = {"Content-Type": "application/json", "Accept-Language": "en"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        if key:
            headers["Idempotency-Key"] = key
        self._connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self._connection.getresponse()
        text = answer.read()
        self._connection.close()  # a phone that was asleep; the server hangs up on idle ones
        return answer.status, json.loads(text) if text else None


def _body(number: int) -> dict[str, Any]:
    return {0: win("ESWN"[number // 5 % 4]), 1: DRAW}.get(number % 5) or penalty("ESWN"[number % 4], 1 + number % 7)


def test_four_phones_write_fifty_times_each(settings: Settings) -> None:
    """Two processes on one database: 200 rows, no fault; deal and totals follow the order; one key writes once."""
    with running(settings) as port, running(settings) as other_port:
        host = Phone(port)
        _, begun = host.send("POST", "/api/games", {"title": "at once"})
        base = f"/api/games/{begun['game']['id']}"
        phones = [Phone(one, begun["token"]) for one in (port, other_port) * (CLIENTS // 2)]

        def write_all(place: int) -> list[int]:
            own = range(place * WRITES, (place + 1) * WRITES)
            return [phones[place].send("POST", f"{base}/entries", _body(n), f"key-of-write-{n}")[0] for n in own]

        def write_same(place: int) -> tuple[int, Any]:
            return phones[place].send("POST", f"{base}/entries", DRAW, "the-same-key")

        def write_or_delete(place: int) -> list[int]:
            if place == 0:
                return [phones[0].send("DELETE", base)[0]]
            return [phones[place].send("POST", f"{base}/entries", DRAW)[0] for _ in range(5)]

        with ThreadPoolExecutor(CLIENTS) as pool:
            statuses = [status for own in pool.map(write_all, range(CLIENTS)) for status in own]
            assert statuses == [201] * (CLIENTS * WRITES)
            report = phones[1].send("GET", f"{base}/report")[1]
            same = list(pool.map(write_same, range(CLIENTS)))
            assert [status for status, _ in same] == [201] * CLIENTS
            assert len({body["version"] for _, body in same}) == 1
            last = [status for own in pool.map(write_or_delete, range(CLIENTS)) for status in own]
            assert last[0] == 204
            assert set(last[1:]) <= {201, 404}
        assert phones[1].send("GET", base)[0] == 404
    _check(report)


def _check(report: dict[str, Any]) -> None:
    entries, game = report["entries"], report["game"]
    assert len(entries) == game["entries_count"] == CLIENTS * WRITES
    assert sorted(one["version"] for one in report["history"]) == list(range(1, 2 + CLIENTS * WRITES))
    running_totals, hand = [0, 0, 0, 0], 1
    for one in entries:
        running_totals = [total + moved for total, moved in zip(running_totals, one["deltas"], strict=True)]
        assert (sum(one["deltas"]), one["totals"], one["hand"]) == (0, running_totals, hand)
        hand += one["kind"] != "penalty"
    assert game["totals"] == running_totals
    for before, after in pairwise(entries):
        if before["kind"] == "draw":
            assert (after["dealer"], after["streak"]) == (before["dealer"], before["streak"])


@pytest.mark.parametrize("step", ["find_member", "lock_game"])
def test_a_game_deleted_during_a_write_is_not_found(
    step: str, settings: Settings, make_client: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before its token is looked up, which goes with it, or before it is locked, another phone deletes the game."""
    if settings.database_url is None:
        pytest.skip("a writing transaction of SQLite has the database for itself")
    evening = begin(make_client())
    evening.add(DRAW)
    other = open_database(settings.database)
    in_time = getattr(repository, step)

    def too_late(session: Session, wanted: Any) -> Any:
        with transaction(other, writes=True) as theirs:
            theirs.delete(theirs.exec(select(GameRow).where(GameRow.id != EARLIER_HANDS)).one())
        return in_time(session, wanted)

    monkeypatch.setattr(repository, step, too_late)
    answer = evening.send("POST", "/entries", DRAW)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    other.dispose()


def test_a_photo_deleted_during_a_write_is_not_found(
    settings: Settings, make_client: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The photo of a win goes while the win is entered."""
    if settings.database_url is None:
        pytest.skip("a writing transaction of SQLite has the database for itself")
    evening = begin(make_client())
    other = open_database(settings.database)
    with transaction(other, writes=True) as session:
        session.add(PhotoRow(id="seen-and-gone", jpeg=b"", reading={}))
    find = repository.get_photo

    def found_and_gone(session: Session, photo_id: str) -> PhotoRow:
        photo = find(session, photo_id)
        with transaction(other, writes=True) as theirs:
            theirs.delete(theirs.get_one(PhotoRow, photo_id))
        return photo

    monkeypatch.setattr(repository, "get_photo", found_and_gone)
    answer = evening.send("POST", "/entries", win("E", "W", photo_id="seen-and-gone"))
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert evening.entries() == []
    other.dispose()


def test_a_database_that_does_not_answer_is_told(
    settings: Settings, make_client: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Locked for too long: 503 with Retry-After, nothing saved; afterwards the same request goes through."""
    if settings.database_url is not None:
        pytest.skip("PostgreSQL locks games, not the database")
    monkeypatch.setattr("assistant_api.storage.BUSY_TIMEOUT_MS", 20)
    evening = begin(make_client())
    other = open_database(settings.database)
    key = {"Idempotency-Key": "sent-again-later"}
    with transaction(other, writes=True) as session:
        session.connection()  # takes the lock
        answer = evening.send("POST", "/entries", DRAW, headers=key)
        assert (answer.status_code, answer.json()["code"]) == (503, "database_busy")
        assert answer.headers["retry-after"] == "2"
        assert evening.entries() == []
    assert evening.send("POST", "/entries", DRAW, headers=key).status_code == 201
    other.dispose()


def test_a_view_is_of_one_moment(settings: Settings, make_client: Maker) -> None:
    """What is committed while a view is made is not half in it: version, entries and totals fit together."""
    evening = begin(make_client())
    evening.add(win("E", "W"))
    with transaction(evening.client.app.state.database) as session:  # type: ignore[attr-defined]
        before = repository.totals(session, evening.id)
        evening.add(win("E", "W"))
        assert repository.totals(session, evening.id) == before
        assert len(repository.entries_from(session, evening.id)) == 1
    assert len(evening.entries()) == 2


class _FaultError(Exception):
    """A fault of the driver, with PostgreSQL's code."""

    def __init__(self, sqlstate: str) -> None:
        super().__init__(sqlstate)
        self.sqlstate = sqlstate


@pytest.mark.parametrize(("sqlstate", "tries"), [("40P01", 2), ("40001", 2), ("57014", 1)])
def test_a_deadlock_is_tried_again(sqlstate: str, tries: int) -> None:
    """Once; other faults of the database are told at once."""
    tried: list[int] = []

    def work() -> str:
        tried.append(1)
        if len(tried) == 1:
            raise OperationalError("UPDATE", {}, _FaultError(sqlstate))
        return "done"

    if tries == 1:
        with pytest.raises(OperationalError):
            writing.once(work)
    else:
        assert writing.once(work) == "done"
    assert len(tried) == tries
