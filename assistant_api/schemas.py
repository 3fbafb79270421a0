"""What goes over the wire: the bodies the API takes and gives. Each has an example that really works."""

from __future__ import annotations

import json
from datetime import datetime
from importlib.resources import files
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue
from pydantic.config import JsonDict

from engine.context import WinSource
from engine.melds import MeldKind

SeatCode = Literal["E", "S", "W", "N"]
EXAMPLES: dict[str, Any] = json.loads(files("assistant_api").joinpath("examples.json").read_text(encoding="utf-8"))
"""Answers as the API really gave them; `tests/test_ledger_api.py` keeps them true."""
Group = Literal["hand", "winning", "meld", "flowers", "gold", "other"]
Points = Annotated[list[int], Field(min_length=4, max_length=4, description="points of East, South, West, North")]
MAX_TILES = 80


class Wire(BaseModel):
    """Base of all bodies: unknown fields are refused, so a misspelt one is never silently ignored."""

    model_config = ConfigDict(extra="forbid")


def example(name: str) -> ConfigDict:
    """Shows an answer that was kept under this name."""
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [EXAMPLES[name]]})


class PlacedTile(Wire):
    """A tile in its group, as the page sends it."""

    id: Annotated[str, Field(min_length=1, max_length=16, description="the caller's own name for this tile")]
    tile: Annotated[str, Field(max_length=8, description="notation code, `?` or `back`", examples=["3m"])]
    group: Group
    meld: Annotated[int | None, Field(ge=0, le=15, description="which meld, for tiles of group `meld`")] = None


class DraftTile(PlacedTile):
    """A tile as it was read from the photo; `read` is what the reader said, `tile` what counts now."""

    read: str
    confidence: float
    alternatives: list[tuple[str, float]]
    quad: list[tuple[float, float]] | None
    sure: Annotated[bool, Field(description="false: a person should look at this tile")]


class Facts(Wire):
    """What a photo cannot tell; null is unknown and asked for where it matters."""

    model_config = example("facts")

    winner: SeatCode | None = None
    source: Annotated[WinSource | None, Field(description="where the winning tile came from")] = None
    from_seat: Annotated[SeatCode | None, Field(description="who gave the winning tile")] = None
    dealer: SeatCode | None = None
    streak: Annotated[int | None, Field(ge=0, le=99, description="wins by which the dealer kept the deal")] = None
    swap: Annotated[str | None, Field(max_length=8, description="the tile a dealer throws to rob the gold")] = None
    round_wind: Annotated[SeatCode | None, Field(description="wind of the round, where the game has rounds")] = None
    last_tile: Annotated[bool | None, Field(description="the wall was empty")] = False
    last_of_kind: Annotated[bool | None, Field(description="the three others of the winning kind lie open")] = False
    gold_discarded: Annotated[bool | None, Field(description="the winner discarded a gold before")] = None
    passed: Annotated[bool | None, Field(description="the winner let this kind pass since an own discard")] = None
    dealers_first_discard: bool | None = False
    meld_kinds: Annotated[dict[int, MeldKind], Field(max_length=16, description="kinds said by a person, by meld")] = {}


_EXAMPLE_HAND = {
    "hand": "1m 2m 3m 4m 5m 6m 7p 8p 9p 2s 3s 4s 5s 5s 6p 7p",
    "winning": "8p",
    "flowers": "E S",
    "gold": "9m",
}
_EXAMPLE_TILES: list[JsonValue] = [
    {"id": f"{group}-{place}", "tile": code, "group": group}
    for group, codes in _EXAMPLE_HAND.items()
    for place, code in enumerate(codes.split())
]
SETTLEMENT_EXAMPLE: JsonDict = {
    "tiles": _EXAMPLE_TILES,
    "facts": {"winner": "S", "source": "discard", "from_seat": "W", "dealer": "E", "streak": 0},
}


