"""The command ``jinque``: parses what was typed; `assistant_api.commands` does the work."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn, TypeVar

from assistant_api import (
    __version__,
    commands,
    commands_clips,
    commands_drill,
    commands_evaluate,
    commands_photos,
    commands_tileset,
    commands_watch,
)
from assistant_api.languages import Language
from assistant_api.services.photo_review import SPLITS
from assistant_api.terminal import fail
from engine.context import WinSource
from engine.drills import DrillKind
from engine.errors import JinqueError
from engine.illegal import ILLEGAL_ACTS
from engine.notation import parse_faces, parse_tile, parse_tiles
from engine.seats import Seat

T = TypeVar("T")
FINE, BAD_INPUT = 0, 2
_KONGS = ("open", "added", "concealed")


class _Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with the command line."""

    def error(self, message: str) -> NoReturn:
        """One line on stderr and exit code 2."""
        fail(f"{message} (see {self.prog} --help)")
        raise SystemExit(BAD_INPUT)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns 0 fine, 1 a refusal or failed bar was found, 2 bad input."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except JinqueError as error:
        fail(str(error))
        return BAD_INPUT
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except KeyboardInterrupt:
        return 130


def _typed(parse: Callable[[str], T]) -> Callable[[str], T]:
    """An argument type whose message is the engine's own sentence."""

    def read(text: str) -> T:
        try:
            return parse(text)
        except JinqueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 up")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="jinque", description="Jinque 金雀: reads, judges and settles mahjong at a real table.")
    parser.add_argument("--version", action="version", version=f"jinque {__version__}")
    commands_of = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=_Parser)
    for add in (
        _read,
        _score,
        _judge,
        _audit,
        _watch,
        _waits,
        _advise,
        _drill,
        _simulate,
        _evaluate,
        _train,
        _tileset,
        _photos,
        _bench,
        _serve,
        _rules,
        _check_config,
    ):
        add(commands_of)
    return parser


_Subparsers = argparse._SubParsersAction  # the only name argparse has for it


def _read(subparsers: _Subparsers[_Parser]) -> None:
    parser = subparsers.add_parser("read", help="read the tiles of photos")
    parser.add_argument("photos", nargs="+", metavar="PHOTO", help="photos or folders of photos; - for standard input")
    _add_tileset(parser)
    _add_ruleset(parser)
    _add_json(parser, "one line a photo")
    parser.set_defaults(run=commands.read)


def _score(subparsers: _Subparsers[_Parser]) -> None:
    parser = subparsers.add_parser("score", help="settle a finished hand from a photo or a line of notation")
    parser.add_argument("hand", metavar="PHOTO-or-HAND", help="a photo, or a line such as '123456m789p67p23455s +8p'")
    _add_tileset(parser)
    _add_ruleset(parser)
    tile, seat = _typed(parse_tile), _typed(Seat.parse)
    facts = parser.add_argument_group("what a photo cannot tell")
    facts.add_argument("--gold", type=tile, metavar="TILE", help="the kind that is gold 金")
    facts.add_argument("--self-draw", action="store_true", help="won by self-draw 自摸")
    facts.add_argument("--from", dest="giver", type=seat, metavar="SEAT", help="won off this seat 点炮")
    facts.add_argument("--how", choices=[str(source) for source in WinSource], help="any other way to win")
    facts.add_argument("--winner", type=seat, metavar="SEAT", help="who won; East, or the first seat but the giver")
    facts.add_argument("--dealer", type=seat, metavar="SEAT", help="who deals 庄; East")
    facts.add_argument("--streak", type=_count, metavar="N", help="how often the dealer kept the deal 连庄; 0")
    facts.add_argument("--round", dest="round_wind", type=seat, metavar="SEAT", help="wind of the round 圈风; East")
    facts.add_argument("--tile", type=tile, metavar="TILE", help="the winning tile, where it lies among the hand")
    facts.add_argument("--guess", action="store_true", help="take the best guess for tiles that could not be told")
    facts.add_argument("--flowers", type=_typed(parse_faces), metavar="TILES", help="flowers, instead of those read")
    facts.add_argument("--kong", choices=_KONGS, help="what four open tiles are; open")
    facts.add_argument("--swap", type=tile, metavar="TILE", help="the tile a dealer throws to rob the gold 抢金")
    flag = argparse.BooleanOptionalAction
    facts.add_argument("--gold-discarded", action=flag, help="the winner discarded a gold before")
    facts.add_argument("--first-discard", action=flag, default=False, help="it was the dealer's first discard")
    facts.add_argument("--passed", type=_typed(parse_tiles), metavar="TILES", help="kinds the winner let pass 过水")
    facts.add_argument("--last-tile", action=flag, default=False, help="the wall was empty 海底")
    facts.add_argument("--last-of-kind", action=flag, default=False, help="the three others lie open 绝张")
    _add_json(parser, "one document")
    parser.set_defaults(run=commands.score)


