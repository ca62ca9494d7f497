"""The servers that tests share: on SQLite, on PostgreSQL, and two processes on one PostgreSQL.

They run for the whole session; each test creates its own games.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from nestline import tables
from nestline.web.settings import Settings
from support.web_driver import PostgreSQL, Server, postgresql_programs, running


class Servers(NamedTuple):
    """Where the players and the spectator of a test connect: to one process, or to two."""

    one: Server
    other: Server


@pytest.fixture(scope="session")
def tictactoe_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the one tablebase that is quick to build."""
    folder = tmp_path_factory.mktemp("tables")
    tables.build("tictactoe", folder)
    return folder


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    if postgresql_programs() is None:
        pytest.skip("PostgreSQL is missing: install the package postgresql")
    cluster = PostgreSQL()
    try:
        yield cluster
    finally:
        cluster.remove()


@pytest.fixture(scope="session")
def on_sqlite(
    tmp_path_factory: pytest.TempPathFactory, tictactoe_tables: Path
) -> Iterator[Servers]:
    file = tmp_path_factory.mktemp("games") / "games.sqlite3"
    # With settings that some tests check and no other test minds.
    settings = {
        "NESTLINE_WEB_LOG_LEVEL": "debug",
        "NESTLINE_WEB_HOSTS": "club.example",
        "NESTLINE_WEB_ORIGINS": "https://club.example https://school.example",
    }
    with running(str(file), tictactoe_tables, settings) as server:
        yield Servers(server, server)


@pytest.fixture(scope="session")
def on_postgresql(postgresql: PostgreSQL, tictactoe_tables: Path) -> Iterator[Servers]:
    with running(postgresql.database(), tictactoe_tables) as server:
        yield Servers(server, server)


@pytest.fixture(scope="session")
def two_processes(postgresql: PostgreSQL, tictactoe_tables: Path) -> Iterator[Servers]:
    database = postgresql.database()
    with (
        running(database, tictactoe_tables) as one,
        running(database, tictactoe_tables) as other,
    ):
        yield Servers(one, other)


@pytest.fixture(params=["on_sqlite", "on_postgresql", "two_processes"])
def servers(request: pytest.FixtureRequest) -> Servers:
    """Runs a test three times: the server must behave the same on every kind of database."""
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Servers)
    return found


@pytest.fixture
def server(on_sqlite: Servers) -> Server:
    """For tests that have nothing to do with the database."""
    return on_sqlite.one


@pytest.fixture(params=["sqlite", "postgresql"])
def own_settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """The settings of a server with a new database of its own, of either kind."""
    if request.param == "sqlite":
        database = str(tmp_path / "games.sqlite3")
    else:
        database = request.getfixturevalue("postgresql").database()
    return Settings(database=database, tables=str(tmp_path), build_tables=False)
