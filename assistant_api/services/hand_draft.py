"""Tiles in their groups, as a person left them: into a hand for the engine, and a check that says what is wrong."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from assistant_api.errors import UsageError
from assistant_api.languages import Language, translate
from assistant_api.schemas import Check, CheckedMeld, Facts, FoundProblem, Group, PlacedTile
from assistant_api.texts import join_names, meld_name, tile_name
from engine.melds import Meld, MeldKind, is_part_of_run
from engine.notation import HandLine, parse_faces, parse_tile
from engine.rulesets import Ruleset
from engine.seats import Seat
from engine.tiles import HONOURS, PLANTS, SEASONS, Face, Tile, Unseen


@dataclass(frozen=True, slots=True)
class MeldGuess:
    """What tiles lying together make: a kind, or None for no meld; not certain where only a person can tell."""

    kind: MeldKind | None
    certain: bool
    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class PlacedHand:
    """Placed tiles, parsed once."""

    faces: dict[str, Face]
    groups: dict[str, tuple[str, ...]]
    melds: dict[int, tuple[str, ...]]
    guesses: dict[int, MeldGuess] = field(default_factory=dict)

    def of(self, group: str) -> tuple[Face, ...]:
        """The faces of a group, in order."""
        return tuple(self.faces[name] for name in self.groups.get(group, ()))


def place(tiles: Sequence[PlacedTile], facts: Facts) -> PlacedHand:
    """Parse placed tiles and guess their melds.

    Raises:
        NotationError: an unknown code.
        UsageError: an id used twice, or a tile of a meld that does not say which.
    """
    faces: dict[str, Face] = {}
    groups: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
    melds: defaultdict[int, tuple[str, ...]] = defaultdict(tuple)
    for tile in tiles:
        if tile.id in faces:
            raise UsageError(f"two tiles have the id {tile.id!r}; expected each id once")
        faces[tile.id] = _face(tile.tile)
        if tile.group == "meld":
            if tile.meld is None:
                raise UsageError(f"tile {tile.id!r} is in a meld; expected the number of the meld")
            melds[tile.meld] += (tile.id,)
        groups[tile.group] += (tile.id,)
    guesses = {
        number: guess_meld(tuple(faces[name] for name in names), facts.meld_kinds.get(number))
        for number, names in sorted(melds.items())
    }
    return PlacedHand(faces, dict(groups), dict(sorted(melds.items())), guesses)


def _face(code: str) -> Face:
    faces = parse_faces(code)
    if len(faces) != 1:
        raise UsageError(f"{code!r} is not one tile; expected one code such as 3m")
    return faces[0]


def guess_meld(faces: tuple[Face, ...], said: MeldKind | None = None) -> MeldGuess:
    """What tiles that lie together make.

    Four tiles of which some lie face down are a concealed kong of the kind that shows; four open ones may be an
    exposed, an added or a concealed kong that was turned up at the end, and only a person knows which.

    >>> guess_meld((Tile.M3, Unseen.BACK, Unseen.BACK, Tile.M3)).kind
    <MeldKind.KONG_CONCEALED: 'kong_concealed'>
    """
    seen = [face for face in faces if face is not Unseen.BACK]
    alike = len(set(seen)) == 1 and isinstance(seen[0], Tile)
    if len(faces) == 4 and alike:
        filled = (seen[0],) * 4
        if len(seen) < 4:
            return MeldGuess(MeldKind.KONG_CONCEALED, True, filled)
        if said is not None and said.is_kong:
            return MeldGuess(said, True, filled)
        return MeldGuess(MeldKind.KONG_OPEN, False, filled)
    if len(faces) == 3 and len(seen) == 3:
        if alike:
            return MeldGuess(MeldKind.PUNG, True, faces)
        tiles = [face for face in seen if isinstance(face, Tile)]
        if len(tiles) == 3 and is_part_of_run(tiles):
            return MeldGuess(MeldKind.CHOW, True, faces)
    return MeldGuess(None, True, faces)


def hand_line(hand: PlacedHand, facts: Facts) -> HandLine:
    """The hand in the engine's form. Tiles of no group are left out; tiles that are no meld go in as they lie."""
    melds = tuple(Meld(guess.kind or _nearest_kind(guess.faces), guess.faces) for guess in hand.guesses.values())
    winning, gold = hand.of("winning"), hand.of("gold")
    return HandLine(
        concealed=hand.of("hand"),
        winning_tile=winning[0] if winning else None,
        melds=melds,
        flowers=hand.of("flowers"),
        gold=next((face for face in gold if isinstance(face, Tile)), None),
        source=facts.source,
        from_seat=_seat(facts.from_seat),
        swap=parse_tile(facts.swap) if facts.swap else None,
        seat=_seat(facts.winner),
        dealer=_seat(facts.dealer),
        streak=facts.streak,
        round_wind=_seat(facts.round_wind),
    )


