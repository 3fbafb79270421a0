"""Languages: which one a caller gets, and that every table says everything."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assistant_api.languages import Language, match_language, negotiate, strings, to_traditional, translate
from engine.melds import MeldKind
from engine.reasons import Reason

PLACES = re.compile(r"\{(\w+)\}")
WEB = Path(__file__).resolve().parent.parent / "assistant_api" / "web"


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("zh-Hant-TW", Language.ZH_HANT),
        ("zh-HK", Language.ZH_HANT),
        ("zh-TW", Language.ZH_HANT),
        ("zh", Language.ZH_HANS),
        ("zh-CN", Language.ZH_HANS),
        ("zh_Hans_HK", Language.ZH_HANS),
        ("en-GB", Language.EN),
        ("fr", None),
    ],
)
def test_tags_find_their_language(tag: str, language: Language | None) -> None:
    """Regions of traditional Chinese get it, plain zh is simplified, others find nothing."""
    assert match_language(tag) is language


@pytest.mark.parametrize(
    ("header", "chosen", "language"),
    [
        ("fr", None, Language.EN),
        (None, None, Language.EN),
        ("zh-HK,zh;q=0.9,en;q=0.8", None, Language.ZH_HANT),
        ("en;q=0.1, zh;q=0.5", None, Language.ZH_HANS),
        ("zh;q=0, en;q=0.1", None, Language.EN),
        ("zh;q=x", None, Language.EN),
        ("en", "zh-Hant", Language.ZH_HANT),
        ("zh", "xx", Language.ZH_HANS),
    ],
)
def test_negotiation(header: str | None, chosen: str | None, language: Language) -> None:
    """What was chosen wins, then the header by quality, then English."""
    assert negotiate(header, chosen) is language


def test_tables_have_the_same_keys_and_places() -> None:
    """No string is missing in a language, and each fills in the same values."""
    tables = {language: strings(language) for language in Language}
    for language, table in tables.items():
        assert table.keys() == tables[Language.EN].keys(), language
        for key, text in table.items():
            assert text.strip(), key
            assert set(PLACES.findall(text)) == set(PLACES.findall(tables[Language.EN][key])), (language, key)


def test_every_engine_code_has_its_strings() -> None:
    """Remedies for all refusals and names for all melds."""
    table = strings(Language.ZH_HANS)
    assert [reason for reason in Reason if f"remedy.{reason}" not in table] == []
    assert [kind for kind in MeldKind if f"meld.{kind}" not in table] == []


def test_no_text_is_hard_coded_in_page_code() -> None:
    """Chinese stands in the string tables only, not in scripts or templates; every key the scripts name exists."""
    table = strings(Language.EN)
    for path in [*WEB.glob("static/js/*.js"), *WEB.glob("templates/*.html")]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"[\u4e00-\u9fff]", text), path.name
        for key in re.findall(r"""\bt\(\s*["']([\w.]+)["']""", text):
            assert key in table, (path.name, key)
        for beginning in re.findall(r"""\bt\(\s*`([\w.]+\.)\$\{""", text):
            assert any(key.startswith(beginning) for key in table), (path.name, beginning)


def test_every_string_is_used() -> None:
    """Each key stands in the code as a whole, or what it begins with does where the rest is put together."""
    code = "\n".join(
        path.read_text(encoding="utf-8")
        for path in WEB.parent.rglob("*")
        if path.suffix in (".py", ".js", ".html") and "migrations" not in path.parts
    )
    whole = set(re.findall(r"""[`"'](\w+(?:\.\w+)+)[`"']""", code))
    beginnings = tuple(set(re.findall(r"""[`"'](\w+\.(?:\w+\.)*)(?:\$\{|\{)""", code)))
    assert [key for key in strings(Language.EN) if key not in whole and not key.startswith(beginnings)] == []


def test_traditional_uses_the_terms_of_the_game() -> None:
    """OpenCC turns the terms as players write them."""
    assert to_traditional("三万 暗杠 发财 连庄 抢杠 闲金") == "三萬 暗槓 發財 連莊 搶槓 閒金"


def test_values_are_filled_in() -> None:
    """Places take the values given, whatever their type."""
    text = translate(Language.ZH_HANT, "check.too_few", count=16, expected=17, missing=1)
    assert text == "16/17 張，還差 1 張"
