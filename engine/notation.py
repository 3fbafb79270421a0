"""Tiles, melds and whole hands as text. Formatting and parsing again gives the same value.

Tiles: ``1m``..``9m`` 万, ``1p``..``9p`` 饼, ``1s``..``9s`` 条, ``E S W N C F P`` 东南西北中发白, ``1f``..``8f``
春夏秋冬梅兰竹菊, ``?`` a face nobody can read, ``back`` a tile face down. Digits may share a suit letter, and blanks
mean nothing:

>>> format_tiles(parse_tiles("1m 2m 3m 55p E S 1f"))
'123m55p ES 1f'
>>> format_tiles(parse_faces("12m ? back"))
'12m ? back'

Melds: tiles, then ``@`` and the seat that gave one of them; ``@!`` marks a concealed kong, ``+`` the tile added to a
pung. A giver nobody knows is left out.

=============  =====================================
``123m@E``     chow, 3m (or 1m, 2m) given by East
``444p@W``     pung, given by West
``5555s@W``    exposed kong, given by West
``555+5s@W``   added kong on a pung given by West
``5555s@!``    concealed kong
=============  =====================================

A kind in front overrules what the tiles look like, for melds that are wrong: ``pung:334s@W``.

A hand is one line: concealed tiles, ``+`` and the winning tile, then parts divided by ``|`` in any order:

>>> line = parse_hand("123456m789p55s67p +8p | melds 5555s@! | flowers ES1f | gold 9m | win discard@W | seat S")
>>> line.winning_tile, line.gold, line.source, line.from_seat
(<Tile.P8: 16>, <Tile.M9: 8>, <WinSource.DISCARD: 'discard'>, <Seat.WEST: 2>)
>>> format_hand(line)
'123456m789p55s67p +8p | melds 5555s@! | flowers ES 1f | gold 9m | win discard@W | seat S'

===============  ===================================================================
``melds ...``    melds, with blanks between them
``flowers ...``  flowers laid open
``gold 9m``      the kind that is gold
``win HOW``      ``self_draw discard rob_kong replacement last_group heavenly``
                 ``rob_gold opening_three``; ``@W`` behind it: from West
``swap 1s``      the tile a dealer throws when he robs the gold
``seat S``       the winner
``dealer E``     the dealer
``streak 2``     how often the dealer has kept the deal by winning
``round E``      the wind of the round, where the game has rounds
===============  ===================================================================
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby

from engine.context import TableFacts, WinContext, WinSource
from engine.errors import HandError, NotationError
from engine.melds import Meld, MeldKind
from engine.seats import Seat
from engine.tiles import Face, Suit, Tile, Unseen

_TOKEN = re.compile(r"\s*(?:(?P<ranks>\d+)(?P<suit>[mpsf])|(?P<honour>[ESWNCFP])|(?P<unseen>\?|back))")
_SUITED = (Suit.CHARACTERS, Suit.DOTS, Suit.BAMBOOS)
_EXPECTED_TILES = "expected tiles such as 123m55p, E S W N C F P or 1f-8f"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandLine:
    """What one line of hand notation says; None and empty where it says nothing."""

    concealed: tuple[Face, ...]
    winning_tile: Face | None = None
    melds: tuple[Meld, ...] = ()
    flowers: tuple[Face, ...] = ()
    gold: Tile | None = None
    source: WinSource | None = None
    from_seat: Seat | None = None
    swap: Tile | None = None
    seat: Seat | None = None
    dealer: Seat | None = None
    streak: int | None = None
    round_wind: Seat | None = None

    def __post_init__(self) -> None:
        """A giver makes sense only with a way to win; HandError otherwise."""
        if self.from_seat is not None and self.source is None:
            raise HandError(f"the winning tile comes from {self.from_seat.en}; expected also how, such as win discard")

    def context(self, facts: TableFacts | None = None) -> WinContext:
        """The win this line declares, ready for `engine.win.judge_win`."""
        return WinContext(
            concealed=self.concealed,
            winning_tile=self.winning_tile,
            melds=self.melds,
            flowers=self.flowers,
            gold=self.gold,
            source=self.source,
            seat=self.seat,
            from_seat=self.from_seat,
            dealer=self.dealer,
            streak=self.streak,
            round_wind=self.round_wind,
            swap=self.swap,
            facts=facts or TableFacts(),
        )


def parse_faces(text: str) -> tuple[Face, ...]:
    """Tiles in the order of the text, ``?`` and ``back`` allowed; NotationError repeats the part that is no tile."""
    faces: list[Face] = []
    position = 0
    text = text.rstrip()
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            raise NotationError(f"{text[position:].strip()!r} is not tile notation; {_EXPECTED_TILES}")
        if token["ranks"]:
            faces.extend(Tile.parse(rank + token["suit"]) for rank in token["ranks"])
        else:
            faces.append(Tile.parse(token["honour"]) if token["honour"] else Unseen(token["unseen"]))
        position = token.end()
    return tuple(faces)


def parse_tiles(text: str) -> tuple[Tile, ...]:
    """Tiles in the order of the text; NotationError for anything else, also for ``?`` and ``back``.

    >>> parse_tiles("19m E")
    (<Tile.M1: 0>, <Tile.M9: 8>, <Tile.EAST: 27>)
    """
    faces = parse_faces(text)
    tiles = tuple(face for face in faces if isinstance(face, Tile))
    if len(tiles) != len(faces):
        raise NotationError(f"{text!r} holds a tile that cannot be named; {_EXPECTED_TILES}")
    return tiles


def parse_tile(text: str) -> Tile:
    """Exactly one tile; NotationError for anything else."""
    tiles = parse_tiles(text)
    if len(tiles) != 1:
        raise NotationError(f"{text!r} is not one tile; expected a single tile such as 9m")
    return tiles[0]


def format_tiles(tiles: Iterable[Face]) -> str:
    """Tiles in the given order; neighbours of one suit share its letter; honours, flowers, unseen stand apart."""
    words = [(group, "".join(_ranks(list(members), group))) for group, members in groupby(tiles, key=_group)]
    text = ""
    for index, (group, word) in enumerate(words):
        close = index > 0 and group in _SUITED and words[index - 1][0] in _SUITED
        text += word if close or not text else f" {word}"
    return text


def _group(face: Face) -> Suit | None:
    return face.suit if isinstance(face, Tile) else None


def _ranks(faces: list[Face], group: Suit | None) -> Iterable[str]:
    if group is None:
        return [" ".join(face.code for face in faces)]
    if group is Suit.HONOURS:
        return [face.code for face in faces]
    return [*(face.code[0] for face in faces), group.value]


def parse_meld(text: str) -> Meld:
    """One meld, see the table above; NotationError when the text is not notation. The tiles may be no meld at all."""
    forced, colon, rest = text.strip().rpartition(":")
    body, _, giver = rest.partition("@")
    base, plus, added = body.partition("+")
    if plus:
        suit = added[-1:] if added[-1:] in ("m", "p", "s", "f") and base[-1:].isdigit() else ""
        faces = parse_faces(base + suit) + parse_faces(added)
    else:
        faces = parse_faces(body)
    if not faces:
        raise NotationError(f"{text!r} is not a meld; expected tiles and giver, such as 444p@W or 5555s@!")
    if colon:
        return Meld(_meld_kind(forced), faces, Seat.parse(giver) if giver else None)
    if giver == "!":
        return Meld(MeldKind.KONG_CONCEALED, faces)
    if plus:
        kind = MeldKind.KONG_ADDED
    elif len(faces) > 3:
        kind = MeldKind.KONG_OPEN
    else:
        kind = MeldKind.PUNG if len(set(faces)) == 1 else MeldKind.CHOW
    return Meld(kind, faces, Seat.parse(giver) if giver else None)


def format_meld(meld: Meld) -> str:
    """The notation of one meld.

    >>> format_meld(Meld(MeldKind.KONG_ADDED, (Tile.S5,) * 4, Seat.WEST))
    '555+5s@W'
    """
    text = "".join(format_tiles(meld.tiles).split())
    giver = "" if meld.from_seat is None else f"@{meld.from_seat.code}"
    plain = f"{text}@!" if meld.kind is MeldKind.KONG_CONCEALED else text + giver
    if meld.kind is MeldKind.KONG_ADDED and len(meld.tiles) > 1:
        head, last = "".join(format_tiles(meld.tiles[:-1]).split()), meld.tiles[-1].code
        plain = (f"{head[:-1]}+{last}" if last[0].isdigit() and last[-1] == head[-1] else f"{head}+{last}") + giver
    return plain if parse_meld(plain) == meld else f"{meld.kind.value}:{text}{giver}"


def _meld_kind(word: str) -> MeldKind:
    try:
        return MeldKind(word)
    except ValueError:
        raise NotationError(f"{word!r} is not a kind of meld; expected one of {' '.join(MeldKind)}") from None


def parse_hand(line: str) -> HandLine:
    """A whole hand from one line, see above; NotationError repeats the part that cannot be read."""
    head, *parts = line.split("|")
    concealed, plus, winning = head.partition("+")
    found: dict[str, object] = {"concealed": parse_faces(concealed)}
    if plus:
        found["winning_tile"] = _one_face(winning)
    for part in parts:
        word, _, rest = part.strip().partition(" ")
        if word not in _PARTS:
            raise NotationError(f"{part.strip()!r} is not a part of a hand line; expected {', '.join(_PARTS)}")
        if word in found:
            raise NotationError(f"{word!r} is given twice in a hand line; expected it once")
        found[word] = _PARTS[word](rest.strip())
    win = found.pop("win", None)
    if "round" in found:
        found["round_wind"] = found.pop("round")
    if isinstance(win, tuple):
        found["source"], found["from_seat"] = win
    return HandLine(**found)  # type: ignore[arg-type]


def format_hand(line: HandLine) -> str:
    """One line of notation for the hand; parts that are empty or unknown are left out."""
    parts = [format_tiles(line.concealed)]
    if line.winning_tile is not None:
        parts[0] = f"{parts[0]} +{line.winning_tile.code}".lstrip()
    if line.melds:
        parts.append("melds " + " ".join(format_meld(meld) for meld in line.melds))
    if line.flowers:
        parts.append("flowers " + format_tiles(line.flowers))
    if line.gold is not None:
        parts.append(f"gold {line.gold.code}")
    if line.source is not None:
        parts.append(f"win {line.source.value}" + (f"@{line.from_seat.code}" if line.from_seat is not None else ""))
    if line.swap is not None:
        parts.append(f"swap {line.swap.code}")
    if line.seat is not None:
        parts.append(f"seat {line.seat.code}")
    if line.dealer is not None:
        parts.append(f"dealer {line.dealer.code}")
    if line.streak is not None:
        parts.append(f"streak {line.streak}")
    if line.round_wind is not None:
        parts.append(f"round {line.round_wind.code}")
    return " | ".join(parts)


def _one_face(text: str) -> Face:
    faces = parse_faces(text)
    if len(faces) != 1:
        raise NotationError(f"{text.strip()!r} is not one winning tile; expected a single tile such as +8p")
    return faces[0]


def _parse_melds(text: str) -> tuple[Meld, ...]:
    return tuple(parse_meld(word) for word in text.split())


def _parse_win(text: str) -> tuple[WinSource, Seat | None]:
    how, at, giver = text.partition("@")
    try:
        source = WinSource(how.strip())
    except ValueError:
        raise NotationError(f"{how!r} is not a way to win; expected one of {' '.join(WinSource)}") from None
    return source, Seat.parse(giver.strip()) if at else None


def _parse_streak(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise NotationError(f"{text!r} is not a streak; expected a whole number such as 0")
    return int(text)


_PARTS: dict[str, Callable[[str], object]] = {
    "melds": _parse_melds,
    "flowers": parse_faces,
    "gold": parse_tile,
    "win": _parse_win,
    "swap": parse_tile,
    "seat": Seat.parse,
    "dealer": Seat.parse,
    "streak": _parse_streak,
    "round": Seat.parse,
}
