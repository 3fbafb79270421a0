"""The ledger's pages: joining, sheets, refusals, settings, deleting, and that everybody can use them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import httpx2
import pytest

from assistant_api.app import create_app
from assistant_api.settings import Settings
from tests.scripted import ScriptedReader
from tests.support.browser import DESK, PHONE, OpenPage, opened_pages, served, until
from tests.support.evening import DRAW, Evening, begin, escape, penalty, win
from tests.support.ledger_pages import NAMES, entries, new_game, stored, totals
from tests.support.scan import shot
from tests.test_settle_browser import CONTRAST

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]
COUNT = "document.querySelectorAll('#entries > li').length"


@pytest.fixture
def address(settings: Settings) -> Iterator[str]:
    """A server."""
    with served(create_app(settings, reader=lambda _: ScriptedReader(None))) as found:
        yield found


@pytest.fixture
def evening(address: str) -> Iterator[Evening]:
    """A game begun over the API."""
    with httpx2.Client(base_url=address, headers={"Accept-Language": "en"}) as client:
        yield begin(client, title="Friday", stake_per_point_cents=10)  # type: ignore[arg-type]


@pytest.fixture
def open_page(browser: Browser, address: str) -> Iterator[OpenPage]:
    """Opens a page of the server."""
    with opened_pages(browser) as make:

        def open_path(path: str, **options: Any) -> Page:
            return make(address + path, **{"service_workers": "block", **options})

        yield open_path


def seated(open_page: OpenPage, evening: Evening, role: str = "S", **options: Any) -> Page:
    """A phone that joined by the link for players."""
    page = open_page(f"/t/{evening.id}#{evening.token}", **options)
    page.click(f'[data-role="{role}"]')
    page.wait_for_url("**/g/*")
    page.wait_for_selector('#table [data-seat="E"]')
    return page


def played(evening: Evening) -> None:
    """Some of everything, so that the pages have something to show."""
    for entry in (win("E"), win("E", "W"), DRAW, penalty("W", 10), win("S", "E"), escape("N")):
        evening.add(entry)


def test_a_phone_joins_a_seat_and_writes_with_its_own_token(open_page: OpenPage, evening: Evening) -> None:
    """Each phone gets its own token; its seat is at the foot of the table; a viewer sees no buttons."""
    page = seated(open_page, evening)
    assert stored(page, evening.id)["token"] not in (None, evening.token)
    assert page.locator("#table .at-0").get_attribute("data-seat") == "S"
    page.click("#draw")
    page.click("#save-entry:enabled")
    until(page, f"{COUNT} === 1")
    assert evening.entries()[0]["role"] == "S"
    viewer = seated(open_page, evening, "viewer")
    assert viewer.locator("#enter").is_hidden()
    assert viewer.locator("#invite").count() == 0


def test_a_link_without_its_token_says_how_to_get_in(open_page: OpenPage, evening: Evening) -> None:
    """A game opened by its id alone is explained in one sentence; a wrong link for players as well."""
    page = open_page(f"/g/{evening.id}")
    page.locator("#fault", has_text="scan the QR code of the table").wait_for()
    page = open_page(f"/t/{evening.id}#wrong")
    page.locator("#fault", has_text="scan the QR code of the table").wait_for()
    page = open_page("/g/nothing-here")
    page.locator("#fault", has_text="may have been deleted").wait_for()


def test_amounts_are_shown_before_they_are_saved(open_page: OpenPage, evening: Evening) -> None:
    """Penalty and escape say what follows, by the server's own reckoning, and keep nothing until they are saved."""
    page = seated(open_page, evening)
    page.click("#penalty")
    page.click('#sheet [data-key="seat-W"]')
    page.fill("#penalty-points", "5")
    until(page, "document.querySelectorAll('#outcome .deltas b')[2]?.textContent === '\u221215'")
    page.keyboard.press("Escape")
    page.click("#escape")
    page.click('#sheet [data-key="seat-N"]')
    page.click('#sheet [data-key="flowers-E+"]')
    page.locator("#outcome", has_text="dealer has to be drawn anew").wait_for()
    shown = page.locator("#outcome .deltas b").all_inner_texts()
    assert evening.entries() == []
    page.click("#save-entry")
    until(page, f"{COUNT} === 1")
    assert page.locator("#entries .deltas").first.locator("b").all_inner_texts() == shown
    page.click("#draw")
    page.locator("#outcome", has_text="The ledger cannot tell").wait_for()
    page.keyboard.press("Escape")
    page.click("#say-dealer")
    page.click('#sheet [data-key="dealer-W"]')
    page.click("#save-entry:enabled")
    until(page, "document.querySelector('#table .dealer')?.dataset.seat === 'W'")


