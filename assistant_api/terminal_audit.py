"""What `audit` shows to people: each illegal act with its events, and how the hand stands."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from assistant_api.services.audit import Hand, settlement
from assistant_api.terminal import console
from engine.eventlog import format_event
from engine.tabletext import format_settlement, format_table


def show_audit(hands: list[Hand]) -> None:
    """One block a hand."""
    for hand in hands:
        referee = hand.referee
        found = referee.violations()
        rules = referee.state.rules
        title = f"第 {hand.number} 局 hand {hand.number}   {rules.zh} {rules.en}   {len(hand.lines)} events"
        console.print(Text(title, style="bold"))
        console.print(f"  {format_table(referee.state)}")
        end = settlement(referee)
        if end is not None:
            console.print(f"  {format_settlement(end)}")
        if not found:
            console.print("  没有违规 no violation")
        for violation in found:
            sure = "违规 violation" if violation.certain else "可能违规 possible violation"
            console.print(Text(f"  {sure}: {violation.kind.value}", style="red" if violation.certain else "yellow"))
            console.print(f"    {violation.zh}\n    {violation.en}")
            events = Table.grid(padding=(0, 2))
            for number in violation.events:
                event = format_event(referee.log[number - 1])
                events.add_row("   ", f"{hand.first + number - 1}.", event, f"line {hand.lines[number - 1]}")
            console.print(events)
        console.print()
