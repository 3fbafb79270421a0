"""Plays a short evening over the API and keeps its answers as the examples of the API's description.

``python -m tests.support.ledger_examples`` writes them anew; `tests/test_ledger_api.py` checks that they are current.
"""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from assistant_api.app import create_app
from assistant_api.settings import Settings
from tests.scripted import ScriptedReader

FILE = Path(__file__).resolve().parents[2] / "assistant_api" / "game_examples.json"


def build(client: TestClient) -> dict[str, Any]:
    """The examples, by name, without anything that differs from run to run."""
    document = client.get("/openapi.json").json()
    schemas = document["components"]["schemas"]
    new, win, penalty, draw = (schemas[name]["examples"][0] for name in ("NewGame", "WinIn", "PenaltyIn", "DrawIn"))
    begun = client.post("/api/games", json=new).json()
    headers = {"Authorization": f"Bearer {begun['token']}"}
    base = f"/api/games/{begun['game']['id']}"
    change = client.post(f"{base}/entries", json=win, headers=headers).json()
    number = change["entry"]["id"]
    client.post(f"{base}/entries", json=penalty, headers=headers).raise_for_status()
    client.post(f"{base}/entries", json=draw, headers=headers).raise_for_status()
    report = client.get(f"{base}/report", headers=headers).json()
    found = {
        "game": report["game"],
        "entry": client.get(f"{base}/entries", headers=headers).json()["entries"][-1],
        "entry_detail": client.get(f"{base}/entries/{number}", headers=headers).json(),
        "change": change,
        "history": client.get(f"{base}/history", headers=headers).json()["changes"][-2],
        "report": {**report, "entries": report["entries"][:1], "history": report["history"][:2]},
    }
    found["snapshot"] = {"version": report["game"]["version"], "game": report["game"], "entries": [found["entry"]]}
    text = json.dumps(found, ensure_ascii=False, indent=1, sort_keys=True)
    text = text.replace(begun["game"]["id"], "x4Jv0m2bQ6aYk8sTn1RwZg")
    text = text.replace(begun["game"]["share_code"], "b7Lq3zXc9VnM5kPj1HdS2w")
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "2026-01-31T20:15:00Z", text)
    examples: dict[str, Any] = json.loads(text)
    return examples


def main() -> None:
    """Write the file."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(database_path=Path(folder) / "examples.sqlite3", database_url=None)
        app = create_app(settings, reader=lambda _: ScriptedReader(None))
        with TestClient(app, headers={"Accept-Language": "en"}) as client:
            text = json.dumps(build(client), ensure_ascii=False, indent=1, sort_keys=True)
    FILE.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
