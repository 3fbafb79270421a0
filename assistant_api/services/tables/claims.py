"""A declared win between table and settlement: what the table shows of it, and what the log says of the opened hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from assistant_api.errors import UsageError
from assistant_api.languages import Language
from assistant_api.live_schemas import ClaimDraft, Evidence, Proof
from assistant_api.schemas import DraftTile, Facts, Group, PlacedTile
from assistant_api.services import hand_draft
from assistant_api.services.live.table import LiveHand
from assistant_api.services.tables.acts import declared
from assistant_api.services.tables.shown import in_words, ruling_document
from assistant_api.services.tables.store import Line
from engine.events import WinClaim
from engine.judging import Ruling, win_context
from engine.reasons import Reason
from engine.table import TableState
from engine.tiles import Face, Tile, Unseen
from engine.verdicts import Refusal


def draft(hand: LiveHand | None) -> ClaimDraft:
    """The melds, flowers, gold and winning tile of the seat that declared a win; its hand is still closed.

    Raises:
        UsageError: nobody has declared a win.
    """
    state, claim = _claimed(hand)
    seat = state.seats[claim.seat]
    tiles: list[DraftTile] = []
    for number, meld in enumerate(seat.melds):
        tiles += [_tile(f"m{number}-{place}", face, "meld", number) for place, face in enumerate(meld.tiles)]
    tiles += [_tile(f"f{place}", face, "flowers") for place, face in enumerate(seat.flowers)]
    if state.gold is not None:
        tiles.append(_tile("gold", state.gold, "gold"))
    if isinstance(claim.tile, Tile):
        tiles.append(_tile("winning", claim.tile, "winning"))
    kinds = {number: meld.kind for number, meld in enumerate(seat.melds) if meld.is_kong}
    return ClaimDraft(tiles=tiles, facts=known_facts(state, claim).model_copy(update={"meld_kinds": kinds}))


def known_facts(state: TableState, claim: WinClaim, *, passed: bool | None = None) -> Facts:
    """What the log knows of a win. ``state`` is the table before it was declared."""
    facts = win_context(state, claim, ()).facts
    offered = state.put_up
    given = offered.seat.code if offered is not None and claim.source.is_from_other else None
    return Facts.model_validate(
        {
            "winner": claim.seat.code,
            "source": claim.source,
            "from_seat": given,
            "dealer": state.dealer.code,
            "streak": state.streak,
            "round_wind": None if state.round_wind is None else state.round_wind.code,
            "gold_discarded": bool(state.seats[claim.seat].gold_thrown),
            "dealers_first_discard": facts.dealers_first_discard,
            "last_tile": facts.last_tile,
            "last_of_kind": facts.last_of_kind,
            "passed": passed,
        }
    )


def prove(
    hand: LiveHand | None,
    tiles: Sequence[PlacedTile],
    facts: Facts,
    lines: Sequence[Line],
    pictures: Mapping[int, str],
    language: Language,
) -> Proof:
    """What the log says of the declared win when the hand holds these tiles.

    Raises:
        UsageError: nobody has declared a win.
        NotationError: a tile has an unknown code.
    """
    state, claim = _claimed(hand)
    assert hand is not None
    placed = hand_draft.place(tiles, facts)
    winning = placed.of("winning")
    concealed = (*placed.of("hand"), *(winning if claim.source.is_own_draw else ()))
    tile = claim.tile if isinstance(claim.tile, Tile) else next(iter(winning), None)
    opened = replace(claim, tile=tile, hand=concealed)
    ruling = hand.referee.judge(opened)
    assert isinstance(ruling, Ruling)
    shown = in_words(ruling_document(ruling, opened, lines, pictures), language)
    locked = isinstance(ruling.verdict, Refusal) and ruling.verdict.reason is Reason.PASS_LOCK
    return Proof(
        stands=shown["stands"],
        certain=shown["certain"],
        code=shown["code"],
        text=shown.get("message"),
        evidence=[
            Evidence.model_validate({name: one[name] for name in Evidence.model_fields}) for one in shown["evidence"]
        ],
        facts=known_facts(state, claim, passed=locked),
    )


def _claimed(hand: LiveHand | None) -> tuple[TableState, WinClaim]:
    """The table before a win was declared, and the win."""
    if hand is None:
        raise UsageError("no hand is being followed at this table; expected a declared win")
    claim = declared(hand.state)
    before = hand.state.before_claims
    return (hand.state if before is None else before), claim


def _tile(name: str, face: Face, group: Group, meld: int | None = None) -> DraftTile:
    code = face.code
    return DraftTile(
        id=name,
        tile=code,
        group=group,
        meld=meld,
        read=code,
        confidence=1.0,
        alternatives=[],
        quad=None,
        sure=face is not Unseen.UNREADABLE,
    )
