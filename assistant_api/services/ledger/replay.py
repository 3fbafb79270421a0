"""Entries as the engine plays them, and playing all that follow a change again: deal, streak and points."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, assert_never

from pydantic import BaseModel, TypeAdapter
from sqlmodel import Session

from assistant_api import repository
from assistant_api.errors import (
    FactsMissingError,
    GameOverError,
    LaterHandError,
    OneWinnerError,
    PointsError,
    UsageError,
)
from assistant_api.game_schemas import MAX_POINTS, DealIn, DrawIn, EntryIn, EscapeIn, PenaltyIn, WinIn, WinnerIn
from assistant_api.languages import Language
from assistant_api.rows import EARLIER_HANDS, EntryRow, GameRow
from assistant_api.schemas import SeatCode
from assistant_api.services import hand_draft, rules
from assistant_api.services.facts import table_facts
from assistant_api.services.records import Move, Sentence, SettlementRecord, record, sentences
from assistant_api.texts import said
from engine.context import WinContext
from engine.game import DealSet, Drawn, Entry, Escaped, Fined, GameState, Played, Won, play, transfers
from engine.rotation import HANDS
from engine.rulesets import TableRules
from engine.seats import SEATS, Seat
from engine.settlement import LeftSeat
from engine.verdicts import CannotKnow, Refusal

ENTRY: TypeAdapter[EntryIn] = TypeAdapter(EntryIn)


class EntryRecord(BaseModel):
    """What came of an entry, as it is kept: the settled wins, or the explanation and payments of another entry."""

    wins: list[SettlementRecord] = []
    lines: list[Sentence] = []
    moves: list[Move] = []
    round_wind: SeatCode | None = None
    places: list[SeatCode] = ["E", "S", "W", "N"]


def rules_of(row: EntryRow | GameRow) -> TableRules:
    """The rules kept with an entry or a game."""
    return table_rules(row.ruleset, row.options)


def table_rules(name: str, options: Mapping[str, Any]) -> TableRules:
    """A ruleset that a table can play."""
    return _table_rules(name, json.dumps(options, sort_keys=True))


@lru_cache(maxsize=64)
def _table_rules(name: str, options: str) -> TableRules:
    ruleset = rules.resolve(name, json.loads(options))
    if not isinstance(ruleset, TableRules):
        raise UsageError(f"{name!r} cannot be played at a table; expected one of the rulesets of /api/rulesets")
    return ruleset


def content_of(row: EntryRow) -> EntryIn:
    """What was entered."""
    return ENTRY.validate_python({**row.content, **({"photo_id": row.photo_id} if row.kind == "win" else {})})


def engine_entry(content: EntryIn) -> Entry:
    """An entry in the engine's form."""
    match content:
        case WinIn():
            return Won(wins=tuple(_context(one) for one in (content, *content.also_won)))
        case DrawIn():
            dealer = None if content.dealer is None else Seat.parse(content.dealer)
            return Drawn(dealer=dealer, streak=content.streak)
        case PenaltyIn():
            seat = Seat.parse(content.seat)
            return Fined(seat=seat, offence=content.offence, points=content.points, to_others=content.to_others)
        case EscapeIn():
            left = tuple(LeftSeat(Seat.parse(one.seat), one.flower_count, one.golds) for one in content.remaining)
            return Escaped(seat=Seat.parse(content.seat), remaining=left)
        case DealIn():
            return DealSet(dealer=Seat.parse(content.dealer), streak=content.streak)
    assert_never(content)


def _context(one: WinnerIn) -> WinContext:
    line = hand_draft.hand_line(hand_draft.place(one.tiles, one.facts), one.facts)
    return line.context(table_facts(one.facts, line.winning_tile))


def state_before(session: Session, game: GameRow, position: int | None = None) -> GameState:
    """What stands before the entry at a position, or before the next entry."""
    if game.id == EARLIER_HANDS:
        return GameState(hand=None, dealer=None, streak=None)
    previous = repository.entry_before(session, game.id, position)
    if previous is None:
        return GameState(hand=1, dealer=_seat(game.first_dealer), streak=0)
    return GameState(hand=previous.next_hand, dealer=_seat(previous.next_dealer), streak=previous.next_streak)


def _seat(number: int | None) -> Seat | None:
    return None if number is None else Seat(number)


