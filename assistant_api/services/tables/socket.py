"""One phone at a live table over a WebSocket: frames up, state down. `assistant_api.routes.live` tells the messages.

What goes down is worked out when it is sent, from what stands then: a slow phone misses states in between and never
makes anybody wait or anything pile up.
"""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from anyio import Lock, create_task_group, fail_after, move_on_after
from anyio.to_thread import run_sync
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from assistant_api.errors import AppError, UsageError
from assistant_api.languages import Language, match_language, negotiate
from assistant_api.live_schemas import ACT
from assistant_api.problems import problem_of
from assistant_api.services.ledger.book import Call
from assistant_api.services.tables.desk import Follower, LiveDesk
from assistant_api.services.tables.shown import in_words, sight_document
from engine.errors import JinqueError

HELLO_S = 10.0
SIGHT_S = 0.2
"""At most so often it is told what the camera sees,"""
STILL_S = 1.0
"""and at least so often, if only that nothing is new: silence means that the connection is dead."""
LOOK_AGAIN_S = 3.0
"""So often it is looked whether the link still opens the game."""
MAX_TEXT = 64 * 1024
REFUSED, TOO_LARGE, GOING = 4403, 1009, 1001


class Hello(BaseModel):
    """Who somebody is that opens the socket."""

    model_config = ConfigDict(extra="forbid")

    token: str | None = Field(default=None, max_length=200)
    role: str = Field(default="table", pattern="^(camera|table)$")
    lang: str = Field(default="", max_length=16)


@dataclass
class _Phone:
    """One connection."""

    socket: WebSocket
    desk: LiveDesk
    follower: Follower
    is_camera: bool
    limit_bytes: int
    frames_per_second: int
    told_version: int | None = None
    told_hand: int | None = None
    frames: list[float] = field(default_factory=list)
    sending: Lock = field(default_factory=Lock)

    @property
    def language(self) -> Language:
        return self.follower.call.language

    async def send(self, **message: Any) -> None:
        async with self.sending:
            await self.socket.send_text(json.dumps(message, ensure_ascii=False, separators=(",", ":")))

    async def welcome(self, frame_px: int) -> None:
        caller = self.follower.caller
        frames = {"px": frame_px, "per_second": min(5, self.frames_per_second), "bytes": self.limit_bytes}
        await self.send(
            type="welcome", role=caller.role, can_write=caller.can_write, frames=frames if self.is_camera else None
        )

    # down

    async def tell(self) -> None:
        """Send what is new until the phone leaves."""
        room = self.follower.room
        looked = sent = time.monotonic()
        with room.listening() as news:
            await self._tell_table()
            await self._tell_sight()
            seen = room.seen
            while True:
                with move_on_after(max(0.0, sent + STILL_S - time.monotonic())):
                    await news.wait()
                news.clear()
                if time.monotonic() - looked > LOOK_AGAIN_S:
                    looked = time.monotonic()
                    await run_sync(self.desk.may_still, self.follower)
                await self._tell_table()
                now = time.monotonic()
                fresh = room.seen is not seen
                if now - sent >= (SIGHT_S if fresh else STILL_S):
                    seen, sent = room.seen, now
                    await self._tell_sight()
                elif fresh:
                    asyncio.get_running_loop().call_later(SIGHT_S - (now - sent), news.set)

    async def _tell_table(self) -> None:
        shown, language = self.follower.room.shown, self.language
        if shown.version == self.told_version and shown.hand_id == self.told_hand:
            return
        before, same = self.told_version, shown.hand_id == self.told_hand and shown.hand_id is not None
        self.told_version, self.told_hand = shown.version, shown.hand_id
        alerts = in_words(list(shown.alerts), language)
        if before is None or not same or shown.version < before or shown.state is None:
            hand = None
            if shown.state is not None:
                hand = {"state": in_words(shown.state, language), "events": shown.events, "alerts": alerts}
            await self.send(type="snapshot", version=shown.version, hand=hand)
            return
        await self.send(
            type="delta",
            from_version=before,
            version=shown.version,
            state=in_words(shown.state, language),
            events=[one for one in shown.events if one["version"] > before],
            order=[one["key"] for one in shown.events],
            alerts=alerts,
        )

    async def _tell_sight(self) -> None:
        room = self.follower.room
        seen, slot = room.seen, room.slot
        age = None if not seen.number else round(1000 * (time.monotonic() - seen.at_s))
        await self.send(
            type="sight",
            frame=seen.number,
            age_ms=age,
            took_ms=round(1000 * seen.took_s),
            received=slot.received,
            dropped=slot.dropped,
            camera=room.camera is not None,
            size=[seen.width, seen.height],
            crashes=seen.crashes,
            **sight_document(seen.view, boxes=self.is_camera),
        )

    # up

    async def listen(self) -> None:
        """Take what the phone sends until it leaves."""
        while True:
            message = await self.socket.receive()
            if message["type"] == "websocket.disconnect":
                raise WebSocketDisconnect(message.get("code", 1000))
            if message.get("bytes") is not None:
                await self._frame(message["bytes"])
            else:
                await self._text(message.get("text") or "")

    async def _frame(self, jpeg: bytes) -> None:
        room = self.follower.room
        if not self.is_camera:
            raise UsageError("frames come from a camera; expected the role camera in the first message")
        if len(jpeg) > self.limit_bytes:
            await self.socket.close(TOO_LARGE, f"a frame may have {self.limit_bytes} bytes")
            raise WebSocketDisconnect(TOO_LARGE)
        now = time.monotonic()
        self.frames = [at for at in self.frames if now - at < 1.0]
        if room.camera is not self or len(self.frames) >= self.frames_per_second:
            room.slot.turn_away()
            return await self.send(type="got", frame=None, camera=room.camera is self)
        self.frames.append(now)
        await self.send(type="got", frame=room.offer(jpeg), camera=True)

    async def _text(self, text: str) -> None:
        if len(text) > MAX_TEXT:
            raise UsageError(f"a message may have {MAX_TEXT} characters")
        message = _parsed(text)
        if "ping" in message:
            return await self.send(type="pong", ping=message["ping"])
        key = message.get("key")
        try:
            if not isinstance(key, str) or not 8 <= len(key) <= 64:
                raise UsageError("what is said needs a key of 8 to 64 characters")
            act = ACT.validate_python(message.get("do"))
            call = Call(self.language, self.follower.call.token, key)
            answer = await run_sync(self.desk.do, self.follower.code, call, act)
            await self.send(type="done", key=key, version=answer.body.version, replayed=answer.replayed)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            await self._refuse(key, UsageError(f"{where or 'do'}: {first['msg']}"))
        except JinqueError as error:
            await self._refuse(key, error)

    async def _refuse(self, key: Any, error: JinqueError) -> None:
        await self.send(type="refused", key=key, problem=_problem(error, self.language))


