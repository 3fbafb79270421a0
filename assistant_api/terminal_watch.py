"""What `watch` shows to people: events and alerts as they come, the table at the end; and the table of clips."""

from __future__ import annotations

from typing import Any

from rich.text import Text

from assistant_api.services.live.clips import ClipResult
from assistant_api.services.live.table import LiveHand
from assistant_api.terminal import console
from assistant_api.terminal import show_table as _table
from engine.tabletext import format_table

_MARKS = {"added": " ", "edited": "~", "undone": "-", "confirmed": "="}


def show_line(line: dict[str, Any]) -> None:
    """One change of the log, or one alert."""
    if line["type"] == "alert":
        sure = "违规 violation" if line["certain"] else "可能违规 possible violation"
        events = ", ".join(f"{number}." for number in line["events"])
        text = f"{line['time_s']:7.1f} s ! {sure}: {line['messages']['zh-Hans']}   {line['message']} ({events})"
        console.print(Text(text, style="red" if line["certain"] else "yellow"))
        return
    asked = "".join(f" or {other}?" for other, _ in line["alternatives"]) if line["asked"] else ""
    unseen = " (not seen)" if line["by"] == "inferred" else ""
    mark = _MARKS[line["change"]]
    said = f"{line['number']:>3}. {line['event']}{asked}{unseen}   {line['confidence']:.2f}"
    console.print(f"{line['time_s']:7.1f} s {mark} {said}", markup=False)


def show_table_at_end(hand: LiveHand) -> None:
    """The table in one line."""
    console.print(f"  {format_table(hand.state)}", markup=False)


def show_table(hand: LiveHand, end: dict[str, Any]) -> None:
    """The table at the end, and the comparison where there is one."""
    show_table_at_end(hand)
    if "truth" in end:
        shown = {key: value for key, value in end["truth"].items() if not isinstance(value, list) or value}
        _table("", [(key, str(value)) for key, value in shown.items()], ("truth", ""))


def show_clip(result: ClipResult) -> None:
    """One clip in one line."""
    row, found = result.row(), result.comparison
    exact = "exact" if found.state_exact else "not exact"
    console.print(
        f"{row['clip']}: {exact}, {found.right} of {found.happened} events, {found.told - found.right} invented,"
        f" discards {'' if found.discards_in_order else 'not '}in order, {row['warned']} warned,"
        f" {row['unwarned']} not, {row['false_warnings']} false   {row['faults']}",
        markup=False,
        highlight=False,
    )


def show_totals(found: dict[str, Any]) -> None:
    """The figures of all clips."""
    _table("", [(key, str(value)) for key, value in found.items()], ("clips", ""))
