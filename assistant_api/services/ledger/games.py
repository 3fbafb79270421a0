"""Games: begin one, change its settings, join it, share it, finish it, delete it."""

from __future__ import annotations

from typing import Any

from sqlmodel import Session

from assistant_api import repository
from assistant_api.errors import NotFoundError, ReadOnlyError, RulesFixedError, UsageError
from assistant_api.game_schemas import BegunGame, Changed, GameChange, GameOut, GamePage, Join, NewGame
from assistant_api.languages import Language
from assistant_api.rows import EARLIER_HANDS, GameRow, ReceiptRow, now, unguessable
from assistant_api.schemas import RulesetOut
from assistant_api.services import rules
from assistant_api.services.ledger import access, replay, views
from assistant_api.services.ledger.access import HOST, VIEWER, Caller
from assistant_api.services.ledger.book import Book, Call
from assistant_api.services.ledger.writing import (
    Answer,
    Step,
    delete_once,
    find_receipt,
    fingerprint,
    keep_step,
    once,
    write,
)
from assistant_api.storage import transaction
from engine.seats import Seat

_BEGINNING = "begin"
_FIXED = ("ruleset", "options", "first_dealer", "starting_points")


def begin(book: Book, call: Call, wanted: NewGame) -> Answer[BegunGame]:
    """Begin a game. The caller gets its token; asked again with the same key, a fresh one for the same game.

    Raises:
        RulesetError: there is no such ruleset or option.
        ConflictError: the key was used for something else.
    """
    played = replay.table_rules(wanted.ruleset or book.ruleset, wanted.options)
    _fits_rounds(played.has_rounds, wanted.first_dealer)
    mark = fingerprint(_BEGINNING, wanted)

    def work() -> Answer[BegunGame]:
        with transaction(book.database, writes=True) as session:
            receipt = find_receipt(session, _BEGINNING, call.key, mark)
            if receipt is not None:
                game = _still_there(session, receipt)
                return _begun(session, game, call.language, replayed=True)
            game = GameRow(
                title=wanted.title,
                players=wanted.players,
                starting_points=wanted.starting_points,
                stake_per_point_cents=wanted.stake_per_point_cents,
                ruleset=played.base,
                options=dict(played.values()),
                first_dealer=None if wanted.first_dealer is None else Seat.parse(wanted.first_dealer),
                photo_retention=wanted.photo_retention,
                photo_days=wanted.photo_days,
            )
            session.add(game)
            session.flush()
            keep_step(session, game, Caller(HOST, True), Step("begin"))
            if call.key is not None:
                session.add(
                    ReceiptRow(scope=_BEGINNING, key=call.key, fingerprint=mark, status=201, body={"game": game.id})
                )
                session.flush()
            return _begun(session, game, call.language)

    return once(work)


def _fits_rounds(has_rounds: bool, first_dealer: str | None) -> None:
    if has_rounds and first_dealer != "E":
        raise UsageError(f"in a game with rounds East deals first, not {first_dealer}; expected first_dealer E")


def _still_there(session: Session, receipt: ReceiptRow) -> GameRow:
    game = session.get(GameRow, (receipt.body or {})["game"])
    if game is None:
        raise NotFoundError("the game begun with this key was deleted; expected a fresh key")
    return game


def _begun(session: Session, game: GameRow, language: Language, *, replayed: bool = False) -> Answer[BegunGame]:
    token = access.admit(session, game, HOST)
    out = views.game_out(session, game, Caller(HOST, True), language)
    return Answer(BegunGame(game=out, token=token), 201, replayed)


def join(book: Book, call: Call, code: str, wanted: Join) -> Answer[BegunGame]:
    """Give a phone its own token and role. The share code makes viewers; other roles need a token for writing.

    Raises:
        NotFoundError, TokenError: see `access.open_game`.
        ReadOnlyError: a viewer cannot take a seat.
    """
    mark = fingerprint("join", wanted)

    def work() -> Answer[BegunGame]:
        with transaction(book.database, writes=True) as session:
            game, caller = access.open_game(session, code, call.token)
            if wanted.role != VIEWER and not caller.can_write:
                raise ReadOnlyError("this link or role joins as viewer only; expected a token for writing")
            scope = f"join {game.id}"
            receipt = find_receipt(session, scope, call.key, mark)
            if receipt is None and call.key is not None:
                session.add(ReceiptRow(scope=scope, key=call.key, fingerprint=mark, status=201))
                session.flush()
            joined = Caller(wanted.role, wanted.role != VIEWER)
            token = access.admit(session, game, wanted.role)
            out = views.game_out(session, game, joined, call.language)
            return Answer(BegunGame(game=out, token=token), 201, receipt is not None)

    return once(work)


def detail(book: Book, call: Call, code: str) -> GameOut:
    """A game as it stands."""
    with transaction(book.database) as session:
        game, caller = access.open_game(session, code, call.token)
        return views.game_out(session, game, caller, call.language)


def listed(book: Book, call: Call, codes: list[str], *, limit: int, before: str | None) -> GamePage:
    """The games the caller can open by share codes and token, newest first; also the hands without a game, if any.

    Raises:
        NotFoundError: ``before`` is no game.
    """
    with transaction(book.database) as session:
        moment = None
        if before is not None:
            last = repository.find_game(session, before)
            if last is None:
                raise NotFoundError(f"there is no game {before!r}")
            moment = last.created_at
        member = repository.find_member(session, access.digest(call.token)) if call.token else None
        own = member.game_id if member else None
        shared = [*codes, EARLIER_HANDS] if repository.totals(session, EARLIER_HANDS).kinds else codes
        games = repository.list_games(session, shared, own, limit=limit + 1, before=moment)
        shown = games[:limit]
        out = []
        for game in shown:
            _, caller = access.open_game(session, game.id if game.id == own else game.share_code, call.token)
            out.append(views.game_out(session, game, caller, call.language))
        return GamePage(games=out, next_before=shown[-1].share_code if len(games) > limit else None)


