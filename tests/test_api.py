"""The API: a photo to a draft, a hand to its settlement, saved hands and their totals."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient
from PIL import Image
from sqlalchemy import text

from assistant_api import repository
from assistant_api.rows import EARLIER_HANDS, EntryRow
from assistant_api.schemas import SettlementRequest
from assistant_api.settings import Settings
from assistant_api.storage import open_database, transaction
from engine.tiles import Tile
from tests.scripted import SAMPLES, ScriptedReader

Maker = Callable[..., TestClient]
EXAMPLE: dict[str, Any] = SettlementRequest.model_config["json_schema_extra"]["examples"][0]  # type: ignore[index, call-overload]


def sample(name: str) -> tuple[bytes, dict[str, Any], ScriptedReader]:
    """A bundled photo, its truth and a reader that reads it."""
    truth = json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    return (SAMPLES / f"{name}.jpg").read_bytes(), truth, ScriptedReader(SAMPLES / f"{name}.json")


def upload(client: TestClient, data: bytes, name: str = "photo.jpg", kind: str = "image/jpeg") -> Any:
    """Send a photo."""
    return client.post("/api/photos", files={"photo": (name, data, kind)})


def placed(draft: dict[str, Any]) -> list[dict[str, Any]]:
    """The tiles of a draft as the page sends them back."""
    return [{key: tile[key] for key in ("id", "tile", "group", "meld")} for tile in draft["tiles"]]


def request_for(answer: dict[str, Any], truth: dict[str, Any]) -> dict[str, Any]:
    """A settlement request with the facts of a sample."""
    facts = truth["facts"]
    return {
        "tiles": placed(answer["draft"]),
        "photo_id": answer["photo"]["id"],
        "ruleset": truth["ruleset"],
        "facts": {
            "winner": facts["winner"],
            "source": facts["win"],
            "from_seat": facts["from"],
            "dealer": facts["dealer"],
            "streak": facts["streak"],
        },
    }


@pytest.mark.parametrize("name", sorted(path.stem for path in SAMPLES.glob("*.jpg")))
def test_sample_photos_settle_as_their_truth_says(name: str, make_client: Maker) -> None:
    """From upload to deltas for every bundled sample; an open kong is named as the truth has it."""
    data, truth, reader = sample(name)
    client = make_client(reader)
    answer = upload(client, data)
    assert answer.status_code == 201, answer.text
    body = request_for(answer.json(), truth)
    preview = client.post("/api/settlements/preview", json=body).json()
    unsure = [meld["meld"] for meld in preview["check"]["melds"] if not meld["certain"]]
    if unsure:
        assert preview["legal"] is None
        assert preview["questions"][0]["fact"] == "meld_kind"
        kind = "kong_added" if "+" in truth["hand"].partition("melds")[2].partition("|")[0] else "kong_open"
        body["facts"]["meld_kinds"] = dict.fromkeys(unsure, kind)
        preview = client.post("/api/settlements/preview", json=body).json()
    assert preview["legal"] is True, preview
    settled = preview["settlement"]
    assert (settled["per_payer"], settled["deltas"]) == (truth["expected"]["per_payer"], truth["expected"]["deltas"])


def test_a_photo_is_kept_upright_small_and_without_exif(make_client: Maker) -> None:
    """What is kept is a JPEG turned upright, without the place it was taken at; the size told is the original's."""
    picture, exif = Image.new("RGB", (2400, 1200), "green"), Image.Exif()
    exif[0x0112] = 6
    exif.get_ifd(0x8825)[1] = "N"
    out = io.BytesIO()
    picture.save(out, "JPEG", exif=exif)
    client = make_client(ScriptedReader(SAMPLES / "plain.json"))
    photo = upload(client, out.getvalue()).json()["photo"]
    assert (photo["width"], photo["height"]) == (1200, 2400)
    kept = client.get(photo["url"])
    assert kept.headers["content-type"] == "image/jpeg"
    with Image.open(io.BytesIO(kept.content)) as image:
        assert image.size == (1000, 2000)
        assert dict(image.getexif()) == {}


def test_a_photo_sent_again_under_its_key_is_the_same_photo(make_client: Maker) -> None:
    """Same key and picture: the same photo once more; same key, other picture: refused, the first one stays."""
    client = make_client(ScriptedReader(SAMPLES / "plain.json"))
    data = sample("plain")[0]

    def send(content: bytes, key: str) -> Any:
        return client.post("/api/photos", files={"photo": ("a.jpg", content)}, headers={"Idempotency-Key": key})

    first, again, other = send(data, "key-number-one"), send(data, "key-number-one"), send(data, "key-number-two")
    assert first.json()["photo"] == again.json()["photo"]
    assert first.json()["photo"]["id"] != other.json()["photo"]["id"]
    refused = send(sample("jinque")[0], "key-number-one")
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert send(data, "short").status_code == 422
    assert client.get(first.json()["photo"]["url"]).status_code == 200


