"""One live table on the server: its hand, the worker that looks at its frames, and those who follow it.

The hand is a value and the database has its log, so a worker that crashes loses nothing but the frame it looked at: it
is told, and begins again from the log. Frames are looked at outside the lock; what a view adds and what a person says
go into the log one after the other.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Engine
from sqlmodel import Session

from assistant_api.errors import ConflictError, NotFoundError
from assistant_api.live_schemas import Act, Begin, End, SayCorners, SaysWhere, Settled
from assistant_api.rows import GameRow, LiveHandRow
from assistant_api.services.ledger import replay
from assistant_api.services.live.beginning import Beginning
from assistant_api.services.live.records import By, Change
from assistant_api.services.live.table import Advanced, LiveHand
from assistant_api.services.tables import acts, store, where
from assistant_api.services.tables.eyes import Eye, MakeEye
from assistant_api.services.tables.frames import FrameSlot, Taken, crops
from assistant_api.services.tables.shown import alert_document, hand_document, line_document
from assistant_api.services.tables.store import Line
from assistant_api.storage import transaction
from engine.events import Deal
from engine.seats import Seat
from vision.frames import Frame
from vision.live.view import TableView

_log = logging.getLogger(__name__)
REST_S = 0.2
"""A worker that crashed rests so long, and twice as long after each further crash in a row."""
LONGEST_REST_S = 5.0
CAMERA_ROLE = "camera"


@dataclass(frozen=True)
class Shown:
    """What followers are told, as one value: they read it without waiting for anybody."""

    version: int = 0
    hand_id: int | None = None
    state: dict[str, Any] | None = None
    events: tuple[dict[str, Any], ...] = ()
    alerts: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True)
class Seen:
    """The last look at the table: what was seen, in a frame of which size, and when that frame came in."""

    number: int = 0
    view: TableView | None = None
    at_s: float = 0.0
    took_s: float = 0.0
    width: int = 0
    height: int = 0
    crashes: int = 0


@dataclass
class _Open:
    """The hand being played, as it is kept."""

    row: LiveHandRow
    lines: list[Line]
    hand: LiveHand
    pictures: dict[int, str]
    fresh: bool = True
    """Nothing was seen of it since it was read from the database."""


class Room:
    """One table.

    Args:
        database: where its log is.
        game_id: whose table it is.
        make_eye: makes what looks at its frames, when the first one comes.
        decode: from the bytes of a frame to its picture; raises what `vision.frames.decode_frame` raises.
        patience_s: the worker goes home when no frame came for so long; the log stays.
    """

    def __init__(
        self,
        database: Engine,
        game_id: str,
        make_eye: MakeEye,
        decode: Callable[[bytes, int], Frame],
        patience_s: float,
    ) -> None:
        self.game_id = game_id
        self.shown = Shown()
        self.seen = Seen()
        self.slot = FrameSlot()
        self._database = database
        self._make_eye = make_eye
        self._decode = decode
        self._patience_s = patience_s
        self._lock = threading.RLock()
        self._open: _Open | None = None
        self._worker: threading.Thread | None = None
        self._eye: Eye | None = None
        self._listening: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()
        self._closed = False
        self._areas_told = False
        self.camera: object | None = None
        self.load()

    # who follows

    @contextmanager
    def listening(self) -> Iterator[asyncio.Event]:
        """An event that is set whenever there is something new to show."""
        place = (asyncio.get_running_loop(), asyncio.Event())
        with self._lock:
            self._listening.add(place)
        try:
            yield place[1]
        finally:
            with self._lock:
                self._listening.discard(place)

    def ring(self) -> None:
        """Tell those who follow to look."""
        with self._lock:
            waiting = tuple(self._listening)
        for loop, event in waiting:
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)

    @property
    def idle(self) -> bool:
        """Nobody follows, and no worker is at work."""
        return not self._listening and self._worker is None

    def close(self) -> None:
        """Send the worker home."""
        self._closed = True
        self.slot.close()
        worker = self._worker
        if worker is not None and worker is not threading.current_thread():
            worker.join(10)

    # the log

    def load(self) -> None:
        """Begin from the log in the database."""
        with self._lock:
            with transaction(self._database) as session:
                game = session.get(GameRow, self.game_id)
                if game is None:
                    raise NotFoundError(f"there is no game {self.game_id!r}")
                row = store.open_hand(session, self.game_id)
                self._open = None if row is None else _opened(session, game, row)
                last = store.last_hand(session, self.game_id)
            self._publish(0 if last is None else last.version)

    def do(self, session: Session, game: GameRow, role: str, act: Act) -> Callable[[], int]:
        """What a person says, inside the open transaction; call what comes back once that is committed.

        The caller holds `writing`.

        Raises:
            ConflictError: no hand is being played, or one is already.
            NotFoundError, HandError, NotationError, UsageError: see `acts.apply`.
        """
        if isinstance(act, Begin):
            return self._begin(session, game, act)
        opened = self._open
        if opened is None:
            raise ConflictError("no hand is being followed at this table; begin one first")
        row = session.merge(opened.row)
        if isinstance(act, SaysWhere):
            return self._say_where(session, row, act)
        hand = acts.apply(opened.hand, act)
        lines = store.keep(session, row, opened.lines, hand, role)
        if isinstance(act, End | Settled):
            store.end(session, row)
            session.flush()
            return lambda: self._become(None, row.version)
        after = replace(opened, row=row, lines=lines, hand=hand)
        return lambda: self._become(after, row.version)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Nobody else changes the log meanwhile. Taken before the database, by everybody."""
        with self._lock:
            yield

    def _begin(self, session: Session, game: GameRow, act: Begin) -> Callable[[], int]:
        if store.open_hand(session, game.id) is not None:
            raise ConflictError("a hand is being followed already; end it first")
        rules = replay.rules_of(game)
        deal = replay.state_before(session, game).deal(rules)
        dealer = Seat.parse(act.dealer) if act.dealer else deal.dealer
        if dealer is None:
            raise ConflictError("nobody knows who deals; expected the dealer")
        same = deal.dealer is dealer
        streak = act.streak if act.streak is not None else (deal.streak or 0) if same else 0
        hand = LiveHand.start(Deal(dealer, rules.base, streak, (), deal.round_wind), rules)
        before = store.last_hand(session, game.id)
        store.drop_crops(session, game.id)
        row = LiveHandRow(game_id=game.id, near=Seat.parse(act.near), version=0 if before is None else before.version)
        if before is not None and before.near == row.near:
            row.corners, row.areas = before.corners, before.areas
        session.add(row)
        session.flush()
        lines = store.keep(session, row, [], hand, "ledger")
        opened = _Open(row, lines, hand, {}, fresh=False)

        def become() -> int:
            self._eye = None if before is None or before.near != row.near else self._eye
            return self._become(opened, row.version)

        return become

    def _say_where(self, session: Session, row: LiveHandRow, act: SaysWhere) -> Callable[[], int]:
        where.keep(row, act)
        row.version += 1
        session.add(row)
        session.flush()

        def become() -> int:
            assert self._open is not None
            self._open = replace(self._open, row=row)
            if isinstance(act, SayCorners):
                self._open_anew()  # the next frame is looked at with these corners
            self._areas_told = False
            return self._become(self._open, row.version)

        return become

    def _open_anew(self) -> None:
        """An eye that knows nothing of the tiles looks next: they are matched anew by what they show."""
        self._eye = None
        opened = self._open
        if opened is not None:
            hand = store.hand_of(opened.lines, opened.hand.next_key, opened.hand.referee.ruleset)
            self._open = replace(opened, hand=_going_on(hand, opened.hand), fresh=True)

    def _become(self, opened: _Open | None, version: int) -> int:
        self._open = opened
        self._publish(version)
        return version

    def _publish(self, version: int) -> None:
        opened = self._open
        if opened is None:
            self.shown = Shown(version)
        else:
            lines, pictures = opened.lines, opened.pictures
            self.shown = Shown(
                version,
                opened.row.id,
                {
                    **hand_document(opened.hand, lines, pictures, Seat(opened.row.near).code),
                    "areas": opened.row.areas,
                },
                tuple(line_document(line, pictures) for line in lines),
                tuple(alert_document(one, lines, pictures) for one in opened.hand.referee.violations()),
            )
        self.ring()

    @property
    def hand(self) -> LiveHand | None:
        """The hand being played."""
        opened = self._open
        return None if opened is None else opened.hand

    @property
    def log(self) -> tuple[Sequence[Line], dict[int, str]]:
        """The log of the hand being played, with the ids of its pictures."""
        opened = self._open
        return ([], {}) if opened is None else (opened.lines, opened.pictures)

    # the worker

    def offer(self, jpeg: bytes) -> int:
        """A frame of the camera comes in; its number."""
        with self._lock:
            if self._worker is None and not self._closed:
                self._worker = threading.Thread(target=self._work, name=f"table {self.game_id}", daemon=True)
                self._worker.start()
        return self.slot.put(jpeg).number

    def _work(self) -> None:
        crashes = 0
        while True:
            taken = self.slot.take(self._patience_s)
            if taken is None:
                with self._lock:
                    if self.slot.waits and not self._closed:
                        continue
                    self._worker = None
                    self._open_anew()
                return
            try:
                self._look(taken)
                crashes = 0
            except Exception:  # whatever it is, the table goes on
                crashes += 1
                _log.exception("the worker of table %s stumbled over frame %d", self.game_id, taken.number)
                self._stumbled(crashes)

    def _look(self, taken: Taken) -> None:
        """One frame: picture, view, what it adds to the log."""
        begun = time.monotonic()
        frame = self._decode(taken.jpeg, taken.number)
        eye: Eye | None = None
        if self._open is None:
            view = None  # between hands the picture is only shown
        else:
            eye = self._eye or self._new_eye(frame)
            if not self._areas_told:
                self._areas_told = True
                where.tell_areas(eye, self._open.row, frame)
            view = eye.look(frame, max(self._since_begun_s(taken), self._open.hand.time_s))
        ended = time.monotonic()
        with self._lock:
            if view is not None and self._open is not None and eye is self._eye:  # else it was told to look anew
                self._take(view, frame)
            crashes = self.seen.crashes
            self.seen = Seen(taken.number, view, taken.at_s, ended - begun, frame.width, frame.height, crashes)
        self.ring()

    def _new_eye(self, frame: Frame) -> Eye:
        opened = self._open
        near = Seat.EAST if opened is None else Seat(opened.row.near)
        eye = self._make_eye(near)
        if opened is not None:
            where.tell_corners(eye, opened.row, frame)
        self._eye, self._areas_told = eye, False
        return eye

    def _since_begun_s(self, taken: Taken) -> float:
        """Seconds since the hand began when the frame came in: they go on when the server starts again."""
        assert self._open is not None
        behind = time.monotonic() - taken.at_s
        return (datetime.now(UTC) - self._open.row.began_at).total_seconds() - behind

    def _take(self, view: TableView, frame: Frame) -> None:
        """What a view adds to the hand goes into the database, then it is shown."""
        opened = self._open
        assert opened is not None
        hand = opened.hand
        if opened.fresh:  # what happened while nobody looked has to be inferred
            hand = replace(hand, gap_start_s=hand.time_s, gap_end_s=view.time_s)
        found = hand.advance(view)
        if not found.events:
            self._open = replace(opened, hand=found.hand, fresh=False)
            if found.hand.over is not hand.over:
                self._publish(self.shown.version)
            return
        with transaction(self._database, writes=True) as session:
            row = session.merge(opened.row)
            lines = store.keep(session, row, opened.lines, found.hand, CAMERA_ROLE)
            assert row.id is not None
            fresh = store.keep_crops(session, row.id, crops(frame, _to_show(found)))
        kept = {line.noted.key for line in lines}
        pictures = {key: crop for key, crop in {**opened.pictures, **fresh}.items() if key in kept}
        self._become(
            replace(opened, row=row, lines=lines, hand=found.hand, pictures=pictures, fresh=False), row.version
        )

    def _stumbled(self, crashes: int) -> None:
        """Tell it, and begin again from the log with a fresh eye."""
        with self._lock:
            self._eye, before = None, self._open
            self.seen = replace(self.seen, crashes=self.seen.crashes + 1)
            try:
                self.load()
                if before is not None and self._open is not None and self._open.row.id == before.row.id:
                    self._open = replace(self._open, hand=_going_on(self._open.hand, before.hand))
            except Exception:  # the database is busy, or the game is gone: the next frame tries again
                _log.exception("table %s cannot be read again", self.game_id)
        self.ring()
        time.sleep(min(REST_S * 2 ** (crashes - 1), LONGEST_REST_S))


def _opened(session: Session, game: GameRow, row: LiveHandRow) -> _Open:
    assert row.id is not None
    lines = store.lines_of(session, row.id)
    hand = store.hand_of(lines, row.next_key, replay.rules_of(game))
    return _Open(row, lines, hand, store.crops_of(session, row.id))


def _going_on(hand: LiveHand, before: LiveHand) -> LiveHand:
    """The hand taken up anew from its log: play has begun where it had, also where nothing of it was told yet."""
    return replace(hand, beginning=Beginning(begun=True)) if before.beginning.begun else hand


def _to_show(found: Advanced) -> dict[int, Any]:
    """The records that are new or read differently, by key."""
    return {
        one.noted.key: one.noted
        for one in found.events
        if one.change in (Change.ADDED, Change.EDITED) and one.noted.by is By.CAMERA
    }