def _judge(subparsers: _Subparsers[_Parser]) -> None:
    parser = subparsers.add_parser("judge", help="judge worked cases, one JSON object a line")
    parser.add_argument("cases", metavar="CASES.jsonl", help="a file of cases; - for standard input")
    parser.add_argument("--ruleset", help="judge all cases by this ruleset instead of the one each names")
    _add_json(parser, "one line a case")
    parser.set_defaults(run=commands.judge)


def _audit(subparsers: _Subparsers[_Parser]) -> None:
    parser = subparsers.add_parser("audit", help="find every illegal act in an event log")
    parser.add_argument("log", metavar="LOG", help="one event a line, as 'jinque simulate' prints it; - for stdin")
    _add_ruleset(parser)
    _add_json(parser, "one document")
    parser.set_defaults(run=commands.audit)


def _watch(subparsers: _Subparsers[_Parser]) -> None:
    parser = subparsers.add_parser("watch", help="follow a live table from a video or camera, and warn of illegal acts")
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help="a video file, a folder of frames, recorded readings (.jsonl), a camera number, or an rtsp:// address",
    )
    parser.add_argument("--truth", type=Path, metavar="LOG", help="the log of what happened, to compare with")
    parser.add_argument("--log", type=Path, metavar="LOG", help="what has happened before the first frame")
    seat = _typed(Seat.parse)
    parser.add_argument("--near", type=seat, metavar="SEAT", help="who sits next to the camera; E")
    parser.add_argument("--dealer", type=seat, metavar="SEAT", help="who deals 庄; E")
    parser.add_argument("--fps", type=_rate, metavar="N", help="frames a second of a folder that does not say it; 5")
    parser.add_argument("--every", type=_positive, default=1, metavar="N", help="look at every so manieth frame; 1")
    parser.add_argument("--models", type=Path, metavar="DIR", help="a folder of other networks with their cards")
    _add_ruleset(parser)
    _add_json(parser, "one line an event or alert, and the table last,")
    parser.set_defaults(run=commands_watch.watch)


def _rate(text: str) -> float:
    try:
        rate = float(text)
    except ValueError:
        rate = 0.0
    if not 0 < rate <= 240:
        raise argparse.ArgumentTypeError(f"{text!r} is no rate; expected frames a second, such as 5")
    return rate


def _positive(text: str) -> int:
    count = _count(text)
    if count == 0:
        raise argparse.ArgumentTypeError("0 is too few; expected a whole number from 1 up")
    return count


def _waits(subparsers: _Subparsers[_Parser]) -> None:
    parser = subparsers.add_parser("waits", help="what a hand waits on, with copies left")
    _add_hand(parser)
    parser.set_defaults(run=commands.waits, command="waits")


def _advise(subparsers: _Subparsers[_Parser]) -> None:
    parser = subparsers.add_parser("advise", help="what each discard of a hand leaves")
    _add_hand(parser)
    parser.set_defaults(run=commands.advise, command="advise")


