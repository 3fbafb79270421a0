"""The facts of the table in the engine's form."""

from __future__ import annotations

from assistant_api.schemas import Facts
from engine.context import TableFacts
from engine.tiles import Face, Tile


def table_facts(facts: Facts, winning: Face | None) -> TableFacts:
    """What a photo cannot tell, as far as it is known; of the winning tile a person says only whether it was passed."""
    passed = frozenset({winning} if facts.passed and isinstance(winning, Tile) else ())
    return TableFacts(
        gold_discarded=facts.gold_discarded,
        passed_kinds=None if facts.passed is None else passed,
        dealers_first_discard=facts.dealers_first_discard,
        last_tile=facts.last_tile,
        last_of_kind=facts.last_of_kind,
    )
