"""All live tables of this server. They live in one process: a game's table is where its camera's socket is."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from sqlmodel import Session

from assistant_api.errors import NotFoundError, RateError, ReadOnlyError
from assistant_api.live_schemas import Act, ClaimDraft, Done, LiveState, Proof
from assistant_api.rows import EARLIER_HANDS, GameRow, LiveCropRow, ReceiptRow
from assistant_api.schemas import Facts, PlacedTile
from assistant_api.services.ledger import access
from assistant_api.services.ledger.access import Caller
from assistant_api.services.ledger.book import Book, Call
from assistant_api.services.ledger.writing import Answer, find_receipt, fingerprint, once
from assistant_api.services.tables import claims, store
from assistant_api.services.tables.eyes import MakeEye
from assistant_api.services.tables.room import Room
from assistant_api.services.tables.shown import in_words
from assistant_api.settings import Settings
from assistant_api.storage import transaction
from vision.frames import Frame, Limits, decode_frame

_COME_BACK_S = 60


@dataclass(frozen=True, slots=True)
class Follower:
    """Somebody who follows a table: which one, as whom, in which language."""

    room: Room
    caller: Caller
    call: Call
    code: str


class LiveDesk:
    """The live tables.

    Args:
        settings: limits.
        book: the ledger, whose games they belong to.
        make_eye: makes what looks at the frames of one table.
    """

    def __init__(self, settings: Settings, book: Book, make_eye: MakeEye) -> None:
        self._settings = settings
        self._book = book
        self._make_eye = make_eye
        self._lock = threading.Lock()
        self._rooms: dict[str, Room] = {}

    @property
    def limit_bytes(self) -> int:
        """Largest frame."""
        return self._settings.max_live_bytes

    @property
    def frames_per_second(self) -> int:
        """Most frames taken from one camera in a second."""
        return self._settings.live_frames_per_second

    @property
    def frame_px(self) -> int:
        """Long side that frames should have."""
        return self._settings.live_frame_px

    def follow(self, code: str, call: Call) -> Follower:
        """The table of a game.

        Raises:
            NotFoundError, TokenError: see `access.open_game`.
            RateError: too many tables are followed on this server.
        """
        game, caller = self._open(code, call)
        return Follower(self.room(game.id), caller, call, code)

    def may_still(self, follower: Follower) -> None:
        """Raises what opening the game raises: it was deleted, or its share code is another one now."""
        self._open(follower.code, follower.call)

    def check_camera(self, follower: Follower) -> None:
        """ReadOnlyError for who may only look; FinishedError when the game is finished."""
        game, caller = self._open(follower.code, follower.call)
        if not caller.can_write:
            raise ReadOnlyError("this link or role may look at the table, not be its camera; expected a player's link")
        access.check_open(game)

    def room(self, game_id: str) -> Room:
        """The table of a game, read from the database when nobody followed it."""
        with self._lock:
            for other in [name for name, room in self._rooms.items() if room.idle and name != game_id]:
                self._rooms.pop(other).close()
            found = self._rooms.get(game_id)
            if found is None:
                if len(self._rooms) >= self._settings.live_tables:
                    raise RateError(f"more than {self._settings.live_tables} live tables at once", _COME_BACK_S)
                database, patience_s = self._book.database, float(self._settings.live_patience_s)
                found = Room(database, game_id, self._make_eye, self._decode, patience_s)
                self._rooms[game_id] = found
            return found

    def do(self, code: str, call: Call, act: Act) -> Answer[Done]:
        """What a person says at a table; with a key it is done once.

        Raises:
            NotFoundError, TokenError, ReadOnlyError, FinishedError: as for every write.
            ConflictError: it contradicts what is there, or the key was used for something else.
            HandError, NotationError, UsageError: it makes no sense.
        """
        game, _ = self._open(code, call)
        room = self.room(game.id)
        mark = fingerprint("live", act)
        with room.writing():
            answer, become = once(lambda: self._write(room, code, call, act, mark))
            if become is not None:
                become()
        return answer

    def _write(
        self, room: Room, code: str, call: Call, act: Act, mark: str
    ) -> tuple[Answer[Done], Callable[[], int] | None]:
        with transaction(self._book.database, writes=True) as session:
            game, caller = access.open_for_writing(session, code, call.token)
            scope = f"live {game.id}"
            receipt = find_receipt(session, scope, call.key, mark)
            if receipt is not None:
                return Answer(Done.model_validate(receipt.body), 200, replayed=True), None
            access.check_open(game)
            become = room.do(session, game, caller.role, act)
            done = Done(version=_version(session, game))
            if call.key is not None:
                body = done.model_dump(mode="json")
                session.add(ReceiptRow(scope=scope, key=call.key, fingerprint=mark, status=200, body=body))
        return Answer(done, 200), become

    def state(self, code: str, call: Call) -> LiveState:
        """The table as it stands, for who does not follow it."""
        shown = self.follow(code, call).room.shown
        if shown.state is None:
            return LiveState(version=shown.version, hand=None)
        hand = {**shown.state, "log": list(shown.events), "alerts": list(shown.alerts)}
        return LiveState(version=shown.version, hand=in_words(hand, call.language))

    def claim(self, code: str, call: Call) -> ClaimDraft:
        """The declared win as far as the table shows it; UsageError when there is none."""
        room = self.follow(code, call).room
        return claims.draft(room.hand)

    def prove(self, code: str, call: Call, tiles: list[PlacedTile], facts: Facts) -> Proof:
        """What the log says of an opened hand; nothing is kept.

        Raises:
            UsageError: nobody has declared a win.
            NotationError: a tile has an unknown code.
        """
        room = self.follow(code, call).room
        lines, pictures = room.log
        return claims.prove(room.hand, tiles, facts, lines, pictures, call.language)

    def crop(self, crop_id: str) -> bytes:
        """A picture of an event; NotFoundError when it is not kept (any more)."""
        with transaction(self._book.database) as session:
            found = session.get(LiveCropRow, crop_id)
            if found is None:
                raise NotFoundError("there is no such picture")
            return found.jpeg

    def close(self) -> None:
        """Send all workers home."""
        with self._lock:
            rooms = tuple(self._rooms.values())
            self._rooms.clear()
        for room in rooms:
            room.close()

    def _open(self, code: str, call: Call) -> tuple[GameRow, Caller]:
        with transaction(self._book.database) as session:
            game, caller = access.open_game(session, code, call.token)
        if game.id == EARLIER_HANDS:
            raise NotFoundError("the hands without a game have no table")
        return game, caller

    def _decode(self, jpeg: bytes, number: int) -> Frame:
        limits = Limits(max_bytes=self._settings.max_live_bytes, max_pixels=self._settings.max_live_pixels)
        return decode_frame(jpeg, limits=limits, source=f"frame {number}")


def _version(session: Session, game: GameRow) -> int:
    last = store.last_hand(session, game.id)
    return 0 if last is None else last.version