def _add_hand(parser: argparse.ArgumentParser) -> None:
    line = "a photo, or a line such as '123m55p | melds 444s@W | gold 9m'; - for stdin"
    parser.add_argument("hand", metavar="PHOTO-or-HAND", help=line)
    tile, tiles, seat = _typed(parse_tile), _typed(parse_tiles), _typed(Seat.parse)
    facts = parser.add_argument_group("what the tiles cannot tell")
    facts.add_argument("--gold", type=tile, metavar="TILE", help="the kind that is gold 金")
    facts.add_argument("--table", type=tiles, metavar="TILES", help="discards and others' melds in sight; none")
    flag = argparse.BooleanOptionalAction
    facts.add_argument("--gold-discarded", action=flag, help="a gold was thrown from this hand before; no")
    facts.add_argument("--passed", type=tiles, metavar="TILES", help="kinds let pass 过水; none")
    facts.add_argument("--seat", type=seat, metavar="SEAT", help="whose hand it is; South")
    facts.add_argument("--dealer", type=seat, metavar="SEAT", help="who deals 庄; East")
    facts.add_argument("--streak", type=_count, metavar="N", help="how often the dealer kept the deal 连庄; 0")
    facts.add_argument("--round", dest="round_wind", type=seat, metavar="SEAT", help="wind of the round 圈风; East")
    photo = parser.add_argument_group("photos")
    photo.add_argument("--guess", action="store_true", help="take the best guess for tiles that could not be told")
    photo.add_argument("--kong", choices=_KONGS, help="what four open tiles are; open")
    _add_tileset(photo)
    _add_ruleset(parser)
    _add_json(parser, "one document")


def _drill(subparsers: _Subparsers[_Parser]) -> None:
    parser = subparsers.add_parser("drill", help="practise: waits 听牌, flowers 数花, 过水, the score 算分; graded")
    kinds = [kind.value for kind in DrillKind]
    parser.add_argument("kind", nargs="?", choices=kinds, metavar="KIND", help=f"{', '.join(kinds)}; any of them")
    parser.add_argument("--seed", type=_count, default=1, metavar="N", help="the same seed asks the same; 1")
    parser.add_argument("--answer", metavar="TEXT", help="tiles such as 58p, a number, or yes and no; else it is asked")
    languages = [language.value for language in Language]
    parser.add_argument("--language", choices=languages, help="of question and explanation; that of LANG")
    _add_ruleset(parser)
    _add_json(parser, "one document")
    parser.set_defaults(run=commands_drill.drill)


def _simulate(subparsers: _Subparsers[_Parser]) -> None:
    parser = subparsers.add_parser("simulate", help="play legal hands from a seed and print their event logs")
    parser.add_argument("--seed", type=_count, default=1, metavar="N", help="the same seed gives the same hands; 1")
    parser.add_argument("--hands", type=_count, default=1, metavar="N", help="hands of one evening, in a row; 1")
    parser.add_argument(
        "--dealer", type=_typed(Seat.parse), default=Seat.EAST, metavar="SEAT", help="who deals first; E"
    )
    parser.add_argument("--shuffled", action="store_true", help="no walls arranged to bring about rare openings")
    parser.add_argument("--closed", action="store_true", help="as a camera sees it: concealed tiles face down")
    parser.add_argument("--owner", type=_typed(Seat.parse), metavar="SEAT", help="with --closed: this hand stays open")
    _add_film(parser)
    _add_ruleset(parser)
    _add_json(parser, "one line a hand, or a clip")
    parser.set_defaults(run=commands_clips.simulate)


def _add_film(parser: _Parser) -> None:
    film = parser.add_argument_group("as film, with exact truth")
    film.add_argument("--render", type=Path, metavar="DIR", help="film hands from above: one folder a clip in DIR")
    film.add_argument("--clips", type=_count, metavar="N", help="how many; each has the next seed; 1")
    film.add_argument("--size", type=commands_clips.size_of, metavar="WxH", help="pixels; 1920x1080")
    film.add_argument("--fps", type=commands_clips.number_of(1, 30), metavar="N", help="frames a second; 5")
    film.add_argument("--seconds", type=commands_clips.number_of(5, 600), metavar="S", help="about how long; 60")
    film.add_argument("--faults", metavar="NAMES", help="what goes wrong: none, mixed, all, or names such as nudge,gap")
    film.add_argument(
        "--illegal", choices=["all", *ILLEGAL_ACTS], metavar="ACT", help="end with this illegal act; all: in turn"
    )
    building = commands_clips.number_of(10, 120)
    film.add_argument("--building", type=building, metavar="S", help="the walls are built before, for S seconds")
    film.add_argument("--held-out", action="store_true", help="sets of tiles that no network was trained on")
    film.add_argument("--art", type=Path, metavar="DIR", help="a folder of free tile faces, for some of the sets")
    film.add_argument("--frames", action="store_true", help="single pictures instead of a video")