def replay(session: Session, game: GameRow, position: int, own: EntryRow | None = None) -> None:
    """Play the entries from a position on again and keep what changed, at the game's version.

    Args:
        session: the open transaction.
        game: whose entries.
        position: of the first entry that may have changed.
        own: the entry that was written; what does not fit there is its own fault, not that of a later hand.

    Raises:
        LaterHandError: a later hand would become impossible.
        LedgerError, PointsError: the entry itself does not stand.
    """
    state = state_before(session, game, position)
    for row in repository.entries_from(session, game.id, position):
        led_to = GameState(hand=row.next_hand, dealer=_seat(row.next_dealer), streak=row.next_streak)
        played = play_one(state, content_of(row), rules_of(row)) if row is own else _play_later(state, row)
        _keep(row, played, game.version)
        session.add(row)
        state = played.after
        if row is not own and state == led_to:
            break  # those after it were played from here already
    session.flush()


def play_one(state: GameState, content: EntryIn, rules: TableRules) -> Played:
    """Play an entry that was just said.

    Raises:
        GameOverError: all hands are played.
        OneWinnerError: several winners where one wins.
        PointsError: more points than a ledger holds.
        FactsMissingError: the deal is not known. (A win was judged before it comes here.)
    """
    if content.kind in ("win", "draw", "escape"):
        check_hands_left(state.hand, rules)
    if isinstance(content, WinIn):
        check_winners(content, rules)
    played = play(state, engine_entry(content), rules)
    if not isinstance(played, Played):
        fault = played
        if isinstance(fault, Refusal):  # done again after its dealer changed
            raise _would_not_stand(state, fault)
        raise FactsMissingError(_sentence(fault, Language.EN), lambda language: _sentence(fault, language))
    return _in_range(played)


def _in_range(played: Played) -> Played:
    if max(abs(points) for points in (*played.deltas, played.kitty)) > MAX_POINTS:
        raise PointsError(f"the entry moves more than {MAX_POINTS} points; expected smaller values in the rules")
    return played


def check_hands_left(hand: int | None, rules: TableRules) -> None:
    """GameOverError when all hands are played."""
    if rules.has_rounds and hand is not None and hand > HANDS:
        raise GameOverError(f"all {HANDS} hands of this game are played; finish it and begin another")


def check_winners(content: WinIn, rules: TableRules) -> None:
    """OneWinnerError for several winners where one wins."""
    if content.also_won and not rules.several_winners:
        raise OneWinnerError(f"by {rules.name!r} one seat wins, the nearest after the one who gave the tile")


def _play_later(state: GameState, row: EntryRow) -> Played:
    played = play(state, engine_entry(content_of(row)), rules_of(row))
    if isinstance(played, Played):
        return _in_range(played)
    raise _would_not_stand(state, played)


def _would_not_stand(state: GameState, fault: Refusal | CannotKnow) -> LaterHandError:
    return LaterHandError(
        f"with this change hand {state.hand} would not stand: {_sentence(fault, Language.EN)}",
        state.hand,
        lambda language: _sentence(fault, language),
    )


def _sentence(fault: Refusal | CannotKnow, language: Language) -> str:
    return said(fault, language)


def _keep(row: EntryRow, played: Played, version: int) -> None:
    """Write what came of an entry into its row; a row that stays as it is keeps its version."""
    deal, after = played.deal, played.after
    values: dict[str, Any] = {
        "hand": deal.hand,
        "dealer": None if deal.dealer is None else int(deal.dealer),
        "streak": deal.streak,
        "next_hand": after.hand,
        "next_dealer": None if after.dealer is None else int(after.dealer),
        "next_streak": after.streak,
        "kitty_points": played.kitty,
        "result": _record(played, rules_of(row)).model_dump(mode="json"),
    }
    for seat, points in zip(SEATS, played.deltas, strict=True):
        values[f"{seat.en.lower()}_points"] = points
    changed = {name: value for name, value in values.items() if getattr(row, name) != value}
    for name, value in changed.items():
        setattr(row, name, value)
    if changed:
        row.version = version


def _record(played: Played, rules: TableRules) -> EntryRecord:
    wins = [record(win, settled, rules) for win, settled in zip(played.wins, played.settlements, strict=False)]
    lines = [] if wins else [line for settled in played.settlements for line in sentences(settled)]
    wind = played.deal.round_wind
    return EntryRecord(
        wins=wins,
        lines=lines,
        moves=[
            Move.model_validate(
                {
                    "payer": move.from_seat.code,
                    "payee": None if move.to_seat is None else move.to_seat.code,
                    "points": move.points,
                }
            )
            for move in transfers(played)
        ],
        round_wind=None if wind is None else wind.code,  # type: ignore[arg-type]
        places=[seat.code for seat in played.deal.places],  # type: ignore[misc]
    )
