"""Finds a ruleset by name."""

from __future__ import annotations

from engine.errors import RulesetError
from engine.rulesets import fuzhou, mcr
from engine.rulesets.base import Ruleset

_MODULES = (fuzhou, mcr)


def ruleset_names() -> tuple[str, ...]:
    """Names of all rulesets, the default first.

    >>> ruleset_names()
    ('fuzhou', 'fuzhou-baida', 'mcr')
    """
    return tuple(name for module in _MODULES for name in module.NAMES)


def get_ruleset(name: str) -> Ruleset:
    """The ruleset with this name and its own values; RulesetError lists the names there are.

    >>> get_ruleset("fuzhou").zh
    '福州麻将'
    """
    for module in _MODULES:
        if name in module.NAMES:
            ruleset: Ruleset = module.load(name)
            return ruleset
    raise RulesetError(f"{name!r} is not a ruleset; expected one of {', '.join(ruleset_names())}")
