"""Live tables on the server: frames up, state down, nothing lost, nothing twice, and nobody sees what is not theirs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from assistant_api.app import create_app
from assistant_api.services.tables import room as rooms
from assistant_api.services.tables import socket as sockets
from assistant_api.settings import Settings
from engine.seats import Seat
from tests.scripted import ScriptedReader
from tests.support.live_desk import FOLLOWED, QUIET_LOG, Eyes, Phone, ScriptedEye, Table, jpeg, views, wait_for
from vision.live.view import Zone


@dataclass
class Server:
    """The API with scripted eyes; it can be stopped and started again on the same database."""

    settings: Settings
    stack: ExitStack
    eyes: Eyes = field(default_factory=Eyes)

    def start(self) -> TestClient:
        """Serve."""
        app = create_app(self.settings, reader=lambda _: ScriptedReader(None), eye=self.eyes)
        return self.stack.enter_context(TestClient(app, headers={"Accept-Language": "en"}))

    def table(self, client: TestClient | None = None, **wanted: Any) -> Table:
        """A game on it."""
        return Table(client or self.start(), self.stack, **wanted)


@pytest.fixture
def server(settings: Settings) -> Iterator[Server]:
    """A server whose camera may send as fast as it can."""
    with ExitStack() as stack:
        yield Server(settings.model_copy(update={"live_frames_per_second": 60}), stack)


@pytest.fixture
def table(server: Server) -> Table:
    """A game on a server."""
    return server.table()


def followed(table: Table, frames: int = len(views())) -> Phone:
    """A camera that has begun a hand and shown it."""
    camera = table.connect("camera")
    assert camera.say("begin", near="E", dealer="E")["type"] == "done"
    camera.show(frames, table.room)
    return camera


def test_a_hand_is_followed_and_everybody_sees_it(table: Table) -> None:
    """From frames to the log, in order, each event once, with its picture; who looks on gets the same, and no boxes."""
    camera = followed(table)
    camera.until(lambda phone: phone.log == FOLLOWED)
    viewer = table.look_on()
    assert viewer.welcome["can_write"] is False
    viewer.until(lambda phone: phone.hand and phone.sight)
    assert viewer.hand == camera.hand
    assert viewer.hand is not None
    assert viewer.hand["state"]["melds"]["W"] == [{"kind": "pung", "tiles": ["3p"] * 3, "from": "S"}]
    assert viewer.hand["state"]["gold"] == "9m"
    words = [one["term"]["message"].split()[0] for one in viewer.hand["state"]["words"]]
    assert words[1:] == ["金", "吃", "碰", "明杠", "胡牌", "过水"], "a tile lies that may be claimed"
    assert "boxes" not in viewer.sight
    assert camera.until(lambda phone: phone.sight.get("boxes"))
    assert viewer.sight["camera"] is True
    discard = next(one for one in viewer.hand["events"] if one["text"] == "E discard 1s")
    assert (discard["state"], discard["role"]) == ("proposed", "camera")
    assert table.client.get(discard["crop"]).headers["content-type"] == "image/jpeg"
    numbers = [one["number"] for one in viewer.hand["events"]]
    assert numbers == list(range(1, len(FOLLOWED) + 1))


def test_who_may_not_is_told_so_and_changes_nothing(table: Table) -> None:
    """Neither a stranger nor a wrong token gets in; the share code is no camera, and says nothing."""
    for refused in (table.connect(token=None), table.connect(token="wrong"), table.connect(code="nothing-here")):
        assert refused.welcome["type"] == "gone"
        assert refused.welcome["problem"]["detail"]
    camera = table.connect("camera", code=table.evening.share_code, token=None)
    assert camera.welcome["problem"]["code"] == "read_only"
    viewer = table.look_on()
    assert viewer.say("begin", dealer="E")["problem"]["status"] == 403
    assert viewer.frame()["problem"]["detail"]
    assert table.room.hand is None
    host = table.connect()
    assert host.frame()["type"] == "gone", "frames come from who said to be the camera"


def test_a_frame_that_is_too_large_closes_the_socket(server: Server) -> None:
    """The limit is counted on this side of the protocol as well; a broken frame is passed over and told."""
    server.settings = server.settings.model_copy(update={"max_live_kib": 16})
    table = server.table()
    camera = table.connect("camera")
    camera.frame(b"no picture")
    wait_for(lambda: table.room.seen.crashes == 1)
    camera.show(1, table.room)
    camera.socket.send_bytes(b"\xff" * (16 * 1024 + 1))
    with pytest.raises(WebSocketDisconnect) as left:
        camera.next("never")
    assert left.value.code == 1009


def test_only_the_newest_frame_is_looked_at(server: Server) -> None:
    """While one frame is looked at, those that come are dropped but the last; the counts are told."""
    held = threading.Event()
    server.eyes.prepare = lambda eye: setattr(eye, "wait", held)
    table = server.table()
    camera = table.connect("camera")
    camera.say("begin", dealer="E")
    for shade in range(10):
        camera.frame(jpeg(20 * shade))
    held.set()
    wait_for(lambda: table.room.seen.number == 10)
    assert server.eyes.made[0].looked <= 3
    camera.until(lambda phone: phone.sight.get("frame") == 10)
    assert camera.sight["received"] == 10
    assert camera.sight["dropped"] == 10 - server.eyes.made[0].looked
    assert camera.sight["age_ms"] < 60_000


def test_frames_that_come_too_fast_are_dropped(server: Server) -> None:
    """More in a second than the settings allow."""
    server.settings = server.settings.model_copy(update={"live_frames_per_second": 2})
    table = server.table()
    camera = table.connect("camera")
    answers = [camera.frame()["frame"] for _ in range(8)]
    assert None in answers
    assert [one for one in answers if one is not None][:2] == [1, 2]


def test_a_second_camera_takes_the_place_of_the_first(table: Table) -> None:
    """Two phones do not mix their pictures."""
    first = table.connect("camera")
    assert first.frame()["camera"] is True
    second = table.connect("camera")
    assert second.frame()["camera"] is True
    assert first.frame() == {"type": "got", "frame": None, "camera": False}


@pytest.mark.parametrize("half", [10, 20, 30])
def test_after_a_restart_the_hand_goes_on(server: Server, half: int) -> None:
    """The server is gone in the middle of a hand; on the same database it goes on, nothing lost and nothing twice."""
    first = server.start()
    table = server.table(first)
    camera = followed(table, half)
    before = [noted.key for noted in table.room.hand.notes]  # type: ignore[union-attr]
    first.app.state.live.close()  # type: ignore[attr-defined]
    camera.socket.close()
    again = server.start()
    server.eyes.prepare = lambda eye: setattr(eye, "looked", half)
    table.client = again
    camera = table.connect("camera")
    camera.until(lambda phone: phone.version >= 0)
    assert [one["key"] for one in camera.hand["events"]] == before  # type: ignore[index]
    camera.show(len(views()) - half + 8, table.room)
    camera.until(lambda phone: phone.log == FOLLOWED)
    keys = [one["key"] for one in camera.hand["events"]]  # type: ignore[index]
    assert keys[: len(before)] == before
    assert len(set(keys)) == len(keys)


def test_what_is_said_twice_happens_once(table: Table) -> None:
    """The same key: over the socket, over another one, and over HTTP."""
    phone = table.connect()
    phone.say("begin", dealer="E")
    first = phone.say("insert", key="the-same-key", text="gold 9m")
    again = phone.say("insert", key="the-same-key", text="gold 9m")
    assert (first["replayed"], again["replayed"]) == (False, True)
    other = table.connect().say("insert", key="the-same-key", text="gold 9m")
    assert other["version"] == first["version"]
    path, headers = f"/api/live/{table.evening.id}/acts", {**table.evening.headers, "Idempotency-Key": "the-same-key"}
    answer = table.client.post(path, json={"act": "insert", "text": "gold 9m"}, headers=headers)
    assert answer.headers["Idempotency-Replayed"] == "true"
    assert phone.say("insert", key="the-same-key", text="gold 8m")["problem"]["status"] == 409
    assert len(table.room.hand.notes) == 2  # type: ignore[union-attr]


def test_people_correct_what_the_camera_says(table: Table) -> None:
    """Confirm, edit, delete, insert, undo and pass; each is whose word it is, and followers get only what changed."""
    camera = followed(table)
    viewer = table.look_on()
    viewer.until(lambda phone: phone.log == FOLLOWED)
    by_text = {one["text"]: one["key"] for one in viewer.hand["events"]}  # type: ignore[index]
    camera.say("confirm", event=by_text["E discard 1s"])
    camera.say("edit", event=by_text["W discard 8s"], text="W discard 7s")
    camera.say("pass", seat="E")
    camera.say("insert", before=by_text["N draw"], text="E pass")
    camera.say("delete", event=by_text["N discard 2m"])
    camera.say("undo")
    wanted = [*FOLLOWED[:6], "W discard 7s", "E pass", "N draw"]
    viewer.until(lambda phone: phone.log == wanted)
    states = {one["text"]: (one["state"], one["role"]) for one in viewer.hand["events"]}  # type: ignore[index]
    assert states["E discard 1s"] == states["W discard 7s"] == ("confirmed", "host")
    assert states["S discard 3p"] == ("proposed", "camera")


def test_nonsense_is_told_and_the_socket_lives(table: Table) -> None:
    """No hand, no act, no event, no key: one sentence each; a ping is answered still."""
    phone = table.connect()
    assert phone.say("undo")["problem"]["status"] == 409
    phone.say("begin", dealer="E")
    assert phone.say("begin", dealer="E")["problem"]["status"] == 409
    for act, more in (("dance", {}), ("insert", {"text": "E flies"}), ("confirm", {"event": 99}), ("undo", {})):
        refused = phone.say(act, **more)
        assert refused["type"] == "refused"
        assert refused["problem"]["detail"]
    assert phone.say("undo", key="short")["problem"]["detail"]
    phone.socket.send_json({"ping": 7})
    assert phone.next("pong")["ping"] == 7


def test_two_tables_do_not_mix(server: Server) -> None:
    """Each has its own eye, log and followers."""
    other_log = QUIET_LOG.replace("1s", "5m").replace("gold 9m", "gold 7s")
    server.eyes = Eyes(views(), views(other_log))
    client = server.start()
    one, two = server.table(client), server.table(client)
    cameras = [one.connect("camera"), two.connect("camera")]
    for camera, near in zip(cameras, "ES", strict=True):
        camera.say("begin", near=near, dealer="E")
    for _ in views():
        cameras[0].show(1, one.room)
        cameras[1].show(1, two.room)
    cameras[0].until(lambda phone: phone.log == FOLLOWED)
    cameras[1].until(lambda phone: "E discard 5m" in phone.log and len(phone.log) == len(FOLLOWED))
    assert cameras[1].hand["state"]["gold"] == "7s"  # type: ignore[index]
    assert [seat.code for seat in server.eyes.near] == ["E", "S"]


def test_a_worker_that_crashes_begins_again_from_the_log(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told; the table goes on with a fresh eye, nothing is lost and nothing comes twice."""
    monkeypatch.setattr(rooms, "REST_S", 0.0)
    crash = 20

    def prepare(eye: ScriptedEye) -> None:
        first = not server.eyes.made
        eye.break_at = {crash} if first else set()
        eye.looked = 0 if first else crash

    server.eyes.prepare = prepare
    table = server.table()
    camera = followed(table, crash)
    camera.frame()
    wait_for(lambda: table.room.seen.crashes == 1)
    camera.show(len(views()) - crash + 8, table.room)
    camera.until(lambda phone: phone.log == FOLLOWED)
    assert camera.until(lambda phone: phone.sight.get("crashes") == 1)
    assert len(server.eyes.made) == 2


