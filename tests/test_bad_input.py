"""Bad input through the command line and the API: one clear sentence, the right code, and nothing stored."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from PIL import Image

from assistant_api import commands, commands_evaluate
from assistant_api.settings import Settings
from tests.scripted import ScriptedReader
from tests.support.commands import run
from tests.test_api import EXAMPLE, upload

Maker = Callable[..., TestClient]


def huge_png(side_px: int = 20_000) -> bytes:
    """A small file that claims an enormous picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", side_px, side_px, 1, 0, 0, 0, 0)
    rows = zlib.compress(b"\0" * (side_px // 8 + 1) * side_px, 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def noise_jpeg() -> bytes:
    """A photo in which there is no tile."""
    import io

    out = io.BytesIO()
    Image.effect_noise((640, 480), 40).convert("RGB").save(out, "JPEG")
    return out.getvalue()


BAD_FILES = {
    "text.jpg": (b"this is no photo", 415, "unknown_format", "is a text file; send a photo as JPEG"),
    "empty.jpg": (b"", 422, "empty_file", "is empty; send the photo again"),
    "huge.png": (huge_png(), 413, "photo_too_large", "20000 x 20000 pixels; at most"),
    "cut.jpg": (noise_jpeg()[:2000], 422, "damaged_photo", "cut off or damaged"),
    "page.html.jpg": (b"<html></html>", 415, "unknown_format", "is a web page or drawing"),
}


@pytest.fixture(autouse=True)
def reader(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Commands read nothing in any photo, and keep their data apart."""
    for module in (commands, commands_evaluate):
        monkeypatch.setattr(module, "shipped_reader", lambda *_: ScriptedReader(None))
    monkeypatch.setenv("JINQUE_DATABASE_PATH", str(tmp_path / "cli.sqlite3"))


@pytest.mark.parametrize("command", ["read", "score"])
@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_files_on_the_command_line(
    name: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2 and exactly one line on stderr."""
    data, _, _, sentence = BAD_FILES[name]
    (tmp_path / name).write_bytes(data)
    code, out, err = run(capsys, command, str(tmp_path / name), "--json")
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_files_over_the_wire(name: str, make_client: Maker) -> None:
    """Problem details with a stable code, text in the caller's language, and nothing kept."""
    data, status, code, sentence = BAD_FILES[name]
    client = make_client(language="zh-HK")
    answer = upload(client, data, name)
    problem = answer.json()
    assert (answer.status_code, problem["code"], problem["status"]) == (status, code, status)
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["content-language"] == "zh-Hant"
    assert sentence in problem["reason"]
    assert any("\u4e00" <= letter <= "\u9fff" for letter in problem["detail"])
    assert photos_kept(client) == 0


def photos_kept(client: TestClient) -> int:
    """How many photos the database holds."""
    from sqlalchemy import text

    from assistant_api.storage import transaction

    with transaction(client.app.state.database) as session:  # type: ignore[attr-defined]
        return int(session.connection().execute(text("SELECT count(*) FROM photo")).scalar_one())


def test_too_many_bytes_are_refused_early(make_client: Maker) -> None:
    """12 MB are taken in, 40 MB are not, and a form or JSON body of 2 MB is a clean 4xx."""
    client = make_client()
    assert upload(client, b"\xff\xd8\xff" + bytes(12_000_000)).json()["code"] == "damaged_photo"
    answer = upload(client, b"\xff\xd8\xff" + bytes(40_000_000))
    assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")
    form = client.post("/api/photos", data={"photo": "x" * 2_000_000})
    assert 400 <= form.status_code < 500
    assert form.headers["content-type"] == "application/problem+json"
    body = client.post("/api/settlements/preview", content=b" " * 2_000_000)
    assert (body.status_code, body.json()["code"]) == (413, "body_too_large")


def test_nothing_is_kept_of_a_photo_without_a_tile(make_client: Callable[..., TestClient]) -> None:
    """A sentence, an empty draft, no row."""
    client = make_client()
    assert upload(client, noise_jpeg()).json()["draft"]["message"].startswith("No tile found")
    assert photos_kept(client) == 0


def test_a_photo_without_a_tile(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Reading it is fine and says so; scoring it is a refusal that says to take it again."""
    (tmp_path / "noise.jpg").write_bytes(noise_jpeg())
    code, out, _ = run(capsys, "read", str(tmp_path / "noise.jpg"))
    assert (code, "no tile was found" in out) == (0, True)
    code, out, _ = run(capsys, "score", str(tmp_path / "noise.jpg"), "--gold", "3m", "--self-draw")
    assert code == 1
    assert "No tile found in the photo; get closer and take it again" in out
    assert "jinque score '" not in out  # there is no line to correct


BAD_HANDS = {
    "15 tiles": ("123456m789p23455s6p", "TOO_FEW_TILES", "too few tiles: 15 instead of 17"),
    "18 tiles": ("123456m789p23455s678p5p", "TOO_MANY_TILES", "too many tiles: 18 instead of 17"),
    "five 3m": ("33333m456m789p23455s", "IMPOSSIBLE_TILES", "more 3m than exist"),
    "unreadable": ("123456m789p23455s67p ?", "UNKNOWN_TILE", "a tile cannot be named"),
    "no win": ("123456m789p23455s67p1s", "NOT_COMPLETE", "the hand is not complete"),
}


@pytest.mark.parametrize("name", BAD_HANDS)
def test_hands_that_are_no_win(name: str, capsys: pytest.CaptureFixture[str], make_client: Maker) -> None:
    """A refusal: exit code 1 with the reason, the same reason over the wire, and nothing to save."""
    hand, reason, sentence = BAD_HANDS[name]
    code, out, err = run(capsys, "score", hand, "--gold", "9m", "--self-draw", "--winner", "S")
    assert (code, err) == (1, "")
    assert sentence in out
    assert reason in out
    client = make_client()
    body = {**EXAMPLE, "tiles": as_tiles(hand), "facts": {**EXAMPLE["facts"], "source": "self_draw", "from_seat": None}}
    preview = client.post("/api/settlements/preview", json=body).json()
    assert (preview["legal"], preview["refusal"]["code"], preview["settlement"]) == (False, reason, None)
    assert client.post("/api/hands", json=body).json()["code"] == "not_settled"
    assert client.get("/api/hands").json()["count"] == 0


def as_tiles(hand: str) -> list[dict[str, Any]]:
    """A hand as placed tiles with the gold 9m."""
    from engine.notation import parse_faces

    codes = [face.code for face in parse_faces(hand)]
    tiles = [{"id": f"t{place}", "tile": code, "group": "hand"} for place, code in enumerate(codes)]
    return [*tiles, {"id": "gold", "tile": "9m", "group": "gold"}]


BAD_COMMANDS = {
    "unknown code": (("score", "123x"), "'123x' is not tile notation; expected tiles such as 123m55p"),
    "unknown gold": (("score", "123m", "--gold", "0m"), "argument --gold: '0m'"),
    "unknown seat": (("score", "123m", "--from", "X"), "'X' is not a seat; expected E, S, W or N"),
    "unknown ruleset": (("score", "123m", "--ruleset", "riichi"), "'riichi' is not a ruleset; expected one of fuzhou"),
    "unknown option": (("score", "123m", "--set", "fixed=1"), "fuzhou has no option 'fixed'; expected one of"),
    "bad value": (("score", "123m", "--set", "fixed_points=x"), "fixed_points does not take 'x'; expected a whole"),
    "bad setting": (("score", "123m", "--set", "fixed_points"), "is not a setting; expected name=value"),
    "two ways": (("score", "123m", "--self-draw", "--from", "E"), "--self-draw excludes --from and --how"),
    "bad streak": (("score", "123m", "--streak", "-1"), "--streak"),
    "missing photo": (("score", "missing.jpg"), "cannot open 'missing.jpg'"),
    "missing photos": (("read", "missing.jpg"), "'missing.jpg' does not exist; expected a photo or a folder"),
    "missing cases": (("judge", "missing.jsonl"), "cannot open 'missing.jsonl'"),
    "missing options": (("score", "123m", "--options", "missing.toml"), "cannot read 'missing.toml'"),
    "missing data": (("evaluate", "missing"), "missing is no data set"),
    "missing recipe": (("train", "missing.toml"), "cannot read the recipe missing.toml: no such file or directory"),
    "rules of none": (("rules", "riichi"), "'riichi' is not a ruleset"),
    "no command": ((), "the following arguments are required: COMMAND"),
    "bad port": (("serve", "--port", "99999"), "99999 is not a port"),
    "bench without photo": (("bench", "vision", "--photo", "gone.jpg"), "cannot open 'gone.jpg'"),
}


@pytest.mark.parametrize("name", BAD_COMMANDS)
def test_misuse_is_one_line_and_exit_code_2(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The line repeats what was given and says what was expected."""
    arguments, sentence = BAD_COMMANDS[name]
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1


BAD_BODIES: dict[str, tuple[dict[str, Any], int, str]] = {
    "unknown code": ({"tiles": [{"id": "a", "tile": "1x", "group": "hand"}]}, 422, "bad_notation"),
    "unknown ruleset": ({"tiles": [], "ruleset": "riichi"}, 422, "bad_ruleset"),
    "unknown field": ({"tiles": [], "gold": "3m"}, 422, "invalid_request"),
    "unknown group": ({"tiles": [{"id": "a", "tile": "1m", "group": "river"}]}, 422, "invalid_request"),
    "no tiles": ({}, 422, "invalid_request"),
    "bad seat": ({"tiles": [], "facts": {"winner": "X"}}, 422, "invalid_request"),
    "id twice": ({"tiles": [{"id": "a", "tile": "1m", "group": "hand"}] * 2}, 422, "bad_request"),
    "meld without number": ({"tiles": [{"id": "a", "tile": "1m", "group": "meld"}]}, 422, "bad_request"),
    "too many": (
        {"tiles": [{"id": f"t{n}", "tile": "1m", "group": "hand"} for n in range(200)]},
        422,
        "invalid_request",
    ),
}


@pytest.mark.parametrize("path", ["/api/settlements/preview", "/api/hands"])
@pytest.mark.parametrize("name", BAD_BODIES)
def test_bad_bodies(name: str, path: str, make_client: Maker) -> None:
    """Problem details, never a 500, and nothing saved."""
    body, status, code = BAD_BODIES[name]
    client = make_client()
    answer = client.post(path, json=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert answer.json()["reason"]
    assert client.get("/api/hands").json()["count"] == 0


@pytest.mark.parametrize("path", ["/api/settlements/preview", "/api/hands", "/api/photos"])
def test_unreadable_bodies_are_documented(path: str, make_client: Maker) -> None:
    """What no parser takes is answered with a status the schema names."""
    client, kind = make_client(), "multipart/form-data" if path == "/api/photos" else "application/json"
    answer = client.post(path, content=b"\x84H", headers={"content-type": kind})
    documented = client.get("/openapi.json").json()["paths"][path]["post"]["responses"]
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
    assert "application/problem+json" in documented["400"]["content"]


def test_what_is_not_there(make_client: Maker) -> None:
    """Unknown paths, ids and methods are problems too."""
    client = make_client()
    for method, path, status, code in (
        ("GET", "/nowhere", 404, "not_found"),
        ("GET", "/api/photos/none", 404, "not_found"),
        ("DELETE", "/api/hands/7", 404, "not_found"),
        ("GET", "/api/hands/seven", 422, "invalid_request"),
        ("GET", "/api/hands?limit=0", 422, "invalid_request"),
        ("PUT", "/api/hands", 405, "method_not_allowed"),
        ("POST", "/api/photos", 422, "invalid_request"),
    ):
        answer = client.request(method, path)
        assert (answer.status_code, answer.json()["code"]) == (status, code), path


def test_a_fault_is_told_and_logged_without_a_trace(make_client: Maker, caplog: pytest.LogCaptureFixture) -> None:
    """An unexpected fault is a 500 problem with no inner detail; the log has it, and nothing is kept."""

    class Broken:
        def read(self, *_: object, **__: object) -> None:
            raise RuntimeError("secret detail")

    client = make_client(Broken())
    answer = upload(client, noise_jpeg())
    assert (answer.status_code, answer.json()["code"]) == (500, "internal_error")
    assert "secret" not in answer.text
    assert "secret detail" in caplog.text
    assert photos_kept(client) == 0


def test_missing_networks_are_told(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without networks a photo is answered with 503; typed hands still settle."""
    from assistant_api.app import create_app
    from vision.errors import ModelMissingError

    def no_reader(_: Settings) -> ScriptedReader:
        raise ModelMissingError("the network 'detector' is not installed")

    with TestClient(create_app(settings, reader=no_reader), headers={"Accept-Language": "en"}) as client:
        answer = upload(client, noise_jpeg())
        assert (answer.status_code, answer.json()["code"]) == (503, "model_missing")
        assert client.post("/api/settlements/preview", json=EXAMPLE).json()["legal"] is True
