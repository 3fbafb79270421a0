"""The ledger over the API: games, entries, correcting, undo, history, roles, following, exports."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any
from urllib.parse import unquote

import pytest
from fastapi.testclient import TestClient
from pydantic import BaseModel

from assistant_api import game_schemas, schemas
from assistant_api.services.ledger import following
from assistant_api.services.ledger.book import Book, Call
from assistant_api.settings import Settings
from tests.scripted import ScriptedReader
from tests.support import ledger_examples, loops
from tests.support.evening import DRAW, TILES, Evening, begin, escape, penalty, win

Maker = Callable[..., TestClient]


@pytest.fixture
def settings(either_database: Settings) -> Settings:
    """Every test here runs on both databases."""
    return either_database


@pytest.fixture
def evening(make_client: Maker) -> Evening:
    """A game of four."""
    return begin(make_client())


def problem(answer: Any, status: int, code: str) -> dict[str, Any]:
    """The problem an answer must be."""
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    return dict(answer.json())


def test_examples_are_what_the_api_answers(make_client: Maker) -> None:
    """The examples of the description are current, and each fits its model."""
    kept = json.loads(ledger_examples.FILE.read_text(encoding="utf-8"))
    assert kept == ledger_examples.build(make_client(ScriptedReader(ledger_examples.SAMPLE)))
    for model in (*vars(game_schemas).values(), *vars(schemas).values()):
        if isinstance(model, type) and issubclass(model, BaseModel) and "json_schema_extra" in model.model_config:
            for example in model.model_config["json_schema_extra"]["examples"]:  # type: ignore[index, call-overload]
                model.model_validate(example)


def test_dealer_streak_and_totals_are_kept(evening: Evening) -> None:
    """Wins, a draw and a penalty; deal and totals come from the ledger, with names in the sentences."""
    for body in (win("E", "W"), win("E"), DRAW, penalty("N"), win("S", "E")):
        changed = evening.add(body)
    assert evening.deals() == [
        ("win", 1, "E", 0, 14, 0, -14, 0),
        ("win", 2, "E", 1, 48, -16, -16, -16),
        ("draw", 3, "E", 2, 0, 0, 0, 0),
        ("penalty", 4, "E", 2, 5, 5, 5, -15),
        ("win", 4, "E", 2, -18, 18, 0, 0),
    ]
    assert evening.entries()[0]["text"] == "Lin wins 胡 · off a discard of West 点炮"
    game = evening.game()
    assert game["totals"] == [49, 7, -25, -31] == evening.entries()[-1]["totals"]
    assert game["deal"] == {"hand": 5, "dealer": "S", "streak": 0, "round_wind": None}
    assert (game["hands_count"], game["entries_count"], game["version"]) == (4, 5, 6)
    assert changed["game"] == game
    assert changed["entry"]["settlements"][0]["per_payer"] == 18


def test_correcting_a_hand_moves_all_later_ones(evening: Evening) -> None:
    """Dealer, streak and points of later hands follow; the answer holds them all; the history has both."""
    for body in (win("E", "W"), win("E", "W"), win("E", "W")):
        evening.add(body)
    first = evening.entries()[0]["id"]
    answer = evening.send("PUT", f"/entries/{first}", win("S", "W"))
    assert answer.status_code == 200
    assert [one["deltas"] for one in answer.json()["entries"]] == [[0, 14, -14, 0], [14, 0, -14, 0], [14, 0, -14, 0]]
    assert [row[2:4] for row in evening.deals()] == [("E", 0), ("S", 0), ("W", 0)]
    assert [one["edited"] for one in evening.entries()] == [True, False, False]
    change = evening.send("GET", "/history").json()["changes"][0]
    assert (change["action"], change["role"], change["entry_id"]) == ("edit", "host", first)
    assert (change["before"]["deltas"], change["after"]["deltas"]) == ([14, 0, -14, 0], [0, 14, -14, 0])
    assert len(evening.send("GET", "/history", params={"entry": first}).json()["changes"]) == 2


def test_what_was_entered_can_be_sent_back(evening: Evening) -> None:
    """`content` of an entry is a body for correcting it; unchanged it changes nothing."""
    for body in (win("E", "W", note="nice"), penalty("S"), DRAW, escape("N"), {"kind": "deal", "dealer": "W"}):
        entry = evening.add(body)["entry"]
        again = evening.send("PUT", f"/entries/{entry['id']}", entry["content"])
        assert again.status_code == 200, again.text
        assert again.json()["entry"]["deltas"] == entry["deltas"]


def test_undo_and_redo(evening: Evening) -> None:
    """Undo takes back whatever was last; redo does it again, until something new is entered."""
    first = evening.add(win("E", "W"))["entry"]["id"]
    evening.add(DRAW)
    evening.send("PUT", f"/entries/{first}", win("S", "W"))
    evening.send("DELETE", f"/entries/{first}")
    states = [[("draw", 1, "E", 0, 0, 0, 0, 0)], [("win", 1, "E", 0, 0, 14, -14, 0), ("draw", 2, "S", 0, 0, 0, 0, 0)]]
    states.append([("win", 1, "E", 0, 14, 0, -14, 0), ("draw", 2, "E", 1, 0, 0, 0, 0)])
    states += [states[-1][:1], []]
    assert evening.deals() == states[0]
    for state in states[1:]:
        evening.send("POST", "/undo").raise_for_status()
        assert evening.deals() == state
    problem(evening.send("POST", "/undo"), 409, "nothing_to_undo")
    for state in states[-2::-1]:
        evening.send("POST", "/redo").raise_for_status()
        assert evening.deals() == state
    problem(evening.send("POST", "/redo"), 409, "nothing_to_undo")
    evening.send("POST", "/undo").raise_for_status()
    assert evening.game()["can_redo"] is True
    evening.add(DRAW)
    assert evening.game()["can_redo"] is False
    problem(evening.send("POST", "/redo"), 409, "nothing_to_undo")


def test_a_forgotten_hand_is_put_in_between(evening: Evening) -> None:
    """Entered before another one, it moves the deal of those after it."""
    evening.add(win("E", "W"))
    last = evening.add(win("E", "W"))["entry"]["id"]
    evening.add(win("S", "W"), params={"before": last})
    assert [row[:4] for row in evening.deals()] == [("win", 1, "E", 0), ("win", 2, "E", 1), ("win", 3, "S", 0)]
    evening.send("POST", "/undo").raise_for_status()
    assert [row[:4] for row in evening.deals()] == [("win", 1, "E", 0), ("win", 2, "E", 1)]


def test_a_change_that_makes_a_later_hand_impossible(evening: Evening) -> None:
    """天胡 belongs to the dealer: the change is refused in one sentence that names the hand, and nothing is written."""
    first = evening.add(win("E", "W"))["entry"]["id"]
    tiles = [{**tile, "group": "hand"} if tile["group"] == "winning" else tile for tile in TILES]
    heavenly = evening.add({"kind": "win", "tiles": tiles, "facts": {"winner": "E", "source": "heavenly"}})
    before = evening.game()
    told = problem(evening.send("PUT", f"/entries/{first}", win("S", "W")), 409, "later_hand_impossible")
    assert told["detail"].startswith("With this change hand 2 would not stand: ")
    assert evening.game() == before
    evening.send("DELETE", f"/entries/{heavenly['entry']['id']}").raise_for_status()
    evening.send("PUT", f"/entries/{first}", win("S", "W")).raise_for_status()


def test_a_win_that_does_not_stand_is_not_entered(evening: Evening) -> None:
    """Refused or unanswered: 409 with the preview; several winners: one sentence; another deal: told."""
    told = problem(evening.send("POST", "/entries", {**win("E", "W"), "facts": {}}), 409, "not_settled")
    assert [asked["fact"] for asked in told["preview"]["questions"]] == ["source", "winner"]
    two = {**win("E", "W"), "also_won": [{"tiles": TILES, "facts": win("S", "W")["facts"]}]}
    assert "nearest" in problem(evening.send("POST", "/entries", two), 409, "one_winner")["detail"]
    problem(evening.send("POST", "/entries", win("E", "W", facts={"dealer": "N"})), 409, "deal_moved")
    assert evening.add(win("E", "W", facts={"dealer": "E", "streak": 0}))["version"] == 2


def test_an_escape_leaves_the_deal_open(evening: Evening) -> None:
    """What it costs goes to nobody; the next hand needs a dealer."""
    changed = evening.add(escape("W"))
    assert (changed["game"]["totals"], changed["game"]["kitty"]) == ([0, 0, -72, 0], 72)
    assert changed["entry"]["transfers"] == [{"from": "W", "to": None, "points": 72}]
    told = problem(evening.send("POST", "/entries", DRAW), 409, "facts_missing")
    assert told["detail"] == "The ledger cannot tell: Who is the dealer?"
    evening.add({"kind": "deal", "dealer": "N", "streak": 0})
    assert evening.add(DRAW)["entry"]["dealer"] == "N"
    payments = evening.send("GET", "/report").json()["payments"]
    assert payments == [{"from": "Chen", "to": None, "points": 72, "amount_cents": 0}]


def test_rules_are_open_until_the_first_hand(evening: Evening) -> None:
    """Later ones hold for later hands; a hand that is corrected keeps its own."""
    assert evening.send("PATCH", "", {"options": {"fixed_points": 7}}).json()["game"]["options"]["fixed_points"] == 7
    first = evening.add(win("E", "W"))["entry"]["id"]
    told = problem(evening.send("PATCH", "", {"options": {"fixed_points": 9}}), 409, "rules_fixed")
    assert "from now on" in told["detail"]
    problem(evening.send("PATCH", "", {"starting_points": [1, 1, 1, 1]}), 409, "rules_fixed")
    evening.send("PATCH", "", {"options": {"fixed_points": 9}, "from_now_on": True}).raise_for_status()
    evening.add(win("E", "W"))
    evening.send("PUT", f"/entries/{first}", win("E", "N")).raise_for_status()
    assert [row[4:] for row in evening.deals()] == [(18, 0, 0, -18), (24, 0, -24, 0)]
    assert [evening.send("GET", f"/entries/{number}").json()["options"]["fixed_points"] for number in (1, 2)] == [7, 9]
    rules = evening.send("GET", "/rules").json()
    assert next(option["value"] for option in rules["options"] if option["name"] == "fixed_points") == 9


def test_money_scores_and_settings(make_client: Maker) -> None:
    """Stake, starting points and names; the history says what was set."""
    evening = begin(make_client(), stake_per_point_cents=50, starting_points=[1000] * 4)
    evening.add(win("E", "W"))
    players = evening.game()["players"]
    assert [(one["score"], one["amount_cents"]) for one in players] == [(1014, 700), (1000, 0), (986, -700), (1000, 0)]
    evening.send("PATCH", "", {"title": "Friday", "stake_per_point_cents": 100}).raise_for_status()
    assert evening.send("GET", "/history").json()["changes"][0]["settings"] == {
        "title": ["", "Friday"],
        "stake_per_point_cents": [50, 100],
    }
    assert evening.send("GET", "/report").json()["payments"][0]["amount_cents"] == 1400


def test_who_may_do_what(evening: Evening) -> None:
    """The id needs a token; the share code looks; seats write; viewers do not; a new share code ends the old link."""
    client, base = evening.client, f"/api/games/{evening.id}"
    refused = client.get(base)
    assert problem(refused, 401, "token_needed")
    assert refused.headers["www-authenticate"] == "Bearer"
    problem(client.get(base, headers={"Authorization": "Bearer wrong"}), 401, "token_needed")
    problem(client.get("/api/games/nothing"), 404, "not_found")
    shared = client.get(f"/api/games/{evening.share_code}")
    assert (shared.json()["role"], shared.json()["can_write"]) == ("viewer", False)
    problem(client.post(f"/api/games/{evening.share_code}/undo"), 403, "read_only")
    problem(client.post(f"/api/games/{evening.share_code}/join", json={"role": "S"}), 403, "read_only")
    seat = evening.send("POST", "/join", {"role": "S"}).json()
    headers = {"Authorization": f"Bearer {seat['token']}"}
    assert client.post(f"{base}/entries", json=DRAW, headers=headers).json()["entry"]["role"] == "S"
    viewer = client.post(f"/api/games/{evening.share_code}/join", json={"role": "viewer"}).json()
    headers = {"Authorization": f"Bearer {viewer['token']}"}
    assert client.get(base, headers=headers).json()["role"] == "viewer"
    problem(client.post(f"{base}/entries", json=DRAW, headers=headers), 403, "read_only")
    other = begin(client)
    problem(client.get(base, headers=other.headers), 401, "token_needed")
    code = evening.send("POST", "/share").json()["game"]["share_code"]
    problem(client.get(f"/api/games/{evening.share_code}"), 404, "not_found")
    assert client.get(f"/api/games/{code}").status_code == 200


def test_games_are_listed_by_what_opens_them(evening: Evening) -> None:
    """By share codes and token, newest first, in pages; nobody else's."""
    others = [begin(evening.client) for _ in range(2)]
    assert evening.client.get("/api/games").json()["games"] == []
    codes = [game.share_code for game in (evening, *others)]
    page = evening.client.get("/api/games", params={"code": codes, "limit": 2}).json()
    assert [game["share_code"] for game in page["games"]] == codes[:0:-1]
    rest = evening.client.get("/api/games", params={"code": codes, "before": page["next_before"]}).json()
    assert ([game["share_code"] for game in rest["games"]], rest["next_before"]) == (codes[:1], None)
    own = evening.client.get("/api/games", headers=evening.headers).json()["games"]
    assert [(game["id"], game["role"]) for game in own] == [(evening.id, "host")]


