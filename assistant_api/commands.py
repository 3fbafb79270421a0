"""What each command does: gathers its input, calls a service, shows the answer. Returns the exit code."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from assistant_api import terminal, terminal_audit, terminal_serving, terminal_teaching
from assistant_api.errors import UsageError
from assistant_api.languages import Language
from assistant_api.services import audit as auditing
from assistant_api.services import cases, config, hand_draft, lan, serving, teaching, tilesets
from assistant_api.services import rules as rulebook
from assistant_api.services import simulate as simulation
from assistant_api.services.bench_engine import bench_engine, bench_lines
from assistant_api.services.bench_vision import bench_vision
from assistant_api.services.photo_hand import see_playing
from assistant_api.services.reading import shipped_reader
from assistant_api.services.score import Given, Scored, score_line, score_photo, settings_of
from assistant_api.services.tileset_files import TilesetFolder
from assistant_api.settings import Settings, load_settings
from assistant_api.storage import is_url, shown_place
from engine.advice import Position
from engine.context import TableFacts, WinSource
from engine.events import Deal
from engine.melds import MeldKind
from engine.notation import parse_hand
from engine.rulesets import Ruleset
from vision.errors import SourceError
from vision.frames import Frame, decode_frame, read_bytes, read_frame
from vision.photo import PhotoReader
from vision.sources import PHOTO_SUFFIXES, list_photos

FINE, FOUND = 0, 1
_SAMPLES = Path(__file__).resolve().parent.parent / "datasets" / "samples"
SAMPLE = _SAMPLES / "melds.jpg"
"""The photo `jinque bench vision` reads where none is named; a checkout has it."""
FILM = _SAMPLES / "live" / "clip.mp4"
"""The film `jinque bench live` looks at; a checkout has it."""


def print_json(document: object, *, compact: bool = False) -> None:
    """A document on stdout: indented, or on one line."""
    indent = None if compact else 2
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=indent) + "\n")
    sys.stdout.flush()


def _stdin_bytes() -> bytes:
    return sys.stdin.buffer.read()


def chosen_ruleset(options: Namespace, settings: Settings) -> Ruleset:
    """The ruleset of ``--ruleset``, ``--options`` and ``--set``, else the one of the settings."""
    file_options = rulebook.read_options(options.options) if options.options else {}
    return settings_of(options.ruleset or settings.ruleset, file_options, options.settings)


def reader_for(options: Namespace, settings: Settings) -> PhotoReader:
    """The reader that ships, with the person's own set of ``--tileset`` where one is named."""
    reader = shipped_reader(settings)
    if options.tileset is None:
        return reader
    return reader.with_tileset(tilesets.load_for(TilesetFolder(settings.tilesets_path), reader, options.tileset))


def read(options: Namespace) -> int:
    """``jinque read``: the tiles of photos."""
    settings = load_settings()
    ruleset = chosen_ruleset(options, settings)
    frames = list(_frames(options.photos, settings))
    reader = reader_for(options, settings)
    kinds, size = hand_draft.flower_kinds(ruleset), hand_draft.winning_size(ruleset)
    for name, load in frames:
        reading = reader.read(load(), flower_kinds=kinds, hand_tiles=size)
        if options.json:
            print_json(reading.as_json(name), compact=True)
        else:
            terminal.show_reading(reading, name)
    return FINE


def _frames(names: list[str], settings: Settings) -> Iterator[tuple[str, Any]]:
    """Photos by name, each with a function that loads it; missing files are told before anything is read."""
    limits = settings.photo_limits
    for name in names:
        if name == "-":
            yield name, lambda: decode_frame(_stdin_bytes(), limits=limits, source="standard input")
        else:
            for path in list_photos([name]):
                yield str(path), lambda path=path: read_frame(path, limits=limits)


def score(options: Namespace) -> int:
    """``jinque score``: settle a photo or a line of notation."""
    settings = load_settings()
    ruleset = chosen_ruleset(options, settings)
    given = _given(options)
    source = _photo_or_line(options.hand, settings)
    if isinstance(source, Frame):
        scored = score_photo(source, reader_for(options, settings), given, ruleset)
        name = source.source
    else:
        scored = score_line(source, given, ruleset)
        name = "手牌 Hand"
    if options.json:
        print_json(scored.as_json())
    else:
        terminal.show_score(scored, name)
    return _score_code(scored)


def _score_code(scored: Scored) -> int:
    return FINE if scored.answer.legal else FOUND


def _photo_or_line(text: str, settings: Settings) -> Frame | str:
    """A frame when the argument names a file or a photo comes in, else the line of notation itself."""
    limits = settings.photo_limits
    if text == "-":
        data = _stdin_bytes()
        line = _as_line(data)
        return decode_frame(data, limits=limits, source="standard input") if line is None else line
    path = Path(text)
    if path.suffix.lower() in PHOTO_SUFFIXES or _is_file(path):
        return read_frame(path, limits=limits)
    if path.is_dir():
        raise SourceError(f"{text!r} is a folder; expected one photo or a line of hand notation")
    return text


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a long line of notation is no file name
        return False


