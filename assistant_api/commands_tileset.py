"""``jinque tileset``: people's own sets of tiles."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from rich.table import Table

from assistant_api.commands import print_json
from assistant_api.errors import UsageError
from assistant_api.services import tilesets
from assistant_api.services.reading import shipped_reader
from assistant_api.services.tileset_files import StoredTileset, TilesetFolder
from assistant_api.settings import Settings, load_settings
from assistant_api.terminal import console
from engine.notation import format_tiles
from engine.tiles import ALL_TILES
from vision.frames import read_frame
from vision.sources import list_photos
from vision.tilesets import PRINTED_ORDER, Rows

FINE = 0


def _folder(settings: Settings) -> TilesetFolder:
    return TilesetFolder(settings.tilesets_path)


def add(options: Namespace) -> int:
    """``jinque tileset add``: learn a set from photos."""
    settings = load_settings()
    paths = list_photos(options.photos)
    frames = [read_frame(path, limits=settings.photo_limits) for path in paths]
    orders = _orders(options, len(frames))
    reader = shipped_reader(settings)
    stored = tilesets.add(_folder(settings), reader, options.name, frames, orders, keep_crops=options.keep_crops)
    if options.json:
        print_json(tilesets.as_json(stored))
        return FINE
    _show(stored)
    console.print(f"  use it with 这样使用: jinque read --tileset '{stored.tileset.name}' PHOTO", markup=False)
    if stored.tileset.crops is None:
        console.print(
            "  只存了网络的数字，没有存照片；网络更新后要重新添加 only numbers were kept, no pictures; when the network"
            " changes, add the photos again (--keep-crops keeps small pictures for that)",
            markup=False,
        )
    return FINE


def _orders(options: Namespace, photos: int) -> list[Rows] | None:
    if options.order and options.labels:
        raise UsageError("--order excludes --labels; say one of them")
    if options.order:
        return [tilesets.order_once(tilesets.parse_order(options.order))] * photos
    if not options.labels:
        return None
    path = Path(options.labels)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"cannot read the labels {path.name!r}; expected a text file with a row of tiles a line"
        ) from error
    return tilesets.parse_labels(text, photos)


def list_all(options: Namespace) -> int:
    """``jinque tileset list``: the sets that are kept."""
    folder = _folder(load_settings())
    kept = [folder.load(name) for name in folder.names()]
    if options.json:
        print_json([tilesets.as_json(stored) for stored in kept])
    elif not kept:
        console.print("还没有牌 no sets yet; see 'jinque tileset add --help'", markup=False)
    for stored in kept if not options.json else ():
        _show(stored)
    return FINE


def show(options: Namespace) -> int:
    """``jinque tileset show``: which faces a set knows; ``--out`` writes a contact sheet."""
    stored = _folder(load_settings()).load(options.name)
    if options.out is not None:
        tilesets.write_sheet(stored.tileset, options.out)
    if options.json:
        print_json(tilesets.as_json(stored))
    else:
        _show(stored)
    return FINE


def remove(options: Namespace) -> int:
    """``jinque tileset remove``: delete a set with all that was kept of it."""
    _folder(load_settings()).remove(options.name)
    if options.json:
        print_json({"removed": options.name})
    else:
        console.print(f"已删除 removed: {options.name}", markup=False)
    return FINE


def order(options: Namespace) -> int:
    """``jinque tileset order``: how to lay out the tiles for a photo."""
    rows = [[tile for tile in row if tile is not None] for row in PRINTED_ORDER]
    if options.json:
        print_json(tilesets.printed_order())
        return FINE
    console.print("每种牌一张，排成五行，行间留一点空 one of each face, five rows, a little space between the rows:")
    table = Table.grid(padding=(0, 2))
    for row in rows:
        table.add_row(*(f"{tile.zh}\n[dim]{tile.code}[/]" for tile in row))
    console.print(table)
    console.print(" / ".join(format_tiles(row) for row in rows), markup=False)
    return FINE


def _show(stored: StoredTileset) -> None:
    known = stored.tileset.known
    console.print(
        f"{stored.tileset.name}   {len(known)}/{len(ALL_TILES)} 种 faces, {len(stored.tileset.kinds)} 张 looks,"
        f" {stored.created:%Y-%m-%d}",
        markup=False,
    )
    if stored.tileset.missing:
        console.print(f"  缺 missing: {format_tiles(stored.tileset.missing)}", markup=False)
