"""A live hand as JSON: what pages show, and what is kept so that it goes on after a restart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant_api.services.live.beginning import Beginning
from assistant_api.services.live.book import Book
from assistant_api.services.live.records import By, LiveEvent, Noted
from assistant_api.services.live.state import state_document
from assistant_api.services.live.table import LiveHand
from engine.eventlog import format_event, parse_event
from engine.rulesets import Ruleset
from engine.seats import Seat
from engine.tiles import Tile
from vision.live.view import SeenTile, Zone


def hand_document(hand: LiveHand) -> dict[str, Any]:
    """The whole hand for a page that has just opened: every event with what speaks for it, and the table."""
    return {
        "time_s": round(hand.time_s, 2),
        "frame": hand.frame,
        "begun": hand.beginning.begun,
        "over": hand.over,
        "events": [noted_document(number, noted) for number, noted in enumerate(hand.notes, start=1)],
        "asked": [number for number, noted in enumerate(hand.notes, start=1) if noted.asked],
        "table": state_document(hand.state),
    }


def change_document(change: LiveEvent) -> dict[str, Any]:
    """One change of the log: ``change`` is added, edited, undone or confirmed."""
    return {
        "change": change.change.value,
        **noted_document(change.number, change.noted),
        "time_s": round(change.noted.time_s, 2),
        "told_s": round(change.time_s, 2),
        "frame": change.frame,
    }


def noted_document(number: int, noted: Noted) -> dict[str, Any]:
    """One event of the log: its number and text, who says so, how sure it is, and the tiles it was seen by."""
    event = noted.event
    seat = getattr(event, "seat", None)
    return {
        "number": number,
        "key": noted.key,
        "event": format_event(event),
        "seat": seat.code if isinstance(seat, Seat) else None,
        "by": noted.by.value,
        "confidence": round(noted.confidence, 3),
        "asked": noted.asked,
        "alternatives": [[format_event(other), round(chance, 3)] for other, chance in noted.alternatives],
        "time_s": round(noted.time_s, 2),
        "frame": noted.frame,
        "tiles": [
            {
                "track": tile.track,
                "tile": "back" if tile.face_down else "?" if tile.tile is None else tile.tile.code,
                "confidence": round(tile.confidence, 3),
                "place": [round(tile.place[0], 2), round(tile.place[1], 2)],
                "crop": tile.crop,
                "quad": [[round(x, 1), round(y, 1)] for x, y in tile.quad],
            }
            for tile in noted.tiles
        ],
    }


def kept(hand: LiveHand) -> dict[str, Any]:
    """Everything `restored` needs. Grows with the log alone."""
    return {
        "notes": [
            {
                "key": noted.key,
                "event": format_event(noted.event),
                "by": noted.by.value,
                "confidence": noted.confidence,
                "time_s": noted.time_s,
                "frame": noted.frame,
                "asked": noted.asked,
                "alternatives": [[format_event(other), chance] for other, chance in noted.alternatives],
                "tiles": [kept_tile(tile) for tile in noted.tiles],
                "lawful": noted.lawful,
            }
            for noted in hand.notes
        ],
        "known": [[*key, kept_tile(tile)] for key, tile in sorted(hand.known.items())],
        "next_key": hand.next_key,
        "told": sorted([kind, seat, list(keys)] for kind, seat, keys in hand.told),
        "begun": hand.beginning.begun,
        "in_the_midst": hand.beginning.in_the_midst,
        "over": hand.over,
    }


def restored(document: Mapping[str, Any], ruleset: Ruleset | None = None) -> LiveHand:
    """The hand that `kept` was made of. Its clock starts anew with the next stream, whose tracks are new as well:
    tiles are known again by what they show and where they lie."""
    notes = tuple(
        Noted(
            one["key"],
            parse_event(one["event"]),
            By(one["by"]),
            one["confidence"],
            one["time_s"],
            one["frame"],
            tuple(map(restored_tile, one["tiles"])),
            tuple((parse_event(text), chance) for text, chance in one["alternatives"]),
            one["asked"],
            one.get("lawful", 0.0),  # tables kept by older versions have none
        )
        for one in document["notes"]
    )
    return LiveHand(
        Book.of(notes, ruleset),
        {(key, place): restored_tile(tile) for key, place, tile in document["known"]},
        next_key=document["next_key"],
        told=frozenset((kind, seat, tuple(keys)) for kind, seat, keys in document["told"]),
        beginning=Beginning(begun=document["begun"], in_the_midst=document["in_the_midst"]),
        over=document["over"],
    )


def kept_tile(tile: SeenTile) -> dict[str, Any]:
    """A tile as JSON, whole."""
    return {
        "track": tile.track,
        "tile": None if tile.tile is None else tile.tile.code,
        "face_down": tile.face_down,
        "confidence": tile.confidence,
        "place": list(tile.place),
        "turn_deg": tile.turn_deg,
        "zone": tile.zone.value,
        "seat": None if tile.seat is None else tile.seat.code,
        "quad": [list(corner) for corner in tile.quad],
        "since_s": tile.since_s,
        "seen_s": tile.seen_s,
        "alternatives": [[other.code, chance] for other, chance in tile.alternatives],
        "crop": tile.crop,
    }


def restored_tile(kept: Mapping[str, Any]) -> SeenTile:
    """The tile as it was seen. Its track is another one's now, so it gets a number that no track has."""
    a, b, c, d = ((float(x), float(y)) for x, y in kept["quad"])
    return SeenTile(
        -int(kept["track"]) - 1 if kept["track"] >= 0 else int(kept["track"]),
        None if kept["tile"] is None else Tile.parse(kept["tile"]),
        kept["face_down"],
        kept["confidence"],
        (float(kept["place"][0]), float(kept["place"][1])),
        kept["turn_deg"],
        Zone(kept["zone"]),
        None if kept["seat"] is None else Seat.parse(kept["seat"]),
        (a, b, c, d),
        kept["since_s"],
        kept["seen_s"],
        tuple((Tile.parse(other), chance) for other, chance in kept["alternatives"]),
        kept["crop"],
    )
