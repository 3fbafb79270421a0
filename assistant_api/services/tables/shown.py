"""A live table as it is shown: JSON for the pages, the same for everybody but for the language of the warnings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assistant_api.languages import Language, in_language
from assistant_api.services.live.state import state_document
from assistant_api.services.live.table import LiveHand
from assistant_api.services.tables.lessons import word_document, words_now
from assistant_api.services.tables.store import Line
from assistant_api.texts import said, tile_name
from engine.eventlog import format_event
from engine.events import Deal, Event, FlowersLaid, GoldOpened, LaidOpen, WinClaim, seat_of
from engine.judging import Ruling
from engine.moves import held_tiles
from engine.table import Phase, TableState
from engine.tiles import CODES, Face, Tile, Unseen
from engine.verdicts import CannotKnow, Refusal
from engine.violations import Violation
from vision.live.view import TableView

SEAT = "{seat}"
"""Stands for the name of a seat in a sentence."""
Crops = Mapping[int, str]
"""Ids of pictures by the key of the event."""


def crop_url(crops: Crops, key: int) -> str | None:
    """Where the picture of an event is."""
    return f"/api/live/crops/{crops[key]}" if key in crops else None


def event_document(event: Event) -> dict[str, Any]:
    """An event in parts, for a page to say it in its own words: what, by whom, with which tiles."""
    seat = seat_of(event)
    tile: Face | None = getattr(event, "tile", None)
    tiles: Sequence[Face] = ()
    if isinstance(event, GoldOpened | FlowersLaid | LaidOpen):
        tiles = event.tiles
    elif getattr(event, "held", None) is not None:
        tiles = held_tiles(event)  # type: ignore[arg-type]
    source = getattr(event, "source", None)
    return {
        "text": format_event(event),
        "kind": _KINDS.get(type(event).__name__, type(event).__name__.lower()),
        "seat": event.dealer.code if isinstance(event, Deal) else None if seat is None else seat.code,
        "tile": None if tile is None else tile.code,
        "tiles": [face.code for face in tiles],
        "source": None if source is None else source.value,
    }


_KINDS = {
    "LaidOpen": "holds",
    "FlowersLaid": "flowers",
    "GoldOpened": "gold",
    "KongOpen": "kong",
    "KongAdded": "kong_added",
    "KongConcealed": "kong_concealed",
    "KongShown": "kong_shown",
    "WinClaim": "win",
    "WinGranted": "granted",
    "DeadHand": "dead",
}


def line_document(line: Line, crops: Crops) -> dict[str, Any]:
    """One event of the log, with who says so and what else it may have been."""
    noted = line.noted
    return {
        "key": noted.key,
        "number": line.number,
        "version": line.version,
        "state": line.state,
        "by": noted.by.value,
        "role": line.role,
        "confidence": round(noted.confidence, 3),
        "time_s": round(noted.time_s, 1),
        "crop": crop_url(crops, noted.key),
        "alternatives": [{**event_document(event), "chance": round(chance, 3)} for event, chance in noted.alternatives],
        **event_document(noted.event),
    }


def hand_document(hand: LiveHand, lines: Sequence[Line], crops: Crops, near: str) -> dict[str, Any]:
    """The table by the log: where everything lies, whose turn it is, what is claimed."""
    return {
        **state_document(hand.state),
        "near": near,
        "offered": _offered(hand.state),
        "claim": _claim(hand, lines, crops),
        "over": hand.over,
        "words": words_now(hand.state),
    }


def _offered(state: TableState) -> dict[str, Any] | None:
    """The tile that may be claimed now."""
    put_up = state.put_up
    if put_up is None or state.phase not in (Phase.CLAIMS, Phase.ROB_WINDOW, Phase.ROB_KONG):
        return None
    return {"seat": put_up.seat.code, "tile": put_up.tile.code, "kong": put_up.kong}


def _claim(hand: LiveHand, lines: Sequence[Line], crops: Crops) -> dict[str, Any] | None:
    """The win that is declared, and what the log says of it."""
    state = hand.state
    if state.phase is not Phase.WIN_CLAIMED or not state.win_claims:
        return None
    _, claim = state.win_claims[-1]
    ruling = hand.referee.judge(claim)
    assert isinstance(ruling, Ruling)
    before = state.before_claims
    given = before.put_up.seat.code if before is not None and before.put_up and claim.source.is_from_other else None
    return {
        "seat": claim.seat.code,
        "source": claim.source.value,
        "from": given,
        "tile": None if claim.tile is None else claim.tile.code,
        **ruling_document(ruling, claim, lines, crops),
    }


def ruling_document(ruling: Ruling, claim: WinClaim, lines: Sequence[Line], crops: Crops) -> dict[str, Any]:
    """Whether a win stands: yes, no, or not to be known yet; the reason and the events that speak for it."""
    verdict = ruling.verdict
    reason = verdict.reason if isinstance(verdict, Refusal) else ruling.possible
    tile = "?" if claim.tile is None else claim.tile.code
    possible = None if ruling.possible is None else Refusal(ruling.possible, {"tiles": tile})
    sentence = verdict if isinstance(verdict, Refusal) else possible
    texts = None if sentence is None else {language.value: said(sentence, language) for language in Language}
    return {
        "stands": None if isinstance(verdict, CannotKnow) else ruling.stands,
        "certain": ruling.certain,
        "code": None if reason is None else reason.value,
        "texts": texts,
        "rule": None if reason is None else word_document(reason),
        "evidence": evidence(ruling.evidence, lines, crops),
    }


def evidence(numbers: Sequence[int], lines: Sequence[Line], crops: Crops) -> list[dict[str, Any]]:
    """The events of these numbers with their pictures."""
    shown = []
    for number in numbers:
        if 1 <= number <= len(lines):
            noted = lines[number - 1].noted
            shown.append(
                {"key": noted.key, "number": number, "crop": crop_url(crops, noted.key), **event_document(noted.event)}
            )
    return shown


def alert_document(violation: Violation, lines: Sequence[Line], crops: Crops) -> dict[str, Any]:
    """An illegal act, with its proof; ``id`` stays the same when other events are put in before it."""
    seat = None if violation.seat is None else violation.seat.code
    proof = evidence(violation.events, lines, crops)
    keys = "-".join(str(one["key"]) for one in proof)
    return {
        "id": f"{violation.kind.value}-{seat or ''}-{keys}",
        "kind": violation.kind.value,
        "seat": seat,
        "tile": violation.data.get("tile") or violation.data.get("tiles"),
        "certain": violation.certain,
        "texts": {language.value: said(violation, language) for language in Language},
        "named": {"texts": {language.value: _named(violation, language) for language in Language}},
        "rule": word_document(violation.kind),
        "evidence": proof,
    }


def _named(violation: Violation, language: Language) -> str:
    """The sentence with the tiles by their names and a place for the seat's: a page knows who sits there."""

    def name(code: str) -> str:
        unnamed = Unseen.BACK if code == Unseen.BACK.code else Unseen.UNREADABLE
        return tile_name(Tile.parse(code) if code in CODES else unnamed, language)

    zh = language is not Language.EN
    spoken = violation.in_words(zh=zh, seat=SEAT, tile=name)
    return in_language(language, spoken, spoken)


