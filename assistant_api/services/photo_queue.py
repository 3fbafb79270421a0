"""Photos that people send for the reader to learn from: a folder with two files a photo, its pixels and what is known.

Nothing enters without a source and a licence. Only pixels are kept, turned upright: whatever else came in the file
(place, phone, time) stays out. A photo is known by its pixels, so that the same one is not kept twice.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeAlias

import cv2

from assistant_api.errors import NotFoundError, QueueError, UsageError
from engine.errors import JinqueError
from vision.frames import DEFAULT_LIMITS, Frame, Limits, read_frame
from vision.reading import UNKNOWN

Quad: TypeAlias = tuple[tuple[float, float], ...]

LONGEST_TEXT = 200
_JPEG_QUALITY = 95
_FORMAT = 1
_ID_DIGITS = 12
_SHORTEST_ID = 4


class State(StrEnum):
    """How far a photo has come."""

    NEW = "new"
    """Nobody has read it."""
    PROPOSED = "proposed"
    """Our reader has; a person is to look."""
    REVIEWED = "reviewed"
    """A person has named every tile."""


@dataclass(frozen=True, slots=True)
class QueuedTile:
    """A tile of a queued photo.

    Attributes:
        tile: notation code, ``back``, or ``?`` where it is not known.
        quad: four corners in pixels of the photo, clockwise.
        confidence: 0..1 as the reader has it; 1 where a person named the tile.
        alternatives: other kinds it may be, best first, with their chances.
    """

    tile: str
    quad: Quad
    confidence: float = 1.0
    alternatives: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class QueuedPhoto:
    """What is known of a photo.

    Attributes:
        id: the first digits of the SHA-256 of its pixels.
        file: what it was called.
        source: who took it or where it comes from.
        licence: an SPDX identifier, or the terms in words.
        added: when, in ISO 8601.
        width, height: in pixels.
        tiles: in rows from the far one, left to right; None until it is read.
        networks: checksums of the networks that read it.
        reviewed: when a person had named every tile; None before.
    """

    id: str
    file: str
    source: str
    licence: str
    added: str
    width: int
    height: int
    tiles: tuple[QueuedTile, ...] | None = None
    networks: dict[str, str] | None = None
    reviewed: str | None = None

    @property
    def state(self) -> State:
        """How far it has come."""
        if self.tiles is None:
            return State.NEW
        return State.PROPOSED if self.reviewed is None else State.REVIEWED

    @property
    def unknown(self) -> tuple[int, ...]:
        """Numbers, from 1, of the tiles that nobody has named."""
        return tuple(number for number, one in enumerate(self.tiles or (), 1) if one.tile == UNKNOWN)

    def as_json(self) -> dict[str, Any]:
        """The photo as the commands tell it."""
        tiles = None if self.tiles is None else [{"number": n, **asdict(one)} for n, one in enumerate(self.tiles, 1)]
        return {**asdict(self), "state": str(self.state), "tiles": tiles, "unknown": list(self.unknown)}


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of photos that were brought: kept ones, those that were there already, and why others were not."""

    added: tuple[QueuedPhoto, ...]
    doubles: tuple[tuple[str, str], ...]
    """File names with the id of the photo they are."""
    refused: tuple[tuple[str, str], ...]
    """File names with the reason."""


