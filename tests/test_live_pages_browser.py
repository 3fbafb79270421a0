"""The live table on phones: camera and table side by side, from the gold to a caught 过水 and the ledger."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from assistant_api.app import create_app
from assistant_api.settings import Settings
from tests.scripted import SAMPLES, ScriptedReader
from tests.support.air import Air, air
from tests.support.browser import OpenPage, chromium, served, until
from tests.support.camera import CAMERA_FLAGS, write_clip
from tests.support.evening import Evening, begin
from tests.support.live_desk import Eyes, views
from tests.support.live_pages import LOG, declare, live_pages
from tests.support.page_audit import measure, nameless
from tests.support.pages import LIVE_HAND
from tests.support.scan import PHOTO, shot, upload

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Playwright

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HAND = f"deal W{LIVE_HAND}"
"""West holds the hand of the sample photo at the end: it could have won on the 5 dots of North, and was silent."""
LAST = "E discard 5p"


@pytest.fixture(scope="module")
def camera_browser(driver: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A Chromium with a camera."""
    clip = write_clip(PHOTO, tmp_path_factory.mktemp("camera") / "table.y4m", size=(640, 480))
    with chromium(driver, *CAMERA_FLAGS, f"--use-file-for-fake-video-capture={clip}") as found:
        yield found


@pytest.fixture
def address(settings: Settings) -> Iterator[str]:
    """A server whose eye sees the hand, and whose reader reads the sample."""
    eyes = Eyes(views(HAND, pause_s=0.9))
    reader = ScriptedReader(SAMPLES / "melds.json")
    with served(create_app(settings, reader=lambda _: reader, eye=eyes)) as found:
        yield found


@pytest.fixture
def evening(address: str) -> Iterator[Evening]:
    """A game in which West deals, and a false win does not end a hand."""
    with httpx2.Client(base_url=address, headers={"Accept-Language": "en"}) as client:
        yield begin(client, title="Friday", first_dealer="W", options={"dead_hand": False})  # type: ignore[arg-type]


@pytest.fixture
def open_page(camera_browser: Browser, address: str, evening: Evening) -> Iterator[OpenPage]:
    """Opens a page on a phone that plays in the game, or only looks on."""
    with live_pages(camera_browser, address, evening) as make:
        yield make


def test_from_the_gold_to_a_caught_guoshui_and_the_ledger(open_page: OpenPage, evening: Evening) -> None:
    """Camera, table, looker-on: the log grows by itself; a win is refused with its proof, the next one settled."""
    table = open_page(f"/g/{evening.id}/live")
    table.click("#begin-open")
    table.click("#begin-hand:enabled")
    table.wait_for_selector("#sides:visible")
    camera = open_page(f"/g/{evening.id}/camera")
    shot(camera, "live-1-camera-explains")
    camera.click("#start")
    looking = open_page(f"/g/{evening.share_code}/live", plays=False, color_scheme="dark", locale="zh-CN")
    until(table, f"{LOG}.some((text) => text.includes('The gold is opened'))")
    until(camera, "document.body.dataset.camera === 'live'")
    until(table, "document.querySelector('.live-state').className.includes('good')", 120_000)
    last = f"document.querySelectorAll('#log li').length >= 8 && {LOG}[0].startsWith('Lin throws')"
    until(table, f"{last} && {LOG}[0].includes('五饼')", 180_000)
    assert table.locator('.side[data-seat="W"] .live-meld').count() == 2
    until(looking, f"{LOG}[0] === 'Lin打五饼' || {LOG}[0].startsWith('Lin打五')")
    assert looking.locator("#actions").is_hidden()
    shot(camera, "live-2-camera")
    shot(table, "live-3-table")
    shot(looking, "live-4-looking-on")

    declare(table, "W", "discard")
    table.wait_for_selector('[data-alert="guoshui_win"][data-certain="false"]')
    looking.wait_for_selector('[data-alert="guoshui_win"]')
    shot(table, "live-5-claim")
    table.click("#scan-claim")
    table.wait_for_selector("#rack .tile-button")
    assert table.locator('[data-drop="gold"] [data-tile="6s"]').count() == 1
    upload(table)
    table.wait_for_selector("#proof:visible")
    assert "5" in table.inner_text("#proof .proof")
    table.wait_for_selector(".refusal")
    shot(table, "live-6-proof")
    table.click("#refuse")
    table.wait_for_url("**/live")
    table.wait_for_selector('[data-alert="guoshui_win"][data-certain="true"]')
    looking.wait_for_selector('[data-alert="guoshui_win"][data-certain="true"]')
    shot(looking, "live-7-caught")

    table.click("#add-event")
    table.click('#sheet [data-key="seat-S"]')
    table.click('#sheet [data-kind="9s"]')
    table.click("#save-event:enabled")
    until(table, f"{LOG}[0].startsWith('Fang throws')")
    declare(table, "W", "self_draw")
    table.click("#scan-claim")
    table.wait_for_selector("#rack .tile-button")
    upload(table)
    table.wait_for_selector("#save:enabled")
    assert table.locator("#refuse").count() == 0
    table.click("#save")
    table.wait_for_url("**/live*")
    table.wait_for_selector("#begin:visible")
    looking.wait_for_selector("#begin:visible")
    (entry,) = evening.entries()
    assert entry["kind"] == "win"
    assert entry["deltas"][2] > 0
    assert sum(entry["deltas"]) == 0