def test_every_kind_of_entry_is_corrected_removed_and_brought_back(open_page: OpenPage, evening: Evening) -> None:
    """A penalty gets other points, a draw is removed after a question, undo brings it back; history shows all."""
    evening.add(penalty("W", 10))
    evening.add(DRAW)
    page = seated(open_page, evening)
    fined = page.locator('#entries [data-kind="penalty"]')
    fined.locator("summary").first.click()
    fined.locator('[data-tool="edit"]').click()
    assert page.input_value("#penalty-points") == "10"
    page.fill("#penalty-points", "4")
    page.click("#save-entry:enabled")
    until(page, "document.querySelector('#table [data-seat=\"W\"] b').textContent === '\u221212'")
    assert "\u221230" in page.inner_text("#changes")
    assert totals(page) == [4, 4, -12, 4]
    page.click("#changes-seen")
    drawn = page.locator('#entries [data-kind="draw"]')
    drawn.locator("summary").first.click()
    drawn.locator('[data-tool="remove"]').click()
    page.click("#remove-yes")
    until(page, f"{COUNT} === 1")
    page.click("#undo:enabled")
    until(page, f"{COUNT} === 2")
    assert entries(page) == ["penalty", "draw"]
    page.click("#history")
    page.wait_for_selector("#history [data-action='undo']")
    actions = [item.get_attribute("data-action") for item in page.locator("#history > li").all()]
    assert actions == ["undo", "remove", "edit", "add", "add", "begin"]


def test_refusals_are_one_sentence_that_says_what_to_do(open_page: OpenPage, evening: Evening) -> None:
    """A later hand that would not stand, and a phone that was slower than another one."""
    evening.add(win("E"))
    evening.add(win("E", facts={"source": "heavenly"}))
    page = seated(open_page, evening)
    first = page.locator("#entries > li").last
    first.locator("summary").first.click()
    first.locator('[data-tool="edit"]').click()
    page.wait_for_selector("#save:enabled")
    page.click('[data-key="winner-N"]')
    page.click("#save:enabled")
    page.locator("#fault", has_text="Correct or remove that hand first").wait_for()
    assert "hand 2" in page.inner_text("#fault")
    page.goto(page.url.split("/?")[0] + f"/g/{evening.id}")
    page.wait_for_selector("#undo:enabled")

    def with_old_version(route: Any) -> None:
        route.continue_(headers={**route.request.headers, "if-match": "1"})

    page.route("**/undo", with_old_version)
    page.click("#undo")
    page.locator("#fault", has_text="look at it again, then repeat").wait_for()
    assert len(evening.entries()) == 2


def test_rules_are_chosen_in_plain_words_and_fixed_by_the_first_hand(open_page: OpenPage) -> None:
    """Options are set before the first hand; later they count for the hands from then on."""
    page = open_page("/games/new")
    page.wait_for_selector("#setup:visible")
    page.fill("#option-fixed_points", "8")
    page.select_option("#option-discard_payers", label="All three")
    special = page.locator('#options [data-option="special_values"]')
    assert special.locator("input").first.is_hidden()
    special.locator("summary").click()
    special.locator("input").first.fill("35")
    page.click("#options > details:last-child > summary")
    page.fill("#option-search", "last group")
    assert page.locator("#options > details:last-child [data-option]:visible").count() == 2
    page.fill("#stake-money", "0.5")
    page.click('[data-key="retention-days"]')
    page.fill("#photo-days", "0")
    page.fill("#player-E", "Lin")
    page.click("#begin")
    page.locator("#fault", has_text="1 to 3650 days").wait_for()
    page.fill("#photo-days", "3")
    new_game(page, NAMES)
    page.click("#settings")
    page.wait_for_selector("#setup:visible")
    assert page.input_value("#option-fixed_points") == "8"
    assert page.locator('#options [data-option="special_values"] input').first.input_value() == "35"
    assert page.input_value("#option-discard_payers") == "all_three"
    assert page.input_value("#stake-money") == "0.50"
    assert page.input_value("#photo-days") == "3"
    page.fill("#player-N", "Qi")
    page.click('[data-key="dealer-S"]')
    page.click("#begin")
    page.wait_for_url("**/g/*")
    until(page, "document.querySelector('#table .dealer')?.dataset.seat === 'S'")
    assert "Qi" in page.inner_text("#table")
    page.click("#draw")
    page.click("#save-entry:enabled")
    until(page, f"{COUNT} === 1")
    page.click("#settings")
    page.locator("#rules", has_text="from now on").wait_for()
    assert page.is_hidden("#dealer-card")
    page.fill("#option-fixed_points", "9")
    page.click("#begin")
    page.wait_for_url("**/g/*")
    page.click("#history")
    page.locator('#history [data-action="settings"]', has_text="fixed_points").first.wait_for()


