"""What a page is measured by: names for screen readers, contrast of text, size of targets, weight of the first load."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

MEASURE = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
CONTROL_ROLES = {
    "button",
    "checkbox",
    "combobox",
    "dialog",
    "DisclosureTriangle",
    "image",
    "img",
    "link",
    "listbox",
    "menuitem",
    "meter",
    "option",
    "progressbar",
    "radio",
    "radiogroup",
    "searchbox",
    "slider",
    "spinbutton",
    "switch",
    "tab",
    "textbox",
}


def measure(page: Page) -> dict[str, Any]:
    """Texts of too little contrast, targets that are too small, pixels the page can be moved sideways."""
    found: dict[str, Any] = page.evaluate(MEASURE.strip().rstrip(";"))
    return found


def accessible_nodes(page: Page) -> list[dict[str, Any]]:
    """The accessibility tree as the browser gives it to screen readers, without what is ignored."""
    session = page.context.new_cdp_session(page)
    nodes: list[dict[str, Any]] = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    return [node for node in nodes if not node["ignored"]]


def nameless(page: Page) -> list[str]:
    """Controls and pictures without a name in the accessibility tree."""
    found = []
    for node in accessible_nodes(page):
        role = node.get("role", {}).get("value")
        if role in CONTROL_ROLES and not str(node.get("name", {}).get("value", "")).strip():
            found.append(f"{role} {node.get('properties', [])}"[:160])
    return found


@dataclass
class Load:
    """What came over the network, in bytes, photos left out."""

    requests: dict[str, str] = field(default_factory=dict)
    sizes: dict[str, float] = field(default_factory=dict)

    @property
    def total(self) -> float:
        """All of it."""
        return sum(self.sizes.values())


@contextmanager
def weighed(page: Page) -> Iterator[Load]:
    """Counts what a page loads, headers and all, as it travels."""
    load = Load()
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")

    def asked(event: dict[str, Any]) -> None:
        load.requests[event["requestId"]] = event["request"]["url"]

    def finished(event: dict[str, Any]) -> None:
        url = load.requests.get(event["requestId"], "")
        if "/api/photos/" not in url and not url.startswith(("data:", "blob:")):
            load.sizes[event["requestId"]] = event["encodedDataLength"]

    session.on("Network.requestWillBeSent", asked)
    session.on("Network.loadingFinished", finished)
    yield load
    session.detach()
