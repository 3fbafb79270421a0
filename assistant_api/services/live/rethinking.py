"""Which explanation goes into the log: one of what is new alone, or one that also thinks again of what was said."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import dist
from typing import TYPE_CHECKING

from assistant_api.services.live.changes import Act, Sight
from assistant_api.services.live.gaps import EXPECTED, Gap
from assistant_api.services.live.hands import opened_hands
from assistant_api.services.live.proposals import SUSPICIOUS, Proposal, explain
from assistant_api.services.live.readings import Gone, labels
from assistant_api.services.live.records import By
from assistant_api.services.live.revising import Revised, revise, sights_since, tail_sights, with_win_read_again
from assistant_api.services.live.rows import BESIDE
from assistant_api.services.live.sameness import acts_of
from assistant_api.services.live.warnings import LAWFUL
from engine.events import Discard, Draw, FlowersLaid, WinClaim
from engine.seats import Seat
from engine.table import Phase
from vision.live.view import SeenTile, TableView, Zone

if TYPE_CHECKING:
    from assistant_api.services.live.table import LiveHand

BACK = (3, 10)
"""So many of the last events are thought of again, fewer first."""
BETTER = 1.0
"""By so much another log has to be better before what was said is taken back."""
VANISHED_S = 3.0
"""A discard that is gone so long, and that nobody claimed, was taken back or never lay there."""


@dataclass(frozen=True, slots=True)
class Found:
    """An explanation, and how many events at the end of the log it stands for."""

    proposal: Proposal
    dropped: int
    expected: float = 0.0
    """So much would speak against it whatever happened."""

    @property
    def is_suspicious(self) -> bool:
        """Better to wait with it."""
        return self.proposal.line.doubt > SUSPICIOUS + self.expected

    @property
    def accuses_too_soon(self) -> bool:
        """It says that somebody did something illegal, and something legal is likely enough."""
        return not self.proposal.line.is_lawful and self.proposal.lawful > LAWFUL

    def revised(self, hand: LiveHand) -> Revised | None:
        """The hand with it in its log; None where nothing would change."""
        start = len(hand.notes) - self.dropped
        if self.proposal.line.said == hand.log[start:]:
            return None
        return revise(hand, self.dropped, self.proposal)


def best_explanation(hand: LiveHand, sights: Sequence[Sight], *, gap: Gap | None) -> Found | None:
    """The best explanation of these sights, with the last events of the log in question where they do not fit."""
    gone = _gone(hand, sights)
    if gap is not None and hand.gap_end_s >= 0:
        return _whole_gap(hand, before_gap(hand, gap), sights, gone, gap)
    proposal = _explainer(hand, len(hand.notes), gone, gap)(sights)
    best = None if proposal is None else Found(proposal, 0)
    opening = hand.state.phase is Phase.OPENING_FLOWERS and any(_may_belong(sight, hand) for sight in sights)
    if best is not None and not best.is_suspicious and not opening:
        return best
    golds = any(sight.act is Act.GOLD for sight in sights)  # the flower before it may have been turned up with it
    cost = math.inf if best is None or golds else best.proposal.line.cost
    for back in BACK:
        start, earlier = tail_sights(hand, back)
        if len(earlier) < min(back, 2):
            break
        again = _think_again(hand, start, earlier, sights, gone, gap=gap)
        if again is not None and again[1] < cost - BETTER:
            best, cost = Found(again[0], len(hand.notes) - start), again[1]
        if (best is not None and not best.is_suspicious and not opening) or len(earlier) < back:
            break
    return best


def before_gap(hand: LiveHand, gap: Gap) -> int:
    """How many events of the log came before a gap, or stay as a person said."""
    number = len(hand.notes)
    while number > 1 and hand.notes[number - 1].time_s >= gap.start_s and hand.notes[number - 1].by is not By.PERSON:
        number -= 1
    return number


def _whole_gap(hand: LiveHand, start: int, sights: Sequence[Sight], gone: Sequence[Gone], gap: Gap) -> Found | None:
    """The best explanation of all that came in a gap and since, those sights among it that were explained before."""
    earlier = sights_since(hand, start)
    explained = _explainer(hand, start, _with_earlier(gone, earlier), gap)
    proposal = explained([*earlier, *sights], said=hand.log[start:])
    if proposal is None:
        return None
    return Found(proposal, len(hand.notes) - start, EXPECTED * proposal.line.taken_unnoticed)


def _may_belong(sight: Sight, hand: LiveHand) -> bool:
    """Whether it may be part of what was said already: the gold of flowers turned up, a flower of a row."""
    if sight.act is not Act.FLOWERS:
        return sight.act is Act.GOLD
    laid = [tile for noted in hand.notes if isinstance(noted.event, FlowersLaid) for tile in noted.tiles]
    own = [tile for tile in laid if tile.seat is sight.seat]
    return any(dist(one.place, other.place) <= BESIDE for one in sight.tiles for other in own)


def without_what_vanished(hand: LiveHand) -> Revised | None:
    """The hand without a discard that lies there no more and was not claimed, where that is the best explanation."""
    late = [
        slot
        for slot in hand.slots
        if slot.zone is Zone.RIVER and not slot.may_be_gone and _is_long_gone(hand, hand.gone_s.get(slot.key))
    ]
    if not late:
        return None
    start, earlier = tail_sights(hand, BACK[-1])
    keys = {noted.key for noted in hand.notes[start:]}
    if not any(slot.key[0] in keys for slot in late):
        return None
    again = _think_again(hand, start, earlier, (), _gone(hand, ()), gap=None)
    if again is None or again[1] > -BETTER:
        return None
    return Found(again[0], len(hand.notes) - start).revised(hand)


def opened_further(hand: LiveHand, view: TableView) -> Revised | None:
    """The hand with its last win read again, where more of the tiles laid down for it are known now."""
    noted = hand.notes[-1]
    if not isinstance(noted.event, WinClaim) or noted.by is not By.CAMERA:
        return None
    start = len(hand.notes) - 1
    while isinstance(hand.notes[start - 1].event, Draw) and hand.notes[start - 1].by is By.INFERRED:
        start -= 1
    before = hand.with_notes(hand.notes[:start])
    sight = next((one for one in opened_hands(before, view, ()) if one.seat is noted.event.seat), None)
    if sight is None or _readable(sight.tiles) <= _readable(noted.tiles):
        return None
    sight = replace(sight, time_s=noted.time_s)
    gone = _gone(before, ())
    after_s = _last_discard_s(before, len(before.notes))
    found = explain(before.state, [sight], gone, lying=_lying(before), now_s=hand.time_s, after_s=after_s)
    if found is None or not found.line.said or not isinstance(found.line.said[-1], WinClaim):
        return None
    return with_win_read_again(hand, start, found)


def _readable(tiles: Sequence[SeenTile]) -> int:
    return sum(tile.tile is not None for tile in tiles)


def _is_long_gone(hand: LiveHand, since: float | None) -> bool:
    """Asked once, when it has been gone for long, and not for ever after."""
    return since is not None and VANISHED_S <= hand.time_s - since < VANISHED_S + 0.5


def _think_again(
    hand: LiveHand,
    start: int,
    earlier: Sequence[Sight],
    sights: Sequence[Sight],
    gone: Sequence[Gone],
    *,
    gap: Gap | None,
) -> tuple[Proposal, float] | None:
    """The best explanation from an earlier table on, and by how much it is worse than the log as it stands."""
    scene = partial(_explainer(hand, start, _with_earlier(gone, earlier), gap), wide=True)
    again, kept = scene([*earlier, *sights]), scene(earlier)
    if again is None or kept is None:
        return None
    as_it_stands = kept.costs.get(acts_of(hand.log[start:]), kept.line.cost)
    return again, again.line.cost - as_it_stands


def _explainer(hand: LiveHand, start: int, gone: Sequence[Gone], gap: Gap | None) -> Callable[..., Proposal | None]:
    """`explain` of sights at the table after the first ``start`` events, with what else is known of it now."""
    return partial(
        explain,
        hand.referee.state_after(start),
        gone=gone,
        lying=_lying(hand),
        now_s=hand.time_s,
        gap=gap,
        after_s=_last_discard_s(hand, start),
        sides=_sides(hand),
    )


def _with_earlier(gone: Sequence[Gone], earlier: Sequence[Sight]) -> tuple[Gone, ...]:
    """The tiles that left the river, those of sights explained before among them."""
    known = {one.key for one in gone}
    return (*gone, *(_left(sight) for sight in earlier if sight.gone_s is not None and _track(sight) not in known))


def _last_discard_s(hand: LiveHand, number: int) -> float:
    """When the last discard up to this event was seen, 0 before any."""
    told = (noted.time_s for noted in reversed(hand.notes[:number]) if isinstance(noted.event, Discard) and noted.tiles)
    return next(told, 0.0)


def _lying(hand: LiveHand) -> dict[int, float]:
    """Since when the discards of the log lie there, those that do, by the numbers of their events."""
    return {
        number: noted.tiles[0].since_s
        for number, noted in enumerate(hand.notes, start=1)
        if isinstance(noted.event, Discard) and noted.tiles and (noted.key, 0) not in hand.gone_s
    }


def _sides(hand: LiveHand) -> dict[Seat, tuple[float, float]]:
    """Where seats sit, seen from the middle: their flowers and melds lie before them."""
    found: dict[Seat, tuple[float, float]] = {}
    for slot in hand.slots:
        tile = hand.known.get(slot.key)
        if slot.seat is None or tile is None or slot.zone not in (Zone.FLOWERS, Zone.MELD):
            continue
        x, y = tile.place
        found[slot.seat] = (math.copysign(1.0, x), 0.0) if abs(x) > abs(y) else (0.0, math.copysign(1.0, y))
    return found


def _gone(hand: LiveHand, sights: Sequence[Sight]) -> list[Gone]:
    """The tiles that left the river: of the log, and of those that are to be explained."""
    found = [
        Gone(hand.known[slot.key].track, slot.seat, slot.face, hand.gone_s[slot.key])
        for slot in hand.slots
        if slot.zone is Zone.RIVER and slot.key in hand.gone_s
    ]
    return found + [_left(sight) for sight in sights if sight.gone_s is not None]


def _left(sight: Sight) -> Gone:
    assert sight.act is Act.DISCARD
    assert sight.gone_s is not None
    return Gone(_track(sight), sight.seat, labels(sight.tiles[0])[0][0], sight.gone_s)


def _track(sight: Sight) -> int:
    return sight.tiles[0].track
