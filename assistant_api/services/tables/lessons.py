"""What a newcomer reads beside a live table: the words of this moment and the rule behind a warning."""

from __future__ import annotations

from enum import Enum
from typing import Any

from assistant_api.languages import Language, in_language
from engine.glossary import Term, glossary, term_of
from engine.melds import MeldKind
from engine.table import Phase, TableState

_MAY_CLAIM = {
    Phase.CLAIMS: (MeldKind.CHOW, MeldKind.PUNG, MeldKind.KONG_OPEN),
    Phase.ROB_WINDOW: (MeldKind.CHOW, MeldKind.PUNG, MeldKind.KONG_OPEN),
    Phase.ACTION: (MeldKind.KONG_ADDED, MeldKind.KONG_CONCEALED),
}


def word_document(member: Enum) -> dict[str, Any]:
    """The term that explains a member of one of the engine's enums, with its sentence in each language."""
    return _document(term_of(member))


def words_now(state: TableState) -> list[dict[str, Any]]:
    """The terms of this moment: what is going on, the gold, and what a seat may do."""
    terms = [term_of(state.phase)]
    if state.gold is not None:
        terms.append(glossary()["jin"])
    terms += [term_of(kind) for kind in _MAY_CLAIM.get(state.phase, ())]
    if state.phase in _MAY_CLAIM:
        terms += [glossary()["hu"], glossary()["guoshui"]]
    return [_document(term) for term in dict.fromkeys(terms)]


def _document(term: Term) -> dict[str, Any]:
    name = f"{term.zh} {term.pinyin}, {term.en}"
    return {
        "term": {"texts": {language.value: in_language(language, term.zh, name) for language in Language}},
        "texts": {language.value: in_language(language, term.text_zh, term.text_en) for language in Language},
    }
