"""Reads worked cases: JSON values into tiles, melds, declared wins, claims and histories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import Any, TypeVar

from engine.claims import ClaimContext
from engine.context import TableFacts, WinContext, WinSource
from engine.errors import HandError, NotationError
from engine.hand import Hand
from engine.history import Step, StepKind, is_rob_window_open
from engine.melds import Meld, MeldKind
from engine.passlock import is_dearer, passed_pungs, passed_wins
from engine.rulesets.fuzhou import Fuzhou
from engine.seats import Seat
from engine.tiles import Face, Tile, Unseen

Case = Mapping[str, Any]
Member = TypeVar("Member", bound=Enum)


def win_context(case: Case, table: Case, rules: Fuzhou) -> WinContext:
    """The declared win of a case, or of one claim in it; ``table`` holds gold, dealer and streak.

    Passed wins and the rob window are read from the history of the case.
    """
    win, flags = case["win"], case.get("flags") or {}
    context = WinContext(
        concealed=faces(case["concealed"]),
        winning_tile=None if win.get("tile") is None else face(win["tile"]),
        melds=melds(case.get("melds") or ()),
        flowers=faces(case.get("flowers") or ()),
        gold=tile_or_none(table.get("gold")),
        source=member(WinSource, win["how"], "a way to win"),
        seat=seat(case["seat"]),
        from_seat=None if win.get("from") is None else seat(win["from"]),
        dealer=seat(table["dealer"]),
        streak=number(table.get("streak", 0)),
        swap=tile_or_none(win.get("swap")),
        facts=_facts(flags),
    )
    steps = history(case.get("history") or ())
    return _with_history(context, steps, flags, rules) if steps else context


def claim_context(case: Case, claim: Case, table: Case, rules: Fuzhou) -> ClaimContext:
    """The declared chow, pung or kong of a case; ``claim`` holds its type, tile, giver and the tiles used."""
    flags = case.get("flags") or {}
    who, held = seat(case["seat"]), Hand(faces(case["concealed"]), melds(case.get("melds") or ()))
    gold, steps = tile_or_none(table.get("gold")), history(case.get("history") or ())
    passed = passed_pungs(steps, who, held, gold, rules)
    claimed = face(claim["tile"])
    if flags.get("passed_peng") and isinstance(claimed, Tile):
        passed |= {claimed}
    own = [step for step in steps if step.seat is who]
    return ClaimContext(
        kind=member(MeldKind, claim["type"], "a kind of meld"),
        tile=claimed,
        seat=who,
        concealed=held.concealed,
        melds=held.melds,
        from_seat=None if claim.get("from") is None else seat(claim["from"]),
        used=None if claim.get("with") is None else faces(claim["with"]),
        gold=gold,
        last_group=bool(flags.get("last_group")),
        just_claimed=bool(flags.get("just_claimed")) or bool(steps and steps[-1] in own and is_claim(steps[-1])),
        drawn=own[-1].tile if own and own[-1].kind is StepKind.DRAW else None,
        passed_pungs=passed,
    )


def is_claim(step: Step) -> bool:
    """Whether the step was a chow, pung or kong on a discard."""
    return step.kind is StepKind.CLAIM


def history(items: Sequence[Case]) -> tuple[Step, ...]:
    """Steps from objects with ``e``, ``seat`` and ``tile``."""
    return tuple(
        Step(member(StepKind, item["e"], "a step of a history"), seat(item["seat"]), tile_or_none(item.get("tile")))
        for item in items
    )


def _facts(flags: Case) -> TableFacts:
    """The facts the flags of a case give; what no flag tells did not happen."""
    robbed = flags.get("kong_type")
    return TableFacts(
        gold_discarded=bool(flags.get("discarded_gold")),
        passed_kinds=frozenset(),
        dearer_than_passed=bool(flags.get("higher_value_than_passed")),
        dealer_discarded=bool(flags.get("dealer_has_discarded")),
        dealers_first_discard=bool(flags.get("dealers_first_discard")),
        rob_window_open=not flags.get("rob_window_closed"),
        robbed_kong=None if robbed is None else member(MeldKind, robbed, "a kind of meld"),
        dead_hand=bool(flags.get("dead_hand")),
    )


def _with_history(context: WinContext, steps: tuple[Step, ...], flags: Case, rules: Fuzhou) -> WinContext:
    """The context with what the history tells about it."""
    facts, who, dealer = context.facts, context.seat, context.dealer
    if context.source is WinSource.ROB_GOLD and who is not None and dealer is not None:
        facts = replace(facts, rob_window_open=facts.rob_window_open and is_rob_window_open(steps, who, dealer, rules))
    own_discards = [step.tile for step in steps if step.seat is who and step.kind is StepKind.DISCARD]
    dealer_discarded = any(step.seat is dealer and step.kind is StepKind.DISCARD for step in steps)
    facts = replace(
        facts,
        gold_discarded=facts.gold_discarded or context.gold in own_discards,
        dealer_discarded=facts.dealer_discarded or dealer_discarded,
    )
    context = replace(context, facts=facts)
    passed = passed_wins(steps, context, rules)
    dearer = flags.get("higher_value_than_passed", bool(passed) and is_dearer(context, passed, rules))
    kinds = frozenset(win.tile for win in passed)
    return replace(context, facts=replace(facts, passed_kinds=kinds, dearer_than_passed=bool(dearer)))


def face(code: object) -> Face:
    """The tile of a code; a code that names none is an unreadable tile."""
    if code == Unseen.BACK.value:
        return Unseen.BACK
    try:
        return Tile.parse(str(code))
    except NotationError:
        return Unseen.UNREADABLE


def faces(codes: Sequence[object]) -> tuple[Face, ...]:
    """The tiles of a list of codes."""
    if not isinstance(codes, list | tuple):
        raise HandError(f"{codes!r} is not a list of tiles; expected codes such as 3m in a list")
    return tuple(face(code) for code in codes)


def tile_or_none(code: object) -> Tile | None:
    """The tile of a code that must name one, or None for None."""
    return None if code is None else Tile.parse(str(code))


def melds(items: Sequence[Case]) -> tuple[Meld, ...]:
    """Melds from objects with ``type``, ``tiles`` and ``from``."""
    return tuple(
        Meld(
            member(MeldKind, item["type"], "a kind of meld"),
            faces(item["tiles"]),
            None if item.get("from") is None else seat(item["from"]),
        )
        for item in items
    )


def member(kind: type[Member], word: object, what: str) -> Member:
    """The enum member with this value; HandError lists the values."""
    try:
        return kind(word)
    except ValueError:
        expected = ", ".join(str(item.value) for item in kind)
        raise HandError(f"{word!r} is not {what}; expected one of {expected}") from None


def number(value: object) -> int:
    """A whole number from 0 up; HandError repeats anything else."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise HandError(f"{value!r} is not a count; expected a whole number from 0 up")
    return value


def seat(code: object) -> Seat:
    """The seat with this number or letter."""
    return Seat.parse(str(code))
