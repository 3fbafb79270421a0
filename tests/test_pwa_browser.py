"""The installed page: new versions, no connection, and browsers that run no scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assistant_api.app import create_app
from assistant_api.assets import WEB, Assets
from assistant_api.settings import Settings
from tests.scripted import ScriptedReader
from tests.support.browser import DESK, PHONE, OpenPage, opened_pages, served, until
from tests.test_assets import changed_web

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]


class Deploys:
    """One address at which one version after the other is served, or none."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._stack = ExitStack()
        self.address = ""

    def deploy(self, web: Path = WEB) -> str:
        """Serve this folder of pages from now on; returns its version."""
        self.stop()
        app = create_app(self._settings, reader=lambda _: ScriptedReader(None), web=web)
        port = int(self.address.rpartition(":")[2]) if self.address else 0
        self.address = self._stack.enter_context(served(app, port))
        return Assets(web).version

    def stop(self) -> None:
        """Take the server away."""
        self._stack.close()


@pytest.fixture
def deploys(settings: Settings) -> Iterator[Deploys]:
    """A server that can be changed and stopped."""
    found = Deploys(settings)
    yield found
    found.stop()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Opens a page at any address."""
    with opened_pages(browser) as make:
        yield make


def version_of(page: Page) -> str | None:
    """The version of the page that is shown."""
    return page.get_attribute("html", "data-version")


def wait_for_worker(page: Page) -> None:
    """Until the service worker looks after this page."""
    until(page, "navigator.serviceWorker.controller?.state === 'activated'")


def kept(page: Page) -> dict[str, list[str]]:
    """The paths in each cache."""
    return page.evaluate("""async () => Object.fromEntries(await Promise.all((await caches.keys()).map(async name =>
        [name, (await (await caches.open(name)).keys()).map(one => new URL(one.url).pathname)])))""")


def test_second_load_after_a_deploy_shows_the_new_version(
    deploys: Deploys, open_page: OpenPage, tmp_path: Path
) -> None:
    """The service worker of the old version does not keep the old page alive, and its files are deleted."""
    old = deploys.deploy()
    page = open_page(deploys.address)
    wait_for_worker(page)
    page.reload()
    assert version_of(page) == old
    new = deploys.deploy(changed_web(tmp_path, "static/style.css", "--radius: 18px", "--radius: 3px"))
    page.reload()
    assert version_of(page) == new
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--radius')") == "3px"
    assert page.is_hidden("#newer")
    until(page, f"caches.keys().then(names => names.join() === 'jinque-{new}')")


def test_an_open_page_is_told_of_a_deploy(deploys: Deploys, open_page: OpenPage, tmp_path: Path) -> None:
    """Coming back to a page of an old version shows a bar; its button loads the new one."""
    deploys.deploy()
    page = open_page(deploys.address)
    wait_for_worker(page)
    new = deploys.deploy(changed_web(tmp_path, "templates/scan.html", "visually-hidden", "visually-hidden new"))
    assert page.is_hidden("#newer")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow'))")
    page.click("#newer button")
    until(page, f"document.documentElement.dataset.version === '{new}'")
    assert page.is_hidden("#newer")


def test_without_a_connection_the_pages_say_so(deploys: Deploys, open_page: OpenPage) -> None:
    """A page seen before is shown with a bar, another one as a notice; both come back by themselves."""
    deploys.deploy()
    page = open_page(deploys.address, locale="zh-CN")
    wait_for_worker(page)
    page.reload()
    until(page, "caches.match('/').then(Boolean)")
    deploys.stop()
    page.goto(deploys.address)
    page.wait_for_selector("#away:visible")
    assert "连不上" in page.inner_text("#away")
    assert page.is_visible("#start")
    assert page.is_hidden("#broken")
    page.goto(deploys.address + "/hands")
    page.wait_for_selector("#again")
    assert "没有连接" in page.inner_text("h1")
    deploys.deploy()
    page.wait_for_selector("#empty:visible")
    assert page.is_hidden("#away")


def test_only_static_files_and_shells_are_kept(deploys: Deploys, open_page: OpenPage) -> None:
    """Nothing of the API, whatever was asked of it."""
    version = deploys.deploy()
    page = open_page(deploys.address)
    wait_for_worker(page)
    page.goto(deploys.address + "/hands?x=1")
    page.wait_for_selector("#empty:visible")
    page.goto(deploys.address + "/api/hands")
    page.goto(deploys.address + "/")
    caches = kept(page)
    assert list(caches) == [f"jinque-{version}"]
    paths = caches[f"jinque-{version}"]
    assert {path for path in paths if not path.startswith(f"/static/{version}/")} <= {"/", "/hands", "/offline"}
    assert len(paths) == len(set(paths))


def test_the_offline_page_speaks_the_chosen_language(deploys: Deploys, open_page: OpenPage) -> None:
    """A language chosen later is that of the offline page too; the address does not carry the choice."""
    deploys.deploy()
    page = open_page(deploys.address)
    wait_for_worker(page)
    page.reload()
    page.select_option("#language", "zh-Hant")
    until(page, "document.documentElement.lang === 'zh-Hant'")
    until(page, "location.search === ''")
    until(page, "caches.match('/offline').then(found => found.headers.get('Content-Language') === 'zh-Hant')")
    page.goto(deploys.address + "/hands")
    assert page.get_attribute("html", "lang") == "zh-Hant"


@pytest.mark.parametrize("path", ["/", "/hands", "/games", "/games/new", "/g/x", "/t/x", "/install"])
def test_blocked_scripts_are_told(deploys: Deploys, browser: Browser, path: str) -> None:
    """With modules blocked the page says what to do, in place of dead buttons; with scripts off at once."""
    deploys.deploy()
    context = browser.new_context(viewport=PHONE, locale="en", service_workers="block")
    context.route(re.compile(r"\.js$"), lambda route: route.abort())
    page = context.new_page()
    page.goto(deploys.address + path)
    until(page, "getComputedStyle(document.getElementById('broken')).visibility === 'visible'")
    assert "reload" in page.inner_text("#broken")
    context.close()
    context = browser.new_context(viewport=DESK, locale="en", java_script_enabled=False)
    page = context.new_page()
    page.goto(deploys.address + path)
    assert page.is_visible("noscript p")
    page.wait_for_timeout(5_500)
    assert page.is_hidden("#broken")
    page.locator(".language button").click()
    context.close()
