"""Photos on their way and tiles put right: nothing is lost, all can be taken back, and the keyboard does it too."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from assistant_api.settings import Settings
from engine.notation import parse_tiles
from tests.support.browser import DESK, OpenPage, opened_pages, until
from tests.support.scan import (
    MISREAD,
    RIGHT,
    SAMPLES,
    TRUTH,
    WRONG,
    Table,
    answer,
    choose,
    correct,
    scan_server,
    shot,
    upload,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def table(settings: Settings) -> Iterator[Table]:
    """A server that reads the sample with one mistake."""
    found = Table(settings)
    yield found
    found.stop()


@pytest.fixture
def open_page(browser: Browser, table: Table) -> Iterator[OpenPage]:
    """Opens the scan page."""
    with opened_pages(browser) as make:

        def open_path(path: str = "/", **options: Any) -> Page:
            return make(table.address + path, **{"service_workers": "block", **options})

        yield open_path


def kept_photos(page: Page) -> int:
    """Photos on the phone's shelf."""
    return int(
        page.evaluate(
            """new Promise((resolve, reject) => {
                 const opening = indexedDB.open("jinque", 1);
                 opening.onerror = () => reject(opening.error);
                 opening.onsuccess = () => {
                   const asking = opening.result.transaction("photos").objectStore("photos").count();
                   asking.onsuccess = () => resolve(asking.result);
                 };
               })"""
        )
    )


def test_an_upload_shows_its_progress_and_can_be_cancelled(open_page: OpenPage) -> None:
    """A slow upload: the photo, how much of it has gone, and a way out that leaves nothing behind."""
    page = open_page()
    slow = {"offline": False, "latency": 50, "downloadThroughput": -1, "uploadThroughput": 20_000}
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slow)
    choose(page)
    share = "Number(document.querySelector('#outbox [role=progressbar]')?.getAttribute('aria-valuenow'))"
    until(page, f"{share} > 0 && {share} < 100")
    assert "%" in page.inner_text("#busy-text")
    assert page.locator("#outbox .thumb").count() == 1
    assert not page.is_visible("#start")
    shot(page, "scan-1-uploading")
    assert kept_photos(page) == 1
    page.click('[data-key="cancel-upload"]')
    page.wait_for_selector("#start:visible")
    assert not page.is_visible("#outbox")
    assert kept_photos(page) == 0


def test_a_photo_taken_while_the_server_is_away_waits_and_is_read_once(open_page: OpenPage, table: Table) -> None:
    """Server gone: the photo waits, is still there after a reload, and is sent by itself when the server is back."""
    page = open_page(service_workers="allow")
    until(page, "navigator.serviceWorker.controller !== null")
    page.reload()
    table.stop()
    choose(page)
    waiting = page.locator("#outbox", has_text="waiting for the table's server")
    waiting.wait_for()
    shot(page, "scan-2-waiting")
    choose(page, SAMPLES / "plain.jpg")
    until(page, "document.querySelectorAll('#outbox .waiting li').length === 2")
    page.reload()
    waiting.wait_for()
    assert kept_photos(page) == 2
    table.start()
    page.wait_for_selector("#count")
    assert page.locator(".box").count() == len(TRUTH["tiles"])
    assert "waiting to be read: 1" in page.inner_text("#outbox")
    assert kept_photos(page) == 1


LOSE_FIRST_ANSWER = """
window.sent = 0;
const send = XMLHttpRequest.prototype.send;
XMLHttpRequest.prototype.send = function (body) {
  if (++sent === 1) this.onload = () => this.onerror();
  return send.call(this, body);
};
"""


def test_a_photo_whose_answer_was_lost_is_not_kept_twice(open_page: OpenPage, settings: Settings) -> None:
    """The server read it, the answer never came: sent again under the same key it is the same photo."""
    page = open_page("/openapi.json")
    page.add_init_script(LOSE_FIRST_ANSWER)
    page.goto(page.url.replace("openapi.json", ""))
    choose(page)
    page.wait_for_selector("#count")
    assert page.evaluate("sent") == 2
    with sqlite3.connect(settings.database_path) as database:
        assert database.execute("SELECT count(*) FROM photo").fetchone() == (1,)