def test_finish_reopen_delete(evening: Evening) -> None:
    """A finished game is closed for writing, can be reopened, and is gone when deleted."""
    evening.add(DRAW)
    assert evening.send("POST", "/finish").json()["game"]["finished_at"] is not None
    problem(evening.send("POST", "/entries", DRAW), 409, "game_finished")
    evening.send("POST", "/reopen").raise_for_status()
    evening.add(DRAW)
    assert evening.send("DELETE", "").status_code == 204
    problem(evening.send("GET", ""), 404, "not_found")


def test_a_key_does_a_thing_once(evening: Evening) -> None:
    """Repeated writes answer as the first did; another request with the key is refused; a game begun keeps its id."""
    key = {"Idempotency-Key": "a-key-of-mine"}
    first, again = (evening.send("POST", "/entries", DRAW, headers=key) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert (first.json(), again.headers["idempotency-replayed"]) == (again.json(), "true")
    problem(evening.send("POST", "/entries", penalty("S"), headers=key), 409, "conflict")
    assert len(evening.entries()) == 1
    one, two = (evening.client.post("/api/games", json={"title": "x"}, headers=key).json() for _ in range(2))
    assert one["game"]["id"] == two["game"]["id"]
    for begun in (one, two):
        headers = {"Authorization": f"Bearer {begun['token']}"}
        assert evening.client.get(f"/api/games/{one['game']['id']}", headers=headers).status_code == 200
    undone = [evening.send("POST", "/undo", headers={"Idempotency-Key": "undo-once"}) for _ in range(2)]
    assert undone[0].json() == undone[1].json()


def test_a_write_can_name_the_version_it_saw(evening: Evening) -> None:
    """Two phones press undo: the second is told that the game moved on."""
    evening.add(DRAW)
    evening.add(DRAW)
    seen = {"If-Match": '"3"'}
    assert evening.send("POST", "/undo", headers=seen).status_code == 200
    problem(evening.send("POST", "/undo", headers=seen), 412, "version_moved")
    assert len(evening.entries()) == 1


def test_pages_of_entries_and_history(evening: Evening) -> None:
    """Newest first, each page with the running totals of its place."""
    for _ in range(5):
        evening.add(penalty("W", 1))
    page = evening.send("GET", "/entries", params={"limit": 2}).json()
    assert [one["totals"][2] for one in page["entries"]] == [-15, -12]
    rest = evening.send("GET", "/entries", params={"limit": 9, "before": page["next_before"]}).json()
    assert ([one["totals"][2] for one in rest["entries"]], rest["next_before"]) == ([-9, -6, -3], None)
    changes = evening.send("GET", "/history", params={"limit": 4}).json()
    assert ([one["version"] for one in changes["changes"]], changes["next_before"]) == ([6, 5, 4, 3], 3)


def test_exports(make_client: Maker) -> None:
    """CSV opens in a spreadsheet and cannot carry a formula; the JSON holds everything."""
    evening = begin(make_client(language="zh"), players=["=SUM(A1)", "＝芳", "", "强"])
    evening.add(win("S", "W", note="@x"))
    answer = evening.send("GET", "/export.csv")
    assert answer.headers["content-type"].startswith("text/csv")
    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert rows[0][6:11] == ["'=SUM(A1)", "'＝芳", "西", "强", "无人收取"]
    assert rows[1][6:11] == ["0", "14", "-14", "0", "0"]
    assert rows[1][-2:] == ["'@x", "fuzhou"]
    saved = evening.send("GET", "/export.json")
    assert "attachment" in saved.headers["content-disposition"]
    assert saved.json()["entries"][0]["content"]["facts"]["winner"] == "S"
    assert [one["action"] for one in saved.json()["history"]] == ["begin", "add"]


def test_the_table_has_times_of_the_server_and_money(make_client: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    """The zone stands in the header, money where a point has a price, and the file is called after the evening."""
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    time.tzset()
    try:
        evening = begin(make_client(), title="周五/../夜 ", stake_per_point_cents=25)
        evening.add(win("S", "W"))
        answer = evening.send("GET", "/export.csv")
        [entry] = evening.entries()
        day = datetime.fromisoformat(evening.game()["created_at"]).astimezone().date()
    finally:
        monkeypatch.undo()
        time.tzset()
    head, row = csv.reader(io.StringIO(answer.content.decode("utf-8-sig")))
    assert head[2] == "When (server's time, +08:00)"
    assert row[2].endswith("+08:00")
    assert datetime.fromisoformat(row[2]) == datetime.fromisoformat(entry["created_at"]).replace(microsecond=0)
    assert head[15:19] == ["Money Lin", "Money Fang", "Money Chen", "Money Qiang"]
    assert row[11:19] == ["0", "14", "-14", "0", "0.00", "3.50", "-3.50", "0.00"]
    named = answer.headers["content-disposition"]
    assert f'filename="jinque-{day}.csv"' in named
    assert unquote(named.rpartition("''")[2]) == f"jinque-周五_夜-{day}.csv"
    untitled = begin(make_client()).send("GET", "/export.json").headers["content-disposition"]
    assert re.search(r'filename="jinque-\d{4}-\d\d-\d\d\.json"', untitled)


def test_a_penalty_names_the_player(make_client: Maker) -> None:
    """In its explanation, before it is saved and after; where nobody gave a name, the seat."""
    evening = begin(make_client(), players=["Lin", "", "Chen", "Qiang"])
    preview = evening.send("POST", "/entries/preview", penalty("W", 10)).json()["entry"]["lines"][0]
    assert preview["text"].startswith("Chen ")
    assert preview["note"].startswith("Chen诈胡") or preview["note"].startswith("Chen罚分")
    assert evening.add(escape("N"))["entry"]["lines"][0]["text"].startswith("Qiang left")
    unnamed = evening.add(penalty("S", 10))["entry"]["lines"][0]
    assert (unnamed["text"].split()[0], unnamed["note"][:2]) == ("South", "南家")


def test_followers_are_told(evening: Evening) -> None:
    """First everything, then each change at once; one that comes back gets what it missed; at the end it is told."""
    book: Book = evening.client.app.state.book  # type: ignore[attr-defined]
    evening.add(DRAW)

    async def listen() -> None:
        follower = following.follow(book, Call(), evening.share_code)
        first = await anext(follower)
        assert (first.event, first.version) == ("snapshot", 2)
        waiting = asyncio.ensure_future(anext(follower))
        await asyncio.sleep(0.05)
        await asyncio.to_thread(evening.add, penalty("W"))
        second = await asyncio.wait_for(waiting, 5)
        assert (second.event, second.version, second.body.from_version) == ("delta", 3, 2)  # type: ignore[union-attr]
        assert [one.kind for one in second.body.entries] == ["penalty"]  # type: ignore[union-attr]
        await asyncio.to_thread(evening.send, "POST", "/undo")
        back = await anext(following.follow(book, Call(), evening.share_code, 2))
        assert (back.event, back.version, back.body.removed) == ("delta", 4, [2])  # type: ignore[union-attr]
        ahead = await anext(following.follow(book, Call(), evening.share_code, 99))
        assert ahead.event == "snapshot"
        assert (await anext(follower)).version == 4
        await asyncio.to_thread(evening.send, "DELETE", "")
        assert (await anext(follower)).event == "gone"

    with ThreadPoolExecutor(1) as own_loop:  # the driver of the browser tests has a loop in this thread
        own_loop.submit(asyncio.run, listen()).result()


def test_hands_of_the_scan_page_go_into_a_game(evening: Evening) -> None:
    """Preview and save with ``game``: rules and deal come from its ledger; an entry's own deal when it is corrected."""
    client = evening.client
    evening.add(win("E", "W"))
    body = {"tiles": TILES, "facts": {"winner": "E", "source": "discard", "from_seat": "W"}, "game": evening.share_code}
    assert client.post("/api/settlements/preview", json=body).json()["settlement"]["per_payer"] == 16
    assert client.get("/api/facts", params={"game": evening.share_code}).json()["streak"] == 1
    corrected = client.post("/api/settlements/preview", json={**body, "entry": 1}).json()
    assert corrected["settlement"]["per_payer"] == 14
    problem(client.post("/api/settlements/preview", json={**body, "ruleset": "mcr"}), 422, "bad_request")
    problem(client.post("/api/hands", json=body), 403, "read_only")
    saved = client.post("/api/hands", json={**body, "game": evening.id}, headers=evening.headers)
    assert (saved.status_code, saved.json()["streak"], saved.json()["deltas"]) == (201, 1, [16, 0, -16, 0])
    assert client.get("/api/hands").json()["count"] == 0
    assert len(evening.entries()) == 2


def test_hands_without_a_game_are_a_ledger_too(make_client: Maker) -> None:
    """They can be opened, corrected and exported like a game, by everybody, each with the deal it was saved with."""
    client = make_client()
    body = {"tiles": TILES, "facts": {**win("S", "W")["facts"], "dealer": "N", "streak": 3}}
    client.post("/api/hands", json=body).raise_for_status()
    games = client.get("/api/games").json()["games"]
    assert [(game["id"], game["title"]) for game in games] == [("earlier-hands", "Hands without a game")]
    (entry,) = client.get("/api/games/earlier-hands/entries").json()["entries"]
    assert (entry["dealer"], entry["streak"], entry["hand"]) == ("N", 3, None)
    problem(client.post("/api/games/earlier-hands/finish"), 403, "read_only")
    book: Book = client.app.state.book  # type: ignore[attr-defined]
    seen = loops.run(anext(following.follow(book, Call(), "earlier-hands"))).version
    assert client.delete("/api/games/earlier-hands").status_code == 204
    told = loops.run(anext(following.follow(book, Call(), "earlier-hands", seen)))
    assert (told.event, told.body and told.body.entries) == ("snapshot", [])
    assert client.get("/api/hands").json() == {"hands": [], "totals": [0] * 4, "count": 0, "next_before": None}
