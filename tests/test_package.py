"""What is shipped: every page, script, table, step of the database and example is in the wheel."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.slow
def test_the_wheel_holds_all_files_of_the_packages(tmp_path: Path) -> None:
    """A file left out would only be missed by people who install the wheel."""
    build = "from hatchling.build import build_wheel; import sys; build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", build, str(tmp_path)], cwd=ROOT, check=True, capture_output=True)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        names = set(wheel.namelist())
    kinds = {".py", ".toml", ".html", ".css", ".js", ".svg", ".json", ".mako", ".png"}
    files = {
        path.relative_to(ROOT).as_posix()
        for package in ("engine", "vision", "assistant_api")
        for path in (ROOT / package).rglob("*")
        if path.suffix in kinds
    }
    assert any(name.endswith("zh-Hans.toml") for name in files)
    assert files - names == set()
