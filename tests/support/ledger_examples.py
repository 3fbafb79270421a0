"""Reads a photo and plays a short evening over the API, and keeps the answers as the examples of its description.

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
from tests.scripted import SAMPLES, ScriptedReader

SAMPLE = SAMPLES / "three-golds.json"
FILE = Path(__file__).resolve().parents[2] / "assistant_api" / "examples.json"


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
    found |= _without_game(client, document)
    found["snapshot"] = {"version": report["game"]["version"], "game": report["game"], "entries": [found["entry"]]}
    text = json.dumps(found, ensure_ascii=False, indent=1, sort_keys=True)
    text = text.replace(begun["game"]["id"], "x4Jv0m2bQ6aYk8sTn1RwZg")
    text = text.replace(begun["game"]["share_code"], "b7Lq3zXc9VnM5kPj1HdS2w")
    if found["photo"]["photo"]:
        text = text.replace(found["photo"]["photo"]["id"], "p8Qz1vK4nT7wYb2mXc5LdA")
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "2026-01-31T20:15:00Z", text)
    examples: dict[str, Any] = json.loads(text)
    return examples


def _without_game(client: TestClient, document: dict[str, Any]) -> dict[str, Any]:
    """A photo, a preview, saved hands and a ruleset; long lists only begun."""
    request = document["components"]["schemas"]["SettlementRequest"]["examples"][0]
    jpeg = SAMPLE.with_suffix(".jpg").read_bytes()
    photo = client.post("/api/photos", files={"photo": ("photo.jpg", jpeg, "image/jpeg")}).json()
    photo["reading"] = {**photo["reading"], "tiles": photo["reading"]["tiles"][:1]}
    photo["draft"]["tiles"] = photo["draft"]["tiles"][:2]
    ruleset = next(one for one in client.get("/api/rulesets").json() if one["name"] == "fuzhou")
    return {
        "photo": photo,
        "facts": client.get("/api/facts").json(),
        "preview": client.post("/api/settlements/preview", json=request).json(),
        "hand": client.post("/api/hands", json=request).json(),
        "hands": client.get("/api/hands").json(),
        "ruleset": {**ruleset, "options": ruleset["options"][:3]},
    }


def main() -> None:
    """Write the file."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(database_path=Path(folder) / "examples.sqlite3", database_url=None)
        app = create_app(settings, reader=lambda _: ScriptedReader(SAMPLE))
        with TestClient(app, headers={"Accept-Language": "en"}) as client:
            text = json.dumps(build(client), ensure_ascii=False, indent=1, sort_keys=True)
    FILE.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
