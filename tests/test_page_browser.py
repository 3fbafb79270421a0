"""The page in a phone-sized browser: from a photo to a saved hand, with one tile corrected on the way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from assistant_api.app import create_app
from assistant_api.settings import Settings
from engine.notation import parse_tiles
from tests.scripted import SAMPLES
from tests.support.browser import PHONE, OpenPage, listening, opened_pages, served, until
from tests.support.scan import PHOTO, TRUTH, WRONG, answer, choose, correct, scan_server, shot, upload

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def address(settings: Settings) -> Iterator[str]:
    """A served app with a scripted reader."""
    with scan_server(settings) as found:
        yield found


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[OpenPage]:
    """Opens a page of the app; at the end no script may have failed."""
    with opened_pages(browser) as make:

        def open_path(path: str = "/", *, host: str = address, scheme: str = "light", **options: Any) -> Page:
            return make(host + path, color_scheme=scheme, **options)

        yield open_path


@contextmanager
def before_it_listens(page: Page, url: str, script: str) -> Iterator[None]:
    """The page is there, the script behind it arrives only at the end: a slow phone."""
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    page.route(f"**/js/{script}.js", hold)
    page.goto(url, wait_until="commit")
    page.wait_for_selector("footer")
    yield
    assert not page.evaluate("document.getElementById('broken').hidden"), "it does not listen yet"
    while not held:
        page.wait_for_timeout(20)
    page.unroute(f"**/js/{script}.js", hold)  # lets go what was held
    listening(page)


@pytest.fixture
def slow_page(open_page: OpenPage) -> Page:
    """A page that shows nothing yet."""
    return open_page("about:blank", host="", service_workers="block")


@pytest.mark.parametrize("way", ["camera", "library"])
def test_a_photo_chosen_before_the_page_listens_is_read(slow_page: Page, address: str, way: str) -> None:
    """The file waits in its input until the script comes, and is read once."""
    with before_it_listens(slow_page, address, "scan"):
        slow_page.set_input_files(f"#{way}", PHOTO)
    slow_page.wait_for_selector("#count")
    assert slow_page.locator(".box").count() == len(TRUTH["tiles"])
    assert slow_page.evaluate(f"document.getElementById('{way}').files.length") == 0


def test_buttons_tapped_before_the_page_listens_do_their_work_once(slow_page: Page, address: str) -> None:
    """Two impatient taps on entering by hand begin one hand; a form is neither lost nor sent anywhere."""
    with before_it_listens(slow_page, address, "scan"):
        slow_page.click("#by-hand")
        slow_page.click("#by-hand")
    slow_page.wait_for_selector("#count")
    with before_it_listens(slow_page, f"{address}/games", "games"):
        slow_page.fill("#code", "??")
        slow_page.press("#code", "Enter")
    slow_page.locator("#fault", has_text="no link or code").wait_for()
    assert slow_page.input_value("#code") == "??"


def test_a_language_chosen_before_the_page_listens_is_spoken(slow_page: Page, address: str) -> None:
    """The menu was changed while nobody listened."""
    with before_it_listens(slow_page, address, "scan"):
        slow_page.select_option("#language", "zh-Hant")
    until(slow_page, "document.documentElement.lang === 'zh-Hant'")


@pytest.mark.parametrize(("locale", "scheme"), [("en-GB", "light"), ("zh-CN", "dark")])
def test_from_photo_to_saved_hand(open_page: OpenPage, locale: str, scheme: str) -> None:
    """Upload, correct one tile, answer, see the settlement, save, find it in the ledger."""
    page = open_page(locale=locale, scheme=scheme)
    name = f"{locale}-{scheme}"
    shot(page, f"{name}-1-start")
    upload(page)
    assert page.locator(".box").count() == len(TRUTH["tiles"])
    assert page.locator(".tile-button.unsure").count() == 1
    shot(page, f"{name}-2-check")
    page.click(f'.tile-button[data-key="t{WRONG}"]')
    shot(page, f"{name}-3-picker")
    page.keyboard.press("Escape")
    correct(page)
    answer(page)
    page.wait_for_selector("#save:enabled")
    deltas = [page.locator(f".seat.at-{place} b").inner_text() for place in range(4)]
    first = "ESWN".index(TRUTH["facts"]["winner"])
    expected = [TRUTH["expected"]["deltas"][(first + place) % 4] for place in range(4)]
    assert [int(text.replace("\u2212", "-")) for text in deltas] == expected
    page.locator("#result").scroll_into_view_if_needed()
    shot(page, f"{name}-4-result")
    page.click("#save")
    page.wait_for_url("**/hands*")
    page.wait_for_selector("#hands > li")
    assert page.locator("#hands > li").count() == 1
    totals = [text.replace("\u2212", "-") for text in page.locator("#totals .seat b").all_inner_texts()]
    assert [int(text) for text in totals] == TRUTH["expected"]["deltas"]
    shot(page, f"{name}-5-ledger")
    page.click("#hands .danger")
    page.click("#confirm .danger")
    page.wait_for_selector("#empty:visible")


def test_tiles_can_be_moved_added_removed_and_undone(open_page: OpenPage) -> None:
    """Every change is checked by the server at once, and undo takes it back."""
    page = open_page()
    upload(page)
    correct(page)
    page.locator('#rack [aria-label^="Flowers"] .tile-button').first.click()
    page.click('#picker [data-group="hand"]')
    page.wait_for_selector(".problems li")
    page.click('[data-key="undo"]')
    page.wait_for_selector("#count.good")
    page.locator('#rack [aria-label^="Hand"] .tile-button').first.click()
    page.click("#remove")
    page.locator("#count", has_text="16 of 17").wait_for()
    page.click('[data-key="add-hand-"]')
    page.click('#picker [data-kind="1m"]')
    page.keyboard.press("Escape")
    page.locator("#count", has_text="17 tiles").wait_for()
    for _ in range(4):
        page.locator('[data-tile="1m"]').first.click()
        page.click("#another")
    page.locator(".problems", has_text="5 ×").wait_for()


def test_a_hand_can_be_entered_without_a_photo(open_page: OpenPage) -> None:
    """All 17 tiles and the gold by tapping; a refused win says why."""
    page = open_page()
    page.click("#by-hand")
    page.wait_for_selector("#count")
    page.click('[data-key="add-hand-"]')
    for tile in parse_tiles("123456m789p23455s67p1s"):
        page.click(f'#picker [data-kind="{tile.code}"]')
    page.keyboard.press("Escape")
    page.click('[data-key="add-gold-"]')
    page.click('#picker [data-kind="9m"]')
    page.wait_for_selector("#count.good")
    for key in ("winner-E", "source-self_draw", "dealer-E"):
        page.click(f'[data-key="{key}"]')
    page.wait_for_selector(".refusal")
    assert "false win" in page.inner_text(".refusal").lower()
    assert page.locator("#save").count() == 0


def test_a_photo_that_is_none_is_explained(open_page: OpenPage, tmp_path: Path) -> None:
    """The server's sentence stands on the page, and the person can try again."""
    page = open_page("/?lang=zh")
    (tmp_path / "text.jpg").write_bytes(b"no photo")
    with page.expect_response("**/api/photos"):
        choose(page, tmp_path / "text.jpg")
    page.wait_for_selector("#fault:visible")
    assert "请发送 JPEG" in page.inner_text("#fault")
    assert page.is_visible("#start")


