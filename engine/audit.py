"""检查: goes through a whole log and names every illegal act, with the events that prove it."""

from __future__ import annotations

from engine.errors import HandError
from engine.events import Deal, Log, with_later_knowledge
from engine.fold import start, step
from engine.rulesets import Ruleset
from engine.violations import Violation


def audit(log: Log, ruleset: Ruleset | None = None) -> tuple[Violation, ...]:
    """All violations of a log, in the order of the acts. ``ruleset`` stands in place of the one its deal names.

    Hands laid open later count for the claims before them. One slip is reported once: what follows is judged by the
    table the players went on from.
    """
    log = with_later_knowledge(log)
    if not log or not isinstance(log[0], Deal):
        raise HandError("a log starts with a deal; expected a first line such as deal E fuzhou")
    state = start(log[0], ruleset)
    found: list[Violation] = []
    for event in log[1:]:
        state, violation = step(state, event)
        if violation is not None:
            found.append(violation)
    return tuple(found)