def test_a_photo_the_server_stumbles_over_can_be_tried_again(open_page: OpenPage) -> None:
    """A fault of the server: the photo stays, the reason is told, one tap tries again."""
    page = open_page()
    page.route("**/api/photos", lambda route: route.fulfill(status=500, json={"detail": "broken"}), times=1)
    choose(page)
    page.wait_for_selector('[data-key="go-stopped"]')
    assert "broken" in page.inner_text("#outbox")
    page.click('[data-key="go-stopped"]')
    page.wait_for_selector("#count")


def test_the_work_survives_a_reload_and_a_lost_answer_to_saving(open_page: OpenPage, table: Table) -> None:
    """Reload half-way: tiles and answers are there. Saving while the server is away happens once, when it is back."""
    page = open_page()
    upload(page)
    correct(page)
    answer(page)
    page.reload()
    page.wait_for_selector("#save:enabled")
    assert page.locator(f'.tile-button[data-tile="{MISREAD.code}"]').count() == 0
    arrived: list[str | None] = []

    def lose_first(route: Any) -> None:
        arrived.append(route.request.header_value("idempotency-key"))
        given = route.fetch()
        if len(arrived) == 1:
            route.abort()
        else:
            route.fulfill(response=given)

    page.route("**/api/hands", lose_first)
    page.click("#save")
    page.wait_for_url("**/hands*")
    assert len(arrived) == 2
    assert arrived[0] == arrived[1]
    page.wait_for_selector("#hands > li")
    assert page.locator("#hands > li").count() == 1
    page.goto(table.address)
    page.wait_for_selector("#start:visible")


def middle(locator: Locator) -> tuple[float, float]:
    """The middle of an element on the screen."""
    box = None
    while box is None:  # it may be drawn anew just now
        box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, tile: str, place: str) -> None:
    """Drag a tile to a place of the rack by mouse; its middle and that of the place are brought into view first."""
    page.locator("#rack").evaluate("one => one.scrollIntoView({ block: 'start' })")
    source = page.locator(tile).first
    x, y = middle(source)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 12, y + 12)
    target = page.locator(f'[data-drop="{place}"]')
    page.mouse.move(*middle(target), steps=4)
    page.wait_for_selector(f'.drop-here[data-drop="{place}"]')
    shot(page, f"scan-3-drag-{place.replace(':', '-')}")
    page.mouse.up()


def tiles_in(page: Page, group: str) -> list[str]:
    """Codes of the tiles of a group as the page shows them."""
    found = page.eval_on_selector_all(f'[data-drop="{group}"] .tile-button', "all => all.map(one => one.dataset.tile)")
    return [str(code) for code in found]


def test_tiles_are_dragged_between_groups(open_page: OpenPage) -> None:
    """Hand to melds, flowers and gold (which change places), out of the hand, and into the bin; each can be undone."""
    page = open_page(viewport=DESK)
    upload(page)
    correct(page)
    hand, gold = tiles_in(page, "hand"), tiles_in(page, "gold")
    drag(page, '[data-drop="hand"] [data-tile="9m"]', "flowers")
    assert "9m" in tiles_in(page, "flowers")
    page.locator(".problems", has_text="no flower").wait_for()
    page.keyboard.press("Control+z")
    assert sorted(tiles_in(page, "hand")) == sorted(hand)
    drag(page, '[data-drop="hand"] [data-tile="9m"]', "gold")
    assert tiles_in(page, "gold") == ["9m"]
    assert gold[0] in tiles_in(page, "hand")
    page.click("#undo")
    drag(page, '[data-drop="hand"] [data-tile="2p"]', "meld:new")
    assert tiles_in(page, "meld:2") == ["2p"]
    page.click("#undo")
    drag(page, '[data-drop="winning"] .tile-button', "hand")
    assert tiles_in(page, "winning") == []
    drag(page, f'[data-drop="hand"] [data-tile="{TRUTH["winning_tile"]}"]', "winning")
    assert tiles_in(page, "winning") == [TRUTH["winning_tile"]]
    drag(page, '[data-drop="hand"] [data-tile="9m"]', "remove")
    assert "9m" not in tiles_in(page, "hand")
    page.click("#toast-action")
    assert "9m" in tiles_in(page, "hand")
    assert page.locator("#picker[open]").count() == 0, "a drag is not a tap"


