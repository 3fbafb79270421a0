"""Makes the PNG icons of the installable page from ``icon.svg``, in Chromium: ``python -m tests.support.icons``."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

STATIC = Path(__file__).resolve().parent.parent.parent / "assistant_api" / "web" / "static"
GREEN = "#0f6b43"
ICONS = {  # name: size in pixels, share of the width the seal takes, ground
    "192.png": (192, 1.0, "transparent"),
    "512.png": (512, 1.0, "transparent"),
    "maskable.png": (512, 0.8, GREEN),  # systems cut it to a circle of 80 % of the width
    "apple.png": (180, 1.0, GREEN),  # a transparent ground would turn black
}


def render(browser: Browser) -> Iterator[tuple[str, bytes]]:
    """Name and content of each icon."""
    svg = (STATIC / "icon.svg").read_text(encoding="utf-8")
    for name, (size, share, ground) in ICONS.items():
        page = browser.new_page(viewport={"width": size, "height": size})
        style = f"body{{margin:0;background:{ground};display:grid;place-items:center;height:100vh}}"
        page.set_content(f"<style>{style}svg{{width:{share:.0%}}}</style>{svg}")
        yield name, page.screenshot(omit_background=True)
        page.close()


if __name__ == "__main__":
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--headless", "--no-sandbox"])
        for name, content in render(chromium):
            (STATIC / "icons" / name).write_bytes(content)
        chromium.close()
