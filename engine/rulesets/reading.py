"""Reads the TOML table that stands beside a ruleset's module: its profiles, and what each option is.

``[profiles.NAME]`` holds ``zh en source complete`` and, in ``values``, options that differ from the first profile.
``[options.NAME]`` holds ``value zh en source``. The type of an option is that of the field of the same name.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from engine.rulesets.base import Ruleset
from engine.rulesets.option import Option, OptionKind, OptionValue, Points

Game = TypeVar("Game", bound=Ruleset)


def load_profile(game: type[Game], table: dict[str, Any], name: str, codes: tuple[str, ...] = ()) -> Game:
    """The profile with this name, values as in the table. ``codes`` are those that values by code may have."""
    profile = table["profiles"][name]
    described = {key: profile[key] for key in ("zh", "en", "source", "complete")}
    values: dict[str, Any] = {option.name: option.default for option in read_options(game, table, name, codes)}
    return game(name=name, base=name, **described, **values)


@cache
def read_table(file: str, package: str = "engine.rulesets") -> dict[str, Any]:
    """A TOML file of a package."""
    return tomllib.loads(files(package).joinpath(file).read_text(encoding="utf-8"))


def read_options(
    game: type[Ruleset], table: dict[str, Any], name: str, codes: tuple[str, ...] = ()
) -> tuple[Option, ...]:
    """Options of a profile: types from the fields of the ruleset, everything else from the table."""
    overrides = table["profiles"][name].get("values", {})
    hints = get_type_hints(game)
    return tuple(
        _option(key, hints[key], codes, entry, overrides.get(key, entry["value"]))
        for key, entry in table.get("options", {}).items()
    )


def _option(name: str, hint: Any, codes: tuple[str, ...], entry: dict[str, Any], value: object) -> Option:
    kind, choices = _kind(hint, codes)
    described = {key: entry[key] for key in ("zh", "en", "source")}
    default: OptionValue = Option(name=name, kind=kind, choices=choices, default=(), **described).parse(value)
    return Option(name=name, kind=kind, choices=choices, default=default, **described)


def _kind(hint: Any, codes: tuple[str, ...]) -> tuple[OptionKind, tuple[str, ...]]:
    if hint is bool:
        return OptionKind.FLAG, ()
    if hint is int:
        return OptionKind.NUMBER, ()
    if hint == Points:
        return OptionKind.POINTS, codes
    if get_origin(hint) is Literal:
        return OptionKind.CHOICE, get_args(hint)
    inner = get_args(get_args(hint)[0])
    return (OptionKind.SET if get_origin(hint) is frozenset else OptionKind.ORDER), inner
