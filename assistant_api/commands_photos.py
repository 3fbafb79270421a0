"""``jinque photos``: photos that people send, from the queue over a review to a data set."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import cv2

from assistant_api.commands import FINE, FOUND, print_json
from assistant_api.errors import UsageError
from assistant_api.services import photo_review
from assistant_api.services.assemble import SURE
from assistant_api.services.photo_queue import PhotoQueue, QueuedPhoto, State
from assistant_api.services.reading import shipped_reader
from assistant_api.settings import Settings, load_settings
from assistant_api.terminal import console, fail, show_table
from engine.tiles import Tile
from vision.sources import list_photos

BAD_INPUT = 2


def _queue(options: Namespace, settings: Settings) -> PhotoQueue:
    return PhotoQueue(options.queue or settings.photos_path)


def add(options: Namespace) -> int:
    """``jinque photos add``: take photos in; exit 2 where one could not be read, the others are kept."""
    settings = load_settings()
    paths = list_photos(options.photos)
    taken = _queue(options, settings).add(
        paths, source=options.source, licence=options.licence, limits=settings.photo_limits
    )
    if options.json:
        print_json(
            {
                "added": [photo.as_json() for photo in taken.added],
                "doubles": [{"file": name, "id": known} for name, known in taken.doubles],
                "refused": [{"file": name, "message": message} for name, message in taken.refused],
            }
        )
    else:
        for photo in taken.added:
            console.print(f"{photo.id}  收下 taken: {photo.file}", markup=False)
        for name, known in taken.doubles:
            console.print(f"{known}  已经有了 is there already: {name}", markup=False)
    for name, message in taken.refused:
        fail(message if name in message else f"{name}: {message}")
    return BAD_INPUT if taken.refused else FINE


def list_all(options: Namespace) -> int:
    """``jinque photos list``: the queue, the photo that waits longest first."""
    photos = _queue(options, load_settings()).list()
    if options.json:
        print_json([photo.as_json() for photo in photos])
    elif not photos:
        console.print("没有照片在等 no photos in the queue; see 'jinque photos add --help'", markup=False)
    else:
        rows = [
            (one.id, str(one.state), "" if one.tiles is None else len(one.tiles), one.licence, one.source, one.file)
            for one in photos
        ]
        show_table("", rows, ("id", "state", "tiles", "licence", "source", "file"))
    return FINE


def show(options: Namespace) -> int:
    """``jinque photos show``: what our reader takes the tiles for, or what a person has made of it."""
    settings = load_settings()
    queue = _queue(options, settings)
    photo = queue.load(options.id)
    if photo.tiles is None:
        reader = shipped_reader(settings)
        photo = photo_review.propose(queue, photo, reader, reader.networks)
    if options.out is not None:
        _write_picture(queue, photo, options.out)
    _print(photo, as_json=options.json)
    return FINE


def review(options: Namespace) -> int:
    """``jinque photos review``: set tiles right and take the photo; exit 1 while a tile is unknown."""
    said = photo_review.Corrections(
        named=dict(photo_review.parse_naming(text) for text in options.tile),
        dropped=frozenset(options.drop),
        added=[photo_review.parse_addition(text) for text in options.add],
    )
    queue = _queue(options, load_settings())
    photo = photo_review.review(queue, queue.load(options.id), said)
    _print(photo, as_json=options.json)
    if photo.unknown:
        numbers = ", ".join(map(str, photo.unknown))
        fail(f"not known yet: {numbers}; name them with --tile {photo.unknown[0]}=5m, or leave them out with --drop")
    return FOUND if photo.unknown else FINE


def export(options: Namespace) -> int:
    """``jinque photos export``: reviewed photos as a data set."""
    queue = _queue(options, load_settings())
    chosen = [queue.load(name) for name in dict.fromkeys(options.ids)]
    photos = chosen or [photo for photo in queue.list() if photo.state is State.REVIEWED]
    photo_review.export(queue, photos, options.folder, options.split)
    tiles = sum(len(photo.tiles or ()) for photo in photos)
    if options.json:
        about = {"folder": str(options.folder), "split": options.split, "photos": [photo.id for photo in photos]}
        print_json({**about, "tiles": tiles})
    else:
        console.print(f"{len(photos)} 张照片 photos, {tiles} 张牌 tiles → {options.folder}", markup=False)
    return FINE


def remove(options: Namespace) -> int:
    """``jinque photos remove``: delete a photo with all that is known of it."""
    queue = _queue(options, load_settings())
    photo = queue.load(options.id)
    queue.remove(photo)
    if options.json:
        print_json({"removed": photo.id})
    else:
        console.print(f"已删除 removed: {photo.id} {photo.file}", markup=False)
    return FINE


def _write_picture(queue: PhotoQueue, photo: QueuedPhoto, path: Path) -> None:
    suffix = path.suffix.lower()
    if suffix not in (".png", ".jpg", ".jpeg"):
        raise UsageError(f"{path.name!r}: the picture is written as .png or .jpg")
    drawn = photo_review.picture(queue.frame(photo).image, photo, SURE)
    try:
        path.write_bytes(bytes(cv2.imencode(suffix, drawn)[1]))
    except OSError as error:
        raise UsageError(f"cannot write {path.name!r}: {(error.strerror or 'no access').lower()}") from error


def _print(photo: QueuedPhoto, *, as_json: bool) -> None:
    if as_json:
        print_json(photo.as_json())
        return
    console.print(f"{photo.id}  {photo.file}  {photo.width} x {photo.height}  {photo.state}", markup=False)
    console.print(f"  {photo.licence} · {photo.source}", markup=False)
    rows = []
    for number, tile in enumerate(photo.tiles or (), 1):
        name = Tile.parse(tile.tile).zh if tile.tile not in ("?", "back") else ""
        others = " ".join(f"{code} {chance:.2f}" for code, chance in tile.alternatives)
        rows.append((number, tile.tile, name, f"{tile.confidence:.2f}", others))
    if rows:
        show_table("", rows, ("number", "tile", "", "confidence", "or 或"))
    else:
        console.print("  没有认出牌 no tile was found; add those it shows with 'review --add'", markup=False)
