"""The figures of an evaluation: shares, a row a class, confusions, reliability of the confidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import mean
from typing import TYPE_CHECKING, Any

from engine.tiles import CODES, Tile
from vision.reading import BACK, UNKNOWN

if TYPE_CHECKING:
    from vision.evaluation import Match, PhotoResult

BINS = 10
MISSED = "missed"
"""Column of `confusion_table` for labels without a reading."""

WHITE_DRAGON = "P"
_ORDER = {code: place for place, code in enumerate((*CODES, BACK))}


def figures(photos: Sequence[PhotoResult]) -> dict[str, Any]:
    """What `jinque evaluate --json` prints; shares are of all labelled tiles or of all photos, 0 of nothing."""
    matches = [match for photo in photos for match in photo.matches]
    labelled = [match for match in matches if match.true is not None]
    right = sum(match.is_right for match in labelled)
    exact = sum(photo.is_exact for photo in photos)
    errors = sum(match.is_confident_error for match in labelled)
    reliability = calibration(labelled)
    return {
        "photos": len(photos),
        "tiles": len(labelled),
        "found": sum(match.read is not None for match in labelled),
        "right": right,
        "right_share": share(right, len(labelled)),
        "extra": len(matches) - len(labelled),
        "exact_photos": exact,
        "exact_share": share(exact, len(photos)),
        "confident_errors": errors,
        "confident_error_share": share(errors, len(labelled)),
        "unknown": sum(match.read == UNKNOWN for match in labelled),
        "label_errors": label_errors(labelled),
        "flowers": flowers(labelled),
        "faces": faces(matches),
        "backs": backs(matches),
        "seconds_per_photo": round(mean(photo.seconds for photo in photos), 4) if photos else 0.0,
        "per_class": per_class(matches),
        "confusions": confusions(labelled),
        "calibration": reliability,
        "calibration_error": calibration_error(reliability),
        "failed": {photo.file: photo.error for photo in photos if photo.error},
    }


def label_errors(labelled: Sequence[Match]) -> dict[str, int]:
    """How many labels are known to be wrong, and what the figures would be by the labels as they are."""
    as_they_are = [match.as_labelled for match in labelled]
    return {
        "labels": sum(match.label is not None for match in labelled),
        "right_as_labelled": sum(match.is_right for match in as_they_are),
        "confident_errors_as_labelled": sum(match.is_confident_error for match in as_they_are),
    }


def flowers(labelled: Sequence[Match]) -> dict[str, Any]:
    """Flowers among labelled tiles, how many were found and named right, and the share."""
    own = [match for match in labelled if match.true != BACK and Tile.parse(str(match.true)).is_flower]
    right = sum(match.is_right for match in own)
    found = sum(match.read is not None for match in own)
    return {"tiles": len(own), "found": found, "right": right, "right_share": share(right, len(own))}


def faces(matches: Sequence[Match]) -> dict[str, Any]:
    """Tiles that show their face: labels, how many were found and named right, and readings that are too many."""
    own = [match for match in matches if match.true not in (None, BACK)]
    right = sum(match.is_right for match in own)
    return {
        "tiles": len(own),
        "found": sum(match.read not in (None, BACK) for match in own),
        "right": right,
        "right_share": share(right, len(own)),
        "extra": sum(match.true is None and match.read != BACK for match in matches),
    }


def backs(matches: Sequence[Match]) -> dict[str, Any]:
    """Tiles that show their back, where those are labelled: how many were found, and said to be backs (``right``),
    unknown, a face (``named``), white dragons among them (``named_P``); ``extra`` are backs where there is no tile."""
    own = [match for match in matches if match.true == BACK]
    right = sum(match.is_right for match in own)
    return {
        "tiles": len(own),
        "found": sum(match.read is not None for match in own),
        "right": right,
        "right_share": share(right, len(own)),
        "unknown": sum(match.read == UNKNOWN for match in own),
        "named": sum(match.is_confident_error for match in own),
        "named_P": sum(match.read == WHITE_DRAGON for match in own),
        "extra": sum(match.true is None and match.read == BACK for match in matches),
    }


def per_class(matches: Sequence[Match]) -> dict[str, dict[str, Any]]:
    """Counts a class, in the order of the tiles: its labels, and how many of them were found, right, unknown or called
    something else (``wrong``); ``taken_for_it`` are other tiles, or none, that were named so."""
    table: dict[str, dict[str, Any]] = {}
    for code in sorted({str(match.true) for match in matches if match.true is not None}, key=_ORDER.__getitem__):
        own = [match for match in matches if match.true == code]
        right = sum(match.is_right for match in own)
        table[code] = {
            "tiles": len(own),
            "found": sum(match.read is not None for match in own),
            "right": right,
            "right_share": share(right, len(own)),
            "unknown": sum(match.read == UNKNOWN for match in own),
            "wrong": sum(match.is_confident_error for match in own),
            "taken_for_it": sum(match.read == code and match.true != code for match in matches),
        }
    return table


def confusions(labelled: Sequence[Match]) -> list[dict[str, Any]]:
    """Pairs of true and read name, most frequent first; what an unknown tile was taken for counts apart."""
    pairs = Counter(
        (str(match.true), str(match.guess), match.read == UNKNOWN)
        for match in labelled
        if match.guess is not None and match.guess != match.true
    )
    return [
        {"true": true, "read": read, "count": count, "unknown": unknown}
        for (true, read, unknown), count in sorted(pairs.items(), key=lambda item: (-item[1], item[0]))
    ]


def calibration(labelled: Sequence[Match]) -> list[dict[str, Any]]:
    """Reliability of the confidence of best guesses, in tenths: what was claimed, and what came true."""
    bins: list[list[Match]] = [[] for _ in range(BINS)]
    for match in labelled:
        if match.guess is not None:
            bins[min(int(match.confidence * BINS), BINS - 1)].append(match)
    return [
        {
            "from": index / BINS,
            "to": (index + 1) / BINS,
            "tiles": len(members),
            "confidence": round(mean(match.confidence for match in members), 4),
            "right_share": share(sum(match.guess == match.true for match in members), len(members)),
        }
        for index, members in enumerate(bins)
        if members
    ]


def calibration_error(reliability: Sequence[dict[str, Any]]) -> float:
    """Expected calibration error: mean gap between claim and truth over the tenths, weighted by tiles (Guo 2017)."""
    tiles = sum(row["tiles"] for row in reliability)
    gap = sum(row["tiles"] * abs(row["confidence"] - row["right_share"]) for row in reliability)
    return round(gap / tiles, 4) if tiles else 0.0


def confusion_table(matches: Sequence[Match]) -> tuple[list[str], list[str], list[list[int]]]:
    """Counts by true class (rows) and by what was read (columns), limited to the classes that occur.

    Returns:
        Names of the rows, names of the columns (read codes, then ``?`` unknown and ``missed``), and the counts.
    """
    counts: Counter[tuple[str, str]] = Counter(
        (match.true, match.read or MISSED) for match in matches if match.true is not None
    )
    rows = sorted({true for true, _ in counts}, key=_ORDER.__getitem__)
    read = sorted({read for _, read in counts} - {UNKNOWN, MISSED} | set(rows), key=_ORDER.__getitem__)
    columns = [*read, UNKNOWN, MISSED]
    return rows, columns, [[counts[row, column] for column in columns] for row in rows]


def share(part: int, whole: int) -> float:
    """A share to four digits; 0 of nothing."""
    return round(part / whole, 4) if whole else 0.0
