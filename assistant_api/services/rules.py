"""Rulesets by name, with a table's own values for some options."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assistant_api.errors import UsageError
from assistant_api.languages import Language
from assistant_api.schemas import FanRowOut, OptionOut, RulesetOut
from assistant_api.texts import said, term
from engine.rulesets import Ruleset, get_ruleset, ruleset_names
from engine.rulesets.fan_ruleset import FanRuleset


def resolve(name: str, options: Mapping[str, object] | None = None) -> Ruleset:
    """The ruleset with these options; RulesetError names the rulesets or options there are."""
    ruleset = get_ruleset(name)
    return ruleset.with_options(options) if options else ruleset


def read_options(path: Path) -> dict[str, object]:
    """Options from a TOML file: its top level, or its table ``[options]``.

    Raises:
        UsageError: the file is not there or is not TOML.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {path.name!r}; expected a TOML file of options ({error})") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path.name} is not TOML: {error}") from None
    options = table.get("options", table)
    return dict(options) if isinstance(options, dict) else {}


def split_setting(text: str) -> tuple[str, str]:
    """``name=value`` in its two parts; UsageError for anything else."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise UsageError(f"{text!r} is not a setting; expected name=value such as fixed_points=5")
    return name.strip(), value.strip()


def describe(ruleset: Ruleset, language: Language) -> RulesetOut:
    """A ruleset with the value, choices and source of every option."""
    values: dict[str, Any] = dict(ruleset.values())
    options = [
        OptionOut(
            name=option.name,
            kind=str(option.kind),
            choices=list(option.choices),
            value=values[option.name],
            text=said(option, language),
            source=option.source,
        )
        for option in ruleset.options
    ]
    return RulesetOut(
        name=ruleset.name,
        title=term(ruleset, language),
        source=ruleset.source,
        completeness=ruleset.complete,
        options=options,
        fans=_fans(ruleset) if isinstance(ruleset, FanRuleset) else [],
    )


def _fans(ruleset: FanRuleset) -> list[FanRowOut]:
    """The rows that are played with these options, dearest first."""
    names = {fan.key: fan.zh for fan in ruleset.table.fans}
    return [
        FanRowOut(
            code=fan.key,
            zh=fan.zh,
            en=fan.en,
            points=fan.points,
            aliases=list(fan.aliases),
            excludes=[names[key] for key in names if key in fan.excludes | fan.excludes_once],
            source=fan.source,
        )
        for fan in ruleset.table.fans
    ]


def describe_all(language: Language) -> list[RulesetOut]:
    """Every ruleset, the default first."""
    return [describe(get_ruleset(name), language) for name in ruleset_names()]
