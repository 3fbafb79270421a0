"""Exceptions of this package, below the engine's root.

JinqueError (engine)
└── AppError            carries a stable code, the key of its sentence in the string tables
    ├── ConfigError         a setting is wrong
    ├── UsageError          what was asked for makes no sense as it stands
    ├── NotFoundError       nothing is stored under that id
    ├── ConflictError       what was asked for contradicts what is stored
    ├── NotSettledError     a hand that is no settled win was to be saved
    ├── TokenError          the game needs a token
    ├── ReadOnlyError       the caller may look, not write
    ├── PointsError         more points than a ledger holds
    ├── RateError           too many requests in a minute
    ├── QueueError          a queue of photos, or a photo in it, cannot be read or written
    └── LedgerError         what was asked for does not fit the ledger as it stands
        ├── FinishedError       the game is finished
        ├── RulesFixedError     its rules count already
        ├── VersionError        somebody else changed it meanwhile
        ├── DealMovedError      another deal than the caller thought
        ├── LaterHandError      a later hand would become impossible
        ├── FactsMissingError   the ledger does not know it and it was not said
        ├── GameOverError       all its hands are played
        ├── OneWinnerError      by its rules one seat wins
        └── NothingToUndoError  nothing is left to take back, or to do again
"""

from __future__ import annotations

from typing import Any, ClassVar, Protocol

from assistant_api.languages import Language
from engine.errors import JinqueError


class Sayable(Protocol):
    """Something that can be said in the caller's language, such as a refusal of the engine."""

    def __call__(self, language: Language) -> str:
        """In this language."""


class AppError(JinqueError):
    """Root of this package's errors; ``code`` is stable and used on the wire."""

    code: ClassVar[str] = "app_error"

    def values(self, language: Language) -> dict[str, object]:
        """What fills the places of its sentence in the string tables."""
        return {}


class ConfigError(AppError):
    """A setting is wrong."""

    code = "bad_setting"


class UsageError(AppError):
    """What was asked for makes no sense as it stands."""

    code = "bad_request"


class NotFoundError(AppError):
    """Nothing is stored under that id."""

    code = "not_found"


class ConflictError(AppError):
    """What was asked for contradicts what is stored."""

    code = "conflict"


class NotSettledError(AppError):
    """A hand that is no settled win was to be saved; ``preview`` is the answer that says why."""

    code = "not_settled"

    def __init__(self, message: str, preview: dict[str, Any]) -> None:
        super().__init__(message)
        self.preview = preview


class TokenError(AppError):
    """The game needs a token, and none or an unknown one came."""

    code = "token_needed"


class ReadOnlyError(AppError):
    """The caller may look at the game and not write."""

    code = "read_only"


class PointsError(AppError):
    """More points than a ledger holds."""

    code = "points_out_of_range"


class RateError(AppError):
    """Too many requests in a minute; ``wait_s`` says when to come back."""

    code = "too_many_requests"

    def __init__(self, message: str, wait_s: int) -> None:
        super().__init__(message)
        self.wait_s = wait_s

    def values(self, language: Language) -> dict[str, object]:
        """How long to wait."""
        return {"seconds": self.wait_s}


class QueueError(AppError):
    """A queue of photos, or a photo in it, cannot be read or written."""

    code = "bad_queue"


class LedgerError(AppError):
    """What was asked for does not fit the ledger as it stands."""

    code = "conflict"


class FinishedError(LedgerError):
    """The game is finished, so closed for writing."""

    code = "game_finished"


class RulesFixedError(LedgerError):
    """The rules, the first dealer or the starting points count already: a hand is entered."""

    code = "rules_fixed"


class VersionError(LedgerError):
    """Somebody else changed the game since the version the caller saw."""

    code = "version_moved"


class DealMovedError(LedgerError):
    """The caller settled with another dealer, streak or round than the ledger has."""

    code = "deal_moved"


class LaterHandError(LedgerError):
    """With this change a later hand would become impossible; nothing was changed."""

    code = "later_hand_impossible"

    def __init__(self, message: str, hand: int | None, why: Sayable) -> None:
        super().__init__(message)
        self.hand = hand
        self.why = why

    def values(self, language: Language) -> dict[str, object]:
        """Which hand, and why."""
        return {"hand": self.hand if self.hand is not None else "?", "why": self.why(language)}


class FactsMissingError(LedgerError):
    """The ledger does not know what the entry needs (who deals), and the entry does not say it."""

    code = "facts_missing"

    def __init__(self, message: str, asked: Sayable) -> None:
        super().__init__(message)
        self.asked = asked

    def values(self, language: Language) -> dict[str, object]:
        """The questions."""
        return {"questions": self.asked(language)}


class GameOverError(LedgerError):
    """All hands of the game are played."""

    code = "game_over"


class OneWinnerError(LedgerError):
    """By these rules one seat wins, the nearest after the one who gave the tile."""

    code = "one_winner"


class NothingToUndoError(LedgerError):
    """Nothing is left to take back, or to do again."""

    code = "nothing_to_undo"