def _nearest_kind(faces: tuple[Face, ...]) -> MeldKind:
    if len(faces) > 3:
        return MeldKind.KONG_OPEN
    return MeldKind.PUNG if len(set(faces)) == 1 else MeldKind.CHOW


def _seat(code: str | None) -> Seat | None:
    return None if code is None else Seat.parse(code)


def winning_size(ruleset: Ruleset) -> int:
    """Tiles of a finished hand, each kong counted as three."""
    return int(getattr(ruleset, "hand_size", 13)) + 1


def flower_kinds(ruleset: Ruleset) -> frozenset[Tile]:
    """The kinds that are flowers by these rules; in Fuzhou the honours are."""
    honours = HONOURS if getattr(ruleset, "honours_are_flowers", False) else ()
    return frozenset((*SEASONS, *PLANTS, *honours))


def check(hand: PlacedHand, ruleset: Ruleset, language: Language) -> Check:
    """How many tiles there are and everything that is wrong with them, all at once."""
    count = len(hand.of("hand")) + len(hand.of("winning")) + 3 * len(hand.melds)
    expected = winning_size(ruleset)
    problems = [*_faults(hand, flower_kinds(ruleset), language), *_copies(hand, language)]
    key = "check.count" if count == expected else "check.too_few" if count < expected else "check.too_many"
    text = translate(language, key, count=count, expected=expected, missing=expected - count, extra=count - expected)
    melds = [
        CheckedMeld(meld=number, kind=guess.kind, name=meld_name(guess.kind, language), certain=guess.certain)
        for number, guess in hand.guesses.items()
    ]
    complete = count == expected and not any(problem.blocking for problem in problems)
    return Check(count=count, expected=expected, count_text=text, complete=complete, problems=problems, melds=melds)


def _faults(hand: PlacedHand, kinds: frozenset[Tile], language: Language) -> Iterable[FoundProblem]:
    def found(
        code: str, names: Sequence[str], *, blocking: bool = True, move_to: Group | None = None, tiles: str = ""
    ) -> FoundProblem:
        text = translate(language, f"check.{code}", count=len(names), tiles=tiles)
        return FoundProblem(code=code, text=text, tiles=list(names), blocking=blocking, move_to=move_to)

    def tiles_of(names: Iterable[str]) -> str:
        return join_names((tile_name(hand.faces[name], language) for name in names), language)

    covered = {name for number, names in hand.melds.items() if hand.guesses[number].kind for name in names}
    unknown = [name for name, face in hand.faces.items() if face is Unseen.UNREADABLE]
    if unknown:
        yield found("unknown_tile", unknown)
    strays = [*hand.groups.get("other", ())]
    backs = [
        name for name, face in hand.faces.items() if face is Unseen.BACK and name not in covered and name not in strays
    ]
    if backs:
        yield found("face_down", backs)
    in_play = [name for name in hand.faces if name not in {*hand.groups.get("flowers", ()), *strays}]
    flowers = [name for name in in_play if hand.faces[name] in kinds]
    if flowers:
        yield found("flower_in_hand", flowers, move_to="flowers", tiles=tiles_of(flowers))
    others = [
        name
        for name in hand.groups.get("flowers", ())
        if isinstance(face := hand.faces[name], Tile) and face not in kinds
    ]
    if others:
        yield found("not_a_flower", others, move_to="hand", tiles=tiles_of(others))
    for number, names in hand.melds.items():
        if hand.guesses[number].kind is None:
            yield found("not_a_meld", names, tiles=tiles_of(names))
    for group in ("winning", "gold"):
        if len(hand.groups.get(group, ())) > 1:
            yield found(f"two_in_{group}", hand.groups[group])
    if strays:
        yield found("stray_tile", strays, blocking=False)


def _copies(hand: PlacedHand, language: Language) -> Iterable[FoundProblem]:
    """Kinds of which there are more tiles than a set holds; face-down tiles of a kong count as the kind that shows."""
    strays = hand.groups.get("other", ())
    seen: defaultdict[Tile, list[str]] = defaultdict(list)
    for name, face in hand.faces.items():
        if isinstance(face, Tile) and name not in strays:
            seen[face].append(name)
    hidden = {
        face: sum(hand.faces[name] is Unseen.BACK for name in hand.melds[number])
        for number, guess in hand.guesses.items()
        if guess.kind is not None and isinstance(face := guess.faces[0], Tile)
    }
    for tile, names in sorted(seen.items()):
        count = len(names) + hidden.get(tile, 0)
        if count > tile.copies:
            values = {"tile": tile_name(tile, language), "count": count, "copies": tile.copies}
            text = translate(language, "check.too_many_copies", **values)
            yield FoundProblem(code="too_many_copies", text=text, tiles=names, blocking=True)
