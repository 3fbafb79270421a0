"""The table of a hand as JSON: what `jinque watch` prints last, and what pages show.

>>> from engine.eventlog import parse_log
>>> from engine.fold import fold
>>> log = parse_log("deal E\\nE flowers E\\nE draw\\ngold 9m\\nE discard 3p\\nS pung 3p\\nS discard 1s")
>>> shown = state_document(fold(log))
>>> shown["discards"]["S"], shown["melds"]["S"], shown["flowers"]["E"], shown["gold"], shown["turn"]
(['1s'], [{'kind': 'pung', 'tiles': ['3p', '3p', '3p'], 'from': 'E'}], ['E'], '9m', 'S')
"""

from __future__ import annotations

from typing import Any

from engine.seats import SEATS
from engine.table import TableState


def state_document(state: TableState) -> dict[str, Any]:
    """Melds, flowers and discards of four seats, the gold, whose turn it is. Tiles are notation codes, seats letters.

    ``discards`` are those that still lie in the middle, in the order they were thrown; ``river`` is the same for the
    whole table, each with the number of its event. ``turn`` is who acts, or the giver while a tile can be claimed.
    """
    lying = [thrown for thrown in state.river if thrown.taken_by is None]
    return {
        "melds": {
            seat.code: [
                {
                    "kind": meld.kind.value,
                    "tiles": [face.code for face in meld.tiles],
                    "from": None if meld.from_seat is None else meld.from_seat.code,
                }
                for meld in state.seats[seat].melds
            ]
            for seat in SEATS
        },
        "flowers": {seat.code: [face.code for face in state.seats[seat].flowers] for seat in SEATS},
        "discards": {seat.code: [one.tile.code for one in lying if one.seat is seat] for seat in SEATS},
        "river": [{"event": one.number, "seat": one.seat.code, "tile": one.tile.code} for one in lying],
        "gold": None if state.gold is None else state.gold.code,
        "indicator": None if state.indicator is None else state.indicator.code,
        "hands": {seat.code: state.seats[seat].concealed_count for seat in SEATS},
        "owed": {seat.code: state.seats[seat].owed for seat in SEATS if state.seats[seat].owed},
        "dealer": state.dealer.code,
        "streak": state.streak,
        "ruleset": state.rules.base,
        "turn": state.turn.code,
        "phase": state.phase.value,
        "wall": state.wall,
        "events": state.number,
        "outcome": None if state.outcome is None else state.outcome.value,
        "wins": [
            {"seat": claim.seat.code, "source": claim.source.value, "event": number}
            for number, claim in state.win_claims
        ],
    }
