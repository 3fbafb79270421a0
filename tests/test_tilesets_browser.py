"""The page of own sets in a phone-sized browser: photo, correction, save, choose it on the scan page, delete."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import pytest

from assistant_api.app import create_app
from assistant_api.settings import Settings
from engine.tiles import Tile
from tests.support.browser import OpenPage, listening, opened_pages, served, until
from tests.support.dotted import dotted_reader, photo
from tests.test_tilesets import HARD, ROWS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]
TARGET_PX = 44


@pytest.fixture
def address(settings: Settings, tmp_path: Path) -> Iterator[str]:
    """A served app that reads dotted tiles and keeps its sets apart."""
    own = settings.model_copy(update={"tilesets_path": tmp_path / "sets"})
    with served(create_app(own, reader=lambda _: dotted_reader(mistaken=HARD[:1]))) as found:
        yield found


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Opens pages; at the end no script may have failed."""
    with opened_pages(browser) as make:
        yield make


def small_targets(page: Page) -> list[str]:
    """Buttons, inputs and menus in sight that are smaller than a fingertip."""
    kinds = "main button, main label.button, main select, main input:not(.visually-hidden, [type=checkbox])"
    found: list[str] = page.evaluate(
        """([kinds, least]) => [...document.querySelectorAll(kinds)]
        .filter((one) => one.getClientRects().length)
        .filter((one) => Math.min(one.getBoundingClientRect().width, one.getBoundingClientRect().height) < least)
        .map((one) => one.outerHTML.slice(0, 120))""",
        [kinds, TARGET_PX],
    )
    return found


@pytest.mark.parametrize("locale", ["en-GB", "zh-TW"])
def test_from_a_photo_to_a_set_and_back(open_page: OpenPage, address: str, tmp_path: Path, locale: str) -> None:
    """All faces in order, one corrected by tapping, saved, offered on the scan page, deleted."""
    path = tmp_path / "set.png"
    cv2.imwrite(str(path), photo(ROWS).image)
    page = open_page(f"{address}/tilesets", locale=locale)
    until(page, "document.querySelectorAll('#order .tile').length === 42")
    page.fill("#set-name", "家里的牌")
    listening(page)
    page.set_input_files("#set-photo", str(path))
    page.wait_for_selector("#check:not([hidden])")
    assert page.locator(".found").count() == 42
    assert page.locator(".found.differs").get_attribute("data-tile") == HARD[0].code
    assert small_targets(page) == []

    page.click('.found[data-tile="1m"]')
    page.click("#pass-over")
    assert page.locator('.found[data-tile="?"]').count() == 1
    page.click('.found[data-tile="?"]')
    page.click(f'#picker [data-kind="{Tile.M1.code}"]')
    assert page.locator('.found[data-tile="1m"]').count() == 1

    page.click("#save-set")
    page.wait_for_selector('#sets li[data-set="家里的牌"]')
    assert "42" in page.locator("#sets small").inner_text()

    scan = open_page(f"{address}/", locale=locale)
    scan.wait_for_selector("#tileset-menu")
    assert scan.locator("#tileset-menu option").all_inner_texts()[-1] == "家里的牌"

    page.click("#sets .danger")
    page.click("#really")
    until(page, "document.querySelector('#sets').hidden")


def test_a_blurred_photo_is_told_on_the_page(open_page: OpenPage, address: str, tmp_path: Path) -> None:
    """One sentence that says what to do; nothing to save."""
    path = tmp_path / "blurred.png"
    cv2.imwrite(str(path), photo(ROWS, blur=5.0).image)
    page = open_page(f"{address}/tilesets")
    listening(page)
    page.set_input_files("#set-photo", str(path))
    page.wait_for_selector("#fault:not([hidden])")
    assert "tap the tiles to focus" in page.locator("#fault").inner_text()
    assert page.locator("#check").is_hidden()
