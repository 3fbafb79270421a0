"""Teaching facts about one hand: what it waits on and how each tile may win, and what each discard leaves.

Facts, no opinions: every line can be checked by counting tiles. The only order is that of `advise`: nearest to ready
first, then most copies of useful tiles. Only the hand, what lies in sight and the rules are looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.arrangement import Group, Part, arrange
from engine.checks import count_fault, indicator_of, is_flower, meld_fault, tile_fault
from engine.context import TableFacts, WinContext, WinSource
from engine.decompose import count_in, tile_key
from engine.errors import HandError, RulesetError
from engine.melds import Meld, MeldKind
from engine.notation import HandLine
from engine.notes import Note, NoteKind
from engine.rulesets import Ruleset, ruleset_names
from engine.rulesets.base import TableRules
from engine.rulesets.fan_ruleset import FanRuleset
from engine.seats import Seat
from engine.shanten import discard_distances, distance, useful_kinds
from engine.shape_distance import shape_discards, shape_distance, shape_useful
from engine.shapes import completing_kinds
from engine.tiles import SUITED, Tile
from engine.verdicts import Verdict, Win
from engine.waits import Wait, waits
from engine.win import judge_win


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A hand to think about, checked: its tiles are named and possible, and it is to draw or has just drawn."""

    concealed: tuple[Tile, ...]
    melds: tuple[Meld, ...]
    table: tuple[Tile, ...]
    """Tiles others have shown: their melds, and all discards."""
    context: WinContext
    """Everything but the winning tile; facts nobody gave have their usual values."""
    rules: TableRules

    @property
    def gold(self) -> Tile | None:
        """The kind that is gold."""
        return self.context.gold

    @property
    def golds(self) -> int:
        """Golds in the hand."""
        return 0 if self.gold is None else self.concealed.count(self.gold)

    @property
    def shown(self) -> tuple[Tile, ...]:
        """Every tile in sight besides the concealed ones: own melds, the indicator, and the table."""
        own = [tile for meld in self.melds for tile in meld.tiles if isinstance(tile, Tile)]
        if self.gold is not None:
            own.append(indicator_of(self.gold, self.rules))
        return (*own, *self.table)

    @property
    def has_drawn(self) -> bool:
        """The hand has one tile more than between its turns."""
        return len(self.concealed) % 3 == 2

    @property
    def kinds(self) -> tuple[Tile, ...]:
        """The kinds that can be part of a hand here."""
        return tuple(tile for tile in Tile if not is_flower(tile, self.rules))

    def left(self, tile: Tile) -> int:
        """Copies of a kind that are not in sight."""
        return max(0, tile.copies - count_in(tile_key((*self.concealed, *self.shown)), tile))


@dataclass(frozen=True, slots=True)
class JudgedWait:
    """A kind that wins: copies left, and what comes of drawing it and of its being thrown."""

    tile: Tile
    left: int
    completes: bool
    """The hand is complete with it; otherwise it wins by 三金倒 alone."""
    drawn: Verdict
    thrown: Verdict

    @property
    def self_draw_only(self) -> bool:
        """It wins when drawn and not when thrown."""
        return isinstance(self.drawn, Win) and not isinstance(self.thrown, Win)


@dataclass(frozen=True, slots=True)
class Kong:
    """A kong the hand could make now, and the distance after it."""

    kind: MeldKind
    tile: Tile
    distance: int


@dataclass(frozen=True, slots=True)
class DiscardAdvice:
    """What one discard leaves: distance, useful tiles with copies left, and facts."""

    tile: Tile
    distance: int
    useful: tuple[Wait, ...]
    notes: tuple[Note, ...]

    @property
    def left(self) -> int:
        """Copies of all useful tiles together."""
        return sum(wait.left for wait in self.useful)

    @property
    def rank(self) -> tuple[int, int, Tile]:
        """Nearest first; a hand whose useful tiles are all gone counts as one step farther."""
        return self.distance + (self.left == 0), -self.left, self.tile