def in_words(document: Any, language: Language) -> Any:
    """The same with ``text`` in one language where there were ``texts`` in all."""
    if isinstance(document, list):
        return [in_words(one, language) for one in document]
    if not isinstance(document, dict):
        return document
    spoken = {name: in_words(value, language) for name, value in document.items() if name != "texts"}
    texts = document.get("texts")
    return {**spoken, "message": texts[language.value]} if texts else spoken


def sight_document(view: TableView | None, *, boxes: bool) -> dict[str, Any]:
    """What the camera sees now: whether the table is found, what is covered, and a box for each tile if wanted."""
    if view is None:
        return {"plane": None, "covered": [], "gap_s": 0.0}
    shown: dict[str, Any] = {
        "plane": view.plane_found,
        "covered": [{"zone": zone.value, "seat": None if seat is None else seat.code} for zone, seat in view.covered],
        "gap_s": round(view.gap_s, 1),
    }
    if boxes:
        shown["boxes"] = [
            {
                "quad": [[round(x), round(y)] for x, y in tile.quad],
                "tile": "back" if tile.face_down else "?" if tile.tile is None else tile.tile.code,
                "zone": tile.zone.value,
                "late": view.time_s - tile.seen_s > 1.0,
            }
            for tile in view.tiles
        ]
    return shown
