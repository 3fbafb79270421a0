"""``jinque evaluate``: how well labelled photos are read, and whether that holds the bars of a floor file."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.progress import Progress

from assistant_api import commands, terminal, terminal_evaluation
from assistant_api.errors import UsageError
from assistant_api.services.reading import shipped_reader
from assistant_api.settings import load_settings
from vision.dataset import load_dataset
from vision.evaluation import Evaluation, evaluate_photos
from vision.evaluation_plots import check_plots, write_plots
from vision.photo import PhotoReader


def evaluate(options: Namespace) -> int:
    """Exit 1 where a bar is missed."""
    if options.plots is not None:
        check_plots()
    reader = shipped_reader(load_settings(), options.models)
    name = options.dataset.resolve().name
    photos = load_dataset(options.dataset, options.split)
    with _progress(name) as advance:
        found = evaluate_photos(photos, reader, progress=advance)
    figures = {"dataset": name, "split": options.split, **_networks(reader), **found.as_json()}
    with _written():
        if options.out is not None:
            with options.out.open("w", newline="", encoding="utf-8") as file:
                found.write_csv(file)
        if options.plots is not None:
            figures["plots"] = [str(path) for path in _plots(options, found, name, reader)]
    if options.json:
        commands.print_json(figures)
    else:
        terminal_evaluation.show_evaluation(name, figures)
    return commands.FOUND if options.bar is not None and figures["right_share"] < options.bar else commands.FINE


def _plots(options: Namespace, found: Evaluation, name: str, reader: PhotoReader) -> tuple[Any, ...]:
    title = name if options.split is None else f"{name}, {options.split}"
    return write_plots(options.plots, found, title, reader.thresholds.known)


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
