"""Text and back: tiles, melds, whole hands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.context import WinSource
from engine.errors import HandError, JinqueError, NotationError
from engine.melds import Meld, MeldKind
from engine.notation import (
    HandLine,
    format_hand,
    format_meld,
    format_tiles,
    parse_faces,
    parse_hand,
    parse_meld,
    parse_tile,
    parse_tiles,
)
from engine.seats import SEATS, Seat
from engine.tiles import ALL_TILES, Tile, Unseen

FACES = st.sampled_from([*ALL_TILES, *Unseen])
SEAT = st.sampled_from(SEATS)
MELDS = st.builds(Meld, st.sampled_from(MeldKind), st.lists(FACES, min_size=1, max_size=5).map(tuple), st.none() | SEAT)


def _lists(most: int) -> st.SearchStrategy[tuple[Tile | Unseen, ...]]:
    return st.lists(FACES, max_size=most).map(tuple)


@st.composite
def hand_lines(draw: st.DrawFn) -> HandLine:
    """Any hand line, possible or not."""
    source = draw(st.none() | st.sampled_from(WinSource))
    return HandLine(
        concealed=draw(_lists(17)),
        winning_tile=draw(st.none() | FACES),
        melds=draw(st.lists(MELDS, max_size=5).map(tuple)),
        flowers=draw(_lists(8)),
        gold=draw(st.none() | st.sampled_from(ALL_TILES)),
        source=source,
        from_seat=draw(st.none() | SEAT) if source else None,
        swap=draw(st.none() | st.sampled_from(ALL_TILES)),
        seat=draw(st.none() | SEAT),
        dealer=draw(st.none() | SEAT),
        streak=draw(st.none() | st.integers(0, 99)),
    )


@given(_lists(20))
def test_tiles_round_trip(faces: tuple[Tile | Unseen, ...]) -> None:
    """Order and unseen tiles are kept."""
    assert parse_faces(format_tiles(faces)) == faces


@given(MELDS)
def test_melds_round_trip(meld: Meld) -> None:
    """Wrong melds too keep their kind, tiles and giver."""
    assert parse_meld(format_meld(meld)) == meld


@given(hand_lines())
def test_hands_round_trip(line: HandLine) -> None:
    """Everything a line can say comes back, and formatting again gives the same text."""
    text = format_hand(line)
    assert parse_hand(text) == line
    assert format_hand(parse_hand(text)) == text


@given(st.text(alphabet="123456789mpsfESWNCFP?back+|@! melds:gold", max_size=40))
def test_nothing_but_a_notation_error_escapes(text: str) -> None:
    """Any text is a hand line or a clear error; what parses survives a round trip."""
    try:
        line = parse_hand(text)
    except JinqueError:
        return
    assert parse_hand(format_hand(line)) == line


@pytest.mark.parametrize(
    ("text", "meld"),
    [
        ("123m@E", Meld(MeldKind.CHOW, (Tile.M1, Tile.M2, Tile.M3), Seat.EAST)),
        ("444p@W", Meld(MeldKind.PUNG, (Tile.P4,) * 3, Seat.WEST)),
        ("444p", Meld(MeldKind.PUNG, (Tile.P4,) * 3)),
        ("5555s@2", Meld(MeldKind.KONG_OPEN, (Tile.S5,) * 4, Seat.WEST)),
        ("555+5s@W", Meld(MeldKind.KONG_ADDED, (Tile.S5,) * 4, Seat.WEST)),
        ("5555s@!", Meld(MeldKind.KONG_CONCEALED, (Tile.S5,) * 4)),
        ("5sbackback5s@!", Meld(MeldKind.KONG_CONCEALED, (Tile.S5, Unseen.BACK, Unseen.BACK, Tile.S5))),
        ("pung:334s@W", Meld(MeldKind.PUNG, (Tile.S3, Tile.S3, Tile.S4), Seat.WEST)),
        ("EEE+E@N", Meld(MeldKind.KONG_ADDED, (Tile.EAST,) * 4, Seat.NORTH)),
    ],
)
def test_melds(text: str, meld: Meld) -> None:
    """Kind and giver as the notation has them."""
    assert parse_meld(text) == meld


@pytest.mark.parametrize("text", ["12m3", "0m", "9f", "xx", "1 m", "١m"])
def test_unreadable_tiles_are_named(text: str) -> None:
    """The message repeats what is no tile."""
    with pytest.raises(NotationError, match="expected"):
        parse_faces(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("123m | golden 9m", "not a part of a hand line"),
        ("123m | gold 9m | gold 8m", "given twice"),
        ("123m + 99m", "not one winning tile"),
        ("123m | gold 99m", "not one tile"),
        ("123m | win lottery", "not a way to win"),
        ("123m | streak two", "not a streak"),
        ("123m | seat X", "not a seat"),
        ("123m | melds rung:123m", "not a kind of meld"),
        ("123m | melds @W", "not a meld"),
    ],
)
def test_wrong_hands_are_named(text: str, message: str) -> None:
    """Each fault of a line has its own sentence."""
    with pytest.raises(NotationError, match=message):
        parse_hand(text)


@pytest.mark.parametrize("text", ["1" * 1_000_000, "X" * 1_000_000])
def test_long_nonsense_is_not_repeated_whole(text: str) -> None:
    """The sentence keeps its beginning and says what was expected."""
    with pytest.raises(NotationError, match=r"^'.* … .*expected") as found:
        parse_hand(text)
    assert len(str(found.value)) < 1000


def test_strict_parsers() -> None:
    """Tiles that must have a name, and exactly one tile."""
    with pytest.raises(NotationError, match="cannot be named"):
        parse_tiles("12m ?")
    with pytest.raises(NotationError, match="not one tile"):
        parse_tile("12m")


def test_a_giver_needs_a_source() -> None:
    """A line cannot say from whom without how."""
    with pytest.raises(HandError, match="expected also how"):
        HandLine(concealed=(), from_seat=Seat.EAST)


def test_context_of_a_line() -> None:
    """A line carries everything a declared win needs."""
    context = parse_hand("12m +3m | gold 9m | win discard@W | seat S | dealer E | streak 2 | swap 1s").context()
    assert (context.winning_tile, context.from_seat, context.seat) == (Tile.M3, Seat.WEST, Seat.SOUTH)
    assert (context.dealer, context.streak, context.swap) == (Seat.EAST, 2, Tile.S1)
