"""The servers that tests share: on SQLite, on PostgreSQL, and two processes on one PostgreSQL.

They run as long as the tests do; each test makes its own games.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from nestline import tables
from support.web_driver import PostgreSQL, Server, postgresql_programs, running


class Servers(NamedTuple):
    """Where the players and the spectator of a test connect: to one process, or to two."""

    one: Server
    other: Server


@pytest.fixture(scope="session")
def tictactoe_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the one table that takes no time to build."""
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
    # With settings that no test minds, and some look at.
    settings = {
        "NESTLINE_WEB_LOG_LEVEL": "debug",
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
    """Every test with this runs three times: the server must not care where its games are."""
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Servers)
    return found


@pytest.fixture
def server(on_sqlite: Servers) -> Server:
    """For tests of what has nothing to do with the database."""
    return on_sqlite.one