@pytest.mark.parametrize(("scheme", "locale"), [("light", "en-GB"), ("dark", "zh-CN")])
def test_the_pages_are_readable_and_reachable(open_page: OpenPage, evening: Evening, scheme: str, locale: str) -> None:
    """Contrast, targets, names and width of both pages, between hands, in a hand, and with a warning."""
    path = f"/api/live/{evening.id}/acts"
    table = open_page(f"/g/{evening.id}/live", color_scheme=scheme, locale=locale)
    table.wait_for_selector("#begin:visible")
    check(table)
    acts: list[dict[str, Any]] = [{"act": "begin"}]
    acts += [{"act": "insert", "text": line} for line in HAND.strip().splitlines()[1:]]
    acts += [{"act": "claim", "seat": "W", "source": "discard"}]
    for act in acts:
        assert evening.client.post(path, json=act, headers=evening.headers).status_code == 200, act
    table.wait_for_selector("#claim:visible")
    table.click("#log-all")
    check(table)
    shot(table, f"live-8-{scheme}")
    for opener in ("#add-event", "#log button.log-line >> nth=3"):
        table.locator(opener).first.click()
        table.wait_for_selector("#sheet[open]")
        check(table)
        table.keyboard.press("Escape")
    camera = open_page(f"/g/{evening.id}/camera", color_scheme=scheme, locale=locale)
    camera.wait_for_selector("#start")
    check(camera)


def check(page: Page) -> None:
    """What every page owes everybody."""
    page.wait_for_timeout(300)
    found = measure(page)
    assert found["contrast"] == []
    assert found["small"] == []
    assert found["sideways"] == 0
    assert nameless(page) == []


def test_the_camera_comes_back_after_the_server_was_away(open_page: OpenPage, evening: Evening) -> None:
    """What a person says while the socket is closed waits, and is done once when it is open again."""
    table = open_page(f"/g/{evening.id}/live")
    table.wait_for_selector("#begin:visible")
    table.click("#begin-open")
    table.wait_for_selector("#begin-hand")
    table.context.set_offline(True)
    table.evaluate("dispatchEvent(new Event('pagehide'))")
    table.click("#begin-hand:enabled")
    table.wait_for_timeout(1000)
    assert table.locator("#sides").is_hidden()
    table.context.set_offline(False)
    table.evaluate("dispatchEvent(new Event('pageshow'))")
    table.wait_for_selector("#sides:visible")
    shown = evening.client.get(f"/api/live/{evening.id}", headers=evening.headers).json()
    assert len(shown["hand"]["log"]) == 1


AWAY_S = float(os.environ.get("JINQUE_AWAY_S", "0"))
"""How much longer than it takes to notice a phone is offline, in seconds."""
CAME_BACK = """
([selector, ...texts]) => {
  window.cameBack = null;
  addEventListener("online", () => {
    const begun = performance.now();
    const took = [];
    const look = () => {
      const shown = document.querySelector(selector)?.textContent ?? "";
      while (took.length < texts.length && shown.includes(texts[took.length])) took.push(performance.now() - begun);
      if (took.length === texts.length) window.cameBack = took;
      else requestAnimationFrame(look);
    };
    look();
  }, { once: true });
}
"""
"""Notes after how many ms from coming back an element first shows each of some texts, one after the other."""
NEWEST = "#log li .text"


@pytest.fixture
def in_the_air(address: str) -> Iterator[Air]:
    """What is between the phones and the server."""
    with air(address) as found:
        yield found


