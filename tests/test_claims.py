"""Chow, pung and kong: what stands, and every reason against it."""

from __future__ import annotations

import pytest

from engine.claims import ClaimContext, LegalClaim, judge_claim, possible_chows
from engine.melds import Meld, MeldKind
from engine.notation import format_meld, parse_faces, parse_hand, parse_meld, parse_tiles
from engine.reasons import Reason
from engine.rulesets.fuzhou import load
from engine.seats import Seat
from engine.tiles import Face, Tile, Unseen
from engine.verdicts import Fact, Refusal

HAND = "12m44p666s789p1357s8m9m"
AS_SELF = {"gold_in_claims": "as_self"}
ANY = {"gold_in_claims": "any"}
WITH_PUNG = "12m6666s789p1357s8m | melds 444p@N"


def claim(
    kind: str,
    tile: str,
    giver: str | None = None,
    hand: str = HAND,
    used: str | None = None,
    options: dict[str, object] | None = None,
    **more: object,
) -> LegalClaim | Refusal:
    """South claims; the gold is 9m."""
    held = parse_hand(hand)
    context = ClaimContext(
        kind=MeldKind(kind),
        tile=parse_faces(tile)[0],
        seat=Seat.SOUTH,
        concealed=held.concealed,
        melds=held.melds,
        from_seat=None if giver is None else Seat.parse(giver),
        used=None if used is None else parse_faces(used),
        gold=Tile.M9,
        **{"passed_pungs": frozenset(), **more},  # type: ignore[arg-type]
    )
    return judge_claim(context, load("fuzhou").with_options(options or {}))


@pytest.mark.parametrize(
    ("meld", "arguments"),
    [
        ("3m1m2m@E", {"kind": "chow", "tile": "3m", "giver": "E", "used": "12m"}),
        ("3m1m2m@E", {"kind": "chow", "tile": "3m", "giver": "E"}),
        ("chow:7m8m9m@E", {"kind": "chow", "tile": "7m", "giver": "E", "used": "89m", "options": AS_SELF}),
        ("chow:3m2m9m@E", {"kind": "chow", "tile": "3m", "giver": "E", "used": "29m", "options": ANY}),
        ("444p@N", {"kind": "pung", "tile": "4p", "giver": "N"}),
        ("444p@N", {"kind": "pung", "tile": "4p", "giver": "N", "used": "44p"}),
        ("pung:7p7p9m@N", {"kind": "pung", "tile": "7p", "giver": "N", "options": ANY}),
        ("pung:7p7p9m@N", {"kind": "pung", "tile": "7p", "giver": "N", "used": "7p9m", "options": ANY}),
        ("6666s@W", {"kind": "kong_open", "tile": "6s", "giver": "W"}),
        ("6666s@!", {"kind": "kong_concealed", "tile": "6s", "hand": WITH_PUNG}),
        ("444+4p@N", {"kind": "kong_added", "tile": "4p", "hand": "12m4p666s789p1357s8m | melds 444p@N"}),
        (
            "6666s@!",
            {
                "kind": "kong_concealed",
                "tile": "6s",
                "hand": WITH_PUNG,
                "just_claimed": True,
                "options": {"kong_after_claim": True},
            },
        ),
        (
            "444+4p@N",
            {
                "kind": "kong_added",
                "tile": "4p",
                "hand": "12m4p666s789p1357s8m | melds 444p@N",
                "drawn": Tile.P4,
                "options": {"added_kong_later": False},
            },
        ),
        (
            "3m1m2m@E",
            {
                "kind": "chow",
                "tile": "3m",
                "giver": "E",
                "passed_pungs": frozenset({Tile.M3}),
                "options": {"pass_pung_lock": "same_tile"},
            },
        ),
    ],
)
def test_legal(meld: str, arguments: dict[str, object]) -> None:
    """The meld a claim makes."""
    verdict = claim(**arguments)  # type: ignore[arg-type]
    assert isinstance(verdict, LegalClaim), verdict
    expected = parse_meld(meld if ":" in meld else meld.replace("3m1m2m", "chow:3m1m2m"))
    assert verdict.meld == expected