def rulebook(book: Book, call: Call, code: str) -> RulesetOut:
    """The rules of a game with the value, choices and meaning of every option."""
    with transaction(book.database) as session:
        game, _ = access.open_game(session, code, call.token)
        return rules.describe(replay.rules_of(game), call.language)


def change(book: Book, call: Call, code: str, wanted: GameChange) -> Answer[Changed]:
    """Change settings of a game.

    Raises:
        RulesFixedError: a hand is entered already, and the rules are not to hold for later hands only.
        RulesetError: there is no such ruleset or option.
        UsageError: the settings do not fit together.
    """

    def work(session: Session, game: GameRow, caller: Caller) -> Step:
        if game.id == EARLIER_HANDS:
            raise ReadOnlyError("the hands without a game have no settings; begin a game")
        values = _wanted(game, wanted)
        begun = bool(repository.totals(session, game.id).kinds)
        if begun and (
            any(name in values for name in ("first_dealer", "starting_points"))
            or ("options" in values and not wanted.from_now_on)
        ):
            raise RulesFixedError(
                "a hand is entered by these rules; send from_now_on to set new ones for later hands, "
                "and an entry of kind deal to set who deals"
            )
        before = {name: getattr(game, name) for name in values}
        for name, value in values.items():
            setattr(game, name, value)
        session.add(game)
        if game.photo_retention == "none":
            repository.delete_photos_of(session, game.id)
        return Step("settings", None, before, values)

    return write(book, call, code, "settings", wanted, work)


def _wanted(game: GameRow, wanted: GameChange) -> dict[str, Any]:
    """The settings that become others, in the form they are kept."""
    values: dict[str, Any] = wanted.model_dump(
        exclude_none=True, include={"title", "players", "stake_per_point_cents", "starting_points"}
    )
    if wanted.ruleset is not None or wanted.options is not None:
        same = wanted.ruleset in (None, game.ruleset)
        base = game.options if same else {}
        played = replay.table_rules(wanted.ruleset or game.ruleset, base).with_options(wanted.options or {})
        values |= {"ruleset": played.base, "options": dict(played.values())}
    if wanted.first_dealer is not None:
        values["first_dealer"] = int(Seat.parse(wanted.first_dealer))
    if wanted.photo_retention is not None or wanted.photo_days is not None:
        retention = wanted.photo_retention or game.photo_retention
        if (retention == "days") != (wanted.photo_days is not None):
            raise UsageError("photo_days belongs to photo_retention days, which needs it")
        values |= {"photo_retention": retention, "photo_days": wanted.photo_days}
    values = {name: value for name, value in values.items() if getattr(game, name) != value}
    played = replay.table_rules(values.get("ruleset", game.ruleset), values.get("options", game.options))
    first = values.get("first_dealer", game.first_dealer)
    _fits_rounds(played.has_rounds, views.seat_code(first))
    return values


def share(book: Book, call: Call, code: str) -> Answer[Changed]:
    """A new share code; links with the old one open nothing any more."""

    def work(session: Session, game: GameRow, caller: Caller) -> Step:
        if game.id == EARLIER_HANDS:
            raise ReadOnlyError("the hands without a game are open to everybody here; begin a game to share it")
        game.share_code = unguessable()
        session.add(game)
        return Step("share")

    return write(book, call, code, "share", None, work, finished_too=True)


def finish(book: Book, call: Call, code: str) -> Answer[Changed]:
    """Close a game for writing; photos that are kept until then are deleted."""

    def work(session: Session, game: GameRow, caller: Caller) -> Step:
        if game.id == EARLIER_HANDS:
            raise ReadOnlyError("the hands without a game are never finished; begin a game")
        game.finished_at = now()
        session.add(game)
        if game.photo_retention == "until_finished":
            repository.delete_photos_of(session, game.id)
            session.expire_all()
        return Step("finish")

    return write(book, call, code, "finish", None, work)


def reopen(book: Book, call: Call, code: str) -> Answer[Changed]:
    """Open a finished game for writing again; an open one stays as it is."""

    def work(session: Session, game: GameRow, caller: Caller) -> Step:
        game.finished_at = None
        session.add(game)
        return Step("reopen")

    return write(book, call, code, "reopen", None, work, finished_too=True)


def delete(book: Book, call: Call, code: str) -> bool:
    """Delete a game with its photos, history and tokens; of the hands without a game, all hands.

    Returns:
        Whether it was done before, under the same key.
    """
    deleted: list[str] = []

    def work(session: Session) -> None:
        game, _ = access.open_for_writing(session, code, call.token)
        deleted.append(game.id)
        repository.delete_photos_of(session, game.id)
        repository.clear_game(session, game.id)
        if game.id == EARLIER_HANDS:
            game.version += 1
            session.add(game)
        else:
            session.delete(game)

    replayed = delete_once(book, call, f"delete game {code}", work)
    for game_id in deleted:
        book.bell.ring(game_id)
    return replayed
