"""Every page by numbers: names for screen readers, contrast in both colour schemes, size of targets, weight."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from assistant_api.app import create_app
from assistant_api.services.joining import SecureOffer
from assistant_api.settings import Settings
from tests.scripted import SAMPLES, ScriptedReader
from tests.support.browser import DESK, PATIENCE_MS, PHONE, listening, opened_pages, served
from tests.support.page_audit import measure, nameless, weighed
from tests.support.pages import PAGES, Shown
from tests.support.scan import MISREAD, WRONG, shot

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FIRST_LOAD_BYTES = 300_000
OFFER = SecureOffer(8443, ("127.0.0.1",), "Jinque table", b"der", ":".join(["AB"] * 32))


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that reads the sample with one mistake, and offers HTTPS."""
    settings = Settings(database_path=tmp_path_factory.mktemp("pages") / "jinque.sqlite3")
    reader = ScriptedReader(SAMPLES / "melds.json", {WRONG: MISREAD})
    with served(create_app(settings, reader=lambda _: reader, secure=OFFER)) as found:
        yield found


@pytest.fixture(scope="module", params=PAGES, ids=lambda shown: shown.name)
def page(request: pytest.FixtureRequest, browser: Browser, address: str) -> Iterator[Page]:
    """One page in one state, opened once for all its checks."""
    shown: Shown = request.param
    with opened_pages(browser) as open_page:
        locale = LOCALES[PAGES.index(shown) % 2]
        found = open_page(address + shown.path, shown.blocked, service_workers="block", locale=locale)
        shown.prepare(found)
        for width, size in (("phone", PHONE), ("desk", DESK)):
            for scheme in ("light", "dark"):
                found.emulate_media(color_scheme=scheme)
                found.set_viewport_size(size)
                shot(found, f"page-{shown.name}-{width}-{scheme}")
        yield found


LOCALES = ("en-GB", "zh-CN")


def test_every_control_has_a_name(page: Page) -> None:
    """In the accessibility tree, as a screen reader gets it."""
    page.set_viewport_size(PHONE)
    assert nameless(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_can_be_read(page: Page, scheme: str) -> None:
    """At least 4.5 to 1 against what lies behind it, computed from the styles as rendered."""
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size(PHONE)
    page.wait_for_timeout(300)  # colours that change slowly
    found = measure(page)
    assert found["texts"] > 3
    assert found["contrast"] == []


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_every_target_is_large_enough(page: Page, size: dict[str, int]) -> None:
    """44 px each way, and nothing has to be moved sideways."""
    page.set_viewport_size(size)
    found = measure(page)
    assert found["controls"] > 2
    assert found["small"] == []
    assert found["sideways"] == 0


@pytest.mark.parametrize("path", sorted({shown.path for shown in PAGES if not shown.blocked}))
def test_first_load_is_light(browser: Browser, address: str, path: str) -> None:
    """Under 300 kB on the first visit, without photos; and no address outside the server is asked."""
    context = browser.new_context(viewport=PHONE, service_workers="block")
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    with weighed(page) as load:
        page.goto(address + path)
        listening(page)
        page.wait_for_timeout(1_000)  # what the scripts ask for
        urls = list(load.requests.values())
        assert len(load.sizes) >= 3
        assert all(re.match(f"{address}|data:|blob:", url) for url in urls), urls
        assert load.total < FIRST_LOAD_BYTES, sorted(load.sizes.values())[-5:]
    context.close()


def test_the_checks_can_fail(browser: Browser) -> None:
    """A page with one fault of each kind: all are found."""
    page = browser.new_page(viewport=PHONE)
    page.set_content(
        """<body style="background:#fff"><p style="color:#888">grey on white is hard to read</p>
        <p style="color:#000;opacity:.4">faded</p>
        <div style="background:#222"><span style="color:#333">dark</span></div>
        <button style="width:30px;height:50px" aria-label="narrow"></button><a href="/" style="display:block">low</a>
        <button style="width:60px;height:60px"></button><img alt="" src="data:,"><select><option>x</option></select>
        <p style="width:600px">wide</p><p style="color:#595959">good</p></body>"""
    )
    found = measure(page)
    assert [text.partition('"')[2][:4] for text in found["contrast"]] == ["grey", "fade", "dark"]
    assert [text.split(".")[0] for text in found["small"]] == ["button", "a", "select"]
    assert found["sideways"] > 0
    assert [text.split()[0] for text in nameless(page)] == ["button", "combobox"]
    page.close()