def test_tables_fed_at_once_stay_apart_though_one_eye_crashes(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two cameras on two threads; the worker of one table stumbles again and again, the other one never hears of it."""
    monkeypatch.setattr(rooms, "REST_S", 0.0)
    crashes = (9, 17, 18)

    def prepare(eye: ScriptedEye) -> None:
        made = len(server.eyes.made)
        if made != 1:  # every eye of the first table begins where the one before it broke
            eye.looked = ([0, *crashes])[max(0, made - 1)]
            eye.break_at = {at for at in crashes if at > eye.looked} if made < 4 else set()

    other_log = QUIET_LOG.replace("1s", "5m").replace("gold 9m", "gold 7s")
    first, second = views(), views(other_log)
    server.eyes = Eyes(first, second, first, first, first)
    server.eyes.prepare = prepare
    client = server.start()
    tables = [server.table(client), server.table(client)]
    cameras = [one.connect("camera") for one in tables]
    for table, camera in zip(tables, cameras, strict=True):
        camera.say("begin", near="E", dealer="E")
        camera.show(1, table.room)  # the eyes are made in this order

    def feed(place: int) -> None:
        for _ in range(len(first) + 8):
            before = tables[place].room.seen
            wait_for(lambda: cameras[place].frame()["frame"] is not None)  # no faster than a table takes them
            wait_for(lambda old=before: tables[place].room.seen is not old)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(feed, (0, 1)))
    cameras[0].until(lambda phone: phone.log == FOLLOWED)
    cameras[1].until(lambda phone: "E discard 5m" in phone.log and len(phone.log) == len(FOLLOWED))
    assert "E discard 1s" not in cameras[1].log
    assert [one.room.seen.crashes for one in tables] == [3, 0]
    keys = [one["key"] for one in cameras[0].hand["events"]]  # type: ignore[index]
    assert len(set(keys)) == len(keys)


def test_the_table_of_a_deleted_game_is_gone(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """So it is for who looks on by a share code that is another one now."""
    monkeypatch.setattr(sockets, "LOOK_AGAIN_S", 0.1)
    viewer, host = table.look_on(), table.connect()
    table.evening.send("POST", "/share")
    assert viewer.next("gone")["problem"]["status"] == 404
    table.evening.send("DELETE", "")
    assert host.next("gone")["problem"]["status"] == 404


def test_more_tables_than_the_server_bears_are_refused(server: Server) -> None:
    """With a sentence; when one is left, there is room again."""
    server.settings = server.settings.model_copy(update={"live_tables": 1})
    client = server.start()
    one, two = server.table(client), server.table(client)
    phone = one.connect()
    assert two.connect().welcome["problem"]["status"] == 429
    phone.socket.close()
    wait_for(lambda: client.app.state.live.room(one.evening.id).idle)  # type: ignore[attr-defined]
    assert two.connect().welcome["type"] == "welcome"


PASSED_BY = """
gold 9m
E discard 1s
S draw
S discard 3p
W draw
W discard 8p
N draw
N discard 8p
"""
HELD = "1m 2m 3m 4m 5m 6m 7m 8m 9p 9p 6p 7p 2s 3s 4s 7s"
READY = ["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "9m", "6p", "7p", "2s", "3s", "4s", "5s", "5s"]
Say = Callable[..., dict[str, Any]]


def placed(codes: list[str], winning: str, gold: str) -> list[dict[str, Any]]:
    """A hand as the scan page sends it."""
    groups = [*(("hand", code) for code in codes), ("winning", winning), ("gold", gold)]
    return [{"id": f"t{place}", "tile": code, "group": group} for place, (group, code) in enumerate(groups)]


def test_a_win_after_letting_one_pass_is_proved_refused_and_another_one_settled(table: Table) -> None:
    """过水: possible while the hand is closed, certain when it is opened, with the events; a self-draw clears it."""
    phone = table.connect()
    phone.say("begin", dealer="E")
    for line in PASSED_BY.strip().splitlines():
        assert phone.say("insert", text=line)["type"] == "done", line
    phone.say("claim", seat="S")
    claim = phone.until(lambda one: one.hand and one.hand["state"]["claim"])
    assert (claim["seat"], claim["source"], claim["tile"], claim["from"]) == ("S", "discard", "8p", "N")
    assert (claim["stands"], claim["code"]) == (None, "PASS_LOCK")
    assert claim["rule"]["term"]["message"].startswith("过水")
    assert [one["text"] for one in claim["evidence"]] == ["W discard 8p"]
    draft = table.evening.client.get(f"/api/live/{table.evening.id}/claim", headers=table.evening.headers).json()
    assert {(one["group"], one["tile"]) for one in draft["tiles"]} == {("gold", "9m"), ("winning", "8p")}
    assert draft["facts"]["from_seat"] == "N"
    gold_free = [code if code != "9m" else "9s" for code in READY]
    hand = ["1m", "2m", "3m", "4m", "5m", "6m", "1p", "2p", "3p", "6p", "7p", "2s", "3s", "4s", "5s", "5s"]
    assert len(hand) == len(gold_free) == 16
    body = {"tiles": placed(hand, "8p", "9m"), "facts": draft["facts"]}
    answer = table.client.post(f"/api/live/{table.evening.id}/proof", json=body, headers=table.evening.headers)
    proof = answer.json()
    assert (proof["stands"], proof["certain"], proof["code"]) == (False, True, "PASS_LOCK"), answer.text
    assert [one["text"] for one in proof["evidence"]] == ["W discard 8p"]
    assert proof["facts"]["passed"] is True
    phone.say("refuse", tiles=hand)
    phone.until(lambda one: one.hand["state"]["claim"] is None)
    alert = phone.until(lambda one: [warning for warning in one.hand["alerts"] if warning["certain"]])[0]
    assert (alert["kind"], alert["seat"], alert["tile"]) == ("guoshui_win", "S", "8p")
    assert "South" in alert["message"]
    said = "{seat} won on 八饼 8 dots after letting a win pass since the last own discard"
    assert alert["named"]["message"] == said, "the page puts in who sits there"
    assert alert["rule"]["term"]["message"] == "过水 guò shuǐ, passed win"
    assert alert["rule"]["message"] == "A win let go by bars that kind until the own next discard."


def test_a_win_that_stands_ends_the_hand_and_the_next_one_begins(table: Table) -> None:
    """Self-draw: proved by the log, settled in the ledger, the hand is over; the ledger's deal begins the next one."""
    phone = table.connect()
    phone.say("begin", dealer="E")
    for line in PASSED_BY.strip().splitlines():
        phone.say("insert", text=line)
    phone.say("insert", text="E draw")
    phone.say("insert", text="E discard 2s")
    phone.say("claim", seat="S", source="self_draw", tile="8p")
    claim = phone.until(lambda one: one.hand["state"]["claim"])
    assert (claim["source"], claim["code"]) == ("self_draw", None)
    assert phone.log[-2:] == ["S draw", "S win self_draw 8p"]
    hand = ["1m", "2m", "3m", "4m", "5m", "6m", "1p", "2p", "3p", "6p", "7p", "2s", "3s", "4s", "5s", "5s"]
    tiles = placed(hand, "8p", "9m")
    body = {"tiles": tiles, "facts": {}}
    proof = table.client.post(f"/api/live/{table.evening.id}/proof", json=body, headers=table.evening.headers).json()
    assert (proof["stands"], proof["facts"]["passed"]) == (True, False)
    facts = {name: value for name, value in proof["facts"].items() if name not in ("dealer", "streak", "round_wind")}
    entry = table.evening.add({"kind": "win", "tiles": tiles, "facts": facts})
    assert entry["entry"]["settlements"][0]["winner"] == "S"
    assert phone.say("settled", seat="S", tiles=hand)["type"] == "done"
    phone.until(lambda one: one.hand is None)
    assert phone.say("begin")["type"] == "done"
    phone.until(lambda one: one.hand)
    assert phone.hand["state"]["dealer"] == table.evening.game()["deal"]["dealer"]  # type: ignore[index]


def test_people_say_what_lies_where(server: Server) -> None:
    """Corners bring a fresh eye, which is told of named piles before it looks; both outlast a restart."""
    table = server.table()
    camera = followed(table, 20)
    before = camera.until(lambda phone: phone.log if len(phone.log) > 3 else None)
    pile = {"points": [[0.25, 0.5], [0.5, 0.5], [0.5, 0.75], [0.25, 0.75]], "zone": "river", "seat": "S"}
    assert camera.say("area", **pile)["type"] == "done"
    camera.until(lambda phone: phone.hand["state"]["areas"] == [pile])
    camera.show(1, table.room)
    (area,) = server.eyes.made[-1].areas
    assert (area.corners[0], area.zone, area.seat) == ((80.0, 90.0), Zone.RIVER, Seat.SOUTH)
    server.eyes.prepare = lambda eye: setattr(eye, "looked", 21)
    assert camera.say("corners", points=[[0.05, 0.9], [0.95, 0.9], [0.8, 0.2], [0.2, 0.2]])["type"] == "done"
    camera.show(len(views()) - 12, table.room)
    assert [len(eye.areas) for eye in server.eyes.made] == [1, 1]
    assert server.eyes.made[-1].corners
    camera.until(lambda phone: phone.log == FOLLOWED)
    assert camera.log[: len(before)] == before
    assert camera.say("area", points=[[0, 0], [1, 0]], zone="river")["type"] == "refused"
    assert camera.say("forget_areas")["type"] == "done"
    camera.show(1, table.room)
    assert server.eyes.made[-1].areas == ()


def test_a_hand_that_stays_open_after_a_refusal_declares_nothing_more(server: Server) -> None:
    """West's tiles lie there while people argue; the next hand that is laid open counts again."""
    log = QUIET_LOG.replace("N draw\nN discard 2m", "N draw\nN discard 2m\nW win discard 2m hand 13m456m789m1234p1s")
    server.eyes = Eyes(views(log))
    table = server.table(options={"dead_hand": False})
    camera = followed(table, len(views(log)) + 6)
    claim = camera.until(lambda phone: phone.hand["state"]["claim"])
    assert claim["seat"] == "W"
    assert camera.say("refuse")["type"] == "done"
    camera.until(lambda phone: phone.hand["state"]["claim"] is None)
    before = camera.log
    camera.show(20, table.room)
    assert camera.log == before