def _evaluate(subparsers: _Subparsers[_Parser]) -> None:
    parser = subparsers.add_parser("evaluate", help="measure the reading on labelled photos")
    parser.add_argument(
        "dataset", type=Path, metavar="DATASET", help="a folder with images/ and labels/, or truth files"
    )
    parser.add_argument("--split", metavar="NAME", help="test where the set is split; 'all' for every photo")
    parser.add_argument("--out", type=Path, metavar="CSV", help="also write one row a photo")
    parser.add_argument("--plots", type=Path, metavar="DIR", help="also draw confusion and reliability (extra 'plots')")
    parser.add_argument("--models", type=Path, metavar="DIR", help="a folder of other networks with their cards")
    parser.add_argument("--clips", action="store_true", help="DATASET is a folder of clips of live tables: follow them")
    parser.add_argument("--live", action="store_true", help="read as live frames, the size of the tiles being known")
    bars = parser.add_argument_group("bars")
    bars.add_argument("--bar", type=float, metavar="SHARE", help="exit 1 when the share of right tiles is below this")
    bars.add_argument(
        "--floors",
        type=Path,
        metavar="FILE.toml",
        help="exit 1 when a bar of this file is missed; DATASET may be a folder of data sets",
    )
    bars.add_argument("--quick", action="store_true", help="with --floors: its bars for a part of the photos")
    _add_json(parser, "one document")
    parser.set_defaults(run=commands_evaluate.evaluate)


def _train(subparsers: _Subparsers[_Parser]) -> None:
    parser = subparsers.add_parser("train", help="train a network by a recipe (needs the extra 'train')")
    parser.add_argument("recipe", type=Path, metavar="RECIPE", help="a recipe file")
    parser.add_argument("--minutes", type=float, metavar="N", help="stop with a checkpoint after so many minutes")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint")
    _add_json(parser, "one document")
    parser.set_defaults(run=commands.train)


def _tileset(subparsers: _Subparsers[_Parser]) -> None:
    parser = subparsers.add_parser("tileset", help="your own set of tiles: add it by a photo, list, show, remove")
    parts = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=_Parser)
    add = parts.add_parser("add", help="learn a set from 1 to 3 photos of its tiles laid out in rows")
    add.add_argument("name", metavar="NAME", help="what you call the set; a set of that name learns more")
    add.add_argument("photos", nargs="+", metavar="PHOTO", help="each shows all tiles of the order")
    add.add_argument("--order", metavar="ROWS", help="your own order, as '123456789m / ESWNCFP'; ? is skipped")
    add.add_argument("--labels", metavar="FILE", help="what each photo shows: a row a line, empty lines between photos")
    add.add_argument("--keep-crops", action="store_true", help="keep small pictures of the faces for later networks")
    add.set_defaults(run=commands_tileset.add)
    listed = parts.add_parser("list", help="the sets that are kept")
    listed.set_defaults(run=commands_tileset.list_all)
    show = parts.add_parser("show", help="which faces a set knows")
    show.add_argument("name", metavar="NAME")
    show.add_argument("--out", type=Path, metavar="FILE", help="write a contact sheet as .png or .jpg")
    show.set_defaults(run=commands_tileset.show)
    remove = parts.add_parser("remove", help="delete a set with all that was kept of it")
    remove.add_argument("name", metavar="NAME")
    remove.set_defaults(run=commands_tileset.remove)
    order = parts.add_parser("order", help="how to lay out the tiles")
    order.set_defaults(run=commands_tileset.order)
    for part in (add, listed, show, remove, order):
        _add_json(part, "one document")


