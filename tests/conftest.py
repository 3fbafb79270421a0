"""Fixtures shared by all tests."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # the app is imported by the tests that use it, so that the others stay light
    from fastapi.testclient import TestClient
    from playwright.sync_api import Browser, Playwright
    from support.postgres import Postgres

    from assistant_api.services.reading import Reader
    from assistant_api.settings import Settings

ROOT = Path(__file__).resolve().parent.parent


def shared_folder() -> Path | None:
    """Folder with the handed rules and labelled photos, next to the checkout or where JINQUE_SHARED says; or None."""
    folder = Path(os.environ.get("JINQUE_SHARED", ROOT.parent / "shared"))
    return folder if (folder / "rules" / "fuzhou-cases.jsonl").is_file() else None


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of `shared_folder`; tests that need it skip where it is absent."""
    folder = shared_folder()
    if folder is None:
        pytest.skip("the shared material is not at shared/ beside the checkout (set JINQUE_SHARED)")
    return folder


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings with a database of their own."""
    from assistant_api.settings import Settings

    return Settings(database_path=tmp_path / "jinque.sqlite3")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server for this run."""
    from tests.support.postgres import server

    with server() as running:
        if running is None:
            pytest.skip("PostgreSQL is not installed (Debian: postgresql)")
        yield running


@pytest.fixture(scope="session")
def _migrated(postgres: Postgres) -> str:
    """The URL of a database with our tables."""
    from assistant_api.storage import open_database

    url = postgres.new()
    open_database(url).dispose()
    return url


@pytest.fixture
def postgres_url(postgres: Postgres, _migrated: str) -> str:
    """The URL of a database with our tables and nothing in them: one for all tests, emptied for each."""
    postgres.run(
        _migrated,
        "SET lock_timeout = '20s'",
        "TRUNCATE photo, member, entry, change, receipt RESTART IDENTITY CASCADE",
        "DELETE FROM game WHERE id <> 'earlier-hands'",
        "UPDATE game SET version = 1",
    )
    return _migrated


@pytest.fixture(params=["sqlite", "postgresql"])
def either_database(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Settings with a database of their own, of either kind."""
    from assistant_api.settings import Settings

    if request.param == "sqlite":
        return Settings(database_path=tmp_path / "jinque.sqlite3")
    return Settings(database_path=tmp_path / "none", database_url=request.getfixturevalue("postgres_url"))


@pytest.fixture
def make_client(settings: Settings) -> Iterator[Callable[..., TestClient]]:
    """Makes a client of the app with a scripted reader; English unless told otherwise."""
    from fastapi.testclient import TestClient

    from assistant_api.app import create_app
    from tests.scripted import ScriptedReader

    with ExitStack() as stack:

        def make(reader: Reader | None = None, language: str = "en", **changes: object) -> TestClient:
            app = create_app(settings.model_copy(update=changes), reader=lambda _: reader or ScriptedReader(None))
            client = TestClient(app, headers={"Accept-Language": language}, raise_server_exceptions=False)
            return stack.enter_context(client)

        yield make


@pytest.fixture(scope="session")
def driver() -> Iterator[Playwright]:
    """What drives browsers."""
    from tests.support.browser import playwright_driver

    with playwright_driver() as found:
        yield found


@pytest.fixture(scope="session")
def browser(driver: Playwright) -> Iterator[Browser]:
    """Debian's Chromium, driven by playwright."""
    from tests.support.browser import chromium

    with chromium(driver) as found:
        yield found
