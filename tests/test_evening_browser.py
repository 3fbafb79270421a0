"""An evening on two phones: from four names to the finished ledger, with an outage in the middle."""

from __future__ import annotations

import csv
import io
import json
import logging
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from assistant_api.settings import Settings
from tests.support.browser import DESK, PHONE, OpenPage, chromium, listening, opened_pages, until
from tests.support.camera import CAMERA_FLAGS, write_clip
from tests.support.ledger_pages import drawn, entries, fine, new_game, totals
from tests.support.scan import PHOTO, TRUTH, Table, choose, correct, shot, upload

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Playwright

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def camera_browser(driver: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A Chromium whose camera shows the sample."""
    clip = write_clip(PHOTO, tmp_path_factory.mktemp("camera") / "sample.y4m", size=(TRUTH["width"], TRUTH["height"]))
    with chromium(driver, *CAMERA_FLAGS, f"--use-file-for-fake-video-capture={clip}") as found:
        yield found


@pytest.fixture
def table(settings: Settings) -> Iterator[Table]:
    """A server that reads the sample with one mistake."""
    found = Table(settings)
    yield found
    found.stop()


@pytest.fixture
def open_page(camera_browser: Browser, table: Table) -> Iterator[OpenPage]:
    """Opens a page of the table on a phone of its own."""
    with opened_pages(camera_browser) as make:

        def open_path(path: str, **options: Any) -> Page:
            return make(table.address + path, **options)

        yield open_path


COUNT = "document.querySelectorAll('#entries > li').length"
WATCH = """
() => {
  window.seen = {};
  const look = () => {
    for (const item of document.querySelectorAll("#entries > li")) seen[item.dataset.entry] ??= Date.now();
  };
  new MutationObserver(look).observe(document.getElementById("entries"), { childList: true });
  look();
}
"""


AWAY_S = float(os.environ.get("JINQUE_AWAY_S", "0"))
"""How much longer than a photo, a draw and a penalty take the server stays away, in seconds."""


def photograph(page: Page) -> None:
    """Take the photo with the camera in the page, and put right the tile that was read wrong."""
    page.wait_for_selector("#open-camera")
    listening(page)
    page.click("#open-camera")
    if not page.locator("#shutter").is_visible():
        page.click('#viewfinder [data-key="start"]')
    page.click("#shutter:enabled")
    page.wait_for_selector("#count")
    correct(page)


def settle(page: Page, winner: str, giver: str | None) -> None:
    """Answer what the photo cannot tell; dealer and streak are not asked."""
    page.click(f'[data-key="winner-{winner}"]')
    page.click(f'[data-key="source-{"discard" if giver else "self_draw"}"]')
    if giver:
        page.click(f'[data-key="from_seat-{giver}"]')
    assert page.locator("#question-dealer").count() == 0
    page.wait_for_selector("#save:enabled")
    page.click("#save")
    page.wait_for_url("**/g/*")


def won(page: Page, winner: str, giver: str | None = None) -> None:
    """A hand from a photo out of the album."""
    before = page.evaluate(COUNT)
    page.click("#scan-win")
    upload(page)
    correct(page)
    settle(page, winner, giver)
    until(page, f"{COUNT} === {before + 1}")


def deals(page: Page, code: str) -> list[tuple[Any, ...]]:
    """Kind, hand, dealer and streak of each entry, and the sums of all points, from the server."""
    found = page.evaluate("share => fetch(`/api/games/${share}/report`).then((answer) => answer.json())", code)
    for entry in found["entries"]:
        assert sum(entry["deltas"]) + entry["kitty"] == 0
        assert sum(entry["totals"]) + entry["totals_kitty"] == 0
    assert sum(found["game"]["totals"]) + found["game"]["kitty"] == 0
    return [(entry["kind"], entry["hand"], entry["dealer"], entry["streak"]) for entry in found["entries"]]


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_an_evening(open_page: OpenPage, size: dict[str, int]) -> None:
    """New game, photo, correction, second phone, streak, draw, penalty, edit, undo, export, finish."""
    name = f"evening-{size['width']}"
    page = open_page("/games", viewport=size)
    page.click("#new")
    game = new_game(page, title="Friday")
    assert totals(page) == [0, 0, 0, 0]
    page.click("#share")
    page.wait_for_selector(".qr")
    link = page.input_value("#share-url")
    share = link.rpartition("/")[2]
    shot(page, f"{name}-1-share")
    page.keyboard.press("Escape")
    other = open_page(f"/g/{share}", viewport=size)
    other.wait_for_selector('#table [data-seat="E"]')
    assert other.locator("#enter").is_hidden()
    other.evaluate(WATCH)

    page.click("#scan-win")
    photograph(page)
    shot(page, f"{name}-2-hand")
    settle(page, "E", "W")
    until(page, f"{COUNT} === 1")
    until(other, f"{COUNT} === 1")
    [first] = page.evaluate("share => fetch(`/api/games/${share}/entries`).then((a) => a.json())", share)["entries"]
    seen = other.evaluate(f"seen[{first['id']}]") / 1000
    logging.getLogger(__name__).info(
        "seen on the second phone %.2f s later", seen - datetime.fromisoformat(first["created_at"]).timestamp()
    )
    assert totals(other) == totals(page) == first["totals"]

    won(page, "E")
    drawn(page)
    until(page, f"{COUNT} === 3")
    fine(page, "W", 10)
    until(page, f"{COUNT} === 4")
    won(page, "S", "E")
    assert deals(page, share) == [
        ("win", 1, "E", 0),
        ("win", 2, "E", 1),
        ("draw", 3, "E", 2),
        ("penalty", 4, "E", 2),
        ("win", 4, "E", 2),
    ]
    until(other, f"{COUNT} === 5")
    before = totals(page)
    assert totals(other) == before
    page.locator("#table").scroll_into_view_if_needed()
    shot(page, f"{name}-3-game")

    second = page.locator("#entries > li").nth(3)
    second.locator("summary").first.click()
    second.locator('[data-tool="edit"]').click()
    page.click('[data-key="winner-N"]')
    page.wait_for_selector("#save:enabled")
    assert page.locator('[data-key="winner-N"]').get_attribute("aria-checked") == "true"
    page.click("#save")
    page.wait_for_url(f"**/g/{game}*")
    page.wait_for_selector("#changes:visible")
    assert deals(page, share)[1:] == [
        ("win", 2, "E", 1),
        ("draw", 3, "S", 0),
        ("penalty", 4, "S", 0),
        ("win", 4, "S", 0),
    ]
    until(page, "document.querySelector('#table .dealer').dataset.seat === 'S'")
    corrected = totals(page)
    assert corrected != before
    assert sum(corrected) == 0
    until(other, "!document.getElementById('changes').hidden")
    assert totals(other) == corrected
    shot(page, f"{name}-4-changed")

    page.click("#undo:enabled")
    until(page, "document.getElementById('toast').textContent === 'Taken back'")
    until(page, f"document.querySelector('#table [data-seat=\"E\"] b').textContent === '{signed(before[0])}'")
    assert totals(page) == before

    with page.expect_download() as saved:
        page.click("#csv")
    rows = list(csv.reader(io.StringIO(Path(saved.value.path()).read_text(encoding="utf-8-sig"))))
    assert len(rows) >= 6
    with page.expect_download() as saved:
        page.click("#json")
    assert json.loads(Path(saved.value.path()).read_text(encoding="utf-8"))["game"]["totals"] == before
    page.click("#finish")
    page.click("#finish-yes")
    page.wait_for_selector("#settle-up li")
    other.wait_for_selector("#settle-up li")
    assert page.locator("#enter").is_hidden()
    shot(page, f"{name}-5-finished")
    page.click("#history")
    page.wait_for_selector('#history [data-action="finish"]')
    assert page.locator('#history [data-action="edit"].undone').count() == 1


def signed(points: int) -> str:
    """A number as the page writes it."""
    return f"+{points}" if points > 0 else str(points).replace("-", "\u2212")


def test_nothing_is_lost_or_doubled_while_the_server_is_away(open_page: OpenPage, table: Table) -> None:
    """A drawn hand, a penalty and a photo wait through a reload; each arrives once, in order, and others see it."""
    page = open_page("/games/new")
    game = new_game(page)
    until(page, "navigator.serviceWorker.controller !== null")
    other = open_page(page.url.replace(table.address, "").replace(game, share_of(page, game)))
    won(page, "E", "W")
    page.click("#scan-win")
    page.go_back()
    page.wait_for_selector("#draw:visible")
    table.stop()
    drawn(page)
    page.locator("#queue", has_text="Waiting for the table's server: 1").wait_for()
    fine(page, "N", 7)
    page.locator("#queue", has_text="Waiting for the table's server: 2").wait_for()
    shot(page, "evening-away")
    page.click("#undo")
    page.locator("#fault", has_text="cannot be reached").wait_for()
    page.reload()
    page.locator("#queue", has_text="Waiting for the table's server: 2").wait_for()
    assert entries(page) == ["win"]
    page.click("#scan-win")
    choose(page)
    page.locator("#outbox", has_text="waiting for the table's server").wait_for()
    page.wait_for_timeout(1000 * AWAY_S)
    table.start()
    page.wait_for_selector("#count")
    correct(page)
    settle(page, "S", "E")
    until(page, f"{COUNT} === 4")
    assert entries(page) == ["win", "draw", "penalty", "win"]
    assert page.locator("#queue").is_hidden()
    until(other, f"{COUNT} === 4")
    assert totals(other) == totals(page)


def share_of(page: Page, game: str) -> str:
    """The share code of a game this phone knows."""
    return str(page.evaluate("code => JSON.parse(localStorage.games)[code].share", game))


def test_an_entry_whose_answer_was_lost_is_entered_once(open_page: OpenPage) -> None:
    """The server entered it, the answer never came: sent again under its key it is the same entry."""
    page = open_page("/games/new", service_workers="block")
    new_game(page)
    sent: list[str] = []

    def lose_first(route: Any) -> None:
        sent.append(route.request.headers["idempotency-key"])
        if len(sent) > 1:
            route.continue_()
            return
        route.fetch()
        route.abort()

    page.route("**/entries", lose_first)
    drawn(page)
    until(page, f"{COUNT} === 1")
    page.wait_for_selector("#queue", state="hidden")
    assert len(sent) == 2
    assert len(set(sent)) == 1
    assert entries(page) == ["draw"]
