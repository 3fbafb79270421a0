"""算分: from a win to points. Integers only. Deltas sum to zero; only the penalty of an escape goes to nobody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.seats import Seat


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One term of the formula or one payment, with its points and a sentence in each language."""

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
    next_streak: int | None = None
    fan: Mapping[str, int] = field(default_factory=dict)
    """The terms: ``flowers flower_sets kong_points gold fixed special``."""
