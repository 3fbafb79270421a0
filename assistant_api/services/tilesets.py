"""People's own sets of tiles: learnt from photos, listed, shown, removed, and fed by corrections their owner agrees to.

Whatever is refused leaves the stored sets as they were.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from assistant_api.errors import UsageError
from assistant_api.services.tileset_files import StoredTileset, TilesetFolder, clean_name
from engine.errors import NotationError
from engine.notation import parse_faces
from engine.tiles import ALL_TILES, Tile
from vision.errors import TilesetError
from vision.frames import Frame
from vision.photo import PhotoReader
from vision.tileset_photos import Lesson, learn, teach
from vision.tilesets import PRINTED_ORDER, Rows, Tileset, looks_of

MAX_PHOTOS = 3
_SHEET_CELL = 72
_SHEET_TEXT = 20


def printed_order() -> list[list[str]]:
    """Codes of the printed order, row by row."""
    return [[tile.code for tile in row if tile is not None] for row in PRINTED_ORDER]


def parse_order(text: str) -> Rows:
    """Rows of tiles from a text such as ``123456789m / ESWNCFP``: far row first; ``?`` is a tile not to be learnt.

    Raises:
        UsageError: no tiles, a tile that is none, or one named twice.
    """
    rows = []
    for number, part in enumerate(filter(None, (part.strip() for part in text.replace("\n", "/").split("/"))), 1):
        try:
            faces = parse_faces(part)
        except NotationError as error:
            raise UsageError(f"row {number} of the order: {error}") from None
        rows.append(tuple(face if isinstance(face, Tile) else None for face in faces))
    named = [tile for row in rows for tile in row if tile is not None]
    if not named:
        raise UsageError("the order names no tile; expected rows such as '123456789m / ESWNCFP'")
    return tuple(rows)


def order_once(rows: Rows) -> Rows:
    """The same rows; UsageError where a tile is named twice, which no order of single faces does."""
    seen: set[Tile] = set()
    for tile in (tile for row in rows for tile in row if tile is not None):
        if tile in seen:
            raise UsageError(f"the order names {tile.code} twice; name each face once, and ? for a tile to pass over")
        seen.add(tile)
    return rows


def parse_labels(text: str, photos: int) -> list[Rows]:
    """What each of several photos shows: rows of tiles, one a line, an empty line between photos.

    Raises:
        UsageError: another number of photos, or a tile that is none.
    """
    blocks = [block for block in "\n".join(line.strip() for line in text.splitlines()).split("\n\n") if block.strip()]
    if len(blocks) != photos:
        raise UsageError(f"the labels describe {len(blocks)} photos, {photos} were given; leave an empty line between")
    return [parse_order(block) for block in blocks]


def add(
    folder: TilesetFolder,
    reader: PhotoReader,
    name: str,
    frames: Sequence[Frame],
    orders: Sequence[Rows] | None = None,
    *,
    keep_crops: bool = False,
) -> StoredTileset:
    """Learn a set from photos of its tiles laid out in rows, and keep it; a set of that name learns more.

    Args:
        orders: which tile lies where, a photo each; None for the printed order on all of them.
        keep_crops: keep small pictures of the faces too, so that a later network can learn the set from them.

    Raises:
        UsageError: a bad name, or too many photos.
        TilesetError: a photo that cannot be learnt from; the message says what to do.
    """
    name = clean_name(name)
    if not 1 <= len(frames) <= MAX_PHOTOS:
        raise UsageError(f"{len(frames)} photos were given; 1 to {MAX_PHOTOS} photos make a set")
    lessons = []
    for frame, order in zip(frames, orders or [PRINTED_ORDER] * len(frames), strict=True):
        try:
            lessons.append(learn(reader, frame, order))
        except TilesetError as error:
            raise type(error)(f"{frame.source}: {error}" if frame.source else str(error)) from error
    return keep(folder, reader, name, lessons, keep_crops=keep_crops)


def keep(
    folder: TilesetFolder, reader: PhotoReader, name: str, lessons: Sequence[Lesson], *, keep_crops: bool
) -> StoredTileset:
    """Add what photos taught to a set, which is begun where it is new or was learnt with another network."""
    name, created = clean_name(name), None
    tileset = Tileset.empty(name, reader.network)
    if name in folder.names():
        earlier = _renewed(folder.load(name), reader)
        if earlier.tileset.network == reader.network:
            tileset, created = earlier.tileset, earlier.created
    for lesson in lessons:
        tileset = tileset.with_faces(lesson.kinds, lesson.looks, lesson.crops if keep_crops else None)
    return folder.save(tileset, created)


def load_for(folder: TilesetFolder, reader: PhotoReader, name: str) -> Tileset:
    """A set ready for a reader; looks of another network are made anew where pictures of the faces were kept.

    Raises:
        NotFoundError: there is no such set.
        TilesetError: it was learnt with another network, and its photos have to be added again.
    """
    stored = folder.load(name)
    renewed = _renewed(stored, reader)
    if renewed is not stored:
        folder.save(renewed.tileset, renewed.created)
    return renewed.tileset


def _renewed(stored: StoredTileset, reader: PhotoReader) -> StoredTileset:
    tileset = stored.tileset
    if tileset.network == reader.network or tileset.crops is None:
        return stored
    looks = looks_of(reader.classifier, tileset.crops)
    return replace(stored, tileset=replace(tileset, network=reader.network, looks=looks))


def learn_corrections(
    folder: TilesetFolder,
    reader: PhotoReader,
    name: str,
    image: NDArray[np.uint8],
    corrected: Mapping[int, Tile],
    quads: NDArray[np.float32],
    *,
    keep_crops: bool = False,
) -> StoredTileset:
    """Feed a set with tiles whose names a person has set right; only with the owner's consent.

    Args:
        image: the photo, uint8 [H, W, 3], blue-green-red.
        corrected: rows of ``quads`` with their true tiles.
        quads: [N, 4, 2] corners in pixels of the photo.

    Raises:
        NotFoundError: there is no such set.
    """
    stored = folder.load(name)
    if not corrected:
        return stored
    rows = sorted(corrected)
    lesson = teach(reader, Frame(image), quads[rows], [corrected[row] for row in rows])
    return keep(folder, reader, name, [lesson], keep_crops=keep_crops or stored.tileset.crops is not None)


def contact_sheet(tileset: Tileset) -> NDArray[np.uint8]:
    """A picture [H, W, 3] of all faces in the printed order: the kept crop or a mark, grey where none was shown."""
    columns, rows = max(map(len, PRINTED_ORDER)), len(PRINTED_ORDER)
    height = _SHEET_CELL + _SHEET_TEXT
    sheet = np.full((rows * height, columns * _SHEET_CELL, 3), 245, np.uint8)
    for y, order in enumerate(PRINTED_ORDER):
        for x, tile in enumerate(tile for tile in order if tile is not None):
            top, left = y * height, x * _SHEET_CELL
            cell = sheet[top + 4 : top + _SHEET_CELL - 4, left + 4 : left + _SHEET_CELL - 4]
            shown = np.flatnonzero(tileset.kinds == int(tile))
            if not len(shown):
                cell[:] = 205
            elif tileset.crops is None:
                cell[:] = (150, 190, 120)
            else:
                cell[:] = cv2.resize(tileset.crops[shown[-1]], cell.shape[1::-1], interpolation=cv2.INTER_AREA)
            text = f"{tile.code} {len(shown)}" if len(shown) else f"{tile.code} -"
            place = (left + 8, top + _SHEET_CELL + 12)
            cv2.putText(sheet, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.42, (40, 40, 40), 1, cv2.LINE_AA)
    return sheet


def write_sheet(tileset: Tileset, path: Path) -> None:
    """The contact sheet as a PNG or JPEG file; UsageError where it cannot be written."""
    suffix = path.suffix.lower()
    if suffix not in (".png", ".jpg", ".jpeg"):
        raise UsageError(f"{path.name!r}: a contact sheet is written as .png or .jpg")
    _, data = cv2.imencode(suffix, contact_sheet(tileset))
    try:
        path.write_bytes(bytes(data))
    except OSError as error:
        raise UsageError(f"cannot write {path.name!r}: {(error.strerror or 'no access').lower()}") from error


def as_json(stored: StoredTileset) -> dict[str, object]:
    """A set as commands and the API tell it."""
    tileset = stored.tileset
    return {
        "name": tileset.name,
        "faces": len(tileset.known),
        "created": stored.created.isoformat(timespec="seconds"),
        "looks": len(tileset.kinds),
        "known": [tile.code for tile in tileset.known],
        "missing": [tile.code for tile in ALL_TILES if tile not in tileset.known],
        "keeps_pictures": tileset.crops is not None,
    }
