"""``jinque watch`` and ``jinque evaluate --clips``: a live table followed from a stream, alone or against the truth."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from pathlib import Path

from assistant_api import commands, terminal_watch
from assistant_api.errors import UsageError
from assistant_api.services import rules as rulebook
from assistant_api.services.live.clips import Clip, evaluate_clips, totals, write_csv
from assistant_api.services.live.table import LiveHand
from assistant_api.services.live.watch import Eye, Watched, views_of
from assistant_api.services.reading import shipped_reader
from assistant_api.services.score import settings_of
from assistant_api.settings import load_settings
from engine.eventlog import parse_log
from engine.events import Deal, Log
from engine.seats import Seat
from vision.errors import SourceError
from vision.live.pipeline import LiveTable


def watch(options: Namespace) -> int:
    """Exit 1 where somebody broke the rules, or the table did not end as the truth says."""
    clip = _clip_at(options.source)
    near = options.near if options.near is not None else clip.near if clip is not None else Seat.EAST
    truth = None if options.truth is None else _log(options.truth)
    watched = Watched(_hand(options, clip))
    views = views_of(options.source, lambda: _eye(options, near), near, fps=options.fps, every=options.every)
    for line in watched.follow(views):
        if options.json:
            commands.print_json(line, compact=True)
        else:
            terminal_watch.show_line(line)
    end = watched.table(truth)
    if options.json:
        commands.print_json(end, compact=True)
    else:
        terminal_watch.show_table(watched.hand, end)
    missed = truth is not None and not watched.compared(truth).state_exact
    return commands.FOUND if watched.hand.referee.violations() or missed else commands.FINE


def evaluate(options: Namespace) -> int:
    """How well a folder of clips is followed; one row a clip with ``--out``."""
    if any((options.floors, options.quick, options.split, options.live, options.plots, options.bar is not None)):
        raise UsageError("--clips takes a folder of clips; give it alone, or with --out, --models and --json")
    results = []
    for result in evaluate_clips(options.dataset, lambda clip: _eye(options, clip.near)):
        results.append(result)
        if not options.json:
            terminal_watch.show_clip(result)
    if options.out is not None:
        try:
            with options.out.open("w", newline="", encoding="utf-8") as file:
                write_csv(results, file)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise UsageError(f"cannot write {str(options.out)!r}: {reason}") from None
    found = totals(results)
    if options.json:
        commands.print_json({**found, "by_clip": [result.row() for result in results]})
    else:
        terminal_watch.show_totals(found)
    return commands.FINE


def _hand(options: Namespace, clip: Clip | None) -> LiveHand:
    """The hand before the first frame: as dealt, or after the events of ``--log``."""
    settings = load_settings()
    file_options = rulebook.read_options(options.options) if options.options else {}
    if options.log is not None:
        log = _log(options.log)
        deal = log[0]
        assert isinstance(deal, Deal)
        named, base = options.ruleset or deal.ruleset, {} if options.ruleset else deal.rules().changed()
        return LiveHand.of_log(log, settings_of(named, {**base, **file_options}, options.settings))
    known = clip.log[0] if clip is not None else None
    deal = known if isinstance(known, Deal) else Deal(Seat.EAST)
    if options.dealer is not None:
        deal = replace(deal, dealer=options.dealer)
    if options.ruleset or file_options or options.settings or known is None:
        ruleset = settings_of(options.ruleset or settings.ruleset, file_options, options.settings)
        return LiveHand.start(replace(deal, ruleset=ruleset.base, options=()), ruleset)
    return LiveHand.start(deal)


def _clip_at(source: str) -> Clip | None:
    """The clip a folder is, for its near seat and its deal; None for every other source."""
    folder = Path(source)
    return Clip.load(folder) if (folder / "clip.json").is_file() and (folder / "log.txt").is_file() else None


def _log(path: Path) -> Log:
    try:
        log = parse_log(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise SourceError(f"{path.name!r} is not UTF-8 text; expected one event a line") from None
    except OSError as error:
        raise SourceError(f"cannot open {str(path)!r}: {(error.strerror or str(error)).lower()}") from None
    deals = sum(isinstance(event, Deal) for event in log)
    if deals != 1 or not isinstance(log[0], Deal):
        raise SourceError(f"{path.name!r} holds {deals} deals; expected the log of one hand, from its deal on")
    return log


def _eye(options: Namespace, near: Seat) -> Eye:
    return LiveTable(shipped_reader(load_settings(), options.models), near=near)