def test_what_an_answer_rests_on_can_be_answered(make_client: Maker) -> None:
    """A win names the facts nobody gave; each can be answered: the tile was passed before, so it is no win."""
    client = make_client()

    def preview(**facts: object) -> Any:
        body = {**EXAMPLE, "facts": {**EXAMPLE["facts"], **facts}}
        return client.post("/api/settlements/preview", json=body).json()

    assumed = {asked["fact"] for asked in preview()["settlement"]["assumed"]}
    assert {"gold_discarded", "passed"} <= assumed
    refusal = preview(passed=True)["refusal"]
    assert refusal["code"] == "PASS_LOCK"
    assert refusal["remedy"]
    settled = preview(passed=False, gold_discarded=False)["settlement"]
    assert {"gold_discarded", "passed"}.isdisjoint(asked["fact"] for asked in settled["assumed"])


def test_photo_formats_are_known_by_content(make_client: Maker) -> None:
    """HEIC, WebP and PNG are taken under any name and type."""
    client = make_client(ScriptedReader(SAMPLES / "plain.json"))
    import pillow_heif

    pillow_heif.register_heif_opener()
    for kind in ("HEIF", "WEBP", "PNG"):
        out = io.BytesIO()
        Image.new("RGB", (320, 240), "white").save(out, kind)
        assert upload(client, out.getvalue(), "photo.jpg", "application/octet-stream").status_code == 201, kind


def test_a_photo_without_tiles_is_an_empty_draft(make_client: Maker) -> None:
    """No tile is no error: an empty list and a sentence that says what to do; nothing is kept."""
    answer = upload(make_client(ScriptedReader(None)), sample("plain")[0])
    assert answer.status_code == 200
    assert answer.json()["photo"] is None
    assert answer.json()["draft"]["tiles"] == []
    assert answer.json()["draft"]["message"].startswith("No tile found")
    assert answer.json()["reading"]["problems"][0]["code"] == "no_tiles"


def test_unsure_tiles_are_marked_with_their_alternatives(make_client: Maker) -> None:
    """An unknown and a doubtful tile are not sure; each offers what else it may be."""
    data, truth, _ = sample("jinque")
    reader = ScriptedReader(SAMPLES / "jinque.json", {3: None, 5: Tile.P1})
    tiles = {tile["id"]: tile for tile in upload(make_client(reader), data).json()["draft"]["tiles"]}
    assert len(tiles) == len(truth["tiles"])
    assert [name for name, tile in sorted(tiles.items()) if not tile["sure"]] == ["t3", "t5"]
    assert tiles["t3"]["tile"] == "?"
    assert tiles["t5"]["alternatives"] == [[truth["tiles"][5]["tile"], 0.35]]


def test_missing_facts_are_asked(make_client: Maker) -> None:
    """Without facts the answer is neither yes nor no; the questions come in the caller's language."""
    answer = make_client(language="zh").post("/api/settlements/preview", json={**EXAMPLE, "facts": {}}).json()
    assert answer["legal"] is None
    assert [asked["fact"] for asked in answer["questions"]] == ["source", "winner", "dealer", "streak"]
    assert answer["questions"][1]["text"] == "谁胡了？"


def test_a_refusal_says_why_and_what_would_help(make_client: Maker) -> None:
    """A hand that is not complete is refused in one sentence."""
    tiles = [{**tile, "tile": "1s" if tile["group"] == "winning" else tile["tile"]} for tile in EXAMPLE["tiles"]]
    answer = make_client().post("/api/settlements/preview", json={**EXAMPLE, "tiles": tiles}).json()
    assert (answer["legal"], answer["refusal"]["code"]) == (False, "NOT_COMPLETE")
    assert answer["refusal"]["remedy"].startswith("The tiles must make whole sets and a pair")


def test_options_change_the_score(make_client: Maker) -> None:
    """Options are taken by value or as text, and a wrong one is told."""
    client = make_client()
    plain = client.post("/api/settlements/preview", json=EXAMPLE).json()["settlement"]["per_payer"]
    dearer = client.post("/api/settlements/preview", json={**EXAMPLE, "options": {"fixed_points": "10"}}).json()
    assert dearer["settlement"]["per_payer"] == plain + 10
    wrong = client.post("/api/settlements/preview", json={**EXAMPLE, "options": {"fixed": 1}})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "bad_ruleset")


