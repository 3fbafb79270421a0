"""The registry of rulesets. Each is one module with one TOML table that holds values, meanings and sources."""

from engine.rulesets.base import Ruleset
from engine.rulesets.option import Option, OptionKind
from engine.rulesets.registry import get_ruleset, ruleset_names

__all__ = ["Option", "OptionKind", "Ruleset", "get_ruleset", "ruleset_names"]