def _as_line(data: bytes) -> str | None:
    try:
        text = data.decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        return None
    return text if text and "\x00" not in text else None


def _given(options: Namespace) -> Given:
    if options.self_draw and (options.giver is not None or options.how):
        raise UsageError("--self-draw excludes --from and --how; say one way of winning")
    source = WinSource.SELF_DRAW if options.self_draw else WinSource(options.how) if options.how else None
    if source is None and options.giver is not None:
        source = WinSource.DISCARD
    passed = None if options.passed is None else frozenset(options.passed)
    return Given(
        gold=options.gold,
        source=source,
        from_seat=options.giver,
        winner=options.winner,
        dealer=options.dealer,
        streak=options.streak,
        round_wind=options.round_wind,
        tile=options.tile,
        swap=options.swap,
        flowers=options.flowers,
        guess=options.guess,
        kongs=MeldKind(f"kong_{options.kong}") if options.kong else None,
        facts=TableFacts(
            gold_discarded=options.gold_discarded,
            passed_kinds=passed,
            dealers_first_discard=options.first_discard,
            last_tile=options.last_tile,
            last_of_kind=options.last_of_kind,
        ),
    )


def judge(options: Namespace) -> int:
    """``jinque judge``: worked cases; exit 1 when an answer is not the expected one, 2 when there is none."""
    text = _text(options.cases)
    if options.ruleset:
        rulebook.resolve(options.ruleset)
    agreed = differed = failed = 0
    for answer in cases.judge_lines(text.splitlines(), options.ruleset):
        if options.json:
            print_json(answer, compact=True)
        else:
            terminal.show_case(answer)
        failed += "error" in answer
        agreed += answer.get("as_expected") is True
        differed += answer.get("as_expected") is False
    terminal.errors.print(f"{agreed} as expected, {differed} not, {failed} without an answer")
    return 2 if failed else FOUND if differed else FINE


def audit(options: Namespace) -> int:
    """``jinque audit``: every illegal act of an event log. A log names its ruleset; options come on top."""
    file_options = rulebook.read_options(options.options) if options.options else {}
    text = _text(options.log, expected="one event a line")

    def ruleset(deal: Deal) -> Ruleset:
        base = {} if options.ruleset else deal.rules().changed()
        return settings_of(options.ruleset or deal.ruleset, {**base, **file_options}, options.settings)

    hands = list(auditing.audit_hands(text, ruleset))
    if options.json:
        print_json(auditing.audit_document(hands))
    else:
        terminal_audit.show_audit(hands)
    return FOUND if any(hand.referee.violations() for hand in hands) else FINE


def waits(options: Namespace) -> int:
    """``jinque waits``: what a hand waits on, or first that it has won."""
    return _teach(options, teaching.waits_document, terminal_teaching.show_waits)


def advise(options: Namespace) -> int:
    """``jinque advise``: what each discard leaves."""
    return _teach(options, teaching.advise_document, terminal_teaching.show_advice)


def _teach(
    options: Namespace, document: Callable[[Position], dict[str, Any]], show: Callable[[dict[str, Any]], None]
) -> int:
    """Exit 1 where a photo shows no hand to think about."""
    settings = load_settings()
    ruleset = chosen_ruleset(options, settings)
    told = teaching.Told(
        gold=options.gold,
        table=options.table,
        gold_discarded=options.gold_discarded,
        passed=options.passed,
        seat=options.seat,
        dealer=options.dealer,
        streak=options.streak,
        round_wind=options.round_wind,
    )
    source = _photo_or_line(options.hand, settings)
    if isinstance(source, str):
        found = document(teaching.read_hand(parse_hand(source), ruleset, told))
    else:
        kongs = MeldKind(f"kong_{options.kong}") if options.kong else None
        reader, said = reader_for(options, settings), options.gold is not None
        seen = see_playing(source, reader, ruleset, guess=options.guess, kongs=kongs, gold_is_said=said)
        found = teaching.photo_document(seen, ruleset, told, document)
    if options.json:
        print_json(found)
    elif found.get("message"):
        terminal_teaching.show_unclear(found, options.command)
    else:
        show(found)
        terminal_teaching.show_questions(found)
    return FOUND if found.get("message") else FINE


def simulate(options: Namespace) -> int:
    """``jinque simulate``: legal hands as event logs."""
    if options.owner is not None and not options.closed:
        raise UsageError("--owner says whose hand stays open; give it together with --closed")
    ruleset = chosen_ruleset(options, load_settings())
    share = {"arranged": 0.0} if options.shuffled else {}
    hands = simulation.simulate(ruleset, options.seed, options.hands, dealer=options.dealer, **share)
    for number, played in enumerate(hands, start=1):
        log = simulation.seen_log(played, options.closed, options.owner)
        if options.json:
            print_json(simulation.log_document(number, played, log), compact=True)
        else:
            sys.stdout.write(simulation.log_text(number, played, log) + "\n")
    return FINE


