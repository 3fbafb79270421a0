"""Checks that the program can run as it is set up: the command `jinque check-config`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from assistant_api.services import rules
from assistant_api.settings import Settings
from assistant_api.storage import is_url, shown_place, try_connection
from engine.errors import JinqueError
from vision.weights import NETWORKS, WHOLE_TABLES, find_weights

_NETWORKS = (*NETWORKS, WHOLE_TABLES)


def check(settings: Settings) -> dict[str, Any]:
    """Every setting with its value and meaning, and what was found when it was tried; nothing is created."""
    values = settings.model_dump(mode="json")
    if settings.database_url is not None:
        values["database_url"] = shown_place(settings.database_url)
    checks = [_database(settings.database), _ruleset(settings.ruleset), *(_network(name) for name in _NETWORKS)]
    return {
        "ready": all(found["ok"] for found in checks),
        "settings": [
            {
                "name": f"JINQUE_{name.upper()}",
                "value": values[name],
                "default": name not in settings.model_fields_set,
                "meaning": field.description,
            }
            for name, field in type(settings).model_fields.items()
        ],
        "checks": checks,
    }


def _database(found: Path | str) -> dict[str, Any]:
    if is_url(found):
        try:
            try_connection(str(found))
        except JinqueError as error:
            return {"name": "database", "ok": False, "message": str(error)}
        return {"name": "database", "ok": True, "message": f"{shown_place(found)} answers"}
    path = Path(found)
    place = path if path.exists() else next(folder for folder in path.absolute().parents if folder.exists())
    ok = os.access(place, os.W_OK) and not path.is_dir()
    return {"name": "database", "ok": ok, "message": f"{path} can {'' if ok else 'not '}be written"}


def _ruleset(name: str) -> dict[str, Any]:
    try:
        return {"name": "ruleset", "ok": True, "message": rules.resolve(name).en}
    except JinqueError as error:
        return {"name": "ruleset", "ok": False, "message": str(error)}


def _network(name: str) -> dict[str, Any]:
    try:
        weights = find_weights(name)
    except JinqueError as error:
        return {"name": name, "ok": False, "message": str(error)}
    return {"name": name, "ok": True, "message": f"{weights.path.name} is the file its card describes"}
