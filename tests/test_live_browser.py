"""Following a stream from a phone that sleeps, loses its connection, or holds one that only looks open."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from assistant_api.assets import WEB
from tests.support.browser import OpenPage, opened_pages, served, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SCRIPT = """
import { follow } from "./live.js";
window.seen = { snapshots: [], deltas: [], states: [], ends: [] };
window.stream = follow("/stream", {
  headers: { Authorization: "Bearer secret" },
  onSnapshot: (body) => seen.snapshots.push(body.version),
  onDelta: (body) => seen.deltas.push(body.version),
  onState: (state) => seen.states.push({ state, at: Date.now() }),
  onEnd: (answer) => seen.ends.push(answer?.status ?? null),
});
"""
PAGE = '<!doctype html><title>x</title><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>'
TICK_S = 0.05
ALIVE_S = 0.3


class Table:
    """A game that counts: what its stream does is set by the test, which runs on another thread."""

    def __init__(self) -> None:
        self.version = 1
        self.silent = False
        self.status = 200
        self.skipped: set[int] = set()
        self.repeated: set[int] = set()
        self.gone = False
        self.asked: list[str | None] = []
        self.tokens: set[str | None] = set()
        self.open = 0
        self.cut = 0

    def app(self) -> Starlette:
        """Serves a page that follows, and the stream."""
        live = (WEB / "static" / "js" / "live.js").read_text(encoding="utf-8")

        def script(text: str) -> Any:
            return lambda _request: Response(text, media_type="text/javascript")

        routes = [
            Route("/", lambda _request: HTMLResponse(PAGE)),
            Route("/page.js", script(SCRIPT)),
            Route("/live.js", script(live)),
            Route("/stream", self._stream),
        ]
        return Starlette(routes=routes)

    async def _stream(self, request: Request) -> Response:
        seen = request.headers.get("last-event-id")
        self.asked.append(seen)
        self.tokens.add(request.headers.get("authorization"))
        if self.status != 200:
            return PlainTextResponse("no", self.status)
        return StreamingResponse(self._events(int(seen) if seen else None), media_type="text/event-stream")

    async def _events(self, seen: int | None) -> AsyncIterator[str]:
        self.open += 1
        cut = self.cut
        try:
            idle = 0.0
            while cut == self.cut:
                if self.gone:
                    yield "event: gone\ndata: {}\n\n"
                    return
                if not self.silent and seen != self.version:
                    for text in self._news(seen):
                        yield text
                    seen = self.version
                    idle = 0.0
                elif not self.silent and idle > ALIVE_S:
                    yield ": alive\n\n"
                    idle = 0.0
                await asyncio.sleep(TICK_S)
                idle += TICK_S
        finally:
            self.open -= 1

    def _news(self, seen: int | None) -> Iterator[str]:
        if seen is None:
            yield message("snapshot", version=self.version)
            return
        for version in range(seen + 1, self.version + 1):
            if version not in self.skipped:
                yield message("delta", version=version, from_version=version - 1)
            if version in self.repeated:
                yield message("delta", version=version, from_version=version - 1)


def message(event: str, **body: int) -> str:
    """An event as the server writes it."""
    return f"id: {body['version']}\nevent: {event}\ndata: {json.dumps(body)}\n\n"


@pytest.fixture
def table() -> Table:
    """A game."""
    return Table()


@pytest.fixture
def page(browser: Browser, table: Table) -> Iterator[Page]:
    """A phone that follows it."""
    with served(table.app()) as address, opened_pages(browser) as open_page:
        yield start(open_page, address)


def start(open_page: OpenPage, address: str) -> Page:
    """A page that has its first snapshot."""
    found = open_page(address)
    until(found, "window.seen?.snapshots.length === 1")
    return found


def seen(page: Page) -> dict[str, list[Any]]:
    """What the page was told so far."""
    found: dict[str, list[Any]] = page.evaluate("window.seen")
    return found


def wake(page: Page) -> None:
    """All that a phone may fire when it is unlocked, at once."""
    page.evaluate("""() => {
        for (const name of ['pageshow', 'focus', 'online']) window.dispatchEvent(new Event(name));
        document.dispatchEvent(new Event('visibilitychange'));
    }""")


def test_snapshot_then_deltas_each_once(page: Page, table: Table) -> None:
    """Everything arrives in order with the token; a repeated message is dropped; one connection is enough."""
    table.repeated = {2, 3}
    table.version = 3
    until(page, "seen.deltas.length === 2")
    page.wait_for_timeout(2_500)  # keep-alives in between
    table.version = 4
    until(page, "seen.deltas.length === 3")
    assert seen(page)["deltas"] == [2, 3, 4]
    assert seen(page)["snapshots"] == [1]
    assert (table.asked, table.tokens) == ([None], {"Bearer secret"})
    assert [one["state"] for one in seen(page)["states"]] == ["connecting", "live"]


def test_a_gap_brings_a_fresh_snapshot(page: Page, table: Table) -> None:
    """A delta that does not continue what the page has is not applied."""
    table.skipped = {2}
    table.version = 3
    until(page, "seen.snapshots.length === 2")
    assert (seen(page)["snapshots"], seen(page)["deltas"]) == ([1, 3], [])
    assert table.asked == [None, None]


def test_a_stream_that_only_looks_open_is_left_within_five_seconds(page: Page, table: Table) -> None:
    """The server stops answering: silence is noticed, and the new connection gets what was missed, once."""
    table.silent = True
    table.version = 2
    until(page, "seen.states.at(-1).state === 'away'")
    table.silent = False
    until(page, "seen.deltas.length === 1")
    assert table.asked[0] is None
    assert set(table.asked[1:]) == {"1"}
    assert seen(page)["deltas"] == [2]
    assert page.evaluate("import('./live.js').then(live => live.SILENCE_MS)") < 5000


def test_waking_reconnects_once_and_at_once(page: Page, table: Table) -> None:
    """Four events at unlock, a stale stream: one new connection, and no waiting for the silence to be long enough."""
    table.silent = True
    page.wait_for_timeout(3_200)  # stale, and not yet given up
    assert len(table.asked) == 1
    wake(page)
    page.wait_for_timeout(500)
    assert table.asked[1:] == ["1"]
    table.silent = False  # only now: a word from the server would make the old stream fresh again
    until(page, "seen.states.at(-1).state === 'live' && stream.version() === 1")
    table.version = 2
    until(page, "seen.deltas.length === 1")
    wake(page)
    page.wait_for_timeout(500)
    assert len(table.asked) == 2, "a fresh stream is left alone"


def test_an_ended_connection_is_made_again_until_it_holds(page: Page, table: Table) -> None:
    """The server drops it and answers with faults for a while: nothing is lost or doubled, one is open at the end."""
    table.status = 503
    table.cut += 1
    until(page, "seen.states.at(-1).state === 'away'")
    table.version = 3
    page.wait_for_timeout(2_500)
    assert 2 <= len(table.asked) <= 5
    table.status = 200
    wake(page)
    until(page, "seen.deltas.length === 2")
    assert seen(page)["deltas"] == [2, 3]
    assert table.open == 1


def test_a_refusal_ends_it(page: Page, table: Table) -> None:
    """A token that is no longer good is told, not tried for ever."""
    table.status = 404
    table.cut += 1
    until(page, "seen.ends.length === 1")
    assert seen(page)["ends"] == [404]
    tries = len(table.asked)
    wake(page)
    page.wait_for_timeout(1_500)
    assert len(table.asked) == tries


def test_a_deleted_game_ends_it(page: Page, table: Table) -> None:
    """The server says that it is gone."""
    table.gone = True
    until(page, "seen.ends.length === 1")
    assert seen(page)["ends"] == [None]
    page.wait_for_timeout(1_500)
    assert len(table.asked) == 1


def test_leaving_the_page_closes_it_and_coming_back_opens_it(page: Page, table: Table) -> None:
    """As for a page kept by the browser: pagehide, then pageshow, with what was missed in between."""
    page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide'))")
    until_closed(page, table)
    table.version = 2
    page.wait_for_timeout(600)
    assert seen(page)["deltas"] == []
    wake(page)
    until(page, "seen.deltas.length === 1")
    assert table.asked == [None, "1"]
    page.evaluate("stream.close()")
    until_closed(page, table)


def until_closed(page: Page, table: Table) -> None:
    """Wait until the server has no open stream."""
    for _ in range(200):
        if table.open == 0:
            return
        page.wait_for_timeout(50)
    raise AssertionError("the stream is still open")


@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_messages_cut_anywhere_are_whole(page: Page, size: int) -> None:
    """Pieces of any length, all line ends, several data lines, comments."""
    text = 'id: 7\r\nevent: delta\r\ndata: {"a":\ndata: "雀 1"}\n\n: alive\n\nevent: x\n\ndata:  two\r\r'
    found = page.evaluate(
        """async ([text, size]) => {
            const { reader } = await import('./live.js');
            const found = [];
            const feed = reader((message) => found.push(message));
            for (let at = 0; at < text.length; at += size) feed(text.slice(at, at + size));
            feed(': end\\n');
            return found;
        }""",
        [text, size],
    )
    assert found == [{"id": "7", "event": "delta", "data": '{"a":\n"雀 1"}'}, {"data": " two"}]