class SettlementRequest(Wire):
    """A finished hand to be judged and settled."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [SETTLEMENT_EXAMPLE]})

    tiles: Annotated[list[PlacedTile], Field(max_length=MAX_TILES)]
    facts: Facts = Facts()
    ruleset: Annotated[str | None, Field(max_length=64, description="null: the server's own")] = None
    options: Annotated[dict[str, Any], Field(max_length=100, description="options that differ from the ruleset's")] = {}
    photo_id: Annotated[str | None, Field(max_length=64)] = None
    game: Annotated[
        str | None,
        Field(
            max_length=64,
            description="a game: ruleset, options, dealer, streak and round come from its ledger; leave them out",
        ),
    ] = None
    entry: Annotated[
        int | None, Field(ge=1, le=2**31 - 1, description="for a preview: the entry of the game this would correct")
    ] = None
    tileset: Annotated[str | None, Field(max_length=64, description="the set of tiles the photo was read with")] = None
    learn: Annotated[
        bool, Field(description="with consent: the set learns from tiles that were corrected, when the hand is saved")
    ] = False


class FoundProblem(Wire):
    """One thing that is wrong with the tiles; `blocking` ones keep the hand from being settled."""

    code: str
    text: str
    tiles: list[str]
    blocking: bool
    move_to: Annotated[Group | None, Field(description="the group these tiles belong to")] = None


class CheckedMeld(Wire):
    """What a meld was taken for; `certain` is false where only a person can tell (an open or a concealed kong)."""

    meld: int
    kind: MeldKind | None
    name: str
    certain: bool


class Check(Wire):
    """The tiles by themselves: how many there are, and what is wrong with them."""

    count: int
    expected: int
    count_text: str
    complete: bool
    problems: list[FoundProblem]
    melds: list[CheckedMeld]


class Question(Wire):
    """A fact that is missing and matters."""

    fact: str
    text: str


class RefusalOut(Wire):
    """Why a win does not stand, and what would make it legal."""

    code: str
    text: str
    remedy: str


class WinTypeOut(Wire):
    """A named win the hand meets; `counts` tells whether its points are part of the sum."""

    code: str
    name: str
    points: int
    counts: bool


class LineOut(Wire):
    """One line of the explanation."""

    code: str
    text: str
    note: Annotated[str | None, Field(description="the Chinese line, on English pages")] = None
    amount: int
    total: bool = False


class GoldOut(Wire):
    """What one gold stands for; null where it needs no place (三金倒 without shape)."""

    gold: str
    stands_for: str | None


class TransferOut(Wire):
    """Points that go from one seat to another."""

    from_: Annotated[SeatCode, Field(alias="from", serialization_alias="from")]
    to: SeatCode
    points: int


class SettlementOut(Wire):
    """A settled win."""

    winner: SeatCode
    dealer: SeatCode
    source: WinSource
    how: str
    win_types: list[WinTypeOut]
    flower_count: int
    lines: list[LineOut]
    golds: list[GoldOut]
    per_payer: int
    transfers: list[TransferOut]
    deltas: Points
    next_dealer: SeatCode
    next_streak: int
    unverified: list[str]
    assumed: Annotated[list[Question], Field(description="facts nobody gave that could forbid this win")] = []


class Preview(Wire):
    """The answer to a hand: yes (`settlement`), no (`refusal`) or not yet (`questions`)."""

    model_config = example("preview")

    check: Check
    legal: bool | None
    refusal: RefusalOut | None
    questions: list[Question]
    settlement: SettlementOut | None


class PhotoOut(Wire):
    """A kept photo; width and height are those of the upright original, in which quads are given."""

    id: str
    url: str
    width: int
    height: int


class Draft(Wire):
    """A hand as read, to be checked by a person."""

    tiles: list[DraftTile]
    facts: Facts
    message: str | None


class PhotoAnswer(Wire):
    """What an uploaded photo gives; ``photo`` is null where it shows no tile, since nothing is kept then."""

    model_config = example("photo")

    photo: PhotoOut | None
    reading: dict[str, Any]
    draft: Draft


class HandOut(Wire):
    """A saved hand."""

    model_config = example("hand")

    id: int
    created_at: datetime
    ruleset: str
    options: dict[str, Any]
    tiles: list[PlacedTile]
    facts: Facts
    result: SettlementOut
    winner: SeatCode
    dealer: SeatCode
    streak: int
    deltas: Points
    photo_url: str | None


class HandPage(Wire):
    """Saved hands, newest first, with the running totals over all of them."""

    model_config = example("hands")

    hands: list[HandOut]
    totals: Points
    count: int
    next_before: int | None


class OptionOut(Wire):
    """An option of a ruleset."""

    name: str
    kind: str
    choices: list[str]
    value: Any
    text: str
    source: str


class FanRowOut(Wire):
    """A row of a fan table: points, other names, what does not count beside it, and where the text says so."""

    code: str
    zh: str
    en: str
    points: int
    aliases: list[str]
    excludes: list[str]
    source: str


class RulesetOut(Wire):
    """A ruleset with all its options, and its fan table where it has one."""

    model_config = example("ruleset")

    name: str
    title: str
    source: str
    completeness: str
    options: list[OptionOut]
    fans: list[FanRowOut] = []


_PHOTO = "p8Qz1vK4nT7wYb2mXc5LdA"
_QUAD: list[JsonValue] = [[40.0, 60.0], [88.0, 60.0], [88.0, 124.0], [40.0, 124.0]]


def _example(**values: JsonValue) -> ConfigDict:
    """Shows a body that was made up."""
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [values]})


class TilesetOut(Wire):
    """A person's own set of tiles: how many of the 42 faces it knows, and which."""

    model_config = _example(
        name="grandma's",
        faces=2,
        created="2026-01-31T20:15:00Z",
        looks=3,
        known=["1m", "2m"],
        missing=["3m"],
        keeps_pictures=False,
    )

    name: str
    faces: int
    created: datetime
    looks: Annotated[int, Field(description="faces shown in all, several of a kind among them")]
    known: list[str]
    missing: list[str]
    keeps_pictures: bool


