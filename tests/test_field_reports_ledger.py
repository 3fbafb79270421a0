"""What people met with other programs, sections D and F of the collected field reports, tried on a whole evening.

One test for each report, with the value that is in it. What concerns a single hand is in `test_field_reports`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pillow_heif
import pytest
from fastapi.testclient import TestClient
from PIL import Image
from sqlalchemy import text

from assistant_api.services.ledger import following, replay
from assistant_api.services.ledger.book import Book, Call
from engine.eventlog import parse_event, parse_log
from engine.events import WinClaim
from engine.judging import Ruling
from engine.reasons import Reason
from engine.referee import Referee
from engine.rulesets import get_ruleset
from engine.verdicts import Refusal
from tests.scripted import SAMPLES, ScriptedReader
from tests.support import loops
from tests.support.evening import DRAW, TILES, Evening, begin, escape, penalty, win

Maker = Callable[..., TestClient]
MB = 1_000_000


@pytest.fixture
def evening(make_client: Maker) -> Evening:
    """A game of four."""
    return begin(make_client(writes_per_minute=100_000))


def _upload(client: TestClient, data: bytes, name: str = "photo.jpg", kind: str = "image/jpeg") -> Any:
    return client.post("/api/photos", files={"photo": (name, data, kind)})


def _picture(kind: str, size: tuple[int, int] = (320, 240)) -> bytes:
    out = io.BytesIO()
    pillow_heif.register_heif_opener()
    Image.new("RGB", size, "green").save(out, kind)
    return out.getvalue()


# D. API and storage


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("photo.heic", "image/heic"),
        ("photo.jpg", "image/jpeg"),
        ("blob", "application/octet-stream"),
        ("x", "text/plain"),
    ],
)
def test_41_heic_is_known_by_its_content(name: str, kind: str, make_client: Maker) -> None:
    """Report 41: HEIC, HEIC called .jpg, HEIC as octet-stream."""
    client = make_client(ScriptedReader(SAMPLES / "plain.json"))
    answer = _upload(client, _picture("HEIF"), name, kind)
    assert answer.status_code == 201, answer.text
    assert (answer.json()["photo"]["width"], answer.json()["photo"]["height"]) == (320, 240)


@pytest.mark.parametrize("data", [b"%PDF-1.7 not a photo", b"GIF89a" + bytes(40), _picture("TIFF")])
def test_41_what_is_no_photo_is_told(data: bytes, make_client: Maker) -> None:
    """Report 41: 415 with a sentence, even under the name and type of a JPEG."""
    answer = _upload(make_client(), data)
    assert answer.status_code == 415
    assert "JPEG" in answer.json()["detail"] or "JPEG" in answer.json()["reason"]


def test_43_limits_of_photos_and_forms(make_client: Maker) -> None:
    """Report 43: a JPEG of 12 MB is taken, one of 40 MB is not (413), a form field of 2 MB is a clean 4xx."""
    client = make_client(ScriptedReader(SAMPLES / "plain.json"))
    noise = np.random.default_rng(43).integers(0, 256, (3000, 3200, 3), dtype=np.uint8)
    out = io.BytesIO()
    Image.fromarray(noise).save(out, "JPEG", quality=85)
    large = out.getvalue()
    large += bytes(max(0, 12 * MB - len(large)))
    assert 12 * MB <= len(large) < 20 * MB
    assert _upload(client, large).status_code == 201
    too_large = _upload(client, large + bytes(40 * MB - len(large)))
    assert (too_large.status_code, too_large.json()["code"]) == (413, "body_too_large")
    field = client.post("/api/photos", data={"photo": "x" * 2 * MB})
    assert 400 <= field.status_code < 500
    assert field.headers["content-type"] == "application/problem+json"
    beside = client.post("/api/photos", files={"photo": ("p.jpg", _picture("JPEG"))}, data={"more": "x" * 2 * MB})
    assert 400 <= beside.status_code < 500
    assert beside.headers["content-type"] == "application/problem+json"
    name = client.post("/api/games", json={"title": "x" * 2 * MB})
    assert (name.status_code, name.json()["code"]) == (413, "body_too_large")


@pytest.mark.parametrize("language", ["en", "zh-CN", "zh-HK"])
def test_45_a_photo_without_tiles_is_no_error(language: str, make_client: Maker) -> None:
    """Report 45: 200 with an empty list and a kind reason, nothing kept."""
    answer = _upload(make_client(language=language), _picture("JPEG"))
    assert answer.status_code == 200
    told = answer.json()
    assert (told["photo"], told["draft"]["tiles"]) == (None, [])
    assert told["draft"]["message"]
    assert told["reading"]["problems"][0]["code"] == "no_tiles"


# F. Settlement and ledger


READY = "123456m789p23455s67p"
OPENING = "deal E fuzhou streak 0 {}\ngold 9m\nE discard 1s\nS draw\nS discard 1s\nW draw\n"
ROBBED = (
    "deal E fuzhou streak 0 {}\ngold 9m\nE discard 8p\nN pung 8p\nN discard 1m\nE draw\nE discard 1m\nS draw\n"
    "S discard 1s\nW draw\nW discard 1m\nN draw\nN kong added 8p\nN draw\nN discard 8p"
)
CALL_OF_ANOTHER = OPENING + "W discard 5p\nE pung 5p\nE discard 5p"
PASSED = OPENING + "W discard 5p\nN draw\nN discard 1m\nE draw\n"
OWN_CHOW = PASSED + "E discard 1s\nS chow 1s with 23s\nS discard 4s\nW draw\nW discard 5p"
OWN_DRAW = PASSED + "E discard 1m\nS draw 1s\nS discard 1s\nW draw\nW discard 5p"


@pytest.mark.parametrize(
    ("events", "claim", "options", "expected"),
    [
        (CALL_OF_ANOTHER, f"S win discard 5p hand {READY}", "", Reason.PASS_LOCK),
        (CALL_OF_ANOTHER, f"S win discard 5p hand {READY}", "pass_lock_scope=off", None),
        (OWN_CHOW, "S win discard 5p hand 123456m789p55s67p", "", None),
        (OWN_CHOW, "S win discard 5p hand 123456m789p55s67p", "pass_lock_reset=end_of_hand", Reason.PASS_LOCK),
        (OWN_DRAW, f"S win discard 5p hand {READY}", "", None),
        (OWN_DRAW, f"S win discard 5p hand {READY}", "pass_lock_reset=end_of_hand", Reason.PASS_LOCK),
    ],
)
def test_65_the_lock_at_four_tables(events: str, claim: str, options: str, expected: Reason | None) -> None:
    """Report 65: call by another, own chow, own draw; kept or cleared as the preset says (robbed kong: below)."""
    assert _ruling(events, claim, options) is expected


@pytest.mark.parametrize(
    ("options", "expected"),
    [("pass_lock_scope=all_tiles", Reason.PASS_LOCK), ("", None), ("pass_lock_scope=off", None)],
)
def test_65_declining_to_rob_a_kong(options: str, expected: Reason | None) -> None:
    """Report 65: South could rob North's 8p and did not; North's 5p then."""
    events = ROBBED.replace("N discard 8p", "N discard 5p")
    assert _ruling(events, f"S win discard 5p hand {READY}", options) is expected


def _ruling(events: str, claim: str, options: str) -> Reason | None:
    event = parse_event(claim)
    assert isinstance(event, WinClaim)
    answer = Referee(parse_log(events.format(options))).judge(event)
    assert isinstance(answer, Ruling)
    assert answer.certain
    return answer.verdict.reason if isinstance(answer.verdict, Refusal) else None


def test_67_three_winners_write_no_row(evening: Evening) -> None:
    """Report 67: three on one tile where one wins: refused whole; not the first two payments, not one row."""
    three = [{"tiles": TILES, "facts": win(seat, "W")["facts"]} for seat in "NE"]
    answer = evening.send("POST", "/entries", {**win("S", "W"), "also_won": three})
    assert (answer.status_code, answer.json()["code"]) == (409, "one_winner")
    with evening.client.app.state.database.connect() as connection:  # type: ignore[attr-defined]
        assert connection.execute(text("SELECT COUNT(*) FROM entry")).scalar_one() == 0
        assert connection.execute(text("SELECT COUNT(*) FROM change")).scalar_one() == 1
    assert evening.game()["totals"] == [0, 0, 0, 0]


def test_67_an_error_in_the_second_settlement_writes_no_row(
    make_client: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Report 67: two winners, and the program breaks between their settlements."""
    evening = _several_winners(make_client, monkeypatch)
    settled: list[int] = []
    settle = replay.play.__globals__["settle"]

    def settle_one(*given: Any) -> Any:
        if settled:
            raise OSError("broken between two winners")
        settled.append(1)
        return settle(*given)

    with monkeypatch.context() as broken:
        broken.setitem(replay.play.__globals__, "settle", settle_one)
        assert evening.send("POST", "/entries", _two_winners()).status_code == 500
    assert settled == [1]
    assert (evening.entries(), evening.game()["version"]) == ([], 1)
    assert evening.send("POST", "/entries", _two_winners()).status_code == 201