def position(
    line: HandLine, ruleset: Ruleset, *, table: Iterable[Tile] = (), facts: TableFacts | None = None
) -> Position:
    """The hand of a line, checked; a winning tile counts as just drawn.

    What the line and ``facts`` do not say is taken at its usual value: South, East deals, no streak, no gold thrown, no
    win passed. HandError says what is wrong with the tiles or their number; RulesetError for another game.
    """
    if not isinstance(ruleset, TableRules):
        raise RulesetError(f"{ruleset.name!r} is no game of the table; expected one of {', '.join(ruleset_names())}")
    if line.gold is not None and not ruleset.has_gold:
        raise HandError(f"{ruleset.name} has no gold; expected a hand without one")
    concealed = (*line.concealed, *(() if line.winning_tile is None else (line.winning_tile,)))
    fault = tile_fault(ruleset, line.gold, concealed, line.melds, line.flowers)
    fault = fault or meld_fault(ruleset, line.gold, line.melds, line.seat)
    if fault is not None:
        raise HandError(f"{fault.en}; expected the tiles of one hand, flowers behind '| flowers'")
    rest = ruleset.hand_size - 3 * len(line.melds)
    if count_fault(len(concealed), rest) and count_fault(len(concealed), rest + 1):
        melds = f"{len(line.melds)} meld{'' if len(line.melds) == 1 else 's'}"
        raise HandError(f"{len(concealed)} concealed tiles with {melds}; expected {rest}, or {rest + 1} after a draw")
    tiles = tuple(sorted(tile for tile in concealed if isinstance(tile, Tile)))
    seat = line.seat or Seat.SOUTH
    context = WinContext(
        concealed=tiles,
        melds=line.melds,
        flowers=line.flowers,
        gold=line.gold,
        seat=seat,
        dealer=line.dealer or Seat.EAST,
        streak=line.streak or 0,
        round_wind=line.round_wind or Seat.EAST,
        facts=facts or TableFacts(gold_discarded=False, passed_kinds=frozenset(), dead_hand=False),
    )
    hand = Position(concealed=tiles, melds=line.melds, table=tuple(table), context=context, rules=ruleset)
    for tile, count in Counter((*tiles, *hand.shown)).items():
        if count > tile.copies:
            raise HandError(f"{count} of {tile.code} in hand and in sight; expected {tile.copies} at most")
    return hand


def win_now(hand: Position) -> Verdict | None:
    """The answer to a self-draw declared now, by whichever tile came last; None for a hand that has yet to draw."""
    if not hand.has_drawn:
        return None
    return judge_win(replace(hand.context, source=WinSource.SELF_DRAW), hand.rules)


def judged_waits(hand: Position) -> tuple[JudgedWait, ...]:
    """Every kind that wins a hand that is to draw: those that complete it, and those that win by 三金倒 alone."""
    complete = {wait.tile for wait in _waits(hand)}
    found = []
    for tile in hand.kinds:
        if hand.concealed.count(tile) == 4 and tile is not hand.gold:
            continue
        drawn = _judge(hand, tile, WinSource.SELF_DRAW)
        if tile in complete or isinstance(drawn, Win):
            thrown = _judge(hand, tile, WinSource.DISCARD)
            found.append(JudgedWait(tile, hand.left(tile), tile in complete, drawn, thrown))
    return tuple(found)


def _judge(hand: Position, tile: Tile, source: WinSource) -> Verdict:
    giver = hand.context.seat.next if hand.context.seat is not None and source is WinSource.DISCARD else None
    return judge_win(replace(hand.context, winning_tile=tile, source=source, from_seat=giver), hand.rules)


def steps_to_ready(hand: Position) -> int:
    """The distance of the hand, -1 when it is complete."""
    return _distance(hand, hand.concealed)


def useful_tiles(hand: Position) -> tuple[Wait, ...]:
    """进张: useful kinds of a hand that is to draw, with copies left."""
    return _useful(hand, hand.concealed)


