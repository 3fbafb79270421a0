"""One option of a ruleset: its type, its valid values, what it means and which text it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from engine.errors import RulesetError

Points: TypeAlias = tuple[tuple[str, int], ...]
"""Values by code, in a fixed order; a tuple so that rulesets can be hashed."""

OptionValue: TypeAlias = bool | int | str | frozenset[str] | tuple[str, ...] | Points
"""A value of an option, in the form a ruleset holds it."""

PlainValue: TypeAlias = bool | int | str | list[str] | dict[str, int]
"""A value of an option, in the form JSON and TOML hold it."""


class OptionKind(StrEnum):
    """What values an option takes."""

    FLAG = "flag"
    NUMBER = "number"
    CHOICE = "choice"
    SET = "set"
    ORDER = "order"
    POINTS = "points"


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """Description of one option; ``choices`` are the valid words (of sets and orders: the members)."""

    name: str
    kind: OptionKind
    choices: tuple[str, ...]
    default: OptionValue
    zh: str
    en: str
    source: str

    def parse(self, value: object, current: OptionValue | None = None) -> OptionValue:
        """The value in the form a ruleset holds; text is accepted for every kind. RulesetError names the valid values.

        Text: ``true``/``false``, a whole number, a choice, ``A,B`` for sets and orders, ``A=1,B=2`` for points (codes
        left out keep their ``current`` value, else the default).
        """
        parsed: OptionValue | None
        if self.kind is OptionKind.POINTS:
            parsed = self._points(value, self.default if current is None else current)
        else:
            read = {
                OptionKind.FLAG: self._flag,
                OptionKind.NUMBER: self._number,
                OptionKind.CHOICE: self._choice,
                OptionKind.SET: self._set,
                OptionKind.ORDER: self._order,
            }
            parsed = read[self.kind](value)
        if parsed is None:
            raise RulesetError(f"{self.name} does not take {value!r}; expected {self.expected}")
        return parsed

    @property
    def expected(self) -> str:
        """What the option takes, in words."""
        words = ", ".join(self.choices)
        return {
            OptionKind.FLAG: "true or false",
            OptionKind.NUMBER: "a whole number from 0 up",
            OptionKind.CHOICE: f"one of {words}",
            OptionKind.SET: f"any of {words}",
            OptionKind.ORDER: f"an order of {words}",
            OptionKind.POINTS: f"whole numbers for some of {words}",
        }[self.kind]

    def _flag(self, value: object) -> bool | None:
        if isinstance(value, bool):
            return value
        return {"true": True, "false": False}.get(value.strip().lower()) if isinstance(value, str) else None

    def _number(self, value: object) -> int | None:
        if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
            return int(value)
        return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None

    def _choice(self, value: object) -> str | None:
        word = value.strip() if isinstance(value, str) else None
        return word if word in self.choices else None

    def _members(self, value: object) -> list[str] | None:
        if isinstance(value, str):
            value = [word.strip() for word in value.split(",") if word.strip()]
        if not isinstance(value, list | tuple | set | frozenset) or any(word not in self.choices for word in value):
            return None
        return list(value)

    def _set(self, value: object) -> frozenset[str] | None:
        members = self._members(value)
        return None if members is None else frozenset(members)

    def _order(self, value: object) -> tuple[str, ...] | None:
        members = self._members(value)
        if members is None or isinstance(value, set | frozenset) or len(set(members)) != len(members):
            return None
        return tuple(members) if len(members) == len(self.choices) else None

    def _points(self, value: object, current: OptionValue) -> Points | None:
        if isinstance(value, str):
            pairs = [word.partition("=") for word in value.split(",")]
            value = {code.strip(): number for code, _, number in pairs}
        if isinstance(value, tuple):
            value = dict(value)
        if not isinstance(value, Mapping) or any(code not in self.choices for code in value):
            return None
        numbers = {code: self._number(number) for code, number in value.items()}
        if any(number is None for number in numbers.values()):
            return None
        known = dict(current) if isinstance(current, tuple) else {}  # type: ignore[arg-type]
        return tuple((code, numbers.get(code, known.get(code, 0)) or 0) for code in self.choices)


def plain(value: OptionValue) -> PlainValue:
    """A value in the form JSON and TOML hold.

    >>> plain(frozenset({"B", "A"})), plain((("A", 1),))
    (['A', 'B'], {'A': 1})
    """
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple):
        pairs = [item for item in value if isinstance(item, tuple)]
        return dict(pairs) if pairs else [str(item) for item in value]
    return value
