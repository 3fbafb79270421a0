"""Where people's own sets of tiles are kept: one file a set in the user's data folder, named after the set.

A file holds looks (numbers of the network) and, only where the owner agreed, small JPEG crops of the faces. It is
written beside its place and moved there whole, so a set is never half there.
"""

from __future__ import annotations

import json
import os
import unicodedata
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote
from zipfile import BadZipFile

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant_api.errors import NotFoundError, UsageError
from vision.errors import TilesetError
from vision.tilesets import Tileset

LONGEST_NAME = 24
_SUFFIX = ".npz"
_UNFINISHED = ".writing-"
_JPEG_QUALITY = 90
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class StoredTileset:
    """A set with the time it was first kept."""

    tileset: Tileset
    created: datetime


def clean_name(name: str) -> str:
    """A name as it is kept; UsageError where it is none."""
    tidy = " ".join(unicodedata.normalize("NFC", name).split())
    if not tidy or len(tidy) > LONGEST_NAME or not all(char.isprintable() for char in tidy):
        raise UsageError(f"{name[:40]!r} is no name for a set; use 1 to {LONGEST_NAME} letters, digits or spaces")
    return tidy


class TilesetFolder:
    """The sets kept in a folder, which is made when the first one is saved."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self) -> list[str]:
        """Names of all sets, sorted."""
        files = self._folder.glob(f"*{_SUFFIX}")
        return sorted(unquote(path.stem) for path in files if not path.name.startswith(_UNFINISHED))

    def load(self, name: str) -> StoredTileset:
        """The set of this name.

        Raises:
            NotFoundError: there is none; the message names those there are.
            TilesetError: its file is damaged.
        """
        path = self._existing(name)
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as data:
                about: dict[str, Any] = json.loads(str(data["about"]))
                crops = _unpacked(data["jpegs"], data["lengths"]) if about["crops"] else None
                tileset = Tileset(
                    about["name"], about["network"], data["kinds"], data["looks"].astype(np.float32), crops
                )
            return StoredTileset(tileset, datetime.fromisoformat(about["created"]))
        except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
            raise TilesetError(f"the file of the set {name!r} is damaged; remove the set and add it again") from error

    def save(self, tileset: Tileset, created: datetime | None = None) -> StoredTileset:
        """Keep a set under its name, in the place of one that is there."""
        stored = StoredTileset(replace(tileset, name=clean_name(tileset.name)), created or datetime.now(UTC))
        about = {
            "format": _FORMAT,
            "name": stored.tileset.name,
            "network": tileset.network,
            "created": stored.created.isoformat(timespec="seconds"),
            "crops": tileset.crops is not None,
        }
        jpegs, lengths = _packed(tileset.crops)
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._path(stored.tileset.name)
        fresh = path.with_name(f"{_UNFINISHED}{os.getpid()}-{path.name}")
        with fresh.open("wb") as file:
            np.savez_compressed(
                file,
                about=json.dumps(about, ensure_ascii=False),
                kinds=tileset.kinds,
                looks=tileset.looks.astype(np.float16),
                jpegs=jpegs,
                lengths=lengths,
            )
        fresh.replace(path)
        return stored

    def remove(self, name: str) -> None:
        """Delete a set and all that was kept of it; NotFoundError where there is none."""
        self._existing(name).unlink(missing_ok=True)

    def _existing(self, name: str) -> Path:
        path = self._path(clean_name(name))
        if not path.is_file():
            there = self.names()
            hint = f"there are {', '.join(there)}" if there else "none was added yet, see 'jinque tileset add'"
            raise NotFoundError(f"there is no set of tiles named {name[:40]!r}; {hint}")
        return path

    def _path(self, name: str) -> Path:
        return self._folder / f"{quote(name, safe=' ')}{_SUFFIX}"


def _packed(crops: NDArray[np.uint8] | None) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Crops as JPEG files behind each other, and the length of each."""
    files = [cv2.imencode(".jpg", crop, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])[1].ravel() for crop in _rows(crops)]
    joined = np.concatenate([np.zeros(0, np.uint8), *files])
    return joined, np.array([len(file) for file in files], np.int64)


def _rows(crops: NDArray[np.uint8] | None) -> NDArray[np.uint8]:
    return np.zeros((0, 64, 64, 3), np.uint8) if crops is None else crops


def _unpacked(jpegs: NDArray[np.uint8], lengths: NDArray[np.int64]) -> NDArray[np.uint8]:
    files = np.split(jpegs, np.cumsum(lengths)[:-1])
    crops = [cv2.imdecode(file, cv2.IMREAD_COLOR) for file in files]
    if any(crop is None for crop in crops):
        raise ValueError("a crop cannot be decoded")
    return np.array(crops, np.uint8)
