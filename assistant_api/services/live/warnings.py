"""Illegal acts of a live hand, each told once, as soon as the referee finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assistant_api.languages import Language
from assistant_api.services.live.gaps import Gap
from assistant_api.services.live.records import Alert, By, Noted
from assistant_api.texts import said
from engine.eventlog import format_event
from engine.events import Discard, WinClaim
from engine.judging import concealed_for, winning_tile
from engine.shanten import distance
from engine.tiles import Tile
from engine.violations import ViolationKind

if TYPE_CHECKING:
    from assistant_api.services.live.table import LiveHand


DOUBTFUL = 0.3
"""An event less sure than this is no evidence."""
OPENED_S = 4.0
"""The same after a hand was laid down, whose tiles are found one by one."""
SURE = 0.97
"""Labels surer than this are not thought to be wrong."""
LAWFUL = 0.35
"""Where the chance that all was legal is greater, nobody is accused."""
SETTLED_S = 2.0
"""So long after an act was seen nothing else may have turned up that explains it."""

KNOWN_AGAIN = 4
"""After so many acts that were seen the order after a gap is known again."""


def new_alerts(hand: LiveHand) -> tuple[Alert, ...]:
    """What the referee finds in the log and the table was not told yet, in the order of the events."""
    found: list[Alert] = []
    for violation in hand.referee.violations():
        evidence = tuple((number, hand.notes[number - 1]) for number in violation.events)
        alert = Alert(violation, evidence, hand.time_s, hand.frame)
        if alert.key not in hand.told and _is_firm(alert, hand):
            found.append(alert)
    return tuple(found)


def _is_firm(alert: Alert, hand: LiveHand) -> bool:
    """Whether the evidence stands: what is asked about, or has only just been seen, accuses nobody.

    What a person said happened is not waited with.
    """
    act = alert.evidence[-1][1] if alert.evidence else None
    if act is None or act.by is By.PERSON:
        return True
    if _rests_on_a_gap(hand, alert):
        return False
    if act.by is By.INFERRED:
        return True
    if alert.violation.kind in _RATHER_MISSED or _may_be_misread(hand, act, alert):
        return False
    doubtful = any(_proves_nothing(noted) for _, noted in alert.evidence)
    in_doubt = [(number, noted) for number, noted in alert.evidence if noted.asked and not 0 < noted.lawful <= LAWFUL]
    asked = any(_may_clear(hand, number, noted, alert) for number, noted in in_doubt)
    lawful = act.lawful if alert.violation.certain else 0.0
    settled = OPENED_S if alert.violation.kind is ViolationKind.FALSE_WIN else SETTLED_S
    return not doubtful and not asked and lawful <= LAWFUL and alert.time_s - act.time_s >= settled


def _proves_nothing(noted: Noted) -> bool:
    """Whether an event is no evidence: one that is doubtful, or a discard that nobody saw."""
    if noted.by is By.INFERRED:
        return noted.asked and isinstance(noted.event, Discard)
    return noted.by is By.CAMERA and noted.confidence < DOUBTFUL


def _rests_on_a_gap(hand: LiveHand, alert: Alert) -> bool:
    """Whether it takes for granted in which order things came of which nothing was seen: that nobody can know yet.

    After a gap whose turn it is is known again when a few acts in a row were seen. What a tile shows where it lies
    needs no order.
    """
    if hand.gap_end_s < 0:
        return False
    gap = Gap(hand.gap_start_s, hand.gap_end_s)
    last, act = alert.evidence[-1]
    if alert.violation.kind in _SHOWN_BY_THE_TILE and act.tiles and act.tiles[0].seat is not None:
        return False
    proof = [noted for _, noted in alert.evidence]
    if isinstance(act.event, WinClaim) and act.event.source.is_from_other:
        proof += [noted for noted in hand.notes[:last] if isinstance(noted.event, Discard)][-1:]
    if any(noted.by is not By.PERSON and gap.hides(noted.time_s) for noted in proof):
        return True
    if act.time_s < gap.start_s:
        return False
    since = [noted for noted in hand.notes[:last] if noted.tiles and noted.time_s > gap.end_s]
    known_again = sum(not gap.hides(noted.time_s) for noted in since) > KNOWN_AGAIN
    return not known_again or (alert.violation.kind in _BY_THE_TURN and gap.is_open(act.time_s))


_BY_THE_TURN = (
    ViolationKind.CHOW_WRONG_SEAT,
    ViolationKind.NOTHING_TO_CLAIM,
    ViolationKind.KONG_OUT_OF_TURN,
    ViolationKind.DRAW_OUT_OF_TURN,
    ViolationKind.DISCARD_OUT_OF_TURN,
)
_SHOWN_BY_THE_TILE = (ViolationKind.GOLD_DISCARDED, ViolationKind.GOLD_CLAIMED, ViolationKind.NOT_A_FLOWER)

_RATHER_MISSED = (ViolationKind.IMPOSSIBLE_TILES, ViolationKind.GOLD_OUT_OF_TIME, ViolationKind.UNTIMELY_WIN)
"""What a camera sees like this is rather a tile that was misread, or one that was not seen."""


def _may_be_misread(hand: LiveHand, act: Noted, alert: Alert) -> bool:
    """Whether another label of one tile clears an act: a hand one tile short of a win, a discard that is gone again."""
    event = act.event
    if isinstance(event, Discard):
        return (act.key, 0) in hand.gone_s and hand.notes[-1] is act
    if not isinstance(event, WinClaim) or alert.violation.kind is not ViolationKind.FALSE_WIN:
        return False
    table = hand.referee.state_after(alert.evidence[-1][0] - 1)
    concealed, winning = concealed_for(table, event), winning_tile(table, event)
    tiles = [face for face in (*(concealed or ()), winning) if isinstance(face, Tile)]
    sure = min((tile.confidence for tile in act.tiles), default=1.0) >= SURE
    return not sure and len(tiles) % 3 == 2 and distance(tiles, table.gold) <= 0


def _may_clear(hand: LiveHand, number: int, noted: Noted, alert: Alert) -> bool:
    """Whether something else that may have happened would clear the seat: not where it is illegal as well."""
    last = alert.evidence[-1][0]
    for event, _ in noted.alternatives:
        others = hand.referee.back_to(last).replace(number, event).violations()
        if not any(one.seat is alert.violation.seat and one.events[-1] == last for one in others):
            return True
    return False


def alert_document(alert: Alert) -> dict[str, Any]:
    """An alert as JSON: kind, seat, tile, messages in three languages, and each event that proves it with its tiles."""
    violation = alert.violation
    return {
        "kind": violation.kind.value,
        "seat": None if violation.seat is None else violation.seat.code,
        "tile": violation.data.get("tile") or violation.data.get("tiles"),
        "certain": violation.certain,
        "events": [number for number, _ in alert.evidence],
        "message": violation.en,
        "messages": {language.value: said(violation, language) for language in Language},
        "evidence": [
            {
                "event": number,
                "text": format_event(noted.event),
                "time_s": round(noted.time_s, 2),
                "frame": noted.frame,
                "tiles": [
                    {
                        "track": tile.track,
                        "crop": tile.crop,
                        "quad": [[round(x, 1), round(y, 1)] for x, y in tile.quad],
                    }
                    for tile in noted.tiles
                ],
            }
            for number, noted in alert.evidence
        ],
        "time_s": round(alert.time_s, 2),
        "frame": alert.frame,
    }