class PhotoQueue:
    """The photos of a folder, which is made when the first one is added."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(self, paths: Iterable[Path], *, source: str, licence: str, limits: Limits = DEFAULT_LIMITS) -> Taken:
        """Take photos in; one that cannot be read keeps no other one out.

        Raises:
            UsageError: no source or no licence; nothing was taken then.
            QueueError: the folder cannot be written.
        """
        source, licence = _said(source, "source"), _said(licence, "licence")
        added: list[QueuedPhoto] = []
        doubles, refused = [], []
        for path in paths:
            try:
                frame = read_frame(path, limits=limits)
            except JinqueError as error:
                refused.append((path.name, str(error)))
                continue
            photo = QueuedPhoto(_id(frame), path.name, source, licence, _now(), frame.width, frame.height)
            if self._about(photo.id).is_file():
                doubles.append((path.name, photo.id))
                continue
            self._write(self.picture(photo.id), _jpeg(frame))
            self.save(photo)
            added.append(photo)
        return Taken(tuple(added), tuple(doubles), tuple(refused))

    def list(self) -> tuple[QueuedPhoto, ...]:
        """All photos, the one that waits longest first."""
        photos = [self._load(path) for path in self.folder.glob("*.json")]
        return tuple(sorted(photos, key=lambda photo: (photo.added, photo.id)))

    def load(self, name: str) -> QueuedPhoto:
        """The photo with this id, or with one that begins so.

        Raises:
            NotFoundError: there is none.
            UsageError: several ids begin so.
            QueueError: its file is damaged.
        """
        found = sorted(self.folder.glob("*.json")) if len(name) >= _SHORTEST_ID and name.isalnum() else []
        found = [path for path in found if path.stem.startswith(name.lower())]
        if not found:
            raise NotFoundError(f"there is no photo {name[:40]!r} in the queue; 'jinque photos list' shows their ids")
        if len(found) > 1:
            raise UsageError(f"{name!r} begins the ids of {len(found)} photos; give more of its digits")
        return self._load(found[0])

    def frame(self, photo: QueuedPhoto) -> Frame:
        """Its pixels; QueueError where they are gone or damaged."""
        try:
            return read_frame(self.picture(photo.id))
        except JinqueError as error:
            raise QueueError(
                f"the picture of {photo.id} is gone or damaged; remove the photo and add it again"
            ) from error

    def save(self, photo: QueuedPhoto) -> QueuedPhoto:
        """Keep what is known of a photo, whole or not at all."""
        document = {"format": _FORMAT, **asdict(photo)}
        self._write(self._about(photo.id), json.dumps(document, ensure_ascii=False, indent=1).encode())
        return photo

    def remove(self, photo: QueuedPhoto) -> None:
        """Delete a photo with all that is known of it."""
        for path in (self._about(photo.id), self.picture(photo.id)):
            path.unlink(missing_ok=True)

    def picture(self, photo_id: str) -> Path:
        """Where its pixels are."""
        return self.folder / f"{photo_id}.jpg"

    def _about(self, photo_id: str) -> Path:
        return self.folder / f"{photo_id}.json"

    def _load(self, path: Path) -> QueuedPhoto:
        try:
            about: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            about.pop("format")
            tiles = about.pop("tiles")
            return QueuedPhoto(**about, tiles=None if tiles is None else tuple(_tile(one) for one in tiles))
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise QueueError(f"{path.name} in the queue is damaged; delete it and add the photo again") from error

    def _write(self, path: Path, data: bytes) -> None:
        """Beside its place first, then moved there whole."""
        fresh = path.with_name(f".writing-{os.getpid()}-{path.name}")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            fresh.write_bytes(data)
            fresh.replace(path)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise QueueError(f"cannot keep photos in {str(self.folder)!r}: {reason}") from error


def _said(text: str, what: str) -> str:
    tidy = " ".join(text.split())
    if not tidy or len(tidy) > LONGEST_TEXT or not tidy.isprintable():
        given = "no" if not tidy else "no usable"
        raise UsageError(
            "say with --source who took the photos or where they come from, and with --licence how they may be used"
            f" (such as CC0-1.0, or in words); {given} {what} was given, so nothing was taken"
        )
    return tidy


def _id(frame: Frame) -> str:
    """The same for the same pixels, whatever file they came in."""
    digest = hashlib.sha256(f"{frame.width}x{frame.height}".encode())
    digest.update(frame.image.tobytes())
    return digest.hexdigest()[:_ID_DIGITS]


def _jpeg(frame: Frame) -> bytes:
    """Pixels alone: no EXIF block is written."""
    return bytes(cv2.imencode(".jpg", frame.image, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])[1])


def _tile(one: dict[str, Any]) -> QueuedTile:
    return QueuedTile(one["tile"], _corners(one["quad"]), one["confidence"], _chances(one["alternatives"]))


def _corners(quad: Sequence[Sequence[float]]) -> Quad:
    return tuple((float(x), float(y)) for x, y in quad)


def _chances(alternatives: Sequence[Sequence[Any]]) -> tuple[tuple[str, float], ...]:
    return tuple((str(code), float(chance)) for code, chance in alternatives)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
