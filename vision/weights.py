"""Finds the bundled networks and checks them against their cards before anybody runs them.

Each network ``NAME`` is a card ``NAME.json`` with its files beside it. A card holds at least::

    {"name": "detector", "file": "detector.onnx", "sha256": "...", "labels": ["face", "back"],
     "input_size": 960, "thresholds": {"score": 0.35}}

A built wheel carries them in ``vision/_models``; in a checkout they lie in ``models`` beside the packages.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from engine.tiles import CODES
from vision.errors import ModelMismatchError, ModelMissingError

FACE_LABELS: tuple[str, ...] = (*CODES, "back", "not_a_face")
"""Labels of the classifier in the order of its outputs: the 42 tiles, the back, anything that is no face."""

NETWORKS = ("detector", "classifier")
"""Names of the cards of the two networks that read a photo."""

WHOLE_TABLES = "detector-whole"
"""The card of a second detector, for photos of whole tables."""

_PACKAGE = Path(__file__).resolve().parent
_FOLDERS = (_PACKAGE / "_models", _PACKAGE.parent / "models")
_REQUIRED = ("file", "sha256", "labels", "input_size", "thresholds")


@dataclass(frozen=True)
class Weights:
    """A network that passed its checks.

    Attributes:
        name: name of the card.
        path: the file with the weights.
        labels: its classes, in the order of its outputs.
        input_size: side of its square input in pixels.
        thresholds: numbers chosen on validation photos, by name.
        card: everything the card says.
    """

    name: str
    path: Path
    labels: tuple[str, ...]
    input_size: int
    thresholds: Mapping[str, float]
    card: Mapping[str, Any]

    @property
    def sha256(self) -> str:
        """Checksum of the file, in hex digits; it is the one that the card names."""
        return str(self.card["sha256"])


def find_weights(name: str, *, labels: Sequence[str] | None = None, folder: Path | None = None) -> Weights:
    """The network of this name.

    Args:
        name: name of the card, such as ``detector``.
        labels: what its outputs have to be, in order; None where the caller takes them as they are.
        folder: where to look instead of the bundled places.

    Raises:
        ModelMissingError: no card, or a file it names is not there.
        ModelMismatchError: card unreadable or incomplete, checksum or labels differ.
    """
    folders = (folder,) if folder is not None else _FOLDERS
    card_path = next((path for place in folders if (path := place / f"{name}.json").is_file()), None)
    remedy = "install jinque again" if folder is None else f"put it into {folder}"
    if card_path is None:
        where = "models" if folder is None else str(folder)
        raise ModelMissingError(f"the network {name!r} is not installed: no {name}.json in {where}; {remedy}")
    card = _read_card(card_path)
    path = card_path.parent / str(card["file"])
    if not path.is_file():
        raise ModelMissingError(f"the network {name!r} is not complete: {path.name} is missing; {remedy}")
    stat = path.stat()
    found = _sha256(path, stat.st_mtime_ns, stat.st_size)
    if found != card["sha256"]:
        raise ModelMismatchError(
            f"{path.name} is not the file its card describes (sha256 {found[:12]}..., expected"
            f" {str(card['sha256'])[:12]}...); {'install jinque again' if folder is None else 'write its card anew'}"
        )
    own = tuple(card["labels"])
    if labels is not None and own != tuple(labels):
        place = next(
            (i for i, (a, b) in enumerate(zip(own, labels, strict=False)) if a != b), min(len(own), len(labels))
        )
        raise ModelMismatchError(
            f"{card_path.name}: expected {len(labels)} labels, got {len(own)}; the first difference is label {place}"
        )
    return Weights(name, path, own, int(card["input_size"]), dict(card["thresholds"]), card)


def card_folders(folder: Path | None) -> dict[str, Path | None]:
    """Where each of both networks is looked for: in a folder where it has its card there, else among the bundled ones.

    Raises:
        ModelMissingError: the folder has the card of neither network.
    """
    if folder is None:
        return dict.fromkeys(NETWORKS)
    places = {name: folder if (folder / f"{name}.json").is_file() else None for name in NETWORKS}
    if not any(places.values()):
        cards = " or ".join(f"{name}.json" for name in NETWORKS)
        raise ModelMissingError(f"no networks in {str(folder)!r}: expected {cards} with the file that it names")
    return places


def find_companion(folder: Path | None) -> Weights | None:
    """The network for whole tables that belongs to the detector of a folder, None for the bundled ones.

    A folder with a detector and no such network has none: two that were not trained together are not mixed.
    """
    if folder is not None and not (folder / f"{WHOLE_TABLES}.json").is_file():
        return None
    return find_weights(WHOLE_TABLES, folder=folder)


def _read_card(path: Path) -> dict[str, Any]:
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelMismatchError(f"{path.name} cannot be read as a model card: {error}") from error
    if not isinstance(card, dict) or (missing := [key for key in _REQUIRED if key not in card]):
        lacking = ", ".join(missing) if isinstance(card, dict) else "everything"
        raise ModelMismatchError(f"{path.name} is no model card: it lacks {lacking}")
    return card


@lru_cache(maxsize=16)
def _sha256(path: Path, mtime_ns: int, size: int) -> str:
    """Checksum of a file; time and size are part of the key, so that a changed file is read again."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
