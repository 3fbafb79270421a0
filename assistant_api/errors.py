"""Exceptions of this package, below the engine's root.

JinqueError (engine)
└── AppError            carries a stable code, the key of its sentence in the string tables
    ├── ConfigError         a setting is wrong
    ├── UsageError          what was asked for makes no sense as it stands
    ├── NotFoundError       nothing is stored under that id
    ├── ConflictError       what was asked for contradicts what is stored
    └── NotSettledError     a hand that is no settled win was to be saved
"""

from __future__ import annotations

from typing import Any, ClassVar

from engine.errors import JinqueError


class AppError(JinqueError):
    """Root of this package's errors; ``code`` is stable and used on the wire."""

    code: ClassVar[str] = "app_error"


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