def _two_winners() -> dict[str, Any]:
    return {**win("S", "W"), "also_won": [{"tiles": TILES, "facts": win("N", "W")["facts"]}]}


def _several_winners(make_client: Maker, monkeypatch: pytest.MonkeyPatch) -> Evening:
    """A game by the rules of Fuzhou, but with several winners on one tile."""
    both = replace(get_ruleset("fuzhou"), several_winners=True)  # type: ignore[type-var]
    monkeypatch.setattr(replay, "_table_rules", lambda name, options: both)
    return begin(make_client())


def test_68_one_winner_or_both_in_one_step(
    evening: Evening, make_client: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Report 68: the game says which it is; one: the nearest seat only, in words; several: one request, one entry."""
    assert evening.game()["several_winners"] is False
    told = evening.send("POST", "/entries", _two_winners()).json()
    assert "nearest" in told["detail"]
    both = _several_winners(make_client, monkeypatch)
    assert both.game()["several_winners"] is True
    entry = both.add(_two_winners())["entry"]
    assert entry["winners"] == ["S", "N"]
    assert entry["deltas"] == [0, 14, -28, 14]
    assert [settled["winner"] for settled in entry["settlements"]] == ["S", "N"]
    assert len(both.entries()) == 1


def test_69_what_was_begun_with_stays_on_the_table(make_client: Maker) -> None:
    """Report 69: 120,000 at the start are 120,000 in every view after every commit, a last draw included."""
    evening = begin(make_client(), starting_points=[30_000] * 4)
    number = 0
    for body in (win("E", "W"), penalty("N", 5_000), win("S"), DRAW):
        number = evening.add(body)["entry"]["id"]
        _check_all_views(evening)
    evening.send("PUT", f"/entries/{number}", win("W", "E")).raise_for_status()
    _check_all_views(evening)
    for action in ("undo", "undo", "redo"):
        evening.send("POST", f"/{action}").raise_for_status()
        _check_all_views(evening)
    evening.send("POST", "/finish").raise_for_status()
    _check_all_views(evening)


def _check_all_views(evening: Evening) -> None:
    game, entries = evening.game(), evening.entries()
    assert sum(player["score"] for player in game["players"]) == 120_000
    assert sum(game["totals"]) == game["kitty"] == 0
    assert [sum(one["deltas"]) for one in entries] == [0] * len(entries)
    summed = [sum(column) for column in zip([0] * 4, *(one["deltas"] for one in entries), strict=True)]
    report = evening.send("GET", "/report").json()
    saved = evening.send("GET", "/export.json").json()
    table = list(csv.reader(io.StringIO(evening.send("GET", "/export.csv").content.decode("utf-8-sig"))))
    book: Book = evening.client.app.state.book  # type: ignore[attr-defined]
    followed = loops.run(anext(following.follow(book, Call(), evening.share_code))).body
    assert followed is not None
    for totals in (report["game"]["totals"], saved["game"]["totals"], followed.game.totals):
        assert totals == summed == game["totals"]
    assert [int(cell) for cell in table[-1][11:15]] == summed
    assert [one["totals"] for one in entries][-1] == summed


def test_70_three_flowers_a_gold_and_two_repeats(evening: Evening) -> None:
    """Report 70: (3 + 1 + 5) * 2 + 2 * 2 = 22 off a discard, 22 each by self-draw; with 金雀 82 and 246, all whole."""
    flowers = [{"id": f"f{place}", "tile": tile, "group": "flowers"} for place, tile in enumerate(("E", "S", "1f"))]
    plain = _tiles("1m 2m 3m 4m 5m 6m 7p 8p 9p 2s 3s 4s 5s 5s 6p 9m", "8p", flowers)
    sparrow = _tiles("1m 2m 3m 4m 5m 6m 7p 8p 9p 2s 3s 4s 6p 7p 9m 9m", "8p", flowers[:2])
    evening.add({"kind": "deal", "dealer": "E", "streak": 2})
    for tiles, each in ((plain, 22), (sparrow, 82)):
        for facts, deltas in (
            ({"source": "discard", "from_seat": "W"}, [0, each, -each, 0]),
            ({"source": "self_draw"}, [-each, 3 * each, -each, -each]),
        ):
            body = {"kind": "win", "tiles": tiles, "facts": {"winner": "S", "gold_discarded": False, **facts}}
            entry = evening.add(body)["entry"]
            assert entry["deltas"] == deltas
            assert {type(points) for points in entry["deltas"]} == {int}
            evening.send("POST", "/undo").raise_for_status()


def _tiles(hand: str, winning: str, others: list[dict[str, Any]]) -> list[dict[str, Any]]:
    placed = [{"id": f"h{place}", "tile": tile, "group": "hand"} for place, tile in enumerate(hand.split())]
    last = [{"id": "w", "tile": winning, "group": "winning"}, {"id": "g", "tile": "9m", "group": "gold"}]
    return [*placed, *last, *others]


def test_72_hand_seven_is_corrected_after_hand_eight_began(evening: Evening) -> None:
    """Report 72: eight is worked out again, the history shows both, dealer and repeats follow."""
    for _ in range(6):
        evening.add(win("E", "W"))
    seven = evening.add(win("E", "W"))["entry"]
    eight = evening.add(win("E", "W"))["entry"]
    assert (seven["hand"], eight["hand"], eight["dealer"], eight["streak"]) == (7, 8, "E", 7)
    assert eight["deltas"] == [28, 0, -28, 0]
    answer = evening.send("PUT", f"/entries/{seven['id']}", win("S", "W")).json()
    assert [(one["hand"], one["dealer"], one["streak"]) for one in answer["entries"]] == [(7, "E", 6), (8, "S", 0)]
    assert answer["entries"][1]["deltas"] == [14, 0, -14, 0]
    change = evening.send("GET", "/history", params={"entry": seven["id"]}).json()["changes"][0]
    assert (change["before"]["deltas"], change["after"]["deltas"]) == ([26, 0, -26, 0], [0, 26, -26, 0])
    evening.send("POST", "/undo").raise_for_status()
    assert evening.entries()[-1]["deltas"] == [28, 0, -28, 0]


def test_73_one_unit_with_its_name(evening: Evening) -> None:
    """Report 73: columns and fields of the ledger say points or cents; a stake never changes points."""
    evening.add(win("E", "W"))
    points = evening.game()["totals"]
    evening.send("PATCH", "", {"stake_per_point_cents": 100}).raise_for_status()
    game = evening.game()
    assert game["totals"] == points == [14, 0, -14, 0]
    assert [player["amount_cents"] for player in game["players"]] == [1400, 0, -1400, 0]
    with evening.client.app.state.database.connect() as connection:  # type: ignore[attr-defined]
        (row,) = connection.execute(text("SELECT * FROM entry")).mappings()
        query = text("SELECT stake_per_point_cents FROM game WHERE id = :game")
        stake = connection.execute(query, {"game": evening.id}).scalar_one()
    names = [f"{seat}_points" for seat in ("east", "south", "west", "north", "kitty")]
    assert [row[name] for name in names] == [*points, 0]
    assert stake == 100
    numbers = {name for name, value in row.items() if isinstance(value, int) and name.endswith(("points", "cents"))}
    assert numbers == set(names)


@pytest.mark.parametrize(
    ("options", "source", "paid"),
    [
        ({}, "discard", {"W": 14}),
        ({"discard_payers": "discarder_triple"}, "discard", {"W": 42}),
        ({"discard_payers": "all_three"}, "discard", {"E": 14, "W": 14, "N": 14}),
        ({}, "rob_kong", {"W": 14}),
        ({"rob_kong_payment": "konger_pays_three"}, "rob_kong", {"W": 42}),
        ({}, "self_draw", {"E": 14, "W": 14, "N": 14}),
    ],
    ids=str,
)
def test_75_who_is_liable_pays(options: dict[str, Any], source: str, paid: dict[str, int], make_client: Maker) -> None:
    """Report 75: responsibility on (the giver pays for all) and off; the list of payers is exact, and so are totals."""
    evening = begin(make_client(), options=options)
    facts = {"winner": "S", "source": source, "from_seat": None if source == "self_draw" else "W"}
    entry = evening.add({"kind": "win", "tiles": TILES, "facts": facts})["entry"]
    assert {move["from"]: move["points"] for move in entry["transfers"]} == paid
    assert {move["to"] for move in entry["transfers"]} == {"S"}
    assert entry["deltas"] == [sum(paid.values()) if seat == "S" else -paid.get(seat, 0) for seat in "ESWN"]


def test_76_every_explanation_adds_up(evening: Evening) -> None:
    """Report 76: the lines of an entry give its points, and no hand with five alike is entered, indicator included."""
    for body in (win("S", "W"), win("E"), penalty("N", 7), escape("W")):
        entry = evening.add(body)["entry"]
        moved = dict.fromkeys("ESWN", 0)
        for move in entry["transfers"]:
            moved[move["from"]] -= move["points"]
            if move["to"]:
                moved[move["to"]] += move["points"]
        assert [moved[seat] for seat in "ESWN"] == entry["deltas"]
        lines = entry["lines"] or entry["settlements"][0]["lines"]
        pays = [line["amount"] for line in lines if line["code"] == "pays"]
        if entry["kind"] == "win":
            assert sum(pays) == max(entry["deltas"])
    five = [
        {**tile, "tile": "9m"} if tile["id"] in ("hand-0", "hand-1", "hand-2", "hand-3") else tile for tile in TILES
    ]
    refused = evening.send("POST", "/entries", {**win("S", "W"), "tiles": five})
    assert (refused.status_code, refused.json()["code"]) == (409, "not_settled")
    assert "9m" in str(refused.json()["preview"])


def test_77_rules_are_stored_with_each_hand(evening: Evening) -> None:
    """Report 77: changed in the middle of an evening and again; a later change never rewrites an old hand."""
    for points in (5, 6, 9):
        evening.send("PATCH", "", {"options": {"fixed_points": points}, "from_now_on": True}).raise_for_status()
        evening.add(win("S", "W"))
        evening.add({"kind": "deal", "dealer": "E", "streak": 0})
    evening.send("PATCH", "", {"ruleset": "fuzhou-baida", "from_now_on": True}).raise_for_status()
    wins = [one for one in evening.send("GET", "/report").json()["entries"] if one["kind"] == "win"]
    assert [(one["ruleset"], one["options"]["fixed_points"]) for one in wins] == [
        ("fuzhou", points) for points in (5, 6, 9)
    ]
    assert [one["deltas"][1] for one in wins] == [14, 16, 22]
    corrected = evening.send("PUT", f"/entries/{wins[0]['id']}", win("S", "N"))
    assert corrected.json()["entry"]["deltas"] == [0, 14, 0, -14]
    assert evening.add(win("S", "W"))["entry"]["ruleset"] == "fuzhou-baida"
