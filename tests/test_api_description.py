"""The API keeps its description: every answer is documented, and no request, right or wrong, breaks the server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
import requests
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, given, seed
from hypothesis import settings as effort
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.scripted import SAMPLES, ScriptedReader
from tests.support.evening import DRAW, Evening, begin, win

Maker = Callable[..., TestClient]
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
EFFORT = effort(
    max_examples=8,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
SENT = ("method", "url", "headers", "params", "data", "json", "files")


@pytest.fixture
def client(make_client: Maker) -> TestClient:
    """The API with a reader of one sample."""
    reader = ScriptedReader(SAMPLES / "three-golds.json")
    return make_client(reader, writes_per_minute=100_000, photos_per_minute=100_000)


def _operations(client: TestClient) -> Iterator[Any]:
    schema = schemathesis.openapi.from_dict(client.get("/openapi.json").json())
    for found in schema.get_all_operations():
        yield found.ok()


def _known(evening: Evening, path: str) -> dict[str, Any]:
    """Path parameters of things that exist."""
    known = {"game": evening.id, "entry": evening.entries()[0]["id"], "hand_id": 1}
    return {name: value for name, value in known.items() if f"{{{name}}}" in path}


@pytest.mark.slow
@pytest.mark.parametrize("mode", list(GenerationMode), ids=str)
def test_requests_made_from_the_description(client: TestClient, mode: GenerationMode) -> None:
    """Right and wrong requests to every operation, about a game that exists and about anything: no 5xx, no surprise."""
    client.app.state.book.bell.close()  # type: ignore[attr-defined]  # followers are not kept waiting
    answered: Counter[int] = Counter()
    for operation in _operations(client):
        evening = begin(client)
        evening.add(win("E", "W"))
        evening.add(DRAW)
        given_ids = _known(evening, operation.path) if mode is GenerationMode.POSITIVE else {}
        strategy = operation.as_strategy(generation_mode=mode, path_parameters=given_ids or None)
        with suppress(Unsatisfiable):  # where nothing is asked for, nothing can be wrong
            given(case=strategy)(EFFORT(seed(1)(_sender(evening, answered))))()
    assert max(answered) < 500
    print(mode, dict(sorted(answered.items())))  # noqa: T201 shown with -s: how deep the requests went


def _sender(evening: Evening, answered: Counter[int]) -> Callable[..., None]:
    """Sends a request with the token of an evening, checks the answer and counts it."""

    def send(case: Case) -> None:
        wanted = case.as_transport_kwargs(base_url="http://testserver")
        request = requests.Request(**{name: wanted.get(name) for name in SENT}).prepare()
        headers = {**request.headers, **evening.headers}
        answer = evening.client.request(str(request.method), str(request.url), content=request.body, headers=headers)
        answered[answer.status_code] += 1
        case.validate_response(answer, checks=CHECKS)

    return send


def test_every_request_and_answer_has_an_example(client: TestClient) -> None:
    """For bodies of JSON: in the operation or in the model."""
    document = client.get("/openapi.json").json()
    models = document["components"]["schemas"]

    def shown(content: dict[str, Any]) -> bool:
        schema = content["schema"]
        model = schema.get("$ref", schema.get("items", {}).get("$ref", "")).rpartition("/")[2]
        return bool(content.get("examples") or schema.get("examples") or models.get(model, {}).get("examples"))

    missing = []
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            bodies = {"request": operation.get("requestBody", {}), **operation["responses"]}
            for name, body in bodies.items():
                for kind, content in body.get("content", {}).items():
                    if kind.endswith("json") and not shown(content):
                        missing.append(f"{method} {path} {name} {kind}")
    assert missing == []


def test_examples_of_requests_are_taken(client: TestClient) -> None:
    """Each example of a body does what it says when it is sent."""
    document = client.get("/openapi.json").json()
    refused = []
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json")
            if content is None:
                continue
            model = content["schema"].get("$ref", "").rpartition("/")[2]
            examples = [one["value"] for one in content.get("examples", {}).values()]
            for example in examples or document["components"]["schemas"][model]["examples"]:
                evening = begin(client)
                if "{entry}" in path:
                    evening.add(DRAW)
                if path.startswith("/api/live/"):
                    _play_live(evening, example.get("act"))
                where = path
                for name, value in _known(evening, path).items() if "{entry}" in path else [("game", evening.id)]:
                    where = where.replace(f"{{{name}}}", str(value))
                answer = client.request(method, where, json=example, headers=evening.headers)
                if answer.status_code not in (200, 201) and "/tilesets" not in path:  # those need a real photo
                    refused.append((method, path, example, answer.text))
    assert refused == []


def _play_live(evening: Evening, act: str | None) -> None:
    """A live hand in which the act makes sense: begun, with some events, and with a declared win where it needs one."""
    said: list[dict[str, Any]] = []
    if act != "begin":
        lines = ("gold 9m", "E discard 1s", "S draw", "S discard 3p")
        said = [{"act": "begin", "dealer": "E"}, *({"act": "insert", "text": line} for line in lines)]
    if act in (None, "refuse", "settled"):
        said.append({"act": "claim", "seat": "S"})
    for one in said:
        answer = evening.client.post(f"/api/live/{evening.id}/acts", json=one, headers=evening.headers)
        assert answer.status_code == 200, answer.text
