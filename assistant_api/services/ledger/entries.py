"""Entries of the ledger: add, edit, remove, undo, redo. Each is one transaction; all later entries are played again."""

from __future__ import annotations

from typing import Any

from sqlmodel import Session

from assistant_api import repository
from assistant_api.errors import DealMovedError, NothingToUndoError
from assistant_api.game_schemas import Changed, EntryDetail, EntryIn, EntryPage, HistoryPage, WinIn, WinnerIn
from assistant_api.rows import ChangeRow, EntryRow, GameRow, PhotoRow
from assistant_api.schemas import Facts
from assistant_api.services import photo_settlement
from assistant_api.services.ledger import access, replay, views
from assistant_api.services.ledger.access import Caller
from assistant_api.services.ledger.book import Book, Call
from assistant_api.services.ledger.writing import Answer, Step, write
from assistant_api.storage import transaction
from engine.game import Deal
from engine.rulesets import TableRules


def add(book: Book, call: Call, code: str, content: EntryIn, before: int | None = None) -> Answer[Changed]:
    """Enter a hand, a penalty, an escape or who deals; at the end, or before the entry with this number.

    Raises:
        NotSettledError: the win is refused, or facts are missing.
        DealMovedError: the win says another deal than the ledger.
        LaterHandError: entered before others, one of them would become impossible.
        NotFoundError: the photo, or the entry to come before, is not kept (any more).
        LedgerError: something else does not fit; see `assistant_api.errors`.
    """

    def work(session: Session, game: GameRow, caller: Caller) -> Step:
        row = insert(session, game, caller, content, call, before=before)
        return Step("add", row.id, after=views.snapshot_of_row(row))

    return write(book, call, code, f"add {before}", content, work, status=201)


def insert(
    session: Session,
    game: GameRow,
    caller: Caller,
    content: EntryIn,
    call: Call,
    *,
    before: int | None = None,
    rules: TableRules | None = None,
) -> EntryRow:
    """Put a new entry into the open transaction, by the rules of the game unless others are given."""
    rules = rules or replay.rules_of(game)
    position = repository.next_position(session, game.id)
    if before is not None:
        position = repository.get_entry(session, game.id, before).position
        repository.make_room(session, game.id, position)
    checked = _checked(session, game, position, content, rules, call)
    row = EntryRow(
        game_id=game.id,
        position=position,
        version=game.version,
        role=caller.role,
        kind=content.kind,
        ruleset=rules.base,
        options=dict(rules.values()),
        content={},
        result={},
    )
    _fill(session, game, row, checked)
    session.add(row)
    session.flush()
    replay.replay(session, game, position, row)
    return row


class _TriedError(Exception):
    """Takes a trial back, whole."""


def try_out(book: Book, call: Call, code: str, content: EntryIn, entry_id: int | None = None) -> Changed:
    """What entering this, or correcting the entry with this number to it, would change; nothing is kept.

    Raises: as `add`.
    """
    answer: Changed | None = None
    try:
        with transaction(book.database, writes=True) as session:
            game, caller = access.open_for_writing(session, code, call.token)
            access.check_open(game)
            seen = game.version
            game.version += 1
            session.add(game)
            if entry_id is None:
                row = insert(session, game, caller, content, call)
            else:
                row = repository.get_entry(session, game.id, entry_id)
                _correct(session, game, row, content, call)
            answer = views.changed(session, game, caller, seen, call.language, row.id)
            raise _TriedError
    except _TriedError:
        assert answer is not None
        return answer


def edit(book: Book, call: Call, code: str, entry_id: int, content: EntryIn) -> Answer[Changed]:
    """Correct an entry; it keeps its place and its rules, all later ones are played again.

    Raises: as `add`.
    """

    def work(session: Session, game: GameRow, caller: Caller) -> Step:
        row = repository.get_entry(session, game.id, entry_id)
        before = views.snapshot_of_row(row)
        old_photo = row.photo_id
        _correct(session, game, row, content, call)
        if old_photo != row.photo_id:
            repository.delete_photos(session, [old_photo])
        return Step("edit", entry_id, before, views.snapshot_of_row(row))

    return write(book, call, code, f"edit {entry_id}", content, work)


def _correct(session: Session, game: GameRow, row: EntryRow, content: EntryIn, call: Call) -> None:
    """Put other content into an entry and play all later ones again."""
    checked = _checked(session, game, row.position, content, replay.rules_of(row), call)
    row.kind, row.version = content.kind, game.version
    _fill(session, game, row, checked)
    session.add(row)
    replay.replay(session, game, row.position, row)


def remove(book: Book, call: Call, code: str, entry_id: int) -> Answer[Changed]:
    """Take an entry out, with its photo; all later ones are played again.

    Raises:
        NotFoundError: there is none.
        LaterHandError: a later hand would become impossible.
    """

    def work(session: Session, game: GameRow, caller: Caller) -> Step:
        row = repository.get_entry(session, game.id, entry_id)
        photo_id, row.photo_id = row.photo_id, None
        before = views.snapshot_of_row(row)
        _set_removed(session, game, row, True)
        repository.delete_photos(session, [photo_id])
        return Step("remove", entry_id, before)

    return write(book, call, code, f"remove {entry_id}", None, work)


def undo(book: Book, call: Call, code: str) -> Answer[Changed]:
    """Take back the last change to the entries, whatever it was; NothingToUndoError when there is none.

    A deleted photo does not come back.
    """

    def work(session: Session, game: GameRow, caller: Caller) -> Step:
        change = repository.last_done(session, game.id)
        if change is None:
            raise NothingToUndoError("no change is left to take back")
        change.state = "undone"
        return _restore(session, game, change, "undo", change.before, change.after)

    return write(book, call, code, "undo", None, work)


