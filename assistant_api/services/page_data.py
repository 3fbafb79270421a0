"""What a page gets along: its strings, the kinds of tile with their names, and the rulesets there are."""

from __future__ import annotations

from typing import Any, get_args

from assistant_api.languages import Language, strings
from assistant_api.schemas import Group
from assistant_api.services.hand_draft import winning_size
from assistant_api.texts import term, tile_name
from engine.rulesets import get_ruleset, ruleset_names
from engine.rulesets.fan_ruleset import FanRuleset
from engine.tiles import ALL_TILES

_SERVER_ONLY = ("cli.", "remedy.", "problem.")
_PAGE_PROBLEMS = ("problem.offline.", "problem.internal_error.")


def boot_data(language: Language, ruleset: str) -> dict[str, Any]:
    """Everything the scripts need to draw a page without asking again."""
    table = strings(language)
    return {
        "lang": str(language),
        "ruleset": ruleset,
        "rulesets": [
            {
                "name": name,
                "title": term(get_ruleset(name), language),
                "fan_table": isinstance(get_ruleset(name), FanRuleset),
                "winning_size": winning_size(get_ruleset(name)),
            }
            for name in ruleset_names()
        ],
        "groups": list(get_args(Group)),
        "kinds": [
            {"code": tile.code, "suit": tile.suit.value, "name": tile_name(tile, language), "copies": tile.copies}
            for tile in ALL_TILES
        ],
        "strings": {
            key: text
            for key, text in table.items()
            if not key.startswith(_SERVER_ONLY) or key.startswith(_PAGE_PROBLEMS)
        },
    }
