"""The live table through pixels: a filmed hand before a phone's camera, our networks, and pages that follow."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.browser import until
from tests.support.live_film import WARNED, begin_hand, filmed_table, start_camera
from tests.support.live_pages import LOG, declare
from tests.support.scan import shot, upload

if TYPE_CHECKING:
    from playwright.sync_api import Playwright

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(
        "JINQUE_PIXELS" not in os.environ,
        reason="takes minutes of two free cores: set JINQUE_PIXELS=1 to follow the film",
    ),
]

SPEED = float(os.environ.get("JINQUE_CLIP_SPEED", "0.5"))
"""Slow motion, so that a busy machine can follow with all frames it needs."""
SHOWN_MS = 75_000 / SPEED
"""The whole film takes 30 s at its own speed; before it the networks are loaded."""


def test_seen_from_the_gold_to_a_caught_guoshui_and_settled(driver: Playwright, tmp_path: Path) -> None:
    """Nothing is typed but who deals: the camera opens the gold, follows, and convicts West when the hand lies open."""
    with filmed_table(driver, tmp_path, SPEED) as filmed, filmed.if_it_keeps_up():
        open_page, evening = filmed.open_page, filmed.evening
        table = begin_hand(filmed)
        looking = open_page(f"/g/{evening.share_code}/live", plays=False, locale="zh-CN")
        camera = open_page(f"/g/{evening.id}/camera")
        start_camera(camera)
        until(table, f"{LOG}.some((text) => text.includes('The gold is opened'))", SHOWN_MS)
        until(table, f"{LOG}.some((text) => text.startsWith('Lin throws 五饼'))", SHOWN_MS)
        shot(camera, "pixels-1-camera")
        shot(table, "pixels-2-table")
        table.wait_for_selector(WARNED, timeout=SHOWN_MS)
        looking.wait_for_selector(WARNED)
        shot(looking, "pixels-3-caught")
        shown = evening.client.get(f"/api/live/{evening.id}", headers=evening.headers).json()["hand"]
        assert shown["gold"] == "6s"
        assert shown["discards"] == {"E": ["3m", "5p"], "S": [], "W": ["9p", "1m", "1p"], "N": ["2m", "5p"]}
        assert [one["tiles"] for one in shown["melds"]["W"]] == [["7p"] * 3, ["2s", "3s", "4s"]]
        (alert,) = shown["alerts"]
        assert (alert["kind"], alert["seat"], alert["tile"]) == ("guoshui_win", "W", "5p")
        proof = [(one["text"].partition(" hand ")[0], bool(one["crop"])) for one in alert["evidence"]]
        assert proof == [("N discard 5p", True), ("E discard 5p", True), ("W win discard 5p", True)]

        table.click("#scan-claim")
        table.wait_for_selector("#rack .tile-button")
        upload(table)  # the sample photo shows West's hand; one flower is asked about
        table.click('[data-doubt="1f"]')
        table.wait_for_selector("#proof:visible")
        table.wait_for_selector(".refusal")
        shot(table, "pixels-4-proof")
        table.click("#refuse")
        table.wait_for_url("**/live")
        table.wait_for_selector(WARNED)
        table.wait_for_timeout(3_000 / SPEED)
        assert table.locator("#claim:visible").count() == 0, "the hand lies open still, and declares nothing new"

        table.click("#add-event")
        table.click('#sheet [data-key="seat-S"]')
        table.click('#sheet [data-kind="9s"]')
        table.click("#save-event:enabled")
        until(table, f"{LOG}[0].startsWith('Fang throws')")
        declare(table, "W", "self_draw")
        table.click("#scan-claim")
        table.wait_for_selector("#rack .tile-button")
        upload(table)
        table.click('[data-doubt="1f"]')
        table.click("#save:enabled")
        table.wait_for_url("**/live*")
        looking.wait_for_selector("#begin:visible")
        (entry,) = evening.entries()
        assert entry["kind"] == "win"
        assert entry["deltas"][2] > 0
        assert sum(entry["deltas"]) == 0