def test_saved_hands_and_totals(make_client: Maker) -> None:
    """Hands come newest first with totals that sum to zero; the last one tells the next dealer; deleting takes back."""
    client = make_client()
    assert client.get("/api/facts").json()["dealer"] is None
    facts = {**EXAMPLE["facts"], "winner": "E", "source": "self_draw", "from_seat": None, "streak": 1}
    ids = [
        client.post("/api/hands", json=body).json()["id"]
        for body in (EXAMPLE, {**EXAMPLE, "facts": facts}, {**EXAMPLE, "ruleset": "fuzhou-baida"})
    ]
    page = client.get("/api/hands", params={"limit": 2}).json()
    assert [hand["id"] for hand in page["hands"]] == ids[:0:-1]
    assert page["count"] == 3
    rest = client.get("/api/hands", params={"limit": 2, "before": page["next_before"]}).json()
    assert ([hand["id"] for hand in rest["hands"]], rest["next_before"]) == (ids[:1], None)
    deltas = [hand["deltas"] for hand in page["hands"] + rest["hands"]]
    assert page["totals"] == [sum(column) for column in zip(*deltas, strict=True)]
    assert sum(page["totals"]) == 0
    assert client.delete(f"/api/hands/{ids[2]}").status_code == 204
    assert client.get(f"/api/hands/{ids[2]}").status_code == 404
    known = client.get("/api/facts").json()
    assert (known["dealer"], known["streak"]) == ("E", 2)
    assert client.get(f"/api/hands/{ids[1]}").json()["options"]["fixed_points"] == 5


def test_a_hand_saved_in_chinese_reads_in_english(make_client: Maker) -> None:
    """What is kept knows no language."""
    client = make_client(language="zh")
    saved = client.post("/api/hands", json=EXAMPLE).json()
    assert saved["result"]["how"] == "西家点炮"
    english = client.get(f"/api/hands/{saved['id']}", headers={"Accept-Language": "en"}).json()
    assert english["result"]["how"] == "off a discard of West 点炮"
    traditional = client.get(f"/api/hands/{saved['id']}", params={"lang": "zh-TW"}).json()
    assert traditional["result"]["how"] == "西家點炮"


def test_the_same_key_saves_once(make_client: Maker) -> None:
    """A repeated request answers with the hand that is there; the key cannot be used for another hand."""
    client, key = make_client(), {"Idempotency-Key": "0123456789"}
    first = client.post("/api/hands", json=EXAMPLE, headers=key)
    again = client.post("/api/hands", json=EXAMPLE, headers=key)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    other = {**EXAMPLE, "facts": {**EXAMPLE["facts"], "streak": 3}}
    clash = client.post("/api/hands", json=other, headers=key)
    assert (clash.status_code, clash.json()["code"]) == (409, "conflict")
    assert client.get("/api/hands").json()["count"] == 1


def test_only_a_settled_win_is_saved(make_client: Maker) -> None:
    """Refused and unanswered hands are 409 with the preview that says why; nothing is stored."""
    client = make_client()
    answer = client.post("/api/hands", json={**EXAMPLE, "facts": {}})
    assert (answer.status_code, answer.json()["code"]) == (409, "not_settled")
    assert answer.json()["preview"]["questions"]
    assert client.get("/api/hands").json()["count"] == 0


def test_a_photo_lives_and_dies_with_its_hand(make_client: Maker) -> None:
    """A saved hand shows its photo; it can be deleted alone, and goes with the hand."""
    data, truth, reader = sample("jinque")
    client = make_client(reader)
    hands = []
    for _ in range(2):
        answer = upload(client, data).json()
        hands.append(client.post("/api/hands", json=request_for(answer, truth)).json())
    assert client.get(hands[0]["photo_url"]).status_code == 200
    assert client.delete(hands[0]["photo_url"]).status_code == 204
    assert client.get(f"/api/hands/{hands[0]['id']}").json()["photo_url"] is None
    assert client.delete(f"/api/hands/{hands[1]['id']}").status_code == 204
    assert client.get(hands[1]["photo_url"]).status_code == 404
    unknown = client.post("/api/hands", json={**EXAMPLE, "photo_id": "none"})
    assert (unknown.status_code, unknown.json()["code"]) == (404, "not_found")


def test_unsaved_photos_are_forgotten(make_client: Maker, settings: Settings) -> None:
    """A photo that belongs to no saved hand goes after some hours; one that does stays."""
    data, truth, reader = sample("jinque")
    client = make_client(reader)
    lost, kept = upload(client, data).json(), upload(client, data).json()
    client.post("/api/hands", json=request_for(kept, truth)).raise_for_status()
    with transaction(open_database(settings.database_path)) as session:
        session.connection().execute(text("UPDATE photo SET created_at = '2020-01-01 00:00:00'"))
    upload(client, data)
    assert client.get(lost["photo"]["url"]).status_code == 404
    assert client.get(kept["photo"]["url"]).status_code == 200