def test_controls_are_large_and_named(open_page: OpenPage) -> None:
    """Every control is at least 44 px high and has a name a screen reader can say; nothing overflows sideways."""
    page = open_page()
    upload(page)
    small = page.eval_on_selector_all(
        "button, a, select, summary",
        """all => all.filter(one => one.offsetParent && one.getBoundingClientRect().height < 43.5)
                     .map(one => one.outerHTML.slice(0, 120))""",
    )
    assert small == []
    nameless = page.eval_on_selector_all(
        "button, a, select, input, [role=button]",
        """all => all.filter(one => !(one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.length))
                     .map(one => one.outerHTML.slice(0, 120))""",
    )
    assert nameless == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def fix_what_was_read(page: Page, draft: list[dict[str, Any]], truth: list[dict[str, Any]]) -> int:
    """Correct the draft by hand until it is the truth, as a person would; returns how many taps on tiles it took."""
    left = {entry["id"]: entry for entry in draft}
    fixes = 0
    for true in truth:
        near = min(left.values(), key=lambda entry: distance(entry, true), default=None)
        group = true["group"]
        if near is None or distance(near, true) > SAME_PLACE_PX:
            fixes += 1
            page.click(f'[data-key="add-{group}-"]')
            page.click(f'#picker [data-kind="{true["tile"]}"]')
            page.keyboard.press("Escape")
            continue
        del left[near["id"]]
        if near["tile"] != true["tile"]:
            fixes += 1
            page.click(f'.tile-button[data-key="{near["id"]}"]')
            page.click(f'#picker .kind[data-kind="{true["tile"]}"]')
        if near["group"] != group:
            fixes += 1
            page.click(f'.tile-button[data-key="{near["id"]}"]')
            page.click(f'#picker [data-group="{group}"]')
    for name, entry in left.items():
        if entry["group"] != "other":
            fixes += 1
            page.click(f'.tile-button[data-key="{name}"]')
            page.click("#remove")
    return fixes


SAME_PLACE_PX = 30


def distance(one: dict[str, Any], other: dict[str, Any]) -> float:
    """Pixels between the middles of two quads."""
    (x1, y1), (x2, y2) = ([sum(axis) / 4 for axis in zip(*entry["quad"], strict=True)] for entry in (one, other))
    return float(abs(x1 - x2) + abs(y1 - y2))


def test_the_shipped_reader_reads_a_sample(open_page: OpenPage, settings: Settings) -> None:
    """With the networks as they ship: upload, correct, answer, save. A tile is set wrong first, so one is corrected."""
    truth = json.loads((SAMPLES / "three-golds.json").read_text(encoding="utf-8"))
    with served(create_app(settings)) as host:
        page = open_page(host=host, locale="zh-CN")
        with page.expect_response("**/api/photos") as uploaded:
            choose(page, SAMPLES / "three-golds.jpg")
        draft = uploaded.value.json()["draft"]["tiles"]
        page.wait_for_selector("#count")
        shot(page, "shipped-1-check")
        assert fix_what_was_read(page, draft, truth["tiles"]) <= 6
        page.wait_for_selector("#count.good")
        page.locator('#rack [data-tile="1m"]').first.click()
        page.click('#picker .kind[data-kind="E"]')
        page.wait_for_selector(".problems li")
        page.locator('#rack [data-tile="E"]').first.click()
        page.click('#picker .kind[data-kind="1m"]')
        page.wait_for_selector("#count.good")
        for key in ("winner-S", "source-self_draw", "dealer-W"):
            page.click(f'[data-key="{key}"]')
        page.click("#save")
        page.wait_for_url("**/hands*")
        page.wait_for_selector("#hands > li")
        totals = [text.replace("\u2212", "-") for text in page.locator("#totals .seat b").all_inner_texts()]
        assert [int(text) for text in totals] == truth["expected"]["deltas"]
        shot(page, "shipped-2-ledger")
