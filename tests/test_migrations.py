"""Databases of earlier and later versions: nothing is lost, and nothing is half done."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from fastapi.testclient import TestClient
from sqlalchemy import Engine, inspect, text

from assistant_api.errors import ConfigError
from assistant_api.rows import EARLIER_HANDS, GameRow
from assistant_api.settings import Settings
from assistant_api.storage import open_database
from tests.support.evening import win

Maker = Callable[..., TestClient]
BEFORE_GAMES = Path(__file__).with_name("before_games.sql")
OLD_TABLES = {"hand", "photo"}


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Settings with a database that has no tables yet, of either kind."""
    url = None if request.param == "sqlite" else request.getfixturevalue("postgres").new()
    return Settings(database_path=tmp_path / "jinque.sqlite3", database_url=url)


def _engine(settings: Settings) -> Engine:
    """The database as it is, without bringing it up to date."""
    from assistant_api.storage import _engine as connect

    return connect(settings.database)


def _write_old(settings: Settings) -> None:
    """Put a database of the first version there."""
    script = BEFORE_GAMES.read_text(encoding="utf-8")
    engine = _engine(settings)
    cascade = ""
    if engine.dialect.name == "postgresql":
        cascade = " CASCADE"
        script = re.sub(r"X'([0-9A-F]+)'", r"'\\x\1'", script).replace("DATETIME", "TIMESTAMP").replace("BLOB", "BYTEA")
    with engine.begin() as connection:
        for table in inspect(connection).get_table_names():
            connection.exec_driver_sql(f'DROP TABLE "{table}"{cascade}')
        for statement in script.split(";\n"):
            if statement.strip():
                connection.exec_driver_sql(statement.replace("%", "%%"))
    engine.dispose()


def _read_old(settings: Settings) -> dict[str, list[dict[str, Any]]]:
    """All rows of the first version's tables."""
    engine = _engine(settings)
    with engine.connect() as connection:
        rows = {
            table: [dict(row) for row in connection.execute(text(f"SELECT * FROM {table} ORDER BY id")).mappings()]
            for table in OLD_TABLES
        }
    engine.dispose()
    return rows


def _json(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value


def test_hands_of_the_first_version_become_a_game(settings: Settings, make_client: Maker) -> None:
    """Every hand and the photo is still there, with its number, moment, rules, tiles, facts, points and explanation."""
    _write_old(settings)
    old = _read_old(settings)
    client = make_client()
    page = client.get("/api/hands").json()
    assert (page["totals"], page["count"]) == ([28, 178, -112, -94], 4)
    for row, hand in zip(old["hand"], page["hands"][::-1], strict=True):
        moment = str(row["created_at"]).replace(" ", "T")
        assert (hand["id"], hand["created_at"].rstrip("Z")) == (row["id"], moment)
        assert hand["ruleset"] == row["ruleset"]
        for name in ("options", "tiles"):
            assert hand[name] == _json(row[name])
        said = _json(row["facts"])
        assert {name: hand["facts"][name] for name in said} == {**said, "dealer": hand["dealer"]}
        assert hand["deltas"] == [row[f"delta_{seat}"] for seat in ("east", "south", "west", "north")]
        assert hand["result"]["per_payer"] == _json(row["result"])["per_payer"]
        assert hand["photo_url"] == (f"/api/photos/{row['photo_id']}" if row["photo_id"] else None)
    (photo,) = old["photo"]
    shown = client.get(f"/api/photos/{photo['id']}")
    assert (shown.status_code, shown.content) == (200, bytes(photo["jpeg"]))


def test_hands_of_the_first_version_can_be_gone_on_with(settings: Settings, make_client: Maker) -> None:
    """Corrected, taken back and added to; numbers are not given twice."""
    _write_old(settings)
    client = make_client()
    last = client.get("/api/hands").json()["hands"][0]["id"]
    facts = client.get("/api/facts").json()
    assert (facts["dealer"], facts["streak"]) == ("S", 0)
    added = client.post("/api/games/earlier-hands/entries", json=win("S", "W", facts={"dealer": "S", "streak": 0}))
    assert added.status_code == 201, added.text
    assert added.json()["entry"]["id"] > last
    first = client.get("/api/games/earlier-hands/entries/1").json()
    corrected = client.put("/api/games/earlier-hands/entries/1", json={**first["content"], "note": "checked"})
    assert (corrected.status_code, corrected.json()["entry"]["deltas"]) == (200, first["deltas"])
    assert client.post("/api/games/earlier-hands/undo").status_code == 200
    assert client.delete("/api/hands/2").status_code == 204
    totals = client.get("/api/games/earlier-hands").json()["totals"]
    assert totals == client.get("/api/hands").json()["totals"]
    assert sum(totals) == 0
    report = client.get("/api/games/earlier-hands/report").json()
    assert [len(report["entries"]), report["game"]["totals"]] == [4, totals]


def test_the_steps_lead_to_the_tables_of_the_program(settings: Settings) -> None:
    """From nothing and from the first version: no difference to `assistant_api.rows`."""
    for old in (False, True):
        if old:
            _write_old(settings)
        engine = open_database(settings.database)
        with engine.connect() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            assert compare_metadata(context, GameRow.metadata) == []
            assert not inspect(connection).has_table("hand")
            games = connection.execute(text("SELECT id FROM game")).scalars().all()
            assert games == [EARLIER_HANDS]
        engine.dispose()


def test_an_interrupted_upgrade_leaves_the_old_database(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last step fails: all rows and tables are as before, and the next try succeeds."""
    _write_old(settings)
    before = _read_old(settings)

    def fail(*_given: Any, **_more: Any) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("alembic.op.drop_table", fail)
    with pytest.raises(OSError, match="disk is full"):
        open_database(settings.database)
    monkeypatch.undo()
    engine = _engine(settings)
    with engine.connect() as connection:
        assert set(inspect(connection).get_table_names()) == OLD_TABLES
    engine.dispose()
    assert _read_old(settings) == before
    engine = open_database(settings.database)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT COUNT(*) FROM entry")).scalar_one() == 4
    engine.dispose()


def test_a_database_of_a_newer_version_is_left_alone(settings: Settings) -> None:
    """One sentence that says what to do; nothing is changed."""
    engine = open_database(settings.database)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(ConfigError, match="made by a newer version of Jinque; install that one") as told:
        open_database(settings.database)
    assert "\n" not in str(told.value)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one() == "9999"
    engine.dispose()
