"""``jinque evaluate``: how well labelled photos are read, and whether that holds the bars of a floor file."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.progress import Progress

from assistant_api import commands, commands_watch, terminal, terminal_evaluation
from assistant_api.errors import UsageError
from assistant_api.services.reading import shipped_reader
from assistant_api.settings import load_settings
from vision.dataset import LabelledPhoto, load_dataset
from vision.evaluation import Evaluation, evaluate_photos
from vision.evaluation_plots import check_plots, write_plots
from vision.floors import Floor, compare, load_floors
from vision.photo import PhotoReader


def evaluate(options: Namespace) -> int:
    """Exit 1 where a bar is missed."""
    if options.clips:
        return commands_watch.evaluate(options)
    if options.floors is not None:
        return _hold_floors(options)
    if options.quick:
        raise UsageError("--quick takes the bars for a part of the photos; give it together with --floors")
    if options.plots is not None:
        check_plots()
    reader = shipped_reader(load_settings(), options.models)
    name = options.dataset.resolve().name
    found = _read(name, load_dataset(options.dataset, options.split), reader, live=options.live)
    figures = {"dataset": name, "split": options.split, "live": options.live, **_networks(reader), **found.as_json()}
    with _written():
        if options.out is not None:
            with options.out.open("w", newline="", encoding="utf-8") as file:
                found.write_csv(file)
        if options.plots is not None:
            title = name if options.split is None else f"{name}, {options.split}"
            plots = write_plots(options.plots, found, title, reader.thresholds.known)
            figures["plots"] = [str(path) for path in plots]
    if options.json:
        commands.print_json(figures)
    else:
        terminal_evaluation.show_evaluation(name, figures)
    return commands.FOUND if options.bar is not None and figures["right_share"] < options.bar else commands.FINE


def _hold_floors(options: Namespace) -> int:
    """Evaluates the data sets that have floors, one after the other."""
    if options.live or any(value is not None for value in (options.out, options.plots, options.bar, options.split)):
        raise UsageError("--floors says which photos count; give it without --split, --bar, --live, --out and --plots")
    floors = load_floors(options.floors, quick=options.quick)
    chosen = _with_folders(options.dataset, floors)
    reader = shipped_reader(load_settings(), options.models)
    held = True
    sets = []
    for floor, folder in chosen:
        figures = _read(floor.dataset, floor.photos(folder), reader).as_json()
        bars = compare(floor, figures)
        held = held and all(bar.ok for bar in bars)
        about = {"dataset": floor.dataset, "split": floor.split, "every": floor.every}
        sets.append({**about, "bars": [bar.as_json() for bar in bars], **figures})
        if not options.json:
            terminal_evaluation.show_bars(floor, figures, bars)
    if options.json:
        commands.print_json({"held": held, **_networks(reader), "sets": sets})
    return commands.FINE if held else commands.FOUND


def _with_folders(dataset: Path, floors: Sequence[Floor]) -> list[tuple[Floor, Path]]:
    """The floors for a data set, or for those in a folder of data sets, each with its folder."""
    name = dataset.resolve().name
    own = [(floor, dataset) for floor in floors if floor.dataset == name]
    inside = [(floor, dataset / floor.dataset) for floor in floors if (dataset / floor.dataset).is_dir()]
    if not own and not inside:
        raise UsageError(
            f"no bars for {str(dataset)!r}: expected a folder called {', '.join(floor.dataset for floor in floors)},"
            " or one that holds them"
        )
    return own or inside


def _read(name: str, photos: Sequence[LabelledPhoto], reader: PhotoReader, *, live: bool = False) -> Evaluation:
    with _progress(name) as advance:
        return evaluate_photos(photos, reader, live=live, progress=advance)


def _networks(reader: PhotoReader) -> dict[str, Any]:
    """Which networks read: their checksums, and the confidence from which they name a tile."""
    return {"networks": dict(reader.networks), "threshold": reader.thresholds.known}


@contextmanager
def _written() -> Iterator[None]:
    """Says in one line what could not be written."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"cannot write {str(error.filename)!r}: {reason}") from None


@contextmanager
def _progress(name: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal that shows errors; nothing elsewhere."""
    with Progress(console=terminal.errors, transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(name, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
