"""The engine's next table, worked out once: explanations that share a beginning share its tables."""

from __future__ import annotations

from engine.events import Event
from engine.fold import step
from engine.table import TableState
from engine.violations import Violation

MOST = 3000
"""So many tables are kept; then all are let go."""

Stepped = tuple[TableState, Violation | None]


class Steps:
    """A memory of `engine.fold.step`. Tables are told apart by identity: comparing them would take longer."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, Event], tuple[TableState, Stepped]] = {}

    def after(self, state: TableState, event: Event) -> Stepped:
        """As `engine.fold.step`."""
        key = (id(state), event)
        found = self._known.get(key)
        if found is not None:  # the table is kept with it, so that no other gets its identity
            return found[1]
        if len(self._known) >= MOST:
            self._known.clear()
        made = step(state, event)
        self._known[key] = (state, made)
        return made


_STEPS = Steps()


def stepped(state: TableState, event: Event) -> Stepped:
    """The table after one more event, and what was wrong with it."""
    return _STEPS.after(state, event)