def test_a_game_is_found_again_opened_by_its_code_and_deleted(open_page: OpenPage, evening: Evening) -> None:
    """The list goes on with the last game; a code opens one for looking; deleting asks and reaches every phone."""
    page = seated(open_page, evening)
    page.goto(page.url.rpartition("/g/")[0] + "/games")
    page.click("#continue")
    page.wait_for_selector("#scan-win")
    other = open_page("/games")
    other.wait_for_selector("#none:visible")
    other.fill("#code", "??")
    other.click("#open button")
    other.locator("#fault", has_text="no link or code").wait_for()
    other.fill("#code", evening.share_code)
    other.click("#open button")
    other.wait_for_selector('#table [data-seat="E"]')
    page.click("#delete")
    assert "cannot be taken back" in page.inner_text("#sheet")
    page.click("#delete-yes-not")
    assert page.locator("#sheet").is_hidden()
    page.click("#delete")
    page.click("#delete-yes")
    page.wait_for_url("**/games*")
    page.wait_for_selector("#none:visible")
    other.locator("#fault", has_text="deleted").wait_for()


PAGES = ("/games", "/games/new", "/g/{id}", "/g/{id}/settings", "/g/{id}/history", "/g/{id}/print", "/t/{id}#{token}")
READY = "#continue, #setup:not([hidden]), #entries > li, #history > li, #report h2, #roles button"


@pytest.mark.parametrize(
    ("size", "scheme", "locale"),
    [(PHONE, "light", "zh-CN"), (PHONE, "dark", "en-GB"), (DESK, "dark", "zh-CN"), (DESK, "light", "en-GB")],
    ids=["phone-light-zh", "phone-dark-en", "desk-dark-zh", "desk-light-en"],
)
def test_every_page_is_readable_and_reachable(
    open_page: OpenPage, evening: Evening, size: Any, scheme: str, locale: str
) -> None:
    """No text under 4.5:1, no control under 44 px or without a name, nothing wider than the screen."""
    played(evening)
    page = seated(open_page, evening, viewport=size, color_scheme=scheme, locale=locale)
    for number, pattern in enumerate(PAGES):
        page.goto("about:blank")
        page.goto(address_of(evening) + pattern.format(id=evening.id, token=evening.token))
        page.locator(READY).first.wait_for()
        name = f"ledger-{size['width']}-{scheme}-{number}"
        shot(page, name)
        check(page, size)
        if pattern == "/g/{id}":
            for at in (0, 1):
                page.locator("#entries > li").nth(at).locator("summary").first.click()
            page.wait_for_selector('#entries [data-tool="edit"] >> nth=1')
            check(page, size)
            for sheet in ("penalty", "escape", "invite"):
                page.click(f"#{sheet}")
                page.wait_for_selector(".qr" if sheet == "invite" else '#sheet [data-key="seat-W"]')
                shot(page, f"{name}-{sheet}")
                check(page, size)
                page.keyboard.press("Escape")


def address_of(evening: Evening) -> str:
    """Where the server of this game is."""
    return str(evening.client.base_url).rstrip("/")


def check(page: Page, size: Any) -> None:
    """What every page owes everybody."""
    assert page.evaluate(CONTRAST) == []
    small = page.eval_on_selector_all(
        "button, a, select, summary, input:not([type=checkbox]):not([type=file])",
        """all => all.filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.5)
                     .map((one) => one.outerHTML.slice(0, 120))""",
    )
    assert small == []
    nameless = page.eval_on_selector_all(
        "button, a, select, input, [role=button], [role=radiogroup], dialog[open]",
        """all => all.filter((one) => !(one.getAttribute("aria-label") || one.textContent.trim() || one.labels?.length))
                     .map((one) => one.outerHTML.slice(0, 120))""",
    )
    assert nameless == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