def test_the_database_refuses_deltas_that_do_not_sum_to_zero(settings: Settings) -> None:
    """The last guard: a fault in the program cannot write such a row, and nothing of its transaction stays."""
    database = open_database(settings.database_path)
    row = EntryRow(
        game_id=EARLIER_HANDS,
        position=1,
        version=1,
        role="anyone",
        kind="win",
        ruleset="fuzhou",
        options={},
        content={},
        result={},
        east_points=10,
        south_points=-10,
        west_points=1,
    )
    with pytest.raises(Exception, match="points_sum_to_zero"), transaction(database) as session:
        session.add(row)
    with transaction(database) as session:
        assert repository.totals(session, EARLIER_HANDS).kinds == {}
        assert session.connection().execute(text("PRAGMA journal_mode")).scalar() == "wal"
        assert session.connection().execute(text("PRAGMA foreign_keys")).scalar() == 1
    database.dispose()


def test_rulesets_are_listed_with_their_options(make_client: Maker) -> None:
    """Name, value, choices and meaning of every option, in the caller's language."""
    found = make_client(language="zh").get("/api/rulesets").json()
    assert [one["name"] for one in found][:2] == ["fuzhou", "fuzhou-baida"]
    option = next(one for one in found[0]["options"] if one["name"] == "fixed_points")
    assert (option["value"], option["kind"]) == (5, "number")


def test_openapi_documents_problems_and_examples(make_client: Maker) -> None:
    """Every route says what it may answer, and the example of a settlement really settles."""
    client = make_client()
    document = client.get("/openapi.json").json()
    assert "application/problem+json" in document["paths"]["/api/photos"]["post"]["responses"]["415"]["content"]
    example = document["components"]["schemas"]["SettlementRequest"]["examples"][0]
    assert client.post("/api/settlements/preview", json=example).json()["legal"] is True


def test_pages_and_assets(make_client: Maker) -> None:
    """Both pages, the sprite and the scripts are served with their headers; the language is remembered."""
    client = make_client()
    page = client.get("/", params={"lang": "zh-HK"})
    assert '<html lang="zh-Hant"' in page.text
    assert "拍照" in page.text
    assert "default-src 'self'" in page.headers["content-security-policy"]
    assert '<html lang="zh-Hant"' in client.get("/hands").text
    sprite = client.get("/static/tiles.svg")
    assert sprite.headers["content-type"] == "image/svg+xml"
    assert sprite.text.count("<symbol") == 44
    assert client.get("/static/js/scan.js").headers["cache-control"] == "no-cache"


def test_four_clients_write_at_once(make_client: Maker) -> None:
    """Every write lands, none is lost or refused, and the totals still sum to zero."""
    client = make_client()

    def save(number: int) -> int:
        key = {"Idempotency-Key": f"key-{number // 2:05d}"}
        return client.post("/api/hands", json=EXAMPLE, headers=key).status_code

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(save, range(100)))
    assert sorted(found) == [200] * 50 + [201] * 50
    page = client.get("/api/hands").json()
    assert (page["count"], sum(page["totals"])) == (50, 0)


def test_chinese_official_hand(make_client: Maker) -> None:
    """The page's questions for a game with rounds, then rows, payments and a saved hand."""
    codes = ["1m", "2m", "3m", "4p", "5p", "6p", "E", "E", "E", "2s", "2s", "4s", "5s"]
    tiles = [{"id": f"h{place}", "tile": code, "group": "hand"} for place, code in enumerate(codes)]
    tiles.append({"id": "w", "tile": "6s", "group": "winning"})
    body: dict[str, object] = {"tiles": tiles, "ruleset": "mcr"}
    facts = {"winner": "E", "dealer": "E", "source": "self_draw"}
    client = make_client()
    asked = client.post("/api/settlements/preview", json={**body, "facts": facts}).json()
    assert [question["fact"] for question in asked["questions"]] == ["round_wind"]
    answer = client.post("/api/settlements/preview", json={**body, "facts": {**facts, "round_wind": "E"}}).json()
    assert answer["legal"] is True
    assert answer["settlement"]["win_types"][0]["code"] == "buqiuren"
    assert sum(answer["settlement"]["deltas"]) == 0
    assert answer["settlement"]["next_dealer"] == "S"
    saved = client.post("/api/hands", json={**body, "facts": {**facts, "round_wind": "E"}})
    assert saved.status_code == 201, saved.text
