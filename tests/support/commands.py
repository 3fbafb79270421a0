"""Running commands in the tests' own process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assistant_api import cli


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command."""
    try:
        code = cli.main(arguments)
    except SystemExit as stopped:
        code = int(stopped.code or 0)
    said = capsys.readouterr()
    return code, said.out, said.err


class Commands:
    """Commands with a folder of their own."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """Exit code, stdout and stderr of a command."""
        return run(self._capsys, *arguments)

    def json(self, *arguments: str, code: int = 0) -> Any:
        """The document of a command that ends with this code."""
        found, out, err = self.run(*arguments, "--json")
        assert found == code, err
        return json.loads(out)
