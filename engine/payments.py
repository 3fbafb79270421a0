"""Values of a settlement: lines that explain it, and what goes from seat to seat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from engine.seats import Seat


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One term of the formula, or one payment, with its points and a sentence in each language."""

    code: str
    zh: str
    en: str
    points: int


@dataclass(frozen=True, slots=True)
class Transfer:
    """Points that go from one seat to another; ``to_seat`` is None when nobody receives them."""

    from_seat: Seat
    to_seat: Seat | None
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """The end of a hand in points."""

    lines: tuple[ScoreLine, ...]
    transfers: tuple[Transfer, ...]
    deltas: tuple[int, int, int, int]
    per_payer: int = 0
    """What one payer owes before tripling and before a streak part that only the dealer pays."""
    next_dealer: Seat | None = None
    """None when the first dealer is drawn afresh."""
    next_streak: int | None = None
    fan: Mapping[str, int] = field(default_factory=dict)
    """The terms, in Fuzhou ``flowers flower_sets kong_points gold fixed special``, elsewhere the rows that count."""


def deltas_of(transfers: Iterable[Transfer]) -> tuple[int, int, int, int]:
    """What each seat has more or less after the transfers."""
    deltas = [0, 0, 0, 0]
    for transfer in transfers:
        deltas[transfer.from_seat] -= transfer.points
        if transfer.to_seat is not None:
            deltas[transfer.to_seat] += transfer.points
    return deltas[0], deltas[1], deltas[2], deltas[3]


def payment_line(transfer: Transfer) -> ScoreLine:
    """A transfer in words."""
    payer, taker, points = transfer.from_seat, transfer.to_seat, transfer.points
    if taker is None:
        return ScoreLine("pays", f"{payer.zh}付 {points}", f"{payer.en} pays {points}", points)
    return ScoreLine("pays", f"{payer.zh}付{taker.zh} {points}", f"{payer.en} pays {taker.en} {points}", points)
