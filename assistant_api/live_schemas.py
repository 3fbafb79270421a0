"""What goes over the wire about live tables: what people do at one, and how it stands."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import ConfigDict, Field, JsonValue, TypeAdapter

from assistant_api.schemas import MAX_TILES, DraftTile, Facts, PlacedTile, SeatCode, Wire
from engine.context import WinSource
from vision.live.view import Zone

Key = Annotated[int, Field(ge=0, le=2**31 - 1, description="key of the event's record")]
Text = Annotated[str, Field(min_length=1, max_length=200, description="a line of an event log, such as `E discard 3p`")]
Codes = Annotated[list[Annotated[str, Field(max_length=8)]], Field(max_length=MAX_TILES)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]


def _example(**values: JsonValue) -> ConfigDict:
    return ConfigDict(extra="forbid", json_schema_extra={"examples": [values]})


class Begin(Wire):
    """A hand has been dealt. Dealer and streak come from the ledger where it knows them."""

    model_config = _example(act="begin", near="E", dealer="E", streak=0)

    act: Literal["begin"]
    near: Annotated[SeatCode, Field(description="the seat next to the camera")] = "E"
    dealer: SeatCode | None = None
    streak: Annotated[int | None, Field(ge=0, le=99)] = None


class Confirm(Wire):
    """An event is right as it stands."""

    model_config = _example(act="confirm", event=3)

    act: Literal["confirm"]
    event: Key


class Edit(Wire):
    """It was something else."""

    model_config = _example(act="edit", event=3, text="E discard 3p")

    act: Literal["edit"]
    event: Key
    text: Text


class Delete(Wire):
    """It did not happen."""

    model_config = _example(act="delete", event=3)

    act: Literal["delete"]
    event: Key


class Undo(Wire):
    """The last event did not happen."""

    model_config = _example(act="undo")

    act: Literal["undo"]


class Insert(Wire):
    """Something happened that the camera did not see: at the end, or before an event."""

    model_config = _example(act="insert", before=None, text="S pung 3p")

    act: Literal["insert"]
    before: Key | None = None
    text: Text


class SayPass(Wire):
    """过: a seat does not want the tile that lies."""

    model_config = _example(act="pass", seat="S")

    act: Literal["pass"]
    seat: SeatCode


class Claim(Wire):
    """胡: a seat declares a win. How is told by the table unless it is said."""

    model_config = _example(act="claim", seat="S", source=None, tile=None)

    act: Literal["claim"]
    seat: SeatCode
    source: WinSource | None = None
    tile: Annotated[str | None, Field(max_length=8, description="the tile that was drawn, for a self-draw")] = None


class Refuse(Wire):
    """The declared win does not stand; play goes on. ``tiles`` is the hand as it was laid open."""

    model_config = _example(act="refuse", tiles=None)

    act: Literal["refuse"]
    tiles: Codes | None = None


class Settled(Wire):
    """The declared win stands and is in the ledger; the hand is over."""

    model_config = _example(act="settled", seat="S", tiles=None)

    act: Literal["settled"]
    seat: SeatCode
    tiles: Codes | None = None


class End(Wire):
    """The hand is over without a win: drawn, or not followed any further."""

    model_config = _example(act="end", drawn=True)

    act: Literal["end"]
    drawn: bool = False


class SayCorners(Wire):
    """Outer corners of the walls, as shares of the picture: near left, near right, far right, far left."""

    model_config = _example(act="corners", points=[[0.05, 0.9], [0.95, 0.9], [0.8, 0.2], [0.2, 0.2]])

    act: Literal["corners"]
    points: Annotated[list[tuple[Share, Share]], Field(min_length=4, max_length=4)]


class NamedArea(Wire):
    """A part of the table in the picture, and whose it is; the wall and the gold are nobody's."""

    points: Annotated[list[tuple[Share, Share]], Field(min_length=3, max_length=12)]
    zone: Zone
    seat: SeatCode | None = None


class SayArea(NamedArea):
    """What lies in a part of the picture, where the program takes it for something else. Points are shares of it."""

    model_config = _example(act="area", points=[[0.4, 0.6], [0.6, 0.6], [0.6, 0.7], [0.4, 0.7]], zone="river", seat="S")

    act: Literal["area"]


class ForgetAreas(Wire):
    """The parts of the table are where the program takes them to be, again."""

    model_config = _example(act="forget_areas")

    act: Literal["forget_areas"]


SaysWhere: TypeAlias = SayCorners | SayArea | ForgetAreas
"""What people say about the picture; it changes no log."""
Act: TypeAlias = Annotated[
    Begin | Confirm | Edit | Delete | Undo | Insert | SayPass | Claim | Refuse | Settled | End | SaysWhere,
    Field(discriminator="act"),
]
ACT: TypeAdapter[Act] = TypeAdapter(Act)
ACTS = (
    Begin,
    Confirm,
    Edit,
    Delete,
    Undo,
    Insert,
    SayPass,
    Claim,
    Refuse,
    Settled,
    End,
    SayCorners,
    SayArea,
    ForgetAreas,
)


class Done(Wire):
    """What a person said is in the log; followers see it with this version."""

    model_config = _example(version=12)

    version: int


class LiveState(Wire):
    """A live table as it stands: the same snapshot that the socket sends first."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"version": 0, "hand": None}]})

    version: int
    hand: dict[str, Any] | None


class ProofRequest(Wire):
    """The opened hand of a seat that declared a win."""

    model_config = _example(tiles=[], facts={"winner": "S"})

    tiles: Annotated[list[PlacedTile], Field(max_length=MAX_TILES)]
    facts: Facts = Facts()


class Evidence(Wire):
    """An event that speaks for an answer, with the picture of it."""

    key: int
    number: int
    text: str
    kind: str
    seat: SeatCode | None
    tile: str | None
    tiles: list[str]
    source: WinSource | None
    crop: str | None


class Proof(Wire):
    """What the log says about a declared win: it stands as far as the log goes, it does not, or it cannot be known."""

    model_config = _example(
        stands=False,
        certain=True,
        code="PASS_LOCK",
        text="The win was let pass since the last own discard.",
        evidence=[
            {
                "key": 7,
                "number": 7,
                "text": "E discard 8p",
                "kind": "discard",
                "seat": "E",
                "tile": "8p",
                "tiles": [],
                "source": None,
                "crop": None,
            }
        ],
        facts={"winner": "S", "passed": True},
    )

    stands: bool | None
    certain: bool
    code: str | None
    text: str | None
    evidence: list[Evidence]
    facts: Annotated[Facts, Field(description="what the log knows of the win, to settle it with")]


class ClaimDraft(Wire):
    """The declared win as the table shows it, to be completed by a photo of the opened hand."""

    model_config = _example(tiles=[], facts={"winner": "S"})

    tiles: list[DraftTile]
    facts: Facts
