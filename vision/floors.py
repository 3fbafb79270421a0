"""Floors under how well photos are read: a file of bars a data set, and whether an evaluation holds them.

The file is TOML, one table a data set, named like its folder::

    [cmd_hk]
    split = "test"                    # left out: as `vision.dataset.load_dataset` chooses
    right_share = 0.98                # at least
    exact_share = 0.70                # at least, of the photos
    confident_error_share = 0.005     # at most
    flowers_right_share = 0.95        # at least

    [cmd_hk.quick]                    # bars for a part of it, for tests: every 4th photo
    every = 4
    right_share = 0.97
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vision.dataset import LabelledPhoto, load_dataset
from vision.errors import FloorsError

AT_LEAST = ("right_share", "exact_share", "flowers_right_share")
AT_MOST = ("confident_error_share",)
_QUICK = "quick"


@dataclass(frozen=True, slots=True)
class Floor:
    """Bars of one data set.

    Attributes:
        dataset: name of its folder.
        split: whose photos count; None as `vision.dataset.load_dataset` chooses.
        every: each so many-th photo counts, from the first one on.
        bars: by name, those of `AT_LEAST` and `AT_MOST`.
    """

    dataset: str
    split: str | None
    every: int
    bars: Mapping[str, float]

    def photos(self, folder: Path) -> tuple[LabelledPhoto, ...]:
        """The photos that count, of the data set at ``folder``; DatasetError as `vision.dataset.load_dataset`."""
        return load_dataset(folder, self.split)[:: self.every]


@dataclass(frozen=True, slots=True)
class Held:
    """One bar, what was measured, and whether that is good enough."""

    name: str
    bar: float
    value: float

    @property
    def ok(self) -> bool:
        """Whether the bar holds."""
        return self.value <= self.bar if self.name in AT_MOST else self.value >= self.bar

    @property
    def text(self) -> str:
        """The comparison in words."""
        return f"{self.name} {self.value:.4f}, at {'most' if self.name in AT_MOST else 'least'} {self.bar:.4f}"

    def as_json(self) -> dict[str, object]:
        """Wire form."""
        return {"name": self.name, "bar": self.bar, "value": self.value, "ok": self.ok}


def load_floors(path: Path, *, quick: bool = False) -> tuple[Floor, ...]:
    """The floors of a file, in its order; with ``quick`` those for a part of the photos, where a set has such.

    Raises:
        FloorsError: the file is not there, no TOML, or has a table that is no floor; the message says which.
    """
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FloorsError(f"cannot read the floors {str(path)!r}: {(error.strerror or str(error)).lower()}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise FloorsError(f"{path.name} is not TOML: {error}") from error
    floors = []
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise FloorsError(f"{path.name}: expected tables named like data sets, got the value {name!r}")
        whole = {key: value for key, value in table.items() if key != _QUICK}
        part = {"split": whole.get("split"), **table.get(_QUICK, {})}
        own, other = _floor(path, name, whole), _floor(path, f"{name}.{_QUICK}", part) if _QUICK in table else None
        chosen = other if quick else own
        if chosen is not None:
            floors.append(chosen)
    return tuple(floors)


def _floor(path: Path, name: str, table: Mapping[str, Any]) -> Floor:
    split, every = table.get("split"), table.get("every", 1)
    bars = {key: value for key, value in table.items() if key not in ("split", "every")}
    unknown = [key for key in bars if key not in (*AT_LEAST, *AT_MOST)]
    if unknown:
        known = ", ".join((*AT_LEAST, *AT_MOST))
        raise FloorsError(f"{path.name}, [{name}]: no bar is called {unknown[0]!r}; expected {known}")
    if not bars or not all(isinstance(bar, int | float) and 0 <= bar <= 1 for bar in bars.values()):
        raise FloorsError(f"{path.name}, [{name}]: expected bars from 0 to 1, got {bars}")
    if not isinstance(every, int) or every < 1 or not (split is None or isinstance(split, str)):
        raise FloorsError(f"{path.name}, [{name}]: expected a split's name and every = 1 or more")
    return Floor(name.removesuffix(f".{_QUICK}"), split, every, {key: float(bar) for key, bar in bars.items()})


def compare(floor: Floor, figures: Mapping[str, Any]) -> tuple[Held, ...]:
    """Each bar with what `vision.evaluation_figures.figures` measured; no flowers at all hold no bar of theirs."""
    measured = {**figures, "flowers_right_share": figures["flowers"]["right_share"]}
    return tuple(Held(name, bar, float(measured[name])) for name, bar in floor.bars.items())