def _problem(error: JinqueError, language: Language) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(bytes(problem_of(error, language).body))
    return body


def _parsed(text: str) -> dict[str, Any]:
    try:
        message = json.loads(text)
    except ValueError:
        raise UsageError("a message is no JSON") from None
    if not isinstance(message, dict):
        raise UsageError("a message is no JSON object")
    return message


async def serve(socket: WebSocket, desk: LiveDesk, code: str) -> None:
    """Greet a phone, then send and take until it leaves."""
    await socket.accept()
    language = negotiate(socket.headers.get("accept-language"), socket.cookies.get("lang"))
    try:
        with fail_after(HELLO_S):
            hello = Hello.model_validate(_parsed(await socket.receive_text()))
        language = match_language(hello.lang) or language
        call = Call(language, hello.token)
        follower = await run_sync(desk.follow, code, call)
        if hello.role == "camera":
            await run_sync(desk.check_camera, follower)
    except (ValidationError, TimeoutError, KeyError):
        return await _leave(socket, UsageError("the first message says who it is"), language)
    except JinqueError as error:
        return await _leave(socket, error, language)
    except WebSocketDisconnect:
        return
    phone = _Phone(socket, desk, follower, hello.role == "camera", desk.limit_bytes, desk.frames_per_second)
    room = follower.room
    if phone.is_camera:
        room.camera = phone
        room.ring()
    try:
        await phone.welcome(desk.frame_px)
        async with create_task_group() as tasks:
            tasks.start_soon(phone.tell)
            tasks.start_soon(phone.listen)
    except* AppError as group:
        with suppress(RuntimeError, WebSocketDisconnect):
            await phone.send(type="gone", problem=_problem(_first(group), language))
            await socket.close(REFUSED)
    except* (WebSocketDisconnect, RuntimeError):
        pass  # it left
    finally:
        if room.camera is phone:
            room.camera = None
            room.ring()


def _first(group: BaseExceptionGroup[AppError]) -> AppError:
    found: Any = group
    while isinstance(found, BaseExceptionGroup):
        found = found.exceptions[0]
    assert isinstance(found, AppError)
    return found


async def _leave(socket: WebSocket, error: JinqueError, language: Language) -> None:
    """Say why the door stays closed."""
    with suppress(RuntimeError, WebSocketDisconnect):
        if socket.application_state is WebSocketState.CONNECTED:
            await socket.send_text(json.dumps({"type": "gone", "problem": _problem(error, language)}))
            await socket.close(REFUSED)