def test_a_phone_that_was_offline_sits_down_at_its_place_again(
    camera_browser: Browser, in_the_air: Air, evening: Evening, capsys: pytest.CaptureFixture[str]
) -> None:
    """The hand goes on without it; then it has the same seat, the whole table, and what it said meanwhile, once."""
    begun = evening.client.post(f"/api/games/{evening.id}/join", json={"role": "S"}, headers=evening.headers).json()
    south = Evening(evening.client, evening.id, evening.share_code, begun["token"])
    acts = f"/api/live/{evening.id}/acts"

    def say(**act: Any) -> None:
        answer = evening.client.post(acts, json=act, headers=evening.headers)
        assert answer.status_code == 200, answer.text

    lines = HAND.strip().splitlines()[1:]
    say(act="begin")
    for line in lines[:7]:
        say(act="insert", text=line)
    with live_pages(camera_browser, in_the_air.address, south) as make:
        page = make(f"/g/{evening.id}/live")
        page.wait_for_selector('.side.at-0[data-seat="S"]')
        until(page, f"{LOG}[0].startsWith('Chen throws')")
        in_the_air.cut()
        page.context.set_offline(True)
        page.wait_for_selector(".live-state.bad")
        page.click("#pass:enabled")
        page.click('#sheet [data-key="pass-S"]')
        page.locator(".live-state.bad", has_text="1 ").wait_for()
        for line in lines[7:]:
            say(act="insert", text=line)
        page.wait_for_timeout(1000 * AWAY_S)
        page.evaluate(CAME_BACK, ["#log", "Lin throws 五饼", "Fang passes"])
        in_the_air.mend()
        page.context.set_offline(False)
        snapshot_ms, said_ms = until(page, "window.cameBack")
        assert page.locator('.side.at-0[data-seat="S"]').count() == 1
        assert page.locator(".live-state.bad").count() == 0
        log = evening.client.get(f"/api/live/{evening.id}", headers=evening.headers).json()["hand"]["log"]
        assert [one["text"] for one in log[-2:]] == [lines[-1], "S pass"]
        assert len(log) == 1 + len(lines) + 1
    with capsys.disabled():
        print(  # noqa: T201 a measurement
            f"\nback online: the whole table after {snapshot_ms:.0f} ms, what was said meanwhile after {said_ms:.0f} ms"
        )


@pytest.fixture
def quiet_address(settings: Settings) -> Iterator[str]:
    """A server whose eye sees a table at which nobody does anything."""
    with served(create_app(settings, reader=lambda _: ScriptedReader(None), eye=Eyes(views(HAND)[:1]))) as found:
        yield found


def test_a_camera_and_one_that_looks_on_come_back(
    camera_browser: Browser, quiet_address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both lose the network while the hand goes on; then both show it as it stands, and frames come in again."""
    lines = HAND.strip().splitlines()[1:]
    with (
        air(quiet_address) as in_the_air,
        httpx2.Client(base_url=quiet_address, headers={"Accept-Language": "en"}) as client,
    ):
        evening = begin(client, title="Friday", first_dealer="W")  # type: ignore[arg-type]

        def say(**act: Any) -> None:
            answer = client.post(f"/api/live/{evening.id}/acts", json=act, headers=evening.headers)
            assert answer.status_code == 200, answer.text

        say(act="begin")
        for line in lines[:7]:
            say(act="insert", text=line)
        with live_pages(camera_browser, in_the_air.address, evening) as make:
            looking = make(f"/g/{evening.share_code}/live", plays=False)
            until(looking, f"{LOG}[0].startsWith('Chen throws')")
            camera = make(f"/g/{evening.id}/camera")
            camera.click("#start")
            phones = {camera: ["#turn", "Lin"], looking: [NEWEST, "Lin throws 五饼"]}
            for page in phones:
                page.wait_for_selector(".live-state.good")
            in_the_air.cut()
            for page in phones:
                page.context.set_offline(True)
            for page in phones:
                page.wait_for_selector(".live-state.bad")
            for line in lines[7:]:
                say(act="insert", text=line)
            camera.wait_for_timeout(1000 * AWAY_S)
            for page, shown in phones.items():
                page.evaluate(CAME_BACK, shown)
            in_the_air.mend()
            took_ms = []
            for page in phones:
                page.context.set_offline(False)
                took_ms += until(page, "window.cameBack")
            for page in phones:
                page.wait_for_selector(".live-state.good")
            assert looking.locator("#log-all").count() == 1
            assert looking.locator("#actions").is_hidden()
    with capsys.disabled():
        camera_ms, looking_ms = took_ms
        print(  # noqa: T201 a measurement
            f"\nback online: the camera's page after {camera_ms:.0f} ms, the looker-on's after {looking_ms:.0f} ms"
        )
