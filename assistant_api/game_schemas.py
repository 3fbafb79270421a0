"""What goes over the wire about games and their ledger. Each body has an example that really works.

Points are whole numbers; money is whole cents. Lists of four are by *player*: the one who began as East, South, West
and North. Seats are those of the hand; the two differ only in games whose players change places.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, model_validator

from assistant_api.schemas import (
    EXAMPLES,
    MAX_TILES,
    SETTLEMENT_EXAMPLE,
    Facts,
    LineOut,
    PlacedTile,
    SeatCode,
    SettlementOut,
    WinTypeOut,
    Wire,
)
from engine.game import Offence

Role = Literal["E", "S", "W", "N", "camera", "viewer"]
Kind = Literal["win", "draw", "penalty", "escape", "deal"]
Retention = Literal["none", "until_finished", "days"]
Action = Literal["begin", "settings", "add", "edit", "remove", "undo", "redo", "finish", "reopen", "share"]
MAX_POINTS = 1_000_000_000
ByPlayer = Annotated[list[int], Field(min_length=4, max_length=4, description="points, by player")]
_LINE = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]*$"
"""No control characters, nor those that turn the direction of what is written around them."""
Name = Annotated[str, Field(max_length=40, pattern=_LINE, description="one line; empty: the seat's name")]
Title = Annotated[str, Field(max_length=80, pattern=_LINE)]
Note = Annotated[str, Field(max_length=200, pattern=_LINE, description="a person's own words, one line")]
PhotoId = Annotated[str | None, Field(max_length=64, pattern=r"^[A-Za-z0-9_-]*$")]
StartingPoints = Annotated[
    list[Annotated[int, Field(ge=-MAX_POINTS, le=MAX_POINTS)]],
    Field(min_length=4, max_length=4, description="points each player begins with"),
]
Cents = Annotated[int, Field(ge=0, le=1_000_000, description="money for one point, in cents (分); 0: points only")]
Days = Annotated[int, Field(ge=1, le=3650)]


def _example(*examples: Any) -> ConfigDict:
    return ConfigDict(extra="forbid", json_schema_extra={"examples": list(examples)})


class _PhotoSetting(Wire):
    photo_retention: Annotated[
        Retention, Field(description="photos of hands are deleted at once, when the game is finished, or after days")
    ] = "until_finished"
    photo_days: Annotated[Days | None, Field(description="for `days`: how many")] = None

    @model_validator(mode="after")
    def _days_fit(self) -> _PhotoSetting:
        if (self.photo_retention == "days") != (self.photo_days is not None):
            raise ValueError("photo_days belongs to photo_retention `days`, which needs it")
        return self


class NewGame(_PhotoSetting):
    """A game to begin."""

    model_config = _example(
        {
            "title": "周五",
            "players": ["小林", "阿芳", "老陈", "阿强"],
            "ruleset": "fuzhou",
            "options": {"fixed_points": 5},
            "stake_per_point_cents": 10,
            "starting_points": [0, 0, 0, 0],
            "first_dealer": "E",
            "photo_retention": "days",
            "photo_days": 7,
        }
    )

    title: Title = ""
    players: list[Name] = Field(
        default_factory=lambda: [""] * 4, min_length=4, max_length=4, description="who sits E, S, W, N at first"
    )
    ruleset: Annotated[str | None, Field(max_length=64, description="null: the server's own")] = None
    options: dict[str, Any] = Field(
        default_factory=dict, max_length=100, description="options that differ from the ruleset's"
    )
    stake_per_point_cents: Cents = 0
    starting_points: StartingPoints = Field(default_factory=lambda: [0] * 4)
    first_dealer: Annotated[SeatCode | None, Field(description="null: not yet drawn")] = "E"


class GameChange(Wire):
    """What is to be changed; fields left out stay.

    Rules, first dealer and starting points are open until the first hand is entered. After that new rules can be set
    with ``from_now_on``: they hold for hands entered later, those entered stay as they are.
    """

    model_config = _example({"title": "周五晚", "stake_per_point_cents": 20, "options": {"fixed_points": 6}})

    title: Title | None = None
    players: Annotated[list[Name] | None, Field(min_length=4, max_length=4)] = None
    ruleset: Annotated[str | None, Field(max_length=64, description="its options begin at their own values")] = None
    options: Annotated[dict[str, Any] | None, Field(max_length=100)] = None
    stake_per_point_cents: Cents | None = None
    starting_points: StartingPoints | None = None
    first_dealer: SeatCode | None = None
    photo_retention: Retention | None = None
    photo_days: Days | None = None
    from_now_on: Annotated[bool, Field(description="new rules after the first hand, for later hands only")] = False


class Join(Wire):
    """The role of a phone that joins."""

    model_config = _example({"role": "S"})

    role: Role


class WinnerIn(Wire):
    """The hand of one winner, as in a settlement request."""

    tiles: Annotated[list[PlacedTile], Field(max_length=MAX_TILES)]
    facts: Facts = Facts()


class WinIn(WinnerIn):
    """胡. Dealer, streak and round come from the ledger; a fact that contradicts it is refused (`deal_moved`)."""

    model_config = _example({"kind": "win", **SETTLEMENT_EXAMPLE, "note": ""})

    kind: Literal["win"]
    also_won: list[WinnerIn] = Field(
        default_factory=list, max_length=2, description="further winners on that tile, where the rules let them"
    )
    photo_id: PhotoId = None
    note: Note = ""


class DrawIn(Wire):
    """和局, 荒牌: the wall ran out. ``dealer`` and ``streak`` only where the ledger does not know them."""

    model_config = _example({"kind": "draw"})

    kind: Literal["draw"]
    dealer: SeatCode | None = None
    streak: Annotated[int | None, Field(ge=0, le=99)] = None
    note: Note = ""


class PenaltyIn(Wire):
    """诈胡, 相公 or another penalty; the hand goes on."""

    model_config = _example({"kind": "penalty", "seat": "W", "offence": "false_win", "points": 10})

    kind: Literal["penalty"]
    seat: SeatCode
    offence: Offence
    points: Annotated[int | None, Field(ge=0, le=1_000_000, description="null: what the rules say")] = None
    to_others: Annotated[bool, Field(description="the points go to each other seat; false: taken off once")] = True
    note: Note = ""

    @model_validator(mode="after")
    def _has_price(self) -> PenaltyIn:
        if self.points is None and (self.offence is Offence.OTHER or not self.to_others):
            raise ValueError("points are needed: the rules name a price for false_win and wrong_count to others alone")
        return self


class LeftSeatIn(Wire):
    """A seat that stayed when another left: its flowers and kongs F, and its golds G."""

    seat: SeatCode
    flower_count: Annotated[int, Field(ge=0, le=60)] = 0
    golds: Annotated[int, Field(ge=0, le=4)] = 0


_STAYED: list[dict[str, Any]] = [
    {"seat": "E", "flower_count": 2, "golds": 1},
    {"seat": "S", "flower_count": 0, "golds": 0},
    {"seat": "N", "flower_count": 1, "golds": 0},
]


class EscapeIn(Wire):
    """逃跑: a seat left, which ends the hand; what it pays goes to nobody. Then the first dealer is drawn anew."""

    model_config = _example({"kind": "escape", "seat": "W", "remaining": _STAYED})

    kind: Literal["escape"]
    seat: SeatCode
    remaining: Annotated[list[LeftSeatIn], Field(min_length=3, max_length=3)]
    note: Note = ""

    @model_validator(mode="after")
    def _other_seats(self) -> EscapeIn:
        if {self.seat, *(left.seat for left in self.remaining)} != set("ESWN"):
            raise ValueError("remaining are the three other seats, each once")
        return self


class DealIn(Wire):
    """定庄: the table says who deals next, after an escape or against the usual course."""

    model_config = _example({"kind": "deal", "dealer": "S", "streak": 0})

    kind: Literal["deal"]
    dealer: SeatCode
    streak: Annotated[int, Field(ge=0, le=99)] = 0
    note: Note = ""


EntryIn = Annotated[WinIn | DrawIn | PenaltyIn | EscapeIn | DealIn, Field(discriminator="kind")]


class PlayerOut(Wire):
    """A player with what was won and lost; ``seat`` is where the player sits in the next hand."""

    name: str
    seat: SeatCode
    starting_points: int
    total: Annotated[int, Field(description="points won and lost")]
    score: Annotated[int, Field(description="starting points and total together")]
    amount_cents: Annotated[int, Field(description="the total in money")]


class DealOut(Wire):
    """What stands before the next hand; null is unknown and has to be said with it."""

    hand: int | None
    dealer: SeatCode | None
    streak: int | None
    round_wind: SeatCode | None


class GameOut(Wire):
    """A game as it stands. ``totals`` and ``kitty`` together are zero, as are the deltas of each entry."""

    model_config = _example(EXAMPLES["game"])

    id: str
    share_code: Annotated[str, Field(description="opens the game for looking, in place of the id")]
    version: int
    title: str
    created_at: datetime
    finished_at: datetime | None
    role: Annotated[str, Field(description="what the caller is: a seat, camera, viewer, host, anyone")]
    can_write: bool
    players: Annotated[list[PlayerOut], Field(min_length=4, max_length=4)]
    deal: DealOut
    totals: ByPlayer
    kitty: Annotated[int, Field(description="points that went to nobody (逃跑)")]
    hands_count: int
    entries_count: int
    stake_per_point_cents: int
    ruleset: str
    ruleset_title: str
    options: Annotated[dict[str, Any], Field(description="every option with its value")]
    rules_fixed: Annotated[bool, Field(description="a hand is entered: rules change for later hands only")]
    several_winners: Annotated[bool, Field(description="the rules let several seats win on one tile")]
    has_rounds: Annotated[bool, Field(description="the deal passes after every hand, sixteen hands in all")]
    false_win_points: Annotated[int, Field(description="what 诈胡 and 相公 cost by the rules, to each other seat")]
    photo_retention: Retention
    photo_days: int | None
    can_undo: bool
    can_redo: bool


class BegunGame(Wire):
    """A new game, and the token for writing: it is told only here, the server keeps its hash."""

    model_config = _example({"game": EXAMPLES["game"], "token": "J0n2dJk0Qd1uYhE4mG1z5A7bC9dEfGhI"})

    game: GameOut
    token: str


class GamePage(Wire):
    """Games the caller can open, newest first."""

    model_config = _example({"games": [EXAMPLES["game"]], "next_before": None})

    games: list[GameOut]
    next_before: str | None


class EntryTransfer(Wire):
    """Points from one seat to another; ``to`` is null when nobody receives them."""

    from_: Annotated[SeatCode, Field(alias="from", serialization_alias="from")]
    to: SeatCode | None
    points: int


class EntryOut(Wire):
    """One line of the ledger."""

    model_config = _example(EXAMPLES["entry"])

    id: int
    version: int
    kind: Kind
    hand: Annotated[int | None, Field(description="number of the hand it ended, or in which it fell")]
    created_at: datetime
    role: str
    dealer: SeatCode | None
    streak: int | None
    round_wind: SeatCode | None
    places: Annotated[list[SeatCode], Field(description="where each player sat, by player")]
    text: Annotated[str, Field(description="the entry in one sentence")]
    winners: list[SeatCode]
    win_types: list[WinTypeOut]
    deltas: ByPlayer
    kitty: int
    totals: Annotated[list[int], Field(description="running totals after it, by player")]
    totals_kitty: int
    photo_url: str | None
    note: str
    edited: bool


class EntryDetail(EntryOut):
    """One line with all that was entered, the formula and the payments. ``content`` can be sent back, corrected."""

    model_config = _example(EXAMPLES["entry_detail"])

    content: EntryIn
    settlements: Annotated[list[SettlementOut], Field(description="of each winner; deltas by seat")]
    lines: Annotated[list[LineOut], Field(description="the explanation of an entry without winner")]
    transfers: list[EntryTransfer]
    ruleset: str
    options: dict[str, Any]


class EntryPage(Wire):
    """Entries, newest first."""

    model_config = _example({"entries": [EXAMPLES["entry"]], "next_before": None, "version": 2})

    entries: list[EntryOut]
    next_before: int | None
    version: int


class Changed(Wire):
    """What a game became since a version: its state, every entry from the first changed one on, and entries removed.

    Answer to every write, and the ``delta`` event.
    """

    model_config = _example(EXAMPLES["change"])

    from_version: int
    version: int
    game: GameOut
    entries: Annotated[list[EntryOut], Field(description="in order; replace those with the same id, add the others")]
    removed: list[int]
    entry: Annotated[EntryDetail | None, Field(description="the entry that was written; null in events")] = None


class Snapshot(Wire):
    """A whole game: the first event for a follower."""

    model_config = _example(EXAMPLES["snapshot"])

    version: int
    game: GameOut
    entries: list[EntryOut]


class Shown(Wire):
    """An entry as it was at a time, in the history."""

    kind: Kind
    text: str
    hand: int | None
    dealer: SeatCode | None
    streak: int | None
    deltas: ByPlayer
    kitty: int
    note: str


class HistoryItem(Wire):
    """What was done, when and by which role, with the entry before and after."""

    version: int
    at: datetime
    role: str
    action: Action
    entry_id: int | None
    undone: Annotated[bool, Field(description="it was taken back")]
    before: Shown | None
    after: Shown | None
    settings: Annotated[
        dict[str, list[Any]] | None, Field(description="for settings: the value before and after, by name")
    ]


class HistoryPage(Wire):
    """The history, newest first."""

    model_config = _example({"changes": [EXAMPLES["history"]], "next_before": None})

    changes: list[HistoryItem]
    next_before: int | None


class Payment(Wire):
    """Who pays whom at the end, with the fewest payments; ``to`` is null for what goes to nobody."""

    from_: Annotated[str, Field(alias="from", serialization_alias="from")]
    to: str | None
    points: int
    amount_cents: int


class Report(Wire):
    """The whole evening on one page, for printing and as the JSON export."""

    model_config = _example(EXAMPLES["report"])

    game: GameOut
    entries: list[EntryDetail]
    history: list[HistoryItem]
    payments: list[Payment]