def _waits(hand: Position) -> tuple[Wait, ...]:
    """The kinds that complete a hand that is to draw."""
    if isinstance(hand.rules, FanRuleset):
        kinds = completing_kinds(tile_key(hand.concealed), len(hand.concealed) // 3, hand.rules.shapes)
        return tuple(Wait(tile, hand.left(tile)) for tile in hand.kinds if kinds >> tile & 1)
    return waits(hand.concealed, hand.gold, honours=not hand.rules.honours_are_flowers)


def _distance(hand: Position, concealed: Iterable[Tile]) -> int:
    if isinstance(hand.rules, FanRuleset):
        return shape_distance(concealed, hand.rules.shapes)
    return distance(concealed, hand.gold)


def _useful(hand: Position, concealed: tuple[Tile, ...], thrown: tuple[Tile, ...] = ()) -> tuple[Wait, ...]:
    seen = tile_key((*concealed, *hand.shown, *thrown))
    if isinstance(hand.rules, FanRuleset):
        kinds = shape_useful(concealed, hand.rules.shapes)
    else:
        kinds = useful_kinds(concealed, hand.gold, honours=not hand.rules.honours_are_flowers)
    return tuple(Wait(tile, max(0, tile.copies - count_in(seen, tile))) for tile in kinds)


def kongs(hand: Position) -> tuple[Kong, ...]:
    """The kongs a hand that has drawn could make now."""
    if not hand.has_drawn:
        return ()
    found = [
        Kong(MeldKind.KONG_CONCEALED, tile, _distance(hand, [other for other in hand.concealed if other != tile]))
        for tile in sorted(set(hand.concealed))
        if hand.concealed.count(tile) == 4 and tile is not hand.gold
    ]
    for meld in hand.melds:
        tile = meld.tiles[0]
        if meld.kind is MeldKind.PUNG and isinstance(tile, Tile) and tile in hand.concealed:
            rest = _without(hand.concealed, tile)
            found.append(Kong(MeldKind.KONG_ADDED, tile, _distance(hand, rest)))
    return tuple(found)


def advise(hand: Position) -> tuple[DiscardAdvice, ...]:
    """Every discard of a hand that has drawn, the nearest to ready first; HandError for a hand that is to draw."""
    if not hand.has_drawn:
        count = len(hand.concealed)
        raise HandError(f"{count} concealed tiles leave none to throw; expected {count + 1}, the drawn tile among them")
    if isinstance(hand.rules, FanRuleset):
        after = shape_discards(hand.concealed, hand.rules.shapes)
    else:
        after = discard_distances(hand.concealed, hand.gold)
    groups = arrange((tile for tile in hand.concealed if tile is not hand.gold), len(hand.concealed) // 3)
    found = []
    for tile, left in after.items():
        if tile is hand.gold and not hand.rules.gold_discardable:
            continue
        rest = _without(hand.concealed, tile)
        useful = _useful(hand, rest, (tile,))
        notes = (*_shape_notes(hand, tile, groups), *_outlook(hand, tile, rest, left, useful))
        if left > min(after.values()):
            notes = (*notes, Note(NoteKind.STEP_BACK))
        found.append(DiscardAdvice(tile, left, useful, notes))
    return tuple(sorted(found, key=lambda one: one.rank))


def _shape_notes(hand: Position, tile: Tile, groups: tuple[Group, ...]) -> tuple[Note, ...]:
    """What becomes of the group a tile lies in, the least valuable one when there are several."""
    if tile is hand.gold:
        return (Note(NoteKind.THROWS_GOLD_LOCK if hand.rules.gold_discard_lock else NoteKind.THROWS_GOLD),)
    group = min((one for one in groups if tile in one.tiles), key=lambda one: (one.part.is_set, len(one.tiles)))
    if group.part is not Part.SINGLE:
        return (Note(_BREAKS[group.part], group.tiles),)
    near = [other for other in hand.concealed if other is not hand.gold and _is_near(tile, other)]
    return (Note(NoteKind.SPARE if near or hand.concealed.count(tile) > 1 else NoteKind.LONE, (tile,)),)


_BREAKS = {
    Part.RUN: NoteKind.BREAKS_RUN,
    Part.TRIPLET: NoteKind.BREAKS_TRIPLET,
    Part.PAIR: NoteKind.BREAKS_PAIR,
    Part.OPEN: NoteKind.BREAKS_PART,
    Part.CLOSED: NoteKind.BREAKS_PART,
    Part.EDGE: NoteKind.BREAKS_PART,
}


def _is_near(tile: Tile, other: Tile) -> bool:
    return tile.is_suited and other != tile and other // 9 == tile // 9 and abs(other - tile) <= 2


def _outlook(
    hand: Position, tile: Tile, rest: tuple[Tile, ...], left: int, useful: tuple[Wait, ...]
) -> tuple[Note, ...]:
    """What the hand is after the discard."""
    kinds = tuple(wait.tile for wait in useful)
    notes = []
    if left == 0:
        notes.append(Note(NoteKind.READY, kinds))
        others = [kind for kind in SUITED if kind is not hand.gold and rest.count(kind) < 4]
        if kinds == (hand.gold,):
            notes.append(Note(NoteKind.GOLD_ALONE, kinds))
        elif hand.gold in rest and set(others) <= set(kinds):
            rule = hand.rules.free_gold_rule
            notes.append(Note(NoteKind.EVERY_TILE if rule == "none" else NoteKind.EVERY_TILE_SELF_DRAW))
    if kinds and not sum(wait.left for wait in useful):
        notes.append(Note(NoteKind.NONE_LEFT, kinds))
    if hand.golds >= 3 and tile is hand.gold and hand.rules.three_golds:
        notes.append(Note(NoteKind.GIVES_UP_THREE_GOLDS))
    if hand.table and tile not in hand.shown:
        notes.append(Note(NoteKind.FRESH, (tile,)))
    return tuple(notes)


def _without(tiles: tuple[Tile, ...], tile: Tile) -> tuple[Tile, ...]:
    place = tiles.index(tile)
    return (*tiles[:place], *tiles[place + 1 :])
