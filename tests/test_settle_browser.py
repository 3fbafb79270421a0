"""From checked tiles to who pays whom: the questions that matter, the sum explained, a refusal with its way out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from assistant_api.settings import Settings
from tests.support.browser import DESK, PHONE, OpenPage, opened_pages, until
from tests.support.scan import WRONG, answer, correct, scan_server, shot, upload

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def address(settings: Settings) -> Iterator[str]:
    """A server that reads the sample with one mistake."""
    with scan_server(settings) as found:
        yield found


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[OpenPage]:
    """Opens the scan page."""
    with opened_pages(browser) as make:

        def open_path(path: str = "/", **options: Any) -> Page:
            return make(address + path, **{"service_workers": "block", **options})

        yield open_path


def judged(page: Page) -> None:
    """Wait until the server has judged what is on the page."""
    until(page, "document.getElementById('dock').getAttribute('aria-busy') === 'false'")


def enter(page: Page, group: str, codes: str) -> None:
    """Add tiles to a group by tapping."""
    page.click(f'[data-key="add-{group}-"]')
    for code in codes.split():
        page.click(f'#picker [data-kind="{code}"]')
    if group in ("hand", "flowers"):
        page.keyboard.press("Escape")


def by_hand(page: Page, hand: str, winning: str, gold: str) -> None:
    """Enter a hand without a photo."""
    page.click("#by-hand")
    enter(page, "hand", hand)
    enter(page, "winning", winning)
    enter(page, "gold", gold)
    page.wait_for_selector("#count.good")


READY = "1m 2m 3m 4m 5m 6m 7p 8p 9p 2s 3s 4s 5s 5s 6p 7p"


def test_report_17_exactly_what_a_photo_cannot_tell_is_asked(open_page: OpenPage) -> None:
    """Who won, how and who deals are marked as needed, one after the other; the seat only once it was a discard."""
    page = open_page()
    upload(page)
    correct(page)
    asked = page.eval_on_selector_all(".question.open", "all => all.map((one) => one.id)")
    assert asked == ["question-winner", "question-source", "question-dealer"]
    assert "photo cannot" in page.inner_text("#facts")
    assert "Questions left: 3" in page.inner_text("#dock")
    shot(page, "settle-1-questions")
    page.click('[data-key="winner-W"]')
    page.click('[data-key="dealer-W"]')
    page.click('[data-key="source-discard"]')
    page.wait_for_selector("#question-from_seat.open")
    assert page.locator('#question-from_seat [data-key="from_seat-W"]').count() == 0, "nobody throws a tile for oneself"
    assert "Questions left: 1" in page.inner_text("#dock")
    page.click('[data-key="from_seat-E"]')
    page.wait_for_selector("#save:enabled")
    assert page.locator(".question.open").count() == 0


def test_the_ledger_knows_dealer_and_streak(open_page: OpenPage) -> None:
    """After a saved hand they are one line that can be changed, not two questions."""
    page = open_page()
    upload(page)
    correct(page)
    answer(page)
    page.click("#save")
    page.wait_for_url("**/hands*")
    page.goto(page.url.partition("/hands")[0])
    upload(page)
    page.wait_for_selector(".question.known")
    assert "West deals" in page.inner_text(".question.known")
    assert "连庄 2" in page.inner_text(".question.known")
    assert page.locator("#question-dealer, #question-streak").count() == 0
    page.click('[data-key="change-dealer"]')
    page.click('[data-key="dealer-S"]')
    page.click('[data-key="streak\u2212"]')
    assert page.get_attribute('[data-key="dealer-S"]', "aria-checked") == "true"


def test_the_preview_follows_every_answer(open_page: OpenPage) -> None:
    """Self-draw is paid by three, a discard by one; arrows carry the points and words say the same."""
    page = open_page()
    upload(page)
    correct(page)
    answer(page)
    page.wait_for_selector("#save:enabled")
    assert page.locator(".table-top .head").count() == 1
    page.click('[data-key="source-self_draw"]')
    until(page, "document.querySelectorAll('.table-top .head').length === 3")
    labels = page.eval_on_selector_all(".table-top text", "all => all.map(one => one.textContent)")
    said = page.locator(".compass li").all_inner_texts()
    assert len(set(labels)) == 1
    assert sorted(said) == sorted(f"{seat} pays West {labels[0]}" for seat in ("East", "South", "North"))
    deltas = [int(text.replace("\u2212", "-")) for text in page.locator(".compass .seat b").all_inner_texts()]
    assert sorted(deltas) == [-int(labels[0])] * 3 + [3 * int(labels[0])]
    formula = page.inner_text(".formula .sum")
    assert f"= {labels[0]}" in formula.replace("\n", " ")
    shot(page, "settle-2-self-draw")
    page.click('[data-key="streak+"]')
    until(page, f"document.querySelector('.table-top text').textContent !== '{labels[0]}'")


def test_what_each_gold_stands_for_is_shown(open_page: OpenPage) -> None:
    """A gold in the hand fills a place: the page says which."""
    page = open_page()
    by_hand(page, READY.replace("1m", "9s", 1), "8p", "9s")
    for key in ("winner-E", "source-self_draw", "dealer-E"):
        page.click(f'[data-key="{key}"]')
    page.wait_for_selector("#save:enabled")
    assert page.locator(".stands").count() == 1
    assert page.get_attribute(".stands", "aria-label") == "九条 9 bamboos stands for 七万 7 characters"


def test_a_refusal_says_why_and_what_would_help(open_page: OpenPage) -> None:
    """A gold was thrown before: no win off a discard; by self-draw it is one, and the page follows."""
    page = open_page()
    by_hand(page, READY, "8p", "9m")
    for key in ("winner-S", "source-discard", "from_seat-W", "dealer-E"):
        page.click(f'[data-key="{key}"]')
    page.wait_for_selector("#save:enabled")
    page.check('#question-seen [data-key="passed"]')
    page.wait_for_selector(".refusal")
    text = page.inner_text(".refusal")
    assert "What would help:" in text
    assert "self-draw" in text.partition("What would help:")[2]
    assert page.locator("#save").count() == 0
    assert "Not a win" in page.inner_text("#dock")
    shot(page, "settle-3-refused")
    page.click('[data-key="source-self_draw"]')
    page.wait_for_selector("#save:enabled")


def test_rare_ways_to_win_are_one_tap_further(open_page: OpenPage) -> None:
    """Closed at first; the choice stands on the button when it is made."""
    page = open_page()
    upload(page)
    assert page.locator('[data-key="source-rob_kong"]').count() == 0
    page.click('[data-key="other-source"]')
    page.click('[data-key="source-rob_kong"]')
    assert "robbed kong" in page.inner_text('[data-key="other-source"]').lower()
    page.wait_for_selector("#question-from_seat")


CONTRAST = """
() => {
  const parse = (text) => {
    const numbers = (text.match(/[\\d.]+/g) ?? []).map(Number);
    return text.startsWith("color(") ? numbers.map((value, place) => (place < 3 ? 255 * value : value)) : numbers;
  };
  const over = ([r, g, b, a = 1], below) => [r, g, b].map((v, i) => v * a + below[i] * (1 - a));
  const ground = (one) => {
    const layers = [];
    for (let at = one; at; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((below, layer) => (layer.length ? over(layer, below) : below), [255, 255, 255]);
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((v) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const bad = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const one = walk.currentNode.parentElement;
    if (!walk.currentNode.textContent.trim() || !one.checkVisibility()) continue;
    if (one.closest("svg, script, :disabled, option")) continue;
    const below = ground(one);
    const style = getComputedStyle(one);
    const [x, y] = [light(over(parse(style.color), below)), light(below)];
    const ratio = (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
    if (ratio < 4.5) bad.push(`${ratio.toFixed(2)} ${one.className} ${one.textContent.slice(0, 30)}`);
  }
  return bad;
}
"""


@pytest.mark.parametrize("size", [PHONE, DESK, {"width": 844, "height": 390}], ids=["phone", "desk", "landscape"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_readable_and_reachable_at_every_size(open_page: OpenPage, size: Any, scheme: str) -> None:
    """No text under 4.5:1, no control under 44 px or without a name, nothing wider than the screen; also in Chinese."""
    locale = "zh-CN" if scheme == "dark" else "en-GB"
    page = open_page(viewport=size, color_scheme=scheme, locale=locale)
    name = f"settle-4-{size['width']}-{scheme}"
    shot(page, f"{name}-start")
    assert page.evaluate(CONTRAST) == []
    upload(page)
    judged(page)
    shot(page, f"{name}-check")
    assert page.evaluate(CONTRAST) == []
    correct(page)
    answer(page)
    page.wait_for_selector("#save:enabled")
    page.click('[data-key="source-self_draw"]')
    until(page, "document.querySelectorAll('.table-top .head').length === 3")
    page.locator("#result").evaluate("one => one.scrollIntoView()")
    shot(page, f"{name}-result")
    assert page.evaluate(CONTRAST) == []
    small = page.eval_on_selector_all(
        "button, a, select, summary, label.switch",
        """all => all.filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.5)
                     .map((one) => one.outerHTML.slice(0, 120))""",
    )
    assert small == []
    nameless = page.eval_on_selector_all(
        "button, a, select, input, [role=button]",
        """all => all.filter((one) => !(one.getAttribute("aria-label") || one.textContent.trim() || one.labels?.length))
                     .map((one) => one.outerHTML.slice(0, 120))""",
    )
    assert nameless == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    page.click(f'.tile-button[data-key="t{WRONG}"]')
    page.wait_for_selector("#picker[open]")
    shot(page, f"{name}-picker")
    assert page.evaluate(CONTRAST) == []


def test_motion_is_left_out_for_who_asks_for_it(open_page: OpenPage) -> None:
    """With reduced motion nothing moves by itself."""
    page = open_page(reduced_motion="reduce")
    upload(page)
    page.click(f'.tile-button[data-key="t{WRONG}"]')
    page.wait_for_selector("#picker[open]")
    moving = "document.getAnimations().filter((one) => one.playState === 'running').length"
    assert page.evaluate(moving) == 0
