"""Joining: what `jinque serve` prints, the secure side beside the plain one, the page that helps a phone with it."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import os
import re
import signal
import ssl
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import uvicorn
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from fastapi.testclient import TestClient

from assistant_api import cli, terminal
from assistant_api.app import create_app
from assistant_api.services import certificates, joining, serving
from assistant_api.services.joining import SecureOffer
from assistant_api.settings import Settings
from tests.support.browser import PATIENCE_MS, PHONE, chromium, listening, opened_pages, served, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

ROOT = Path(__file__).resolve().parent.parent
OFFER = SecureOffer(8443, ("192.168.1.5", "localhost"), "Jinque table", b"\x30\x03der", "AB:CD")


def client(settings: Settings, offer: SecureOffer | None = OFFER, base: str = "http://192.168.1.5:8000") -> TestClient:
    """A phone that opened the server by this address."""
    return TestClient(create_app(settings, secure=offer), base_url=base, headers={"Accept-Language": "en"})


def test_qr_codes() -> None:
    """For the terminal and for pages; two stand beside each other in 80 columns."""
    one, other = joining.qr_text("http://192.168.100.123:8000/install"), joining.qr_text("https://192.168.100.123:8443")
    both = joining.side_by_side(one, other).splitlines()
    assert len(both) == max(len(one.splitlines()), len(other.splitlines())) > 10
    assert max(map(len, both)) < 80
    svg = joining.qr_svg("http://192.168.100.123:8000/t/abc")
    assert svg.startswith("<svg")
    assert 'class="qr"' in svg
    assert "style=" not in svg


def test_install_page_explains_and_links(settings: Settings) -> None:
    """Steps for both systems, the certificate alone in the type phones know, the secure address of the same host."""
    phone = client(settings)
    page = phone.get("/install").text
    assert "Certificate Trust Settings" in page
    assert "CA certificate" in page
    assert "Jinque table" in page
    assert "AB:CD" in page
    assert 'href="https://192.168.1.5:8443/install"' in page
    found = phone.get("/install/jinque.crt")
    assert found.headers["content-type"] == "application/x-x509-ca-cert"
    assert found.content == OFFER.certificate
    for path in ("authority.key", "authority.pem", "server.pem", "..%2fauthority.key"):
        assert phone.get(f"/install/{path}").status_code == 404
    for lang, words in (("zh", "证书信任设置"), ("zh-TW", "證書信任設定")):
        assert words in phone.get("/install", params={"lang": lang}).text


def test_a_name_that_is_not_in_the_certificate_is_not_linked(settings: Settings) -> None:
    """Nor is one that somebody made up in the request."""
    page = client(settings, base="http://evil.example:8000").get("/install").text
    assert 'href="https://192.168.1.5:8443/install"' in page
    assert "evil" not in page


def test_what_is_handed_on_opens_on_every_phone(settings: Settings) -> None:
    """The plain address, also from a secure page; the plain page leads on to the secure one with the invitation."""
    secure = client(settings, base="https://192.168.1.5:8443")
    assert secure.post("/api/qr", json={"path": "/t/abc#token"}).json()["url"] == "http://192.168.1.5:8000/t/abc#token"
    assert 'id="to-secure"' not in secure.get("/t/abc").text
    assert 'href="https://192.168.1.5:8443/t/abc"' in client(settings).get("/t/abc").text
    plain = client(settings, None)
    assert plain.post("/api/qr", json={"path": "/g/abc"}).json()["url"] == "http://192.168.1.5:8000/g/abc"
    assert 'id="to-secure"' not in plain.get("/t/abc").text


def test_without_https_the_page_says_how_to_get_it(settings: Settings) -> None:
    """No link that leads nowhere."""
    phone = client(settings, None)
    page = phone.get("/install").text
    assert "jinque serve --https" in page
    assert 'id="certificate"' not in page
    assert phone.get("/install/jinque.crt").status_code == 404


def test_bad_ports_are_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Which option to change, in one sentence, also for the second port; and no authority is made in vain."""
    with serving.open_socket("127.0.0.1", 0) as taken:
        port = str(taken.getsockname()[1])
        arguments = ["serve", "--host", "127.0.0.1", "--port", "0", "--https", "--https-port", port]
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("JINQUE_HTTPS_FOLDER", str(tmp_path / "https"))
            assert cli.main(arguments) == 2
    assert "choose another with --https-port" in capsys.readouterr().err
    assert not (tmp_path / "https").exists()
    assert cli.main(["serve", "--https-port", "70000"]) == 2
    assert "70000 is not a port" in capsys.readouterr().err


def test_a_fingerprint_is_printed_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """Some of its bytes between colons are names of pictures: ``:cd:`` is one of a disc."""
    terminal.console.print("[dim]SHA-256 3F:CD:AB:07[/]")
    terminal.errors.print("SHA-256 3F:CD:AB:07")
    assert [text.strip() for text in capsys.readouterr()] == ["SHA-256 3F:CD:AB:07"] * 2


@contextmanager
def running(tmp_path: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """The real command on ports of its own, with what it printed until it served."""
    command = [sys.executable, "-m", "assistant_api.cli", "serve", "--host", "127.0.0.1", "--port", "0", *options]
    command += ["--database", str(tmp_path / "s.sqlite3")]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "JINQUE_HTTPS_FOLDER": str(tmp_path / "https")}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        printed = []
        try:
            for line in process.stdout:
                printed.append(line)
                if "Ctrl+C" in line:
                    break
            yield process, printed
        finally:
            process.kill()


