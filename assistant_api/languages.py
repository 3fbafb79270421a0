"""Languages and their string tables: zh-Hans, zh-Hant and en.

There are two tables, ``strings/zh-Hans.toml`` and ``strings/en.toml``. Traditional Chinese is made from the simplified
table by OpenCC, so the two can never drift apart; it also turns the engine's Chinese sentences.
"""

from __future__ import annotations

import tomllib
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

import opencc


class Language(StrEnum):
    """A language that every page and message exists in; the value is its language tag."""

    ZH_HANS = "zh-Hans"
    ZH_HANT = "zh-Hant"
    EN = "en"


_TRADITIONAL_REGIONS = {"tw", "hk", "mo", "hant"}


def match_language(tag: str) -> Language | None:
    """The language that serves a tag, None when none does.

    >>> [str(match_language(tag)) for tag in ("zh-Hant-TW", "zh-HK", "zh", "zh-CN", "en-GB", "fr")]
    ['zh-Hant', 'zh-Hant', 'zh-Hans', 'zh-Hans', 'en', 'None']
    """
    first, *rest = tag.strip().lower().replace("_", "-").split("-")
    if first in ("yue", "nan"):
        return Language.ZH_HANS if "hans" in rest or "cn" in rest else Language.ZH_HANT
    if first in ("zh", "cmn"):
        traditional = "hans" not in rest and not _TRADITIONAL_REGIONS.isdisjoint(rest)
        return Language.ZH_HANT if traditional else Language.ZH_HANS
    return Language.EN if first == "en" else None


def negotiate(accept_language: str | None, chosen: str | None = None) -> Language:
    """The language for a caller: what was chosen, else the best of an Accept-Language header, else English.

    >>> str(negotiate("fr;q=0.9, zh-HK;q=0.8, en;q=0.2"))
    'zh-Hant'
    """
    if chosen and (language := match_language(chosen)):
        return language
    wanted: list[tuple[float, int, str]] = []
    for place, part in enumerate((accept_language or "").split(",")):
        tag, _, parameters = part.partition(";")
        quality = _quality(parameters)
        if tag.strip() and quality > 0:
            wanted.append((-quality, place, tag))
    for _, _, tag in sorted(wanted):
        if language := match_language(tag):
            return language
    return Language.EN


def _quality(parameters: str) -> float:
    name, _, value = parameters.partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0


@cache
def strings(language: Language) -> dict[str, str]:
    """All strings of a language by dotted key, such as ``scan.take_photo``."""
    if language is Language.ZH_HANT:
        return {key: to_traditional(text) for key, text in strings(Language.ZH_HANS).items()}
    source = files("assistant_api").joinpath("strings", f"{language}.toml").read_text(encoding="utf-8")
    return dict(_flat(tomllib.loads(source)))


def _flat(table: dict[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for key, value in table.items():
        found += _flat(value, f"{prefix}{key}.") if isinstance(value, dict) else [(prefix + key, str(value))]
    return found


def translate(language: Language, key: str, **values: object) -> str:
    """The string with this key, its ``{places}`` filled in; KeyError for a key that is in no table.

    >>> translate(Language.EN, "seat.E")
    'East'
    """
    text = strings(language)[key]
    for name, value in values.items():
        text = text.replace("{" + name + "}", str(value))
    return text


def in_language(language: Language, zh: str, en: str) -> str:
    """The one of a Chinese and an English sentence that a language shows.

    >>> in_language(Language.ZH_HANT, "庄家连庄", "dealer stays")
    '莊家連莊'
    """
    if language is Language.EN:
        return en
    return to_traditional(zh) if language is Language.ZH_HANT else zh


@cache
def _converter() -> opencc.OpenCC:
    return opencc.OpenCC("s2twp")


@cache
def to_traditional(text: str) -> str:
    """Simplified Chinese in traditional characters, with the words used in Taiwan."""
    return str(_converter().convert(text))
