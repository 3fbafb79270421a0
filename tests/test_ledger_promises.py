"""What the ledger promises about photos, repeated requests, asking first and writing too fast."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient
from PIL import Image
from sqlalchemy import text

from assistant_api import limits
from assistant_api.rows import now
from tests.scripted import SAMPLES, ScriptedReader
from tests.support.evening import DRAW, Evening, begin, penalty, win

Maker = Callable[..., TestClient]
SAMPLE = SAMPLES / "three-golds.json"


def _photo(exif: Image.Exif | None = None) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (64, 48), "green").save(out, "JPEG", **({"exif": exif} if exif else {}))
    return out.getvalue()


def _upload(evening: Evening, data: bytes = b"", **headers: str) -> Any:
    files = {"photo": ("photo.jpg", data or _photo(), "image/jpeg")}
    return evening.client.post("/api/photos", files=files, headers=headers)


def _with_photo(evening: Evening) -> tuple[int, str]:
    """A win with a photo: its number, and where the photo is."""
    photo = _upload(evening).json()["photo"]
    entry = evening.add(win("E", "W", photo_id=photo["id"]))["entry"]
    return entry["id"], photo["url"]


@pytest.fixture
def client(make_client: Maker) -> TestClient:
    """The API with a reader of one sample."""
    return make_client(ScriptedReader(SAMPLE))


# Photos


def test_photos_of_a_game_that_keeps_none(client: TestClient) -> None:
    """Gone as soon as the hand is entered."""
    evening = begin(client, photo_retention="none")
    number, url = _with_photo(evening)
    assert client.get(url).status_code == 404
    assert evening.send("GET", f"/entries/{number}").json()["photo_url"] is None


def test_photos_are_kept_until_the_game_is_finished(client: TestClient) -> None:
    """Finished: gone, and gone they stay; the hands stay."""
    evening = begin(client)
    number, url = _with_photo(evening)
    assert evening.send("GET", f"/entries/{number}").json()["photo_url"] == url
    assert client.get(url).status_code == 200
    evening.send("POST", "/finish").raise_for_status()
    assert client.get(url).status_code == 404
    evening.send("POST", "/reopen").raise_for_status()
    entry = evening.send("GET", f"/entries/{number}").json()
    assert (entry["photo_url"], entry["deltas"]) == (None, [14, 0, -14, 0])


def test_photos_are_kept_for_days(client: TestClient) -> None:
    """Seven days: there after six, gone after eight; those of another game stay; finishing leaves them."""
    evening, other = begin(client, photo_retention="days", photo_days=7), begin(client)
    number, url = _with_photo(evening)
    _, kept = _with_photo(other)
    evening.send("POST", "/finish").raise_for_status()
    for age, status in ((6, 200), (8, 404)):
        _age_photos(client, age)
        client.app.state.desk.sweep()  # type: ignore[attr-defined]
        assert (client.get(url).status_code, client.get(kept).status_code) == (status, 200)
    assert evening.send("GET", f"/entries/{number}").json()["photo_url"] is None


def _age_photos(client: TestClient, days: int) -> None:
    moment = (now() - timedelta(days=days)).replace(tzinfo=None).isoformat(sep=" ")
    with client.app.state.database.begin() as connection:  # type: ignore[attr-defined]
        connection.execute(text("UPDATE photo SET created_at = :moment"), {"moment": moment})


def test_photos_go_with_their_game_and_their_entry(client: TestClient) -> None:
    """A hand removed, a hand corrected with another photo, a game told to keep none, a game deleted."""
    evening = begin(client)
    first, removed = _with_photo(evening)
    evening.send("DELETE", f"/entries/{first}").raise_for_status()
    second, replaced = _with_photo(evening)
    fresh = _upload(evening).json()["photo"]
    evening.send("PUT", f"/entries/{second}", win("E", "W", photo_id=fresh["id"])).raise_for_status()
    _, deleted = _with_photo(evening)
    assert [client.get(url).status_code for url in (removed, replaced, fresh["url"], deleted)] == [404, 404, 200, 200]
    other = begin(client)
    _, unwanted = _with_photo(other)
    other.send("PATCH", "", {"photo_retention": "none"}).raise_for_status()
    assert client.get(unwanted).status_code == 404
    assert evening.send("DELETE", "").status_code == 204
    assert [client.get(url).status_code for url in (fresh["url"], deleted)] == [404, 404]


def test_undoing_a_correction_takes_its_photo_off_the_hand(client: TestClient) -> None:
    """The hand shows the photo it was read from, or none; never that of another reading."""
    evening = begin(client)
    number = evening.add(win("E", "W"))["entry"]["id"]
    photo = _upload(evening).json()["photo"]
    evening.send("PUT", f"/entries/{number}", win("S", "W", photo_id=photo["id"])).raise_for_status()
    assert evening.send("POST", "/undo").json()["entries"][0]["photo_url"] is None
    assert evening.send("POST", "/redo").json()["entries"][0]["photo_url"] == photo["url"]


def test_the_place_a_photo_was_taken_at_is_nowhere(client: TestClient) -> None:
    """Not in the kept picture, not in the answer, not in a row of the database."""
    exif = Image.Exif()
    exif[0x010F] = "MAKER-OF-PHONES"
    exif.get_ifd(0x8825).update({1: "N", 2: (26.0, 4.0, 31.0), 3: "E", 4: (119.0, 17.0, 47.0), 29: "2026:01:31"})
    evening = begin(client)
    data = _photo(exif)
    assert b"MAKER-OF-PHONES" in data
    answer = _upload(evening, data, **{"Idempotency-Key": "with-a-place"})
    kept = client.get(answer.json()["photo"]["url"]).content
    with Image.open(io.BytesIO(kept)) as image:
        assert dict(image.getexif()) == {}
    with client.app.state.database.connect() as connection:  # type: ignore[attr-defined]
        rows = [repr(row) for name in ("photo", "receipt") for row in connection.execute(text(f"SELECT * FROM {name}"))]
    for place in (kept.decode("latin-1"), answer.text, *rows):
        assert not any(trace in place for trace in ("Exif", "MAKER-OF-PHONES", "2026:01:31", "119.0"))


def test_who_may_only_look_deletes_no_photo(client: TestClient) -> None:
    """The link for looking shows where photos are; deleting one that a game shows needs a token for writing there."""
    evening, stranger = begin(client), begin(client)
    number, url = _with_photo(evening)
    viewer = client.post(f"/api/games/{evening.share_code}/join", json={"role": "viewer"}).json()["token"]
    for headers, status in (({}, 401), (stranger.headers, 401), ({"Authorization": f"Bearer {viewer}"}, 403)):
        assert client.delete(url, headers=headers).status_code == status
    assert client.get(url).status_code == 200
    assert client.delete(url, headers=evening.headers).status_code == 204
    assert evening.send("GET", f"/entries/{number}").json()["photo_url"] is None
    loose = _upload(evening).json()["photo"]["url"]
    assert client.delete(loose).status_code == 204


# Asking twice, asking first


def test_a_photo_sent_again_is_not_read_again(make_client: Maker) -> None:
    """The queue of a phone that lost the answer: same key, same photo, one row; another photo with the key: told."""
    reader = ScriptedReader(SAMPLE)
    reads: list[int] = []
    read = reader.read
    reader.read = lambda *given, **more: (reads.append(1), read(*given, **more))[1]  # type: ignore[method-assign]
    evening = begin(make_client(reader))
    key = {"Idempotency-Key": "photo-of-hand-1"}
    first, again = _upload(evening, **key), _upload(evening, **key)
    assert (first.status_code, again.status_code, again.json()) == (201, 201, first.json())
    assert (len(reads), again.headers["idempotency-replayed"]) == (1, "true")
    other = _upload(evening, _photo() + b"another", **key)
    assert (other.status_code, other.json()["code"]) == (409, "conflict")
    evening.client.delete(first.json()["photo"]["url"])
    anew = _upload(evening, **key)
    assert (anew.status_code, len(reads)) == (201, 2)
    assert evening.client.get(anew.json()["photo"]["url"]).status_code == 200


def test_a_deletion_sent_again_was_done(client: TestClient) -> None:
    """With its key the second answer is the first one; without a key there is nothing any more."""
    evening = begin(client)
    url = _upload(evening).json()["photo"]["url"]
    key = {"Idempotency-Key": "delete-this"}
    assert [client.delete(url, headers=key).status_code for _ in range(2)] == [204, 204]
    assert client.delete(url).status_code == 404
    again = evening.send("DELETE", "", headers=key)
    assert (again.status_code, again.json()["code"]) == (409, "conflict")
    key = {"Idempotency-Key": "delete-the-game"}
    done = [evening.send("DELETE", "", headers=key) for _ in range(2)]
    assert [answer.status_code for answer in done] == [204, 204]
    assert [answer.headers.get("idempotency-replayed") for answer in done] == [None, "true"]
    assert evening.send("DELETE", "").status_code == 404


def test_a_correction_can_be_asked_first(client: TestClient) -> None:
    """The answer of the correction, later hands included; nothing is written and no key used up."""
    evening = begin(client)
    first = evening.add(win("E", "W"))["entry"]["id"]
    evening.add(win("E", "W"))
    before = (evening.game(), evening.entries(), evening.send("GET", "/history").json())
    key = {"Idempotency-Key": "asked-and-then-done"}
    asked = evening.send("POST", "/entries/preview", win("S", "W"), params={"entry": first}, headers=key)
    assert [one["deltas"] for one in asked.json()["entries"]] == [[0, 14, -14, 0], [14, 0, -14, 0]]
    assert (evening.game(), evening.entries(), evening.send("GET", "/history").json()) == before
    done = evening.send("PUT", f"/entries/{first}", win("S", "W"), headers=key)
    assert "idempotency-replayed" not in done.headers
    assert _figures(done.json()) == _figures(asked.json())
    refused = evening.send("POST", "/entries/preview", {**win("S"), "facts": {}}, params={"entry": first})
    assert refused.json()["code"] == "not_settled"


def _figures(change: dict[str, Any]) -> Any:
    return change["version"], change["game"]["totals"], [one["totals"] for one in change["entries"]]


# Too fast


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Too many requests from this phone; please wait {} seconds."),
        ("zh-CN", "这部手机请求太多，请等 {} 秒。"),
        ("zh-TW", "這部手機請求太多，請等 {} 秒。"),
    ],
)
def test_writing_too_fast_is_told(language: str, sentence: str, make_client: Maker) -> None:
    """429 with Retry-After, in the caller's language; looking, previews and the other limit go on."""
    client = make_client(ScriptedReader(SAMPLE), language=language, writes_per_minute=3, photos_per_minute=2)
    evening = begin(client)
    for _ in range(2):
        evening.add(DRAW)
    answer = evening.send("POST", "/entries", DRAW)
    told = answer.json()
    wait = int(answer.headers["retry-after"])
    assert (answer.status_code, told["code"], told["status"]) == (429, "too_many_requests", 429)
    assert 0 < wait <= 60
    assert told["detail"] == sentence.format(wait)
    assert answer.headers["content-type"] == "application/problem+json"
    assert len(evening.entries()) == 2
    assert client.post("/api/settlements/preview", json={"tiles": []}).status_code == 200
    assert [_upload(evening).status_code for _ in range(3)] == [201, 201, 429]


def test_after_the_wait_writing_goes_on(make_client: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute later; a clock that was set back locks nobody out."""
    evening = begin(make_client(writes_per_minute=2))
    evening.add(DRAW)
    assert evening.send("POST", "/entries", DRAW).status_code == 429
    moment = limits.time.time()
    monkeypatch.setattr("time.time", lambda: moment + 61)
    evening.add(DRAW)
    evening.add(penalty("W"))
    monkeypatch.setattr("time.time", lambda: moment - 3600)
    answer = evening.send("POST", "/entries", DRAW)
    assert answer.status_code == 201
