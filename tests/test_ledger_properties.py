"""Whatever is entered, corrected, removed, undone and done again: points sum to zero and every view says the same."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given
from hypothesis import settings as effort
from hypothesis import strategies as st
from sqlalchemy import Engine

from assistant_api import repository
from assistant_api.rows import GameRow
from assistant_api.services.ledger import following, replay, writing
from assistant_api.services.ledger.book import Book, Call
from assistant_api.storage import transaction
from engine.game import GameState, fold
from engine.seats import Seat
from tests.support import loops
from tests.support.evening import DRAW, Evening, begin, escape, penalty, win

Maker = Callable[..., TestClient]
SEAT = st.sampled_from("ESWN")
WINS = st.builds(lambda seats: win(seats[0], seats[1]), st.permutations("ESWN")) | st.builds(win, SEAT)
FINES = st.builds(
    lambda seat, points, to_others: penalty(seat, points, to_others=to_others), SEAT, st.integers(0, 99), st.booleans()
)
DEALS = st.builds(lambda seat, streak: {"kind": "deal", "dealer": seat, "streak": streak}, SEAT, st.integers(0, 9))
BODY = WINS | WINS | FINES | st.just(DRAW) | st.builds(escape, SEAT) | DEALS
PLACE = st.integers(0, 99)
STEP = st.one_of(
    st.tuples(st.just("add"), BODY),
    st.tuples(st.just("add"), BODY),
    st.tuples(st.just("add before"), BODY, PLACE),
    st.tuples(st.just("edit"), BODY, PLACE),
    st.tuples(st.just("remove"), PLACE),
    st.tuples(st.just("undo")),
    st.tuples(st.just("redo")),
    st.tuples(st.just("rules"), st.integers(1, 9)),
)
Row = tuple[Any, ...]


def _send(evening: Evening, step: Row, ids: list[int]) -> Any:
    """The request of a step, about one of these entries."""
    match step:
        case ("add", body):
            return evening.send("POST", "/entries", body)
        case ("add before", body, place):
            before = {"before": ids[place % len(ids)]} if ids else {}
            return evening.send("POST", "/entries", body, params=before)
        case ("edit", body, place):
            return evening.send("PUT", f"/entries/{ids[place % len(ids)] if ids else 1}", body)
        case ("remove", place):
            return evening.send("DELETE", f"/entries/{ids[place % len(ids)] if ids else 1}")
        case ("rules", points):
            return evening.send("PATCH", "", {"options": {"fixed_points": points}, "from_now_on": True})
        case (action,):
            return evening.send("POST", f"/{action}")
    raise AssertionError(step)


def _row(entry: dict[str, Any]) -> Row:
    return (entry["id"], entry["kind"], entry["hand"], entry["dealer"], entry["streak"], *entry["deltas"])


def _check_sums(entries: list[dict[str, Any]], game: dict[str, Any]) -> None:
    running, kitty = [0, 0, 0, 0], 0
    for entry in entries:
        assert sum(entry["deltas"]) + entry["kitty"] == 0
        running = [total + moved for total, moved in zip(running, entry["deltas"], strict=True)]
        kitty += entry["kitty"]
        assert (entry["totals"], entry["totals_kitty"]) == (running, kitty)
    assert (game["totals"], game["kitty"]) == (running, kitty)
    assert [player["total"] for player in game["players"]] == running
    assert sum(running) + kitty == 0


def _check_views(evening: Evening, entries: list[dict[str, Any]]) -> None:
    """The list, the report, the table, the events and the engine's own fold agree with what a follower holds."""
    listed, game = evening.entries(), evening.game()
    assert listed == entries
    _check_sums(listed, game)
    report = evening.send("GET", "/report").json()
    _check_sums(report["entries"], report["game"])
    assert report["game"] == game
    paid = [0] * 5
    names = [*(player["name"] for player in game["players"]), None]
    for payment in report["payments"]:
        paid[names.index(payment["from"])] -= payment["points"]
        paid[names.index(payment["to"])] += payment["points"]
    assert paid == [*game["totals"], game["kitty"]]
    assert len(report["payments"]) <= 4
    table = list(csv.DictReader(io.StringIO(evening.send("GET", "/export.csv").content.decode("utf-8-sig"))))
    columns = [*(player["name"] for player in game["players"]), "nobody"]
    head = list(table[0])[6:11] if table else columns
    assert [[int(row[name]) for name in head] for row in table] == [[*one["deltas"], one["kitty"]] for one in listed]
    book: Book = evening.client.app.state.book  # type: ignore[attr-defined]
    snapshot = loops.run(anext(following.follow(book, Call(), evening.share_code))).body
    assert snapshot is not None
    assert [one.deltas for one in snapshot.entries] == [one["deltas"] for one in listed]
    with transaction(book.database) as session:
        rows = repository.entries_from(session, evening.id)
        played = [(replay.engine_entry(replay.content_of(row)), replay.rules_of(row)) for row in rows]
        kept = [(row.deltas, row.hand, row.dealer, row.streak) for row in rows]
    done, fault = fold(played, GameState(dealer=Seat.EAST))
    assert fault is None
    assert kept == [(one.deltas, one.deal.hand, one.deal.dealer, one.deal.streak) for one in done]


