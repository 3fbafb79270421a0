"""Every page there is, in the states in which people see it: the page checks look at each of them.

A new page is one more line in PAGES.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

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


PAGES = (
    Shown("start", "/"),
    Shown("notices", "/", with_every_notice),
    Shown("scan-check", "/", checked),
    Shown("scan-picker", "/", choosing),
    Shown("scan-settled", "/", settled),
    Shown("hands-empty", "/hands"),
    Shown("hands", "/", saved),
    Shown("install", "/install", opened),
    Shown("offline", "/offline", blocked=("**/api/version",)),
)
