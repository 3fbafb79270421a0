"""The registry of rulesets. Each is one module with one TOML table that holds values, meanings and sources.

How to add a game that adds up the rows of a fan table, here 小麻将 ``tiny``:

1.  Write ``tiny.toml``. Patterns that are in the library (`engine.patterns`) are named by their key::

        [profiles.tiny]
        zh = "小麻将"
        en = "tiny mahjong"
        source = "which text"
        complete = "complete"

        [options.minimum]
        value = 1
        zh = "起和分"
        en = "points a win needs"
        source = "which line of the text"

        [fans]
        qingyise = { points = 3, zh = "清一色", en = "full flush", excludes = ["pengpenghu"], source = "line 4" }
        pengpenghu = { points = 2, zh = "碰碰胡", en = "all pungs", source = "line 5" }

2.  Write ``tiny.py``: a field for each option, the rows, and who pays::

        NAMES = ("tiny",)

        @dataclass(frozen=True, slots=True, kw_only=True)
        class Tiny(FanRuleset):
            minimum: int

            @property
            def options(self): return read_options(Tiny, read_table("tiny.toml"), self.base)

            def rows(self): return read_table("tiny.toml")["fans"]

            def owed(self, points, winner, giver):
                return {seat: points for seat in others(winner)} if giver is None else {giver: 3 * points}

        def load(name): return load_profile(Tiny, read_table("tiny.toml"), name)

3.  Name the module in ``registry.py``. Worked cases in the formats of `engine.fan_cases` can now be judged.

What else a game may say, all with usual values: ``shapes`` (`engine.shapes.Shape`: seven pairs, orphans, knitted),
``patterns()`` for patterns of its own, ``next_dealer``, ``false_win_points``, and everything of
`engine.rulesets.base.TableRules`: hand size, flowers, claims, what a passed win locks, the end of the wall.

A row may also have ``aliases``, ``excludes_once``, ``excludes_if = { option = [rows] }``, ``excludes_unless``,
``only_if = "option"``, ``after_minimum`` and ``if_nothing_else``. A row counts once for each time its pattern is met; a
row that is met only together with a dearer one is struck out by that row's ``excludes``. Patterns of two, three or four
sets are put together by the five principles in `engine.combining`.
"""

from engine.rulesets.base import Ruleset, TableRules
from engine.rulesets.option import Option, OptionKind
from engine.rulesets.registry import get_ruleset, ruleset_names

__all__ = ["Option", "OptionKind", "Ruleset", "TableRules", "get_ruleset", "ruleset_names"]
