"""What a view adds to a live hand: waits until it is clear, explains it, and keeps what was said before in order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant_api.services.live.changes import TOGETHER_S, Act, Gathered, Sight, gather
from assistant_api.services.live.counting import counted
from assistant_api.services.live.gaps import SHORTEST_S, Gap
from assistant_api.services.live.hands import opened_hands, other_wins
from assistant_api.services.live.inferred import may_kong
from assistant_api.services.live.laid import as_laid, closed_tracks
from assistant_api.services.live.matching import Differences, differences
from assistant_api.services.live.memory import remembered
from assistant_api.services.live.partial import with_melds_in_part
from assistant_api.services.live.readings import is_clear
from assistant_api.services.live.reckoning import reckoned
from assistant_api.services.live.records import By
from assistant_api.services.live.rereading import reread
from assistant_api.services.live.rethinking import before_gap, best_explanation, opened_further, without_what_vanished
from assistant_api.services.live.revising import Revised, with_found_late
from assistant_api.services.live.slots import Slot
from engine.events import Discard
from engine.seats import SEATS
from engine.table import Phase
from vision.live.view import SeenTile, TableView, Zone

if TYPE_CHECKING:
    from assistant_api.services.live.table import Advanced, LiveHand

SETTLE_S = 0.3
"""A tile has to lie so long before anything is said about it; the tracker has waited before."""
PATIENCE_S = 2.5
"""What does not fit the rules is waited with so long: a tile that explains it may turn up."""
ACCUSES_S = 5.0
"""An illegal act is waited with so long while it may well be none."""
ACCUSES_UNSEEN_S = 12.0
"""The same while a hand lies over discards."""
MORE_FLOWERS_S = 0.9
"""So long is waited for more flowers that were laid with the first."""
GOLD_S, GOLD_BEFORE_S = 1.0, 4.5
"""So long a face has to lie on the wall before it is the gold; one that lay there when play began."""
UNCLEAR_S = 5.0
"""Tiles whose labels are not sure are looked at for so long before they are taken for what they seem."""
AFTER_GAP_S = 2.4
"""After a gap so long is waited until all that changed is in sight."""
CLEARED = 8
"""More tiles than this gone, most of all: the table is being cleared."""
CLEARED_S = 4.0
"""After so long; before, the camera may only have been knocked."""


def advance(hand: LiveHand, view: TableView) -> Advanced:
    """See `LiveHand.advance`."""
    hand = replace(hand, time_s=view.time_s, frame=view.frame, beginning=hand.beginning.after(view))
    if view.gap_s >= SHORTEST_S:
        hand = replace(hand, gap_start_s=view.time_s - view.gap_s, gap_end_s=view.time_s)
    if not view.plane_found or not hand.beginning.begun or hand.over:
        return hand.told_of(())
    hand = replace(hand, closed=closed_tracks(view, hand.closed))
    in_hand = {seat: hand.state.seats[seat].concealed_count for seat in SEATS}
    view = as_laid(view, hand.beginning.ignored, _gold(hand), _melds(hand), hand.closed, in_hand)
    found = differences(_in_question(hand), hand.known, view)
    hand = _remember(hand, found)
    if _is_cleared(hand, found):
        return replace(hand, over=True).told_of(())
    hand, changes = reread(hand, found)
    if hand.state.phase is Phase.END:
        return hand.told_of(changes)
    if hand.state.phase is Phase.WIN_CLAIMED:
        fuller = opened_further(hand, view)
        if fuller is not None:
            return fuller.hand.told_of((*changes, *fuller.changes))
        hand, more = other_wins(hand, opened_hands(hand, view, ()))
        return hand.told_of((*changes, *more))
    appeared = _appeared(hand, found, view)
    told = {tile.track for tile in hand.known.values()}
    hand = replace(
        hand, memory=remembered(hand.memory, appeared, told, view), counts=counted(hand.counts, view, hand.state)
    )
    sights, gathered = _sights(hand, found, appeared, view)
    for sight in sights:
        filled = with_found_late(hand, sight) if sight.fills and is_clear(sight) else None
        if filled is not None:
            return filled.hand.told_of((*changes, *filled.changes))
    ready = _ready(hand, sights, gathered) if sights and not _right_after_gap(hand) else []
    waiting = _what_is_waited_with(hand, ready)
    if ready and waiting != hand.waiting:
        explained = _explained(hand, ready, hides=any(zone is Zone.RIVER for zone, _ in view.covered))
        if explained is not None:
            return explained.hand.told_of((*changes, *explained.changes))
    hand = replace(hand, waiting=waiting)
    if not sights and not any(hand.time_s - tile.since_s < PATIENCE_S for tile in gathered.loose):
        found_late = without_what_vanished(hand) or reckoned(hand)
        if found_late is not None:
            return found_late.hand.told_of((*changes, *found_late.changes))
    return hand.told_of(changes)


def _in_question(hand: LiveHand) -> list[Slot]:
    """The slots that a tile in sight may belong to: while a gap is in question, those of which one was seen.

    What was taken for granted may be wrong, and a tile that turns up is better asked what it is.
    """
    gap = _gap(hand, ())
    if gap is None:
        return list(hand.slots)
    since = hand.notes[before_gap(hand, gap) :]
    granted = {noted.key for noted in since if noted.by is By.INFERRED}
    return [slot for slot in hand.slots if slot.key[0] not in granted or slot.zone is Zone.MELD]


def _gold(hand: LiveHand) -> SeenTile | None:
    """The tile turned up as gold, where it was last seen."""
    return next((hand.known.get(slot.key) for slot in hand.slots if slot.zone is Zone.GOLD), None)


def _melds(hand: LiveHand) -> set[int]:
    """The tracks of melds that the log knows."""
    return {hand.known[slot.key].track for slot in hand.slots if slot.zone is Zone.MELD and slot.key in hand.known}


def _remember(hand: LiveHand, found: Differences) -> LiveHand:
    """Where each tile was last seen, and since when some are gone."""
    known = {**hand.known, **found.matched}
    gone = {key: since for key, since in hand.gone_s.items() if key not in found.matched}
    for slot in found.vanished:
        gone.setdefault(slot.key, hand.time_s)
    return replace(hand, known=known, gone_s=gone)


def _appeared(hand: LiveHand, found: Differences, view: TableView) -> list[SeenTile]:
    """The laid tiles of which the log knows nothing, those aside that nobody can have laid just now."""
    covered = set(view.covered)
    lying = {thrown.number for thrown in hand.state.river if thrown.taken_by is None}
    claimed = {
        hand.known[noted.key, 0].track
        for number, noted in enumerate(hand.notes, start=1)
        if isinstance(noted.event, Discard) and number not in lying and (noted.key, 0) in hand.known
    }
    return [
        tile
        for tile in found.appeared
        if ((tile.zone, tile.seat) not in covered or tile.zone is Zone.GOLD)
        and tile.track not in hand.beginning.ignored
        and not (tile.zone is Zone.RIVER and tile.track in claimed)  # believed to lie there still
    ]


def _sights(
    hand: LiveHand, found: Differences, appeared: Sequence[SeenTile], view: TableView
) -> tuple[list[Sight], Gathered]:
    """What is to be explained: tiles that appeared, discards that were there and are gone, hands laid open."""
    ripe = [tile for tile in appeared if view.time_s - tile.since_s >= SETTLE_S]
    laid = [tile for tile in found.matched.values() if tile.zone in (Zone.MELD, Zone.FLOWERS)]
    gathered = with_melds_in_part(hand, gather(ripe, laid, hand.state.rules, view.time_s, PATIENCE_S))
    opened = opened_hands(hand, view, ripe)
    inside = {tile.track for sight in opened for tile in sight.tiles}
    sights = [
        replace(sight, time_s=hand.memory[sight.tiles[0].track].first_s) if sight.act is Act.GOLD else sight
        for sight in gathered.sights
        if not inside & {tile.track for tile in sight.tiles}
    ]
    for one in hand.memory.values():
        if one.gone_s is not None:
            sights.append(Sight(Act.DISCARD, one.tile.seat, (one.tile,), one.tile.since_s, one.gone_s))
    return sorted([*sights, *opened], key=lambda sight: (sight.time_s, sight.tiles[0].track)), gathered


def _is_cleared(hand: LiveHand, found: Differences) -> bool:
    since = [hand.gone_s[slot.key] for slot in found.vanished]
    gone = sum(hand.time_s - one >= CLEARED_S for one in since)
    return gone > CLEARED and gone > len(found.matched)


def _right_after_gap(hand: LiveHand) -> bool:
    return hand.gap_end_s >= 0 and hand.time_s - hand.gap_end_s < AFTER_GAP_S


def _what_is_waited_with(hand: LiveHand, ready: Sequence[Sight]) -> tuple[object, ...]:
    """Everything an explanation rests on; the same again has the same explanation, for a second at least."""
    if not ready:
        return ()
    late = [hand.time_s - sight.time_s >= PATIENCE_S for sight in ready]
    keys = tuple(sight.key for sight in ready)
    return (keys, frozenset(hand.gone_s), tuple(late), math.floor(hand.time_s), hand.log)


def _explained(hand: LiveHand, ready: list[Sight], *, hides: bool) -> Revised | None:
    """The hand with an explanation of what was seen; None while it is better to wait. ``hides``: a hand lies over
    discards, which may be what makes it lawful."""
    while ready:
        found = best_explanation(hand, ready, gap=_gap(hand, ready))
        age = hand.time_s - ready[-1].time_s
        patience = PATIENCE_S if found is None or not found.accuses_too_soon else ACCUSES_S
        if found is not None and hides and not found.proposal.line.is_lawful:
            patience = ACCUSES_UNSEEN_S
        if found is not None and (age >= patience or not found.is_suspicious):
            revised = found.revised(hand)
            if revised is not None:
                return revised
        ready = _without_late(hand, ready)
    return None


def _without_late(hand: LiveHand, ready: list[Sight]) -> list[Sight]:
    """What is explained where it is better to wait with all of it: what came before the last act.

    While a gap is in question, which takes long to explain, all that need not be waited with.
    """
    gap = _gap(hand, ())
    if gap is None or not gap.is_open(hand.time_s):
        return ready[:-1]
    return [sight for sight in ready[:-1] if hand.time_s - sight.time_s >= PATIENCE_S]


def _ready(hand: LiveHand, sights: Sequence[Sight], gathered: Gathered) -> list[Sight]:
    """The sights that need not wait for something that is still coming."""
    until = min((tile.since_s for tile in gathered.loose if hand.time_s - tile.since_s < PATIENCE_S), default=math.inf)
    ready: list[Sight] = []
    waits_for_gold = hand.state.phase is Phase.OPENING_FLOWERS
    if waits_for_gold and _gap(hand, ()) is not None:  # what came first is not to be told
        waits_for_gold = not any(_is_gold_for_sure(hand, sight) for sight in sights)
    for sight in sights:
        age = _age_s(hand, sight)
        if _is_row_of_backs(sight) and not may_kong(hand.state, sight.seat):
            continue  # part of a hand that lies face down
        if waits_for_gold and sight.act in (Act.DISCARD, Act.MELD) and age < UNCLEAR_S:
            break  # the gold is hard to see on its stack, and play starts after it
        if sight.time_s > until or (sight.act is Act.DISCARD and not is_clear(sight) and age < PATIENCE_S):
            break  # what follows has to wait for it, or it would be told before
        if sight.act is Act.GOLD and not _is_gold_for_sure(hand, sight):
            continue  # a back of the wall may be taken for a face
        if is_clear(sight) or age >= UNCLEAR_S or sight.act is Act.DISCARD:
            ready.append(sight)
            waits_for_gold = waits_for_gold and sight.act is not Act.GOLD
    while ready and ready[-1].act is Act.FLOWERS and hand.time_s - ready[-1].time_s < MORE_FLOWERS_S:
        late = ready.pop()
        while ready and _is_with(ready[-1], late):
            late = ready.pop()
    claimed = any(sight.act in (Act.MELD, Act.OPEN_HAND) for sight in ready)
    if not claimed and _offered_is_gone(hand):
        return []
    if all(sight.gone_s is not None for sight in ready):
        return []  # a tile that is gone explains something that is seen, or nothing
    return ready


def _age_s(hand: LiveHand, sight: Sight) -> float:
    """How long it has been there; the gold, over which hands lie often, how long it was in sight."""
    return sight.tiles[-1].seen_s - sight.time_s if sight.act is Act.GOLD else hand.time_s - sight.time_s


def _is_gold_for_sure(hand: LiveHand, sight: Sight) -> bool:
    turned_before = sight.tiles[-1].track in hand.beginning.turned
    long = _age_s(hand, sight) >= (GOLD_BEFORE_S if turned_before else GOLD_S)
    return sight.act is Act.GOLD and is_clear(sight) and long


def _is_with(earlier: Sight, late: Sight) -> bool:
    """Whether flowers were laid together with others that were found a moment later."""
    return earlier.act is Act.FLOWERS and earlier.seat is late.seat and late.time_s - earlier.time_s <= TOGETHER_S


def _is_row_of_backs(sight: Sight) -> bool:
    return sight.act is Act.MELD and any(tile.face_down for tile in sight.tiles)


def _offered_is_gone(hand: LiveHand) -> bool:
    """The tile that can be claimed has just left the river: its meld is still to come."""
    offered = hand.state.put_up
    if offered is None or offered.kong:
        return False
    since = hand.gone_s.get((hand.notes[offered.number - 1].key, 0))
    return since is not None and hand.time_s - since < PATIENCE_S


def _gap(hand: LiveHand, sights: Sequence[Sight]) -> Gap | None:
    """The time of which nothing was seen, where some of these may have come in it or it is still in question."""
    if hand.beginning.in_the_midst and len(hand.notes) == 1:
        return Gap(0.0, math.inf)
    if hand.gap_end_s < 0:
        return None
    gap = Gap(hand.gap_start_s, hand.gap_end_s)
    return gap if gap.is_open(hand.time_s) or any(gap.hides(sight.time_s) for sight in sights) else None