def _photos(subparsers: _Subparsers[_Parser]) -> None:
    parser = subparsers.add_parser("photos", help="photos people send: keep, review, and make a data set of them")
    parts = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=_Parser)
    add = parts.add_parser("add", help="take photos into the queue, with where they come from and their licence")
    add.add_argument("photos", nargs="+", metavar="PHOTO", help="photos or folders of photos")
    add.add_argument("--source", default="", metavar="TEXT", help="who took them or where they come from; needed")
    licence = "an SPDX identifier such as CC0-1.0, or the terms in words; needed"
    add.add_argument("--licence", "--license", default="", metavar="TEXT", help=licence)
    add.set_defaults(run=commands_photos.add)
    listed = parts.add_parser("list", help="the queue, the photo that waits longest first")
    listed.set_defaults(run=commands_photos.list_all)
    show = parts.add_parser("show", help="the tiles of a photo by number, as our reader or a person named them")
    show.add_argument("--out", type=Path, metavar="FILE", help="also draw numbers and names on the photo, .png or .jpg")
    show.set_defaults(run=commands_photos.show)
    review = parts.add_parser("review", help="set tiles right and take the photo; without options all are right")
    review.add_argument("--tile", action="append", default=[], metavar="N=TILE", help="tile N is this one")
    review.add_argument("--drop", action="append", type=_count, default=[], metavar="N", help="N is left out")
    place = "TILE=LEFT,TOP,RIGHT,BOTTOM"
    review.add_argument("--add", action="append", default=[], metavar=place, help="a tile not found, in pixels")
    review.set_defaults(run=commands_photos.review)
    export = parts.add_parser("export", help="reviewed photos as a data set for 'evaluate' and 'train'")
    export.add_argument("folder", type=Path, metavar="DIR", help="a new folder")
    export.add_argument("ids", nargs="*", metavar="ID", help="these photos; all reviewed ones")
    split = "what they are for; test, so that no network learns them"
    export.add_argument("--split", choices=SPLITS, default=SPLITS[0], help=split)
    export.set_defaults(run=commands_photos.export)
    remove = parts.add_parser("remove", help="delete a photo with all that is known of it")
    remove.set_defaults(run=commands_photos.remove)
    for part in (show, review, remove):
        part.add_argument("id", metavar="ID", help="its id, or the first digits")
    for part in (add, listed, show, review, export, remove):
        names = ("--queue", "--to") if part is add else ("--queue",)
        part.add_argument(*names, dest="queue", type=Path, metavar="DIR", help="another folder than JINQUE_PHOTOS_PATH")
        _add_json(part, "one document")


def _add_tileset(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--tileset", metavar="NAME", help="your own set, see 'jinque tileset'")


def _bench(subparsers: _Subparsers[_Parser]) -> None:
    parser = subparsers.add_parser("bench", help="measure speed")
    parser.add_argument("what", nargs="?", choices=("engine", "vision", "live"), default="engine")
    parser.add_argument("--photo", type=Path, help="the photo of a hand that 'vision' reads; a bundled one")
    parser.add_argument("--data", type=Path, metavar="DIR", help="labelled sets, on which 'vision' compares its peer")
    parser.add_argument("--table", type=Path, metavar="PHOTO", help="the photo of a whole table; a rendered one")
    parser.add_argument("--models", type=Path, metavar="DIR", help="a folder of other networks with their cards")
    _add_json(parser, "one document")
    parser.set_defaults(run=commands.bench)


def _serve(subparsers: _Subparsers[_Parser]) -> None:
    parser = subparsers.add_parser("serve", help="serve the phone page and the API")
    parser.add_argument("--host", default="0.0.0.0", help="address to listen on; every one")
    parser.add_argument("--port", type=_count, default=8000, metavar="N", help="port to listen on; 8000")
    parser.add_argument(
        "--https", action="store_true", help="serve secure addresses too, which phones need for the camera"
    )
    parser.add_argument("--https-port", type=_count, default=8443, metavar="N", help="port of the secure ones; 8443")
    parser.add_argument("--database", metavar="URL|PATH", help="the SQLite file of the ledger, or a database by URL")
    parser.set_defaults(run=commands.serve)


def _rules(subparsers: _Subparsers[_Parser]) -> None:
    parser = subparsers.add_parser("rules", help="list the rulesets, or the options of one")
    parser.add_argument("name", nargs="?", metavar="NAME")
    _add_json(parser, "one document")
    parser.set_defaults(run=commands.rules)


def _check_config(subparsers: _Subparsers[_Parser]) -> None:
    parser = subparsers.add_parser("check-config", help="show the settings and check networks and database")
    _add_json(parser, "one document")
    parser.set_defaults(run=commands.check_config)


def _add_ruleset(parser: argparse.ArgumentParser) -> None:
    rules = parser.add_argument_group("rules")
    rules.add_argument("--ruleset", metavar="NAME", help="see 'jinque rules'; fuzhou")
    rules.add_argument("--set", dest="settings", action="append", default=[], metavar="NAME=VALUE", help="one option")
    rules.add_argument("--options", type=Path, metavar="FILE.toml", help="a file of options")


def _add_json(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--json", action="store_true", help=f"print {what} of JSON and nothing else")


if __name__ == "__main__":
    sys.exit(main())
