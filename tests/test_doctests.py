"""Every prompt in a docstring of the engine is run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import engine

MODULES = ["engine", *(module.name for module in pkgutil.walk_packages(engine.__path__, "engine."))]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    """The module's examples give what they promise."""
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples() -> None:
    """The notation is documented by examples that run."""
    assert doctest.testmod(importlib.import_module("engine.notation")).attempted >= 6
