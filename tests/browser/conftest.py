"""Servers and browsers for the tests of the page, which are skipped without Chromium."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from browser.driver import CHROMIUM, Server, Visitor, launch

MakeVisitor = Callable[..., Visitor]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if CHROMIUM:
        return
    skip = pytest.mark.skip(reason="there is no Chromium here; `make browser` tells how to get it")
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(skip)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, standard_tables: Path) -> Iterator[Server]:
    """One server for all tests of a worker that leave it intact."""
    running = Server(tmp_path_factory.mktemp("server"), standard_tables)
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Closed after these tests: Playwright's running event loop would break others."""
    with sync_playwright() as playwright:
        running = launch(playwright)
        yield running
        running.close()


@pytest.fixture
def visitor(browser: Browser, server: Server) -> Iterator[MakeVisitor]:
    """Makes visitors; at the end, none may have seen an error or a request to another host."""
    made: list[Visitor] = []

    def make(**options: Any) -> Visitor:
        made.append(Visitor(browser, options.pop("server", server), **options))
        return made[-1]

    yield make
    for each in made:
        each.close()
