"""Example answers about games, as the API really gave them (`tests/test_ledger_examples.py` keeps them true)."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

_FILE = files("assistant_api").joinpath("game_examples.json")
_EXAMPLES: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))

GAME = _EXAMPLES["game"]
ENTRY = _EXAMPLES["entry"]
ENTRY_DETAIL = _EXAMPLES["entry_detail"]
CHANGE = _EXAMPLES["change"]
SNAPSHOT = _EXAMPLES["snapshot"]
HISTORY = _EXAMPLES["history"]
REPORT = _EXAMPLES["report"]
