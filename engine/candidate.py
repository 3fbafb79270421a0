"""A hand laid open for a win, measured once: what the patterns and the settlement look at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engine.context import WinContext, WinSource
from engine.decompose import completions, count_in, first_split, has_term, splits, take_golds, tile_key
from engine.melds import MeldKind
from engine.rulesets.fuzhou import Fuzhou
from engine.tiles import HONOURS, PLANTS, SEASONS, Suit, Tile
from engine.verdicts import Block, BlockKind, Split


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Facts about the winner's tiles; all tiles are named and possible by now."""

    context: WinContext
    rules: Fuzhou
    key: int
    """Packed counts of the concealed tiles that are no golds, the winning tile among them."""
    golds: int
    """Golds that may fill places: concealed ones, a drawn one, and the robbed indicator."""
    counted_golds: int
    """G: golds that count in the score."""
    polynomial: int
    flower_tiles: int
    flower_sets: int
    exposed_kongs: int
    concealed_kongs: int
    complete: bool

    @property
    def kongs(self) -> int:
        """Kongs of any sort."""
        return self.exposed_kongs + self.concealed_kongs

    @property
    def is_dealer(self) -> bool:
        """The winner is the dealer."""
        return self.context.seat is self.context.dealer

    @property
    def is_first_discard_win(self) -> bool:
        """The hand is won off the dealer's first discard."""
        context = self.context
        return bool(
            context.source is WinSource.DISCARD
            and context.from_seat is context.dealer
            and context.facts.dealers_first_discard
        )

    @property
    def suits(self) -> set[Suit]:
        """Suits of the natural tiles, melds among them."""
        concealed = {suit for suit, bits in _SUIT_MASKS if self.key & bits}
        return concealed | {tile.suit for meld in self.context.melds for tile in meld.tiles if isinstance(tile, Tile)}


_SUIT_MASKS = tuple(
    (suit, 0o777777777 << 27 * index)
    for index, suit in enumerate((Suit.CHARACTERS, Suit.DOTS, Suit.BAMBOOS, Suit.HONOURS))
)
_EXPOSED = (MeldKind.KONG_OPEN, MeldKind.KONG_ADDED)


def measure(context: WinContext, rules: Fuzhou) -> Candidate:
    """The candidate of a context whose tiles are all named and as many as there should be."""
    tiles = [tile for tile in context.concealed if isinstance(tile, Tile)]
    robbed = 0
    if context.source is WinSource.ROB_GOLD:
        robbed = 1
        if context.swap is not None:
            tiles.remove(context.swap)
    elif isinstance(context.winning_tile, Tile):
        tiles.append(context.winning_tile)
    key, golds = take_golds(tile_key(tiles), context.gold)
    golds += robbed
    kinds = [meld.kind for meld in context.melds]
    polynomial = completions(key)
    complete = has_term(polynomial, 1, golds)
    if complete and not rules.gold_fifth_copy:
        complete = next(lawful_splits(context, rules, key, golds), None) is not None
    flowers = [face for face in context.flowers if isinstance(face, Tile)]
    return Candidate(
        context=context,
        rules=rules,
        key=key,
        golds=golds,
        counted_golds=golds if rules.rob_gold_counts else golds - robbed,
        polynomial=polynomial,
        flower_tiles=len(flowers),
        flower_sets=count_flower_sets(flowers),
        exposed_kongs=sum(kind in _EXPOSED for kind in kinds),
        concealed_kongs=kinds.count(MeldKind.KONG_CONCEALED),
        complete=complete,
    )


def is_lawfully_complete(context: WinContext, rules: Fuzhou, tiles: Iterable[Tile]) -> bool:
    """Whether these concealed tiles, golds among them, have a split the table allows."""
    key, golds = take_golds(tile_key(tiles), context.gold)
    return next(lawful_splits(context, rules, key, golds), None) is not None


def count_flower_sets(flowers: list[Tile]) -> int:
    """花杠: complete sets of four: four of one honour, the four seasons, the four plants.

    >>> from engine.notation import parse_tiles
    >>> count_flower_sets(list(parse_tiles("EEEE S 1f2f3f4f 5f")))
    2
    """
    if len(flowers) < 4:
        return 0
    kinds = set(flowers)
    return sum(flowers.count(tile) == 4 for tile in HONOURS) + kinds.issuperset(SEASONS) + kinds.issuperset(PLANTS)


def lawful_splits(
    context: WinContext, rules: Fuzhou, key: int, golds: int, gold_block: BlockKind | None = None
) -> Iterator[Split]:
    """Splits in which no gold stands for a kind of which the hand holds four, where that is forbidden."""
    if rules.gold_fifth_copy:
        split = first_split(key, golds, context.gold, gold_block)
        if split is not None:
            yield split
        return
    melded = tile_key(tile for meld in context.melds for tile in meld.tiles if isinstance(tile, Tile))
    for split in splits(key, golds, context.gold, gold_block):
        roles = [tile for block in split for tile in block.stands_for if tile is not context.gold]
        if all(roles.count(tile) + count_in(key, tile) + count_in(melded, tile) <= 4 for tile in roles):
            yield split


def split_with(hand: Candidate, gold_block: BlockKind | None = None) -> Split | None:
    """One lawful split of the hand, or None; ``gold_block`` asks for a pair or triplet of golds alone."""
    return next(lawful_splits(hand.context, hand.rules, hand.key, hand.golds, gold_block), None)


def mark_golds(split: Split, gold: Tile, golds: int) -> Split:
    """A split that was found with golds as natural tiles, with so many of them marked as golds again."""
    marked = list(split)
    for index, block in enumerate(marked):
        places = tuple(place for place, tile in enumerate(block.tiles) if tile is gold)[:golds]
        golds -= len(places)
        if places:
            marked[index] = Block(block.kind, block.tiles, places)
    return tuple(marked)
