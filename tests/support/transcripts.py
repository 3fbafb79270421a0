"""Golden transcripts: whole hands as text, each event with the table after it, rulings, violations and the points.

Lines with a number are the log. Below each stand, indented, what the referee answers: ``?`` the ruling on a declared
win, ``!`` a violation, then the table. The last lines are the settlement and the violations of the whole hand.
"""

from __future__ import annotations

from engine.audit import audit
from engine.errors import HandError
from engine.eventlog import format_event, parse_event
from engine.events import Log, WinClaim, with_later_knowledge
from engine.referee import Referee
from engine.tabletext import format_ruling, format_settlement, format_table, format_violation


def transcript(title: str, log: Log) -> str:
    """The text of one hand; ``title`` may have several lines."""
    lines = [f"# {line}" for line in title.splitlines()]
    referee = Referee(log)
    known = with_later_knowledge(log)
    for number, event in enumerate(log, start=1):
        lines.append(f"{number}. {format_event(event)}")
        claim = known[number - 1]
        if isinstance(claim, WinClaim):
            before = Referee(known[: number - 1])
            lines.append(f"    ? {format_ruling(before.judge(claim))}")
        lines.extend(f"    ! {format_violation(one)}" for one in referee.violations() if one.events[-1] == number)
        lines.append(f"    {format_table(referee.state_after(number))}")
    try:
        lines.append(f"= {format_settlement(referee.settle())}")
    except HandError as error:
        lines.append(f"= {error}")
    lines.extend(f"! {format_violation(one)}" for one in audit(log))
    return "\n".join(lines) + "\n"


def read_transcript(text: str) -> tuple[str, Log]:
    """Title and log of a transcript."""
    lines = text.splitlines()
    title = "\n".join(line[2:] for line in lines if line.startswith("# "))
    return title, tuple(parse_event(line) for line in lines if line[:1].isdigit())
