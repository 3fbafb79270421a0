"""Whole hands, replayed line by line: table, rulings, violations and points are those of the transcript.

``JINQUE_WRITE_GOLDEN=1`` writes the transcripts again from their logs; read the difference before it is kept.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.transcripts import read_transcript, transcript

FILES = sorted((Path(__file__).parent / "golden").glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_transcript_is_reproduced(path: Path) -> None:
    """Every line."""
    text = path.read_text(encoding="utf-8")
    replayed = transcript(*read_transcript(text))
    if os.environ.get("JINQUE_WRITE_GOLDEN"):
        path.write_text(replayed, encoding="utf-8")
    assert replayed == text


def test_there_are_enough() -> None:
    """Each ending and each special win has its hand."""
    assert len(FILES) >= 12