def redo(book: Book, call: Call, code: str) -> Answer[Changed]:
    """Do again what was taken back last; NothingToUndoError when there is nothing, or something new came after it."""

    def work(session: Session, game: GameRow, caller: Caller) -> Step:
        change = repository.first_undone(session, game.id)
        if change is None:
            raise NothingToUndoError("no change was taken back, or something new was entered since")
        change.state = "done"
        return _restore(session, game, change, "redo", change.after, change.before)

    return write(book, call, code, "redo", None, work)


def _restore(
    session: Session,
    game: GameRow,
    change: ChangeRow,
    action: Any,
    target: dict[str, Any] | None,
    other: dict[str, Any] | None,
) -> Step:
    """Bring the entry of a change to how it was before it, or after it; None is not there."""
    row = session.get_one(EntryRow, change.entry_id)
    session.add(change)
    if target is None:
        _set_removed(session, game, row, True)
    else:
        row.kind, row.content = target["kind"], target["content"]
        photo = session.get(PhotoRow, target["photo_id"]) if target["photo_id"] else None
        row.photo_id = photo.id if photo else None
        _set_removed(session, game, row, False)
    return Step(action, row.id, other, None if target is None else views.snapshot_of_row(row))


def _set_removed(session: Session, game: GameRow, row: EntryRow, removed: bool) -> None:
    row.removed, row.version = removed, game.version
    session.add(row)
    session.flush()
    replay.replay(session, game, row.position, None if removed else row)


def _fill(session: Session, game: GameRow, row: EntryRow, content: EntryIn) -> None:
    """Put into a row what was said; its photo is kept as long as the game wants."""
    photo_id = content.photo_id if isinstance(content, WinIn) else None
    row.content = content.model_dump(mode="json", exclude={"photo_id"})
    if photo_id is not None and photo_id != row.photo_id:
        photo = repository.get_photo(session, photo_id)
        if game.photo_retention == "none":
            session.delete(photo)
            photo_id = None
    row.photo_id = photo_id


def _checked(
    session: Session, game: GameRow, position: int, content: EntryIn, rules: TableRules, call: Call
) -> EntryIn:
    """The entry without what the ledger knows by itself; a win is judged here, so that a refusal says all about it."""
    if not isinstance(content, WinIn):
        return content
    deal = replay.state_before(session, game, position).deal(rules)
    replay.check_winners(content, rules)
    replay.check_hands_left(deal.hand, rules)
    for one in (content, *content.also_won):
        photo_settlement.must_settle(one.tiles, with_deal(one.facts, deal), rules, call.language)
    return content.model_copy(
        update={
            "facts": _own_facts(content.facts, deal),
            "also_won": [WinnerIn(tiles=one.tiles, facts=_own_facts(one.facts, deal)) for one in content.also_won],
        }
    )


def with_deal(facts: Facts, deal: Deal) -> Facts:
    """Facts with what the ledger knows; DealMovedError when they say something else."""
    known = {
        "dealer": views.seat_code(deal.dealer),
        "streak": deal.streak,
        "round_wind": views.seat_code(deal.round_wind),
    }
    for name, value in known.items():
        said = getattr(facts, name)
        if value is not None and said is not None and said != value:
            raise DealMovedError(
                f"the ledger has {name} {value} for this hand, not {said}; leave it out, or look again"
            )
    return facts.model_copy(update={name: value for name, value in known.items() if value is not None})


def _own_facts(facts: Facts, deal: Deal) -> Facts:
    """Facts without what the ledger knows: it may change when an earlier entry is corrected."""
    left_out = {
        name: None
        for name, value in (("dealer", deal.dealer), ("streak", deal.streak), ("round_wind", deal.round_wind))
        if value is not None
    }
    return facts.model_copy(update=left_out)


def listed(book: Book, call: Call, code: str, *, limit: int, before: int | None) -> EntryPage:
    """Entries, newest first; ``before`` is the id of the last entry of the page before."""
    with transaction(book.database) as session:
        game, _ = access.open_game(session, code, call.token)
        position = None if before is None else repository.get_entry(session, game.id, before).position
        rows = repository.list_entries(session, game.id, limit=limit + 1, before=position)
        shown = rows[:limit][::-1]
        out = views.entries_out(session, game, shown, call.language)[::-1]
        more = shown[0].id if len(rows) > limit else None
        return EntryPage(entries=out, next_before=more, version=game.version)


def detail(book: Book, call: Call, code: str, entry_id: int) -> EntryDetail:
    """One entry."""
    with transaction(book.database) as session:
        game, _ = access.open_game(session, code, call.token)
        row = repository.get_entry(session, game.id, entry_id)
        return views.entry_detail(session, game, row, call.language)


def history(book: Book, call: Call, code: str, *, limit: int, before: int | None, entry_id: int | None) -> HistoryPage:
    """What was done, newest first; of one entry when its id is given."""
    with transaction(book.database) as session:
        game, _ = access.open_game(session, code, call.token)
        rows = repository.list_changes(session, game.id, limit=limit + 1, before=before, entry_id=entry_id)
        shown = rows[:limit]
        return HistoryPage(
            changes=[views.history_item(game, row, call.language) for row in shown],
            next_before=shown[-1].version if len(rows) > limit else None,
        )