def address(printed: list[str], scheme: str) -> str:
    """The first address of this scheme that was printed."""
    found = re.search(rf"{scheme}://[0-9.]+:[0-9]+", "".join(printed))
    assert found, printed
    return found[0]


def get(url: str | urllib.request.Request, context: ssl.SSLContext | None = None) -> str:
    """The text at an address."""
    with urllib.request.urlopen(url, timeout=60, context=context) as answer:
        return str(answer.read().decode())


@pytest.mark.slow
def test_both_sides_serve_and_stop(tmp_path: Path) -> None:
    """Plain and secure at once, trusted through the certificate the plain side gives out; Ctrl+C ends both."""
    with running(tmp_path, "--https", "--https-port", "0") as (process, printed):
        plain, safe = address(printed, "http"), address(printed, "https")
        with urllib.request.urlopen(f"{plain}/install/jinque.crt", timeout=60) as answer:
            trusted = ssl.create_default_context(cadata=answer.read())
        fingerprint = certificates.open_authority(tmp_path / "https")[0].fingerprint
        assert fingerprint in "".join(printed)
        assert get(f"{plain}/api/version") == get(f"{safe}/api/version", trusted)
        assert fingerprint in get(f"{plain}/install")
        with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
            get(f"{safe}/api/version", ssl.create_default_context())
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


@pytest.mark.slow
def test_a_new_address_gets_a_certificate_while_serving(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The laptop moves to another network: connections made afterwards see the new name, open ones go on."""
    names = ["127.0.0.1", "localhost"]
    monkeypatch.setattr(certificates, "server_names", lambda: tuple(names))
    monkeypatch.setattr(serving, "LOOK_FOR_ADDRESSES_S", 0.2)
    started: list[uvicorn.Server] = []

    class Known(serving._Server):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            started.append(self)

    monkeypatch.setattr(serving, "_Server", Known)
    listener = serving.open_socket("127.0.0.1", 0)
    secure = serving.Secure(tmp_path / "https", serving.open_socket("127.0.0.1", 0), listener)
    port, plain_port = secure.offer.port, listener.getsockname()[1]
    app = create_app(settings, secure=secure.offer)
    thread = threading.Thread(target=lambda: asyncio.run(serving._serve(app, settings, listener, secure)))
    thread.start()
    try:
        assert served_names(port) == names
        names.insert(0, "10.1.2.3")
        for _ in range(200):
            if "10.1.2.3" in served_names(port):
                break
            threading.Event().wait(0.1)
        assert served_names(port) == names
        asked = urllib.request.Request(f"http://127.0.0.1:{plain_port}/install", headers={"Host": "10.1.2.3"})
        assert f"https://10.1.2.3:{port}/install" in get(asked)
    finally:
        started[0].handle_exit(signal.SIGINT, None)
        thread.join(60)
        assert not thread.is_alive(), "both servers stop"


def served_names(port: int) -> list[str]:
    """The names in the certificate that a server shows."""
    pem = ssl.get_server_certificate(("127.0.0.1", port), timeout=30)
    return certificates.names_of(x509.load_pem_x509_certificate(pem.encode()))


def key_hash(certificate: Path) -> str:
    """What Chromium knows a server's key by."""
    key = x509.load_pem_x509_certificate(certificate.read_bytes()).public_key()
    info = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return base64.b64encode(hashlib.sha256(info).digest()).decode()


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("installed", [True, False])
def test_the_secure_page_knows_whether_the_phone_trusts_it(tmp_path: Path, driver: Playwright, installed: bool) -> None:
    """From the plain page to the secure one: it tells an installed certificate from a warning that was ignored."""
    with running(tmp_path, "--https", "--https-port", "0") as (_, printed):
        trusted = f"--ignore-certificate-errors-spki-list={key_hash(tmp_path / 'https' / 'server.pem')}"
        with chromium(driver, *([trusted] if installed else [])) as browser:
            context = browser.new_context(viewport=PHONE, ignore_https_errors=not installed)
            page = context.new_page()
            page.set_default_timeout(PATIENCE_MS)
            page.goto(address(printed, "http") + "/install")
            assert page.locator(".system[open]").count() == 2
            assert page.evaluate("isSecureContext"), "this machine itself is always secure"
            page.click("#check")
            page.wait_for_url(re.compile("^https://"))
            until(page, "document.getElementById('checking').hidden")
            assert page.is_visible("#trusted") is installed
            assert page.is_visible("#untrusted") is not installed
            assert page.is_visible("#steps") is not installed
            context.close()


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize(("agent", "system"), [("iPhone", "ios"), ("Linux; Android 16", "android")])
def test_the_steps_for_this_phone_are_open(settings: Settings, browser: Browser, agent: str, system: str) -> None:
    """The others are one tap away."""
    offer = SecureOffer(8443, ("127.0.0.1",), "Jinque table", b"der", "AB:CD")
    with served(create_app(settings, secure=offer)) as host, opened_pages(browser) as open_page:
        page = open_page(host + "/install", user_agent=f"Mozilla/5.0 ({agent}) AppleWebKit/605.1.15")
        until(page, "document.querySelectorAll('.system[open]').length === 1")
        assert page.get_attribute(".system[open]", "data-system") == system
        page.goto(host + "/t/abc?x=1#token")
        listening(page)
        page.eval_on_selector("#to-secure", "one => one.addEventListener('click', (event) => event.preventDefault())")
        page.click("#to-secure")
        assert page.get_attribute("#to-secure", "href") == "https://127.0.0.1:8443/t/abc?x=1#token"
