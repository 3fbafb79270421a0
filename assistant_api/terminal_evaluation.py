"""What `jinque evaluate` shows to people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assistant_api.terminal import console, show_table
from vision.floors import Floor, Held

_MISTAKES = 12


def show_evaluation(name: str, figures: Mapping[str, Any]) -> None:
    """The figures of an evaluation, a row a class, and its most frequent mistakes."""
    flowers, faces, backs = figures["flowers"], figures["faces"], figures["backs"]
    rows = [
        ("photos", figures["photos"], ""),
        ("exact photos", figures["exact_photos"], f"{figures['exact_share']:.1%}"),
        ("tiles", figures["tiles"], ""),
        ("found", figures["found"], ""),
        ("right", figures["right"], f"{figures['right_share']:.1%}"),
        ("unknown", figures["unknown"], ""),
        ("confident errors", figures["confident_errors"], f"{figures['confident_error_share']:.2%}"),
        *(_wrong_labels(figures["label_errors"]) if figures["label_errors"]["labels"] else []),
        ("extra", figures["extra"], ""),
        *(_apart(faces, backs) if backs["tiles"] else []),
        *([("flowers right", flowers["right"], f"{flowers['right_share']:.1%}")] if flowers["tiles"] else []),
        ("calibration error", figures["calibration_error"], ""),
        ("seconds a photo", figures["seconds_per_photo"], ""),
    ]
    show_table(name, rows, ("", "", ""))
    show_table("\nclasses", _class_rows(figures["per_class"]), _CLASS_HEADERS)
    mistakes = [(f"{pair['true']} as {pair['read']}", pair["count"]) for pair in figures["confusions"][:_MISTAKES]]
    if mistakes:
        show_table("\nmost frequent mistakes", mistakes, ("", ""))
    for network, digest in figures["networks"].items():
        console.print(f"[dim]{network} {digest[:12]}[/]")
    for path in figures.get("plots", ()):
        console.print(path, markup=False)


def _wrong_labels(found: Mapping[str, int]) -> list[tuple[object, ...]]:
    """What the two figures above would be by labels that are known to be wrong."""
    as_they_are = f"{found['right_as_labelled']} right, {found['confident_errors_as_labelled']} confident errors"
    return [("labels known to be wrong", found["labels"], f"by them {as_they_are}")]


def _apart(faces: Mapping[str, Any], backs: Mapping[str, Any]) -> list[tuple[object, ...]]:
    """Faces and backs apart, for sets that label both."""
    return [
        ("faces right", f"{faces['right']} of {faces['tiles']}", f"{faces['right_share']:.1%}"),
        ("backs right", f"{backs['right']} of {backs['tiles']}", f"{backs['right_share']:.1%}"),
        ("backs missed", backs["tiles"] - backs["found"], ""),
        ("backs named", backs["named"], f"{backs['named_P']} as P"),
    ]


def show_bars(floor: Floor, figures: Mapping[str, Any], bars: Sequence[Held]) -> None:
    """What was measured on one data set, and each bar."""
    part = "" if floor.every == 1 else f", 1 of {floor.every}"
    console.print(
        f"[bold]{floor.dataset}[/]{part}: {figures['right']} of {figures['tiles']} tiles right,"
        f" {figures['exact_photos']} of {figures['photos']} photos exact,"
        f" {figures['confident_errors']} confident errors"
    )
    for bar in bars:
        console.print(f"  {'[green]✓[/]' if bar.ok else '[red]✗[/]'} {bar.text}")


_CLASS_HEADERS = ("class", "tiles", "found", "right", "", "unknown", "wrong", "taken for it")


def _class_rows(table: Mapping[str, Mapping[str, Any]]) -> list[tuple[object, ...]]:
    return [
        (
            code,
            row["tiles"],
            row["found"],
            row["right"],
            f"{row['right_share']:.1%}",
            row["unknown"] or "",
            row["wrong"] or "",
            row["taken_for_it"] or "",
        )
        for code, row in table.items()
    ]
