"""Values of a settlement: lines that explain it, and what goes from seat to seat."""

from __future__ import annotations

from dataclasses import dataclass

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