def _follow(held: list[dict[str, Any]], change: dict[str, Any]) -> list[dict[str, Any]]:
    """What a follower holds after a change, by the rule of the description."""
    replaced = {*change["removed"], *(one["id"] for one in change["entries"])}
    return [*(one for one in held if one["id"] not in replaced), *change["entries"]]


@pytest.mark.slow
def test_points_sum_to_zero_whatever_is_done(make_client: Maker) -> None:
    """After every commit and in every view; a refused step changes nothing; undo and redo lead back and forth."""
    client = make_client(writes_per_minute=1_000_000)

    @effort(max_examples=25, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(STEP, min_size=3, max_size=12))
    def play(steps: list[Row]) -> None:
        evening = begin(client)
        held: list[dict[str, Any]] = []
        done: list[list[Row]] = [[]]
        undone: list[list[Row]] = []
        for step in steps:
            answer = _send(evening, step, [one["id"] for one in held])
            assert answer.status_code < 500, answer.text
            if answer.status_code >= 400:
                continue
            held = _follow(held, answer.json())
            _check_sums(held, answer.json()["game"])
            rows = [_row(one) for one in held]
            if step[0] == "undo":
                undone.append(done.pop())
                assert rows == done[-1]
            elif step[0] == "redo":
                done.append(undone.pop())
                assert rows == done[-1]
            elif step[0] != "rules":
                done.append(rows)
                undone = []
        _check_views(evening, held)

    play()


def _everything(database: Engine) -> dict[str, list[Row]]:
    with database.connect() as connection:
        return {
            table.name: sorted(tuple(map(repr, row)) for row in connection.execute(table.select()))
            for table in GameRow.metadata.sorted_tables
        }


@pytest.mark.parametrize("action", ["add", "add before", "edit", "remove", "undo", "redo"])
@pytest.mark.parametrize("where", ["replay", "history", "answer"])
def test_an_error_half_way_writes_nothing(
    action: str, where: str, make_client: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault while later hands are played again, after the history was written, or while the answer is made."""
    evening = begin(make_client())
    for body in (win("E", "W"), win("E", "W"), win("S", "W")):
        evening.add(body)
    if action == "redo":
        evening.send("POST", "/undo").raise_for_status()
    ids = [one["id"] for one in evening.entries()]
    step: dict[str, Row] = {
        "add": ("add", win("W")),
        "add before": ("add before", win("N"), 0),
        "edit": ("edit", win("N", "E"), 0),
        "remove": ("remove", 0),
        "undo": ("undo",),
        "redo": ("redo",),
    }
    database = evening.client.app.state.database  # type: ignore[attr-defined]
    before = _everything(database)
    owner, name = {
        "replay": (replay, "_keep"),
        "history": (writing, "keep_step"),
        "answer": (writing.views, "changed"),
    }[where]
    real, calls = getattr(owner, name), []

    def kept_then_broken(*given: Any, **more: Any) -> None:
        real(*given, **more)
        calls.append(name)
        if where != "replay" or len(calls) == (2 if action in ("add before", "edit", "remove") else 1):
            raise OSError("the disk is full")

    monkeypatch.setattr(owner, name, kept_then_broken)
    answer = _send(evening, step[action], ids)
    monkeypatch.undo()
    if (action, where) == ("undo", "replay"):
        assert calls == []  # nothing comes after the last entry
        return
    assert (answer.status_code, answer.json()["code"]) == (500, "internal_error")
    assert _everything(database) == before
    assert _send(evening, step[action], ids).status_code < 300
