"""From checked tiles to a settlement: preview it, and keep it once a person says so."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Engine

from assistant_api import repository
from assistant_api.errors import ConflictError, NotSettledError
from assistant_api.languages import Language, translate
from assistant_api.schemas import Facts, HandOut, HandPage, PlacedTile, Preview, Question, SettlementRequest
from assistant_api.services import hand_draft, rules, verdicts
from assistant_api.services.records import SettlementRecord, settlement_out
from assistant_api.storage import HandRow, transaction
from engine.context import TableFacts
from engine.rulesets import Ruleset
from engine.seats import Seat
from engine.tiles import Face, Tile
from engine.verdicts import CannotKnow, Refusal


@dataclass(frozen=True, slots=True)
class Judged:
    """A request with its ruleset and the answer to it."""

    ruleset: Ruleset
    preview: Preview
    settlement: SettlementRecord | None


def table_facts(facts: Facts, winning: Face | None) -> TableFacts:
    """The facts of the table in the engine's form; a person says of the winning tile only whether it was passed."""
    passed = frozenset({winning} if facts.passed and isinstance(winning, Tile) else ())
    return TableFacts(
        gold_discarded=facts.gold_discarded,
        passed_kinds=None if facts.passed is None else passed,
        dealers_first_discard=facts.dealers_first_discard,
        last_tile=facts.last_tile,
        last_of_kind=facts.last_of_kind,
    )


def judge(request: SettlementRequest, *, default_ruleset: str, language: Language) -> Judged:
    """Check the tiles, judge the win and settle it; nothing is stored."""
    ruleset = rules.resolve(request.ruleset or default_ruleset, request.options)
    placed = hand_draft.place(request.tiles, request.facts)
    check = hand_draft.check(placed, ruleset, language)
    line = hand_draft.hand_line(placed, request.facts)
    found = verdicts.answer(line, table_facts(request.facts, line.winning_tile), ruleset)
    asked = verdicts.questions(found.verdict, language) if isinstance(found.verdict, CannotKnow) else []
    if found.legal is not False:
        asked += [
            Question(fact="meld_kind", text=translate(language, "facts.meld_kind_ask"))
            for meld in check.melds
            if not meld.certain
        ]
    settled = found.settlement if not asked and check.complete else None
    preview = Preview(
        check=check,
        legal=None if found.legal and settled is None else found.legal,
        refusal=verdicts.refusal(found.verdict, language) if isinstance(found.verdict, Refusal) else None,
        questions=asked,
        settlement=settlement_out(settled, language) if settled else None,
    )
    return Judged(ruleset, preview, settled)


def save(
    database: Engine,
    request: SettlementRequest,
    *,
    default_ruleset: str,
    language: Language,
    idempotency_key: str | None = None,
) -> tuple[HandOut, bool]:
    """Settle a hand anew and keep it, in one transaction; the page's own figures are never trusted.

    Returns:
        The hand, and whether it is new: False when it had been saved under this key before.

    Raises:
        NotSettledError: it is refused, or facts are missing.
        NotFoundError: the photo is not kept (any more).
        ConflictError: the key was used for another hand.
    """
    judged = judge(request, default_ruleset=default_ruleset, language=language)
    if judged.settlement is None:
        raise _not_settled(judged.preview)
    row = _row(request, judged.ruleset, judged.settlement, idempotency_key)
    with transaction(database, writes=True) as session:
        if idempotency_key and (earlier := repository.find_hand_by_key(session, idempotency_key)):
            return _same_hand(earlier, row, language), False
        if request.photo_id is not None:
            repository.get_photo(session, request.photo_id)
        return hand_out(repository.add_hand(session, row), language), True


def _not_settled(answer: Preview) -> NotSettledError:
    reason = answer.refusal.text if answer.refusal else "; ".join(asked.text for asked in answer.questions)
    return NotSettledError(reason or answer.check.count_text, answer.model_dump(mode="json", by_alias=True))


def _same_hand(earlier: HandRow, row: HandRow, language: Language) -> HandOut:
    kept, asked = ((hand.tiles, hand.facts, hand.ruleset, hand.options) for hand in (earlier, row))
    if kept != asked:
        raise ConflictError(f"the key {earlier.idempotency_key!r} was used for another hand; expected a fresh one")
    return hand_out(earlier, language)


def _row(request: SettlementRequest, ruleset: Ruleset, settlement: SettlementRecord, key: str | None) -> HandRow:
    east, south, west, north = settlement.deltas
    return HandRow(
        photo_id=request.photo_id,
        idempotency_key=key,
        ruleset=ruleset.name,
        options=dict(ruleset.values()),
        tiles=[tile.model_dump(mode="json") for tile in request.tiles],
        facts=request.facts.model_dump(mode="json"),
        result=settlement.model_dump(mode="json"),
        winner=Seat.parse(settlement.winner),
        dealer=Seat.parse(settlement.dealer),
        streak=settlement.streak,
        delta_east=east,
        delta_south=south,
        delta_west=west,
        delta_north=north,
    )


def hand_out(row: HandRow, language: Language) -> HandOut:
    """A saved hand as it goes over the wire."""
    assert row.id is not None
    return HandOut(
        id=row.id,
        created_at=row.created_at,
        ruleset=row.ruleset,
        options=row.options,
        tiles=[PlacedTile.model_validate(tile) for tile in row.tiles],
        facts=Facts.model_validate(row.facts),
        result=settlement_out(SettlementRecord.model_validate(row.result), language),
        winner=Seat(row.winner).code,  # type: ignore[arg-type]
        dealer=Seat(row.dealer).code,  # type: ignore[arg-type]
        streak=row.streak,
        deltas=list(row.deltas),
        photo_url=f"/api/photos/{row.photo_id}" if row.photo_id else None,
    )


def list_hands(database: Engine, *, limit: int, before: int | None, language: Language) -> HandPage:
    """Saved hands, newest first, with the running totals."""
    with transaction(database) as session:
        page = repository.list_hands(session, limit=limit, before=before)
        return HandPage(
            hands=[hand_out(row, language) for row in page.hands],
            totals=list(repository.totals(session)),
            count=repository.count_hands(session),
            next_before=page.next_before,
        )


def get_hand(database: Engine, hand_id: int, language: Language) -> HandOut:
    """One saved hand; NotFoundError when there is none."""
    with transaction(database) as session:
        return hand_out(repository.get_hand(session, hand_id), language)


def delete_hand(database: Engine, hand_id: int) -> None:
    """Take a hand back, with its photo; NotFoundError when there is none."""
    with transaction(database, writes=True) as session:
        repository.delete_hand(session, hand_id)


def known_facts(database: Engine) -> Facts:
    """What the saved hands tell about the next one: who deals, and the streak."""
    with transaction(database) as session:
        page = repository.list_hands(session, limit=1)
    if not page.hands:
        return Facts(streak=0)
    last = SettlementRecord.model_validate(page.hands[0].result)
    return Facts(dealer=last.next_dealer, streak=last.next_streak)
