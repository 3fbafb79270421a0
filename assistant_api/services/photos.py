"""Photos as they come in: decoded safely, read, kept small and without EXIF data until their hand is settled."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

import cv2
import numpy as np
from sqlmodel import Session

from assistant_api import repository
from assistant_api.errors import ConflictError
from assistant_api.languages import Language, translate
from assistant_api.rows import PhotoRow, now
from assistant_api.schemas import Draft, DraftTile, PhotoAnswer, PhotoOut
from assistant_api.services.assemble import draft_tiles
from assistant_api.services.hand_draft import winning_size
from assistant_api.services.ledger import hands
from assistant_api.services.ledger.book import Book, Call
from assistant_api.services.reading import Reader, SharedReader
from assistant_api.settings import Settings
from assistant_api.storage import transaction
from engine.errors import JinqueError
from vision.frames import BGR, Frame, decode_frame
from vision.photo import PhotoReading

_JPEG_QUALITY = 86


class PhotoDesk:
    """Takes photos in, gives them back, deletes them.

    Args:
        settings: limits.
        book: where photos are kept, and what is known of the next hand.
        make_reader: makes the reader; called when the first photo comes.
    """

    def __init__(self, settings: Settings, book: Book, make_reader: Callable[[Settings], Reader]) -> None:
        self._settings = settings
        self._book = book
        self._database = book.database
        self._reader = SharedReader(lambda: make_reader(settings))

    def warm_up(self) -> None:
        """Load the networks before the first photo comes; what is wrong with them is told when one does."""
        with suppress(JinqueError):
            self._reader.load()

    def take(self, data: bytes, name: str, call: Call, game: str | None = None, key: str | None = None) -> PhotoAnswer:
        """Read a photo and keep it. Nothing is kept of a photo that cannot be read or shows no tile.

        Args:
            data: the file.
            name: what it is called, for messages.
            call: who sends it.
            game: its rules tell what is a flower, its ledger the deal; None: the server's ruleset.
            key: the same key never keeps a second photo: a phone that lost the answer sends the photo again.

        Raises:
            FrameError: see `vision.frames.decode_frame`.
            ModelError: the networks cannot be used.
            NotFoundError, TokenError: the game cannot be opened.
            ConflictError: the key was used for another photo.
        """
        ruleset = hands.rules_for(self._book, call, game)
        frame = decode_frame(data, limits=self._settings.photo_limits, source=name)
        reading = self._reader.read(frame, ruleset, winning_size(ruleset))
        tiles = draft_tiles(reading)
        return PhotoAnswer(
            photo=self._keep(frame, reading, key) if tiles else None,
            reading=dict(reading.as_json()),
            draft=Draft(
                tiles=tiles,
                facts=hands.known_facts(self._book, call, game),
                message=_message(tiles, call.language),
            ),
        )

    def _keep(self, frame: Frame, reading: PhotoReading, key: str | None) -> PhotoOut:
        """Store a photo with its reading; those that were kept long enough go."""
        row = PhotoRow(jpeg=_shown(frame.image, self._settings.shown_photo_px), reading=dict(reading.as_json()))
        with transaction(self._database, writes=True) as session:
            self._sweep(session)
            if key is not None:
                row.id = _id_of(key)
            earlier = repository.find_photo(session, row.id)
            if earlier is None:
                repository.add_photo(session, row)
            elif _content(earlier) != _content(row):
                raise ConflictError(f"the key {key!r} was used for another photo; expected a fresh one")
        return PhotoOut(id=row.id, url=f"/api/photos/{row.id}", width=frame.width, height=frame.height)

    def sweep(self) -> None:
        """Delete the photos that were kept long enough."""
        with transaction(self._database, writes=True) as session:
            self._sweep(session)

    def _sweep(self, session: Session) -> None:
        repository.sweep(session, now(), timedelta(hours=self._settings.unsaved_photo_hours))

    def jpeg(self, photo_id: str) -> bytes:
        """The kept photo; NotFoundError when there is none."""
        with transaction(self._database) as session:
            return repository.get_photo(session, photo_id).jpeg

    def delete(self, photo_id: str) -> None:
        """Delete a photo; NotFoundError when there is none."""
        with transaction(self._database, writes=True) as session:
            repository.delete_photo(session, photo_id)


def _id_of(key: str) -> str:
    """The id of the photo sent under a key; as hard to guess as the key."""
    return base64.urlsafe_b64encode(hashlib.sha256(b"photo " + key.encode()).digest()[:16]).decode().rstrip("=")


def _content(row: PhotoRow) -> tuple[bytes, object]:
    return row.jpeg, row.reading.get("tiles")


def _message(tiles: list[DraftTile], language: Language) -> str:
    if not tiles:
        return translate(language, "scan.no_tiles")
    unsure = sum(not tile.sure for tile in tiles)
    return translate(language, "scan.unsure" if unsure else "scan.found", count=len(tiles), unsure=unsure)


def _shown(image: BGR, long_side_px: int) -> bytes:
    """The photo as JPEG, its long side no longer than this; without any EXIF data, since only pixels go in."""
    scale = long_side_px / max(image.shape[:2])
    if scale < 1:
        size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    _, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
    return bytes(jpeg)