def touch(page: Page, x: float, y: float, hold_ms: int, to: tuple[float, float] | None = None) -> None:
    """A finger: down, wait, perhaps along, up."""
    session = page.context.new_cdp_session(page)

    def send(kind: str, *points: tuple[float, float]) -> None:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    send("touchStart", (x, y))
    page.wait_for_timeout(hold_ms)
    if to is not None:
        for step in range(1, 7):
            send("touchMove", (x + (to[0] - x) * step / 6, y + (to[1] - y) * step / 6))
            page.wait_for_timeout(30)
    send("touchEnd")


QUICK_SWIPE = """
(tile) => {
  const { x, y } = tile.getBoundingClientRect();
  const finger = { pointerId: 7, pointerType: "touch", isPrimary: true, button: 0, bubbles: true };
  const touch = new Event("touchmove", { bubbles: true, cancelable: true });
  tile.dispatchEvent(new PointerEvent("pointerdown", { ...finger, clientX: x + 20, clientY: y + 30 }));
  tile.dispatchEvent(touch);
  tile.dispatchEvent(new PointerEvent("pointermove", { ...finger, clientX: x + 20, clientY: y - 40 }));
  const dragging = document.body.classList.contains("dragging");
  window.dispatchEvent(new PointerEvent("pointerup", finger));
  return { stopped: touch.defaultPrevented, dragging };
}
"""
"""A finger that moves at once, without resting: the browser may scroll, nothing is taken along."""


def test_a_finger_holds_to_remove_and_drags_to_move(open_page: OpenPage) -> None:
    """A long press removes, a short rest and a move drags, a tap opens the sheet, a swipe only scrolls."""
    page = open_page(has_touch=True)
    upload(page)
    correct(page)
    page.locator("#rack").evaluate("one => one.scrollIntoView({ block: 'start' })")
    tile = page.locator('[data-drop="hand"] [data-tile="9m"]')
    touch(page, *middle(tile), 1200)
    until(page, "!document.querySelector('[data-drop=hand] [data-tile=\"9m\"]')")
    assert page.locator("#picker[open]").count() == 0
    page.tap("#toast-action")
    tile.wait_for()
    touch(page, *middle(tile), 320, middle(page.locator('[data-drop="flowers"]')))
    until(page, "document.querySelector('[data-drop=flowers] [data-tile=\"9m\"]')")
    page.tap("#undo")
    tile.wait_for()
    assert tile.evaluate(QUICK_SWIPE) == {"stopped": False, "dragging": False}
    tile.tap()
    page.wait_for_selector("#picker[open]")


def test_everything_can_be_done_by_keyboard_and_is_said(open_page: OpenPage) -> None:
    """Tiles have full names; Delete removes, the sheet moves, and what happened is announced."""
    page = open_page()
    upload(page)
    label = page.get_attribute(f'.tile-button[data-key="t{WRONG}"]', "aria-label") or ""
    assert re.search(r"1 characters, Hand .*, 60 % sure, please check", label)
    correct(page)
    sure = page.get_attribute('.tile-button[data-tile="9m"]', "aria-label") or ""
    assert re.search(r"九万.*, Hand .*, 99 % sure", sure)
    page.focus('.tile-button[data-tile="9m"]')
    page.keyboard.press("Delete")
    page.locator("#count", has_text="16 of 17").wait_for()
    page.keyboard.press("Control+z")
    page.locator("#count", has_text="17 tiles").wait_for()
    page.keyboard.press("Control+Shift+z")
    page.locator("#count", has_text="16 of 17").wait_for()
    page.keyboard.press("Control+z")
    page.focus('.tile-button[data-tile="9m"]')
    page.keyboard.press("Enter")
    page.focus('#picker [data-group="flowers"]')
    page.keyboard.press("Enter")
    until(page, "document.querySelector('[data-drop=flowers] [data-tile=\"9m\"]')")
    until(page, "document.getElementById('said').textContent.includes('16 of 17 tiles')")
    page.focus('[data-key="winner-E"]')
    page.keyboard.press("ArrowRight")
    assert page.get_attribute('[data-key="winner-S"]', "aria-checked") == "true"
    assert page.evaluate("document.activeElement.dataset.key") == "winner-S"