def _text(name: str, expected: str = "one JSON object a line") -> str:
    try:
        return (_stdin_bytes() if name == "-" else Path(name).read_bytes()).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{name!r} is not UTF-8 text; expected {expected}") from None
    except OSError as error:
        raise UsageError(f"cannot open {name!r}: {(error.strerror or str(error)).lower()}") from None


def train(options: Namespace) -> int:
    """``jinque train``: train a network by a recipe."""
    from vision.training import train as train_recipe  # heavy where the training stack is installed

    result = train_recipe(options.recipe, options.resume, options.minutes)
    document = {
        "kind": result.kind,
        "out": str(result.out),
        "checkpoint": str(result.checkpoint),
        "steps": result.steps,
        "minutes": round(result.minutes, 2),
        "finished": result.finished,
        "metrics": dict(result.metrics),
    }
    if options.json:
        print_json(document)
    else:
        terminal.show_table("", document.items(), ("training", ""))
    return FINE


def bench(options: Namespace) -> int:
    """``jinque bench``: medians, beside a peer where one is installed."""
    if options.what == "engine":
        figures = bench_engine()
        if not options.json:
            terminal.console.print("\n".join(bench_lines(figures)), markup=False)
    elif options.what == "live":
        from vision.live.bench import bench_trackers, tracker_lines  # the simulator takes a moment to load
        from vision.live.load import bench_age, bench_memory, film_frames, load_lines

        figures = bench_trackers(range(1, 5))
        figures["memory"], figures["age"] = bench_memory(), None
        if FILM.is_file():
            figures["age"] = bench_age(film_frames(FILM), shipped_reader(load_settings(), options.models))
        if not options.json:
            lines = [*tracker_lines(figures), *load_lines(figures["memory"], figures["age"])]
            terminal.console.print("\n".join(lines), markup=False)
    else:
        settings = load_settings()
        if options.photo is None and not SAMPLE.is_file():
            raise UsageError("bench vision needs a photo; say which with --photo FILE")
        frame = read_frame(options.photo or SAMPLE, limits=settings.photo_limits)
        table = None if options.table is None else read_bytes(options.table, limits=settings.photo_limits)
        reader = shipped_reader(settings, options.models)
        threads = settings.reading_threads
        figures = bench_vision(reader, frame, table, threads, networks=options.models, data=options.data)
        if not options.json:
            terminal.show_bench_vision(figures)
    if options.json:
        print_json(figures)
    return FINE


def serve(options: Namespace) -> int:
    """``jinque serve``: the phone page and the API, until interrupted."""
    settings = load_settings()
    if options.database is not None:
        by_url = is_url(options.database)
        place = {"database_url": options.database} if by_url else {"database_path": Path(options.database)}
        settings = settings.model_copy(update={"database_url": None, **place})
    for port in (options.port, options.https_port):
        if port > 65535:
            raise UsageError(f"{port} is not a port; expected 0 to 65535")
    rulebook.resolve(settings.ruleset)
    with ExitStack() as sockets:
        listener = sockets.enter_context(serving.open_socket(options.host, options.port))
        hosts = lan.reached_by(options.host)
        plain = [lan.url("http", host, listener.getsockname()[1]) for host in hosts]
        secure = None
        if options.https:
            safe_listener = serving.open_socket(options.host, options.https_port, "--https-port")
            secure = serving.Secure(settings.https_folder, sockets.enter_context(safe_listener), listener)
            signed = [host for host in hosts if host in secure.offer.hosts] or [secure.offer.hosts[0]]
            safe = [lan.url("https", host, secure.offer.port) for host in signed]
            left_out = [host for host in hosts if host not in secure.offer.hosts]
            terminal_serving.show_secure(plain, safe, secure, left_out, shown_place(settings.database))
        else:
            terminal_serving.show(plain, shown_place(settings.database))
        serving.run(settings, listener, secure)
    return FINE


def rules(options: Namespace) -> int:
    """``jinque rules``: the rulesets, or the options of one."""
    if options.name is not None:
        ruleset = rulebook.describe(rulebook.resolve(options.name), Language.EN)
        if options.json:
            print_json(ruleset.model_dump(mode="json"))
        else:
            terminal.show_ruleset(ruleset)
        return FINE
    found = rulebook.describe_all(Language.EN)
    if options.json:
        print_json([ruleset.model_dump(mode="json") for ruleset in found])
    else:
        rows = [(one.name, one.title, len(one.options), one.completeness) for one in found]
        terminal.show_table("", rows, ("ruleset", "", "options", "completeness"))
    return FINE


def check_config(options: Namespace) -> int:
    """``jinque check-config``: the settings, and whether networks and database can be used; exit 1 when not."""
    report = config.check(load_settings())
    if options.json:
        print_json(report)
    else:
        terminal.show_config(report)
    return FINE if report["ready"] else FOUND
