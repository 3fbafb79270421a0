"""Every page there is, in the states in which people see it: the page checks look at each of them.

A new page is one more line in PAGES.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.support.browser import until
from tests.support.ledger_pages import drawn, fine, new_game
from tests.support.scan import answer, correct, upload

if TYPE_CHECKING:
    from playwright.sync_api import Page


def as_it_is(page: Page) -> None:
    """Nothing to do."""


@dataclass(frozen=True)
class Shown:
    """A page in a state: where it is, what is done there first, and which addresses cannot be reached."""

    name: str
    path: str
    prepare: Callable[[Page], None] = as_it_is
    blocked: tuple[str, ...] = ()


def with_every_notice(page: Page) -> None:
    """As if everything had gone wrong at once."""
    page.eval_on_selector_all(
        ".notice",
        "all => all.forEach((one) => { one.hidden = false; one.style.animation = 'none'; "
        "one.style.visibility = 'visible'; one.style.position = 'static'; })",
    )


def checked(page: Page) -> None:
    """A photo was read, one tile is in doubt."""
    upload(page)


def choosing(page: Page) -> None:
    """The picker is open for a tile."""
    upload(page)
    page.locator("#rack .tile-button").first.click()
    page.wait_for_selector("#picker[open]")


def settled(page: Page) -> None:
    """Everything is answered."""
    upload(page)
    correct(page)
    answer(page)
    page.wait_for_selector("#save:enabled")


def saved(page: Page) -> None:
    """A hand is in the ledger, its formula open."""
    settled(page)
    page.click("#save")
    page.wait_for_selector("#hands > li")
    page.eval_on_selector_all("details", "all => all.forEach((one) => { one.open = true; })")


def opened(page: Page) -> None:
    """All that can be unfolded is unfolded."""
    page.wait_for_selector("#steps")
    page.eval_on_selector_all("details", "all => all.forEach((one) => { one.open = true; })")


def setting_up(page: Page) -> None:
    """Players, stakes and all options of the rules."""
    page.wait_for_selector("#setup:visible")
    page.eval_on_selector_all("details", "all => all.forEach((one) => { one.open = true; })")


def playing(page: Page) -> None:
    """An evening with a drawn hand and a penalty."""
    new_game(page, title="Friday")
    drawn(page)
    fine(page, "S", 5)
    until(page, "document.querySelectorAll('#entries > li').length === 2")
    page.wait_for_timeout(3_000)  # messages go away


def sharing(page: Page) -> None:
    """The codes for other phones."""
    new_game(page)
    page.click("#share")
    page.wait_for_selector(".qr")


def entering(page: Page) -> None:
    """A penalty is being entered."""
    new_game(page)
    page.click("#penalty")
    page.wait_for_selector("#sheet[open]")


def of_game(part: str, selector: str) -> Callable[[Page], None]:
    """A page below that of a game."""

    def prepare(page: Page) -> None:
        playing(page)
        page.goto(f"{page.url}/{part}")
        page.wait_for_selector(selector)

    return prepare


LIVE_HAND = """
W flowers N P 1f 5f
W draw tail
W draw tail
W draw tail
W draw tail
gold 6s
W discard 9p
N draw
N discard 7p
W pung 7p
W discard 1m
N draw
N discard 2m
E draw
E discard 3m
S draw
S discard 3s
W chow 3s with 2s4s
W discard 1p
N draw
N discard 5p
E draw
E discard 5p
"""
DO = """async ([code, acts]) => {
    const { token } = JSON.parse(localStorage.getItem('games'))[code];
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    for (const act of acts) {
        const answer = await fetch(`/api/live/${code}/acts`, { method: 'POST', headers, body: JSON.stringify(act) });
        if (!answer.ok) throw new Error(await answer.text());
    }
}"""


def at_table(page: Page, *more: dict[str, str]) -> None:
    """A hand that is being followed, and what people say then."""
    new_game(page, title="Friday")
    code = page.url.rpartition("/")[2]
    acts = [{"act": "begin", "dealer": "W", "near": "W"}]
    acts += [{"act": "insert", "text": line} for line in LIVE_HAND.strip().splitlines()]
    page.evaluate(DO, [code, [*acts, *more]])
    page.goto(f"{page.url}/live")
    page.wait_for_selector("#sides:visible")
    page.eval_on_selector_all("details", "all => all.forEach((one) => { one.open = true; })")


def live_claimed(page: Page) -> None:
    """A win is declared that may be 过水, all events are shown."""
    at_table(page, {"act": "claim", "seat": "W", "source": "discard"})
    page.wait_for_selector("#claim:visible")
    page.click("#log-all")
    page.evaluate("scrollTo(0, 0)")


def live_entering(page: Page) -> None:
    """An event is entered by hand."""
    at_table(page)
    page.click("#add-event")
    page.wait_for_selector("#sheet[open]")


def live_between(page: Page) -> None:
    """Nothing is followed yet."""
    new_game(page)
    page.goto(f"{page.url}/live")
    page.wait_for_selector("#begin:visible")


def live_camera(page: Page) -> None:
    """A phone that is to be the camera: this one has none."""
    at_table(page)
    page.goto(page.url.replace("/live", "/camera"))
    page.wait_for_selector("#tools a")


def joining(page: Page) -> None:
    """Opened by the code that another phone shows."""
    sharing(page)
    code = page.input_value("#share-url").rpartition("/")[2]
    page.goto(f"{page.url.partition('/g/')[0]}/t/{code}")
    page.wait_for_selector("#roles button")


PAGES = (
    Shown("start", "/"),
    Shown("notices", "/", with_every_notice),
    Shown("scan-check", "/", checked),
    Shown("scan-picker", "/", choosing),
    Shown("scan-settled", "/", settled),
    Shown("hands-empty", "/hands"),
    Shown("hands", "/", saved),
    Shown("tilesets", "/tilesets"),
    Shown("games", "/games"),
    Shown("setup", "/games/new", setting_up),
    Shown("game", "/games/new", playing),
    Shown("game-share", "/games/new", sharing),
    Shown("game-penalty", "/games/new", entering),
    Shown("history", "/games/new", of_game("history", "main li")),
    Shown("report", "/games/new", of_game("print", "table")),
    Shown("join", "/games/new", joining),
    Shown("live-between", "/games/new", live_between),
    Shown("live", "/games/new", at_table),
    Shown("live-claim", "/games/new", live_claimed),
    Shown("live-entering", "/games/new", live_entering),
    Shown("live-camera", "/games/new", live_camera),
    Shown("install", "/install", opened),
    Shown("offline", "/offline", blocked=("**/api/version",)),
)
