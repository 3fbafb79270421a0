"""People's own sets on the server: drafts from uploaded photos, sets learnt from checked drafts and corrections."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from sqlalchemy import Engine

from assistant_api import repository
from assistant_api.errors import UsageError
from assistant_api.schemas import (
    SettlementRequest,
    TilesetDraft,
    TilesetDraftFace,
    TilesetDraftRequest,
    TilesetOut,
    TilesetPhoto,
    TilesetRequest,
)
from assistant_api.services import tilesets
from assistant_api.services.reading import SharedReader
from assistant_api.services.tileset_files import StoredTileset, TilesetFolder, clean_name
from assistant_api.storage import transaction
from engine.errors import JinqueError
from engine.notation import parse_tile
from engine.tiles import Tile
from vision.errors import FaceCountError, TilesetError
from vision.frames import Frame
from vision.photo import PhotoReader
from vision.tileset_photos import NO_FACES, check_sharp, faces_in_order, faces_in_rows, teach
from vision.tilesets import PRINTED_ORDER

PASSED_OVER = "?"
_log = logging.getLogger(__name__)


class TilesetDesk:
    """Learns, lists and removes sets.

    Args:
        folder: where sets are kept.
        database: where uploaded photos are kept until their hand is saved, or for a day.
        reader: the reader that photos are read with.
    """

    def __init__(self, folder: TilesetFolder, database: Engine, reader: SharedReader) -> None:
        self._folder = folder
        self._database = database
        self._reader = reader

    def list(self) -> list[TilesetOut]:
        """All sets, by name."""
        return [_out(self._folder.load(name)) for name in self._folder.names()]

    def remove(self, name: str) -> None:
        """Delete a set with all that was kept of it; NotFoundError where there is none."""
        self._folder.remove(name)

    def draft(self, request: TilesetDraftRequest) -> TilesetDraft:
        """The tiles of a kept photo row by row, named by the printed order where they lie in it, else as read.

        Raises:
            NotFoundError: the photo is not kept.
            TilesetError: it shows no tiles, or is blurred.
        """
        frame, scale, _ = self._photo(request.photo_id)
        with self._reader.using() as reader:
            found, readings = _learning(reader).find_faces(frame)
        if not len(found):
            raise FaceCountError("no tiles were found in the photo; take it from above, with all tiles in it")
        check_sharp(frame.image, found.quads)
        labels, message, said = readings.labels, None, dict[int, Tile]()
        try:
            said = faces_in_order(found, readings, PRINTED_ORDER)
        except TilesetError as error:
            message = str(error)
        shown = [row for row, label in enumerate(labels) if row in said or (not said and label not in NO_FACES)]

        def face(row: int) -> TilesetDraftFace:
            read = PASSED_OVER if labels[row] in NO_FACES else labels[row]
            quad = [(round(float(x) * scale, 1), round(float(y) * scale, 1)) for x, y in found.quads[row]]
            tile = said[row].code if row in said else read
            return TilesetDraftFace(
                tile=tile, read=read, confidence=round(float(readings.confidence[row]), 3), quad=quad
            )

        rows = faces_in_rows(found.quads, readings, np.array(shown, np.int64))
        return TilesetDraft(
            rows=[[face(one) for one in row] for row in rows], in_order=message is None, message=message
        )

    def add(self, request: TilesetRequest) -> TilesetOut:
        """Learn a set from kept photos whose tiles a person has checked; a set of that name learns more.

        Raises:
            NotFoundError: a photo is not kept.
            UsageError: a bad name or tile, or nothing to learn.
            TilesetError: a photo is blurred.
        """
        name = clean_name(request.name)
        lessons = []
        with self._reader.using() as shared:
            reader = _learning(shared)
            for photo in request.photos:
                frame, scale, _ = self._photo(photo.photo_id)
                kinds, quads = _checked(photo, scale)
                check_sharp(frame.image, quads)
                lessons.append(teach(reader, frame, quads, kinds))
            return _out(tilesets.keep(self._folder, reader, name, lessons, keep_crops=request.keep_pictures))

    def learn_hand(self, request: SettlementRequest) -> int:
        """Feed a set with the tiles of a saved hand that were corrected, and with kinds it did not know yet.

        What goes wrong is written to the log: the hand is saved already. Gives the number of faces learnt.
        """
        if not request.learn or request.tileset is None or request.photo_id is None:
            return 0
        try:
            frame, scale, reading = self._photo(request.photo_id)
            known = self._folder.load(request.tileset).tileset.known
            corrected = _corrections(request, reading["tiles"], known)
            quads = np.array([tile["quad"] for tile in reading["tiles"]], np.float32).reshape(-1, 4, 2) / scale
            with self._reader.using() as reader:
                tilesets.learn_corrections(
                    self._folder, _learning(reader), request.tileset, frame.image, corrected, quads
                )
            return len(corrected)
        except JinqueError as error:
            _log.warning("nothing learnt for the set %r: %s", request.tileset, error)
            return 0

    def _photo(self, photo_id: str) -> tuple[Frame, float, dict[str, Any]]:
        """A kept photo, how many pixels of the original one of its pixels is, and its reading."""
        with transaction(self._database) as session:
            row = repository.get_photo(session, photo_id)
        image = np.asarray(cv2.imdecode(np.frombuffer(row.jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)
        return Frame(image, source="the photo"), row.reading["width"] / image.shape[1], row.reading


def check_consent(request: SettlementRequest) -> None:
    """UsageError where a set should learn from a hand but it is not said which set, or there is no photo."""
    if request.learn and (request.tileset is None or request.photo_id is None):
        raise UsageError("learn: expected the name of a set in tileset, and photo_id")


def _learning(reader: object) -> PhotoReader:
    if not isinstance(reader, PhotoReader):
        raise TilesetError("this reader cannot learn a set of tiles")
    return reader


def _checked(photo: TilesetPhoto, scale: float) -> tuple[Sequence[Tile], np.ndarray]:
    """Kinds and corners, in pixels of the kept photo, of the faces that are not passed over."""
    faces = [face for face in photo.faces if face.tile != PASSED_OVER]
    if not faces:
        raise UsageError("no tile is named; name at least one")
    return [parse_tile(face.tile) for face in faces], np.array([face.quad for face in faces], np.float32) / scale


def _corrections(request: SettlementRequest, read: Sequence[dict[str, Any]], known: Sequence[Tile]) -> dict[int, Tile]:
    """Rows of the reading with the tile a person says they are, where it differs or the set has no look of it."""
    out: dict[int, Tile] = {}
    for tile in request.tiles:
        number = tile.id.removeprefix("t")
        if not number.isdigit() or int(number) >= len(read) or tile.tile in (PASSED_OVER, "back"):
            continue
        true = parse_tile(tile.tile)
        if read[int(number)]["tile"] != true.code or true not in known:
            out[int(number)] = true
    return out


def _out(stored: StoredTileset) -> TilesetOut:
    return TilesetOut.model_validate(tilesets.as_json(stored))
