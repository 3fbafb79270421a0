"""Illegal acts of a live hand, each told once, as soon as the referee finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assistant_api.languages import Language
from assistant_api.services.live.records import Alert, By
from assistant_api.texts import said
from engine.eventlog import format_event

if TYPE_CHECKING:
    from assistant_api.services.live.table import LiveHand


DOUBTFUL = 0.3
"""An event less sure than this is no evidence."""
SETTLED_S = 2.0
"""So long after an act was seen nothing else may have turned up that explains it."""


def new_alerts(hand: LiveHand) -> tuple[Alert, ...]:
    """What the referee finds in the log and the table was not told yet, in the order of the events."""
    found: list[Alert] = []
    for violation in hand.referee.violations():
        evidence = tuple((number, hand.notes[number - 1]) for number in violation.events)
        alert = Alert(violation, evidence, hand.time_s, hand.frame)
        if alert.key not in hand.told and _is_firm(alert):
            found.append(alert)
    return tuple(found)


def _is_firm(alert: Alert) -> bool:
    """Whether the evidence stands: what is asked about, or has only just been seen, accuses nobody.

    What a person said happened is not waited with.
    """
    act = alert.evidence[-1][1] if alert.evidence else None
    if act is None or act.by is not By.CAMERA:
        return True
    doubtful = any(noted.confidence < DOUBTFUL for _, noted in alert.evidence if noted.by is By.CAMERA)
    asked = any(noted.asked for _, noted in alert.evidence)
    return not doubtful and not asked and alert.time_s - act.time_s >= SETTLED_S


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
