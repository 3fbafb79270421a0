"""What a seat may claim now: every chow, pung, kong and win that the rules allow, as events that can be applied."""

from __future__ import annotations

from collections.abc import Iterator

from engine.context import WinSource
from engine.decompose import tile_key
from engine.events import Chow, Claim, KongAdded, KongConcealed, KongOpen, Pung, WinClaim
from engine.judging import judge_claim, judge_meld
from engine.melds import MeldKind, is_part_of_run
from engine.rulesets.fan_ruleset import FanRuleset
from engine.seats import Seat
from engine.shapes import completing_kinds
from engine.table import Phase, TableState
from engine.tiles import Tile
from engine.waits import winning_tiles


def legal_claims(table: TableState, seat: Seat) -> tuple[Claim, ...]:
    """All claims of this seat that stand now, wins first; nothing while its hand is closed, dead or over."""
    state = table.seats[seat]
    if not state.is_known or state.sits_out or table.phase in (Phase.END, Phase.OPENING_FLOWERS):
        return ()
    return (*legal_wins(table, seat), *legal_melds(table, seat))


def legal_wins(table: TableState, seat: Seat) -> tuple[WinClaim, ...]:
    """The wins of this seat that stand now."""
    return tuple(claim for claim in _possible_wins(table, seat) if judge_claim(table, claim).stands)


def _possible_wins(table: TableState, seat: Seat) -> Iterator[WinClaim]:
    """Ways of winning the moment offers, those left out that the tiles rule out at a glance."""
    state, phase, offered = table.seats[seat], table.phase, table.put_up
    golds = state.known.count(table.gold) if table.gold is not None else 0
    if phase is Phase.OPENING:
        if seat is table.dealer and not table.extra_discards:
            yield WinClaim(seat, WinSource.HEAVENLY)
        if golds >= 3:
            yield WinClaim(seat, WinSource.OPENING_THREE)
    elif phase is Phase.ROB_WINDOW and offered is not None and seat is table.dealer:
        yield WinClaim(seat, WinSource.ROB_GOLD, swap=offered.tile if isinstance(offered.tile, Tile) else None)
    elif phase in (Phase.CLAIMS, Phase.ROB_WINDOW, Phase.ROB_KONG) and offered is not None:
        if phase is not Phase.ROB_KONG and state.turns == 0:
            yield WinClaim(seat, WinSource.ROB_GOLD)
        if seat is not offered.seat and _may_win_on(table, seat, offered.tile):
            source = WinSource.ROB_KONG if offered.kong else WinSource.DISCARD
            yield WinClaim(seat, source, offered.tile)
    elif table.own_draw and seat is table.turn and phase in _AFTER_A_DRAW and isinstance(state.drawn, Tile):
        source = WinSource.LAST_GROUP if phase is Phase.LAST_GROUP else _own_draw_source(table)
        yield WinClaim(seat, source, state.drawn)
        if table.rules.rob_window == "first_draw_is_gold" and state.turns == 1 and state.drawn is table.gold:
            yield WinClaim(seat, WinSource.ROB_GOLD)


_AFTER_A_DRAW = (Phase.ACTION, Phase.FIRST_DISCARD, Phase.LAST_GROUP)


def _may_win_on(table: TableState, seat: Seat, tile: object) -> bool:
    """Quick look at the tiles before the whole judgement."""
    if not isinstance(tile, Tile) or tile is table.gold:
        return False
    known = table.seats[seat].known
    if any(kind.is_flower for kind in known):
        return False
    if table.rules.three_golds_on_discard == "any" and table.gold is not None and known.count(table.gold) >= 3:
        return True
    if isinstance(table.rules, FanRuleset):
        return bool(completing_kinds(tile_key(known), len(known) // 3, table.rules.shapes) >> tile & 1)
    return tile in winning_tiles(known, table.gold, honours=not table.rules.honours_are_flowers)


def _own_draw_source(table: TableState) -> WinSource:
    """A tile drawn for a kong is a replacement; one drawn for a flower is part of the same draw."""
    return WinSource.REPLACEMENT if table.after_kong else WinSource.SELF_DRAW


_OWN_TURN = (Phase.ACTION, Phase.FIRST_DISCARD, Phase.OPENING)


def legal_melds(table: TableState, seat: Seat) -> tuple[Chow | Pung | KongOpen | KongAdded | KongConcealed, ...]:
    """The chows, pungs and kongs of this seat that stand now."""
    offered = table.put_up
    found: list[Chow | Pung | KongOpen | KongAdded | KongConcealed] = []
    if table.phase in (Phase.CLAIMS, Phase.ROB_WINDOW) and offered is not None and isinstance(offered.tile, Tile):
        if offered.seat is seat or offered.tile is table.gold:
            return ()
        found.extend(_takings(table, seat, offered.tile))
    elif table.phase in _OWN_TURN and table.turn is seat and not table.seats[seat].owed:
        found.extend(_own_kongs(table, seat))
    return tuple(event for event in found if judge_meld(table, event).refusal is None)


def _takings(table: TableState, seat: Seat, tile: Tile) -> Iterator[Chow | Pung | KongOpen]:
    known = table.seats[seat].known
    count = known.count(tile)
    if count >= 3:
        yield KongOpen(seat, tile)
    if count >= 2:
        yield Pung(seat, tile)
    offered = table.put_up
    if offered is not None and seat is offered.seat.next and tile.is_suited:
        for low in range(tile - 2, tile + 1):
            run = [Tile(kind) for kind in range(low, low + 3) if 0 <= kind < 27 and kind // 9 == tile // 9]
            held = tuple(kind for kind in run if kind is not tile)
            if len(run) == 3 and all(kind in known for kind in held):
                yield Chow(seat, tile, held)
    if table.rules.gold_in_claims == "any" and table.gold in known:
        yield from _with_a_gold(table, seat, tile)


def _with_a_gold(table: TableState, seat: Seat, tile: Tile) -> Iterator[Chow | Pung | KongOpen]:
    """Claims in which one gold stands for a tile of the hand, where the table plays that."""
    known, gold, offered = table.seats[seat].known, table.gold, table.put_up
    if gold is None or offered is None:
        return
    if known.count(tile) >= 2:
        yield KongOpen(seat, tile, (tile, tile, gold))
    if known.count(tile) >= 1:
        yield Pung(seat, tile, (tile, gold))
    if seat is offered.seat.next:
        for other in sorted(set(known)):
            if other is not gold and is_part_of_run([tile, other]):
                yield Chow(seat, tile, (other, gold))


def _own_kongs(table: TableState, seat: Seat) -> Iterator[KongAdded | KongConcealed]:
    state = table.seats[seat]
    for meld in state.melds:
        tile = meld.tiles[0]
        if meld.kind is MeldKind.PUNG and tile in state.known:
            yield KongAdded(seat, tile)
    for kind in sorted(set(state.known)):
        if state.known.count(kind) == 4:
            yield KongConcealed(seat, kind)
