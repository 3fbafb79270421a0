"""Static files by version, headers on every answer, the manifest and the service worker's text."""

from __future__ import annotations

import io
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from assistant_api.assets import WEB, Assets
from assistant_api.headers import SECURITY_HEADERS
from assistant_api.services.ledger import hands
from tests.support.icons import ICONS

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

Maker = Callable[..., "TestClient"]
GAME_PAGES = ("/games", "/games/new", "/g/x", "/g/x/settings", "/g/x/history", "/g/x/print", "/t/x")
PAGES = ("/", "/hands", "/tilesets", "/offline", *GAME_PAGES)


def changed_web(folder: Path, name: str, old: str, new: str) -> Path:
    """A copy of the folder of pages in which one file reads differently."""
    web = Path(shutil.copytree(WEB, folder / "web"))
    text = (web / name).read_text(encoding="utf-8")
    assert old in text
    (web / name).write_text(text.replace(old, new), encoding="utf-8")
    return web


@pytest.mark.parametrize("path", PAGES)
def test_pages_name_static_files_by_version_only(make_client: Maker, path: str) -> None:
    """Each address a page loads is there, holds the version, and may be kept for ever."""
    client = make_client()
    page = client.get(path)
    assert page.headers["cache-control"] == "no-cache"
    named = set(re.findall(r'(?:href|src)="(/[^"#]*\.[a-z0-9]+)', page.text))
    assert any(name.endswith("style.css") for name in named)
    for name in named - {"/manifest.webmanifest"}:
        assert re.match(r"/static/[0-9a-f]{12}/", name), name
        found = client.get(name)
        assert found.status_code == 200, name
        assert found.headers["cache-control"] == "public, max-age=31536000, immutable"


def test_scripts_import_each_other_by_relative_addresses() -> None:
    """So that a script of one version never loads one of another; and nothing comes from elsewhere."""
    for path in (WEB / "static" / "js").glob("*.js"):
        script = path.read_text(encoding="utf-8")
        for source in re.findall(r"""(?<![.\w])(?:from|import)\s*\(?["']([^"']+)["']""", script):
            assert source.startswith("./"), (path.name, source)
            assert (path.parent / source).is_file(), (path.name, source)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("static/style.css", "--radius: 18px", "--radius: 17px"),
        ("static/js/dom.js", "2600", "2700"),
        ("templates/hands.html", "card empty", "card  empty"),
        ("worker.js", "6000", "7000"),
    ],
)
def test_any_change_of_a_page_is_a_new_version(tmp_path: Path, name: str, old: str, new: str) -> None:
    """The version follows content alone: the same files give the same one."""
    assert Assets().version == Assets().version
    assert Assets(changed_web(tmp_path, name, old, new)).version != Assets().version


def test_another_version_is_not_found(make_client: Maker) -> None:
    """An old page gets no newer script under its old address."""
    client = make_client()
    version = client.get("/api/version").json()["page"]
    assert client.get(f"/static/{version}/js/boot.js").status_code == 200
    missing = client.get("/static/000000000000/js/boot.js")
    assert (missing.status_code, missing.headers["cache-control"]) == (404, "no-store")
    assert client.get(f"/static/{version}/../app.py").status_code == 404
    assert client.get("/static/js/..%2f..%2f..%2fapp.py").status_code == 404


def test_text_travels_packed(make_client: Maker) -> None:
    """Where the browser takes gzip it gets it, and the same text without."""
    client = make_client()
    packed = client.get("/static/tiles.svg", headers={"Accept-Encoding": "gzip"})
    plain = client.get("/static/tiles.svg", headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) * 5 < int(plain.headers["content-length"])
    assert packed.text == plain.text


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", path) for path in (*PAGES, "/api/hands", "/nothing", "/openapi.json", "/worker.js", "/static/style.css")]
    + [("POST", "/api/hands"), ("POST", "/"), ("DELETE", "/api/hands/77")],
)
def test_every_answer_carries_the_security_headers(make_client: Maker, method: str, path: str) -> None:
    """Pages, files, answers and errors; and no rule allows inline scripts or styles."""
    answer = make_client().request(method, path)
    assert SECURITY_HEADERS.items() <= {name.title(): value for name, value in answer.headers.items()}.items()
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    if path.startswith("/api/"):
        assert answer.headers["cache-control"] == "no-store"


def test_a_fault_carries_the_security_headers(make_client: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer to an error nobody foresaw is made outside the app's own layers."""

    def broken(*_args: object, **_kwargs: object) -> None:
        raise RuntimeError("broken for the test")

    monkeypatch.setattr(hands, "listed", broken)
    answer = make_client().get("/api/hands")
    assert answer.status_code == 500
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(("lang", "name"), [("zh-Hans", "金雀"), ("zh-Hant", "金雀"), ("en", "Jinque 金雀")])
def test_manifest(make_client: Maker, lang: str, name: str) -> None:
    """Installable: names, icons of the promised sizes, own window, any orientation."""
    client = make_client()
    assert f"/manifest.webmanifest?lang={lang}" in client.get("/", params={"lang": lang}).text
    answer = client.get("/manifest.webmanifest", params={"lang": lang})
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = answer.json()
    assert (manifest["name"], manifest["lang"]) == (name, lang)
    assert (manifest["display"], manifest["orientation"], manifest["start_url"]) == ("standalone", "any", "/")
    kinds = set()
    for icon in manifest["icons"]:
        body = client.get(icon["src"])
        assert body.headers["content-type"] == icon["type"] == "image/png"
        width, height = Image.open(io.BytesIO(body.content)).size
        assert icon["sizes"] == f"{width}x{height}"
        kinds.add((width, icon["purpose"]))
    assert kinds == {(192, "any"), (512, "any"), (512, "maskable")}


def test_worker_knows_its_version_and_files(make_client: Maker) -> None:
    """It is asked for anew each time, keeps the files of one version and nothing of the API."""
    client = make_client()
    answer = client.get("/worker.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"
    version = client.get("/api/version").json()["page"]
    assert f'const VERSION = "{version}";' in answer.text
    files = re.findall(r'"(/static/[^"]+)"', answer.text.splitlines()[1])
    assert len(files) > 10
    assert all(client.get(name).status_code == 200 for name in files)
    assert "/api/" not in answer.text


@pytest.mark.browser
@pytest.mark.slow
def test_icons_are_those_of_the_drawing(browser: object) -> None:
    """The committed PNG files show icon.svg; `python -m tests.support.icons` makes them anew."""
    from tests.support import icons

    found = dict(icons.render(browser))  # type: ignore[arg-type]
    assert found.keys() == ICONS.keys()
    for name, content in found.items():
        sources = io.BytesIO(content), WEB / "static" / "icons" / name
        new, kept = (Image.open(source).convert("RGBA") for source in sources)
        assert new.size == kept.size
        small = (image.resize((24, 24)).tobytes() for image in (new, kept))
        assert max(abs(a - b) for a, b in zip(*small, strict=True)) < 24, name
