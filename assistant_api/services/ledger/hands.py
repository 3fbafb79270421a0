"""Hands as the scan page settles them: in a game, whose ledger knows rules and deal, or in the list without a game."""

from __future__ import annotations

from sqlmodel import Session

from assistant_api import repository
from assistant_api.errors import NotFoundError, UsageError
from assistant_api.game_schemas import EntryDetail, WinIn
from assistant_api.rows import EARLIER_HANDS, GameRow
from assistant_api.schemas import Facts, HandOut, HandPage, Preview, SettlementRequest
from assistant_api.services import photo_settlement
from assistant_api.services.ledger import access, entries, replay, views
from assistant_api.services.ledger.access import Caller
from assistant_api.services.ledger.book import Book, Call
from assistant_api.services.ledger.writing import Answer, Step, write
from assistant_api.storage import transaction
from engine.rulesets import TableRules


def preview(book: Book, call: Call, request: SettlementRequest) -> Preview:
    """Judge a hand and settle it without keeping anything."""
    if request.game is None:
        return photo_settlement.judge(request, default_ruleset=book.ruleset, language=call.language).preview
    _no_rules_beside_game(request)
    with transaction(book.database) as session:
        game, _ = access.open_game(session, request.game, call.token)
        row = None if request.entry is None else repository.get_entry(session, game.id, request.entry)
        rules = replay.rules_of(row or game)
        deal = replay.state_before(session, game, row.position if row else None).deal(rules)
    facts = entries.with_deal(request.facts, deal)
    return photo_settlement.judge_hand(request.tiles, facts, rules, call.language).preview


def save(book: Book, call: Call, request: SettlementRequest) -> Answer[HandOut]:
    """Settle a hand anew and keep it; the page's own figures are never trusted. `Answer.replayed`: kept before.

    Raises: as `entries.add`.
    """
    code = request.game or EARLIER_HANDS
    rules = None
    if request.game is None:
        rules = replay.table_rules(request.ruleset or book.ruleset, request.options)
    else:
        _no_rules_beside_game(request)
    content = WinIn(kind="win", tiles=request.tiles, facts=request.facts, photo_id=request.photo_id)

    def work(session: Session, game: GameRow, caller: Caller) -> Step:
        row = entries.insert(session, game, caller, content, call, rules=rules)
        return Step("add", row.id, after=views.snapshot_of_row(row))

    answer = write(book, call, code, "save", request, work, status=201)
    assert answer.body.entry is not None
    return Answer(hand_out(answer.body.entry), 200 if answer.replayed else 201, answer.replayed)


def _no_rules_beside_game(request: SettlementRequest) -> None:
    if request.ruleset is not None or request.options:
        raise UsageError("the game has its own rules; expected ruleset and options to be left out beside game")


def hand_out(entry: EntryDetail) -> HandOut:
    """A won hand as it goes over the wire."""
    assert isinstance(entry.content, WinIn)
    settled = entry.settlements[0]
    facts = entry.content.facts.model_copy(
        update={
            "dealer": entry.dealer,
            "streak": entry.streak,
            "round_wind": entry.content.facts.round_wind or entry.round_wind,
        }
    )
    return HandOut(
        id=entry.id,
        created_at=entry.created_at,
        ruleset=entry.ruleset,
        options=entry.options,
        tiles=entry.content.tiles,
        facts=facts,
        result=settled,
        winner=settled.winner,
        dealer=settled.dealer,
        streak=entry.streak or 0,
        deltas=entry.deltas,
        photo_url=entry.photo_url,
    )


def listed(book: Book, call: Call, *, limit: int, before: int | None) -> HandPage:
    """The hands saved without a game, newest first, with their running totals."""
    with transaction(book.database) as session:
        game, _ = access.open_game(session, EARLIER_HANDS, None)
        rows = repository.list_entries(session, game.id, limit=limit + 1, before_id=before)
        details = views.entries_detail(session, game, rows[:limit][::-1], call.language)[::-1]
        totals = repository.totals(session, game.id)
        return HandPage(
            hands=[hand_out(entry) for entry in details if entry.kind == "win"],
            totals=list(totals.points),
            count=totals.kinds.get("win", 0),
            next_before=details[-1].id if len(rows) > limit else None,
        )


def detail(book: Book, call: Call, hand_id: int) -> HandOut:
    """One hand saved without a game; NotFoundError when there is none."""
    entry = entries.detail(book, call, EARLIER_HANDS, hand_id)
    if entry.kind != "win":
        raise NotFoundError(f"there is no hand {hand_id}")
    return hand_out(entry)


def known_facts(book: Book, call: Call, code: str | None = None) -> Facts:
    """What the ledger tells about the next hand of a game; without a game, what the last saved hand tells."""
    with transaction(book.database) as session:
        game, _ = access.open_game(session, code or EARLIER_HANDS, call.token)
        last = repository.entry_before(session, game.id)
        if game.id == EARLIER_HANDS:
            if last is None:
                return Facts(streak=0)
            return Facts(dealer=views.seat_code(last.next_dealer), streak=last.next_streak)
        deal = replay.state_before(session, game).deal(replay.rules_of(game))
        return entries.with_deal(Facts(), deal)


def rules_for(book: Book, call: Call, code: str | None) -> TableRules:
    """The rules of a game, or the server's own."""
    if code is None:
        return replay.table_rules(book.ruleset, {})
    with transaction(book.database) as session:
        game, _ = access.open_game(session, code, call.token)
        return replay.rules_of(game)


def remove(book: Book, call: Call, hand_id: int) -> None:
    """Take back a hand saved without a game, with its photo; NotFoundError when there is none."""
    entries.remove(book, call, EARLIER_HANDS, hand_id)
