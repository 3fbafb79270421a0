"""An evening over the API, for tests: a game with a client that knows its token, and hands that stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi.testclient import TestClient

from assistant_api.schemas import SettlementRequest

_EXAMPLE: dict[str, Any] = SettlementRequest.model_config["json_schema_extra"]["examples"][0]  # type: ignore[index, call-overload]
TILES: list[dict[str, Any]] = _EXAMPLE["tiles"]


def win(winner: str, giver: str | None = None, **more: Any) -> dict[str, Any]:
    """A hand with two flowers won by a seat: off a discard, or by self-draw."""
    facts = {"winner": winner, "source": "discard" if giver else "self_draw", "from_seat": giver}
    return {"kind": "win", "tiles": TILES, "facts": {**facts, **more.pop("facts", {})}, **more}


DRAW = {"kind": "draw"}


def penalty(seat: str, points: int = 5, **more: Any) -> dict[str, Any]:
    """诈胡."""
    return {"kind": "penalty", "seat": seat, "offence": "false_win", "points": points, **more}


def escape(seat: str, **more: Any) -> dict[str, Any]:
    """逃跑, with one flower in front of each of the others."""
    remaining = [{"seat": other, "flower_count": 1} for other in "ESWN" if other != seat]
    return {"kind": "escape", "seat": seat, "remaining": remaining, **more}


@dataclass
class Evening:
    """A game begun by this client."""

    client: TestClient
    id: str
    share_code: str
    token: str

    @property
    def headers(self) -> dict[str, str]:
        """What opens it for writing."""
        return {"Authorization": f"Bearer {self.token}"}

    def send(self, method: str, path: str, body: Any = None, **more: Any) -> Any:
        """A request of the host."""
        headers = {**self.headers, **more.pop("headers", {})}
        return self.client.request(method, f"/api/games/{self.id}{path}", json=body, headers=headers, **more)

    def add(self, body: dict[str, Any], **more: Any) -> dict[str, Any]:
        """Enter something; what changed."""
        answer = self.send("POST", "/entries", body, **more)
        assert answer.status_code == 201, answer.text
        return dict(answer.json())

    def game(self) -> dict[str, Any]:
        """How it stands."""
        return dict(self.send("GET", "").json())

    def entries(self) -> list[dict[str, Any]]:
        """All entries, oldest first."""
        return list(self.send("GET", "/entries", params={"limit": 200}).json()["entries"][::-1])

    def deals(self) -> list[tuple[Any, ...]]:
        """Kind, hand, dealer, streak and deltas of every entry."""
        return [(one["kind"], one["hand"], one["dealer"], one["streak"], *one["deltas"]) for one in self.entries()]


def begin(client: TestClient, **wanted: Any) -> Evening:
    """Begin a game."""
    answer = client.post("/api/games", json={"players": ["Lin", "Fang", "Chen", "Qiang"], **wanted})
    assert answer.status_code == 201, answer.text
    game = answer.json()["game"]
    return Evening(client, game["id"], game["share_code"], answer.json()["token"])
