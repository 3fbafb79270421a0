"""Placed tiles: melds guessed, faults found all at once, and the hand handed to the engine."""

from __future__ import annotations

import pytest

from assistant_api.errors import UsageError
from assistant_api.languages import Language
from assistant_api.schemas import Check, Facts, Group, PlacedTile
from assistant_api.services import hand_draft
from engine.errors import NotationError
from engine.melds import MeldKind
from engine.notation import format_hand, parse_faces
from engine.rulesets import get_ruleset
from engine.seats import Seat

RULES = get_ruleset("fuzhou")


def placed(**groups: str) -> list[PlacedTile]:
    """Tiles by group; ``melds`` are divided by bars."""
    tiles = []
    for name, text in groups.items():
        kind: Group = "meld" if name == "melds" else name  # type: ignore[assignment]
        words = text.split("|") if name == "melds" else [text]
        for number, word in enumerate(words):
            for face in parse_faces(word):
                meld = number if name == "melds" else None
                tiles.append(PlacedTile(id=f"t{len(tiles)}", tile=face.code, group=kind, meld=meld))
    return tiles


def check(tiles: list[PlacedTile], facts: Facts | None = None) -> Check:
    """The check in English."""
    return hand_draft.check(hand_draft.place(tiles, facts or Facts()), RULES, Language.EN)


def codes(found: Check) -> list[str]:
    """Codes of the problems."""
    return [problem.code for problem in found.problems]


@pytest.mark.parametrize(
    ("tiles", "kind", "certain"),
    [
        ("345m", MeldKind.CHOW, True),
        ("555s", MeldKind.PUNG, True),
        ("5555s", MeldKind.KONG_OPEN, False),
        ("back 55s back", MeldKind.KONG_CONCEALED, True),
        ("back back back 5s", MeldKind.KONG_CONCEALED, True),
        ("356m", None, True),
        ("34m", None, True),
        ("back back back back", None, True),
        ("55s back", None, True),
        ("5556s", None, True),
        ("ESW", None, True),
        ("55s ?", None, True),
    ],
)
def test_melds_are_guessed(tiles: str, kind: MeldKind | None, certain: bool) -> None:
    """Runs, triplets and kongs by their tiles; four open ones are asked about."""
    guess = hand_draft.guess_meld(parse_faces(tiles))
    assert (guess.kind, guess.certain) == (kind, certain)


def test_a_person_says_which_kong() -> None:
    """What was said is certain, but tiles face down stay a concealed kong."""
    open_tiles, hidden = parse_faces("5555s"), parse_faces("back 55s back")
    assert hand_draft.guess_meld(open_tiles, MeldKind.KONG_CONCEALED).kind is MeldKind.KONG_CONCEALED
    assert hand_draft.guess_meld(open_tiles, MeldKind.PUNG).certain is False
    assert hand_draft.guess_meld(hidden, MeldKind.KONG_OPEN).kind is MeldKind.KONG_CONCEALED


def test_a_complete_hand_has_no_problem() -> None:
    """Kongs count three, flowers nothing."""
    found = check(placed(hand="123456m789p23455s", winning="8p", melds="back 99s back", flowers="E1f", gold="9m"))
    assert (found.count, found.expected, found.complete, found.problems) == (18, 17, False, [])
    found = check(placed(hand="123456m78p23455s", winning="9p", melds="back 99s back", flowers="E1f", gold="9m"))
    assert (found.count, found.complete, found.problems) == (17, True, [])


def test_all_faults_are_told_at_once() -> None:
    """Unknown, face-down, misplaced and too many tiles, each naming the tiles it is about."""
    tiles = placed(hand="3333m ? back E", winning="12p", melds="345m|46p9s", flowers="7s", gold="8m", other="C")
    found = check(tiles)
    assert codes(found) == [
        "unknown_tile",
        "face_down",
        "flower_in_hand",
        "not_a_flower",
        "not_a_meld",
        "two_in_winning",
        "stray_tile",
        "too_many_copies",
    ]
    assert not found.complete
    assert [problem.code for problem in found.problems if not problem.blocking] == ["stray_tile"]
    five = found.problems[-1]
    assert (five.text, len(five.tiles)) == ("5 × 三万 3 characters, but a set holds 4", 5)


def test_hidden_tiles_of_a_kong_count_as_copies() -> None:
    """A concealed kong of two open tiles holds four of them."""
    assert "too_many_copies" in codes(check(placed(hand="9s", melds="back 99s back")))


@pytest.mark.parametrize(
    ("hand", "text"),
    [
        ("123456m789p23455s67p", "16 of 17 tiles, 1 missing"),
        ("123456m789p23455s6789p", "18 of 17 tiles, 1 too many"),
    ],
)
def test_the_count_speaks(hand: str, text: str) -> None:
    """How many are missing or too many."""
    assert check(placed(hand=hand)).count_text == text


def test_hand_line_goes_to_the_engine() -> None:
    """Groups and facts arrive in the engine's form; tiles of no group are left out."""
    tiles = placed(hand="123456m78p23455s", winning="9p", melds="back 99s back", flowers="E1f", gold="9m", other="C")
    facts = Facts.model_validate({"winner": "S", "source": "discard", "from_seat": "W", "dealer": "E", "streak": 2})
    line = hand_draft.hand_line(hand_draft.place(tiles, facts), facts)
    expected = (
        "123456m78p23455s +9p | melds 9999s@! | flowers E 1f | gold 9m | win discard@W | seat S | dealer E | streak 2"
    )
    assert format_hand(line) == expected
    assert line.seat is Seat.SOUTH


def test_misuse_is_refused() -> None:
    """Ids twice, a meld without its number, a code that is no tile."""
    twice = [PlacedTile(id="a", tile="1m", group="hand"), PlacedTile(id="a", tile="2m", group="hand")]
    with pytest.raises(UsageError, match="two tiles have the id 'a'"):
        hand_draft.place(twice, Facts())
    with pytest.raises(UsageError, match="expected the number of the meld"):
        hand_draft.place([PlacedTile(id="a", tile="1m", group="meld")], Facts())
    with pytest.raises(NotationError, match="'1x' is not tile notation"):
        hand_draft.place([PlacedTile(id="a", tile="1x", group="hand")], Facts())
    with pytest.raises(UsageError, match="'12m' is not one tile"):
        hand_draft.place([PlacedTile(id="a", tile="12m", group="hand")], Facts())
