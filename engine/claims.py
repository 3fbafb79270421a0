"""吃碰杠: who may claim what. Faults are looked for in the order of section 8."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from engine.checks import count_fault, is_flower, meld_fault, tile_fault
from engine.melds import Meld, MeldKind
from engine.reasons import Reason
from engine.rulesets.base import TableRules
from engine.seats import Seat
from engine.tiles import Face, Tile
from engine.verdicts import Fact, Refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimContext:
    """A declared chow, pung or kong. ``used`` are the tiles of the hand; None lets them be found.

    Of a concealed kong the four tiles, of an added one the fourth is in ``concealed``; both are made after an own draw.
    ``concealed`` is None while the hand is closed: then only what lies on the table is judged, and the hand is taken to
    hold what it needs. ``only_this`` leaves out faults the hand had before the claim.
    """

    kind: MeldKind
    tile: Face
    seat: Seat
    concealed: tuple[Face, ...] | None
    melds: tuple[Meld, ...] = ()
    from_seat: Seat | None = None
    used: tuple[Face, ...] | None = None
    gold: Tile | None = None
    last_group: bool = False
    just_claimed: bool = False
    drawn: Tile | None = None
    """The tile the seat drew in this turn, where it is known."""
    passed_pungs: frozenset[Tile] | None = None
    """Kinds on which the seat passed a pung since the lock was last lifted; None when nobody knows."""
    only_this: bool = False


@dataclass(frozen=True, slots=True)
class LegalClaim:
    """A claim that stands, and the meld it makes."""

    meld: Meld
    unverified: tuple[Fact, ...] = ()


_OWN_TURN = frozenset({MeldKind.KONG_CONCEALED, MeldKind.KONG_ADDED})
_TAKEN = {MeldKind.PUNG: 2, MeldKind.KONG_OPEN: 3, MeldKind.KONG_ADDED: 1, MeldKind.KONG_CONCEALED: 4}


def judge_claim(claim: ClaimContext, rules: TableRules) -> LegalClaim | Refusal:
    """Whether a claim stands, or the first reason against it."""
    own_turn = claim.kind in _OWN_TURN
    fault = (
        _tile_fault(claim, rules, own_turn)
        or _meld_fault(claim, rules, own_turn)
        or _count_fault(claim, rules, own_turn)
        or _moment_fault(claim, rules, own_turn)
    )
    if fault is not None:
        return fault
    used = _used_tiles(claim, rules)
    if isinstance(used, Refusal):
        return used
    return _pung_lock(claim, rules) or LegalClaim(_meld(claim, used), _unverified(claim, rules))


def possible_chows(
    concealed: tuple[Face, ...], tile: Tile, gold: Tile | None, rules: TableRules
) -> Iterator[tuple[Tile, Tile]]:
    """Each different pair of concealed tiles that makes a run with a discard.

    >>> from engine.rulesets.fuzhou import load
    >>> pairs = possible_chows((Tile.M1, Tile.M2, Tile.M4), Tile.M3, None, load("fuzhou"))
    >>> [(low.code, high.code) for low, high in pairs]
    [('1m', '2m'), ('2m', '4m')]
    """
    usable = sorted({face for face in concealed if isinstance(face, Tile)})
    if rules.gold_in_claims == "none":
        usable = [held for held in usable if held is not gold]
    wild = gold if rules.gold_in_claims == "any" else None
    for pair in combinations(usable, 2):
        if Meld(MeldKind.CHOW, (tile, *pair)).fits(wild):
            yield pair


def _tile_fault(claim: ClaimContext, rules: TableRules, own_turn: bool) -> Refusal | None:
    fault = None
    if claim.concealed is not None and not claim.only_this:
        put_up = () if own_turn else (claim.tile,)
        fault = tile_fault(rules, claim.gold, claim.concealed, claim.melds, (), put_up=put_up)
    if fault is None and isinstance(claim.tile, Tile) and is_flower(claim.tile, rules):
        return Refusal(Reason.FLOWER_CLAIM, {"tiles": claim.tile.code})
    return fault


def _meld_fault(claim: ClaimContext, rules: TableRules, own_turn: bool) -> Refusal | None:
    fault = None if claim.only_this else meld_fault(rules, claim.gold, claim.melds, claim.seat)
    if fault is not None:
        return fault
    if claim.kind is MeldKind.CHOW and claim.from_seat not in (claim.seat.previous, claim.seat, None):
        return _about(Reason.CHOW_WRONG_SEAT, claim.tile)
    uses_gold = claim.gold in (claim.used or ()) or (own_turn and claim.tile is claim.gold)
    if rules.gold_in_claims == "none" and uses_gold and (own_turn or claim.tile is not claim.gold):
        return _about(Reason.GOLD_IN_MELD, claim.tile, *(claim.used or ()))
    return None


def _count_fault(claim: ClaimContext, rules: TableRules, own_turn: bool) -> Refusal | None:
    if claim.concealed is None or claim.only_this:
        return None
    return count_fault(len(claim.concealed), rules.hand_size + own_turn - 3 * len(claim.melds))


def _moment_fault(claim: ClaimContext, rules: TableRules, own_turn: bool) -> Refusal | None:
    if not own_turn and claim.tile is claim.gold:
        return _about(Reason.GOLD_DISCARD_UNCLAIMABLE, claim.tile)
    if not own_turn and claim.from_seat is claim.seat:
        return _about(Reason.OWN_DISCARD, claim.tile)
    if claim.last_group:
        return Refusal(Reason.LAST_GROUP)
    if own_turn and claim.just_claimed and not rules.kong_after_claim:
        return Refusal(Reason.KONG_AFTER_CLAIM)
    late = claim.drawn is not None and claim.drawn is not claim.tile
    if claim.kind is MeldKind.KONG_ADDED and late and not rules.added_kong_later:
        return _about(Reason.KONG_TOO_LATE, claim.tile)
    return None


def _used_tiles(claim: ClaimContext, rules: TableRules) -> tuple[Face, ...] | Refusal:
    """The tiles of the hand that the claim takes."""
    if claim.kind is MeldKind.CHOW:
        return _chow_tiles(claim, rules)
    if claim.kind is MeldKind.KONG_ADDED and not any(
        meld.kind is MeldKind.PUNG and claim.tile in meld.tiles for meld in claim.melds
    ):
        return _about(Reason.NO_PUNG_TO_EXTEND, claim.tile)
    needed = _TAKEN[claim.kind]
    if claim.concealed is None:
        return _closed_tiles(claim, rules, needed)
    alike = claim.concealed.count(claim.tile)
    wild = claim.concealed.count(claim.gold) if rules.gold_in_claims == "any" and claim.gold is not None else 0
    if claim.used is None:
        natural = min(needed, alike)
        if needed - natural > wild or (claim.gold is None and natural < needed):
            return _about(Reason.TILES_NOT_HELD, claim.tile)
        golds: tuple[Face, ...] = () if claim.gold is None else (claim.gold,) * (needed - natural)
        return (*(claim.tile,) * natural, *golds)
    allowed = {claim.tile, claim.gold} if wild else {claim.tile}
    if len(claim.used) != needed or not set(claim.used) <= allowed or not _holds(claim):
        return _about(Reason.TILES_NOT_HELD, *claim.used)
    return claim.used


def _closed_tiles(claim: ClaimContext, rules: TableRules, needed: int) -> tuple[Face, ...] | Refusal:
    """The tiles that left a closed hand; they must be what they are said to be."""
    used = claim.used or (claim.tile,) * needed
    wild = claim.gold if rules.gold_in_claims == "any" else None
    alike = {tile for tile in (claim.tile, *used) if isinstance(tile, Tile) and tile is not wild}
    if len(used) != needed or len(alike) > 1:
        return _about(Reason.TILES_NOT_HELD, *used)
    return used


def _chow_tiles(claim: ClaimContext, rules: TableRules) -> tuple[Face, ...] | Refusal:
    if claim.used is None:
        pair = None
        if isinstance(claim.tile, Tile) and claim.concealed is not None:
            pair = next(possible_chows(claim.concealed, claim.tile, claim.gold, rules), None)
        return pair or _about(Reason.TILES_NOT_HELD, claim.tile)
    wild = claim.gold if rules.gold_in_claims == "any" else None
    if not Meld(MeldKind.CHOW, (claim.tile, *claim.used)).fits(wild):
        return _about(Reason.NOT_A_RUN, claim.tile, *claim.used)
    return claim.used if _holds(claim) else _about(Reason.TILES_NOT_HELD, *claim.used)


def _holds(claim: ClaimContext) -> bool:
    used = claim.used or ()
    held = claim.concealed
    return held is None or all(held.count(tile) >= used.count(tile) for tile in used)


def _meld(claim: ClaimContext, used: tuple[Face, ...]) -> Meld:
    if claim.kind is MeldKind.KONG_CONCEALED:
        return Meld(claim.kind, used)
    if claim.kind is MeldKind.KONG_ADDED:
        pung = next(meld for meld in claim.melds if meld.kind is MeldKind.PUNG and claim.tile in meld.tiles)
        return Meld(claim.kind, (*pung.tiles, *used), pung.from_seat)
    return Meld(claim.kind, (claim.tile, *used), claim.from_seat)


def _pung_lock(claim: ClaimContext, rules: TableRules) -> Refusal | None:
    """过水不碰 locks the pung alone, neither chow nor kong."""
    if rules.pass_pung_lock == "off" or claim.kind is not MeldKind.PUNG or claim.passed_pungs is None:
        return None
    return _about(Reason.PASS_PUNG_LOCK, claim.tile) if claim.tile in claim.passed_pungs else None


def _unverified(claim: ClaimContext, rules: TableRules) -> tuple[Fact, ...]:
    unknown = rules.pass_pung_lock != "off" and claim.kind is MeldKind.PUNG and claim.passed_pungs is None
    return (Fact.PASSED_KINDS,) if unknown else ()


def _about(reason: Reason, *tiles: Face) -> Refusal:
    return Refusal(reason, {"tiles": " ".join(tile.code for tile in tiles)})