ADDED = "12m4p666s789p1357s8m | melds 444p@N"
REFUSED: list[tuple[Reason, dict[str, object]]] = [
    (Reason.UNKNOWN_TILE, {"kind": "pung", "tile": "?", "giver": "N"}),
    (Reason.IMPOSSIBLE_TILES, {"kind": "pung", "tile": "6s", "giver": "N", "hand": "12m44p6666s789p157s89m"}),
    (Reason.UNREPLACED_FLOWER, {"kind": "pung", "tile": "4p", "giver": "N", "hand": "12m44p666s789p135sE89m"}),
    (Reason.FLOWER_CLAIM, {"kind": "pung", "tile": "E", "giver": "N"}),
    (Reason.BAD_MELD, {"kind": "pung", "tile": "4p", "giver": "N", "hand": "12m44p789p1357s8m | melds pung:334s@W"}),
    (Reason.CHOW_WRONG_SEAT, {"kind": "chow", "tile": "3m", "giver": "N"}),
    (Reason.GOLD_IN_MELD, {"kind": "chow", "tile": "7m", "giver": "E", "used": "89m"}),
    (Reason.GOLD_IN_MELD, {"kind": "kong_concealed", "tile": "9m", "hand": "12m6666s89p1357s8m99m | melds 444p@N"}),
    (Reason.TOO_MANY_TILES, {"kind": "pung", "tile": "4p", "giver": "N", "hand": f"{HAND}2s"}),
    (Reason.TOO_FEW_TILES, {"kind": "kong_concealed", "tile": "6s", "hand": "12m6666s789p135s8m | melds 444p@N"}),
    (Reason.GOLD_DISCARD_UNCLAIMABLE, {"kind": "pung", "tile": "9m", "giver": "N"}),
    (Reason.OWN_DISCARD, {"kind": "pung", "tile": "4p", "giver": "S"}),
    (Reason.OWN_DISCARD, {"kind": "chow", "tile": "3m", "giver": "S"}),
    (Reason.LAST_GROUP, {"kind": "pung", "tile": "4p", "giver": "N", "last_group": True}),
    (Reason.KONG_AFTER_CLAIM, {"kind": "kong_concealed", "tile": "6s", "hand": WITH_PUNG, "just_claimed": True}),
    (Reason.KONG_AFTER_CLAIM, {"kind": "kong_added", "tile": "4p", "hand": ADDED, "just_claimed": True}),
    (
        Reason.KONG_TOO_LATE,
        {"kind": "kong_added", "tile": "4p", "hand": ADDED, "drawn": Tile.M1, "options": {"added_kong_later": False}},
    ),
    (Reason.NOT_A_RUN, {"kind": "chow", "tile": "3p", "giver": "E", "used": "12m"}),
    (Reason.NOT_A_RUN, {"kind": "chow", "tile": "4m", "giver": "E", "used": "12m"}),
    (Reason.NO_PUNG_TO_EXTEND, {"kind": "kong_added", "tile": "4p", "hand": "12m4p666s789p1357s8m | melds 456p@E"}),
    (Reason.TILES_NOT_HELD, {"kind": "pung", "tile": "7p", "giver": "N"}),
    (Reason.TILES_NOT_HELD, {"kind": "pung", "tile": "7p", "giver": "N", "used": "77p"}),
    (Reason.TILES_NOT_HELD, {"kind": "kong_open", "tile": "4p", "giver": "N"}),
    (Reason.TILES_NOT_HELD, {"kind": "chow", "tile": "3m", "giver": "E", "used": "45m"}),
    (Reason.TILES_NOT_HELD, {"kind": "chow", "tile": "2p", "giver": "E"}),
    (Reason.TILES_NOT_HELD, {"kind": "kong_added", "tile": "4p", "hand": "12m666s789p1357s8m1p | melds 444p@N"}),
    (
        Reason.PASS_PUNG_LOCK,
        {
            "kind": "pung",
            "tile": "4p",
            "giver": "N",
            "passed_pungs": frozenset({Tile.P4}),
            "options": {"pass_pung_lock": "same_tile"},
        },
    ),
]


