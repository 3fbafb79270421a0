"""What a view adds to a live hand: waits until it is clear, explains it, and keeps what was said before in order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant_api.services.live.changes import Act, Gathered, Sight, gather
from assistant_api.services.live.hands import opened_hands, other_wins
from assistant_api.services.live.inferred import may_kong
from assistant_api.services.live.matching import Differences, differences
from assistant_api.services.live.proposals import Proposal, explain
from assistant_api.services.live.readings import Gone, is_clear
from assistant_api.services.live.records import By, Change, LiveEvent
from assistant_api.services.live.rereading import reread
from assistant_api.services.live.revising import Revised, revise, tail_sights
from assistant_api.services.live.slots import Slot
from engine.events import Discard
from engine.table import Phase
from vision.live.view import TableView, Zone

if TYPE_CHECKING:
    from assistant_api.services.live.table import Advanced, LiveHand

SETTLE_S = 0.3
"""A tile has to lie so long before anything is said about it; the tracker has waited before."""
PATIENCE_S = 2.5
"""What does not fit the rules is waited with so long: a tile that explains it may turn up."""
TAKEN_BACK_S = 3.0
"""A discard that is gone so long, and that nobody claimed, was taken back."""
MORE_FLOWERS_S = 0.9
"""So long is waited for more flowers that were laid with the first."""
UNCLEAR_S = 5.0
"""Tiles whose labels are not sure are looked at for so long before they are taken for what they seem."""
AFTER_GAP_S = 1.5
"""After a gap so long is waited until all that changed is in sight."""
CLEARED = 8
"""More tiles than this gone, most of all: the table is being cleared."""
CLEARED_S = 4.0
"""After so long; before, the camera may only have been knocked."""


def advance(hand: LiveHand, view: TableView) -> Advanced:
    """See `LiveHand.advance`."""
    hand = replace(hand, time_s=view.time_s, frame=view.frame, beginning=hand.beginning.after(view))
    if view.gap_s >= 2.0:
        hand = replace(hand, gap_start_s=view.time_s - view.gap_s, gap_end_s=view.time_s)
    if not view.plane_found or not hand.beginning.begun or hand.over:
        return hand.told_of(())
    found = differences(hand.slots, hand.known, view)
    hand = _remember(hand, found)
    if _is_cleared(hand, found):
        return replace(hand, over=True).told_of(())
    hand, changes = reread(hand, found)
    if hand.state.phase is Phase.END:
        return hand.told_of(changes)
    if hand.state.phase is Phase.WIN_CLAIMED:
        hand, more = other_wins(hand, opened_hands(hand, view, ()))
        return hand.told_of((*changes, *more))
    covered = set(view.covered)
    appeared = [
        tile
        for tile in found.appeared
        if (tile.zone, tile.seat) not in covered and tile.track not in hand.beginning.ignored
    ]
    ripe = [tile for tile in appeared if view.time_s - tile.since_s >= SETTLE_S]
    laid = [tile for key, tile in found.matched.items() if tile.zone in (Zone.MELD, Zone.FLOWERS)]
    gathered = gather(ripe, laid, hand.state.rules, view.time_s, PATIENCE_S)
    opened = opened_hands(hand, view, ripe)
    inside = {tile.track for sight in opened for tile in sight.tiles}
    apart = [sight for sight in gathered.sights if not inside & {tile.track for tile in sight.tiles}]
    sights = [*apart, *opened]
    gone = _gone(hand, found.vanished)
    ready = _ready(hand, sights, gathered, gone) if sights and not _right_after_gap(hand) else []
    waiting = _what_is_waited_with(hand, ready, gone)
    if ready and waiting != hand.waiting:
        explained = _explained(hand, ready, gone)
        if explained is not None:
            return explained.hand.told_of((*changes, *explained.changes))
    hand = replace(hand, waiting=waiting)
    hand, undone = _taken_back(hand, found, sights, gathered)
    return hand.told_of((*changes, *undone))


def _remember(hand: LiveHand, found: Differences) -> LiveHand:
    """Where each tile was last seen, and since when some are gone."""
    known = {**hand.known, **found.matched}
    gone = {slot.key: hand.gone_s.get(slot.key, hand.time_s) for slot in found.vanished}
    return replace(hand, known=known, gone_s=gone)


def _is_cleared(hand: LiveHand, found: Differences) -> bool:
    since = [hand.gone_s[slot.key] for slot in found.vanished]
    gone = sum(hand.time_s - one >= CLEARED_S for one in since)
    return gone > CLEARED and gone > len(found.matched)


def _gone(hand: LiveHand, vanished: Sequence[Slot]) -> list[Gone]:
    return [
        Gone(slot.key[0], slot.seat, slot.face)
        for slot in vanished
        if slot.zone is Zone.RIVER and slot.seat is not None
    ]


def _right_after_gap(hand: LiveHand) -> bool:
    return hand.gap_end_s >= 0 and hand.time_s - hand.gap_end_s < AFTER_GAP_S


def _what_is_waited_with(hand: LiveHand, ready: Sequence[Sight], gone: Sequence[Gone]) -> tuple[object, ...]:
    """Everything an explanation rests on; the same again has the same explanation."""
    if not ready:
        return ()
    late = [hand.time_s - sight.time_s >= PATIENCE_S for sight in ready]
    return (tuple(sight.key for sight in ready), tuple(gone), tuple(late), hand.log)


def _explained(hand: LiveHand, ready: list[Sight], gone: Sequence[Gone]) -> Revised | None:
    """The hand with an explanation of what was seen; None while it is better to wait."""
    while ready:
        in_gap = _in_gap(hand, ready)
        proposal = explain(hand.state, ready, gone, in_gap=in_gap)
        dropped = 0
        if proposal is None or proposal.line.is_suspicious or any(sight.act is Act.GOLD for sight in ready):
            dropped, proposal = _second_thoughts(hand, ready, gone, proposal, in_gap)
        late = hand.time_s - ready[-1].time_s >= PATIENCE_S
        if proposal is not None and (late or not proposal.line.is_suspicious):
            return revise(hand, dropped, proposal)
        ready = ready[:-1]
    return None


def _ready(hand: LiveHand, sights: Sequence[Sight], gathered: Gathered, gone: Sequence[Gone]) -> list[Sight]:
    """The sights that need not wait for something that is still coming."""
    until = min((tile.since_s for tile in gathered.loose if hand.time_s - tile.since_s < PATIENCE_S), default=math.inf)
    ready: list[Sight] = []
    waits_for_gold = hand.state.phase is Phase.OPENING_FLOWERS and not any(sight.act is Act.GOLD for sight in sights)
    for sight in sorted(sights, key=lambda sight: sight.time_s):
        age = hand.time_s - sight.time_s
        if _is_row_of_backs(sight) and not may_kong(hand.state, sight.seat):
            continue  # part of a hand that lies face down
        if waits_for_gold and sight.act in (Act.DISCARD, Act.MELD) and age < UNCLEAR_S:
            break  # the gold is hard to see on its stack, and play starts after it
        if sight.time_s > until or (sight.act is Act.DISCARD and not is_clear(sight) and age < PATIENCE_S):
            break  # what follows has to wait for it, or it would be told before
        if is_clear(sight) or age >= UNCLEAR_S or sight.act is Act.DISCARD:
            ready.append(sight)
    while ready and ready[-1].act is Act.FLOWERS and hand.time_s - ready[-1].time_s < MORE_FLOWERS_S:
        ready.pop()
    claimed = any(sight.act in (Act.MELD, Act.OPEN_HAND) for sight in ready)
    if not claimed and _offered_is_gone(hand, gone):
        return []
    return ready


def _is_row_of_backs(sight: Sight) -> bool:
    return sight.act is Act.MELD and any(tile.face_down for tile in sight.tiles)


def _offered_is_gone(hand: LiveHand, gone: Sequence[Gone]) -> bool:
    """The tile that can be claimed has just left the river: its meld is still to come."""
    offered = hand.state.put_up
    if offered is None or offered.kong:
        return False
    key = hand.notes[offered.number - 1].key
    since = hand.gone_s.get((key, 0))
    return any(one.key == key for one in gone) and since is not None and hand.time_s - since < PATIENCE_S


def _in_gap(hand: LiveHand, sights: Sequence[Sight]) -> bool:
    if hand.beginning.in_the_midst and len(hand.notes) == 1:
        return True
    if hand.gap_end_s < 0:
        return False
    return any(hand.gap_start_s - 1.0 <= sight.time_s <= hand.gap_end_s + PATIENCE_S for sight in sights)


def _second_thoughts(
    hand: LiveHand, sights: Sequence[Sight], gone: Sequence[Gone], proposal: Proposal | None, in_gap: bool
) -> tuple[int, Proposal | None]:
    """An explanation of what was seen together with the last events the camera told of, where that is better.

    Also how many events of the log it stands for.
    """
    best, dropped = proposal, 0
    golds = any(sight.act is Act.GOLD for sight in sights)
    cost = math.inf if proposal is None or golds else proposal.line.cost
    for back in (1, 2, 4, 8):
        start, earlier = tail_sights(hand, back)
        if len(earlier) < back:
            break
        before = hand.referee.state_after(start)
        again = explain(before, [*earlier, *sights], gone, in_gap=in_gap)
        kept = explain(before, earlier, gone, in_gap=in_gap)
        if again is None or kept is None:
            continue
        more = again.line.cost - kept.line.cost
        if more < cost - 1.0:
            best, cost, dropped = again, more, len(hand.notes) - start
        if best is not None and not best.line.is_suspicious:
            break
    return dropped, best


def _taken_back(
    hand: LiveHand, found: Differences, sights: Sequence[Sight], gathered: Gathered
) -> tuple[LiveHand, list[LiveEvent]]:
    """The last discard when it left the river and nobody claimed it: back in the hand."""
    offered = hand.state.put_up
    if offered is None or offered.kong or sights or gathered.loose:
        return hand, []
    noted = hand.notes[offered.number - 1]
    since = hand.gone_s.get((noted.key, 0))
    if since is None or hand.time_s - since < TAKEN_BACK_S or noted.by is By.PERSON:
        return hand, []
    if offered.number != len(hand.notes) or not isinstance(noted.event, Discard):
        return hand, []
    undone = hand.change(Change.UNDONE, offered.number, noted)
    return hand.with_notes(hand.notes[:-1]), [undone]