class TilesetDraftRequest(Wire):
    """An uploaded photo that shows the tiles of a set in rows."""

    model_config = _example(photo_id=_PHOTO)

    photo_id: Annotated[str, Field(max_length=64)]


class TilesetDraftFace(Wire):
    """A face in a photo of a set: `tile` is what it is taken for, `read` what the network says."""

    tile: str
    read: str
    confidence: float
    quad: list[tuple[float, float]]


class TilesetDraft(Wire):
    """The faces of a photo row by row; `message` says why they do not lie in the printed order."""

    model_config = _example(
        rows=[[{"tile": "1m", "read": "1m", "confidence": 0.98, "quad": _QUAD}]], in_order=True, message=None
    )

    rows: list[list[TilesetDraftFace]]
    in_order: bool
    message: str | None


class TilesetFace(Wire):
    """A checked face: its corners as the draft gave them, and what it is; `?` passes it over."""

    tile: Annotated[str, Field(max_length=8)]
    quad: Annotated[list[tuple[float, float]], Field(min_length=4, max_length=4)]


class TilesetPhoto(Wire):
    """A photo with its checked faces."""

    photo_id: Annotated[str, Field(max_length=64)]
    faces: Annotated[list[TilesetFace], Field(min_length=1, max_length=MAX_TILES)]


class TilesetRequest(Wire):
    """A set to be learnt."""

    model_config = _example(
        name="grandma's",
        photos=[{"photo_id": _PHOTO, "faces": [{"tile": "1m", "quad": _QUAD}]}],
        keep_pictures=False,
    )

    name: Annotated[str, Field(max_length=64)]
    photos: Annotated[list[TilesetPhoto], Field(min_length=1, max_length=3)]
    keep_pictures: Annotated[
        bool,
        Field(description="with consent: small pictures of the faces are kept, to learn the set anew later"),
    ] = False
