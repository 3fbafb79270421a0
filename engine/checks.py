"""Faults that bar every win and every claim: impossible tiles, wrong melds, wrong counts (section 8, groups 1-3)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.melds import Meld, MeldKind
from engine.reasons import Reason
from engine.rulesets.base import TableRules
from engine.seats import Seat
from engine.tiles import Face, Tile, Unseen
from engine.verdicts import Refusal


def is_flower(tile: Tile, rules: TableRules) -> bool:
    """Whether the table plays this kind as a flower: seasons and plants, and honours where they are flowers."""
    return tile >= 34 or (tile >= 27 and rules.honours_are_flowers)


def is_in_set(tile: Tile, rules: TableRules) -> bool:
    """Whether the set of tiles has this kind at all; the 128-tile set has winds and the red dragon as only flowers."""
    return rules.tile_set == "full_144" or tile <= Tile.RED


def indicator_of(gold: Tile, rules: TableRules) -> Tile:
    """The tile turned up on the wall: the gold itself, or the kind before it in its suit or among the honours.

    >>> from engine.rulesets.fuzhou import load
    >>> indicator_of(Tile.P1, load("fuzhou").with_options({"gold_from_indicator": "next"}))
    <Tile.P9: 17>
    """
    if rules.gold_from_indicator == "same":
        return gold
    first, last = (27, 33) if gold >= 27 else (gold - gold % 9, gold - gold % 9 + 8)
    return Tile(gold - 1) if gold > first else Tile(last)


def tile_fault(
    rules: TableRules,
    gold: Tile | None,
    concealed: Iterable[Face],
    melds: Iterable[Meld],
    flowers: Iterable[Face],
    *,
    put_up: Iterable[Face] = (),
    extra_golds: int = 0,
) -> Refusal | None:
    """Group 1: a tile without a name, more copies than exist, a flower in the wrong place.

    ``concealed`` includes the winning tile, ``put_up`` is a tile of another seat that is claimed; ``extra_golds`` are
    golds not listed, besides the indicator.
    """
    held, laid = tuple(concealed), tuple(flowers)
    faces = (*held, *(face for meld in melds for face in meld.tiles), *laid, *put_up)
    counts = [0] * 42
    for face in faces:
        if isinstance(face, Unseen):
            return Refusal(Reason.UNKNOWN_TILE, {"tiles": face.code})
        counts[face] += 1
    if gold is not None:
        counts[indicator_of(gold, rules)] += 1
        counts[gold] += extra_golds
    if max(counts) > 1:
        for kind, count in enumerate(counts):
            if count > 4 or (count > 1 and kind >= 34):
                return Refusal(Reason.IMPOSSIBLE_TILES, {"tiles": Tile(kind).code, "count": count})
    if gold is not None and is_flower(gold, rules):
        return Refusal(Reason.NOT_A_GOLD, {"tiles": gold.code})
    if rules.tile_set != "full_144":
        for face in faces:
            if isinstance(face, Tile) and not is_in_set(face, rules):
                return Refusal(Reason.IMPOSSIBLE_TILES, {"tiles": face.code, "count": 1})
    for face in laid:
        if isinstance(face, Tile) and not is_flower(face, rules):
            return Refusal(Reason.NOT_A_FLOWER, {"tiles": face.code})
    for face in held:
        if isinstance(face, Tile) and is_flower(face, rules):
            return Refusal(Reason.UNREPLACED_FLOWER, {"tiles": face.code})
    return None


def meld_fault(rules: TableRules, gold: Tile | None, melds: Iterable[Meld], seat: Seat | None) -> Refusal | None:
    """Group 2: a meld that is none, a chow not from the seat before, a gold inside."""
    melds = tuple(melds)
    wild = gold if rules.gold_in_claims == "any" else None
    for meld in melds:
        if not _is_meld(meld, rules, wild, seat):
            return _about(Reason.BAD_MELD, meld)
    for meld in melds:
        if meld.kind is MeldKind.CHOW and seat is not None and meld.from_seat not in (None, seat.previous):
            return _about(Reason.CHOW_WRONG_SEAT, meld)
    if rules.gold_in_claims == "none":
        for meld in melds:
            if gold in meld.tiles:
                return _about(Reason.GOLD_IN_MELD, meld)
    return None


def count_fault(count: int, expected: int) -> Refusal | None:
    """Group 3: 大相公 and 小相公."""
    if count == expected:
        return None
    reason = Reason.TOO_MANY_TILES if count > expected else Reason.TOO_FEW_TILES
    return Refusal(reason, {"count": count, "expected": expected})


def _is_meld(meld: Meld, rules: TableRules, wild: Tile | None, seat: Seat | None) -> bool:
    own = meld.from_seat is not None and (meld.from_seat is seat or meld.kind is MeldKind.KONG_CONCEALED)
    flower = any(isinstance(tile, Tile) and is_flower(tile, rules) for tile in meld.tiles)
    return not own and not flower and meld.fits(wild)


def _about(reason: Reason, meld: Meld) -> Refusal:
    return Refusal(reason, {"tiles": " ".join(face.code for face in meld.tiles)})
