"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """Folder with the handed rules and labelled photos, next to the checkout; tests that need it skip where it is absent.

    JINQUE_SHARED names another place.
    """
    folder = Path(os.environ.get("JINQUE_SHARED", ROOT.parent / "shared"))
    if not (folder / "rules" / "fuzhou-cases.jsonl").is_file():
        pytest.skip(f"the shared material is not at {folder.name}/ beside the checkout (set JINQUE_SHARED)")
    return folder
