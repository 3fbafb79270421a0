"""The steps people take on the ledger's pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

NAMES = ("Lin", "Fang", "Chen", "Qiang")


def new_game(page: Page, names: tuple[str, ...] = NAMES, title: str = "") -> str:
    """Begin a game with four names; returns its id. The page shows the game."""
    page.wait_for_selector("#setup:visible")
    for seat, name in zip("ESWN", names, strict=True):
        page.fill(f"#player-{seat}", name)
    page.fill("#game-title", title)
    page.click("#begin")
    page.wait_for_url("**/g/*")
    page.wait_for_selector("#scan-win:visible")
    return page.url.rpartition("/")[2]


def totals(page: Page) -> list[int]:
    """What the four at the table have, by seat from East on."""
    texts = [page.inner_text(f'#table [data-seat="{seat}"] b') for seat in "ESWN"]
    return [int(text.replace("\u2212", "-")) for text in texts]


def entries(page: Page) -> list[str]:
    """The kinds of entry on the page, oldest first."""
    return [str(item.get_attribute("data-kind")) for item in page.locator("#entries > li").all()][::-1]


def drawn(page: Page) -> None:
    """Enter a drawn hand."""
    page.click("#draw")
    page.click("#save-entry:enabled")
    page.wait_for_selector("#sheet", state="hidden")


def fine(page: Page, seat: str, points: int) -> None:
    """Enter a penalty."""
    page.click("#penalty")
    page.click(f'#sheet [data-key="seat-{seat}"]')
    page.fill("#penalty-points", str(points))
    page.click("#save-entry:enabled")
    page.wait_for_selector("#sheet", state="hidden")


def stored(page: Page, code: str) -> Any:
    """What the phone keeps of a game in its list."""
    return page.evaluate("code => JSON.parse(localStorage.getItem('games'))?.[code] ?? null", code)
