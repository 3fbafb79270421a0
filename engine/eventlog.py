"""Event logs as text: one event a line, readable by a person, exact round trip.

>>> log = parse_log('''
... deal E fuzhou streak 1 pass_lock_scope=off   # East deals for the second time
... E holds 123456m789p234s5567p8p
... E flowers E 1f
... E draw tail 3p
... gold 2f 9m
... E discard 3p
... S chow 3p with 45p
... ''')
>>> print(format_log(log, numbered=True))
1. deal E fuzhou streak 1 pass_lock_scope=off
2. E holds 123456m789p234s55678p
3. E flowers E 1f
4. E draw tail 3p
5. gold 2f 9m
6. E discard 3p
7. S chow 3p with 45p

============================================  ================================================================
``deal E fuzhou streak 0 option=value``       dealer, ruleset, how often the dealer has kept the deal, changes
``deal E mcr streak 0 round S``               the same, with the wind of the round
``E holds 123m``                              concealed tiles of East, as seen here
``E flowers E 1f``                            flowers laid open; each is followed by ``E draw tail``
``gold 1f 9m``                                tiles turned up at the tail, the last one is the indicator
``E draw``, ``E draw 3p``, ``E draw tail 3p`` drawn tile and end of the wall, as far as seen
``E discard 3p``
``S chow 3p with 45p``
``S pung 3p``, ``S pung 3p with 3p9m``        the tiles of the hand are named where they are not like the tile
``S kong 3p``                                 exposed kong on a discard
``S kong added 3p``
``S kong concealed 3p``, ``... back``         ``back`` while nobody knows the kind
``S kong shown 3p``                           a concealed kong is turned up
``S pass``
``S win discard 8p hand 123m``                ways to win as in hand notation; the hand when it is laid down
``E win rob_gold swap 1s``
``S granted``                                 the table gives the win to South
``S dead``                                    the table declares South's hand dead
``exhausted``, ``S escape``
============================================  ================================================================

Blank lines, ``#`` comments, carriage returns and numbers such as ``12.`` in front are read over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from engine.context import WinSource
from engine.errors import NotationError
from engine.events import (
    Chow,
    DeadHand,
    Deal,
    Discard,
    Draw,
    Escape,
    Event,
    Exhausted,
    FlowersLaid,
    GoldOpened,
    KongAdded,
    KongConcealed,
    KongOpen,
    KongShown,
    LaidOpen,
    Log,
    Pass,
    Pung,
    WallEnd,
    WinClaim,
    WinGranted,
)
from engine.notation import format_tiles, parse_faces, parse_tile
from engine.seats import Seat
from engine.tiles import Face, Unseen

_NUMBER = re.compile(r"^\d+\.\s+")
_ENDS = {end.value: end for end in WallEnd}
_FORMS = "deal E fuzhou, gold 9m, exhausted, or a seat and what it does, such as E draw, E discard 3p, S pung 3p"


def parse_log(text: str) -> Log:
    """All events of a text; NotationError names the line that cannot be read."""
    log: list[Event] = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].strip()
        if not words:
            continue
        try:
            log.append(parse_event(words))
        except NotationError as error:
            raise NotationError(f"line {number}: {error}") from None
    return tuple(log)


def format_log(log: Iterable[Event], *, numbered: bool = False) -> str:
    """One line an event, without a newline at the end."""
    lines = (format_event(event) for event in log)
    return "\n".join(f"{number}. {line}" if numbered else line for number, line in enumerate(lines, start=1))


def parse_event(line: str) -> Event:
    """One event, see the table above; NotationError repeats the line and says what was expected."""
    words = _NUMBER.sub("", line.strip()).split()
    if not words:
        raise NotationError(f"{line!r} is no event; expected {_FORMS}")
    try:
        return _parse(words)
    except NotationError as error:
        raise NotationError(f"{line.strip()!r} is no event: {error}") from None


def format_event(event: Event) -> str:
    """The line of one event.

    >>> format_event(Draw(Seat.EAST)), format_event(Discard(Seat.WEST, Unseen.UNREADABLE))
    ('E draw', 'W discard ?')
    """
    return _FORMATTERS[type(event)](event)


def _parse(words: list[str]) -> Event:
    if words[0] == "deal":
        return _parse_deal(words[1:])
    if words[0] == "gold":
        return GoldOpened(_faces(words[1:]))
    if words == ["exhausted"]:
        return Exhausted()
    if len(words) < 2 or words[0] not in ("E", "S", "W", "N"):
        raise NotationError(f"expected {_FORMS}")
    seat, verb, rest = Seat.parse(words[0]), words[1], words[2:]
    if verb not in _VERBS:
        raise NotationError(f"{verb!r} is nothing a seat does; expected one of {' '.join(_VERBS)}")
    return _VERBS[verb](seat, rest)


def _parse_deal(words: list[str]) -> Deal:
    if not words:
        raise NotationError("a deal needs its dealer, such as deal E")
    dealer, rest, streak = Seat.parse(words[0]), words[1:], 0
    ruleset = rest.pop(0) if rest and rest[0] not in ("streak", "round") and "=" not in rest[0] else "fuzhou"
    if rest and rest[0] == "streak":
        if len(rest) < 2 or not (rest[1].isascii() and rest[1].isdigit()):
            raise NotationError("a streak needs a whole number, such as streak 0")
        streak, rest = int(rest[1]), rest[2:]
    round_wind = None
    if rest and rest[0] == "round":
        if len(rest) < 2:
            raise NotationError("a round needs its wind, such as round E")
        round_wind, rest = Seat.parse(rest[1]), rest[2:]
    options = tuple((name, value) for name, found, value in (word.partition("=") for word in rest) if found and name)
    if len(options) != len(rest):
        raise NotationError(f"{' '.join(rest)!r} are no options; expected such as pass_lock_scope=off")
    return Deal(dealer, ruleset, streak, options, round_wind)


def _faces(words: list[str]) -> tuple[Face, ...]:
    faces = parse_faces(" ".join(words))
    if not faces:
        raise NotationError("expected at least one tile")
    return faces


def _face(words: list[str]) -> Face:
    faces = parse_faces(" ".join(words))
    if len(faces) != 1:
        raise NotationError(f"{' '.join(words)!r} is not one tile; expected a single tile such as 9m")
    return faces[0]


def _with(words: list[str]) -> tuple[Face, tuple[Face, ...]]:
    """A tile, and the tiles of the hand behind the word ``with``."""
    if "with" not in words:
        return _face(words), ()
    place = words.index("with")
    return _face(words[:place]), _faces(words[place + 1 :])


def _parse_draw(seat: Seat, words: list[str]) -> Event:
    end = _ENDS.get(words[0]) if words else None
    rest = words[1:] if end else words
    return Draw(seat, _face(rest) if rest else Unseen.BACK, end)


def _parse_chow(seat: Seat, words: list[str]) -> Event:
    tile, held = _with(words)
    if not held:
        raise NotationError("a chow names the tiles of the hand, such as S chow 3p with 45p")
    return Chow(seat, tile, held)


def _parse_kong(seat: Seat, words: list[str]) -> Event:
    kind = words[0] if words else ""
    if kind == "added":
        return KongAdded(seat, _face(words[1:]))
    if kind == "concealed":
        return KongConcealed(seat, *_with(words[1:]))
    if kind == "shown":
        return KongShown(seat, parse_tile(" ".join(words[1:])))
    return KongOpen(seat, *_with(words))


def _parse_win(seat: Seat, words: list[str]) -> Event:
    if not words or words[0] not in list(WinSource):
        raise NotationError(f"a win needs its way, one of {' '.join(WinSource)}")
    parts: dict[str, list[str]] = {"tile": [], "swap": [], "hand": []}
    part = "tile"
    for word in words[1:]:
        if word in ("swap", "hand"):
            if parts[word]:
                raise NotationError(f"{word!r} is given twice")
            part = word
        else:
            parts[part].append(word)
    return WinClaim(
        seat,
        WinSource(words[0]),
        _face(parts["tile"]) if parts["tile"] else None,
        _faces(parts["hand"]) if parts["hand"] else None,
        parse_tile(" ".join(parts["swap"])) if parts["swap"] else None,
    )


def _bare(kind: Callable[[Seat], Event]) -> Callable[[Seat, list[str]], Event]:
    def parse(seat: Seat, words: list[str]) -> Event:
        if words:
            raise NotationError(f"{' '.join(words)!r} stands behind an event that needs no more")
        return kind(seat)

    return parse


_VERBS: dict[str, Callable[[Seat, list[str]], Event]] = {
    "holds": lambda seat, words: LaidOpen(seat, _faces(words)),
    "flowers": lambda seat, words: FlowersLaid(seat, _faces(words)),
    "draw": _parse_draw,
    "discard": lambda seat, words: Discard(seat, _face(words)),
    "chow": _parse_chow,
    "pung": lambda seat, words: Pung(seat, *_with(words)),
    "kong": _parse_kong,
    "pass": _bare(Pass),
    "win": _parse_win,
    "granted": _bare(WinGranted),
    "dead": _bare(DeadHand),
    "escape": _bare(Escape),
}


def _format_deal(event: Deal) -> str:
    options = "".join(f" {name}={value}" for name, value in event.options)
    round_wind = "" if event.round_wind is None else f" round {event.round_wind.code}"
    return f"deal {event.dealer.code} {event.ruleset} streak {event.streak}{round_wind}{options}"


def _format_draw(event: Draw) -> str:
    end = "" if event.end is None else f" {event.end.value}"
    tile = "" if event.tile is Unseen.BACK else f" {event.tile.code}"
    return f"{event.seat.code} draw{end}{tile}"


def _held(held: tuple[Face, ...]) -> str:
    return f" with {format_tiles(held)}" if held else ""


def _format_win(event: WinClaim) -> str:
    text = f"{event.seat.code} win {event.source.value}"
    if event.tile is not None:
        text += f" {event.tile.code}"
    if event.swap is not None:
        text += f" swap {event.swap.code}"
    return text if not event.hand else f"{text} hand {format_tiles(event.hand)}"


_FORMATTERS: dict[type[Event], Callable[..., str]] = {
    Deal: _format_deal,
    LaidOpen: lambda event: f"{event.seat.code} holds {format_tiles(event.tiles)}",
    FlowersLaid: lambda event: f"{event.seat.code} flowers {format_tiles(event.tiles)}",
    GoldOpened: lambda event: f"gold {format_tiles(event.tiles)}",
    Draw: _format_draw,
    Discard: lambda event: f"{event.seat.code} discard {event.tile.code}",
    Chow: lambda event: f"{event.seat.code} chow {event.tile.code}{_held(event.held)}",
    Pung: lambda event: f"{event.seat.code} pung {event.tile.code}{_held(event.held)}",
    KongOpen: lambda event: f"{event.seat.code} kong {event.tile.code}{_held(event.held)}",
    KongAdded: lambda event: f"{event.seat.code} kong added {event.tile.code}",
    KongConcealed: lambda event: f"{event.seat.code} kong concealed {event.tile.code}{_held(event.held)}",
    KongShown: lambda event: f"{event.seat.code} kong shown {event.tile.code}",
    Pass: lambda event: f"{event.seat.code} pass",
    WinClaim: _format_win,
    WinGranted: lambda event: f"{event.seat.code} granted",
    DeadHand: lambda event: f"{event.seat.code} dead",
    Exhausted: lambda _: "exhausted",
    Escape: lambda event: f"{event.seat.code} escape",
}
