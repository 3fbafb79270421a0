"""Watches a source to its end: each change of the log, each alert, then the table. The command `watch`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from assistant_api.services.live.comparison import Comparison, compare, in_sight
from assistant_api.services.live.delay import Delay, TimedLog, TrueMoment, delays
from assistant_api.services.live.documents import change_document
from assistant_api.services.live.records import Alert, LiveEvent
from assistant_api.services.live.state import state_document
from assistant_api.services.live.table import LiveHand
from assistant_api.services.live.warnings import alert_document
from engine.events import Log
from engine.seats import Seat
from engine.tiles import Tile
from vision.errors import SourceError
from vision.frames import Frame
from vision.live.replay import ReadingsTable
from vision.live.view import TableView
from vision.reading import TileReading
from vision.streams import open_stream

AT_REST_STEPS = 10
"""Half seconds that a table is thought to lie at rest after the last frame."""


class Eye(Protocol):
    """What turns frames into views: `vision.live.pipeline.LiveTable`."""

    def push(self, frame: Frame, time_s: float, *, number: int | None = None) -> TableView:
        """What is believed to lie on the table after this frame."""


@dataclass
class Watched:
    """A hand that is being watched. ``events`` are all changes of its log so far and ``alerts`` the illegal acts told,
    ``frames`` how many views came, ``logs`` the log after each change, with the time of the view that changed it."""

    hand: LiveHand
    events: list[LiveEvent] = field(default_factory=list)
    alerts: list[Alert] = field(default_factory=list)
    logs: list[TimedLog] = field(default_factory=list)
    frames: int = 0
    last_s: float = 0.0

    def __post_init__(self) -> None:
        self._given = len(in_sight(self.hand.log))
        self._frame = -1

    def follow(self, views: Iterable[TableView]) -> Iterator[dict[str, Any]]:
        """The lines to print, as the views come."""
        for view in at_rest_after(views):
            self.hand, events, alerts = self.hand.advance(view)
            self.events += events
            self.alerts += alerts
            if events:
                self.logs.append((view.time_s, self.hand.log))
            self.frames += view.frame != self._frame
            self._frame, self.last_s = view.frame, view.time_s
            for event in events:
                yield {"type": "event", **change_document(event)}
            for alert in alerts:
                confidence = min((noted.confidence for _, noted in alert.evidence), default=1.0)
                yield {"type": "alert", **alert_document(alert), "confidence": round(confidence, 3)}

    def table(self, truth: Log | None = None) -> dict[str, Any]:
        """The last line: the table at the end, and how it compares with the truth where that is given."""
        hand = self.hand
        document = {
            "type": "table",
            "time_s": round(self.last_s, 2),
            "frames": self.frames,
            "begun": hand.beginning.begun,
            **state_document(hand.state),
            "asked": [number for number, noted in enumerate(hand.notes, start=1) if noted.asked],
            "violations": len(hand.referee.violations()),
        }
        if truth is not None:
            document["truth"] = self.compared(truth).as_json()
        return document

    def compared(self, truth: Log) -> Comparison:
        """The hand against the log of what happened."""
        return compare(self.hand.referee, truth, self._given, [alert.violation for alert in self.alerts])

    def delayed(self, truth: Log, moments: Mapping[int, TrueMoment]) -> list[Delay]:
        """How long after its hand had left each right event was told."""
        return delays(truth, moments, self.logs, self._given)


def at_rest_after(views: Iterable[TableView]) -> Iterator[TableView]:
    """The views, and then the table as it lies for a while longer: nothing that was seen is left unsaid."""
    last = None
    for last in views:
        yield last
    if last is not None:
        for step in range(1, AT_REST_STEPS + 1):
            yield replace(last, time_s=last.time_s + 0.5 * step, gap_s=0.0)


def views_of(source: str, eye: Callable[[], Eye], near: Seat, *, fps: float | None, every: int) -> Iterator[TableView]:
    """The views of a source; ``eye`` is made only where there are pictures to look at.

    A file of recorded readings (``.jsonl``) has one frame a line: ``time_s``, ``frame``, ``width``, ``height`` and
    ``tiles`` as `jinque read` prints them.

    Raises:
        SourceError: the source cannot be opened or read.
    """
    if Path(source).suffix.lower() == ".jsonl":
        return _recorded(Path(source), near)
    frames = open_stream(source, fps=fps, every=every)
    looking = eye()
    return (looking.push(frame.picture, frame.picture.time_s, number=frame.number) for frame in frames)


def _recorded(path: Path, near: Seat) -> Iterator[TableView]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise SourceError(f"cannot open {path.name!r}: {(error.strerror or str(error)).lower()}") from None
    except UnicodeDecodeError:
        raise SourceError(f"{path.name!r} is not UTF-8 text; expected recorded readings, one frame a line") from None

    def views() -> Iterator[TableView]:
        table: ReadingsTable | None = None
        for place, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
                size = int(record["width"]), int(record["height"])
                readings = [_reading(tile) for tile in record["tiles"]]
                time_s, frame = float(record["time_s"]), int(record.get("frame", place - 1))
            except (ValueError, KeyError, TypeError, LookupError):
                raise SourceError(
                    f"line {place} of {path.name!r} is no frame of readings; expected time_s, width, height and tiles"
                ) from None
            table = table or ReadingsTable(size, near=near)
            yield table.push(readings, time_s, frame)

    return views()


def _reading(tile: dict[str, Any]) -> TileReading:
    a, b, c, d = ((float(x), float(y)) for x, y in tile["quad"])
    code = tile["tile"]
    face = None if code in ("back", "?") else Tile.parse(code)
    others = tuple((Tile.parse(other), float(chance)) for other, chance in tile.get("alternatives", ()))
    return TileReading(face, float(tile["confidence"]), (a, b, c, d), face_down=code == "back", alternatives=others)
