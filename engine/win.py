"""胡牌: judges a declared win."""

from __future__ import annotations

from engine.context import TableFacts, WinContext, WinSource
from engine.verdicts import Block, BlockKind, CannotKnow, Fact, Refusal, Split, Verdict, Win

__all__ = [
    "Block", "BlockKind", "CannotKnow", "Fact", "Refusal", "Split", "TableFacts", "Verdict", "Win", "WinContext",
    "WinSource",
]
