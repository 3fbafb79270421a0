"""Rulesets and their options: every option of the specification, with the value it gives."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from engine.errors import RulesetError
from engine.rulesets import OptionKind, get_ruleset, ruleset_names
from engine.rulesets.fuzhou import load
from engine.rulesets.option import Option
from engine.win_types import WinType


def test_names() -> None:
    """The default comes first; an unknown name is answered with those there are."""
    assert ruleset_names()[0] == "fuzhou"
    with pytest.raises(RulesetError, match="expected one of fuzhou, fuzhou-baida"):
        get_ruleset("fuzou")


@pytest.mark.parametrize("name", ruleset_names())
def test_every_option_is_described(name: str) -> None:
    """Each option is a field and says in two languages what it means and where that is written."""
    ruleset = get_ruleset(name)
    fields = set(type(ruleset).__annotations__) - {"shapes"}
    assert {option.name for option in ruleset.options} == fields
    for option in ruleset.options:
        assert option.zh
        assert option.en
        assert option.source
        assert getattr(ruleset, option.name) == option.default
        assert (option.kind in (OptionKind.FLAG, OptionKind.NUMBER)) == (not option.choices)


def test_values_match_the_specification(shared: Path) -> None:
    """Name and both profiles' values of every row of the specification's table of options."""
    text = (shared / "rules" / "fuzhou.md").read_text(encoding="utf-8")
    table = text.split("## 13.")[1].split("## 14.")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:5]] for line in table.splitlines() if line.startswith("| `")]
    prefix, checked = "", 0
    for names, kind, first, second in rows:
        columns = ([first], [second])
        words = re.findall(r"`([a-z0-9_]+)`", names)
        if words[0].startswith("reserve_per"):
            prefix = "reserve_per"
        words = [f"{prefix}{word}" if word.startswith("_") else word for word in words]
        if len(words) > 1:
            columns = tuple(re.split(r" / |, ", column) for column in (first, second))  # type: ignore[assignment]
        for profile, column in zip(("fuzhou", "fuzhou-baida"), columns, strict=True):
            values = column if len(column) == len(words) else column * len(words)
            for word, value in zip(words, values, strict=True):
                option = next(option for option in get_ruleset(profile).options if option.name == word)
                if value == "same":
                    value = first
                if value != "table in 7":
                    assert option.parse(value) == option.default, (profile, word, value, kind)
                checked += 1
    assert checked == 2 * 64


def test_special_values() -> None:
    """The values of section 7."""
    assert (
        load("fuzhou").win_values
        == load("fuzhou-baida").win_values
        == {
            WinType.PLAIN_ONE: 15,
            WinType.PLAIN_ZERO: 30,
            WinType.HEAVENLY: 30,
            WinType.ROB_GOLD: 30,
            WinType.THREE_GOLDS: 40,
            WinType.GOLD_SPARROW: 60,
            WinType.GOLD_DRAGON: 120,
            WinType.HALF_SUIT: 120,
            WinType.ONE_SUIT: 240,
        }
    )


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("gold_dragon", "false", False),
        ("reserve_base", "20", 20),
        ("special_combine", "sum", "sum"),
        ("rob_gold_sources", "FIRST_DISCARD, DEALER_SWAP", frozenset({"FIRST_DISCARD", "DEALER_SWAP"})),
        ("rob_gold_sources", [], frozenset()),
        (
            "opening_priority",
            "HEAVENLY,THREE_GOLDS,ROB_DEALER,ROB_NON_DEALER",
            ("HEAVENLY", "THREE_GOLDS", "ROB_DEALER", "ROB_NON_DEALER"),
        ),
    ],
)
def test_options_from_text(name: str, text: object, value: object) -> None:
    """What a person types is read into the value a ruleset holds."""
    assert getattr(get_ruleset("fuzhou").with_options({name: text}), name) == value


def test_points_keep_what_is_not_named() -> None:
    """``THREE_GOLDS=10`` changes one value only."""
    ruleset = load("fuzhou").with_options({"special_values": "THREE_GOLDS=10, ROB_GOLD=20"})
    assert ruleset.win_values[WinType.THREE_GOLDS] == 10
    assert ruleset.win_values[WinType.GOLD_SPARROW] == 60


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("gold_dragon", "maybe"),
        ("gold_dragon", 1),
        ("reserve_base", "-1"),
        ("reserve_base", True),
        ("reserve_base", 1.5),
        ("special_combine", "most"),
        ("special_combine", None),
        ("rob_gold_sources", ["NOBODY"]),
        ("rob_gold_sources", 3),
        ("opening_priority", "HEAVENLY"),
        ("opening_priority", ["HEAVENLY", "HEAVENLY", "ROB_DEALER", "THREE_GOLDS"]),
        ("special_values", "THREE_GOLDS"),
        ("special_values", {"FOUR_GOLDS": 3}),
        ("special_values", {"THREE_GOLDS": -3}),
    ],
)
def test_wrong_values_are_refused(name: str, value: object) -> None:
    """The message names the option, repeats the value and says what is expected."""
    with pytest.raises(RulesetError, match=f"{name} does not take .*expected"):
        get_ruleset("fuzhou").with_options({name: value})


def test_unknown_option_is_refused() -> None:
    """The message names the options there are."""
    with pytest.raises(RulesetError, match=r"no option 'gold_dragonn'; expected one of hand_size"):
        get_ruleset("fuzhou").with_options({"gold_dragonn": True})


@pytest.mark.parametrize("name", ruleset_names())
def test_values_round_trip(name: str) -> None:
    """A stored hand gets its own ruleset back, whatever the defaults are by then."""
    fuzhou = {"gold_dragon": False, "special_values": {"ROB_GOLD": 7}, "base_unit": 5}
    ruleset = get_ruleset(name).with_options({"minimum": 6, "mixed_kongs": False} if name == "mcr" else fuzhou)
    assert get_ruleset(ruleset.base).with_options(ruleset.values()) == ruleset
    assert get_ruleset(ruleset.base).with_options(ruleset.changed()) == ruleset
    assert hash(ruleset) == hash(get_ruleset(name).with_options(ruleset.values()))
    assert get_ruleset(name).changed() == {}


def test_expected_words() -> None:
    """Every kind of option says what it takes."""
    for kind in OptionKind:
        option = Option(name="x", kind=kind, choices=("A",), default=0, zh="", en="", source="")
        assert option.expected


def test_table_reads_the_same_with_carriage_returns() -> None:
    """A table checked out with CRLF gives the same ruleset."""
    text = files("engine.rulesets").joinpath("fuzhou.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text.replace("\n", "\r\n")) == tomllib.loads(text)
