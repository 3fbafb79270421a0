"""Rows of the ledger as they go over the wire, in the caller's language. Totals are added up from the entries here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlmodel import Session

from assistant_api import repository
from assistant_api.game_schemas import (
    Changed,
    DealOut,
    EntryDetail,
    EntryOut,
    EntryTransfer,
    GameOut,
    HistoryItem,
    PlayerOut,
    Shown,
    Snapshot,
)
from assistant_api.languages import Language, in_language, translate
from assistant_api.repository import Totals
from assistant_api.rows import EARLIER_HANDS, ChangeRow, EntryRow, GameRow
from assistant_api.schemas import LineOut, SeatCode, WinTypeOut
from assistant_api.services.ledger.access import Caller
from assistant_api.services.ledger.replay import EntryRecord, content_of, rules_of, state_before
from assistant_api.services.records import how, lines_out, settlement_out
from assistant_api.texts import join_names, term
from engine.game import Offence
from engine.seats import SEATS, Seat

_HAND_KINDS = ("win", "draw", "escape")


def seat_code(number: int | None) -> SeatCode | None:
    """The seat with this number."""
    return None if number is None else Seat(number).code  # type: ignore[return-value]


def game_out(
    session: Session, game: GameRow, caller: Caller, language: Language, totals: Totals | None = None
) -> GameOut:
    """A game as it stands."""
    rules = rules_of(game)
    totals = totals or repository.totals(session, game.id)
    counts = totals.kinds
    states = repository.change_states(session, game.id)
    deal = state_before(session, game).deal(rules)
    players = [
        PlayerOut(
            name=name,
            seat=place.code,  # type: ignore[arg-type]
            starting_points=start,
            total=total,
            score=start + total,
            amount_cents=total * game.stake_per_point_cents,
        )
        for name, place, start, total in zip(
            game.players, deal.places, game.starting_points, totals.points, strict=True
        )
    ]
    return GameOut(
        id=game.id,
        share_code=game.share_code,
        version=game.version,
        title=translate(language, "ledger.earlier_hands") if game.id == EARLIER_HANDS else game.title,
        created_at=game.created_at,
        finished_at=game.finished_at,
        role=caller.role,
        can_write=caller.can_write,
        players=players,
        deal=DealOut(
            hand=deal.hand,
            dealer=seat_code(deal.dealer),
            streak=deal.streak,
            round_wind=seat_code(deal.round_wind),
        ),
        totals=list(totals.points),
        kitty=totals.kitty,
        hands_count=sum(counts.get(kind, 0) for kind in _HAND_KINDS),
        entries_count=sum(counts.values()),
        stake_per_point_cents=game.stake_per_point_cents,
        ruleset=game.ruleset,
        ruleset_title=term(rules, language),
        options=dict(rules.values()),
        rules_fixed=bool(counts),
        several_winners=rules.several_winners,
        has_rounds=rules.has_rounds,
        false_win_points=int(getattr(rules, "false_win_points", 0)),
        photo_retention=game.photo_retention,  # type: ignore[arg-type]
        photo_days=game.photo_days,
        can_undo="done" in states,
        can_redo="undone" in states,
    )


def entries_out(
    session: Session, game: GameRow, rows: Sequence[EntryRow], language: Language, before: Totals | None = None
) -> list[EntryOut]:
    """Entries that follow one another, in order, with the running totals after each; ``before`` saves a look."""
    if not rows:
        return []
    running = before or repository.totals(session, game.id, before=rows[0].position)
    edited = repository.edited_entries(session, game.id)
    out = []
    for row in rows:
        running = _plus(running, row, 1)
        out.append(EntryOut(**_entry_values(game, row, running, language), edited=row.id in edited))
    return out


def entry_detail(session: Session, game: GameRow, row: EntryRow, language: Language) -> EntryDetail:
    """One entry with everything about it."""
    return _detail(game, row, entries_out(session, game, [row], language)[0], language)


def entries_detail(session: Session, game: GameRow, rows: Sequence[EntryRow], language: Language) -> list[EntryDetail]:
    """Entries that follow one another, with everything about them."""
    shown = entries_out(session, game, rows, language)
    return [_detail(game, row, out, language) for row, out in zip(rows, shown, strict=True)]


def _detail(game: GameRow, row: EntryRow, out: EntryOut, language: Language) -> EntryDetail:
    kept = EntryRecord.model_validate(row.result)
    moves = kept.moves or [move for win in kept.wins for move in win.moves]
    return EntryDetail(
        **dict(out),
        content=content_of(row),
        settlements=[settlement_out(win, language) for win in kept.wins],
        lines=_lines(game, row, kept, language),
        transfers=[
            EntryTransfer.model_validate({"from": move.payer, "to": move.payee, "points": move.points})
            for move in moves
        ],
        ruleset=row.ruleset,
        options=row.options,
    )


def _lines(game: GameRow, row: EntryRow, kept: EntryRecord, language: Language) -> list[LineOut]:
    """The explanation of an entry that is no win; a penalty and an escape name the player where there is a name."""
    lines = lines_out(kept.lines, language)
    if row.kind not in ("penalty", "escape"):
        return lines
    seat, name = Seat.parse(row.content["seat"]), who(game, kept, row.content["seat"], Language.EN)
    if name == seat.en:
        return lines
    family = in_language(language, f"{seat.zh}家", seat.en)

    def named(text: str, called: str) -> str:
        return name + text.removeprefix(called) if text.startswith(called) else text

    return [
        line.model_copy(
            update={
                "text": named(line.text, family),
                "note": None if line.note is None else named(line.note, f"{seat.zh}家"),
            }
        )
        for line in lines
    ]


def _plus(running: Totals, row: EntryRow, times: int) -> Totals:
    points = (total + times * moved for total, moved in zip(running.points, row.deltas, strict=True))
    east, south, west, north = points
    return Totals((east, south, west, north), running.kitty + times * row.kitty_points)


def _entry_values(game: GameRow, row: EntryRow, running: Totals, language: Language) -> dict[str, Any]:
    kept = EntryRecord.model_validate(row.result)
    kinds = [kind for win in kept.wins for kind in win.kinds]
    return {
        "id": row.id,
        "version": row.version,
        "kind": row.kind,
        "hand": row.hand,
        "created_at": row.created_at,
        "role": row.role,
        "dealer": seat_code(row.dealer),
        "streak": row.streak,
        "round_wind": kept.round_wind,
        "places": kept.places,
        "text": entry_text(game, row, kept, language),
        "winners": [win.winner for win in kept.wins],
        "win_types": [
            WinTypeOut(code=kind.code, name=term(kind, language), points=kind.points, counts=kind.counts)
            for kind in kinds
        ],
        "deltas": list(row.deltas),
        "kitty": row.kitty_points,
        "totals": list(running.points),
        "totals_kitty": running.kitty,
        "photo_url": f"/api/photos/{row.photo_id}" if row.photo_id else None,
        "note": row.content.get("note", ""),
    }


def who(game: GameRow, kept: EntryRecord, seat: str, language: Language) -> str:
    """The player in a seat of a hand, by name; the seat where there is none."""
    return game.players[kept.places.index(seat)] or translate(language, f"seat.{seat}")  # type: ignore[arg-type]


def entry_text(game: GameRow, row: EntryRow, kept: EntryRecord, language: Language) -> str:
    """An entry in one sentence."""
    content = row.content
    match row.kind:
        case "win":
            names = join_names((who(game, kept, win.winner, language) for win in kept.wins), language)
            if len(kept.wins) > 1:
                return translate(language, "ledger.wins_several", who=names)
            return translate(language, "ledger.win", who=names, how=how(kept.wins[0], language))
        case "draw":
            return translate(language, "ledger.draw")
        case "penalty":
            name = who(game, kept, content["seat"], language)
            offence = translate(language, f"ledger.offence.{Offence(content['offence'])}")
            return translate(language, "ledger.penalty", who=name, offence=offence)
        case "escape":
            return translate(language, "ledger.escape", who=who(game, kept, content["seat"], language))
        case _:
            name = who(game, kept, content["dealer"], language)
            return translate(language, "ledger.deal", who=name, streak=content["streak"])


def snapshot(session: Session, game: GameRow, caller: Caller, language: Language) -> Snapshot:
    """The whole game."""
    rows = repository.entries_from(session, game.id)
    return Snapshot(
        version=game.version,
        game=game_out(session, game, caller, language),
        entries=entries_out(session, game, rows, language, Totals()),
    )


def changed(
    session: Session, game: GameRow, caller: Caller, since: int, language: Language, own: int | None = None
) -> Changed:
    """What became of the game since a version; with everything about the entry with the number ``own``."""
    position, removed = repository.first_changed(session, game.id, since)
    rows = [] if position is None else repository.entries_from(session, game.id, position)
    totals = repository.totals(session, game.id)
    before = totals
    for row in rows:  # they are the last ones
        before = _plus(before, row, -1)
    shown = entries_out(session, game, rows, language, before)
    return Changed(
        from_version=since,
        version=game.version,
        game=game_out(session, game, caller, language, totals),
        entries=shown,
        removed=removed,
        entry=next(
            (_detail(game, row, out, language) for row, out in zip(rows, shown, strict=True) if row.id == own), None
        ),
    )


def snapshot_of_row(row: EntryRow) -> dict[str, Any]:
    """An entry as the history keeps it."""
    return {
        "kind": row.kind,
        "content": row.content,
        "result": row.result,
        "photo_id": row.photo_id,
        "hand": row.hand,
        "dealer": row.dealer,
        "streak": row.streak,
        "points": [*row.deltas, row.kitty_points],
    }


def history_item(game: GameRow, row: ChangeRow, language: Language) -> HistoryItem:
    """One line of the history."""
    is_entry = row.entry_id is not None
    settings = None
    if row.action == "settings" and row.before is not None and row.after is not None:
        settings = {name: [row.before[name], value] for name, value in row.after.items()}
    return HistoryItem(
        version=row.version,
        at=row.at,
        role=row.role,
        action=row.action,  # type: ignore[arg-type]
        entry_id=row.entry_id,
        undone=row.state != "done",
        before=_shown(game, row.before, language) if is_entry else None,
        after=_shown(game, row.after, language) if is_entry else None,
        settings=settings,
    )


def _shown(game: GameRow, kept: dict[str, Any] | None, language: Language) -> Shown | None:
    if kept is None:
        return None
    row = EntryRow(
        game_id=game.id,
        position=0,
        version=0,
        role="",
        kind=kept["kind"],
        ruleset="",
        options={},
        content=kept["content"],
        result={},
    )
    *deltas, kitty = kept["points"]
    return Shown(
        kind=kept["kind"],
        text=entry_text(game, row, EntryRecord.model_validate(kept["result"]), language),
        hand=kept["hand"],
        dealer=seat_code(kept["dealer"]),
        streak=kept["streak"],
        deltas=deltas,
        kitty=kitty,
        note=kept["content"].get("note", ""),
    )


def seats_of(game: GameRow, language: Language) -> list[str]:
    """What the players are called."""
    return [name or translate(language, f"seat.{seat.code}") for name, seat in zip(game.players, SEATS, strict=True)]
