"""What all tests share: tables built once, and the profiles of hypothesis.

The same examples are tried every time, so that a test run can be repeated;
`pytest --hypothesis-profile searching` looks for new ones, and takes longer.
"""

import os
import signal
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import settings

from nestline import TableError, load_rules, tables
from nestline.system import cores

SOLVED = ("tictactoe", "gobblers", "gobblers-official")

settings.register_profile("steady", deadline=None, derandomize=True, database=None)
settings.register_profile("searching", deadline=None, database=None, max_examples=2000)
settings.load_profile("steady")

# Tests interrupt programs, which would ignore that if a shell ran the tests in the background.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def standard_tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tablebases of the solved rule sets, built once for all workers.

    NESTLINE_TEST_TABLES names a folder that keeps them for later runs, which saves a minute to
    those who run a few tests again and again, without changes of what tables are made of.
    """
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder = Path(os.environ.get("NESTLINE_TEST_TABLES") or shared / "standard-tables")
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / "lock"):
        for name in SOLVED:
            try:
                tables.open(name, folder).close()
            except TableError:
                tables.build(load_rules(name), folder)
    return folder


@pytest.fixture
def unhurried_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Levels also stop after a second; on a busy machine that would decide what they play."""
    monkeypatch.setattr("nestline.engine.players.levels.MOST_SECONDS", 1000.0)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of a minute begin first, or all the other workers would wait for them at the end."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """More workers than cores, since many tests wait for a browser, a server or a program."""
    return max(2, cores() * 2)