@pytest.mark.parametrize(("reason", "arguments"), REFUSED)
def test_refused(reason: Reason, arguments: dict[str, object]) -> None:
    """Each claim is refused with its reason, in two full sentences."""
    verdict = claim(**arguments)  # type: ignore[arg-type]
    assert isinstance(verdict, Refusal), verdict
    assert verdict.reason is reason
    assert "{" not in verdict.zh + verdict.en


def test_chow_without_a_possible_pung() -> None:
    """A chow needs no pair: it is offered by itself, one for each pair of tiles that fits."""
    rules = load("fuzhou")
    assert list(possible_chows(parse_tiles("1245m"), Tile.M3, Tile.M9, rules)) == [
        (Tile.M1, Tile.M2),
        (Tile.M2, Tile.M4),
        (Tile.M4, Tile.M5),
    ]
    assert list(possible_chows(parse_tiles("789m"), Tile.M8, Tile.M9, rules)) == []
    assert list(possible_chows(parse_tiles("EW"), Tile.SOUTH, None, rules)) == []
    held: tuple[Face, ...] = (Tile.M7, Unseen.UNREADABLE, Tile.M9)
    assert list(possible_chows(held, Tile.M8, None, rules)) == [(Tile.M7, Tile.M9)]


def test_added_kong_is_offered_on_the_later_draw() -> None:
    """Pung 8m, later draw the fourth: the kong stands then, not right after the pung."""
    hand = "12m8m666s789p1357s4p | melds 888m@W"
    assert isinstance(claim("kong_added", "8m", hand=hand, drawn=Tile.M8), LegalClaim)
    right_after = claim("kong_added", "8m", hand=hand, just_claimed=True)
    assert isinstance(right_after, Refusal)
    assert right_after.reason is Reason.KONG_AFTER_CLAIM


def test_unknown_passes_are_listed() -> None:
    """Where 过水不碰 is played and nobody knows what was passed, the pung stands with that question open."""
    verdict = claim("pung", "4p", "N", options={"pass_pung_lock": "same_tile"}, passed_pungs=None)
    assert isinstance(verdict, LegalClaim)
    assert verdict.unverified == (Fact.PASSED_KINDS,)


def test_order_of_faults() -> None:
    """Last group, the count and the discarded gold come before the tiles themselves."""
    for reason, arguments in (
        (Reason.TOO_MANY_TILES, {"tile": "9m", "giver": "S", "hand": f"{HAND}1s", "last_group": True}),
        (Reason.GOLD_DISCARD_UNCLAIMABLE, {"tile": "9m", "giver": "S", "last_group": True}),
        (Reason.OWN_DISCARD, {"tile": "7p", "giver": "S", "last_group": True}),
        (Reason.LAST_GROUP, {"tile": "7p", "giver": "N", "last_group": True}),
    ):
        verdict = claim("pung", **arguments)  # type: ignore[arg-type]
        assert isinstance(verdict, Refusal)
        assert verdict.reason is reason


def test_melds_are_written_as_they_lie() -> None:
    """The claimed tile first, the giver kept; an added kong keeps the giver of its pung."""
    verdict = claim("chow", "3m", "E", used="12m")
    assert isinstance(verdict, LegalClaim)
    assert format_meld(verdict.meld) == "312m@E"
    assert verdict.meld == Meld(MeldKind.CHOW, (Tile.M3, Tile.M1, Tile.M2), Seat.EAST)
