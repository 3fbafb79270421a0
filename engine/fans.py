"""番: the rows of a fan table, read from TOML and checked.

A row names a pattern of the library, its points, and what does not count beside it. The table holds the rows in the
order of their points, dearest first, so that a row is struck out only by dearer ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.errors import RulesetError
from engine.patterns.library import Library, Pattern, Sort, library


@dataclass(frozen=True, slots=True, kw_only=True)
class Fan:
    """One row: a pattern with its points in a game."""

    key: str
    """Name of the pattern in the library, toneless pinyin."""
    zh: str
    en: str
    points: int
    source: str
    """Which text gives the row, and which principle the exclusions it does not print."""
    order: int = 0
    """Place in the table."""
    aliases: tuple[str, ...] = ()
    excludes: frozenset[str] = frozenset()
    """Rows that do not count beside this one. A row about single sets is struck out for the sets of this one only."""
    excludes_once: frozenset[str] = frozenset()
    """Rows that count once less beside this one."""
    after_minimum: bool = False
    """Counts only after the minimum is reached."""
    if_nothing_else: bool = False
    """Counts when no other row does."""

    @property
    def value(self) -> str:
        """The key, as the code of a named win."""
        return self.key

    def __str__(self) -> str:
        """The key."""
        return self.key


@dataclass(frozen=True, eq=False)
class FanTable:
    """All rows of a game, dearest first. RulesetError for rows that are wrong."""

    fans: tuple[Fan, ...]
    patterns: Library

    def __post_init__(self) -> None:
        """Every key must be a pattern, and exclusions must point to cheaper or equal rows further down."""
        places = {fan.key: fan.order for fan in self.fans}
        for fan in self.fans:
            if fan.key not in self.patterns and not fan.if_nothing_else:
                raise RulesetError(f"{fan.key!r} is not a pattern; expected one of {', '.join(sorted(self.patterns))}")
            for other in fan.excludes | fan.excludes_once:
                if other in places and places[other] <= fan.order:
                    raise RulesetError(f"{fan.key} excludes {other}, which is dearer; expected a row below it")

    @cached_property
    def by_key(self) -> dict[str, Fan]:
        """The rows by key."""
        return {fan.key: fan for fan in self.fans}

    def of_sort(self, *sorts: Sort) -> tuple[tuple[Fan, Pattern], ...]:
        """Rows whose pattern looks at this, with the pattern."""
        return tuple(
            (fan, self.patterns[fan.key])
            for fan in self.fans
            if fan.key in self.patterns and self.patterns[fan.key].sort in sorts
        )

    @cached_property
    def otherwise(self) -> Fan | None:
        """The row that counts when no other does."""
        return next((fan for fan in self.fans if fan.if_nothing_else), None)

    def named(self, name: str) -> Fan | None:
        """The row with this key, Chinese or English name, or alias."""
        return next((fan for fan in self.fans if name in (fan.key, fan.zh, fan.en, *fan.aliases)), None)


def fan_table(
    rows: Mapping[str, Mapping[str, Any]],
    flags: Mapping[str, bool] | None = None,
    patterns: Library | None = None,
) -> FanTable:
    """The table of rows as TOML holds them.

    Args:
        rows: by key: ``points zh en source`` and, where they apply, ``aliases excludes excludes_once after_minimum
            if_nothing_else``; ``excludes_if = {option = [keys]}`` and ``excludes_unless`` add exclusions by option,
            ``only_if = option`` drops the row when the option is off.
        flags: options of the ruleset that rows ask for.
        patterns: more patterns than those of the library, or others in their place.

    Raises:
        RulesetError: a row that is wrong.
    """
    on = flags or {}
    kept = {key: row for key, row in rows.items() if "only_if" not in row or on[row["only_if"]]}
    ordered = sorted(kept.items(), key=lambda item: -item[1]["points"])
    fans = tuple(_fan(key, row, order, on) for order, (key, row) in enumerate(ordered))
    return FanTable(fans, library() | (patterns or {}))


_GIVEN = ("zh", "en", "points", "source", "after_minimum", "if_nothing_else")


def _fan(key: str, row: Mapping[str, Any], order: int, on: Mapping[str, bool]) -> Fan:
    excludes = set(row.get("excludes", ()))
    for option, keys in row.get("excludes_if", {}).items():
        excludes |= set(keys) if on[option] else set()
    for option, keys in row.get("excludes_unless", {}).items():
        excludes |= set() if on[option] else set(keys)
    return Fan(
        key=key,
        order=order,
        aliases=tuple(row.get("aliases", ())),
        excludes=frozenset(excludes),
        excludes_once=frozenset(row.get("excludes_once", ())),
        **{name: row[name] for name in _GIVEN if name in row},
    )
