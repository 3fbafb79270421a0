"""A time of which nothing was seen: what may have come in it, and in which order what lies there afterwards came.

A tracker believes in all that lies there about a second after the picture is back, and in no order that means anything.
What it believes in sooner lay there before already.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from assistant_api.services.live.changes import Act, Sight
from assistant_api.services.live.melds import shown_giver
from assistant_api.services.live.rows import lies_before
from engine.events import Chow, Event, KongOpen, Pung, WinClaim
from engine.seats import Seat
from engine.table import PutUp

SHORTEST_S = 2.0
"""Shorter times without a picture hide nothing."""
BEFORE_S = 1.0
"""What lay there no longer when the picture went may have been told wrong."""
SOONEST_S, FOUND_S = 0.4, 1.7
"""What lay there when the picture came back is found no sooner and, most of it, no later."""
OPEN_S = 14.0
"""For so long after a gap all that came in it and since is explained together, again and again."""
IN_NO_ORDER, LATER_S = 0.25, 1.0
"""A second between two of them says as much as this share of a second at other times; so much later they came than what
was found sooner."""
OUT_OF_ROW = 3.0
"""Against a discard having been thrown before one that lies before it in the row of its seat."""
TAKEN, NOT_FOUND = 1.0, 4.0
"""Against a discard nobody saw that was claimed; against any other: it should lie there."""
EXPECTED = 2.6
"""So much speaks against any line for each discard that was claimed in the gap."""
SHOWN_OTHERWISE = 1.5
"""Against a claim from another seat than that to which the tile that lies across points."""
THROWN_ACROSS = 0.15
"""Against a discard of a heap for each tile width that it lies nearer to another seat than to who threw it."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Nothing was seen from ``start_s`` to ``end_s``; an endless one where the camera came in the midst of a hand."""

    start_s: float
    end_s: float

    def hides(self, time_s: float) -> bool:
        """Whether what was first seen then may have come in the gap."""
        return self.start_s - BEFORE_S <= time_s <= self.end_s + FOUND_S

    def is_open(self, now_s: float) -> bool:
        """Whether what came in it is still in question."""
        return now_s <= self.end_s + OPEN_S

    def moment(self, time_s: float) -> float:
        """A time on a scale on which the gap is no time, and what is found right after it came in hardly any order."""
        if not math.isfinite(self.end_s):
            return IN_NO_ORDER * time_s
        if time_s <= self.end_s:
            return min(time_s, self.start_s)
        first, last = self.end_s + SOONEST_S, self.end_s + FOUND_S
        if time_s < first:
            return self.start_s
        return self.start_s + LATER_S + IN_NO_ORDER * (min(time_s, last) - first) + max(time_s - last, 0.0)

    def against_row(self, sight: Sight, others: Iterable[Sight]) -> float:
        """Against a discard before ``others`` that are to come after it: those of a row lie in their order."""
        if sight.act is not Act.DISCARD or sight.seat is None or not self.hides(sight.time_s):
            return 0.0
        own = (one for one in others if one.act is Act.DISCARD and one.seat is sight.seat)
        early = any(one.gone_s is None and lies_before(one.tiles[0], sight.tiles[0]) for one in own)
        return OUT_OF_ROW if early else 0.0

    def against_unnoticed(self, event: Event, count: int, time_s: float) -> float:
        """Against so many acts that nobody saw before this one, which was seen at ``time_s``."""
        if isinstance(event, Chow | Pung | KongOpen | WinClaim) and self.hides(time_s):
            return TAKEN + NOT_FOUND * (count - 1)
        return NOT_FOUND * count

    def against_giver(self, offered: PutUp | None, seat: Seat, sight: Sight) -> float:
        """Against from whom a seat is said to have claimed a meld: where a tile lies across shows it."""
        if offered is None or not self.hides(sight.time_s):
            return 0.0
        return SHOWN_OTHERWISE if shown_giver(sight.tiles, seat) not in (None, offered.seat) else 0.0

    def against_thrower(self, seat: Seat, sight: Sight, sides: Mapping[Seat, tuple[float, float]]) -> float:
        """Against who is said to have thrown a tile into a heap: most throw a little short."""
        side = sides.get(seat)
        if sight.seat is not None or side is None or not self.hides(sight.time_s):
            return 0.0
        x, y = sight.tiles[0].place
        nearest = max(x * across + y * along for across, along in sides.values())
        return THROWN_ACROSS * (nearest - x * side[0] - y * side[1])
