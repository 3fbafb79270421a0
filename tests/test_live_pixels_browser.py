"""The live table through pixels: a filmed hand before a phone's camera, our networks, and pages that follow."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import httpx2
import pytest

from assistant_api.app import create_app
from assistant_api.settings import Settings
from tests.scripted import SAMPLES
from tests.support.browser import OpenPage, chromium, served, until
from tests.support.camera import CAMERA_FLAGS, write_film
from tests.support.evening import Evening, begin
from tests.support.live_pages import LOG, live_pages
from tests.support.scan import shot

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FILM = SAMPLES / "live" / "clip.mp4"
SPEED = float(os.environ.get("JINQUE_CLIP_SPEED", "0.5"))
"""Slow motion, so that a busy machine can follow with all frames it needs."""
SHOWN_MS = 75_000 / SPEED
"""The whole film takes 30 s at its own speed; before it the networks are loaded."""


@pytest.fixture
def camera_browser(driver: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A Chromium whose camera looks at the filmed table."""
    folder = tmp_path_factory.mktemp("film")
    clip = write_film(FILM, folder / "table.y4m", speed=SPEED, hold_s=90.0)
    with chromium(driver, *CAMERA_FLAGS, f"--use-file-for-fake-video-capture={clip}") as found:
        yield found
    clip.unlink()


@pytest.fixture
def address(settings: Settings) -> Iterator[str]:
    """A server with the networks that ship."""
    with served(create_app(settings)) as found:
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


def test_seen_from_the_gold_to_a_caught_guoshui_and_settled(open_page: OpenPage, evening: Evening) -> None:
    """Nothing is typed but who deals: the camera opens the gold, follows, and convicts West when the hand lies open."""
    table = open_page(f"/g/{evening.id}/live")
    table.click("#begin-open")
    table.click('#sheet [data-key="near-W"]')
    table.click("#begin-hand:enabled")
    table.wait_for_selector("#sides:visible")
    looking = open_page(f"/g/{evening.share_code}/live", plays=False, locale="zh-CN")
    camera = open_page(f"/g/{evening.id}/camera")
    camera.click("#start")
    until(camera, "document.body.dataset.camera === 'live'")
    until(table, "document.querySelector('.live-state').className.includes('good')", SHOWN_MS)
    until(table, f"{LOG}.some((text) => text.includes('The gold is opened: 6 bamboo'))", SHOWN_MS)
    until(table, f"{LOG}.some((text) => text.includes('Lin throws 5'))", SHOWN_MS)
    shot(camera, "pixels-1-camera")
    shot(table, "pixels-2-table")
    warned = '[data-alert="guoshui_win"][data-seat="W"][data-certain="true"]'
    table.wait_for_selector(warned, timeout=SHOWN_MS)
    looking.wait_for_selector(warned)
    shot(looking, "pixels-3-caught")
    shown = evening.client.get(f"/api/live/{evening.id}", headers=evening.headers).json()["hand"]
    assert shown["gold"] == "6s"
    assert shown["discards"] == {"E": ["3m", "5p"], "S": [], "W": ["9p", "1m", "1p"], "N": ["2m", "5p"]}
    assert [one["tiles"] for one in shown["melds"]["W"]] == [["7p"] * 3, ["2s", "3s", "4s"]]
    (alert,) = shown["alerts"]
    assert (alert["kind"], alert["seat"], alert["tile"]) == ("guoshui_win", "W", "5p")
    proof = [(one["text"].split(" hand ")[0], bool(one["crop"])) for one in alert["evidence"]]
    assert proof == [("N discard 5p", True), ("E discard 5p", True), ("W win discard 5p", True)]
