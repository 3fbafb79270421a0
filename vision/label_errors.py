"""Labels of public data sets that are wrong, listed in ``datasets/label_errors.csv`` with what the face shows.

They were found by looking at every face that a network names otherwise with confidence, so wrong labels on which it
agrees are not among them. The evaluation goes by what a face shows and says besides what the labels would give.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

LABEL_ERRORS = Path(__file__).parents[1] / "datasets" / "label_errors.csv"


@cache
def label_errors(set_name: str) -> Mapping[tuple[str, int], str]:
    """What the wrongly labelled faces of a set show: notation codes by photo and line of its label file, from 1."""
    if not LABEL_ERRORS.is_file():  # an installed package has no data sets beside it
        return MappingProxyType({})
    with LABEL_ERRORS.open(encoding="utf-8", newline="") as rows:
        found = {
            (row["file"], int(row["line"])): row["shows"] for row in csv.DictReader(rows) if row["set"] == set_name
        }
    return MappingProxyType(found)
