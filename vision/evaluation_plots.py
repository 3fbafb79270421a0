"""Pictures of an evaluation: what was taken for what, and whether the confidence keeps its word. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from vision.errors import MissingExtraError
from vision.evaluation import Evaluation
from vision.evaluation_figures import BINS, confusion_table

CONFUSION_FILE, RELIABILITY_FILE = "confusion.png", "reliability.png"


def check_plots() -> None:
    """Raises MissingExtraError where pictures cannot be drawn, so that nobody waits for an evaluation in vain."""
    try:
        import matplotlib.figure  # noqa: F401
    except ModuleNotFoundError as error:
        raise MissingExtraError("pictures need matplotlib: install it with pip install 'jinque[plots]'") from error


def write_plots(folder: Path, found: Evaluation, title: str, threshold: float) -> tuple[Path, ...]:
    """Writes both pictures into a folder, made where it is not there; returns their files.

    Args:
        title: what was evaluated.
        threshold: confidence from which a tile is named.

    Raises:
        MissingExtraError: matplotlib is not installed.
        OSError: the folder cannot be written.
    """
    check_plots()
    folder.mkdir(parents=True, exist_ok=True)
    paths = folder / CONFUSION_FILE, folder / RELIABILITY_FILE
    rows, columns, counts = confusion_table(list(found.matches))
    _confusion(paths[0], rows, columns, counts, title)
    document = found.as_json()
    _reliability(paths[1], document["calibration"], document["calibration_error"], title, threshold)
    return paths


def _figure(width: float, height: float) -> Any:
    from matplotlib.figure import Figure  # without pyplot: no window, no state shared between threads

    return Figure(figsize=(width, height), layout="constrained")


def _confusion(
    path: Path, rows: Sequence[str], columns: Sequence[str], counts: Sequence[Sequence[int]], title: str
) -> None:
    figure = _figure(3 + 0.26 * len(columns), 2 + 0.26 * len(rows))
    axes = figure.add_subplot()
    shares = [[count / max(sum(row), 1) for count in row] for row in counts]
    if rows:
        axes.imshow(shares, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    for y, row in enumerate(counts):
        for x, count in enumerate(row):
            if count:
                mistake = rows[y] != columns[x]
                colour = "tab:red" if mistake else "white" if shares[y][x] > 0.5 else "black"
                axes.text(x, y, count, ha="center", va="center", fontsize=7, color=colour)
    axes.set_xticks(range(len(columns)), columns, rotation=90, fontsize=8)
    axes.set_yticks(range(len(rows)), rows, fontsize=8)
    axes.set_xlabel("read as")
    axes.set_ylabel("true")
    axes.set_title(f"{title}: tiles, mistakes in red", fontsize=10)
    figure.savefig(path, dpi=120)


def _reliability(path: Path, bins: Sequence[dict[str, Any]], error: float, title: str, threshold: float) -> None:
    figure = _figure(6, 6.5)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
    above.plot([0, 1], [0, 1], color="grey", linestyle=":", label="keeps its word")
    claimed, came_true = [row["confidence"] for row in bins], [row["right_share"] for row in bins]
    above.plot(claimed, came_true, marker="o", label=f"best guesses, calibration error {error:.3f}")
    for axes in (above, below):
        axes.axvline(threshold, color="tab:red", linestyle="--", label=f"named from {threshold:.2f}")
    above.set_ylabel("share right")
    above.set_ylim(0, 1.02)
    above.set_title(title, fontsize=10)
    above.legend(loc="upper left", fontsize=8)
    below.bar([row["from"] + 0.5 / BINS for row in bins], [row["tiles"] for row in bins], width=0.9 / BINS)
    below.set_yscale("symlog")
    below.set_ylabel("tiles")
    below.set_xlabel("confidence")
    below.set_xlim(0, 1)
    figure.savefig(path, dpi=120)
