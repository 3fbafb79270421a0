"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def shared_folder() -> Path | None:
    """Folder with the handed rules and labelled photos, next to the checkout or where JINQUE_SHARED says; or None."""
    folder = Path(os.environ.get("JINQUE_SHARED", ROOT.parent / "shared"))
    return folder if (folder / "rules" / "fuzhou-cases.jsonl").is_file() else None


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of `shared_folder`; tests that need it skip where it is absent."""
    folder = shared_folder()
    if folder is None:
        pytest.skip("the shared material is not at shared/ beside the checkout (set JINQUE_SHARED)")
    return folder
