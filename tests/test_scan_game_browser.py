"""The scan page at a game's table: names on it, the deal known, hands entered, corrected and put in before others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from assistant_api.settings import Settings
from tests.support.browser import opened_pages
from tests.support.scan import correct, scan_server, shot, upload

if TYPE_CHECKING:
    from playwright.sync_api import APIRequestContext, Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAMES = ["Lin", "Meiling", "Huang", "Zheng"]


class Evening:
    """A game on a server, as its API shows it."""

    def __init__(self, address: str, request: APIRequestContext) -> None:
        self.address = address
        self._request = request
        begun = request.post(f"{address}/api/games", data={"players": NAMES, "title": "Friday"}).json()
        self.code, self.token = begun["game"]["id"], begun["token"]

    def get(self, path: str = "") -> Any:
        """Ask the API."""
        headers = {"Authorization": f"Bearer {self.token}"}
        return self._request.get(f"{self.address}/api/games/{self.code}{path}", headers=headers).json()

    @property
    def script(self) -> str:
        """What makes a phone one that plays in it."""
        known = {"code": self.code, "token": self.token, "title": "Friday", "players": [], "finished": None, "at": 0}
        games = json.dumps({self.code: known})
        return f"localStorage.setItem('games', {json.dumps(games)});"


@pytest.fixture
def page_of(browser: Browser, settings: Settings) -> Iterator[tuple[Page, Evening]]:
    """A phone that plays in a game."""
    with scan_server(settings) as address, opened_pages(browser) as make:
        page = make("about:blank", service_workers="block")
        evening = Evening(address, page.request)
        page.add_init_script(evening.script)
        page.goto(f"{address}/?game={evening.code}")
        yield page, evening


def save(page: Page) -> int:
    """Save and wait for the ledger's answer; returns its status."""
    page.wait_for_selector("#save:enabled")
    with page.expect_response(lambda answer: "/entries" in answer.url and answer.request.method != "GET") as saved:
        page.click("#save")
    status = int(saved.value.status)
    page.wait_for_url("**/g/*")
    return status


def enter_win(page: Page) -> None:
    """A win of the third seat off the first one's discard."""
    upload(page)
    correct(page)
    for key in ("winner-W", "source-discard", "from_seat-E"):
        page.click(f'[data-key="{key}"]')


def test_hands_go_into_the_game_and_can_be_corrected_in_it(page_of: tuple[Page, Evening]) -> None:
    """Names instead of winds, no question about the deal; saved once, corrected in place, another put in before it."""
    page, evening = page_of
    page.locator("#for-game", has_text="Friday").wait_for()
    enter_win(page)
    page.wait_for_selector("#save:enabled")
    assert "Lin deals" in page.inner_text(".question.known")
    assert page.locator("#question-dealer, #question-streak, [data-key=change-dealer], select.ruleset").count() == 0
    assert "Huang" in page.inner_text(".compass .won")
    assert page.locator(".compass li").all_inner_texts() == ["Lin pays Huang 18"]
    shot(page, "game-1-settle")
    assert save(page) == 201
    (entry,) = evening.get("/entries")["entries"]
    assert entry["deltas"] == [-18, 0, 18, 0]
    page.goto(f"{evening.address}/?game={evening.code}&entry={entry['id']}")
    page.locator("#for-game", has_text="Correct: hand 1").wait_for()
    page.wait_for_selector("#save:enabled")
    page.click('[data-key="from_seat-S"]')
    page.wait_for_selector('.compass li:has-text("Meiling pays Huang 18")', state="attached")
    assert save(page) == 200
    (entry,) = evening.get("/entries")["entries"]
    assert entry["deltas"] == [0, -18, 18, 0]
    assert entry["photo_url"], "the photo stays with a corrected hand"
    page.goto(f"{evening.address}/?game={evening.code}&before={entry['id']}")
    enter_win(page)
    assert save(page) == 201
    assert [one["deltas"] for one in evening.get("/entries")["entries"]] == [[0, -18, 18, 0], [-18, 0, 18, 0]]
    assert sum(evening.get()["totals"]) == 0


def test_a_game_that_cannot_be_opened_is_told(page_of: tuple[Page, Evening]) -> None:
    """A wrong code: the reason stands on the page."""
    page, evening = page_of
    page.goto(f"{evening.address}/?game=nosuchgamenosuchgame00")
    page.wait_for_selector("#fault:visible")
