"""Every word an answer can hold is explained."""

from __future__ import annotations

from enum import Enum

import pytest

from engine.arrangement import Part
from engine.context import WinSource
from engine.events import WallEnd
from engine.glossary import glossary, str_of, term_of
from engine.melds import MeldKind
from engine.reasons import Reason
from engine.rulesets.mcr import load
from engine.seats import Seat
from engine.table import Outcome, Phase, Problem
from engine.tiles import Suit, Tile, Unseen
from engine.verdicts import BlockKind, Fact
from engine.violations import ViolationKind
from engine.wall import WallState
from engine.win_types import WinType

ENUMS = (
    *(WinType, WinSource, MeldKind, BlockKind, Part, Reason, Fact, Seat, Suit, Tile, Unseen),
    *(ViolationKind, Phase, Problem, Outcome, WallState, WallEnd),
)


@pytest.mark.parametrize("member", [member for enum in ENUMS for member in enum], ids=str_of)
def test_every_member_is_explained(member: Enum) -> None:
    """A term with all its parts."""
    term = term_of(member)
    assert all((term.zh, term.pinyin, term.en, term.text_zh, term.text_en))


def test_every_fan_is_explained() -> None:
    """Each of the 81 rows of the Chinese Official table, and 明暗杠, has a term."""
    rows = load("mcr").table.fans
    terms = glossary()
    assert len(rows) == 82
    assert [terms[f"mcr_{row.key}"].zh for row in rows] == [row.zh for row in rows]
    assert all(terms[f"mcr_{row.key}"].pinyin for row in rows)


def test_sentences_end() -> None:
    """Each term is explained in one full sentence in each language."""
    for term in glossary().values():
        assert term.text_zh.endswith("。")
        assert term.text_en.endswith(".")


@pytest.mark.parametrize("member", [*WinType, *WinSource, *MeldKind, *BlockKind, *Reason, *Fact], ids=str_of)
def test_members_name_themselves(member: WinType) -> None:
    """Members with names of their own say them in both languages, and the two differ."""
    assert member.zh
    assert member.en
    assert member.zh != member.en
