"""Training recipes: one TOML file a network, and the record that every run leaves behind.

A recipe has ``kind`` (``detector`` or ``classifier``), ``seed``, ``minutes``, ``out`` (a folder, by default
``runs/<kind>``) and tables of its own; ``start`` names the checkpoint of another run whose averaged weights are the
first ones, so that one long run on renders serves several short ones on photos; a classifier may also go on from a
published network (``models/classifier.onnx``). Data paths in it are relative to the data root: the environment
variable ``JINQUE_DATA``, else the recipe's ``data`` field (relative to the recipe file). The module of the kind's name
trains it.
"""

from __future__ import annotations

import csv
import hashlib
import importlib
import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vision.errors import RecipeError

KINDS = ("detector", "classifier")


@dataclass(frozen=True, slots=True)
class Recipe:
    """A recipe file as read: its common fields, and all of its tables in ``tables``."""

    path: Path
    kind: str
    seed: int
    minutes: float
    data_root: Path
    out: Path
    start: Path | None
    tables: Mapping[str, Any]

    def table(self, name: str) -> Mapping[str, Any]:
        """The table ``[name]`` of the recipe; an absent one is a RecipeError."""
        found = self.tables.get(name)
        if not isinstance(found, dict):
            raise RecipeError(f"{self.path.name}: the table [{name}] is missing")
        return found


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """What a run of training left: where, how far it came, whether it is done, and the validation figures by name."""

    kind: str
    out: Path
    checkpoint: Path
    steps: int
    minutes: float
    finished: bool
    metrics: Mapping[str, float]


def load_recipe(path: Path) -> Recipe:
    """Read and check a recipe file.

    Raises:
        RecipeError: the file is absent, no TOML, or lacks a common field; the message says which.
    """
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RecipeError(f"cannot read the recipe {path}: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError as error:
        raise RecipeError(f"{path.name} is not TOML: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise RecipeError(f"{path.name} is not TOML: {error}") from error
    kind = tables.get("kind")
    if kind not in KINDS:
        raise RecipeError(f"{path.name}: kind is {kind!r}, expected one of {', '.join(KINDS)}")
    seed, minutes = tables.get("seed", 0), tables.get("minutes", 60)
    if not isinstance(seed, int) or not isinstance(minutes, int | float) or minutes <= 0:
        raise RecipeError(f"{path.name}: seed must be a whole number and minutes a positive number")
    root = os.environ.get("JINQUE_DATA") or str(tables.get("data", "."))
    return Recipe(
        path=path,
        kind=kind,
        seed=seed,
        minutes=float(minutes),
        data_root=(path.resolve().parent / Path(root).expanduser()).resolve(),
        out=Path(str(tables.get("out", f"runs/{kind}"))).expanduser(),
        start=Path(str(tables["start"])).expanduser() if "start" in tables else None,
        tables=tables,
    )


def train(recipe_path: Path, resume: bool = False, minutes: float | None = None) -> TrainingResult:
    """Train what the recipe describes until it is done or ``minutes`` of wall time have passed, whichever is first.

    Every run leaves a checkpoint in the recipe's ``out`` folder; ``resume`` goes on from it, on the same schedule.

    Raises:
        RecipeError: the recipe cannot be used, its data is missing, there is nothing to resume, or the training
            extra is not installed.
    """
    recipe = load_recipe(recipe_path)
    if minutes is not None and minutes <= 0:
        raise RecipeError(f"minutes must be positive, not {minutes:g}")
    try:
        module = importlib.import_module(f"vision.training.{recipe.kind}")
    except ModuleNotFoundError as error:
        if error.name in {"torch", "torchvision", "ultralytics", "onnx"}:
            raise RecipeError(f"training needs {error.name}: install it with pip install 'jinque[train]'") from error
        raise
    result: TrainingResult = module.train_recipe(recipe, resume, minutes)
    return result


def files_hash(files: Iterable[Path]) -> str:
    """First 16 hex digits of the SHA-256 over names and contents of the sorted files: identifies training data."""
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(file.name.encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


def append_row(path: Path, row: Mapping[str, object]) -> None:
    """Add one row to a CSV file of results, with a header where the file is new; columns are the row's keys."""
    path.parent.mkdir(parents=True, exist_ok=True)
    is_new = not path.is_file()
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(row), lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerow(dict(row))
