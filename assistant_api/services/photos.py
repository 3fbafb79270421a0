"""Photos as they come in: decoded safely, read, kept small and without EXIF data until their hand is settled."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

import cv2
import numpy as np
from sqlmodel import Session

from assistant_api import repository
from assistant_api.languages import Language, translate
from assistant_api.rows import PhotoRow, ReceiptRow, now
from assistant_api.schemas import Draft, DraftTile, PhotoAnswer, PhotoOut
from assistant_api.services.assemble import draft_tiles
from assistant_api.services.hand_draft import winning_size
from assistant_api.services.ledger import access, hands
from assistant_api.services.ledger.book import Book, Call
from assistant_api.services.ledger.writing import Answer, delete_once, find_receipt, once
from assistant_api.services.reading import Reader, SharedReader
from assistant_api.services.tileset_files import TilesetFolder
from assistant_api.settings import Settings
from assistant_api.storage import transaction
from engine.errors import JinqueError
from vision.frames import BGR, Frame, decode_frame
from vision.photo import PhotoReading

_JPEG_QUALITY = 86
_PHOTOS = "photo"


class PhotoDesk:
    """Takes photos in, gives them back, deletes them.

    Args:
        settings: limits.
        book: where photos are kept, and what is known of the next hand.
        make_reader: makes the reader; called when the first photo comes.

    Attributes:
        reader: the one reader of the program.
    """

    def __init__(self, settings: Settings, book: Book, make_reader: Callable[[Settings], Reader]) -> None:
        self._settings = settings
        self._book = book
        self._database = book.database
        self.reader = SharedReader(lambda: make_reader(settings), TilesetFolder(settings.tilesets_path))

    def warm_up(self) -> None:
        """Load the networks before the first photo comes; what is wrong with them is told when one does."""
        with suppress(JinqueError):
            self.reader.load()

    def take(
        self, data: bytes, name: str, call: Call, game: str | None = None, tileset: str | None = None
    ) -> Answer[PhotoAnswer]:
        """Read a photo and keep it. Nothing is kept of a photo that cannot be read or shows no tile.

        Sent again with its key it is not read again, as long as it is kept.

        Args:
            data: the file.
            name: what it is called, for messages.
            call: who sends it.
            game: its rules tell what is a flower, its ledger the deal; None: the server's ruleset.
            tileset: name of the set of tiles that lies on the table, where one was chosen.

        Raises:
            FrameError: see `vision.frames.decode_frame`.
            ModelError: the networks cannot be used.
            NotFoundError, TokenError: the game cannot be opened, or the set is not kept.
            TilesetError: the set was learnt with another network.
            ConflictError: the key was used for something else.
        """
        ruleset = hands.rules_for(self._book, call, game)
        mark = hashlib.sha256(data).hexdigest() if call.key is not None else ""
        with transaction(self._database) as session:
            kept = _kept_answer(session, call, mark)
        if kept is not None:
            kept.body.draft.facts = hands.known_facts(self._book, call, game)
            kept.body.draft.message = _message(kept.body.draft.tiles, call.language)
            return kept
        frame = decode_frame(data, limits=self._settings.photo_limits, source=name)
        reading = self.reader.read(frame, ruleset, winning_size(ruleset), tileset or None)
        return self._answer(frame, reading, call, game, mark)

    def _answer(
        self, frame: Frame, reading: PhotoReading, call: Call, game: str | None, mark: str
    ) -> Answer[PhotoAnswer]:
        tiles = draft_tiles(reading)
        answer = PhotoAnswer(
            photo=None,
            reading=dict(reading.as_json()),
            draft=Draft(
                tiles=tiles,
                facts=hands.known_facts(self._book, call, game),
                message=_message(tiles, call.language),
            ),
        )
        if not tiles:
            return Answer(answer, 200)
        jpeg = _shown(frame.image, self._settings.shown_photo_px)
        return once(lambda: self._keep(answer, frame, jpeg, call, mark))

    def _keep(self, answer: PhotoAnswer, frame: Frame, jpeg: bytes, call: Call, mark: str) -> Answer[PhotoAnswer]:
        """Store a photo with its reading; those that were kept long enough go."""
        row = PhotoRow(jpeg=jpeg, reading=answer.reading)
        photo = PhotoOut(id=row.id, url=f"/api/photos/{row.id}", width=frame.width, height=frame.height)
        full = answer.model_copy(update={"photo": photo})
        with transaction(self._database, writes=True) as session:
            kept = _kept_answer(session, call, mark)
            if kept is not None:
                return kept
            self._sweep(session)
            repository.add_photo(session, row)
            if call.key is not None:
                body = full.model_dump(mode="json", by_alias=True)
                session.merge(ReceiptRow(scope=_PHOTOS, key=call.key, fingerprint=mark, status=201, body=body))
        return Answer(full, 201)

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

    def delete(self, photo_id: str, call: Call) -> bool:
        """Delete a photo.

        Returns:
            Whether it was done before, under the same key.

        Raises:
            NotFoundError: there is none.
            TokenError, ReadOnlyError: a game shows it, and the caller may not write there.
        """

        def work(session: Session) -> None:
            for game_id in repository.games_showing(session, photo_id):
                access.open_for_writing(session, game_id, call.token)
            repository.delete_photo(session, photo_id)

        return delete_once(self._book, call, f"delete photo {photo_id}", work)


def _kept_answer(session: Session, call: Call, mark: str) -> Answer[PhotoAnswer] | None:
    """What was answered to a photo under this key; None when it is not kept any more."""
    receipt = find_receipt(session, _PHOTOS, call.key, mark)
    if receipt is None:
        return None
    answer = PhotoAnswer.model_validate(receipt.body)
    if answer.photo is None or session.get(PhotoRow, answer.photo.id) is None:
        return None
    return Answer(answer, 201, replayed=True)


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
