"""Words of the table: term -> Chinese, pinyin, English, a sentence in each language. They stand in glossary.toml.

The rows of fan tables have terms too, under the name of the ruleset and the key of the row, such as ``mcr_qinglong``.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib.resources import files

from engine.rulesets.reading import read_table
from engine.tiles import ALL_TILES, Suit, Tile


@dataclass(frozen=True, slots=True)
class Term:
    """One word: ``key`` is toneless pinyin or English and never changes."""

    key: str
    zh: str
    pinyin: str
    en: str
    text_zh: str
    text_en: str


_NUMBERS = ("yī", "èr", "sān", "sì", "wǔ", "liù", "qī", "bā", "jiǔ")
_SUITS = {Suit.CHARACTERS: "wàn", Suit.DOTS: "bǐng", Suit.BAMBOOS: "tiáo"}
_OTHERS = (
    *("dōng fēng", "nán fēng", "xī fēng", "běi fēng", "hóng zhōng", "fā cái", "bái bǎn"),
    *("chūn", "xià", "qiū", "dōng", "méi", "lán", "zhú", "jú"),
)


@cache
def glossary() -> dict[str, Term]:
    """All terms by key: words, rows of fan tables, and tiles under their notation code.

    >>> glossary()["jinque"].en, glossary()["3m"].pinyin
    ('gold sparrow', 'sān wàn')
    """
    words = {key: _term(key, entry) for key, entry in _table().items()}
    return words | _fan_terms() | {tile.code: _tile_term(tile) for tile in ALL_TILES}


def term_of(member: Enum) -> Term:
    """The term that explains a member of one of the engine's enums; KeyError when there is none.

    >>> from engine.win_types import WinType
    >>> term_of(WinType.GOLD_DRAGON).zh
    '金龙'
    """
    return glossary()[member.code if isinstance(member, Tile) else _members()[str_of(member)]]


def str_of(member: Enum) -> str:
    """Class and name of an enum member, as the table writes it."""
    return f"{type(member).__name__}.{member.name}"


def _fan_terms() -> dict[str, Term]:
    """A term for each row of the Chinese Official table; KeyError for a row without words."""
    words = read_table("glossary_mcr.toml", "engine")
    return {
        f"mcr_{key}": Term(f"mcr_{key}", row["zh"], words[key]["pinyin"], row["en"], words[key]["zh"], words[key]["en"])
        for key, row in read_table("mcr.toml")["fans"].items()
    }


@cache
def _members() -> dict[str, str]:
    return {member: key for key, entry in _table().items() for member in entry["members"]}


@cache
def _table() -> dict[str, dict[str, str]]:
    return tomllib.loads(files("engine").joinpath("glossary.toml").read_text(encoding="utf-8"))


def _term(key: str, entry: dict[str, str]) -> Term:
    return Term(key, entry["zh"], entry["pinyin"], entry["en"], entry["text_zh"], entry["text_en"])


def _tile_term(tile: Tile) -> Term:
    copies = ("四张", "four copies") if tile.copies == 4 else ("一张", "one copy")
    if tile.rank is None:
        return Term(tile.code, tile.zh, _OTHERS[tile - 27], tile.en, f"花牌，{copies[0]}。", f"A flower, {copies[1]}.")
    pinyin = f"{_NUMBERS[tile.rank - 1]} {_SUITS[tile.suit]}"
    return Term(tile.code, tile.zh, pinyin, tile.en, f"数牌，{copies[0]}。", f"A suited tile, {copies[1]}.")
