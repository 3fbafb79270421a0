"""What every ruleset has: a name, options with their meaning, and copies with other values."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from engine.errors import RulesetError
from engine.rulesets.option import Option, PlainValue, plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """A game with all its options fixed. Stored with each hand, so that changing it later never rewrites an old hand.

    Subclasses add one field for each option. ``base`` is the registered ruleset the values started from.
    """

    name: str
    base: str
    zh: str
    en: str
    source: str
    complete: str

    @property
    @abstractmethod
    def options(self) -> tuple[Option, ...]:
        """All options, in the order of their table, each with the default of this ruleset's base."""

    def values(self) -> dict[str, PlainValue]:
        """Every option and its value, as JSON and TOML hold it; `with_options` of the base takes it back."""
        return {option.name: plain(getattr(self, option.name)) for option in self.options}

    def changed(self) -> dict[str, PlainValue]:
        """Only the options whose value differs from the base."""
        return {
            option.name: plain(getattr(self, option.name))
            for option in self.options
            if getattr(self, option.name) != option.default
        }

    def with_options(self, values: Mapping[str, object]) -> Self:
        """A copy with other values, given as values or as text; RulesetError names the valid options or values."""
        known = {option.name: option for option in self.options}
        unknown = [name for name in values if name not in known]
        if unknown:
            raise RulesetError(f"{self.name} has no option {unknown[0]!r}; expected one of {', '.join(known)}")
        parsed = {name: known[name].parse(value, getattr(self, name)) for name, value in values.items()}
        return replace(self, **parsed)  # type: ignore[arg-type]