def test_counts_and_copies_are_checked_at_once_also_without_the_server(open_page: OpenPage, table: Table) -> None:
    """The page counts by itself: with the server gone it still says how many tiles, and that five are too many."""
    page = open_page()
    upload(page)
    correct(page)
    table.stop()
    page.click('[data-drop="hand"] [data-tile="9m"]')
    page.click("#remove")
    page.locator("#count", has_text="16 of 17 tiles, 1 missing").wait_for()
    page.click('[data-drop="hand"] [data-tile="8m"]')
    page.click("#another")
    page.locator("#count", has_text="17 tiles").wait_for()
    for _ in range(3):
        page.locator('[data-drop="hand"] [data-tile="8m"]').first.click()
        page.click("#another")
    page.locator(".problems", has_text="5 ×").wait_for()
    assert page.locator(".tile-button.faulty").count() == 5
    shot(page, "scan-4-copies")
    table.start()
    page.locator("#away").wait_for(state="hidden")
    page.locator("#count", has_text="20 of 17").wait_for()
    until(page, "document.getElementById('dock').getAttribute('aria-busy') === 'false'")
    assert page.locator(".problems li", has_text="5 ×").count() == 1


def test_report_15_a_tile_under_the_threshold_is_never_guessed_silently(open_page: OpenPage) -> None:
    """It stands out by more than colour, its best readings come first, and nothing is saved before a person looked."""
    page = open_page()
    upload(page)
    assert page.locator("#doubts li").count() == 1
    assert page.locator("#photo .mark").count() == 1
    assert "stroke-dasharray" not in (page.get_attribute(f'.box[data-key="box-t{WRONG}"]', "style") or "")
    dashes = page.eval_on_selector(f'.box[data-key="box-t{WRONG}"]', "one => getComputedStyle(one).strokeDasharray")
    assert dashes != "none"
    offered = page.eval_on_selector_all("#doubts [data-doubt]", "all => all.map(one => one.dataset.doubt)")
    assert offered == [MISREAD.code, RIGHT]
    answer(page)
    page.wait_for_selector("#dock:not([aria-busy=true])")
    assert page.locator("#save").count() == 0
    page.click(f'[data-doubt="{RIGHT}"]')
    page.wait_for_selector("#save:enabled")
    assert not page.is_visible("#doubts")


def test_report_15_a_photo_full_of_doubts_says_how_to_take_a_better_one(browser: Browser, settings: Settings) -> None:
    """Many tiles that could not be told: each asks, and the page says flatter, closer, lighter; guesses stay marked."""
    hand = [place for place, tile in enumerate(TRUTH["tiles"]) if tile["group"] == "hand"]
    with scan_server(settings, dict.fromkeys(hand)) as address, opened_pages(browser) as make:
        page = make(address, service_workers="block")
        upload(page)
        assert page.locator("#doubts li").count() == len(hand)
        assert "flatter" in page.inner_text("#doubts")
        assert page.locator("#all-right").count() == 0, "an unreadable tile cannot be confirmed"
        page.click('[data-key="guess"]')
        page.wait_for_selector("#all-right")
        assert page.locator("#doubts li").count() == len(hand)
        page.click("#all-right")
        page.wait_for_selector("#count.good")
        assert sorted(tiles_in(page, "hand")) == sorted(TRUTH["concealed"])


def test_report_18_a_photo_can_take_the_place_of_typing(open_page: OpenPage) -> None:
    """Tiles half typed by hand, then a photo instead; undo brings the typed ones back."""
    page = open_page()
    page.click("#by-hand")
    page.click('[data-key="add-hand-"]')
    for tile in parse_tiles("123m"):
        page.click(f'#picker [data-kind="{tile.code}"]')
    page.keyboard.press("Escape")
    assert page.is_visible('[data-key="retake"]')
    choose(page)
    page.wait_for_selector(".box")
    assert len(tiles_in(page, "hand")) == len(TRUTH["concealed"])
    page.click("#undo")
    assert tiles_in(page, "hand") == ["1m", "2m", "3m"]


def test_sets_of_tiles_are_offered_where_the_server_knows_some(open_page: OpenPage) -> None:
    """No menu on a server without sets; with some the choice goes along with the photo and is remembered."""
    page = open_page()
    assert not page.is_visible("#tileset")
    sets = [{"name": "home", "title": "Green backs"}, {"name": "club", "title": "Club"}]
    page.route("**/api/tilesets", lambda route: route.fulfill(json=sets))
    page.reload()
    page.select_option("#tileset-menu", "club")
    page.reload()
    page.wait_for_selector("#tileset-menu")
    assert page.input_value("#tileset-menu") == "club"
    with page.expect_request("**/api/photos") as sent:
        upload(page)
    assert b'name="tileset"\r\n\r\nclub' in (sent.value.post_data_buffer or b"")
