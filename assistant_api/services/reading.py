"""The reader of photos, loaded when the first photo comes and used by one caller at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from assistant_api.services.hand_draft import flower_kinds
from assistant_api.services.tileset_files import TilesetFolder
from assistant_api.services.tilesets import load_for
from assistant_api.settings import Settings
from engine.rulesets import Ruleset
from engine.tiles import Tile
from vision.frames import Frame
from vision.photo import PhotoReader, PhotoReading


class Reader(Protocol):
    """What reads a frame; `vision.photo.PhotoReader` is the one that ships."""

    def read(self, photo: Frame, *, flower_kinds: Collection[Tile] = ..., hand_tiles: int | None = ...) -> PhotoReading:
        """The tiles of a frame, laid out as a hand."""


def shipped_reader(settings: Settings, networks: Path | None = None) -> PhotoReader:
    """The reader with the weights that come with the program, or with those of a folder of networks with cards.

    Raises:
        ModelError: they are missing or damaged.
    """
    return PhotoReader.of_folder(networks, threads=settings.reading_threads)


class SharedReader:
    """A reader for several threads: made once, and one frame at a time, since the networks already use all threads."""

    def __init__(self, make: Callable[[], Reader], folder: TilesetFolder) -> None:
        self._make = make
        self._folder = folder
        self._reader: Reader | None = None
        self._lock = threading.Lock()

    def load(self) -> Reader:
        """The reader, made now if it was not yet; ModelError when it cannot be."""
        with self._lock:
            if self._reader is None:
                self._reader = self._make()
            return self._reader

    @contextmanager
    def using(self) -> Iterator[Reader]:
        """The reader for one caller; ModelError when it cannot be made."""
        reader = self.load()
        with self._lock:
            yield reader

    def read(self, frame: Frame, ruleset: Ruleset, hand_tiles: int | None, tileset: str | None = None) -> PhotoReading:
        """The tiles of a frame, laid out by the rules' idea of flowers and of a full hand.

        Args:
            tileset: name of the set of tiles that lies on the table; None where none was chosen.

        Raises:
            NotFoundError: there is no such set.
            TilesetError: it was learnt with another network, and its photos have to be added again.
        """
        with self.using() as reader:
            if tileset is not None and isinstance(reader, PhotoReader):
                reader = reader.with_tileset(load_for(self._folder, reader, tileset))
            return reader.read(frame, flower_kinds=flower_kinds(ruleset), hand_tiles=hand_tiles)
